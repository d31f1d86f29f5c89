//! Makes a model file of a folder with a BERT-family encoder, and of others with layers for passages and of a judge if
//! there are such: `convert NAME OUT FOLDER [QUICK [JUDGE]]`.

use std::path::Path;

use wherein_encoder::{Besides, convert};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, out, folder, others @ ..] = args.as_slice() else {
        eprintln!("usage: convert NAME OUT FOLDER [QUICK [JUDGE]]");
        std::process::exit(2);
    };
    let other = |n: usize| others.get(n).map(Path::new);
    let besides = Besides { quick: other(0), judge: other(1) };
    let written = convert(folder.as_ref(), besides, name)
        .map_err(|error| error.to_string())
        .and_then(|bytes| {
            std::fs::write(out, &bytes).map(|()| bytes.len()).map_err(|error| error.to_string())
        });
    match written {
        Ok(bytes) => println!("{out}: {bytes} bytes"),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    }
}

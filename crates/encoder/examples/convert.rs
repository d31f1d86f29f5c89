//! Makes a model file of a folder with a BERT-family encoder, and of a second one with layers for
//! passages if there is one: `convert NAME OUT FOLDER [QUICK]`.

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, out, folder, quick @ ..] = args.as_slice() else {
        eprintln!("usage: convert NAME OUT FOLDER [QUICK]");
        std::process::exit(2);
    };
    let written = wherein_encoder::convert(folder.as_ref(), quick.first().map(AsRef::as_ref), name)
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

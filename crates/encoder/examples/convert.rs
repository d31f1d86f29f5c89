//! Makes a model file of a folder with a BERT-family encoder: `convert FOLDER NAME OUT`.

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, name, out] = args.as_slice() else {
        eprintln!("usage: convert FOLDER NAME OUT");
        std::process::exit(2);
    };
    let written = wherein_encoder::convert(folder.as_ref(), name)
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

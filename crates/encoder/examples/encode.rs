//! Encodes lines of standard input with a model file: `encode MODEL [LIMIT]`, a vector a line.
//! With `--speed` as the last argument only the speed is printed, for each instruction set.

use std::io::Read;
use std::time::Instant;

use wherein_encoder::{Bert, Level, ModelFile};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let bytes: &'static [u8] =
        Box::leak(std::fs::read(&args[0]).expect("the model can be read").into_boxed_slice());
    let file = ModelFile::checked(bytes).expect("the model is whole");
    let limit = args.get(1).and_then(|arg| arg.parse().ok()).unwrap_or(256);
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("standard input is text");
    let texts: Vec<&str> = input.lines().collect();
    if args.last().is_some_and(|arg| arg == "--speed") {
        for level in Level::available() {
            let bert = Bert::load(&file).expect("the model fits").at(level);
            let started = Instant::now();
            let count = bert.encode_up_to(&texts, limit).len();
            println!(
                "{level:?}: {:.1} texts a second",
                count as f64 / started.elapsed().as_secs_f64()
            );
        }
        return;
    }
    let bert = Bert::load(&file).expect("the model fits");
    for vector in bert.encode_up_to(&texts, limit) {
        let numbers: Vec<String> = vector.iter().map(|x| x.to_string()).collect();
        println!("{}", numbers.join(" "));
    }
}

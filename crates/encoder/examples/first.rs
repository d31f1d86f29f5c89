//! Loads the built-in model and encodes the words given: what a search pays for its first query.
//! Run it under `perf stat -e task-clock,page-faults`.

fn main() {
    let text = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let model = wherein_encoder::built_in().expect("the built-in model is whole");
    let tokens = model.ids(&text, usize::MAX).len();
    let vector = &model.encode_up_to(&[&text], tokens)[0];
    println!("{tokens} tokens, {} numbers", vector.len());
}

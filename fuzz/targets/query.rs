//! No question is a syntax error, and none brings the program down.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherein_engine::search::highlight::Highlighter;
use wherein_engine::search::query::Query;

fuzz_target!(|input: &str| {
    let query = Query::new(input);
    let _ = wherein_engine::search::check(&query);
    let _ = Highlighter::new(&query).matches(input);
});

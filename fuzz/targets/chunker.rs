//! Any text in any language: parsing never fails, and every line that is not blank is in one chunk.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wherein_corpus::{ChunkSize, Language, Lines, parse};
use wherein_engine::search::secrets::redact;

fuzz_target!(|input: &[u8]| {
    let Some((&choice, rest)) = input.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let all = Language::all();
    let language = &all[choice as usize % all.len()];
    let lines = Lines::of(text);
    let parsed = parse(&lines, language, ChunkSize::default());
    let mut covered = vec![0; lines.count() as usize + 1];
    for chunk in &parsed.chunks {
        (chunk.start_line..=chunk.end_line).for_each(|line| covered[line as usize] += 1);
    }
    for number in 1..=lines.count() {
        let times = covered[number as usize];
        assert!(times == 1 || (times == 0 && lines.is_blank(number)), "line {number}: {times}");
    }
    assert_eq!(redact(text).lines().count(), text.lines().count());
});

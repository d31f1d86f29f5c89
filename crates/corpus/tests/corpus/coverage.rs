//! What holds of every parse, whatever the text: each line is in one chunk, no chunk is too large,
//! and what is found stands where it says.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use wherein_corpus::{
    Chunk, ChunkSize, Language, Lines, Parsed, Reading, Reference, Symbol, parse,
};

use crate::mangle;
use crate::samples;

/// Mangled texts tried for each language.
const CASES: u32 = 150;

/// Ink beyond the limit that closing brackets may add to a chunk.
const CLOSERS: u32 = 16;

/// What does not hold, if anything.
pub type Holds = Result<(), TestCaseError>;

/// Everything that must hold of a text read as `language`.
pub fn check(text: &str, language: &'static Language, limit: u32) -> Holds {
    let lines = Lines::of(text);
    let parsed = parse(&lines, language, ChunkSize { limit });
    every_line_is_in_one_chunk(&lines, &parsed.chunks)?;
    no_chunk_is_too_large(&lines, &parsed.chunks, limit)?;
    symbols_stand_in_the_text(&lines, &parsed.symbols)?;
    uses_are_in_order(&lines, &parsed)?;
    chunks_know_their_symbols(&parsed)
}

fn is_blank(lines: &Lines, number: u32) -> bool {
    lines.line(number).bytes().all(|byte| byte <= b' ')
}

fn every_line_is_in_one_chunk(lines: &Lines, chunks: &[Chunk]) -> Holds {
    let mut next = 1;
    for chunk in chunks {
        let (start, end) = (chunk.start_line, chunk.end_line);
        prop_assert!(next <= start && start <= end && end <= lines.count(), "{start}-{end}");
        prop_assert!((next..start).all(|line| is_blank(lines, line)), "{next}-{start} is left out");
        prop_assert!(
            !is_blank(lines, start) && !is_blank(lines, end),
            "{start}-{end} has blank ends"
        );
        next = end + 1;
    }
    prop_assert!((next..=lines.count()).all(|line| is_blank(lines, line)), "{next}- is left out");
    Ok(())
}

/// Only a line that is too long on its own, and brackets that close, may go beyond the limit.
fn no_chunk_is_too_large(lines: &Lines, chunks: &[Chunk], limit: u32) -> Holds {
    for chunk in chunks {
        let (start, end) = (chunk.start_line, chunk.end_line);
        let longest = (start..=end).map(|line| lines.size(line..=line)).max().unwrap();
        let size = lines.size(start..=end);
        prop_assert!(size <= longest.max(limit) + CLOSERS, "{start}-{end} holds {size} of {limit}");
    }
    Ok(())
}

fn symbols_stand_in_the_text(lines: &Lines, symbols: &[Symbol]) -> Holds {
    prop_assert!(symbols.is_sorted_by_key(|symbol| symbol.start_line), "symbols out of order");
    for (i, symbol) in symbols.iter().enumerate() {
        let span = symbol.start_line..=symbol.end_line;
        prop_assert!(span.contains(&symbol.name_line), "{symbol:?} does not hold its name");
        prop_assert!(1 <= symbol.start_line && symbol.end_line <= lines.count(), "{symbol:?}");
        prop_assert!(!symbol.name.trim().is_empty(), "{symbol:?} has no name");
        if let Some(parent) = symbol.parent {
            prop_assert!((parent as usize) < i, "{symbol:?} comes before its parent");
            let parent = &symbols[parent as usize];
            prop_assert!(parent.end_line >= symbol.end_line, "{parent:?} ends before {symbol:?}");
        }
    }
    Ok(())
}

fn uses_are_in_order(lines: &Lines, parsed: &Parsed) -> Holds {
    prop_assert!(parsed.imports.is_sorted_by_key(|import| import.line), "imports out of order");
    let references = &parsed.references;
    let key = |it: &Reference| (it.name.clone(), it.kind, it.receiver.clone());
    let by_name = |a: &Reference, b: &Reference| key(a) < key(b);
    prop_assert!(references.is_sorted_by(by_name), "references are not by name: {references:?}");
    for reference in references {
        prop_assert!(reference.lines.is_sorted_by(|a, b| a < b), "{reference:?} is out of order");
        prop_assert!(reference.lines.iter().all(|line| (1..=lines.count()).contains(line)));
    }
    Ok(())
}

fn chunks_know_their_symbols(Parsed { chunks, symbols, .. }: &Parsed) -> Holds {
    let mut named: Vec<u32> = chunks.iter().flat_map(|chunk| chunk.symbols.clone()).collect();
    named.sort_unstable();
    prop_assert!(named.into_iter().eq(0..symbols.len() as u32), "a symbol is not in one chunk");
    for chunk in chunks {
        for &i in &chunk.symbols {
            let line = symbols[i as usize].name_line;
            prop_assert!((chunk.start_line..=chunk.end_line).contains(&line));
        }
        if let Some(scope) = chunk.scope.map(|i| &symbols[i as usize]) {
            prop_assert!(scope.start_line < chunk.start_line, "{scope:?} opens later");
            prop_assert!(chunk.start_line <= scope.end_line, "{scope:?} is over");
        }
    }
    Ok(())
}

/// The samples of a kind of language, each mangled.
fn check_all(reads: fn(Reading) -> bool) {
    for sample in samples::all().iter().filter(|sample| reads(sample.language.reading)) {
        mangle::check(CASES, &sample.text, sample.language.name, |text, limit| {
            check(text, sample.language, limit)
        });
    }
}

#[test]
fn any_code_is_covered() {
    check_all(|reading| reading == Reading::Syntax);
}

#[test]
fn any_component_is_covered() {
    check_all(|reading| reading == Reading::Component);
}

#[test]
fn any_prose_is_covered() {
    check_all(|reading| matches!(reading, Reading::Headings(_)));
}

#[test]
fn any_plain_text_is_covered() {
    for sample in samples::all() {
        mangle::check(CASES / 4, &sample.text, "other", |text, limit| {
            check(text, Language::other(), limit)
        });
    }
}

#[test]
fn the_samples_themselves_are_covered() {
    for sample in samples::all() {
        for limit in [1, 50, 300, 1200, 2000] {
            check(&sample.text, sample.language, limit).unwrap();
        }
    }
}

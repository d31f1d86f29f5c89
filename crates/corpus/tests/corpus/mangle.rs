//! Texts nobody would write, made of the samples: cut, shuffled, doubled, mixed with noise.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Runs a property over `cases` mangled forms of a text, the same ones every time.
#[track_caller]
pub fn check(
    cases: u32,
    text: &str,
    what: &str,
    holds: impl Fn(&str, u32) -> Result<(), TestCaseError>,
) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome = TestRunner::new_with_rng(config, rng)
        .run(&(mangled(text), 50u32..2000), |(text, number)| holds(&text, number));
    if let Err(error) = outcome {
        panic!("{what}: {error}");
    }
}

/// Any text that can be put together from pieces of `text` and noise.
fn mangled(text: &str) -> impl Strategy<Value = String> + use<> {
    let pieces = vec(piece(text), 0..12).prop_map(|pieces| pieces.concat());
    (pieces, select(vec!["\n", "\r\n", "\r", "\n\n", "\n\t"]), any::<Index>()).prop_map(
        |(text, line_end, chance)| {
            if chance.index(3) > 0 { text } else { text.replace('\n', line_end) }
        },
    )
}

fn piece(text: &str) -> impl Strategy<Value = String> + use<> {
    let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let run = (any::<Index>(), 1..40usize).prop_map({
        let lines = lines.clone();
        move |(from, count)| {
            let from = from.index(lines.len());
            lines[from..(from + count).min(lines.len())].concat()
        }
    });
    let cut =
        (select(lines.clone()), any::<Index>(), any::<bool>()).prop_map(|(line, at, head)| {
            let at = line.floor_char_boundary(at.index(line.len() + 1));
            if head { line[..at].to_owned() } else { line[at..].to_owned() }
        });
    let repeated = (select(lines), 1..60usize).prop_map(|(line, times)| line.repeat(times));
    prop_oneof![6 => run, 3 => cut, 1 => repeated, 1 => marks(), 1 => noise()]
}

/// Brackets and quotes that nothing closes.
fn marks() -> impl Strategy<Value = String> {
    let mark = select(vec![
        "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "`", "\"\"\"", "/*", "*/", "//", "--",
        "#", "{-", "(*", "<!--", "```", "=begin", "<<EOF", "\\", "@", ":", ";", "\n", "\t", " ",
    ]);
    vec(mark, 0..40).prop_map(|marks| marks.concat())
}

fn noise() -> impl Strategy<Value = String> {
    let chars = any::<char>().prop_filter("a text holds no NUL", |&c| c != '\0');
    vec(prop_oneof![chars, select(vec!['\n', ' ', 'é', '漢', '😀'])], 0..60)
        .prop_map(|chars| chars.into_iter().collect())
}

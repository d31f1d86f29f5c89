//! From a text to its syntax tree, within bounds of time and stack.
//!
//! The grammars and their runtime are C code made for text that people write. Here is what it takes
//! to run them over any text: none may crash the process or hold it for minutes. What goes beyond
//! the bounds has no tree.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tree_sitter::{ParseOptions, ParseState, Parser, Range, Tree};

use crate::language::Language;

thread_local! {
    /// Parsers keep their buffers; one a language and thread saves allocating them per file.
    static PARSERS: RefCell<HashMap<&'static str, Parser>> = RefCell::default();

    /// Whether this thread's own stack is as deep as any text may need.
    static DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on threads whose stacks are deep enough for any text, however it nests. Elsewhere
/// every larger text is parsed on a thread of its own, which costs a tenth of indexing.
pub fn on_deep_stacks<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    static POOL: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
        let threads = ThreadPoolBuilder::new().stack_size(MOST_STACK);
        threads.start_handler(|_| DEEP.set(true)).build().ok()
    });
    match &*POOL {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// The tree of `text`, and the text it is the tree of: byte for byte as long, and the same but for
/// languages whose scanner must not see all of it.
pub fn syntax<'t>(text: &'t str, language: &'static Language) -> Option<(Tree, Cow<'t, str>)> {
    let seen = match safe_bytes(text, language) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).ok()?),
    };
    Some((of(text, language, &[])?, seen))
}

/// The tree of `text`, or of the given ranges of it, as `language`.
pub fn of(text: &str, language: &'static Language, ranges: &[Range]) -> Option<Tree> {
    let grammar = language.grammar().filter(|_| !overtaxes_scanner(text, language))?;
    let bytes = safe_bytes(text, language);
    PARSERS.with_borrow_mut(|parsers| {
        let parser = parsers.entry(language.name).or_default();
        parser.set_language(&grammar).ok()?;
        parser.set_included_ranges(ranges).ok()?;
        let tree = parse_on_enough_stack(parser, &bytes, size_of(ranges, &bytes));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
}

/// Languages whose scanner looks characters up in a table of 256 and crashes on some beyond it:
/// in Bash, on one after a brace.
const NARROW_SCANNERS: [&str; 1] = ["bash"];

/// The bytes a parser may see. Where those outside ASCII must not be seen a letter stands in for
/// each, in its place, so that nodes stand where they would; names are cut out of the text itself.
fn safe_bytes<'t>(text: &'t str, language: &Language) -> Cow<'t, [u8]> {
    if text.is_ascii() || !NARROW_SCANNERS.contains(&language.name) {
        return Cow::Borrowed(text.as_bytes());
    }
    text.bytes().map(|byte| if byte.is_ascii() { byte } else { b'x' }).collect()
}

/// Whether a text could nest deeper than its language's scanner can take. Scanners save their
/// stack in a kilobyte, and some write beyond it, which aborts the process; that of HTML copies
/// its open tags at every token. Each bound is below what fits and above what people write.
fn overtaxes_scanner(text: &str, language: &Language) -> bool {
    match language.name {
        "html" => text.matches('<').count() > 2 * text.matches("</").count() + 20_000,
        "python" => overtaxes_python(text),
        "ruby" => overtaxes_ruby(text),
        "yaml" => text.lines().flat_map(block_columns).collect::<HashSet<_>>().len() > 120,
        _ => false,
    }
}

/// Python's scanner saves the indentations around a line, each deeper than the last.
fn overtaxes_python(text: &str) -> bool {
    const ROOM: usize = 400;
    // A tab is eight columns, so no fewer bytes go deeper than there is room.
    let is_deep =
        |line: &[u8]| line.iter().take_while(|byte| !byte.is_ascii_graphic()).count() > ROOM / 8;
    text.as_bytes().split(|&byte| byte == b'\n').any(is_deep)
        && text.lines().map(indentation).collect::<HashSet<_>>().len() > ROOM
}

/// Ruby's scanner saves the words of all heredocs that are open, the length of each in a byte: those
/// begun on one line, and those around an interpolation in which others begin. Where an interpolation goes
/// on over several lines any heredoc of the text may stand in it.
fn overtaxes_ruby(text: &str) -> bool {
    const ROOM: usize = 400;
    const LONGEST: usize = 200;
    let opens = |line: &str| line.matches("#{").count();
    let goes_on = text.lines().any(|line| opens(line) > line.matches('}').count());
    let (mut start, mut inside) = (0, 0);
    text.split_inclusive('\n').any(|line| {
        let words = heredocs(line, &text[start..]);
        let here: usize = words.iter().map(|length| length + 3).sum();
        start += line.len();
        inside += if goes_on || opens(line) > 0 { here } else { 0 };
        here > ROOM || inside > ROOM || words.iter().any(|&length| length > LONGEST)
    })
}

/// How long the words of the heredocs begun on a line are. `text` begins with the line: a word in quotes
/// goes on over lines until it is closed.
fn heredocs(line: &str, text: &str) -> Vec<usize> {
    let word = |rest: &str| {
        let rest = rest.trim_start_matches(['-', '~']);
        match rest.chars().next() {
            Some(quote @ ('"' | '\'' | '`')) => rest[1..].find(quote).unwrap_or(rest.len()),
            _ => rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()),
        }
    };
    let words = line.match_indices("<<").map(|(at, _)| word(&text[at + 2..]));
    words.filter(|&length| length > 0).collect()
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Where on a line a block of YAML may begin: at its first word, and after each `- ` or `? `.
fn block_columns(line: &str) -> impl Iterator<Item = usize> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let words = rest?.trim_start();
        let after = words.strip_prefix(['-', '?', ':']);
        rest = after.filter(|after| after.starts_with([' ', '\t']));
        Some(line.len() - words.len())
    })
}

/// Texts up to this size are parsed on the caller's stack.
const SHALLOW: usize = 8 << 10;

/// The runtime frees what it parsed by recursion, one frame of about a hundred bytes a level, and
/// every byte of the text may open a level.
const STACK_PER_BYTE: usize = 256;
const MOST_STACK: usize = 256 << 20;

/// How much is parsed: the ranges, or everything.
fn size_of(ranges: &[Range], bytes: &[u8]) -> usize {
    match ranges {
        [] => bytes.len(),
        ranges => ranges.iter().map(|range| range.end_byte - range.start_byte).sum(),
    }
}

fn parse_on_enough_stack(parser: &mut Parser, bytes: &[u8], size: usize) -> Option<Tree> {
    if size > SHALLOW
        && !DEEP.get()
        && let Some(tree) = parse_on_own_thread(parser, bytes, size)
    {
        return tree;
    }
    parse_within_reason(parser, bytes)
}

/// A thread costs some twenty microseconds, a text worth one takes milliseconds to parse. `None`
/// where no thread is to be had.
fn parse_on_own_thread(parser: &mut Parser, bytes: &[u8], size: usize) -> Option<Option<Tree>> {
    let stack = (size * STACK_PER_BYTE).min(MOST_STACK);
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("parser".into()).stack_size(stack);
        let parse = || parse_within_reason(parser, bytes);
        let thread = thread.spawn_scoped(scope, parse).ok()?;
        Some(thread.join().ok().flatten())
    })
}

/// How much work a grammar may make of a text before it is given up on. Code takes a step or two a
/// byte, broken code under three, and each byte is read about once. Beyond are grammars that find
/// no end (Kotlin's, over some broken files) and scanners that look for a bracket's partner up to
/// the end of the file from every bracket.
const STEPS_PER_BYTE: usize = 8;
const READS_PER_BYTE: usize = 64;

/// Parser steps between two calls of the progress callback.
const STEPS_PER_CALL: usize = 100;

/// Bytes handed to the lexer at once. What it reads over and over inside them is not counted.
const PIECE: usize = 1024;

fn parse_within_reason(parser: &mut Parser, bytes: &[u8]) -> Option<Tree> {
    let most_calls = 500 + bytes.len() * STEPS_PER_BYTE / STEPS_PER_CALL;
    let most_read = 1_000_000 + bytes.len() * READS_PER_BYTE;
    let (mut calls, read) = (0, Cell::new(0));
    let mut watch = |_: &ParseState| {
        calls += 1;
        let go_on = calls <= most_calls && read.get() <= most_read;
        if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut feed = |at: usize, _| {
        let rest = bytes.get(at..).unwrap_or_default();
        let piece = &rest[..rest.len().min(PIECE)];
        read.set(read.get() + piece.len());
        // In the middle of a token a scanner stops at nothing but the end of the text.
        if read.get() <= most_read { piece } else { &[] }
    };
    let options = ParseOptions::new().progress_callback(&mut watch);
    let tree = parser.parse_with_options(&mut feed, None, Some(options));
    tree.filter(|_| read.get() <= most_read)
}

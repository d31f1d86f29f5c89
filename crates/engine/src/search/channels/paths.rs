//! The channel of paths: files that a question names.

use std::collections::{BTreeMap, HashSet};

use wherein_corpus::{Symbol, SymbolKind};

use crate::error::Result;
use crate::search::channels::{Channel, Firsts, Lists, Spot};
use crate::search::filter::Allowed;
use crate::search::intent::names::folded;
use crate::search::intent::places::Place;
use crate::search::intent::{Intent, Shape};
use crate::search::recall::Recall;
use crate::search::weights;

/// A piece of a path that more files have says nothing about where to look.
const MOST_FILES: usize = 50;

/// Most files that share a name which a word of the question may stand for.
const MOST_NAMESAKES: usize = 3;

/// Chunks of a file that count as its beginning.
const MOST_CHUNKS: u32 = 40;

/// Enters the chunks of files that a question names by path, frame or name.
pub fn paths(
    index: &dyn Recall,
    intent: &Intent,
    allowed: &Allowed,
    lists: &mut Lists,
) -> Result<()> {
    let mut scores: BTreeMap<Spot, f32> = BTreeMap::new();
    let mut raise = |spot: Spot, score: f32| {
        let best = scores.entry(spot).or_default();
        *best = best.max(score);
    };
    let mut order = 0;
    for place in &intent.places {
        let (files, fit) = files_at(index, allowed, place);
        let is_frame = intent.shape != Shape::Trace || place.line.is_some();
        // The frames of other people's libraries do not count, nor do the files that a message speaks of.
        let weight = if is_frame { fit / (1.0 + order as f32) } else { weights::SPOKEN_OF };
        order += usize::from(is_frame && !files.is_empty());
        for file in files {
            for (chunk, score) in chunks(index, file, place, intent.shape)? {
                raise((file, chunk), weight * score);
            }
        }
    }
    if matches!(intent.shape, Shape::Words | Shape::Name) {
        for file in namesakes(index, allowed, intent) {
            for chunk in definitions(index, file)? {
                raise((file, chunk), weights::NAMESAKE);
            }
        }
    }
    lists.enter_all(Channel::Paths, scores);
    Ok(())
}

/// Whether the file of any frame of a trace is there.
pub fn frames_are_here(index: &dyn Recall, allowed: &Allowed, trace: &Intent) -> bool {
    let mut frames = trace.places.iter().filter(|place| place.line.is_some());
    frames.any(|place| !files_at(index, allowed, place).0.is_empty())
}

/// Whether a chunk with this score in the channel holds the line of a trace's innermost call that is in the tree.
pub fn is_innermost(score: f32) -> bool {
    score >= 1.0
}

/// The files that fit a path best, by how many of its last parts they share, and how well they do.
fn files_at(index: &dyn Recall, allowed: &Allowed, place: &Place) -> (Vec<usize>, f32) {
    let wanted = parts(place);
    let mut best: (usize, Vec<usize>) = (1, Vec::new());
    for (position, file) in index.manifest().files.iter().enumerate() {
        if allowed.as_ref().is_some_and(|allowed| !allowed[position]) {
            continue;
        }
        let shared = match place.line {
            Some(_) => shared_end(&wanted, &file.path),
            None => fragment(&wanted, &file.path),
        };
        if shared > best.0 {
            best = (shared, Vec::new());
        }
        if shared == best.0 {
            best.1.push(position);
        }
    }
    let (shared, files) = best;
    let is_sure = place.line.is_none() || shared > 1 || wanted.len() == 1;
    let fit = if is_sure { 1.0 } else { weights::AT_TOP };
    if files.len() > MOST_FILES { (Vec::new(), fit) } else { (files, fit) }
}

/// How many last parts two paths share; none if the frame says more than the name and only the
/// name is shared, unless the file stands at the top.
fn shared_end(wanted: &[&str], path: &str) -> usize {
    let shared = wanted.iter().rev().zip(path.rsplit('/')).take_while(|(a, b)| *a == b).count();
    let is_enough = shared >= 2 || wanted.len() == 1 || !path.contains('/');
    if is_enough { shared } else { 0 }
}

/// How many parts a piece of a path has, if it stands in a path from the start of a part.
fn fragment(wanted: &[&str], path: &str) -> usize {
    let piece = format!("/{}", wanted.join("/").to_ascii_lowercase());
    let path = format!("/{}", path.to_ascii_lowercase());
    if path.contains(&piece) { wanted.len() } else { 0 }
}

/// The chunk of a file that holds the line; without a line its first ones, those nearer the top before.
fn chunks(index: &dyn Recall, file: usize, place: &Place, shape: Shape) -> Result<Vec<(u32, f32)>> {
    let parsed = index.parsed(&index.manifest().files[file])?;
    let moved = place.line.filter(|_| shape == Shape::Trace);
    let moved = moved.and_then(|line| called_at(&parsed.symbols, line, &place.frame));
    let line = moved.or(place.line);
    let score = |(number, chunk): (u32, &wherein_corpus::Chunk)| match line {
        Some(line) => (chunk.start_line..=chunk.end_line).contains(&line).then_some((number, 1.0)),
        None => (number < MOST_CHUNKS).then_some((number, 1.0 - 0.01 * number as f32)),
    };
    Ok((0..).zip(&parsed.chunks).filter_map(score).collect())
}

/// The line of the function that a frame names, if its own line is in no such function: the file is of another version.
fn called_at(symbols: &[Symbol], line: u32, frame: &str) -> Option<u32> {
    const AROUND: [&str; 5] = ["File", "line", "in", "at", "from"];
    let words = frame.split(|c: char| !c.is_alphanumeric() && c != '_');
    let names: HashSet<&str> = words.filter(|word| !AROUND.contains(word)).collect();
    let is_called = |symbol: &&Symbol| {
        matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
            && names.contains(symbol.name.as_str())
    };
    let distance = |symbol: &&Symbol| match (symbol.start_line..=symbol.end_line).contains(&line) {
        true => 0,
        false => symbol.name_line.abs_diff(line).max(1),
    };
    let nearest = symbols.iter().filter(is_called).min_by_key(distance)?;
    (distance(&nearest) > 0).then_some(nearest.name_line)
}

/// Whether a file may be the one that a question names.
pub fn may_be(place: &Place, path: &str) -> bool {
    shared_end(&parts(place), path) > 0
}

fn parts(place: &Place) -> Vec<&str> {
    place.path.split('/').filter(|part| !part.is_empty()).collect()
}

/// Files whose name without its ending is a word, or several words, of the question.
fn namesakes(index: &dyn Recall, allowed: &Allowed, intent: &Intent) -> Vec<usize> {
    let words: Vec<String> = intent
        .text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(folded)
        .collect();
    let asked: HashSet<String> = (1..=3)
        .flat_map(|run| words.windows(run).map(|words| words.concat()))
        .filter(|name| name.len() >= 4)
        .collect();
    let firsts = Firsts::of(asked.iter().map(String::as_str));
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (position, file) in index.manifest().files.iter().enumerate() {
        if allowed.as_ref().is_some_and(|allowed| !allowed[position]) {
            continue;
        }
        let Some(stem) = stem_among(&file.path, &firsts) else { continue };
        if asked.contains(&stem) {
            by_name.entry(stem).or_default().push(position);
        }
    }
    by_name.into_values().filter(|files| files.len() <= MOST_NAMESAKES).flatten().collect()
}

/// The name of a file without its ending, case, hyphens and underscores, unless it begins as none
/// that is asked for does: to write down each of thousands took a tenth of a question's time.
fn stem_among(path: &str, firsts: &Firsts) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).trim_start_matches(['-', '_']);
    let first = stem.bytes().next()?.to_ascii_lowercase();
    (!first.is_ascii() || firsts.has(first)).then(|| folded(&stem.replace('-', "")))
}

/// The chunks of a file that define something.
fn definitions(index: &dyn Recall, file: usize) -> Result<Vec<u32>> {
    let parsed = index.parsed(&index.manifest().files[file])?;
    let chunks = (0..MOST_CHUNKS).zip(&parsed.chunks);
    Ok(chunks.filter(|(_, chunk)| !chunk.symbols.is_empty()).map(|(number, _)| number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_fit_by_their_last_parts() {
        for (wanted, path, expected) in [
            ("srv/app/pay/csv.py", "app/pay/csv.py", 3),
            ("srv/app/pay/csv.py", "tests/csv.py", 0),
            ("srv/app/setup.py", "setup.py", 1),
            ("Van.java", "src/main/Van.java", 1),
            ("Van.java", "src/main/Caravan.java", 0),
        ] {
            let wanted: Vec<&str> = wanted.split('/').collect();
            assert_eq!(shared_end(&wanted, path), expected, "{wanted:?} {path}");
        }
    }

    #[test]
    fn a_frame_of_another_version_means_the_function_it_names() {
        let symbol = |name: &str, lines: (u32, u32)| Symbol {
            name: name.to_owned(),
            scope: String::new(),
            kind: SymbolKind::Function,
            parent: None,
            start_line: lines.0,
            end_line: lines.1,
            name_line: lines.0,
            signature: String::new(),
            doc: String::new(),
        };
        let symbols = [
            symbol("pay", (1, 9)),
            symbol("total", (11, 20)),
            symbol("pay", (30, 40)),
            symbol("at", (42, 44)),
        ];
        for (line, frame, expected) in [
            (15, "File \"a.py\", line 15, in total", None),
            (15, "File \"a.py\", line 15, in pay", Some(1)),
            (28, "File \"a.py\", line 28, in pay", Some(30)),
            (28, "File \"a.py\", line 28, in <module>", None),
            (50, "at a.ts:50:9", None),
        ] {
            assert_eq!(called_at(&symbols, line, frame), expected, "{line} {frame}");
        }
    }

    #[test]
    fn pieces_of_paths_begin_where_a_part_begins() {
        for (wanted, path, expected) in [
            ("store/memory", "src/store/memory.rs", 2),
            ("notify/webhook", "a/notify/WebhookChannel.java", 2),
            ("ore/memory", "src/store/memory.rs", 0),
        ] {
            let wanted: Vec<&str> = wanted.split('/').collect();
            assert_eq!(fragment(&wanted, path), expected, "{wanted:?} {path}");
        }
    }
}

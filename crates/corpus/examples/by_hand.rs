//! Reads every Python file under some folders by hand and by the grammar: `by_hand FOLDER…`.
//!
//! Says how many files each read, what that took, and which trees differ. None may.

use std::path::{Path, PathBuf};
use std::process::exit;
use std::time::{Duration, Instant};

use wherein_corpus::{Language, Syntax, on_deep_stacks, read_python, syntax};

#[derive(Default)]
struct Tally {
    bytes: usize,
    by_hand: usize,
    left: usize,
    differ: usize,
    hand_took: Duration,
    grammar_took: Duration,
}

fn main() {
    let mut files = Vec::new();
    std::env::args().skip(1).for_each(|folder| gather(Path::new(&folder), &mut files));
    if files.is_empty() {
        eprintln!("usage: by_hand FOLDER… (no Python file found)");
        exit(2);
    }
    let mut tally = Tally::default();
    on_deep_stacks(|| files.iter().for_each(|path| compare(path, &mut tally)));
    println!(
        "{} bytes: {} files by hand in {:.2?}, {} left to the grammar, all by the grammar in {:.2?}, {} differ",
        tally.bytes, tally.by_hand, tally.hand_took, tally.left, tally.grammar_took, tally.differ
    );
    exit(i32::from(tally.differ > 0));
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_symlink() {
        return;
    }
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        gather(&entry.path(), files);
    }
    if path.extension().is_some_and(|extension| extension == "py" || extension == "pyi") {
        files.push(path.to_owned());
    }
}

fn compare(path: &Path, tally: &mut Tally) {
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let python = Language::named("python").expect("Python is in the table");
    let start = Instant::now();
    let ours = read_python(&text);
    tally.hand_took += start.elapsed();
    let start = Instant::now();
    let theirs = syntax(&text, python).map(|(tree, _)| Syntax::of(&tree));
    tally.grammar_took += start.elapsed();
    tally.bytes += text.len();
    tally.by_hand += usize::from(ours.is_some());
    tally.left += usize::from(ours.is_none());
    match ours {
        None => println!("left to the grammar: {}", path.display()),
        Some(_) if ours == theirs => {}
        Some(_) => {
            tally.differ += 1;
            println!("differs: {}", path.display());
        }
    }
}

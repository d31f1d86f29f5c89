//! The samples: one short text for each language, beside what a parse of it must find.

use std::fs;
use std::path::PathBuf;

use wherein_corpus::Language;

/// A folder under `tests/samples`, named after its language.
pub struct Sample {
    pub language: &'static Language,
    pub text: String,
    /// The file that says what a parse finds.
    pub expected: PathBuf,
}

/// Every sample, by the name of its language.
pub fn all() -> Vec<Sample> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.into_iter().filter_map(sample).collect()
}

/// `None` for a folder that git left empty behind it.
fn sample(folder: PathBuf) -> Option<Sample> {
    let name = folder.file_name().unwrap().to_str().unwrap();
    let language = Language::named(name).unwrap_or_else(|| panic!("{name} is no language"));
    let source = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.file_stem().is_some_and(|stem| stem == "sample"))?;
    let text = fs::read_to_string(source).unwrap();
    Some(Sample { language, text, expected: folder.join("expected.txt") })
}

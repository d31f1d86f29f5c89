//! From a benchmark's files to typed rows, each with the line it stands on.
//!
//! Nothing is guessed: a row that is not in the published format stops the evaluation with the
//! file, the line and what was expected.

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::error::{Error, Result};
use crate::question::Origin;

/// A row and where it stands.
#[derive(Debug)]
pub struct Row<T> {
    /// Where.
    pub origin: Origin,
    /// What it says.
    pub value: T,
}

impl<T> Row<T> {
    /// The error for a row that says something else than it should.
    pub fn wrong(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::Row {
            file: self.origin.file.clone(),
            line: self.origin.line,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

/// Reads a file of one JSON object a line; blank lines are passed over, `.gz` is unpacked.
pub fn json_lines<T: DeserializeOwned>(file: &Path, expected: &'static str) -> Result<Vec<Row<T>>> {
    let text = text(file)?;
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        rows.push(row(file, number + 1, line, expected)?);
    }
    some(rows, file, expected)
}

/// Reads a file that holds one JSON array.
pub fn json_array<T: DeserializeOwned>(file: &Path, expected: &'static str) -> Result<Vec<Row<T>>> {
    let text = text(file)?;
    let entries: Vec<&RawValue> = serde_json::from_str(&text).map_err(|error| Error::Row {
        file: file.to_owned(),
        line: error.line(),
        expected: format!("a JSON array of {expected}"),
        found: error.to_string(),
    })?;
    let line_of = |entry: &str| {
        let offset = entry.as_ptr() as usize - text.as_ptr() as usize;
        text[..offset].matches('\n').count() + 1
    };
    let read = |entry: &&RawValue| row(file, line_of(entry.get()), entry.get(), expected);
    some(entries.iter().map(read).collect::<Result<_>>()?, file, expected)
}

/// A file's text.
pub fn text(file: &Path) -> Result<String> {
    let opened = fs::File::open(file).map_err(Error::read(file))?;
    let mut text = String::new();
    let packed = file.extension().is_some_and(|extension| extension == "gz");
    let read = if packed {
        MultiGzDecoder::new(opened).read_to_string(&mut text)
    } else {
        (&opened).read_to_string(&mut text)
    };
    read.map(|_| text).map_err(Error::read(file))
}

/// The files of a folder whose names end in `.EXTENSION`, by name.
pub fn files_in(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(Error::read(folder))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    Ok(files)
}

/// Stops at the first row whose id an earlier one has.
pub fn unique<'r, T: 'r>(
    rows: impl IntoIterator<Item = &'r Row<T>>,
    id: impl Fn(&T) -> &str,
) -> Result<()> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for row in rows {
        let id = id(&row.value);
        if let Some(first) = seen.insert(id, row.origin.line) {
            let Origin { file, line } = row.origin.clone();
            return Err(Error::Duplicate { file, line, id: id.to_owned(), first });
        }
    }
    Ok(())
}

fn row<T: DeserializeOwned>(
    file: &Path,
    line: usize,
    text: &str,
    expected: &str,
) -> Result<Row<T>> {
    let origin = Origin { file: file.to_owned(), line };
    match serde_json::from_str(text) {
        Ok(value) => Ok(Row { origin, value }),
        Err(error) => Err(Row { origin, value: () }.wrong(expected.to_owned(), error.to_string())),
    }
}

fn some<T>(rows: Vec<T>, file: &Path, expected: &'static str) -> Result<Vec<T>> {
    if rows.is_empty() { Err(Error::Empty { path: file.to_owned(), expected }) } else { Ok(rows) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use serde::Deserialize;
    use tempfile::TempDir;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Named {
        id: String,
    }

    const EXPECTED: &str = "row {\"id\"}";

    fn written(name: &str, content: &[u8]) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, content).unwrap();
        (folder, file)
    }

    fn ids(rows: &[Row<Named>]) -> Vec<(usize, &str)> {
        rows.iter().map(|row| (row.origin.line, row.value.id.as_str())).collect()
    }

    #[track_caller]
    fn check_error(result: Result<Vec<Row<Named>>>, expected: &str) {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn lines_and_array_entries_know_where_they_stand() {
        let (_folder, file) = written("a.jsonl", b"{\"id\":\"x\"}\n\n{\"id\":\"y\",\"more\":1}\n");
        assert_eq!(ids(&json_lines(&file, EXPECTED).unwrap()), [(1, "x"), (3, "y")]);
        let (_folder, file) = written("a.json", b"[\n {\"id\":\"x\"},\n\n {\"id\":\"y\"}]");
        assert_eq!(ids(&json_array(&file, EXPECTED).unwrap()), [(2, "x"), (4, "y")]);
    }

    #[test]
    fn packed_files_are_unpacked() {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(b"{\"id\":\"x\"}\n").unwrap();
        let (_folder, file) = written("a.jsonl.gz", &packer.finish().unwrap());
        assert_eq!(ids(&json_lines(&file, EXPECTED).unwrap()), [(1, "x")]);
    }

    #[test]
    fn what_is_wrong_is_named_with_file_and_line() {
        let (_folder, file) = written("a.jsonl", b"{\"id\":\"x\"}\n{\"name\":\"y\"}\n");
        check_error(json_lines(&file, EXPECTED), "a.jsonl:2: expected row {\"id\"}; found missing");
        let (_folder, file) = written("a.json", b"[\n{\"id\":\"x\"},\n{\"id\":7}]");
        check_error(json_array(&file, EXPECTED), "a.json:3: expected row {\"id\"}; found invalid");
        let (_folder, file) = written("a.json", b"[\n{\"id\":\"x\"},\n");
        check_error(json_array(&file, EXPECTED), "a.json:3: expected a JSON array of row");
        let (_folder, file) = written("a.jsonl", b"\n\n");
        check_error(json_lines(&file, EXPECTED), "expected at least one row {\"id\"}; found none");
        check_error(json_lines(Path::new("/nowhere/a.jsonl"), EXPECTED), "cannot read /nowhere");
    }

    #[test]
    fn an_id_may_be_used_once() {
        let (_folder, file) =
            written("a.jsonl", b"{\"id\":\"x\"}\n{\"id\":\"y\"}\n{\"id\":\"x\"}\n");
        let rows: Vec<Row<Named>> = json_lines(&file, EXPECTED).unwrap();
        let error = unique(&rows, |row| &row.id).unwrap_err().to_string();
        assert!(error.contains("a.jsonl:3: expected an id of its own; 'x' is already on line 1"));
    }
}

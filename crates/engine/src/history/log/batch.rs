//! Commits at rest: a file of columns, written once and mapped.

use std::collections::HashMap;
use std::path::Path;

use gix::ObjectId;

use crate::error::Result;
use crate::graph::columns::{self, Columns, Writer};
use crate::history::log::record::Record;
use crate::index::manifest::Seal;

/// What is kept of a commit, beside its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its id.
    pub id: ObjectId,
    /// When it was committed.
    pub time: i64,
    /// Name and address.
    pub author: String,
    /// Paths it changed.
    pub paths: Vec<String>,
}

impl From<&Record> for Kept {
    fn from(record: &Record) -> Kept {
        Kept {
            id: record.id,
            time: record.time,
            author: record.author.clone(),
            paths: record.paths.clone(),
        }
    }
}

/// The sections of a file, in their order.
#[derive(Clone, Copy)]
enum Section {
    Ids,
    /// Numbers of commits in the order of their ids.
    ById,
    TimesLow,
    TimesHigh,
    /// For each commit, which of the texts its author is.
    Authors,
    /// For each commit, where its paths begin.
    PathStarts,
    /// Which of the texts they are.
    Paths,
    TextStarts,
    Texts,
}

const SECTIONS: usize = 9;

/// A file of commits, mapped.
pub struct Batch {
    columns: Columns,
    hash_bytes: usize,
}

/// Writes commits in their order.
pub fn write(folder: &Path, commits: &[Kept]) -> Result<Seal> {
    let mut texts = Texts::default();
    let (mut authors, mut starts, mut paths) = (Vec::new(), vec![0], Vec::new());
    for commit in commits {
        authors.push(texts.number(&commit.author));
        paths.extend(commit.paths.iter().map(|path| texts.number(path)));
        starts.push(paths.len() as u32);
    }
    let mut by_id: Vec<u32> = (0..commits.len() as u32).collect();
    by_id.sort_unstable_by_key(|&number| commits[number as usize].id);
    let mut writer = Writer::default();
    writer.bytes(commits.iter().flat_map(|commit| commit.id.as_slice().to_vec()).collect());
    writer.numbers(by_id);
    writer.numbers(commits.iter().map(|commit| commit.time as u32));
    writer.numbers(commits.iter().map(|commit| (commit.time >> 32) as u32));
    writer.numbers(authors);
    writer.numbers(starts);
    writer.numbers(paths);
    writer.numbers(texts.starts);
    writer.bytes(texts.bytes);
    columns::write(folder, "commits", &writer.finish())
}

/// Distinct texts, end to end.
struct Texts {
    numbers: HashMap<String, u32>,
    starts: Vec<u32>,
    bytes: Vec<u8>,
}

impl Default for Texts {
    fn default() -> Texts {
        Texts { numbers: HashMap::new(), starts: vec![0], bytes: Vec::new() }
    }
}

impl Texts {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(text.to_owned(), number);
        self.bytes.extend_from_slice(text.as_bytes());
        self.starts.push(self.bytes.len() as u32);
        number
    }
}

impl Batch {
    /// Opens a file that a manifest names.
    pub fn open(folder: &Path, seal: &Seal, hash_bytes: usize) -> Result<Batch> {
        Ok(Batch { columns: Columns::open(folder, seal, SECTIONS)?, hash_bytes })
    }

    /// How many commits it holds.
    pub fn count(&self) -> u32 {
        (self.columns.section(Section::Ids as usize).len() / self.hash_bytes) as u32
    }

    /// A commit's id.
    pub fn id(&self, at: usize) -> Option<ObjectId> {
        let bytes = self.columns.section(Section::Ids as usize);
        let bytes = bytes.get(at * self.hash_bytes..(at + 1) * self.hash_bytes)?;
        ObjectId::try_from(bytes).ok()
    }

    /// The place of a commit.
    pub fn find(&self, id: &gix::oid) -> Option<u32> {
        let (mut low, mut high) = (0, self.count() as usize);
        while low < high {
            let middle = low.midpoint(high);
            let number = self.columns.number(Section::ById as usize, middle);
            match self.id(number as usize)?.as_slice().cmp(id.as_bytes()) {
                std::cmp::Ordering::Equal => return Some(number),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// When a commit was made.
    pub fn time(&self, at: usize) -> i64 {
        let low = self.columns.number(Section::TimesLow as usize, at);
        let high = self.columns.number(Section::TimesHigh as usize, at);
        (i64::from(high) << 32) | i64::from(low)
    }

    /// Which of the texts its author is.
    pub fn author(&self, at: usize) -> u32 {
        self.columns.number(Section::Authors as usize, at)
    }

    /// Which of the texts its paths are.
    pub fn paths(&self, at: usize) -> impl Iterator<Item = u32> + '_ {
        let most = self.columns.count(Section::Paths as usize);
        let range = self.columns.range(Section::PathStarts as usize, at, most);
        range.map(|at| self.columns.number(Section::Paths as usize, at))
    }

    /// How many texts there are: authors and paths.
    pub fn texts(&self) -> u32 {
        self.columns.count(Section::TextStarts as usize).saturating_sub(1) as u32
    }

    /// One of them.
    pub fn text(&self, number: u32) -> &str {
        let bytes = self.columns.section(Section::Texts as usize);
        let range = self.columns.range(Section::TextStarts as usize, number as usize, bytes.len());
        std::str::from_utf8(&bytes[range]).unwrap_or_default()
    }

    /// All that is kept of a commit.
    pub fn kept(&self, at: usize) -> Option<Kept> {
        Some(Kept {
            id: self.id(at)?,
            time: self.time(at),
            author: self.text(self.author(at)).to_owned(),
            paths: self.paths(at).map(|path| self.text(path).to_owned()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(n: u8, time: i64, paths: &[&str]) -> Kept {
        Kept {
            id: ObjectId::from([n; 20]),
            time,
            author: format!("A <{}>", n % 2),
            paths: paths.iter().map(|path| path.to_string()).collect(),
        }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let folder = tempfile::tempdir().unwrap();
        let commits = [commit(9, -5, &["a", "b"]), commit(4, 1 << 40, &[]), commit(7, 0, &["a"])];
        let seal = write(folder.path(), &commits).unwrap();
        let batch = Batch::open(folder.path(), &seal, 20).unwrap();
        let found: Vec<Kept> = (0..3).filter_map(|at| batch.kept(at)).collect();
        assert_eq!(found, commits);
        assert_eq!(batch.find(&commits[1].id), Some(1));
        assert_eq!(batch.find(&ObjectId::from([5; 20])), None);
        assert_eq!(batch.texts(), 4, "two authors, two paths");
    }
}

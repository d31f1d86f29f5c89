//! What a tool found, before it is known how much of it fits.

use serde_json::{Map, Value};

/// What there is to say, best first.
#[derive(Debug, Default)]
pub struct Found {
    /// What matters before anything else: that nothing was found, and why.
    pub notes: Vec<String>,
    pub items: Vec<Item>,
    /// What is said once at the end: where the answer stops seeing.
    pub last: Vec<String>,
}

/// One thing found.
#[derive(Clone, Debug)]
pub struct Item {
    /// One line that names it.
    pub head: String,
    /// The file as answers name it; none for what is no span.
    pub path: Option<String>,
    /// Lines of the file with their numbers.
    pub lines: Vec<(u32, String)>,
    /// The lines that matter most, best first.
    pub best: Vec<u32>,
    pub manner: Manner,
    /// The same for programs, without the lines.
    pub facts: Map<String, Value>,
}

/// How an item is shown where there is little room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// By some of its lines, or by its head alone; once shown, it is only referred to.
    Short,
    /// Whole, or on the next page.
    Whole,
    /// One line of a file, whole or on the next page; its head is the path. Lines that follow each
    /// other share a head.
    Line,
}

impl Item {
    /// A line of its own.
    pub fn line(head: impl Into<String>) -> Item {
        Item {
            head: head.into(),
            path: None,
            lines: Vec::new(),
            best: Vec::new(),
            manner: Manner::Whole,
            facts: Map::new(),
        }
    }

    /// Whether it is the line after another.
    pub fn continues(&self, before: &Item) -> bool {
        let number = |item: &Item| item.lines.first().map(|(n, _)| *n);
        self.manner == Manner::Line
            && self.path == before.path
            && number(before).is_some_and(|before| number(self) == Some(before + 1))
    }

    /// The same with what programs want to know.
    pub fn with_facts(self, facts: Value) -> Item {
        let facts = match facts {
            Value::Object(facts) => facts,
            _ => Map::new(),
        };
        Item { facts, ..self }
    }
}

/// Longest line of a file that is shown whole; others are data.
const LONGEST: usize = 500;

/// Numbered lines of a text.
pub fn numbered(text: &str, first: u32) -> Vec<(u32, String)> {
    (first..).zip(text.lines().map(shown)).collect()
}

fn shown(line: &str) -> String {
    let line = line.trim_end();
    if line.len() <= LONGEST {
        return line.to_owned();
    }
    let kept = &line[..line.floor_char_boundary(LONGEST)];
    format!("{kept}… (+{} bytes)", line.len() - kept.len())
}

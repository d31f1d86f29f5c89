//! `read` of spans that are in no served folder: files of a fleet, as its hits name them.
//!
//! Only what the asker's token may see is read; the rest is left to the served folders, which say of
//! it what they say of any file that is not there.

use serde_json::{Value, json};
use wherein_fleet::search::reading::Opened;

use super::trouble;
use crate::cli::fleet::open::{Open, open};
use crate::cli::span::parsed;
use crate::mcp::answer::{Found, Item};
use crate::mcp::ask::read::Text;
use crate::mcp::trouble::Trouble;

/// What a fleet has of some spans.
#[derive(Default)]
pub struct Far {
    /// Lines, and what could not be read though the file is there.
    pub found: Found,
    /// Spans of files that it does not have, or not for this asker.
    pub missed: Vec<String>,
    /// Why it could not be asked.
    pub silent: Option<Trouble>,
    /// Each repository that was read from, and its commit.
    read: Vec<(String, String)>,
}

/// Reads spans.
pub fn ask(spans: Vec<String>, context: u32, token: Option<&str>) -> Far {
    let mut far = Far::default();
    let fleet = match open() {
        Ok(fleet) => fleet,
        Err(error) => return Far { missed: spans, silent: Some(trouble(&error)), ..far },
    };
    for span in spans {
        far.add(fleet, span, context, token);
    }
    far
}

impl Far {
    fn add(&mut self, fleet: &Open, span: String, context: u32, token: Option<&str>) {
        let (path, wanted) = parsed(&span);
        match fleet.file(path, token) {
            Ok(Some(opened)) => {
                let symbols = &opened.parsed.symbols;
                let text = Text { path: &opened.path, text: &opened.text, symbols };
                match text.items(&span, wanted, context) {
                    Ok(lines) => self.take(&opened, lines),
                    Err(trouble) => self.found.notes.push(format!("not read: {trouble}")),
                }
            }
            Ok(None) => self.missed.push(span),
            Err(error) => {
                self.silent = Some(trouble(&error));
                self.missed.push(span);
            }
        }
    }

    fn take(&mut self, opened: &Opened, lines: Vec<Item>) {
        self.found.items.extend(lines);
        let from = (opened.repository.clone(), opened.revision.clone());
        if !self.read.contains(&from) {
            self.read.push(from);
        }
    }

    /// Whether it has anything to say of a span.
    pub fn is_empty(&self) -> bool {
        self.found.items.is_empty() && self.found.notes.is_empty()
    }

    /// The line that says what was read, and the same for programs.
    pub fn certificate(&self) -> (String, Value) {
        let short = |revision: &str| revision.chars().take(7).collect::<String>();
        let named = |(name, revision): &(String, String)| match revision.as_str() {
            "" => name.clone(),
            revision => format!("{name} {}", short(revision)),
        };
        let named: Vec<String> = self.read.iter().map(named).collect();
        let fact =
            |(name, revision): &(String, String)| json!({"repository": name, "revision": revision});
        let facts: Vec<Value> = self.read.iter().map(fact).collect();
        let line = format!("# read from the fleet: {}", named.join(", "));
        (line, json!({"trees": [], "fleet": {"read": facts}, "not_searched": []}))
    }
}

//! Which symbol uses which: the symbols' part of the graph, mapped.
//!
//! A *use* is a line of a file that names something. It is found by the symbol it means, or, where
//! nobody can tell which of several that is, by its name. Uses of names that nothing in the tree
//! bears are only counted.

use std::path::Path;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use tantivy::directory::OwnedBytes;
use wherein_corpus::{ReferenceKind, SymbolKind};

use crate::error::{Error, Result};
use crate::graph::columns::Columns;
use crate::graph::test_code::is_test_path;
use crate::index::manifest::{FileEntry, Seal};

/// The sections of a file of symbols, in their order.
pub mod section {
    /// Where names start in the next section.
    pub const NAME_STARTS: usize = 0;
    /// Names, sorted, end to end.
    pub const NAME_TEXT: usize = 1;
    /// Each file's first symbol.
    pub const FILE_SYMBOLS: usize = 2;
    /// Symbols' names.
    pub const NAME: usize = 3;
    /// The names around them.
    pub const SCOPE: usize = 4;
    /// First lines.
    pub const START: usize = 5;
    /// Last lines.
    pub const END: usize = 6;
    /// Lines of names.
    pub const NAME_LINE: usize = 7;
    /// The symbols around them.
    pub const PARENT: usize = 8;
    /// Kinds.
    pub const KIND: usize = 9;
    /// PageRank.
    pub const RANK: usize = 10;
    /// Each name's first entry in the next section.
    pub const BY_NAME_STARTS: usize = 11;
    /// Symbols by name.
    pub const BY_NAME: usize = 12;
    /// Each file's first use.
    pub const FILE_USES: usize = 13;
    /// The symbols uses stand in.
    pub const USE_OWNER: usize = 14;
    /// Lines, kinds and certainty.
    pub const USE_LINE: usize = 15;
    /// What uses mean.
    pub const USE_TARGET: usize = 16;
    /// Each symbol's first entry in the next section.
    pub const BY_TARGET_STARTS: usize = 17;
    /// Uses by what they mean.
    pub const BY_TARGET: usize = 18;
    /// Each name's first entry in the next section.
    pub const OPEN_STARTS: usize = 19;
    /// Uses of which nobody can tell what they mean, by name.
    pub const OPEN: usize = 20;
    /// For each file its uses that name nothing of the tree.
    pub const UNSEEN: usize = 21;
    /// The members of other types that methods are, for whoever calls them.
    pub const DECLARED: usize = 22;
    /// How many sections there are.
    pub const COUNT: usize = 23;
}

/// No symbol.
pub const NONE: u32 = u32::MAX;

/// How it is known what a use means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The name is defined around it, in the file or its package.
    Scope,
    /// The name is imported.
    Import,
    /// What stands before the name is of a type that is written down.
    Receiver,
    /// Nothing else in the tree bears the name.
    OnlyOne,
    /// Several things bear the name, and nothing says which is meant.
    Several,
    /// It means a member of a type that the symbol is written for: an interface's, a base's. Which
    /// object is behind it is known when the program runs.
    Declared,
}

impl How {
    /// All of them, in the order they are stored by.
    pub const ALL: [How; 6] =
        [How::Scope, How::Import, How::Receiver, How::OnlyOne, How::Several, How::Declared];

    /// How likely it is that the use means what it is said to mean. Measured against a type
    /// checker on open-source Python: see `docs/graph.md`.
    pub fn confidence(self) -> f32 {
        match self {
            How::Scope | How::Import => 0.95,
            How::Receiver | How::Declared => 0.9,
            How::OnlyOne => 0.6,
            How::Several => 0.0,
        }
    }
}

/// One line that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Its number.
    pub id: u32,
    /// The file it stands in.
    pub file: u32,
    /// The line.
    pub line: u32,
    /// How the name is used.
    pub kind: ReferenceKind,
    /// How it is known what is meant.
    pub how: How,
    /// What is meant, if it is known.
    pub target: Option<u32>,
    /// The symbol it stands in; none at the top of a file.
    pub owner: Option<u32>,
}

/// The symbols of a tree and their uses.
pub struct Symbols {
    columns: Columns,
    files: usize,
    /// Which files hold tests, once somebody has asked.
    tests: OnceLock<Vec<bool>>,
}

const KINDS: [ReferenceKind; 5] = [
    ReferenceKind::Call,
    ReferenceKind::Extends,
    ReferenceKind::Implements,
    ReferenceKind::Type,
    ReferenceKind::Name,
];

/// Line, kind and certainty in one number: no file that is read has sixteen million lines.
pub fn pack(line: u32, kind: ReferenceKind, how: How) -> u32 {
    let kind = KINDS.iter().position(|it| *it == kind).unwrap_or_default() as u32;
    line.min(0x00ff_ffff) | kind << 24 | (how as u32) << 28
}

/// Every kind, in the order of their numbers at rest.
pub const SYMBOL_KINDS: [SymbolKind; 20] = {
    use SymbolKind::*;
    [
        Function, Method, Class, Struct, Enum, Union, Interface, Trait, Type, Constant, Variable,
        Field, Variant, Module, Macro, Test, Key, Heading, Selector, Table,
    ]
};

impl Symbols {
    /// Opens the symbols a manifest names.
    pub fn open(folder: &Path, seal: &Seal, files: usize) -> Result<Symbols> {
        Symbols::checked(Columns::open(folder, seal, section::COUNT)?, files)
            .ok_or_else(|| Error::damaged(folder.join(&seal.name), "the graph of another tree"))
    }

    /// Symbols just gathered.
    pub fn of(bytes: Vec<u8>, files: usize) -> Option<Symbols> {
        Symbols::checked(Columns::of(OwnedBytes::new(bytes), section::COUNT)?, files)
    }

    fn checked(columns: Columns, files: usize) -> Option<Symbols> {
        let symbols = columns.count(section::NAME);
        let fits = columns.count(section::FILE_SYMBOLS) == files + 1
            && columns.count(section::FILE_USES) == files + 1
            && columns.count(section::RANK) == symbols
            && columns.count(section::DECLARED) == symbols
            && columns.count(section::USE_LINE) == columns.count(section::USE_TARGET);
        fits.then_some(Symbols { columns, files, tests: OnceLock::new() })
    }

    /// How many symbols there are.
    pub fn count(&self) -> usize {
        self.columns.count(section::NAME)
    }

    /// How many uses there are.
    pub fn uses(&self) -> usize {
        self.columns.count(section::USE_LINE)
    }

    /// How many uses of a file name nothing in the tree.
    pub fn unseen(&self, file: usize) -> u32 {
        self.columns.number(section::UNSEEN, file)
    }

    /// The symbols of a file.
    pub fn of_file(&self, file: usize) -> std::ops::Range<u32> {
        let range = self.columns.range(section::FILE_SYMBOLS, file, self.count());
        range.start as u32..range.end as u32
    }

    /// The file a symbol stands in.
    pub fn file(&self, symbol: u32) -> usize {
        self.owner(section::FILE_SYMBOLS, symbol)
    }

    /// Whether a file holds tests; `files` are those the symbols are of.
    pub fn is_test_file(&self, files: &[FileEntry], file: usize) -> bool {
        let tests =
            self.tests.get_or_init(|| files.iter().map(|it| is_test_path(&it.path)).collect());
        tests.get(file).copied().unwrap_or(false)
    }

    /// A symbol's own name.
    pub fn name(&self, symbol: u32) -> &str {
        self.text(self.columns.number(section::NAME, symbol as usize))
    }

    /// The names around it.
    pub fn scope(&self, symbol: u32) -> &str {
        self.text(self.columns.number(section::SCOPE, symbol as usize))
    }

    /// Scope and name.
    pub fn qualified(&self, symbol: u32, separator: &str) -> String {
        match self.scope(symbol) {
            "" => self.name(symbol).to_owned(),
            scope => format!("{scope}{separator}{}", self.name(symbol)),
        }
    }

    /// What sort of thing it is.
    pub fn kind(&self, symbol: u32) -> SymbolKind {
        let kind = self.columns.byte(section::KIND, symbol as usize);
        *SYMBOL_KINDS.get(kind as usize).unwrap_or(&SymbolKind::Variable)
    }

    /// Its first and last line.
    pub fn lines(&self, symbol: u32) -> (u32, u32) {
        let at = |section| self.columns.number(section, symbol as usize);
        (at(section::START), at(section::END))
    }

    /// The line its name stands on.
    pub fn name_line(&self, symbol: u32) -> u32 {
        self.columns.number(section::NAME_LINE, symbol as usize)
    }

    /// The symbol it stands in.
    pub fn parent(&self, symbol: u32) -> Option<u32> {
        let parent = self.columns.number(section::PARENT, symbol as usize);
        (parent < symbol).then_some(parent)
    }

    /// The member of another type that a method is, where that is written down.
    pub fn declared(&self, symbol: u32) -> Option<u32> {
        self.known(self.columns.number(section::DECLARED, symbol as usize))
    }

    /// Its share of all attention that follows uses.
    pub fn rank(&self, symbol: u32) -> f32 {
        self.columns.fraction(section::RANK, symbol as usize)
    }

    /// The innermost symbol at a line.
    pub fn at(&self, file: usize, line: u32) -> Option<u32> {
        let around = self.of_file(file).filter(|&symbol| {
            let (start, end) = self.lines(symbol);
            (start..=end).contains(&line)
        });
        around.min_by_key(|&symbol| {
            let (start, end) = self.lines(symbol);
            (end - start, std::cmp::Reverse(symbol))
        })
    }

    /// The symbols that bear a name, in the order of files and lines.
    pub fn named(&self, name: &str) -> Vec<u32> {
        self.name_id(name)
            .map_or(Vec::new(), |id| self.listed(section::BY_NAME_STARTS, section::BY_NAME, id))
    }

    /// The uses that mean a symbol, in the order of files and lines.
    pub fn uses_of(&self, symbol: u32) -> impl Iterator<Item = Use> {
        let uses = self.listed(section::BY_TARGET_STARTS, section::BY_TARGET, symbol);
        uses.into_iter().map(|id| self.use_(id))
    }

    /// What uses a symbol and its twins: symbols by number, and after all of those the files in
    /// which it is used where no symbol is.
    pub fn users(&self, symbol: u32) -> impl Iterator<Item = u32> {
        let most = self.columns.count(section::BY_TARGET);
        let uses = move |twin| self.columns.range(section::BY_TARGET_STARTS, twin as usize, most);
        self.twins(symbol).flat_map(uses).map(|at| {
            let id = self.columns.number(section::BY_TARGET, at);
            let owner = self.known(self.columns.number(section::USE_OWNER, id as usize));
            owner.unwrap_or_else(|| (self.count() + self.owner(section::FILE_USES, id)) as u32)
        })
    }

    /// The uses of a name of which nobody can tell what they mean.
    pub fn open_uses(&self, name: &str) -> Vec<Use> {
        let uses =
            self.name_id(name).map(|id| self.listed(section::OPEN_STARTS, section::OPEN, id));
        uses.unwrap_or_default().into_iter().map(|id| self.use_(id)).collect()
    }

    /// The symbols of a file with the same name and the same names around it, itself among them.
    pub fn twins(&self, symbol: u32) -> impl Iterator<Item = u32> {
        let name = self.columns.number(section::NAME, symbol as usize);
        let scope = move |it: u32| self.columns.number(section::SCOPE, it as usize);
        let most = self.columns.count(section::BY_NAME);
        let range = self.columns.range(section::BY_NAME_STARTS, name as usize, most);
        let file = self.of_file(self.file(symbol));
        let at = move |place: usize| self.columns.number(section::BY_NAME, place);
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low.midpoint(high);
            if at(middle) < file.start { low = middle + 1 } else { high = middle }
        }
        let same_name = (low..range.end).map(at).take_while(move |&it| it < file.end);
        same_name.filter(move |&it| scope(it) == scope(symbol))
    }

    /// The uses of a file between two lines, both included.
    pub fn uses_in(&self, file: usize, start: u32, end: u32) -> Vec<Use> {
        let range = self.columns.range(section::FILE_USES, file, self.uses());
        let line = |id: usize| self.columns.number(section::USE_LINE, id) & 0x00ff_ffff;
        let (mut low, mut high) = (range.start, range.end);
        while low < high {
            let middle = low.midpoint(high);
            if line(middle) < start { low = middle + 1 } else { high = middle }
        }
        (low..range.end)
            .take_while(|&id| line(id) <= end)
            .map(|id| self.use_in(id as u32, file as u32))
            .collect()
    }

    /// Every name, in order.
    pub fn names(&self) -> impl Iterator<Item = (u32, &str)> {
        (0..self.columns.count(section::NAME_STARTS).saturating_sub(1) as u32)
            .map(|id| (id, self.text(id)))
    }

    /// The symbols that bear the name of a number.
    pub fn named_by(&self, id: u32) -> Vec<u32> {
        self.listed(section::BY_NAME_STARTS, section::BY_NAME, id)
    }

    fn use_(&self, id: u32) -> Use {
        self.use_in(id, self.owner(section::FILE_USES, id) as u32)
    }

    fn use_in(&self, id: u32, file: u32) -> Use {
        let packed = self.columns.number(section::USE_LINE, id as usize);
        let target = self.columns.number(section::USE_TARGET, id as usize);
        Use {
            id,
            file,
            line: packed & 0x00ff_ffff,
            kind: *KINDS.get((packed >> 24 & 0xf) as usize).unwrap_or(&ReferenceKind::Name),
            how: *How::ALL.get((packed >> 28) as usize).unwrap_or(&How::Several),
            target: self.known(target),
            owner: self.known(self.columns.number(section::USE_OWNER, id as usize)),
        }
    }

    fn known(&self, symbol: u32) -> Option<u32> {
        ((symbol as usize) < self.count()).then_some(symbol)
    }

    /// The file in whose run of numbers `id` lies.
    fn owner(&self, starts: usize, id: u32) -> usize {
        let (mut low, mut high) = (0, self.files);
        while low < high {
            let middle = low.midpoint(high);
            if self.columns.number(starts, middle + 1) <= id {
                low = middle + 1
            } else {
                high = middle
            }
        }
        low.min(self.files.saturating_sub(1))
    }

    fn listed(&self, starts: usize, members: usize, id: u32) -> Vec<u32> {
        let most = self.columns.count(members);
        let range = self.columns.range(starts, id as usize, most);
        range.map(|at| self.columns.number(members, at)).collect()
    }

    fn name_id(&self, name: &str) -> Option<u32> {
        let (mut low, mut high) =
            (0, self.columns.count(section::NAME_STARTS).saturating_sub(1) as u32);
        while low < high {
            let middle = low.midpoint(high);
            match self.text(middle).cmp(name) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn text(&self, id: u32) -> &str {
        let bytes = self.columns.section(section::NAME_TEXT);
        let range = self.columns.range(section::NAME_STARTS, id as usize, bytes.len());
        std::str::from_utf8(&bytes[range]).unwrap_or_default()
    }
}

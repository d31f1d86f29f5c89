//! Every key of the configuration, defined once.
//!
//! Reading the files, the environment's variables, the defaults of options, `wherein config` and
//! `docs/configuration.md` all derive from this table. To add a key, add a row, and ask for it by
//! [`Config::text`](super::Config::text) or give it the commands whose option it sets.

use toml::Value;

/// One key.
#[derive(Debug)]
pub struct Key {
    /// As it is written in a file.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// Whose file may hold it.
    pub owner: Owner,
    /// What holds if nobody says anything, as it would be written.
    pub default: &'static str,
    /// What it does, in a sentence or two.
    pub about: &'static str,
    /// The commands whose option of the same name it is the default of.
    pub sets: Sets,
}

/// What values a key takes.
#[derive(Debug)]
pub enum Kind {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number, at least this.
    Number(u64),
    /// A number between 0 and 1.
    Share,
    /// Any text but an empty one.
    Text,
    /// A full path, or one that begins with `~`: a relative one would mean another folder in each tree.
    Folder,
    /// A table; what its rows are is in the text about the key.
    Table,
}

/// Whose file may hold a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A project's or the user's.
    Anyone,
    /// The user's alone, and why.
    User(&'static str),
}

/// The options a key is the default of.
#[derive(Debug)]
pub enum Sets {
    /// None.
    Nothing,
    /// That of these commands.
    Commands(&'static [&'static str]),
    /// That of every command that has it.
    Every,
}

const RUNS: &str = "it is run as a command";
const TASTE: &str = "it is a matter of who reads, not of what is read";
const MACHINE: &str = "it depends on the machine";

/// The keys, as pages list them.
pub const KEYS: &[Key] = &[
    Key {
        name: "mode",
        kind: Kind::OneOf(&["lexical", "dense", "hybrid"]),
        owner: Owner::Anyone,
        default: "hybrid",
        about: "Search by words, by meaning, or both.",
        sets: Sets::Commands(&["search", "diff", "log", "tui"]),
    },
    Key {
        name: "limit",
        kind: Kind::Number(1),
        owner: Owner::Anyone,
        default: "10, or 100 with a budget",
        about: "How many hits to show at most.",
        sets: Sets::Commands(&["search", "similar", "diff", "tui"]),
    },
    Key {
        name: "scope",
        kind: Kind::OneOf(&["code", "docs", "all"]),
        owner: Owner::Anyone,
        default: "all",
        about: "Search program text, documentation, or both.",
        sets: Sets::Commands(&["search", "similar", "diff", "tui"]),
    },
    Key {
        name: "unit",
        kind: Kind::OneOf(&["span", "file"]),
        owner: Owner::Anyone,
        default: "span",
        about: "Show spans, or files by their best span.",
        sets: Sets::Commands(&["search", "similar", "diff"]),
    },
    Key {
        name: "max_per_file",
        kind: Kind::Number(0),
        owner: Owner::Anyone,
        default: "3",
        about: "At most this many chunks of one file; 0 for no limit.",
        sets: Sets::Commands(&["search", "similar", "diff", "tui"]),
    },
    Key {
        name: "min_confidence",
        kind: Kind::Share,
        owner: Owner::Anyone,
        default: "0.08",
        about: "Say \"not found\" where the best hit is less likely than this to answer.",
        sets: Sets::Commands(&["search"]),
    },
    Key {
        name: "context",
        kind: Kind::Number(0),
        owner: Owner::Anyone,
        default: "all lines",
        about: "Show only the lines of a hit that matter, each with so many around it.",
        sets: Sets::Commands(&["search", "similar", "diff"]),
    },
    Key {
        name: "budget",
        kind: Kind::Number(1),
        owner: Owner::Anyone,
        default: "no limit",
        about: "Fit the hits into this many tokens.",
        sets: Sets::Commands(&["search", "similar", "diff"]),
    },
    Key {
        name: "format",
        kind: Kind::OneOf(&["pretty", "plain", "json", "grep", "md"]),
        owner: Owner::Anyone,
        default: "pretty on a terminal, plain in a pipe",
        about: "How hits are printed.",
        sets: Sets::Commands(&["search", "similar", "diff", "grep"]),
    },
    Key {
        name: "model",
        kind: Kind::Text,
        owner: Owner::Anyone,
        default: "built-in",
        about: "The model that encodes: \"built-in\", \"large\", \"none\", or one that the user has \
                defined. A project names one, and never defines it.",
        sets: Sets::Nothing,
    },
    Key {
        name: "max_file_size",
        kind: Kind::Number(0),
        owner: Owner::Anyone,
        default: "1048576",
        about: "Files larger than this many bytes are skipped.",
        sets: Sets::Nothing,
    },
    Key {
        name: "extensions",
        kind: Kind::Table,
        owner: Owner::Anyone,
        default: "none",
        about: "Read files of an extension as another language than usual: rows of extension = \
                \"language\". Rows of both files count, the project's first.",
        sets: Sets::Nothing,
    },
    Key {
        name: "max_memory",
        kind: Kind::Number(128),
        owner: Owner::User(MACHINE),
        default: "1024",
        about: "Index with about this much memory at most, in MiB.",
        sets: Sets::Commands(&["index"]),
    },
    Key {
        name: "index_dir",
        kind: Kind::Folder,
        owner: Owner::User("a checked-out tree must not choose where files are written"),
        default: "the user's cache folder",
        about: "Keep indexes here.",
        sets: Sets::Every,
    },
    Key {
        name: "colour",
        kind: Kind::OneOf(&["auto", "always", "never"]),
        owner: Owner::User(TASTE),
        default: "auto",
        about: "Colours on a terminal unless NO_COLOR is set, always, or never.",
        sets: Sets::Nothing,
    },
    Key {
        name: "editor",
        kind: Kind::Text,
        owner: Owner::User(RUNS),
        default: "$VISUAL, else $EDITOR, else vi",
        about: "What `wherein tui` opens files with: a command, with {path} and {line} where they \
                belong; the usual editors need neither.",
        sets: Sets::Nothing,
    },
    Key {
        name: "store",
        kind: Kind::Text,
        owner: Owner::User("an address gets code, questions and keys"),
        default: "none",
        about: "The engine of a fleet, milvus://HOST:PORT/COLLECTION, milvuss:// by TLS: see fleet.md.",
        sets: Sets::Nothing,
    },
    Key {
        name: "models",
        kind: Kind::Table,
        owner: Owner::User("an address gets code, questions and keys"),
        default: "none",
        about: "Models in folders and behind addresses, a table each: see models.md.",
        sets: Sets::Nothing,
    },
];

/// The key of that name.
pub fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

impl Key {
    /// The environment's variable for it; tables have none.
    pub fn variable(&self) -> Option<String> {
        let is_table = matches!(self.kind, Kind::Table);
        (!is_table).then(|| format!("WHEREIN_{}", self.name.to_uppercase()))
    }

    /// Why a value is none of this key's.
    pub fn complaint(&self, value: &Value) -> Option<String> {
        let fits = match (&self.kind, value) {
            (Kind::OneOf(words), Value::String(text)) => words.contains(&text.as_str()),
            (Kind::Number(least), Value::Integer(n)) => {
                u64::try_from(*n).is_ok_and(|n| n >= *least)
            }
            (Kind::Share, Value::Float(share)) => (0.0..=1.0).contains(share),
            (Kind::Share, Value::Integer(share)) => (0..=1).contains(share),
            (Kind::Text, Value::String(text)) => !text.trim().is_empty(),
            (Kind::Folder, Value::String(path)) => {
                path.starts_with(['~', '/', '\\']) || has_drive(path)
            }
            (Kind::Table, Value::Table(_)) => true,
            _ => false,
        };
        (!fits).then(|| format!("{} takes {}", self.name, self.kind.in_words()))
    }

    /// A value as the environment writes it.
    pub fn read(&self, text: &str) -> Value {
        match self.kind {
            Kind::Number(_) => text.parse().map_or(Value::String(text.to_owned()), Value::Integer),
            Kind::Share => text.parse().map_or(Value::String(text.to_owned()), Value::Float),
            _ => Value::String(text.to_owned()),
        }
    }
}

impl Kind {
    /// What it takes, for people.
    pub fn in_words(&self) -> String {
        match self {
            Kind::OneOf(words) => {
                let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                format!("one of {}", quoted.join(", "))
            }
            Kind::Number(0) => "a whole number".to_owned(),
            Kind::Number(least) => format!("a whole number, at least {least}"),
            Kind::Share => "a number between 0 and 1".to_owned(),
            Kind::Text => "a text".to_owned(),
            Kind::Folder => "a full path, or one that begins with ~".to_owned(),
            Kind::Table => "a table".to_owned(),
        }
    }
}

fn has_drive(path: &str) -> bool {
    cfg!(windows) && path.get(1..3).is_some_and(|colon| matches!(colon, ":\\" | ":/"))
}

//! The page about keys, written from their one definition.
//!
//! Only the tests use it: `docs/configuration.md` must be what this writes.

use std::fmt::Write;

use clap::CommandFactory;

use super::keys::{KEYS, Key, Kind, Owner, Sets};
use crate::cli::args::Cli;

const HEAD: &str = r#"# Configuration

Nothing needs to be configured. What you would otherwise type again and again can stand in a file:

- **`wherein.toml`** in a project's top folder, for everyone who works on it;
- **`config.toml`** in your own configuration folder, for all your projects:
  `$XDG_CONFIG_HOME/wherein`, which is `~/.config/wherein` unless that variable holds a full path (on
  macOS `~/Library/Application Support/wherein`, on Windows `%APPDATA%\wherein`).

The command line comes first, then the environment, then the project's file, then yours, then the
default. `wherein config` shows every value that holds and where it came from; `wherein config KEY` one of
them; `--json` does so for programs. A key that there is not is an error which names the one you may have
meant.

A project's file may come from a stranger. It can choose how hits are found and shown, but it holds no
address, no command and no place to write to: keys of that kind belong to you alone.

```toml
# wherein.toml
mode = "lexical"
limit = 20
max_file_size = 2097152

[extensions]
inc = "php"
```

```toml
# config.toml
format = "grep"
editor = "code --goto {path}:{line}"

[models.local]
url = "http://localhost:11434/v1"
model = "nomic-embed-text"
```

The keys that are defaults of options hold for the command line. `wherein serve` and `wherein mcp` answer
what they are asked; of the files they take the model, what is read, and where the index is. `wherein
eval` takes no options from files, so that a figure means the same everywhere.

## Keys
"#;

fn page() -> String {
    let mut page = String::from(HEAD);
    KEYS.iter().for_each(|key| section(&mut page, key));
    page
}

fn section(page: &mut String, key: &Key) {
    let _ = write!(page, "\n### {}\n\n{}\n\n", key.name, key.about);
    let _ = writeln!(page, "- takes {}; default: {}", key.kind.in_words(), key.default);
    if let Some(variable) = key.variable() {
        let _ = writeln!(page, "- in the environment: `{variable}`");
    }
    match key.owner {
        Owner::Anyone => drop(writeln!(page, "- in a project's file and in the user's")),
        Owner::User(because) => {
            let _ = writeln!(page, "- in the user's file only: {because}");
        }
    }
    let option = key.name.replace('_', "-");
    match key.sets {
        Sets::Nothing => {}
        Sets::Every => drop(writeln!(page, "- default of `--{option}` wherever there is one")),
        Sets::Commands(commands) => {
            let _ = writeln!(page, "- default of `--{option}` of {}", commands.join(", "));
        }
    }
}

#[test]
fn the_page_about_keys_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, page()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, page(), "run `just update-expected` and look at the difference");
}

/// A key and the option it is the default of must not say different things.
#[test]
fn keys_and_options_agree() {
    let mut root = Cli::command();
    root.build();
    for key in KEYS {
        let Sets::Commands(commands) = key.sets else { continue };
        for name in commands {
            let command = root.find_subcommand(name).unwrap_or_else(|| panic!("no command {name}"));
            let option = command.get_arguments().find(|arg| arg.get_id() == key.name);
            let option = option.unwrap_or_else(|| panic!("{name} has no option {}", key.name));
            let values: Vec<String> =
                option.get_possible_values().iter().map(|it| it.get_name().to_owned()).collect();
            if let Kind::OneOf(words) = key.kind {
                assert_eq!(values, words, "{name} --{}", key.name);
            }
            if let [default] = option.get_default_values() {
                assert_eq!(default.to_string_lossy(), key.default, "{name} --{}", key.name);
            }
        }
    }
}

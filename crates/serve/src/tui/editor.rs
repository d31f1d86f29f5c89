//! From a place in a file to the user's editor there.
//!
//! The command is the user's own: from the environment or the user's file, never from a project.
//! The file is named by its full path, so that its name cannot be taken for an option.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use crate::config::Config;

/// Where nobody has a wish.
const USUAL: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// The editor the user wants.
pub fn wanted(config: &Config) -> String {
    let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.trim().is_empty());
    let theirs = config.text("editor");
    theirs.or_else(|| variable("VISUAL")).or_else(|| variable("EDITOR")).unwrap_or(USUAL.to_owned())
}

/// Opens a file at a line and waits until the editor gives the terminal back.
pub fn open(editor: &str, path: &Path, line: u32) -> anyhow::Result<()> {
    let path = path.to_str().context("the file's name is not UTF-8, so no editor can be told")?;
    let words = command(editor, path, line)?;
    let status = Command::new(&words[0]).args(&words[1..]).status().with_context(|| {
        format!("cannot start {:?}; name your editor in $EDITOR or in config.toml", words[0])
    })?;
    match status.success() {
        true => Ok(()),
        false => bail!("{} ended with {status}", words[0]),
    }
}

/// The words of a command; the first one is the program.
fn command(editor: &str, path: &str, line: u32) -> anyhow::Result<Vec<String>> {
    let mut words = split(editor);
    let Some(program) = words.first().cloned() else { bail!("the name of the editor is empty") };
    if words.iter().any(|word| word.contains("{path}")) {
        let line = line.to_string();
        let put = |word: &String| word.replace("{line}", &line).replace("{path}", path);
        return Ok(words.iter().map(put).collect());
    }
    words.extend(arguments(&program, path, line));
    Ok(words)
}

/// How an editor is told of a line.
fn arguments(program: &str, path: &str, line: u32) -> Vec<String> {
    let name = Path::new(program).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let own = |text: &str| text.to_owned();
    match name {
        "vi" | "vim" | "nvim" | "gvim" | "nano" | "emacs" | "emacsclient" | "kak" | "micro"
        | "joe" | "mg" | "ne" => vec![format!("+{line}"), own(path)],
        "code" | "code-insiders" | "codium" | "cursor" | "windsurf" => {
            vec![own("--goto"), format!("{path}:{line}")]
        }
        "hx" | "helix" | "zed" | "zeditor" | "subl" => vec![format!("{path}:{line}")],
        "idea" | "kate" | "pycharm" | "rustrover" => {
            vec![own("--line"), line.to_string(), own(path)]
        }
        _ => vec![own(path)],
    }
}

/// Words of a command line, with quotes around those that have spaces.
fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(editor: &str, expected: &[&str]) {
        assert_eq!(command(editor, "/t/a b.rs", 7).unwrap(), expected);
    }

    #[test]
    fn editors_are_told_of_the_line_in_their_own_way() {
        check("vi", &["vi", "+7", "/t/a b.rs"]);
        check("/usr/bin/nvim -R", &["/usr/bin/nvim", "-R", "+7", "/t/a b.rs"]);
        check("code --wait", &["code", "--wait", "--goto", "/t/a b.rs:7"]);
        check("hx", &["hx", "/t/a b.rs:7"]);
        check("idea", &["idea", "--line", "7", "/t/a b.rs"]);
        check("unheard-of", &["unheard-of", "/t/a b.rs"]);
        check("'my editor' -l {line} {path}", &["my editor", "-l", "7", "/t/a b.rs"]);
        check("x \"{path}:{line}\" ''", &["x", "/t/a b.rs:7", ""]);
        assert!(command(" ", "/a", 1).is_err());
    }
}

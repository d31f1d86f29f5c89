//! Files that a question names: stack frames, `src/main.rs:10`, `store/memory`.

use wherein_corpus::Language;

/// A file as somebody wrote it down, perhaps on another machine, and a line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path or a piece of it, with forward slashes.
    pub path: String,
    /// Counted from 1.
    pub line: Option<u32>,
    /// What else stands on its line of text, if that names a line: a frame often says which function it is in.
    pub frame: String,
}

/// Most places a question is asked about.
const MOST: usize = 40;

/// The places of a text, innermost frame first.
pub fn read(text: &str) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for line in inner_first(text) {
        let found = (0..).scan(0, |at, _: u32| next(line, at)).flatten();
        for place in found {
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    // Python is alone in naming the innermost call last.
    if text.contains("most recent call last") {
        places.reverse();
    }
    places.truncate(MOST);
    places
}

/// The lines of a text; where Java tells what a failure was caused by, that before the failure.
fn inner_first(text: &str) -> impl Iterator<Item = &str> {
    let mut causes: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        if line.trim_start().starts_with("Caused by: ") {
            causes.push(Vec::new());
        }
        causes.last_mut().into_iter().for_each(|lines| lines.push(line));
    }
    causes.into_iter().rev().flatten()
}

/// The place in the next run of path characters, if it is one; `None` at the end of the line.
fn next(line: &str, at: &mut usize) -> Option<Option<Place>> {
    let start = *at + line[*at..].find(is_path)?;
    let end = line[start..].find(|c| !is_path(c)).map_or(line.len(), |end| start + end);
    *at = end;
    let run = line[start..end].trim_end_matches(['.', '/', '-']);
    if let Some(address) = line[end..].strip_prefix("://") {
        *at = line_end(address, end + "://".len());
        let scheme = run.rsplit('@').next().unwrap_or(run);
        let served = served(address, HOSTLESS.contains(&scheme));
        // Of a page nobody asks for a file; a frame of one has a line, and a forge shows files.
        let is_shown = served.path.contains(BLOB) || served.line.is_some();
        return Some(Some(served.at(line)).filter(|place| is_shown && place.is_file()));
    }
    if run.contains("//") && !run.starts_with("//") {
        return Some(None);
    }
    let path = run.replace('\\', "/");
    let place = Place { line: line_number(&line[end..]), path, frame: String::new() };
    Some(place.is_file().then(|| place.at(line)))
}

/// Where an address ends in its line.
fn line_end(address: &str, start: usize) -> usize {
    start + address.find(char::is_whitespace).unwrap_or(address.len())
}

/// What stands before the revision in the address of a file on a forge.
const BLOB: &str = "/blob/";

/// Schemes whose addresses begin with the path: a browser shows so what a bundler or the machine itself gave it.
const HOSTLESS: [&str; 4] = ["file", "webpack", "webpack-internal", "app"];

/// The path of an address without its host and what is asked of it, and the line after it.
fn served(address: &str, is_hostless: bool) -> Place {
    let host = address.find(['/', ' ', ')']).unwrap_or(address.len());
    let address = if is_hostless { address } else { &address[host..] };
    let end = address.find(|c| !is_path(c)).unwrap_or(address.len());
    let (path, after) = address.split_at(end);
    let after = match after.strip_prefix('?') {
        Some(asked) => &asked[asked.find([':', ')', ' ']).unwrap_or(asked.len())..],
        None => after,
    };
    Place { path: path.to_owned(), line: line_number(after), frame: String::new() }
}

impl Place {
    /// The same, of a line of text; a file on a forge without its repository and revision.
    fn at(mut self, frame: &str) -> Place {
        let of_forge = self.path.split_once(BLOB).and_then(|(_, rest)| rest.split_once('/'));
        if let Some((_, path)) = of_forge {
            self.path = path.to_owned();
        }
        const LONGEST_FRAME: usize = 400;
        if self.line.is_some() && frame.len() <= LONGEST_FRAME {
            self.frame = frame.trim().replacen(&self.path, "", 1);
        }
        self
    }

    /// Whether it is written as a file is: `read/write` may be anything.
    pub fn names_a_file(&self) -> bool {
        self.line.is_some() || self.path.rsplit('/').next().is_some_and(|name| name.contains('.'))
    }

    /// A path has a folder, or a name with an ending that files have: `time.sleep(5)` and `example.com:443` are none.
    fn is_file(&self) -> bool {
        let (folders, name) = match self.path.rsplit_once('/') {
            Some((folders, name)) => (Some(folders), name),
            None => (None, self.path.as_str()),
        };
        let letters = self.path.chars().filter(|c| c.is_alphabetic()).count();
        if letters < 2 {
            return false;
        }
        let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
            let is_short = (1..=5).contains(&ending.len());
            !stem.is_empty()
                && is_short
                && ending.starts_with(|c: char| c.is_ascii_alphabetic())
                && ending.chars().all(|c| c.is_ascii_alphanumeric())
        });
        match folders {
            Some(folders) => !folders.is_empty() || has_ending,
            None => {
                has_ending && Language::named(name.rsplit('.').next().unwrap_or(name)).is_some()
            }
        }
    }
}

/// The line number right after a path, in the ways of the usual languages and of links: `:12`, `", line 12`,
/// `:line 12`, `(12)`, `#L12`.
fn line_number(after: &str) -> Option<u32> {
    let after = after.trim_start_matches(['"', '\'', '`', ',']);
    let after = [":", "(", "#L"].iter().find_map(|mark| after.strip_prefix(mark)).unwrap_or(after);
    let after = after.trim_start().strip_prefix("line ").unwrap_or(after);
    let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    after[..digits].parse().ok()
}

fn is_path(c: char) -> bool {
    c.is_alphanumeric() || "_./\\-@+$~".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Option<u32>)]) {
        let found = read(text);
        let found: Vec<(&str, Option<u32>)> =
            found.iter().map(|place| (place.path.as_str(), place.line)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn frames_of_the_usual_languages() {
        check(
            "Traceback (most recent call last):\n  File \"/srv/app/api.py\", line 50, in up\n  \
             File \"/srv/app/pay/csv.py\", line 7, in read\nValueError: no",
            &[("/srv/app/pay/csv.py", Some(7)), ("/srv/app/api.py", Some(50))],
        );
        check("    at toPosition (selection.ts:34:39)", &[("selection.ts", Some(34))]);
        check("\tat a.b.Van.fetch(Van.java:57)", &[("Van.java", Some(57))]);
        check("\t/build/internal/file.go:116 +0x1d", &[("/build/internal/file.go", Some(116))]);
        check("panicked at src/job.rs:79:\nno", &[("src/job.rs", Some(79))]);
        check("  at Shop.Cart.Add() in C:\\app\\Cart.cs:line 12", &[("/app/Cart.cs", Some(12))]);
        check("#1 blur (radius=4) at src/blur.cpp:55", &[("src/blur.cpp", Some(55))]);
        check("lib/holds.rb:68:in `expire'", &[("lib/holds.rb", Some(68))]);
        check("at f (file:///srv/web/hmr.ts:740:12)", &[("/srv/web/hmr.ts", Some(740))]);
        check("at f (http://localhost:5173/src/hmr.ts?t=17:740:12)", &[("/src/hmr.ts", Some(740))]);
        check("run@https://app.test:8080/src/hmr.ts:740:12", &[("/src/hmr.ts", Some(740))]);
        check("\tat app//a.b.Van.fetch(Van.java:57)", &[("Van.java", Some(57))]);
        check(
            "Error: no\n\tat a.Cart.pay(Cart.java:7)\nCaused by: Error: x\n\tat a.Van.fetch(Van.java:5)",
            &[("Van.java", Some(5)), ("Cart.java", Some(7))],
        );
        check("#0 /var/www/app/Cart.php(31): Cart->add()", &[("/var/www/app/Cart.php", Some(31))]);
    }

    #[test]
    fn a_frame_is_what_stands_beside_its_path() {
        let frame = |text: &str| read(text)[0].frame.clone();
        assert_eq!(frame("  File \"/srv/pay/a.py\", line 3, in run"), "File \"\", line 3, in run");
        assert_eq!(frame(&format!("a.py:3 {}", "x".repeat(400))), "");
    }

    #[test]
    fn paths_in_words() {
        check("store/memory", &[("store/memory", None)]);
        check("what does api/guard.py:12 do?", &[("api/guard.py", Some(12))]);
        check("who reads config.toml", &[("config.toml", None)]);
        check("cli.py#L120", &[("cli.py", Some(120))]);
        check("see https://forge.test/o/r/blob/main/a/cli.py#L12-L30", &[("a/cli.py", Some(12))]);
        check("https://forge.test/o/r/blob/main/a/cli.py", &[("a/cli.py", None)]);
    }

    #[test]
    fn words_that_are_no_paths() {
        for text in [
            "where do we retry failed uploads?",
            "see https://example.test/a/b.html",
            "self.cache.get",
            "1/2",
            "e.g. this",
            "version 1.2.3",
            "where is time.sleep(5) called",
            "cache=redis://cache.example.com:6379/0",
            "who listens on example.com:443",
        ] {
            check(text, &[]);
        }
    }
}

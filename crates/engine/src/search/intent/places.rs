//! Files that a question names: stack frames, `src/main.rs:10`, `store/memory`.

use wherein_corpus::Language;

/// A file as somebody wrote it down, perhaps on another machine, and a line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path or a piece of it, with forward slashes.
    pub path: String,
    /// Counted from 1.
    pub line: Option<u32>,
}

/// Most places a question is asked about.
const MOST: usize = 40;

/// The places of a text, innermost frame first.
pub fn read(text: &str) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for line in text.lines() {
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

/// The place in the next run of path characters, if it is one; `None` at the end of the line.
fn next(line: &str, at: &mut usize) -> Option<Option<Place>> {
    let start = *at + line[*at..].find(is_path)?;
    let end = line[start..].find(|c| !is_path(c)).map_or(line.len(), |end| start + end);
    *at = end;
    let run = line[start..end].trim_end_matches(['.', '/', '-']);
    if line[end..].starts_with("://") || run.contains("//") && !run.starts_with("//") {
        *at = line[end..].find(char::is_whitespace).map_or(line.len(), |stop| end + stop);
        return Some(None);
    }
    let path = run.replace('\\', "/");
    let place = Place { line: line_number(&line[end..]), path };
    Some(place.is_file().then_some(place))
}

impl Place {
    /// A path has a folder, or a name with an ending that a line number follows or files have.
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
                has_ending
                    && (self.line.is_some()
                        || Language::named(name.rsplit('.').next().unwrap_or(name)).is_some())
            }
        }
    }
}

/// The line number right after a path, in the ways of the usual languages: `:12`, `", line 12`,
/// `:line 12`, `(12)`.
fn line_number(after: &str) -> Option<u32> {
    let after = after.trim_start_matches(['"', '\'', '`', ',']);
    let after = after.strip_prefix(':').or_else(|| after.strip_prefix('(')).unwrap_or(after);
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
        check("#0 /var/www/app/Cart.php(31): Cart->add()", &[("/var/www/app/Cart.php", Some(31))]);
    }

    #[test]
    fn paths_in_words() {
        check("store/memory", &[("store/memory", None)]);
        check("what does api/guard.py:12 do?", &[("api/guard.py", Some(12))]);
        check("who reads config.toml", &[("config.toml", None)]);
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
        ] {
            check(text, &[]);
        }
    }
}

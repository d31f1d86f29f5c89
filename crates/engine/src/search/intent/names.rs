//! Identifiers that a question names.

/// An identifier, and what it belongs to if the question says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As it is written.
    pub text: String,
    /// `Client` in `Client.send` or `Client::send`.
    pub owner: Option<String>,
}

impl Name {
    /// A name that is said to be one, whatever it is made of; what stands before its last `.`, `::` or `#` owns it.
    pub fn qualified(text: &str) -> Name {
        let split = ["::", ".", "#"].iter().filter_map(|mark| text.rsplit_once(mark));
        let last = split.filter(|(owner, name)| !owner.is_empty() && !name.is_empty());
        let owner_of = |path: &str| {
            let start = path.rfind(|c: char| !is_inside(c)).map_or(0, |at| at + 1);
            path.get(start..).unwrap_or(path).to_owned()
        };
        match last.min_by_key(|(_, name)| name.len()) {
            Some((owner, name)) => Name { text: name.to_owned(), owner: Some(owner_of(owner)) },
            None => Name { text: text.to_owned(), owner: None },
        }
    }

    /// Whether it is written as only identifiers are: nobody means a word of prose by it.
    pub fn has_parts(&self) -> bool {
        has_parts(&self.text)
    }

    /// The name without case and underscores, as conventions differ.
    pub fn folded(&self) -> String {
        folded(&self.text)
    }
}

/// A name without case and underscores.
pub fn folded(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

/// Most names a question is asked about.
const MOST: usize = 64;

/// The identifiers of a text, each once. In code every word is one; in a sentence those are that
/// no other word looks like: of several parts, called, qualified, in backticks, or alone.
pub fn read(text: &str) -> Vec<Name> {
    let is_alone = text.split_whitespace().count() == 1;
    let mut names: Vec<Name> = Vec::new();
    let mut at = 0;
    while let Some(word) = next(text, at) {
        at = word.end;
        if word.text().len() < 2 || !(is_alone || word.is_name()) {
            continue;
        }
        let name = Name { text: word.text().to_owned(), owner: word.owner() };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if is_alone && names.len() > 1 {
        // Of a qualified name the last part is what is asked for.
        names.drain(..names.len() - 1);
    }
    names.truncate(MOST);
    names
}

struct Word<'t> {
    all: &'t str,
    start: usize,
    end: usize,
}

fn next(all: &str, at: usize) -> Option<Word<'_>> {
    let start = at + all[at..].find(|c: char| c.is_alphabetic() || c == '_')?;
    let end = all[start..].find(|c: char| !is_inside(c)).map_or(all.len(), |end| start + end);
    Some(Word { all, start, end })
}

fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Word<'_> {
    fn text(&self) -> &str {
        &self.all[self.start..self.end]
    }

    fn is_name(&self) -> bool {
        let (before, after) = (&self.all[..self.start], &self.all[self.end..]);
        has_parts(self.text())
            || after.starts_with('(')
            || before.ends_with('`') && after.starts_with('`')
            || self.owner().is_some()
            || after.starts_with("::")
    }

    /// The word before a `.`, `::`, `->` or `#` right before this one.
    fn owner(&self) -> Option<String> {
        let before = &self.all[..self.start];
        let before = ["::", "->", ".", "#"].iter().find_map(|mark| before.strip_suffix(mark))?;
        let start = before
            .rfind(|c: char| !is_inside(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let owner = &before[start..];
        owner.starts_with(|c: char| c.is_alphabetic() || c == '_').then(|| owner.to_owned())
    }
}

/// Whether a word is written as only identifiers are: `a_b`, `aB`, `AbCd`.
fn has_parts(word: &str) -> bool {
    let inner_underscore = word.trim_matches('_').contains('_');
    let hump = word.as_bytes().windows(2).any(|two| {
        (two[0].is_ascii_lowercase() || two[0].is_ascii_digit()) && two[1].is_ascii_uppercase()
    });
    inner_underscore || hump
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Option<&str>)]) {
        let names = read(text);
        let found: Vec<(&str, Option<&str>)> =
            names.iter().map(|name| (name.text.as_str(), name.owner.as_deref())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_stand_out_of_a_sentence() {
        check("where is parse_header called", &[("parse_header", None)]);
        check(
            "how does retryUpload differ from HttpClient",
            &[("retryUpload", None), ("HttpClient", None)],
        );
        check("what calls flush() and `sync`", &[("flush", None), ("sync", None)]);
        check("is Client.send thread safe", &[("send", Some("Client"))]);
        check("where do we retry failed uploads?", &[]);
    }

    #[test]
    fn a_word_alone_is_a_name() {
        check("Backoff", &[("Backoff", None)]);
        check("queue::Job::retry", &[("retry", Some("Job"))]);
        check("Promise#then", &[("then", Some("Promise"))]);
    }

    #[test]
    fn a_name_that_is_said_to_be_one_may_be_anything() {
        for (text, name, owner) in [
            ("f", "f", None),
            ("Cart.total", "total", Some("Cart")),
            ("shop::Cart::total", "total", Some("Cart")),
            ("operator==", "operator==", None),
            ("<=>", "<=>", None),
        ] {
            let expected = Name { text: name.to_owned(), owner: owner.map(str::to_owned) };
            assert_eq!(Name::qualified(text), expected);
        }
    }

    #[test]
    fn conventions_fold_together() {
        for name in ["retryCount", "retry_count", "RETRY_COUNT"] {
            assert_eq!(folded(name), "retrycount");
        }
    }
}

//! Filters written into a question: `lang:rust path:src symbol:Parser kind:function -word "exact"`.

use wherein_corpus::{Language, SymbolKind};

/// What a question's own filters ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Only these languages.
    pub languages: Vec<String>,
    /// Only paths like these.
    pub paths: Vec<String>,
    /// Only spans that define such a name.
    pub symbols: Vec<String>,
    /// Only spans of these kinds.
    pub kinds: Vec<SymbolKind>,
    /// Only spans that hold this text as it is.
    pub phrases: Vec<String>,
    /// No span that holds one of these words.
    pub without: Vec<String>,
}

impl Filters {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        *self == Filters::default()
    }

    /// Whether there is one that nothing but a person writes: it names a language or a kind that there is.
    pub fn are_typed(&self) -> bool {
        !self.languages.is_empty() || !self.kinds.is_empty()
    }
}

/// A question without its filters, and the filters. The words of a quoted phrase stay. What only
/// looks like a filter is part of the question: no text is a syntax error.
pub fn take(text: &str) -> (String, Filters) {
    let words: Vec<Word> = Words { text, at: 0 }.collect();
    let end = words.iter().rposition(|word| !word.is_filter()).map_or(0, |last| last + 1);
    let mut filters = Filters::default();
    let mut rest = Vec::new();
    for (place, word) in words.into_iter().enumerate() {
        match word {
            Word::Quoted(phrase) => {
                filters.phrases.push(phrase.to_owned());
                rest.push(phrase);
            }
            // Amid a question it is an option that is asked about: `find . -maxdepth 1`.
            Word::Plain(word) if unwanted(word).is_some() && place < end => rest.push(word),
            Word::Plain(word) if filters.enter(word) => {}
            Word::Plain(word) => rest.push(word),
        }
    }
    (rest.join(" "), filters)
}

/// The word that is not wanted, if that is said. Short options of a command line (`-r`, `--all`) and constants
/// (`-ENOMEM`) are what is asked about.
fn unwanted(word: &str) -> Option<&str> {
    const LEAST: usize = 3;
    let unwanted = word.strip_prefix('-').filter(|it| it.len() >= LEAST)?;
    let is_word = unwanted.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_constant = unwanted.chars().all(|c| !c.is_alphabetic() || c.is_uppercase());
    (is_word && !is_constant && unwanted.starts_with(char::is_alphabetic)).then_some(unwanted)
}

impl Filters {
    /// Takes a word that is a filter.
    fn enter(&mut self, word: &str) -> bool {
        if let Some(unwanted) = unwanted(word) {
            self.without.push(unwanted.to_owned());
            return true;
        }
        let Some((key, value)) = word.split_once(':').filter(|(_, value)| !value.is_empty()) else {
            return false;
        };
        let value = value.trim_matches('"');
        match key {
            "lang" if Language::named(value).is_some() => self.languages.push(value.to_owned()),
            "path" if !value.starts_with(':') => self.paths.push(value.to_owned()),
            "symbol" if !value.starts_with(':') => self.symbols.push(value.to_owned()),
            "kind" => match SymbolKind::named(value) {
                Some(kind) => self.kinds.push(kind),
                None => return false,
            },
            _ => return false,
        }
        true
    }
}

enum Word<'t> {
    Quoted(&'t str),
    Plain(&'t str),
}

impl Word<'_> {
    fn is_filter(&self) -> bool {
        match self {
            Word::Quoted(_) => true,
            Word::Plain(word) => Filters::default().enter(word),
        }
    }
}

/// Words between blanks; a quotation at the start of a word goes to its closing mark.
struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Words<'t> {
    type Item = Word<'t>;

    fn next(&mut self) -> Option<Word<'t>> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let rest = &self.text[start..];
        if let Some(quoted) = rest.strip_prefix('"')
            && let Some(end) = quoted.find('"')
            && !quoted[..end].trim().is_empty()
        {
            self.at = start + end + 2;
            return Some(Word::Quoted(&quoted[..end]));
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start + end;
        Some(Word::Plain(&rest[..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, rest: &str, filters: Filters) {
        assert_eq!(take(text), (rest.to_owned(), filters), "{text}");
    }

    fn all(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| word.to_string()).collect()
    }

    #[test]
    fn filters_are_taken_out_of_the_question() {
        check(
            "retry -test kind:function",
            "retry",
            Filters {
                kinds: vec![SymbolKind::Function],
                without: all(&["test"]),
                ..Filters::default()
            },
        );
        check(
            "retry lang:rust path:src/net -test kind:function symbol:Client",
            "retry",
            Filters {
                languages: all(&["rust"]),
                paths: all(&["src/net"]),
                symbols: all(&["Client"]),
                kinds: vec![SymbolKind::Function],
                without: all(&["test"]),
                ..Filters::default()
            },
        );
    }

    #[test]
    fn a_quoted_phrase_is_wanted_as_it_is_and_stays_in_the_question() {
        let phrases = all(&["not a directory"]);
        check(
            r#"who says "not a directory" here"#,
            "who says not a directory here",
            Filters { phrases, ..Filters::default() },
        );
    }

    #[test]
    fn what_only_looks_like_a_filter_is_part_of_the_question() {
        for text in [
            "lang:gadget",
            "kind:unknown",
            "path::join",
            "grep -r --all",
            "a well-known name",
            "path: where",
            r#"an open " quotation"#,
            r#"empty "" quotes"#,
            "std::path::Path",
            "offset -1",
            "find . -maxdepth 1 -type d",
            "which function returns -ENOMEM from start",
            "which function returns -ENOMEM",
        ] {
            check(text, text, Filters::default());
        }
    }
}

//! A light English stemmer: endings off, so that a question and the code it is about meet.
//!
//! It only has to map related words to one string (`retries`, `retry`; `cached`, `caching`,
//! `cache`), not to a dictionary form. A full Porter stemmer conflates more than helps on
//! identifiers and costs ten times as much, and every word of a tree passes through here.

/// Replaces a lower-case term by its stem. Anything but plain ASCII letters is left alone.
pub fn stem(term: &mut String) {
    if term.len() < 4 || !term.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    plural(term);
    past_or_progressive(term);
    noun(term);
    silent_e(term);
}

fn plural(term: &mut String) {
    if !term.ends_with('s') {
        return;
    }
    let cut = match term.as_str() {
        t if t.ends_with("sses")
            || t.ends_with("shes")
            || t.ends_with("ches")
            || t.ends_with("xes") =>
        {
            2
        }
        t if t.ends_with("ies") && t.len() > 4 => {
            term.truncate(term.len() - 3);
            term.push('y');
            return;
        }
        t if t.ends_with("ss") || t.ends_with("us") || t.ends_with("is") => 0,
        _ => 1,
    };
    term.truncate(term.len() - cut);
}

fn past_or_progressive(term: &mut String) {
    let cut = match term.as_str() {
        t if t.ends_with("ing") && t.len() > 5 => 3,
        t if t.ends_with("ied") && t.len() > 4 => {
            term.truncate(term.len() - 3);
            term.push('y');
            return;
        }
        t if t.ends_with("eed") => 0,
        t if t.ends_with("ed") && t.len() > 4 => 2,
        _ => 0,
    };
    if cut > 0 && has_vowel(&term[..term.len() - cut]) {
        term.truncate(term.len() - cut);
        undouble(term);
    }
}

/// `validation` meets `validate`, `connection` meets `connect`.
fn noun(term: &mut String) {
    if term.len() > 6 && (term.ends_with("tion") || term.ends_with("sion")) {
        term.truncate(term.len() - 3);
    }
}

fn silent_e(term: &mut String) {
    if term.len() > 3 && term.ends_with('e') {
        term.pop();
    }
}

fn undouble(term: &mut String) {
    let bytes = term.as_bytes();
    if let [.., a, b] = bytes
        && a == b
        && !matches!(b, b'l' | b's' | b'z' | b'e')
    {
        term.pop();
    }
}

fn has_vowel(text: &str) -> bool {
    text.bytes().any(|byte| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn meet(words: &[&str]) {
        let stems: Vec<String> = words
            .iter()
            .map(|word| {
                let mut term = word.to_string();
                stem(&mut term);
                term
            })
            .collect();
        assert!(stems.iter().all(|stem| *stem == stems[0]), "{words:?} → {stems:?}");
    }

    #[track_caller]
    fn part(a: &str, b: &str) {
        let (mut x, mut y) = (a.to_string(), b.to_string());
        stem(&mut x);
        stem(&mut y);
        assert_ne!(x, y, "{a} and {b}");
    }

    #[test]
    fn related_words_meet() {
        meet(&["retry", "retries", "retried", "retrying"]);
        meet(&["cache", "caches", "cached", "caching"]);
        meet(&["run", "runs", "running"]);
        meet(&["handle", "handles", "handled", "handling"]);
        meet(&["validate", "validates", "validation", "validating"]);
        meet(&["connect", "connection", "connections", "connected"]);
        meet(&["match", "matches", "matched", "matching"]);
    }

    #[test]
    fn unrelated_words_stay_apart() {
        part("string", "str");
        part("class", "clas");
        part("status", "statu");
        part("need", "ne");
        part("thing", "th");
    }
}

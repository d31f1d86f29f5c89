//! One member of an object in JSON with comments, put in and taken out again as text.
//!
//! Nothing else of the text changes: no comment, no order, no blank. What is put in is written so
//! that it can be told when it is taken out what was there before, and taking out gives back the
//! same bytes: an entry over several lines stands in a list that was made for it and goes with it,
//! one on a single line stands in a list that was there and empty, and stays.

use std::ops::Range;

use serde_json::{Map, Value};

use super::agents::Entry;

/// What is wrong with a text, and where.
pub type Result<T> = std::result::Result<T, String>;

/// An object as it stands in a text.
struct Object {
    open: usize,
    close: usize,
    members: Vec<Member>,
}

struct Member {
    key: String,
    start: usize,
    value: Range<usize>,
    /// Where the comma after it is.
    comma: Option<usize>,
}

/// What `list.name` says; nothing where it is no object.
pub fn find(text: &str, list: &str, name: &str) -> Result<Option<Map<String, Value>>> {
    if is_blank(text) {
        return Ok(None);
    }
    let root = top(text)?;
    let Some(list) = root.member(list) else { return Ok(None) };
    let list = object(text, list.value.start)?;
    let Some(found) = list.member(name) else { return Ok(None) };
    let members = object(text, found.value.start).map(|it| it.members).unwrap_or_default();
    let read = |it: Member| (it.key, serde_json::from_str(&text[it.value]).unwrap_or_default());
    Ok(Some(members.into_iter().map(read).collect()))
}

/// Puts `list.name` in.
pub fn insert(before: Option<&str>, list: &str, name: &str, entry: &Entry) -> Result<String> {
    let style = Style::of(before.unwrap_or_default());
    let Some(text) = before.filter(|text| !is_blank(text)) else {
        let made = before.map(|blank| format!("{blank}{{{}}}", style.brief(list, name, entry)));
        return Ok(made.unwrap_or_else(|| style.file(list, name, entry)));
    };
    let root = top(text)?;
    let Some(found) = root.member(list) else {
        let indent = root.indent(text, &style, "");
        let inner = format!("{indent}{}", style.unit);
        let member = format!(
            "{}: {{{nl}{inner}{}{nl}{indent}}}",
            quoted(list),
            style.long(name, entry, &inner),
            nl = style.newline
        );
        return Ok(root.with(text, &member, &indent, &style));
    };
    let below = object(text, found.value.start)?;
    let indent = below.indent(text, &style, &root.indent(text, &style, ""));
    let member = match below.members.is_empty() {
        true => style.short(name, entry),
        false => style.long(name, entry, &indent),
    };
    Ok(below.with(text, &member, &indent, &style))
}

/// Takes `list.name` out, and the list if it was made for it. `None` if nothing else would be left.
pub fn remove(text: &str, list: &str, name: &str, entry: &Entry) -> Result<Option<String>> {
    let style = Style::of(text);
    if text == style.file(list, name, entry) {
        return Ok(None);
    }
    let brief = format!("{{{}}}", style.brief(list, name, entry));
    if let Some(blank) = text.strip_suffix(&brief).filter(|before| is_blank(before)) {
        return Ok(Some(blank.to_owned()));
    }
    let root = top(text)?;
    let Some(found) = root.member(list) else { return Ok(Some(text.to_owned())) };
    let below = object(text, found.value.start)?;
    let Some(member) = below.member(name) else { return Ok(Some(text.to_owned())) };
    let is_ours = below.members.len() == 1 && text[member.value.clone()].contains('\n');
    Ok(Some(if is_ours { root.without(text, list) } else { below.without(text, name) }))
}

fn is_blank(text: &str) -> bool {
    text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty()
}

impl Object {
    fn member(&self, key: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.key == key)
    }

    /// How its members are indented; `outer` is how it is itself.
    fn indent(&self, text: &str, style: &Style, outer: &str) -> String {
        let own = self.members.last().and_then(|member| {
            let line = text[..member.start].rfind('\n')? + 1;
            let before = &text[line..member.start];
            before.trim().is_empty().then(|| before.to_owned())
        });
        own.unwrap_or_else(|| format!("{outer}{}", style.unit))
    }

    /// The text with another member at the end.
    fn with(&self, text: &str, member: &str, indent: &str, style: &Style) -> String {
        let is_long = text[self.open..self.close].contains('\n');
        let gap = if is_long { format!("{}{indent}", style.newline) } else { " ".to_owned() };
        let Some(last) = self.members.last() else {
            let blank = &text[self.open + 1..self.close];
            let gap = if blank.is_empty() { "" } else { gap.as_str() };
            return spliced(text, &[(self.open + 1..self.open + 1, &format!("{gap}{member}"))]);
        };
        match last.comma {
            // The style of the file has a comma after the last; ours has one too.
            Some(comma) => {
                let at = end_of_comment(text, comma + 1);
                spliced(text, &[(at..at, &format!("{gap}{member},"))])
            }
            None => {
                let end = last.value.end;
                let at = end_of_comment(text, end);
                spliced(text, &[(end..end, ","), (at..at, &format!("{gap}{member}"))])
            }
        }
    }

    /// The text without a member.
    fn without(&self, text: &str, key: &str) -> String {
        let Some(at) = self.members.iter().position(|member| member.key == key) else {
            return text.to_owned();
        };
        let member = &self.members[at];
        let before = text[..member.start].trim_end_matches([' ', '\t', '\r', '\n']).len();
        let end = member.comma.map_or(member.value.end, |comma| comma + 1);
        match (member.comma, at.checked_sub(1).and_then(|at| self.members[at].comma)) {
            (None, Some(comma)) => {
                spliced(text, &[(comma..comma + 1, ""), (before.max(comma + 1)..end, "")])
            }
            _ => spliced(text, &[(before..end, "")]),
        }
    }
}

/// How a file is written.
struct Style {
    newline: &'static str,
    unit: String,
}

impl Style {
    fn of(text: &str) -> Style {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let indented = text.lines().find(|line| line.starts_with([' ', '\t']));
        let unit = indented.map_or("  ", |line| {
            let blank = &line[..line.len() - line.trim_start().len()];
            if blank.starts_with('\t') { "\t" } else { blank }
        });
        Style { newline, unit: unit.to_owned() }
    }

    /// A file of its own.
    fn file(&self, list: &str, name: &str, entry: &Entry) -> String {
        let (nl, unit) = (self.newline, "  ");
        let inner = unit.repeat(2);
        let style = Style { newline: nl, unit: unit.to_owned() };
        let member = style.long(name, entry, &inner);
        format!("{{{nl}{unit}{}: {{{nl}{inner}{member}{nl}{unit}}}{nl}}}{nl}", quoted(list))
    }

    /// What a file that was there and blank gets: on one line, which tells it from a file of its own.
    fn brief(&self, list: &str, name: &str, entry: &Entry) -> String {
        format!("{}: {{{}}}", quoted(list), self.short(name, entry))
    }

    /// A member over several lines.
    fn long(&self, name: &str, entry: &Entry, indent: &str) -> String {
        let fields: Vec<String> = entry
            .iter()
            .map(|(key, value)| format!("{indent}{}{}: {}", self.unit, quoted(key), inline(value)))
            .collect();
        let nl = self.newline;
        format!("{}: {{{nl}{}{nl}{indent}}}", quoted(name), fields.join(&format!(",{nl}")))
    }

    /// A member on one line.
    fn short(&self, name: &str, entry: &Entry) -> String {
        let fields: Vec<String> = entry
            .iter()
            .map(|(key, value)| format!("{}: {}", quoted(key), inline(value)))
            .collect();
        format!("{}: {{{}}}", quoted(name), fields.join(", "))
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A value on one line, with blanks as people write them.
fn inline(value: &Value) -> String {
    match value {
        Value::Array(all) => {
            format!("[{}]", all.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// The text with some parts replaced, given in their order.
fn spliced(text: &str, parts: &[(Range<usize>, &str)]) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for (range, with) in parts {
        out.push_str(&text[from..range.start]);
        out.push_str(with);
        from = range.end;
    }
    out.push_str(&text[from..]);
    out
}

/// The end of a comment that stands on the same line.
fn end_of_comment(text: &str, at: usize) -> usize {
    let line = text[at..].split(['\r', '\n']).next().unwrap_or_default();
    let comment = line.trim_start();
    let is_whole = comment.starts_with("//")
        || (comment.starts_with("/*") && comment.trim_end().ends_with("*/"));
    if is_whole { at + line.trim_end().len() } else { at }
}

fn top(text: &str) -> Result<Object> {
    object(text, blank(text, if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })?)
}

/// Reads the object that begins at a place.
fn object(text: &str, open: usize) -> Result<Object> {
    if !text[open..].starts_with('{') {
        return Err(wrong(text, open, "an object should begin here"));
    }
    let mut members: Vec<Member> = Vec::new();
    let mut at = blank(text, open + 1)?;
    loop {
        match text.as_bytes().get(at) {
            Some(b'}') => return Ok(Object { open, close: at, members }),
            Some(b'"') if members.last().is_none_or(|member| member.comma.is_some()) => {}
            _ => return Err(wrong(text, at, "a name or a closing brace should be here")),
        }
        let start = at;
        let end = value(text, start)?;
        let key = serde_json::from_str(&text[start..end])
            .map_err(|_| wrong(text, start, "this is no name"))?;
        at = blank(text, end)?;
        if !text[at..].starts_with(':') {
            return Err(wrong(text, at, "a colon should be here"));
        }
        let from = blank(text, at + 1)?;
        let to = value(text, from)?;
        at = blank(text, to)?;
        let comma = text[at..].starts_with(',').then_some(at);
        if comma.is_some() {
            at = blank(text, at + 1)?;
        }
        members.push(Member { key, start, value: from..to, comma });
    }
}

/// The end of the value that begins at a place.
fn value(text: &str, from: usize) -> Result<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (from, 0usize);
    loop {
        match bytes.get(at) {
            None => return Err(wrong(text, from, "what begins here never ends")),
            Some(b'"') => at = string(text, at)?,
            Some(b'{' | b'[') => (depth, at) = (depth + 1, at + 1),
            Some(b'}' | b']' | b',' | b':') if depth == 0 => {
                return Err(wrong(text, at, "a value should be here"));
            }
            Some(b'}' | b']') => (depth, at) = (depth - 1, at + 1),
            Some(b',' | b':') => at += 1,
            Some(_) => {
                let word = text[at..].find(|c: char| !(c.is_alphanumeric() || "+-._".contains(c)));
                at += word.unwrap_or(text.len() - at).max(1);
            }
        }
        if depth == 0 {
            return Ok(at.min(text.len()));
        }
        at = blank(text, at)?;
    }
}

fn string(text: &str, from: usize) -> Result<usize> {
    let mut bytes = text.bytes().enumerate().skip(from + 1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'"' => return Ok(at + 1),
            _ => {}
        }
    }
    Err(wrong(text, from, "what begins here never ends"))
}

/// Past blanks and comments.
fn blank(text: &str, mut at: usize) -> Result<usize> {
    loop {
        let rest = text[at..].trim_start_matches([' ', '\t', '\r', '\n']);
        at = text.len() - rest.len();
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").ok_or_else(|| wrong(text, at, "this comment never ends"))?;
            at += end + 2;
        } else {
            return Ok(at);
        }
    }
}

fn wrong(text: &str, at: usize, what: &str) -> String {
    format!("line {}: {what}", text[..at.min(text.len())].matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry() -> Entry {
        vec![("command", json!("wherein")), ("args", json!(["mcp"]))]
    }

    /// Puts the entry in, checks that it is found and what the text became, and takes it out again.
    #[track_caller]
    fn check(before: &str, after: &str) {
        let with = insert(Some(before), "list", "wherein", &entry()).unwrap();
        assert_eq!(with, after);
        let found = find(&with, "list", "wherein").unwrap().unwrap();
        assert_eq!(Value::Object(found), json!({"command": "wherein", "args": ["mcp"]}));
        let without = remove(&with, "list", "wherein", &entry()).unwrap();
        assert_eq!(without.as_deref(), Some(before), "taken out again");
    }

    const LONG: &str =
        "\"wherein\": {\n      \"command\": \"wherein\",\n      \"args\": [\"mcp\"]\n    }";
    const SHORT: &str = "\"wherein\": {\"command\": \"wherein\", \"args\": [\"mcp\"]}";

    #[test]
    fn a_list_that_is_missing_is_made_and_goes_again() {
        check(
            "{\n  // mine\n  \"a\": 1\n}\n",
            &format!("{{\n  // mine\n  \"a\": 1,\n  \"list\": {{\n    {LONG}\n  }}\n}}\n"),
        );
        check("{\n}", &format!("{{\n  \"list\": {{\n    {LONG}\n  }}\n}}"));
        check("{}", &format!("{{\"list\": {{\n    {LONG}\n  }}}}"));
        check(
            "{\n  \"a\": {\"list\": 1}, // list\n}\n",
            &format!(
                "{{\n  \"a\": {{\"list\": 1}}, // list\n  \"list\": {{\n    {LONG}\n  }},\n}}\n"
            ),
        );
    }

    #[test]
    fn a_list_that_was_empty_stays() {
        check("{\n  \"list\": {}\n}\n", &format!("{{\n  \"list\": {{{SHORT}}}\n}}\n"));
        check("{\n  \"list\": { }\n}\n", &format!("{{\n  \"list\": {{ {SHORT} }}\n}}\n"));
        check("{\"list\":{\n}}", &format!("{{\"list\":{{\n    {SHORT}\n}}}}"));
        check(
            "{\n  \"list\": {\n    // none yet\n  }\n}\n",
            &format!("{{\n  \"list\": {{\n    {SHORT}\n    // none yet\n  }}\n}}\n"),
        );
    }

    #[test]
    fn others_of_the_list_keep_their_places_commas_and_comments() {
        check(
            "{\n  \"list\": {\n    \"b\": {\"x\": [1, \"}\"]} // last\n  }\n}\n",
            &format!(
                "{{\n  \"list\": {{\n    \"b\": {{\"x\": [1, \"}}\"]}}, // last\n    {LONG}\n  }}\n}}\n"
            ),
        );
        check(
            "{\n  \"list\": {\n    \"b\": {}, /* c */\n  },\n}\n",
            &format!("{{\n  \"list\": {{\n    \"b\": {{}}, /* c */\n    {LONG},\n  }},\n}}\n"),
        );
        check(
            "{\"list\": {\"b\": 1}, \"z\": 2}",
            &format!("{{\"list\": {{\"b\": 1, {}}}, \"z\": 2}}", LONG),
        );
    }

    #[test]
    fn line_ends_and_tabs_are_those_of_the_file() {
        check(
            "{\r\n\t\"a\": 1\r\n}\r\n",
            "{\r\n\t\"a\": 1,\r\n\t\"list\": {\r\n\t\t\"wherein\": {\r\n\t\t\t\"command\": \"wherein\",\r\n\t\t\t\"args\": [\"mcp\"]\r\n\t\t}\r\n\t}\r\n}\r\n",
        );
    }

    #[test]
    fn a_file_of_its_own_is_made_and_goes() {
        let made = insert(None, "list", "wherein", &entry()).unwrap();
        assert!(made.starts_with("{\n  \"list\": {\n    \"wherein\": {\n"), "{made}");
        assert_eq!(remove(&made, "list", "wherein", &entry()).unwrap(), None);
    }

    #[test]
    fn a_file_that_was_blank_is_blank_again() {
        for blank in ["", "\n", "\u{feff}"] {
            check(blank, &format!("{blank}{{\"list\": {{{SHORT}}}}}"));
        }
    }

    #[test]
    fn an_entry_is_read_whatever_stands_between_its_fields() {
        let text = "{\"list\": {\"wherein\": {\"command\": \"a\", /* b */ \"args\": [\"mcp\"],}}}";
        let found = find(text, "list", "wherein").unwrap().unwrap();
        assert_eq!(Value::Object(found), json!({"command": "a", "args": ["mcp"]}));
        assert_eq!(
            find("{\"list\": {\"wherein\": 3}}", "list", "wherein").unwrap(),
            Some(Map::new())
        );
    }

    #[test]
    fn what_users_changed_or_added_afterwards_stays() {
        let with = format!("{{\n  \"list\": {{\n    {LONG},\n    \"b\": 1\n  }}\n}}\n");
        let without = remove(&with, "list", "wherein", &entry()).unwrap().unwrap();
        assert_eq!(without, "{\n  \"list\": {\n    \"b\": 1\n  }\n}\n");
        let other = "{\n  \"list\": {\n    \"b\": 1\n  }\n}\n";
        assert_eq!(remove(other, "list", "wherein", &entry()).unwrap().as_deref(), Some(other));
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_line() {
        for (text, words) in [
            ("[]", "line 1: an object"),
            ("{\n  \"a\": }", "line 2: a value"),
            ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3: a name or"),
            ("{\"a\": \"x", "never ends"),
            ("{\"a\": [1", "never ends"),
            ("{ /* ", "comment never ends"),
            ("{\"list\": 3}", "an object should begin"),
            ("nonsense", "an object"),
        ] {
            let error = insert(Some(text), "list", "wherein", &entry()).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}

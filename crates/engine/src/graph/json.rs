//! Reads the JSON of package manifests and compiler settings, comments and trailing commas included.
//!
//! In: the text of a file. Out: a [`Value`], or nothing if the text is not to be read. Only what
//! import resolution asks for is kept: numbers, booleans and nulls are told apart from the rest no
//! further.

/// A value of a settings file. Members keep their order: conditions are tried in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Members in the order they stand.
    Object(Vec<(String, Value)>),
    /// A number, a boolean, or null.
    Other,
}

/// Settings nest a few levels; what nests deeper is no settings file.
const MOST_DEPTH: usize = 64;

impl Value {
    /// Reads a whole text.
    pub fn read(text: &str) -> Option<Value> {
        let mut reader = Reader { rest: text.trim_start_matches('\u{feff}') };
        reader.value(0)
    }

    /// The member called `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members().iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The members of an object; none of anything else.
    pub fn members(&self) -> &[(String, Value)] {
        match self {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of a list; none of anything else.
    pub fn items(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The text of a string.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a member that is a string.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::text)
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        self.space();
        match self.rest.chars().next()? {
            _ if depth > MOST_DEPTH => None,
            '{' => self.object(depth),
            '[' => self.list(depth),
            '"' => self.string().map(Value::Text),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        let mut members = Vec::new();
        self.rest = &self.rest[1..];
        loop {
            self.space();
            if self.take('}') {
                return Some(Value::Object(members));
            }
            let key = self.string()?;
            self.space();
            if !self.take(':') {
                return None;
            }
            members.push((key, self.value(depth + 1)?));
            self.space();
            self.take(',');
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        self.rest = &self.rest[1..];
        loop {
            self.space();
            if self.take(']') {
                return Some(Value::List(items));
            }
            items.push(self.value(depth + 1)?);
            self.space();
            self.take(',');
        }
    }

    fn string(&mut self) -> Option<String> {
        let mut chars = self.rest.strip_prefix('"')?.char_indices();
        let mut text = String::new();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 2..];
                    return Some(text);
                }
                '\\' => text.push(match chars.next()?.1 {
                    'n' => '\n',
                    't' => '\t',
                    // No path that is resolved is written in escapes of code points.
                    other => other,
                }),
                other => text.push(other),
            }
        }
        None
    }

    fn word(&mut self) -> Option<Value> {
        let end = self.rest.find([',', '}', ']', '\n', ' ', '\r', '/']).unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
        (end > 0).then_some(Value::Other)
    }

    fn take(&mut self, c: char) -> bool {
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn space(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if let Some(comment) = self.rest.strip_prefix("//") {
                self.rest = comment.find('\n').map_or("", |end| &comment[end..]);
            } else if let Some(comment) = self.rest.strip_prefix("/*") {
                self.rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
            } else {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_with_comments_and_trailing_commas() {
        let text =
            "\u{feff}{ // one\n \"a\": [\"x\", 1, true,], /* two */ \"b\": {\"c\": \"d\\\"e\",},}";
        let value = Value::read(text).unwrap();
        let list = value.get("a").unwrap().items();
        assert_eq!(list, [Value::Text("x".into()), Value::Other, Value::Other]);
        assert_eq!(value.get("b").unwrap().text_of("c"), Some("d\"e"));
    }

    #[test]
    fn what_is_no_settings_file_is_nothing() {
        for text in ["", "{", "{\"a\"", "[1", "\"a", "{a: 1}", &"[".repeat(500)] {
            assert_eq!(Value::read(text), None, "{text}");
        }
    }
}

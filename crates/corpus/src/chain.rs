//! An expression as a chain of names: `&self.io.lock()?.get(1)` → `self.io.lock()?.get()`.
//!
//! In: an expression as it is written. Out: the names in it, with what is done to each: `::` and `.`
//! between them, `()` for a call, `{}` for a literal, `[]` for an index, `?`; arguments, type
//! arguments and borrows are left out. What is more than that, an operator or a block, is no chain.

/// What is longer is not written out.
const LONGEST: usize = 120;

/// Calls that give what they are given, as far as its methods go.
const WRAPPERS: [&str; 7] =
    ["Arc::new", "Box::new", "Box::pin", "Ok", "Pin::new", "Rc::new", "Some"];

/// Macros that give what they are given, or what is inside of it.
const MACROS: [(&str, &str); 7] = [
    ("assert_ok", "?"),
    ("assert_ready", "?"),
    ("assert_ready_ok", "??"),
    ("dbg", ""),
    ("pin", ""),
    ("ready", "?"),
    ("try", "?"),
];

/// The chain of an expression; `None` if it is none.
pub fn chain(text: &str) -> Option<String> {
    let mut chain = String::new();
    let mut rest = borrowed(text);
    if let Some(inner) = rest.strip_prefix('(') {
        let (inside, after) = split_brackets(inner, '(', ')')?;
        chain.push_str(&self::chain(inside)?);
        rest = after;
    } else {
        rest = name(rest, &mut chain)?;
    }
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return (chain.len() <= LONGEST).then_some(chain);
        }
        rest = link(rest, &mut chain)?;
    }
}

/// What is borrowed or pointed at.
fn borrowed(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let bare = text.trim_start_matches(['&', '*']).trim_start();
        let bare = bare.strip_prefix("mut ").unwrap_or(bare).trim_start();
        if bare.len() == text.len() {
            return text;
        }
        text = bare;
    }
}

/// Takes a name off the text.
fn name<'t>(text: &'t str, chain: &mut String) -> Option<&'t str> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    const KEYWORDS: [&str; 11] =
        ["", "async", "if", "match", "loop", "move", "unsafe", "for", "while", "return", "break"];
    if KEYWORDS.contains(&name) {
        return None;
    }
    chain.push_str(name);
    Some(rest)
}

/// Takes what is done to the names before it off the text.
fn link<'t>(text: &'t str, chain: &mut String) -> Option<&'t str> {
    if let Some(rest) = text.strip_prefix("::") {
        if let Some(inner) = rest.trim_start().strip_prefix('<') {
            return Some(split_brackets(inner, '<', '>')?.1);
        }
        chain.push_str("::");
        return name(rest, chain);
    }
    if let Some(rest) = text.strip_prefix('.') {
        let rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("await") {
            return Some(after);
        }
        chain.push('.');
        return name(rest, chain);
    }
    if let Some(rest) = text.strip_prefix('(').filter(|_| WRAPPERS.contains(&chain.as_str())) {
        let (inside, after) = split_brackets(rest, '(', ')')?;
        *chain = self::chain(inside)?;
        return Some(after);
    }
    if let Some(rest) = text.strip_prefix("!(") {
        let (_, inner) = MACROS.iter().find(|(name, _)| *name == *chain)?;
        let (inside, after) = split_brackets(rest, '(', ')')?;
        *chain = self::chain(inside)? + inner;
        return Some(after);
    }
    for (open, close, done) in [('(', ')', "()"), ('[', ']', "[]"), ('{', '}', "{}")] {
        if let Some(inner) = text.strip_prefix(open) {
            chain.push_str(done);
            return Some(split_brackets(inner, open, close)?.1);
        }
    }
    let rest = text.strip_prefix('?')?;
    chain.push('?');
    Some(rest)
}

/// What stands before the bracket that closes, and what after it. Brackets in strings count too:
/// where they are not balanced the chain is lost, or ends early.
fn split_brackets(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let mut depth = 1usize;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        // The arrow of `Fn() -> T` closes nothing.
        if c == close && !(c == '>' && before == '-') {
            depth -= 1;
        } else if c == open {
            depth += 1;
        }
        if depth == 0 {
            return Some((&text[..at], &text[at + c.len_utf8()..]));
        }
        before = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_chains_of_names_or_nothing() {
        for (text, expected) in [
            ("self", Some("self")),
            ("&mut self.io", Some("self.io")),
            ("a::b::<u8>(1, (2))?.c.0", Some("a::b()?.c.0")),
            ("Foo { a: 1 }", Some("Foo{}")),
            ("foo(x)\n    .bar(|y| y + 1)\n    .await?", Some("foo().bar()?")),
            ("(*self.a).b[0]", Some("self.a.b[]")),
            ("Vec::<Box<dyn Fn() -> u8>>::new()", Some("Vec::new()")),
            ("Pin::new(&mut self.io).poll(cx)", Some("self.io.poll()")),
            ("Arc::new(Foo::new(1))", Some("Foo::new()")),
            ("ready!(self.rx.poll(cx)).len()", Some("self.rx.poll()?.len()")),
            ("a + b", None),
            ("if a { b } else { c }", None),
            ("\"text\"", None),
            ("vec![1]", None),
            ("a as u8", None),
            ("f(", None),
            ("", None),
        ] {
            assert_eq!(chain(text).as_deref(), expected, "{text}");
        }
    }
}

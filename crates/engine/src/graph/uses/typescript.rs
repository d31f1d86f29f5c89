//! TypeScript's types as they are written, taken apart as text.
//!
//! In: an annotation or a signature. Out: the one name whose members a value of it has, as a path. A
//! union of several types, an object or a function has no such name.

/// Types of the language that have the members of what they are given.
const SAME_MEMBERS: [&str; 9] = [
    "Awaited",
    "NonNullable",
    "Omit",
    "Partial",
    "Pick",
    "Promise",
    "Readonly",
    "Required",
    "ThisType",
];

/// The name of a type: `Promise<a.Foo<T> | undefined>` → `a.Foo`, `Foo['bar']` → `Foo.bar`.
pub fn named(text: &str) -> Option<String> {
    let mut parts = split(text, '|').into_iter().map(str::trim).filter(|it| !is_nothing(it));
    let (text, None) = (parts.next()?, parts.next()) else { return None };
    if let Some((head, rest)) = text.split_once('<') {
        let inside = rest.strip_suffix('>')?;
        return match SAME_MEMBERS.contains(&head.trim()) {
            true => named(split(inside, ',').first()?),
            false => path(head.trim()),
        };
    }
    match text.strip_suffix("']").and_then(|text| text.split_once("['")) {
        Some((of, member)) => Some(format!("{}.{}", named(of)?, path(member)?)),
        None => path(text),
    }
}

fn is_nothing(text: &str) -> bool {
    matches!(text, "" | "undefined" | "null" | "void" | "false") || text.starts_with(['\'', '"'])
}

fn path(text: &str) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    (!text.is_empty() && text.chars().all(plain)).then(|| text.to_owned())
}

/// The type a function says it gives.
pub fn returned(signature: &str) -> Option<String> {
    let after = signature.rsplit_once("):")?.1.trim();
    named(after.strip_suffix("=>").unwrap_or(after).trim_end())
}

/// The type of one of the parameters of a function.
pub fn parameter(signature: &str, place: usize) -> Option<String> {
    let inside = inside(signature)?;
    let parameter = split(inside, ',').get(place).copied()?;
    let (_, written) = split_once(parameter, ':')?;
    named(split_once(written, '=').map_or(written, |it| it.0).trim())
}

/// What stands between the parentheses of a function, whatever stands before them.
fn inside(signature: &str) -> Option<&str> {
    let start = split_once(signature, '(').map(|it| it.0.len() + 1)?;
    let rest = signature.get(start..)?;
    let (inside, _) = split_once(rest, ')')?;
    Some(inside)
}

/// The two sides of the first mark that is in no brackets.
fn split_once(text: &str, mark: char) -> Option<(&str, &str)> {
    let at = marks(text, mark).next()?;
    Some((&text[..at], &text[at + mark.len_utf8()..]))
}

/// Parts between marks that are in no brackets.
fn split(text: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for at in marks(text, mark) {
        parts.push(&text[start..at]);
        start = at + mark.len_utf8();
    }
    parts.push(&text[start..]);
    parts
}

/// Where marks stand that are in no brackets: one that opens or closes counts before it does so.
fn marks(text: &str, mark: char) -> impl Iterator<Item = usize> {
    let (mut depth, mut before) = (0usize, ' ');
    text.char_indices().filter_map(move |(at, c)| {
        let is_mark = c == mark && depth == 0;
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            // The arrow of a function's type closes nothing.
            '>' if before == '=' => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
        is_mark.then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_one_name_or_none() {
        for (text, expected) in [
            ("Foo", Some("Foo")),
            ("a.Foo<Bar, (x: A) => B>", Some("a.Foo")),
            ("Foo | undefined", Some("Foo")),
            ("null | Foo | 'auto'", Some("Foo")),
            ("Promise<Foo | null>", Some("Foo")),
            ("Partial<Readonly<Foo>>", Some("Foo")),
            ("Omit<Foo, 'a' | 'b'>", Some("Foo")),
            ("Foo['bar']", Some("Foo.bar")),
            ("Foo | Bar", None),
            ("() => Foo", None),
            ("{ a: Foo }", None),
            ("Foo[]", None),
            ("Foo<", None),
            ("", None),
        ] {
            assert_eq!(named(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_a_function_takes_and_gives_is_read_off_its_signature() {
        let signature = "export async function f<T extends (a: X) => Y>( a: Foo<A, B>, { b }: Bar = {}, c?: Baz | null, ...d ): Promise<Made | undefined>";
        assert_eq!(returned(signature).as_deref(), Some("Made"));
        let taken = |place| parameter(signature, place);
        assert_eq!(taken(0).as_deref(), Some("Foo"));
        assert_eq!(taken(1).as_deref(), Some("Bar"));
        assert_eq!(taken(2).as_deref(), Some("Baz"));
        assert_eq!((taken(3), taken(4)), (None, None));
        assert_eq!(returned("const f = (a: A): Foo =>").as_deref(), Some("Foo"));
        assert_eq!(returned("function f(a)"), None);
        assert_eq!(parameter("const x = 1", 0), None);
        assert_eq!(parameter("function f(", 0), None);
    }
}

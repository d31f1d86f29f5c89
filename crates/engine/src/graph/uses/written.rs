//! Rust's types as they are written, taken apart as text.

/// A named type and its arguments: `a::Foo<'_, u8>` → `a::Foo` and `'_, u8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type<'t> {
    pub head: &'t str,
    pub arguments: &'t str,
}

/// Pointers of the language that are what they point at, as far as methods go.
const POINTERS: [&str; 13] = [
    "Arc",
    "Box",
    "Cow",
    "LazyLock",
    "ManuallyDrop",
    "MutexGuard",
    "OnceLock",
    "Pin",
    "Rc",
    "Ref",
    "RefMut",
    "RwLockReadGuard",
    "RwLockWriteGuard",
];

/// Types of the language that hold one thing until it is locked or borrowed.
const LOCKS: [&str; 6] = ["Cell", "LazyCell", "Mutex", "RefCell", "RwLock", "UnsafeCell"];

/// The types a text names, of bounds each: `&'a mut dyn Foo + Send` → `Foo`, `Send`.
pub fn types(text: &str) -> Vec<Type<'_>> {
    let parts = split(bare(text), '+').into_iter();
    let held = parts.filter(|it| !it.trim_start().starts_with('?'));
    held.map(bare).filter(|it| is_named(it)).map(named).collect()
}

fn is_named(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn named(text: &str) -> Type<'_> {
    match text.split_once('<') {
        Some((head, rest)) => {
            let arguments = rest.trim_end().strip_suffix('>').unwrap_or(rest);
            Type { head: head.trim().trim_end_matches("::"), arguments }
        }
        None => Type { head: text.trim(), arguments: "" },
    }
}

/// A type without what is written before it: borrows, lifetimes, `dyn`, `impl`, the colon of bounds.
fn bare(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let before = text.len();
        text = text.trim_start_matches([':', '&', ' ']);
        for word in ["mut ", "dyn ", "impl ", "*const ", "*mut ", "const "] {
            text = text.strip_prefix(word).unwrap_or(text);
        }
        if text.starts_with('\'') {
            let end = text.find([' ', '+', ',']).unwrap_or(text.len());
            text = text[end..].trim_start();
        }
        if let Some(inside) = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'))
            && split(inside, ',').len() == 1
            && !inside.is_empty()
        {
            text = inside;
        }
        if text.len() == before {
            return text;
        }
    }
}

/// What is inside of a result, an option or a future; anything else is what it is.
pub fn inner(text: &str) -> &str {
    let whole = bare(text);
    let Type { head, arguments } = named(whole);
    match last(head) {
        "Result" | "Option" | "Poll" | "LockResult" => argument(arguments, 0).unwrap_or(text),
        _ => text,
    }
}

/// What is behind a lock, in a list or an option, once one has it.
pub fn behind_lock(text: &str) -> &str {
    let mut found = text;
    loop {
        let Type { head, arguments } = named(bare(found));
        let next = match last(head) {
            name if LOCKS.contains(&name) => argument(arguments, 0),
            _ => pointee(head, arguments),
        };
        match next {
            Some(next) if next.len() < found.len() => found = next,
            _ => return found,
        }
    }
}

/// What a list is made of, and a map is of.
pub fn element(text: &str) -> Option<&str> {
    let text = behind_lock(text);
    let text = bare(text);
    if let Some(inside) = text.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        return inside.split(';').next();
    }
    let Type { head, arguments } = named(text);
    match last(head) {
        "Vec" | "VecDeque" | "Option" | "BTreeSet" | "HashSet" | "Slab" => argument(arguments, 0),
        "HashMap" | "BTreeMap" => argument(arguments, 1),
        _ => None,
    }
}

/// What a pointer of the language points at.
pub fn pointee<'t>(head: &str, arguments: &'t str) -> Option<&'t str> {
    let mut arguments = split(arguments, ',').into_iter().map(str::trim);
    let is_pointer = POINTERS.contains(&last(head));
    arguments.rfind(|it| is_pointer && !it.starts_with('\''))
}

/// One of the members of a tuple.
pub fn part(text: &str, place: usize) -> Option<&str> {
    let inside = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    split(inside, ',').get(place).map(|it| it.trim())
}

/// One of a type's arguments, lifetimes not counted.
pub fn argument(arguments: &str, place: usize) -> Option<&str> {
    let each = split(arguments, ',').into_iter().map(str::trim);
    each.filter(|it| !it.starts_with('\'') && !it.is_empty()).nth(place)
}

/// Which of the parameters a signature declares is called so: `struct Foo<'a, T: Send>`.
pub fn parameter(signature: &str, name: &str) -> Option<usize> {
    let (_, rest) = signature.split_once('<')?;
    let names = split(rest, ',').into_iter().map(|it| it.trim().trim_start_matches("const "));
    let mut names = names.filter(|it| !it.starts_with('\''));
    names.position(|it| it.split([':', '>', '=', ' ']).next() == Some(name))
}

/// What a function says it gives, of a future what it will.
pub fn returned(signature: &str) -> Option<&str> {
    let (_, after) = signature.rsplit_once("->")?;
    let text = after.split(" where ").next().unwrap_or(after).trim();
    let future = text
        .strip_prefix("impl Future<Output =")
        .or_else(|| text.strip_prefix("impl Future<Output="));
    Some(match future {
        Some(rest) => rest.rsplit_once('>').map_or(rest, |(inside, _)| inside).trim(),
        None => text,
    })
}

/// The type that a field, constant or static is declared with.
pub fn declared(signature: &str) -> Option<&str> {
    let (before, after) = signature.split_once(':')?;
    // The path of `pub(in a::b)` is no type.
    let after = if before.contains("(in ") {
        signature.rsplit_once(") ")?.1.split_once(':')?.1
    } else {
        after
    };
    let text = after.split(" = ").next().unwrap_or(after);
    Some(text.trim().trim_end_matches([',', ';']))
}

/// Whether a name looks like a type parameter's.
pub fn is_parameter(name: &str) -> bool {
    name.len() <= 2 && name.starts_with(char::is_uppercase) || name == "Self"
}

/// The last name of a path.
pub fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or_default().trim()
}

/// Parts between marks that are in no brackets.
fn split(text: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut before) = (Vec::new(), 0usize, 0, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if c == mark && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
        before = c;
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_under_all_that_stands_before_them() {
        for (text, expected) in [
            ("Foo", "Foo"),
            ("&'a mut Foo<'_, T>", "Foo"),
            (": a::Foo<Bar + Baz> + Send + 'static + ?Sized", "a::Foo,Send"),
            ("Box<dyn Foo>", "Box"),
            ("&(dyn Foo + Send)", "Foo,Send"),
            ("*const Foo", "Foo"),
            ("(A, B)", ""),
            ("[u8; 4]", ""),
        ] {
            let heads: Vec<&str> = types(text).iter().map(|it| it.head).collect();
            assert_eq!(heads.join(","), expected, "{text}");
        }
    }

    #[test]
    fn what_is_inside_of_a_type_is_taken_out() {
        assert_eq!(inner("io::Result<Vec<Foo>>"), "Vec<Foo>");
        assert_eq!(inner("Foo<Bar>"), "Foo<Bar>");
        assert_eq!(behind_lock("Arc<std::sync::Mutex<Foo>>"), "Foo");
        assert_eq!(element("&mut Vec<Foo<T>>"), Some("Foo<T>"));
        assert_eq!(element("[Foo; 3]"), Some("Foo"));
        assert_eq!(element("HashMap<Key, Foo>"), Some("Foo"));
        assert_eq!(element("Foo"), None);
        assert_eq!(pointee("std::cell::Ref", "'a, Foo"), Some("Foo"));
        assert_eq!(part("(Sender<T>, Receiver<T, 1>)", 1), Some("Receiver<T, 1>"));
        assert_eq!(argument("'a, Foo<A, B>, Bar", 1), Some("Bar"));
        assert_eq!(parameter("pub struct Guard<'a, K: A<B, C>, T>", "T"), Some(1));
        assert_eq!(parameter("pub struct Guard", "T"), None);
    }

    #[test]
    fn what_a_signature_says_is_read() {
        for (signature, expected) in [
            ("pub fn f(a: u8) -> Foo<T> where T: Send", Some("Foo<T>")),
            ("fn f(g: impl Fn() -> u8) -> io::Result<Foo>", Some("io::Result<Foo>")),
            ("fn f() -> impl Future<Output = Option<Foo>> + Send", Some("Option<Foo>")),
            ("fn f()", None),
        ] {
            assert_eq!(returned(signature), expected, "{signature}");
        }
        assert_eq!(declared("pub(crate) at: Arc<Foo>,"), Some("Arc<Foo>"));
        assert_eq!(declared("static X: Foo = Foo::new();"), Some("Foo"));
        assert_eq!(declared("pub(in crate::a) at: Foo"), Some("Foo"));
        assert_eq!(declared("fn"), None);
    }
}

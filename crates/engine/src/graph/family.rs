//! Languages that see each other's names, and how names are seen in them.

/// Languages whose files use each other's symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Python.
    Python,
    /// JavaScript, TypeScript and components made of them.
    Node,
    /// Go.
    Go,
    /// Rust.
    Rust,
    /// Java, Kotlin, Scala.
    Jvm,
    /// C and C++.
    C,
    /// C#.
    DotNet,
    /// PHP.
    Php,
    /// Ruby.
    Ruby,
    /// Prose, which may mention anything.
    Prose,
    /// A language on its own, told apart by its number in the table of languages.
    Other(u8),
}

impl Family {
    /// The family of a language.
    pub fn of(language: &str) -> Family {
        match language {
            "python" => Family::Python,
            "javascript" | "typescript" | "tsx" | "vue" | "svelte" => Family::Node,
            "go" => Family::Go,
            "rust" => Family::Rust,
            "java" | "kotlin" | "scala" => Family::Jvm,
            "c" | "cpp" => Family::C,
            "csharp" => Family::DotNet,
            "php" => Family::Php,
            "ruby" => Family::Ruby,
            "markdown" | "rst" | "asciidoc" | "text" => Family::Prose,
            other => {
                let all = wherein_corpus::Language::all();
                Family::Other(all.iter().position(|it| it.name == other).unwrap_or(0) as u8)
            }
        }
    }

    /// Whether a bare name that is neither defined around nor imported can mean nothing elsewhere.
    pub fn is_closed(self) -> bool {
        matches!(self, Family::Python | Family::Node | Family::Go | Family::Rust | Family::Jvm)
    }

    /// Whether a method sees the members of its class without saying whose they are.
    pub fn has_implicit_self(self) -> bool {
        !matches!(self, Family::Python | Family::Node | Family::Go | Family::Rust | Family::Php)
    }

    /// Whether files of one package see each other's names.
    pub fn shares_packages(self) -> bool {
        matches!(self, Family::Go | Family::Jvm | Family::DotNet | Family::Php)
    }

    /// Whether a name belongs to the language's own types, so that it says nothing where the type
    /// of what stands before it is not known.
    pub fn is_common(self, name: &str) -> bool {
        let names: &[&str] = match self {
            Family::Python => &PYTHON,
            Family::Node => &NODE,
            Family::Go => &GO,
            Family::Rust => &RUST,
            Family::Jvm | Family::DotNet => &JVM,
            Family::Ruby => &RUBY,
            _ => &[],
        };
        names.binary_search(&name).is_ok()
    }
}

/// Methods of Python's strings, lists, dictionaries, sets and files.
#[rustfmt::skip]
const PYTHON: [&str; 71] = [
    "add", "append", "as_posix", "capitalize", "clear", "close", "copy", "count", "debug", "decode", "discard",
    "encode", "endswith", "error", "exception", "exists", "extend", "find", "flush", "format", "get", "group",
    "groups", "index", "info", "insert", "is_dir", "is_file", "isdigit", "isoformat", "items", "join", "keys",
    "lower", "lstrip", "match", "mkdir", "open", "partition", "pop", "popitem", "put", "read", "readline",
    "readlines", "remove", "replace", "reverse", "rsplit", "rstrip", "search", "seek", "set", "setdefault",
    "sort", "split", "splitlines", "start", "startswith", "strftime", "strip", "sub", "tell", "title",
    "union", "update", "upper", "values", "warning", "write", "zfill",
];

/// Methods of JavaScript's arrays, strings, maps, promises, answers and nodes.
#[rustfmt::skip]
const NODE: [&str; 67] = [
    "add", "addEventListener", "append", "apply", "assign", "at", "bind", "call", "catch", "charAt", "clear",
    "click", "close", "concat", "delete", "emit", "end", "endsWith", "entries", "error", "every", "exec", "fill",
    "filter", "finally", "find", "findIndex", "flat", "flatMap", "forEach", "get", "has", "hasOwnProperty",
    "includes", "indexOf", "info", "join", "json", "keys", "log", "map", "match", "next", "on", "once", "pop",
    "push", "reduce", "replace", "reverse", "set", "shift", "slice", "some", "sort", "splice", "split",
    "startsWith", "test", "text", "then", "toLowerCase", "toString", "trim", "values", "warn", "write",
];

/// Methods that most Go types have.
#[rustfmt::skip]
const GO: [&str; 14] = [
    "Add", "Close", "Done", "Error", "Fatal", "Len", "Lock", "Read", "Run", "String", "Unlock", "Unwrap", "Wait",
    "Write",
];

/// Methods of Rust's options, results, iterators, collections and strings.
#[rustfmt::skip]
const RUST: [&str; 71] = [
    "all", "and_then", "any", "as_bytes", "as_deref", "as_mut", "as_ref", "as_str", "chain", "clone", "cloned",
    "cmp", "collect", "contains", "contains_key", "context", "copied", "count", "default", "drain", "entry",
    "enumerate", "eq", "expect", "extend", "filter", "filter_map", "find", "first", "flat_map", "fold", "from",
    "get", "get_mut", "get_or_insert_with", "insert", "into", "into_iter", "is_empty", "is_none", "is_some",
    "iter", "iter_mut", "join", "keys", "last", "len", "lock", "map", "map_err", "max", "min", "next", "ok",
    "or_else", "parse", "pop", "push", "push_str", "read", "remove", "replace", "send", "sort", "split", "take",
    "to_owned", "to_string", "unwrap", "write", "zip",
];

/// Methods of the objects, strings and collections of Java and its relatives.
#[rustfmt::skip]
const JVM: [&str; 48] = [
    "add", "addAll", "append", "apply", "build", "clear", "close", "collect", "compareTo", "contains",
    "containsKey", "count", "equals", "filter", "find", "first", "flatMap", "forEach", "format", "get", "getClass",
    "getMessage", "getName", "hashCode", "indexOf", "isEmpty", "iterator", "join", "keySet", "last", "length",
    "map", "name", "of", "orElse", "println", "put", "read", "remove", "replace", "set", "size", "split", "stream",
    "substring", "toString", "trim", "write",
];

/// Methods of Ruby's collections and strings.
#[rustfmt::skip]
const RUBY: [&str; 36] = [
    "add", "all", "any?", "call", "class", "close", "collect", "count", "delete", "each", "empty?", "find",
    "first", "freeze", "get", "include?", "inject", "is_a?", "join", "key?", "keys", "last", "length", "map",
    "merge", "new", "nil?", "push", "reject", "select", "send", "size", "split", "to_s", "to_sym", "values",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_common_names_are_sorted() {
        for names in [&PYTHON[..], &NODE, &GO, &RUST, &JVM, &RUBY] {
            assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        }
        assert!(Family::Python.is_common("append") && !Family::Go.is_common("append"));
        assert_eq!(Family::of("tsx"), Family::of("javascript"));
        assert_ne!(Family::of("lua"), Family::of("zig"));
    }
}

//! Which files and symbols are tests, by the conventions of their languages.

use wherein_corpus::{Symbol, SymbolKind};

use crate::graph::tree::{folder_of, name_of, stem_of};

/// Whether a file holds tests, by its path.
pub fn is_test_path(path: &str) -> bool {
    let folders = folder_of(path).split('/');
    let among = folders.into_iter().any(|folder| {
        matches!(
            folder,
            "test" | "tests" | "__tests__" | "spec" | "specs" | "testing" | "e2e" | "testdata"
        )
    });
    let stem = stem_of(path);
    let (lower, name) = (stem.to_ascii_lowercase(), name_of(path));
    let inner = stem.rsplit_once('.').map_or("", |(_, inner)| inner);
    among
        || lower.starts_with("test_")
        || lower.ends_with("_test")
        || lower.ends_with("_spec")
        || matches!(inner, "test" | "spec")
        || matches!(lower.as_str(), "test" | "tests" | "conftest")
        || (stem.ends_with("Test") || stem.ends_with("Tests") || stem.ends_with("Spec"))
            && name.contains('.')
}

/// Whether a symbol of a test file is a test itself, not a part of one or a helper.
pub fn is_test(kind: SymbolKind, name: &str) -> bool {
    let function = matches!(kind, SymbolKind::Function | SymbolKind::Method);
    kind == SymbolKind::Test || function && (name.starts_with("test") || name.starts_with("Test"))
}

/// Whether a symbol is, or stands in, a scope that holds the tests of the code around it.
pub fn is_among_tests(symbol: &Symbol) -> bool {
    let is_tests = |name: &str| matches!(name, "tests" | "test" | "Tests" | "Test");
    let mut around = symbol.scope.split(|c: char| !c.is_alphanumeric() && c != '_');
    symbol.kind == SymbolKind::Module && is_tests(&symbol.name) || around.any(is_tests)
}

#[cfg(test)]
mod tests {
    use wherein_corpus::{ChunkSize, Language, Lines, parse};

    use super::*;

    #[test]
    fn tests_are_told_by_their_paths() {
        for (path, expected) in [
            ("tests/a.py", true),
            ("src/test_a.py", true),
            ("a/b_test.go", true),
            ("src/a.spec.ts", true),
            ("src/AppTest.java", true),
            ("src/contest.py", false),
            ("src/latest.rs", false),
            ("packages/x/__tests__/y.js", true),
            ("lib/attestation.rb", false),
        ] {
            assert_eq!(is_test_path(path), expected, "{path}");
        }
        assert!(is_test(SymbolKind::Method, "test_x") && !is_test(SymbolKind::Class, "TestX"));
    }

    #[test]
    fn tests_beside_what_they_test_are_told_by_their_scope() {
        let source =
            "fn read() {}\nmod tests {\n    fn reads() {}\n}\nmod contest {\n    fn won() {}\n}\n";
        let rust = Language::named("rust").unwrap();
        let symbols = parse(&Lines::of(source), rust, ChunkSize::default()).symbols;
        let tests = symbols.iter().filter(|it| is_among_tests(it)).map(|it| it.name.as_str());
        assert_eq!(tests.collect::<Vec<_>>(), ["tests", "reads"]);
    }
}

//! What a piece of code must stand in to be read as what it is.
//!
//! `foo(x)` alone is no C program. Each language has a few wrappings, tried in their order; the first
//! in which the whole parses is taken, and the piece is cut out of it again.

/// Text in front of a piece of code, and behind it.
pub type Wrapping = (&'static str, &'static str);

/// The wrappings of a language, the likeliest first.
pub fn of(language: &str) -> &'static [Wrapping] {
    match language {
        "c" => {
            &[("void f() {\n", ";\n}"), ("void f() {\n", "\n}"), BARE, ("struct s {\n", ";\n};")]
        }
        "cpp" => &[
            ("void f() {\n", ";\n}"),
            ("void f() {\n", "\n}"),
            BARE,
            ("class C {\n", "\n};"),
            ("class C {\n", ";\n};"),
        ],
        "csharp" | "java" => &[
            ("class C {\nvoid f() {\n", ";\n}\n}"),
            ("class C {\nvoid f() {\n", "\n}\n}"),
            ("class C {\n", "\n}"),
            ("class C {\n", ";\n}"),
            ("class C {\n", "\nvoid f() {}\n}"),
            BARE,
        ],
        "go" => &[("package p\nfunc f() {\n", "\n}"), ("package p\n", "\n"), BARE],
        "rust" => &[
            BARE,
            ("fn f() {\n", ";\n}"),
            ("fn f() {\n", "\n}"),
            ("impl T {\n", "\n}"),
            ("trait T {\n", ";\n}"),
            ("struct S {\n", "\n}"),
            ("fn f() { match x {\n", "\n} }"),
        ],
        "javascript" | "typescript" | "tsx" => &[
            BARE,
            ("class C {\n", "\n}"),
            ("async function f() {\n", "\n}"),
            ("x = {\n", "\n}"),
            ("interface I {\n", "\n}"),
            ("", "\nclass C {}"),
            ("class C {\n", "\nf() {}\n}"),
        ],
        "php" => &[
            ("<?php\n", ";\n"),
            ("<?php\n", "\n"),
            ("<?php\nclass C {\n", "\n}"),
            ("<?php\nclass C {\n", ";\n}"),
            ("<?php\n", "\nclass C {}"),
        ],
        "python" => &[
            BARE,
            ("def f():\n ", "\n"),
            ("f(\n", "\n)"),
            ("try:\n pass\n", "\n"),
            ("", "\ndef f(): pass\n"),
        ],
        "kotlin" | "scala" | "swift" | "dart" => &[
            BARE,
            ("fun f() {\n", "\n}"),
            ("void f() {\n", ";\n}"),
            ("class C {\n", "\n}"),
            ("", "\nclass C {}"),
        ],
        "zig" => &[BARE, ("fn f() void {\n", "\n}"), ("fn f() void {\n", ";\n}")],
        "ruby" => &[BARE, ("class C\n", "\nend")],
        "css" | "scss" => &[BARE, ("a {\n", ";\n}")],
        "json" => &[BARE, ("{\n", "\n}")],
        "sql" => &[BARE, ("", ";")],
        _ => &[BARE],
    }
}

/// What stands between the two names of a parameter's declaration, where a name alone is none.
pub fn declaration(language: &str) -> Option<&'static str> {
    match language {
        "c" | "cpp" | "csharp" | "dart" | "java" => Some(" "),
        "php" => Some(" $"),
        "kotlin" | "rust" | "scala" | "swift" | "zig" => Some(": "),
        _ => None,
    }
}

const BARE: Wrapping = ("", "");

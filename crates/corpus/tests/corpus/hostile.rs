//! Texts made to bring a parser down: too deep, too long, too many, or empty of all that counts.
//!
//! A crash of a grammar takes the process with it, so what is checked first is that the test
//! returns at all.

use wherein_corpus::{ChunkSize, Language, Lines, Parsed, parse};

use crate::coverage;

const MANY: usize = 200_000;

/// Reads a text as each of some languages and checks what holds of every parse.
#[track_caller]
fn check(languages: &[&str], text: &str) {
    for language in languages {
        let language = Language::named(language).unwrap();
        coverage::check(text, language, ChunkSize::default().limit).unwrap();
    }
}

/// Reads a text that its grammar must be kept away from, or stopped at.
#[track_caller]
fn check_plain(language: &str, text: &str) {
    check(&[language], text);
    let Parsed { note, symbols, .. } =
        parse(&Lines::of(text), Language::named(language).unwrap(), ChunkSize::default());
    assert!(note.is_some() && symbols.is_empty(), "{language}: {note:?}");
}

#[test]
fn brackets_without_end_are_read() {
    for bracket in ["(", "[", "{"] {
        check(&["go", "json", "python", "rust", "markdown"], &bracket.repeat(MANY));
    }
    check(&["java", "javascript", "vue"], &"([{".repeat(MANY / 3));
}

#[test]
fn brackets_that_all_close_are_read() {
    for (open, close) in [("[", "]"), ("{", "}")] {
        let text = format!("{}{}", open.repeat(MANY / 2), close.repeat(MANY / 2));
        check(&["json", "rust", "scss"], &text);
    }
}

#[test]
fn a_line_of_a_megabyte_is_one_chunk() {
    let line = "a ".repeat(500_000);
    check(&["json", "toml", "markdown", "rst", "svelte", "text"], &line);
    let parsed = parse(&Lines::of(&line), Language::named("toml").unwrap(), ChunkSize::default());
    assert_eq!(parsed.chunks.len(), 1);
}

#[test]
fn texts_without_words_have_no_chunks() {
    for text in ["", "\r", "\n", " ", "\t\r\n \u{c}", &"\n".repeat(MANY), &"\r".repeat(MANY)] {
        for language in Language::all() {
            let parsed = parse(&Lines::of(text), language, ChunkSize::default());
            assert_eq!(parsed.chunks, [], "{language:?}");
            assert_eq!(parsed.symbols, [], "{language:?}");
        }
    }
}

#[test]
fn what_stands_between_a_doc_and_its_definition_may_go_on() {
    let between =
        |first: &str, line: &str, last: &str| first.to_owned() + &line.repeat(20_000) + last;
    check(&["haskell"], &between("f :: Int\n", "{- c -}\n", "f = 1\n"));
    check(&["c"], &between("struct a { b\n", "const\n", "d; };\n"));
    check(&["elixir"], &between("@doc \"a\"\n", "# c\n", "def a, do: 1\n"));
}

/// The scanner of these saves what is open in a buffer of its own and does not look at its end.
#[test]
fn nesting_beyond_a_scanners_room_is_read_as_plain_text() {
    let deeper = |line: &str| -> String {
        (0..600).map(|depth| format!("{}{line}\n", " ".repeat(depth))).collect()
    };
    check_plain("yaml", &deeper("a:"));
    check_plain("yaml", &"- ".repeat(300));
    check_plain("yaml", &"? ".repeat(300));
    check_plain("python", &(deeper("if a:") + &" ".repeat(600) + "f\"{a}\"\n"));
    check_plain("ruby", &format!("a {}<<BBBB\n", "<<AAA, ".repeat(145)));
    check_plain("ruby", &format!("a <<{0}\n{0}\n", "A".repeat(1200)));
    check_plain("ruby", &format!("a <<{0}\n{0}\n", "A".repeat(300)));
    check_plain("ruby", &format!("a <<\"\n{}\"\nb\n", "A\n".repeat(150)));
    let nested = |open: &str| (0..300).map(|n| format!("{open}<<EOS{n}\n")).collect::<String>();
    check_plain("ruby", &nested("#{"));
    check_plain("ruby", &nested("#{\n"));
    check_plain("ruby", &nested("#{b \"c\", ~"));
}

#[test]
fn nesting_that_people_write_is_not_beyond_any_room() {
    let deeper = |line: &str| -> String {
        (0..100).map(|depth| format!("{}{line}\n", " ".repeat(depth))).collect()
    };
    for (language, text) in [
        ("yaml", deeper("a:")),
        ("yaml", "- ".repeat(100)),
        ("python", deeper("if a:")),
        ("ruby", "a = <<A\nA\n".repeat(1000)),
        ("html", "<p><br></p>\n".repeat(10_000)),
    ] {
        let language = Language::named(language).unwrap();
        let parsed = parse(&Lines::of(&text), language, ChunkSize::default());
        assert_eq!(parsed.note, None, "{language:?}");
    }
}

/// These look for the end of what each bracket or tag opens, from every one of them.
#[test]
fn a_scanner_that_reads_on_and_on_is_stopped() {
    check_plain("dart", &"[".repeat(MANY));
    check_plain("lua", &"[".repeat(MANY));
    check_plain("html", &"<a>".repeat(MANY));
}

#[test]
fn a_character_outside_a_scanners_table_is_read() {
    check(&["bash"], "echo {\u{f31d1}\necho {😀..3}\n");
    let text = "größe() {\n  echo {😀,漢}\n}\n";
    let parsed = parse(&Lines::of(text), Language::named("bash").unwrap(), ChunkSize::default());
    assert_eq!(parsed.symbols[0].name, "größe");
}

#[test]
fn long_lists_and_long_chains_are_gone_through_once() {
    check(&["html"], &format!("<a {}>", "id=\"a\" ".repeat(10_000)));
    check(&["elixir"], &"@a ".repeat(10_000));
    check(&["javascript", "java"], &"a.".repeat(20_000));
}

/// What repeats the names around it must not grow with the square of the text.
#[test]
fn deep_and_long_names_are_cut() {
    let nested = format!("{}{}", "mod name {".repeat(5_000), "}".repeat(5_000));
    let long = format!("# {}\n{}", "word ".repeat(50_000), "## b\n".repeat(5_000));
    for (language, text) in [("rust", nested), ("markdown", long)] {
        let language = Language::named(language).unwrap();
        let parsed = parse(&Lines::of(&text), language, ChunkSize::default());
        assert!(parsed.symbols.len() >= 5_000, "{language:?}");
        for symbol in parsed.symbols {
            assert!(symbol.name.len() <= 160, "{}", symbol.name);
            assert!(symbol.scope.len() <= 480, "{}", symbol.scope);
            assert!(symbol.signature.len() <= 240, "{}", symbol.signature);
        }
    }
}

#[test]
fn a_component_of_nothing_but_blocks_is_read() {
    check(&["vue"], &"<script>a()</script>\n".repeat(20_000));
    check(&["svelte"], &"<script ".repeat(100_000));
    check(&["vue"], &"<style lang=none></style>\n".repeat(20_000));
}

#[test]
fn headings_without_end_are_read() {
    check(&["markdown"], &"# a\n## b\n".repeat(20_000));
    check(&["rst"], &"abc\n===\ndef\n---\n".repeat(10_000));
    check(&["asciidoc"], &"= a\n\nbcde\n----\n\n".repeat(10_000));
}

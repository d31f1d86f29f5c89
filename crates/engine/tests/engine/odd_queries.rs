//! No text is a syntax error: whatever is pasted is looked for, as far as there are words in it.

use wherein_engine::Error;
use wherein_engine::search::query::{Mode, Query};

use crate::project::{Project, search};

#[test]
fn text_without_words_is_an_empty_query() {
    let project = Project::indexed();
    for text in ["", " ", "\n\t", "?!", "*", "()", "\"", "::", "🦀", "\0", "—", "\u{200b}", "_"]
    {
        let answer = search(&project.snapshot(), &Query::new(text));
        assert!(matches!(answer, Err(Error::EmptyQuery)), "{text:?}: {answer:?}");
    }
}

/// Every text here holds the name of a function of the sample among other things.
#[test]
fn odd_text_is_looked_for_like_any_other() {
    let project = Project::indexed();
    let long = format!("{} evict_oldest", "let filler_word = another(word, 42);\n".repeat(2800));
    let distinct: String = (0..6000).map(|n| format!("word{n} ")).collect();
    let texts = [
        "evict_oldest",
        "evict_oldest AND (b",
        "evict_oldest OR",
        "NOT evict_oldest",
        "+evict_oldest --pages -p",
        "body:evict_oldest^2~1",
        "field:evict_oldest",
        "evict_oldest*",
        "\"evict_oldest",
        "'evict_oldest\" `",
        "[evict_oldest TO z}",
        "/evict_oldest(/",
        "evict_oldest\\",
        "\0evict_oldest\0",
        "🦀 evict_oldest 🦀",
        "evictOldest",
        "EVICT-OLDEST",
        "  at evict_oldest (src/cache.rs:4:1)\n  at main",
        "pub fn evict_oldest(pages: &mut Vec<u32>) -> Option<u32> {",
        "\u{202e}evict_oldest\u{feff}",
        "evict_oldest\r\n\r\n\x1b[31m",
        &long,
        &format!("{distinct} evict_oldest"),
        &format!("{} evict_oldest", "x".repeat(100_000)),
        &format!("{} evict_oldest", "aB1_".repeat(25_000)),
        &format!("{} evict_oldest", "木".repeat(30_000)),
        &format!("{} evict_oldest", "a-".repeat(50_000)),
    ];
    for text in texts {
        let query = Query { explain: true, ..Query::new(text) };
        let answer = search(&project.snapshot(), &query).unwrap();
        let start: String = text.chars().take(60).collect();
        assert!(answer.hits.iter().any(|hit| hit.path == "src/cache.rs"), "{start:?}");
        assert_eq!(answer.query, text);
    }
}

#[test]
fn any_limit_is_a_limit() {
    let project = Project::indexed();
    for limit in [1, 2, 1_000_000, usize::MAX / 20, usize::MAX] {
        let query = Query { limit, max_per_file: usize::MAX, ..Query::new("upload") };
        let hits = search(&project.snapshot(), &query).unwrap().hits;
        assert!(!hits.is_empty() && hits.len() <= limit, "{limit}: {} hits", hits.len());
    }
}

#[test]
fn without_a_model_words_answer_and_say_so() {
    let project = Project::indexed();
    let ask = |mode| search(&project.snapshot(), &Query { mode, ..Query::new("upload") });
    let [by_words, both] = [Mode::Lexical, Mode::Hybrid].map(|mode| ask(mode).unwrap());
    assert_eq!((by_words.dense_off_because, &by_words.hits), (None, &both.hits));
    assert_eq!(both.dense_off_because.as_deref(), Some("words are enough here"));
    let error = ask(Mode::Dense).unwrap_err();
    assert!(matches!(&error, Error::NoModel(why) if why == "words are enough here"), "{error}");
}

//! What a question costs once an index is open: `cargo run --release --example search_speed -- ROOT INDEX`.
//!
//! Asks the kinds of questions of `crates/serve/benches/load` of an index that is there and encoded, each
//! kind by itself, so that a profile or a figure tells which of them a change is about. CPU time, for
//! clocks lie on busy machines; of all threads, for several answer one question.

mod clock;

use std::error::Error;
use std::path::Path;

use wherein_encoder::Model;
use wherein_engine::search::query::{Fusion, Mode, Query, Scope};
use wherein_engine::{Meaning, Snapshot, Store, search};

use clock::cpu_seconds;

const WORDS: [&str; 13] = [
    "migration",
    "password",
    "queryset",
    "request",
    "template",
    "session",
    "cache",
    "form",
    "model",
    "signal",
    "transaction",
    "upload",
    "cookie",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(root), Some(index)) = (arguments.next(), arguments.next()) else {
        return Err("name a tree and the folder of its index".into());
    };
    let rounds: usize = arguments.next().map_or(Ok(60), |it| it.parse())?;
    let snapshot =
        Snapshot::open(&Store::at(Path::new(&index)).tree(&Path::new(&root).canonicalize()?))?;
    let (model, go_on) = (Model::built_in(), || true);
    let meaning = Meaning::On { model: &model, go_on: &go_on };
    let mut all = 0.0;
    for (kind, _) in kinds("", "").iter().enumerate() {
        let started = cpu_seconds();
        for round in 0..rounds {
            let (a, b) = (WORDS[round % WORDS.len()], WORDS[(round * 7 + kind) % WORDS.len()]);
            search(&snapshot, &meaning, &kinds(a, b)[kind].1)?;
        }
        let each = (cpu_seconds() - started) * 1e3 / rounds as f64;
        println!("{each:6.2} ms of CPU a question: {}", kinds("a", "b")[kind].0);
        all += each;
    }
    println!("{:6.2} ms of CPU a question in the mean", all / kinds("", "").len() as f64);
    Ok(())
}

fn kinds(a: &str, b: &str) -> Vec<(&'static str, Query)> {
    let ask = Query::new;
    let python = || vec!["python".to_owned()];
    vec![
        ("words", ask(format!("where is {a} {b}"))),
        (
            "words, a long page",
            Query { limit: 100, ..ask(format!("how does the {a} handle a {b}")) },
        ),
        ("a name, by words", Query { mode: Mode::Lexical, ..ask(format!("{a}_{b}")) }),
        ("words", ask(format!("prevent {a} of {b}"))),
        ("a name, one language", Query { languages: python(), ..ask(format!("{a}.{b}")) }),
        ("by meaning", Query { mode: Mode::Dense, ..ask(format!("{a} that finds {b}")) }),
        (
            "by words, code alone",
            Query { mode: Mode::Lexical, scope: Scope::Code, ..ask(format!("{a} error in {b}")) },
        ),
        ("words", ask(format!("{a} strings {b}"))),
        (
            "expanded",
            Query {
                expand: true,
                paths: vec!["django".to_owned()],
                ..ask(format!("{a} expiry {b}"))
            },
        ),
        ("words", ask(format!("connect {a} again after {b} was lost"))),
        ("documents alone", Query { scope: Scope::Docs, ..ask(format!("{a} and {b}")) }),
        ("by ranks", Query { fusion: Fusion::Ranks, ..ask(format!("validate {a} {b}")) }),
    ]
}

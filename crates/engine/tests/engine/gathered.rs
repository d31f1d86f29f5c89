//! What an engine elsewhere gathers for a question is ranked as the embedded index ranks it.

use wherein_corpus::Role;
use wherein_engine::index::counts::Counts;
use wherein_engine::index::vectors::segment::Doc;
use wherein_engine::search::query::{Mode, Query, Unit};
use wherein_engine::search::recall::gathered::{Gathered, Kept, Linked, Located};
use wherein_engine::search::recall::wanted::Wanted;
use wherein_engine::{Meaning, Snapshot};

use crate::encoders::Fake;
use crate::project::Project;

/// Every file of an index, as it would come from elsewhere.
fn located(index: &Snapshot, fake: &Fake) -> Vec<Located> {
    let Meaning::On { model, .. } = fake.meaning() else { panic!("it has a model") };
    let vectors = index.vectors(model).unwrap();
    let kept = |file: &wherein_engine::index::manifest::FileEntry| {
        let code = |chunk| vectors.rows(Doc { file: file.id, chunk }).map(|row| row.code).collect();
        Kept::new(
            file.path.clone(),
            file.content,
            file.language.clone(),
            index.text(file).unwrap(),
            index.parse_of(file).unwrap(),
            (0..file.chunks).map(code).collect(),
        )
    };
    let links = index.links().unwrap();
    let locate = |(at, file)| {
        let (file, linked) = (kept(file).into(), vec![(7, Linked::of(links, at))]);
        Located { file, repositories: vec!["acme/it".into()], linked }
    };
    index.manifest.files.iter().enumerate().map(locate).collect()
}

/// Where hits stand and what every channel and field said of them, without the repository.
fn told(answer: &wherein_engine::search::answer::Answer) -> Vec<String> {
    let hit = |hit: &wherein_engine::search::answer::Hit| {
        let place = hit.place().to_string();
        let place = place.strip_prefix("acme/it/").unwrap_or(&place).to_owned();
        let score = (hit.score, hit.confidence);
        format!("{place} {score:?} {:?} {:?}", hit.channels, hit.snippet)
    };
    answer.hits.iter().map(hit).collect()
}

#[track_caller]
fn check(query: &Query) {
    let (project, fake) = (Project::indexed(), Fake::new("words", 64));
    fake.catch_up(&project);
    let index = project.snapshot();
    let expected = wherein_engine::search(&index, &fake.meaning(), query).unwrap();
    let Meaning::On { model, .. } = fake.meaning() else { panic!("it has a model") };
    let text = Wanted::of(query).unwrap().text;
    let vector = model.encode(&[&text], wherein_encoder::Side::Question).unwrap().remove(0);
    let counts = Counts::of(&index).unwrap();
    let gathered = Gathered::of("there".to_owned(), located(&index, &fake), &counts, Some(vector));
    let answer = wherein_engine::search(&gathered, &fake.meaning(), query).unwrap();
    assert!(!expected.hits.is_empty(), "{query:?}");
    assert_eq!(told(&answer), told(&expected), "{query:?}");
    assert!(answer.hits.iter().all(|hit| hit.repositories == ["acme/it"]));
    assert!(answer.hits.iter().all(|hit| hit.path.starts_with("acme/it/")));
}

#[test]
fn the_same_files_elsewhere_give_the_same_page() {
    let plain = Query {
        explain: true,
        min_confidence: 0.0,
        ..Query::new("a failed upload is tried again")
    };
    for mode in [Mode::Lexical, Mode::Dense, Mode::Hybrid] {
        check(&Query { mode, ..plain.clone() });
    }
    check(&Query { expand: true, ..plain.clone() });
    check(&Query { expand_upstream: true, ..plain.clone() });
    check(&Query { unit: Unit::File, budget: Some(4000), ..plain.clone() });
    check(&Query { text: "upload -page".into(), ..plain.clone() });
    check(&Query { text: "evict_olde".into(), mode: Mode::Lexical, ..plain });
}

#[test]
fn a_question_says_what_to_look_for_and_where() {
    let query = Query::new("where does parse_header in src/http.rs fail lang:rust");
    let wanted = Wanted::of(&query).unwrap();
    assert!(wanted.terms.contains(&"parseheader".to_owned()), "{wanted:?}");
    assert!(wanted.names.contains(&"header".to_owned()), "{wanted:?}");
    assert!(wanted.paths.contains(&"http".to_owned()), "{wanted:?}");
    assert_eq!((wanted.languages, wanted.role), (vec!["rust"], None));
    let docs = Query { scope: wherein_engine::search::query::Scope::Docs, ..query };
    assert_eq!(Wanted::of(&docs).unwrap().role, Some(Role::Docs));
    assert!(Wanted::of(&Query { languages: vec!["klingon".into()], ..docs }).is_err());
}

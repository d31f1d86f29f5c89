//! Search by meaning: what is encoded while somebody waits, what may answer, and what does when
//! the model cannot.

use std::sync::atomic::{AtomicUsize, Ordering};

use wherein_engine::index::vectors::Vectors;
use wherein_engine::index::vectors::encode::passages;
use wherein_engine::index::vectors::segment::Doc;
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::{Fusion, Mode, Query, Scope};
use wherein_engine::{Meaning, Snapshot};

use crate::encoders::{FAVOURITE, Fake};
use crate::project::{Project, SAMPLE, spans, word};

fn fake() -> Fake {
    Fake::new("words", 64)
}

fn ask(index: &Snapshot, fake: &Fake, query: &Query) -> Answer {
    wherein_engine::search(index, &fake.meaning(), query).unwrap()
}

fn by_words(index: &Snapshot, query: &Query) -> Answer {
    crate::project::search(index, &Query { mode: Mode::Lexical, ..query.clone() }).unwrap()
}

/// Two files of the sample hold words of this.
fn question() -> Query {
    Query::new("a failed upload is tried again")
}

fn is_dense(answer: &Answer) -> bool {
    answer.hits.iter().any(|hit| hit.channels.keys().any(|name| name.starts_with("dense")))
}

#[test]
fn what_words_find_is_encoded_while_there_is_time_and_kept() {
    let (project, fake) = (Project::indexed(), fake());
    let first = project.snapshot();
    let answer = ask(&first, &fake, &question());
    assert!(is_dense(&answer), "{answer:?}");
    assert_eq!(answer.dense_off_because, None);
    let candidates = by_words(&first, &question()).hits.len();
    assert_eq!(fake.asked().len(), 1 + candidates);
    assert_eq!(ask(&first, &fake, &question()), answer, "the same view");
    assert_eq!(fake.asked(), [question().text]);
    let again = ask(&project.snapshot(), &fake, &question());
    assert_eq!((spans(&again), fake.asked()), (spans(&answer), vec![question().text]));
    assert_eq!(fake.catch_up(&project), (SAMPLE.len() - candidates, 0));
}

#[test]
fn a_text_known_from_before_is_not_encoded_while_somebody_waits() {
    let (mut project, fake) = (Project::indexed(), fake());
    fake.catch_up(&project);
    project.settings.walk.max_file_size += 1;
    project.refresh();
    assert!(is_dense(&ask(&project.snapshot(), &fake, &question())), "takes the old ones over");
    fake.asked();
    let other = Query::new("evict the oldest page");
    assert!(is_dense(&ask(&project.snapshot(), &fake, &other)));
    assert_eq!(fake.asked(), [other.text]);
    project.write("docs/copy.md", SAMPLE[3].1);
    project.refresh();
    assert!(is_dense(&ask(&project.snapshot(), &fake, &question())));
    assert_eq!(fake.asked(), [question().text], "a copy has the vector of the original");
}

#[test]
fn without_time_nothing_is_encoded_and_words_decide() {
    let (project, fake) = (Project::indexed(), fake());
    let index = project.snapshot();
    let meaning = Meaning::On { model: &fake.model, go_on: &|| false };
    for fusion in [Fusion::Scores, Fusion::Ranks] {
        let query = Query { fusion, ..question() };
        let answer = wherein_engine::search(&index, &meaning, &query).unwrap();
        assert_eq!((spans(&answer), is_dense(&answer)), (spans(&by_words(&index, &query)), false));
        assert_eq!(fake.asked(), [question().text]);
    }
    assert_eq!(Vectors::open(&project.place).unwrap().list.total(), 0);
}

/// Time is looked at every few texts; what came so far counts, and the best came first.
#[test]
fn encoding_stops_when_the_time_is_over() {
    let (project, fake) = (Project::empty(), fake());
    for n in 0..30 {
        let text = format!("def parcel():\n    return '{}' # {}\n", word(n), "parcel ".repeat(n));
        project.write(&format!("{}.py", word(n)), text);
    }
    project.refresh();
    let looks = AtomicUsize::new(0);
    let go_on = || looks.fetch_add(1, Ordering::Relaxed) < 3;
    let meaning = Meaning::On { model: &fake.model, go_on: &go_on };
    let query = Query { limit: 30, ..Query::new("parcel") };
    let index = project.snapshot();
    let answer = wherein_engine::search(&index, &meaning, &query).unwrap();
    assert_eq!(fake.asked().len(), 1 + 3 * 4);
    let is_made = |path: &str| {
        let hit = answer.hits.iter().find(|hit| hit.path == path).unwrap();
        hit.channels.contains_key("dense-code")
    };
    let best = by_words(&index, &query).hits;
    assert!(best[..12].iter().all(|hit| is_made(&hit.path)));
    assert!(!best[12..].iter().any(|hit| is_made(&hit.path)));
}

#[test]
fn beside_an_encoder_a_search_neither_waits_nor_fails() {
    let (project, fake) = (Project::indexed(), fake());
    let lock = project.place.lock_vectors().unwrap();
    let index = project.snapshot();
    let answer = ask(&index, &fake, &question());
    assert!(is_dense(&answer) && answer.dense_off_because.is_none());
    let made = fake.asked().len();
    assert!(made > 1);
    assert_eq!(ask(&index, &fake, &question()), answer);
    assert_eq!(fake.asked().len(), 1, "this process remembers what it made");
    drop(lock);
    assert_eq!(ask(&project.snapshot(), &fake, &question()), answer);
    assert_eq!(fake.asked().len(), made, "it could not be kept for another");
}

/// The question is encoded by a model that then fails, or fails at once.
#[test]
fn words_answer_when_the_model_cannot() {
    let project = Project::indexed();
    let index = project.snapshot();
    for texts in [0, 1] {
        let broken = Fake::failing_after(texts, "words", 64);
        let answer = ask(&index, &broken, &question());
        assert_eq!(answer.hits, by_words(&index, &question()).hits);
        assert_eq!(answer.dense_off_because.as_deref(), Some("the model has had enough"));
    }
    let broken = Fake::failing_after(0, "words", 64);
    let query = Query { mode: Mode::Dense, ..question() };
    let error = wherein_engine::search(&index, &broken.meaning(), &query).unwrap_err();
    assert!(error.to_string().contains("has had enough"), "{error}");
}

#[test]
fn a_model_that_changes_its_mind_about_the_width_is_an_error() {
    let project = Project::indexed();
    let fickle = crate::encoders::fickle("fickle");
    let meaning = Meaning::On { model: &fickle, go_on: &|| true };
    let index = project.snapshot();
    let answer = wherein_engine::search(&index, &meaning, &question()).unwrap();
    assert_eq!(answer.hits, by_words(&index, &question()).hits);
    let because = answer.dense_off_because.unwrap();
    assert!(because.contains("gave vectors of"), "{because}");
}

#[test]
fn by_meaning_alone_an_empty_page_says_what_is_missing() {
    let project = Project::indexed();
    let query = Query { mode: Mode::Dense, ..question() };
    let answer = ask(&project.snapshot(), &fake(), &query);
    assert_eq!(answer.hits, []);
    let because = answer.nothing_because.unwrap();
    assert!(because.contains("has a vector yet") && because.contains("wherein index"), "{because}");
}

/// An encoded sample, asked by meaning alone: the paths, best first.
#[track_caller]
fn check(query: Query, expected: &[&str]) {
    let (project, fake) = (Project::indexed(), fake());
    fake.catch_up(&project);
    let answer = ask(&project.snapshot(), &fake, &Query { mode: Mode::Dense, ..query });
    let mut paths: Vec<&str> = answer.hits.iter().map(|hit| hit.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, expected);
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn only_files_that_may_answer_do() {
    check(question(), &["docs/guide.md", "src/cache.rs", "src/upload.py", "web/session.js"]);
    check(Query { scope: Scope::Docs, ..question() }, &["docs/guide.md"]);
    let code = ["src/cache.rs", "src/upload.py", "web/session.js"];
    check(Query { scope: Scope::Code, ..question() }, &code);
    check(Query { languages: strings(&["rust"]), ..question() }, &["src/cache.rs"]);
    check(Query { paths: strings(&["src"]), ..question() }, &["src/cache.rs", "src/upload.py"]);
    check(Query { paths: strings(&["!src", "!docs"]), ..question() }, &["web/session.js"]);
    check(Query { paths: strings(&["nowhere"]), ..question() }, &[]);
}

#[test]
fn meaning_finds_what_shares_no_word_with_the_question_by_words() {
    let (project, fake) = (Project::indexed(), fake());
    fake.catch_up(&project);
    let query = Query { mode: Mode::Dense, limit: 1, ..Query::new("evict oldest pages") };
    let answer = ask(&project.snapshot(), &fake, &query);
    assert_eq!(answer.hits[0].path, "src/cache.rs");
    assert_eq!(answer.hits[0].channels["dense-code"].rank, Some(1));
}

/// A long function is about apples, then about pears; another is mostly about pears.
fn orchard() -> Project {
    let body = |word: &str| format!("    {word}()\n").repeat(20);
    let project = Project::empty();
    project.write("long.py", format!("def long():\n{}{}", body("apple"), body("pear")));
    project.write("other.py", "def other():\n    pear(pear(plum()))\n");
    project.refresh();
    project
}

#[test]
fn a_long_chunk_is_as_near_as_its_second_half() {
    let (project, fake) = (orchard(), fake());
    let query = Query { mode: Mode::Dense, ..Query::new("pear") };
    let first = |project: &Project| ask(&project.snapshot(), &fake, &query).hits[0].path.clone();
    let done = fake.encode(&project);
    assert_eq!((done.encoded, fake.asked().len(), done.with_vectors), (2, 3, 2));
    assert_eq!(first(&project), "long.py");
    // What is made while somebody waits is the same.
    let (project, fake) = (orchard(), Fake::new("words", 64));
    let hybrid = Query { mode: Mode::Hybrid, without: strings(&["ranker"]), ..query.clone() };
    let answer = ask(&project.snapshot(), &fake, &hybrid);
    assert_eq!(answer.hits[0].path, "long.py", "{answer:?}");
    assert_eq!(fake.asked().len(), 1 + 3);
    assert_eq!(fake.catch_up(&project), (0, 0));
}

#[test]
fn of_a_chunk_that_changed_in_its_first_half_the_second_is_known() {
    let (project, fake) = (orchard(), fake());
    fake.encode(&project);
    fake.asked();
    let text = std::fs::read_to_string(project.path("long.py")).unwrap();
    project.write("long.py", text.replacen("apple", "quince", 1));
    project.refresh();
    let done = fake.encode(&project);
    assert_eq!((done.encoded, done.reused, fake.asked().len()), (1, 0, 1));
    let vectors = Vectors::open(&project.place).unwrap();
    let index = project.snapshot();
    let file = index.file_at("long.py").unwrap();
    let rows: Vec<_> = vectors.rows(Doc { file: file.id, chunk: 0 }).map(|row| row.key).collect();
    let passages = passages(&index, file, &[0]).unwrap();
    assert_eq!(rows, passages.iter().map(|(_, it)| it.key).collect::<Vec<_>>(), "the whole first");
}

#[test]
fn what_is_gone_or_replaced_is_never_found_by_its_old_vector() {
    let (project, fake) = (Project::indexed(), fake());
    fake.catch_up(&project);
    project.remove("src/cache.rs");
    project.write("src/upload.py", "def unrelated(): pass\n");
    project.refresh();
    for mode in [Mode::Dense, Mode::Hybrid] {
        let query = Query { mode, limit: 100, ..Query::new("evict oldest retry_upload") };
        let meaning = Meaning::On { model: &fake.model, go_on: &|| false };
        let answer = wherein_engine::search(&project.snapshot(), &meaning, &query).unwrap();
        let found: Vec<&str> = answer
            .hits
            .iter()
            .filter(|hit| hit.channels.contains_key("dense-code"))
            .map(|hit| hit.path.as_str())
            .collect();
        assert_eq!(found, ["web/session.js"], "{mode:?}");
    }
}

/// Prose of the same words has the same vector, whatever it is called.
#[test]
fn equals_come_in_the_order_of_their_paths() {
    let (project, fake) = (Project::empty(), fake());
    for n in (0..40).rev() {
        project.write(&format!("docs/{n:02}.md"), "# Parcels\n\nHow a parcel is weighed.\n");
        project.refresh();
    }
    fake.catch_up(&project);
    let query = Query { mode: Mode::Dense, limit: 40, ..Query::new("how is a parcel weighed") };
    let answer = ask(&project.snapshot(), &fake, &query);
    let expected: Vec<String> = (0..40).map(|n| format!("docs/{n:02}.md:1-3")).collect();
    let copies = answer.hits[0].also_at.iter().map(ToString::to_string);
    assert_eq!(spans(&answer).into_iter().chain(copies).collect::<Vec<_>>(), expected);
    assert_eq!(ask(&project.snapshot(), &fake, &query), answer);
}

/// Notes about parcels, the later the further from the question; some hold the judge's favourite word.
fn parcels(favourites: &[usize]) -> (Project, Fake) {
    let (project, fake) = (Project::empty(), Fake::new("words", 1024));
    for n in 0..40 {
        let favourite = if favourites.contains(&n) { FAVOURITE } else { "" };
        // No two are nearly the same.
        let own: Vec<String> = (0..10).map(|it| word(10 * n + it)).collect();
        let (said, own) = ("how is a parcel weighed\n".repeat(3), own.join(" "));
        let text = format!("{said}{own} {favourite}\n{}\n", "elsewhere ".repeat(3 * n));
        project.write(&format!("{n:02}.md"), text);
    }
    fake.catch_up(&project);
    (project, fake)
}

fn paths(answer: &Answer) -> Vec<&str> {
    answer.hits.iter().map(|hit| hit.path.as_str()).collect()
}

#[test]
fn by_meaning_alone_the_judge_orders_what_comes_first() {
    let (project, fake) = parcels(&[2, 17, 30]);
    let asked = Query { mode: Mode::Dense, limit: 40, ..Query::new("how is a parcel weighed") };
    let silent = Query { without: strings(&["judge"]), ..asked.clone() };
    let (judged, near) =
        (ask(&project.snapshot(), &fake, &asked), ask(&project.snapshot(), &fake, &silent));
    assert_eq!(paths(&near)[..3], ["00.md", "01.md", "02.md"]);
    // What it says is added to what was there: it does not put the one that was far first.
    assert_eq!(paths(&judged)[..4], ["02.md", "00.md", "01.md", "17.md"]);
    assert_eq!(paths(&judged)[20..], paths(&near)[20..], "only the first are looked at");
    let scores = |answer: &Answer| answer.hits.iter().map(|it| it.score).collect::<Vec<_>>();
    assert_eq!(scores(&judged), scores(&near), "the scores stay where they were");
    let said =
        |answer: &Answer| -> Vec<f32> { answer.hits.iter().filter_map(|hit| hit.judged).collect() };
    let liked = said(&judged).iter().filter(|it| **it > 0.0).count();
    assert_eq!((said(&judged).len(), liked, said(&near).len()), (20, 2, 0));
}

/// A list of functions, a file each, of which one holds the judge's favourite word.
fn functions() -> Project {
    let project = Project::empty();
    for n in 0..1000 {
        let liked = if n == 3 { FAVOURITE } else { "plain" };
        let text = match n {
            0..15 => format!("def parcel():\n    return weighed({liked}, {})\n", word(n)),
            _ => format!("def {}():\n    return {}\n", word(n), word(n + 1000)),
        };
        project.write(&format!("{n:03}.py"), text);
    }
    project.refresh();
    project
}

#[test]
fn in_a_list_of_functions_the_judge_orders_and_words_answer_when_it_fails() {
    let (project, asked) = (functions(), Query::new("how is a parcel weighed"));
    let first = |fake: &Fake, query: &Query| {
        let answer = ask(&project.snapshot(), fake, query);
        (answer.hits[0].path.clone(), answer.hits[0].judged, answer.dense_off_because)
    };
    let silent = Query { without: strings(&["judge"]), ..asked.clone() };
    let fake = fake();
    fake.encode(&project);
    let (near, ..) = first(&fake, &silent);
    assert_ne!(near, "003.py");
    assert_eq!(first(&fake, &asked), ("003.py".to_owned(), Some(30.0), None));
    let failing = Fake::failing_after(1, "words", 64);
    let told = Some("the judge has had enough".to_owned());
    assert_eq!(first(&failing, &asked), (near, None, told));
    let query = Query { mode: Mode::Dense, ..asked };
    let index = project.snapshot();
    let failing = Fake::failing_after(1, "words", 64);
    assert!(wherein_engine::search(&index, &failing.meaning(), &query).is_err());
}

#[test]
fn what_is_no_longer_what_was_indexed_is_not_judged() {
    let (project, fake) = parcels(&[1, 2]);
    let query = Query { mode: Mode::Dense, ..Query::new("how is a parcel weighed lang:markdown") };
    let index = project.snapshot();
    project.write("01.md", "");
    std::fs::remove_file(project.path("02.md")).unwrap();
    let answer = ask(&index, &fake, &query);
    assert_eq!(paths(&answer)[..3], ["00.md", "01.md", "02.md"], "they stay where they were");
    let judged = |path: &str| answer.hits.iter().find(|hit| hit.path == path).unwrap().judged;
    assert_eq!(["00.md", "01.md", "02.md"].map(judged), [Some(-10.0), None, None]);
}

#[test]
fn why_says_what_the_judge_says() {
    let (project, fake) = parcels(&[2]);
    let query = Query { mode: Mode::Dense, ..Query::new("how is a parcel weighed") };
    let index = project.snapshot();
    let why = wherein_engine::search::why::why(&index, &fake.meaning(), "01.md", None, &query);
    let why = why.unwrap();
    assert_eq!((why.span.judged, why.first.unwrap().judged), (Some(-10.0), Some(30.0)));
    assert!(why.because.contains("the first hit is worth 30.0, this -10.0"), "{}", why.because);
}

#[test]
fn where_the_ranker_orders_or_no_question_is_asked_the_judge_is_silent() {
    let (project, fake) = parcels(&[2]);
    let asked = Query::new("how is a parcel weighed");
    for query in [
        asked.clone(),
        Query { without: strings(&["ranker"]), ..asked.clone() },
        Query { mode: Mode::Lexical, ..asked.clone() },
        Query { mode: Mode::Dense, fusion: Fusion::Ranks, ..asked },
        Query { mode: Mode::Dense, ..Query::new("parcelWeight") },
    ] {
        let answer = ask(&project.snapshot(), &fake, &query);
        assert!(!answer.hits.is_empty(), "{query:?}");
        assert!(answer.hits.iter().all(|it| it.judged.is_none()), "{query:?}");
    }
}

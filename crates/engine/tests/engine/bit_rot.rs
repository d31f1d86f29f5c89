//! Bits that change on the disk while nobody writes: size and time stay, and still no answer is
//! drawn from what is not what was written.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use wherein_engine::index::health;
use wherein_engine::search::answer::Answer;
use wherein_engine::search::query::{Mode, Query};
use wherein_engine::{Error, Result, Snapshot, encode, search};

use crate::encoders::Fake;
use crate::project::{Project, files_under, word};

const DAMAGES: usize = 200;

/// Enough files for several blocks of each kind of file.
fn project() -> Project {
    let project = Project::sample();
    for n in 0..300 {
        let name = word(n);
        let text = format!(
            "import lib.f{}\n\n\ndef {name}(page):\n    \"\"\"Turns the {name} of a page.\"\"\"\n    return page + {n}\n\n\nclass {name}Holder:\n    def hold(self):\n        return {name}(1)\n",
            (n + 1) % 300
        );
        project.write(&format!("lib/f{n}.py"), text);
    }
    project.settle();
    project.refresh();
    project
}

/// What a process does that asks: what is damaged is met with, thrown away and made anew.
fn ask(project: &Project, fake: &Fake, mode: Mode, words: &str) -> Answer {
    for _ in 0..4 {
        let attempt = || -> Result<Answer> {
            project.try_refresh()?;
            let snapshot = Snapshot::open(&project.place)?;
            search(&snapshot, &fake.meaning(), &Query { limit: 20, mode, ..Query::new(words) })
        };
        match attempt() {
            Err(Error::Damaged { .. } | Error::Lexical(_)) => {}
            answer => return answer.unwrap(),
        }
    }
    panic!("damaged for ever");
}

/// What can be compared: where hits are, and how sure.
fn told(answer: &Answer) -> Vec<(String, u32, String)> {
    let hit = |hit: &wherein_engine::search::answer::Hit| {
        (hit.path.clone(), hit.start_line, format!("{:.4}", hit.score))
    };
    answer.hits.iter().map(hit).collect()
}

/// Every file of the index whose content means something.
fn files_of(project: &Project) -> Vec<PathBuf> {
    let mut files = files_under(&project.place.folder);
    files.extend(files_under(&project.place.store.parsed()));
    files.retain(|path| !path.ends_with("lock"));
    files
}

/// A sequence without pattern, always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

/// Changes one bit, or cuts the file, and puts the time back.
fn spoil(path: &Path, dice: &mut Dice) -> String {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    let mut bytes = fs::read(path).unwrap();
    let at = dice.below(bytes.len());
    let what = if dice.below(5) == 0 {
        bytes.truncate(at);
        format!("{} cut at {at}", path.display())
    } else {
        bytes[at] ^= 1 << dice.below(8);
        format!("{} changed at {at}", path.display())
    };
    fs::write(path, bytes).unwrap();
    File::options().write(true).open(path).unwrap().set_modified(modified).unwrap();
    what
}

#[test]
fn no_answer_is_drawn_from_what_was_not_written() {
    let (project, fake) = (project(), Fake::new("words", 64));
    let questions = [word(7), "turns the page".to_owned(), format!("{}Holder", word(250))];
    let view = |mode| {
        // A whole index: words anew if they were lost, and all vectors.
        project.refresh();
        encode(&project.place, &fake.model, &|_, _| {}, &|| true).unwrap();
        questions.each_ref().map(|it| told(&ask(&project, &fake, mode, it)))
    };
    let (by_words, by_both) = (view(Mode::Lexical), view(Mode::Hybrid));
    assert!(by_words.iter().chain(&by_both).all(|it| !it.is_empty()));
    let mut dice = Dice(20_261_115);
    let mut met_with = 0;
    for _ in 0..DAMAGES {
        let files = files_of(&project);
        let what = spoil(&files[dice.below(files.len())], &mut dice);
        let question = dice.below(questions.len());
        let found = told(&ask(&project, &fake, Mode::Lexical, &questions[question]));
        assert_eq!(found, by_words[question], "{what}");
        // Vectors that are lost are missed until they are made again; a name is found without.
        let found = told(&ask(&project, &fake, Mode::Hybrid, &questions[0]));
        assert_eq!(found[0].0, by_both[0][0].0, "{what}");
        // What no question met with is still found by whoever looks at everything.
        let damages = health::check(&project.place).unwrap().damages;
        met_with += usize::from(damages.is_empty());
        let packs = health::damaged_packs(&project.place);
        for path in damages.into_iter().map(|it| it.path).chain(packs) {
            let _ = fs::remove_file(path);
        }
        assert_eq!(
            (view(Mode::Lexical), view(Mode::Hybrid)),
            (by_words.clone(), by_both.clone()),
            "{what}"
        );
    }
    assert!(met_with > DAMAGES / 4, "only {met_with} were met with by a question");
}

#[test]
fn the_graph_is_made_anew_if_it_lost_a_bit() {
    let project = project();
    let count = |project: &Project| {
        let snapshot = project.snapshot();
        let links = snapshot.links().unwrap();
        (0..links.files()).map(|file| links.imports(file).count()).sum::<usize>()
    };
    let before = count(&project);
    assert!(before >= 300, "{before}");
    let mut dice = Dice(7);
    for _ in 0..10 {
        for path in files_under(&project.place.graph()) {
            spoil(&path, &mut dice);
        }
        assert_eq!(count(&project), before);
    }
}

//! Search by meaning: its modes, how lists become one, and models that are off or broken.

use std::fs::{self, File};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wherein_engine::index::vectors::list::List;
use wherein_engine::{Store, TreePlace};

use crate::project::{Project, Ran, paths};

fn indexed() -> Project {
    let project = Project::sample();
    project.wherein(["index"]).with_code(0);
    project
}

fn place(project: &Project) -> TreePlace {
    Store::at(project.cache()).tree(&project.root())
}

fn with_vectors(project: &Project) -> Value {
    project.wherein(["status", "--json"]).with_code(0).json()["with_vectors"].clone()
}

#[test]
fn meaning_finds_what_words_do_not() {
    let project = indexed();
    let question = ["drop", "stale", "entries"];
    project.wherein([&question[..], &["--mode", "lexical"]].concat()).with_code(1);
    for mode in ["dense", "hybrid"] {
        let answer = project.ask(&[&question[..], &["--mode", mode]].concat());
        assert_eq!(paths(&answer)[0], "src/cache.rs", "{mode}");
        assert_eq!(answer["hits"][0]["channels"]["dense-code"]["rank"], 1);
    }
    let by_default = project.ask(&question);
    assert_eq!(
        by_default["hits"],
        project.ask(&[&question[..], &["--mode", "hybrid"]].concat())["hits"]
    );
}

#[test]
fn index_and_status_count_vectors() {
    let project = Project::sample();
    let summary = project.wherein(["index", "--json"]).with_code(0).json();
    let meaning = &summary["meaning"];
    assert_eq!(meaning["model"], project.wherein(["status", "--json"]).json()["model"]);
    let counts = ["with_vectors", "encoded", "reused"].map(|key| &meaning[key]);
    assert_eq!(counts, [&json!(3), &json!(3), &json!(0)]);
    let again = project.wherein(["index"]).with_code(0).out;
    assert!(again.contains("\n3 of 3 chunks have a vector (0 encoded, 0 reused)\n"), "{again}");
    project.write("src/more.py", "def more(): pass\n");
    project.wherein(["index", "--no-vectors"]).with_code(0);
    let status = project.wherein(["status"]).with_code(0).out;
    assert!(status.contains("  3 of 4 chunks have a vector (model "), "{status}");
}

/// The channels of a hit, those of single fields left out: name, rank, score and share.
fn channels(hit: &Value) -> Vec<(&str, Option<u64>, f64, f64)> {
    let channels = hit["channels"].as_object().unwrap().iter();
    channels
        .filter(|(name, _)| !name.contains('.'))
        .map(|(name, it)| {
            let number = |key: &str| it[key].as_f64().unwrap();
            (name.as_str(), it["rank"].as_u64(), number("score"), number("contribution"))
        })
        .collect()
}

#[test]
fn ranks_are_fused_by_their_reciprocals() {
    let project = indexed();
    let answer = project.ask(&["try a failure again", "--fusion", "ranks", "--explain"]);
    let hits = answer["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 3);
    for hit in hits {
        let parts: Vec<(f64, f64)> = channels(hit)
            .into_iter()
            .map(|(_, rank, _, share)| (rank.map_or(0.0, |rank| 1.0 / (60 + rank) as f64), share))
            .collect();
        let whole: f64 = parts.iter().map(|(part, _)| part).sum();
        assert!((hit["score"].as_f64().unwrap() - whole).abs() < 1e-5, "{hit}");
        for (part, share) in parts {
            assert!((share - part / whole).abs() < 1e-4, "{hit}");
        }
    }
    let names: Vec<&str> = channels(&hits[0]).iter().map(|it| it.0).collect();
    assert_eq!(names, ["dense-code", "lexical"], "found by words and by meaning");
}

#[test]
fn what_the_ranker_orders_is_shared_out_among_the_channels() {
    let answer = indexed().ask(&["retry a failed upload", "--explain"]);
    let hits = answer["hits"].as_array().unwrap();
    let scores: Vec<f64> = hits.iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
    for hit in hits {
        let shares: f64 = channels(hit).iter().map(|it| it.3).sum();
        assert!((shares - 1.0).abs() < 1e-5, "{hit}");
        let dense = channels(hit).into_iter().find(|it| it.0.starts_with("dense")).unwrap();
        assert!(dense.3 > 0.0 && dense.2 < 1.0, "{hit}");
    }
}

#[test]
fn the_first_question_encodes_what_it_finds() {
    let project = Project::sample();
    let first = project.ask(&["evict_oldest"]);
    assert!(first["hits"][0]["channels"]["dense-code"]["rank"] == 1, "{first}");
    assert_eq!(with_vectors(&project), 1);
    assert_eq!(project.ask(&["evict_oldest"])["hits"], first["hits"]);
    let nothing = Project::sample().wherein(["evict_oldest", "--mode", "dense"]).with_code(1);
    assert!(nothing.err.contains("run 'wherein index' first"), "{nothing:?}");
}

#[test]
fn a_question_does_not_wait_for_an_encoder() {
    let project = Project::sample();
    project.wherein(["index", "--no-vectors"]).with_code(0);
    fs::create_dir_all(place(&project).vectors()).unwrap();
    let lock = File::create(place(&project).vectors().join("lock")).unwrap();
    lock.lock().unwrap();
    let ran = project.wherein(["evict_oldest", "-k1", "--json"]).with_code(0);
    assert_eq!((paths(&ran.json()), ran.err.as_str()), (vec!["src/cache.rs"], ""));
    assert_eq!(with_vectors(&project), 0, "nothing could be kept");
    drop(lock);
    project.wherein(["evict_oldest"]).with_code(0);
    assert_eq!(with_vectors(&project), 1);
}

/// One process encodes, another finds a new file at once, and the first takes it in at the end.
#[test]
fn a_refresh_does_not_wait_for_an_encoder_nor_the_other_way_round() {
    let project = Project::empty();
    // Long enough to be still at it when the refresh is over.
    let words: String = (0..80).map(|n| format!("parcel_{n}_weight{n}, ")).collect();
    for n in 0..900 {
        project.write(&format!("f{n}.py"), format!("def parcel_{n}(weight): return [{words}]\n"));
    }
    let mut encoder = project.spawn(&["index", "--json"]);
    let start = Instant::now();
    while List::load(&place(&project)).total() == 0 {
        assert!(start.elapsed() < Duration::from_secs(50), "nothing is ever published");
        sleep(Duration::from_millis(2));
    }
    project.write("zebra.py", "def zebra(): pass\n");
    let ran = project.wherein(["zebra", "-k1", "--json"]).with_code(0);
    assert_eq!((paths(&ran.json()), ran.err.as_str()), (vec!["zebra.py"], ""));
    assert_eq!(ran.json()["index"]["complete"], true);
    assert!(encoder.try_wait().unwrap().is_none(), "it was over before anything could be seen");
    let ran = Ran::of(encoder.wait_with_output().unwrap()).with_code(0);
    assert_eq!(ran.json()["meaning"]["with_vectors"], 901);
    assert_eq!(with_vectors(&project), 901);
}

/// Whatever is wrong with the model: by words it works, with the reason; by meaning it does not.
#[track_caller]
fn check_off(project: &Project, words: &[&str]) {
    let ran = project.wherein(["evict_oldest", "--json"]).with_code(0);
    assert_eq!(paths(&ran.json()), ["src/cache.rs"]);
    let reason = ran.json()["dense_off_because"].as_str().unwrap().to_owned();
    assert_eq!(ran.err, format!("wherein: searched by words only: {reason}\n"));
    for word in words {
        assert!(reason.contains(word), "no '{word}' in {reason}");
    }
    project.wherein(["evict_oldest", "--mode", "dense"]).fails_naming(words);
    let ran = project.wherein(["evict_oldest", "--mode", "lexical"]).with_code(0);
    assert_eq!(ran.err, "", "nobody asked for meaning");
    project.write("../q", "{\"id\":1,\"query\":\"evict_oldest\"}\n".repeat(3));
    let ran = project.wherein(["--batch", "../q"]).with_code(0);
    assert_eq!(ran.err.matches("searched by words only").count(), 1, "{ran:?}");
}

/// The same, and indexing fails with the reason once all is indexed that can be.
#[track_caller]
fn check_unusable(project: &Project, words: &[&str]) {
    let ran = project.wherein(["index"]).with_code(2);
    assert!(ran.out.contains(": 3 files"), "{ran:?}");
    for word in [words, &["the tree can be searched by words only"]].concat() {
        assert!(ran.err.contains(word), "no '{word}' in {ran:?}");
    }
    project.wherein(["index", "--no-vectors"]).with_code(0);
    check_off(project, words);
}

#[test]
fn no_model_is_a_choice() {
    let by_user = Project::sample();
    by_user.configure("model = \"none\"");
    let by_project = Project::sample();
    by_project.write("wherein.toml", "model = \"none\"");
    // Its text would be an answer too.
    by_project.write(".gitignore", "wherein.toml\n");
    for project in [by_user, by_project] {
        let ran = project.wherein(["index"]).with_code(0);
        assert!(ran.err.is_empty() && !ran.out.contains("vector"), "{ran:?}");
        assert_eq!(project.wherein(["index", "--json"]).json()["meaning"], json!(null));
        check_off(&project, &["model = \"none\"", "name another"]);
        let status = project.wherein(["status"]).with_code(0).out;
        assert!(status.contains("searched by words only: the configuration says"), "{status}");
    }
}

#[test]
fn a_model_nobody_defined_is_named_with_those_there_are() {
    let project = Project::sample();
    project.configure("model = \"mine\"\n[models.yours]\nfolder = \"x\"\n");
    check_unusable(&project, &["\"mine\"", "built-in, large, none, yours", "config.toml"]);
}

#[test]
fn a_mistake_in_the_users_models_costs_meaning_only() {
    let project = Project::sample();
    project.configure("model = \"a\"\n[models.a]\nfolde = \"x\"\n");
    check_unusable(&project, &["config.toml", "folde"]);
}

const HIDDEN: usize = 32;
const INNER: usize = 48;

/// Writes a small model and makes it the user's; `spoil` may change its weights.
fn with_folder(intermediate: usize, spoil: fn(&mut Vec<u8>)) -> Project {
    let project = Project::sample();
    let folder = project.home().join("model");
    fs::create_dir_all(&folder).unwrap();
    let config = json!({
        "hidden_size": HIDDEN, "num_attention_heads": 2, "num_hidden_layers": 1,
        "intermediate_size": intermediate, "max_position_embeddings": 8, "vocab_size": 4,
        "layer_norm_eps": 1e-12, "hidden_act": "gelu",
    });
    let tokenizer = json!({"model": {"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3}}});
    let mut weights = weights();
    spoil(&mut weights);
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    fs::write(folder.join("model.safetensors"), weights).unwrap();
    project.configure(&format!("model = \"small\"\n[models.small]\nfolder = {folder:?}\n"));
    project
}

fn weights() -> Vec<u8> {
    let mut tensors = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![4, HIDDEN]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![8, HIDDEN]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, HIDDEN]),
    ];
    let layer = "encoder.layer.0";
    for (name, shape) in [
        ("embeddings.LayerNorm".to_owned(), vec![HIDDEN]),
        (format!("{layer}.attention.self.query"), vec![HIDDEN, HIDDEN]),
        (format!("{layer}.attention.self.key"), vec![HIDDEN, HIDDEN]),
        (format!("{layer}.attention.self.value"), vec![HIDDEN, HIDDEN]),
        (format!("{layer}.attention.output.dense"), vec![HIDDEN, HIDDEN]),
        (format!("{layer}.attention.output.LayerNorm"), vec![HIDDEN]),
        (format!("{layer}.intermediate.dense"), vec![INNER, HIDDEN]),
        (format!("{layer}.output.dense"), vec![HIDDEN, INNER]),
        (format!("{layer}.output.LayerNorm"), vec![HIDDEN]),
    ] {
        tensors.push((format!("{name}.bias"), shape[..1].to_vec()));
        tensors.push((format!("{name}.weight"), shape));
    }
    let (mut listed, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, shape) in tensors {
        let start = data.len();
        for n in 0..shape.iter().product() {
            data.extend((((start + n) as f32).sin() * 0.1).to_le_bytes());
        }
        let place = json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]});
        listed.insert(name, place);
    }
    let header = Value::Object(listed).to_string();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes().chain(data));
    bytes
}

#[test]
fn a_model_in_a_folder_takes_the_place_of_the_built_in_one() {
    let project = with_folder(INNER, |_| {});
    let summary = project.wherein(["index", "--json"]).with_code(0).json();
    assert_eq!(summary["meaning"]["encoded"], 3);
    assert_eq!(paths(&project.ask(&["evict_oldest", "--mode", "dense"])).len(), 3);
    project.configure("");
    assert_eq!(with_vectors(&project), 0, "the vectors are another model's");
    let summary = project.wherein(["index", "--json"]).with_code(0).json();
    assert_eq!(summary["meaning"]["encoded"], 3);
}

#[test]
fn a_broken_model_in_a_folder_is_told() {
    let cut = |weights: &mut Vec<u8>| weights.truncate(weights.len() - 1);
    check_unusable(&with_folder(INNER, cut), &["model.safetensors is cut short"]);
    check_unusable(&with_folder(INNER, Vec::clear), &["model.safetensors is cut short"]);
    let shape = ["intermediate.dense.weight has 1536 values"];
    check_unusable(&with_folder(64, |_| {}), &shape);
    check_unusable(&with_folder(50, |_| {}), &["widths must be multiples of 16"]);
}

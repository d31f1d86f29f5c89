//! What a tree is about: clusters with names, places and chunks from their middle.

use std::fs;

use serde_json::{Value, json};

use crate::project::{Project, Ran, keys};

const THINGS: [&str; 6] = ["invoice", "picture", "letter", "ticket", "parcel", "report"];

/// Three sorts of files, a folder each.
fn project() -> Project {
    let project = Project::empty();
    for thing in THINGS {
        project.write(
            &format!("net/{thing}.py"),
            format!("def upload_{thing}(socket, attempts):\n    \"\"\"Uploads a {thing} over the network, and again if the connection fails.\"\"\"\n    for attempt in range(attempts):\n        if socket.send({thing}_bytes()):\n            return attempt\n    raise ConnectionError\n"),
        );
        project.write(
            &format!("paint/{thing}.css"),
            format!(".{thing}-card {{\n  color: red;\n  background: white;\n  border-radius: 4px;\n  padding: 8px;\n}}\n"),
        );
        project.write(
            &format!("store/{thing}.sql"),
            format!("CREATE TABLE {thing}_table (\n  id INTEGER PRIMARY KEY,\n  owner TEXT NOT NULL,\n  created TIMESTAMP\n);\n"),
        );
    }
    project.settle();
    project
}

fn encoded() -> Project {
    let project = project();
    project.wherein(["index"]).with_code(0);
    project
}

fn clusters(project: &Project, arguments: &[&str]) -> Ran {
    project.wherein(["clusters"].iter().chain(arguments))
}

#[track_caller]
fn overview(project: &Project, arguments: &[&str]) -> Value {
    clusters(project, &[arguments, &["--json"]].concat()).json()
}

fn list(overview: &Value) -> &[Value] {
    overview["clusters"].as_array().unwrap()
}

fn sizes(overview: &Value) -> Vec<u64> {
    list(overview).iter().map(|cluster| cluster["chunks"].as_u64().unwrap()).collect()
}

#[test]
fn clusters_are_named_by_what_is_in_them() {
    let overview = overview(&encoded(), &[]);
    assert_eq!(keys(&overview), ["clusters", "index", "more"]);
    assert_eq!(sizes(&overview).iter().sum::<u64>(), 18);
    assert!(sizes(&overview).is_sorted_by(|a, b| a >= b), "{overview}");
    for (folder, word) in [("net/", "upload"), ("paint/", "card"), ("store/", "table")] {
        let lies_there = |cluster: &&Value| {
            cluster["within"][0]["path"].as_str().is_some_and(|path| path.starts_with(folder))
        };
        let cluster = list(&overview).iter().find(lies_there).unwrap();
        let words = cluster["words"].as_array().unwrap();
        assert!(words.contains(&json!(word)) && words.len() <= 6, "{cluster}");
    }
}

#[test]
fn a_cluster_shows_chunks_from_its_middle() {
    let project = encoded();
    for cluster in list(&overview(&project, &[])) {
        assert_eq!(keys(cluster), ["central", "chunks", "within", "words"]);
        let central = cluster["central"].as_array().unwrap();
        assert!((1..=3).contains(&central.len()), "{cluster}");
        let scores: Vec<f64> = central.iter().map(|it| it["score"].as_f64().unwrap()).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b) && scores[0] <= 1.01, "{cluster}");
        for chunk in central {
            assert_eq!(keys(chunk), ["end_line", "path", "score", "start_line", "symbol"]);
            assert!(project.path(chunk["path"].as_str().unwrap()).is_file(), "{chunk}");
        }
    }
}

#[test]
fn people_read_sizes_words_places_and_spans() {
    let project = encoded();
    let largest = &overview(&project, &["-k1"])["clusters"][0];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let words: Vec<String> = largest["words"].as_array().unwrap().iter().map(text).collect();
    let (within, central) = (&largest["within"][0], &largest["central"][0]);
    let out = clusters(&project, &["-k", "1"]).with_code(0).out;
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[0],
        format!("{:>5}  {}", largest["chunks"].as_u64().unwrap(), words.join(", "))
    );
    let place = format!("       in {} ({})", text(&within["path"]), within["chunks"]);
    assert!(lines[1].starts_with(&place), "{out}");
    let span = format!("{}:1-{}", text(&central["path"]), central["end_line"]);
    assert_eq!(lines[2], format!("       {span}  {}", text(&central["symbol"])));
    assert!(lines.last().unwrap().ends_with("smaller ones (-k N shows more)"), "{out}");
}

#[test]
fn the_limit_counts_clusters_and_the_rest_is_told() {
    let project = encoded();
    let all = overview(&project, &[]);
    let first = overview(&project, &["-k", "1"]);
    assert_eq!(list(&first), &list(&all)[..1]);
    assert_eq!((&all["more"], &first["more"]), (&json!(0), &json!(list(&all).len() - 1)));
    clusters(&project, &["-k", "0"]).with_code(1);
}

#[test]
fn files_that_are_gone_are_left_out_and_new_ones_join() {
    let project = encoded();
    fs::remove_dir_all(project.path("paint")).unwrap();
    project.write("net/postcard.py", "def upload_postcard(socket):\n    socket.send(b'')\n");
    project.settle();
    let ran = clusters(&project, &["--json"]).with_code(0);
    assert_eq!(sizes(&ran.json()).iter().sum::<u64>(), 12);
    assert_eq!(ran.json()["index"]["complete"], false);
    assert!(ran.err.contains("only 12 of 13 chunks have a vector"), "{ran:?}");
    assert!(!ran.out.contains("paint/"), "{ran:?}");
    project.wherein(["index"]).with_code(0);
    let ran = clusters(&project, &["--json"]).with_code(0);
    assert_eq!((sizes(&ran.json()).iter().sum::<u64>(), ran.err.as_str()), (13, ""));
    assert_eq!(ran.json()["index"]["complete"], true);
}

#[test]
fn without_clusters_it_says_how_to_get_them() {
    let project = project();
    let advice = "the tree has not been encoded yet; run 'wherein index' first";
    let nothing = clusters(&project, &[]).with_code(1);
    assert_eq!(
        (nothing.out, nothing.err),
        (String::new(), format!("wherein: no clusters: {advice}\n"))
    );
    assert_eq!(overview(&project, &[])["nothing_because"], advice);
    let empty = clusters(&Project::empty(), &[]).with_code(1);
    assert!(empty.err.contains("the tree holds no text to index"), "{empty:?}");
    project.write("wherein.toml", "model = \"none\"\n");
    clusters(&project, &[]).fails_naming(&["search by meaning is off"]);
}

#[test]
fn root_and_index_folder_are_taken_as_everywhere() {
    let project = project();
    let place = project.home().join("here");
    let named = ["--index-dir", place.to_str().unwrap()];
    project.wherein(["index", "net"].iter().chain(&named)).with_code(0);
    let overview = overview(&project, &[&["--root", "net"], &named[..]].concat());
    assert_eq!(sizes(&overview).iter().sum::<u64>(), 6);
    assert!(!project.cache().exists());
}

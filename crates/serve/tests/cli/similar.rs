//! Spans like a span: what answers, what does not, and what people are told.

use serde_json::{Value, json};

use crate::project::{Project, Ran, paths, run};

/// Two ways to try again, two caches, two prose pages, and something else.
const FILES: &[(&str, &str)] = &[
    (
        "src/upload.py",
        "import time\n\n\ndef retry_upload(name, attempts):\n    \"\"\"Tries a failed upload again, waiting longer each time.\"\"\"\n    for attempt in range(attempts):\n        try:\n            return send(name)\n        except ConnectionError:\n            time.sleep(2 ** attempt)\n    raise UploadError(name)\n\n\n",
    ),
    (
        "src/download.rs",
        "/// Asks again after a failure, with a pause that doubles.\npub fn download_with_backoff(url: &str, tries: u32) -> Result<Vec<u8>, Error> {\n    for round in 0..tries {\n        match get(url) {\n            Ok(bytes) => return Ok(bytes),\n            Err(_) => sleep(Duration::from_secs(1 << round)),\n        }\n    }\n    Err(Error::GaveUp)\n}\n",
    ),
    (
        "src/cache.rs",
        "/// Throws the oldest page out of the cache.\npub fn evict_oldest(pages: &mut Vec<u32>) -> Option<u32> {\n    if pages.is_empty() { None } else { Some(pages.remove(0)) }\n}\n",
    ),
    (
        "src/lru.py",
        "def evict_oldest_page(pages):\n    \"\"\"Throws the page that is oldest out of the cache.\"\"\"\n    if not pages:\n        return None\n    return pages.pop(0)\n",
    ),
    (
        "src/colour.rs",
        "/// Mixes red, green and blue into one number.\npub fn rgb(red: u8, green: u8, blue: u8) -> u32 {\n    (red as u32) << 16 | (green as u32) << 8 | blue as u32\n}\n",
    ),
    (
        "docs/network.md",
        "# Network\n\nA failed upload or download is tried again a few times, and the pause between two tries doubles.\n",
    ),
    ("docs/colours.md", "# Colours\n\nA colour is written as three numbers: red, green, blue.\n"),
];

fn project() -> Project {
    let project = Project::empty();
    FILES.iter().for_each(|(path, text)| project.write(path, text));
    project
}

/// The project with its vectors.
fn encoded() -> Project {
    let project = project();
    project.settle();
    project.wherein(["index"]).with_code(0);
    project
}

fn similar(project: &Project, arguments: &[&str]) -> Ran {
    project.wherein(["similar"].iter().chain(arguments))
}

#[track_caller]
fn answer(project: &Project, arguments: &[&str]) -> Value {
    similar(project, &[arguments, &["--json"]].concat()).json()
}

#[test]
fn code_that_does_the_same_comes_first_and_the_span_itself_not_at_all() {
    let project = encoded();
    for (target, scope, asked, nearest) in [
        ("src/upload.py:6", "code", "similar to src/upload.py:1-11", "src/download.rs"),
        ("src/download.rs:1", "code", "similar to src/download.rs:1-10", "src/upload.py"),
        ("src/cache.rs:2", "all", "similar to src/cache.rs:1-4", "src/lru.py"),
        ("src/colour.rs:3", "all", "similar to src/colour.rs:1-4", "docs/colours.md"),
        ("docs/network.md:3", "docs", "similar to docs/network.md:1-3", "docs/colours.md"),
    ] {
        let answer = answer(&project, &[target, "--scope", scope]);
        let found = paths(&answer);
        assert_eq!((answer["query"].as_str(), found[0]), (Some(asked), nearest), "{found:?}");
        let others = [("code", 4), ("docs", 1), ("all", 6)].iter().find(|(it, _)| *it == scope);
        assert_eq!(found.len(), others.unwrap().1, "{target}: {found:?}");
        assert_eq!(answer["index"]["complete"], true);
        assert!(!found.contains(&target.split(':').next().unwrap()), "{found:?}");
    }
}

#[test]
fn a_text_is_compared_as_a_span_is() {
    let project = encoded();
    let text = "function again(call, times) {\n  while (times-- > 0) {\n    try { return call(); } catch (e) { wait(); }\n  }\n}\n";
    let inline = answer(&project, &["--text", text, "--scope", "code"]);
    assert_eq!(inline["query"], "similar to: function again(call, times) {");
    let mut first = paths(&inline)[..2].to_vec();
    first.sort_unstable();
    assert_eq!(first, ["src/download.rs", "src/upload.py"]);
    let arguments = ["similar", "--text", "-", "--scope", "code", "--json"];
    let piped = run(project.command().args(arguments).write_stdin(text)).json();
    assert_eq!(piped["hits"], inline["hits"]);
    let dashed = answer(&project, &["--text", "--retry upload", "-k", "1"]);
    assert_eq!(dashed["query"], "similar to: --retry upload");
}

#[test]
fn any_way_to_name_the_line_finds_its_chunk() {
    let project = encoded();
    let expected = answer(&project, &["src/upload.py:6"])["hits"].clone();
    let absolute = format!("{}:6", project.path("src/upload.py").display());
    for target in [
        "src/upload.py:1",
        "src/upload.py:11",
        "src/upload.py:2",
        "src/upload.py:13",
        "src/upload.py:1-11",
        "src/../src/upload.py:6",
        &absolute,
    ] {
        assert_eq!(answer(&project, &[target])["hits"], expected, "{target}");
    }
    let mut inside = project.command();
    let inside = inside.current_dir(project.path("src")).args(["similar", "upload.py:6", "--json"]);
    let found = run(inside.arg("--root").arg(project.root())).with_code(0).json();
    assert_eq!(found["hits"], expected);
}

/// Compares the paths that answer, best first.
#[track_caller]
fn check(project: &Project, arguments: &[&str], expected: &[&str]) {
    assert_eq!(paths(&answer(project, arguments)), expected, "{arguments:?}");
}

#[test]
fn options_choose_what_may_answer() {
    let project = encoded();
    check(&project, &["src/cache.rs:2", "-k", "1"], &["src/lru.py"]);
    check(&project, &["src/upload.py:6", "--scope", "code", "-k1"], &["src/download.rs"]);
    check(&project, &["src/upload.py:6", "--lang", "python"], &["src/lru.py"]);
    check(
        &project,
        &["src/upload.py:6", "--path", "!src"],
        &["docs/network.md", "docs/colours.md"],
    );
    check(&project, &["src/colour.rs:1", "--scope", "docs", "-k1"], &["docs/colours.md"]);
    let nothing = similar(&project, &["src/upload.py:6", "--lang", "go"]).with_code(1);
    assert!(nothing.err.contains("nothing found: none of the 7 indexed files"), "{nothing:?}");
    let nothing = similar(&project, &["src/upload.py:6", "-k", "0"]).with_code(1);
    assert!(nothing.err.contains("no hits were asked for"), "{nothing:?}");
    similar(&project, &["src/upload.py:6", "--lang", "klingon"]).fails_naming(&["klingon"]);
    similar(&project, &["src/upload.py:6", "--path", "a["]).fails_naming(&["a["]);
}

#[test]
fn a_file_answers_for_its_other_spans_but_not_for_itself() {
    let project = encoded();
    let function =
        |n| format!("def parcel_{n}(weight):\n{}\n\n", "    weight = counted(weight)\n".repeat(30));
    project.write("parcels.py", (0..5).map(function).collect::<String>());
    project.settle();
    project.wherein(["index"]).with_code(0);
    let of_itself = |arguments: &[&str]| {
        let arguments = [&["parcels.py:1"], arguments].concat();
        let found = answer(&project, &arguments);
        paths(&found).iter().filter(|path| **path == "parcels.py").count()
    };
    assert_eq!(of_itself(&[]), 3);
    assert_eq!(of_itself(&["--max-per-file", "1"]), 1);
    assert_eq!(of_itself(&["--max-per-file", "0"]), 4);
    assert_eq!(of_itself(&["--unit", "file"]), 0);
    let files = answer(&project, &["parcels.py:1", "--unit", "file"]);
    assert_eq!(paths(&files).len(), FILES.len());
}

#[test]
fn hits_are_printed_as_those_of_a_search() {
    let project = encoded();
    for (format, begins) in [
        ("plain", "src/download.rs:1-10\t0."),
        ("grep", "src/download.rs:1:/// Asks again after a failure"),
        (
            "md",
            "# similar to src/upload.py:1-11\n\n## `src/download.rs:1-10`\n\nfunction `download_",
        ),
        ("pretty", " 1 src/download.rs:1-10 █"),
    ] {
        let arguments = ["src/upload.py:6", "--scope", "code", "--format", format];
        let out = similar(&project, &arguments).with_code(0).out;
        assert!(out.starts_with(begins), "{format}: {out}");
    }
    assert_eq!(similar(&project, &["src/upload.py:6"]).out.lines().count(), FILES.len() - 1);
}

#[test]
fn without_vectors_it_says_how_to_get_them() {
    let project = project();
    project.wherein(["index", "--no-vectors"]).with_code(0);
    for arguments in [&["src/upload.py:6"][..], &["--text", "try again"]] {
        let advice = "no chunk of the tree has a vector yet; run 'wherein index' first";
        let nothing = similar(&project, arguments).with_code(1);
        assert_eq!(nothing.err, format!("wherein: nothing found: {advice}\n"));
        let told = answer(&project, arguments);
        assert_eq!((&told["hits"], &told["nothing_because"]), (&json!([]), &json!(advice)));
    }
}

#[test]
fn what_is_not_encoded_yet_may_ask_and_is_said_to_be_missing() {
    let project = encoded();
    project.write("src/resend.py", FILES[0].1.replace("upload", "parcel"));
    project.write("src/more.py", "def more():\n    return 1\n");
    project.settle();
    let ran = similar(&project, &["src/resend.py:6", "--json"]).with_code(0);
    assert_eq!(paths(&ran.json())[0], "src/upload.py");
    assert_eq!(ran.json()["index"]["complete"], false);
    let missing = "wherein: only 7 of 9 chunks have a vector; 'wherein index' encodes the rest\n";
    assert_eq!(ran.err, missing);
    let kept = similar(&project, &["src/upload.py:6", "-k1"]).with_code(0);
    assert!(kept.out.starts_with("src/resend.py:1-11\t"), "{kept:?}");
    assert!(kept.err.contains("only 8 of 9 chunks"), "{kept:?}");
}

#[test]
fn a_line_that_is_not_there_is_explained() {
    let project = encoded();
    project.write("blank.py", "\n\n\n");
    project.write("made.py", "# Generated by protoc. DO NOT EDIT.\nx = 1\n");
    project.write("logo.png", "");
    project.write(".hidden.py", "x = 1\n");
    let similar = |arguments: &[&str]| similar(&project, arguments);
    similar(&["missing.py:1"]).fails_naming(&["cannot open missing.py"]);
    similar(&["src/upload.py"]).fails_naming(&["names no line", "PATH:LINE"]);
    similar(&["src/upload.py:0"]).fails_naming(&["src/upload.py:0: lines are counted from 1"]);
    similar(&["src/upload.py:14"]).fails_naming(&["src/upload.py:14: the last line is 13"]);
    similar(&["blank.py:2"]).fails_naming(&["the file is blank"]);
    similar(&["logo.png:1"]).fails_naming(&["logo.png is not indexed: binary\n"]);
    let advice = "to compare its text: wherein similar --text - < ";
    similar(&["made.py:1"]).fails_naming(&["is not indexed: generated", advice]);
    similar(&[".hidden.py:1"]).fails_naming(&["not in the indexed tree", advice]);
    similar(&["--text", "?!"]).fails_naming(&["no letters or digits"]);
    similar(&[]).fails_naming(&["PATH:LINE"]);
    similar(&["src/upload.py:6", "--text", "x"]).fails_naming(&["cannot be used with"]);
    let binary = &b"\0\x01\x02"[..];
    run(project.command().args(["similar", "--text", "-"]).write_stdin(binary))
        .fails_naming(&["standard input is binary"]);
}

#[test]
fn without_a_model_there_is_nothing_to_compare_with() {
    let project = project();
    project.write("wherein.toml", "model = \"none\"\n");
    let off = ["search by meaning is off", "model = \"none\""];
    similar(&project, &["src/upload.py:6"]).fails_naming(&off);
    assert!(!project.cache().exists(), "it fails before it indexes");
}

#[test]
fn a_question_may_begin_with_the_names_of_the_commands() {
    let project = project();
    project.write("src/colours.py", "def similar_clusters(): pass\n");
    for question in ["similar", "clusters"] {
        let answer = project.wherein(["search", question, "--mode", "lexical", "--json"]).json();
        assert_eq!(paths(&answer), ["src/colours.py"], "{question}");
    }
    let help = project.wherein(["--help"]).with_code(0).out;
    assert!(help.contains("wherein search similar"), "{help}");
}

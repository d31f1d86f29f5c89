//! The page about addresses, written from the description that the server itself hands out.
//!
//! Only the tests use it: `docs/api.md` must be what this writes.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::routes;

const HEAD: &str = "# HTTP API

What `wherein serve` answers to. Who may ask, and what is promised, is in [serve.md](serve.md); a running
server has the same at `/reference`, and for programs at `/api/openapi.json`. Everything under `/api` is
under `/api/v1` too. Coding agents are served at `/mcp`: see [tools.md](tools.md). A program built with the
feature `fleet` also answers under `/api/fleet`, and its own description says so: see [fleet.md](fleet.md).
";

/// What is there in some builds only; the page is about what every build answers to.
const IN_SOME_BUILDS: &str = "/api/fleet/";

fn page() -> String {
    let document = serde_json::to_value(routes::document()).expect("a description is JSON");
    let mut page = String::from(HEAD);
    let paths = object(&document["paths"]).iter();
    for (path, methods) in paths.filter(|(path, _)| !path.starts_with(IN_SOME_BUILDS)) {
        for (method, operation) in
            object(methods).iter().filter(|(_, it)| it["responses"].is_object())
        {
            section(&mut page, &document, &format!("{} {path}", method.to_uppercase()), operation);
        }
    }
    page
}

fn section(page: &mut String, document: &Value, heading: &str, operation: &Value) {
    let _ = write!(page, "\n## {heading}\n\n");
    for text in ["summary", "description"] {
        if let Some(text) = operation[text].as_str() {
            let _ = write!(page, "{}\n\n", text.trim());
        }
    }
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let needed = parameter["required"] == true;
        let name = parameter["name"].as_str().unwrap_or_default();
        field(page, document, name, &parameter["schema"], &parameter["description"], needed);
    }
    for (_, content) in object(&operation["requestBody"]["content"]) {
        let schema = resolved(document, &content["schema"]);
        let _ = writeln!(page, "Body, as JSON:\n");
        for (name, below) in object(&schema["properties"]) {
            let needed =
                schema["required"].as_array().is_some_and(|it| it.iter().any(|it| it == name));
            field(page, document, name, below, &below["description"], needed);
        }
    }
    answers(page, operation);
}

fn field(
    page: &mut String,
    document: &Value,
    name: &str,
    schema: &Value,
    about: &Value,
    needed: bool,
) {
    let about =
        about.as_str().or(resolved(document, schema)["description"].as_str()).unwrap_or_default();
    let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
    let needed = if needed { ", needed" } else { "" };
    let _ = writeln!(page, "- `{name}` ({}{needed}): {about}", kind(document, schema));
}

fn answers(page: &mut String, operation: &Value) {
    let answers: Vec<String> = object(&operation["responses"])
        .iter()
        .map(|(code, it)| {
            format!("{code} {}", it["description"].as_str().unwrap_or_default().trim())
        })
        .collect();
    let _ = writeln!(page, "\nAnswers: {}.", answers.join("; "));
}

/// What a value is, in words.
fn kind(document: &Value, schema: &Value) -> String {
    let schema = resolved(document, schema);
    if let Some(values) = schema["enum"].as_array() {
        let words: Vec<String> =
            values.iter().filter_map(Value::as_str).map(|it| format!("`{it}`")).collect();
        return words.join(" or ");
    }
    let named = |name: &Value| name.as_str().filter(|name| *name != "null").map(str::to_owned);
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(named).collect::<Vec<_>>().join(" or "),
        name if name == "array" => format!("list of {}", kind(document, &schema["items"])),
        Value::String(name) => name.clone(),
        _ => {
            let choices =
                ["oneOf", "anyOf"].iter().filter_map(|key| schema[key].as_array()).flatten();
            let kinds: Vec<String> = choices
                .map(|it| kind(document, it))
                .filter(|it| !it.is_empty() && it != "null")
                .collect();
            kinds.join(" or ")
        }
    }
}

/// A schema, or what it refers to.
fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    let pointer = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(schema)
}

fn object(value: &Value) -> &Map<String, Value> {
    static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    value.as_object().unwrap_or(&EMPTY)
}

#[test]
fn the_page_about_addresses_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api.md");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, page()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, page(), "run `just update-expected` and look at the difference");
}

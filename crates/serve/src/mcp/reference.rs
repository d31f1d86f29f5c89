//! The page about tools, written from their one definition.
//!
//! Only the tests use it: `docs/tools.md` must be what this writes.

use std::fmt::Write;

use rmcp::model::Tool;
use serde_json::Value;

use super::tools::{INSTRUCTIONS, defined};

const HEAD: &str = "# Tools for coding agents

What `wherein mcp` offers, as agents read it. How to set an agent up, and what answers look like, is in
[mcp.md](mcp.md). `repositories` is there only where a fleet can be asked: see [fleet.md](fleet.md). The agent
is told about the whole:

";

fn page() -> String {
    let mut page = format!("{HEAD}> {INSTRUCTIONS}\n");
    defined(true).iter().for_each(|tool| section(&mut page, tool));
    page
}

fn section(page: &mut String, tool: &Tool) {
    let about = tool.description.as_deref().unwrap_or_default();
    let _ = write!(page, "\n## {}\n\n{about}\n\n", tool.name);
    let empty = Vec::new();
    let needed = tool.input_schema.get("required").and_then(Value::as_array).unwrap_or(&empty);
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        let needed = if needed.iter().any(|it| it == name) { ", needed" } else { "" };
        let about = schema["description"].as_str().unwrap_or_default();
        let _ = writeln!(page, "- `{name}` ({}{needed}): {about}", kind(schema));
    }
}

/// What a parameter is, in words.
fn kind(schema: &Value) -> String {
    match (schema["type"].as_str(), schema["enum"].as_array()) {
        (_, Some(values)) => {
            let words: Vec<String> =
                values.iter().map(|value| format!("`{}`", text(value))).collect();
            words.join(" or ")
        }
        (Some("array"), _) => "list of texts".to_owned(),
        (Some("integer"), _) => "number".to_owned(),
        _ => "text".to_owned(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn the_page_about_tools_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tools.md");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, page()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, page(), "run `just update-expected` and look at the difference");
}

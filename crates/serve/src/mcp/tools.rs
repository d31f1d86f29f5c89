//! The tools by name: what an agent reads about them, and what they take.
//!
//! Schemas use nothing but `type`, `properties`, `required`, `items`, `enum` and `description`: every
//! client takes those, and some take no more. Every word here is paid for by every conversation.

use std::sync::{Arc, LazyLock};

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::config::names_a_fleet;

/// What an agent is told about the whole.
pub const INSTRUCTIONS: &str = "Code search over the served folders. Start with search; \
    follow names with symbols and refs; before an edit ask impact. The last line of an answer says \
    what was searched. Paths in answers can be passed back as they are.";

/// Every tool, as this program can be asked.
pub fn all() -> &'static [Tool] {
    static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| defined(names_a_fleet()));
    &TOOLS
}

/// Every tool of a program that has a fleet, or of one that has none.
pub fn defined(has_fleet: bool) -> Vec<Tool> {
    DEFINED.iter().map(|it| it.tool(has_fleet)).collect()
}

/// Whether a tool has a parameter.
pub fn takes(name: &str, parameter: &str) -> bool {
    schema(name).is_some_and(|schema| schema["properties"].get(parameter).is_some())
}

/// What a tool takes.
pub fn schema(name: &str) -> Option<&'static Map<String, Value>> {
    all().iter().find(|tool| tool.name == name).map(|tool| &*tool.input_schema)
}

struct Defined {
    name: &'static str,
    about: &'static str,
    takes: &'static [Taken],
}

/// A parameter: its name, kind and meaning.
type Taken = (&'static str, Kind, &'static str);

#[derive(Clone, Copy)]
enum Kind {
    Needed,
    NeededList,
    Text,
    List,
    Number,
    OneOf(&'static [&'static str]),
}

use Kind::{List, Needed, NeededList, Number, OneOf, Text};

const BUDGET: Taken = ("budget", Number, "Most tokens of the answer.");
const PATHS: Taken = ("paths", List, "Only these globs; ! in front leaves out.");
const LANGUAGES: Taken = ("languages", List, "Only these.");
/// What `search` takes where a fleet can be asked, and only there.
const REPOSITORIES: Taken = (
    "repositories",
    List,
    "Search the fleet instead: globs of repositories, * for all. read opens its hits.",
);
const TARGET: &str = "Name (Type.method), PATH, or PATH:LINE.";

const DEFINED: &[Defined] = &[
    Defined {
        name: "search",
        about: "Finds code and docs by meaning, words and names. Takes questions, identifiers, \
                code, error messages, stack traces; also lang:rust path:src symbol:Foo kind:function \
                -word \"exact text\" inside the query.",
        takes: &[
            ("query", Needed, "What to find."),
            ("also", List, "More questions or wordings, answered on the same page."),
            ("scope", OneOf(&["all", "code", "docs"]), "Where to look; all unless given."),
            PATHS,
            LANGUAGES,
            ("budget", Number, "Most tokens of the answer; 2000 unless given."),
        ],
    },
    Defined {
        name: "read",
        about: "Reads spans of indexed files, as search names them. PATH:LINE gives the \
                definition around the line, PATH the whole file.",
        takes: &[
            ("spans", NeededList, "PATH, PATH:LINE or PATH:START-END."),
            ("context", Number, "Lines to add around each."),
            BUDGET,
        ],
    },
    Defined {
        name: "symbols",
        about: "Lists definitions by name or a part of it, most used first.",
        takes: &[
            ("name", Text, "A name or a part; the most used of all without."),
            ("kinds", List, "function, method, class, struct, …"),
            PATHS,
            LANGUAGES,
            BUDGET,
        ],
    },
    Defined {
        name: "refs",
        about: "Lists what uses a symbol or imports a file, with how sure that is.",
        takes: &[
            ("target", Needed, TARGET),
            ("relation", OneOf(&["uses", "callers", "callees"]), "uses unless given."),
            ("depth", Number, "Calls to follow; 1 unless given."),
            BUDGET,
        ],
    },
    Defined {
        name: "impact",
        about: "Tells what a change may break: files by risk, and the tests that cover it.",
        takes: &[
            ("target", Text, TARGET),
            ("since", Text, "Instead: a git revision; what differs from it now."),
            ("depth", Number, "Steps to follow; 3 unless given."),
            BUDGET,
        ],
    },
    Defined {
        name: "map",
        about: "Outlines the most central files and their signatures. For a first look.",
        takes: &[("focus", List, "Files or names to draw near to."), BUDGET],
    },
    Defined {
        name: "similar",
        about: "Finds code like a span or a text: copies, siblings, prior art.",
        takes: &[
            ("at", Text, "PATH:LINE."),
            ("text", Text, "Instead: a piece of code."),
            PATHS,
            LANGUAGES,
            BUDGET,
        ],
    },
    Defined {
        name: "status",
        about: "Tells what is indexed, how fresh it is, what was skipped and why.",
        // Some clients refuse an object without properties.
        takes: &[BUDGET],
    },
    Defined {
        name: "more",
        about: "Gives the next page of an answer that ended with a handle.",
        takes: &[("handle", Needed, "As the answer gave it."), BUDGET],
    },
];

impl Defined {
    fn tool(&self, has_fleet: bool) -> Tool {
        let more = (has_fleet && self.name == "search").then_some(&REPOSITORIES);
        let properties: Map<String, Value> = self.takes.iter().chain(more).map(property).collect();
        let needed = |(_, kind, _): &&Taken| matches!(kind, Needed | NeededList);
        let needed: Vec<&str> = self.takes.iter().filter(needed).map(|(name, ..)| *name).collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), Value::Object(properties));
        if !needed.is_empty() {
            schema.insert("required".to_owned(), json!(needed));
        }
        let hints = ToolAnnotations::new().read_only(true).open_world(false);
        Tool::new(self.name, self.about, Arc::new(schema)).with_annotations(hints)
    }
}

fn property((name, kind, about): &Taken) -> (String, Value) {
    let mut schema = match kind {
        Needed | Text => json!({"type": "string"}),
        NeededList | List => json!({"type": "array", "items": {"type": "string"}}),
        Number => json!({"type": "integer"}),
        OneOf(values) => json!({"type": "string", "enum": values}),
    };
    schema["description"] = json!(about);
    ((*name).to_owned(), schema)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::mcp::tokens::real;

    /// As clients hand them to a model, more or less: names, descriptions and schemas as JSON.
    #[test]
    fn all_definitions_together_are_small() {
        let told = |tool: &Tool| {
            json!({"name": tool.name, "description": tool.description, "input_schema": *tool.input_schema})
                .to_string()
        };
        // Past the harness, so that every run of the tests shows it.
        let (mut out, mut total) = (std::io::stdout(), 0);
        // With everything that any of them takes anywhere.
        let all = defined(true);
        for tool in &all {
            let tokens = real(&told(tool));
            let _ = writeln!(out, "tool {:8} {tokens:4} tokens", tool.name);
            total += tokens;
        }
        let wire = serde_json::to_string(&all).unwrap();
        let (wire, instructions) = (real(&wire), real(INSTRUCTIONS));
        let _ =
            writeln!(out, "all tools {total} tokens, {wire} as sent; instructions {instructions}");
        assert!(wire < 1500, "{wire}");
    }

    #[test]
    fn a_fleet_adds_one_parameter_to_one_tool() {
        let names = |has_fleet| {
            let tools = defined(has_fleet).into_iter();
            let of = |tool: Tool| tool.input_schema["properties"].as_object().unwrap().clone();
            tools.flat_map(|tool| of(tool).into_iter().map(|(name, _)| name)).collect::<Vec<_>>()
        };
        let (mut with, without) = (names(true), names(false));
        with.retain(|name| name != "repositories");
        assert_eq!((with, names(true).len()), (without.clone(), without.len() + 1));
    }

    /// Nothing that one of the usual clients refuses: no unions, references, nulls or formats.
    #[test]
    fn schemas_use_plain_types_only() {
        fn check(schema: &Value, at: &str) {
            let object = schema.as_object().unwrap_or_else(|| panic!("{at} is no object"));
            for (key, value) in object {
                match key.as_str() {
                    "type" => {
                        let plain = ["object", "string", "integer", "array"];
                        let kind = value.as_str().unwrap_or_else(|| panic!("{at}.type is a union"));
                        assert!(plain.contains(&kind), "{at} is of type {kind}");
                    }
                    "description" => assert!(value.is_string(), "{at}"),
                    "enum" | "required" => {
                        let all = value.as_array().unwrap();
                        assert!(!all.is_empty() && all.iter().all(Value::is_string), "{at}.{key}");
                    }
                    "items" => check(value, &format!("{at}[]")),
                    "properties" => {
                        assert!(!value.as_object().unwrap().is_empty(), "{at} takes nothing");
                        for (name, property) in value.as_object().unwrap() {
                            check(property, &format!("{at}.{name}"));
                        }
                    }
                    other => panic!("{at} uses {other:?}"),
                }
            }
            assert_eq!(object["type"] == "array", object.contains_key("items"), "{at}");
            assert_eq!(object["type"] == "object", object.contains_key("properties"), "{at}");
        }
        for tool in defined(true) {
            check(&Value::Object((*tool.input_schema).clone()), &tool.name);
            for name in
                tool.input_schema.get("required").iter().flat_map(|it| it.as_array().unwrap())
            {
                assert!(tool.input_schema["properties"].get(name.as_str().unwrap()).is_some());
            }
        }
    }
}

//! A call as it is understood: one variant a tool.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use wherein_engine::search::query::Scope;

use super::tools;
use super::trouble::Trouble;

/// Tokens of an answer unless the caller says.
const BUDGET: usize = 2000;
const READ_BUDGET: usize = 4000;
/// Below this not even what was searched could be said.
const LEAST_BUDGET: usize = 100;
const MOST_BUDGET: usize = 50_000;
/// Characters of a question; more than anyone would paste.
const MOST_TEXT: usize = 20_000;
const MOST_LIST: usize = 64;

/// What is asked for.
#[derive(Clone, Debug)]
pub enum Request {
    Search(Search),
    Read(Read),
    Symbols(Symbols),
    Refs(Refs),
    Impact(Impact),
    Map(Outline),
    Similar(Similar),
    Status(Status),
    More(More),
}

macro_rules! arguments {
    ($(#[$about:meta])* $name:ident { $($field:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $(#[serde(default)] pub $field: $kind,)*
            /// Tokens of the answer.
            #[serde(default)]
            pub budget: Option<usize>,
        }
    };
}

arguments! {
    /// Questions, and where to look.
    Search { query: String, also: Vec<String>, scope: Scope, paths: Vec<String>, languages: Vec<String>, repositories: Vec<String>, }
}
arguments! {
    /// Spans of files.
    Read { spans: Vec<String>, context: u32, }
}
arguments! {
    /// A part of a name.
    Symbols { name: Option<String>, kinds: Vec<String>, paths: Vec<String>, languages: Vec<String>, }
}
arguments! {
    /// What is used.
    Refs { target: String, relation: Relation, depth: Option<u32>, }
}
arguments! {
    /// What changes.
    Impact { target: Option<String>, since: Option<String>, depth: Option<u32>, }
}
arguments! {
    /// What to draw near to.
    Outline { focus: Vec<String>, }
}
arguments! {
    /// What hits should be like.
    Similar { at: Option<String>, text: Option<String>, paths: Vec<String>, languages: Vec<String>, }
}
arguments! {
    /// Nothing.
    Status {}
}
arguments! {
    /// A rest.
    More { handle: String, }
}

/// How two symbols are related.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    #[default]
    Uses,
    Callers,
    Callees,
}

impl Request {
    /// Reads a call. Says what is wrong with it in words that help to mend it.
    pub fn of(tool: &str, arguments: Map<String, Value>) -> Result<Request, Trouble> {
        let Some(schema) = tools::schema(tool) else {
            let names: Vec<&str> = tools::all().iter().map(|tool| &*tool.name).collect();
            let what = format!("there is no tool {tool:?}");
            return Err(Trouble::new(what, format!("There are {}.", names.join(", "))));
        };
        let arguments = lenient(schema, arguments);
        for needed in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            let needed = needed.as_str().unwrap_or_default();
            let given = arguments.get(needed);
            if given.is_none_or(|it| it == &json!("") || it == &json!([])) {
                let what = format!("{tool} needs {needed:?}");
                return Err(Trouble::new(what, "Call it again with that."));
            }
        }
        let request = match tool {
            "search" => Request::Search(read(tool, arguments)?),
            "read" => Request::Read(read(tool, arguments)?),
            "symbols" => Request::Symbols(read(tool, arguments)?),
            "refs" => Request::Refs(read(tool, arguments)?),
            "impact" => Request::Impact(read(tool, arguments)?),
            "map" => Request::Map(read(tool, arguments)?),
            "similar" => Request::Similar(read(tool, arguments)?),
            "status" => Request::Status(read(tool, arguments)?),
            _ => Request::More(read(tool, arguments)?),
        };
        request.check()?;
        Ok(request)
    }

    /// Tokens the answer may take.
    pub fn budget(&self) -> usize {
        let (given, usual) = match self {
            Request::Search(it) => (it.budget, BUDGET),
            Request::Read(it) => (it.budget, READ_BUDGET),
            Request::Symbols(it) => (it.budget, BUDGET),
            Request::Refs(it) => (it.budget, BUDGET),
            Request::Impact(it) => (it.budget, BUDGET),
            Request::Map(it) => (it.budget, BUDGET),
            Request::Similar(it) => (it.budget, BUDGET),
            Request::Status(it) => (it.budget, BUDGET),
            Request::More(it) => (it.budget, BUDGET),
        };
        given.unwrap_or(usual)
    }

    /// Whether it is about a fleet's repositories instead of the served folders.
    pub fn is_of_fleet(&self) -> bool {
        matches!(self, Request::Search(it) if !it.repositories.is_empty())
    }

    fn check(&self) -> Result<(), Trouble> {
        let budget = self.budget();
        if !(LEAST_BUDGET..=MOST_BUDGET).contains(&budget) {
            let what = format!("a budget of {budget} tokens is out of bounds");
            return Err(Trouble::new(what, format!("It must be {LEAST_BUDGET} to {MOST_BUDGET}.")));
        }
        let (texts, lists): (Vec<&String>, Vec<&Vec<String>>) = match self {
            Request::Search(it) => {
                let texts = std::iter::once(&it.query).chain(&it.also).collect();
                (texts, vec![&it.also, &it.paths, &it.languages, &it.repositories])
            }
            Request::Similar(it) => (it.text.iter().collect(), vec![&it.paths, &it.languages]),
            Request::Symbols(it) => {
                (it.name.iter().collect(), vec![&it.paths, &it.languages, &it.kinds])
            }
            Request::Read(it) => (Vec::new(), vec![&it.spans]),
            Request::Map(it) => (Vec::new(), vec![&it.focus]),
            _ => (Vec::new(), Vec::new()),
        };
        if texts.iter().any(|text| text.chars().count() > MOST_TEXT) {
            let what = format!("a text is longer than {MOST_TEXT} characters");
            return Err(Trouble::new(what, "Ask with a part of it."));
        }
        if lists.iter().any(|list| list.len() > MOST_LIST) {
            let what = format!("a list has more than {MOST_LIST} entries");
            return Err(Trouble::new(what, "Ask in several calls."));
        }
        if self.is_of_fleet() && !tools::takes("search", "repositories") {
            let what = "there is no fleet here: no store is named, or this program knows none";
            return Err(Trouble::new(what, "Leave \"repositories\" out."));
        }
        Ok(())
    }
}

fn read<T: DeserializeOwned>(tool: &str, arguments: Map<String, Value>) -> Result<T, Trouble> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        Trouble::new(
            format!("{tool} cannot read its arguments: {error}"),
            "Mend them and call again.",
        )
    })
}

/// What models write instead of what a schema says, where it can only mean one thing: null for
/// nothing, one text for a list of one, a list or a number written as text.
fn lenient(schema: &Map<String, Value>, arguments: Map<String, Value>) -> Map<String, Value> {
    let kind = |name: &str| schema["properties"][name]["type"].as_str().unwrap_or_default();
    let mended = |(name, value): (String, Value)| {
        let value = match (kind(&name), value) {
            (_, Value::Null) => return None,
            ("array", Value::String(text)) => match serde_json::from_str(&text) {
                Ok(list @ Value::Array(_)) => list,
                _ if text.is_empty() => json!([]),
                _ => json!([text]),
            },
            ("integer", Value::String(text)) => match text.trim().parse::<u64>() {
                Ok(number) => json!(number),
                Err(_) => Value::String(text),
            },
            ("integer", Value::Number(number)) => match number.as_f64() {
                Some(float) if number.is_f64() && float >= 0.0 => json!(float as u64),
                _ => Value::Number(number),
            },
            ("string", Value::Number(number)) => json!(number.to_string()),
            ("string", Value::String(text)) if text.is_empty() => return None,
            (_, value) => value,
        };
        Some((name, value))
    };
    arguments.into_iter().filter_map(mended).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(tool: &str, arguments: Value) -> Result<Request, Trouble> {
        Request::of(tool, arguments.as_object().unwrap().clone())
    }

    #[test]
    fn what_can_only_mean_one_thing_is_taken() {
        let arguments = json!({
            "query": "x", "also": null, "paths": "src", "languages": "[\"rust\", \"go\"]",
            "budget": "900", "scope": "",
        });
        let Ok(Request::Search(search)) = asked("search", arguments) else { panic!() };
        assert_eq!(search.paths, ["src"]);
        assert_eq!(search.languages, ["rust", "go"]);
        assert_eq!((search.budget, search.scope), (Some(900), Scope::All));
        let Ok(Request::Refs(refs)) = asked("refs", json!({"target": "f", "depth": 2.0})) else {
            panic!()
        };
        assert_eq!(refs.depth, Some(2));
    }

    #[track_caller]
    fn check_refused(tool: &str, arguments: Value, words: &str) {
        let trouble = asked(tool, arguments).unwrap_err().to_string();
        assert!(trouble.contains(words), "{trouble}");
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_a_hint() {
        check_refused("grep", json!({}), "search, read, symbols");
        check_refused("search", json!({}), "needs \"query\"");
        check_refused("search", json!({"query": null}), "needs \"query\"");
        check_refused("read", json!({"spans": []}), "needs \"spans\"");
        check_refused("search", json!({"query": "x", "limit": 3}), "unknown field `limit`");
        check_refused("search", json!({"query": "x", "scope": "tests"}), "expected one of");
        check_refused("search", json!({"query": "x", "budget": 5}), "100 to 50000");
        check_refused("search", json!({"query": "x", "budget": -5}), "`-5`");
        check_refused("search", json!({"query": "x".repeat(20_001)}), "20000 characters");
        check_refused("read", json!({"spans": vec!["a"; 65]}), "64 entries");
        check_refused("search", json!({"query": "x", "repositories": ["*"]}), "no fleet here");
    }
}

//! One table in a TOML file, put in and taken out again.
//!
//! It is put at the end as text, so that taking it out gives back the same bytes. A list that is
//! written inside braces cannot be added to that way, and a table that was changed since is not
//! known by its text: those are left to a library that keeps everything else as it is.

use anyhow::Context;
use serde_json::{Map, Value as Json};
use toml_edit::{Array, DocumentMut, Item, Table, Value, value};

use super::agents::Entry;

/// What `list.name` says.
pub struct Found {
    pub entry: Map<String, Json>,
    /// Whether all of what would be put in is there.
    pub is_same: bool,
}

/// Finds `list.name`.
pub fn find(text: &str, list: &str, name: &str, entry: &Entry) -> anyhow::Result<Option<Found>> {
    let document: Json = ::toml::from_str(text).context("it is no TOML")?;
    let found = document.get(list).and_then(|list| list.get(name));
    Ok(found.map(|found| {
        let found = found.as_object().cloned().unwrap_or_default();
        let is_same = entry.iter().all(|(key, value)| found.get(*key) == Some(value));
        Found { entry: found, is_same }
    }))
}

/// Puts `list.name` in. A file that was there and empty gets a line before it, and is not removed
/// with it.
pub fn insert(
    before: Option<&str>,
    list: &str,
    name: &str,
    entry: &Entry,
) -> anyhow::Result<String> {
    let text = before.unwrap_or_default();
    let mut document = parsed(text)?;
    if document.get(list).is_some_and(Item::is_inline_table) {
        let mut inline = toml_edit::InlineTable::new();
        for (key, it) in entry {
            inline.insert(*key, written(it));
        }
        document[list][name] = value(inline);
        return Ok(document.to_string());
    }
    let block = block(list, name, entry);
    let with = match text {
        "" if before.is_none() => block,
        // Without a line end at the end before, there is none after.
        text if !text.is_empty() && !text.ends_with('\n') => {
            format!("{text}\n\n{}", block.trim_end())
        }
        text => format!("{text}\n{block}"),
    };
    parsed(&with)?;
    Ok(with)
}

/// Takes `list.name` out. `None` if nothing else would be left.
pub fn remove(text: &str, list: &str, name: &str, entry: &Entry) -> anyhow::Result<Option<String>> {
    let block = block(list, name, entry);
    if text == block {
        return Ok(None);
    }
    if let Some(before) = text.strip_suffix(&format!("\n\n{}", block.trim_end())) {
        return Ok(Some(before.to_owned()));
    }
    if let Some((before, after)) = text.split_once(&format!("\n{block}"))
        && (after.is_empty() || after.starts_with(['\n', '[']))
    {
        return Ok(Some(format!("{before}{after}")));
    }
    let mut document = parsed(text)?;
    let is_last = match document.get_mut(list).and_then(Item::as_table_like_mut) {
        Some(table) => {
            table.remove(name);
            table.is_empty()
        }
        None => false,
    };
    let is_implied = document.get(list).and_then(Item::as_table).is_some_and(Table::is_implicit);
    if is_last && is_implied {
        document.remove(list);
    }
    Ok(Some(document.to_string()))
}

fn parsed(text: &str) -> anyhow::Result<DocumentMut> {
    text.parse::<DocumentMut>().context("it is no TOML")
}

fn block(list: &str, name: &str, entry: &Entry) -> String {
    let fields = entry.iter().map(|(key, it)| format!("{key} = {}\n", written(it)));
    format!("[{list}.{name}]\n{}", fields.collect::<String>())
}

fn written(json: &Json) -> Value {
    match json {
        Json::Array(all) => Value::Array(all.iter().map(written).collect::<Array>()),
        other => Value::from(other.as_str().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry() -> Entry {
        vec![("command", json!("wherein")), ("args", json!(["mcp"]))]
    }

    const BLOCK: &str = "[mcp_servers.wherein]\ncommand = \"wherein\"\nargs = [\"mcp\"]\n";

    #[track_caller]
    fn check(before: &str, after: &str) {
        let with = insert(Some(before), "mcp_servers", "wherein", &entry()).unwrap();
        assert_eq!(with, after);
        assert!(find(&with, "mcp_servers", "wherein", &entry()).unwrap().unwrap().is_same);
        let without = remove(&with, "mcp_servers", "wherein", &entry()).unwrap();
        assert_eq!(without.as_deref(), Some(before), "taken out again");
    }

    #[test]
    fn a_table_is_put_at_the_end_and_taken_out_again() {
        check("# mine\na = 1  # one\n", &format!("# mine\na = 1  # one\n\n{BLOCK}"));
        check("a = 1", &format!("a = 1\n\n{}", BLOCK.trim_end()));
        check("", &format!("\n{BLOCK}"));
        check("a = 1\n\n\n", &format!("a = 1\n\n\n\n{BLOCK}"));
        check(
            "[mcp_servers.x]\ncommand = 'y'\n\n[z]\n# end\n",
            &format!("[mcp_servers.x]\ncommand = 'y'\n\n[z]\n# end\n\n{BLOCK}"),
        );
        let made = insert(None, "mcp_servers", "wherein", &entry()).unwrap();
        assert_eq!(remove(&made, "mcp_servers", "wherein", &entry()).unwrap(), None);
    }

    #[test]
    fn a_list_in_braces_is_added_to_in_its_place() {
        let before = "a = 1\nmcp_servers = { x = { command = \"y\" } } # mine\n";
        let with = insert(Some(before), "mcp_servers", "wherein", &entry()).unwrap();
        assert!(with.contains("wherein = {") && with.ends_with("# mine\n"), "{with}");
        let without = remove(&with, "mcp_servers", "wherein", &entry()).unwrap().unwrap();
        assert_eq!(without, before);
    }

    #[test]
    fn what_was_changed_since_is_taken_out_all_the_same() {
        let with = format!("a = 1\n\n{BLOCK}startup_timeout_sec = 5\n\n[b]\nc = 2 # two\n");
        assert!(find(&with, "mcp_servers", "wherein", &entry()).unwrap().unwrap().is_same);
        let without = remove(&with, "mcp_servers", "wherein", &entry()).unwrap().unwrap();
        assert_eq!(without, "a = 1\n\n[b]\nc = 2 # two\n");
    }

    #[test]
    fn what_is_no_toml_is_refused() {
        assert!(insert(Some("a = = 1"), "mcp_servers", "wherein", &entry()).is_err());
    }
}

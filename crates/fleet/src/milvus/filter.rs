//! Filters of the engine's queries. Who may see what is decided here and nowhere after.

use wherein_corpus::Role;

/// What a search is kept to.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only chunks that one of these repositories holds; all if absent.
    pub repositories: Option<Vec<i64>>,
    /// Only these languages; all if empty.
    pub languages: Vec<String>,
    /// Only code, or only prose.
    pub role: Option<Role>,
}

/// The shelf of what several repositories hold.
pub const SHARED: &str = "*";

impl Filter {
    /// As the engine reads it; `None` if nothing can pass.
    pub fn written(&self) -> Option<String> {
        let mut clauses = Vec::new();
        if let Some(ids) = &self.repositories {
            if ids.is_empty() {
                return None;
            }
            clauses.push(held_by(ids));
        }
        if !self.languages.is_empty() {
            clauses.push(format!("language in [{}]", quoted(&self.languages)));
        }
        if let Some(role) = self.role {
            clauses.push(format!("role == \"{}\"", role_name(role)));
        }
        Some(clauses.join(" and "))
    }
}

/// A chunk of one repository stands on that one's shelf, which is the partition's key: the engine
/// looks only where it may be.
fn held_by(ids: &[i64]) -> String {
    let shelves: Vec<String> = ids.iter().map(i64::to_string).chain([SHARED.to_owned()]).collect();
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    let (shelves, ids) = (quoted(&shelves), ids.join(", "));
    format!("shelf in [{shelves}] and array_contains_any(holders, [{ids}])")
}

/// Rows of one path, and perhaps of others: a path may hold what would end a text, so only what
/// stands before that is asked for, and what comes has to be looked at again.
pub fn at_path(path: &str) -> String {
    let is_odd = |c: char| c.is_control() || matches!(c, '"' | '\\');
    match path.find(is_odd) {
        None => format!("path == \"{path}\""),
        Some(odd) => format!("path like \"{}%\"", &path[..odd]),
    }
}

/// Some texts as a list of the engine's. What could end a text is left out: keys and names of
/// ours hold none of it.
pub fn quoted(texts: &[String]) -> String {
    let one = |text: &String| format!("\"{}\"", text.replace(['"', '\\', '\n'], ""));
    texts.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A role as it is stored.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Code => "code",
        Role::Docs => "docs",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_names_everything_that_may_pass_and_nothing_else() {
        let filter = Filter {
            repositories: Some(vec![3, 17]),
            languages: vec!["rust".into()],
            role: Some(Role::Code),
        };
        assert_eq!(
            filter.written().unwrap(),
            "shelf in [\"3\", \"17\", \"*\"] and array_contains_any(holders, [3, 17]) \
             and language in [\"rust\"] and role == \"code\""
        );
        assert_eq!(Filter::default().written().unwrap(), "");
        let none = Filter { repositories: Some(vec![]), ..Filter::default() };
        assert_eq!(none.written(), None, "who may see nothing asks nothing");
    }

    #[test]
    fn no_path_ends_its_quotes() {
        assert_eq!(at_path("src/größe_1%.rs"), "path == \"src/größe_1%.rs\"");
        assert_eq!(at_path("a\" or id != \""), "path like \"a%\"");
        assert_eq!(at_path("a\\\" or b"), "path like \"a%\"");
        assert_eq!(at_path("\n"), "path like \"%\"");
    }

    #[test]
    fn no_text_ends_its_quotes() {
        assert_eq!(quoted(&["a\" or id != \"".into()]), "\"a or id != \"");
    }
}

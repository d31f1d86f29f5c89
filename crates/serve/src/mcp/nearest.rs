//! The names that look most like one that is not there.

use std::collections::HashSet;

use wherein_engine::{Error, Snapshot};

/// Names that are told.
const MOST: usize = 5;
/// Less likeness than this is chance.
const LEAST: f32 = 0.25;

/// Identifiers of a tree that share the most of a name, most alike first.
pub fn identifiers(snapshot: &Snapshot, name: &str) -> Result<Vec<String>, Error> {
    let symbols = snapshot.symbols()?;
    Ok(most_alike(name, symbols.names().map(|(_, name)| name)))
}

/// Files of a tree whose paths share the most of one.
pub fn files(snapshot: &Snapshot, path: &str) -> Vec<String> {
    most_alike(path, snapshot.manifest.files.iter().map(|file| file.path.as_str()))
}

fn most_alike<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let wanted = trigrams(wanted);
    let mut alike: Vec<(f32, &str)> = names
        .map(|name| (likeness(&wanted, &trigrams(name)), name))
        .filter(|(likeness, _)| *likeness >= LEAST)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    alike.dedup_by_key(|(_, name)| *name);
    alike.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}

/// Runs of three letters and digits, with marks for both ends; case and signs do not count.
fn trigrams(name: &str) -> HashSet<[char; 3]> {
    let letters = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    let framed: Vec<char> = ['^', '^'].into_iter().chain(letters).chain(['$']).collect();
    framed.windows(3).map(|run| [run[0], run[1], run[2]]).collect()
}

/// Twice what two have in common, by what they have.
fn likeness(a: &HashSet<[char; 3]>, b: &HashSet<[char; 3]>) -> f32 {
    2.0 * a.intersection(b).count() as f32 / (a.len() + b.len()).max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_parts_are_near_and_strangers_are_not() {
        let names = ["retry_upload", "retryCount", "evict_oldest", "Uploader", "x"];
        let near = |wanted: &str| most_alike(wanted, names.into_iter());
        assert_eq!(near("retry_uplaod")[0], "retry_upload");
        assert_eq!(near("RetryUpload")[0], "retry_upload");
        assert_eq!(near("evictOldestPage")[0], "evict_oldest");
        assert_eq!(near("quokka"), [""; 0]);
    }
}

//! What a change does to a file, line by line.

use std::fmt::Write;

/// Lines around a change.
const AROUND: usize = 3;

/// The one run of lines that differs, as a patch shows it. Nothing for two texts that are the same.
pub fn lines(path: &str, before: Option<&str>, after: Option<&str>) -> String {
    let (old, new) = (split(before), split(after));
    if old == new && before.is_some() == after.is_some() {
        return String::new();
    }
    let same = |a: &[&str], b: &[&str]| a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let head = same(&old, &new);
    let reversed =
        |lines: &[&'_ str]| lines.iter().rev().copied().collect::<Vec<&str>>().join("\n");
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = reversed(old_rest)
        .split('\n')
        .zip(reversed(new_rest).split('\n'))
        .take_while(|(a, b)| a == b)
        .count()
        .min(old_rest.len())
        .min(new_rest.len());
    let (from, old_to, new_to) = (head.saturating_sub(AROUND), old.len() - tail, new.len() - tail);
    let (old_end, new_end) = ((old_to + AROUND).min(old.len()), (new_to + AROUND).min(new.len()));
    let name = |text: Option<&str>| if text.is_some() { path } else { "/dev/null" };
    let mut out = format!("--- {}\n+++ {}\n", name(before), name(after));
    let _ = writeln!(out, "@@ -{} +{} @@", place(from, old_end), place(from, new_end));
    let marked = |lines: &[&str], sign: char| {
        lines.iter().map(|line| format!("{sign}{line}\n")).collect::<String>()
    };
    out.push_str(&marked(&old[from..head], ' '));
    out.push_str(&marked(&old[head..old_to], '-'));
    out.push_str(&marked(&new[head..new_to], '+'));
    out.push_str(&marked(&old[old_to..old_end], ' '));
    out
}

fn split(text: Option<&str>) -> Vec<&str> {
    text.unwrap_or_default().lines().collect()
}

fn place(from: usize, to: usize) -> String {
    format!("{},{}", if to > from { from + 1 } else { from }, to - from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_some_lines_around_it() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = "1\n2\n3\n4\n5\nx\n6\n7\n8\n9\n";
        let expected = "--- f\n+++ f\n@@ -3,6 +3,7 @@\n 3\n 4\n 5\n+x\n 6\n 7\n 8\n";
        assert_eq!(lines("f", Some(before), Some(after)), expected);
        assert_eq!(lines("f", Some("a\n"), Some("a\n")), "");
        assert_eq!(lines("f", None, Some("a\n")), "--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
        assert_eq!(lines("f", Some("a\n"), None), "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
        assert_eq!(
            lines("f", Some("a\na\n"), Some("a\n")),
            "--- f\n+++ f\n@@ -1,2 +1,1 @@\n a\n-a\n"
        );
    }
}

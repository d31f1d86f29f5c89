//! The name that was probably meant: fewest slips away, if they are few.

/// The nearest of `names`, unless even that is another word.
pub fn nearest<'n>(wanted: &str, names: &[&'n str]) -> Option<&'n str> {
    let plain = |name: &str| -> Vec<char> {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(wanted);
    let far = |name: &str| {
        let name = plain(name);
        (slips(&wanted, &name), name.len().abs_diff(wanted.len()))
    };
    let near = names.iter().min_by_key(|name| far(name))?;
    (far(near).0 <= wanted.len().div_ceil(3)).then_some(near)
}

/// Letters to add, drop, change or swap with their neighbours on the way from one word to the other.
fn slips(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = match (i, j) {
                (0, n) | (n, 0) => n,
                _ => {
                    let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    let swapped = if swapped { rows[i - 2][j - 2] + 1 } else { changed };
                    changed.min(swapped).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1)
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_lead_back_and_other_words_do_not() {
        let names = ["mode", "model", "limit", "max_file_size"];
        let check = |wanted, expected| assert_eq!(nearest(wanted, &names), expected, "{wanted}");
        check("mdoe", Some("mode"));
        check("modle", Some("model"));
        check("Limits", Some("limit"));
        check("max-filesize", Some("max_file_size"));
        check("quokka", None);
        check("", None);
    }
}

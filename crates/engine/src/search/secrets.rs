//! From a text to the same text without what should not be shown: private keys and tokens.
//!
//! An answer is read by people over a shoulder, by logs and by programs that pass it on, and whoever
//! asks where keys are loaded need not be shown one. Only forms that hardly stand for anything else
//! are known here: the armour of a key, and tokens whose issuers gave them a prefix to be found by.
//! Lines stay lines, so that places hold.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// Stands for what is not shown.
pub const REDACTED: &str = "[redacted]";

/// The text without its secrets.
pub fn redact(text: &str) -> Cow<'_, str> {
    match without_keys(text) {
        Cow::Borrowed(text) if !MAY_HOLD.is_match(text) => Cow::Borrowed(text),
        Cow::Borrowed(text) => TOKENS.replace_all(text, REDACTED),
        Cow::Owned(text) => Cow::Owned(TOKENS.replace_all(&text, REDACTED).into_owned()),
    }
}

static TOKENS: LazyLock<Regex> = LazyLock::new(|| {
    let forms: Vec<&str> = FORMS.iter().map(|(_, form)| *form).collect();
    Regex::new(&forms.join("|")).expect("the forms are patterns")
});

/// Matches wherever [`TOKENS`] may. Plain words are made ready in a twentieth of the time that the forms take, and looked for
/// in less where letters beyond ASCII stand; hardly any page needs more.
static MAY_HOLD: LazyLock<Regex> = LazyLock::new(|| {
    let words: Vec<&str> = FORMS.iter().map(|(words, _)| *words).collect();
    Regex::new(&words.join("|")).expect("words are patterns")
});

/// One row an issuer: words of which each token holds one, and what its tokens look like.
const FORMS: [(&str, &str); 17] = [
    ("AKIA|ASIA|ABIA|ACCA", r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b"),
    ("ghp_|gho_|ghu_|ghs_|ghr_", r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"),
    ("github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{60,255}\b"),
    (
        "glpat-|gldt-|glrt-|glptt-|glcbt-|glsoat-",
        r"\bgl(?:pat|dt|rt|ptt|cbt|soat)-[A-Za-z0-9_-]{20,}",
    ),
    ("xoxa|xoxb|xoxe|xoxo|xoxp|xoxr|xoxs", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    (
        "hooks[.]slack[.]com",
        r"\bhooks\.slack\.com/services/[A-Za-z0-9_]+/[A-Za-z0-9_]+/[A-Za-z0-9_]{16,}",
    ),
    ("k_live_|k_test_", r"\b[sr]k_(?:live|test)_[0-9A-Za-z]{20,}"),
    ("AIza", r"\bAIza[0-9A-Za-z_-]{35}"),
    ("npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("pypi-AgE", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    ("sk-", r"\bsk-(?:proj-|ant-|svcacct-)?[A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]{31,}"),
    ("hf_", r"\bhf_[A-Za-z]{34}\b"),
    ("cio", r"\bcio[A-Za-z0-9]{32}\b"),
    ("dop_v1_", r"\bdop_v1_[a-f0-9]{64}\b"),
    ("SG[.]", r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    ("eyJ", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("AGE-SECRET-KEY-1", r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"),
];

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// The text without what stands inside the armour of private keys.
fn without_keys(text: &str) -> Cow<'_, str> {
    let Some(mut start) = next_key(text) else { return Cow::Borrowed(text) };
    let (mut shown, mut rest) = (String::with_capacity(text.len()), text);
    loop {
        shown.push_str(&rest[..start]);
        rest = &rest[start..];
        let inside = &rest[..length(rest)];
        shown.push_str(&blank(inside));
        rest = &rest[inside.len()..];
        match next_key(rest) {
            Some(next) => start = next,
            None => break,
        }
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// Where the inside of the next private key begins.
fn next_key(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text[from..].find(BEGIN) {
        let label = from + found + BEGIN.len();
        let close = text[label..].find("-----").map(|at| label + at)?;
        if close - label < 60 && text[label..close].contains("PRIVATE KEY") {
            return Some(close + "-----".len());
        }
        from = label;
    }
    None
}

/// How far the inside of a key goes: to its end mark, or as far as it looks like one.
fn length(text: &str) -> usize {
    if let Some(end) = text.find(END).filter(|&end| !text[..end].contains(BEGIN)) {
        return end;
    }
    let is_armour = |c: char| c.is_ascii_alphanumeric() || "+/=\\\r\n\t \"',:-".contains(c);
    text.find(|c| !is_armour(c)).unwrap_or(text.len())
}

/// As many lines, with nothing on them.
fn blank(inside: &str) -> String {
    let line = |line: &str| if line.trim().is_empty() { "" } else { REDACTED };
    let lines: Vec<&str> = inside.split('\n').map(line).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let redacted = redact(text);
        assert_eq!(redacted, expected);
        assert_eq!(redacted.lines().count(), text.lines().count());
    }

    /// Split, lest these lines be taken for secrets by others of our kind.
    fn token(prefix: &str, length: usize) -> String {
        format!("{prefix}{}", "a1B2c3D4e5".repeat(30).get(..length).unwrap_or_default())
    }

    #[test]
    fn tokens_of_known_forms_are_not_shown() {
        let tokens = [
            format!("AKIA{}", "ABCDEFGH12345678"),
            token("ghp_", 36),
            token("github_pat_", 82),
            token("glpat-", 20),
            token("xoxb-", 24),
            token("sk_live_", 24),
            token("AIza", 35),
            token("npm_", 36),
            token("sk-proj-", 48),
            token("gho_", 40),
            token("glsoat-", 20),
            format!("hooks.slack.com/services/T0/B0/{}", token("", 24)),
            token("pypi-AgE", 50),
            format!("hf_{}", "aBcDeFgHiJkLmNoPq".repeat(2)),
            token("cio", 32),
            format!("dop_v1_{}", "0a1b2c3d".repeat(8)),
            format!("{}.{}", token("SG.", 22), token("", 43)),
            format!("AGE-SECRET-KEY-1{}", "QPZRY9X8GF".repeat(6)),
            format!("{}.{}.{}", token("eyJ", 20), token("eyJ", 30), token("", 40)),
        ];
        for token in tokens {
            check(&format!("key = \"{token}\" # why"), "key = \"[redacted]\" # why");
        }
    }

    #[test]
    fn what_only_looks_a_little_like_one_is_shown() {
        for text in [
            "AKIA is a prefix; ghp_ is another",
            "sk-learn and sk-a-very-long-css-class-name-without-digits-in-it-at-all",
            "npm_config_registry = x",
            "xoxb-short",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_private_key_keeps_its_lines_and_its_marks() {
        let key = |inside: &str| {
            format!("a\n{BEGIN}RSA PRIVATE KEY-----{inside}{END}RSA PRIVATE KEY-----\nb\n")
        };
        check(&key("\nMIIEow\nIBAAK\n"), &key("\n[redacted]\n[redacted]\n"));
        check(&key("\\nMIIEow\\n"), &key("[redacted]"));
        let two = key("\nMII\n").repeat(2);
        check(&two, &key("\n[redacted]\n").repeat(2));
    }

    #[test]
    fn a_key_without_an_end_is_not_shown_either() {
        let text = format!("{BEGIN}PRIVATE KEY-----\nMIIEow\nIBAAK");
        check(&text, &format!("{BEGIN}PRIVATE KEY-----\n[redacted]\n[redacted]"));
    }
}

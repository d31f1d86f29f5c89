//! Hits as a page shows them: with the lines that match and what their parts are to the eye.

use serde::Serialize;
use utoipa::ToSchema;
use wherein_corpus::{Language, Lines, Token, highlight};
use wherein_engine::search::answer::{Answer, Certificate, Hit, Spent};

use super::keeper::View;

/// Lines of a hit beyond which it is not tinted: nobody reads them in a list.
const MOST_TINTED: usize = 400;

/// One page of hits.
#[derive(Debug, Serialize, ToSchema)]
pub struct HitPage {
    /// The question as it was asked.
    pub query: String,
    /// Hits, best first.
    pub hits: Vec<ShownHit>,
    /// Where in all hits this page begins.
    pub offset: usize,
    /// Whether there are more after this page.
    pub more: bool,
    /// What was searched.
    pub index: Certificate,
    /// How much of the budget the hits take, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Spent>,
    /// How likely the page is to answer; absent where that cannot be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
    /// Why the answer may not reflect the tree as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale_because: Option<String>,
    /// Why nothing was searched by meaning, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_off_because: Option<String>,
    /// Why there are no hits, if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nothing_because: Option<String>,
    /// How long the answer took, waiting included.
    pub took_ms: f64,
}

/// A hit, and what marks it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShownHit {
    #[serde(flatten)]
    pub hit: Hit,
    /// The lines that match best, best first, counted as in the file.
    pub best_lines: Vec<u32>,
    /// Tinted tokens, if they were asked for and the snippet is the whole span.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tints: Option<Vec<Tinted>>,
}

/// `[line, start, end, tint]`: the line as counted in the file, columns in UTF-16 units from 0 with
/// the end excluded, and the tint: 1 comment, 2 string, 3 number, 4 keyword, 5 type, 6 function,
/// 7 property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = Vec<u32>, min_items = 4, max_items = 4)]
pub struct Tinted(pub [u32; 4]);

/// Which hits of an answer are shown, and how.
#[derive(Clone, Debug)]
pub struct Window {
    pub offset: usize,
    pub limit: usize,
    pub highlight: bool,
    /// Only hits of these kinds; all if empty.
    pub kinds: Vec<String>,
}

impl Window {
    /// How many hits to ask for. Lists of one depth agree, so that pages neither repeat nor leave
    /// out a hit; up to twenty hits the engine looks equally deep.
    pub fn depth(&self) -> usize {
        const DEPTHS: [usize; 2] = [100, 501];
        let needed = self.offset + self.limit + 1;
        match needed {
            _ if !self.kinds.is_empty() => DEPTHS[1],
            ..=20 => needed,
            _ => DEPTHS.into_iter().find(|&depth| needed <= depth).unwrap_or(needed),
        }
    }

    /// The page of an answer.
    pub fn page(&self, mut answer: Answer, view: &View) -> HitPage {
        view.own_up(&mut answer.index);
        self.page_of(answer, view.stale_because.clone())
    }

    /// The page of an answer of whatever index.
    pub fn page_of(&self, answer: Answer, stale_because: Option<String>) -> HitPage {
        let Answer { mut hits, index, mut nothing_because, .. } = answer;
        let found = hits.len();
        hits.retain(|hit| self.kinds.is_empty() || self.kinds.contains(&hit.kind));
        if found > 0 && hits.is_empty() {
            let kinds = self.kinds.join(" or ");
            nothing_because = Some(format!("none of the first {found} hits is a {kinds}"));
        }
        let more = hits.len() > self.offset + self.limit;
        let hits = hits.into_iter().skip(self.offset).take(self.limit);
        HitPage {
            query: answer.query,
            hits: hits.map(|hit| self.shown(hit)).collect(),
            offset: self.offset,
            more,
            index,
            tokens: answer.tokens,
            confidence: answer.confidence,
            stale_because,
            dense_off_because: answer.dense_off_because,
            nothing_because,
            took_ms: 0.0,
        }
    }

    fn shown(&self, mut hit: Hit) -> ShownHit {
        let best_lines = std::mem::take(&mut hit.best_lines);
        let is_whole = hit.shown.is_empty() && !hit.signature_only;
        let is_short = is_whole && hit.snippet.lines().count() <= MOST_TINTED;
        let tints = (self.highlight && is_short)
            .then(|| tints(&hit.snippet, &hit.language, hit.start_line));
        ShownHit { hit, best_lines, tints }
    }
}

/// The tinted tokens of a text whose first line is counted as `first`.
pub fn tints(text: &str, language: &str, first: u32) -> Vec<Tinted> {
    let Some(language) = Language::named(language) else { return Vec::new() };
    let lines = Lines::of(text);
    let mut tints = Vec::new();
    let mut at = Place { line: 1, start: 0 };
    for token in highlight(text, language) {
        at.enter(token, &lines, first, &mut tints);
    }
    tints
}

/// A line and the byte it starts at.
struct Place {
    line: u32,
    start: usize,
}

impl Place {
    /// Cuts a token at line ends.
    fn enter(&mut self, token: Token, lines: &Lines, first: u32, tints: &mut Vec<Tinted>) {
        while self.line <= lines.count() {
            let whole = lines.span(self.line..=self.line);
            let (text, end) = (lines.line(self.line), self.start + whole.len());
            let from = token.start.max(self.start) - self.start;
            let to = (token.end.max(self.start) - self.start).min(text.len());
            if from < to {
                let column = |byte: usize| text[..byte].encode_utf16().count() as u32;
                let tinted = [first + self.line - 1, column(from), column(to), token.tint as u32];
                tints.push(Tinted(tinted));
            }
            if token.end < end {
                return;
            }
            (self.line, self.start) = (self.line + 1, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[[u32; 4]]) {
        let found: Vec<[u32; 4]> = tints(text, "rust", 10).into_iter().map(|it| it.0).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn tokens_are_cut_at_line_ends_and_counted_in_utf16() {
        check("fn a() {}\n", &[[10, 0, 2, 4], [10, 3, 4, 6]]);
        check("/* x\r\n y */\n\"é𝄞\"", &[[10, 0, 4, 1], [11, 0, 5, 1], [12, 0, 5, 2]]);
        check("", &[]);
    }

    #[test]
    fn depths_are_few() {
        let depth =
            |offset, limit| Window { offset, limit, highlight: false, kinds: vec![] }.depth();
        assert_eq!((depth(0, 10), depth(10, 9), depth(10, 10)), (11, 20, 100));
        assert_eq!((depth(90, 9), depth(90, 10), depth(400, 100)), (100, 501, 501));
    }
}

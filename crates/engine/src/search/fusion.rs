//! From the channels' lists to one list.

use crate::search::channels::{Channel, Found, Lists, Spot};
use crate::search::intent::Intent;
use crate::search::query::{Fusion, Query};
use crate::search::weights;

/// A chunk with its score and where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The file's position in the manifest, which is the order of paths.
    pub file: usize,
    /// The chunk's number in the file.
    pub chunk: u32,
    /// Higher is better.
    pub score: f32,
    /// What the channels say of it.
    pub found: Found,
    /// How much of the score each channel gave.
    pub parts: [f32; 3],
}

/// Scores every chunk that was found. Candidates come best first; ties by path, then line.
pub fn fuse(lists: Lists, intent: &Intent, query: &Query) -> Vec<Candidate> {
    let unit = unit_of_words(&lists, intent);
    let candidate = |((file, chunk), found): (Spot, Found)| {
        let parts = match query.fusion {
            Fusion::Scores => scores(&found, unit),
            Fusion::Ranks => ranks(&found),
        };
        Candidate { file, chunk, score: rounded(parts.iter().sum()), found, parts }
    };
    let mut candidates: Vec<Candidate> = lists.found.into_iter().map(candidate).collect();
    candidates.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)).then(a.chunk.cmp(&b.chunk))
    });
    candidates
}

/// Equal scores stay equal whatever the order they were added up in.
fn rounded(score: f32) -> f32 {
    (score * 1e5).round() / 1e5
}

/// What a score by words is multiplied with to stand beside a cosine: the more of the question the
/// words stand for, the more they count. Alone they stay as they are.
fn unit_of_words(lists: &Lists, intent: &Intent) -> f32 {
    match lists.found.values().any(Found::is_dense) {
        true if lists.terms.worth > 0.0 => weights::lexical(intent.shape) / lists.terms.worth,
        _ => 1.0,
    }
}

fn scores(found: &Found, unit_of_words: f32) -> [f32; 3] {
    let score = |channel: Channel| found.standings[channel as usize].map_or(0.0, |it| it.score);
    [score(Channel::Lexical) * unit_of_words, score(Channel::DenseCode), score(Channel::DenseDocs)]
}

/// Reciprocal ranks: a list gives `1 / (60 + rank)`.
fn ranks(found: &Found) -> [f32; 3] {
    found.standings.map(|standing| {
        let rank = standing.and_then(|standing| standing.rank);
        rank.map_or(0.0, |rank| 1.0 / (weights::RANK_OFFSET + rank as f32))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::channels::{Standing, Terms};
    use crate::search::intent::Shape;

    /// Chunks of one file as `(lexical, dense)`, each a rank and a score.
    type Row = (Option<(usize, f32)>, Option<(usize, f32)>);

    #[track_caller]
    fn check(rows: &[Row], fusion: Fusion, expected: &[(u32, f32)]) {
        let terms = Terms::of([("word".to_owned(), 10.0)].into());
        let mut lists = Lists { terms, ..Lists::default() };
        for (chunk, (lexical, dense)) in rows.iter().enumerate() {
            let standing = |it: &Option<(usize, f32)>| {
                it.map(|(rank, score)| Standing { rank: Some(rank), score })
            };
            let standings = [standing(lexical), standing(dense), None];
            lists.found.insert((0, chunk as u32), Found { standings, document: None });
        }
        let intent = Intent { terms: Vec::new(), shape: Shape::Words };
        let query = Query { fusion, ..Query::new("x") };
        let fused = fuse(lists, &intent, &query);
        let found: Vec<(u32, f32)> = fused.iter().map(|it| (it.chunk, it.score)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn ranks_add_up_their_reciprocals() {
        let rows = [(Some((1, 9.0)), Some((2, 0.1))), (None, Some((1, 0.9)))];
        check(&rows, Fusion::Ranks, &[(0, 0.03252), (1, 0.01639)]);
    }

    #[test]
    fn words_count_by_how_much_of_the_question_they_stand_for() {
        let rows = [(Some((1, 10.0)), Some((2, 0.5))), (None, Some((1, 0.55)))];
        let lexical = weights::lexical(Shape::Words);
        check(&rows, Fusion::Scores, &[(0, 0.5 + lexical), (1, 0.55)]);
    }

    #[test]
    fn words_alone_keep_their_scores() {
        let rows = [(Some((2, 3.0)), None), (Some((1, 9.0)), None)];
        check(&rows, Fusion::Scores, &[(1, 9.0), (0, 3.0)]);
    }
}

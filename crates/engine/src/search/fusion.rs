//! From the channels' lists to one list.

use crate::search::channels::{Channel, Found, Lists, Spot};
use crate::search::intent::{Intent, Shape};
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
    pub parts: Parts,
    /// How likely it is to answer, between 0 and 1, if that can be said.
    pub confidence: Option<f32>,
    /// What the judge says of it, if it was looked at again.
    pub judged: Option<f32>,
}

/// How much each channel gives.
pub type Parts = [f32; Channel::ALL.len()];

/// Scores every chunk that was found. Candidates come best first; ties by path, then line.
pub fn fuse(lists: Lists, intent: &Intent, query: &Query) -> Vec<Candidate> {
    let (units, unread) = (Units::of(&lists, intent), lists.unread());
    let candidate = |((file, chunk), found): (Spot, Found)| {
        let (parts, unread) = match query.fusion {
            Fusion::Scores => (scores(&found, units, intent.shape), unread),
            Fusion::Ranks => (ranks(&found), 0.0),
        };
        let unread = if found.is_dense() { 0.0 } else { unread };
        let score = rounded(parts.iter().sum::<f32>() + unread);
        Candidate { file, chunk, score, found, parts, confidence: None, judged: None }
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

/// What scores are multiplied with to stand beside each other.
#[derive(Clone, Copy)]
struct Units {
    /// A score by words.
    words: f32,
    /// A score of any other channel.
    others: f32,
}

impl Units {
    /// Beside a cosine words count the more, the more of the question they stand for. Without
    /// meaning they stay as they are, and the other channels grow to match.
    fn of(lists: &Lists, intent: &Intent) -> Units {
        let is_defined = || lists.found.values().any(Found::is_definition);
        let words = match intent.shape {
            Shape::Words if lists.is_of_chunks => weights::WORDS_OF_CHUNKS,
            Shape::Name if is_defined() => weights::WORDS_OF_DEFINED,
            shape => weights::channel(Channel::Lexical, shape),
        };
        let worth = lists.terms.worth;
        match lists.found.values().any(Found::is_dense) {
            _ if worth <= 0.0 => Units { words: 1.0, others: 1.0 },
            true => Units { words: words / worth, others: 1.0 },
            false => Units { words: 1.0, others: worth / words },
        }
    }
}

fn scores(found: &Found, units: Units, shape: Shape) -> Parts {
    Channel::ALL.map(|channel| {
        let score = found.standings[channel as usize].map_or(0.0, |it| it.score);
        score
            * match channel {
                Channel::Lexical => units.words,
                channel => units.others * weights::channel(channel, shape),
            }
    })
}

/// Reciprocal ranks: a list gives `1 / (60 + rank)`.
fn ranks(found: &Found) -> Parts {
    found.standings.map(|standing| {
        let rank = standing.and_then(|standing| standing.rank);
        rank.map_or(0.0, |rank| 1.0 / (weights::RANK_OFFSET + rank as f32))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::channels::{Standing, Standings, Terms};

    /// Chunks of one file as `(lexical, dense)`, each a rank and a score.
    type Row = (Option<(usize, f32)>, Option<(usize, f32)>);

    #[track_caller]
    fn check(rows: &[Row], fusion: Fusion, expected: &[(u32, f32)]) {
        check_of(rows, fusion, false, expected);
    }

    #[track_caller]
    fn check_of(rows: &[Row], fusion: Fusion, is_of_chunks: bool, expected: &[(u32, f32)]) {
        let terms = Terms::of([("word".to_owned(), 10.0)].into(), 0.0);
        let mut lists = Lists { terms, is_of_chunks, ..Lists::default() };
        for (chunk, (lexical, dense)) in rows.iter().enumerate() {
            let standing = |it: &Option<(usize, f32)>| {
                it.map(|(rank, score)| Standing { rank: Some(rank), score })
            };
            let mut standings = Standings::default();
            standings[Channel::Lexical as usize] = standing(lexical);
            standings[Channel::DenseCode as usize] = standing(dense);
            lists.found.insert((0, chunk as u32), Found { standings, document: None });
        }
        let intent = crate::search::intent::read(&Query::new("some words")).unwrap();
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
        let lexical = weights::channel(Channel::Lexical, Shape::Words);
        check(&rows, Fusion::Scores, &[(0, 0.5 + lexical), (1, 0.55)]);
        check_of(&rows, Fusion::Scores, true, &[(1, 0.55), (0, 0.5 + weights::WORDS_OF_CHUNKS)]);
    }

    #[test]
    fn what_has_no_vector_yet_is_as_near_as_usual() {
        let of_words = weights::channel(Channel::Lexical, Shape::Words);
        let rows = [
            (Some((1, 10.0)), None),
            (Some((2, 5.0)), Some((1, 0.7))),
            (None, Some((2, 0.5))),
            (None, Some((3, 0.2))),
        ];
        let expected = [(1, 0.7 + of_words / 2.0), (0, 0.5 + of_words), (2, 0.5), (3, 0.2)];
        check(&rows, Fusion::Scores, &expected);
    }

    #[test]
    fn a_definition_of_the_name_outweighs_a_path_full_of_it() {
        let candidate = |lexical: f32, definition: Option<f32>| {
            let standing = |score| Some(Standing { rank: Some(1), score });
            let mut standings = Standings::default();
            standings[Channel::Lexical as usize] = standing(lexical);
            standings[Channel::DenseCode as usize] = standing(0.7);
            standings[Channel::Definitions as usize] = definition.and_then(standing);
            Found { standings, document: None }
        };
        let first = |definition| {
            let terms = Terms::of([("client".to_owned(), 10.0)].into(), 0.0);
            let found = [((0, 0), candidate(70.0, None)), ((1, 0), candidate(10.0, definition))];
            let lists = Lists { terms, found: found.into(), ..Lists::default() };
            let query = Query::new("Client");
            let intent = crate::search::intent::read(&query).unwrap();
            fuse(lists, &intent, &query)[0].file
        };
        assert_eq!((first(Some(1.0)), first(None)), (1, 0));
    }

    #[test]
    fn words_alone_keep_their_scores() {
        let rows = [(Some((2, 3.0)), None), (Some((1, 9.0)), None)];
        check(&rows, Fusion::Scores, &[(1, 9.0), (0, 3.0)]);
    }
}

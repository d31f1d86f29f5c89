//! Every number that shapes ranking.

use crate::history::log::words::CommitField;
use crate::index::lexical::Field;
use crate::search::channels::Channel;
use crate::search::intent::Shape;

/// How much a match in a field counts.
///
/// Chosen on 2026-11-15 by coordinate search over the development halves, all questions at once,
/// lexical mode. All fields at 1.0 → these: semble NDCG@10 .773 → .791, octocode code Hit@5
/// .766 → .859, octocode docs Hit@5 .922 → .953, RepoEval api Recall@5 .977 → .986. A name also
/// stands in its signature, which is why its own field needs so little.
pub fn field(field: Field) -> f32 {
    match field {
        Field::Path => 1.5,
        Field::Name => 0.06,
        Field::Signature => 0.56,
        Field::Doc => 0.36,
        Field::Body => 1.0,
    }
}

/// How much a match in a part of a commit counts. Not evaluated yet: a message says what a commit is
/// for, a path where, and its changed lines hold many words by the way.
pub fn commit_field(field: CommitField) -> f32 {
    match field {
        CommitField::Message => 1.0,
        CommitField::Path => 0.5,
        CommitField::Change => 0.3,
    }
}

/// What ranks of commits by words and by meaning are added to before their reciprocals are summed, as
/// in the paper that proposed it (Cormack and others, 2009).
pub const COMMIT_RANKS: f32 = 60.0;

/// How much a whole compound identifier counts beside its parts.
pub const WHOLE: f32 = 1.0;

/// How much a word counts that questions are full of and code is not.
pub const STOP_WORD: f32 = 0.1;

/// Most distinct terms of a question that are looked up; a longer question keeps its rarest.
pub const MOST_TERMS: usize = 192;

/// How much words count beside meaning, where 1 is a cosine of 1 for words that stand for the whole
/// question.
///
/// Chosen on 2026-11-15 over all development halves. For prose 0.08 (0.06 to 0.12 tried): semble
/// NDCG@10 .792 lexical, .803 dense, .834 both; CodeSearchNet Python MRR .501, .722, .726; octocode
/// code MRR .654, .566, .658. More words would help octocode (.719 at most) and cost CodeSearchNet.
/// For pasted code 0.4: RepoEval api Recall@5 .959 at 0.08, .983 by words alone.
fn lexical(shape: Shape) -> f32 {
    match shape {
        Shape::Words => 0.08,
        Shape::Name | Shape::Path => 0.2,
        Shape::Message => 0.3,
        Shape::Code | Shape::Trace => 0.4,
    }
}

/// How much words of a question in prose count in a list of chunks, where all that they can tell of is
/// what meaning was made of; in trees they also tell of paths, headings and neighbours, and the ranker weighs them
/// anew.
///
/// Chosen on 2026-11-19 among 0 to 0.1 on CodeSearchNet Python, its validation half, Java and Rust, over the first
/// sixty: MRR .760, .778, .805, .843; by meaning alone .750, .778, .799, .839, at 0.08 .750, .769, .799, .838. With the
/// model before it had been 0.035.
pub const WORDS_OF_CHUNKS: f32 = 0.03;

/// How much words count beside meaning for a name that the tree defines. Where it is only mentioned, words say
/// where; where it is defined, a path full of the name had put files that mention it before the one that defines it.
///
/// Chosen on 2026-11-18 among 0.02 to 0.2, together with what a definition counts (0.3 to 1.0), on the 137 names among
/// semble's questions, before the ranker: NDCG@10 .953 → .970.
pub const WORDS_OF_DEFINED: f32 = 0.04;

/// How much a channel's best score counts beside a cosine.
pub fn channel(channel: Channel, shape: Shape) -> f32 {
    match (channel, shape) {
        (Channel::Lexical, _) => lexical(shape),
        (Channel::DenseCode | Channel::DenseDocs, _) => 1.0,
        (Channel::Definitions, Shape::Name) => 0.6,
        (Channel::Definitions, _) => 0.1,
        (Channel::Symbols, _) => 0.2,
        (Channel::Paths, Shape::Path | Shape::Trace) => 0.5,
        (Channel::Paths, _) => 0.05,
        (Channel::Graph, _) => 0.05,
    }
}

// Nearness is a matter of the index, which knows nothing of search.
pub use crate::index::vectors::PART;

/// What is added to a rank before its reciprocal is taken.
pub const RANK_OFFSET: f32 = 60.0;

/// A page is not an answer if its best hit is less likely than this to be right.
///
/// Chosen on 2026-11-18 by questions about repositories that nothing was trained on: of those about what is not there
/// 79, 81 and 89 % are refused at 0.04, 0.05 and 0.1, of those that have an answer at most 1 % in any set but documents
/// (0.8, 0.8 and 2.1 %), mined headings (1.1, 1.2, 1.9 %) and bench:swe (1 of 39 at each). Between the last two by the
/// golden trees: of their hundred 88 were refused at 0.08, and 3 of the 102 that have an answer (88 and 2 since 2026-11-19).
pub const LEAST_CONFIDENCE: f32 = 0.08;

/// How many candidates the ranker puts into order on a usual page, and how many hits that has at most.
pub const RERANKED: usize = 60;
/// See [`RERANKED`].
pub const USUAL_PAGE: usize = 20;

/// So many of the first by words alone, and by meaning alone, the ranker puts into order too.
///
/// Chosen on 2026-11-19 among 0, 5, 10, 15, 20 and 25 on the development halves, with the rankers of that day: codescout 39
/// points without, 40 with 5, 41 with 10, 43 from 15 on; semble NDCG@10 .900 at each, octocode's code and docs and bench:swe the same
/// to the third digit.
pub const FIRST_OF_LIST: usize = 15;

/// How many candidates the ranker puts into order for a page of so many hits. Who asks for a long page
/// wants everything that belongs to the matter, which tests and translated documents would crowd out.
///
/// Chosen on 2026-11-16 on bench:swe, pages of 50 chunks, for 0, 3, 6 and 12 candidates a hit: recall .808,
/// .808, .833, .859 (all that is there would be .885), MRR .685, .683, .675, .680. On usual pages 12 a hit
/// cost semble .004 of NDCG@10 and twice the time.
pub fn reranked(limit: usize) -> usize {
    const A_HIT: usize = 12;
    const MOST: usize = 600;
    if limit <= USUAL_PAGE { RERANKED } else { limit.saturating_mul(A_HIT).min(MOST) }
}

/// What the fused score is multiplied with before the trees correct it; as in training.
pub const FUSED: f32 = 30.0;

/// What a candidate is worth that comes after so many better ones of its file, the best of which is worth `best`.
///
/// Other files tell more, so it loses. For questions in words, at 3, 5 and 7: semble's recall at 2k tokens .966, .970,
/// .970, at 500 .776, .783, .787, octocode code Hit@5 .953, .953, .938 and MRR .921, .918, .914, docs MRR .867, .868, .866,
/// codescout 38 points at each (2026-11-19). Who pastes code is not done with the file it stands in: what else is in it
/// is worth what the place itself is, but for a step. RepoEval api with the pasted lines hidden, Recall@5 .927 so, .808
/// without and with the rankers before: the place that
/// is hidden brings the rest of its file along.
pub fn after_better(shape: Shape, worth: f32, best: f32, better: f32) -> f32 {
    const AGAIN: f32 = 5.0;
    const STEP: f32 = 4.0;
    match shape {
        Shape::Code => worth.max(best - STEP * better),
        Shape::Trace => worth,
        Shape::Words | Shape::Message | Shape::Name | Shape::Path => worth - AGAIN * better,
    }
}

/// What the prototype of a function in a header counts beside its body elsewhere: who asks for a name wants to read it.
/// Not evaluated: no question of the development halves asks for a name that both have.
pub const PROTOTYPE: f32 = 0.7;

/// What a file counts, of a frame's 1, that the message of a trace speaks of. Not evaluated: a test holds the order.
pub const SPOKEN_OF: f32 = 0.5;

/// What a file counts, of a frame's 1, that stands at the top where the frame names folders: it may be another of
/// the same name. Less than 1, so that it is not taken for the innermost call for sure.
pub const AT_TOP: f32 = 0.9;

/// What a file counts, of 1 for one that is named by its path, whose name is a word of the question.
pub const NAMESAKE: f32 = 0.3;

/// What the place that a trace ends in is worth beside everything else: that is where one looks first.
pub const INNERMOST: f32 = 100.0;

/// How many candidates lend words to a question that asks for it, how many words, and how much each
/// counts.
pub const EXPANDED_FROM: usize = 5;
/// See [`EXPANDED_FROM`].
pub const EXPANDED_BY: usize = 10;
/// See [`EXPANDED_FROM`].
pub const EXPANSION: f32 = 0.2;

/// A question of no more words that names a line of a file asks for that line.
pub const WORDS_ABOUT_A_LINE: usize = 8;

/// How many files are followed up to what imports them, and in how many steps.
pub const UPSTREAM_FROM: usize = 10;
/// See [`UPSTREAM_FROM`].
pub const UPSTREAM_STEPS: u32 = 2;
/// How much of the tree must lead less to a file than to one that is looked at for what it imports.
pub const UPSTREAM_RANK: f32 = 0.9;

/// How many of the first candidates the judge reads, where there is no ranker: what it takes is in proportion. Not
/// evaluated; with 40 a question by meaning alone waits twice as long.
pub const JUDGED: usize = 20;

/// What a unit of the judge's counts beside a cosine; it was trained to be right by differences of 1. Chosen on
/// 2026-11-20 on the development halves, by meaning alone. Without it, at .01, .0125, .015 and .02: MRR on CodeSearchNet
/// Python .753, .771, .771, .769, .766, its validation half .781, .797, .798, .799, .796, Java .806, .822, .825, .822,
/// .822, octocode code .799, .824, .832, .837, .848, docs .665, .694, .695, .702, .721 (trees could take more, lists of functions lose); semble NDCG@10 .827, .846 (.01) and
/// .848 (.02). Behind the ranker it had nothing to add in trees, a fifth of the ranker's unit each: semble .899 to .900,
/// octocode code MRR .908 to .899, bench:swe .740 to .710.
pub const JUDGE: f32 = 0.0125;

/// How many candidates are looked at for each hit asked for, and how many at least.
pub const CANDIDATES_PER_HIT: usize = 20;
/// See [`CANDIDATES_PER_HIT`].
pub const LEAST_CANDIDATES: usize = 400;

/// Words that say that something is asked, not what.
#[rustfmt::skip]
pub const STOP_WORDS: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "is", "are", "was", "were", "be",
    "been", "being", "am", "do", "does", "did", "done", "doing", "has", "have", "had", "having",
    "will", "would", "can", "could", "should", "shall", "may", "might", "must",
    "i", "we", "you", "he", "she", "they", "me", "us", "them", "my", "our", "your", "their", "his", "her",
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "wherein",
    "and", "or", "but", "if", "then", "else", "so", "than", "as", "of", "at", "by", "for", "with",
    "about", "against", "between", "into", "through", "during", "before", "after", "above", "below",
    "to", "from", "up", "down", "in", "out", "on", "off", "over", "under", "again", "further",
    "here", "there", "all", "any", "both", "each", "few", "more", "most", "other", "some", "such",
    "no", "nor", "not", "only", "own", "same", "too", "very", "just", "also", "via", "per",
    "used", "using", "uses", "use", "find", "show", "tell", "give", "explain", "happen", "happens",
    "work", "works", "code", "implementation", "implemented", "implement", "logic", "place", "get", "gets",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_file_follows_pasted_code_and_gives_way_to_other_files_elsewhere() {
        let (best, second) = (20.0, 5.0);
        let worth = |shape| after_better(shape, second, best, 1.0);
        assert!(second < worth(Shape::Code) && worth(Shape::Code) < best);
        assert_eq!(worth(Shape::Trace), second);
        assert!(worth(Shape::Words) < second);
        assert_eq!(after_better(Shape::Code, 19.0, best, 1.0), 19.0);
    }
}

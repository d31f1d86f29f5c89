//! The terms of one field: what comes in are those of each document, what goes out are the documents of
//! each term.

use tantivy::DocId;

/// Which terms stand in which document and how often, document after document.
#[derive(Default)]
pub struct Log {
    /// For each document its terms, each once: twice the number of the term, counted from one, and one
    /// more if how often it stands there follows, for most stand there once. Then zero.
    entries: Vec<u16>,
    /// How many terms each document has, those it has more than once counted again.
    pub lengths: Vec<u32>,
}

/// How many documents of terms are sorted at a time: all at once would need more memory than the log
/// itself, half as many take 3 % of all indexing longer.
const WINDOW: u32 = 1 << 19;

/// Marks a piece of a number that others follow.
const MORE: u64 = 1 << 15;

/// Stands for a term that is not in the window.
const OUTSIDE: u32 = u32::MAX;

impl Log {
    /// Enters the terms of the next document and empties their list. `times` has a zero for every term
    /// there is, before and after.
    pub fn enter(&mut self, terms: &mut Vec<u32>, times: &mut [u32]) {
        self.lengths.push(terms.len() as u32);
        terms.iter().for_each(|&term| times[term as usize] += 1);
        for term in terms.drain(..) {
            let times = std::mem::take(&mut times[term as usize]);
            if times > 0 {
                push(&mut self.entries, (u64::from(term) + 1) << 1 | u64::from(times > 1));
            }
            if times > 1 {
                push(&mut self.entries, u64::from(times));
            }
        }
        self.entries.push(0);
    }

    /// Gives those of the terms `order` that stand in a document, in that order, each with its documents
    /// and how often it stands in them.
    pub fn each<E>(
        &self,
        order: &[u32],
        mut give: impl FnMut(u32, &[(DocId, u32)]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut counts = vec![0; order.len()];
        self.replay(|_, term, _| counts[term as usize] += 1);
        let (mut next, mut rows) = (vec![OUTSIDE; order.len()], Vec::new());
        let mut left = order;
        while !left.is_empty() {
            let (window, rest) = left.split_at(window(left, &counts));
            self.gather(window, &counts, &mut next, &mut rows);
            for &term in window {
                let end = std::mem::replace(&mut next[term as usize], OUTSIDE);
                let start = end - counts[term as usize];
                if start < end {
                    give(term, &rows[start as usize..end as usize])?;
                }
            }
            left = rest;
        }
        Ok(())
    }

    /// Bytes of memory this takes.
    pub fn memory(&self) -> usize {
        2 * self.entries.capacity() + 4 * self.lengths.capacity()
    }

    /// Puts the documents of some terms in a row, those of each behind those of the one before, and into
    /// `next` where those of each end.
    fn gather(
        &self,
        window: &[u32],
        counts: &[u32],
        next: &mut [u32],
        rows: &mut Vec<(DocId, u32)>,
    ) {
        let mut all = 0;
        for &term in window {
            next[term as usize] = all;
            all += counts[term as usize];
        }
        rows.resize(all as usize, (0, 0));
        self.replay(|document, term, times| {
            let next = &mut next[term as usize];
            if *next != OUTSIDE {
                rows[*next as usize] = (document, times);
                *next += 1;
            }
        });
    }

    /// Gives every document with each of its terms and how often that stands in it.
    fn replay(&self, mut give: impl FnMut(DocId, u32, u32)) {
        let (mut entries, mut document) = (self.entries.iter(), 0);
        while let Some(entry) = pull(&mut entries) {
            match entry {
                0 => document += 1,
                _ if entry & 1 == 0 => give(document, (entry >> 1) as u32 - 1, 1),
                _ => {
                    give(document, (entry >> 1) as u32 - 1, pull(&mut entries).unwrap_or(1) as u32)
                }
            }
        }
    }
}

/// How many of some terms make a window: as many as fit, but one at least.
fn window(terms: &[u32], counts: &[u32]) -> usize {
    let mut all = 0;
    let fits = |&&term: &&u32| {
        all += counts[term as usize];
        all <= WINDOW
    };
    terms.iter().take_while(fits).count().max(1)
}

/// Appends a number, fifteen bits a piece, the lowest first. With bytes, how many come next is harder to
/// guess, and all of indexing takes 3 % longer.
fn push(pieces: &mut Vec<u16>, mut number: u64) {
    while number >= MORE {
        pieces.push((number | MORE) as u16);
        number >>= 15;
    }
    pieces.push(number as u16);
}

#[inline]
fn pull(pieces: &mut std::slice::Iter<u16>) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let piece = u64::from(*pieces.next()?);
        number |= (piece & (MORE - 1)) << shift;
        if piece < MORE {
            return Some(number);
        }
        shift += 15;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    /// What comes out of a log of documents, and what should.
    fn check(documents: &[Vec<u32>], terms: u32) {
        let (mut log, mut times) = (Log::default(), vec![0; terms as usize]);
        let mut expected: BTreeMap<u32, BTreeMap<DocId, u32>> = BTreeMap::new();
        for (document, terms) in (0..).zip(documents) {
            log.enter(&mut terms.clone(), &mut times);
            for &term in terms {
                *expected.entry(term).or_default().entry(document).or_default() += 1;
            }
        }
        let order: Vec<u32> = (0..terms).collect();
        let mut found = BTreeMap::new();
        let Ok(()) = log.each(&order, |term, documents| {
            found.insert(term, documents.iter().copied().collect());
            Ok::<_, Infallible>(())
        });
        assert_eq!(found, expected);
    }

    proptest! {
        #[test]
        fn terms_have_the_documents_they_were_entered_with(
            documents in prop::collection::vec(prop::collection::vec(0..300u32, 0..400), 0..40),
        ) {
            check(&documents, 300);
        }
    }

    #[test]
    fn large_numbers_of_terms_and_of_times_are_kept() {
        let mut document = vec![16_382, 16_383, 16_384, 32_767, 70_000];
        document.extend([[3; 40_000], [99_999; 40_000]].as_flattened());
        check(&[document.clone(), vec![], document], 100_000);
    }

    #[test]
    fn more_documents_of_terms_than_fit_a_window_are_all_given() {
        let documents: Vec<Vec<u32>> = (0..6000).map(|n| (n % 7..200).collect()).collect();
        assert!(documents.iter().map(Vec::len).sum::<usize>() > 2 * WINDOW as usize);
        check(&documents, 200);
    }

    #[test]
    fn a_term_alone_may_be_more_than_a_window() {
        check(&vec![vec![0, 1]; WINDOW as usize + 1], 2);
    }
}

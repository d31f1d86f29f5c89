//! Which files hold given words, told by the index without opening one of them.

use std::collections::HashSet;

use tantivy::Term;
use tantivy::collector::DocSetCollector;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

use crate::error::Result;
use crate::index::lexical::{FILE, Field};
use crate::index::snapshot::Snapshot;
use crate::index::tokens::{TermKind, Tokens};

/// The ids of the files that hold all words of one of the lists; `None` if a list asks nothing.
pub fn files(index: &Snapshot, lists: &[Vec<String>]) -> Result<Option<HashSet<u32>>> {
    let mut distinct: Vec<&Vec<String>> = lists.iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut all = HashSet::new();
    for words in distinct {
        match holding_all(index, words)? {
            Some(files) => all.extend(files),
            None => return Ok(None),
        }
    }
    Ok((!lists.is_empty()).then_some(all))
}

fn holding_all(index: &Snapshot, words: &[String]) -> Result<Option<HashSet<u32>>> {
    let mut files: Option<HashSet<u32>> = None;
    for terms in words.iter().map(|word| terms(word)).filter(|terms| !terms.is_empty()) {
        let holding = holding(index, &terms)?;
        files = Some(match files {
            Some(files) => files.intersection(&holding).copied().collect(),
            None => holding,
        });
    }
    Ok(files)
}

/// The terms that a word gives wherever it stands. Beyond ASCII that depends on its neighbours.
fn terms(word: &str) -> Vec<String> {
    let (mut tokens, mut term, mut terms) = (Tokens::of(word), String::new(), Vec::new());
    if !word.is_ascii() {
        return terms;
    }
    while let Some(kind) = tokens.next(&mut term) {
        if kind == TermKind::Part {
            terms.push(term.clone());
        }
    }
    terms
}

/// Files with a chunk that holds all terms. A word stands on one line, so in one chunk.
fn holding(index: &Snapshot, terms: &[String]) -> Result<HashSet<u32>> {
    let clause = |term: &String| -> (Occur, Box<dyn Query>) {
        let term = Term::from_field_text(Field::Body.handle(), term);
        (Occur::Must, Box::new(TermQuery::new(term, IndexRecordOption::Basic)))
    };
    let searcher = index.searcher();
    let query = BooleanQuery::new(terms.iter().map(clause).collect());
    let documents = searcher.search(&query, &DocSetCollector)?;
    let columns = searcher.segment_readers().iter().map(|it| it.fast_fields().u64(FILE));
    let columns = columns.collect::<tantivy::Result<Vec<_>>>()?;
    let file = |it: tantivy::DocAddress| columns[it.segment_ord as usize].first(it.doc_id);
    Ok(documents.into_iter().filter_map(file).map(|id| id as u32).collect())
}

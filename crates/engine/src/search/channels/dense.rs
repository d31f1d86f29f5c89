//! The channels of meaning: the question's vector against those of the chunks.

use std::collections::HashMap;

use wherein_corpus::Digest;
use wherein_encoder::{Code, Codec, Model, Probe, Side};

use crate::error::{Error, Result};
use crate::index::snapshot::Snapshot;
use crate::index::vectors::encode::{self, GoOn};
use crate::index::vectors::passage::Passage;
use crate::index::vectors::segment::{Doc, Row};
use crate::index::vectors::{Vectors, nearest_of};
use crate::search::channels::{Channel, Lists, Spot, Standings};
use crate::search::filter::Allowed;
use crate::search::recall::{NearSpot, Nearness, channel_of};

/// A question about meaning, ready to be compared.
pub struct Dense<'q> {
    index: &'q Snapshot,
    model: &'q Model,
    go_on: GoOn<'q>,
    vectors: &'q Vectors,
    codec: Codec,
    probe: Probe,
    /// For each file id its position in the manifest and its channel, if it may answer.
    files: Vec<Option<(u32, Channel)>>,
    are_filtered: bool,
}

/// The rows of a chunk, and whether they were made just now.
struct Rows {
    spot: Spot,
    rows: Vec<Row>,
    are_new: bool,
}

/// Chunks that are encoded between two looks at the time.
const STEP: usize = 4;

/// Candidates of the other channels that are worth encoding while somebody waits.
const MOST_ENCODED: usize = 64;

impl<'q> Dense<'q> {
    /// Encodes the question.
    pub fn ask(
        index: &'q Snapshot,
        model: &'q Model,
        go_on: GoOn<'q>,
        text: &str,
        allowed: &Allowed,
    ) -> Result<Dense<'q>> {
        let vectors = index.vectors(model)?;
        let vector = model.encode(&[text], Side::Question)?.pop().unwrap_or_default();
        Dense::near(index, model, go_on, vectors, &vector, allowed)
    }

    /// Prepares to compare with a vector that is already there.
    pub fn near(
        index: &'q Snapshot,
        model: &'q Model,
        go_on: GoOn<'q>,
        vectors: &'q Vectors,
        vector: &[f32],
        allowed: &Allowed,
    ) -> Result<Dense<'q>> {
        let before = vectors.list.width as usize;
        if before != 0 && before != vector.len() {
            return Err(Error::Width { before, now: vector.len() });
        }
        let codec = Codec::new(vector.len());
        let probe = Probe::new(&codec, vector);
        let (files, are_filtered) = (files(index, allowed), allowed.is_some());
        Ok(Dense { index, model, go_on, vectors, codec, probe, files, are_filtered })
    }

    /// The rows of some chunks that have none in the index: made before, or now.
    fn rows(&self, spots: &[(usize, Spot)]) -> Result<Vec<Rows>> {
        let (mut all, mut lacking) = (Vec::new(), Vec::new());
        for &(_, spot) in spots {
            let made = self.index.made(self.doc(spot));
            made.iter().try_for_each(|row| self.check(row.code.bytes.len()))?;
            if made.is_empty() {
                let file = &self.index.manifest.files[spot.0];
                lacking.push((spot, encode::passages(self.index, file, &[spot.1])?));
            } else {
                all.push(Rows { spot, rows: made, are_new: false });
            }
        }
        let codes = self.codes(lacking.iter().flat_map(|(_, passages)| passages))?;
        for (spot, passages) in &lacking {
            let doc = self.doc(*spot);
            let row = |(_, passage): &(u32, Passage)| {
                Some(Row { doc, key: passage.key, code: codes.get(&passage.key)?.clone() })
            };
            let rows = passages.iter().filter_map(row).collect();
            all.push(Rows { spot: *spot, rows, are_new: true });
        }
        Ok(all)
    }

    /// The vectors of some passages by their keys: known of the same text elsewhere, or encoded now.
    fn codes<'p>(
        &self,
        passages: impl Iterator<Item = &'p (u32, Passage)>,
    ) -> Result<HashMap<Digest, Code>> {
        let (mut codes, mut unknown) = (HashMap::new(), Vec::new());
        for (_, passage) in passages {
            match self.vectors.row_of_key(passage.key) {
                Some(row) => drop(codes.insert(passage.key, row.code)),
                None => unknown.push(passage),
            }
        }
        let texts: Vec<&str> = unknown.iter().map(|passage| passage.text.as_str()).collect();
        if texts.is_empty() {
            return Ok(codes);
        }
        for (passage, vector) in unknown.iter().zip(self.model.encode(&texts, Side::Passage)?) {
            self.check(vector.len())?;
            codes.insert(passage.key, self.codec.code(&vector));
        }
        Ok(codes)
    }

    /// A chunk's vector must have the width of the question's.
    fn check(&self, now: usize) -> Result<()> {
        let before = self.codec.width();
        if now == before { Ok(()) } else { Err(Error::Width { before, now }) }
    }

    fn doc(&self, (position, chunk): Spot) -> Doc {
        Doc { file: self.index.manifest.files[position].id, chunk }
    }
}

impl Nearness for Dense<'_> {
    fn nearest(&self, most: usize) -> [Vec<NearSpot>; 2] {
        let file = |id: u32| self.files.get(id as usize).copied().flatten();
        let list = |id: u32| file(id).map(|(_, channel)| channel as usize - 1);
        let lists = match self.are_filtered {
            true => self.vectors.nearest_of_all::<2>(&self.probe, most, list),
            false => self.vectors.nearest::<2>(&self.probe, most, list),
        };
        lists.map(|list| {
            let spot =
                |doc: Doc| file(doc.file).map(|(position, _)| (position as usize, doc.chunk));
            list.into_iter()
                .filter_map(|near| Some(NearSpot { spot: spot(near.doc)?, score: near.score }))
                .collect()
        })
    }

    fn score(&self, spot: Spot) -> Option<f32> {
        self.vectors.score(&self.probe, self.doc(spot))
    }

    fn scores(&self, file: usize, chunks: u32) -> Vec<Option<f32>> {
        self.vectors.scores(&self.probe, self.index.manifest.files[file].id, chunks)
    }

    /// Encodes the best candidates that have no vector yet, while there is time, and keeps what
    /// was made.
    fn make(&self, lists: &Lists) -> Result<Vec<(Spot, f32)>> {
        let mut lacking: Vec<(usize, Spot)> = lists
            .found
            .iter()
            .filter(|(spot, _)| !self.vectors.has(self.doc(**spot)))
            .filter_map(|(spot, found)| {
                Some((found.standings[Channel::Lexical as usize]?.rank?, *spot))
            })
            .collect();
        lacking.sort_unstable();
        lacking.truncate(MOST_ENCODED);
        let (mut scores, mut fresh) = (Vec::new(), Vec::new());
        for step in lacking.chunks(STEP) {
            if !(self.go_on)() {
                break;
            }
            for Rows { spot, rows, are_new } in self.rows(step)? {
                let codes = rows.iter().map(|row| (row.code.bytes.as_slice(), row.code.scale));
                scores.extend(nearest_of(&self.probe, codes).map(|score| (spot, score)));
                fresh.extend(rows.into_iter().filter(|_| are_new));
            }
        }
        self.index.keep(self.model, fresh);
        Ok(scores)
    }

    fn channel(&self, (position, _): Spot) -> Channel {
        channel_of(self.index.roles()[position])
    }
}

/// Enters the nearest chunks, and what the vectors say of the other channels' candidates.
pub fn enter(dense: &dyn Nearness, near: [Vec<NearSpot>; 2], lists: &mut Lists) -> Result<()> {
    let made = dense.make(lists)?;
    let [mut code, mut docs] = near;
    for (spot, score) in made {
        let list = if dense.channel(spot) == Channel::DenseDocs { &mut docs } else { &mut code };
        list.push(NearSpot { spot, score });
    }
    for (channel, mut list) in [(Channel::DenseCode, code), (Channel::DenseDocs, docs)] {
        list.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.spot.cmp(&b.spot)));
        for (place, near) in list.iter().enumerate() {
            lists.enter(channel, near.spot, Some(place + 1), near.score);
        }
    }
    for spot in without_standing(dense, lists) {
        if let Some(score) = dense.score(spot) {
            lists.enter(dense.channel(spot), spot, None, score);
        }
    }
    Ok(())
}

fn without_standing(dense: &dyn Nearness, lists: &Lists) -> Vec<Spot> {
    let lacks =
        |spot: Spot, standings: &Standings| standings[dense.channel(spot) as usize].is_none();
    let found = lists.found.iter();
    found.filter(|(spot, found)| lacks(**spot, &found.standings)).map(|(spot, _)| *spot).collect()
}

fn files(index: &Snapshot, allowed: &Allowed) -> Vec<Option<(u32, Channel)>> {
    let mut files = vec![None; index.manifest.next_id as usize];
    for (position, (file, role)) in index.manifest.files.iter().zip(index.roles()).enumerate() {
        if allowed.as_ref().is_none_or(|allowed| allowed[position]) {
            files[file.id as usize] = Some((position as u32, channel_of(*role)));
        }
    }
    files
}

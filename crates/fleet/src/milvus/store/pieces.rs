//! What is fetched by its owner: files, statistics and marks, in pieces that fit a field.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use ::milvus::v2::types::FieldData;

use super::{ROWS, Store};
use crate::error::Result;
use crate::milvus::columns::Found;
use crate::milvus::filter::quoted;
use crate::milvus::schema::NOTHING;

/// Pieces that are fetched in one call: the client takes no answer of more than 4 MB, and a piece is
/// 60,000 bytes.
pub const OWNERS: usize = 64;

/// More pieces than anything was ever cut into. An engine that was killed may have something else in the
/// place of a number, and that many are not asked for.
const MOST_PIECES: i64 = 1 << 16;

/// What is there of an owner: how many pieces there should be, and those that are, each with its number.
type Pieces = (i64, Vec<(i64, String)>);

/// The name of a piece.
fn id(owner: &str, part: i64) -> String {
    format!("{owner}.{part}")
}

impl Store {
    /// Writes the pieces of owners.
    pub fn put(&self, owned: &[(String, Vec<String>)]) -> Result<()> {
        let mut rows: Vec<(&String, i64, usize, &String)> = Vec::new();
        for (owner, pieces) in owned {
            let numbered = (0..).zip(pieces);
            rows.extend(numbered.map(|(part, piece)| (owner, part, pieces.len(), piece)));
        }
        for some in rows.chunks(ROWS) {
            let columns = vec![
                FieldData::varchar("id", some.iter().map(|it| id(it.0, it.1)).collect()),
                FieldData::varchar("owner", some.iter().map(|it| it.0.clone()).collect()),
                FieldData::int64("part", some.iter().map(|it| it.1).collect()),
                FieldData::int64("parts", some.iter().map(|it| it.2 as i64).collect()),
                FieldData::varchar("piece", some.iter().map(|it| it.3.clone()).collect()),
                FieldData::float_vector(NOTHING, vec![vec![0.0; 2]; some.len()]),
            ];
            self.upsert(&self.pieces(), columns)?;
        }
        Ok(())
    }

    /// The pieces of owners, in their order; those that are not whole are left out.
    pub fn get(&self, owners: &[String]) -> Result<HashMap<String, Vec<String>>> {
        self.get_within(owners, self.slow())
    }

    /// The same for somebody who waits.
    pub fn get_within(
        &self,
        owners: &[String],
        time: Duration,
    ) -> Result<HashMap<String, Vec<String>>> {
        let deadline = Instant::now() + time;
        let first: Vec<String> = owners.iter().map(|owner| id(owner, 0)).collect();
        let mut all: HashMap<String, Pieces> = HashMap::new();
        self.take_pieces(&first, deadline, &mut all)?;
        let more = |(owner, (parts, _)): (&String, &Pieces)| {
            (1..(*parts).min(MOST_PIECES)).map(|part| id(owner, part)).collect::<Vec<_>>()
        };
        let more: Vec<String> = all.iter().flat_map(more).collect();
        self.take_pieces(&more, deadline, &mut all)?;
        let whole = |(owner, (parts, mut pieces)): (String, Pieces)| {
            pieces.sort_unstable_by_key(|(part, _)| *part);
            let is_whole = pieces.len() as i64 == parts;
            is_whole.then(|| (owner, pieces.into_iter().map(|it| it.1).collect()))
        };
        Ok(all.into_iter().filter_map(whole).collect())
    }

    /// Fetches pieces by their names, and adds them to those of their owners.
    fn take_pieces(
        &self,
        names: &[String],
        deadline: Instant,
        into: &mut HashMap<String, Pieces>,
    ) -> Result<()> {
        for some in names.chunks(OWNERS) {
            let filter = format!("id in [{}]", quoted(some));
            let left = deadline.saturating_duration_since(Instant::now());
            let fields = ["owner", "part", "parts", "piece"];
            let found = self.query_within(&self.pieces(), &filter, &fields, left)?;
            let parts = found.numbers("part").iter().zip(found.numbers("parts"));
            let pieces = found.texts("owner").iter().zip(found.texts("piece"));
            for ((owner, piece), (part, parts)) in pieces.zip(parts) {
                let (_, pieces) = into.entry(owner.clone()).or_insert((*parts, Vec::new()));
                pieces.push((*part, piece.clone()));
            }
        }
        Ok(())
    }

    /// Removes the pieces of owners.
    pub fn delete_owners(&self, owners: &[String]) -> Result<()> {
        for some in owners.chunks(4 * OWNERS) {
            self.delete(&self.pieces(), &format!("owner in [{}]", quoted(some)))?;
        }
        Ok(())
    }
}

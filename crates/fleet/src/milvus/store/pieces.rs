//! What is fetched by its owner: files, statistics and marks, in pieces that fit a field.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::{ROWS, SLOW, Store};
use crate::error::Result;
use crate::milvus::columns::Column;
use crate::milvus::filter::quoted;

/// Owners whose pieces are fetched in one call.
pub const OWNERS: usize = 64;

impl Store {
    /// Writes the pieces of owners.
    pub fn put(&self, owned: &[(String, Vec<String>)]) -> Result<()> {
        let mut rows: Vec<(&String, usize, usize, &String)> = Vec::new();
        for (owner, pieces) in owned {
            let numbered = pieces.iter().enumerate();
            rows.extend(numbered.map(|(part, piece)| (owner, part, pieces.len(), piece)));
        }
        for some in rows.chunks(ROWS) {
            let columns = [
                ("id", Column::Texts(some.iter().map(|it| format!("{}.{}", it.0, it.1)).collect())),
                ("owner", Column::Texts(some.iter().map(|it| it.0.clone()).collect())),
                ("part", Column::Numbers(some.iter().map(|it| it.1 as i64).collect())),
                ("parts", Column::Numbers(some.iter().map(|it| it.2 as i64).collect())),
                ("piece", Column::Texts(some.iter().map(|it| it.3.clone()).collect())),
                ("nothing", Column::Vectors(2, vec![0.0; 2 * some.len()])),
            ];
            self.upsert(&self.pieces(), some.len(), &columns)?;
        }
        Ok(())
    }

    /// The pieces of owners, in their order; those that are not whole are left out.
    pub fn get(&self, owners: &[String]) -> Result<HashMap<String, Vec<String>>> {
        self.get_within(owners, SLOW)
    }

    /// The same for somebody who waits.
    pub fn get_within(
        &self,
        owners: &[String],
        time: Duration,
    ) -> Result<HashMap<String, Vec<String>>> {
        let deadline = Instant::now() + time;
        let mut all: HashMap<String, Vec<(i64, i64, String)>> = HashMap::new();
        for some in owners.chunks(OWNERS) {
            let filter = format!("owner in [{}]", quoted(some));
            let left = deadline.saturating_duration_since(Instant::now());
            let fields = ["owner", "part", "parts", "piece"];
            let found = self.query_within(&self.pieces(), &filter, &fields, left)?;
            let texts = |name: &str| found.get(name).map_or(&[][..], Column::texts);
            let numbers = |name: &str| found.get(name).map_or(&[][..], Column::numbers);
            let parts = numbers("part").iter().zip(numbers("parts")).zip(texts("piece"));
            for (owner, ((part, parts), piece)) in texts("owner").iter().zip(parts) {
                all.entry(owner.clone()).or_default().push((*part, *parts, piece.clone()));
            }
        }
        let whole = |(owner, mut pieces): (String, Vec<(i64, i64, String)>)| {
            pieces.sort_unstable_by_key(|(part, ..)| *part);
            let (parts, is_all) = (pieces[0].1, pieces.len() as i64 == pieces[0].1);
            (is_all && parts > 0).then(|| (owner, pieces.into_iter().map(|it| it.2).collect()))
        };
        Ok(all.into_iter().filter_map(whole).collect())
    }

    /// Removes the pieces of owners.
    pub fn delete_owners(&self, owners: &[String]) -> Result<()> {
        for some in owners.chunks(4 * OWNERS) {
            self.delete(&self.pieces(), &format!("owner in [{}]", quoted(some)))?;
        }
        Ok(())
    }
}

//! One row a question: its figures, where its first right answer came, how long it took, what was
//! returned. Written to and read from CSV without loss.

use std::fs;
use std::path::Path;

use crate::error::{Error, Result};

/// The table of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranks {
    /// Names of the tags, in the order of [`Rank::tags`].
    pub tags: Vec<String>,
    /// Names of the metrics, in the order of [`Rank::values`].
    pub metrics: Vec<String>,
    /// One row a question.
    pub rows: Vec<Rank>,
}

/// One question's row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rank {
    /// The question's id.
    pub id: String,
    /// Its repository, or whatever the benchmark averages by.
    pub group: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Where the first right answer came, from 1.
    pub first: Option<usize>,
    /// How long the answer took.
    pub latency_ms: f64,
    /// Its metrics; `None` where it says nothing about one.
    pub values: Vec<Option<f64>>,
    /// What was asked.
    pub query: String,
    /// What was to be found.
    pub expected: Vec<String>,
    /// The first few places that were returned.
    pub returned: Vec<String>,
}

/// Columns before the tags, between tags and metrics, and after the metrics.
const FIRST: [&str; 2] = ["id", "group"];
const MIDDLE: [&str; 2] = ["first_rank", "latency_ms"];
const LAST: [&str; 3] = ["query", "expected", "returned"];
const BETWEEN_PLACES: &str = " | ";

impl Ranks {
    /// The figures of one metric, with the row of each.
    pub fn column(&self, metric: &str) -> impl Iterator<Item = (&Rank, f64)> {
        let place = self.metrics.iter().position(|name| name == metric);
        self.rows.iter().filter_map(move |row| Some((row, row.values[place?]?)))
    }

    /// Writes the table.
    pub fn write(&self, file: &Path) -> Result<()> {
        let bytes = self.encode().map_err(|error| Error::write(file)(error.into()))?;
        fs::write(file, bytes).map_err(Error::write(file))
    }

    /// Reads a table; which columns are tags and which metrics shows by where they stand.
    pub fn read(file: &Path) -> Result<Ranks> {
        let bytes = fs::read(file).map_err(Error::read(file))?;
        let mut reader = csv::Reader::from_reader(bytes.as_slice());
        let wrong = |line: u64, expected: &str, found: String| Error::Row {
            file: file.to_owned(),
            line: line as usize,
            expected: expected.to_owned(),
            found,
        };
        let header = reader.headers().map_err(|error| wrong(1, "a header", error.to_string()))?;
        let mut ranks = Ranks::named_by(header)
            .ok_or_else(|| wrong(1, "the header of a table of ranks", format!("{header:?}")))?;
        for record in reader.records() {
            let record = record.map_err(|error| {
                let line = error.position().map_or(1, csv::Position::line);
                wrong(line, "a row as wide as the header", error.to_string())
            })?;
            let line = record.position().map_or(1, csv::Position::line);
            let row = ranks.decode(&record).ok_or_else(|| {
                wrong(line, "numbers in the columns of numbers", format!("{record:?}"))
            })?;
            ranks.rows.push(row);
        }
        Ok(ranks)
    }

    fn encode(&self) -> csv::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = |names: &'static [&str]| names.iter().map(|name| (*name).to_owned());
        let header = names(&FIRST)
            .chain(self.tags.iter().cloned())
            .chain(names(&MIDDLE))
            .chain(self.metrics.iter().cloned())
            .chain(names(&LAST));
        writer.write_record(header)?;
        for row in &self.rows {
            writer.write_record(row.cells())?;
        }
        writer.into_inner().map_err(|error| error.into_error().into())
    }

    fn named_by(header: &csv::StringRecord) -> Option<Ranks> {
        let names: Vec<&str> = header.iter().collect();
        let rest = names.strip_prefix(FIRST.as_slice())?.strip_suffix(LAST.as_slice())?;
        let middle = rest.windows(MIDDLE.len()).position(|pair| pair == MIDDLE)?;
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Some(Ranks {
            tags: owned(&rest[..middle]),
            metrics: owned(&rest[middle + MIDDLE.len()..]),
            rows: Vec::new(),
        })
    }

    fn decode(&self, record: &csv::StringRecord) -> Option<Rank> {
        let mut cells = record.iter();
        let mut text = || cells.next().map(str::to_owned);
        let (id, group) = (text()?, text()?);
        let tags = self.tags.iter().map(|_| text()).collect::<Option<_>>()?;
        let first = number(&text()?)?;
        let latency_ms = text()?.parse().ok()?;
        let values =
            self.metrics.iter().map(|_| number(&text()?)).collect::<Option<Vec<Option<f64>>>>()?;
        let query = text()?;
        let (expected, returned) = (places(&text()?), places(&text()?));
        Some(Rank { id, group, tags, first, latency_ms, values, query, expected, returned })
    }
}

impl Rank {
    fn cells(&self) -> Vec<String> {
        let cell = |value: &Option<f64>| value.map(|value| format!("{value}")).unwrap_or_default();
        let mut cells = vec![self.id.clone(), self.group.clone()];
        cells.extend(self.tags.iter().cloned());
        cells.push(self.first.map(|rank| rank.to_string()).unwrap_or_default());
        cells.push(format!("{:.3}", self.latency_ms));
        cells.extend(self.values.iter().map(cell));
        cells.push(self.query.clone());
        cells.push(self.expected.join(BETWEEN_PLACES));
        cells.push(self.returned.join(BETWEEN_PLACES));
        cells
    }
}

/// An empty cell is no number; anything else must be one.
fn number<N: std::str::FromStr>(cell: &str) -> Option<Option<N>> {
    if cell.is_empty() { Some(None) } else { cell.parse().ok().map(Some) }
}

fn places(cell: &str) -> Vec<String> {
    cell.split(BETWEEN_PLACES).filter(|place| !place.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Ranks {
        Ranks {
            tags: vec!["language".into()],
            metrics: vec!["mrr@10".into(), "length".into()],
            rows: vec![
                Rank {
                    id: "a/1".into(),
                    group: "a".into(),
                    tags: vec!["rust".into()],
                    first: Some(3),
                    latency_ms: 1.25,
                    values: vec![Some(1.0 / 3.0), None],
                    query: "two lines,\nand a \"quote\"".into(),
                    expected: vec!["x.rs:1-2".into()],
                    returned: vec!["y.rs:1-2".into(), "x.rs:2-3".into()],
                },
                Rank {
                    id: "a/2".into(),
                    tags: vec![String::new()],
                    values: vec![Some(0.0); 2],
                    ..Rank::default()
                },
            ],
        }
    }

    #[test]
    fn a_table_survives_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ranks.csv");
        sample().write(&file).unwrap();
        assert_eq!(Ranks::read(&file).unwrap(), sample());
        let figures: Vec<f64> = sample().column("length").map(|(_, figure)| figure).collect();
        assert_eq!(figures, [0.0]);
    }

    #[track_caller]
    fn check_error(content: &str, expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ranks.csv");
        fs::write(&file, content).unwrap();
        let error = Ranks::read(&file).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn a_table_that_is_none_is_refused_with_its_line() {
        let header = "id,group,first_rank,latency_ms,mrr,query,expected,returned\n";
        check_error("a,b,c\n", "ranks.csv:1: expected the header of a table of ranks");
        check_error(&format!("{header}a,g,1,1,x,q,e,r\n"), "ranks.csv:2: expected numbers");
        check_error(&format!("{header}a,g,1\n"), "ranks.csv:2: expected a row as wide");
    }
}

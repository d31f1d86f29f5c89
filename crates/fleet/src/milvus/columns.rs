//! Columns of rows, as the engine's client gives them.

use ::milvus::v2::types::{FieldData, QueryResults, SingleResult};

/// Rows that came of a question, column by column.
pub trait Found {
    /// The column of a field.
    fn column(&self, field: &str) -> Option<&FieldData>;

    /// The texts of a field; none if it holds something else.
    fn texts(&self, field: &str) -> &[String] {
        self.column(field).and_then(FieldData::as_varchar).unwrap_or_default()
    }

    /// The whole numbers of a field; none if it holds something else.
    fn numbers(&self, field: &str) -> &[i64] {
        self.column(field).and_then(FieldData::as_int64).unwrap_or_default()
    }

    /// The lists of whole numbers of a field; none if it holds something else.
    fn lists(&self, field: &str) -> &[Vec<i64>] {
        self.column(field).and_then(FieldData::as_array_int64).unwrap_or_default()
    }
}

impl Found for QueryResults {
    fn column(&self, field: &str) -> Option<&FieldData> {
        self.get_output_field(field)
    }
}

impl Found for SingleResult {
    fn column(&self, field: &str) -> Option<&FieldData> {
        self.get_output_field(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_another_kind_has_nothing() {
        let found = QueryResults::new()
            .add_output_field(FieldData::varchar("name", vec!["a".to_owned()]))
            .add_output_field(FieldData::array_int64("list", vec![vec![1, 2], vec![]]));
        assert_eq!(found.texts("name"), ["a"]);
        assert_eq!(found.lists("list"), [vec![1, 2], vec![]]);
        assert!(found.numbers("name").is_empty() && found.texts("missing").is_empty());
    }
}

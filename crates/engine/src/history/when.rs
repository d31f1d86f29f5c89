//! Dates as people write them: `2026-11-15`, `yesterday`, `2 weeks ago`.

use gix::date::parse;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::error::{Error, Result};

/// Seconds since 1970 of a date, where `now` is as many. Dates without a time zone are in UTC.
pub fn seconds(written: &str, now: i64) -> Result<i64> {
    let unknown = || Error::Date(written.to_owned());
    let now = Timestamp::from_second(now).map_err(|_| unknown())?.to_zoned(TimeZone::UTC);
    parse(written.trim(), Some(now)).map(|time| time.seconds).map_err(|_| unknown())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000;

    #[track_caller]
    fn check(written: &str, expected: Option<i64>) {
        assert_eq!(seconds(written, NOW).ok(), expected, "{written}");
    }

    #[test]
    fn dates_and_words_are_read() {
        check("2023-11-14", Some(1_699_920_000));
        check("2023-11-14 12:00:00 +0000", Some(1_699_963_200));
        check("2 weeks ago", Some(NOW - 14 * 86_400));
        check("3 days ago", Some(NOW - 3 * 86_400));
        check("yesterday", Some(NOW - 86_400));
        check("1699920000", Some(1_699_920_000));
        check("soon", None);
        check("", None);
    }
}

//! Jobs that come back at certain minutes of the day.

use std::collections::BTreeSet;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::job::NewJob;
use crate::queue::Queue;

/// Five fields as in a crontab: minute, hour, day, month, weekday.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurrence {
    minutes: BTreeSet<u8>,
    hours: BTreeSet<u8>,
    days: BTreeSet<u8>,
    months: BTreeSet<u8>,
    weekdays: BTreeSet<u8>,
}

/// A moment as the calendar on the wall shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CivilMinute {
    pub minute: u8,
    pub hour: u8,
    pub day: u8,
    pub month: u8,
    pub weekday: u8,
}

impl FromStr for Recurrence {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[minutes, hours, days, months, weekdays] = fields.as_slice() else {
            return Err(bad(text, format!("expected 5 fields, found {}", fields.len())));
        };
        Ok(Recurrence {
            minutes: field(text, minutes, 0, 59)?,
            hours: field(text, hours, 0, 23)?,
            days: field(text, days, 1, 31)?,
            months: field(text, months, 1, 12)?,
            weekdays: field(text, weekdays, 0, 6)?,
        })
    }
}

impl Recurrence {
    pub fn matches(&self, at: CivilMinute) -> bool {
        self.minutes.contains(&at.minute)
            && self.hours.contains(&at.hour)
            && self.days.contains(&at.day)
            && self.months.contains(&at.month)
            && self.weekdays.contains(&at.weekday)
    }
}

/// `*`, `7`, `1-5`, `*/10`, `0-30/5` and lists of them with commas.
fn field(whole: &str, text: &str, low: u8, high: u8) -> Result<BTreeSet<u8>> {
    let mut values = BTreeSet::new();
    for part in text.split(',') {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, number(whole, step)?),
            None => (part, 1),
        };
        if step == 0 {
            return Err(bad(whole, "a step of zero never ends".into()));
        }
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (number(whole, first)?, number(whole, last)?),
            None if range == "*" => (low, high),
            None => (number(whole, range)?, number(whole, range)?),
        };
        if first < low || last > high || first > last {
            return Err(bad(whole, format!("{part} is not within {low}-{high}")));
        }
        values.extend((first..=last).step_by(step as usize));
    }
    Ok(values)
}

fn number(whole: &str, text: &str) -> Result<u8> {
    text.parse().map_err(|_| bad(whole, format!("{text:?} is not a number")))
}

fn bad(text: &str, reason: String) -> Error {
    Error::Recurrence { text: text.to_owned(), reason }
}

/// Pushes a job whenever its recurrence matches the minute that has just begun.
pub struct Scheduler {
    entries: Vec<(String, String, Recurrence)>,
}

impl Scheduler {
    pub fn new(entries: Vec<(String, String, Recurrence)>) -> Self {
        Scheduler { entries }
    }

    /// Call once a minute. The unique key keeps a slow job from piling up behind itself.
    pub fn tick(&self, queue: &Queue, now: CivilMinute) -> Result<usize> {
        let mut pushed = 0;
        for (name, kind, recurrence) in &self.entries {
            if recurrence.matches(now) {
                queue.push(NewJob::of(kind.as_str()).unique(format!("schedule/{name}")))?;
                pushed += 1;
            }
        }
        Ok(pushed)
    }
}

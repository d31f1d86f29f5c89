//! `wherein eval`: how good is it, on benchmarks and on your own repository.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use wherein_eval::{Edge, EvalArgs, ExitKind, Step};

use super::Outcome;
use super::progress::Bar;

/// Runs an evaluation command; below a floor counts as nothing found.
pub fn run(args: EvalArgs) -> anyhow::Result<Outcome> {
    let encoding = Bar::counting("encoding", "chunks");
    let asking = Bar::counting("asking", "questions");
    let progress = |step: Step| match step {
        Step::Indexing { .. } => {}
        Step::Encoding { done, total } => encoding.set(done, total),
        Step::Asking { done, total } => asking.set(done, total),
    };
    let mut edge = Edge {
        version: env!("CARGO_PKG_VERSION"),
        date: &today(),
        machine: &machine(),
        progress: &progress,
        out: &mut io::stdout(),
    };
    Ok(match wherein_eval::main(args, &mut edge)? {
        ExitKind::Passed => Outcome::Found,
        ExitKind::BelowFloor => Outcome::Nothing,
    })
}

/// Processor, cores and system, in words.
fn machine() -> String {
    let listed = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = listed.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model.trim());
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    format!("{cores} cores of {model}, {}", std::env::consts::OS)
}

/// The date in UTC.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = civil((seconds / 86_400) as i64);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Days since 1970-01-01 as a date, counting years from March so that leap days come last.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_772), (2026, 11, 15));
    }
}

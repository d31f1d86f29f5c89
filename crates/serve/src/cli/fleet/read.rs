//! `wherein fleet read`: lines of a file that is in a fleet.
//!
//! What the token in the environment may not see is answered as what is not there.

use std::io::{self, Write};

use serde::Serialize;
use wherein_corpus::Lines;
use wherein_fleet::search::reading::Opened;

use super::args::ReadArgs;
use super::open::TIME;
use super::place::{self, Place};
use crate::cli::Outcome;
use crate::cli::output::visible::Visible;
use crate::cli::span;

#[derive(Serialize)]
struct Part<'o> {
    path: &'o str,
    repository: &'o str,
    revision: &'o str,
    language: &'o str,
    total_lines: u32,
    start_line: u32,
    end_line: u32,
    text: &'o str,
}

/// Prints what there is of the spans that were asked for, and says which are not there.
pub fn run(args: &ReadArgs) -> anyhow::Result<Outcome> {
    let (place, model) = (Place::of(&args.place)?, place::model()?);
    let view = place.view(place::own_token().as_deref())?;
    let fleet = place.fleet(&model)?;
    let mut outcome = Outcome::Nothing;
    for given in &args.spans {
        let (path, wanted) = span::parsed(given);
        let Some(opened) = fleet.open(path, &view, TIME)? else {
            let what = format!("there is no file {path} in a repository that you may see");
            let _ = writeln!(io::stderr(), "wherein: {what}");
            continue;
        };
        let lines = Lines::of(&opened.text);
        let last = lines.count();
        let Some((first, end)) = wanted.lines(&opened.parsed.symbols, last, args.context) else {
            let _ = writeln!(io::stderr(), "wherein: {path} has lines 1 to {last}");
            continue;
        };
        let part = part(&opened, lines.span(first..=end), (first, end, last));
        print(&part, args.json)?;
        outcome = Outcome::Found;
    }
    Ok(outcome)
}

fn part<'o>(opened: &'o Opened, text: &'o str, lines: (u32, u32, u32)) -> Part<'o> {
    let (start_line, end_line, total_lines) = lines;
    let Opened { path, repository, revision, language, .. } = opened;
    Part { path, repository, revision, language, total_lines, start_line, end_line, text }
}

/// The lines alone, so that they can go into a file; what they are is said beside them.
fn print(part: &Part, json: bool) -> anyhow::Result<()> {
    if json {
        return Ok(writeln!(io::stdout(), "{}", serde_json::to_string(part)?)?);
    }
    let Part { path, start_line, end_line, total_lines, language, .. } = part;
    let at = if part.revision.is_empty() { String::new() } else { format!(", {}", part.revision) };
    let about =
        format!("{path}, lines {start_line} to {end_line} of {total_lines}, {language}{at}");
    let _ = writeln!(io::stderr(), "wherein: {about}");
    writeln!(Visible(io::stdout().lock()), "{}", part.text.trim_end_matches(['\n', '\r']))?;
    Ok(())
}

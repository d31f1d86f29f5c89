//! `wherein grep PATTERN`: every place that matches, by structure, as it is, or by an expression.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use wherein_engine::grep::{Grep, Kind, Match, Matches, check, grep};

use super::Outcome;
use super::output::visible::{self, Visible};
use super::output::{Paint, fence_for};
use super::page::{Format, PlaceArgs};
use super::tree::Tree;

/// A pattern and where to look for it.
#[derive(Args, Debug)]
#[command(after_help = "A pattern is code unless --fixed or --regex says otherwise. In code
  $NAME    stands for any one part of the syntax tree; the same name twice for the same text
  $_       the same, without a name
  $$$NAME  for any number of parts: arguments, statements; $$$ the same, without a name
Code is looked for in every language that can read the pattern, or in those of --lang. Names are in
capitals. Only files of the index are searched: not what is ignored, hidden, binary or generated.

Examples:
  wherein grep 'open($PATH, $$$)' --lang python
  wherein grep 'if $A == nil { $$$ }' --lang go --path '!*_test.go'
  wherein grep '$X.unwrap()' --json           # with what $X stands for
  wherein grep --fixed 'TODO(' -k 20
  wherein grep --regex 'fn (?<name>\\w+)_test' # named groups are reported as variables are

Exit codes: 0 found, 1 nothing found, 2 failed.")]
pub struct GrepArgs {
    /// Code, or with --fixed a text, or with --regex a regular expression.
    #[arg(value_name = "PATTERN", allow_hyphen_values = true)]
    pub pattern: String,

    /// Look for the pattern as it is.
    #[arg(long, short = 'F', conflicts_with = "regex")]
    pub fixed: bool,

    /// Look for the pattern as a regular expression.
    #[arg(long, short = 'E')]
    pub regex: bool,

    /// Take upper and lower case for the same; not for code.
    #[arg(long, short = 'i')]
    pub ignore_case: bool,

    /// Only this language; may be given again.
    #[arg(long = "lang", value_name = "L")]
    pub languages: Vec<String>,

    /// Only paths that match; '!' in front leaves out those that do; may be given again.
    #[arg(long = "path", value_name = "GLOB")]
    pub paths: Vec<String>,

    /// How many matches to show; all unless given.
    #[arg(short = 'k', long = "limit", value_name = "N")]
    pub limit: Option<usize>,

    /// Show private keys and tokens as they are.
    #[arg(long)]
    pub show_secrets: bool,

    /// Search the tree as it was at a revision.
    #[arg(long, value_name = "REV")]
    pub rev: Option<String>,

    /// The indexed folder; the repository around the current one unless given.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// How to print: pretty on a terminal and plain in a pipe unless given.
    #[arg(long, value_enum)]
    pub format: Option<Format>,

    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Finds and prints every match.
pub fn run(args: &GrepArgs) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let request = args.request();
    check(&request)?;
    let tree = Tree::around(args.root.as_deref(), &args.place)?.at(args.rev.as_deref())?;
    let found = tree.ask(|opened| {
        let mut found = grep(&opened.snapshot, &request)?;
        opened.own_up(&mut found.index);
        Ok(found)
    })?;
    print(&found, args.format(), started.elapsed().as_secs_f64() * 1000.0)?;
    if !found.unparsed.is_empty() {
        let files = found.unparsed.join(", ");
        let _ = writeln!(io::stderr(), "wherein: could not be parsed, so not searched: {files}");
    }
    Ok(match &found.nothing_because {
        None => Outcome::Found,
        Some(reason) => {
            let _ = writeln!(io::stderr(), "wherein: nothing found: {reason}");
            Outcome::Nothing
        }
    })
}

impl GrepArgs {
    fn request(&self) -> Grep {
        Grep {
            pattern: self.pattern.clone(),
            kind: match (self.fixed, self.regex) {
                (true, _) => Kind::Fixed,
                (_, true) => Kind::Regex,
                _ => Kind::Code,
            },
            ignore_case: self.ignore_case,
            languages: self.languages.clone(),
            paths: self.paths.clone(),
            limit: self.limit,
            show_secrets: self.show_secrets,
        }
    }

    fn format(&self) -> Format {
        match self.format {
            _ if self.json => Format::Json,
            Some(format) => format,
            None if io::stdout().is_terminal() => Format::Pretty,
            None => Format::Plain,
        }
    }
}

fn print(found: &Matches, format: Format, took_ms: f64) -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match format {
        Format::Json => json(&mut out, found, took_ms)?,
        Format::Pretty => pretty(&mut out, found, took_ms)?,
        Format::Plain => {
            found.hits.iter().try_for_each(|hit| plain(&mut Visible(&mut out), hit))?
        }
        Format::Grep => found.hits.iter().try_for_each(|hit| {
            writeln!(Visible(&mut out), "{}:{}:{}", hit.path, hit.start_line, first_line(hit))
        })?,
        Format::Md => markdown(&mut Visible(&mut out), found)?,
    }
    out.flush()?;
    Ok(())
}

fn json(out: &mut impl Write, found: &Matches, took_ms: f64) -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct Timed<'a> {
        #[serde(flatten)]
        found: &'a Matches,
        took_ms: f64,
    }
    serde_json::to_writer(&mut *out, &Timed { found, took_ms: (took_ms * 1e3).round() / 1e3 })?;
    writeln!(out)?;
    Ok(())
}

/// One line a match: where, in what, its first line, what its variables stand for.
fn plain(out: &mut impl Write, hit: &Match) -> io::Result<()> {
    let symbol = hit.symbol.as_deref().unwrap_or("-");
    let Match { path, start_line, end_line, kind, .. } = hit;
    write!(out, "{path}:{start_line}-{end_line}\t{kind}\t{symbol}\t{}", first_line(hit).trim())?;
    for (name, text) in bindings(hit) {
        write!(out, "\t{name}={text}")?;
    }
    writeln!(out)
}

fn first_line(hit: &Match) -> &str {
    hit.snippet.lines().next().unwrap_or_default()
}

/// What variables stand for, each on one line.
fn bindings(hit: &Match) -> impl Iterator<Item = (&str, String)> {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    hit.bindings.iter().map(move |(name, bound)| (name.as_str(), one_line(&bound.text)))
}

/// Lines of a match that are shown to people.
const SHOWN: usize = 6;

fn pretty(out: &mut impl Write, found: &Matches, took_ms: f64) -> io::Result<()> {
    let paint = Paint::for_stdout();
    let mut last = "";
    for hit in &found.hits {
        if hit.path != last {
            writeln!(
                out,
                "{}{}",
                if last.is_empty() { "" } else { "\n" },
                paint.path(&visible::name(&hit.path))
            )?;
            last = &hit.path;
        }
        if let Some(symbol) = &hit.symbol {
            writeln!(out, "      {} {}", paint.dim(&hit.kind), paint.name(&visible::name(symbol)))?;
        }
        lines(out, &paint, hit)?;
        for (name, text) in bindings(hit) {
            let text = visible::name(&text);
            writeln!(out, "      {} {text}", paint.dim(&format!("${name} =")))?;
        }
    }
    let summary = format!(
        "{} of {} matches in {} files ({} read, {} parsed), {took_ms:.0} ms",
        found.hits.len(),
        found.total,
        found.files,
        found.read,
        found.parsed
    );
    writeln!(out, "\n{}", paint.dim(&summary))
}

fn lines(out: &mut impl Write, paint: &Paint, hit: &Match) -> io::Result<()> {
    let count = (hit.end_line - hit.start_line + 1) as usize;
    for (number, line) in (hit.start_line..).zip(hit.snippet.lines()).take(SHOWN) {
        let start = if number == hit.start_line { hit.start_column as usize - 1 } else { 0 };
        let end = if number == hit.end_line { hit.end_column as usize - 1 } else { line.len() };
        let (start, end) = (line.floor_char_boundary(start), line.floor_char_boundary(end));
        let (start, end) = (start.min(end), end);
        let [before, inside, after] =
            [&line[..start], &line[start..end], &line[end..]].map(visible::line);
        let marked = format!("{before}{}{after}", paint.mark(&inside));
        writeln!(out, "{} {marked}", paint.dim(&format!("{number:>5}")))?;
    }
    match count > SHOWN {
        true => writeln!(out, "      {}", paint.dim(&format!("… {} lines more", count - SHOWN))),
        false => Ok(()),
    }
}

fn markdown(out: &mut impl Write, found: &Matches) -> io::Result<()> {
    writeln!(out, "# `{}`\n", found.pattern.lines().next().unwrap_or_default())?;
    for hit in &found.hits {
        writeln!(out, "## `{}:{}-{}`\n", hit.path, hit.start_line, hit.end_line)?;
        if let Some(symbol) = &hit.symbol {
            writeln!(out, "{} `{symbol}`\n", hit.kind)?;
        }
        for (name, text) in bindings(hit) {
            writeln!(out, "- `${name}` = `{text}`")?;
        }
        let gap = if hit.bindings.is_empty() { "" } else { "\n" };
        let fence = fence_for(&hit.snippet);
        writeln!(out, "{gap}{fence}{}\n{}\n{fence}\n", hit.language, hit.snippet)?;
    }
    Ok(())
}

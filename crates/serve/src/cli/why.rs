//! `wherein why PATH[:LINE] --query Q`: why a span is, or is not, on the page.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use wherein_engine::search::why::{Standing, Why, why};

use super::Outcome;
use super::output::visible::Visible;
use super::page::PageArgs;
use super::search::ENCODING_TIME;
use super::target;

/// A span and a question.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  wherein why src/upload.rs:120 --query 'where do we retry failed uploads?'")]
pub struct WhyArgs {
    /// A file for its best span, or a line of it.
    #[arg(value_name = "PATH[:LINE]")]
    pub target: String,

    /// The question.
    #[arg(long, short, value_name = "QUERY")]
    pub query: String,

    #[command(flatten)]
    pub page: PageArgs,
}

/// Explains the span.
pub fn run(args: &WhyArgs) -> anyhow::Result<Outcome> {
    let (path, line) = target::split(&args.target);
    let tree = args.page.tree()?;
    let path = target::relative(&tree.place.root, path)?;
    let query = args.page.query(args.query.clone());
    wherein_engine::search::check(&query)?;
    let deadline = Instant::now() + ENCODING_TIME;
    let go_on = || Instant::now() < deadline;
    let why =
        tree.ask(|opened| why(&opened.snapshot, &tree.meaning(&go_on), &path, line, &query))?;
    if args.page.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&why)?)?;
    } else {
        print(&mut Visible(io::stdout().lock()), &why)?;
    }
    Ok(if why.span.on_page.is_some() { Outcome::Found } else { Outcome::Nothing })
}

fn print(out: &mut impl Write, why: &Why) -> io::Result<()> {
    let Standing { path, start_line, end_line, .. } = &why.span;
    writeln!(out, "{path}:{start_line}-{end_line}: {}", why.because)?;
    writeln!(out, "the question was read as: {}", why.shape)?;
    standing(out, "this span", &why.span)?;
    if let Some(first) = &why.first {
        let Standing { path, start_line, end_line, .. } = first;
        standing(out, &format!("first hit {path}:{start_line}-{end_line}"), first)?;
    }
    Ok(())
}

fn standing(out: &mut impl Write, what: &str, standing: &Standing) -> io::Result<()> {
    match standing.place {
        Some(place) => writeln!(out, "{what}: place {place}, score {:.3}", standing.score)?,
        None => writeln!(out, "{what}: not among the candidates")?,
    }
    for (name, channel) in &standing.channels {
        let rank = channel.rank.map_or("-".to_owned(), |rank| format!("#{rank}"));
        writeln!(
            out,
            "  {name:<20} {rank:>6}  {:>8.3}  {:>4.0} %",
            channel.score,
            100.0 * channel.contribution
        )?;
    }
    match standing.judged {
        Some(judged) => writeln!(out, "  read together with the question: {judged:.1}"),
        None => Ok(()),
    }
}

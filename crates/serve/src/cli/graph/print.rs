//! Answers of the graph for people.

use std::collections::BTreeMap;
use std::io::{self, Write};

use wherein_engine::graph::ask::calls::Calls;
use wherein_engine::graph::ask::difference::Lost;
use wherein_engine::graph::ask::impact::Impact;
use wherein_engine::graph::ask::listing::SymbolList;
use wherein_engine::graph::ask::map::{Map, OutlinedFile};
use wherein_engine::graph::ask::references::{References, UseSpot};
use wherein_engine::graph::ask::way::Way;
use wherein_engine::graph::ask::{Horizon, Spot};
use wherein_engine::graph::links::{Coverage, Unresolved};

type Out<'o> = &'o mut dyn Write;

pub fn symbols(out: Out, found: &SymbolList) -> io::Result<()> {
    for spot in &found.symbols {
        line(out, spot)?;
    }
    more(out, found.symbols.len(), found.total)
}

fn line(out: Out, spot: &Spot) -> io::Result<()> {
    let Spot { path, line, kind, name, signature, .. } = spot;
    writeln!(out, "{path}:{line}  {kind} {name}")?;
    match signature.as_str() {
        "" => Ok(()),
        signature => writeln!(out, "    {signature}"),
    }
}

fn more(out: Out, shown: usize, total: usize) -> io::Result<()> {
    if shown < total {
        writeln!(out, "and {} more (-k N shows them)", total - shown)?;
    }
    Ok(())
}

pub fn references(out: Out, found: &References) -> io::Result<()> {
    for spot in &found.definitions {
        writeln!(out, "{} {} at {}:{}", spot.kind, spot.name, spot.path, spot.line)?;
    }
    for path in &found.importers {
        writeln!(out, "imported by {path}")?;
    }
    uses(out, &found.uses)?;
    more(out, found.uses.len(), found.total)?;
    if found.possible_total > 0 {
        writeln!(out, "uses of the name that may mean it:")?;
        uses(out, &found.possible)?;
        more(out, found.possible.len(), found.possible_total)?;
    }
    horizon(out, &found.horizon)
}

fn uses(out: Out, uses: &[UseSpot]) -> io::Result<()> {
    for it in uses {
        let within = it.within.as_deref().map(|name| format!(" in {name}")).unwrap_or_default();
        let unsure = match it.confidence {
            sure if sure >= 0.9 => String::new(),
            sure if sure > 0.0 => format!(" (by name alone, {:.0} %)", sure * 100.0),
            _ => String::new(),
        };
        writeln!(out, "{}:{}: {}{within}{unsure}", it.path, it.line, it.kind)?;
        writeln!(out, "    {}", it.text)?;
    }
    Ok(())
}

pub fn calls(out: Out, found: &Calls) -> io::Result<()> {
    for spot in &found.of {
        writeln!(out, "{} {} at {}:{}", spot.kind, spot.name, spot.path, spot.line)?;
    }
    for call in &found.reached {
        let Spot { path, line, kind, name, .. } = &call.symbol;
        let unsure = if call.confidence < 0.9 { " (by name alone)" } else { "" };
        writeln!(out, "{:>3}  {path}:{line}  {kind} {name}{unsure}", call.steps)?;
    }
    more(out, found.reached.len(), found.total)?;
    horizon(out, &found.horizon)
}

pub fn impact(out: Out, found: &Impact) -> io::Result<()> {
    for spot in found.changed.iter().take(5) {
        writeln!(out, "{} {} at {}:{}", spot.kind, spot.name, spot.path, spot.line)?;
    }
    if found.changed.len() > 5 {
        writeln!(out, "and {} more symbols change", found.changed.len() - 5)?;
    }
    if let Some(lost) = &found.lost {
        gone(out, lost)?;
    }
    writeln!(out, "reaches {} symbols in {} files:", found.total_symbols, found.total_files)?;
    writeln!(out, " risk steps symbols")?;
    for file in &found.files {
        let steps = file.steps;
        writeln!(out, "{:>5.2} {steps:>5} {:>7}  {}", file.risk, file.symbols, file.path)?;
    }
    more(out, found.files.len(), found.total_files)?;
    writeln!(out, "covered by {} tests:", found.total_tests)?;
    for test in &found.tests {
        writeln!(
            out,
            "      {:>5}          {}:{}  {}",
            test.steps, test.path, test.line, test.name
        )?;
    }
    more(out, found.tests.len(), found.total_tests)?;
    if !found.untested.is_empty() {
        writeln!(out, "reached by no test that is seen: {}", found.untested.join(", "))?;
    }
    if let Some(lost) = &found.lost {
        broken(out, lost)?;
    }
    horizon(out, &found.horizon)
}

fn gone(out: Out, lost: &Lost) -> io::Result<()> {
    if lost.total_symbols > 0 {
        writeln!(out, "gone since {}, where it stood at:", lost.revision)?;
    }
    for spot in &lost.symbols {
        writeln!(out, "{} {} at {}:{}", spot.kind, spot.name, spot.path, spot.line)?;
    }
    more(out, lost.symbols.len(), lost.total_symbols)
}

fn broken(out: Out, lost: &Lost) -> io::Result<()> {
    if lost.total_uses > 0 {
        writeln!(out, "still written, and means nothing that is known now:")?;
    }
    uses(out, &lost.uses)?;
    more(out, lost.uses.len(), lost.total_uses)
}

pub fn way(out: Out, found: &Way) -> io::Result<()> {
    for (at, link) in found.links.iter().enumerate() {
        let uses = if at == 0 { "" } else { "uses " };
        writeln!(out, "{}{uses}{} at {}:{}", "  ".repeat(at), link.name, link.path, link.line)?;
    }
    if found.reversed {
        writeln!(out, "(the second leads to the first; nothing leads the other way)")?;
    }
    horizon(out, &found.horizon)
}

pub fn map(out: Out, found: &Map) -> io::Result<()> {
    outline(out, &found.files)?;
    if found.left_out > 0 {
        writeln!(out, "about {} tokens; {} files more", found.tokens, found.left_out)?;
    }
    Ok(())
}

pub fn outline(out: Out, files: &[OutlinedFile]) -> io::Result<()> {
    for file in files {
        writeln!(out, "{}", file.path)?;
        for it in &file.symbols {
            let text = if it.signature.is_empty() { &it.name } else { &it.signature };
            writeln!(out, "{:>5}  {}{text}", it.line, "  ".repeat(it.depth as usize))?;
        }
    }
    Ok(())
}

pub fn imports(out: Out, coverage: &Coverage, unresolved: &[Unresolved]) -> io::Result<()> {
    let inside = coverage.resolved + coverage.unresolved;
    let share = coverage.resolved as f64 / inside.max(1) as f64 * 100.0;
    writeln!(
        out,
        "{} of {inside} imports inside the tree lead to a file ({share:.1} %)",
        coverage.resolved
    )?;
    for (reason, count) in &coverage.reasons {
        writeln!(out, "{count:>7} {}", reason.words())?;
    }
    let mut by_reason: BTreeMap<&str, Vec<&Unresolved>> = BTreeMap::new();
    for it in unresolved {
        by_reason.entry(it.reason.words()).or_default().push(it);
    }
    for (reason, list) in by_reason {
        writeln!(out, "{reason}:")?;
        for it in list {
            writeln!(out, "  {}:{}: {}", it.path, it.line, it.source)?;
        }
    }
    Ok(())
}

fn horizon(out: Out, horizon: &Horizon) -> io::Result<()> {
    match horizon.notes.as_slice() {
        [] => Ok(()),
        notes => writeln!(out, "not seen: {}", notes.join("; ")),
    }
}

//! Who calls something, and what it calls, to any depth.

use std::collections::BTreeMap;

use serde::Serialize;
use wherein_corpus::ReferenceKind;

use super::{Horizon, Spot, horizon, spot, uses_of};
use crate::error::Result;
use crate::graph::symbols::{How, Symbols};
use crate::graph::walk;
use crate::index::snapshot::Snapshot;
use crate::search::answer::Certificate;

/// Which way to follow calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Who calls it.
    Callers,
    /// What it calls.
    Callees,
}

/// Calls around something.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calls {
    /// What is asked about.
    pub of: Vec<Spot>,
    /// What is reached, nearest first.
    pub reached: Vec<Call>,
    /// How many are reached in all.
    pub total: usize,
    /// Where the answer stops seeing.
    pub horizon: Horizon,
    /// What was looked at.
    pub index: Certificate,
}

/// One symbol reached by calls.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Call {
    /// The symbol.
    pub symbol: Spot,
    /// How many calls away.
    pub steps: u32,
    /// How likely the last step is.
    pub confidence: f32,
}

/// Everything within `depth` calls.
pub fn calls(
    snapshot: &Snapshot,
    of: &[u32],
    direction: Direction,
    depth: u32,
    limit: usize,
) -> Result<Calls> {
    let symbols = snapshot.symbols()?;
    let next = |symbol: u32| neighbours(symbols, symbol, direction);
    let reached = walk::outward(of, depth, |symbol| next(symbol).into_keys());
    let reached: Vec<(u32, u32)> = reached.into_iter().filter(|(_, steps)| *steps > 0).collect();
    let total = reached.len();
    let sure = sureness(&next, of, &reached);
    let call = |(symbol, steps): (u32, u32)| {
        let confidence = sure.get(&symbol).copied().unwrap_or_default();
        Ok(Call { symbol: spot(snapshot, symbols, symbol)?, steps, confidence })
    };
    let open = match direction {
        Direction::Callers => of.iter().map(|&it| symbols.open_uses(symbols.name(it)).len()).sum(),
        Direction::Callees => of.iter().map(|&it| open_calls(symbols, it)).sum(),
    };
    let asked = of.iter().map(|&symbol| spot(snapshot, symbols, symbol));
    Ok(Calls {
        of: asked.collect::<Result<_>>()?,
        reached: reached.into_iter().take(limit).map(call).collect::<Result<_>>()?,
        total,
        horizon: horizon(snapshot, open)?,
        index: Certificate::of(&snapshot.manifest),
    })
}

/// The confidence of the surest step to each symbol from those reached before it.
fn sureness(
    next: &impl Fn(u32) -> BTreeMap<u32, How>,
    of: &[u32],
    reached: &[(u32, u32)],
) -> BTreeMap<u32, f32> {
    let mut sure: BTreeMap<u32, f32> = BTreeMap::new();
    for symbol in of.iter().copied().chain(reached.iter().map(|(symbol, _)| *symbol)) {
        for (other, how) in next(symbol) {
            let known = sure.entry(other).or_default();
            *known = known.max(how.confidence());
        }
    }
    sure
}

/// What calls a symbol or is called by it, and how surely. Making an object of a class calls it.
pub fn neighbours(symbols: &Symbols, symbol: u32, direction: Direction) -> BTreeMap<u32, How> {
    let mut found: BTreeMap<u32, How> = BTreeMap::new();
    let mut add = |other: u32, how: How| {
        let known = found.entry(other).or_insert(how);
        *known = (*known).min(how);
    };
    match direction {
        Direction::Callers => {
            let uses = uses_of(symbols, symbol);
            for it in uses.into_iter().filter(|it| it.kind == ReferenceKind::Call) {
                if let Some(owner) = it.owner.filter(|&owner| owner != symbol) {
                    add(owner, it.how);
                }
            }
        }
        Direction::Callees => {
            let (start, end) = symbols.lines(symbol);
            for it in symbols.uses_in(symbols.file(symbol), start, end) {
                if let Some(target) = it.target.filter(|&target| target != symbol)
                    && it.kind == ReferenceKind::Call
                {
                    add(target, it.how);
                }
            }
        }
    }
    found
}

/// Calls inside a symbol of which nobody can tell what they mean.
fn open_calls(symbols: &Symbols, symbol: u32) -> usize {
    let (start, end) = symbols.lines(symbol);
    let uses = symbols.uses_in(symbols.file(symbol), start, end);
    uses.iter().filter(|it| it.target.is_none() && it.kind == ReferenceKind::Call).count()
}

//! How long the graph takes over a folder: `cargo run --release --example graph_speed -- DIR`.
//!
//! Indexes DIR into a folder of its own, then times linking, gathering and warm questions. CPU time
//! where it is told, for clocks lie on busy machines.

mod clock;

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use wherein_engine::graph::ask::impact::{Change, impact};
use wherein_engine::graph::ask::references::references;
use wherein_engine::graph::ask::{Target, find};
use wherein_engine::{Settings, Snapshot, Store, refresh};

use clock::cpu_seconds;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = std::env::args().nth(1).ok_or("name a folder")?;
    let names: Vec<String> = std::env::args().skip(2).collect();
    let base = tempfile::tempdir()?;
    let place = Store::at(base.path()).tree(&Path::new(&dir).canonicalize()?);
    timed("index, links included", || refresh(&place, &Settings::default(), &|_, _| {}))?;
    let snapshot = Snapshot::open(&place)?;
    timed("gather symbols and uses", || snapshot.symbols().map(drop))?;
    let symbols = snapshot.symbols()?;
    println!("{} symbols, {} uses", symbols.count(), symbols.uses());
    for entry in std::fs::read_dir(place.graph())?.flatten() {
        println!("{} bytes {}", entry.metadata()?.len(), entry.file_name().display());
    }
    drop(snapshot);
    let snapshot = Snapshot::open(&place)?;
    for name in names {
        let subject = find(&snapshot, &Target::Name(name.clone()))?;
        references(&snapshot, &subject, 50)?;
        timed(&format!("refs {name}, warm"), || references(&snapshot, &subject, 50).map(drop))?;
        let change = Change::of(&subject);
        impact(&snapshot, &change, 3, 50)?;
        timed(&format!("impact {name}, warm"), || impact(&snapshot, &change, 3, 50).map(drop))?;
    }
    Ok(())
}

fn timed<T, E>(what: &str, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let (started, cpu) = (Instant::now(), cpu_seconds());
    let done = work()?;
    let wall = started.elapsed().as_secs_f64() * 1e3;
    let cpu = (cpu_seconds() - cpu) * 1e3;
    println!("{what}: {wall:.1} ms, {cpu:.0} ms of CPU");
    Ok(done)
}

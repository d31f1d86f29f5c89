use std::process::ExitCode;

use lathe::{JobId, JournalStore, Metrics, NewJob, Queue};

const USAGE: &str = "\
usage: lathe stat DIR
       lathe push DIR KIND [JSON]
       lathe compact DIR
       lathe morgue list DIR
       lathe morgue revive DIR ID
       lathe metrics DIR";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("lathe: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[&str]) -> Result<(), String> {
    match args {
        ["stat", dir] => stat(dir),
        ["push", dir, kind] => push(dir, kind, "null"),
        ["push", dir, kind, json] => push(dir, kind, json),
        ["compact", dir] => JournalStore::open(dir.as_ref())
            .and_then(|mut store| store.compact())
            .map_err(|e| e.to_string()),
        ["morgue", "list", dir] => list_morgue(dir),
        ["morgue", "revive", dir, id] => revive(dir, id),
        ["metrics", dir] => {
            print!("{}", Metrics::of(&open(dir)?).render());
            Ok(())
        }
        _ => Err(USAGE.to_owned()),
    }
}

fn open(dir: &str) -> Result<Queue, String> {
    Queue::open(dir).map_err(|e| e.to_string())
}

fn stat(dir: &str) -> Result<(), String> {
    let stat = open(dir)?.stat();
    println!("due {}  asleep {}  claimed {}  buried {}", stat.due, stat.asleep, stat.claimed, stat.buried);
    Ok(())
}

fn push(dir: &str, kind: &str, json: &str) -> Result<(), String> {
    let payload: serde_json::Value =
        serde_json::from_str(json).map_err(|e| format!("the payload is not JSON: {e}"))?;
    let id = open(dir)?.push(NewJob::of(kind).with_payload(&payload)).map_err(|e| e.to_string())?;
    println!("{id}");
    Ok(())
}

fn list_morgue(dir: &str) -> Result<(), String> {
    for job in open(dir)?.buried() {
        let why = job.last_error.as_deref().unwrap_or("-");
        println!("{}  {}  {} attempts  {why}", job.id, job.kind, job.attempts);
    }
    Ok(())
}

fn revive(dir: &str, id: &str) -> Result<(), String> {
    let id: JobId = id.parse().map_err(|_| format!("{id:?} is not the number of a job"))?;
    open(dir)?.revive(id).map_err(|e| e.to_string())
}

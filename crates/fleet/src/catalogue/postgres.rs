//! The catalogue in PostgreSQL, for workers on several machines.
//!
//! A lease is a row with an epoch and an end; a change checks the epoch in its own transaction. To
//! settle is to hold the rows of unsettled files locked while the engine is written: who changes
//! one of them meanwhile waits for that, and leaves a mark of its own.

use std::sync::Mutex;
use std::time::Duration;

use super::login::Login;
use super::wire::{Row, Wire, array, way};
use super::{Apply, Catalogue, Claim, Done, Holders, MOST_FAILURES, Repository, State, another};
use crate::error::{Error, Result};
use crate::record::Key;
use crate::tls::{Papers, Tls};

/// A catalogue in a database.
pub struct Postgres {
    login: Login,
    tls: Option<Tls>,
    idle: Mutex<Vec<Wire>>,
}

const TABLES: [&str; 6] = [
    "SELECT pg_advisory_xact_lock(7318001)",
    "CREATE TABLE IF NOT EXISTS wherein_repositories (
        id BIGSERIAL PRIMARY KEY, name TEXT UNIQUE NOT NULL, source TEXT NOT NULL,
        branch TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'due',
        leaving BOOLEAN NOT NULL DEFAULT FALSE, epoch BIGINT NOT NULL DEFAULT 0,
        worker TEXT NOT NULL DEFAULT '', lease_until TIMESTAMPTZ NOT NULL DEFAULT now(),
        revision TEXT NOT NULL DEFAULT '', trouble TEXT NOT NULL DEFAULT '',
        failures BIGINT NOT NULL DEFAULT 0, totals TEXT NOT NULL DEFAULT '')",
    "CREATE TABLE IF NOT EXISTS wherein_held (
        repository BIGINT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (repository, key))",
    "CREATE INDEX IF NOT EXISTS wherein_held_by_key ON wherein_held (key)",
    "CREATE TABLE IF NOT EXISTS wherein_unsettled (
        key TEXT PRIMARY KEY, repository BIGINT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS wherein_unsettled_by ON wherein_unsettled (repository)",
];

const COLUMNS: &str =
    "id, name, source, branch, state, epoch, worker, revision, trouble, failures, totals, leaving";

impl Postgres {
    /// Connects to `postgres://…` and makes the tables if there are none. `papers` say whom to trust
    /// where the address does not.
    pub fn connect(address: &str, papers: &Papers) -> Result<Postgres> {
        let login = Login::read(address, papers)?;
        let catalogue = Postgres { tls: way(&login)?, login, idle: Mutex::default() };
        catalogue.within(|wire| TABLES.iter().try_for_each(|sql| wire.run(sql, &[]).map(drop)))?;
        Ok(catalogue)
    }

    /// Where it is, and how the way there is protected, for people.
    pub fn about(&self) -> Result<(String, String)> {
        let wire = self.begun()?;
        Ok((format!("{}:{}", self.login.host, self.login.port), wire.protection()))
    }

    /// Does something in one transaction. A connection on which anything failed is not used again,
    /// and the database undoes what it had begun.
    fn within<T>(&self, work: impl FnOnce(&mut Wire) -> Result<T>) -> Result<T> {
        let mut wire = self.begun()?;
        let done = work(&mut wire)?;
        wire.run("COMMIT", &[])?;
        self.idle().push(wire);
        Ok(done)
    }

    /// A connection in a transaction: one that is idle if it is still open, else a new one.
    fn begun(&self) -> Result<Wire> {
        let idle = self.idle().pop();
        if let Some(mut wire) = idle
            && wire.run("BEGIN", &[]).is_ok()
        {
            return Ok(wire);
        }
        let mut wire = Wire::connect(&self.login, self.tls.as_ref())?;
        wire.run("BEGIN", &[])?;
        Ok(wire)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Wire>> {
        self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn counted(&self, sql: &str, names: &[String]) -> Result<usize> {
        let names = array(names.iter().map(String::as_str));
        self.within(|wire| Ok(wire.run(sql, &[&names])?.len()))
    }
}

/// Fails if a lease is another's by now; holds its row until the transaction ends.
fn check(wire: &mut Wire, claim: &Claim) -> Result<()> {
    let sql = "SELECT 1 FROM wherein_repositories
        WHERE id = $1::bigint AND epoch = $2::bigint AND state = 'leased' FOR UPDATE";
    let (id, epoch) = (claim.repository.id.to_string(), claim.repository.epoch.to_string());
    match wire.run(sql, &[&id, &epoch])?.is_empty() {
        false => Ok(()),
        true => Err(Error::LostLease(claim.repository.name.clone())),
    }
}

/// A repository, and whether it is leaving.
fn repository(row: &Row) -> (Repository, bool) {
    let text = |n: usize| row.get(n).cloned().flatten().unwrap_or_default();
    let number = |n: usize| text(n).parse().unwrap_or_default();
    let repository = Repository {
        id: number(0),
        name: text(1),
        source: text(2),
        branch: text(3),
        state: State::named(&text(4)),
        epoch: number(5),
        worker: text(6),
        revision: text(7),
        trouble: text(8),
        failures: number(9),
        totals: postcard::from_bytes(&bytes(&text(10))).unwrap_or_default(),
    };
    (repository, text(11) == "t")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    (0..hex.len()).step_by(2).filter_map(byte).collect()
}

fn keys(keys: &[Key]) -> String {
    // In one order, so that two workers never wait for each other.
    let mut names: Vec<String> = keys.iter().map(Key::hex).collect();
    names.sort_unstable();
    array(names.iter().map(String::as_str))
}

fn key(row: &Row) -> Option<Key> {
    Key::read(row.first()?.as_ref()?)
}

impl Catalogue for Postgres {
    fn add(&self, name: &str, source: &str, branch: &str) -> Result<Repository> {
        let sql = format!(
            "INSERT INTO wherein_repositories AS r (name, source, branch)
             VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET source = $2, branch = $3,
             leaving = FALSE, state = CASE r.state WHEN 'leased' THEN 'leased' ELSE 'due' END
             RETURNING {COLUMNS}"
        );
        self.within(|wire| {
            let rows = wire.run(&sql, &[name, source, branch])?;
            let none = || Error::Catalogue("the database entered nothing".to_owned());
            rows.first().map(|row| repository(row).0).ok_or_else(none)
        })
    }

    fn remove(&self, names: &[String]) -> Result<usize> {
        let sql = "UPDATE wherein_repositories SET leaving = TRUE,
            state = CASE state WHEN 'leased' THEN 'leased' ELSE 'leaving' END
            WHERE name = ANY($1::text[]) RETURNING id";
        self.counted(sql, names)
    }

    fn repositories(&self) -> Result<Vec<Repository>> {
        let sql = format!("SELECT {COLUMNS} FROM wherein_repositories ORDER BY name COLLATE \"C\"");
        self.within(|wire| Ok(wire.run(&sql, &[])?.iter().map(|row| repository(row).0).collect()))
    }

    fn queue(&self, names: &[String]) -> Result<usize> {
        let sql = "UPDATE wherein_repositories SET state = 'due', failures = 0
            WHERE (cardinality($1::text[]) = 0 OR name = ANY($1::text[]))
            AND state IN ('done', 'failed') RETURNING id";
        self.counted(sql, names)
    }

    fn claim(&self, worker: &str, lease: Duration) -> Result<Option<Claim>> {
        let sql = format!(
            "UPDATE wherein_repositories SET state = 'leased', epoch = epoch + 1, worker = $1,
             lease_until = now() + make_interval(secs => $2::float8) WHERE id = (
                SELECT id FROM wherein_repositories
                WHERE state IN ('due', 'leaving') OR (state = 'leased' AND lease_until < now())
                ORDER BY (state = 'leased'), id LIMIT 1 FOR UPDATE SKIP LOCKED)
             RETURNING {COLUMNS}"
        );
        let seconds = lease.as_secs_f64().to_string();
        self.within(|wire| {
            let rows = wire.run(&sql, &[worker, &seconds])?;
            let claim = |(repository, leaving)| Claim { repository, leaving };
            Ok(rows.first().map(repository).map(claim))
        })
    }

    fn renew(&self, claim: &Claim, lease: Duration) -> Result<()> {
        let sql = "UPDATE wherein_repositories
            SET lease_until = now() + make_interval(secs => $2::float8)
            WHERE id = $1::bigint AND epoch = $3::bigint AND state = 'leased' RETURNING id";
        let (id, epoch) = (claim.repository.id.to_string(), claim.repository.epoch.to_string());
        let seconds = lease.as_secs_f64().to_string();
        self.within(|wire| match wire.run(sql, &[&id, &seconds, &epoch])?.is_empty() {
            false => Ok(()),
            true => Err(Error::LostLease(claim.repository.name.clone())),
        })
    }

    fn held(&self, repository: i64) -> Result<Vec<Key>> {
        let sql = "SELECT key FROM wherein_held WHERE repository = $1::bigint ORDER BY key";
        self.within(|wire| {
            Ok(wire.run(sql, &[&repository.to_string()])?.iter().filter_map(key).collect())
        })
    }

    fn change(&self, claim: &Claim, held: &[Key], released: &[Key]) -> Result<()> {
        let id = claim.repository.id.to_string();
        let all = keys(&[held, released].concat());
        self.within(|wire| {
            check(wire, claim)?;
            let hold = "INSERT INTO wherein_held SELECT $1::bigint, unnest($2::text[])
                ON CONFLICT DO NOTHING";
            wire.run(hold, &[&id, &keys(held)])?;
            let release = "DELETE FROM wherein_held
                WHERE repository = $1::bigint AND key = ANY($2::text[])";
            wire.run(release, &[&id, &keys(released)])?;
            let mark = "INSERT INTO wherein_unsettled SELECT unnest($2::text[]), $1::bigint
                ON CONFLICT (key) DO UPDATE SET repository = $1::bigint";
            wire.run(mark, &[&id, &all]).map(drop)
        })
    }

    fn settle(&self, claim: &Claim, most: usize, apply: Apply) -> Result<usize> {
        let (id, most) = (claim.repository.id.to_string(), most.to_string());
        self.within(|wire| {
            let mine = "SELECT key FROM wherein_unsettled WHERE repository = $1::bigint
                ORDER BY key LIMIT $2::bigint FOR UPDATE";
            let found: Vec<Key> = wire.run(mine, &[&id, &most])?.iter().filter_map(key).collect();
            if found.is_empty() {
                return Ok(0);
            }
            let mut holders: Holders = found.iter().map(|key| (*key, Vec::new())).collect();
            let who = "SELECT key, repository FROM wherein_held WHERE key = ANY($1::text[])
                ORDER BY repository";
            for row in wire.run(who, &[&keys(&found)])? {
                let id = row.get(1).cloned().flatten().and_then(|id| id.parse().ok());
                if let (Some(key), Some(id)) = (key(&row), id) {
                    holders.entry(key).or_default().push(id);
                }
            }
            let lacking = apply(&holders)?;
            let settled: Vec<Key> =
                found.iter().filter(|it| !lacking.contains(it)).copied().collect();
            let done = "DELETE FROM wherein_unsettled WHERE key = ANY($1::text[])";
            wire.run(done, &[&keys(&settled)])?;
            let mut got = settled.len();
            for key in lacking {
                if let Some(other) = another(&holders[&key], claim.repository.id) {
                    pass_on(wire, key, other)?;
                    got += 1;
                }
            }
            Ok(got)
        })
    }

    fn finish(
        &self,
        claim: &Claim,
        done: &Done,
        last: &mut dyn FnMut() -> Result<()>,
    ) -> Result<()> {
        let id = claim.repository.id.to_string();
        let totals = hex(&postcard::to_stdvec(&done.totals).unwrap_or_default());
        self.within(|wire| {
            check(wire, claim)?;
            last()?;
            let gone =
                "DELETE FROM wherein_repositories WHERE id = $1::bigint AND leaving RETURNING id";
            if claim.leaving && !wire.run(gone, &[&id])?.is_empty() {
                return Ok(());
            }
            let sql = "UPDATE wherein_repositories SET state = CASE WHEN leaving THEN 'leaving'
                WHEN EXISTS (SELECT 1 FROM wherein_unsettled WHERE repository = $1::bigint)
                THEN 'due' ELSE 'done' END, revision = $2, totals = $3, trouble = '', failures = 0
                WHERE id = $1::bigint";
            wire.run(sql, &[&id, &done.revision, &totals]).map(drop)
        })
    }

    fn fail(&self, claim: &Claim, why: &str) -> Result<()> {
        let sql = "UPDATE wherein_repositories SET failures = failures + 1, trouble = $2,
            state = CASE WHEN failures + 1 >= $3::bigint THEN 'failed' WHEN leaving THEN 'leaving'
            ELSE 'due' END WHERE id = $1::bigint";
        let (id, most) = (claim.repository.id.to_string(), MOST_FAILURES.to_string());
        self.within(|wire| {
            check(wire, claim)?;
            wire.run(sql, &[&id, why, &most]).map(drop)
        })
    }

    fn give_back(&self, claim: &Claim) -> Result<()> {
        let sql = "UPDATE wherein_repositories
            SET state = CASE WHEN leaving THEN 'leaving' ELSE 'due' END WHERE id = $1::bigint";
        self.within(|wire| {
            check(wire, claim)?;
            wire.run(sql, &[&claim.repository.id.to_string()]).map(drop)
        })
    }

    fn unsettled(&self) -> Result<u64> {
        self.within(|wire| {
            let rows = wire.run("SELECT count(*) FROM wherein_unsettled", &[])?;
            let count = rows.first().and_then(|row| row.first().cloned().flatten());
            Ok(count.and_then(|count| count.parse().ok()).unwrap_or_default())
        })
    }
}

/// Makes an unsettled file the matter of another repository.
fn pass_on(wire: &mut Wire, key: Key, to: i64) -> Result<()> {
    let to = to.to_string();
    let mark = "UPDATE wherein_unsettled SET repository = $2::bigint WHERE key = $1";
    wire.run(mark, &[&key.hex(), &to])?;
    let due =
        "UPDATE wherein_repositories SET state = 'due' WHERE id = $1::bigint AND state = 'done'";
    wire.run(due, &[&to]).map(drop)
}

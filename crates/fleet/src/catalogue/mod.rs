//! The repositories of a fleet, which worker has which, and which file is held by whom.
//!
//! The catalogue is the truth and the engine follows it: a change is first written here, marked
//! *unsettled*, and the mark goes only after the engine has it. A worker may die between any two
//! steps; whoever takes over its lease finds the marks and settles them.

mod login;
pub mod plain;
pub mod postgres;
mod scram;
mod wire;

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wherein_engine::index::counts::Totals;

use crate::error::Result;
use crate::record::Key;

/// A repository of the fleet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// Its number in the engine.
    pub id: i64,
    /// `organisation/name`, or a name alone.
    pub name: String,
    /// A git remote, or a folder.
    pub source: String,
    /// The branch that is followed; the remote's own choice if empty. A folder is taken as it is.
    pub branch: String,
    /// Where its sync stands.
    pub state: State,
    /// Changes with every lease, so that a worker whose lease ran out can be told.
    pub epoch: i64,
    /// Who has the lease.
    pub worker: String,
    /// The commit that is in the engine; empty for a folder without git.
    pub revision: String,
    /// What the last failure was, if the last sync failed.
    pub trouble: String,
    /// How often in a row it failed.
    pub failures: i64,
    /// Sums over what is in the engine.
    pub totals: Totals,
}

impl Repository {
    /// The part of its name before the last slash.
    pub fn organisation(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(organisation, _)| organisation)
    }
}

/// Where a repository's sync stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Waits for a worker.
    #[default]
    Due,
    /// A worker has a lease on it.
    Leased,
    /// Is in the engine as it was pulled last.
    Done,
    /// Failed too often; waits for somebody to queue it again.
    Failed,
    /// Is to be removed, and waits for a worker.
    Leaving,
}

impl State {
    /// Its name in the catalogue and for people.
    pub fn name(self) -> &'static str {
        match self {
            State::Due => "due",
            State::Leased => "leased",
            State::Done => "done",
            State::Failed => "failed",
            State::Leaving => "leaving",
        }
    }

    /// The state of a name.
    pub fn named(name: &str) -> State {
        let all = [State::Due, State::Leased, State::Done, State::Failed, State::Leaving];
        all.into_iter().find(|state| state.name() == name).unwrap_or_default()
    }
}

/// A lease on a repository.
#[derive(Clone, Debug)]
pub struct Claim {
    /// As it was when it was claimed.
    pub repository: Repository,
    /// Whether it is to be removed rather than brought up to date.
    pub leaving: bool,
}

/// How often a repository may fail in a row before it waits for somebody.
pub const MOST_FAILURES: i64 = 5;

/// Who holds each of some files: those without a holder are to be deleted.
pub type Holders = BTreeMap<Key, Vec<i64>>;

/// Writes to the engine what holders say; hands back what only somebody else can write.
pub type Apply<'a> = &'a mut dyn FnMut(&Holders) -> Result<Vec<Key>>;

/// The repositories of a fleet and what they hold.
pub trait Catalogue: Send + Sync {
    /// Adds a repository, or changes where one comes from, and makes it due.
    fn add(&self, name: &str, source: &str, branch: &str) -> Result<Repository>;

    /// Makes repositories leave; says how many there were of these names.
    fn remove(&self, names: &[String]) -> Result<usize>;

    /// All of them, by name.
    fn repositories(&self) -> Result<Vec<Repository>>;

    /// Makes repositories due that no worker has; all of them if none is named.
    fn queue(&self, names: &[String]) -> Result<usize>;

    /// Takes a lease on a repository that waits, or whose lease ran out.
    fn claim(&self, worker: &str, lease: Duration) -> Result<Option<Claim>>;

    /// Makes a lease last longer; fails if it is another's by now.
    fn renew(&self, claim: &Claim, lease: Duration) -> Result<()>;

    /// The files a repository holds.
    fn held(&self, repository: i64) -> Result<Vec<Key>>;

    /// Enters what a repository holds from now on, and what no longer; both become unsettled.
    fn change(&self, claim: &Claim, held: &[Key], released: &[Key]) -> Result<()>;

    /// Settles up to `most` files that this repository made unsettled: `apply` gets their holders
    /// while nobody else can settle them. What it hands back becomes the matter of another of its
    /// holders, who is made due. What nobody else holds stays unsettled: its repository lost it before
    /// the engine had it, and lets go of it when it ends. Says with how many it got anywhere; with
    /// none there is nothing left that can be settled now.
    fn settle(&self, claim: &Claim, most: usize, apply: Apply) -> Result<usize>;

    /// Ends a lease well. `last` is done while nobody else can take over.
    fn finish(
        &self,
        claim: &Claim,
        done: &Done,
        last: &mut dyn FnMut() -> Result<()>,
    ) -> Result<()>;

    /// Ends a lease with a failure; it is tried again unless it has failed often.
    fn fail(&self, claim: &Claim, trouble: &str) -> Result<()>;

    /// Ends a lease without having done anything: it was not the repository's fault.
    fn give_back(&self, claim: &Claim) -> Result<()>;

    /// Files that are not yet in the engine as they are here.
    fn unsettled(&self) -> Result<u64>;
}

/// Who may write a file that its repository cannot: the first of its other holders.
fn another(holders: &[i64], repository: i64) -> Option<i64> {
    holders.iter().copied().find(|&it| it != repository)
}

/// What a sync came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The commit that is in the engine.
    pub revision: String,
    /// Sums over it.
    pub totals: Totals,
}

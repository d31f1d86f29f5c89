//! From a call to its answer.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Map, Value, json};
use tokio::time::timeout_at;
use wherein_engine::Error;

use super::answer::Found;
use super::ask::{self, Failure, Tree};
use super::certificate;
use super::handles::{Handles, Rest};
use super::page;
use super::request::Request;
use super::roots::Roots;
use super::seen::Seen;
use super::tokens::count_line;
use super::trouble::Trouble;
use crate::http::pool::Pool;

/// How long a call waits for a first index. Clients give up after a minute, some after half of it.
const PATIENCE: Duration = Duration::from_secs(20);
/// Who asks how far it is does not want to wait until it is done.
const STATUS_PATIENCE: Duration = Duration::from_secs(1);

/// What every conversation shares.
pub struct Desk {
    pub roots: Roots,
    pub pool: Arc<Pool>,
    pub handles: Handles,
}

/// Who calls.
pub struct Caller<'c> {
    /// The lines it has seen already.
    pub seen: &'c Mutex<Seen>,
    /// What it shows to see repositories of a fleet.
    #[cfg(feature = "fleet")]
    pub token: Option<String>,
}

/// What a call is answered with.
#[derive(Debug)]
pub struct Reply {
    pub text: String,
    /// The same for programs.
    pub facts: Value,
}

impl Desk {
    pub fn new(roots: Roots, pool: Arc<Pool>) -> Arc<Desk> {
        Arc::new(Desk { roots, pool, handles: Handles::default() })
    }

    /// Answers a call.
    pub async fn call(
        self: &Arc<Desk>,
        tool: &str,
        arguments: Map<String, Value>,
        caller: &Caller<'_>,
    ) -> Result<Reply, Trouble> {
        let request = Request::of(tool, arguments)?;
        let budget = request.budget();
        let rest = match request {
            Request::More(more) => {
                let rest = self.handles.find(&more.handle)?;
                return self.answer(rest, budget, caller).await;
            }
            request => Rest { request, shown: 0 },
        };
        self.answer(rest, budget, caller).await
    }

    async fn answer(
        self: &Arc<Desk>,
        rest: Rest,
        budget: usize,
        caller: &Caller<'_>,
    ) -> Result<Reply, Trouble> {
        #[cfg(feature = "fleet")]
        if let Request::Search(search) = &rest.request
            && rest.request.is_of_fleet()
        {
            let asked = ask_fleet(search.clone(), caller.token.clone()).await?;
            return self.written(asked, rest, budget, caller.seen);
        }
        #[cfg(feature = "fleet")]
        if let Request::Read(read) = &rest.request
            && super::tools::takes("search", "repositories")
        {
            let asked = self.read(read.clone(), caller.token.clone()).await?;
            return self.written(asked, rest, budget, caller.seen);
        }
        let asked = self.ask_near(&rest.request).await?;
        self.written(asked, rest, budget, caller.seen)
    }

    /// Asks the served folders. What turned out to be damaged is built anew, once.
    async fn ask_near(self: &Arc<Desk>, request: &Request) -> Result<Asked, Trouble> {
        let mut asked = self.ask(request).await;
        if let Err(Failure::Damaged(root)) = asked {
            self.roots.all[root].keeper.forget().await;
            asked = self.ask(request).await;
        }
        asked.map_err(Failure::into_trouble)
    }

    /// Reads what is in the served folders from there, and the rest from the fleet.
    #[cfg(feature = "fleet")]
    async fn read(
        self: &Arc<Desk>,
        mut read: super::request::Read,
        token: Option<String>,
    ) -> Result<Asked, Trouble> {
        let is_near = |span: &String| self.roots.knows(crate::cli::span::parsed(span).0);
        let (near, far): (Vec<String>, Vec<String>) = read.spans.into_iter().partition(is_near);
        let context = read.context;
        let work = move || ask::fleet::read::ask(far, context, token.as_deref());
        let far = tokio::task::spawn_blocking(work).await;
        let mut far = far.map_err(|error| Trouble::new(format!("{error}"), "Ask again."))?;
        read.spans = near;
        read.spans.append(&mut far.missed);
        let asked = match read.spans.is_empty() {
            true => None,
            false => Some(self.ask_near(&Request::Read(read)).await),
        };
        joined(asked, far)
    }

    async fn ask(self: &Arc<Desk>, request: &Request) -> Result<Asked, Failure> {
        if self.roots.all.is_empty() {
            let advice = "Tell the user to start it with 'wherein mcp --root DIR'.";
            return Err(Trouble::new(self.roots.left_out.join("; "), advice).into());
        }
        let patience = match request {
            Request::Status(_) => STATUS_PATIENCE,
            _ => PATIENCE,
        };
        let roots = ask::roots(&self.roots, request)?;
        let (trees, missing) = self.views(&roots, patience).await?;
        let (desk, request) = (self.clone(), request.clone());
        let work = move |wanted| {
            Ok(ask::ask(&desk.roots, &trees, &request, &wanted).map(|found| {
                let certificate = certificate::of(&trees, &missing);
                Asked { found, certificate }
            }))
        };
        self.pool.run(work).await.map_err(|problem| Failure::Trouble(problem.into()))?
    }

    /// A snapshot of each folder that has one in time, and why the others have none.
    async fn views(
        self: &Arc<Desk>,
        roots: &[usize],
        patience: Duration,
    ) -> Result<(Vec<Tree>, Vec<String>), Trouble> {
        let asked = Instant::now();
        let view = async |root: usize| {
            let keeper = &self.roots.all[root].keeper;
            let view = timeout_at((asked + patience).into(), keeper.view(asked)).await;
            (root, view)
        };
        let (mut trees, mut missing, mut trouble) = (Vec::new(), self.roots.left_out.clone(), None);
        for (root, view) in join_all(roots.iter().map(|&root| view(root))).await {
            let named = |why: &str| match self.roots.all[root].label.as_str() {
                "" => why.to_owned(),
                label => format!("{label}: {why}"),
            };
            match view {
                Ok(Ok(view)) => trees.push(Tree { desk: self.clone(), root, view }),
                Ok(Err(problem)) => {
                    missing.push(named(&problem.detail));
                    trouble = trouble.or(Some(Trouble::from(problem)));
                }
                Err(_) => missing.push(named(&self.still_indexing(root))),
            }
        }
        match (trees.is_empty(), trouble) {
            (true, Some(trouble)) => Err(trouble),
            (true, None) => Err(Trouble::new(missing.join("; "), "Ask again in a moment.")),
            (false, _) => Ok((trees, missing)),
        }
    }

    fn still_indexing(&self, root: usize) -> String {
        match self.roots.all[root].keeper.board.now().indexing {
            Some(it) if it.total > 0 => {
                format!("being indexed for the first time, {} of {} files", it.done, it.total)
            }
            _ => "being indexed for the first time".to_owned(),
        }
    }

    /// Writes a page of what was found, and a handle for the rest.
    fn written(
        &self,
        asked: Asked,
        rest: Rest,
        budget: usize,
        seen: &Mutex<Seen>,
    ) -> Result<Reply, Trouble> {
        let Asked { mut found, certificate: (certificate, index) } = asked;
        if rest.shown > 0 {
            found.notes.clear();
            found.last.clear();
        }
        let total = found.items.len();
        let more_line = |handle: &str, left: usize| format!("# {left} more: more(handle={handle})");
        let frame = count_line(&certificate) + count_line(&more_line("m0a1b2c3d", 10_000));
        let page = {
            let mut seen = seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            page::write(&found, rest.shown, budget as f32 - frame, &mut seen)
        };
        let shown = rest.shown + page.shown;
        let mut text = page.text;
        let mut facts = json!({"items": page.facts, "index": index});
        if !found.notes.is_empty() {
            facts["notes"] = json!(found.notes);
        }
        if shown < total {
            let handle = self.handles.keep(Rest { shown, ..rest });
            text = format!("{text}\n{}", more_line(&handle, total - shown));
            facts["more"] = json!(handle);
        }
        Ok(Reply { text: format!("{}\n{certificate}", text.trim_start()), facts })
    }
}

/// Waits for an engine elsewhere, so it takes no place among those who work here.
#[cfg(feature = "fleet")]
async fn ask_fleet(
    search: super::request::Search,
    token: Option<String>,
) -> Result<Asked, Trouble> {
    let work = move || ask::fleet::ask(&search, token.as_deref());
    let answered = tokio::task::spawn_blocking(work).await;
    let broke_off = |error| Trouble::new(format!("{error}"), "Ask again.");
    let (found, certificate) = answered.map_err(broke_off)??;
    Ok(Asked { found, certificate })
}

/// One answer of what was read here and what was read from the fleet.
#[cfg(feature = "fleet")]
fn joined(
    near: Option<Result<Asked, Trouble>>,
    far: ask::fleet::read::Far,
) -> Result<Asked, Trouble> {
    let silent = far.silent.as_ref().map(|why| format!("the fleet could not be asked: {why}"));
    let (is_empty, certificate) = (far.is_empty(), far.certificate());
    let mut found = far.found;
    match near {
        Some(Err(trouble)) if is_empty => {
            let more = silent.map(|why| format!("\n{why}")).unwrap_or_default();
            return Err(Trouble::new(format!("{trouble}{more}"), ""));
        }
        Some(Err(trouble)) => found.notes.push(format!("not read: {trouble}")),
        Some(Ok(mut asked)) => {
            if !is_empty {
                asked.found.last.push(certificate.0);
            }
            asked.found.notes.append(&mut found.notes);
            asked.found.notes.extend(silent);
            asked.found.items.append(&mut found.items);
            return Ok(asked);
        }
        None => {}
    }
    found.notes.extend(silent);
    Ok(Asked { found, certificate })
}

/// What was found, and what was looked at.
struct Asked {
    found: Found,
    certificate: (String, Value),
}

impl Failure {
    fn into_trouble(self) -> Trouble {
        match self {
            Failure::Trouble(trouble) => trouble,
            Failure::Damaged(_) => {
                Trouble::new("the index is damaged", "Ask again: it is built anew.")
            }
        }
    }
}

/// Which tree an error came from matters only if that tree has to be opened anew.
impl Failure {
    pub fn of(root: usize, error: Error) -> Failure {
        match error {
            Error::Damaged { .. } | Error::Lexical(_) => Failure::Damaged(root),
            error => Failure::Trouble(error.into()),
        }
    }
}

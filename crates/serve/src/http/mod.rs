//! `wherein serve`: hits for people in a browser and for programs over HTTP.
//!
//! A request passes the guard (who asks, under which name), becomes a [`Query`] as a command's
//! arguments do, and is answered from the keeper's snapshot on a bounded pool. Beside that one
//! thread encodes what has no vector yet.
//!
//! [`Query`]: wherein_engine::search::query::Query

pub mod activity;
mod address;
mod clusters;
mod embeddings;
pub mod encoding;
mod eval;
mod examples;
mod extract;
mod file;
#[cfg(feature = "fleet")]
pub mod fleet;
mod graph;
mod guard;
mod index;
pub mod keeper;
mod metrics;
mod openapi;
mod page;
pub mod pool;
pub mod problem;
#[cfg(test)]
mod reference;
pub mod remember;
mod routes;
mod search;
mod sentry;
mod shown;
mod similar;
mod status;
mod trees;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};

use crate::mcp::{Roots, Served};

pub use address::Door;
use encoding::{Background, Ending};
use examples::Example;
use keeper::Keeper;
use metrics::Metrics;
use pool::Pool;

/// Connections at once; more wait to be accepted.
const MOST_CONNECTIONS: usize = 1024;
/// A client may take this long to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// What the user chose.
pub struct Options {
    pub door: Door,
    /// Where evaluation runs are.
    pub runs: PathBuf,
    /// How a file is opened in an editor, with `{path}` and `{line}`.
    pub editor: String,
}

/// Everything a request may need: of the one tree it is about, and what the trees share.
pub struct Server {
    pub options: Arc<Options>,
    /// Names the tree among several; empty if it is the only one.
    pub label: String,
    pub keeper: Arc<Keeper>,
    /// Every tree that is served.
    pub roots: Roots,
    pub pool: Arc<Pool>,
    pub metrics: Arc<Metrics>,
    /// Questions to start with, once they are found.
    pub examples: Mutex<Vec<Example>>,
    ending: Arc<Ending>,
}

impl Server {
    /// One for each tree.
    fn each(served: Served, options: Options) -> Vec<Arc<Server>> {
        let pool = Arc::new(Pool::of_machine());
        let roots = Roots::of(served, &pool, &Arc::new(Notify::new()));
        let (options, ending) = (Arc::new(options), Arc::new(Ending::new()));
        let metrics = Arc::new(Metrics::default());
        let server = |root: &crate::mcp::Root| Server {
            options: options.clone(),
            label: root.label.clone(),
            keeper: root.keeper.clone(),
            roots: roots.clone(),
            pool: pool.clone(),
            metrics: metrics.clone(),
            examples: Mutex::default(),
            ending: ending.clone(),
        };
        roots.all.iter().map(|root| Arc::new(server(root))).collect()
    }

    /// Whether the program is about to end.
    pub fn is_ending(&self) -> bool {
        self.ending.has_begun()
    }
}

/// Serves until interrupted. `ready` is told the address that was taken.
pub fn serve(served: Served, options: Options, ready: impl FnOnce(&Door)) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the server's threads")?;
    runtime.block_on(listen(served, options, ready))?;
    // Work that nobody waits for any more must not hold the program up, and the thread that encodes
    // may still use the runtime until the program ends.
    std::mem::forget(runtime);
    Ok(())
}

async fn listen(
    served: Served,
    mut options: Options,
    ready: impl FnOnce(&Door),
) -> anyhow::Result<()> {
    let wanted = options.door.address;
    let listener = TcpListener::bind(wanted)
        .await
        .with_context(|| format!("cannot listen on {wanted}; choose another with --listen"))?;
    options.door.address = listener.local_addr()?;
    ready(&options.door);
    let servers = Server::each(served, options);
    for server in &servers {
        server.keeper.start_refresh();
    }
    encode(&servers);
    let router = routes::router(&servers);
    tokio::select! {
        () = accept(listener, router) => {}
        () = interrupted() => {}
    }
    servers[0].ending.begin();
    servers[0].keeper.published.notify_one();
    Ok(())
}

/// Encodes in the background, and looks for a tree's examples once all of it is encoded.
fn encode(servers: &[Arc<Server>]) {
    let background = Background {
        keepers: servers.iter().map(|server| server.keeper.clone()).collect(),
        pool: servers[0].pool.clone(),
        ending: servers[0].ending.clone(),
        published: servers[0].keeper.published.clone(),
    };
    let servers = servers.to_vec();
    background.start(move |keeper| {
        let own = servers.iter().find(|server| std::ptr::eq(&*server.keeper, keeper));
        own.into_iter().for_each(|server| examples::find(server));
    });
}

async fn accept(listener: TcpListener, router: Router) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = room.clone().acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let router = router.clone();
                tokio::spawn(async move {
                    converse(stream, router).await;
                    drop(place);
                });
            }
            // Out of file handles, mostly: others will be given back.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// One connection. A client that breaks off is no failure of ours.
async fn converse(stream: TcpStream, router: Router) {
    let _ = stream.set_nodelay(true);
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .await;
}

/// Waits until the process is interrupted or asked to end.
pub async fn interrupted() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

//! `wherein mcp` on standard input and output, for as long as its client lives.
//!
//! The client is gone when it closes our input, or when the process that started us is no more:
//! somebody else may hold the other end of the pipe open. Then the program ends, whatever it is
//! doing. What is half-written of an index is not published; the next process goes on from there.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Poller, Poll};
use std::time::Duration;

use anyhow::Context;
use rmcp::ServiceExt;
use rmcp::transport::io::stdio_pipes;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;

use super::call::Desk;
use super::lines::Lines;
use super::roots::{Roots, Served};
use super::service::Conversation;
use crate::http::encoding::{Background, Ending};
use crate::http::interrupted;
use crate::http::pool::Pool;

/// Answers that are under way when the input ends have this long to be written.
const GRACE: Duration = Duration::from_millis(800);
/// How often it is looked whether our parent lives.
#[cfg(unix)]
const LOOK: Duration = Duration::from_millis(500);

/// Serves some trees until the client is gone.
pub fn serve(served: Served) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the server's threads")?;
    runtime.block_on(converse(served));
    // Work that nobody waits for any more must not hold the program up, and the thread that encodes
    // may still use the runtime until the program ends.
    std::mem::forget(runtime);
    Ok(())
}

async fn converse(served: Served) {
    let pool = Arc::new(Pool::of_machine());
    let published = Arc::new(Notify::new());
    let roots = Roots::of(served, &pool, &published);
    let ending = Arc::new(Ending::new());
    start(&roots, &pool, &published, &ending);
    let closed = Arc::new(Notify::new());
    let (input, output) = stdio_pipes();
    let input = Watched { input, closed: closed.clone() };
    let conversation = Conversation::new(Desk::new(roots, pool));
    let talk = async {
        if let Ok(running) = conversation.serve(Lines::new(input, output)).await {
            let _ = running.waiting().await;
        }
    };
    tokio::select! {
        () = talk => {}
        () = async { closed.notified().await; tokio::time::sleep(GRACE).await } => {}
        () = parent_gone() => {}
        () = interrupted() => {}
    }
    ending.begin();
}

/// Indexes every tree, one after the other, and encodes in the background.
fn start(roots: &Roots, pool: &Arc<Pool>, published: &Arc<Notify>, ending: &Arc<Ending>) {
    let keepers: Vec<_> = roots.all.iter().map(|root| root.keeper.clone()).collect();
    for keeper in &keepers {
        keeper.start_refresh();
    }
    let background = Background {
        keepers,
        pool: pool.clone(),
        ending: ending.clone(),
        published: published.clone(),
    };
    background.start(|_| {});
}

/// Waits until the process that started us is another one. One that was adopted from the start has
/// nobody to wait for.
async fn parent_gone() {
    #[cfg(unix)]
    if let Some(parent) = rustix::process::getppid().filter(|it| it.as_raw_nonzero().get() != 1) {
        while rustix::process::getppid() == Some(parent) {
            tokio::time::sleep(LOOK).await;
        }
        return;
    }
    std::future::pending().await
}

/// An input that tells when it ends.
struct Watched<R> {
    input: R,
    closed: Arc<Notify>,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        poller: &mut Poller<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.input).poll_read(poller, buffer);
        let is_over = match &polled {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.remaining() > 0,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if is_over {
            self.closed.notify_one();
        }
        polled
    }
}

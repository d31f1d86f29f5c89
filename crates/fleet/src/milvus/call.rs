//! Calls to the engine: gRPC over connections that are kept and made anew when they break.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::http2::Connection;
use super::protobuf::{Message, number, part};
use crate::address::Address;
use crate::error::{Error, Result};
use crate::tls::{Check, Papers, Tls, Trouble};

/// A way to the engine.
pub struct Channel {
    /// Where it is.
    pub address: Address,
    authorization: Option<String>,
    timeout: Duration,
    tls: Option<Tls>,
    idle: Mutex<Vec<Connection>>,
}

impl Channel {
    /// A way that is taken when the first call is made. `papers` say whom to trust where the address
    /// is one of TLS; the name in it is always looked at.
    pub fn new(
        address: Address,
        token: Option<&str>,
        papers: &Papers,
        timeout: Duration,
    ) -> Result<Channel> {
        use base64::Engine as _;
        let untrusted = |trouble| untrusted(&address, &trouble);
        let tls = address.secure.then(|| Tls::of(papers, Check::Name, Some("h2")));
        let tls = tls.transpose().map_err(untrusted)?;
        let authorization =
            token.map(|token| base64::engine::general_purpose::STANDARD.encode(token));
        Ok(Channel { address, authorization, timeout, tls, idle: Mutex::default() })
    }

    /// How a connection is protected that was used before, for people.
    pub fn protection(&self) -> Option<String> {
        self.idle().last().map(Connection::protection)
    }

    /// Calls a method and gives its answer.
    pub fn call(&self, method: &str, message: Message) -> Result<Vec<u8>> {
        self.call_within(method, message, self.timeout)
    }

    /// The same, with a time of its own.
    pub fn call_within(&self, method: &str, message: Message, most: Duration) -> Result<Vec<u8>> {
        let deadline = Instant::now() + most;
        let message = message.finish();
        // A connection that was idle may have been closed meanwhile; a fresh one tells.
        let idle = self.idle().pop();
        if let Some(mut connection) = idle
            && let Ok(answer) = self.ask(&mut connection, method, &message, deadline)
        {
            self.idle().push(connection);
            return Ok(answer);
        }
        let failed = |error| self.failed(&error);
        let mut connection = self.opened(deadline).map_err(failed)?;
        let answer = self.ask(&mut connection, method, &message, deadline).map_err(failed)?;
        self.idle().push(connection);
        Ok(answer)
    }

    fn opened(&self, deadline: Instant) -> std::io::Result<Connection> {
        Connection::open(&self.address.host, self.address.port, self.tls.as_ref(), deadline)
    }

    /// What a failed connection means: something that passes, or that has to be put right.
    fn failed(&self, error: &std::io::Error) -> Error {
        use std::io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
        let is_closed = matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof);
        // A server that wants TLS hangs up on who begins without it.
        let hint = match is_closed && !self.address.secure {
            true => " (milvuss:// is for an engine behind TLS)",
            false => "",
        };
        match Trouble::of(error) {
            Some(trouble) => untrusted(&self.address, trouble),
            None => {
                Error::Unreachable { at: self.address.to_string(), why: format!("{error}{hint}") }
            }
        }
    }

    /// Several calls side by side; each has its own outcome.
    pub fn calls(
        &self,
        calls: Vec<(&'static str, Message)>,
        most: Duration,
    ) -> Vec<Result<Vec<u8>>> {
        std::thread::scope(|scope| {
            let ask =
                |(method, message)| scope.spawn(move || self.call_within(method, message, most));
            let asked: Vec<_> = calls.into_iter().map(ask).collect();
            let gone = |_| Err(Error::Engine("a call broke off".to_owned()));
            asked.into_iter().map(|it| it.join().unwrap_or_else(gone)).collect()
        })
    }

    fn ask(
        &self,
        connection: &mut Connection,
        method: &str,
        message: &[u8],
        deadline: Instant,
    ) -> std::io::Result<Vec<u8>> {
        let authority = format!("{}:{}", self.address.host, self.address.port);
        let path = format!("/milvus.proto.milvus.MilvusService/{method}");
        let mut headers = vec![
            (":authority", authority.as_str()),
            (":path", path.as_str()),
            ("content-type", "application/grpc"),
            ("te", "trailers"),
        ];
        headers.extend(self.authorization.as_deref().map(|token| ("authorization", token)));
        let mut framed = Vec::with_capacity(HEAD + message.len());
        framed.push(0);
        framed.extend_from_slice(&(message.len() as u32).to_be_bytes());
        framed.extend_from_slice(message);
        let mut answer = connection.post(&headers, &framed, deadline)?;
        if answer.len() < HEAD {
            let why = "it refused the call; is the token right, and is it an engine of this kind?";
            return Err(std::io::Error::other(why));
        }
        Ok(answer.split_off(HEAD))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn untrusted(address: &Address, trouble: &Trouble) -> Error {
    Error::Untrusted { who: format!("the engine at {address}"), why: trouble.to_string() }
}

/// Before each message stand a byte and its length.
const HEAD: usize = 5;

/// Fails if the status inside an answer says so.
pub fn well(status: &[u8]) -> Result<()> {
    let code = number(status, 3) as i32;
    if number(status, 1) == 0 && code == 0 {
        return Ok(());
    }
    Err(Error::Engine(String::from_utf8_lossy(part(status, 2)).into_owned()))
}

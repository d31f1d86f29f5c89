//! Calls to the engine by its own client, over a connection that is kept and made anew when it breaks.

use std::future::Future;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ::milvus::v2::error::Error as Said;
use ::milvus::v2::{ClientV2, ConnectConfig, RetryConfig, TelemetryConfig};

use super::driver::Driver;
use super::fault::{Fault, untrusted};
use super::greeting::greet;
use crate::address::Address;
use crate::error::{Error, Result};
use crate::tls::{Check, Papers, Tls, Trouble, trust};

/// A way to the engine.
pub struct Channel {
    /// Where it is.
    pub address: Address,
    /// How long a call may take whose time nobody names.
    pub timeout: Duration,
    config: ConnectConfig,
    tls: Option<Tls>,
    held: Mutex<Held>,
    /// Since when the engine has answered nothing, if it does not answer.
    silent: Mutex<Option<Instant>>,
    driver: Driver,
}

/// A connection that is kept.
#[derive(Default)]
struct Held {
    client: Option<ClientV2>,
    /// Which one it is, so that what broke is given up once by all who used it.
    number: u64,
    protection: Option<String>,
}

impl Held {
    fn ours(&self) -> Option<(ClientV2, u64)> {
        Some((self.client.clone()?, self.number))
    }
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
        let tls = address.secure.then(|| Tls::of(papers, Check::Name, Some("h2")));
        let tls = tls.transpose().map_err(|trouble| untrusted(&address, trouble.to_string()))?;
        let config = configured(&address, token, papers);
        let driver = Driver::new().map_err(|error| Error::Engine(error.to_string()))?;
        let (held, silent) = (Mutex::default(), Mutex::default());
        Ok(Channel { address, timeout, config, tls, held, silent, driver })
    }

    /// How a connection is protected that was used before, for people.
    pub fn protection(&self) -> Option<String> {
        self.held().protection.clone()
    }

    /// Since when the engine has not answered: when the first call began that it left without an answer.
    pub fn silent_since(&self) -> Option<Instant> {
        *self.silent()
    }

    /// Makes a call that may take some time.
    pub fn call<T, F>(&self, most: Duration, ask: impl Fn(ClientV2) -> F) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = std::result::Result<T, Said>> + Send + 'static,
    {
        let began = Instant::now();
        let deadline = began + most;
        let answer = match self.once(&ask, deadline) {
            // A connection that was idle may have been closed meanwhile; a fresh one tells. Every
            // call of ours may be made twice.
            Err(Fault::Broken(_)) => self.once(&ask, deadline),
            answer => answer,
        };
        let answer = answer.map_err(|fault| fault.told(&self.address));
        match &answer {
            Err(Error::Unreachable { .. }) => drop(self.silent().get_or_insert(began)),
            _ => *self.silent() = None,
        }
        answer
    }

    fn once<T, F>(
        &self,
        ask: &impl Fn(ClientV2) -> F,
        deadline: Instant,
    ) -> std::result::Result<T, Fault>
    where
        T: Send + 'static,
        F: Future<Output = std::result::Result<T, Said>> + Send + 'static,
    {
        let (client, number) = self.client(deadline)?;
        let answer = match self.driver.run(ask(client), deadline) {
            Ok(answer) => answer.map_err(|error| Fault::of(error, &self.address)),
            Err(lost) => Err(lost.into()),
        };
        if matches!(answer, Err(Fault::Broken(_) | Fault::Late)) {
            self.give_up(number);
        }
        answer
    }

    /// The connection that is kept, or another. Who has little time does not wait for one that somebody
    /// with more is making: at worst several are made, and the first is kept.
    fn client(&self, deadline: Instant) -> std::result::Result<(ClientV2, u64), Fault> {
        if let Some(client) = self.held().ours() {
            return Ok(client);
        }
        let protection = greet(&self.address, self.tls.as_ref(), deadline);
        let protection = protection.map_err(|error| self.failed(&error))?;
        let left = deadline.saturating_duration_since(Instant::now());
        let config = self.config.clone().connect_timeout(left);
        let client = self.driver.run(async move { ClientV2::new(&config).await }, deadline)?;
        let client = client.map_err(|error| Fault::of(error, &self.address))?;
        let mut held = self.held();
        if let Some(client) = held.ours() {
            return Ok(client);
        }
        let number = held.number + 1;
        *held = Held { client: Some(client.clone()), number, protection: Some(protection) };
        Ok((client, number))
    }

    fn give_up(&self, number: u64) {
        let mut held = self.held();
        if held.number == number {
            held.client = None;
        }
    }

    /// What a failed connection means: something that passes, or that has to be put right.
    fn failed(&self, error: &std::io::Error) -> Fault {
        use std::io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
        let is_closed = matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof);
        // A server that wants TLS hangs up on who begins without it.
        let hint = match is_closed && !self.address.secure {
            true => " (milvuss:// is for an engine behind TLS)",
            false => "",
        };
        Fault::Final(match Trouble::of(error) {
            Some(trouble) => untrusted(&self.address, trouble.to_string()),
            None => {
                Error::Unreachable { at: self.address.to_string(), why: format!("{error}{hint}") }
            }
        })
    }

    fn silent(&self) -> MutexGuard<'_, Option<Instant>> {
        self.silent.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// How the client is told to behave: it tries once, because whoever waits is told at once and a worker
/// has a patience of its own, and it reports to nobody how it is used.
fn configured(address: &Address, token: Option<&str>, papers: &Papers) -> ConnectConfig {
    const QUIET: Duration = Duration::from_secs(300);
    let mut config = ConnectConfig::new()
        .uri(address.uri())
        .retry(RetryConfig::new().max_attempts(1))
        .telemetry(TelemetryConfig::new().enabled(false))
        .keepalive_time(QUIET)
        .keepalive_while_idle(false);
    if let Some(token) = token {
        config = config.token(token);
    }
    if !address.secure {
        return config;
    }
    let written = |file: &Path| file.to_string_lossy().into_owned();
    if let Some(file) = trust::file(papers) {
        config = config.ca_certificate(written(file));
    }
    if let Some(file) = &papers.certificate {
        let key = papers.key.as_ref().unwrap_or(file);
        config = config.client_certificate(written(file)).client_key(written(key));
    }
    config
}

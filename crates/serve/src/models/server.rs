//! A request to a service: tried again while that may help, within bounds of count and time.

use std::io::Read;
use std::thread;
use std::time::{Duration, Instant};

use ureq::http::{Response, Uri};
use ureq::{Agent, Body, Proxy};
use wherein_encoder::Error;

use super::failure::{Again, Failure};
use super::key::Key;

/// For finding and reaching the host.
pub const CONNECT: Duration = Duration::from_secs(5);
/// Bytes of an answer. 2,048 vectors of 4,096 numbers have about 170 MB of digits; nobody asks for
/// that much at once.
const MOST_BYTES: u64 = 256 << 20;
/// Bytes of a refusal that are looked at, and characters of it that are quoted.
const MOST_REFUSAL: u64 = 64 << 10;
const QUOTED: usize = 200;

/// How often, and for how long.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Requests in all.
    pub tries: u32,
    /// Before the second try; it doubles from then on.
    pub first_pause: Duration,
    /// No pause is longer, whatever the service asks for.
    pub longest_pause: Duration,
    /// No try starts later than this after the first.
    pub window: Duration,
}

impl Patience {
    /// Waits out a short overload; a service that is down is known to be within four seconds.
    pub const USUAL: Patience = Patience {
        tries: 4,
        first_pause: Duration::from_millis(500),
        longest_pause: Duration::from_secs(30),
        window: Duration::from_secs(60),
    };

    /// How long to wait after so many tries, unless it is time to give up.
    pub fn pause(&self, tries: u32, again: &Again) -> Option<Duration> {
        let pause = match again {
            Again::Never => return None,
            Again::Soon => self.first_pause * 2u32.pow(tries - 1),
            Again::After(pause) => *pause,
        };
        (tries < self.tries).then(|| pause.min(self.longest_pause))
    }
}

/// A service that takes JSON.
pub struct Server {
    /// Where requests go.
    pub url: String,
    agent: Agent,
    key: Option<Key>,
    timeout: Duration,
    patience: Patience,
}

impl Server {
    /// A service to which nothing has been sent yet.
    pub fn new(url: String, key: Option<Key>, timeout: Duration, patience: Patience) -> Server {
        // A redirect would carry the texts where the user did not send them.
        let config = Agent::config_builder()
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(timeout))
            .user_agent(concat!("wherein/", env!("CARGO_PKG_VERSION")))
            .proxy(Proxy::try_from_env().filter(|_| !is_this_machine(&url)))
            .build();
        Server { url, agent: config.into(), key, timeout, patience }
    }

    /// The body of the answer.
    pub fn ask(&self, body: &[u8]) -> Result<Vec<u8>, Error> {
        let start = Instant::now();
        let mut tries = 1;
        loop {
            let failure = match self.ask_once(body) {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let pause = self.patience.pause(tries, &failure.again);
            let Some(pause) = pause.filter(|pause| start.elapsed() + *pause < self.patience.window)
            else {
                return Err(self.given_up(&failure, tries));
            };
            thread::sleep(pause);
            tries += 1;
        }
    }

    /// The start of what the service said, in quotes, fit to be shown.
    pub fn quote(&self, body: &[u8]) -> String {
        let said = match &self.key {
            Some(key) => key.hide(&said(body)),
            None => said(body),
        };
        let words =
            said.split(|c: char| c.is_control() || c == ' ').filter(|word| !word.is_empty());
        let line = words.collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(QUOTED) {
            _ if line.is_empty() => String::new(),
            Some((end, _)) => format!(": \"{}…\"", &line[..end]),
            None => format!(": \"{line}\""),
        }
    }

    fn ask_once(&self, body: &[u8]) -> Result<Vec<u8>, Failure> {
        let request = self.agent.post(&self.url).header("Content-Type", "application/json");
        let request = match &self.key {
            Some(key) => request.header("Authorization", key.header()),
            None => request,
        };
        let failed = |error: ureq::Error| Failure::of_transport(&error, self.timeout);
        let mut response = request.send(body).map_err(failed)?;
        if !response.status().is_success() {
            return Err(self.refusal(&mut response));
        }
        response.body_mut().with_config().limit(MOST_BYTES).read_to_vec().map_err(failed)
    }

    fn refusal(&self, response: &mut Response<Body>) -> Failure {
        let after = response.headers().get("Retry-After");
        let after = after.and_then(|seconds| seconds.to_str().ok()?.trim().parse().ok());
        let mut body = Vec::new();
        // A refusal that breaks off is one all the same.
        let _ = response.body_mut().as_reader().take(MOST_REFUSAL).read_to_end(&mut body);
        let quoted = self.quote(&body);
        Failure::of_status(response.status().as_u16(), &quoted, after.map(Duration::from_secs))
    }

    fn given_up(&self, failure: &Failure, tries: u32) -> Error {
        let tried = if tries > 1 { format!(" (tried {tries} times)") } else { String::new() };
        Error::Remote(format!("{} {}{tried}", self.url, failure.what))
    }
}

/// The message in what a service said, or all of it. JSON is written anew, so that no way of
/// escaping hides a key from being found.
fn said(body: &[u8]) -> String {
    let Ok(json) = serde_json::from_slice::<serde_json::Value>(body) else {
        return String::from_utf8_lossy(body).into_owned();
    };
    let message =
        json.get("error").and_then(|error| error.get("message").unwrap_or(error).as_str());
    message.map_or_else(|| json.to_string(), str::to_owned)
}

/// A proxy for the world outside cannot reach a service on this machine.
fn is_this_machine(url: &str) -> bool {
    let uri = url.parse::<Uri>().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    host == "localhost" || host == "[::1]" || host.starts_with("127.")
}

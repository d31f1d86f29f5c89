//! Why a request failed, whether another try may help, and what to tell the user.

use std::io::ErrorKind;
use std::time::Duration;

use ureq::Timeout;

use super::server::CONNECT;

/// A failed try.
#[derive(Debug, PartialEq)]
pub struct Failure {
    /// What happened and what to check, to be read after the address.
    pub what: String,
    /// Whether to try again.
    pub again: Again,
}

/// Whether to try again.
#[derive(Debug, PartialEq)]
pub enum Again {
    /// It would fail again.
    Never,
    /// After the usual pause.
    Soon,
    /// After the pause the service asked for.
    After(Duration),
}

impl Failure {
    /// No whole answer came within `limit`.
    pub fn of_transport(error: &ureq::Error, limit: Duration) -> Failure {
        let (what, again) = match error {
            ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                (unreachable(&format!("no connection within {CONNECT:?}")), Again::Soon)
            }
            ureq::Error::Timeout(_) => {
                let what =
                    format!("gave no answer within {limit:?}; raise `timeout_s` or lower `batch`");
                (what, Again::Never)
            }
            // What the encryption layer objects to, a certificate mostly, it will object to again.
            ureq::Error::Io(error) if error.kind() == ErrorKind::InvalidData => {
                (format!("cannot be trusted: {error}; check url"), Again::Never)
            }
            ureq::Error::Io(error) => (unreachable(&error.to_string()), Again::Soon),
            ureq::Error::HostNotFound | ureq::Error::ConnectionFailed => {
                (unreachable(&error.to_string()), Again::Soon)
            }
            _ => (format!("cannot be used: {error}; check url"), Again::Never),
        };
        Failure { what, again }
    }

    /// The service answered with a status that is no success, and said `quoted`.
    pub fn of_status(status: u16, quoted: &str, after: Option<Duration>) -> Failure {
        let advice = match status {
            300..=399 => "redirects are not followed: put the final address into url",
            401 | 403 => "check the key in the environment variable that `key_env` names",
            404 => "check url (it mostly ends in /v1) and `model`",
            429 => "wait a while, or lower `batch`",
            500.. => "the service's own log may say why",
            _ => "check `model`, `dimensions` and `batch`",
        };
        let again = match (status, after) {
            (429 | 500.., Some(pause)) => Again::After(pause),
            (429 | 500.., None) => Again::Soon,
            _ => Again::Never,
        };
        Failure { what: format!("answered {status}{quoted}; {advice}"), again }
    }
}

fn unreachable(reason: &str) -> String {
    format!("cannot be reached: {reason}; is the service running, and is url right?")
}

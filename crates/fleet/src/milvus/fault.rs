//! What the engine's client says went wrong, by what can be done about it.

use ::milvus::v2::error::Error as Said;

use super::driver::Lost;
use crate::address::Address;
use crate::error::Error;

/// A call that failed.
#[derive(Debug)]
pub enum Fault {
    /// The connection broke; another may hold.
    Broken(String),
    /// Nothing came in time.
    Late,
    /// More came than the client takes at once.
    Large,
    /// Trying again does not help.
    Final(Error),
}

/// Codes of gRPC, which the client hands on as they are.
mod code {
    pub const DEADLINE_EXCEEDED: i32 = 4;
    pub const PERMISSION_DENIED: i32 = 7;
    pub const OUT_OF_RANGE: i32 = 11;
    pub const UNIMPLEMENTED: i32 = 12;
    pub const UNAUTHENTICATED: i32 = 16;
}

impl Fault {
    /// What an error of the client's means, of an engine at an address.
    pub fn of(error: Said, address: &Address) -> Fault {
        match error {
            Said::RetryExhausted { source, .. } => Fault::of(*source, address),
            Said::Server(error) => Fault::Final(Error::Engine(error.reason().to_owned())),
            Said::Timeout(_) => Fault::Late,
            Said::Validation(error) if error.parameter() == "tls" => {
                let why = format!("{error}; name the file of authorities in WHEREIN_TLS_CA");
                Fault::Final(untrusted(address, why))
            }
            Said::Grpc(status) => match status.code() as i32 {
                code::DEADLINE_EXCEEDED => Fault::Late,
                code::OUT_OF_RANGE => Fault::Large,
                code::PERMISSION_DENIED | code::UNAUTHENTICATED => {
                    let said = status.message();
                    let why = format!("is the token in WHEREIN_STORE_TOKEN right? It says: {said}");
                    Fault::Final(untrusted(address, why))
                }
                code::UNIMPLEMENTED => Fault::Final(Error::Engine(format!(
                    "{}; is it an engine of this kind, and new enough?",
                    status.message()
                ))),
                _ => Fault::Broken(status.message().to_owned()),
            },
            other => Fault::Final(Error::Engine(other.to_string())),
        }
    }

    /// As everybody else knows it.
    pub fn told(self, address: &Address) -> Error {
        let unreachable = |why: String| Error::Unreachable { at: address.to_string(), why };
        match self {
            Fault::Broken(why) => unreachable(why),
            Fault::Late => unreachable("no answer in time".to_owned()),
            Fault::Large => Error::Large,
            Fault::Final(error) => error,
        }
    }
}

impl From<Lost> for Fault {
    fn from(lost: Lost) -> Fault {
        match lost {
            Lost::Late => Fault::Late,
            Lost::Broken => Fault::Final(Error::Engine("a call broke off".to_owned())),
        }
    }
}

/// An engine that is not spoken to, whatever time passes.
pub fn untrusted(address: &Address, why: String) -> Error {
    Error::Untrusted { who: format!("the engine at {address}"), why }
}

/// A call that cannot even be written down.
pub fn unsayable(error: Said) -> Error {
    Error::Engine(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(said: Said, expected: &str) {
        let address: Address = "milvus://engine.example/code".parse().unwrap();
        let told = Fault::of(said, &address).told(&address).to_string();
        assert!(told.contains(expected), "{told}");
    }

    #[test]
    fn what_waiting_mends_is_told_apart_from_what_it_does_not() {
        check(Said::Timeout("it took too long".into()), "no answer in time; nothing is lost");
        let exhausted = |source| Said::RetryExhausted { attempts: 1, source: Box::new(source) };
        check(exhausted(Said::Timeout(String::new())), "no answer in time");
        check(Said::MalformedResponse("half a row".into()), "the engine refuses: malformed");
    }
}

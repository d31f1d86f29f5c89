//! Where an engine is: `milvus://host:port/collection`, `milvuss://` over TLS.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// The address of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Name or number of the machine.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// What the store's collections are called; theirs begin with it.
    pub collection: String,
    /// Whether to speak TLS.
    pub secure: bool,
}

/// The engine's usual port.
const PORT: u16 = 19530;

impl Address {
    /// As its client writes it.
    pub fn uri(&self) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        format!("{scheme}://{}:{}", self.host, self.port)
    }
}

impl FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Address, Error> {
        let bad = || Error::Address(text.to_owned());
        let (secure, rest) = match text.split_once("://") {
            Some(("milvus", rest)) => (false, rest),
            Some(("milvuss", rest)) => (true, rest),
            _ => return Err(bad()),
        };
        let (machine, collection) = rest.split_once('/').ok_or_else(bad)?;
        let (host, port) = match machine.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| bad())?),
            None => (machine, PORT),
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_name = collection.starts_with(|c: char| c.is_ascii_alphabetic())
            && collection.chars().all(is_word);
        if host.is_empty() || !is_name {
            return Err(bad());
        }
        Ok(Address { host: host.to_owned(), port, collection: collection.to_owned(), secure })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let s = if self.secure { "s" } else { "" };
        write!(f, "milvus{s}://{}:{}/{}", self.host, self.port, self.collection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let read = text.parse::<Address>().ok().map(|address| address.to_string());
        assert_eq!(read.as_deref(), expected, "{text}");
    }

    #[test]
    fn an_address_names_machine_and_collection() {
        check("milvus://localhost:19531/code", Some("milvus://localhost:19531/code"));
        check("milvus://10.0.0.7/code_2", Some("milvus://10.0.0.7:19530/code_2"));
        check("milvuss://engine.example/code", Some("milvuss://engine.example:19530/code"));
        for bad in ["", "milvus://", "milvus://host", "milvus://host/", "http://host/code"] {
            check(bad, None);
        }
        check("milvus://host:port/code", None);
        check("milvus://host/2code", None);
        check("milvus://host/co de", None);
    }
}

//! PostgreSQL's protocol as far as the catalogue needs it: texts in, rows of texts out.
//!
//! Written by hand for the reason given in `milvus/http2.rs`. It knows trust and plain passwords;
//! a database that asks for more is reached through a local proxy.

use std::io::{self, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::error::{Error, Result};

/// A row of texts; `None` is NULL.
pub type Row = Vec<Option<String>>;

/// A connection to the database.
pub struct Wire {
    stream: BufReader<TcpStream>,
}

/// `postgres://user:password@host:port/database`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    host: String,
    port: u16,
    user: String,
    password: String,
    database: String,
}

impl Login {
    /// Reads an address.
    pub fn read(address: &str) -> Result<Login> {
        let bad = || {
            let form = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";
            Error::Catalogue(format!("{address:?} is no address of a database; write {form}"))
        };
        let rest = address.strip_prefix("postgres://").ok_or_else(bad)?;
        let (rest, database) = rest.split_once('/').ok_or_else(bad)?;
        let (login, machine) = rest.rsplit_once('@').unwrap_or(("postgres", rest));
        let (user, password) = login.split_once(':').unwrap_or((login, ""));
        let (host, port) = match machine.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| bad())?),
            None => (machine, 5432),
        };
        if host.is_empty() || user.is_empty() || database.is_empty() {
            return Err(bad());
        }
        let own = str::to_owned;
        Ok(Login {
            host: own(host),
            port,
            user: own(user),
            password: own(password),
            database: own(database),
        })
    }
}

/// How long the database may take for one step; settling holds rows while the engine is written.
const PATIENCE: Duration = Duration::from_secs(300);

impl Wire {
    /// Connects and logs in.
    pub fn connect(login: &Login) -> Result<Wire> {
        let stream = TcpStream::connect((login.host.as_str(), login.port)).map_err(broken)?;
        stream.set_nodelay(true).map_err(broken)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(broken)?;
        let mut wire = Wire { stream: BufReader::new(stream) };
        let mut hello = 196_608u32.to_be_bytes().to_vec();
        for text in ["user", &login.user, "database", &login.database] {
            hello.extend_from_slice(text.as_bytes());
            hello.push(0);
        }
        hello.push(0);
        wire.send(None, &hello)?;
        wire.greeted(login)?;
        Ok(wire)
    }

    fn greeted(&mut self, login: &Login) -> Result<()> {
        loop {
            let (kind, body) = self.receive()?;
            match (kind, number(&body)) {
                (b'R', 0) => {}
                (b'R', 3) => self.send(Some(b'p'), &[login.password.as_bytes(), &[0]].concat())?,
                (b'R', _) => {
                    let why = "it wants a kind of login that is not spoken here; allow trust or a \
                               plain password from this machine, or use a local proxy";
                    return Err(Error::Catalogue(why.to_owned()));
                }
                (b'E', _) => return Err(said(&body)),
                (b'Z', _) => return Ok(()),
                _ => {}
            }
        }
    }

    /// Runs one statement with texts for `$1`, `$2` and so on.
    pub fn run(&mut self, statement: &str, values: &[&str]) -> Result<Vec<Row>> {
        let parse = [b"\0", statement.as_bytes(), b"\0\0\0"].concat();
        let mut bind = b"\0\0\0\0".to_vec();
        bind.extend_from_slice(&(values.len() as u16).to_be_bytes());
        for value in values {
            bind.extend_from_slice(&(value.len() as u32).to_be_bytes());
            bind.extend_from_slice(value.as_bytes());
        }
        bind.extend_from_slice(&[0, 0]);
        for (kind, body) in [(b'P', &parse[..]), (b'B', &bind), (b'E', &[0; 5]), (b'S', &[])] {
            self.send(Some(kind), body)?;
        }
        self.rows()
    }

    /// What came of a statement. An error is told after the database is ready again.
    fn rows(&mut self) -> Result<Vec<Row>> {
        let (mut rows, mut failed) = (Vec::new(), None);
        loop {
            let (kind, body) = self.receive()?;
            match kind {
                b'D' => rows.push(row(&body)),
                b'E' => failed = Some(said(&body)),
                b'Z' => return failed.map_or(Ok(rows), Err),
                _ => {}
            }
        }
    }

    fn send(&mut self, kind: Option<u8>, body: &[u8]) -> Result<()> {
        let mut message: Vec<u8> = kind.into_iter().collect();
        message.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        message.extend_from_slice(body);
        self.stream.get_mut().write_all(&message).map_err(broken)
    }

    fn receive(&mut self) -> Result<(u8, Vec<u8>)> {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head).map_err(broken)?;
        let length = (number(&head[1..]) as usize).saturating_sub(4);
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).map_err(broken)?;
        Ok((head[0], body))
    }
}

fn row(body: &[u8]) -> Row {
    let mut rest = body.get(2..).unwrap_or_default();
    let mut row = Row::new();
    while let Some((length, after)) = rest.split_at_checked(4) {
        let length = number(length);
        // The highest number stands for NULL.
        if length == u32::MAX {
            row.push(None);
            rest = after;
            continue;
        }
        let Some((text, after)) = after.split_at_checked(length as usize) else { break };
        row.push(Some(String::from_utf8_lossy(text).into_owned()));
        rest = after;
    }
    row
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |sum, &byte| sum << 8 | u32::from(byte))
}

/// The part of an error that is for people.
fn said(body: &[u8]) -> Error {
    let parts = body.split(|&byte| byte == 0);
    let message = parts.filter_map(|part| part.strip_prefix(b"M")).next().unwrap_or_default();
    Error::Catalogue(format!("the database says: {}", String::from_utf8_lossy(message)))
}

fn broken(error: io::Error) -> Error {
    Error::Catalogue(format!("the database does not answer: {error}"))
}

/// Texts as an array of the database's.
pub fn array<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    format!("{{{}}}", texts.into_iter().map(quoted).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_who_and_where() {
        let login = Login::read("postgres://fleet:secret@db.example:5433/wherein").unwrap();
        assert_eq!((login.user.as_str(), login.password.as_str()), ("fleet", "secret"));
        assert_eq!((login.host.as_str(), login.port), ("db.example", 5433));
        assert_eq!(Login::read("postgres://db/wherein").unwrap().port, 5432);
        for bad in ["", "mysql://db/x", "postgres://db", "postgres://db:port/x", "postgres:///x"] {
            assert!(Login::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn rows_and_arrays_are_texts() {
        assert_eq!(row(b"\0\x02\0\0\0\x01a\xff\xff\xff\xff"), [Some("a".to_owned()), None]);
        assert_eq!(row(b"\0\x01\0\0\0\x09a"), Row::new(), "shorter than it says");
        assert_eq!(array(["a", "b\"c\\"]), r#"{"a","b\"c\\"}"#);
    }
}

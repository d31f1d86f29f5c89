//! PostgreSQL's protocol as far as the catalogue needs it: texts in, rows of texts out.
//!
//! Written by hand for the reason given in `milvus/http2.rs`. It knows trust, passwords by SCRAM and
//! plain ones; MD5, which is going out of use, and Kerberos are not spoken.

use std::io::{self, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::login::{Login, Mode};
use super::scram::{self, Scram};
use crate::error::{Error, Result};
use crate::reach::reached;
use crate::tls::{Check, Stream, Tls, Trouble};

/// A row of texts; `None` is NULL.
pub type Row = Vec<Option<String>>;

/// A connection to the database.
pub struct Wire {
    stream: BufReader<Stream>,
}

/// How long the database may take until it lets somebody in.
const GREETING: Duration = Duration::from_secs(30);

/// How long the database may take for one step; settling holds rows while the engine is written.
const PATIENCE: Duration = Duration::from_secs(300);

impl Wire {
    /// Connects and logs in, by TLS where the address says so.
    pub fn connect(login: &Login, tls: Option<&Tls>) -> Result<Wire> {
        let tcp = reached(&login.host, login.port, Instant::now() + GREETING).map_err(broken)?;
        tcp.set_nodelay(true).map_err(broken)?;
        tcp.set_read_timeout(Some(GREETING)).map_err(broken)?;
        tcp.set_write_timeout(Some(PATIENCE)).map_err(broken)?;
        let stream = match tls {
            Some(tls) => protected(tcp, login, tls)?,
            None => Stream::Plain(tcp),
        };
        let mut wire = Wire { stream: BufReader::new(stream) };
        let mut hello = 196_608u32.to_be_bytes().to_vec();
        for text in ["user", &login.user, "database", &login.database] {
            hello.extend_from_slice(text.as_bytes());
            hello.push(0);
        }
        hello.push(0);
        wire.send(None, &hello)?;
        wire.greeted(login)?;
        wire.stream.get_ref().tcp().set_read_timeout(Some(PATIENCE)).map_err(broken)?;
        Ok(wire)
    }

    /// How it is protected, for people.
    pub fn protection(&self) -> String {
        self.stream.get_ref().protection()
    }

    fn greeted(&mut self, login: &Login) -> Result<()> {
        loop {
            let (kind, body) = self.receive()?;
            match (kind, number(&body)) {
                (b'R', LET_IN) => {}
                (b'R', PLAIN) => {
                    self.send(Some(b'p'), &[login.password.as_bytes(), &[0]].concat())?;
                }
                (b'R', SASL) if texts(&body).any(|name| name == scram::NAME) => {
                    self.prove(&login.password)?;
                }
                (b'R', _) => {
                    let why = "it wants a kind of login that is not spoken here; give the user a \
                               password while password_encryption is scram-sha-256";
                    return Err(Error::Catalogue(why.to_owned()));
                }
                (b'E', _) => return Err(said(&body)),
                (b'Z', _) => return Ok(()),
                _ => {}
            }
        }
    }

    /// Logs in by SCRAM; what comes after it is told by the database as with any login.
    fn prove(&mut self, password: &str) -> Result<()> {
        let broken = |why: &str| Error::Catalogue(format!("the database lets nobody in: {why}"));
        if password.is_empty() {
            return Err(broken("it wants a password, and its address has none"));
        }
        let mut scram = Scram::new(password).map_err(broken)?;
        let first = scram.first();
        let length = (first.len() as u32).to_be_bytes();
        let message = [scram::NAME.as_bytes(), &[0], &length, first.as_bytes()].concat();
        self.send(Some(b'p'), &message)?;
        let proof = scram.proof(&self.continued(GOES_ON)?).map_err(broken)?;
        self.send(Some(b'p'), proof.as_bytes())?;
        match scram.is_answered(&self.continued(ENDS)?) {
            true => Ok(()),
            false => Err(broken("it does not know the password itself, so it is another")),
        }
    }

    /// What the database says next in a login.
    fn continued(&mut self, step: u32) -> Result<String> {
        match self.receive()? {
            (b'R', body) if number(&body) == step => {
                Ok(String::from_utf8_lossy(body.get(4..).unwrap_or_default()).into_owned())
            }
            (b'E', body) => Err(said(&body)),
            _ => Err(Error::Catalogue("the database breaks a login off".to_owned())),
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

/// Steps of a login.
const LET_IN: u32 = 0;
const PLAIN: u32 = 3;
const SASL: u32 = 10;
const GOES_ON: u32 = 11;
const ENDS: u32 = 12;

/// How TLS is to be spoken with a database, if it is.
pub fn way(login: &Login) -> Result<Option<Tls>> {
    let check = match login.mode {
        Mode::Disable => return Ok(None),
        Mode::Prefer => Check::Nothing,
        Mode::Only(check) => check,
    };
    Tls::of(&login.papers, check, None).map(Some).map_err(|trouble| untrusted(&trouble))
}

/// Asks for TLS and begins it. Nothing but the answer's one letter is read before.
fn protected(mut tcp: TcpStream, login: &Login, tls: &Tls) -> Result<Stream> {
    const ASKED: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];
    tcp.write_all(&ASKED).map_err(broken)?;
    let mut answer = [0];
    tcp.read_exact(&mut answer).map_err(broken)?;
    match (answer[0], login.mode) {
        (b'S', _) => tls.over(tcp, &login.host).map_err(broken),
        (_, Mode::Prefer) => Ok(Stream::Plain(tcp)),
        _ => {
            let why = "it speaks no TLS; set ssl = on there, or write sslmode=disable if the \
                       network between is yours";
            Err(untrusted(&Trouble(why.to_owned())))
        }
    }
}

fn untrusted(trouble: &Trouble) -> Error {
    Error::Untrusted { who: "the database".to_owned(), why: trouble.to_string() }
}

/// The texts of a message after its number, each with a zero behind it.
fn texts(body: &[u8]) -> impl Iterator<Item = &str> {
    let rest = body.get(4..).unwrap_or_default();
    rest.split(|&byte| byte == 0).filter_map(|text| std::str::from_utf8(text).ok())
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

/// What a failed connection means: something that passes, or that has to be put right.
fn broken(error: io::Error) -> Error {
    match Trouble::of(&error) {
        Some(trouble) => untrusted(trouble),
        None => Error::Catalogue(format!("the database does not answer: {error}")),
    }
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
    fn rows_and_arrays_are_texts() {
        assert_eq!(row(b"\0\x02\0\0\0\x01a\xff\xff\xff\xff"), [Some("a".to_owned()), None]);
        assert_eq!(row(b"\0\x01\0\0\0\x09a"), Row::new(), "shorter than it says");
        assert_eq!(array(["a", "b\"c\\"]), r#"{"a","b\"c\\"}"#);
    }
}

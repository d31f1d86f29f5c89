//! A connection that is encrypted or not, read and written alike.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;

use rustls::{ClientConnection, ProtocolVersion, StreamOwned};

use super::{Check, trouble};

/// A connection.
pub enum Stream {
    /// As it is.
    Plain(TcpStream),
    /// Within TLS.
    Secure(Box<Secure>),
}

/// An encrypted connection, and what was seen to when it was made.
pub struct Secure {
    stream: StreamOwned<ClientConnection, TcpStream>,
    check: Check,
    host: String,
    /// Whether the other end has said anything within TLS.
    is_heard: bool,
}

impl Secure {
    /// What a failure means. What the other end has against our certificate it says only after TLS
    /// seems to stand, and it may have closed the connection before we listen.
    fn told(&mut self, error: io::Error) -> io::Error {
        let StreamOwned { conn, sock } = &mut self.stream;
        let is_closed = matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset);
        let mut error = error;
        while is_closed && matches!(conn.read_tls(sock), Ok(1..)) {
            if let Err(said) = conn.process_new_packets() {
                error = io::Error::new(ErrorKind::InvalidData, said);
                break;
            }
        }
        trouble::while_speaking(error, &self.host, self.is_heard)
    }
}

impl Stream {
    /// A connection that has greeted.
    pub fn secure(tls: ClientConnection, tcp: TcpStream, check: Check, host: &str) -> Stream {
        let stream = StreamOwned::new(tls, tcp);
        Stream::Secure(Box::new(Secure { stream, check, host: host.to_owned(), is_heard: false }))
    }

    /// What it goes over, to set its times.
    pub fn tcp(&self) -> &TcpStream {
        match self {
            Stream::Plain(tcp) => tcp,
            Stream::Secure(secure) => &secure.stream.sock,
        }
    }

    /// What was agreed to be spoken within TLS; nothing if it is not encrypted.
    pub fn agreed(&self) -> Option<&[u8]> {
        match self {
            Stream::Plain(_) => None,
            Stream::Secure(secure) => Some(secure.stream.conn.alpn_protocol().unwrap_or_default()),
        }
    }

    /// How it is protected, for people.
    pub fn protection(&self) -> String {
        let Stream::Secure(secure) = self else { return "not encrypted".to_owned() };
        let version = match secure.stream.conn.protocol_version() {
            Some(ProtocolVersion::TLSv1_3) => "1.3",
            _ => "1.2",
        };
        let checked = match secure.check {
            Check::Nothing => "nobody looked at its certificate",
            Check::Authority => {
                "its certificate's authority is trusted, its name was not looked at"
            }
            Check::Name => "its certificate is trusted",
        };
        format!("encrypted by TLS {version}, {checked}")
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(tcp) => tcp.read(into),
            Stream::Secure(it) => {
                let read = it.stream.read(into).map_err(|error| it.told(error))?;
                it.is_heard |= read > 0;
                Ok(read)
            }
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(tcp) => tcp.write(bytes),
            Stream::Secure(it) => it.stream.write(bytes).map_err(|error| it.told(error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Plain(tcp) => tcp.flush(),
            Stream::Secure(it) => it.stream.flush().map_err(|error| it.told(error)),
        }
    }
}

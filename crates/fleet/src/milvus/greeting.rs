//! A look at whom the client is about to speak to.
//!
//! In: an address, and how to encrypt. Out: how the way there is protected, or what is wrong with it in
//! words that say what to do. The client itself says of whatever is wrong, a certificate too, that
//! nobody came in time, and takes that time to say it. So a connection is opened first, greeted as
//! HTTP/2 wants it, and closed.

use std::io::{self, ErrorKind, Read, Write};
use std::time::Instant;

use crate::address::Address;
use crate::reach::{late, left, reached};
use crate::tls::{Stream, Tls, Trouble};

/// What a client says first: the preface, and settings that are all left as they are.
const HELLO: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// What stands before a frame, and the byte in it that says of which kind it is.
const HEAD: usize = 9;
const KIND: usize = 3;
const SETTINGS: u8 = 4;

/// Greets the engine before a deadline; says how the connection was protected.
pub fn greet(address: &Address, tls: Option<&Tls>, deadline: Instant) -> io::Result<String> {
    let tcp = reached(&address.host, address.port, deadline)?;
    tcp.set_nodelay(true)?;
    tcp.set_write_timeout(Some(left(deadline)?))?;
    tcp.set_read_timeout(Some(left(deadline)?))?;
    let mut stream = match tls {
        Some(tls) => tls.over(tcp, &address.host)?,
        None => Stream::Plain(tcp),
    };
    if stream.agreed().is_some_and(|protocol| protocol != b"h2") {
        return Err(Trouble(NO_HTTP2.to_owned()).told());
    }
    stream.write_all(HELLO)?;
    match heard(&mut stream, deadline)?[KIND] {
        SETTINGS => Ok(stream.protection()),
        _ => Err(io::Error::other("what answers there is no engine of this kind")),
    }
}

const NO_HTTP2: &str = "within TLS it does not offer HTTP/2 (\"h2\", by ALPN); let it, or what stands \
                        before it";

fn heard(stream: &mut Stream, deadline: Instant) -> io::Result<[u8; HEAD]> {
    let mut head = [0; HEAD];
    let mut rest = &mut head[..];
    while !rest.is_empty() {
        stream.tcp().set_read_timeout(Some(left(deadline)?))?;
        match stream.read(rest) {
            Ok(0) => {
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "it closed the connection"));
            }
            Ok(read) => rest = &mut rest[read..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(late()),
            Err(error) => return Err(error),
        }
    }
    Ok(head)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Duration;

    use super::*;

    /// Greets somebody who answers with some bytes and, unless there are none, hangs up.
    #[track_caller]
    fn check(answer: &'static [u8], expected: &str) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut hello = [0; HELLO.len()];
            stream.read_exact(&mut hello).unwrap();
            stream.write_all(answer).unwrap();
            (hello, answer.is_empty().then_some(stream))
        });
        let address = Address {
            host: "127.0.0.1".to_owned(),
            port,
            collection: "it".to_owned(),
            secure: false,
        };
        let told = greet(&address, None, Instant::now() + Duration::from_secs(1));
        assert_eq!(told.unwrap_or_else(|error| error.to_string()), expected);
        assert_eq!(server.join().unwrap().0, HELLO);
    }

    #[test]
    fn who_answers_is_looked_at() {
        check(b"\0\0\0\x04\0\0\0\0\0", "not encrypted");
        check(b"HTTP/1.1 400 Bad Request\r\n", "what answers there is no engine of this kind");
        check(b"\0", "it closed the connection");
        check(b"", "no answer in time");
    }
}

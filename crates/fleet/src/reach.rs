//! Connections that are made in time or not at all.
//!
//! In: a host, a port and a deadline. Out: the first of its addresses that answers. The system alone would
//! wait for two minutes and more for one that does not.

use std::io::{self, ErrorKind};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Connects to the first of a host's addresses that answers.
pub fn reached(host: &str, port: u16, deadline: Instant) -> io::Result<TcpStream> {
    let mut last = io::Error::other("the name of the host leads nowhere");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, left(deadline)?) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The time until a deadline; an error once there is none.
pub fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(late()) } else { Ok(left) }
}

/// What is said when it has passed.
pub fn late() -> io::Error {
    io::Error::new(ErrorKind::TimedOut, "no answer in time")
}

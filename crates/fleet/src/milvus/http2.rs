//! HTTP/2 as far as one call after the other needs it: frames, flow control, no compression.
//!
//! In: headers and a body. Out: the body of the answer. Headers that come back are not read: the
//! engine says in its messages how a call went. Written by hand because an HTTP/2 library changes
//! the features of crates that the whole program shares, and all of it would compile twice.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use crate::tls::{Stream, Tls};

/// A connection on which calls follow each other.
pub struct Connection {
    stream: Stream,
    next: u32,
    /// What may still be sent on the connection, and on a stream that is opened now.
    window: i64,
    stream_window: i64,
    frame_size: usize,
}

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GO_AWAY: u8 = 7;
const WINDOW: u8 = 8;

const END_STREAM: u8 = 1;
const ACKNOWLEDGED: u8 = 1;
const END_HEADERS: u8 = 4;
const PADDED: u8 = 8;

/// What may be sent before the other side says more.
const FIRST_WINDOW: i64 = 65_535;
const MOST_WINDOW: u32 = (1 << 31) - 1;
const FRAME: usize = 16_384;

/// More than any answer is; a length that is not one ends the call.
const MOST_ANSWER: usize = 1 << 30;

struct Frame {
    kind: u8,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

impl Connection {
    /// Connects before a deadline, by TLS if there is a way to speak it.
    pub fn open(
        host: &str,
        port: u16,
        tls: Option<&Tls>,
        deadline: Instant,
    ) -> io::Result<Connection> {
        let tcp = reached(host, port, deadline)?;
        tcp.set_nodelay(true)?;
        tcp.set_write_timeout(Some(left(deadline)?))?;
        tcp.set_read_timeout(Some(left(deadline)?))?;
        Connection::over(match tls {
            Some(tls) => tls.over(tcp, host)?,
            None => Stream::Plain(tcp),
        })
    }

    /// How it is protected, for people.
    pub fn protection(&self) -> String {
        self.stream.protection()
    }

    fn over(stream: Stream) -> io::Result<Connection> {
        let mut connection = Connection {
            stream,
            next: 1,
            window: FIRST_WINDOW,
            stream_window: FIRST_WINDOW,
            frame_size: FRAME,
        };
        // No table of headers, no pushing, and all the room there can be for an answer.
        let settings: Vec<u8> = [(1u16, 0u32), (2, 0), (4, MOST_WINDOW)]
            .into_iter()
            .flat_map(|(key, value)| [&key.to_be_bytes()[..], &value.to_be_bytes()].concat())
            .collect();
        connection.stream.write_all(PREFACE)?;
        connection.send(SETTINGS, 0, 0, &settings)?;
        let more = MOST_WINDOW - FIRST_WINDOW as u32;
        connection.send(WINDOW, 0, 0, &more.to_be_bytes())?;
        Ok(connection)
    }

    /// Sends a request and waits for its answer.
    pub fn post(
        &mut self,
        headers: &[(&str, &str)],
        body: &[u8],
        deadline: Instant,
    ) -> io::Result<Vec<u8>> {
        let stream = self.next;
        self.next += 2;
        self.stream.tcp().set_write_timeout(Some(left(deadline)?))?;
        self.send(HEADERS, END_HEADERS, stream, &packed(headers))?;
        let mut call =
            Call { stream, window: self.stream_window, answer: Vec::new(), ended: false };
        let mut rest = body;
        while !rest.is_empty() && !call.ended {
            let room = self.window.min(call.window).max(0) as usize;
            let (now, later) = rest.split_at(rest.len().min(room).min(self.frame_size));
            if now.is_empty() {
                self.take(&mut call, deadline)?;
                continue;
            }
            let flags = if later.is_empty() { END_STREAM } else { 0 };
            self.send(DATA, flags, stream, now)?;
            self.window -= now.len() as i64;
            call.window -= now.len() as i64;
            rest = later;
        }
        while !call.ended {
            self.take(&mut call, deadline)?;
        }
        Ok(call.answer)
    }

    /// Reads one frame and does what it says.
    fn take(&mut self, call: &mut Call, deadline: Instant) -> io::Result<()> {
        let frame = self.receive(deadline)?;
        let is_mine = frame.stream == call.stream;
        match frame.kind {
            DATA => {
                let length = frame.payload.len() as u32;
                if length > 0 {
                    self.send(WINDOW, 0, 0, &length.to_be_bytes())?;
                }
                if is_mine {
                    call.answer.extend_from_slice(unpadded(&frame));
                    call.ended |= frame.flags & END_STREAM != 0;
                }
                if call.answer.len() > MOST_ANSWER {
                    return Err(io::Error::other("an answer without an end"));
                }
            }
            HEADERS if is_mine => call.ended |= frame.flags & END_STREAM != 0,
            RESET if is_mine => return Err(io::Error::other("it broke the call off")),
            SETTINGS if frame.flags & ACKNOWLEDGED == 0 => {
                self.settle(&frame.payload, call);
                self.send(SETTINGS, ACKNOWLEDGED, 0, &[])?;
            }
            PING if frame.flags & ACKNOWLEDGED == 0 => {
                self.send(PING, ACKNOWLEDGED, 0, &frame.payload)?;
            }
            WINDOW => {
                let more = i64::from(number(&frame.payload) & MOST_WINDOW);
                match frame.stream {
                    0 => self.window += more,
                    _ if is_mine => call.window += more,
                    _ => {}
                }
            }
            GO_AWAY => return Err(io::Error::other("it closes the connection")),
            _ => {}
        }
        Ok(())
    }

    fn settle(&mut self, settings: &[u8], call: &mut Call) {
        for setting in settings.chunks_exact(6) {
            let value = number(&setting[2..]);
            match setting[1] {
                4 => {
                    call.window += i64::from(value) - self.stream_window;
                    self.stream_window = i64::from(value);
                }
                5 => self.frame_size = (value as usize).clamp(FRAME, 1 << 20),
                _ => {}
            }
        }
    }

    fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> io::Result<()> {
        let length = (payload.len() as u32).to_be_bytes();
        let mut frame = Vec::with_capacity(9 + payload.len());
        frame.extend_from_slice(&length[1..]);
        frame.extend_from_slice(&[kind, flags]);
        frame.extend_from_slice(&stream.to_be_bytes());
        frame.extend_from_slice(payload);
        self.stream.write_all(&frame)
    }

    fn receive(&mut self, deadline: Instant) -> io::Result<Frame> {
        let mut head = [0; 9];
        self.read(&mut head, deadline)?;
        let length = number(&[0, head[0], head[1], head[2]]) as usize;
        let mut payload = vec![0; length];
        self.read(&mut payload, deadline)?;
        let stream = number(&head[5..]) & MOST_WINDOW;
        Ok(Frame { kind: head[3], flags: head[4], stream, payload })
    }

    fn read(&mut self, mut into: &mut [u8], deadline: Instant) -> io::Result<()> {
        while !into.is_empty() {
            self.stream.tcp().set_read_timeout(Some(left(deadline)?))?;
            match self.stream.read(into) {
                Ok(0) => {
                    let kind = io::ErrorKind::UnexpectedEof;
                    return Err(io::Error::new(kind, "it closed the connection"));
                }
                Ok(read) => into = &mut into[read..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(late()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Connects to the first of a host's addresses that answers.
fn reached(host: &str, port: u16, deadline: Instant) -> io::Result<TcpStream> {
    let mut last = io::Error::other("the name of the host leads nowhere");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, left(deadline)?) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

struct Call {
    stream: u32,
    window: i64,
    answer: Vec<u8>,
    ended: bool,
}

fn unpadded(frame: &Frame) -> &[u8] {
    let data = &frame.payload[..];
    if frame.flags & PADDED == 0 {
        return data;
    }
    let padding = data.first().map_or(0, |&it| usize::from(it));
    data.get(1..data.len().saturating_sub(padding)).unwrap_or_default()
}

/// Headers of a POST without compression: names of the static table by their number.
fn packed(headers: &[(&str, &str)]) -> Vec<u8> {
    const POST: u8 = 0x83;
    const HTTP: u8 = 0x86;
    let mut block = vec![POST, HTTP];
    for (name, value) in headers {
        match *name {
            ":authority" => block.push(0x01),
            ":path" => block.push(0x04),
            "content-type" => block.extend([0x0f, 31 - 15]),
            "authorization" => block.extend([0x0f, 23 - 15]),
            name => {
                block.push(0x00);
                text(name, &mut block);
            }
        }
        text(value, &mut block);
    }
    block
}

/// A text with its length before it, in seven bits and more.
fn text(text: &str, block: &mut Vec<u8>) {
    const MOST: usize = 127;
    match text.len() {
        short if short < MOST => block.push(short as u8),
        long => {
            block.push(MOST as u8);
            let mut rest = long - MOST;
            while rest >= 128 {
                block.push((rest % 128) as u8 | 0x80);
                rest /= 128;
            }
            block.push(rest as u8);
        }
    }
    block.extend_from_slice(text.as_bytes());
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |sum, &byte| sum << 8 | u32::from(byte))
}

fn late() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "no answer in time")
}

/// The time until a deadline; an error once there is none.
fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(late()) } else { Ok(left) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_packed_as_the_standard_says() {
        let block = packed(&[(":path", "/a"), ("te", "trailers")]);
        assert_eq!(block, b"\x83\x86\x04\x02/a\x00\x02te\x08trailers");
        let mut long = Vec::new();
        text(&"x".repeat(300), &mut long);
        assert_eq!(long[..3], [127, 0x80 | 45, 1], "300 is 127 and 173");
    }

    #[test]
    fn padding_is_no_data() {
        let frame = |flags, payload: &[u8]| Frame {
            kind: DATA,
            flags,
            stream: 1,
            payload: payload.to_vec(),
        };
        assert_eq!(unpadded(&frame(0, b"ab")), b"ab");
        assert_eq!(unpadded(&frame(PADDED, b"\x02ab\0\0")), b"ab");
        assert_eq!(unpadded(&frame(PADDED, b"\x09ab")), b"", "more padding than there is");
    }
}

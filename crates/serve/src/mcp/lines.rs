//! Messages of the protocol as lines: one a line in, one a line out.
//!
//! In place of the library's own reader, which is silent about a line that is no message and about one that
//! the input ends in, and leaves out whose request it refuses. Every line but a notification gets an
//! answer here.

use std::io::{Error, Result};

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, ErrorCode, ErrorData, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::params;

type Incoming = RxJsonRpcMessage<RoleServer>;

/// Bytes of a line; what is longer is passed over.
const MOST_BYTES: usize = 16 << 20;

/// A client at the other end of an input and an output.
pub struct Lines<R> {
    input: BufReader<R>,
    /// What came of a line so far: whoever waits for the next message may give up and ask again.
    line: Vec<u8>,
    output: UnboundedSender<Outgoing>,
    /// An answer of our own that is on its way.
    answering: Option<oneshot::Receiver<Result<()>>>,
}

/// A line to be written, and who wants to know that it was.
struct Outgoing {
    line: Vec<u8>,
    done: oneshot::Sender<Result<()>>,
}

impl<R: AsyncRead + Unpin + Send> Lines<R> {
    /// Starts the task that writes: whole lines, whoever gives up waiting for them.
    pub fn new(input: R, output: impl AsyncWrite + Unpin + Send + 'static) -> Lines<R> {
        let (sender, lines) = unbounded_channel();
        tokio::spawn(write(output, lines));
        Lines { input: BufReader::new(input), line: Vec::new(), output: sender, answering: None }
    }

    fn post(&self, message: &impl serde::Serialize) -> oneshot::Receiver<Result<()>> {
        let (done, is_done) = oneshot::channel();
        let line = serde_json::to_vec(message).map(|line| [&line[..], b"\n"].concat());
        match line {
            Ok(line) => drop(self.output.send(Outgoing { line, done })),
            Err(error) => drop(done.send(Err(error.into()))),
        }
        is_done
    }

    /// The next line, the last one also if nothing ends it; none at the end.
    async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let read = self.input.fill_buf().await.ok()?;
            if read.is_empty() {
                return Some(std::mem::take(&mut self.line)).filter(|line| !line.is_empty());
            }
            let end = read.iter().position(|&byte| byte == b'\n');
            let taken = end.map_or(read.len(), |end| end + 1);
            if self.line.len() <= MOST_BYTES {
                self.line.extend_from_slice(&read[..taken]);
            }
            self.input.consume(taken);
            if end.is_some() {
                return Some(std::mem::take(&mut self.line));
            }
        }
    }
}

impl<R: AsyncRead + Unpin + Send> Transport<RoleServer> for Lines<R> {
    type Error = Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<()>> + Send + 'static {
        let is_done = self.post(&message);
        async move { is_done.await.unwrap_or_else(|_| Err(Error::other("the output is closed"))) }
    }

    async fn receive(&mut self) -> Option<Incoming> {
        loop {
            if let Some(is_done) = &mut self.answering {
                let _ = is_done.await;
                self.answering = None;
            }
            match message(&self.next().await?) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(refusal) => self.answering = Some(self.post(&refusal)),
            }
        }
    }

    async fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

async fn write(mut output: impl AsyncWrite + Unpin, mut lines: UnboundedReceiver<Outgoing>) {
    while let Some(Outgoing { line, done }) = lines.recv().await {
        let written = match output.write_all(&line).await {
            Ok(()) => output.flush().await,
            failed => failed,
        };
        let _ = done.send(written);
    }
}

/// The message in a line, none if it needs no answer, or the answer to what is no message.
fn message(line: &[u8]) -> std::result::Result<Option<Incoming>, Value> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() > MOST_BYTES {
        let what = format!("a line is longer than {MOST_BYTES} bytes");
        return Err(refusal(&Value::Null, ErrorData::invalid_request(what, None)));
    }
    match serde_json::from_slice::<Incoming>(line) {
        Ok(JsonRpcMessage::Request(request)) => {
            let refused = match &request.request {
                ClientRequest::CustomRequest(unknown) => params::refusal(unknown),
                _ => None,
            };
            match refused {
                Some(error) => Err(refusal(&request.id.clone().into_json_value(), error)),
                None => Ok(Some(JsonRpcMessage::Request(request))),
            }
        }
        Ok(message) => Ok(Some(message)),
        Err(_) => unreadable(line).map_or(Ok(None), Err),
    }
}

/// The answer to a line that is no message; a notification gets none.
fn unreadable(line: &[u8]) -> Option<Value> {
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => {
            let what = format!("the line is no JSON: {error}");
            return Some(refusal(&Value::Null, ErrorData::parse_error(what, None)));
        }
    };
    let id = &value["id"];
    let is_id = id.is_string() || id.is_i64();
    let has = |key: &str| value.get(key).is_some();
    let what = match &value {
        Value::Array(_) => "batches are not taken; send one message a line",
        Value::Object(_) if value["method"].is_string() && !has("id") => return None,
        Value::Object(_) if value["jsonrpc"] != "2.0" => "jsonrpc must be \"2.0\"",
        Value::Object(_) if has("id") && !is_id => "id must be a text or a whole number",
        Value::Object(_) if has("method") => "method must be a text",
        Value::Object(_) => "it is neither a request nor an answer",
        _ => "a message is an object",
    };
    let id = if is_id { id } else { &Value::Null };
    Some(refusal(id, ErrorData::new(ErrorCode::INVALID_REQUEST, what, None)))
}

fn refusal(id: &Value, error: ErrorData) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code and the id of the answer that a line gets before anybody else sees it.
    #[track_caller]
    fn check(line: &str, expected: Option<(i32, Value)>) {
        let answer = message(line.as_bytes()).err();
        let said =
            answer.map(|it| (it["error"]["code"].as_i64().unwrap() as i32, it["id"].clone()));
        assert_eq!(said, expected, "{line}");
    }

    #[test]
    fn what_is_no_message_is_refused_by_its_id_if_it_has_one() {
        check("garbage", Some((-32700, json!(null))));
        check("{\"jsonrpc\":\"2.0\",\"id\":1", Some((-32700, json!(null))));
        check("[]", Some((-32600, json!(null))));
        check("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", Some((-32600, json!(null))));
        check("3", Some((-32600, json!(null))));
        check("{\"id\":7,\"method\":\"ping\"}", Some((-32600, json!(7))));
        check("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":3}", Some((-32600, json!("a"))));
        check("{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}", Some((-32600, json!(null))));
        check("{\"jsonrpc\":\"2.0\",\"id\":8}", Some((-32600, json!(8))));
        let call = "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\"}";
        check(call, Some((-32602, json!(9))));
    }

    #[test]
    fn messages_and_what_needs_no_answer_pass() {
        check("", None);
        check("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r", None);
        check("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\"}", None);
        check("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":3}", None);
        check("{\"jsonrpc\":\"2.0\",\"method\":\"$/anything\"}", None);
    }
}

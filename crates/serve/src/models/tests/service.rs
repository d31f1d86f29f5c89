//! An embeddings service on this machine that does as it is told, and remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use serde_json::{Value, json};
use wherein_encoder::{Model, Side};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The request line and the headers.
    pub head: String,
    pub body: Value,
}

impl Asked {
    pub fn texts(&self) -> Vec<&str> {
        self.body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
    }
}

/// What to do with a request.
pub enum Reply {
    /// Answer with a status, headers (each with its line end) and a body.
    Say(u16, &'static str, String),
    /// Never answer.
    Hang,
    /// Promise more than is sent, and close the connection.
    BreakOff(String),
}

/// The service; it runs until the test program ends.
pub struct Service {
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Service {
    /// A service that replies by the request's number, from 0, and the request.
    pub fn start(reply: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let service = Service { url, asked: asked.clone() };
        let reply = Arc::new(reply);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (asked, reply) = (asked.clone(), reply.clone());
                thread::spawn(move || converse(stream.unwrap(), &asked, &*reply));
            }
        });
        service
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

/// The answer of a service that is well, from the built-in model.
pub fn well(asked: &Asked) -> Reply {
    let vectors = built_in(&asked.texts());
    let entry = |(index, vector): (usize, &Vec<f32>)| json!({"index": index, "embedding": vector});
    let data: Vec<Value> = vectors.iter().enumerate().map(entry).collect();
    say(&json!({"object": "list", "data": data, "model": "small"}))
}

pub fn say(json: &Value) -> Reply {
    Reply::Say(200, "Content-Type: application/json\r\n", json.to_string())
}

pub fn built_in(texts: &[&str]) -> Vec<Vec<f32>> {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(Model::large).encode(texts, Side::Passage).unwrap()
}

/// One connection: requests, one after another, until either side has had enough.
fn converse(
    mut stream: TcpStream,
    asked: &Mutex<Vec<Asked>>,
    reply: &dyn Fn(usize, &Asked) -> Reply,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(request) = request(&mut reader) {
        let number = {
            let mut asked = asked.lock().unwrap();
            asked.push(request.clone());
            asked.len() - 1
        };
        match reply(number, &request) {
            Reply::Say(status, headers, body) => {
                write!(stream, "HTTP/1.1 {status} X\r\n{}{headers}\r\n{body}", length(body.len()))
                    .unwrap();
            }
            // The client hangs up first.
            Reply::Hang => drop(reader.read(&mut [0])),
            Reply::BreakOff(body) => {
                let more = length(body.len() + 100);
                return write!(stream, "HTTP/1.1 200 OK\r\n{more}\r\n{body}").unwrap();
            }
        }
    }
}

fn length(bytes: usize) -> String {
    format!("Content-Length: {bytes}\r\n")
}

fn request(reader: &mut impl BufRead) -> Option<Asked> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let lower = head.to_lowercase();
    let length = lower.split("content-length:").nth(1)?.lines().next()?.trim().parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { head, body: serde_json::from_slice(&body).unwrap() })
}

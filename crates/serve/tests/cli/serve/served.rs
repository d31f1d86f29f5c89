//! The program serving a project, and requests to it byte by byte: no client library decides what
//! may be sent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::project::{Project, WHEREIN};

/// A running server; it ends when dropped.
pub struct Served {
    child: Child,
    pub address: String,
    /// What it serves, if nobody else keeps it.
    _project: Option<Project>,
}

/// An answer as it came.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Served {
    /// Serves the sample, with more arguments and variables.
    pub fn sample(arguments: &[&str], variables: &[(&str, &str)]) -> Served {
        let project = Project::sample();
        let mut served = Served::with(&project, arguments, variables);
        served._project = Some(project);
        served
    }

    pub fn start(project: &Project) -> Served {
        Served::with(project, &[], &[])
    }

    /// With more arguments and variables.
    pub fn with(project: &Project, arguments: &[&str], variables: &[(&str, &str)]) -> Served {
        let mut child = std::process::Command::new(WHEREIN)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .current_dir(project.root())
            .env_remove("WHEREIN_TOKEN")
            .envs(variables.iter().copied())
            .env("XDG_CACHE_HOME", project.home().join("cache"))
            .env("XDG_CONFIG_HOME", project.home().join("config"))
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut said).unwrap();
        let address = said.split("http://").nth(1).unwrap().trim_end_matches(['/', '\n']);
        Served { address: address.to_owned(), child, _project: None }
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask(path, &[])
    }

    /// With more headers, each `Name: value`.
    pub fn ask(&self, path: &str, headers: &[&str]) -> Reply {
        let host = format!("Host: {}", self.address);
        self.raw("GET", path, &[&[host.as_str()], headers].concat(), "")
    }

    pub fn post(&self, path: &str, body: &str) -> Reply {
        let host = format!("Host: {}", self.address);
        self.raw("POST", path, &[&host, "Content-Type: application/json"], body)
    }

    /// Exactly these headers, and the body's length.
    pub fn raw(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Reply {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let length = format!("Content-Length: {}\r\n", body.len());
        let rest = format!("{length}Connection: close\r\n\r\n{body}");
        // A server that refuses early may close before it has read everything.
        let _ = write!(stream, "{method} {path} HTTP/1.1\r\n{headers}{rest}");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Reply::of(&String::from_utf8_lossy(&answer))
    }

    /// A connection with a request under way.
    pub fn open(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).unwrap();
        stream
    }

    /// Waits until every chunk has a vector, and tells the state then.
    #[track_caller]
    pub fn encoded(&self) -> Value {
        let start = Instant::now();
        loop {
            let status = self.get("/api/status").json();
            if status["activity"]["encoding"]["state"] == "done" {
                return status;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "{status}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    #[track_caller]
    fn of(answer: &str) -> Reply {
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body = match head.to_lowercase().contains("transfer-encoding: chunked") {
            true => dechunked(body),
            false => body.to_owned(),
        };
        Reply { status, head: head.to_lowercase(), body }
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The answer if all went well.
    #[track_caller]
    pub fn well(self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// Fails unless it is a problem with this status and code that says what to do.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert!(self.head.contains("application/problem+json"), "{self:?}");
        let problem = self.json();
        assert_eq!((&problem["code"], &problem["status"]), (&code.into(), &status.into()));
        for words in ["title", "detail", "advice"] {
            assert!(!problem[words].as_str().unwrap().is_empty(), "no {words} in {problem}");
        }
        problem
    }
}

fn dechunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || rest.len() < size {
            break;
        }
        whole.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    whole
}

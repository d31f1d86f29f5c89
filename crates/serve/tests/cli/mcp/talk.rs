//! An agent that speaks the protocol line by line: no library decides what may be sent.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::project::{Project, WHEREIN};

/// A running server and its client; the server ends when dropped.
pub struct Agent {
    pub child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Value>,
    /// Notifications that came meanwhile.
    pub told: Vec<Value>,
    next: u64,
}

impl Agent {
    /// An agent in a project, with more arguments.
    pub fn start(project: &Project, arguments: &[&str]) -> Agent {
        let mut agent = Agent::unspoken(project, arguments);
        agent.greet();
        agent
    }

    /// The same before the first word.
    pub fn unspoken(project: &Project, arguments: &[&str]) -> Agent {
        let mut child = Command::new(WHEREIN)
            .arg("mcp")
            .args(arguments)
            .current_dir(project.root())
            .env("HOME", project.home())
            .env("XDG_CACHE_HOME", project.home().join("cache"))
            .env("XDG_CONFIG_HOME", project.home().join("config"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (tell, heard) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line).expect("nothing but messages is written");
                if tell.send(message).is_err() {
                    return;
                }
            }
        });
        Agent { input: child.stdin.take(), child, heard, told: Vec::new(), next: 0 }
    }

    pub fn greet(&mut self) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let greeted = self.request("initialize", hello);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        greeted
    }

    pub fn send(&mut self, message: &Value) {
        self.write(&format!("{message}\n"));
    }

    /// Writes what may be no message.
    pub fn write(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// The next message, whatever it answers.
    #[track_caller]
    pub fn hear(&mut self) -> Value {
        self.heard.recv_timeout(Duration::from_secs(60)).expect("an answer")
    }

    /// Sends a request without waiting for its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The answer to a request.
    #[track_caller]
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.heard.recv_timeout(Duration::from_secs(60)).expect("an answer");
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].clone();
            }
            self.told.push(message);
        }
    }

    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// Calls a tool.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// The text of a call that went well, made again while a busy machine is not done with its index.
    #[track_caller]
    pub fn text(&mut self, tool: &str, arguments: Value) -> String {
        let start = Instant::now();
        let mut result = self.call(tool, arguments.clone());
        // What a call shows may hold the very words; the server's own are in the line after it.
        let is_early = |result: &Value| {
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            let said = text.rsplit_once("\n# searched").map_or(text, |(_, said)| said);
            ["being indexed for the first time", "the index is being brought up to date"]
                .iter()
                .any(|early| said.contains(early))
        };
        while is_early(&result) && start.elapsed() < Duration::from_secs(90) {
            result = self.call(tool, arguments.clone());
        }
        assert_ne!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The text of a call that did not.
    #[track_caller]
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Goes away without a word, and keeps nothing open.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// Fails unless the server ends of itself in time.
    #[track_caller]
    pub fn ends_within(&mut self, limit: Duration) {
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < limit, "it still runs after {:?}", start.elapsed());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The heads of an answer's spans and what it says: everything but the last line.
pub fn body(text: &str) -> &str {
    text.rsplit_once("\n# searched").map_or(text, |(body, _)| body)
}

/// A copy of a tree of the repository, without a model unless asked for.
pub fn copy(from: &str) -> Project {
    let project = Project::empty();
    project.configure("model = \"none\"\n");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(from);
    copy_into(&from, &project.root());
    project
}

fn copy_into(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_into(&path, &to);
        } else {
            std::fs::copy(path, to).unwrap();
        }
    }
}

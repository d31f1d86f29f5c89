//! The tools at `/mcp` of the server: behind the same guard as everything else.

use serde_json::json;

use crate::project::Project;
use crate::serve::served::{Reply, Served};
use crate::serve::several::two;

/// A call that needs no session, as of 2026-07-28, with more headers.
fn call(served: &Served, headers: &[&str]) -> Reply {
    call_for(served, "evict", headers)
}

fn call_for(served: &Served, name: &str, headers: &[&str]) -> Reply {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "symbols", "arguments": {"name": name}, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let needed = [
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        "MCP-Protocol-Version: 2026-07-28",
        "Mcp-Method: tools/call",
        "Mcp-Name: symbols",
    ];
    served.raw("POST", "/mcp", &[&needed, headers].concat(), &body.to_string())
}

#[test]
fn the_tools_answer_and_strangers_are_refused() {
    let project = Project::sample();
    project.configure("model = \"none\"\n");
    let served = Served::start(&project);
    let host = format!("Host: {}", served.address);
    let answered = call(&served, &[&host]);
    assert_eq!(answered.status, 200, "{answered:?}");
    assert!(answered.body.contains("src/cache.rs:1-4 function evict_oldest"), "{answered:?}");
    let renamed = call(&served, &["Host: evil.example"]);
    assert!(renamed.status >= 400 && !renamed.body.contains("evict_oldest"), "{renamed:?}");
    let from_a_page = call(&served, &[&host, "Origin: https://evil.example"]);
    assert!(from_a_page.status >= 400 && !from_a_page.body.contains("evict_oldest"));
}

#[test]
fn several_folders_are_asked_at_once_and_labelled() {
    let project = two();
    let served = Served::with(&project, &["--multi", "."], &[]);
    let host = format!("Host: {}", served.address);
    let answered = call_for(&served, "charge", &[&host]);
    for place in ["api/src/pay.py:1-2", "my web/src/pay.js:1-3"] {
        assert!(answered.body.contains(place), "{answered:?}");
    }
    assert!(!answered.body.contains("notes/"), "{answered:?}");
}

#[test]
fn a_token_is_asked_for_where_there_is_one() {
    let token = "0123456789abcdef";
    let served = Served::sample(&[], &[("WHEREIN_TOKEN", token)]);
    let host = format!("Host: {}", served.address);
    assert_eq!(call(&served, &[&host]).status, 401);
    let bearer = format!("Authorization: Bearer {token}");
    assert_eq!(call(&served, &[&host, &bearer]).status, 200);
}

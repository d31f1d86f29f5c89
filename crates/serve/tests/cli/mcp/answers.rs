//! What the tools say: places, budgets, pages, what was seen, and what cannot be.

use serde_json::{Value, json};

use super::talk::{Agent, body, copy};
use crate::project::Project;

fn real(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text)
}

#[test]
fn answers_are_places_and_lines_and_say_what_was_searched() {
    let project = Project::sample();
    project.configure("model = \"none\"\n");
    let mut agent = Agent::start(&project, &[]);
    let text = agent.text("search", json!({"query": "retry_upload", "scope": "code"}));
    assert!(text.starts_with("src/upload.py:1-9 function retry_upload\nimport time\n"), "{text}");
    assert!(text.contains("searched by words only"), "{text}");
    assert!(text.ends_with("\n# searched no commit, 3 files, complete"), "{text}");
    let symbols = agent.text("symbols", json!({"name": "evict"}));
    assert!(symbols.starts_with("src/cache.rs:1-4 function evict_oldest | pub fn evict_oldest("));
    let read = agent.text("read", json!({"spans": ["src/cache.rs:2-3", "docs/guide.md:3-3"]}));
    let expected = "src/cache.rs:2-3\npub fn evict_oldest(pages: &mut Vec<u32>) -> Option<u32> {\n    \
        if pages.is_empty() { None } else { Some(pages.remove(0)) }\ndocs/guide.md:3-3\n## Uploads";
    assert_eq!(body(&read), expected);
    let around = agent.text("read", json!({"spans": ["src/cache.rs:3-3"], "context": 1}));
    assert!(around.starts_with("src/cache.rs:2-4\n"), "{around}");
    let status = agent.text("status", json!({}));
    assert!(status.contains("3 files, 3 chunks"), "{status}");
    let map = agent.text("map", json!({}));
    assert!(map.contains("src/upload.py\n4 def retry_upload(name, attempts)"), "{map}");
    project.write("src/more.py", "def caller():\n    evict_oldest([])\n");
    let fresh = agent.text("symbols", json!({"name": "caller"}));
    assert!(fresh.starts_with("src/more.py:1-2 function caller"), "{fresh}");
}

#[test]
fn structured_content_says_the_same() {
    let project = Project::sample();
    project.configure("model = \"none\"\n");
    let mut agent = Agent::start(&project, &[]);
    let result = agent.call("search", json!({"query": "evict_oldest", "scope": "code"}));
    let item = &result["structuredContent"]["items"][0];
    assert_eq!((&item["path"], &item["symbol"]), (&json!("src/cache.rs"), &json!("evict_oldest")));
    assert!(item["text"].as_str().unwrap().contains("pages.remove(0)"), "{result}");
    assert_eq!(result["structuredContent"]["index"]["trees"][0]["complete"], true, "{result}");
}

/// Over small trees of several languages, by a real vocabulary.
#[test]
fn a_budget_is_used_and_kept() {
    let project = copy("../../eval/golden/trees");
    let mut agent = Agent::start(&project, &[]);
    let questions = [
        ("search", json!({"query": "how is a request answered", "scope": "code"})),
        (
            "search",
            json!({"query": "merge tables", "also": ["Client.Put", "where is a file written"]}),
        ),
        ("search", json!({"query": "how to install it", "scope": "docs"})),
        (
            "read",
            json!({"spans": ["larder/db.go", "larder/pkg/client/client.go", "larder/README.md"]}),
        ),
        ("symbols", json!({})),
        ("refs", json!({"target": "larder/db.go"})),
        ("impact", json!({"target": "larder/internal/memtable/merge.go"})),
        ("map", json!({})),
    ];
    for (tool, arguments) in questions {
        for budget in [200, 500, 1000, 2000, 4000] {
            let mut arguments = arguments.clone();
            arguments["budget"] = json!(budget);
            let result = agent.call(tool, arguments.clone());
            let text = result["content"][0]["text"].as_str().unwrap();
            let (used, has_more) = (real(text), !result["structuredContent"]["more"].is_null());
            let share = used as f64 / f64::from(budget);
            println!("{tool:8} {budget:5} {used:5} tokens {:3.0} %", share * 100.0);
            assert!(share <= 1.0, "{tool} {arguments}: {used}\n{text}");
            let least = match (tool, budget) {
                // A file is drawn whole or on the next page.
                ("map", ..1000) => 0.3,
                (_, ..1000) => 0.6,
                _ => 0.8,
            };
            let is_filled = share > least;
            assert!(is_filled || !has_more, "{tool} {arguments}: only {used}\n{text}");
        }
    }
}

#[test]
fn pages_follow_each_other_until_nothing_is_left() {
    let project = copy("src/http");
    let mut agent = Agent::start(&project, &[]);
    let whole = agent.text("read", json!({"spans": ["keeper.rs"], "budget": 50_000}));
    let expected: Vec<&str> = body(&whole).lines().skip(1).collect();
    let mut result = agent.call("read", json!({"spans": ["keeper.rs"], "budget": 600}));
    let mut lines: Vec<String> = Vec::new();
    let mut pages = 0;
    loop {
        pages += 1;
        for item in result["structuredContent"]["items"].as_array().unwrap() {
            assert_eq!(item["start_line"], lines.len() + 1, "{result}");
            lines.extend(item["text"].as_str().unwrap().split('\n').map(str::to_owned));
        }
        let Some(handle) = result["structuredContent"]["more"].as_str() else { break };
        result = agent.call("more", json!({"handle": handle, "budget": 600}));
    }
    assert!(pages > 4, "{pages}");
    assert_eq!(lines, expected);
    let told = agent.refused("more", json!({"handle": "mffffff"}));
    assert!(told.contains("Call the tool again"), "{told}");
}

#[test]
fn what_was_shown_is_not_sent_again_unless_it_changed() {
    let project = Project::sample();
    project.configure("model = \"none\"\n");
    let mut agent = Agent::start(&project, &[]);
    let ask = |agent: &mut Agent| agent.text("search", json!({"query": "evict_oldest lang:rust"}));
    assert!(ask(&mut agent).contains("pages.remove(0)"));
    let again = ask(&mut agent);
    assert!(again.starts_with("src/cache.rs:1-4 function evict_oldest (seen)\n"), "{again}");
    assert!(!again.contains("pages.remove(0)") && again.contains("read it to see it again"));
    let read = agent.text("read", json!({"spans": ["src/cache.rs:1-4"]}));
    assert!(read.contains("pages.remove(0)"), "{read}");
    let text = "/// Throws the newest page out.\npub fn evict_oldest() {}\n";
    project.write("src/cache.rs", text);
    assert!(ask(&mut agent).contains("newest page"));
    let mut other = Agent::start(&project, &[]);
    assert!(ask(&mut other).contains("newest page"), "another conversation has seen nothing");
}

#[test]
fn no_path_leads_out_of_the_tree() {
    let project = Project::sample();
    project.configure("model = \"none\"\n");
    std::fs::write(project.home().join("secret.txt"), "hidden\n").unwrap();
    std::os::unix::fs::symlink(project.home(), project.path("out")).unwrap();
    std::os::unix::fs::symlink(project.home().join("secret.txt"), project.path("link.txt"))
        .unwrap();
    project.write(".gitignore", "ignored.txt\n");
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    project.write("ignored.txt", "hidden\n");
    let mut agent = Agent::start(&project, &[]);
    let secret = project.home().join("secret.txt").display().to_string();
    for path in
        ["../home/secret.txt", &secret, "out/secret.txt", "link.txt", "src/../../home/secret.txt"]
    {
        for (tool, arguments) in [
            ("read", json!({"spans": [path]})),
            ("refs", json!({"target": path})),
            ("impact", json!({"target": path})),
            ("map", json!({"focus": [path]})),
            ("similar", json!({"at": format!("{path}:1")})),
        ] {
            let told = agent.refused(tool, arguments);
            assert!(told.contains("leads out of the served folders"), "{tool} {path}: {told}");
        }
    }
    for unread in ["ignored.txt", ".git/HEAD"] {
        let told = agent.refused("read", json!({"spans": [unread]}));
        assert!(told.contains("not in the indexed tree") && !told.contains("hidden"), "{told}");
    }
    let absolute = project.path("src/cache.rs").display().to_string();
    assert!(agent.text("read", json!({"spans": [absolute]})).starts_with("src/cache.rs:1-4\n"));
}

#[test]
fn nothing_found_says_so_and_what_comes_nearest() {
    let project = Project::sample();
    project.configure("model = \"none\"\n");
    let mut agent = Agent::start(&project, &[]);
    let text = agent.text("search", json!({"query": "zyzzyva"}));
    assert!(text.starts_with("nothing found: none of the searched files holds"), "{text}");
    let text = agent.text("search", json!({"query": "evictoldest_page xq"}));
    assert!(text.contains("evict_oldest"), "{text}");
    let text = agent.text("symbols", json!({"name": "retryUplaod"}));
    assert!(text.contains("nothing found") && text.contains("retry_upload"), "{text}");
    for (tool, arguments, words) in [
        ("refs", json!({"target": "evict_oldst"}), "Nearest names: evict_oldest"),
        ("impact", json!({"target": "evict_oldst"}), "Nearest names: evict_oldest"),
        ("refs", json!({"target": "Cache.evict_oldest"}), "Nearest names: evict_oldest"),
        ("read", json!({"spans": ["src/cash.rs"]}), "Nearest: src/cache.rs"),
        ("read", json!({"spans": ["src/cache.rs:90-99"]}), "has lines 1 to 4"),
        ("search", json!({"query": "x", "languages": ["klingon"]}), "status lists the languages"),
        ("search", json!({"query": "lang:rust"}), "Say in words"),
        ("search", json!({}), "needs \"query\""),
        ("similar", json!({}), "needs \"at\" or \"text\""),
        ("similar", json!({"text": "x = 1"}), "works by words alone"),
        ("impact", json!({"since": "--output=x"}), "is no revision"),
        ("symbols", json!({"kinds": ["gizmo"]}), "Say function, method"),
        ("grep", json!({}), "There are search, read"),
    ] {
        let told = agent.refused(tool, arguments);
        assert!(told.contains(words), "{tool}: {told}");
    }
    let text = agent.text("impact", json!({"target": "src/cache.rs"}));
    assert!(text.contains("reaches 0 symbols"), "{text}");
}

#[test]
fn changes_since_a_revision_are_followed() {
    let project = Project::sample();
    project.configure("model = \"none\"\n");
    project.write(
        "src/use.py",
        "from upload import retry_upload\n\ndef go():\n    retry_upload('a', 1)\n",
    );
    let git = |arguments: &str| {
        let script = format!("git -c user.name=a -c user.email=a@b {arguments}");
        project.shell(&script).with_code(0)
    };
    git("init -q . && git add -A");
    git("commit -qm first");
    let mut agent = Agent::start(&project, &[]);
    let text = agent.text("impact", json!({}));
    assert!(text.starts_with("nothing found: no indexed file differs from HEAD"), "{text}");
    project.write("src/upload.py", "def retry_upload(name, attempts):\n    return 7\n");
    let text = agent.text("impact", json!({"since": "HEAD"}));
    assert!(text.contains("function retry_upload") && text.contains("src/use.py risk"), "{text}");
    assert!(text.contains(" +1 changed, 4 files, complete"), "{text}");
    project.write("src/upload.py", "def other():\n    return 7\n");
    let text = agent.text("impact", json!({}));
    assert!(text.contains("gone since HEAD, where it stood at src/upload.py:"), "{text}");
    assert!(text.contains("src/use.py:4: retry_upload('a', 1) [in go]"), "{text}");
    std::fs::remove_file(project.path("src/upload.py")).unwrap();
    let text = agent.text("impact", json!({}));
    assert!(text.contains("src/use.py risk"), "{text}");
    git("add -A");
    git("commit -qm second");
    project.write("src/fresh.py", "def fresh():\n    return 7\n");
    assert!(agent.text("impact", json!({})).contains("function fresh"));
}

#[test]
fn how_far_a_first_index_is_is_told_to_who_wants_to_know() {
    let project = Project::empty();
    project.configure("model = \"none\"\n");
    for n in 0..2500 {
        project.write(
            &format!("src/f{n}.py"),
            format!("def function_{n}(a):\n    return a + {n}\n").repeat(8),
        );
    }
    let mut agent = Agent::start(&project, &[]);
    let arguments = json!({"query": "function_7"});
    let call = json!({"name": "search", "arguments": arguments, "_meta": {"progressToken": "p"}});
    agent.request("tools/call", call);
    let told: Vec<&Value> =
        agent.told.iter().filter(|it| it["method"] == "notifications/progress").collect();
    assert!(!told.is_empty(), "{:?}", agent.told);
    assert!(told.iter().all(|it| it["params"]["progressToken"] == "p"), "{told:?}");
    let done: Vec<f64> = told.iter().map(|it| it["params"]["progress"].as_f64().unwrap()).collect();
    assert!(done.is_sorted_by(|a, b| a < b), "{done:?}");
    let before = agent.told.len();
    agent.call("search", json!({"query": "function_8"}));
    assert_eq!(agent.told.len(), before, "nobody asked, and nothing was indexed");
}

#[test]
fn every_line_is_answered() {
    let project = Project::sample();
    let mut agent = Agent::unspoken(&project, &[]);
    let check = |agent: &mut Agent, line: &str, code: i64, id: Value| {
        agent.write(&format!("{line}\n"));
        let answer = agent.hear();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &id),
            "{line}: {answer}"
        );
        answer["error"]["message"].as_str().unwrap().to_owned()
    };
    let greeting = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}";
    let why = check(&mut agent, greeting, -32602, json!(1));
    assert!(why.contains("params.protocolVersion"), "{why}");
    check(&mut agent, "nonsense", -32700, json!(null));
    agent.greet();
    check(&mut agent, "{\"jsonrpc\":", -32700, json!(null));
    check(&mut agent, "[]", -32600, json!(null));
    check(&mut agent, "{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}", -32600, json!("a"));
    for (params, why) in [
        ("{}", "params.name is missing"),
        ("{\"name\":\"search\",\"arguments\":[1]}", "params.arguments must be an object"),
    ] {
        let call = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{params}}}"
        );
        let said = check(&mut agent, &call, -32602, json!(9));
        assert!(said.contains(why), "{said}");
    }
    check(&mut agent, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"no/such\"}", -32601, json!(3));
}

#[test]
fn settings_that_cannot_be_read_are_told_in_answers() {
    let project = Project::sample();
    project.write("wherein.toml", "limt = 3\n");
    let mut agent = Agent::start(&project, &[]);
    let refused = agent.refused("search", json!({"query": "evict_oldest"}));
    assert!(refused.contains("there is no key \"limt\""), "{refused}");
    project.write("wherein.toml", "limit = 3\n");
    let text = agent.text("search", json!({"query": "evict_oldest"}));
    assert!(text.contains("src/cache.rs"), "{text}");
    project.write("wherein.toml", "limt = 3\n");
    let mut next = Agent::start(&project, &["--root", "."]);
    let text = next.text("search", json!({"query": "evict_oldest"}));
    assert!(text.contains("src/cache.rs"), "{text}");
    assert!(text.contains("INCOMPLETE: ") && text.contains("there is no key \"limt\""), "{text}");
}

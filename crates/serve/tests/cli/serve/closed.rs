//! What must not be had: files outside the tree, answers for other sites, answers without a token.

use std::fs;
use std::os::unix::fs::symlink;

use super::served::Served;
use crate::project::Project;

const SECRET: &str = "the secret outside";

/// A tree with a secret beside it, and links that lead there.
fn project() -> Project {
    let project = Project::sample();
    fs::write(project.root().join("../secret.txt"), SECRET).unwrap();
    symlink("../secret.txt", project.path("link.txt")).unwrap();
    symlink("..", project.path("up")).unwrap();
    project.write(".hidden/key.txt", SECRET);
    project.write(".gitignore", "ignored.txt\n");
    project.write("ignored.txt", SECRET);
    project
}

#[test]
fn no_path_leads_out_of_the_tree() {
    let project = project();
    let served = Served::start(&project);
    let absolute = project.root().join("../secret.txt");
    let inside = project.path("src/upload.py");
    for path in [
        "../secret.txt",
        "..%2Fsecret.txt",
        "%2e%2e%2fsecret.txt",
        "%252e%252e%252fsecret.txt",
        "src/../../secret.txt",
        "src/..%2f..%2fsecret.txt",
        "..%5Csecret.txt",
        "....//secret.txt",
        "..;/secret.txt",
        "%c0%ae%c0%ae/secret.txt",
        absolute.to_str().unwrap(),
        inside.to_str().unwrap(),
        "/etc/passwd",
        "//etc/passwd",
        "file:///etc/passwd",
        "link.txt",
        "up/secret.txt",
        "up/tree/src/upload.py",
        "./src/upload.py",
        "src//upload.py",
        "src/upload.py%00",
        "src/upload.py/",
        "",
        "~/.bashrc",
        ".hidden/key.txt",
    ] {
        let reply = served.get(&format!("/api/file?path={path}"));
        assert!((400..500).contains(&reply.status), "{path}: {reply:?}");
        assert!(!reply.body.contains(SECRET) && !reply.body.contains("retry_upload("), "{path}");
        let like = served.get(&format!("/api/similar?line=1&path={path}"));
        assert!((400..500).contains(&like.status), "{path}: {like:?}");
    }
    for path in ["/assets/../secret.txt", "/assets/..%2f..%2fsecret.txt", "/api/eval/runs/..%2f.."]
    {
        assert!((400..500).contains(&served.get(path).status), "{path}");
    }
    let found = served.get("/api/search?text=secret+outside").well();
    assert!(!found["hits"].to_string().contains(SECRET), "{found}");
}

/// The index knows the file; what is there now is a link.
#[test]
fn a_file_that_became_a_link_is_not_followed() {
    let project = project();
    let served = Served::start(&project);
    served.get("/api/file?path=src/upload.py").well();
    fs::remove_file(project.path("src/upload.py")).unwrap();
    symlink("../../secret.txt", project.path("src/upload.py")).unwrap();
    for path in ["/api/file?path=src/upload.py", "/api/search?text=secret+outside"] {
        let reply = served.get(path);
        assert!(!reply.body.contains(SECRET), "{path}: {reply:?}");
    }
    fs::rename(project.path("src"), project.path("moved")).unwrap();
    symlink("..", project.path("src")).unwrap();
    fs::write(project.root().join("../cache.rs"), SECRET).unwrap();
    assert!(!served.get("/api/file?path=src/cache.rs").body.contains(SECRET));
}

#[test]
fn another_name_or_site_is_refused() {
    let served = Served::sample(&[], &[]);
    let port = served.address.rsplit(':').next().unwrap();
    let search = "/api/search?text=upload";
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost:1"] {
        served.raw("GET", search, &[&format!("Host: {host}")], "").refused(421, "wrong_host");
        served.raw("GET", "/", &[&format!("Host: {host}")], "").refused(421, "wrong_host");
    }
    let local = format!("Host: localhost:{port}");
    assert_eq!(served.raw("GET", search, &[&local], "").status, 200);
    assert_eq!(served.raw("GET", search, &[&local, &local], "").status, 421);
    for header in ["Origin: https://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
        served.ask(search, &[header]).refused(403, "cross_site");
        let host = format!("Host: {}", served.address);
        served.raw("POST", "/api/index", &[&host, header], "").refused(403, "cross_site");
    }
    let own = format!("Origin: http://{}", served.address);
    let reply = served.ask(search, &[&own]);
    assert_eq!(reply.status, 200);
    assert!(!reply.head.contains("access-control-allow"), "{}", reply.head);
}

#[test]
fn answers_are_closed_to_other_pages() {
    let served = Served::sample(&[], &[]);
    for path in ["/", "/api/status", "/assets/main.js", "/nowhere"] {
        let head = served.get(path).head;
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "wherein-api-version: 1",
        ] {
            assert!(head.contains(header), "{path}: no {header} in {head}");
        }
    }
}

#[test]
fn a_token_is_asked_for_where_one_is_set() {
    let token = "0123456789abcdefghij";
    let served = Served::sample(&[], &[("WHEREIN_TOKEN", token)]);
    for path in ["/api/search?text=a", "/api/status", "/metrics", "/v1/models", "/api/openapi.json"]
    {
        let reply = served.get(path);
        reply.refused(401, "token_needed");
        assert!(reply.head.contains("www-authenticate: bearer"), "{}", reply.head);
        let right = format!("Authorization: Bearer {token}");
        assert_eq!(served.ask(path, &[&right]).status, 200, "{path}");
        served
            .ask(path, &["Authorization: Bearer 0123456789abcdefghiJ"])
            .refused(401, "token_needed");
    }
    assert_eq!((served.get("/").status, served.get("/healthz").status), (200, 200));
}

#[test]
fn other_machines_are_not_served_without_a_token() {
    let project = Project::sample();
    let words = ["WHEREIN_TOKEN", "Bearer", "other machines"];
    project.wherein(["serve", "--listen", "0.0.0.0:0"]).fails_naming(&words);
    project.wherein(["serve", "--listen", "nowhere"]).fails_naming(&["nowhere"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    project.wherein(["serve", "--listen", &address]).fails_naming(&[&address, "--listen"]);
}

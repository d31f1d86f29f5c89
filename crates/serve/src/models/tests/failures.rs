//! What the caller gets of a service that misbehaves.

use std::time::Duration;

use serde_json::{Value, json};
use wherein_encoder::{Encoder, Error, Side};

use super::client::{SECRET, client, endpoint};
use super::service::{Asked, Reply, Service, say};
use crate::models::endpoint::Endpoint;
use crate::models::failure::{Again, Failure};
use crate::models::server::{Patience, Server};

/// Two texts fail after so many requests with words about the address and each of the `parts`, and
/// none about the key.
#[track_caller]
fn check(
    reply: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static,
    requests: usize,
    parts: &[&str],
) -> Error {
    let service = Service::start(reply);
    let error = client(endpoint(&service.url)).encode(&["a", "b"], Side::Passage).unwrap_err();
    let told = format!("{error} {error:?}");
    for part in [&[&*format!("{}/embeddings", service.url)], parts].concat() {
        assert!(told.contains(part), "no {part:?} in {error}");
    }
    assert!(!told.contains(SECRET) && !told.contains(&SECRET[..10]), "{told}");
    assert_eq!(service.asked().len(), requests, "{error}");
    error
}

#[track_caller]
fn check_remote(status: u16, body: impl Into<String>, requests: usize, parts: &[&str]) {
    let body = body.into();
    let error = check(move |_, _| Reply::Say(status, "", body.clone()), requests, parts);
    assert!(matches!(error, Error::Remote(_)), "{error:?}");
}

#[track_caller]
fn check_shape(body: &str, parts: &[&str]) {
    let body = body.to_owned();
    let error = check(move |_, _| Reply::Say(200, "", body.clone()), 1, parts);
    assert!(matches!(error, Error::Shape(_)), "{error:?}");
}

#[test]
fn a_refusal_is_quoted_and_not_asked_again() {
    let json = json!({"error": {"message": "no such key", "code": 7}}).to_string();
    check_remote(401, json, 1, &["answered 401: \"no such key\"", "key_env"]);
    check_remote(403, "forbidden", 1, &["answered 403: \"forbidden\"", "key_env"]);
    check_remote(404, r#"{"error": "model not found"}"#, 1, &["\"model not found\"", "`model`"]);
    check_remote(400, r#"{"detail": "too long"}"#, 1, &["{\"detail\":\"too long\"}", "`batch`"]);
    check_remote(422, "", 1, &["answered 422; check"]);
}

#[test]
fn a_service_that_stays_busy_or_broken_is_given_up_after_four_tries() {
    check_remote(500, "out of memory", 4, &["answered 500: \"out of memory\"", "(tried 4 times)"]);
    check_remote(429, "", 4, &["answered 429; wait", "(tried 4 times)"]);
}

#[test]
fn a_service_that_repeats_the_key_does_not_have_it_shown() {
    let far = format!("{}{SECRET}", "x".repeat(190));
    for said in [format!("bad key {SECRET}!"), far] {
        let json = json!({"error": {"message": said}}).to_string();
        check_remote(401, json, 1, &["[key]"]);
        check_remote(500, said.clone(), 4, &["[key]"]);
        check_shape(&said, &["[key]"]);
    }
    let escaped = SECRET.replace('-', "\\u002d");
    check_remote(400, format!("{{\"detail\": \"{escaped}\"}}"), 1, &["[key]"]);
}

#[test]
fn a_long_or_odd_refusal_is_shortened_and_cleaned() {
    let long = format!("\u{1b}[31mred\r\n  \u{7}{}", "é".repeat(300));
    let quoted = format!("400: \"[31mred {}…\"; check", "é".repeat(192));
    check_remote(400, long, 1, &[&quoted]);
}

#[test]
fn a_redirect_is_not_followed() {
    let other = Service::start(|_, _| panic!("nothing may come here"));
    let location: &'static str = format!("Location: {}/embeddings\r\n", other.url).leak();
    for status in [301, 307, 308] {
        let reply = move |_, _: &Asked| Reply::Say(status, location, String::new());
        check(reply, 1, &[&format!("answered {status}"), "redirects are not followed"]);
    }
    assert!(other.asked().is_empty());
}

#[test]
fn a_service_that_hangs_is_given_up_in_time() {
    let service = Service::start(|_, _| Reply::Hang);
    let endpoint = Endpoint { timeout: Duration::from_millis(300), ..endpoint(&service.url) };
    let error = client(endpoint).encode(&["a"], Side::Passage).unwrap_err();
    assert!(matches!(error, Error::Remote(_)), "{error:?}");
    let expected = "/embeddings gave no answer within 300ms; raise `timeout_s` or lower `batch`";
    assert_eq!(error.to_string(), format!("{}{expected}", service.url));
    assert_eq!(service.asked().len(), 1);
}

#[test]
fn a_service_that_breaks_off_is_asked_again() {
    let reply = |_, _: &Asked| Reply::BreakOff("{\"data\": [".to_owned());
    let error = check(reply, 4, &["cannot be reached", "disconnected", "(tried 4 times)"]);
    assert!(matches!(error, Error::Remote(_)), "{error:?}");
}

#[test]
fn a_service_that_does_not_run_is_named() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let error = client(endpoint(&url)).encode(&["a"], Side::Passage).unwrap_err();
    let told = error.to_string();
    assert!(matches!(error, Error::Remote(_)), "{error:?}");
    assert!(told.starts_with(&format!("{url}/embeddings cannot be reached: ")), "{told}");
    assert!(told.ends_with("is the service running, and is url right? (tried 4 times)"), "{told}");
}

#[test]
fn encryption_that_fails_is_not_tried_again() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/v1", listener.local_addr().unwrap());
    let connections = std::thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"HTTP/1.1 400 plain\r\n\r\n").unwrap();
        while stream.read(&mut [0; 1024]).is_ok_and(|read| read > 0) {}
        listener.set_nonblocking(true).unwrap();
        listener
    });
    let error = client(endpoint(&url)).encode(&["a"], Side::Passage).unwrap_err();
    assert!(error.to_string().contains("cannot be trusted"), "{error}");
    assert!(connections.join().unwrap().accept().is_err(), "a second connection");
}

fn entry(index: usize, embedding: &Value) -> Value {
    json!({"index": index, "embedding": embedding})
}

#[test]
fn an_answer_that_is_no_answer_is_quoted() {
    check_shape("<html>Welcome</html>", &["gave no JSON", "\"<html>Welcome</html>\"", "/v1"]);
    check_shape("", &["gave no JSON"]);
    check_shape("{\"data\": [", &["gave no JSON"]);
    check_shape("{}", &["data[].embedding", "\"{}\""]);
    check_shape("{\"data\": null}", &["data[].embedding"]);
    check_shape("{\"data\": [{\"embedding\": [1]}, {}]}", &["data[].embedding"]);
}

#[test]
fn vectors_of_anything_but_numbers_are_refused() {
    for odd in ["\"AACAPw==\"", "[\"1.0\"]", "[null]", "[[1.0]]"] {
        let body = format!("{{\"data\": [{{\"index\": 0, \"embedding\": {odd}}}]}}");
        check_shape(&body, &["without a list of numbers"]);
    }
    check_shape("{\"data\": [{\"index\": 0, \"embedding\": [NaN]}]}", &["gave no JSON", "NaN"]);
    let infinite = json!({"data": [entry(0, &json!([1.0])), entry(1, &json!([1e39]))]});
    check_shape(&infinite.to_string(), &["not finite for text 1"]);
}

#[test]
fn vectors_that_do_not_match_the_texts_are_refused() {
    let one = json!([1.0, 2.0]);
    for (entries, part) in [
        (vec![entry(0, &one)], "gave 1 vectors for 2 texts"),
        (vec![entry(0, &one), entry(1, &one), entry(2, &one)], "gave 3 vectors for 2 texts"),
        (vec![entry(1, &one), entry(1, &one)], "gave two vectors for text 1"),
        (vec![entry(0, &one), entry(2, &one)], "gave a vector for text 2 of 2"),
        (vec![entry(0, &one), entry(1, &json!([1.0]))], "of 1 numbers after one of 2"),
    ] {
        check_shape(&json!({"data": entries}).to_string(), &[part]);
    }
}

#[test]
fn vectors_of_another_width_on_the_second_call_are_refused() {
    let service = Service::start(|number, _| {
        say(&json!({"data": [entry(0, &json!(vec![1.0; 2 + number]))]}))
    });
    let client = client(endpoint(&service.url));
    assert_eq!(client.encode(&["a"], Side::Passage).unwrap(), [[1.0, 1.0]]);
    let error = client.encode(&["b"], Side::Passage).unwrap_err();
    assert!(matches!(&error, Error::Shape(_)), "{error:?}");
    let told = error.to_string();
    assert!(told.contains(&service.url) && told.contains("of 3 numbers after one of 2"), "{told}");
}

#[test]
fn dimensions_that_are_ignored_are_noticed() {
    let service = Service::start(|_, _| say(&json!({"data": [entry(0, &json!([1.0, 2.0, 3.0]))]})));
    let endpoint = Endpoint { dimensions: Some(2), ..endpoint(&service.url) };
    let told = client(endpoint).encode(&["a"], Side::Passage).unwrap_err().to_string();
    assert!(told.contains("was asked for 2 dimensions and gave 3"), "{told}");
}

#[track_caller]
fn check_pauses(again: &Again, millis: [Option<u64>; 4]) {
    let pauses = [1, 2, 3, 4].map(|tries| Patience::USUAL.pause(tries, again));
    assert_eq!(pauses, millis.map(|pause| pause.map(Duration::from_millis)));
}

#[test]
fn pauses_double_unless_the_service_asks_for_one() {
    check_pauses(&Again::Soon, [Some(500), Some(1000), Some(2000), None]);
    check_pauses(&Again::After(Duration::from_secs(3)), [Some(3000), Some(3000), Some(3000), None]);
    check_pauses(&Again::After(Duration::MAX), [Some(30_000), Some(30_000), Some(30_000), None]);
    check_pauses(&Again::Never, [None; 4]);
}

#[test]
fn only_what_may_pass_is_tried_again() {
    let pause = Duration::from_secs(2);
    for (status, again) in [
        (301, Again::Never),
        (400, Again::Never),
        (401, Again::Never),
        (408, Again::Never),
        (429, Again::After(pause)),
        (500, Again::After(pause)),
        (503, Again::After(pause)),
    ] {
        assert_eq!(Failure::of_status(status, "", Some(pause)).again, again, "{status}");
    }
}

#[test]
fn the_time_for_all_tries_is_bounded() {
    let service = Service::start(|_, _| Reply::Say(503, "", String::new()));
    let patience = Patience {
        tries: 1000,
        first_pause: Duration::from_millis(20),
        longest_pause: Duration::from_millis(20),
        window: Duration::from_millis(100),
    };
    let start = std::time::Instant::now();
    let server = Server::new(service.url.clone(), None, Duration::from_secs(5), patience);
    let told = server.ask(b"{}").unwrap_err().to_string();
    assert!(told.contains("answered 503"), "{told}");
    assert!((1..=5).contains(&service.asked().len()), "{}", service.asked().len());
    assert!(start.elapsed() < Duration::from_secs(5));
}

//! What a service that is well gets to see, and what comes of its answers.

use std::time::{Duration, Instant};

use serde_json::json;
use wherein_encoder::{Encoder, Error, Side};

use super::service::{Reply, Service, built_in, say, well};
use crate::models::client::Client;
use crate::models::endpoint::Endpoint;
use crate::models::key::Key;
use crate::models::server::Patience;

pub const SECRET: &str = "sk-0123456789abcdef";

pub fn endpoint(url: &str) -> Endpoint {
    Endpoint {
        url: url.to_owned(),
        model: "small".to_owned(),
        key_env: Some("SOME_KEY".to_owned()),
        // Enough to encode on a busy machine.
        timeout: Duration::from_secs(30),
        batch: 3,
        dimensions: None,
    }
}

/// Quick, and with the secret.
pub fn client(endpoint: Endpoint) -> Client {
    let patience = Patience {
        tries: 4,
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(100),
        window: Duration::from_secs(10),
    };
    let key = Key::new("SOME_KEY", Some(SECRET.into())).ok();
    Client::new(endpoint, key, patience)
}

/// The numbers of texts in the requests that `texts` became, after their vectors were found right.
#[track_caller]
fn check(texts: &[&str], batch: usize, requests: &[usize]) {
    let service = Service::start(|_, asked| well(asked));
    let client = client(Endpoint { batch, ..endpoint(&service.url) });
    let expected = if texts.is_empty() { Vec::new() } else { built_in(texts) };
    assert_eq!(client.encode(texts, Side::Passage).unwrap(), expected);
    let lengths: Vec<usize> = service.asked().iter().map(|asked| asked.texts().len()).collect();
    assert_eq!(lengths, requests);
}

#[test]
fn vectors_are_the_models_own_and_texts_go_in_batches() {
    let five = ["fn main() {}", "parse a date", "größe", "\"quoted\"\n\tline", "x"];
    check(&[], 3, &[]);
    check(&five[..1], 3, &[1]);
    check(&five[..3], 3, &[3]);
    check(&five, 3, &[3, 2]);
    check(&five, 1, &[1; 5]);
}

#[test]
fn a_request_holds_no_more_than_its_share_of_bytes() {
    let long = "ü".repeat(8_000);
    check(&[&long, &long, &long, &long, &long], 32, &[4, 1]);
    check(&["x", &long, &long, &long, &long], 32, &[4, 1]);
    check(&[&long, &long, &long, &long, "x"], 32, &[4, 1]);
}

#[test]
fn a_text_is_cut_at_eight_thousand_characters() {
    let service = Service::start(|_, asked| well(asked));
    let long = "€".repeat(8_001);
    client(endpoint(&service.url)).encode(&[&long], Side::Passage).unwrap();
    assert_eq!(service.asked()[0].texts(), [&long[..24_000]]);
}

#[test]
fn the_request_is_what_the_interface_asks_for() {
    let service = Service::start(|_, _| say(&json!({"data": [{"index": 0, "embedding": [1, 2]}]})));
    let endpoint = Endpoint { dimensions: Some(2), ..endpoint(&service.url) };
    assert_eq!(client(endpoint).encode(&["a"], Side::Passage).unwrap(), [[1.0, 2.0]]);
    let asked = &service.asked()[0];
    assert!(asked.head.starts_with("POST /v1/embeddings HTTP/1.1\r\n"), "{}", asked.head);
    let head = asked.head.to_lowercase();
    assert!(head.contains(&format!("authorization: bearer {SECRET}\r\n")), "{head}");
    assert!(head.contains("content-type: application/json\r\n"), "{head}");
    assert_eq!(asked.body, json!({"model": "small", "input": ["a"], "dimensions": 2}));
}

#[test]
fn without_a_key_no_header_is_sent() {
    let service = Service::start(|_, asked| well(asked));
    let endpoint = Endpoint { key_env: None, ..endpoint(&service.url) };
    let vectors = endpoint.model().encode(&["a", "b"], Side::Passage).unwrap();
    let close = |(x, y): (&f32, &f32)| (x - y).abs() < 1e-6;
    assert!(vectors.iter().flatten().zip(built_in(&["a", "b"]).iter().flatten()).all(close));
    let asked = &service.asked()[0];
    assert!(!asked.head.to_lowercase().contains("authorization"), "{}", asked.head);
    assert_eq!(asked.body, json!({"model": "small", "input": ["a", "b"]}));
}

#[test]
fn a_key_that_is_not_there_is_named_and_nothing_is_sent() {
    let service = Service::start(|_, asked| well(asked));
    let key_env = Some("WHEREIN_TEST_NO_SUCH_KEY".to_owned());
    let error = Endpoint { key_env, ..endpoint(&service.url) }
        .model()
        .encode(&["a"], Side::Passage)
        .unwrap_err();
    assert!(matches!(&error, Error::Model(_)), "{error:?}");
    assert!(error.to_string().contains("WHEREIN_TEST_NO_SUCH_KEY is not set"), "{error}");
    assert!(service.asked().is_empty());
}

#[test]
fn a_key_is_taken_without_blanks_and_refused_without_being_shown() {
    let key = |value: &str| Key::new("SOME_KEY", Some(value.into()));
    assert_eq!(key(" abc\n").ok().unwrap().header(), "Bearer abc");
    for value in ["", " \n", "two words", "caf\u{e9}", "a\r\nX-Other: b"] {
        let error = key(value).err().unwrap().to_string();
        assert!(error.contains("SOME_KEY does not hold a key"), "{error}");
        assert!(value.trim().is_empty() || !error.contains(value.trim()), "{error}");
    }
}

#[test]
fn shuffled_vectors_are_put_in_order() {
    let service = Service::start(|_, _| {
        let entry = |index: usize, x: f32| json!({"index": index, "embedding": [x, 0.0]});
        say(&json!({"data": [entry(2, 2.0), entry(0, 0.5), entry(1, 1.0)]}))
    });
    let vectors = client(endpoint(&service.url)).encode(&["a", "b", "c"], Side::Passage).unwrap();
    assert_eq!(vectors, [[0.5, 0.0], [1.0, 0.0], [2.0, 0.0]]);
}

#[test]
fn a_service_that_is_busy_or_breaks_off_is_asked_again() {
    let service = Service::start(|number, asked| match number {
        0 => Reply::Say(429, "Retry-After: 7\r\n", "slow down".to_owned()),
        1 => Reply::Say(503, "", String::new()),
        2 => Reply::BreakOff("{\"data\": [".to_owned()),
        _ => well(asked),
    });
    let start = Instant::now();
    let vectors = client(endpoint(&service.url)).encode(&["a"], Side::Passage).unwrap();
    assert_eq!((vectors, service.asked().len()), (built_in(&["a"]), 4));
    // The seven seconds are cut to the longest pause, which is far above the usual one.
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(100) && took < Duration::from_secs(7), "{took:?}");
}

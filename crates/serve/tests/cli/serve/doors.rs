//! The encoder as an embeddings service, and our own client at its door.

use serde_json::json;

use super::served::Served;
use crate::project::{Project, paths};

#[test]
fn our_own_client_is_served_by_our_own_server() {
    let serving = Project::empty();
    serving.write("a.txt", "words\n");
    let served = Served::start(&serving);
    let project = Project::sample();
    project.configure(&format!(
        "model = \"far\"\n[models.far]\nurl = \"http://{}/v1\"\nmodel = \"wherein\"\nbatch = 2\n",
        served.address
    ));
    let meaning = project.wherein(["index", "--json"]).with_code(0).json()["meaning"].clone();
    assert_eq!(meaning["encoded"], 3);
    let far = project.ask(&["drop stale entries", "--mode", "dense"]);
    project.configure("model = \"large\"\n");
    project.wherein(["index"]).with_code(0);
    let near = project.ask(&["drop stale entries", "--mode", "dense"]);
    assert_eq!(paths(&far), paths(&near));
    for (far, near) in far["hits"].as_array().unwrap().iter().zip(near["hits"].as_array().unwrap())
    {
        let differ = far["score"].as_f64().unwrap() - near["score"].as_f64().unwrap();
        assert!(differ.abs() < 1e-5, "{far} {near}");
    }
}

#[test]
fn vectors_come_in_the_shape_that_clients_expect() {
    let served = Served::sample(&[], &[]);
    let ask = |body: serde_json::Value| served.post("/v1/embeddings", &body.to_string());
    let two = ask(json!({"model": "wherein", "input": ["a", "b c"], "user": "me"})).well();
    assert_eq!([&two["object"], &two["data"][1]["object"]], ["list", "embedding"]);
    assert_eq!(two["data"][1]["index"], 1);
    let numbers = two["data"][0]["embedding"].as_array().unwrap();
    let length: f64 = numbers.iter().map(|x| x.as_f64().unwrap().powi(2)).sum();
    assert!((length - 1.0).abs() < 1e-4 && two["usage"]["total_tokens"].as_u64().unwrap() >= 5);
    let one = ask(json!({"model": "built-in", "input": "a", "encoding_format": "base64"})).well();
    let text = one["data"][0]["embedding"].as_str().unwrap();
    assert_eq!(text.len(), (numbers.len() * 4).div_ceil(3) * 4);
    let models = served.get("/v1/models").well();
    assert_eq!(models["data"][0]["id"], "wherein");
}

#[test]
fn what_cannot_be_encoded_is_refused_in_both_shapes() {
    let served = Served::sample(&[], &[]);
    let check = |body: serde_json::Value, status, code: &str| {
        let problem = served.post("/v1/embeddings", &body.to_string()).refused(status, code);
        assert_eq!(problem["error"]["code"], code);
        assert_eq!(problem["error"]["type"], "invalid_request_error");
    };
    check(json!({"model": "other", "input": "a"}), 404, "model_not_found");
    check(json!({"model": "wherein", "input": []}), 422, "out_of_bounds");
    check(json!({"model": "wherein", "input": [" "]}), 422, "empty_input");
    check(json!({"model": "wherein", "input": [1, 2]}), 400, "malformed");
    check(json!({"model": "wherein", "input": "a", "dimensions": 7}), 422, "wrong_dimensions");
    check(json!({"model": "wherein"}), 400, "malformed");
}

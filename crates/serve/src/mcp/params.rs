//! What is wrong with the parameters of a request that the protocol's library could not read: it takes
//! such a request for one of an unknown kind, and would say that there is no such method.

use rmcp::model::{CustomRequest, ErrorData};
use serde_json::Value;

/// A field, what it must be, and whether it may be left out.
type Field = (&'static str, &'static str, fn(&Value) -> bool, bool);

/// The methods that are answered here, with the fields they read.
const METHODS: [(&str, &[Field]); 3] = [
    (
        "initialize",
        &[
            ("protocolVersion", "a text", Value::is_string, false),
            ("capabilities", "an object", Value::is_object, false),
            ("clientInfo", "an object with name and version", is_named, false),
        ],
    ),
    (
        "tools/call",
        &[
            ("name", "a text", Value::is_string, false),
            ("arguments", "an object", Value::is_object, true),
        ],
    ),
    ("tools/list", &[("cursor", "a text", Value::is_string, true)]),
];

/// The answer to a request that could not be read; none if its method is not known either.
pub fn refusal(request: &CustomRequest) -> Option<ErrorData> {
    let (method, fields) = METHODS.iter().find(|(method, _)| *method == request.method)?;
    let nothing = Value::Object(Default::default());
    let params = request.params.as_ref().unwrap_or(&nothing);
    let complaint = match params.is_object() {
        true => fields.iter().find_map(|field| complaint(field, params)),
        false => Some("params must be an object".to_owned()),
    };
    let complaint = complaint.unwrap_or_else(|| "its params cannot be read".to_owned());
    Some(ErrorData::invalid_params(format!("{method}: {complaint}"), None))
}

fn complaint(&(name, kind, fits, is_optional): &Field, params: &Value) -> Option<String> {
    match params.get(name) {
        None | Some(Value::Null) if is_optional => None,
        None => Some(format!("params.{name} is missing")),
        Some(value) => (!fits(value)).then(|| format!("params.{name} must be {kind}")),
    }
}

fn is_named(client: &Value) -> bool {
    client["name"].is_string() && client["version"].is_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(method: &str, params: Option<Value>, expected: Option<&str>) {
        let refused = refusal(&CustomRequest::new(method, params));
        assert_eq!(refused.as_ref().map(|it| &*it.message), expected);
    }

    #[test]
    fn the_field_that_is_wrong_is_named() {
        check("tools/call", None, Some("tools/call: params.name is missing"));
        check("tools/call", Some(json!([1])), Some("tools/call: params must be an object"));
        check(
            "tools/call",
            Some(json!({"name": 1})),
            Some("tools/call: params.name must be a text"),
        );
        let listed = json!({"name": "search", "arguments": [1]});
        check("tools/call", Some(listed), Some("tools/call: params.arguments must be an object"));
        let null = json!({"name": "search", "arguments": null, "_meta": 3});
        check("tools/call", Some(null), Some("tools/call: its params cannot be read"));
        check("initialize", None, Some("initialize: params.protocolVersion is missing"));
        check("prompts/get", None, None);
    }
}

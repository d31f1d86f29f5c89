//! The web page: files that the program carries, each with the digest of its content as its tag.

use std::sync::Arc;
use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use wherein_corpus::Digest;

use super::Server;
use super::problem::Problem;

/// A file of the page.
struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! assets {
    ($($name:literal: $kind:expr),+ $(,)?) => {
        [$(Asset { name: $name, kind: $kind, text: include_str!(concat!("page/", $name)) }),+]
    };
}

static SHELL: Asset =
    Asset { name: "index.html", kind: HTML, text: include_str!("page/index.html") };

static ASSETS: [Asset; 17] = assets! {
    "api.js": SCRIPT,
    "charts.js": SCRIPT,
    "code.js": SCRIPT,
    "dom.js": SCRIPT,
    "eval.js": SCRIPT,
    "file.js": SCRIPT,
    "graph.js": SCRIPT,
    "icon.svg": PICTURE,
    "index.js": SCRIPT,
    "keys.js": SCRIPT,
    "landing.js": SCRIPT,
    "main.js": SCRIPT,
    "reference.js": SCRIPT,
    "refs.js": SCRIPT,
    "results.js": SCRIPT,
    "route.js": SCRIPT,
    "style.css": STYLE,
};

/// Digests by place in [`ASSETS`].
static TAGS: LazyLock<Vec<String>> = LazyLock::new(|| ASSETS.iter().map(tag).collect());

/// The views, which share one shell, and its files.
pub fn router() -> Router<Arc<Server>> {
    let views = ["/", "/search", "/file", "/graph", "/eval", "/index", "/reference"];
    let pages =
        views.into_iter().fold(Router::new(), |router, view| router.route(view, get(shell)));
    pages.route("/assets/{name}", get(asset))
}

async fn shell(headers: HeaderMap) -> Response {
    static TAG: LazyLock<String> = LazyLock::new(|| tag(&SHELL));
    answer(&SHELL, &TAG, &headers)
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    match ASSETS.iter().position(|asset| asset.name == name) {
        Some(place) => answer(&ASSETS[place], &TAGS[place], &headers),
        None => Problem::absent("no_such_page", format!("there is no {name}")).into_response(),
    }
}

/// Checked at every load, sent only when it changed: a new version of the program shows at once.
fn answer(asset: &Asset, tag: &str, headers: &HeaderMap) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    let described = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache")];
    if known == Some(tag) {
        return (StatusCode::NOT_MODIFIED, described).into_response();
    }
    (described, [(header::CONTENT_TYPE, asset.kind)], asset.text).into_response()
}

fn tag(asset: &Asset) -> String {
    format!("\"{}\"", Digest::of(asset.text.as_bytes()).hex())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page promises to be small; what is embedded is what is sent.
    #[test]
    fn the_whole_page_is_small() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.text.len()).sum();
        assert!(bytes + SHELL.text.len() < 300_000, "{bytes}");
    }

    #[test]
    fn the_shell_needs_no_exception_from_the_policy() {
        for forbidden in ["<style", " style=", " onclick=", "<script>", "http://", "https://"] {
            assert!(!SHELL.text.contains(forbidden), "{forbidden}");
        }
    }

    #[test]
    fn every_file_that_is_named_is_there() {
        let names = |text: &'static str| {
            text.split(['"', '\'']).filter_map(|part| {
                part.strip_prefix("/assets/").or_else(|| part.strip_prefix("./"))
            })
        };
        for asset in ASSETS.iter().chain([&SHELL]) {
            for name in names(asset.text) {
                assert!(ASSETS.iter().any(|it| it.name == name), "{} names {name}", asset.name);
            }
        }
    }
}

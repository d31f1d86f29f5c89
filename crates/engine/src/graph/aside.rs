//! Which files stand beside the program they belong to: what shows it, measures it, helps to make it,
//! or was copied from elsewhere. Told by the names of folders, as people have agreed on them.

use crate::graph::tree::folder_of;

/// Folders of what is not the program itself.
const BESIDE: [&str; 26] = [
    "_examples",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "demo",
    "demos",
    "doc",
    "docs",
    "docs_src",
    "example",
    "examples",
    "fixtures",
    "guides",
    "js_tests",
    "node_modules",
    "playground",
    "playgrounds",
    "sample",
    "samples",
    "script",
    "scripts",
    "third_party",
    "tools",
    "vendor",
    "vendored",
];

/// Whether a file stands beside the program. Declarations without a body (`.d.ts`) tell of something
/// that is defined elsewhere.
pub fn is_beside(path: &str) -> bool {
    path.ends_with(".d.ts") || folder_of(path).split('/').any(|folder| BESIDE.contains(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_beside_a_program_is_told_by_its_folder() {
        for (path, expected) in [
            ("examples/auth/index.js", true),
            ("playground/test-utils.ts", true),
            ("lib/static/vendor/jquery.js", true),
            ("src/types/ws.d.ts", true),
            ("src/tools.rs", false),
            ("lib/express.js", false),
            ("docs.py", false),
        ] {
            assert_eq!(is_beside(path), expected, "{path}");
        }
    }
}

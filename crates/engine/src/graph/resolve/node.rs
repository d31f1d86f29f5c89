//! JavaScript, TypeScript and what their bundlers read: relative paths with the extensions left off,
//! packages of the tree by name through their `exports`, `imports` of a package, `paths` of a
//! compiler's settings, and paths from the root of a site.

use std::collections::HashMap;

use wherein_corpus::Import;

use super::{Reason, Target, found};
use crate::graph::json::Value;
use crate::graph::tree::{Tree, ancestors, folder_of, join, name_of};

/// The packages and compiler settings of a tree.
pub struct Packages {
    by_name: HashMap<String, Vec<Package>>,
    /// By the folder they stand in.
    by_folder: HashMap<String, Package>,
    settings: HashMap<String, Paths>,
}

#[derive(Clone, Debug, Default)]
struct Package {
    folder: String,
    exports: Option<Value>,
    imports: Option<Value>,
    /// `types`, `module`, `main`, `browser`: whatever is given, source first.
    mains: Vec<String>,
}

/// `baseUrl` and `paths`, the latter with the folder they start from.
#[derive(Clone, Debug, Default)]
struct Paths {
    base: Option<String>,
    paths: Vec<(String, Vec<String>)>,
}

/// Tried in this order where a path has no extension.
const EXTENSIONS: [&str; 14] = [
    ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".json", ".vue",
    ".svelte", ".d.mts", ".d.cts",
];

/// What a written extension may stand for: TypeScript is imported by the name of its output.
const SWAPS: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts", ".jsx"]),
    (".mjs", &[".mts", ".d.mts"]),
    (".cjs", &[".cts", ".d.cts"]),
    (".jsx", &[".tsx"]),
];

/// Folders of what is built, and that of what it is built from.
const BUILT: [&str; 5] = ["dist", "build", "lib", "out", "esm"];

impl Packages {
    /// Reads every `package.json`, `tsconfig*.json` and `jsconfig.json`.
    pub fn of(tree: &Tree) -> Packages {
        let mut packages = Packages {
            by_name: HashMap::new(),
            by_folder: HashMap::new(),
            settings: HashMap::new(),
        };
        for &file in tree.named("package.json") {
            let folder = folder_of(tree.path(file));
            if let Some(json) = tree.settings(file).and_then(|text| Value::read(&text)) {
                let package = Package::of(folder, &json);
                if let Some(name) = json.text_of("name") {
                    packages.by_name.entry(name.to_owned()).or_default().push(package.clone());
                }
                packages.by_folder.insert(folder.to_owned(), package);
            }
        }
        for name in ["tsconfig.json", "jsconfig.json"] {
            for &file in tree.named(name) {
                let paths = Paths::read(tree, file, 0);
                packages.settings.entry(folder_of(tree.path(file)).to_owned()).or_insert(paths);
            }
        }
        packages
    }

    /// The file an import means.
    pub fn resolve(&self, tree: &Tree, file: u32, import: &Import, language: &str) -> Target {
        let from = folder_of(tree.path(file));
        let source = without_query(&import.source);
        if is_elsewhere(source) {
            return Target::None(Reason::External);
        }
        if source.starts_with("./") || source.starts_with("../") || matches!(source, "." | "..") {
            return self.beside(tree, from, source);
        }
        if let Some(path) = source.strip_prefix('/') {
            return self.on_site(tree, from, path);
        }
        let bare = || self.bare(tree, from, source);
        match language {
            // In style sheets and pages a bare path is a relative one.
            "css" | "scss" | "html" => {
                let path = source.strip_prefix('~').unwrap_or(source);
                let own = join(from, path).and_then(|path| self.at(tree, &path));
                own.map_or_else(bare, |file| Target::Files(vec![file]))
            }
            _ => bare(),
        }
    }

    fn beside(&self, tree: &Tree, from: &str, source: &str) -> Target {
        let Some(path) = join(from, source) else { return Target::None(Reason::NotFound) };
        match self.at(tree, &path) {
            None if tree.is_left_out(&path) => Target::None(Reason::NotIndexed),
            target => found(target, Reason::NotFound),
        }
    }

    /// `/x` is meant from the root of whatever site the file is part of.
    fn on_site(&self, tree: &Tree, from: &str, path: &str) -> Target {
        let places =
            ancestors(from).flat_map(|folder| ["", "public"].map(|public| (folder, public)));
        let paths: Vec<String> =
            places.filter_map(|(folder, public)| join(&join(folder, public)?, path)).collect();
        let target = paths.iter().find_map(|path| self.at(tree, path));
        match target {
            None if paths.iter().any(|path| tree.is_left_out(path)) => {
                Target::None(Reason::NotIndexed)
            }
            target => found(target, Reason::NotFound),
        }
    }

    fn bare(&self, tree: &Tree, from: &str, source: &str) -> Target {
        if source.starts_with('#') {
            return found(self.inner(tree, from, source), Reason::NotFound);
        }
        if let Some(file) = self.mapped(tree, from, source) {
            return Target::Files(vec![file]);
        }
        let (name, sub) = package_name(source);
        let Some(packages) = self.by_name.get(name) else {
            return Target::None(Reason::External);
        };
        // Of namesakes the one that shares most folders with the importing file.
        let near = packages.iter().max_by_key(|package| {
            let shared = package.folder.split('/').zip(from.split('/'));
            (shared.take_while(|(a, b)| a == b).count(), std::cmp::Reverse(&package.folder))
        });
        let target = near.and_then(|package| self.exported(tree, package, sub));
        found(target, Reason::NotFound)
    }

    /// By `imports` of the package around: `#x`.
    fn inner(&self, tree: &Tree, from: &str, source: &str) -> Option<u32> {
        let package = ancestors(from).find_map(|folder| self.by_folder.get(folder))?;
        let paths = matching(package.imports.as_ref()?, source);
        paths.iter().find_map(|path| self.at_or_source(tree, &join(&package.folder, path)?))
    }

    /// By `paths` and `baseUrl` of the compiler's settings around.
    fn mapped(&self, tree: &Tree, from: &str, source: &str) -> Option<u32> {
        let settings = ancestors(from).find_map(|folder| self.settings.get(folder))?;
        let mapped = settings.paths.iter().filter_map(|(pattern, targets)| {
            let star = star(pattern, source)?;
            Some(targets.iter().map(move |target| target.replacen('*', star, 1)))
        });
        let based = settings.base.iter().filter_map(|base| join(base, source));
        mapped.flatten().chain(based).find_map(|path| self.at(tree, &path))
    }

    /// By `exports`, or as a path into the package, or its main file.
    fn exported(&self, tree: &Tree, package: &Package, sub: &str) -> Option<u32> {
        let key = if sub.is_empty() { ".".to_owned() } else { format!("./{sub}") };
        let exports = package.exports.as_ref().map(|exports| matching(exports, &key));
        let listed = exports.unwrap_or_default();
        let mains = if sub.is_empty() { package.mains.as_slice() } else { &[] };
        let written = listed.iter().chain(mains);
        let written = written.filter_map(|path| join(&package.folder, path));
        let plain = join(&package.folder, sub);
        let source = join(&package.folder, "src").filter(|_| sub.is_empty());
        written.chain(plain).chain(source).find_map(|path| self.at_or_source(tree, &path))
    }

    /// A file that is built is found in what it is built from.
    fn at_or_source(&self, tree: &Tree, path: &str) -> Option<u32> {
        let source = || {
            let parts: Vec<&str> = path.split('/').collect();
            let built = parts.iter().rposition(|part| BUILT.contains(part))?;
            let mut instead = parts.clone();
            instead[built] = "src";
            let plain =
                parts.iter().enumerate().filter(|(i, _)| *i != built).map(|(_, part)| *part);
            let plain = plain.collect::<Vec<_>>().join("/");
            self.at(tree, &instead.join("/")).or_else(|| self.at(tree, &plain))
        };
        self.at(tree, path).or_else(source)
    }

    /// The file at a path as Node and its compilers look for it.
    fn at(&self, tree: &Tree, path: &str) -> Option<u32> {
        let exact = tree.file(path);
        let swapped = || {
            SWAPS.iter().find_map(|(written, meant)| {
                let stem = path.strip_suffix(written)?;
                meant.iter().find_map(|end| tree.file(&format!("{stem}{end}")))
            })
        };
        let longer = || EXTENSIONS.iter().find_map(|end| tree.file(&format!("{path}{end}")));
        exact
            .or_else(swapped)
            .or_else(longer)
            .or_else(|| self.in_folder(tree, path))
            .or_else(|| partial(tree, path))
    }

    fn in_folder(&self, tree: &Tree, folder: &str) -> Option<u32> {
        if !tree.has_folder(folder) {
            return None;
        }
        let mains = self.by_folder.get(folder).map(|package| package.mains.as_slice());
        let main = mains.unwrap_or_default().iter().find_map(|main| {
            let path = join(folder, main).filter(|path| path != folder)?;
            let with = |end: &&str| tree.file(&format!("{path}{end}"));
            tree.file(&path).or_else(|| EXTENSIONS.iter().find_map(with))
        });
        let index =
            || EXTENSIONS.iter().find_map(|end| tree.file(&join(folder, &format!("index{end}"))?));
        main.or_else(index)
    }
}

/// Style sheets leave off the extension and the underscore of a part.
fn partial(tree: &Tree, path: &str) -> Option<u32> {
    let (folder, name) = (folder_of(path), name_of(path));
    let names = [
        format!("{name}.scss"),
        format!("_{name}.scss"),
        format!("{name}.css"),
        format!("_{name}"),
    ];
    names.iter().find_map(|name| tree.file(&join(folder, name)?))
}

impl Package {
    fn of(folder: &str, json: &Value) -> Package {
        let mains = ["source", "types", "typings", "module", "main", "browser"];
        Package {
            folder: folder.to_owned(),
            exports: json.get("exports").cloned(),
            imports: json.get("imports").cloned(),
            mains: mains.iter().filter_map(|key| json.text_of(key)).map(str::to_owned).collect(),
        }
    }
}

impl Paths {
    /// Reads settings and those they extend; their own win.
    fn read(tree: &Tree, file: u32, depth: usize) -> Paths {
        const MOST_EXTENDED: usize = 8;
        let folder = folder_of(tree.path(file));
        let json = tree.settings(file).and_then(|text| Value::read(&text));
        let Some(json) = json.filter(|_| depth < MOST_EXTENDED) else { return Paths::default() };
        let extended = json.get("extends").map(|it| match it.items() {
            [] => it.text().into_iter().collect(),
            items => items.iter().filter_map(Value::text).collect::<Vec<_>>(),
        });
        let mut paths = Paths::default();
        for other in extended.unwrap_or_default().into_iter().filter(|it| it.starts_with('.')) {
            let path = join(folder, other).unwrap_or_default();
            let other = tree.file(&path).or_else(|| tree.file(&format!("{path}.json")));
            if let Some(other) = other.filter(|&other| other != file) {
                paths = Paths::read(tree, other, depth + 1);
            }
        }
        let Some(options) = json.get("compilerOptions") else { return paths };
        if let Some(base) = options.text_of("baseUrl") {
            paths.base = join(folder, base);
        }
        if let Some(mapping) = options.get("paths") {
            let start = options.text_of("baseUrl").and_then(|base| join(folder, base));
            let start = start.unwrap_or_else(|| folder.to_owned());
            let targets = |value: &Value| {
                let texts = value.items().iter().filter_map(Value::text);
                texts.filter_map(|target| join(&start, target)).collect()
            };
            let members = mapping.members().iter();
            paths.paths = members.map(|(key, value)| (key.clone(), targets(value))).collect();
        }
        paths
    }
}

/// The paths that `exports` or `imports` give for a key, every condition's in their order.
fn matching(map: &Value, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    let keyed = map.members().iter().any(|(name, _)| name.starts_with(['.', '#']));
    if !keyed {
        if key == "." {
            leaves(map, "", &mut found);
        }
        return found;
    }
    let exact = map.get(key).map(|value| (value, ""));
    let by_pattern = || {
        let fitting = map.members().iter().filter_map(|(pattern, value)| {
            Some((pattern.len(), value, star(pattern, key).filter(|_| pattern.contains('*'))?))
        });
        fitting.max_by_key(|(length, ..)| *length).map(|(_, value, star)| (value, star))
    };
    if let Some((value, star)) = exact.or_else(by_pattern) {
        leaves(value, star, &mut found);
    }
    found
}

/// Every path below a value; what is for the compiler comes first where it is written first.
fn leaves(value: &Value, star: &str, found: &mut Vec<String>) {
    match value {
        Value::Text(path) => found.push(path.replace('*', star)),
        Value::List(items) => items.iter().for_each(|item| leaves(item, star, found)),
        Value::Object(members) => members.iter().for_each(|(_, value)| leaves(value, star, found)),
        Value::Other => {}
    }
}

/// What `*` stands for where a pattern fits; empty where the pattern has none and is equal.
fn star<'k>(pattern: &str, key: &'k str) -> Option<&'k str> {
    match pattern.split_once('*') {
        None => (pattern == key).then_some(""),
        Some((before, after)) => key.strip_prefix(before)?.strip_suffix(after),
    }
}

/// `@a/b/c` → `@a/b`, `c`.
fn package_name(source: &str) -> (&str, &str) {
    let skip = if source.starts_with('@') { source.find('/').map_or(0, |at| at + 1) } else { 0 };
    match source[skip..].find('/') {
        Some(at) => (&source[..skip + at], &source[skip + at + 1..]),
        None => (source, ""),
    }
}

fn without_query(source: &str) -> &str {
    let end = source.find('?').unwrap_or(source.len());
    let source = &source[..end];
    // `#x` is a package's own import; a part of a page stands behind a path.
    match source.rfind('#') {
        Some(at) if at > 0 => &source[..at],
        _ => source,
    }
}

fn is_elsewhere(source: &str) -> bool {
    let scheme = source.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    });
    scheme || source.starts_with("//") || source.starts_with("/@") || source.starts_with("\\0")
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn relative_paths_leave_off_extensions_and_indexes() {
        let files = [
            (
                "src/a.ts",
                "import './b'\nimport './c.js'\nimport './d'\nimport './e?raw'\nimport './gone'\nimport '../assets/logo.png'\nimport x = require('./f')\nexport * from './g.mjs'\n",
            ),
            ("src/b.ts", ""),
            ("src/c.tsx", ""),
            ("src/d/index.ts", ""),
            ("src/e.vue", ""),
            ("src/f.cjs", ""),
            ("src/g.mts", ""),
        ];
        check(
            &files,
            "src/a.ts",
            &[
                "src/b.ts",
                "src/c.tsx",
                "src/d/index.ts",
                "src/e.vue",
                "NotFound",
                "NotIndexed",
                "src/f.cjs",
                "src/g.mts",
            ],
        );
    }

    #[test]
    fn packages_of_a_workspace_are_known_by_name() {
        let files = [
            ("package.json", r#"{"name": "root", "workspaces": ["packages/*"]}"#),
            (
                "packages/a/package.json",
                r##"{"name": "@x/a", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"}, "./sub/*": "./src/sub/*.ts"}, "imports": {"#dep": "./src/dep.ts", "#in/*": "./src/in/*.js"}}"##,
            ),
            ("packages/a/src/index.ts", "import '#dep'\nimport '#in/one'\nimport '@x/a'\n"),
            ("packages/a/src/dep.ts", ""),
            ("packages/a/src/in/one.ts", ""),
            ("packages/a/src/sub/s.ts", ""),
            ("packages/b/package.json", r#"{"name": "b", "main": "lib/main"}"#),
            (
                "packages/b/lib/main.js",
                "require('@x/a')\nrequire('@x/a/sub/s')\nrequire('react')\nrequire('node:fs')\nrequire('virtual:x')\n",
            ),
            ("packages/c/index.js", "import b from 'b'\nimport('./' + x)\n"),
        ];
        let index = "packages/a/src/index.ts";
        check(&files, index, &["packages/a/src/dep.ts", "packages/a/src/in/one.ts", "Itself"]);
        check(
            &files,
            "packages/b/lib/main.js",
            &[index, "packages/a/src/sub/s.ts", "External", "External", "External"],
        );
        check(&files, "packages/c/index.js", &["packages/b/lib/main.js", "Dynamic"]);
    }

    #[test]
    fn compiler_settings_map_paths() {
        let files = [
            ("tsconfig.base.json", r#"{"compilerOptions": {"paths": {"~lib/*": ["./lib/*"]}}}"#),
            (
                "app/tsconfig.json",
                r#"{"extends": "../tsconfig.base.json", /* c */ "compilerOptions": {"strict": true}}"#,
            ),
            ("app/main.ts", "import '~lib/x'\nimport 'util/y'\n"),
            ("lib/x.ts", ""),
            (
                "web/tsconfig.json",
                r#"{"compilerOptions": {"baseUrl": "src", "paths": {"@/*": ["*"]}}}"#,
            ),
            ("web/src/main.ts", "import '@/util/y'\nimport 'util/y'\nimport '/pic.svg'\n"),
            ("web/src/util/y.ts", ""),
            ("web/public/pic.svg", ""),
        ];
        check(&files, "app/main.ts", &["lib/x.ts", "External"]);
        check(
            &files,
            "web/src/main.ts",
            &["web/src/util/y.ts", "web/src/util/y.ts", "web/public/pic.svg"],
        );
    }

    #[test]
    fn style_sheets_import_by_bare_paths() {
        let files = [
            ("s/main.scss", "@import 'part';\n@import './other.css';\n"),
            ("s/_part.scss", ""),
            ("s/other.css", ""),
        ];
        check(&files, "s/main.scss", &["s/_part.scss", "s/other.css"]);
    }
}

//! From a file's name to the language it is read as.
//!
//! In: a path, and the project's own extension overrides. Out: a [`Language`] with its grammar,
//! its query file and the conventions its names follow. Nothing here reads a file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use serde::{Deserialize, Serialize};

use crate::read::Digest;
use crate::tags::Tags;

/// How the text of a language is cut and what is read out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A grammar and a query file: chunks, symbols, imports, references.
    Syntax,
    /// A single-file component: script and style parts by their own grammars.
    Component,
    /// Prose under headings.
    Headings(Markup),
    /// Anything else that is text, cut at blank lines.
    Paragraphs,
}

/// Which heading syntax a prose format uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// `# Title`, or a title underlined with `=` or `-`.
    Markdown,
    /// A title underlined (and perhaps overlined) with punctuation.
    ReStructuredText,
    /// `== Title`.
    AsciiDoc,
}

/// Whether a file answers "how does the code do it" or "what do the docs say".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Program text and its configuration.
    Code,
    /// Prose for people.
    Docs,
}

/// One language: a row of the table below.
pub struct Language {
    /// The name users write after `--lang`, in lower case.
    pub name: &'static str,
    /// How its files are read.
    pub reading: Reading,
    /// What stands between a scope and a name in it: `Type::method`.
    pub separator: &'static str,
    extensions: &'static [&'static str],
    file_names: &'static [&'static str],
    grammar: Option<fn() -> tree_sitter::Language>,
    query: &'static str,
    tags: OnceLock<Tags>,
    fingerprint: OnceLock<Digest>,
}

impl Language {
    /// The language a file name stands for, or the plain-text language.
    pub fn of_path(path: &Path, overrides: &Overrides) -> &'static Language {
        let file_name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        if let Some(language) = BY_FILE_NAME.get(file_name) {
            return language;
        }
        let extension = extension_of(file_name);
        overrides
            .language_of(&extension)
            .or_else(|| BY_EXTENSION.get(extension.as_str()).copied())
            .unwrap_or_else(Language::other)
    }

    /// The language users call `name`, or one of whose extensions it is.
    pub fn named(name: &str) -> Option<&'static Language> {
        let name = name.to_ascii_lowercase();
        LANGUAGES
            .iter()
            .find(|language| language.name == name)
            .or_else(|| BY_EXTENSION.get(name.as_str()).copied())
    }

    /// Text in no known format.
    pub fn other() -> &'static Language {
        Language::named("other").expect("the table has a row for text in no known format")
    }

    /// Every language, in the order of the table.
    pub fn all() -> &'static [Language] {
        &LANGUAGES
    }

    /// The language a text shows itself to be in where the name leaves it open: `.h` is C or C++.
    pub fn refined(&'static self, text: &str) -> &'static Language {
        let undecided = self.name == "c";
        let cpp = || {
            text.lines().any(|line| CPP_ONLY.iter().any(|mark| line.trim_start().starts_with(mark)))
        };
        if undecided && cpp() { Language::named("cpp").unwrap_or(self) } else { self }
    }

    /// Whether a file whose name says this language may have been read as the one called `name`.
    pub fn may_be(&self, name: &str) -> bool {
        self.name == name || (self.name == "c" && name == "cpp")
    }

    /// Docs for prose formats, code for everything else.
    pub fn role(&self) -> Role {
        match self.reading {
            Reading::Headings(_) => Role::Docs,
            _ if self.name == "text" => Role::Docs,
            _ => Role::Code,
        }
    }

    /// Whether the grammar, where the language has one, is of a version that the parser takes.
    pub fn is_usable(&self) -> bool {
        let takes = |grammar| tree_sitter::Parser::new().set_language(&grammar).is_ok();
        self.grammar().is_none_or(takes)
    }

    /// The grammar, where the language has one.
    pub fn grammar(&self) -> Option<tree_sitter::Language> {
        self.grammar.map(|grammar| grammar())
    }

    /// The text of the query file; empty for a language without a grammar.
    pub fn query(&self) -> &'static str {
        self.query
    }

    /// The compiled query file. Compiled on first use: a search never pays for it.
    pub fn tags(&self) -> Option<&Tags> {
        let grammar = self.grammar()?;
        Some(self.tags.get_or_init(|| {
            Tags::compile(&grammar, self.query)
                .unwrap_or_else(|error| panic!("languages/{}/tags.scm: {error}", self.name))
        }))
    }
}

/// Raised when chunks or symbols come out differently for the same text and query files.
const PARSER_VERSION: u32 = 5;

impl Language {
    /// Changes whenever a text of this language could be read differently than before.
    pub fn fingerprint(&self) -> Digest {
        *self.fingerprint.get_or_init(|| {
            let parts =
                [&PARSER_VERSION.to_le_bytes(), self.name.as_bytes(), self.separator.as_bytes()];
            let queries: Vec<&[u8]> = match self.reading {
                // The parts of a component may be in any language with a grammar.
                Reading::Component => {
                    LANGUAGES.iter().map(|other| other.query.as_bytes()).collect()
                }
                _ => vec![self.query.as_bytes()],
            };
            Digest::of_parts(&[&parts[..], &queries].concat())
        })
    }
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Beginnings of lines that no C program has.
const CPP_ONLY: [&str; 9] = [
    "namespace ",
    "template <",
    "template<",
    "class ",
    "public:",
    "private:",
    "protected:",
    "using namespace ",
    "constexpr ",
];

/// A project's own extension map, for example `inc` → `php`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overrides(BTreeMap<String, String>);

impl Overrides {
    /// Maps `extension` (with or without its dot) to the language called `language`.
    pub fn set(&mut self, extension: &str, language: &str) -> Result<(), UnknownLanguage> {
        let known = Language::named(language).ok_or_else(|| UnknownLanguage(language.into()))?;
        let extension = extension.trim_start_matches('.').to_ascii_lowercase();
        self.0.insert(extension, known.name.to_owned());
        Ok(())
    }

    /// Whether the project itself says what a file of this name is.
    pub fn name(&self, file_name: &str) -> bool {
        self.0.contains_key(&extension_of(file_name))
    }

    fn language_of(&self, extension: &str) -> Option<&'static Language> {
        self.0.get(extension).and_then(|name| Language::named(name))
    }
}

/// A language name nobody knows.
#[derive(Debug, thiserror::Error)]
#[error("unknown language '{0}'")]
pub struct UnknownLanguage(pub String);

fn extension_of(file_name: &str) -> String {
    match file_name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_ascii_lowercase(),
        _ => String::new(),
    }
}

macro_rules! query {
    ($($folder:literal),+) => {
        concat!($(include_str!(concat!("../languages/", $folder, "/tags.scm")), "\n"),+)
    };
}

fn syntax(
    name: &'static str,
    separator: &'static str,
    extensions: &'static [&'static str],
    grammar: fn() -> tree_sitter::Language,
    query: &'static str,
) -> Language {
    Language {
        name,
        reading: Reading::Syntax,
        separator,
        extensions,
        file_names: &[],
        grammar: Some(grammar),
        query,
        tags: OnceLock::new(),
        fingerprint: OnceLock::new(),
    }
}

fn plain(name: &'static str, reading: Reading, extensions: &'static [&'static str]) -> Language {
    Language {
        name,
        reading,
        separator: " > ",
        extensions,
        file_names: &[],
        grammar: None,
        query: "",
        tags: OnceLock::new(),
        fingerprint: OnceLock::new(),
    }
}

fn also_named(mut language: Language, file_names: &'static [&'static str]) -> Language {
    language.file_names = file_names;
    language
}

#[rustfmt::skip]
static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| vec![
    also_named(syntax("bash", ".", &["sh", "bash", "zsh", "ksh", "bats"], || tree_sitter_bash::LANGUAGE.into(), query!("bash")),
        &[".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD"]),
    syntax("c", ".", &["c", "h"], || tree_sitter_c::LANGUAGE.into(), query!("c")),
    syntax("cpp", "::", &["cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp", "cu", "cuh", "ino"], || tree_sitter_cpp::LANGUAGE.into(), query!("cpp")),
    syntax("csharp", ".", &["cs", "csx"], || tree_sitter_c_sharp::LANGUAGE.into(), query!("csharp")),
    syntax("css", " ", &["css"], || tree_sitter_css::LANGUAGE.into(), query!("css")),
    syntax("dart", ".", &["dart"], || tree_sitter_dart::LANGUAGE.into(), query!("dart")),
    syntax("elixir", ".", &["ex", "exs"], || tree_sitter_elixir::LANGUAGE.into(), query!("elixir")),
    syntax("go", ".", &["go"], || tree_sitter_go::LANGUAGE.into(), query!("go")),
    syntax("haskell", ".", &["hs", "hsc"], || tree_sitter_haskell::LANGUAGE.into(), query!("haskell")),
    syntax("html", " ", &["html", "htm", "xhtml"], || tree_sitter_html::LANGUAGE.into(), query!("html")),
    syntax("java", ".", &["java"], || tree_sitter_java::LANGUAGE.into(), query!("java")),
    also_named(syntax("javascript", ".", &["js", "jsx", "mjs", "cjs"], || tree_sitter_javascript::LANGUAGE.into(), query!("javascript")),
        &["Jakefile"]),
    also_named(syntax("json", ".", &["json", "jsonc", "json5", "webmanifest"], || tree_sitter_json::LANGUAGE.into(), query!("json")),
        &[".prettierrc", ".eslintrc", ".babelrc"]),
    syntax("kotlin", ".", &["kt", "kts"], || tree_sitter_kotlin_ng::LANGUAGE.into(), query!("kotlin")),
    syntax("lua", ".", &["lua", "rockspec"], || tree_sitter_lua::LANGUAGE.into(), query!("lua")),
    syntax("ocaml", ".", &["ml"], || tree_sitter_ocaml::LANGUAGE_OCAML.into(), query!("ocaml")),
    syntax("ocaml-interface", ".", &["mli"], || tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE.into(), query!("ocaml-interface")),
    syntax("php", "::", &["php", "phtml", "php3", "php4", "php5", "php7"], || tree_sitter_php::LANGUAGE_PHP.into(), query!("php")),
    also_named(syntax("python", ".", &["py", "pyi", "pyw"], || tree_sitter_python::LANGUAGE.into(), query!("python")),
        &["SConstruct", "SConscript", "wscript"]),
    also_named(syntax("ruby", "::", &["rb", "rake", "gemspec", "ru", "podspec", "jbuilder"], || tree_sitter_ruby::LANGUAGE.into(), query!("ruby")),
        &["Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile", "Capfile"]),
    syntax("rust", "::", &["rs"], || tree_sitter_rust::LANGUAGE.into(), query!("rust")),
    syntax("scala", ".", &["scala", "sc", "sbt"], || tree_sitter_scala::LANGUAGE.into(), query!("scala")),
    syntax("scss", " ", &["scss"], tree_sitter_scss::language, query!("scss")),
    syntax("sql", ".", &["sql", "ddl", "psql"], || tree_sitter_sequel::LANGUAGE.into(), query!("sql")),
    syntax("swift", ".", &["swift"], || tree_sitter_swift::LANGUAGE.into(), query!("swift")),
    also_named(syntax("toml", ".", &["toml"], || tree_sitter_toml_ng::LANGUAGE.into(), query!("toml")),
        &["Pipfile"]),
    syntax("typescript", ".", &["ts", "mts", "cts"], || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), query!("javascript", "typescript")),
    syntax("tsx", ".", &["tsx"], || tree_sitter_typescript::LANGUAGE_TSX.into(), query!("javascript", "typescript")),
    also_named(syntax("yaml", ".", &["yaml", "yml"], || tree_sitter_yaml::LANGUAGE.into(), query!("yaml")),
        &[".clang-format", ".clang-tidy"]),
    syntax("zig", ".", &["zig", "zon"], || tree_sitter_zig::LANGUAGE.into(), query!("zig")),
    plain("vue", Reading::Component, &["vue"]),
    plain("svelte", Reading::Component, &["svelte"]),
    plain("markdown", Reading::Headings(Markup::Markdown), &["md", "markdown", "mdx", "mkd", "qmd", "rmd"]),
    also_named(plain("rst", Reading::Headings(Markup::ReStructuredText), &["rst", "rest", "txt"]),
        &["README", "CHANGES", "NEWS", "AUTHORS", "LICENSE", "COPYING", "INSTALL", "HISTORY", "TODO"]),
    plain("asciidoc", Reading::Headings(Markup::AsciiDoc), &["adoc", "asciidoc", "asc"]),
    plain("text", Reading::Paragraphs, &["text", "org", "tex", "pod"]),
    also_named(plain("config", Reading::Paragraphs, &["cfg", "ini", "conf", "properties", "env", "editorconfig", "csv", "tsv", "xml", "xsd", "xsl", "plist", "gradle", "cmake", "mk", "mak", "am", "ac", "m4", "bzl", "bazel", "nix", "tf", "hcl", "proto", "graphql", "gql", "thrift", "dockerfile"]),
        &["Makefile", "makefile", "GNUmakefile", "Dockerfile", "Containerfile", "CMakeLists.txt", "Justfile", "justfile", "BUILD", "WORKSPACE", "Jenkinsfile", "Procfile", "meson.build"]),
    plain("other", Reading::Paragraphs, &["pl", "pm", "t", "r", "jl", "erl", "hrl", "clj", "cljs", "cljc", "edn", "lisp", "el", "scm", "rkt", "fs", "fsi", "fsx", "vb", "pas", "f90", "f", "for", "asm", "s", "vim", "fish", "ps1", "psm1", "bat", "cmd", "groovy", "m", "mm", "nim", "d", "v", "sv", "vhd", "vhdl", "sol", "cr", "hx", "coffee", "less", "sass", "styl", "pug", "haml", "erb", "ejs", "hbs", "j2", "jinja", "tmpl", "mustache", "twig", "glsl", "wgsl", "hlsl", "metal", "awk", "sed", "tcl", "inc"]),
]);

static BY_EXTENSION: LazyLock<BTreeMap<&'static str, &'static Language>> =
    LazyLock::new(|| index_by(|language| language.extensions));

static BY_FILE_NAME: LazyLock<BTreeMap<&'static str, &'static Language>> =
    LazyLock::new(|| index_by(|language| language.file_names));

fn index_by(
    keys: fn(&Language) -> &'static [&'static str],
) -> BTreeMap<&'static str, &'static Language> {
    LANGUAGES
        .iter()
        .flat_map(|language| keys(language).iter().map(move |key| (*key, language)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        let language = Language::of_path(Path::new(path), &Overrides::default());
        assert_eq!(language.name, expected, "{path}");
    }

    #[test]
    fn file_names_and_extensions_choose_the_language() {
        check("src/main.rs", "rust");
        check("a/Rakefile", "ruby");
        check("LIB.PY", "python");
        check("component.tsx", "tsx");
        check("README", "rst");
        check("Makefile", "config");
        check("strange.qqq", "other");
        check("CMakeLists.txt", "config");
    }

    #[test]
    fn an_override_wins_over_the_table() {
        let mut overrides = Overrides::default();
        overrides.set(".inc", "php").unwrap();
        assert_eq!(Language::of_path(Path::new("x.inc"), &overrides).name, "php");
        assert!(overrides.set("x", "klingon").is_err());
    }

    #[test]
    fn a_header_is_read_as_what_it_is_written_in() {
        let c = Language::named("c").unwrap();
        assert_eq!(c.refined("int f(void);\nstruct s { int class_id; };\n").name, "c");
        assert_eq!(c.refined("#pragma once\n  namespace a {\n}\n").name, "cpp");
        assert_eq!(Language::named("java").unwrap().refined("class A {}\n").name, "java");
        assert!(c.may_be("cpp") && !c.may_be("java"));
    }

    #[test]
    fn no_extension_is_claimed_twice() {
        let mut seen = BTreeMap::new();
        for language in Language::all() {
            for extension in language.extensions {
                let earlier = seen.insert(extension, language.name);
                assert_eq!(earlier, None, ".{extension} is also {}", language.name);
            }
        }
    }

    /// Two grammar crates that export one C symbol link without an error and one silently
    /// replaces the other, so each grammar must know a node kind only it has.
    #[test]
    fn every_grammar_is_the_one_it_claims_to_be() {
        for (name, kind) in [
            ("bash", "heredoc_body"),
            ("c", "preproc_include"),
            ("cpp", "template_declaration"),
            ("csharp", "using_directive"),
            ("css", "media_statement"),
            ("dart", "mixin_declaration"),
            ("elixir", "sigil"),
            ("go", "short_var_declaration"),
            ("haskell", "class_declarations"),
            ("html", "doctype"),
            ("java", "throws"),
            ("javascript", "jsx_element"),
            ("json", "pair"),
            ("kotlin", "companion_object"),
            ("lua", "repeat_statement"),
            ("ocaml", "functor_type"),
            ("php", "php_tag"),
            ("python", "decorated_definition"),
            ("ruby", "singleton_method"),
            ("rust", "impl_item"),
            ("scala", "trait_definition"),
            ("scss", "mixin_statement"),
            ("sql", "create_table"),
            ("swift", "protocol_declaration"),
            ("toml", "table_array_element"),
            ("typescript", "interface_declaration"),
            ("tsx", "jsx_element"),
            ("yaml", "block_mapping_pair"),
            ("zig", "comptime_declaration"),
        ] {
            let grammar = Language::named(name).unwrap().grammar().unwrap();
            assert_ne!(grammar.id_for_node_kind(kind, true), 0, "{name} has no {kind}");
        }
    }
}

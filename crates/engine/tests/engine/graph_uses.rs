//! What a used name means: one small tree, one symbol, the uses that are found of it.

use wherein_engine::graph::ask::{Target, find, references::references};
use wherein_engine::graph::symbols::How;

use crate::project::Project;

/// `symbol` is `PATH:LINE` or a name; uses are `PATH:LINE how`, possible ones end in `?`.
#[track_caller]
fn check(files: &[(&str, &str)], symbol: &str, expected: &[&str]) {
    let project = Project::empty();
    for (path, text) in files {
        project.write(path, text);
    }
    project.refresh();
    let snapshot = project.snapshot();
    let target = match symbol.rsplit_once(':').map(|(path, line)| (path, line.parse())) {
        Some((path, Ok(line))) => Target::Line(path.to_owned(), line),
        _ => Target::Name(symbol.to_owned()),
    };
    let subject = find(&snapshot, &target).unwrap();
    let found = references(&snapshot, &subject, 1000).unwrap();
    let how = |how| match how {
        How::Scope => "scope",
        How::Import => "import",
        How::Receiver => "receiver",
        How::OnlyOne => "only",
        How::Several => "several",
    };
    let sure = found.uses.iter().map(|it| format!("{}:{} {}", it.path, it.line, how(it.how)));
    let open = found.possible.iter().map(|it| format!("{}:{}?", it.path, it.line));
    let mut uses: Vec<String> = sure.chain(open).collect();
    uses.sort();
    assert_eq!(uses, expected, "{symbol}");
}

#[test]
fn python_by_scope_import_and_receiver() {
    let files = [
        ("pkg/__init__.py", "from .core import run as start\n"),
        (
            "pkg/core.py",
            "def run():\n    pass\n\n\nclass Base:\n    def step(self):\n        return self.stop()\n\n    def stop(self):\n        run()\n",
        ),
        (
            "app.py",
            "import pkg.core\nfrom pkg import start, core\nfrom pkg.core import Base\n\n\nclass Job(Base):\n    def go(self, other: Base):\n        self.step()\n        other.stop()\n        made = Job()\n        made.step()\n\n\nstart()\ncore.run()\npkg.core.run()\nhandlers = [start]\nunknown.stop()\nitems.append(1)\n",
        ),
    ];
    check(
        &files,
        "pkg/core.py:1",
        &[
            "app.py:14 import",
            "app.py:15 import",
            "app.py:16 import",
            "app.py:17 import",
            "pkg/core.py:10 scope",
        ],
    );
    check(&files, "Base.step", &["app.py:11 receiver", "app.py:8 receiver"]);
    check(&files, "Base.stop", &["app.py:18 only", "app.py:9 receiver", "pkg/core.py:7 receiver"]);
    check(&files, "Base", &["app.py:6 import", "app.py:7 import"]);
}

#[test]
fn a_class_of_the_same_name_elsewhere_lends_nothing() {
    let class = |body: &str| format!("    class Form(Base):\n        {body}\n    Form().shown()\n");
    let text = format!(
        "from lib import Base\n\n\ndef one():\n{}\n\ndef two():\n{}",
        class("def shown(self): pass"),
        class("size = 1")
    );
    let lib = "class Base:\n    def shown(self):\n        pass\n";
    let files = [("lib.py", lib), ("a.py", text.as_str())];
    check(&files, "a.py:6", &["a.py:7 receiver"]);
    check(&files, "Base.shown", &["a.py:13 receiver"]);
}

#[test]
fn a_module_called_base_is_a_module() {
    let base = "def build_it():\n    pass\n";
    let user =
        "from pkg import base\n\n\nclass A(object):\n    def f(self):\n        base.build_it()\n";
    let files = [("pkg/__init__.py", ""), ("pkg/base.py", base), ("user.py", user)];
    check(&files, "build_it", &["user.py:6 import"]);
}

#[test]
fn a_name_that_several_bear_is_left_open() {
    let files = [
        ("a.py", "class A:\n    def close_it(self):\n        pass\n"),
        ("b.py", "class B:\n    def close_it(self):\n        pass\n"),
        ("c.py", "from a import A\n\n\ndef f(x, y: A):\n    x.close_it()\n    y.close_it()\n"),
        ("d.ts", "function g() {\n  function local_one() {}\n  local_one()\n}\nx.local_one()\n"),
    ];
    check(&files, "A.close_it", &["c.py:5?", "c.py:6 receiver"]);
    check(&files, "B.close_it", &["c.py:5?"]);
    check(&files, "local_one", &["d.ts:3 scope"]);
}

#[test]
fn names_of_other_languages_are_other_names() {
    let files = [
        ("a.py", "def parse_it():\n    pass\n\n\nparse_it()\n"),
        ("b.js", "export function parse_it() {}\nparse_it();\n"),
        ("c.go", "package c\n\nfunc parse_it() {}\n\nfunc g() { parse_it() }\n"),
        ("d.rb", "parse_it()\n"),
    ];
    check(&files, "a.py:1", &["a.py:5 scope"]);
    check(&files, "b.js:1", &["b.js:2 scope"]);
    check(&files, "c.go:3", &["c.go:5 scope"]);
}

#[test]
fn typescript_by_named_default_and_namespace_imports() {
    let files = [
        (
            "src/util.ts",
            "export function one() {}\nexport default function two() {}\nexport class Box { open() { this.shut() } shut() {} }\n",
        ),
        ("src/index.ts", "export * from './util'\nexport { one as uno } from './util'\n"),
        (
            "src/main.ts",
            "import two, { Box } from './util.js'\nimport * as all from './index'\nimport { uno } from '.'\n\nuno()\ntwo()\nall.one()\nconst box = new Box()\nbox.open()\nfunction f(b: Box) { b.shut() }\n",
        ),
        ("lib/old.js", "const { one } = require('../src/util')\none()\n"),
    ];
    check(
        &files,
        "src/util.ts:1",
        &["lib/old.js:2 import", "src/main.ts:5 import", "src/main.ts:7 import"],
    );
    check(&files, "two", &["src/main.ts:6 import"]);
    check(&files, "Box.open", &["src/main.ts:9 receiver"]);
    check(&files, "Box.shut", &["src/main.ts:10 receiver", "src/util.ts:3 receiver"]);
}

#[test]
fn go_by_package_and_receiver_type() {
    let files = [
        ("go.mod", "module example.com/m\n"),
        (
            "store/store.go",
            "package store\n\ntype Store struct{}\n\nfunc New() *Store { return &Store{} }\n\nfunc (s *Store) Fetch() { s.check() }\n\nfunc (s *Store) check() {}\n",
        ),
        ("store/more.go", "package store\n\nfunc Twice() { New() }\n"),
        (
            "main.go",
            "package main\n\nimport \"example.com/m/store\"\n\nfunc main() {\n\ts := store.New()\n\trun(s)\n}\n\nfunc run(s *store.Store) { s.Fetch() }\n",
        ),
    ];
    check(&files, "New", &["main.go:6 import", "store/more.go:3 scope"]);
    check(&files, "Store.Fetch", &["main.go:10 receiver"]);
    check(&files, "Store.check", &["store/store.go:7 receiver"]);
}

#[test]
fn rust_by_module_use_and_impl() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"m\"\n"),
        (
            "src/lib.rs",
            "mod queue;\nuse queue::Queue;\n\npub fn f() {\n    let q = Queue::new();\n    q.drain_all();\n    queue::helper();\n}\n",
        ),
        (
            "src/queue.rs",
            "pub struct Queue;\n\nimpl Queue {\n    pub fn new() -> Queue {\n        Queue\n    }\n    pub fn drain_all(&self) {\n        self.one()\n    }\n    fn one(&self) {}\n}\n\npub fn helper() {}\n",
        ),
    ];
    check(&files, "Queue::drain_all", &["src/lib.rs:6 receiver"]);
    check(&files, "Queue::one", &["src/queue.rs:8 receiver"]);
    check(&files, "helper", &["src/lib.rs:7 import"]);
    check(&files, "Queue::new", &["src/lib.rs:5 receiver"]);
}

#[test]
fn java_by_import_package_and_field_type() {
    let files = [
        (
            "a/Cart.java",
            "package a;\nimport b.Item;\nclass Cart extends Base {\n  private Item item;\n  void add(Item other) {\n    item.weigh();\n    other.weigh();\n    total();\n  }\n}\n",
        ),
        ("a/Base.java", "package a;\nclass Base {\n  void total() {}\n}\n"),
        ("b/Item.java", "package b;\npublic class Item {\n  public void weigh() {}\n}\n"),
    ];
    check(&files, "Item.weigh", &["a/Cart.java:6 receiver", "a/Cart.java:7 receiver"]);
    check(&files, "Base.total", &["a/Cart.java:8 scope"]);
    check(&files, "Base", &["a/Cart.java:3 scope"]);
}

#[test]
fn prose_mentions_code() {
    let files = [
        ("src/a.py", "class Cart:\n    def add(self):\n        pass\n"),
        ("docs/a.md", "Use `Cart.add()`, or `cart`.\n"),
        ("docs/b.rst", "See :meth:`~src.a.Cart.add` here.\n"),
    ];
    check(&files, "Cart.add", &["docs/a.md:1 only", "docs/b.rst:1 only"]);
}

#[test]
fn what_is_tried_first_is_what_is_meant() {
    let files = [
        ("real.py", "class Field:\n    pass\n"),
        ("maybe.py", "try:\n    from real import Field\nexcept ImportError:\n    Field = None\n"),
        ("app.py", "from maybe import Field\n\nField()\n"),
    ];
    check(&files, "real.py:1", &["app.py:3 import"]);
}

#[test]
fn imports_in_a_circle_and_names_handed_around_it_end() {
    let files = [
        (
            "a.py",
            "from b import thing, lost\nfrom b import *\n\n\ndef f():\n    thing()\n    lost()\n",
        ),
        ("b.py", "from a import *\nfrom c import thing, lost\n"),
        ("c.py", "from b import lost\n\n\ndef thing():\n    pass\n"),
    ];
    check(&files, "thing", &["a.py:6 import"]);
}

#[test]
fn a_hub_of_a_hundred_thousand_uses_is_listed() {
    let project = Project::empty();
    project.write("hub.py", "def hub():\n    pass\n");
    project.write("use.py", format!("from hub import hub\n{}", "hub()\n".repeat(100_000)));
    project.refresh();
    let snapshot = project.snapshot();
    let subject = find(&snapshot, &Target::Name("hub".to_owned())).unwrap();
    let found = references(&snapshot, &subject, 10).unwrap();
    assert_eq!((found.total, found.uses.len(), found.uses[0].line), (100_000, 10, 2));
}

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
        How::Declared => "declared",
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

/// A plug-in's interface, and a program that uses what it is given.
const PLUGIN: (&str, &str) = (
    "plugin.ts",
    "export interface Plugin {\n  name: string\n  load(id: string): string\n  at?: Clock | null\n}\nexport class Clock { tick() {} }\nexport function run(plugin: Plugin) {\n  plugin.load('a')\n  const { load, at } = plugin\n  at.tick()\n}\nexport type Loader = Plugin['load']\n",
);

#[test]
fn typescript_literals_are_what_is_written_for_them() {
    let through = ["plugin.ts:12 declared", "plugin.ts:8 declared", "plugin.ts:9 declared"];
    for text in [
        "const it: Plugin = {\n  load() { return '' },\n}\n",
        "export function make(): Plugin {\n  return { name: 'a',\n    load() { return '' },\n  }\n}\n",
        "const it = {\n  load() { return '' },\n} satisfies Plugin\n",
        "const it = {\n  load: function () { return '' },\n} as Plugin\n",
        "run({ name: 'a',\n  load() { return '' },\n})\n",
        "class One implements Plugin {\n  load() { return '' }\n}\n",
    ] {
        let whole = format!("import {{ type Plugin, run }} from './plugin'\n{text}");
        let line = 1 + whole[..whole.find("load").unwrap()].matches('\n').count();
        check(&[PLUGIN, ("made.ts", &whole)], &format!("made.ts:{line}"), &through);
    }
    let other =
        ("made.ts", "import { Other } from 'other'\nconst it: Other = {\n  load() {},\n}\n");
    check(&[PLUGIN, other], "made.ts:3", &[]);
}

#[test]
fn what_a_member_is_by_its_name_alone_is_no_surer_for_what_is_written_for_it() {
    let shape = "export interface Shape {\n  outline(): void\n}\n";
    let made = "import type { Shape } from './shape'\nexport function make(): Shape {\n  return {\n    outline() {},\n  }\n}\n";
    let used = "import { given } from 'elsewhere'\nfunction f(shape) {\n  shape.outline()\n}\n";
    let files = [("shape.ts", shape), ("made.ts", made), ("used.ts", used)];
    check(&files, "shape.ts:2", &["used.ts:3 only"]);
    check(&files, "made.ts:4", &["used.ts:3 only"]);
}

#[test]
fn typescript_members_are_set_and_taken_out_by_name() {
    let made = (
        "made.ts",
        "import { type Plugin, run, Clock } from './plugin'\nconst it: Plugin = { name: 'a' }\nrun({\n  name: 'b',\n})\nconst box: { of: Plugin } = {\n  name: 'no',\n}\nfunction f({ at }: Plugin) {\n  at.tick()\n}\n",
    );
    check(&[PLUGIN, made], "Plugin.name", &["made.ts:2 receiver", "made.ts:4 receiver"]);
    check(&[PLUGIN, made], "Clock.tick", &["made.ts:10 receiver", "plugin.ts:10 receiver"]);
    check(&[PLUGIN, made], "Plugin.at", &["made.ts:9 receiver", "plugin.ts:9 receiver"]);
}

#[test]
fn titles_of_tests_and_methods_of_literals_are_no_names() {
    let files = [
        ("util.ts", "export function merge() {}\n"),
        (
            "util.spec.ts",
            "import { merge } from './util'\ndescribe('merge', () => {\n  test('merge', () => {\n    merge()\n  })\n})\nfunction make() {\n  return {\n    merge() {\n      return merge()\n    },\n  }\n}\n",
        ),
    ];
    check(&files, "util.ts:1", &["util.spec.ts:10 import", "util.spec.ts:4 import"]);
}

#[test]
fn functions_inside_functions_are_values_there() {
    let text = "function all() {\n  const keep = (it) => it\n  return list.filter(keep)\n}\nfunction other(keep) {\n  return keep\n}\n";
    check(&[("a.ts", text)], "a.ts:2", &["a.ts:3 scope"]);
}

#[test]
fn types_that_lead_to_each_other_end() {
    let text = "const a: b.C = b.d\nconst b: a.D = a.c\nconst { e } = e\na.f()\nb.f()\ne.f()\n";
    check(&[("a.ts", text), ("b.ts", "export class F { f() {} g() {} }\n")], "F.g", &[]);
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
fn go_past_parameters_of_functions_without_a_name() {
    let files = [
        ("go.mod", "module example.com/m\n"),
        (
            "mux.go",
            "package m\n\ntype Router interface {\n\tRoute(fn func(r Router))\n}\n\ntype Mux struct{}\n\nfunc (m *Mux) Get(h http.HandlerFunc) {}\nfunc (m *Mux) Route(fn func(r Router)) {}\nfunc (m *Mux) Method(name string) {}\n",
        ),
        (
            "main.go",
            "package m\n\nfunc main() {\n\tr := &Mux{}\n\tr.Get(func(w http.ResponseWriter, r *http.Request) {\n\t\tprint(r.Method)\n\t})\n\tr.Get(nil)\n\tr.Route(func(r Router) {\n\t\tr.Route(nil)\n\t})\n}\n\nfunc one(r Router) { r.Route(nil) }\n",
        ),
    ];
    check(&files, "Mux.Get", &["main.go:5 receiver", "main.go:8 receiver"]);
    check(&files, "Mux.Method", &[]);
    check(&files, "Mux.Route", &["main.go:9 receiver"]);
    check(&files, "Router.Route", &["main.go:10 receiver", "main.go:14 receiver"]);
}

#[test]
fn types_of_one_name_in_two_packages_of_go_are_two() {
    let stall = |package: &str, method: &str| {
        format!(
            "package {package}\n\ntype Stall struct{{}}\n{method}\nfunc paint(s *Stall) {{ s.Paint() }}\n"
        )
    };
    let (one, other) = (stall("one", ""), stall("other", "func (s *Stall) Paint() {}"));
    let files = [("go.mod", "module example.com/m\n"), ("one/a.go", &one), ("other/b.go", &other)];
    check(&files, "Stall.Paint", &["other/b.go:5 receiver"]);
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

/// A crate of one file, and what is found of a symbol in it.
#[track_caller]
fn check_rust(text: &str, symbol: &str, expected: &[&str]) {
    let files = [("Cargo.toml", "[package]\nname = \"m\"\n"), ("src/lib.rs", text)];
    let expected: Vec<String> = expected.iter().map(|it| format!("src/lib.rs:{it}")).collect();
    check(&files, symbol, &expected.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn rust_in_what_macros_are_given() {
    check_rust(
        "fn used(n: u8) -> u8 {\n    n\n}\ncfg_on! {\n    pub struct Gate;\n    impl Gate {\n        pub fn shut(&self) {\n            used(1);\n        }\n    }\n}\nfn f(gate: Gate) {\n    assert_eq!(used(2), gate.shut());\n    select! { _ = used(3) => gate.shut() }\n    let v = vec![used(4); 2];\n}\n",
        "used",
        &["13 scope", "14 scope", "15 scope", "8 scope"],
    );
    let gate = "cfg_on! {\n    pub struct Gate;\n    impl Gate {\n        pub fn shut(&self) {}\n    }\n}\nfn f(gate: Gate) {\n    assert!(gate.shut());\n    outer!(inner!(gate.shut()));\n}\n";
    check_rust(gate, "Gate::shut", &["8 receiver", "9 receiver"]);
    check_rust(gate, "Gate", &["3 scope", "7 scope"]);
}

#[test]
fn rust_by_module_paths_without_an_import() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"m\"\n"),
        (
            "src/lib.rs",
            "pub mod a;\nmod b;\ncfg_on! {\n    pub mod read;\n    pub use read::read;\n}\npub fn top() {}\n",
        ),
        (
            "src/a.rs",
            "pub fn one() {}\nmod tests {\n    fn t() {\n        super::one();\n        super::super::top();\n    }\n}\n",
        ),
        (
            "src/b.rs",
            "fn f() {\n    crate::a::one();\n    super::a::one();\n    super::top();\n    self::g();\n    map(crate::a::one);\n}\nfn g() {}\n",
        ),
        ("src/read.rs", "pub fn read() {}\n"),
        (
            "tests/all.rs",
            "#[test]\nfn t() {\n    m::a::one();\n    m::read();\n    m::gone();\n}\n",
        ),
    ];
    check(
        &files,
        "src/a.rs:1",
        &[
            "src/a.rs:4 import",
            "src/b.rs:2 import",
            "src/b.rs:3 import",
            "src/b.rs:6 import",
            "tests/all.rs:3 import",
        ],
    );
    check(&files, "top", &["src/a.rs:5 import", "src/b.rs:4 import"]);
    check(&files, "src/b.rs:8", &["src/b.rs:5 import"]);
    check(&files, "src/read.rs:1", &["tests/all.rs:4 import"]);
}

#[test]
fn rust_through_modules_in_files_and_names_that_two_builds_share() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"m-n\"\n"),
        ("src/lib.rs", "mod fake;\nmod user;\npub fn spawn_it() {}\n"),
        ("src/fake/mod.rs", "mod real;\npub use self::real::*;\n"),
        (
            "src/fake/real.rs",
            "pub mod sync {\n    #[cfg(a)]\n    pub use super::super::lock::Lock;\n    #[cfg(not(a))]\n    pub use std::sync::Lock;\n}\n",
        ),
        ("src/fake/lock.rs", "pub struct Lock;\nimpl Lock {\n    pub fn lock(&self) {}\n}\n"),
        (
            "src/user.rs",
            "use crate::fake::sync::Lock;\ncfg_on! { use crate::spawn_it; }\ncfg_off! { fn spawn_it() {} }\nstruct A {\n    state: Lock,\n}\nimpl A {\n    fn f(&self) {\n        self.state.lock();\n        spawn_it();\n    }\n}\n",
        ),
        ("tests/all.rs", "use m_n as n;\nfn t() {\n    n::spawn_it();\n}\n"),
    ];
    check(&files, "Lock::lock", &["src/user.rs:9 receiver"]);
    let listed = [
        ("Cargo.toml", "[package]\nname = \"m\"\n"),
        ("src/lib.rs", "mod a;\nuse a::{Kind, B};\nfn f() {\n    g(Kind::FIRST, B::go);\n}\n"),
        (
            "src/a.rs",
            "pub struct Kind;\nimpl Kind {\n    pub const FIRST: Kind = Kind;\n}\npub struct B;\nimpl B {\n    pub fn go() {}\n}\n",
        ),
    ];
    check(&listed, "Kind::FIRST", &["src/lib.rs:4 receiver"]);
    check(&listed, "B::go", &["src/lib.rs:4 receiver"]);
    check(&files, "src/lib.rs:3", &["src/user.rs:10 import", "tests/all.rs:3 import"]);
}

#[test]
fn what_a_function_imports_is_its_own() {
    let files = [
        ("a.py", "class Thing:\n    pass\n"),
        ("b.py", "class Thing:\n    pass\n"),
        (
            "c.py",
            "def one():\n    from a import Thing\n    Thing()\n\n\ndef two():\n    from b import Thing\n    Thing()\n\n\ndef three():\n    Thing()\n",
        ),
    ];
    check(&files, "a.py:1", &["c.py:3 import"]);
    check(&files, "b.py:1", &["c.py:8 import"]);
}

#[test]
fn rust_by_the_types_that_are_written() {
    let text = "use std::sync::{Arc, Mutex};\npub struct Pump {\n    valve: Arc<Valve>,\n    all: Vec<Valve>,\n    kept: Mutex<Option<Valve>>,\n}\npub struct Valve;\nimpl Valve {\n    pub fn open() -> std::io::Result<Self> {\n        Ok(Self)\n    }\n    fn turn(&self) {}\n}\nfn pair() -> (Pump, Valve) {\n    (made(), Valve)\n}\nstatic MAIN: Valve = Valve;\nimpl Pump {\n    fn valve(&self) -> &Valve {\n        &self.valve\n    }\n    fn run(&mut self) {\n        self.valve.turn();\n        self.valve().turn();\n        for it in self.all.iter() {\n            it.turn();\n        }\n        if let Some(it) = self.kept.lock().unwrap() {\n            it.turn();\n        }\n    }\n}\nfn f(a: &mut Box<Valve>, maybe: Option<Valve>) {\n    a.turn();\n    let b = Valve::open().unwrap();\n    b.turn();\n    let (pump, mut c) = pair();\n    c.turn();\n    pump.valve.turn();\n    let d = Arc::new(c);\n    d.clone().turn();\n    match maybe {\n        Some(e) => e.turn(),\n        None => MAIN.turn(),\n    }\n    let a = other();\n    Valve::turn(&b);\n}\n";
    let lines = ["23", "24", "26", "29", "34", "36", "38", "39", "41", "43", "44", "47"];
    let expected: Vec<String> = lines.iter().map(|line| format!("{line} receiver")).collect();
    check_rust(text, "Valve::turn", &expected.iter().map(String::as_str).collect::<Vec<_>>());
    check_rust(text, "src/lib.rs:19", &["24 receiver"]);
    check_rust(text, "src/lib.rs:9", &["35 receiver"]);
}

#[test]
fn rust_by_traits_bounds_and_what_stands_for_what() {
    let text = "pub trait Wash {\n    fn rinse(&self) {}\n}\npub trait WashExt: Wash {\n    fn twice(&self) {\n        self.rinse();\n    }\n}\nimpl<T: ?Sized> WashExt for T where T: Wash {}\npub struct Cup;\nimpl Wash for Cup {}\nstruct Held(Cup);\nimpl std::ops::Deref for Held {\n    type Target = Cup;\n    fn deref(&self) -> &Cup {\n        &self.0\n    }\n}\nfn f<W: Wash>(a: W, b: &dyn Wash, c: impl Wash, d: Cup, e: Held) {\n    a.rinse();\n    b.rinse();\n    c.rinse();\n    d.rinse();\n    e.rinse();\n    d.twice();\n    a.twice();\n}\n";
    check_rust(
        text,
        "Wash::rinse",
        &["20 receiver", "21 receiver", "22 receiver", "23 receiver", "24 receiver", "6 receiver"],
    );
    check_rust(text, "WashExt::twice", &["25 receiver", "26 receiver"]);
}

#[test]
fn rust_extensions_of_traits_from_elsewhere() {
    let text = "use futures::Stream;\npub trait StreamMore: Stream {\n    fn then_all(&self) {}\n}\nimpl<St> StreamMore for St where St: Stream {}\npub struct Iter;\nimpl Stream for Iter {}\nfn iter() -> Iter {\n    Iter\n}\nfn f(a: impl Stream) {\n    iter().then_all();\n    a.then_all();\n}\n";
    check_rust(text, "StreamMore::then_all", &["12 receiver", "13 receiver"]);
}

#[test]
fn rust_names_that_several_things_bear_are_told_apart() {
    let text = "pub struct A {\n    part: B,\n}\npub struct B;\nimpl A {\n    fn part(&self) -> u8 {\n        1\n    }\n    fn call(&self) {\n        self.part();\n        self.part.done();\n        drop(self);\n        ready!();\n        other::ready();\n    }\n}\nimpl B {\n    fn done(&self) {}\n}\nmod other { pub fn ready() {} }\nmacro_rules! ready {\n    () => {};\n}\nfn local() {\n    struct C;\n    impl Drop for C {\n        fn drop(&mut self) {}\n    }\n    drop(C);\n    let x = [C, C];\n}\n";
    check_rust(text, "src/lib.rs:6", &["10 receiver"]);
    check_rust(text, "B::done", &["11 receiver"]);
    check_rust(text, "other::ready", &["14 receiver"]);
    check_rust(text, "src/lib.rs:21", &["13 scope"]);
    check_rust(text, "src/lib.rs:27", &[]);
    check_rust(text, "src/lib.rs:25", &["26 scope", "29 scope", "30 scope"]);
}

#[test]
fn rust_types_of_one_name_in_two_modules_are_two() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"m\"\n"),
        ("src/lib.rs", "pub mod a;\npub mod b;\n"),
        (
            "src/a.rs",
            "pub struct Sender;\nimpl Sender {\n    pub fn close_it(&self) {}\n}\npub fn channel() -> (Sender, u8) {\n    (Sender, 0)\n}\n",
        ),
        ("src/b.rs", "pub struct Sender;\nimpl Sender {\n    pub fn close_it(&self) {}\n}\n"),
        (
            "tests/all.rs",
            "use m::{a, b};\nfn t(x: b::Sender, z: Unknown) {\n    let (tx, _) = a::channel();\n    tx.close_it();\n    x.close_it();\n    what().close_it();\n    z.close_it();\n}\n",
        ),
    ];
    check(&files, "src/a.rs:3", &["tests/all.rs:4 receiver", "tests/all.rs:6?"]);
    check(&files, "src/b.rs:3", &["tests/all.rs:5 receiver", "tests/all.rs:6?"]);
    check(&files, "src/b.rs:1", &["src/b.rs:2 scope", "tests/all.rs:2 import"]);
}

#[test]
fn a_class_goes_by_its_name_inside_itself_too() {
    let writer = "package a;\npublic class Writer {\n  public Writer(int size) {}\n  Writer name() {\n    return new Writer(1);\n  }\n}\n";
    let tree = "package a;\nclass Tree extends Writer {\n  Tree() { super(2); }\n  Writer end() { return this; }\n}\n";
    let files = [("a/Writer.java", writer), ("a/Tree.java", tree)];
    check(
        &files,
        "a/Writer.java:2",
        &[
            "a/Tree.java:2 scope",
            "a/Tree.java:4 scope",
            "a/Writer.java:4 scope",
            "a/Writer.java:5 scope",
        ],
    );
    check(&files, "a/Writer.java:3", &[]);
}

#[test]
fn classes_of_one_name_in_two_java_files_lend_each_other_nothing() {
    let plain =
        "package a;\nclass One {\n  static class Sub {\n    String name = shown();\n  }\n}\n";
    let other = "package a;\nclass Two {\n  static class Sub {\n    String shown() { return \"\"; }\n  }\n}\n";
    check(&[("a/One.java", plain), ("a/Two.java", other)], "Sub.shown", &[]);
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

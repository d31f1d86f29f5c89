//! Links and the graph of symbols at rest: the same however they came to be, made again when lost.

use std::fs;

use wherein_engine::graph::ask::{Target, find, references::references};

use crate::damage::DAMAGES;
use crate::project::{Project, files_under};

/// Two packages that use each other, tests and prose about them.
const FILES: &[(&str, &str)] = &[
    ("shop/__init__.py", "from .cart import Cart\n"),
    (
        "shop/cart.py",
        "from shop.items import Item\n\n\nclass Cart:\n    def add(self, name):\n        return Item(name)\n",
    ),
    ("shop/items.py", "class Item:\n    def __init__(self, name):\n        self.name = name\n"),
    ("tests/test_cart.py", "from shop import Cart\n\n\ndef test_add():\n    Cart().add('x')\n"),
    ("README.md", "See [the cart](shop/cart.py) and `Cart.add()`.\n"),
];

fn project() -> Project {
    let project = Project::empty();
    for (path, text) in FILES {
        project.write(path, text);
    }
    project.settle();
    project.refresh();
    project
}

/// Uses of `Item`, links and ranks: everything a question could show.
fn picture(project: &Project) -> Vec<String> {
    let snapshot = project.snapshot();
    let subject = find(&snapshot, &Target::Name("Item".to_owned())).unwrap();
    let found = references(&snapshot, &subject, 100).unwrap();
    let mut picture: Vec<String> =
        found.uses.iter().map(|it| format!("{}:{} {:?}", it.path, it.line, it.how)).collect();
    let links = snapshot.links().unwrap();
    for (position, file) in snapshot.manifest.files.iter().enumerate() {
        let imports: Vec<u32> = links.imports(position).collect();
        let rank = links.rank(position);
        picture.push(format!(
            "{} {imports:?} {rank} {}",
            file.path,
            snapshot.rank_of_file(position)
        ));
    }
    picture
}

/// Files of links and graphs by their content, whatever their names.
fn contents(project: &Project) -> Vec<Vec<u8>> {
    let mut files = files_under(&project.place.graph());
    files.sort();
    files.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn damage_to_the_graph_is_noticed_and_repaired() {
    let project = project();
    let expected = picture(&project);
    assert!(expected[0].starts_with("shop/cart.py:6"), "{expected:?}");
    let whole = contents(&project);
    assert_eq!(whole.len(), 2, "links and symbols");
    for number in 0..2 {
        for (damage, apply) in DAMAGES {
            project.settle();
            let mut files = files_under(&project.place.graph());
            files.sort();
            apply(&files[number]);
            assert_eq!(picture(&project), expected, "{number} {damage}");
            assert_eq!(contents(&project), whole, "{number} {damage}");
        }
    }
}

#[test]
fn a_graph_kept_up_to_date_is_the_graph_made_from_nothing() {
    let project = project();
    picture(&project);
    project.write("shop/extra.py", "from shop import items\n\nitems.Item('y')\n");
    project.write("shop/stock/__init__.py", "");
    project.rename("shop/items.py", "shop/stock/items.py");
    project.write("shop/cart.py", FILES[1].1.replace("shop.items", "shop.stock.items"));
    project.remove("README.md");
    project.settle();
    project.refresh();
    let kept = picture(&project);
    assert!(kept.iter().any(|line| line.starts_with("shop/cart.py:6")), "{kept:?}");
    let fresh = project.elsewhere();
    fresh.refresh();
    assert_eq!(kept, picture(&fresh));
}

#[test]
fn a_file_that_moved_takes_its_links_along() {
    let project = project();
    let before = picture(&project);
    assert!(before.iter().any(|line| line.starts_with("tests/test_cart.py [")), "{before:?}");
    project.write("checks/README.md", "");
    project.rename("tests/test_cart.py", "checks/test_cart.py");
    project.settle();
    project.refresh();
    let snapshot = project.snapshot();
    let moved = snapshot.position(snapshot.file_at("checks/test_cart.py").unwrap().id).unwrap();
    let imported: Vec<&str> = snapshot
        .links()
        .unwrap()
        .imports(moved)
        .map(|file| snapshot.manifest.files[file as usize].path.as_str())
        .collect();
    assert_eq!(imported, ["shop/__init__.py"]);
}

#[test]
fn an_empty_tree_has_an_empty_graph() {
    let project = Project::empty();
    project.refresh();
    let snapshot = project.snapshot();
    assert_eq!((snapshot.links().unwrap().files(), snapshot.symbols().unwrap().count()), (0, 0));
    assert_eq!(snapshot.symbols().unwrap().named("x"), Vec::<u32>::new());
}

#[test]
fn what_a_killed_writer_left_is_tidied_and_what_changes_nothing_is_kept() {
    let project = project();
    picture(&project);
    let whole = contents(&project);
    fs::write(project.place.graph().join("1-2.new"), "half").unwrap();
    fs::write(project.place.graph().join("symbols-0-0-0"), "whole, but never named").unwrap();
    project.write("notes.bin", [0, 159, 146, 150]);
    project.settle();
    project.refresh();
    picture(&project);
    assert_eq!(contents(&project).len(), whole.len());
}

#[test]
fn importers_are_counted_in_steps() {
    let project = project();
    let snapshot = project.snapshot();
    let of = |path: &str| snapshot.position(snapshot.file_at(path).unwrap().id).unwrap();
    let importers = |steps| {
        let found = snapshot.importers(of("shop/items.py"), steps).unwrap();
        let named = found
            .into_iter()
            .map(|(file, steps)| format!("{} {steps}", snapshot.manifest.files[file].path));
        named.collect::<Vec<_>>()
    };
    assert_eq!(importers(1), ["shop/cart.py 1"]);
    assert_eq!(
        importers(9),
        ["shop/cart.py 1", "README.md 2", "shop/__init__.py 2", "tests/test_cart.py 3"]
    );
    let rank = |path| snapshot.rank_of_file(of(path));
    assert!(rank("shop/items.py") > rank("tests/test_cart.py"));
}

/// Changes a file; whether the links were made anew, and that they are those of the tree either way.
#[track_caller]
fn check_links(path: &str, text: &str, is_new: bool) {
    let project = project();
    project.write("web/package.json", "{\"name\": \"web\", \"imports\": {\"#a\": \"./a.js\"}}\n");
    project.write("web/a.js", "export const a = 1;\n");
    project.write("web/b.js", "import { a } from '#a';\n");
    project.settle();
    project.refresh();
    let name = || project.snapshot().manifest.links.unwrap().name;
    let before = name();
    project.write(path, text);
    project.settle();
    project.refresh();
    assert_eq!(name() != before, is_new, "{path}");
    let other = project.elsewhere();
    other.refresh();
    assert_eq!(picture(&project), picture(&other), "{path}");
    let unresolved = |project: &Project| {
        let snapshot = project.snapshot();
        snapshot.links().unwrap().unresolved(&snapshot.manifest.files)
    };
    assert_eq!(unresolved(&project), unresolved(&other), "{path}");
}

#[test]
fn links_are_made_anew_only_where_an_import_may_mean_something_else() {
    let cart = "from shop.items import Item\n\n\nclass Cart:\n    def add(self):\n        pass\n";
    check_links("shop/cart.py", cart, false);
    check_links("README.md", "See [the cart](shop/cart.py), or [nothing](gone.py).\n", true);
    check_links("shop/cart.py", &cart.replace("shop.items", "shop.gone"), true);
    check_links("shop/new.py", "import shop\n", true);
    check_links("web/package.json", "{\"name\": \"web\"}\n", true);
}

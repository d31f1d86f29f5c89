//! What a question's text alone does to the page: names, files, frames, messages, filters.

use wherein_engine::search::query::{Mode, Query};
use wherein_engine::search::why::why;
use wherein_engine::{Error, Meaning};

use crate::project::{Project, search, spans};

const SHOP: &[(&str, &str)] = &[
    (
        "shop/cart.py",
        "class Cart:\n    def add_item(self, item):\n        self.items.append(item)\n\n    def total(self):\n        return sum(item.price for item in self.items)\n",
    ),
    (
        "shop/checkout.py",
        "from shop.cart import Cart\n\n\ndef pay(cart):\n    cart.add_item(fee())\n    total = cart.total()\n    if total < 0:\n        raise ValueError(f\"cannot pay {total} of cart {cart.id} now\")\n    return total\n",
    ),
    ("shop/store/memory.py", "def remember(key, value):\n    MEMORY[key] = value\n"),
    (
        "tests/test_cart.py",
        "from shop.cart import Cart\n\n\ndef test_add_item():\n    cart = Cart()\n    cart.add_item('pear')\n    assert cart.total() == 1\n",
    ),
    ("docs/cart.md", "# Cart\n\nThe total of a cart may be 0% off, see `add_item`.\n"),
];

fn shop() -> Project {
    let project = Project::empty();
    for (path, text) in SHOP {
        project.write(path, text);
    }
    project
}

/// The first hit's path.
#[track_caller]
fn check_first(question: &str, expected: &str) {
    let answer = shop().ask(&Query::new(question));
    assert_eq!(answer.hits.first().map(|hit| hit.path.as_str()), Some(expected), "{question}");
}

/// The paths of all hits, in the order of the alphabet.
#[track_caller]
fn check_all(question: &str, expected: &[&str]) {
    let answer = shop().ask(&Query { limit: 100, ..Query::new(question) });
    let mut paths: Vec<&str> = answer.hits.iter().map(|hit| hit.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths, expected, "{question}");
}

#[test]
fn a_name_leads_to_its_definition() {
    for name in ["add_item", "addItem", "Cart.add_item", "where is add_item defined?"] {
        check_first(name, "shop/cart.py");
    }
}

#[test]
fn a_piece_of_a_name_or_a_slip_leads_to_it() {
    for name in ["rememb", "remembr", "rememebr"] {
        check_first(name, "shop/store/memory.py");
    }
}

#[test]
fn a_prototype_gives_way_to_the_body_and_what_is_inline_does_not() {
    let project = Project::empty();
    project.write(
        "a.h",
        "int push(struct ring *r, int v);\ninline int pop(struct ring *r) { return r->v; }\n",
    );
    project.write("ring.c", "int push(struct ring *r, int v) {\n    r->v = v;\n    return 0;\n}\n");
    project.write("test/mock.c", "int pop(struct ring *r) { return 0; }\n");
    for (name, expected) in
        [("push", &[("a.h", 0.7), ("ring.c", 1.0)]), ("pop", &[("a.h", 1.0), ("test/mock.c", 1.0)])]
    {
        let answer = project.ask(&Query { explain: true, ..Query::new(name) });
        let scored = answer
            .hits
            .iter()
            .filter_map(|hit| Some((hit.path.as_str(), hit.channels.get("definitions")?.score)));
        let mut scored: Vec<_> = scored.collect();
        scored.sort_by(|a, b| a.0.cmp(b.0));
        assert_eq!(scored, expected, "{name}");
    }
}

#[test]
fn a_path_leads_to_its_file() {
    check_first("store/memory", "shop/store/memory.py");
    check_first("checkout.py", "shop/checkout.py");
}

#[test]
fn the_innermost_frame_of_the_tree_comes_first() {
    check_first(
        "Traceback (most recent call last):\n  File \"/srv/x/shop/checkout.py\", line 5, in pay\n    \
         cart.add_item(fee())\n  File \"/srv/x/shop/cart.py\", line 3, in add_item\n    \
         self.items.append(item)\n  File \"/usr/lib/python3/collections.py\", line 9, in append\n\
         AttributeError: items",
        "shop/cart.py",
    );
    // What the message speaks of is not where it happened, and of a failure's causes the last is.
    check_first(
        "Traceback (most recent call last):\n  File \"/srv/x/shop/cart.py\", line 6, in total\n    \
         sum()\nFileNotFoundError: 'docs/cart.md'",
        "shop/cart.py",
    );
    check_first("ValueError: cannot pay in /srv/x/shop/checkout.py:8", "shop/checkout.py");
}

#[test]
fn the_line_that_is_asked_for_is_the_best_one() {
    let answer = shop().ask(&Query::new("shop/checkout.py:5"));
    assert_eq!(
        (answer.hits[0].path.as_str(), answer.hits[0].best_lines[0]),
        ("shop/checkout.py", 5)
    );
}

#[test]
fn a_hit_is_called_by_the_symbol_asked_for() {
    for (question, symbol) in
        [("Cart", "Cart"), ("Cart.total", "Cart.total"), ("total", "Cart.total")]
    {
        let answer = shop().ask(&Query::new(question));
        assert_eq!(answer.hits[0].symbol.as_deref(), Some(symbol), "{question}");
    }
}

#[test]
fn a_message_leads_to_the_line_that_prints_it() {
    check_first("ERROR shop - cannot pay -3 of cart 17 now", "shop/checkout.py");
}

#[test]
fn filters_in_the_text_narrow_the_page() {
    check_all("cart lang:markdown", &["docs/cart.md"]);
    check_all("cart path:tests", &["tests/test_cart.py"]);
    check_all("cart kind:class", &["shop/cart.py"]);
    check_all("total symbol:pay", &["shop/checkout.py"]);
    check_all("symbol:remember", &["shop/store/memory.py"]);
    check_all("symbol:Cart.total", &["shop/cart.py"]);
    check_all("symbol:Till.total", &[]);
    check_all("item -pear", &["docs/cart.md", "shop/cart.py", "shop/checkout.py"]);
}

#[test]
fn text_in_quotes_is_found_as_it_is_even_in_the_middle_of_words() {
    check_all("\"0% off\"", &["docs/cart.md"]);
    check_all("\"dd_item('pe\"", &["tests/test_cart.py"]);
    check_all("\"'pear')\"", &["tests/test_cart.py"]);
    check_all("\"…\"", &[]);
    check_all("\"0%\" \"…\"", &["docs/cart.md"]);
}

#[test]
fn text_in_quotes_that_stands_nowhere_narrows_nothing_and_is_said_to() {
    let answer = shop().ask(&Query::new("\"the cart of nobody\""));
    let reason = "none of the searched files holds \"the cart of nobody\" as it is";
    assert_eq!(answer.nothing_because.as_deref(), Some(reason));
    assert!(!answer.hits.is_empty());
}

#[test]
fn values_in_a_message_are_no_filters() {
    let message = "Cannot pay the \"total\" of a cart that holds \"pear\" now";
    check_first(message, "shop/checkout.py");
}

#[test]
fn an_empty_page_names_the_filter_that_emptied_it() {
    for (question, reason) in [
        ("\"no such text\"", "none of the searched files holds \"no such text\" as it is"),
        (
            "\"cart\" path:nowhere",
            "none of the 5 indexed files is in the given scope, languages and paths",
        ),
        ("cart kind:macro", "nothing that matches passes the filters in the question"),
    ] {
        let answer = shop().ask(&Query::new(question));
        assert_eq!(answer.nothing_because.as_deref(), Some(reason), "{question}");
    }
}

#[test]
fn nothing_but_filters_is_an_error_that_says_so() {
    let project = shop();
    project.refresh();
    let asked = search(&project.snapshot(), &Query::new("lang:python kind:class"));
    assert!(matches!(asked, Err(Error::OnlyFilters)), "{asked:?}");
}

#[test]
fn a_silent_channel_gives_nothing() {
    let silent = |names: &[&str]| {
        let without = names.iter().map(|name| name.to_string()).collect();
        shop().ask(&Query { without, explain: true, ..Query::new("rememb") })
    };
    assert_eq!(spans(&silent(&[])), ["shop/store/memory.py:1-2"]);
    assert_eq!(spans(&silent(&["symbols"])), [""; 0]);
}

#[test]
fn why_says_where_a_span_stands_and_what_it_lacks() {
    let project = shop();
    project.refresh();
    let index = project.snapshot();
    let ask = |path: &str, line, query: &Query| {
        why(&index, &Meaning::Off("words are enough here"), path, line, query)
    };
    let query = Query { mode: Mode::Lexical, ..Query::new("add_item price") };
    let first = ask("shop/cart.py", Some(2), &query).unwrap();
    assert_eq!((first.span.on_page, first.first.is_none()), (Some(1), true), "{first:?}");
    let other = ask("docs/cart.md", None, &query).unwrap();
    assert!(other.missing.iter().any(|word| word.starts_with("pric")), "{other:?}");
    assert_eq!(other.first.unwrap().path, "shop/cart.py");
    let outside = Query { languages: vec!["rust".to_owned()], ..query.clone() };
    assert!(ask("shop/cart.py", None, &outside).unwrap().because.contains("not in the scope"));
    let nowhere = ask("shop/store/memory.py", None, &query).unwrap();
    assert_eq!(nowhere.span.on_page, None);
    assert!(matches!(ask("shop/cart.py", Some(99), &query), Err(Error::NoText { .. })));
}

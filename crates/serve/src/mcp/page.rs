//! As many items as fit into a number of tokens, as text.
//!
//! How many items are named is decided first: as many as have room for their heads in a fourth of
//! the page, or for all of their lines in all of it. Then their lines take the rest in the order of
//! the items; the first that has no room is cut to its best lines, the others are named only. What
//! must be whole and has no room is left for the next page.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::answer::{Found, Item, Manner};
use super::seen::Seen;
use super::tokens::count_line;

/// The part of a page that heads may take, where lines have to give way to them.
const HEADS: f32 = 4.0;
/// Fewer tokens than this are no room for lines.
const LEAST: f32 = 24.0;
/// A gap is a line of its own, and the head names the lines on both sides of it.
const GAP_COST: f32 = 8.0;
/// Stands for lines that are left out.
const GAP: &str = "…";
/// Marks a span whose lines were shown before.
const SEEN: &str = " (seen)";
const ABOUT_SEEN: &str = "(seen): shown earlier in this conversation; read it to see it again";

/// A page.
#[derive(Debug)]
pub struct Page {
    pub text: String,
    /// How many items it shows.
    pub shown: usize,
    /// The same for programs.
    pub facts: Vec<Value>,
}

/// Writes the items from `from` on. What is said before and after them comes in `found`; `room` is
/// what all of it may take.
pub fn write(found: &Found, from: usize, room: f32, seen: &mut Seen) -> Page {
    let items = &found.items[from.min(found.items.len())..];
    let frame: f32 = found.notes.iter().chain(&found.last).map(|line| count_line(line)).sum();
    let mut parcels: Vec<Parcel> = Vec::new();
    for item in items {
        let before = parcels.last().map(|parcel| parcel.item);
        parcels.push(Parcel::of(item, before, seen));
    }
    let about_seen = parcels.iter().any(|it| it.is_seen).then_some(ABOUT_SEEN);
    let frame = frame + about_seen.map_or(0.0, count_line);
    let room = (room - frame).max(0.0);
    parcels.truncate(how_many(&parcels, room));
    let mut left = room - parcels.iter().map(|it| it.head_cost).sum::<f32>();
    for parcel in &mut parcels {
        left -= parcel.fill(left);
    }
    parcels.iter().for_each(|parcel| parcel.remember(seen));
    let about_seen = about_seen.filter(|_| parcels.iter().any(|it| it.is_seen));
    let groups: Vec<&[Parcel]> = parcels.chunk_by(|_, next| next.continues).collect();
    let mut lines: Vec<String> = found.notes.clone();
    lines.extend(groups.iter().map(|group| text(group)));
    lines.extend(found.last.iter().cloned());
    lines.extend(about_seen.map(str::to_owned));
    Page {
        text: lines.join("\n"),
        shown: parcels.len(),
        facts: groups.iter().map(|group| facts(group)).collect(),
    }
}

/// The longest list whose heads fit into their part, or the longest that fits with all its lines.
/// One at least is shown, however little of it.
fn how_many(parcels: &[Parcel], room: f32) -> usize {
    let fitting = |cost: &dyn Fn(&Parcel) -> f32, room: f32| {
        let mut used = 0.0;
        let mut fits = |parcel: &&Parcel| {
            used += cost(parcel);
            used <= room
        };
        parcels.iter().take_while(|parcel| fits(parcel)).count()
    };
    let whole = fitting(&|it| it.head_cost + it.body_cost, room);
    // What must be whole ends the list of those that are only named.
    let named = |it: &Parcel| match it.item.manner {
        Manner::Short => it.head_cost,
        Manner::Whole | Manner::Line => f32::INFINITY,
    };
    let named = fitting(&named, room / HEADS);
    whole.max(named).max(usize::from(!parcels.is_empty()))
}

/// An item with what it costs.
struct Parcel<'i> {
    item: &'i Item,
    is_seen: bool,
    /// Whether it is the next line of the file that is before it.
    continues: bool,
    head_cost: f32,
    body_cost: f32,
    /// The lines that are shown.
    lines: BTreeSet<u32>,
}

impl<'i> Parcel<'i> {
    fn of(item: &'i Item, before: Option<&Item>, seen: &Seen) -> Parcel<'i> {
        let is_seen = item.manner == Manner::Short
            && item.path.as_ref().is_some_and(|path| seen.has(path, &item.lines));
        let continues = before.is_some_and(|before| item.continues(before));
        let head_cost = match item.manner {
            _ if continues => 0.0,
            Manner::Line => count_line(&item.head) + 6.0,
            _ if is_seen => count_line(&item.head) + 3.0,
            _ => count_line(&item.head),
        };
        let body_cost = match is_seen {
            true => 0.0,
            false => item.lines.iter().map(|(_, line)| count_line(line)).sum(),
        };
        Parcel { item, is_seen, continues, head_cost, body_cost, lines: BTreeSet::new() }
    }

    /// Shows what fits. Says what it took.
    fn fill(&mut self, left: f32) -> f32 {
        if self.body_cost <= left {
            if !self.is_seen {
                self.lines = self.item.lines.iter().map(|(n, _)| *n).collect();
            }
            return self.body_cost;
        }
        if left < LEAST { 0.0 } else { self.cut(left) }
    }

    /// Shows the first line and those nearest to the best ones that fit.
    fn cut(&mut self, left: f32) -> f32 {
        let best = &self.item.best;
        let distance = |line: u32| best.iter().map(|it| it.abs_diff(line)).min();
        let mut order: Vec<&(u32, String)> = self.item.lines.iter().collect();
        let first = order.first().map_or(0, |(n, _)| *n);
        if !best.is_empty() {
            order.sort_by_key(|(n, _)| (*n != first, distance(*n), *n));
        }
        let (mut lines, mut taken, mut chosen) = (0.0, 0.0, BTreeSet::new());
        for (n, line) in order {
            chosen.insert(*n);
            let cost = lines + count_line(line);
            let with_gaps = cost + GAP_COST * runs(&chosen).len() as f32;
            if with_gaps <= left {
                (lines, taken) = (cost, with_gaps);
            } else {
                chosen.remove(n);
            }
        }
        // A gap of one short line would take as much room as the line.
        let is_gap = |(n, line): &&(u32, String)| {
            chosen.contains(&(n - 1)) && chosen.contains(&(n + 1)) && count_line(line) <= GAP_COST
        };
        let gaps: Vec<u32> = self.item.lines.iter().filter(is_gap).map(|(n, _)| *n).collect();
        self.lines = chosen.into_iter().chain(gaps).collect();
        taken
    }

    fn head(&self) -> String {
        let head = &self.item.head;
        if self.is_seen {
            return format!("{head}{SEEN}");
        }
        match self.is_cut() {
            true => format!("{head} [lines {}]", named(&runs(&self.lines))),
            false => head.clone(),
        }
    }

    fn is_cut(&self) -> bool {
        !self.lines.is_empty() && self.lines.len() < self.item.lines.len()
    }

    fn remember(&self, seen: &mut Seen) {
        if let Some(path) = &self.item.path {
            seen.add(path, &self.shown().cloned().collect::<Vec<_>>());
        }
    }

    fn shown(&self) -> impl Iterator<Item = &(u32, String)> {
        self.item.lines.iter().filter(|(n, _)| self.lines.contains(n))
    }
}

/// What is shown under one head, with gaps where lines are left out.
fn text(group: &[Parcel]) -> String {
    let mut text = head(group);
    let mut before = None;
    for (n, line) in group.iter().flat_map(Parcel::shown) {
        if before.is_some_and(|before| before + 1 < *n) {
            text.push_str(&format!("\n{GAP}"));
        }
        text.push('\n');
        text.push_str(line);
        before = Some(*n);
    }
    text
}

fn head(group: &[Parcel]) -> String {
    match span(group) {
        Some((path, first, last)) => format!("{path}:{first}-{last}"),
        None => group[0].head(),
    }
}

/// Path, first and last line of lines that follow each other.
fn span<'g>(group: &'g [Parcel]) -> Option<(&'g str, u32, u32)> {
    let number = |parcel: &Parcel| parcel.item.lines.first().map(|(n, _)| *n);
    let (first, last) = (number(group.first()?)?, number(group.last()?)?);
    (group[0].item.manner == Manner::Line).then_some((&group[0].item.head, first, last))
}

fn facts(group: &[Parcel]) -> Value {
    let parcel = &group[0];
    let mut facts: Map<String, Value> = parcel.item.facts.clone();
    if let Some((path, first, last)) = span(group) {
        facts.extend([
            ("path".to_owned(), json!(path)),
            ("start_line".to_owned(), json!(first)),
            ("end_line".to_owned(), json!(last)),
        ]);
    }
    if facts.is_empty() {
        facts.insert("line".to_owned(), json!(parcel.item.head));
    }
    if parcel.is_seen {
        facts.insert("seen".to_owned(), json!(true));
    }
    if parcel.is_cut() {
        facts.insert("shown".to_owned(), json!(runs(&parcel.lines)));
    }
    let lines: Vec<&str> =
        group.iter().flat_map(Parcel::shown).map(|(_, line)| line.as_str()).collect();
    if !lines.is_empty() {
        facts.insert("text".to_owned(), json!(lines.join("\n")));
    }
    Value::Object(facts)
}

/// First and last of each run of consecutive numbers.
fn runs(lines: &BTreeSet<u32>) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => runs.push((line, line)),
        }
    }
    runs
}

fn named(runs: &[(u32, u32)]) -> String {
    let run = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::answer::numbered;
    use crate::mcp::tokens::real;

    fn span(path: &str, lines: usize, manner: Manner) -> Item {
        let text: Vec<String> =
            (0..lines).map(|n| format!("    let value_{n} = compute(input, {n});")).collect();
        Item {
            head: format!("{path}:11-{} function compute", 10 + lines),
            path: Some(path.to_owned()),
            lines: numbered(&text.join("\n"), 11),
            best: vec![15],
            manner,
            facts: Map::new(),
        }
    }

    fn found(items: Vec<Item>) -> Found {
        Found { items, ..Found::default() }
    }

    /// What becomes of each item: `w`hole, `p`art, by `h`ead, or `s`een before.
    #[track_caller]
    fn check(items: Vec<Item>, room: u32, expected: &str) {
        let all = items.clone();
        let page = write(&found(items), 0, room as f32, &mut Seen::default());
        let state = |(facts, item): (&Value, &Item)| match (facts.get("text"), facts.get("shown")) {
            _ if facts.get("seen").is_some() => 's',
            (None, _) if item.lines.is_empty() => 'w',
            (None, _) => 'h',
            (_, Some(_)) => 'p',
            _ => 'w',
        };
        let states: String = page.facts.iter().zip(&all).map(state).collect();
        assert_eq!(states, expected, "{}", page.text);
        assert_eq!(page.shown, states.len());
        assert!(real(&page.text) <= room as usize, "{} of {room}", real(&page.text));
    }

    #[test]
    fn lines_go_to_the_first_and_others_are_named() {
        let spans = |n: usize| (0..n).map(|n| span(&format!("src/{n}.rs"), 20, Manner::Short));
        check(spans(3).collect(), 2000, "www");
        check(spans(3).collect(), 500, "wph");
        check(spans(3).collect(), 130, "ph");
        check(spans(40).collect(), 300, "phhhhh");
        check(vec![span("a.rs", 4, Manner::Short)], 60, "p");
    }

    #[test]
    fn what_must_be_whole_waits_for_the_next_page() {
        let blocks = |n: usize| (0..n).map(|n| span(&format!("src/{n}.rs"), 20, Manner::Whole));
        check(blocks(3).collect(), 700, "ww");
        check(blocks(3).collect(), 200, "p");
        check((0..9).map(|n| Item::line(format!("src/a.rs:{n}: x"))).collect(), 40, "wwww");
    }

    #[test]
    fn lines_of_a_file_share_a_head_and_go_on_where_they_stopped() {
        let text = (0..30).map(|n| format!("call({n});")).collect::<Vec<_>>().join("\n");
        let line = |it: (u32, String)| Item {
            path: Some("a.rs".to_owned()),
            lines: vec![it],
            manner: Manner::Line,
            ..Item::line("a.rs")
        };
        let found = found(numbered(&text, 5).into_iter().map(line).collect());
        let mut shown = 0;
        let mut all = Vec::new();
        while shown < found.items.len() {
            let page = write(&found, shown, 50.0, &mut Seen::default());
            assert!(page.text.starts_with(&format!("a.rs:{}-", shown + 5)), "{}", page.text);
            assert_eq!((page.facts.len(), page.text.lines().count()), (1, page.shown + 1));
            assert!(real(&page.text) <= 50);
            all.extend(page.text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>());
            shown += page.shown;
        }
        assert_eq!(all.join("\n"), text);
    }

    #[test]
    fn a_cut_span_shows_its_first_line_and_its_best_ones() {
        let page = write(
            &found(vec![span("src/a.rs", 40, Manner::Short)]),
            0,
            120.0,
            &mut Seen::default(),
        );
        assert!(page.text.starts_with("src/a.rs:11-50 function compute [lines 11"), "{page:?}");
        assert!(page.text.contains("value_4 ="), "the best line: {}", page.text);
        assert_eq!(
            page.facts[0]["text"].as_str().unwrap().lines().next().unwrap().trim_start(),
            "let value_0 = compute(input, 0);"
        );
    }

    #[test]
    fn what_was_shown_is_referred_to_and_read_again_if_asked() {
        let mut seen = Seen::default();
        let items = || found(vec![span("a.rs", 5, Manner::Short), span("b.rs", 5, Manner::Short)]);
        let first = write(&items(), 0, 1000.0, &mut seen);
        assert!(!first.text.contains("seen"), "{}", first.text);
        let again = write(&items(), 0, 1000.0, &mut seen);
        assert_eq!(again.text.matches(SEEN).count(), 2, "{}", again.text);
        assert!(again.text.ends_with(ABOUT_SEEN) && !again.text.contains("value_"));
        let read = write(&found(vec![span("a.rs", 5, Manner::Whole)]), 0, 1000.0, &mut seen);
        assert!(read.text.contains("value_4"), "{}", read.text);
    }
}

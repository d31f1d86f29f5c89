//! Runs patterns over a syntax tree in one walk.
//!
//! Every way a pattern can match is reported, except that an optional or repeated part takes as
//! much as it can. The order of the reports is that of the tree, then of the file.

use std::ops::Range;

use crate::pattern::{ERROR, Kinds, NodeShape, Pattern, Predicate, Step, Test, Times, What};
use crate::syntax::{Node, Syntax};

/// Patterns ready to run, sorted by the kind of node they start at.
#[derive(Debug)]
pub struct Matcher {
    patterns: Vec<Pattern>,
    /// For each symbol id the patterns that can start there.
    by_kind: Vec<Vec<u16>>,
    at_error: Vec<u16>,
    anywhere: Vec<u16>,
}

/// What a match captured: pairs of capture number and node, in the order of the pattern.
pub type Captures<'t> = Vec<(usize, &'t Node)>;

/// Siblings looked at after the first node of a pattern that spans several, or of a repeated part:
/// matching goes a level down the stack for each.
const MOST_SIBLINGS: usize = 64;

/// Siblings that may stand between two parts of a node. A list of many thousands would otherwise
/// be gone through again from each of its members.
const MOST_BETWEEN: usize = 200;

impl Matcher {
    /// Sorts patterns by where they can start. `kinds` is the number of symbol ids of the grammar.
    pub fn new(patterns: Vec<Pattern>, kinds: usize) -> Matcher {
        let mut matcher = Matcher {
            patterns,
            by_kind: vec![Vec::new(); kinds],
            at_error: Vec::new(),
            anywhere: Vec::new(),
        };
        for number in 0..matcher.patterns.len() {
            let mut starts = Vec::new();
            let bounded = starts_of(&matcher.patterns[number].steps[0], &mut starts);
            starts.sort_unstable();
            starts.dedup();
            match bounded {
                false => matcher.anywhere.push(number as u16),
                true => starts.into_iter().for_each(|kind| matcher.list(kind).push(number as u16)),
            }
        }
        matcher
    }

    fn list(&mut self, kind: u16) -> &mut Vec<u16> {
        if kind == ERROR { &mut self.at_error } else { &mut self.by_kind[kind as usize] }
    }

    /// Reports every match in a tree as the pattern's number and its captures.
    pub fn run<'t>(
        &self,
        syntax: &'t Syntax,
        text: &str,
        mut report: impl FnMut(usize, &Captures<'t>),
    ) {
        let mut trail = Trail { captures: Captures::new(), syntax };
        // The way down to the node at hand: on each level the node that is next, and its siblings.
        let mut way = vec![std::slice::from_ref(syntax.root())];
        while let Some(siblings) = way.last_mut() {
            let [node, rest @ ..] = *siblings else {
                way.pop();
                continue;
            };
            let near = &siblings[..siblings.len().min(MOST_SIBLINGS)];
            for pattern in self.starting_at(node.kind()) {
                run_at(pattern, near, &mut trail, text, &mut report);
            }
            *siblings = rest;
            let children = syntax.children(node);
            if !children.is_empty() {
                way.push(children);
            }
        }
    }

    fn starting_at(&self, kind: u16) -> impl Iterator<Item = &Pattern> {
        let here = self.by_kind.get(kind as usize).unwrap_or(&self.at_error);
        here.iter().chain(&self.anywhere).map(|&number| &self.patterns[number as usize])
    }
}

/// Runs a pattern at the first of some siblings.
fn run_at<'t>(
    pattern: &Pattern,
    siblings: &'t [Node],
    trail: &mut Trail<'t>,
    text: &str,
    report: &mut impl FnMut(usize, &Captures<'t>),
) {
    let mut found = |trail: &mut Trail<'t>| {
        let captures = &trail.captures;
        let holds = pattern.predicates.iter().all(|predicate| holds(predicate, captures, text));
        if holds {
            report(pattern.number, captures);
        }
        holds
    };
    match pattern.steps.as_slice() {
        [step] => {
            one(step, &siblings[0], trail, &mut found);
        }
        // The first step must match the node we stand on, or each start would be found again from
        // every node before it.
        steps => {
            sequence(steps, siblings, 0, Place::At, trail, &mut found);
        }
    }
}

/// Collects the kinds a step can start at; false if it can start anywhere.
fn starts_of(step: &Step, kinds: &mut Vec<u16>) -> bool {
    match &step.what {
        What::Node(NodeShape { kinds: Kinds::These(ids), .. }) => {
            kinds.extend(ids);
            true
        }
        What::Node(_) => false,
        What::OneOf(steps) => steps.iter().all(|step| starts_of(step, kinds)),
        What::Group(steps) => steps.first().is_some_and(|step| starts_of(step, kinds)),
    }
}

/// What a match has found so far, and where.
struct Trail<'t> {
    captures: Captures<'t>,
    syntax: &'t Syntax,
}

/// What to do once a part has matched. Says whether the rest matched too.
type Then<'a, 't> = &'a mut dyn FnMut(&mut Trail<'t>) -> bool;

/// Matches one step against one node.
fn one<'t>(step: &Step, child: &'t Node, trail: &mut Trail<'t>, then: Then<'_, 't>) -> bool {
    if step.field.is_some_and(|field| field != child.field()) {
        return false;
    }
    let before = trail.captures.len();
    trail.captures.extend(step.captures.iter().map(|&capture| (capture, child)));
    let matched = match &step.what {
        What::Node(shape) => node(shape, child, trail, then),
        What::OneOf(steps) => {
            let mut any = false;
            for alternative in steps {
                any |= one(alternative, child, trail, then);
            }
            any
        }
        What::Group(steps) => {
            sequence(steps, std::slice::from_ref(child), 0, Place::At, trail, then)
        }
    };
    trail.captures.truncate(before);
    matched
}

fn node<'t>(shape: &NodeShape, child: &'t Node, trail: &mut Trail<'t>, then: Then<'_, 't>) -> bool {
    let kind_fits = match &shape.kinds {
        Kinds::Any => !child.is_error(),
        Kinds::AnyNamed => child.is_named() && !child.is_error(),
        Kinds::These(ids) => ids.iter().any(|&id| id == child.kind()),
        Kinds::Missing => child.is_missing(),
    };
    if !kind_fits {
        return false;
    }
    let children = trail.syntax.children(child);
    let has = |field: &u16| children.iter().any(|child| child.field() == *field);
    if shape.without.iter().any(has) {
        return false;
    }
    if shape.children.is_empty() {
        return then(trail);
    }
    let end = if shape.anchored_end { Place::Last } else { Place::Anywhere };
    sequence_to(&shape.children, children, 0, Place::Anywhere, end, trail, then)
}

/// Where the next step, or the end, must be.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Anywhere,
    /// On the very node at hand.
    At,
    /// After the last named child.
    Last,
}

fn sequence<'t>(
    steps: &[Step],
    children: &'t [Node],
    from: usize,
    first: Place,
    trail: &mut Trail<'t>,
    then: Then<'_, 't>,
) -> bool {
    sequence_to(steps, children, from, first, Place::Anywhere, trail, then)
}

/// Matches steps against children in order, trying every child a step could be.
fn sequence_to<'t>(
    steps: &[Step],
    children: &'t [Node],
    from: usize,
    first: Place,
    end: Place,
    trail: &mut Trail<'t>,
    then: Then<'_, 't>,
) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        let closed = end != Place::Last || children[from..].iter().all(|child| !child.is_named());
        return closed && then(trail);
    };
    match step.times {
        Times::Once => {
            let mut any = false;
            for at in positions(step, children, from, first) {
                any |= span(step, children, at, trail, &mut |trail, next| {
                    sequence_to(rest, children, next, Place::Anywhere, end, trail, then)
                });
            }
            any
        }
        Times::Optional | Times::Any | Times::AtLeastOnce => {
            let more = step.times != Times::Optional;
            let taken = positions(step, children, from, first).any(|at| {
                span(step, children, at, trail, &mut |trail, next| {
                    let room = next..at + MOST_SIBLINGS;
                    let repeat = more && again(step, rest, children, room, end, trail, then);
                    repeat || sequence_to(rest, children, next, Place::Anywhere, end, trail, then)
                })
            });
            taken
                || (step.times != Times::AtLeastOnce
                    && sequence_to(
                        rest,
                        children,
                        from,
                        first_after_absent(step, rest, first),
                        end,
                        trail,
                        then,
                    ))
        }
    }
}

/// A repeated step may go on with a sibling that follows, while there is room.
fn again<'t>(
    step: &Step,
    rest: &[Step],
    children: &'t [Node],
    room: Range<usize>,
    end: Place,
    trail: &mut Trail<'t>,
    then: Then<'_, 't>,
) -> bool {
    let mut starts =
        positions(step, children, room.start, Place::Anywhere).take_while(|at| room.contains(at));
    starts.any(|at| {
        span(step, children, at, trail, &mut |trail, next| {
            again(step, rest, children, next..room.end, end, trail, then)
                || sequence_to(rest, children, next, Place::Anywhere, end, trail, then)
        })
    })
}

/// An anchor on a part that is absent holds for the part after it.
fn first_after_absent(step: &Step, rest: &[Step], first: Place) -> Place {
    let passes_on = step.anchored && rest.first().is_some_and(|next| next.anchored);
    if passes_on || first == Place::At { first } else { Place::Anywhere }
}

/// Matches a step at a child and says after which child it ends.
fn span<'t>(
    step: &Step,
    children: &'t [Node],
    at: usize,
    trail: &mut Trail<'t>,
    then: &mut dyn FnMut(&mut Trail<'t>, usize) -> bool,
) -> bool {
    match &step.what {
        What::Group(steps) if step.captures.is_empty() && steps.len() > 1 => {
            let mut any = false;
            for end in at + 1..=children.len() {
                any |= sequence_to(
                    steps,
                    &children[..end],
                    at,
                    Place::At,
                    Place::Last,
                    trail,
                    &mut |trail| then(trail, end),
                );
                if any {
                    break;
                }
            }
            any
        }
        _ => one(step, &children[at], trail, &mut |trail| then(trail, at + 1)),
    }
}

/// The children a step may be matched with.
fn positions<'c>(
    step: &Step,
    children: &'c [Node],
    from: usize,
    first: Place,
) -> impl Iterator<Item = usize> + use<'c> {
    let last = match (first, step.anchored) {
        (Place::At, _) => from + 1,
        (_, true) if skips_anonymous(step) => {
            let skipped = children[from..].iter().take_while(|child| !child.is_named()).count();
            from + skipped + 1
        }
        (_, true) => from + 1,
        (_, false) if from == 0 => children.len(),
        (_, false) => from + MOST_BETWEEN,
    };
    from..last.min(children.len())
}

/// An anchor before a named node does not mind punctuation in between.
fn skips_anonymous(step: &Step) -> bool {
    match &step.what {
        What::Node(shape) => !matches!(shape.kinds, Kinds::Any),
        What::OneOf(steps) => steps.iter().all(skips_anonymous),
        What::Group(steps) => steps.first().is_some_and(skips_anonymous),
    }
}

fn holds(predicate: &Predicate, captures: &Captures, text: &str) -> bool {
    let text_of = |node: &Node| text.get(node.byte_range()).unwrap_or_default();
    let mut captured = captures.iter().filter(|(capture, _)| *capture == predicate.capture);
    captured.all(|&(_, node)| {
        let text = text_of(node);
        let found = match &predicate.test {
            Test::AnyOf(strings) => strings.iter().any(|string| string == text),
            Test::Matches(regex) => regex.is_match(text),
            Test::SameAs(other) => {
                captures.iter().any(|&(capture, node)| capture == *other && text_of(node) == text)
            }
        };
        found == predicate.expected
    })
}

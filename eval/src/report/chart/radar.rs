//! Several shares of several runs as polygons around a centre of 0, the rim being 1.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::super::html::{Markup, element};
use super::{Anchor, Drawing, Point, Px, line, run_class, text};

/// What is drawn.
pub struct Radar {
    /// Names of the axes, clockwise from the top; three or more.
    pub axes: Vec<String>,
    /// One polygon a run.
    pub polygons: Vec<Polygon>,
}

/// A run's shares.
pub struct Polygon {
    /// The run.
    pub label: String,
    /// Its place in the palette.
    pub colour: usize,
    /// One for each axis.
    pub shares: Vec<f64>,
}

const SIZE: Point = (380.0, 290.0);
const CENTRE: Point = (190.0, 180.0);
const RADIUS: f64 = 150.0;
const RINGS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// Draws the rings, the axes, and the polygons in their order.
pub fn draw(radar: &Radar) -> Markup {
    let rings = RINGS.iter().map(|share| ring(radar.axes.len(), *share));
    let axes = radar.axes.iter().enumerate().flat_map(|(axis, name)| spoke(radar, axis, name));
    let polygons = radar.polygons.iter().map(polygon);
    let scale = RINGS.iter().map(|share| {
        let at = corner(0, radar.axes.len(), *share);
        text("tick", (at.0 + 5.0, at.1 + 11.0), Anchor::Start, share.to_string())
    });
    let drawing = Drawing {
        size: SIZE,
        title: format!("Radar chart of {}", radar.axes.join(", ")),
        description: radar.polygons.iter().map(|polygon| words(radar, polygon)).collect(),
    };
    drawing.svg(rings.chain(axes).chain(polygons).chain(scale).collect())
}

fn ring(axes: usize, share: f64) -> Markup {
    let corners = points((0..axes).map(|axis| corner(axis, axes, share)));
    element("polygon", &[("class", &"ring"), ("points", &corners)], Markup::default())
}

/// An axis and its name, which stands beyond the rim.
fn spoke(radar: &Radar, axis: usize, name: &str) -> [Markup; 2] {
    let rim = corner(axis, radar.axes.len(), 1.0);
    let beyond = if rim.1 < CENTRE.1 { -10.0 } else { 20.0 };
    let name = text("name", (rim.0, rim.1 + beyond), Anchor::Middle, name);
    [line("grid", CENTRE, rim), name]
}

fn polygon(polygon: &Polygon) -> Markup {
    let axes = polygon.shares.len();
    let corners: Vec<Point> =
        polygon.shares.iter().enumerate().map(|(axis, share)| corner(axis, axes, *share)).collect();
    let title = element("title", &[], polygon.label.as_str());
    let outline = points(corners.iter().copied());
    let area = element("polygon", &[("class", &"mark"), ("points", &outline)], [title]);
    let dots = corners.iter().map(|at| {
        element(
            "circle",
            &[("class", &"dot"), ("cx", &Px(at.0)), ("cy", &Px(at.1)), ("r", &3)],
            Markup::default(),
        )
    });
    element(
        "g",
        &[("class", &run_class(polygon.colour))],
        std::iter::once(area).chain(dots).collect::<Vec<_>>(),
    )
}

/// Where a share of an axis lies. A published NDCG can exceed 1; it is drawn on the rim.
fn corner(axis: usize, axes: usize, share: f64) -> Point {
    let angle = TAU * axis as f64 / axes as f64 - FRAC_PI_2;
    let radius = RADIUS * share.clamp(0.0, 1.0);
    (CENTRE.0 + radius * angle.cos(), CENTRE.1 + radius * angle.sin())
}

fn points(corners: impl Iterator<Item = Point>) -> String {
    corners.map(|(x, y)| format!("{},{}", Px(x), Px(y))).collect::<Vec<_>>().join(" ")
}

fn words(radar: &Radar, polygon: &Polygon) -> String {
    let shares = radar.axes.iter().zip(&polygon.shares);
    let shares: Vec<String> = shares.map(|(axis, share)| format!("{axis} {share:.3}")).collect();
    format!("{}: {}. ", polygon.label, shares.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radar(shares: [f64; 3]) -> String {
        let axes = ["mrr@10", "a<b", "recall@10"].map(str::to_owned).to_vec();
        let label = "<script>".to_owned();
        let polygons = vec![Polygon { label, colour: 1, shares: shares.to_vec() }];
        draw(&Radar { axes, polygons }).into_string()
    }

    #[track_caller]
    fn check(shares: [f64; 3], corners: &str) {
        let drawn = radar(shares);
        let expected = format!("<polygon class=\"mark\" points=\"{corners}\">");
        assert!(drawn.contains(&expected), "{drawn}");
    }

    #[test]
    fn shares_lie_on_their_axes() {
        // The lower corners lie at 190 ± 150 cos 30° and 180 + 150 sin 30°.
        check([1.0, 1.0, 1.0], "190,30 319.9,255 60.1,255");
        check([0.5, 0.0, 1.0], "190,105 190,180 60.1,255");
        check([0.0, 0.0, 0.0], "190,180 190,180 190,180");
    }

    #[test]
    fn more_than_all_is_drawn_on_the_rim() {
        check([1.2, 0.0, 0.0], "190,30 190,180 190,180");
    }

    #[test]
    fn names_are_escaped_and_told_to_those_who_cannot_see() {
        let drawn = radar([1.0, 0.25, 0.0]);
        assert!(!drawn.contains("<script>"), "{drawn}");
        let described =
            "<desc>&lt;script&gt;: mrr@10 1.000, a&lt;b 0.250, recall@10 0.000. </desc>";
        assert!(drawn.contains(described), "{drawn}");
        assert!(drawn.contains("y=\"20\" text-anchor=\"middle\">mrr@10</text>"), "{drawn}");
        assert!(drawn.contains("y=\"275\" text-anchor=\"middle\">a&lt;b</text>"), "{drawn}");
    }
}

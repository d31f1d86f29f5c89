//! How long answers took: a panel a run over one axis of time, which is logarithmic because a
//! slow answer takes many times as long as a quick one.

use super::super::html::Markup;
use super::{Anchor, Drawing, Point, WIDTH, block, line, text};

/// The answers of one run.
pub struct Panel {
    /// The run and what to say about it.
    pub label: String,
    /// Its place in the palette.
    pub colour: usize,
    /// How long each answer took, in milliseconds.
    pub latencies: Vec<f64>,
    /// Points of time to mark: a full line, and a dashed one.
    pub marks: [f64; 2],
}

const PLOT: (f64, f64) = (48.0, WIDTH - 16.0);
const LABEL: f64 = 22.0;
const HEIGHT: f64 = 80.0;
const BELOW: f64 = 14.0;
const TICKS: f64 = 24.0;

/// More panels than this would be cut by the edge of a printed page.
const PANELS: usize = 9;

/// Draws the panels one below the other, over the same times, in pieces that fit a printed page.
pub fn draw(panels: &[Panel]) -> Vec<Markup> {
    let times = Times::of(panels.iter().flat_map(|panel| &panel.latencies).copied());
    panels.chunks(PANELS).map(|panels| piece(panels, &times)).collect()
}

fn piece(panels: &[Panel], times: &Times) -> Markup {
    let bottom = panels.len() as f64 * (LABEL + HEIGHT + BELOW);
    let ticks = times.ticks();
    let grid =
        ticks.iter().map(|tick| line("grid", (times.x(*tick), 0.0), (times.x(*tick), bottom)));
    let panels_drawn = panels.iter().enumerate().flat_map(|(n, panel)| draw_panel(panel, n, times));
    let labels = ticks
        .iter()
        .map(|tick| text("tick", (times.x(*tick), bottom + 14.0), Anchor::Middle, duration(*tick)));
    let drawing = Drawing {
        size: (WIDTH, bottom + TICKS),
        title: "Histogram of latencies".to_owned(),
        description: panels.iter().map(|panel| format!("{}. ", panel.label)).collect(),
    };
    drawing.svg(grid.chain(panels_drawn).chain(labels).collect())
}

fn draw_panel(panel: &Panel, number: usize, times: &Times) -> Vec<Markup> {
    let top = number as f64 * (LABEL + HEIGHT + BELOW) + LABEL;
    let foot = top + HEIGHT;
    let counts = times.counts(&panel.latencies);
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let height = |count: usize| HEIGHT * count as f64 / most as f64;
    let mut parts = vec![text("name", (PLOT.0, top - 8.0), Anchor::Start, panel.label.as_str())];
    for (bin, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let (from, to) = (times.edge(bin), times.edge(bin + 1));
        let corner = (times.x(from) + 0.5, foot - height(*count));
        let size = (times.x(to) - times.x(from) - 1.0, height(*count));
        let words =
            format!("{count} of {}: {} to {}", panel.latencies.len(), duration(from), duration(to));
        parts.push(block(panel.colour, corner, size, words));
    }
    for (class, mark) in ["median", "slow"].into_iter().zip(panel.marks) {
        parts.push(line(class, (times.x(mark), top), (times.x(mark), foot)));
    }
    parts.push(line("axis", (PLOT.0, foot), (PLOT.1, foot)));
    parts.extend(scale(most, top, foot));
    parts
}

/// The highest block's count, so that heights mean something.
fn scale(most: usize, top: f64, foot: f64) -> [Markup; 2] {
    let at = |y: f64| -> Point { (PLOT.0 - 6.0, y + 4.0) };
    [text("tick", at(top), Anchor::End, most.to_string()), text("tick", at(foot), Anchor::End, "0")]
}

/// The axis of time, cut into bins.
struct Times {
    /// The first bin's lower edge, in bins from one millisecond.
    first: i32,
    bins: usize,
}

/// Bins in a factor of ten.
const PER_DECADE: f64 = 10.0;
/// Fewer bins would blow up a difference of nothing.
const FEWEST: usize = 10;
/// Latencies are written to a thousandth; what rounds to 0 is drawn here.
const QUICKEST: f64 = 0.001;

impl Times {
    fn of(latencies: impl Iterator<Item = f64>) -> Times {
        let bins: Vec<i32> = latencies.map(bin).collect();
        let (first, last) = (bins.iter().min().copied(), bins.iter().max().copied());
        let (mut first, last) = (first.unwrap_or(0), last.unwrap_or(0));
        let mut bins = (last - first + 1) as usize;
        if bins < FEWEST {
            first -= ((FEWEST - bins) / 2) as i32;
            bins = FEWEST;
        }
        Times { first, bins }
    }

    fn counts(&self, latencies: &[f64]) -> Vec<usize> {
        let mut counts = vec![0; self.bins];
        for latency in latencies {
            counts[(bin(*latency) - self.first) as usize] += 1;
        }
        counts
    }

    /// The time at which a bin begins.
    fn edge(&self, bin: usize) -> f64 {
        10f64.powf((f64::from(self.first) + bin as f64) / PER_DECADE)
    }

    /// Where a time lies; one beyond the axis lies at its end.
    fn x(&self, time: f64) -> f64 {
        let bins = time.max(QUICKEST).log10() * PER_DECADE - f64::from(self.first);
        PLOT.0 + (PLOT.1 - PLOT.0) * (bins / self.bins as f64).clamp(0.0, 1.0)
    }

    /// Round times within the axis; fewer of them on a long one.
    fn ticks(&self) -> Vec<f64> {
        let (from, to) = (self.edge(0) * (1.0 - 1e-9), self.edge(self.bins) * (1.0 + 1e-9));
        let steps: &[f64] = if self.bins > 40 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let decades = (-3..=7).map(|exponent| 10f64.powi(exponent));
        let all = decades.flat_map(|decade| steps.iter().map(move |step| step * decade));
        all.filter(|time| (from..=to).contains(time)).collect()
    }
}

fn bin(latency: f64) -> i32 {
    // The edges are powers, which rounding may put a hair above the time they stand for.
    (latency.max(QUICKEST).log10() * PER_DECADE + 1e-9).floor() as i32
}

/// A time in the unit a reader expects.
pub fn duration(milliseconds: f64) -> String {
    let (amount, unit) =
        if milliseconds < 1000.0 { (milliseconds, "ms") } else { (milliseconds / 1000.0, "s") };
    let digits = if amount < 9.95 { 2 } else { 0 };
    let amount = format!("{amount:.digits$}");
    let amount = if amount.contains('.') {
        amount.trim_end_matches('0').trim_end_matches('.')
    } else {
        &amount
    };
    format!("{amount} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(latencies: &[f64]) -> Panel {
        let marks = [1.0, 10.0];
        Panel { label: "<dense>".to_owned(), colour: 2, latencies: latencies.to_vec(), marks }
    }

    fn drawn(panels: &[Panel]) -> String {
        draw(panels).into_iter().map(Markup::into_string).collect()
    }

    #[track_caller]
    fn check(latencies: &[f64], expected: &[&str]) {
        let drawn = drawn(&[panel(latencies)]);
        for part in expected {
            assert!(drawn.contains(part), "no {part} in {drawn}");
        }
    }

    #[test]
    fn blocks_stand_at_their_times_and_are_as_high_as_their_counts() {
        // Eleven bins of 77.8 from 1 ms on: plot 48 to 904. The higher block reaches 22, the top.
        check(
            &[1.0, 1.1, 10.0],
            &[
                "<rect class=\"block run-2 dash-0\" x=\"48.5\" y=\"22\" width=\"76.8\" height=\"80\">",
                "<title>2 of 3: 1 ms to 1.26 ms</title>",
                "x=\"826.7\" y=\"62\" width=\"76.8\" height=\"40\">",
                "<title>1 of 3: 10 ms to 13 ms</title>",
                "<line class=\"median\" x1=\"48\" y1=\"22\" x2=\"48\" y2=\"102\">",
                "<line class=\"slow\" x1=\"826.2\"",
                "text-anchor=\"end\">2</text>",
            ],
        );
    }

    #[test]
    fn equal_times_are_one_block_in_the_middle() {
        // Ten bins from four below: the fifth begins at 48 + 4 × 85.6.
        check(&[5.0; 3], &["x=\"390.9\" y=\"22\" width=\"84.6\" height=\"80\"", ">5 ms</text>"]);
    }

    #[test]
    fn no_time_at_all_is_drawn_all_the_same() {
        check(&[0.0], &["<title>1 of 1: 0 ms to 0 ms</title>"]);
        check(&[], &["<line class=\"axis\""]);
    }

    #[test]
    fn labels_are_escaped() {
        check(&[1.0], &["<desc>&lt;dense&gt;. </desc>", ">&lt;dense&gt;</text>"]);
    }

    #[test]
    fn panels_follow_one_another_over_one_axis() {
        let drawn = drawn(&[panel(&[1.0]), panel(&[8.0])]);
        assert!(drawn.contains("viewBox=\"0 0 920 256\""), "{drawn}");
        assert!(drawn.contains("x=\"48.5\" y=\"22\""), "{drawn}");
        assert!(drawn.contains("x=\"818.9\" y=\"138\""), "{drawn}");
    }

    #[test]
    fn many_panels_are_spread_over_pieces_with_the_same_times() {
        let mut panels: Vec<Panel> = (0..PANELS).map(|_| panel(&[1.0])).collect();
        panels.push(panel(&[8.0]));
        let pieces = draw(&panels);
        assert_eq!(pieces.len(), 2);
        let second = pieces[1].clone().into_string();
        assert!(second.contains("x=\"818.9\" y=\"22\""), "{second}");
    }

    #[test]
    fn ticks_are_round_and_not_too_many() {
        let ticks = |from, to| Times::of([from, to].into_iter()).ticks();
        assert_eq!(ticks(1.0, 12.0), [1.0, 2.0, 5.0, 10.0]);
        assert_eq!(ticks(0.1, 5000.0), [0.1, 1.0, 10.0, 100.0, 1000.0]);
    }

    #[test]
    fn durations_read_naturally() {
        let times = [0.5, 1.26, 10.0, 100.0, 126.4, 1000.0, 2500.0];
        let expected = ["0.5 ms", "1.26 ms", "10 ms", "100 ms", "126 ms", "1 s", "2.5 s"];
        assert_eq!(times.map(duration), expected);
    }
}

//! A metric by repository, language or whatever else: a bar with its interval for each run.

use super::super::html::Markup;
use super::super::tables::amount;
use super::{Anchor, Drawing, WIDTH, block, line, shortened, text};
use crate::stats::Interval;

/// What is drawn.
pub struct Bars {
    /// What the figures are.
    pub metric: String,
    /// What a row is.
    pub axis: String,
    /// Names of the runs and their places in the palette, in the order of [`Row::figures`].
    pub runs: Vec<(usize, String)>,
    /// From top to bottom.
    pub rows: Vec<Row>,
}

/// One repository, one language.
#[derive(Clone)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// How many questions it has.
    pub questions: usize,
    /// Its figure in each run that has one.
    pub figures: Vec<Option<Interval>>,
}

/// The height of a bar with the space below it.
const PITCH: f64 = 15.0;
const BAR: f64 = 11.0;
/// Between rows.
const GAP: f64 = 8.0;
/// Above the first row: the scale.
const HEAD: f64 = 22.0;
/// A drawing higher than this would be cut by the edge of a printed page.
const HIGHEST: f64 = 1100.0;
/// Room for one figure with its interval, at the right.
const FIGURES: f64 = 156.0;
/// A character of a name in the widest of common fonts, and the most of them that are shown.
const CHARACTER: f64 = 8.0;
const NAME: usize = 30;

/// Draws as many pieces as it takes for each to fit a printed page.
pub fn draw(bars: &Bars) -> Vec<Markup> {
    let scale = Scale::of(bars);
    let row = row_height(bars);
    let pieces = (bars.rows.len() as f64 * row / (HIGHEST - HEAD)).ceil().max(1.0) as usize;
    let rows_each = bars.rows.len().div_ceil(pieces).max(1);
    bars.rows.chunks(rows_each).map(|rows| piece(bars, rows, &scale)).collect()
}

fn row_height(bars: &Bars) -> f64 {
    bars.runs.len() as f64 * PITCH + GAP
}

fn piece(bars: &Bars, rows: &[Row], scale: &Scale) -> Markup {
    let height = row_height(bars);
    let bottom = HEAD + rows.len() as f64 * height;
    let ticks = scale.ticks().into_iter().flat_map(|tick| {
        let x = scale.x(tick);
        let label = text("tick", (x, HEAD - 8.0), Anchor::Middle, tick.to_string());
        [line("grid", (x, HEAD - 4.0), (x, bottom)), label]
    });
    let rows_drawn = rows.iter().enumerate().flat_map(|(number, row)| {
        let top = HEAD + number as f64 * height + GAP / 2.0;
        draw_row(bars, row, top, scale)
    });
    let drawing = Drawing {
        size: (WIDTH, bottom),
        title: format!("{} by {}", bars.metric, bars.axis),
        description: rows.iter().flat_map(|row| words_of_row(bars, row)).collect(),
    };
    drawing.svg(ticks.chain(rows_drawn).collect())
}

fn draw_row(bars: &Bars, row: &Row, top: f64, scale: &Scale) -> Vec<Markup> {
    let middle = top + (row_height(bars) - GAP) / 2.0;
    let name = label(row);
    let mut parts = vec![text("name", (scale.left - 8.0, middle + 3.0), Anchor::End, name)];
    for (number, ((colour, run), figure)) in bars.runs.iter().zip(&row.figures).enumerate() {
        if let Some(figure) = figure {
            let top = top + number as f64 * PITCH;
            parts.extend(bar(*colour, *figure, top, scale, words(row, run, *figure)));
        }
    }
    parts
}

/// The bar, its interval with a stop at either end, and the figure in digits.
fn bar(colour: usize, figure: Interval, top: f64, scale: &Scale, words: String) -> [Markup; 5] {
    let Interval { mean, low, high } = figure;
    let middle = top + BAR / 2.0;
    let stop = |x: f64| line("interval", (x, middle - 3.0), (x, middle + 3.0));
    let [mean_x, low_x, high_x] = [mean, low, high].map(|figure| scale.x(figure));
    let digits = format!("{} ({} to {})", amount(mean), short(low), short(high));
    [
        block(colour, (scale.left, top), (mean_x - scale.left, BAR), words),
        line("interval", (low_x, middle), (high_x, middle)),
        stop(low_x),
        stop(high_x),
        text("tick", (WIDTH, top + BAR - 1.0), Anchor::End, digits),
    ]
}

/// The ends of an interval are less sure than its middle.
fn short(figure: f64) -> String {
    format!("{figure:.2}")
}

fn label(row: &Row) -> String {
    format!("{} · {}", shortened(&row.name, NAME), row.questions)
}

fn words(row: &Row, run: &str, figure: Interval) -> String {
    let Interval { mean, low, high } = figure;
    format!("{}, {run}: {mean:.3} ({low:.3} to {high:.3})", row.name)
}

fn words_of_row(bars: &Bars, row: &Row) -> Vec<String> {
    let told = bars.runs.iter().zip(&row.figures);
    told.filter_map(|((_, run), figure)| Some(words(row, run, (*figure)?) + ". ")).collect()
}

/// From figures to places.
struct Scale {
    left: f64,
    right: f64,
    /// The figure at the right end.
    top: f64,
}

impl Scale {
    /// Shares reach to 1, whatever they are; points and lengths to the next whole number.
    fn of(bars: &Bars) -> Scale {
        let longest = bars.rows.iter().map(|row| label(row).chars().count()).max().unwrap_or(0);
        let highest = bars.rows.iter().flat_map(|row| row.figures.iter().flatten());
        let highest = highest.map(|figure| figure.high).fold(1.0, f64::max);
        // Rounding may leave a hair above 1.
        let top = (highest - 1e-9).ceil();
        Scale { left: longest as f64 * CHARACTER + 16.0, right: WIDTH - FIGURES - 8.0, top }
    }

    fn x(&self, figure: f64) -> f64 {
        self.left + (self.right - self.left) * figure / self.top
    }

    fn ticks(&self) -> Vec<f64> {
        (0..=4).map(|part| self.top * f64::from(part) / 4.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, figures: &[Option<f64>]) -> Row {
        let interval = |mean: f64| Interval { mean, low: (mean - 0.1).max(0.0), high: mean + 0.1 };
        let figures = figures.iter().map(|figure| figure.map(interval)).collect();
        Row { name: name.to_owned(), questions: 7, figures }
    }

    fn bars(rows: Vec<Row>) -> Bars {
        let runs = ["a", "b"].map(str::to_owned).into_iter().enumerate();
        let runs = runs.take(rows[0].figures.len()).collect();
        Bars { metric: "mrr@10".to_owned(), axis: "repository".to_owned(), runs, rows }
    }

    #[track_caller]
    fn check(rows: Vec<Row>, expected: &[&str]) {
        let drawn: String = draw(&bars(rows)).into_iter().map(Markup::into_string).collect();
        for part in expected {
            assert!(drawn.contains(part), "no {part} in {drawn}");
        }
    }

    #[test]
    fn bars_are_as_long_as_their_figures() {
        // "ripgrep · 7" has 11 characters: the plot is 104 to 756, that is 652 wide.
        check(
            vec![row("ripgrep", &[Some(0.5)])],
            &[
                "viewBox=\"0 0 920 45\"",
                "<rect class=\"block run-0 dash-0\" x=\"104\" y=\"26\" width=\"326\" height=\"11\">",
                "<line class=\"interval\" x1=\"364.8\" y1=\"31.5\" x2=\"495.2\" y2=\"31.5\">",
                "text-anchor=\"end\">ripgrep · 7</text>",
                "text-anchor=\"end\">0.500 (0.40 to 0.60)</text>",
                "<desc>ripgrep, a: 0.500 (0.400 to 0.600). </desc>",
            ],
        );
    }

    #[test]
    fn a_figure_that_a_run_lacks_leaves_its_place_empty() {
        let drawn = draw(&bars(vec![row("x", &[None, Some(0.5)])]));
        let drawn = drawn.into_iter().next().unwrap().into_string();
        assert_eq!(drawn.matches("<rect").count(), 1);
        assert!(drawn.contains("class=\"block run-1 dash-0\" x=\"56\" y=\"41\""), "{drawn}");
    }

    #[test]
    fn points_have_a_longer_scale_than_shares() {
        check(vec![row("x", &[Some(2.25)])], &[">3</text>", ">1.5</text>", "width=\"525\""]);
        check(vec![row("x", &[Some(0.9)])], &[">1</text>", ">0.5</text>"]);
    }

    #[test]
    fn names_are_shortened_and_escaped() {
        let name = format!("<script>{}end", "x".repeat(40));
        check(
            vec![row(&name, &[Some(0.5)])],
            &[
                "text-anchor=\"end\">&lt;script&gt;xxxxxxx…xxxxxxxxxxxend · 7</text>",
                "<title>&lt;script&gt;xxxxxxxxxx",
            ],
        );
    }

    #[test]
    fn forty_repositories_fit_printed_pages() {
        let rows: Vec<Row> = (0..40).map(|n| row(&n.to_string(), &[Some(0.5); 2])).collect();
        let drawn: Vec<String> = draw(&bars(rows)).into_iter().map(Markup::into_string).collect();
        assert_eq!(drawn.len(), 2);
        // Twenty rows of two bars below the scale.
        assert!(drawn.iter().all(|svg| svg.contains("viewBox=\"0 0 920 782\"")), "{drawn:?}");
    }
}

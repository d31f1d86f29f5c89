//! The page, from top to bottom.

use crate::run::Run;

use super::groups::groups;
use super::header::header;
use super::html::{Markup, element, heading};
use super::latency::latency;
use super::limits::limits;
use super::profile::profile;
use super::series::{Series, families, series};
use super::tables::summary;
use super::worst::worst;

const STYLE: &str = include_str!("page.css");

/// What comes before the page's own parts. The policy forbids scripts and every address, so that
/// the page stays what it is wherever it is opened.
const TOP: &str = concat!(
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta http-equiv=\"Content-Security-Policy\" ",
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<title>Evaluation</title>\n<style>\n",
);

/// Runs as one page of HTML that needs no other file.
pub fn page(runs: &[Run]) -> String {
    let series = series(runs);
    let parts = [
        header(&series),
        contents(),
        section(&SUMMARY, by_family(&series, &|family, _| summaries(family))),
        section(&PROFILE, by_family(&series, &|family, _| profile(family))),
        section(&GROUPS, by_family(&series, &|family, _| groups(family))),
        section(&LATENCY, latency(&series)),
        section(&WORST, by_family(&series, &worst)),
        section(&LIMITS, by_family(&series, &limits)),
    ];
    let body = element("body", &[], [element("main", &[], parts)]);
    let page = [
        Markup::fixed(TOP),
        Markup::fixed(STYLE),
        Markup::fixed("</style>\n</head>\n"),
        body,
        Markup::fixed("\n</html>\n"),
    ];
    page.into_iter().collect::<Markup>().into_string()
}

/// A part of the page.
struct Part {
    id: &'static str,
    title: &'static str,
}

const SUMMARY: Part = Part { id: "summary", title: "Summary" };
const PROFILE: Part = Part { id: "profile", title: "Profile" };
const GROUPS: Part = Part { id: "groups", title: "By group" };
const LATENCY: Part = Part { id: "latency", title: "Latency" };
const WORST: Part = Part { id: "worst", title: "Worst questions" };
const LIMITS: Part = Part { id: "limits", title: "What the figures do not cover" };
const PARTS: [&Part; 6] = [&SUMMARY, &PROFILE, &GROUPS, &LATENCY, &WORST, &LIMITS];

fn contents() -> Markup {
    let link = |part: &&Part| {
        let target = format!("#{}", part.id);
        element("li", &[], [element("a", &[("href", &target)], part.title)])
    };
    let links: Markup = PARTS.iter().map(link).collect();
    element("nav", &[("aria-label", &"Parts of this page")], [element("ul", &[], [links])])
}

fn section(part: &Part, content: Markup) -> Markup {
    element("section", &[("id", &part.id)], [element("h2", &[], part.title), content])
}

/// One protocol after the other: their figures mean different things. Headings inside a part begin
/// at the level it is told.
fn by_family(series: &[Series], part: &dyn Fn(&[&Series], usize) -> Markup) -> Markup {
    let families = families(series);
    let several = families.len() > 1;
    let one = |family: &Vec<&Series>| {
        let protocol = family[0].run.settings.protocol.as_str();
        match several {
            true => Markup::from([heading(3, protocol), part(family, 4)]),
            false => part(family, 3),
        }
    };
    families.iter().map(one).collect()
}

/// Intervals side by side invite a conclusion that only pairing the questions allows.
fn summaries(family: &[&Series]) -> Markup {
    let hint = "Intervals that overlap do not mean that two runs are equally good: “wherein eval \
                compare” pairs their questions and says whether a difference is noise.";
    let hint = element("p", &[("class", &"note")], hint);
    let hint = if family.len() > 1 { hint } else { Markup::default() };
    [summary(family), hint].into()
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn two() -> String {
        let figures: Vec<f64> = (0..80).map(|n| f64::from(n % 5) / 4.0).collect();
        page(&[samples::run("lexical", &figures), samples::run("<i>dense", &figures)])
    }

    #[test]
    fn the_page_needs_nothing_else_and_runs_nothing() {
        let page = two();
        for forbidden in
            ["<script", "http://", "https://", "url(", "@import", " src=", "<link", "<i>"]
        {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
    }

    #[test]
    fn every_drawing_has_a_name_and_every_table_a_caption() {
        let page = two();
        let drawings = page.matches("<svg role=\"img\"").count();
        // The radar, two pieces of forty-one repositories, the histogram.
        assert_eq!(drawings, 4);
        let named = page.split("<svg role=\"img\"").skip(1).filter(|svg| {
            svg.split_once('>').is_some_and(|(_, inside)| inside.starts_with("<title>"))
        });
        assert_eq!(named.count(), drawings);
        assert_eq!(page.matches("<table>").count(), page.matches("<caption>").count());
    }

    #[test]
    fn headings_and_links_meet() {
        let page = two();
        for Part { id, title } in PARTS {
            assert!(page.contains(&format!("<a href=\"#{id}\">{title}</a>")), "{id}");
            assert!(page.contains(&format!("<section id=\"{id}\"><h2>{title}</h2>")), "{id}");
        }
        assert_eq!(page.matches("<h1>").count(), 1);
    }

    #[test]
    fn headings_skip_no_level() {
        let mut runs = vec![samples::run("lexical", &[0.0]); 3];
        check(&page(&runs[..1]));
        runs[1].settings.source = "other".to_owned();
        check(&page(&runs[..2]));
        runs[2].settings.protocol = "spans".to_owned();
        check(&page(&runs));

        #[track_caller]
        fn check(page: &str) {
            let levels: Vec<u32> =
                page.split("<h").filter_map(|after| after.chars().next()?.to_digit(10)).collect();
            assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
        }
    }

    #[test]
    fn every_element_is_closed() {
        let page = two();
        for name in ["div", "section", "svg", "table", "tr", "td", "th", "ul", "ol", "li", "g"] {
            let opened = page.matches(&format!("<{name}>")).count()
                + page.matches(&format!("<{name} ")).count();
            assert_eq!(opened, page.matches(&format!("</{name}>")).count(), "{name}");
        }
    }

    #[test]
    fn a_run_without_questions_is_a_page_too() {
        let page = page(&[samples::run("lexical", &[])]);
        assert!(page.contains("0 of 0 questions"), "{page}");
    }

    #[test]
    fn protocols_get_headings_only_if_there_are_several() {
        let mut runs = [samples::run("lexical", &[0.5]), samples::run("lexical", &[0.5])];
        assert!(!page(&runs[..1]).contains("<h3>files</h3>"));
        runs[1].settings.protocol = "spans".to_owned();
        assert_eq!(page(&runs).matches("<h3>spans</h3>").count(), 5);
    }
}

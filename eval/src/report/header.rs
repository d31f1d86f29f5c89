//! The head of the page: what all runs have in common once, and what tells them apart in a table.

use super::chart::run_name;
use super::html::{Markup, Table, element};
use super::series::{Series, fields};

/// Version, machine, date and every other setting.
pub fn header(series: &[Series]) -> Markup {
    let count = match series.len() {
        1 => "one run".to_owned(),
        count => format!("{count} runs"),
    };
    let (common, different) = split(series);
    let told = common.into_iter().map(|(name, value)| {
        element("div", &[], [element("dt", &[], name), element("dd", &[], value)])
    });
    let mut parts = vec![
        element("h1", &[], format!("Evaluation, {count}")),
        element("dl", &[], told.collect::<Markup>()),
    ];
    if series.len() > 1 {
        parts.push(runs(series, &different));
    }
    element("header", &[], parts)
}

/// A setting by its name.
type Field<'r> = (&'r str, &'r str);

/// The settings that are the same in all runs, and the names of the others.
fn split<'r>(series: &[Series<'r>]) -> (Vec<Field<'r>>, Vec<&'r str>) {
    let mut common: Vec<Field> = Vec::new();
    let mut different: Vec<&str> = Vec::new();
    for field in series.iter().flat_map(|one| fields(&one.run.settings)) {
        let everywhere = |one: &Series| fields(&one.run.settings).contains(&field);
        if !series.iter().all(everywhere) {
            push_once(&mut different, field.0);
        } else {
            push_once(&mut common, field);
        }
    }
    (common, different)
}

fn push_once<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn runs(series: &[Series], different: &[&str]) -> Markup {
    let row = |one: &Series| {
        let fields = fields(&one.run.settings);
        let value = |name: &&str| {
            let field = fields.iter().find(|field| field.0 == *name);
            field.map_or("not set", |field| field.1).into()
        };
        let name = run_name(one.colour, &one.label);
        let asked = one.run.summary.questions.to_string().into();
        [name, asked].into_iter().chain(different.iter().map(value)).collect()
    };
    let head = ["run", "asked"].into_iter().chain(different.iter().copied());
    Table {
        caption: "The runs and what was set differently".into(),
        head: head.map(Markup::from).collect(),
        rows: series.iter().map(row).collect(),
    }
    .markup()
}

#[cfg(test)]
mod tests {
    use super::super::{samples, series};
    use super::*;

    #[test]
    fn what_is_common_is_said_once() {
        let mut runs = [samples::run("lexical", &[]), samples::run("dense", &[])];
        runs[1].settings.options.insert("mask".to_owned(), "yes".to_owned());
        let series = series::series(&runs);
        let (common, different) = split(&series);
        assert_eq!(different, ["mode", "mask"]);
        assert!(common.contains(&("machine", "a <fast> machine")));
        let page = header(&series).into_string();
        assert_eq!(page.matches("a &lt;fast&gt; machine").count(), 1);
        assert!(page.contains("<td>not set</td>"), "{page}");
    }
}

//! The graph of the files as text for Graphviz and as a picture.

use std::f64::consts::TAU;
use std::io::{self, Write};

use wherein_engine::graph::ask::export::FileGraph;

/// Graphviz's language; a file's size tells how much depends on it.
pub fn dot(out: &mut impl Write, graph: &FileGraph) -> io::Result<()> {
    writeln!(out, "digraph imports {{")?;
    writeln!(out, "  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];")?;
    for (at, node) in graph.nodes.iter().enumerate() {
        let label = node.path.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(
            out,
            "  n{at} [label=\"{label}\", fontsize={:.0}];",
            10.0 + 14.0 * size(graph, at)
        )?;
    }
    for (from, to) in &graph.edges {
        writeln!(out, "  n{from} -> n{to};")?;
    }
    writeln!(out, "}}")
}

/// Files on a circle in the order of their paths, so that folders stand together.
pub fn svg(out: &mut impl Write, graph: &FileGraph) -> io::Result<()> {
    let count = graph.nodes.len().max(1);
    let radius = (count as f64 * 3.2).max(160.0);
    let middle = radius + 260.0;
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    order.sort_by(|&a, &b| graph.nodes[a].path.cmp(&graph.nodes[b].path));
    let mut angles = vec![0.0; graph.nodes.len()];
    for (place, &node) in order.iter().enumerate() {
        angles[node] = place as f64 / count as f64 * TAU;
    }
    let at =
        |node: usize, r: f64| (middle + r * angles[node].cos(), middle + r * angles[node].sin());
    let width = middle * 2.0;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {width:.0}\" font-family=\"sans-serif\" font-size=\"9\">"
    )?;
    writeln!(out, "<g fill=\"none\" stroke=\"#4878a8\" stroke-opacity=\"0.25\">")?;
    for &(from, to) in &graph.edges {
        let ((x1, y1), (x2, y2)) = (at(from, radius), at(to, radius));
        writeln!(out, "<path d=\"M{x1:.1} {y1:.1}Q{middle:.1} {middle:.1} {x2:.1} {y2:.1}\"/>")?;
    }
    writeln!(out, "</g>")?;
    for (number, node) in graph.nodes.iter().enumerate() {
        let (x, y) = at(number, radius);
        let r = 2.0 + 8.0 * size(graph, number);
        let degrees = angles[number].to_degrees();
        let (turn, anchor) = if (90.0..270.0).contains(&degrees) {
            (degrees + 180.0, "end")
        } else {
            (degrees, "start")
        };
        let (tx, ty) = at(number, radius + r + 4.0);
        let path = escape(&node.path);
        writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"#c8503c\"><title>{path}</title></circle>"
        )?;
        writeln!(
            out,
            "<text transform=\"translate({tx:.1} {ty:.1}) rotate({turn:.1})\" text-anchor=\"{anchor}\" dominant-baseline=\"middle\">{path}</text>"
        )?;
    }
    writeln!(out, "</svg>")
}

/// From 0 to 1 by how much depends on a file, compared with the first.
fn size(graph: &FileGraph, node: usize) -> f64 {
    let most = graph.nodes.first().map_or(1.0, |node| f64::from(node.rank)).max(f64::MIN_POSITIVE);
    (f64::from(graph.nodes[node].rank) / most).sqrt()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

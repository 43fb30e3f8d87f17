//! Two designs beside each other as one image: name, formula, verdict and heatmap of each, in the size that pages show of a link.

use super::picture::Picture;
use super::style::shortened;
use super::svg::{BAD, GOOD, INK, Plot, QUIET, WARNING, cells, escaped, put};
use super::words::say;
use crate::analysis::report::{Report, VerdictSeverity};

/// Pixels of the image.
const SIZE: (usize, usize) = (1200, 630);
/// Pixels between the edge, the panels and each other.
const GAP: usize = 48;
/// Top and height of the heatmaps.
const MAP: (usize, usize) = (222, 320);
/// Characters of a line of a formula, of a verdict, of a name.
const LETTERS: (usize, usize, usize) = (66, 48, 34);
/// Lines of a formula and of a verdict.
const LINES: usize = 2;
/// Bands and columns of a heatmap.
const CELLS: (usize, usize) = (60, 180);

/// A design with its report.
pub struct CardSide<'a> {
    /// Name of the design.
    pub name: &'a str,
    /// Formula of the row key, in canonical form.
    pub rowkey: &'a str,
    /// Where the rows land.
    pub report: &'a Report,
}

/// The image of two designs; `None` when no time is known.
pub fn card(sides: &[CardSide<'_>]) -> Option<String> {
    let (width, height) = SIZE;
    let names: Vec<String> = sides.iter().map(|side| escaped(side.name)).collect();
    let names = names.join(" · ");
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{names}\" font-family=\"system-ui, sans-serif\" font-size=\"15\" fill=\"{INK}\">\n\
         <title>{names}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    let across = (width - 3 * GAP) / 2;
    for (number, side) in sides.iter().enumerate() {
        let left = GAP + number * (across + GAP);
        panel(&mut svg, side, left, across)?;
    }
    let about = escaped(&say("cli.card-axes", &[]));
    put(
        &mut svg,
        format_args!(
            "<text x=\"{GAP}\" y=\"{}\" fill=\"{QUIET}\">{about}</text>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-weight=\"600\">Rowscape</text>\n</svg>\n",
            height - 30,
            width - GAP,
            height - 30
        ),
    );
    Some(svg)
}

fn panel(svg: &mut String, side: &CardSide<'_>, left: usize, across: usize) -> Option<()> {
    let CardSide { name, rowkey, report } = side;
    let picture = Picture::of(report, CELLS.0, CELLS.1)?;
    let verdict = &report.verdict;
    let ink = match verdict.severity {
        VerdictSeverity::Bad => BAD,
        VerdictSeverity::Warning => WARNING,
        VerdictSeverity::Good => GOOD,
    };
    let name = escaped(&shortened(name, LETTERS.2));
    put(
        svg,
        format_args!("<text x=\"{left}\" y=\"64\" font-size=\"26\" font-weight=\"650\">{name}</text>\n"),
    );
    for (line, text) in wrapped(rowkey, LETTERS.0).iter().enumerate() {
        let (y, text) = (98 + 20 * line, escaped(text));
        put(
            svg,
            format_args!(
                "<text x=\"{left}\" y=\"{y}\" font-size=\"13\" font-family=\"ui-monospace, monospace\">{text}</text>\n"
            ),
        );
    }
    for (line, text) in wrapped(&verdict.title, LETTERS.1).iter().enumerate() {
        let (y, text) = (160 + 26 * line, escaped(text));
        put(
            svg,
            format_args!(
                "<text x=\"{left}\" y=\"{y}\" font-size=\"20\" font-weight=\"600\" fill=\"{ink}\">{text}</text>\n"
            ),
        );
    }
    cells(svg, &picture, Plot { left, top: MAP.0, width: across, height: MAP.1 });
    Some(())
}

/// Lines of a text, the last one shortened where there is more.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            word.clone_into(line);
        } else if line.chars().count() + 1 + word.chars().count() <= letters {
            *line += " ";
            *line += word;
        } else {
            lines.push(word.to_owned());
        }
    }
    if lines.len() > LINES {
        let rest = lines.split_off(LINES - 1).join(" ");
        lines.push(rest);
    }
    lines.iter().map(|line| shortened(line, letters)).collect()
}

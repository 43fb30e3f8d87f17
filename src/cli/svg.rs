//! The heatmap as an SVG image: shapes, texts and presentation attributes, nothing that a policy would stop.

use super::figures::{count, moment};
use super::palette::{Ground, MOST, colour, level};
use super::picture::Picture;
use super::style::shortened;
use super::words::say;
use crate::analysis::report::Report;
use crate::base::hidden::is_hidden;
use std::fmt::Write;

/// Most bands and columns of the picture.
const BANDS: usize = 200;
/// See [`BANDS`].
const COLUMNS: usize = 400;
/// Pixels of the plot.
const WIDTH: usize = 720;
/// Pixels beside the plot: start keys to its left, rows by region to its right, rows by time above, times below.
const LEFT: usize = 170;
/// See [`LEFT`].
const RIGHT: usize = 96;
/// See [`LEFT`].
const TOP: usize = 84;
/// See [`LEFT`].
const BELOW: usize = 56;
/// Characters of a start key.
const KEY: usize = 24;
/// Pixels between two start keys at least.
const LINE: usize = 14;
/// Ink of texts and lines, of bars and of quiet texts.
pub const INK: &str = "#1b1f24";
/// See [`INK`].
const BAR: &str = "#9a2a6c";
/// See [`INK`].
pub const QUIET: &str = "#57606a";
/// Inks of verdicts.
pub const BAD: &str = "#b3261e";
/// See [`BAD`].
pub const WARNING: &str = "#8a5a00";
/// See [`BAD`].
pub const GOOD: &str = "#1d6b3f";

/// Where the cells are drawn.
#[derive(Clone, Copy)]
pub struct Plot {
    /// Pixels from the left edge.
    pub left: usize,
    /// Pixels from the top.
    pub top: usize,
    /// Pixels across.
    pub width: usize,
    /// Pixels from the highest key to the lowest.
    pub height: usize,
}

/// A text between tags or in quotes, where it can be taken for no markup.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' => safe.push(char),
            // XML knows few control characters, not even as references; the file may be shown on a terminal.
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            _ if is_hidden(char) => safe.push('\u{fffd}'),
            _ => safe.push(char),
        }
    }
    safe
}

/// The image of a report; `None` when no time is known.
pub fn image(report: &Report, title: &str) -> Option<String> {
    let picture = Picture::of(report, BANDS, COLUMNS)?;
    let bands = picture.bands.len();
    let tall = (bands * 28).clamp(140, 480);
    let (width, height) = (LEFT + WIDTH + RIGHT, TOP + tall + BELOW);
    let name = escaped(title);
    let about = escaped(&report.verdict.message);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{name}\" font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"{INK}\">\n\
         <title>{name}</title>\n<desc>{about}</desc>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\" font-weight=\"600\">{name}</text>\n"
    );
    cells(&mut svg, &picture, Plot { left: LEFT, top: TOP, width: WIDTH, height: tall });
    keys(&mut svg, &picture, tall);
    bars(&mut svg, &picture, tall);
    times(&mut svg, &picture, tall);
    legend(&mut svg, picture.most, height);
    svg.push_str("</svg>\n");
    Some(svg)
}

/// A `write!` to a text never fails.
pub fn put(svg: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(text);
}

/// A path for each colour, of the runs of cells that have it.
pub fn cells(svg: &mut String, picture: &Picture, plot: Plot) {
    let Plot { left, top, width, height } = plot;
    let bands = picture.bands.len();
    let mut paths: Vec<String> = vec![String::new(); usize::from(MOST) + 1];
    for band in 0..bands {
        let row = picture.row(band);
        let mut from = 0;
        for run in row.chunk_by(|a, b| level(*a, picture.most) == level(*b, picture.most)) {
            let rows = run.first().copied().unwrap_or_default();
            if let Some(path) = paths.get_mut(usize::from(level(rows, picture.most))).filter(|_| rows > 0) {
                let long = run.len();
                put(path, format_args!("M{from} {}h{long}v1h-{long}z", bands - 1 - band));
            }
            from += run.len();
        }
    }
    let (across, up) = (width as f64 / picture.columns as f64, height as f64 / bands as f64);
    put(
        svg,
        format_args!(
            "<g transform=\"translate({left} {top}) scale({across:.5} {up:.5})\" shape-rendering=\"crispEdges\">\n"
        ),
    );
    for (level, path) in (0..=MOST).zip(&paths).filter(|(_, path)| !path.is_empty()) {
        put(svg, format_args!("<path fill=\"{}\" d=\"{path}\"/>\n", hex(level)));
    }
    put(
        svg,
        format_args!(
            "</g>\n<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"{QUIET}\"/>\n"
        ),
    );
}

fn hex(level: u8) -> String {
    let [red, green, blue] = colour(Ground::Light, level);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Start keys at the lower edges of bands, as many as have room.
fn keys(svg: &mut String, picture: &Picture, tall: usize) {
    let up = tall as f64 / picture.bands.len() as f64;
    let every = (LINE as f64 / up).ceil().max(1.0) as usize;
    for (number, band) in picture.bands.iter().enumerate().step_by(every) {
        let y = TOP as f64 + tall as f64 - number as f64 * up - 2.0;
        put(
            svg,
            format_args!(
                "<text x=\"{}\" y=\"{y:.1}\" text-anchor=\"end\" font-family=\"ui-monospace, monospace\" font-size=\"10\">{}</text>\n",
                LEFT - 6,
                escaped(&shortened(&band.start, KEY)),
            ),
        );
    }
}

/// Rows of each region to the right, and of each moment above.
fn bars(svg: &mut String, picture: &Picture, tall: usize) {
    let bands = picture.bands.len();
    let up = tall as f64 / bands as f64;
    let most = picture.bands.iter().map(|band| band.rows).max().unwrap_or_default().max(1);
    let mut path = String::new();
    for (number, band) in picture.bands.iter().enumerate() {
        let y = TOP as f64 + tall as f64 - (number + 1) as f64 * up;
        let long = band.rows as f64 / most as f64 * (RIGHT - 36) as f64;
        put(&mut path, format_args!("M{} {y:.2}h{long:.2}v{:.2}h-{long:.2}z", LEFT + WIDTH + 6, up * 0.86));
    }
    let by_time: Vec<u64> = (0..picture.columns)
        .map(|column| (0..bands).filter_map(|band| picture.row(band).get(column)).sum())
        .collect();
    let most = by_time.iter().copied().max().unwrap_or_default().max(1);
    let across = WIDTH as f64 / picture.columns as f64;
    for (column, &rows) in by_time.iter().enumerate() {
        let long = rows as f64 / most as f64 * (TOP - 42) as f64;
        let x = LEFT as f64 + column as f64 * across;
        put(&mut path, format_args!("M{x:.2} {}v-{long:.2}h{:.2}v{long:.2}z", TOP - 4, across * 0.9));
    }
    put(svg, format_args!("<path fill=\"{BAR}\" fill-opacity=\"0.7\" d=\"{path}\"/>\n"));
}

fn times(svg: &mut String, picture: &Picture, tall: usize) {
    const MARKS: usize = 4;
    let (start, end) = picture.time;
    for mark in 0..=MARKS {
        let part = mark as f64 / MARKS as f64;
        let x = LEFT as f64 + part * WIDTH as f64;
        let y = TOP + tall;
        let label = moment(start + (end - start) * part, picture.step);
        put(
            svg,
            format_args!(
                "<path stroke=\"{QUIET}\" d=\"M{x:.1} {y}v5\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>\n",
                y + 17
            ),
        );
    }
}

fn legend(svg: &mut String, most: u64, height: usize) {
    const STEPS: usize = 24;
    let y = height - 18;
    put(svg, format_args!("<text x=\"{LEFT}\" y=\"{}\">0</text>\n", y + 9));
    for step in 0..STEPS {
        let level = (step * usize::from(MOST) / (STEPS - 1)) as u8;
        let x = LEFT + 12 + step * 6;
        put(
            svg,
            format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"6\" height=\"10\" fill=\"{}\"/>\n", hex(level)),
        );
    }
    let words = say("cli.legend", &[("rows", &count(most))]);
    put(
        svg,
        format_args!("<text x=\"{}\" y=\"{}\">{}</text>\n", LEFT + 18 + STEPS * 6, y + 9, escaped(&words)),
    );
}

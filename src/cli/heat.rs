//! The heatmap in a terminal: a region a line, two of them in half blocks where there are many; plain characters where there are no colours.

use super::context::CommandContext;
use super::figures::{count, moment};
use super::palette::{Colour, Ground, MOST, colour, level, of_256};
use super::picture::Picture;
use super::style::{Colours, TextStyle, shortened};

/// Lines that the picture takes at most.
const LINES: usize = 24;
/// Columns of the start keys beside it at most.
const KEYS: usize = 24;
/// From no rows to most rows, where there are no colours.
const CHARACTERS: [char; 10] = [' ', '.', ':', '-', '=', '+', '*', '#', '%', '@'];

/// Draws the region × time heatmap, the highest keys at the top; nothing when no time is known. `title` takes the largest
/// count of a cell, `picture` the most bands and columns that fit.
pub fn draw(
    context: &mut CommandContext<'_>,
    title: &dyn Fn(u64) -> String,
    picture: &dyn Fn(usize, usize) -> Option<Picture>,
) {
    let style = context.style;
    let coloured = style.colours != Colours::None;
    let most_bands = if coloured { 2 * LINES } else { LINES };
    let Some(rough) = picture(most_bands, usize::MAX) else { return };
    let starts = rough.bands.iter().map(|band| band.start.chars().count());
    let keys = starts.max().unwrap_or_default().min(KEYS);
    let room = style.columns.saturating_sub(keys + 3).max(16);
    let Some(picture) = picture(most_bands, room) else { return };
    // Few spans of time are drawn wider, so that a day looks like one.
    let wide = (room / picture.columns.max(1)).clamp(1, 4);
    context.line("");
    context.line(&title(picture.most));
    let bands = (0..picture.bands.len()).rev();
    // Half blocks only where a line a region would be too many.
    let pairs: Vec<(usize, Option<usize>)> = match picture.bands.len() {
        LINES.. if coloured => bands.step_by(2).map(|top| (top, top.checked_sub(1))).collect(),
        _ => bands.map(|band| (band, Some(band))).collect(),
    };
    for (top, below) in pairs {
        let label = picture.bands.get(below.unwrap_or(top)).map(|band| band.start.as_str());
        let label = shortened(label.unwrap_or_default(), keys);
        let cells = match coloured {
            true => blocks(style, &picture, top, below, wide),
            false => characters(&picture, top, wide),
        };
        context.line(format!("{label:>keys$} │{cells}").trim_end());
    }
    axis(context, &picture, keys, wide);
    context.line(&format!("{:keys$}  {}", "", legend(style, picture.most)));
}

fn characters(picture: &Picture, band: usize, wide: usize) -> String {
    let of = |&rows: &u64| character(level(rows, picture.most)).to_string().repeat(wide);
    picture.row(band).iter().map(of).collect()
}

fn character(level: u8) -> char {
    let index = (usize::from(level) * (CHARACTERS.len() - 1)).div_ceil(usize::from(MOST));
    CHARACTERS.get(index).copied().unwrap_or('@')
}

/// An upper half block in the colour of one band on the colour of the band below it.
fn blocks(style: TextStyle, picture: &Picture, top: usize, below: Option<usize>, wide: usize) -> String {
    let mut text = String::new();
    let mut before = None;
    let lower = below.map(|band| picture.row(band)).unwrap_or_default();
    for (column, &rows) in picture.row(top).iter().enumerate() {
        let shade = |rows: u64| code(style, colour(Ground::Dark, level(rows, picture.most)));
        let ink = (shade(rows), lower.get(column).map(|&rows| shade(rows)));
        if before.as_ref() != Some(&ink) {
            let (upper, ground) = &ink;
            let ground = ground.as_ref().map_or("49".to_owned(), |ground| format!("48;{ground}"));
            text.push_str(&format!("\x1b[38;{upper};{ground}m"));
        }
        text.push_str(&"▀".repeat(wide));
        before = Some(ink);
    }
    text + "\x1b[0m"
}

fn code(style: TextStyle, colour: Colour) -> String {
    match style.colours {
        Colours::True => {
            let [red, green, blue] = colour;
            format!("2;{red};{green};{blue}")
        }
        _ => format!("5;{}", of_256(colour)),
    }
}

/// When the first span begins and the last ends, and where there is room, moments between.
fn axis(context: &mut CommandContext<'_>, picture: &Picture, keys: usize, wide: usize) {
    let width = picture.columns * wide;
    let (start, end) = picture.time;
    let label = |part: f64| moment(start + (end - start) * part, picture.step);
    let long = label(0.0).chars().count();
    let marks = (width / (long + 6)).clamp(1, 5);
    let mut line = String::new();
    let mut ticks: Vec<char> = vec!['─'; width];
    for mark in 0..=marks {
        let part = mark as f64 / marks as f64;
        let at = (part * width as f64) as usize;
        if let Some(tick) = ticks.get_mut(at.min(width.saturating_sub(1))) {
            *tick = '┴';
        }
        // The last ends where the picture ends, the others are centred but the first.
        let text = label(part);
        let from = match mark {
            0 => 0,
            _ if mark == marks => width.saturating_sub(long),
            _ => at.saturating_sub(long / 2),
        };
        let used = line.chars().count();
        if from > used || used == 0 {
            line.push_str(&" ".repeat(from - used));
            line.push_str(&text);
        }
    }
    let ticks: String = ticks.into_iter().collect();
    context.line(&format!("{:keys$} └{ticks}", ""));
    context.line(&format!("{:keys$}  {line}", ""));
}

fn legend(style: TextStyle, most: u64) -> String {
    let steps = (0..CHARACTERS.len()).map(|step| (step * usize::from(MOST) / (CHARACTERS.len() - 1)) as u8);
    let scale: String = match style.colours {
        Colours::None => steps.map(character).collect(),
        _ => steps
            .map(|step| format!("\x1b[48;{}m \x1b[0m", code(style, colour(Ground::Dark, step))))
            .collect(),
    };
    format!("0 [{scale}] {}", count(most))
}

//! The colours of the page's heatmap, from no rows to most rows, in order of lightness.
//!
//! The same stops and the same scale as `www/heat/palette.js`.

/// Red, green and blue.
pub type Colour = [u8; 3];

const DARK: [u32; 9] =
    [0x14171b, 0x3b1259, 0x71207a, 0x9b2964, 0xc83e4d, 0xea632b, 0xfa9a1c, 0xf7d44c, 0xfcfcb0];
const LIGHT: [u32; 9] =
    [0xffffff, 0xfdeebb, 0xfbcf74, 0xf6a24a, 0xe8703f, 0xcb4354, 0x9a2a6c, 0x611c73, 0x270b4a];

/// The highest level.
pub const MOST: u8 = 255;

/// The background of the colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// As most terminals.
    Dark,
    /// As paper.
    Light,
}

/// The level of a cell on the symmetric-log scale: 0 for none, [`MOST`] for the busiest.
pub fn level(rows: u64, most: u64) -> u8 {
    if rows == 0 {
        return 0;
    }
    let part = (rows as f64).ln_1p() / (most.max(1) as f64).ln_1p();
    (part * f64::from(MOST)).round().clamp(1.0, f64::from(MOST)) as u8
}

/// The colour of a level.
pub fn colour(ground: Ground, level: u8) -> Colour {
    let [none, some @ ..] = match ground {
        Ground::Dark => DARK,
        Ground::Light => LIGHT,
    };
    let last = some.len() - 2;
    let place = f64::from(level.saturating_sub(1)) / f64::from(MOST - 1) * (last + 1) as f64;
    let index = (place as usize).min(last);
    match (level, some.get(index), some.get(index + 1)) {
        (1.., Some(&from), Some(&to)) => {
            let part = place - index as f64;
            let mixed = |at: usize| {
                let (from, to) = (channel(from, at), channel(to, at));
                (from + (to - from) * part).round_ties_even() as u8
            };
            [mixed(0), mixed(1), mixed(2)]
        }
        _ => [0, 1, 2].map(|at| channel(none, at) as u8),
    }
}

fn channel(colour: u32, at: usize) -> f64 {
    let [_, channels @ ..] = colour.to_be_bytes();
    channels.get(at).map_or(0.0, |&channel| f64::from(channel))
}

/// The nearest of the 256 colours of xterm: its cube of 6 × 6 × 6, or its greys.
pub fn of_256(colour: Colour) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let far = |to: Colour| -> u32 {
        colour.iter().zip(to).map(|(&from, to)| u32::from(from.abs_diff(to)).pow(2)).sum()
    };
    let near =
        |channel: u8| (0u8..).zip(STEPS).min_by_key(|&(_, step)| channel.abs_diff(step)).unwrap_or_default();
    let [red, green, blue] = colour.map(near);
    let cube = (16 + 36 * red.0 + 6 * green.0 + blue.0, [red.1, green.1, blue.1]);
    let greys = (0u8..24).map(|step| (232 + step, [8 + 10 * step; 3]));
    let nearest = greys.chain([cube]).min_by_key(|&(_, to)| far(to));
    nearest.map_or(16, |(code, _)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_and_scale_are_those_of_the_page() {
        let source = include_str!("../../www/heat/palette.js");
        let stops = |all: [u32; 9]| all.map(|stop| format!("'#{stop:06x}'")).join(", ");
        assert!(source.contains(&stops(DARK)), "dark");
        assert!(source.contains(&stops(LIGHT)), "light");
        assert_eq!((level(0, 9), level(1, 1_000_000), level(9, 9), level(1, 1)), (0, 13, MOST, MOST));
    }

    #[test]
    fn lightness_only_rises_on_a_dark_ground_and_only_falls_on_a_light_one() {
        let light = |colour: Colour| {
            let [red, green, blue] = colour.map(f64::from);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        for at in 1..MOST {
            let [dark, paler] = [at, at + 1].map(|level| light(colour(Ground::Dark, level)));
            assert!(paler >= dark - 0.5, "dark {at}");
            let [pale, darker] = [at, at + 1].map(|level| light(colour(Ground::Light, level)));
            assert!(darker <= pale + 0.5, "light {at}");
        }
        assert_eq!(colour(Ground::Dark, MOST), [0xfc, 0xfc, 0xb0]);
        assert_eq!(colour(Ground::Light, 0), [0xff, 0xff, 0xff]);
    }

    #[test]
    fn colours_of_the_cube_and_the_greys_are_found() {
        assert_eq!(
            [[255, 0, 0], [0, 0, 0], [8, 8, 8], [238, 238, 238], [95, 135, 175]].map(of_256),
            [196, 16, 232, 255, 67]
        );
    }
}

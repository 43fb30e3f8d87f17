//! Timestamps of dumps, in a line above them or in the name of their file.

use crate::base::units::SECOND;
use crate::base::units::{DAY, HOUR, MINUTE};
use crate::records::field::time::TimeFormat;
use crate::records::field::time::civil::days_of;

/// Times that are taken for such: 2001 to 2100.
pub const CLOCK: std::ops::Range<i64> = 978_307_200_000..4_102_444_800_000;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Digits as seconds or milliseconds since the epoch.
fn epoch(digits: &str) -> Option<i64> {
    let number: i64 = digits.parse().ok()?;
    let time = match digits.len() {
        10 => number * SECOND,
        13 => number,
        _ => return None,
    };
    CLOCK.contains(&time).then_some(time)
}

/// `2026-11-27T12:17:14Z`, with a blank, a fraction or an offset as well. Without an offset it is UTC.
fn iso(text: &str) -> Option<i64> {
    let time = TimeFormat::parse("iso8601", Some("Z")).ok()?.read(text.replacen(' ', "T", 1).as_bytes())?;
    CLOCK.contains(&time).then_some(time)
}

/// `Fri Nov 27 12:17:14 UTC 2026`, as `date` prints it.
fn date(text: &str) -> Option<i64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (month, day, clock, half, year) = match words.as_slice() {
        [_, month, day, clock, "UTC" | "GMT", year] => (month, day, clock, None, year),
        [_, month, day, clock, half @ ("AM" | "PM"), "UTC" | "GMT", year] => {
            (month, day, clock, Some(*half), year)
        }
        _ => return None,
    };
    let month = MONTHS.iter().position(|known| known == month)? as i64 + 1;
    let mut parts = clock.split(':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    let hours = match half {
        Some("PM") => hours % 12 + 12,
        Some(_) => hours % 12,
        None => hours,
    };
    let days = days_of(year.parse().ok()?, month, day.parse().ok()?);
    let time = days.checked_mul(DAY)?.checked_add(hours * HOUR + minutes * MINUTE + seconds * SECOND)?;
    CLOCK.contains(&time).then_some(time)
}

/// The time that a line of its own tells, with a word before it or not: `AT 1795781831481`, `# 2026-11-27T12:17:14Z`, and as `date` prints it.
pub fn time_of_line(line: &str) -> Option<i64> {
    let text = line.trim();
    if text.len() < 10 || text.len() > 48 || !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let of = |text: &str| epoch(text).or_else(|| iso(text)).or_else(|| date(text));
    let rest = || text.split_once(' ').filter(|(word, _)| !word.bytes().any(|byte| byte.is_ascii_digit()));
    of(text).or_else(|| of(rest()?.1.trim_matches(['-', '=', '#', ' '])))
}

/// The time in the name of a file: seconds or milliseconds since the epoch, or `2026-11-27T12-17-14` with other marks between the digits, or none.
pub fn time_of_name(path: &str) -> Option<i64> {
    let mut parts = path.rsplit(['/', '\\']);
    let name = parts.next()?;
    of_text(name).or_else(|| of_text(parts.next()?))
}

fn of_text(name: &str) -> Option<i64> {
    let runs: Vec<&str> =
        name.split(|letter: char| !letter.is_ascii_digit()).filter(|run| !run.is_empty()).collect();
    if let Some(time) = runs.iter().find_map(|run| epoch(run)) {
        return Some(time);
    }
    // The digits of a date and of a time, parted or not.
    let first = runs.iter().position(|run| matches!(run.len(), 4 | 8 | 12 | 14) && run.starts_with("20"))?;
    let mut digits = String::new();
    for run in runs.iter().skip(first) {
        if !digits.is_empty() && !matches!(run.len(), 2 | 4 | 6) || digits.len() >= 14 {
            break;
        }
        digits.push_str(run);
    }
    let part = |from: usize, to: usize| digits.get(from..to).and_then(|text| text.parse::<i64>().ok());
    let seconds = part(12, 14).unwrap_or_default();
    let text = format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{seconds:02}Z",
        part(0, 4)?,
        part(4, 6)?,
        part(6, 8)?,
        part(8, 10)?,
        part(10, 12)?
    );
    iso(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: i64 = 1_795_781_834_000;

    #[test]
    fn lines_tell_times() {
        for line in [
            "AT 1795781834000",
            "1795781834",
            "2026-11-27T12:17:14Z",
            "2026-11-27 12:17:14",
            "# 2026-11-27T13:17:14+01:00",
            "=== 2026-11-27T12:17:14Z ===",
            "Fri Nov 27 12:17:14 UTC 2026",
            "Fri Nov 27 12:17:14 PM UTC 2026",
        ] {
            assert_eq!(time_of_line(line), Some(AT), "{line}");
        }
        for line in
            ["", "some text", "    127.0.0.1:17021 1795781705591", "1 active", "3 live servers", "12345"]
        {
            assert_eq!(time_of_line(line), None, "{line}");
        }
    }

    #[test]
    fn names_tell_times() {
        for name in [
            "Rest-1795781834000.json",
            "d/1795781834/status.json",
            "status_2026-11-27T12-17-14Z.json",
            "status-20261127-121714.txt.gz",
            "20261127121714.json",
        ] {
            assert_eq!(time_of_name(name), Some(AT), "{name}");
        }
        assert_eq!(time_of_name("status-2026-11-27_1217.json"), Some(AT - 14_000));
        for name in ["t1/rest-status-cluster.json", "api-v1-live_servers.json", "2026.json", "RS1.txt"] {
            assert_eq!(time_of_name(name), None, "{name}");
        }
    }
}

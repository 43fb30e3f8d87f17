//! How much memory and how many threads a command takes.

use super::args::CommandArgs;
use super::context::Failure;
use super::host::Host;
use crate::base::Problem;
use crate::base::units::{GB, KB, MB};

/// Taken where nothing says how much there is.
const UNKNOWN: u64 = GB;
/// The least that can be asked for: less holds no portion of records.
const LEAST: u64 = 64 * MB;
/// Most threads that can be asked for.
const MOST_THREADS: usize = 256;
/// Bytes of address space for each of several threads: the system sets aside much more than they use, and a thread that gets no more
/// can say nothing.
const SPACE_OF_A_THREAD: u64 = 256 * MB;

/// The memory that `--memory` states, or half of what there is.
///
/// # Errors
/// `cli.bad-memory`.
pub fn stated(asked: &CommandArgs, host: &dyn Host) -> Result<u64, Failure> {
    match asked.get("memory") {
        None => Ok(host.memory().map_or(UNKNOWN, |bytes| bytes / 2)),
        Some(size) => {
            let bytes = read(size).filter(|&bytes| bytes >= LEAST);
            bytes.ok_or_else(|| Problem::new("cli.bad-memory").with("found", size).into())
        }
    }
}

/// The threads that `--threads` states, or as many as the system runs at a time.
///
/// # Errors
/// `cli.bad-threads`, `cli.no-room-for-threads`.
pub fn threads(asked: &CommandArgs, host: &dyn Host) -> Result<usize, Failure> {
    match asked.get("threads") {
        None => Ok(host.threads()),
        Some(number) => {
            let read = number.parse().ok().filter(|count| (1..=MOST_THREADS).contains(count));
            let count = read.ok_or_else(|| {
                Problem::new("cli.bad-threads").with("found", number).with("most", MOST_THREADS)
            })?;
            let (space, wanted) = (host.address_space(), SPACE_OF_A_THREAD * count as u64);
            match space.filter(|&space| count > 1 && space < wanted) {
                None => Ok(count),
                Some(space) => Err(Problem::new("cli.no-room-for-threads")
                    .with("threads", count)
                    .with("wanted", wanted / MB)
                    .with("space", space / MB)
                    .into()),
            }
        }
    }
}

/// `512M`, `2G`, `1.5GiB`; a number alone is bytes. Units are binary, as everywhere.
fn read(size: &str) -> Option<u64> {
    let end = size.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(size.len());
    let (number, unit) = size.split_at_checked(end)?;
    let unit = unit.trim().to_ascii_lowercase();
    let unit = match unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b')).unwrap_or(&unit) {
        "" => 1,
        "k" => KB,
        "m" => MB,
        "g" => GB,
        "t" => GB * KB,
        _ => return None,
    };
    let bytes = number.parse::<f64>().ok()? * unit as f64;
    (bytes < 1e18).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_with_binary_units() {
        for (size, bytes) in [
            ("67108864", Some(1 << 26)),
            ("512M", Some(512 << 20)),
            ("2G", Some(2 << 30)),
            ("1.5GiB", Some(3 << 29)),
            ("300 mb", Some(300 << 20)),
            ("1T", Some(1 << 40)),
            ("", None),
            ("G", None),
            ("1.2.3G", None),
            ("-1G", None),
            ("12X", None),
            ("9e9G", None),
            ("99999999999T", None),
        ] {
            assert_eq!(read(size), bytes, "{size}");
        }
    }
}

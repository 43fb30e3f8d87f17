//! The known name that a mistyped one most likely meant.

/// The nearest of `names` by edit distance, ignoring case, when it is near enough to be meant.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.to_ascii_lowercase().chars().take(64).collect();
    let with_distance = names.into_iter().map(|known| (distance(&wanted, known), known));
    with_distance.min().filter(|(distance, _)| *distance <= 1 + wanted.len() / 4).map(|(_, known)| known)
}

fn distance(wanted: &[char], known: &str) -> usize {
    let mut row: Vec<usize> = (0..=wanted.len()).collect();
    for (line, char) in known.to_ascii_lowercase().chars().take(64).enumerate() {
        let mut diagonal = line;
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
        for column in 1..row.len() {
            let changed = diagonal + usize::from(wanted[column - 1] != char);
            diagonal = row[column];
            row[column] = changed.min(diagonal + 1).min(row[column - 1] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn typing_slips_are_recognised_and_strangers_are_not() {
        let names = ["format", "floorMod", "md5", "phone"];
        assert_eq!(nearest("fromat", names), Some("format"));
        assert_eq!(nearest("floormod", names), Some("floorMod"));
        assert_eq!(nearest("elephant", names), None);
    }
}

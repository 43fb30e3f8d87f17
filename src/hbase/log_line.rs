//! Row keys and names of regions in a line of a log.

use super::existing::region_name;

/// Words before a row key. A quote after them ends the key, too.
const BEFORE_ROW: [&str; 8] =
    ["startRow=", "stopRow=", "row=", "row ", "row: ", "\"row\":", "\"startRow\":", "\"stopRow\":"];
/// Most that is found in a line.
const MOST: usize = 10;
/// Characters of the encoded name of a region, and digits of its time.
const ENCODED: usize = 32;
const TIME: usize = 13;

/// A place of a table that a line names, in the notation of the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedPlace<'l> {
    /// A row key.
    Row(&'l str),
    /// The first row of a region, empty for the first region of its table.
    Start(&'l str),
}

/// The row keys and regions that a line names, without repeats. Of regions those of `table`, where its name is known.
pub fn places_in<'l>(line: &'l str, table: Option<&str>) -> Vec<NamedPlace<'l>> {
    let mut found: Vec<NamedPlace<'l>> = Vec::new();
    let rows = BEFORE_ROW.iter().flat_map(|before| line.match_indices(before)).filter_map(|(at, before)| {
        let is_word = line.get(..at)?.chars().next_back().is_none_or(|char| !char.is_alphanumeric());
        is_word.then(|| row(line.get(at + before.len()..)?))?
    });
    for place in rows.map(NamedPlace::Row).chain(starts(line, table).map(NamedPlace::Start)) {
        if !found.contains(&place) && found.len() < MOST {
            found.push(place);
        }
    }
    found
}

/// A row key at the beginning of a text.
fn row(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(' ');
    let key = match text.chars().next()? {
        quote @ ('\'' | '"' | '`') => text.get(1..)?.split(quote).next()?,
        _ => text.split([',', ' ', ')', ']', '}', ';']).next()?,
    };
    (!key.is_empty()).then_some(key)
}

/// The first rows of regions, which their names hold: `table,start,1795236285894.0347bc92e69407a43f18b66a484b9e08.`.
fn starts<'l>(line: &'l str, table: Option<&str>) -> impl Iterator<Item = &'l str> {
    let ends = line.match_indices('.').filter_map(move |(at, _)| {
        let encoded = line.get(at + 1..at + 1 + ENCODED)?;
        let is_name = encoded.bytes().all(|byte| byte.is_ascii_hexdigit())
            && line.as_bytes().get(at + 1 + ENCODED) == Some(&b'.')
            && line.get(at.checked_sub(TIME)?..at)?.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
        is_name.then_some(at + 2 + ENCODED)
    });
    let table = table.map(str::to_owned);
    ends.filter_map(move |end| {
        let text = line.get(..end)?;
        let begin = match &table {
            Some(table) => text.rfind(&format!("{table},"))?,
            None => begin_of_name(text)?,
        };
        region_name(text.get(begin..)?).map(|(_, start, _)| start)
    })
}

/// Where the name of a region that ends a text begins: with the name of a table, behind a blank, a quote or the like.
fn begin_of_name(text: &str) -> Option<usize> {
    let is_of_table = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | ':');
    let mut begins = text.rmatch_indices(',').filter_map(|(comma, _)| {
        let before = text.get(..comma)?;
        let begin = before.trim_end_matches(is_of_table).len();
        let is_apart = |char: char| char.is_whitespace() || "='\"`[({".contains(char);
        let ends = before.get(..begin)?.chars().next_back().is_none_or(is_apart);
        (ends && begin < comma && region_name(text.get(begin..)?).is_some()).then_some(begin)
    });
    begins.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_regions_are_found_in_lines_of_logs() {
        let name = "calls,138\\x00,a,1795236285894.0347bc92e69407a43f18b66a484b9e08.";
        let exception = format!(
            "Call exception, tries=6, row '138\\x01' on table 'calls' at region={name}, hostname=rs1,16020,1"
        );
        let places = [NamedPlace::Row("138\\x01"), NamedPlace::Start("138\\x00,a")];
        assert_eq!(places_in(&exception, Some("calls")), places);
        assert_eq!(places_in(&exception, None), places);
        assert_eq!(places_in(name, None), [NamedPlace::Start("138\\x00,a")]);
        assert_eq!(places_in(&format!("Opened {name}"), None), [NamedPlace::Start("138\\x00,a")]);
        let json = r#"{"table":"calls","startRow":"00|138","row":"07|139"}"#;
        assert_eq!(places_in(json, None), [NamedPlace::Row("07|139"), NamedPlace::Row("00|138")]);
        assert_eq!(places_in("the arrow points here, 13 rows", None), []);
        assert_eq!(places_in(&exception, Some("others")), [NamedPlace::Row("138\\x01")]);
    }
}

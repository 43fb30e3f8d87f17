//! Numbers written one after the other with nothing between: where each of them ends.

use super::items::{PatternItem, TimeUnit};

/// Tells each number how many digits follow it before the next byte that is none, and whether its unit is read elsewhere,
/// from the widest number of it. Gives the unit of a number whose end cannot be told: one of varying width behind which,
/// among the same digits, another varies.
pub(super) fn settle(items: &mut [PatternItem]) -> Option<TimeUnit> {
    let (mut following, mut varies, mut unclear) = (0, false, None);
    for item in items.iter_mut().rev() {
        match item {
            PatternItem::Literal(literal) => {
                let digits = literal.iter().take_while(|byte| byte.is_ascii_digit()).count();
                if digits == literal.len() {
                    following += digits;
                } else {
                    (following, varies) = (digits, false);
                }
            }
            PatternItem::Number { unit, min, max, after, .. } => {
                let varying = min != max;
                if varying && varies {
                    unclear = Some(*unit);
                }
                varies |= varying;
                *after = following;
                following += *max;
            }
        }
    }
    for place in 0..items.len() {
        let Some(PatternItem::Number { unit, max, .. }) = items.get(place) else { continue };
        let (unit, max) = (*unit, *max);
        let wider = items.iter().enumerate().any(|(other, item)| match item {
            PatternItem::Number { unit: same, max: width, .. } => {
                *same == unit && (*width > max || (*width == max && other < place))
            }
            PatternItem::Literal(_) => false,
        });
        if let Some(PatternItem::Number { again, .. }) = items.get_mut(place) {
            *again = wider;
        }
    }
    unclear
}

#[cfg(test)]
mod tests {
    use crate::records::field::time::{TimeFormat, TimePattern};
    use proptest::prelude::*;

    #[test]
    fn a_number_of_one_letter_ends_where_the_digits_after_it_say() {
        // java.text.SimpleDateFormat reads "202111171805" as 14:25 and java.time refuses it; both write it.
        for (pattern, text, iso) in [
            ("yyyyMMddHmm", "20210907805", "2021-09-07T08:05:00.000Z"),
            ("yyyyMMddHmm", "202111171805", "2021-11-17T18:05:00.000Z"),
            ("yMMdd", "20210907", "2021-09-07T00:00:00.000Z"),
            ("yyyy-MM-dd H'5'mm", "2021-09-07 8505", "2021-09-07T08:05:00.000Z"),
            ("d/M/y", "7/9/999", "0999-09-07T00:00:00.000Z"),
        ] {
            let format = TimeFormat::parse(pattern, None).expect(pattern);
            let iso8601 = TimeFormat::parse("iso8601", None).expect("iso8601");
            let millis = format.read(text.as_bytes()).expect(text);
            assert_eq!(iso8601.print(millis).as_deref(), Some(iso), "{pattern}");
            assert_eq!(format.print(millis).as_deref(), Some(text), "{pattern}");
        }
    }

    #[test]
    fn two_numbers_of_one_letter_in_the_same_digits_cannot_be_read() {
        for pattern in ["yyyyMd", "Hms", "yyyyMMddHm", "HH:m's'", "yMM", "d'1'H"] {
            let unclear = TimeFormat::parse(pattern, None).err().map(|problem| problem.code);
            let expected = (!["HH:m's'", "yMM"].contains(&pattern)).then_some("time.numbers-run-together");
            assert_eq!(unclear, expected, "{pattern}");
        }
    }

    #[test]
    fn a_unit_written_twice_counts_once_and_has_to_agree() {
        let read =
            |pattern: &str, text: &str| TimePattern::parse(pattern).expect(pattern).read(text.as_bytes());
        // DateTimeFormatter.ofPattern("HH mm HH"): 10:05, and "could not be parsed at index 6".
        assert_eq!(read("HH mm HH", "10 05 10"), Some((10 * 60 + 5) * 60_000));
        assert_eq!(read("HH mm HH", "10 05 11"), None);
        assert_eq!(read("yy yyyy", "99 1999"), TimePattern::parse("yyyy").expect("year").read(b"1999"));
        assert_eq!(read("yy yyyy", "98 1999"), None);
        assert_eq!(read("H mm HH", "8 05 08"), Some((8 * 60 + 5) * 60_000));
        assert_eq!(read("S SSS", "0 042"), Some(42));
        assert_eq!(read("SSS S", "042 1"), None);
    }

    #[test]
    fn the_name_of_a_month_alone_is_read_as_written() {
        let format = TimeFormat::parse("MMM", None).expect("MMM");
        let text = format.print(0).expect("text");
        if let Some(read) = format.read(text.as_bytes()) {
            assert_eq!(format.print(read), Some(text));
        }
    }

    proptest! {
        #[test]
        fn what_can_be_read_is_read_as_written(source in "(y{4}M{2}d?HmsS{3}|y{1,2}[:1]?M{1,2}-?d{1,2})?[yMdHmsS: 1-]{0,9}", millis in -60_000_000_000_000i64..250_000_000_000_000) {
            let Ok(format) = TimeFormat::parse(&source, None) else { return Ok(()) };
            let Some(text) = format.print(millis) else { return Ok(()) };
            if let Some(read) = format.read(text.as_bytes()) {
                prop_assert_eq!(format.print(read), Some(text.clone()));
            }
            // With the name of a month it is a format of fields alone.
            let Ok(pattern) = TimePattern::parse(&source) else { return Ok(()) };
            if pattern.one_to_one(Some((millis, millis)), 1) {
                let century = pattern.century(Some(millis));
                prop_assert_eq!(pattern.read_of_century(text.as_bytes(), century), Some(millis));
            }
        }
    }
}

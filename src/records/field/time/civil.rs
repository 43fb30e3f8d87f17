//! Days and dates in the proleptic Gregorian calendar, as `java.time` counts them.

use crate::base::units::{DAY, HOUR, MINUTE, SECOND};

/// Days since 1970-01-01 of a date; the month from 1, the day from 1.
///
/// Years are counted from March, so that the leap day ends one: every span of 400 years then has the same length.
#[inline]
pub fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month (from 1) and day (from 1) of a count of days since 1970-01-01.
#[inline]
pub fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Days in a month.
#[inline]
pub fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A moment in UTC, to the unit that a step of so many milliseconds needs.
pub fn moment(milliseconds: f64, step: f64) -> String {
    let time = milliseconds as i64;
    let (year, month, day) = date_of(time.div_euclid(DAY));
    let within = time.rem_euclid(DAY);
    let (hour, minute) = (within / HOUR, within % HOUR / MINUTE);
    let (second, milli) = (within % MINUTE / SECOND, within % SECOND);
    let date = format!("{year:04}-{month:02}-{day:02}");
    match step {
        86_400_000.0.. => date,
        60_000.0.. => format!("{date} {hour:02}:{minute:02}"),
        1000.0.. => format!("{date} {hour:02}:{minute:02}:{second:02}"),
        _ => format!("{date} {hour:02}:{minute:02}:{second:02}.{milli:03}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_date_and_its_days_agree(days in -4_000_000i64..4_000_000) {
            let (year, month, day) = date_of(days);
            prop_assert!((1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day));
            prop_assert_eq!(days_of(year, month, day), days);
        }

        #[test]
        fn days_follow_each_other(days in -4_000_000i64..4_000_000) {
            prop_assert!(date_of(days) < date_of(days + 1));
        }
    }

    #[test]
    fn known_dates() {
        assert_eq!(days_of(1970, 1, 1), 0);
        assert_eq!(days_of(2000, 3, 1), 11_017);
        assert_eq!(date_of(19_844), (2024, 5, 1));
        assert_eq!(date_of(-1), (1969, 12, 31));
    }
}

//! The queries of every entry: the ranges that answer them, and that no wanted row lies outside.

use super::opened::{Opened, generated, index, java_hash, open, study};
use rowscape::row::{from_string_binary, to_string_binary};
use rowscape::scan::{self, FieldDomain, PlanKind, QueryMatcher, QueryPlan};

/// The conditions of a query and its plan on a table.
fn planned(opened: &Opened, table: &str, query: usize) -> (Vec<FieldDomain>, QueryPlan) {
    let asked = &opened.study.queries[query];
    let domains = scan::read(asked, &opened.study.fields, "queries").expect("conditions");
    let plan = scan::plan(&opened.table(table).typed, &opened.study.fields, asked, &domains);
    (domains, plan)
}

/// The ranges of the query of this name.
fn ranges(slug: &str, table: &str, query: &str) -> Vec<(String, String)> {
    let opened = open(slug);
    let place = opened.study.queries.iter().position(|asked| asked.name == query).expect(query);
    let text = |range: &scan::KeyRange| (to_string_binary(&range.start), to_string_binary(&range.stop));
    planned(&opened, table, place).1.ranges.iter().map(text).collect()
}

fn count(slug: &str, table: &str, query: &str) -> usize {
    ranges(slug, table, query).len()
}

#[test]
fn every_wanted_row_lies_in_the_ranges_of_every_query() {
    for entry in index() {
        let slug = entry["slug"].as_str().expect("slug");
        let beside = entry.get("data").map(|_| open(slug));
        let made_up = study(slug).generate.map(|_| generated(slug, Some(300)));
        let mut wanted = 0;
        for opened in beside.iter().chain(&made_up) {
            for table in &opened.study.tables {
                let keys = opened.keys(&table.name);
                for (query, asked) in opened.study.queries.iter().enumerate() {
                    let place = format!("{slug}, {}, {}", table.name, asked.name);
                    let (domains, plan) = planned(opened, &table.name, query);
                    let matching = QueryMatcher::new(&opened.records, &opened.study.fields, &domains);
                    for (row, key) in keys.iter().enumerate() {
                        let read = plan.ranges.iter().any(|range| range.contains(key));
                        assert!(read || !matching.matches(row), "{place}: row {row} is missed");
                        assert!(
                            !read || !plan.exact || matching.matches(row),
                            "{place}: row {row} is not wanted"
                        );
                        wanted += usize::from(matching.matches(row));
                    }
                }
            }
        }
        assert!(wanted > 0, "the queries of {slug} find something");
    }
}

#[test]
fn every_query_finds_rows_among_the_records_that_its_entry_opens_with() {
    let mut none = Vec::new();
    for entry in index() {
        let slug = entry["slug"].as_str().expect("slug");
        let opened = generated(slug, None);
        for table in &opened.study.tables {
            for (query, asked) in opened.study.queries.iter().enumerate() {
                let (domains, _) = planned(&opened, &table.name, query);
                let matching = QueryMatcher::new(&opened.records, &opened.study.fields, &domains);
                if !(0..opened.records.rows).any(|row| matching.matches(row)) {
                    none.push(format!("{slug}, {}: {}", table.name, asked.name));
                }
            }
        }
    }
    assert!(none.is_empty(), "queries that find nothing: {none:#?}");
}

#[test]
fn c1_a_bucket_changes_as_often_as_the_period_in_it() {
    let phone = |query| count("c1-bucket-of-the-phone", "cdr", query);
    assert_eq!(["one phone, one day", "one phone, one month", "one phone, one year"].map(phone), [1, 1, 1]);
    let day = |query| count("c1-bucket-of-phone-and-day", "cdr", query);
    assert_eq!(["one phone, one day", "one phone, one month"].map(day), [1, 6]);
    let month = |query| count("c1-bucket-of-phone-and-month", "by_month", query);
    assert_eq!(["one phone, one month", "one phone, three months"].map(month), [1, 3]);
    assert_eq!(count("c1-bucket-of-phone-and-month", "by_year", "one phone, one year"), 1);
}

#[test]
fn c4_start_and_stop_row_of_one_day() {
    let xx = format!("{:02}", java_hash("134123412342021-09").rem_euclid(6));
    let pair = |start: &str, stop: &str| [(format!("{xx}_{start}"), format!("{xx}_{stop}"))];
    assert_eq!(
        ranges("c4-one-day-of-one-phone", "cdr", "one phone, one day"),
        pair("13412341234_2021-09-07", "13412341234_2021-09-08")
    );
    assert_eq!(
        ranges("c4-one-day-time-first", "cdr", "one phone, one day"),
        pair("2021-09-07 00:00:00_13412341234", "2021-09-08 00:00:00_13412341234")
    );
}

#[test]
fn c5_start_and_stop_rows_of_three_months() {
    let mut expected =
        [("2021-09", "2021-10"), ("2021-10", "2021-11"), ("2021-11", "2021-12")].map(|(month, next)| {
            let row = format!("{:02}_13412341234_", java_hash(&format!("13412341234{month}")).rem_euclid(6));
            (format!("{row}{month}"), format!("{row}{next}"))
        });
    expected.sort();
    assert_eq!(ranges("c5-three-months-three-buckets", "cdr", "one phone, three months"), expected);
}

#[test]
fn e1_e2_a_row_under_a_random_salt_is_asked_four_times_and_under_a_hash_once() {
    assert_eq!(count("e1-random-salt", "t", "one row"), 4);
    assert_eq!(count("e2-hash-prefix", "t", "one row"), 1);
}

#[test]
fn e4_one_order_is_one_row_and_one_second_three_scans() {
    assert_eq!(count("e4-hash-bucket-text", "orders", "one order"), 1);
    let second = ranges("e4-hash-bucket-text", "orders", "one second");
    let starts: Vec<&str> = second.iter().map(|(start, _)| start.as_str()).collect();
    let expected = ["00_20200101010101_", "01_20200101010101_", "02_20200101010101_"];
    assert!(starts.iter().zip(expected).all(|(start, row)| row.starts_with(start)), "{starts:?}");
    assert_eq!(starts.len(), 3);
}

#[test]
fn e5_a_range_asks_every_bucket() {
    let expected =
        ["\\x00", "\\x01", "\\x02", "\\x03"].map(|salt| (format!("{salt}foo0002"), format!("{salt}foo0004")));
    assert_eq!(ranges("e5-salt-byte", "phoenix", "a range of IDs"), expected);
    assert_eq!(count("e5-salt-byte", "phoenix", "one row"), 1);
}

#[test]
fn i2_a_span_takes_as_many_scans_as_there_are_buckets() {
    assert_eq!(count("i2-bucket-of-time", "log", "all of a time range"), 100);
    assert_eq!(count("i2-coprime-buckets", "log", "all of a time range"), 97);
}

#[test]
fn j2_a_customer_whole_is_one_range_and_all_customers_are_the_whole_table() {
    let one = |query| ranges("j2-customers-and-orders-in-one-table", "shop", query);
    let row = |end: &str| format!(r"\x00\x00\x00\x00\x00\x00\x00{end}");
    // The rows of both kinds lie side by side: one scan, that begins and ends with them.
    assert_eq!(one("a customer with all orders"), [(row(r"\x07\x01"), row(r"\x07\x03"))]);
    assert_eq!(one("the customer alone"), [(row(r"\x07\x01"), row(r"\x07\x01\x00"))]);
    assert_eq!(one("all customers"), [(String::new(), String::new())]);
}

#[test]
fn k1_the_first_thirty_values_end_with_their_user() {
    let first = ranges("k1-one-row-a-value", "list", "first 30 values of a user");
    assert_eq!(first, [("user".to_owned(), "uses".to_owned())]);
    let opened = open("k2-pages-of-values");
    let (_, page) = planned(&opened, "list", 1);
    assert_eq!((page.kind, page.ranges[0].start.as_slice()), (PlanKind::Get, &b"user\0\0\0\0"[..]));
}

#[test]
fn scans_as_published_miss_the_rows_or_read_on() {
    // Rows of each table that the scan as it was written reads, and those that the query wants.
    for (slug, table, read, wanted) in [
        ("b1-rows-with-underscores", "engine", 0, 5),
        ("c2b-two-date-forms", "compact", 0, 2),
        ("c2b-two-date-forms", "dashed", 2, 2),
        ("k1-one-row-a-value", "list", 4, 3),
        ("k2-pages-of-values", "list", 0, 2),
    ] {
        let opened = open(slug);
        let place = opened.study.queries.iter().position(|asked| asked.scan.is_some()).expect(slug);
        let (domains, _) = planned(&opened, table, place);
        let written = opened.study.queries[place].scan.as_ref().expect("scan");
        let [start, stop] = written.each_ref().map(|row| from_string_binary(row).expect("row"));
        let range = scan::KeyRange { start, stop };
        let matching = QueryMatcher::new(&opened.records, &opened.study.fields, &domains);
        let rows = 0..opened.records.rows;
        assert_eq!(
            (
                opened.keys(table).iter().filter(|key| range.contains(key)).count(),
                rows.filter(|&row| matching.matches(row)).count()
            ),
            (read, wanted),
            "{slug}, {table}"
        );
    }
}

#[test]
fn a4_the_newest_of_a_host_is_the_first_row_of_its_range() {
    let opened = open("a4-newest-first");
    let (_, plan) = planned(&opened, "millis", 0);
    assert_eq!(plan.ranges.len(), 1);
    let first = opened.rows("millis").into_iter().find(|key| plan.ranges[0].contains(key));
    assert_eq!(first, Some(opened.keys("millis")[2].clone()));
}

#[test]
fn a5_few_values_first_let_both_questions_be_one_range() {
    let one = |table, query| ranges("a5-few-values-first", table, query);
    assert_eq!(one("country_first", "a country"), [("de".to_owned(), "df".to_owned())]);
    assert_eq!(one("country_first", "a device of a country").len(), 1);
    assert_eq!(one("device_first", "a device of a country").len(), 1);
    assert_eq!(one("device_first", "a country"), [(String::new(), String::new())]);
}

#[test]
fn a6_a_user_is_one_range_and_a_tenant_one_a_partition() {
    let count = |query| count("a6-partition-ids-and-time", "events", query);
    assert_eq!((count("newest of a user"), count("all of a tenant")), (1, 8));
}

#[test]
fn d1_each_table_answers_one_question_by_a_range() {
    let one = |table, query| ranges("d1-day-and-url-twice", table, query);
    assert_eq!(one("day_url", "pages of a day"), [("2024-03-02-".to_owned(), "2024-03-02.".to_owned())]);
    assert_eq!(one("url_day", "pages of a day"), [(String::new(), String::new())]);
    assert_eq!(
        one("url_day", "days of a page"),
        [("example.org/a-".to_owned(), "example.org/a.".to_owned())]
    );
    assert_eq!(one("day_url", "days of a page"), [(String::new(), String::new())]);
}

#[test]
fn d2_a_range_over_new_year_is_two_scans_of_a_loop_key_and_one_of_a_dated_one() {
    let pair = |start: &str, stop: &str| (start.to_owned(), stop.to_owned());
    assert_eq!(ranges("d2-loop-key", "dated", "over New Year"), [pair("23-12-31", "24-01-02")]);
    let mut twice = ranges("d2-loop-key", "loop", "over New Year");
    twice.sort();
    assert_eq!(twice, [pair("01-01", "01-02"), pair("12-31", "12-32")]);
}

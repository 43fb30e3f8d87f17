//! Statements of Phoenix as designs, against what Phoenix 5.2.1 made of them without a cluster: `tests/data/phoenix/tables.jsonl`
//! holds random tables with their indexes, rows with their keys in each, and queries with their scans (`tests/oracle/phoenix.mjs`).
//! `PHOENIX_VECTORS` names another file of that form.

use crate::common::{csv_records, unhex};
use rowscape::decode::decode;
use rowscape::design::{Document, parse};
use rowscape::encode::Encoder;
use rowscape::hbase::phoenix::{PhoenixText, is_sql, read};
use rowscape::json;
use rowscape::scan::{self, KeyRange, PhoenixScanKind, QueryMatcher};
use serde_json::Value;

struct Case {
    line: usize,
    sql: String,
    vectors: Value,
}

fn cases() -> Vec<Case> {
    let own = format!("{}/tests/data/phoenix/tables.jsonl", env!("CARGO_MANIFEST_DIR"));
    let path = std::env::var("PHOENIX_VECTORS").unwrap_or(own);
    let text = std::fs::read_to_string(&path).expect(&path);
    let lines = (1..).zip(text.lines()).map(|(line, text)| {
        let vectors: Value = serde_json::from_str(text).expect("JSON");
        let statements = vectors["statements"].as_array().expect("statements").iter();
        let queries = vectors["queries"].as_array().expect("queries").iter().map(|query| &query["sql"]);
        let all: Vec<&str> = statements.chain(queries).map(|sql| sql.as_str().expect("SQL")).collect();
        Case { line, sql: all.join(";\n"), vectors }
    });
    lines.collect()
}

/// The design, and the numbers of the queries of which part of the condition is left out.
fn designed(sql: &str) -> (Document, Vec<usize>) {
    assert!(is_sql(sql), "{sql}");
    let PhoenixText { design, problems } = read(sql);
    let wider = problems.iter().filter(|problem| problem.code == "sql.condition-left-out");
    let wider =
        wider.map(|problem| problem.args.get("query").expect("query").parse().expect("number")).collect();
    let design = design.unwrap_or_else(|| panic!("{sql}: {problems:?}"));
    (parse(&json::text(&design)).unwrap_or_else(|problems| panic!("{sql}: {problems:?}")), wider)
}

/// The rows as a file has them, in which NULL is nothing.
fn csv(vectors: &Value) -> String {
    let joined = |all: &Value| {
        let texts = all.as_array().expect("list").iter().map(|text| text.as_str().unwrap_or_default());
        texts.map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(",")
    };
    let rows = vectors["rows"].as_array().expect("rows").iter().map(|row| joined(&row["values"]));
    std::iter::once(joined(&vectors["columns"])).chain(rows).collect::<Vec<_>>().join("\n")
}

#[test]
fn rows_of_tables_and_indexes_have_the_keys_that_phoenix_writes() {
    let (mut compared, mut nulls) = (0, 0);
    for Case { line, sql, vectors } in cases() {
        let (document, _) = designed(&sql);
        let records = csv_records(&document.fields, csv(&vectors));
        let names: Vec<&str> = document.fields.iter().map(|field| field.name.as_str()).collect();
        for design in &document.tables {
            let encoder = Encoder::new(&records, &names, &[&design.typed]);
            let keys = encoder.encode().swap_remove(0).keys;
            for (at, row) in vectors["rows"].as_array().expect("rows").iter().enumerate() {
                let own = (!keys.get(at).is_empty()).then(|| keys.get(at).to_vec());
                let theirs = row["rows"].get(&design.name).map(|rows| unhex(&rows[0]));
                // A time of an index that is NULL has no field of ours.
                let unread = design.typed.fields().any(|field| records.columns[field].invalid.get(at));
                // Nor does an index know that its table refuses a record.
                let refused = row.get("error").is_some() && design.name.starts_with('I');
                if unread || refused {
                    continue;
                }
                assert_eq!(own, theirs, "{line}, row {at} of {}: {}\n{sql}", design.name, row["values"]);
                let Some(key) = own else { continue };
                compared += 1;
                let decoded = decode(&design.typed, &document.fields, &key).unwrap_or_else(|problem| {
                    panic!("{line}, row {at} of {}: {problem}\n{}\n{sql}", design.name, design.rowkey)
                });
                for part in &design.typed.parts {
                    let [field] = part.fields[..] else { continue };
                    let value = row["values"][field].as_str().unwrap_or_default();
                    nulls += usize::from(value.is_empty());
                    if document.fields[field].kind.name() == "text" {
                        assert_eq!(
                            decoded.fields[field].value.as_deref(),
                            Some(value),
                            "{line}, row {at}: {sql}"
                        );
                    }
                }
            }
        }
    }
    assert!(compared > 300 && nulls > 100, "{compared} keys, {nulls} NULLs");
    eprintln!("{compared} keys, {nulls} NULLs");
}

#[test]
fn rows_that_match_a_query_are_in_its_ranges_and_in_the_scan_of_phoenix() {
    let (mut matching, mut exact, mut kinds) = (0, 0, 0);
    for Case { line, sql, vectors } in cases() {
        let (document, wider) = designed(&sql);
        let records = csv_records(&document.fields, csv(&vectors));
        let names: Vec<&str> = document.fields.iter().map(|field| field.name.as_str()).collect();
        // Phoenix judges the table itself: without statistics it prefers no index for all columns.
        let design = &document.tables[0];
        let keys = Encoder::new(&records, &names, &[&design.typed]).encode().swap_remove(0).keys;
        for ((query, theirs), number) in
            document.queries.iter().zip(vectors["queries"].as_array().expect("queries")).zip(1..)
        {
            if theirs["table"] != design.name.as_str() {
                continue;
            }
            let salted = design.rowkey.starts_with("rest");
            let open = serde_json::json!([[null, null]]);
            let kind = match &theirs {
                theirs if theirs["nothing"] == true => None,
                theirs if theirs["point"] == true => Some(PhoenixScanKind::PointLookup),
                // Phoenix calls the scan of each bucket of a salted table a range.
                theirs if theirs["everything"] == true => Some(PhoenixScanKind::FullScan),
                theirs if theirs["slots"][usize::from(salted)] == open => Some(PhoenixScanKind::FullScan),
                theirs if theirs["skip"] == true => Some(PhoenixScanKind::SkipScan),
                _ => Some(PhoenixScanKind::RangeScan),
            };
            let own = scan::phoenix_scan(&design.typed, &document.fields, query).map(|scan| scan.kind);
            assert!(kind.is_none() || own == kind, "{line}: {own:?} for {kind:?}, {}\n{sql}", theirs["sql"]);
            kinds += usize::from(kind.is_some());
            let domains = scan::read(query, &document.fields, "").expect("conditions");
            let plan = scan::plan(&design.typed, &document.fields, query, &domains);
            let stop = unhex(&theirs["stop"]);
            let of_phoenix = KeyRange { start: unhex(&theirs["start"]), stop };
            for (at, row) in vectors["rows"].as_array().expect("rows").iter().enumerate() {
                let key = keys.get(at);
                let matches =
                    !key.is_empty() && QueryMatcher::new(&records, &document.fields, &domains).matches(at);
                if !matches {
                    continue;
                }
                matching += 1;
                let context = || {
                    format!(
                        "{line}: {}\n{} {}\n{:?}",
                        theirs["sql"], row["values"], design.rowkey, plan.ranges
                    )
                };
                assert!(plan.ranges.iter().any(|range| range.contains(key)), "{}", context());
                assert!(salted || wider.contains(&number) || of_phoenix.contains(key), "{}", context());
                exact += usize::from(plan.exact);
            }
        }
    }
    assert!(matching > 50, "{matching} rows match");
    eprintln!("{matching} rows match, {exact} of exact plans; {kinds} scans of the kind that Phoenix makes");
}

fn codes(text: &PhoenixText) -> Vec<(&'static str, Option<u64>)> {
    text.problems.iter().map(|problem| (problem.code, problem.place.row)).collect()
}

fn json_of(sql: &str) -> (Value, Vec<(&'static str, Option<u64>)>) {
    let text = read(sql);
    let told = codes(&text);
    (serde_json::from_str(&json::text(&text.design.expect("design"))).expect("JSON"), told)
}

#[test]
fn what_is_not_read_is_said_with_its_line_and_the_rest_is_used() {
    let (design, told) = json_of(
        "-- users\nCREATE TABLE IF NOT EXISTS s.users (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR, tags VARCHAR ARRAY)\n\
         SELECT name FROM s.users JOIN o ON a = b\nSELECT name FROM s.users WHERE id = 5 AND name <> 'x'\nDROP TABLE other\n\
         CREATE LOCAL INDEX l ON s.users (name);\nSELECT * FROM s.users WHERE id IN (1, 2, 2)",
    );
    assert_eq!(design["name"], "S.USERS");
    assert_eq!(design["tables"][0]["rowkey"], "ID.phoenix.bigint()");
    assert_eq!(design["queries"][0]["where"], serde_json::json!({ "ID": { "eq": 5 } }));
    assert_eq!(design["queries"][1]["where"], serde_json::json!({ "ID": { "in": [1, 2] } }));
    let told: Vec<&str> = told.iter().map(|(code, _)| *code).collect();
    for code in ["sql.unknown-type", "sql.join", "sql.statement", "sql.local-index", "sql.condition-left-out"]
    {
        assert!(told.contains(&code), "{code}: {told:?}");
    }
    let join = read("CREATE TABLE t (a INTEGER NOT NULL PRIMARY KEY);\nSELECT * FROM t,\n u");
    assert_eq!(codes(&join), [("sql.join", Some(2))]);
}

#[test]
fn nothing_of_a_schema_goes_without_a_word() {
    let table = "CREATE TABLE t (a VARCHAR NOT NULL PRIMARY KEY, b BOOLEAN, c INTEGER);\n";
    for (more, wanted) in [
        ("SELECT * FROM other WHERE a = 'x'", "sql.no-such-table"),
        ("ALTER TABLE other ADD d INTEGER", "sql.no-such-table"),
        ("CREATE INDEX i ON other (b)", "sql.no-such-table"),
        ("ALTER TABLE t ADD d INTEGER FANCY = 1", "sql.property"),
        // Phoenix keeps a DECIMAL of a BOOLEAN that may be NULL.
        ("CREATE INDEX i ON t (b)", "sql.index-of-nullable"),
        ("SELECT * FROM t WHERE a = 'x' FOR UPDATE", "sql.unexpected"),
    ] {
        let (_, told) = json_of(&format!("{table}{more}"));
        assert_eq!(told, [(wanted, Some(2))], "{more}");
    }
    let (_, told) =
        json_of("CREATE TABLE t (a INTEGER NOT NULL, b INTEGER NOT NULL CONSTRAINT pk PRIMARY KEY (b, a))");
    assert_eq!(told, [("sql.key-order", Some(1))]);
    let (design, told) = json_of(&format!("{table}CREATE INDEX i ON t (c) SPLIT ON (5)"));
    assert_eq!((design["tables"][1]["splits"]["points"].as_array().map(Vec::len), told), (Some(1), vec![]));
    // The rows that OFFSET passes over are read.
    let (design, _) = json_of(&format!("{table}SELECT * FROM t LIMIT 5 OFFSET 20"));
    assert_eq!(design["queries"][0]["limit"], 25);
}

#[test]
fn the_head_of_a_file_names_no_query() {
    let head = "/*\n Licensed to somebody; under \"terms\".\n*/\n-- See the NOTICE file.\n\n";
    let text = format!(
        "{head}CREATE TABLE t (a INTEGER NOT NULL PRIMARY KEY);\n{head}SELECT a FROM t;\n-- all\nSELECT * FROM t"
    );
    assert!(is_sql(&text));
    let (design, told) = json_of(&text);
    assert_eq!(
        (&design["queries"][0]["name"], &design["queries"][1]["name"]),
        (&"1: SELECT a FROM t".into(), &"2: all".into())
    );
    assert_eq!(told, []);
}

#[test]
fn a_table_has_the_cells_split_points_and_settings_that_phoenix_gives_it() {
    let (design, told) = json_of(
        "CREATE TABLE m (a VARCHAR, b INTEGER NOT NULL, c DOUBLE, x.d CHAR(3), e VARCHAR CONSTRAINT pk PRIMARY KEY (a, b)) \
         SALT_BUCKETS = 3, TTL = 60, x.VERSIONS = 2, COMPRESSION = 'GZ', DATA_BLOCK_ENCODING = 'NONE', FANCY = 1",
    );
    let table = &design["tables"][0];
    assert_eq!(
        table["splits"]["points"],
        serde_json::json!(["\\x01\\x00\\x00\\x00\\x00\\x00", "\\x02\\x00\\x00\\x00\\x00\\x00"])
    );
    let qualifiers = |family: usize| -> Vec<&str> {
        let cells = table["families"][family]["cells"].as_array().expect("cells").iter();
        cells.map(|cell| cell["qualifier"].as_str().expect("qualifier")).collect()
    };
    assert_eq!(qualifiers(0), ["\\x00\\x00\\x00\\x00", "\\x80\\x0B", "\\x80\\x0D"]);
    assert_eq!(qualifiers(1), ["\\x80\\x0C"]);
    assert_eq!(
        (&table["families"][0]["versions"], &table["families"][1]["versions"]),
        (&1.into(), &2.into())
    );
    assert_eq!((&table["families"][0]["ttl"], table["families"][0].get("encoding")), (&60.into(), None));
    assert_eq!(told, [("sql.property", Some(1))]);
    let named = "CREATE TABLE m (a VARCHAR PRIMARY KEY, c DOUBLE) COLUMN_ENCODED_BYTES = 0";
    let (design, _) = json_of(named);
    assert_eq!(design["tables"][0]["families"][0]["cells"][0]["qualifier"], "_0");
}

#[test]
fn what_show_create_table_prints_is_read_in_its_frame() {
    let framed = "+------------------+\n|   DDL            |\n+------------------+\n| CREATE TABLE \"S\".\"T\"(\"A\" VARCHAR NOT NULL,\"v\" INTEGER CONSTRAINT PK PRIMARY KEY (\"A\" DESC)) TTL=5 |\n+---+";
    let text = framed.replace("|   DDL            |\n", "");
    assert!(is_sql(&text));
    let (design, _) = json_of(&text);
    assert_eq!(design["tables"][0]["rowkey"], "A.phoenix.varchar('desc', 'separated')");
    assert_eq!(design["fields"][1]["name"], "v");
    assert!(!is_sql("create 'table', 'd'"));
    assert!(!is_sql("select,from\n1,2\n"));
    assert!(!is_sql("phone,time\n134,2021-01-01\n"));
}

#[test]
fn conditions_become_those_of_a_query() {
    let table = "CREATE TABLE t (a VARCHAR NOT NULL, n INTEGER NOT NULL, d DATE NOT NULL, x DECIMAL, b BOOLEAN CONSTRAINT pk PRIMARY KEY (a, n, d, x));\n";
    let asked = |condition: &str| {
        let (design, told) = json_of(&format!("{table}SELECT * FROM t WHERE {condition}"));
        let wider = told.iter().any(|(code, _)| *code == "sql.condition-left-out");
        (design["queries"][0]["where"].to_string(), wider)
    };
    for (condition, wanted, wider) in [
        ("a = 'x' AND n > 5", r#"{"A":{"eq":"x"},"N":{"from":6}}"#, false),
        ("5 >= n AND a LIKE 'x\\\\_y%'", r#"{"A":{"prefix":"x_y"},"N":{"to":6}}"#, false),
        ("a LIKE 'x_z%'", r#"{"A":{"prefix":"x"}}"#, true),
        ("a LIKE 'x%' OR a LIKE 'yz%'", r#"{"A":{"prefix":["x","yz"]}}"#, false),
        ("a LIKE 'x%' OR a LIKE 'y_z%'", r#"{"A":{"prefix":["x","y"]}}"#, true),
        ("a LIKE 'xy%' AND a LIKE 'x%'", r#"{"A":{"prefix":"xy"}}"#, true),
        ("n BETWEEN 1 AND 1", r#"{"N":{"eq":1}}"#, false),
        ("n = 1 OR n IN (2, 3)", r#"{"N":{"in":[1,2,3]}}"#, false),
        ("n = 1 OR a = 'x'", "{}", true),
        ("(a, n) = ('x', 2)", r#"{"A":{"eq":"x"},"N":{"eq":2}}"#, false),
        ("(a, n) > ('x', 2)", r#"{"A":{"from":"x"}}"#, true),
        (
            "d >= TO_DATE('2020-01-01') AND d < DATE '2020-02-01'",
            r#"{"D":{"from":"2020-01-01T00:00:00.000Z","to":"2020-02-01T00:00:00.000Z"}}"#,
            false,
        ),
        ("x IS NULL AND b", r#"{"B":{"eq":true},"X":{"eq":null}}"#, false),
        ("x <= -1.5", r#"{"X":{"to":"-1.49999999999"}}"#, false),
        ("x > -1.5", r#"{"X":{"from":"-1.5"}}"#, true),
        ("SUBSTR(a, 1, 2) = 'ab'", r#"{"A":{"prefix":"ab"}}"#, false),
        ("NOT (n = 1)", "{}", true),
        ("n > 5 AND n < 3", r#"{"N":{"in":[]}}"#, false),
        ("n > 10 AND n > 5 AND n < 20 AND n < 100", r#"{"N":{"from":11,"to":20}}"#, false),
        ("a IN ('a', 'b', 'z') AND a < 'c'", r#"{"A":{"in":["a","b"]}}"#, false),
        // Texts compare by their letters, numbers by their value.
        ("a > '9' AND a >= '10'", "{\"A\":{\"from\":\"9\\u0001\"}}", false),
        ("a LIKE 'xy%' AND a >= 'xyb'", r#"{"A":{"from":"xyb","to":"xz"}}"#, false),
        ("a IN (?, ?, ?)", r#"{"A":{"in":["value","v2","v3"]}}"#, false),
        ("a = ? OR a = ?", r#"{"A":{"in":["value","v2"]}}"#, false),
        ("n BETWEEN ? AND ?", r#"{"N":{"from":1,"to":102}}"#, false),
        ("d > CURRENT_DATE() - 1", r#"{"D":{"from":"2024-05-01T00:00:00.001Z"}}"#, false),
        (
            "TRUNC(d, 'DAY') = DATE '2024-05-01'",
            r#"{"D":{"from":"2024-05-01T00:00:00.000Z","to":"2024-05-02T00:00:00.000Z"}}"#,
            false,
        ),
        (
            "d >= TO_DATE('2024-05-01 00:00', 'yyyy-MM-dd HH:mm', 'GMT+8')",
            r#"{"D":{"from":"2024-04-30T16:00:00.000Z"}}"#,
            false,
        ),
        ("d >= TO_DATE('2024-05-01', 'yyyy-MM-dd', 'Asia/Shanghai')", "{}", true),
        ("n = 1 OR n > 7", r#"{"N":{"from":1}}"#, true),
        ("n < 3 OR n BETWEEN 5 AND 6", r#"{"N":{"to":7}}"#, true),
        // Examples stand beside what is known of a column, and exclude nothing of it.
        (
            "d >= DATE '2025-01-01' AND d < CURRENT_DATE()",
            r#"{"D":{"from":"2025-01-01T00:00:00.000Z","to":"2025-01-01T01:00:00.000Z"}}"#,
            false,
        ),
        ("a LIKE 'abc%' AND a > ?", r#"{"A":{"prefix":"abc"}}"#, true),
        ("n IN (?, ?) AND n > 5", r#"{"N":{"from":6}}"#, true),
        ("x = 1.0 AND x = 1", r#"{"X":{"eq":"1"}}"#, false),
        ("d > TO_DATE('2024-05-01', 'yyyy-MM-dd', 'GMT+0€')", "{}", true),
    ] {
        assert_eq!(asked(condition), (wanted.to_owned(), wider), "{condition}");
    }
}

#[test]
fn an_index_is_a_table_to_which_the_queries_that_it_serves_are_put() {
    let (design, _) = json_of(
        "CREATE TABLE t (id BIGINT NOT NULL, city VARCHAR, age INTEGER, v VARCHAR CONSTRAINT pk PRIMARY KEY (id));\n\
         CREATE INDEX i ON t (city, age DESC) INCLUDE (v);\nSELECT v FROM t WHERE city = 'x';\nSELECT * FROM t WHERE id = 1;",
    );
    assert_eq!(
        design["tables"][1]["rowkey"],
        "CITY.phoenix.varchar('asc', 'separated') + AGE.phoenix.decimal('desc', 'separated') + ID.phoenix.bigint()"
    );
    let tables: Vec<&Value> =
        design["queries"].as_array().expect("queries").iter().map(|query| &query["table"]).collect();
    assert_eq!(tables, ["I", "T"]);
    assert_eq!(
        design["fields"][2],
        serde_json::json!({ "name": "AGE", "type": "decimal", "nullable": true })
    );
}

#[test]
fn texts_of_fixed_width_are_filled_up_before_they_are_compared() {
    let table = "CREATE TABLE t (a CHAR(2) NOT NULL, n INTEGER NOT NULL CONSTRAINT pk PRIMARY KEY (a, n));\n";
    for (condition, wanted) in [
        ("a BETWEEN 'AB' AND 'EU'", r#"{"A":{"from":"AB","to":"EV"}}"#),
        ("a > 'A'", r#"{"A":{"from":"A!"}}"#),
        ("a = ?", r#"{"A":{"eq":"va"}}"#),
        ("a = 'A'", r#"{"A":{"eq":"A"}}"#),
        ("a IN ('A', 'CD') AND a >= 'A'", r#"{"A":{"in":["A","CD"]}}"#),
        ("a = 'A' AND a = 'A '", r#"{"A":{"eq":"A "}}"#),
    ] {
        let (design, told) = json_of(&format!("{table}SELECT * FROM t WHERE {condition}"));
        assert_eq!(design["queries"][0]["where"].to_string(), wanted, "{condition}");
        assert!(told.iter().all(|(code, _)| *code == "sql.bind"), "{condition}: {told:?}");
    }
}

#[test]
fn very_wide_texts_and_long_numbers_are_answered() {
    let (design, told) =
        json_of("CREATE TABLE t (a CHAR(70000) NOT NULL PRIMARY KEY);\nSELECT * FROM t WHERE a > 'x'");
    assert_eq!(design["queries"][0]["where"].to_string(), "{}");
    assert_eq!(told, [("sql.condition-left-out", Some(2))]);
    let number = format!("0.{}1", "0".repeat(70_000));
    json_of(&format!(
        "CREATE TABLE t (x DECIMAL NOT NULL PRIMARY KEY);\nSELECT * FROM t WHERE x <= {number}"
    ));
}

#[test]
fn nulls_of_a_column_are_asked_for_where_its_field_has_them() {
    let (design, _) = json_of(
        "CREATE TABLE t (k VARCHAR NOT NULL PRIMARY KEY, n INTEGER);\nCREATE INDEX i ON t (n);\n\
         SELECT k FROM t WHERE n IS NULL;",
    );
    assert_eq!(design["queries"][0]["table"], "I");
    assert_eq!(design["queries"][0]["where"], serde_json::json!({ "N": { "eq": null } }));
    let (design, told) = json_of(
        "CREATE TABLE u (k VARCHAR, n INTEGER NOT NULL CONSTRAINT pk PRIMARY KEY (k, n));\n\
         SELECT * FROM u WHERE k IS NOT NULL AND n = 3;\nSELECT * FROM u WHERE k = 'a' OR k IS NULL;",
    );
    assert_eq!(design["queries"][0]["where"]["K"], serde_json::json!({ "from": "\u{1}" }));
    assert_eq!(design["queries"][1]["where"]["K"], serde_json::json!({ "in": ["a", null] }));
    assert_eq!(told, []);
    let (_, told) = json_of(
        "CREATE TABLE t (k VARCHAR NOT NULL PRIMARY KEY, d DATE);\nCREATE INDEX i ON t (d);\nSELECT 1 FROM t;",
    );
    assert!(told.contains(&("sql.index-without-null", Some(2))), "{told:?}");
}

#[test]
fn an_index_has_the_storage_and_the_salts_that_phoenix_gives_it() {
    let tables = |sql: &str| json_of(sql).0["tables"].clone();
    let salted = "CREATE TABLE t (k VARCHAR NOT NULL PRIMARY KEY, v VARCHAR, w INTEGER) SALT_BUCKETS = 4;\n";
    let none = tables(&format!("{salted}CREATE INDEX i ON t (v) SALT_BUCKETS = 0"));
    assert_eq!(none[1]["rowkey"], "V.phoenix.varchar('asc', 'separated') + K.phoenix.varchar()");
    let own = tables(&format!("{salted}CREATE INDEX i ON t (v)"));
    assert!(own[1]["rowkey"].as_str().expect("formula").starts_with("rest.phoenixSalt(4) + "));
    let named = tables(
        "CREATE TABLE t (k VARCHAR NOT NULL PRIMARY KEY, v VARCHAR, w INTEGER) COLUMN_ENCODED_BYTES = 0, TTL = 60;\n\
         CREATE INDEX i ON t (w) INCLUDE (v)",
    );
    assert_eq!(named[1]["families"][0]["cells"][0]["qualifier"], "_0");
    assert_eq!(
        (&named[1]["families"][0]["cells"][1]["qualifier"], &named[1]["families"][0]["ttl"]),
        (&"V".into(), &60.into())
    );
    // A column whose type is not read has a number all the same.
    let gap = tables("CREATE TABLE t (k VARCHAR NOT NULL PRIMARY KEY, a VARCHAR ARRAY, b INTEGER)");
    assert_eq!(gap[0]["families"][0]["cells"][1]["qualifier"], "\\x80\\x0C");
    // The empty cell is in the first family that columns name.
    let families = tables("CREATE TABLE t (k VARCHAR NOT NULL PRIMARY KEY, f.a INTEGER, g.b INTEGER)");
    assert_eq!(families[0]["families"].as_array().map(Vec::len), Some(2));
    assert_eq!(families[0]["families"][0]["cells"].as_array().map(Vec::len), Some(2));
    let added =
        tables("CREATE TABLE t (k VARCHAR NOT NULL PRIMARY KEY);\nALTER TABLE t ADD k2 BIGINT PRIMARY KEY");
    assert_eq!(added[0]["rowkey"], "K.phoenix.varchar('asc', 'separated') + K2.phoenix.bigint()");
    // Values of one cell have the length of their column where the index has made its field a decimal.
    let one = json_of(
        "CREATE IMMUTABLE TABLE t (k VARCHAR NOT NULL PRIMARY KEY, a INTEGER, b VARCHAR);\nCREATE INDEX i ON t (a)",
    );
    parse(&one.0.to_string()).expect("a design");
}

#[test]
fn statements_before_the_table_and_frames_of_shells_do_not_hide_it() {
    let table = "CREATE TABLE a (k VARCHAR NOT NULL PRIMARY KEY);";
    for before in [
        "DROP TABLE IF EXISTS a;\n",
        "USE s;\n",
        "UPDATE STATISTICS a;\n",
        "-- x\nDROP INDEX i ON a; USE s;\n-- y\n",
    ] {
        let text = format!("{before}{table}");
        assert!(is_sql(&text), "{text}");
        assert_eq!(json_of(&text).0["tables"][0]["rowkey"], "K.phoenix.varchar()");
    }
    for other in ["use,count\n1,2\n", "drop,1\n", "USE S", "update statistics of the year"] {
        assert!(!is_sql(other), "{other}");
    }
    let framed =
        format!("+-----+\n| CREATE STATEMENT |\n+-----+\n| {} |\n+-----+", table.trim_end_matches(';'));
    assert!(is_sql(&framed));
    assert_eq!(json_of(&framed).0["tables"][0]["rowkey"], "K.phoenix.varchar()");
    // The unread rest of a query may be its condition.
    let (design, told) = json_of(&format!("{table}\nSELECT * FROM a TABLESAMPLE (10) WHERE k = 'x'"));
    assert!(design.get("queries").is_none(), "{design}");
    assert_eq!(told, [("sql.unexpected", Some(2))]);
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(400))]

    #[test]
    fn any_text_is_read_or_refused(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60)) {
        let text = words.join(" ");
        let found = read(&text);
        if let Some(design) = found.design {
            let read = parse(&json::text(&design));
            proptest::prop_assert!(read.is_ok(), "{text}: {:?}", read.err());
        }
    }
}

const WORDS: &[&str] = &[
    "CREATE",
    "TABLE",
    "INDEX",
    "VIEW",
    "t",
    "u",
    "(",
    ")",
    ",",
    ";",
    "a VARCHAR",
    "b INTEGER NOT NULL",
    "c CHAR(3)",
    "d DATE",
    "PRIMARY KEY",
    "CONSTRAINT pk PRIMARY KEY (a, b)",
    "a",
    "b",
    "DESC",
    "SELECT",
    "*",
    "FROM",
    "WHERE",
    "AND",
    "OR",
    "NOT",
    "=",
    "<",
    ">=",
    "'x'",
    "5",
    "-5",
    "?",
    "IN (1, 2)",
    "LIKE 'x%'",
    "BETWEEN 1 AND 2",
    "IS NULL",
    "SALT_BUCKETS = 4",
    "TTL = 5",
    "SPLIT ON ('a', 5)",
    "ON",
    "INCLUDE (c)",
    "\n",
    "--x\n",
    "'",
    "\"",
    "X'0g'",
    "CREATE TABLE t (a VARCHAR, b INTEGER NOT NULL CONSTRAINT pk PRIMARY KEY (a, b))",
];

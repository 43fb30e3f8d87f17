//! Exports that said less, or more, than the design: settings, types, filters and times read back.

use super::{asking, document, text};
use rowscape::design::parse;
use rowscape::emit::{EmitSubject, emit_from};
use serde_json::{Value, json};

/// Each of 64 scans carries the keys of its own range, not those of all.
#[test]
fn a_scan_of_the_shell_has_only_the_fuzzy_keys_of_its_range() {
    let families = json!([{ "name": "d", "cells": [{ "qualifier": "q", "bytes": 8 }] }]);
    let key = "bucket(host, n, 64).decimal(3) + '|' + at.format('yyyyMMddHHmmssSSS') + '|' + host + '|' + n.uint32()";
    let hour = json!({ "host": "db-3", "at": { "from": "1700000000000", "to": "1700003600000" } });
    let document = document(key, families, asking(&[hour]));
    let text = text("scan-shell", &document);
    let scans: Vec<&str> = text.lines().filter(|line| line.starts_with("scan ")).collect();
    assert_eq!(scans.len(), 64);
    for (salt, scan) in scans.iter().enumerate() {
        let own = format!("Pair.new(\"{salt:03}");
        assert!(scan.contains(&own), "{scan}");
        assert_eq!(scan.matches("Pair.new(").count(), scan.matches(own.as_str()).count(), "{scan}");
    }
}

#[test]
fn a_scan_of_the_whole_table_leaves_the_cache_alone() {
    let families = json!([{ "name": "d", "cells": [{ "qualifier": "q", "bytes": 8 }] }]);
    let asked = asking(&[json!({ "n": 7 }), json!({ "host": "a" })]);
    let document = document("host.terminated() + n.int32()", families, asked);
    let text = text("scan-shell", &document);
    let scans: Vec<&str> = text.lines().filter(|line| line.starts_with("scan ")).collect();
    assert!(scans[0].contains("CACHE_BLOCKS => false"), "{text}");
    assert!(!scans[1].contains("CACHE_BLOCKS"), "{text}");
}

#[test]
fn a_table_of_phoenix_keeps_settings_and_types() {
    let families = json!([{
        "name": "a", "encoding": "ROW_INDEX_V1", "bloom": "NONE", "blocksize": 16384, "ttl": 86400, "versions": 3,
        "cells": [
            { "qualifier": "HITS", "value": { "formula": "n.phoenix.bigint()" } },
            { "qualifier": "NOTE", "value": { "formula": "host.phoenix.varchar()" } },
            { "qualifier": "DOWN", "value": { "formula": "n.phoenix.bigint('desc')" } },
            { "qualifier": "BLOB", "bytes": 9 }
        ]
    }]);
    let document = document("host.phoenix.varchar() + x'00' + n.phoenix.bigint()", families, json!({}));
    let text = text("phoenix", &document);
    for said in [
        "\"a\".\"HITS\" BIGINT,",
        "\"a\".\"NOTE\" VARCHAR,",
        "\"a\".\"DOWN\" VARBINARY,",
        "\"a\".\"BLOB\" VARBINARY,",
        "\"a\".BLOCKSIZE = 16384",
        "\"a\".BLOOMFILTER = 'NONE'",
        "\"a\".DATA_BLOCK_ENCODING = 'ROW_INDEX_V1'",
        "\"a\".VERSIONS = 3",
        "TTL = 86400",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

/// Settings that Phoenix has no name for are named, not dropped.
#[test]
fn settings_that_phoenix_lacks_are_named() {
    let families = json!([
        { "name": "a", "ttl": 86400, "cells": [{ "qualifier": "Q", "bytes": 9 }] },
        { "name": "b", "cells": [{ "qualifier": "R", "bytes": 9 }] }
    ]);
    let text = text("phoenix", &document("host.phoenix.varchar()", families, json!({})));
    assert!(
        text.starts_with("-- Phoenix has no such settings of a family, left out: TTL = 86400 of \"a\"\n"),
        "{text}"
    );
}

fn of(name: &str, fields: &Value, rowkey: &str) -> rowscape::design::Document {
    let text = json!({
        "rowscape": 1, "fields": fields, "rowkey": rowkey,
        "table": { "name": name, "families": [{ "name": "d", "cells": [{ "qualifier": "q", "bytes": 4 }] }] }
    });
    parse(&text.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// A time in seconds is read back from its pattern, as `decode` does; one that the pattern cuts short is not.
#[test]
fn a_rewrite_reads_times_that_their_pattern_holds_whole() {
    let job = |format: &str, pattern: &str| {
        let fields =
            json!([{ "name": "id", "type": "text" }, { "name": "at", "type": "time", "format": format }]);
        let from = of("old", &fields, &format!("at.format('{pattern}') + '|' + id"));
        let to = of("new", &fields, "id.terminated() + at.millis().int64()");
        let [from, to] = [&from, &to].map(|document| (document, &document.tables[0]));
        let points = [from.1.splits.points(), to.1.splits.points()];
        let [from, to] = [(from, &points[0]), (to, &points[1])]
            .map(|((study, design), points)| EmitSubject::new(study, design, points));
        emit_from("rewrite-java", &from, &to).map(|emitted| emitted.text)
    };
    let text = job("yyyy-MM-dd HH:mm:ss", "yyyyMMddHHmmss").expect("a job");
    assert!(text.contains("unformatted(text(part"), "{text}");
    assert_eq!(job("epoch-millis", "yyyyMMddHHmmss").expect_err("no way back").code, "emit.underivable");
}

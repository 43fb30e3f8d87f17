//! A pass, which counts by entry, by batch and by stretch, gives what looking at each record by itself gives.

use proptest::prelude::*;
use rowscape::bytes::strings::ByteStrings;
use rowscape::counter::{Counter, leading};
use rowscape::design::{Document, parse};
use rowscape::encode::Encoder;
use rowscape::formula::typed::TypedFormula;
use rowscape::ingest::{Input, RecordReader};
use rowscape::records::{ColumnValues, Records};
use rowscape::scan::{self, KeyRange, QueryMatcher, covers};
use rowscape::split::SplitPoints;
use rowscape::summary::{DesignScope, RowRefusal, SampledDetail, SampledKey, Summary};
use serde_json::json;

/// Keys that begin with what follows from one text, from two, from a number, and with a literal.
const KEYS: [&str; 5] = [
    "id.md5().hex(2) + '_' + id + '_' + at.millis().decimal(9) + kind",
    "id + '-' + kind + '-' + n.decimal(3)",
    "n.floorMod(4).decimal(1) + id + '-' + at.millis().decimal(9)",
    "'k' + bucket(id, 3).int8() + kind.terminated() + id",
    "at.millis().decimal(9) + id",
];

fn study() -> Document {
    let splits = [
        json!({ "points": ["2", "9a", "9a_b", "c"] }),
        json!({ "points": ["a", "a-", "a-x-0", "b", "bb-y"] }),
        json!({ "salts": 4, "digits": 1 }),
        json!({ "points": ["k\\x01", "k\\x01x", "k\\x02"] }),
        json!({ "points": [] }),
    ];
    let table = |(number, (rowkey, splits))| json!({ "name": format!("t{number}"), "rowkey": rowkey, "splits": splits });
    let tables: Vec<_> = KEYS.iter().zip(splits).enumerate().map(table).collect();
    let document = json!({
        "rowscape": 1, "arrival": "at", "tables": tables,
        "operation": { "field": "kind", "read": ["x"] },
        "fields": [
            { "name": "id", "type": "text" }, { "name": "at", "type": "time", "format": "epoch-millis" },
            { "name": "n", "type": "integer" }, { "name": "kind", "type": "text" },
        ],
        "queries": [
            { "name": "one", "where": { "id": "a" } }, { "name": "some", "where": { "id": { "prefix": "b" }, "kind": "x" } },
            { "name": "all", "where": {} }, { "name": "hour", "where": { "at": { "from": 1000, "to": 9000 } } },
            { "name": "both", "where": { "id": { "in": ["a", "bb", "c"] }, "n": { "from": 10, "to": 500 } } },
        ],
    });
    parse(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn reader(study: &Document) -> RecordReader {
    let input: Input = serde_json::from_value(json!({ "fields": study.fields })).expect("input");
    let mut reader = RecordReader::new(&input).expect("reader");
    reader.push(b"id,at,n,kind\n");
    reader
}

/// Each record by itself, its key and its parts as they are.
fn one_by_one(study: &Document, points: &[SplitPoints], records: &Records) -> Summary {
    let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
    let typed: Vec<_> = study.tables.iter().map(|table| &table.typed).collect();
    let domains: Vec<_> =
        study.queries.iter().map(|query| scan::read(query, &study.fields, "").expect("query")).collect();
    let matching: Vec<QueryMatcher> =
        domains.iter().map(|domains| QueryMatcher::new(records, &study.fields, domains)).collect();
    let leads: Vec<Vec<usize>> = typed.iter().map(|typed| leading(typed)).collect();
    let scope = |(points, leads): (&SplitPoints, &Vec<usize>)| DesignScope {
        points: points.clone(),
        leading: leads.len(),
        queries: vec![true; domains.len()],
        ..DesignScope::default()
    };
    let scopes: Vec<DesignScope> = points.iter().zip(&leads).map(scope).collect();
    let fields = study.named_fields();
    let study_print = rowscape::summary::fingerprint(study);
    let mut summary = Summary::new(study_print, &scopes, &fields).counting_reads();
    let encoder = Encoder::new(records, &names, &typed);
    let mut keys = vec![ByteStrings::default(); typed.len()];
    let mut refused = Vec::new();
    encoder.encode_rows(0..records.rows, &mut keys, |design, row| refused.push((design, row)));
    let rows: Vec<u32> = (0..records.rows as u32).collect();
    let parts: Vec<Vec<ByteStrings>> = typed.iter().map(|typed| encoder.parts(typed, &rows)).collect();
    let plan = |typed: &TypedFormula| -> Vec<Vec<KeyRange>> {
        let queries = study.queries.iter().zip(&domains);
        queries.map(|(query, domains)| scan::plan(typed, &study.fields, query, domains).ranges).collect()
    };
    let ranges: Vec<_> = typed.iter().map(|typed| plan(typed)).collect();
    let reads = study.operation.as_ref().and_then(|operation| operation.of(records)).expect("operation");
    let bytes_of = |name: &str, row: usize| {
        let column = records.column(name).filter(|column| !column.invalid.get(row))?;
        Some(match &column.values {
            ColumnValues::Strings { ids, dictionary } => dictionary.get(ids[row]).to_vec(),
            ColumnValues::Integers(numbers) => numbers[row].to_be_bytes().to_vec(),
        })
    };
    for row in 0..records.rows {
        let reason =
            |design: usize| refused.iter().find(|(of, why)| *of == design && why.row as usize == row);
        let texts: Vec<String> = (0..typed.len())
            .map(|design| {
                let column = reason(design).and_then(|(_, why)| why.column);
                column.map(|column| records.columns[column].refused_text(row as u32)).unwrap_or_default()
            })
            .collect();
        let key = |design: usize| match reason(design) {
            None => Ok(keys[design].get(row)),
            Some((_, why)) => Err(RowRefusal {
                code: why.code,
                field: why.column.map_or("", |column| &records.columns[column].field.name),
                value: &texts[design],
            }),
        };
        let row_keys: Vec<_> = (0..typed.len()).map(key).collect();
        let ends: Vec<Vec<u32>> = (0..typed.len())
            .map(|design| {
                let end = |&count: &usize| {
                    parts[design][..count].iter().map(|part| part.get(row).len() as u32).sum()
                };
                leads[design].iter().filter(|_| row_keys[design].is_ok()).map(end).collect()
            })
            .collect();
        let values: Vec<_> = fields.iter().map(|name| bytes_of(name, row)).collect();
        let time = bytes_of("at", row).map(|bytes| i64::from_be_bytes(bytes.try_into().expect("a time")));
        for (field, value) in summary.fields.iter_mut().zip(&values) {
            value.iter().for_each(|value| field.values.add(value, 1));
        }
        for (design, counted) in summary.designs.iter_mut().enumerate() {
            let Ok(key) = row_keys[design] else { continue };
            for (values, &end) in counted.leading.iter_mut().zip(&ends[design]) {
                values.add(&key[..end as usize], 1);
            }
            for number in 0..study.queries.len() {
                if let Some(counted) =
                    counted.queries[number].as_mut().filter(|_| covers(&ranges[design][number], key))
                {
                    counted.read += 1;
                    counted.returned += u64::from(matching[number].matches(row));
                }
            }
        }
        let sampled: Vec<_> = values.iter().map(|value| value.as_deref().map(SampledKey::new)).collect();
        let detail = || SampledDetail { ends: ends.clone(), values: sampled.clone() };
        summary.add_row(records.position(row), (time, reads.is_read(row)), &row_keys, &detail);
    }
    summary
}

/// Lines, some with numbers and times that cannot be used.
fn line() -> impl Strategy<Value = String> {
    let time = prop_oneof![
        9 => (0i64..12_000).prop_map(|time| time.to_string()),
        1 => prop::sample::select(vec!["late", "-9223372036854775808", "9223372036854775807"]).prop_map(str::to_owned),
    ];
    ("[a-c]{1,2}", time, -2i64..520, "[xy]?")
        .prop_map(|(id, time, n, kind)| format!("{id},{time},{n},{kind}\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_pass_over_portions_gives_what_each_record_by_itself_gives(
        mut lines in prop::collection::vec(line(), 0..200), sorted: bool, portion in 9usize..200,
    ) {
        if sorted {
            lines.sort_by_key(|line| line.split(',').nth(1).map(|time| time.parse::<i64>().unwrap_or(0)));
        }
        let study = study();
        let points: Vec<SplitPoints> =
            study.tables.iter().map(|table| table.splits.points().expect("points")).collect();
        let designs: Vec<_> = study.tables.iter().map(|table| &table.typed).zip(&points).collect();
        let print = rowscape::summary::fingerprint(&study);
        let arrival = study.arrival.as_deref();
        let pass = Counter::of_study(print, &study.fields, &designs, arrival, &study.queries, &study.named_fields());
        let mut pass = pass.with_operation(study.operation.as_ref());
        let (mut whole, mut parts) = (reader(&study), reader(&study));
        for lines in lines.chunks(portion) {
            whole.push(lines.concat().as_bytes());
            parts.push(lines.concat().as_bytes());
            pass.add(&parts.take_records_so_far());
        }
        whole.finish();
        parts.finish();
        pass.add(&parts.take_records_so_far());
        let plain = one_by_one(&study, &points, &whole.into_records());
        prop_assert_eq!(pass.so_far(), &plain);
        prop_assert_eq!(pass.so_far().to_bytes(), plain.to_bytes());
    }
}

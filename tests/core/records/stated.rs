//! Statements of packed files about themselves are compared with their contents, and cost no more than their bytes.

use super::formats::{Unpacked, bytes, unpacked};
use super::writers::{
    Flat, Thrift, arrow_file, avro, batch, byte, element, message, page, parquet, plain, schema, zigzag, zstd,
};
use rowscape::base::Problem;
use rowscape::field::Field;
use rowscape::ingest::packed::{PackedForm, Step, Unpacker};
use rowscape::records::formats::PackedFile;
use std::io::Write;

fn read(data: &[u8]) -> Unpacked {
    unpacked(data, None, Some(data.len() as u64)).expect("a packed file")
}

/// Read by name, as a design that names only these columns does.
fn read_only(data: &[u8], names: &[&str], size: Option<u64>) -> Unpacked {
    let fields = names.iter().map(|name| serde_json::json!({ "name": name, "type": "text" }));
    let fields: Vec<Field> = fields.map(|field| serde_json::from_value(field).expect("field")).collect();
    unpacked(data, Some(&fields), size).expect("a packed file")
}

fn text(made: &Unpacked) -> &str {
    assert_eq!(made.problem, None);
    std::str::from_utf8(&made.text).expect("text")
}

/// The problem of a file that is damaged in this part.
#[track_caller]
fn assert_broken(made: &Unpacked, part: &str) {
    let problem = made.problem.as_ref().expect("damage");
    assert_eq!(
        (problem.code, problem.args.get("part").map(String::as_str)),
        ("input.broken-table", Some(part))
    );
}

#[track_caller]
fn assert_beyond(problem: Option<&Problem>, limit: &str) {
    let problem = problem.expect("a limit");
    assert_eq!((problem.code, problem.args["of"].as_str()), ("limit.exceeded", limit), "{problem}");
}

const ROOT: &str = "root";

/// A file of one column of texts.
fn of_texts(rows: i64, groups: &[(i64, i64, &[u8])]) -> Vec<u8> {
    let groups: Vec<_> =
        groups.iter().map(|&(rows, values, pages)| (rows, vec![(values, pages, None)])).collect();
    parquet(vec![element(ROOT, false, 1), element("a", false, 0)], rows, &groups)
}

#[test]
fn rows_that_a_parquet_footer_states_are_those_of_its_row_groups() {
    let two = page(2, 0, &plain(&["x", "y"]));
    assert_eq!(text(&read(&of_texts(2, &[(2, 2, &two)]))), "a\nx\ny\n");
    assert_eq!(text(&read(&of_texts(4, &[(2, 2, &two), (2, 2, &two)]))), "a\nx\ny\nx\ny\n");
    for (rows, groups) in [(50, vec![(2, 2, two.as_slice())]), (2, vec![]), (0, vec![(2, 2, &two)])] {
        assert_broken(&read(&of_texts(rows, &groups)), "the number of records");
    }
}

#[test]
fn values_that_a_column_states_are_those_of_its_pages_and_of_the_other_columns() {
    let two = page(2, 0, &plain(&["x", "y"]));
    let twice = [two.as_slice(), &two].concat();
    // More pages than values, fewer, and other numbers than rows.
    for (rows, values, pages) in [(2, 2, &twice), (4, 4, &two), (2, 4, &twice), (4, 2, &twice)] {
        let made = read(&of_texts(rows, &[(rows, values, pages)]));
        let part = made.problem.expect("damage").args["part"].clone();
        assert!(part == "the number of values" || part == "the header of a page", "{part}");
    }
    // Bytes behind the pages do not matter.
    let padded = [two.as_slice(), &[0; 20]].concat();
    assert_eq!(text(&read(&of_texts(2, &[(2, 2, &padded)]))), "a\nx\ny\n");
    let elements = || vec![element(ROOT, false, 2), element("a", false, 0), element("b", false, 0)];
    for values in [1, 3] {
        let groups = [(2, vec![(2, two.as_slice(), None), (values, &two, None)])];
        let made = read_only(&parquet(elements(), 2, &groups), &["a"], None);
        assert!(made.problem.is_some(), "without a size");
        let data = parquet(elements(), 2, &groups);
        assert_broken(&read_only(&data, &["a"], Some(data.len() as u64)), "the number of values");
    }
    // A row group without one of the columns.
    let data = parquet(elements(), 2, &[(2, vec![(2, &two, None)])]);
    assert_broken(&read_only(&data, &["a"], Some(data.len() as u64)), "the footer");
    // Row groups that all lie in the same bytes.
    let long = page(1, 0, &plain(&[&"x".repeat(1000)]));
    let shared = |count: i64| {
        let groups: Vec<_> =
            (0..count).map(|at| (1, vec![(1, long.as_slice(), (at > 0).then_some(4))])).collect();
        read(&parquet(vec![element(ROOT, false, 1), element("a", false, 0)], count, &groups))
    };
    assert_eq!(shared(1).problem, None);
    assert_broken(&shared(20), "the footer");
}

#[test]
fn few_bytes_that_state_many_parquet_rows_are_rejected_at_once() {
    // No value is there: a run of equal levels states any number of rows in a few bytes.
    for rows in [10i64.pow(8), 10i64.pow(9)] {
        let mut levels = Vec::new();
        let mut run = rows as u64 * 2;
        while run > 0x7f {
            levels.push(run as u8 | 0x80);
            run >>= 7;
        }
        levels.extend([run as u8, 0]);
        let sized = [&(levels.len() as u32).to_le_bytes(), levels.as_slice()].concat();
        let pages = page(rows, 0, &sized);
        let elements = vec![element("r", false, 1), element("a", true, 0)];
        let data = parquet(elements, rows, &[(rows, vec![(rows, &pages, None)])]);
        assert!(data.len() < 150, "{}", data.len());
        let made = read(&data);
        assert_beyond(made.problem.as_ref(), "limit.table-rows");
        assert!(made.text.is_empty());
    }
}

#[test]
fn names_that_all_columns_repeat_are_bounded() {
    let deep = "p".repeat(4000);
    let mut elements = vec![element(ROOT, false, 1), element(&deep, false, 5000)];
    elements.extend((0..5000).map(|at| element(&format!("c{at}"), false, 0)));
    assert_beyond(read(&parquet(elements, 0, &[])).problem.as_ref(), "limit.table-names");
    // Fields of Arrow that lie in the same bytes are 2 to the power of their depth.
    let mut tables = vec![vec![(1, Flat::Tables(vec![2]))]];
    for depth in 0..30 {
        let within = if depth < 29 { vec![3 + 2 * depth + 1; 2] } else { Vec::new() };
        let kind = if depth < 29 { 13 } else { 1 };
        let field = vec![
            (0, Flat::Text("f")),
            (2, byte(kind)),
            (3, Flat::Table(3 + 2 * depth)),
            (5, Flat::Tables(within)),
        ];
        tables.extend([field, Vec::new()]);
    }
    assert_broken(&read(&message(1, tables, &[])), "the schema");
    // An Avro record that others have as two fields each, and a long type that they share.
    let mut kind = r#"{"type":"record","name":"R0","fields":[{"name":"f","type":"int"}]}"#.to_owned();
    for depth in 1..16 {
        let name = depth - 1;
        kind = format!(
            r#"{{"type":"record","name":"R{depth}","fields":[{{"name":"{0}a","type":{kind}}},{{"name":"{0}b","type":"R{name}"}}]}}"#,
            "n".repeat(100)
        );
    }
    assert_beyond(read(&avro(&kind, "null", &[])).problem.as_ref(), "limit.table-names");
}

/// An Arrow stream of a column of bytes and one that no design names.
fn stream(batches: &[Vec<u8>]) -> Vec<u8> {
    let schema = message(1, schema(&[("a", true), ("b", true)], 1), &[]);
    [schema, batches.concat(), b"\xff\xff\xff\xff\0\0\0\0".to_vec()].concat()
}

#[test]
fn an_arrow_stream_that_is_cut_in_a_column_without_use_is_told() {
    let one = batch(2, &[(2, Some(b"\x01\x02")), (2, Some(b"\x03\x04"))]);
    let data = stream(&[one.clone(), one.clone()]);
    let size = data.len() as u64;
    for known in [None, Some(size)] {
        assert_eq!(text(&read_only(&data, &["a"], known)), "a\n1\n2\n1\n2\n");
    }
    for cut in [9, 10] {
        let data = &data[..data.len() - cut];
        for known in [None, Some(data.len() as u64)] {
            let made = read_only(data, &["a"], known);
            assert_broken(&made, "the end of the file");
            assert_eq!(made.text, b"a\n1\n2\n1\n2\n", "what can be read is kept");
        }
    }
    // A stream that ends between two messages is whole, and one behind another would be lost.
    assert_eq!(text(&read_only(&data[..data.len() - 8], &["a"], None)), "a\n1\n2\n1\n2\n");
    let two = [data.as_slice(), &data].concat();
    for known in [None, Some(two.len() as u64)] {
        assert_broken(&read_only(&two, &["a"], known), "bytes behind the end of the stream");
    }
    // A message that is no batch.
    assert_broken(&read(&stream(&[message(4, vec![Vec::new()], &[])])), "a message");
}

#[test]
fn values_of_arrow_columns_are_as_many_as_rows() {
    for (rows, a, b) in [(2, 2, 1), (2, 1, 2), (2, 2, 3), (1, 2, 2)] {
        let made = read_only(&stream(&[batch(rows, &[(a, Some(b"12")), (b, Some(b"34"))])]), &["a"], None);
        assert_broken(&made, "the number of values");
    }
    // Columns of no values have rows without bytes.
    let schema = message(1, schema(&[("a", false)], 1), &[]);
    let few = [schema.as_slice(), &batch(3, &[(3, None)])].concat();
    assert_eq!(text(&read(&few)), "a\n\"\"\n\"\"\n\"\"\n");
    let many = [schema.as_slice(), &batch(1 << 31, &[(1 << 31, None)])].concat();
    assert_beyond(read(&many).problem.as_ref(), "limit.table-rows");
}

#[test]
fn an_arrow_footer_lists_every_batch_and_nothing_else() {
    let columns = [("a", true)];
    let one = batch(2, &[(2, Some(b"\x01\x02"))]);
    let messages = [one.clone(), one.clone(), one];
    assert_eq!(text(&read(&arrow_file(&columns, &messages, &[1, 2, 3]))), "a\n1\n2\n1\n2\n1\n2\n");
    for listed in [&[1, 2][..], &[2, 3], &[1, 3], &[], &[1, 1, 2, 3], &[0, 1, 2, 3], &[1, 2, 3, 0]] {
        assert_broken(&read(&arrow_file(&columns, &messages, listed)), "the footer");
    }
    // Through a pipe there is no footer, and the end of the messages has to be there.
    let data = arrow_file(&columns, &messages, &[1, 2, 3]);
    assert_eq!(text(&unpacked(&data, None, None).expect("a file")), "a\n1\n2\n1\n2\n1\n2\n");
    let behind = data.windows(8).rposition(|bytes| bytes == b"\xff\xff\xff\xff\0\0\0\0").expect("an end");
    assert_broken(&unpacked(&data[..behind], None, None).expect("a file"), "the end of the file");
}

const LIST: &str = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"l","type":{"type":"array","items":{"type":"record","name":"E","fields":[FIELDS]}}}]}"#;

#[test]
fn avro_values_without_bytes_are_passed_over_at_once() {
    let fields: Vec<String> = (0..2000)
        .map(|at| format!(r#"{{"name":"f{at}","type":{{"type":"fixed","name":"X{at}","size":0}}}}"#))
        .collect();
    let schema = LIST.replace("FIELDS", &fields.join(","));
    let mut record = vec![2];
    zigzag(i64::MAX, &mut record);
    record.push(0);
    let made = read(&avro(&schema, "null", &[(3, &record.repeat(3))]));
    assert_eq!(text(&made), "a\n1\n1\n1\n");
    // Beside values with bytes, of which there are fewer than stated.
    let with_bytes = LIST.replace("FIELDS", &format!(r#"{},{{"name":"n","type":"int"}}"#, fields.join(",")));
    assert_broken(&read(&avro(&with_bytes, "null", &[(3, &record.repeat(3))])), "the values");
    // Records of nothing, and columns of nothing that are not wanted.
    let empty =
        r#"{"type":"record","name":"R","fields":[{"name":"a","type":"null"},{"name":"b","type":"null"}]}"#;
    assert_eq!(text(&read_only(&avro(empty, "null", &[(3, &[])]), &["b"], None)), "b\n\"\"\n\"\"\n\"\"\n");
    assert_beyond(read(&avro(empty, "null", &[(1 << 31, &[])])).problem.as_ref(), "limit.table-rows");
    for count in [-1, i64::MIN, i64::MAX] {
        assert!(read(&avro(empty, "null", &[(count, &[])])).problem.is_some(), "{count}");
    }
    // Blocks of a list with the length of their bytes, and without an end.
    for items in [vec![1, 0, 0], vec![3, 8, 0, 0, 0, 0, 0], vec![1, 0x80]] {
        let schema = LIST.replace("FIELDS", r#"{"name":"n","type":"int"}"#);
        let made = read(&avro(&schema, "null", &[(1, &[&[2], items.as_slice()].concat())]));
        assert_eq!(made.problem.is_none(), items.len() != 2, "{items:?}");
    }
}

#[test]
fn records_that_an_avro_block_states_are_those_that_it_holds() {
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}"#;
    assert_eq!(text(&read(&avro(schema, "null", &[(2, &[2, 4]), (1, &[6])]))), "a\n1\n2\n3\n");
    for (count, bytes) in [(1, &[2, 4][..]), (3, &[2, 4]), (0, &[2])] {
        assert_broken(&read(&avro(schema, "null", &[(count, bytes)])), "the values");
    }
    // Two types of one name: no one knows which is meant.
    let enums = r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"enum","name":"E","symbols":["x"]}},{"name":"b","type":{"type":"enum","name":"E","symbols":["y"]}}]}"#;
    assert_broken(&read(&avro(enums, "null", &[(1, &[0, 0])])), "the schema");
}

#[test]
fn a_schema_within_itself_is_read_in_bounded_time() {
    let twice = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"r","type":"R"},{"name":"s","type":"R"}]}"#;
    assert_broken(&read(&avro(twice, "null", &[(1, &[2, 4, 6])])), "the values");
    // Each record holds the next twice, and the last nothing: 2 to the power of 40 values without bytes.
    let mut kind = r#"{"type":"record","name":"R0","fields":[]}"#.to_owned();
    for depth in 1..30 {
        let before = depth - 1;
        kind = format!(
            r#"{{"type":"record","name":"R{depth}","fields":[{{"name":"a","type":{kind}}},{{"name":"b","type":"R{before}"}}]}}"#
        );
    }
    let schema = format!(
        r#"{{"type":"record","name":"T","fields":[{{"name":"n","type":"int"}},{{"name":"l","type":{{"type":"array","items":{kind}}}}}]}}"#
    );
    assert_eq!(text(&read(&avro(&schema, "null", &[(1, &[2, 20, 0])]))), "n\n1\n");
}

#[test]
fn symbols_and_types_that_columns_share_are_held_once() {
    let symbol = "s".repeat(20_000);
    let mut fields =
        vec![format!(r#"{{"name":"f","type":{{"type":"enum","name":"E","symbols":["{symbol}"]}}}}"#)];
    fields.extend((0..20_000).map(|at| format!(r#"{{"name":"f{at}","type":"E"}}"#)));
    let schema = format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, fields.join(","));
    let data = avro(&schema, "null", &[(1, &vec![0; 20_001])]);
    // 400 MB of symbols if each column had its own; as the text of one record they are too many for a little memory.
    let mut file = PackedFile::new(PackedForm::Avro, Some(data.len() as u64));
    file.within(64 << 20);
    assert_beyond(Some(&problem_of(&mut file, &data)), "limit.table-memory");
}

/// Reads a file up to its problem.
fn problem_of(file: &mut PackedFile, data: &[u8]) -> Problem {
    loop {
        match file.step() {
            Ok(Step::Need(range)) => {
                let end = (range.end as usize).min(data.len());
                file.give(range.start, data[range.start as usize..end].to_vec());
            }
            Ok(Step::End) => panic!("no problem"),
            Ok(_) => {}
            Err(problem) => return problem,
        }
    }
}

#[test]
fn pieces_are_unpacked_within_the_memory_stated() {
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"bytes"}]}"#;
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![0; 40 << 20]).expect("memory");
    let block = packer.finish().expect("memory");
    let data = avro(schema, "deflate", &[(1, &block)]);
    assert!(data.len() < 100_000, "{}", data.len());
    let mut file = PackedFile::new(PackedForm::Avro, Some(data.len() as u64));
    file.within(64 << 20);
    assert_beyond(Some(&problem_of(&mut file, &data)), "limit.table-memory");
    // A frame of zstd with a window of 64 MiB.
    let data = b"\x28\xb5\x2f\xfd\x00\x80\x01\x00\x00".to_vec();
    let mut file = PackedFile::new(PackedForm::Zstd, Some(data.len() as u64));
    file.within(64 << 20);
    assert_beyond(Some(&problem_of(&mut file, &data)), "limit.table-memory");
}

#[test]
fn a_zstd_file_that_ends_too_early_is_told_wherever_it_is_cut() {
    let golden = bytes("all.csv.zst");
    for end in golden.len() - 60..golden.len() {
        for size in [None, Some(end as u64)] {
            let made = unpacked(&golden[..end], None, size).expect("a packed file");
            assert_eq!(made.problem.expect("damage").code, "input.broken-gzip", "cut at {end}");
        }
    }
    let frame = zstd(b"a\nx\n", 4);
    assert_eq!(text(&read(&frame)), "a\nx\n");
    let skipped =
        |length: u32| [frame.as_slice(), b"\x50\x2a\x4d\x18", &length.to_le_bytes(), &[1; 30]].concat();
    assert_eq!(text(&read(&skipped(30))), "a\nx\n");
    for length in [31, 1000, u32::MAX] {
        let data = skipped(length);
        for size in [None, Some(data.len() as u64)] {
            let made = unpacked(&data, None, size).expect("a packed file");
            assert_eq!(made.text, b"a\nx\n", "{length}");
            assert_eq!(made.problem.expect("damage").code, "input.broken-gzip", "{length}");
        }
    }
    // Cut within the head of a frame to skip.
    for cut in 1..8 {
        let data = [frame.as_slice(), &b"\x50\x2a\x4d\x18\0\0\0\0"[..cut]].concat();
        assert!(read(&data).problem.is_some(), "{cut}");
    }
    // The size that a frame states.
    for stated in [1, 3, 5] {
        assert!(read(&zstd(b"a\nx\n", stated)).problem.is_some(), "{stated}");
    }
}

#[test]
fn what_was_given_and_what_lies_beyond_the_end_is_not_asked_for_again() {
    for (name, form) in [
        ("zstd.arrows", PackedForm::ArrowStream),
        ("snappy.avro", PackedForm::Avro),
        ("all.csv.zst", PackedForm::Zstd),
        ("lz4.arrow", PackedForm::ArrowFile),
        ("groups.parquet", PackedForm::Parquet),
    ] {
        let data = bytes(name);
        // A host that gives other bytes than it was asked for, or none.
        for given in [0, 1] {
            let mut file = PackedFile::new(form, Some(data.len() as u64));
            let (mut asked, mut ended) = (0, false);
            while asked < 1000 && !ended {
                match file.step() {
                    Ok(Step::Need(range)) => {
                        asked += 1;
                        file.give(
                            range.start + given,
                            vec![0; (range.end - range.start) as usize * given as usize],
                        );
                    }
                    step => ended = matches!(step, Err(_) | Ok(Step::End)),
                }
            }
            assert!(ended && asked < 10, "{name}: {asked}");
        }
    }
}

#[test]
fn values_in_split_bytes_end_with_their_bytes() {
    // Two numbers of four bytes, of which three are said to be there: the third would be of bytes of the others.
    let bytes = [[1, 2], [0, 0], [0, 0], [0, 0]].concat();
    let number = Thrift::Struct(vec![
        (1, Thrift::Number(1)),
        (3, Thrift::Number(0)),
        (4, Thrift::Bytes(b"a".to_vec())),
    ]);
    let file = |values: i64| {
        let pages = page(values, 9, &bytes);
        parquet(
            vec![element(ROOT, false, 1), number.clone()],
            values,
            &[(values, vec![(values, &pages, None)])],
        )
    };
    assert_eq!(text(&read(&file(2))), "a\n1\n2\n");
    assert_broken(&read(&file(3)), "the values");
}

//! The format of a file, guessed from its beginning.

use proptest::prelude::*;
use rowscape::field::{Field, Kind};
use rowscape::ingest::guess::{SaidOfFile, TextEncoding, guess_for};
use rowscape::ingest::{FileForm, RecordReader, guess};

/// Kind and format of a field in one word.
fn types(text: &[u8], name: &str) -> Vec<String> {
    let guess = guess(text, name, None);
    guess
        .input
        .fields
        .into_iter()
        .map(|field| match (field.kind, field.format) {
            (Kind::Time, Some(format)) => format!("{}: {format}", field.name),
            (kind, _) => format!("{}: {kind:?}", field.name),
        })
        .collect()
}

#[test]
fn separator_header_and_types_are_guessed() {
    let cases: &[(&str, &[&str])] = &[
        (
            "phone,call_time,duration,cell_id\n13711512527,2024-05-01 14:35:47,12,460-00-1\n13711512528,2024-05-01 14:35:48,9,460-00-2\n",
            &["phone: Text", "call_time: yyyy-MM-dd HH:mm:ss", "duration: Integer", "cell_id: Text"],
        ),
        ("a;b\n1;2,5\n3;4,5\n", &["a: Integer", "b: Text"]),
        ("a\tb\n1\tx y\n3\tz, w\n", &["a: Integer", "b: Text"]),
        ("name|n\nx|1\ny|2\n", &["name: Text", "n: Integer"]),
        ("1,x\n2,y\n", &["column_1: Integer", "column_2: Text"]),
        ("foo0001\nfoo0002\nfoo0003\n", &["key: Text"]),
        ("rowkey\nfoo0001\nfoo0002\n", &["rowkey: Text"]),
        ("a-1\nb-2\n", &["key: Text"]),
        ("\"a\",\"b\"\n\"1\",\"x,y\"\n\"2\",\"z\"\n", &["a: Integer", "b: Text"]),
        ("a,a,\n1,2,3\n4,5,6\n", &["a: Integer", "a_2: Integer", "column_3: Integer"]),
        ("zip,n\n01234,1\n99999,2\n", &["zip: Text", "n: Integer"]),
        ("v,w\n007,1234567890123456\n008,2234567890123456\n", &["v: Text", "w: Text"]),
        ("t,v\n2021-09-07,1\n2021-09-08,2\n", &["t: yyyy-MM-dd", "v: Integer"]),
        ("t,v\n2021-09-07T01:02:03,1\n", &["t: yyyy-MM-dd'T'HH:mm:ss", "v: Integer"]),
        ("t,v\n2021-09-07T01:02:03Z,1\n", &["t: yyyy-MM-dd'T'HH:mm:ss'Z'", "v: Integer"]),
        ("t,v\n2021-09-07T01:02:03.5+02:00,1\n", &["t: iso8601", "v: Integer"]),
        ("t,v\n2021-09-07 01:02:03.500000,1\n", &["t: iso8601", "v: Integer"]),
        ("t,v\n10/Oct/2000:13:55:36 -0700,1\n", &["t: dd/MMM/yyyy:HH:mm:ss Z", "v: Integer"]),
        ("t,v\nSun Dec 04 04:47:44 2005,1\n", &["t: EEE MMM dd HH:mm:ss yyyy", "v: Integer"]),
        ("t,v\n2005-06-03-15.42.50.675872,1\n", &["t: yyyy-MM-dd-HH.mm.ss.SSSSSS", "v: Integer"]),
        ("t,v\n2005.06.03,1\n", &["t: yyyy.MM.dd", "v: Integer"]),
        ("t,v\n01/25/2013 12:05:00 AM,1\n", &["t: MM/dd/yyyy hh:mm:ss a", "v: Integer"]),
        ("t,v\n1/25/2013 12:05:00 AM,1\n", &["t: M/d/yyyy h:mm:ss a", "v: Integer"]),
        ("t,v\n25/1/2013 5:17 pm,1\n", &["t: d/M/yyyy h:mm a", "v: Integer"]),
        ("t,v\n1/25/13 5:17,1\n", &["t: M/d/yy H:mm", "v: Integer"]),
        ("t,v\n2013/1/25,1\n", &["t: yyyy/M/d", "v: Integer"]),
        ("t\tv\nJan 5, 2013\t1\n", &["t: MMM d, yyyy", "v: Integer"]),
        ("t,v\n25-JAN-13,1\n", &["t: d-MMM-yy", "v: Integer"]),
        ("t,v\n\"Sat, 5 Jan 2013 05:17:00 -0500\",1\n", &["t: EEE, d MMM yyyy HH:mm:ss Z", "v: Integer"]),
        ("t,v\n2013-01-05 05:17:00 +0000,1\n", &["t: yyyy-MM-dd HH:mm:ss Z", "v: Integer"]),
        ("t,v\n2013-01-05 05:17:00 UTC,1\n", &["t: yyyy-MM-dd HH:mm:ss 'UTC'", "v: Integer"]),
        ("t,v\n20130105 05:17:00,1\n", &["t: yyyyMMdd HH:mm:ss", "v: Integer"]),
        ("t,v\n130105 051700,1\n", &["t: yyMMdd HHmmss", "v: Integer"]),
        ("t,v\n2013-1-5 5:17,1\n2013-11-25 15:17,1\n", &["t: yyyy-M-d H:mm", "v: Integer"]),
        ("t,v\n2013-1-5,1\n2013-11-25,1\n", &["t: yyyy-M-d", "v: Integer"]),
        ("t,v\nSat Jan 05 05:17:00 +0000 2013,1\n", &["t: EEE MMM dd HH:mm:ss Z yyyy", "v: Integer"]),
        ("t,v\n\"January 5, 2013\",1\n", &["t: MMMM d, yyyy", "v: Integer"]),
        ("t,v\n\"May 5, 2013\",1\n", &["t: MMM d, yyyy", "v: Integer"]),
        ("t,v\n\"May 5, 2013\",1\n\"June 6, 2013\",2\n", &["t: MMMM d, yyyy", "v: Integer"]),
        ("t,v\n20130105T051700Z,1\n", &["t: yyyyMMdd'T'HHmmss'Z'", "v: Integer"]),
        ("t,v\n20130105051700123,1\n", &["t: yyyyMMddHHmmssSSS", "v: Integer"]),
        ("t,v\nMarch,1\nMay,2\n", &["t: Text", "v: Integer"]),
        ("t,v\n25/12/2021,1\n01/02/2021,2\n", &["t: dd/MM/yyyy", "v: Integer"]),
        ("t,v\n12/25/2021,1\n01/02/2021,2\n", &["t: MM/dd/yyyy", "v: Integer"]),
        ("t,v\n1/2/2021,1\n1/13/2021,2\n", &["t: M/d/yyyy", "v: Integer"]),
        ("t,v\n20210907010203,1\n20210908010203,2\n", &["t: yyyyMMddHHmmss", "v: Integer"]),
        ("t,v\n20210907,1\n20210908,2\n", &["t: yyyyMMdd", "v: Integer"]),
        ("ts,v\n1638290481900,434\n1638290482900,76\n", &["ts: epoch-millis", "v: Integer"]),
        ("ts,v\n1638290481,434\n1638290482,76\n", &["ts: epoch-seconds", "v: Integer"]),
        ("ts,v\n1638290481900123,434\n1638290482900456,76\n", &["ts: epoch-micros", "v: Integer"]),
        ("ts,v\n1638290481900123456,434\n1638290482900456789,76\n", &["ts: epoch-nanos", "v: Integer"]),
        // Ids of 19 digits beside a time; nanoseconds of the same moments; and such that a name calls a time.
        (
            "message,sent\n1795101219482640384,1717200000\n1795101219482640999,1717200001\n1795101223676944384,1717200002\n",
            &["message: Text", "sent: epoch-seconds"],
        ),
        (
            "ns,sent\n1717200000482640384,1717200000\n1717200001482640999,1717200001\n1717200002676944384,1717200002\n",
            &["ns: epoch-nanos", "sent: epoch-seconds"],
        ),
        (
            "expiry_ts,sent\n1795101219482640384,1717200000\n1795101219482640999,1717200001\n1795101223676944384,1717200002\n",
            &["expiry_ts: epoch-nanos", "sent: epoch-seconds"],
        ),
        ("ts,v\n1331901000.000000,1.5\n1331901000.210000,2.5\n", &["ts: epoch-seconds.SSS", "v: Decimal"]),
        ("time,v\n0.25,1\n1.5,2\n", &["time: Decimal", "v: Integer"]),
        ("order_id,v\n1638290481,1\n1638290482,2\n", &["order_id: Text", "v: Integer"]),
        ("v,w\n1.5,\n2.5,\n", &["v: Decimal", "w: Text"]),
        ("v,w\n12,1e3\n-2.50,2.5E-7\n", &["v: Decimal", "w: Float"]),
        ("v,card\ntrue,1.5\nFALSE,2.5\n", &["v: Boolean", "card: Text"]),
        (
            "{\"t\":\"2021-09-07 01:02:03\",\"n\":1,\"o\":{\"p\":1}}\n{\"n\":2,\"s\":\"x\"}\n",
            &["t: yyyy-MM-dd HH:mm:ss", "n: Integer", "o: Text", "s: Text"],
        ),
        (
            "11 2 3 x\n12 3 4 y\n",
            &["column_1: Integer", "column_2: Integer", "column_3: Integer", "column_4: Text"],
        ),
        (
            "10.0.0.7 - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.0\" 200 2326\n10.0.0.8 - [10/Oct/2000:13:55:37 -0700] \"GET /b?c HTTP/1.0\" 200 12\n",
            &[
                "column_1: Text",
                "column_2: Text",
                "column_3: '['dd/MMM/yyyy:HH:mm:ss Z']'",
                "column_4: Text",
                "column_5: Text",
                "column_6: Integer",
                "column_7: Integer",
            ],
        ),
        ("2021-09-07 01:02:03\n2021-09-07 01:02:04\n", &["key: yyyy-MM-dd HH:mm:ss"]),
        ("id,<b>,at\n1,a,2024-05-01\n2,b,2024-05-02\n3,c\n", &["id: Text", "<b>: Text", "at: yyyy-MM-dd"]),
        ("a,b\nc\nd,e\nf,g\n", &["key: Text"]),
    ];
    for (text, expected) in cases {
        assert_eq!(types(text.as_bytes(), "some.csv"), *expected, "{text:?}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(types(windows.as_bytes(), "some.csv"), *expected, "{windows:?}");
    }
}

#[test]
fn the_form_is_guessed() {
    for (text, form, separator, quote, header) in [
        ("a,b\n1,2\n", FileForm::Csv, Some(","), Some("\""), Some(true)),
        ("a\tb\n1\t2\n", FileForm::Csv, Some("\t"), Some("\""), Some(true)),
        ("a,b\n'1','2'\n", FileForm::Csv, Some(","), Some("'"), Some(true)),
        ("size,n\n5\" pipe,1\n6\" pipe,2\n", FileForm::Csv, Some(","), Some(""), Some(true)),
        ("{\"a\":1}\n", FileForm::Jsonl, None, None, None),
    ] {
        let input = guess(text.as_bytes(), "file", None).input;
        let found = (input.format, input.separator.as_deref(), input.quote.as_deref(), input.header);
        assert_eq!(found, (form, separator, quote, header), "{text:?}");
    }
}

#[test]
fn what_is_in_quotes_is_one_value_whatever_stands_in_it() {
    for (text, expected) in [
        ("id,name\n1,\"Smith, John\"\n2,\"Doe, Jane\"\n", ["1", "Smith, John"]),
        ("id;name\r\n1;\"Smith; John\"\r\n2;Doe\r\n", ["1", "Smith; John"]),
        ("name\tid\n\"a\tb\"\t1\nc\t2\n", ["a\tb", "1"]),
        ("id|name\n1|\"two\nlines\"\n2|x\n", ["1", "two\nlines"]),
        ("id,said\n1,\"he said \"\"yes, sir\"\"\"\n2,\"\"\n", ["1", "he said \"yes, sir\""]),
        ("id,said\n1,\"yes, \"\"sir\"\"\"\n2,no", ["1", "yes, \"sir\""]),
        // No quotes, though values begin with one.
        ("id,size\n1,\"5 inch\n2,\"6 inch\n", ["1", "\"5 inch"]),
        ("id,word\n1,'tis\n2,dogs'\n", ["1", "'tis"]),
    ] {
        let guess = guess(text.as_bytes(), "some.csv", None);
        let first = guess.preview.iter().find(|record| record[0] != "id" && record[0] != "name");
        assert_eq!(first.map(Vec::as_slice), Some(&expected.map(str::to_owned)[..]), "{text:?}");
    }
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn encodings_are_as_marked_or_said_and_else_utf_8() {
    let text = "name,city\nJos\u{e9},K\u{f6}ln\nAnn,Bonn\n";
    let latin: Vec<u8> = text.chars().map(|char| char as u8).collect();
    for (bytes, encoding) in [
        (text.as_bytes().to_vec(), TextEncoding::Utf8),
        (format!("\u{feff}{text}").into_bytes(), TextEncoding::Utf8),
        (latin.clone(), TextEncoding::Windows1252),
        (utf16(text, u16::to_le_bytes), TextEncoding::Utf16Le),
        (utf16(&format!("\u{feff}{text}"), u16::to_le_bytes), TextEncoding::Utf16Le),
        (utf16(text, u16::to_be_bytes), TextEncoding::Utf16Be),
        (utf16(&format!("\u{feff}{text}"), u16::to_be_bytes), TextEncoding::Utf16Be),
    ] {
        let said = SaidOfFile { encoding: Some(encoding), ..SaidOfFile::default() };
        let guess = guess_for(&bytes, "people.csv", &said);
        assert_eq!(guess.encoding, encoding);
        assert_eq!(guess.preview[0], ["Jos\u{e9}", "K\u{f6}ln"]);
        assert_eq!(guess.input.fields[0].name, "name");
    }
    let assumed = guess(&latin, "people.csv", None);
    assert_eq!((assumed.encoding, assumed.input.encoding), (TextEncoding::Utf8, None));
    let marked = utf16(&format!("\u{feff}{text}"), u16::to_be_bytes);
    assert_eq!(guess(&marked, "people.csv", None).encoding, TextEncoding::Utf16Be);
    assert!(guess(b"\x1f\x8b\x08\x00rest", "a.csv.gz", None).gzip);
}

#[test]
fn doubts_are_said() {
    for (bytes, code) in [
        (b"".as_slice(), "input.empty"),
        (b"\n\n", "input.empty"),
        (b"\x00\x01\x02\x7f\x00\x03PK\x03\x04\x00\x00\x05\x06", "input.binary"),
        (&utf16("a,b\n1,2\n3,4\n5,6\n", u16::to_le_bytes), "input.utf-16"),
        (b" 00004 19970101  1   29.33\n 00004 19970118  2   29.73\n", "input.columns-by-spaces"),
    ] {
        let codes: Vec<_> = guess(bytes, "f", None).problems.iter().map(|problem| problem.code).collect();
        assert!(codes.contains(&code), "{codes:?} lacks {code}");
    }
    for text in ["n,who\n517,a\nNA,b\n1004,c\n", "n,who\n1.5,a\n-2,b\n\\N,c\n"] {
        let field = &guess(text.as_bytes(), "f", None).fields[0];
        assert_eq!((field.field.kind, field.code), (Kind::Text, "guess.numbers-with-gaps"), "{text}");
    }
    assert_eq!(guess(b"n,who\n517,a\nfew,b\n1004,c\n", "f", None).fields[0].code, "guess.text");
    assert_eq!(guess(b"t,v\n01/02/2021,1\n03/04/2021,2\n", "f", None).fields[0].code, "guess.day-or-month");
}

/// A file of one column beside a number, and what is guessed of it: its type and format, why, and the odd value with its row.
fn odd(name: &str, values: &[&str]) -> (String, &'static str, Option<(String, String)>) {
    let rows: String = values.iter().enumerate().map(|(row, value)| format!("{row},\"{value}\"\n")).collect();
    let guess = guess(format!("n,{name}\n{rows}").as_bytes(), "some.csv", None);
    let column = guess.fields.into_iter().nth(1).expect("two fields");
    let kind = column.field.format.unwrap_or(column.field.kind.name().to_owned());
    let arg = |name: &str| column.args.get(name).cloned();
    (kind, column.code, arg("found").zip(arg("row")))
}

#[test]
fn a_column_of_times_but_for_a_few_values_is_one_of_times_and_says_which_is_none() {
    let one_in_ten = |one: &'static str, stray: &'static str| {
        let mut values = vec![one; 10];
        values[3] = stray;
        values
    };
    for (name, one, stray, kind) in [
        ("t", "2024-05-01 13:45:10", "garbage", "yyyy-MM-dd HH:mm:ss"),
        ("t", "2024-05-01 13:45:10", "n/a", "yyyy-MM-dd HH:mm:ss"),
        ("t", "2024-05-01", "2024-02-30", "yyyy-MM-dd"),
        ("t", "2024-05-01", "17", "yyyy-MM-dd"),
        ("t", "25/12/2021", "-", "dd/MM/yyyy"),
        ("t", "January 5, 2013", "soon", "MMMM d, yyyy"),
        ("t", "20210907010203", "later", "yyyyMMddHHmmss"),
        ("ts", "1638290481900", "none", "epoch-millis"),
        ("ts", "1331901000.25", "never", "epoch-seconds.SSS"),
    ] {
        let told = Some((stray.to_owned(), "4".to_owned()));
        assert_eq!(
            odd(name, &one_in_ten(one, stray)),
            (kind.to_owned(), "guess.nearly-time", told),
            "{stray}"
        );
    }
    // One in nine is too many, but not of what says that there is no value.
    let days = ["2024-05-01", "2024-05-02", "2024-05-13"];
    assert_eq!(odd("t", &[&days[..], &["soon"]].concat()), ("text".into(), "guess.text", None));
    let (kind, code, told) = odd("t", &[&["null"], &days[..]].concat());
    assert_eq!(
        (kind.as_str(), code, told),
        ("yyyy-MM-dd", "guess.nearly-time", Some(("null".into(), "1".into())))
    );
    assert_eq!(odd("t", &["-", "-", days[0], days[1]]), ("text".into(), "guess.text", None));
    // Whatever reads most values is what they are.
    let mut american = vec!["1/2/2021"; 40];
    american.extend(["12/25/2021", "?"]);
    assert_eq!(odd("t", &american).0, "M/d/yyyy");
    assert_eq!(odd("t", &one_in_ten("1/2/2021", "?")).1, "guess.nearly-day-or-month");
}

#[test]
fn a_column_of_numbers_but_for_a_few_values_stays_text_and_says_which_is_none() {
    let of = |one: &'static str, stray: &'static str| {
        let mut values = vec![one; 20];
        values[19] = stray;
        odd("v", &values)
    };
    let told = |stray: &str| Some((stray.to_owned(), "20".to_owned()));
    assert_eq!(of("517", "A12"), ("text".into(), "guess.nearly-numbers", told("A12")));
    assert_eq!(of("1.5", "few"), ("text".into(), "guess.nearly-numbers", told("few")));
    assert_eq!(of("517", "n/a"), ("text".into(), "guess.numbers-with-gaps", told("n/a")));
    assert_eq!(of("true", "maybe"), ("text".into(), "guess.nearly-boolean", told("maybe")));
    // Digits that are no number have nothing odd among them.
    assert_eq!(of("007", "A12"), ("text".into(), "guess.text", None));
    // The values are counted as they stand in the file, the empty ones too.
    let told = Some(("-".to_owned(), "3".to_owned()));
    assert_eq!(odd("v", &["1", "", "-", "4", "5"]), ("text".into(), "guess.numbers-with-gaps", told));
}

#[test]
fn a_value_that_is_no_time_costs_its_row_alone() {
    let mut text = "who,at\n".to_owned() + &"a,2024-05-01 13:45:10\n".repeat(9);
    text.push_str("b,garbage\n");
    let guess = guess(text.as_bytes(), "some.csv", None);
    assert_eq!(
        guess.fields[1].why,
        "times in this format, except “garbage” in row 10; such rows are listed, and rejected where their time is needed"
    );
    let mut reader = RecordReader::new(&guess.input).expect("input");
    reader.push(text.as_bytes());
    reader.finish();
    let at = &reader.records().columns[1];
    assert_eq!((reader.records().rows, at.invalid.count()), (10, 1));
    assert_eq!(at.first_invalid, [(9, "garbage".to_owned(), "field.not-a-time")]);
}

#[test]
fn a_date_and_a_time_of_day_in_neighbouring_columns_are_one_time() {
    for (text, expected) in [
        ("who,date,time\na,2024-05-01,13:45:10\n", "date_time: yyyy-MM-dd HH:mm:ss"),
        ("who,date,time\na,2024-05-01,13:45\n", "date_time: yyyy-MM-dd HH:mm"),
        (
            "who;Datum;Zeit\na;01.05.2024;13:45:10\nb;13.05.2024; 03:45:10\n",
            "Datum_Zeit: dd.MM.yyyy HH:mm:ss",
        ),
        ("a,5/13/2024,1:45 PM\n", "column_2_column_3: M/d/yyyy h:mm a"),
        ("a 081109 203518\nb 081109 203807\n", "column_2_column_3: yyMMdd HHmmss"),
        ("who,date,time,date_time\na,20240501,13:45:10,x\n", "date_time_2: yyyyMMdd HH:mm:ss"),
        ("{\"date\":\"2024-05-01\",\"time\":\"13:45:10.250\"}\n", "date_time: yyyy-MM-dd HH:mm:ss.SSS"),
        ("day,at\n2024-05-01 13:45:10,+0200\n", "day: yyyy-MM-dd HH:mm:ss Z"),
    ] {
        let joined: Vec<Field> = guess(text.as_bytes(), "f", None)
            .input
            .fields
            .into_iter()
            .filter(|field| !field.from.is_empty())
            .collect();
        let [field] = joined.as_slice() else { panic!("{text:?}: {joined:?}") };
        assert_eq!(format!("{}: {}", field.name, field.format.as_deref().unwrap_or_default()), expected);
    }
    for text in [
        "date,n\n2024-05-01,13\n2024-05-02,14\n",
        "from,until\n2024-05-01,2024-05-02\n",
        "date,time\n2024-05-01,\n2024-05-02,\n2024-05-03,13:45\n",
        "a,b\n123456,654321\n123457,654322\n",
        "at,took\n2024-05-01 13:45:10,00:00:12\n",
    ] {
        assert!(
            guess(text.as_bytes(), "f", None).fields.iter().all(|field| field.field.from.is_empty()),
            "{text:?}"
        );
    }
}

#[test]
fn a_time_in_two_columns_says_so_and_is_read_as_guessed() {
    for text in [
        "n,date,time\n1,2024-05-01,13:45:10\n2,2024-05-02,noon\n",
        "1,2024-05-01,13:45:10\n2,2024-05-02,noon\n",
    ] {
        let rows = "3,2024-05-02,14:00:00\n".repeat(9);
        let text = format!("{text}{rows}");
        let guess = guess(text.as_bytes(), "f", None);
        let codes: Vec<&str> = guess.fields.iter().map(|field| field.code).collect();
        assert_eq!(codes, ["guess.integer", "guess.nearly-time", "guess.time", "guess.text"]);
        let mut reader = RecordReader::new(&guess.input).expect("input");
        reader.push(text.as_bytes());
        reader.finish();
        assert_eq!(reader.records().row_text(0), ["1", "2024-05-01 13:45:10", "2024-05-01", "13:45:10"]);
        assert_eq!(reader.records().row_text(1), ["2", "", "2024-05-02", "noon"]);
    }
    let guess = guess(b"date,time\n2024-05-01,13:45:10\n", "f", None);
    assert_eq!(
        guess.fields[0].why,
        "\u{201c}date\u{201d} and \u{201c}time\u{201d} together are times in this format"
    );
}

#[test]
fn whether_the_first_row_holds_names_can_be_said() {
    let names = |header| {
        let guess = guess(b"alice,7\nbob,8\nbob,9\n", "f", header);
        assert_eq!(guess.input.header, Some(header.unwrap_or(false)));
        (guess.fields.iter().map(|field| field.field.name.clone()).collect::<Vec<_>>(), guess.preview.len())
    };
    assert_eq!(names(None), names(Some(false)));
    assert_eq!(names(Some(false)), (vec!["column_1".into(), "column_2".into()], 3));
    assert_eq!(names(Some(true)), (vec!["alice".into(), "7".into()], 2));
}

#[test]
fn a_first_row_unlike_the_texts_below_it_is_taken_for_names() {
    for text in [
        "country\nFrance\nGermany\nSpain\n",
        "state\nMA\nNY\nCA\n",
        "sex\nMale\nFemale\nMale\n",
        "last_name\nde Boer\nO'Neill\nvan der Berg\n",
        "EventTemplate\nSend worker leaving thread\nEstablished session <*>\nNotification time out: <*>\n",
        "weather\nrain\nsun\nsun\nsun\nrain\nfog\nfog\nrain\nsun\nsun\n",
        "origin,dest\nLGA,JFK\nEWR,LGA\nJFK,BOS\n",
        "user,action\nalice,login\nbob,logout\nalice,login\n",
        "Name;City\nAnn;Bonn\nBob;Essen\nEve;Ulm\n",
        "device;state\nA-1;on\nA-2;off\nA-3;on\n",
        "HOSTNAME\tROLE\nweb1\tfront\nweb2\tfront\ndb1\tstore\n",
        "Model\nBERT-1\nT5\nXL-2\n",
    ] {
        assert_eq!(guess(text.as_bytes(), "some.csv", None).input.header, Some(true), "{text:?}");
    }
}

#[test]
fn a_first_row_like_the_texts_below_it_is_taken_for_data() {
    for text in [
        "France\nGermany\nSpain\nItaly\n",
        "MA\nNY\nCA\nTX\n",
        "rain\nsun\nsun\nsun\nrain\nfog\nfog\nrain\nsun\nsun\n",
        "de Boer\nO'Neill\nvan der Berg\nde Vries\n",
        "user7_order9\nuser8_order1\nuser9_order3\n",
        "alice\nbob\ncarol\ndave\n",
        "LGA,JFK\nEWR,LGA\nBOS,EWR\nDCA,BOS\n",
        "SUN,TWF\nSUX,MSP\nSWF,ATL\n",
        "alice,login\nbob,logout\nalice,login\n",
        "web1\tfront\nweb2\tfront\ndb1\tstore\n",
        "A-1;on\nA-2;off\nA-3;on\n",
        "GET /a\nGET /b\nPOST /a\n",
    ] {
        assert_eq!(guess(text.as_bytes(), "some.csv", None).input.header, Some(false), "{text:?}");
    }
}

#[test]
fn rows_of_any_width_beneath_names_keep_their_separator() {
    let ragged = format!("phone,at\n{}", "1,2\n1,2,3\n".repeat(50));
    let tabs = ragged.replace(',', "\t");
    let wide = format!("phone,at,{}\n1,2024-05-02 12:00\n", "c,".repeat(100_000));
    for (text, separator) in [(&ragged, ","), (&tabs, "\t"), (&wide, ",")] {
        let guess = guess(text.as_bytes(), "some.csv", None);
        assert_eq!((guess.input.separator.as_deref(), guess.input.header), (Some(separator), Some(true)));
        assert_eq!(guess.input.fields[0].name, "phone");
    }
    let spaced = ragged.replace("phone", "The phone");
    assert_eq!(guess(spaced.as_bytes(), "some.csv", None).input.fields.len(), 1);
    let said = SaidOfFile { declared: &["at"], ..SaidOfFile::default() };
    let declared = guess_for(spaced.as_bytes(), "some.csv", &said).input;
    assert_eq!((declared.separator.as_deref(), declared.header), (Some(","), Some(true)));
}

#[test]
fn the_last_line_of_a_long_head_is_not_taken_for_a_record() {
    let mut text = "n,m\n".to_owned() + &"12,34\n".repeat(20_000);
    text.truncate(65_536);
    text.push_str("\nx");
    assert_eq!(types(text.as_bytes(), "f"), ["n: Integer", "m: Integer"]);
}

#[test]
fn the_fields_of_the_shipped_example_are_guessed_as_its_design_declares_them() {
    let text = include_bytes!("../../../www/examples/nyc-flights-2013-01.csv");
    assert_eq!(
        types(&text[..65_536], "nyc-flights-2013-01.csv"),
        [
            "departure: yyyy-MM-dd HH:mm",
            "carrier: Text",
            "flight: Integer",
            "tailnum: Text",
            "origin: Text",
            "dest: Text",
            "distance: Integer"
        ]
    );
}

proptest! {
    #[test]
    fn any_bytes_are_guessed_and_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
        let guess = guess(&bytes, "junk.tsv", None);
        if let Ok(mut reader) = RecordReader::new(&guess.input) {
            reader.push(&bytes);
            reader.finish();
        }
    }

    #[test]
    fn what_is_guessed_can_be_read(text in "([a-c]{1,3}[,;\t|])?([0-9]{1,4}[,;\t|\" ]){1,5}\n([0-9a-c\"]{0,4}[,;\t|\n]){0,40}") {
        let guess = guess(text.as_bytes(), "some.csv", None);
        prop_assert!(RecordReader::new(&guess.input).is_ok());
    }
}

#[test]
fn an_array_of_objects_is_read_as_lines() {
    let head = br#"[{"date":"2001/01/01 01:10","delay":95,"origin":"HNL"},
        {"date":"2001/01/01 06:55","delay":-19,"origin":"LAX"}]"#;
    let guess = guess(head, "flights.json", None);
    let kinds: Vec<_> = guess.input.fields.iter().map(|field| (field.name.as_str(), field.kind)).collect();
    assert_eq!(kinds, [("date", Kind::Time), ("delay", Kind::Integer), ("origin", Kind::Text)]);
    let mut reader = rowscape::ingest::RecordReader::new(&guess.input).expect("input");
    head.chunks(7).for_each(|chunk| reader.push(chunk));
    reader.finish();
    assert_eq!(reader.records().rows, 2);
    assert_eq!(reader.records().row_text(1), ["2001/01/01 06:55", "-19", "LAX"]);
    assert_eq!(reader.problems().refused, 0);
}

#[test]
fn a_header_of_all_declared_names_tells_the_separator_however_ragged_the_rows() {
    for rows in ["105,2024,more\n105\n106,2024\n", "a|b\nc|d\ne|f\n", "1\n1,2,3\n"] {
        for separator in [",", ";", "\t"] {
            let text = format!("phone,at\n{}", rows.repeat(40)).replace(',', separator);
            let said = SaidOfFile { declared: &["phone", "at"], ..SaidOfFile::default() };
            let found = guess_for(text.as_bytes(), "calls", &said);
            assert_eq!(found.input.separator.as_deref(), Some(separator), "{text}");
            assert_eq!(found.input.header, Some(true), "{text}");
        }
    }
}

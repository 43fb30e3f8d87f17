//! Input made to harm: nothing that a terminal would obey leaves the command line.

use super::running::{DESIGN, Folder, gzip};

/// A title for the window, a link, colours that hide, C1 codes, and marks that turn or hide text.
const CODES: &str = "\u{1b}]0;owned\u{7}\u{1b}[8m\u{9b}31m\r\u{202e}\u{2066}\u{200b}\u{200f}\u{61c}\u{feff}";

/// The same as `\u` escapes of JSON.
fn in_json() -> String {
    CODES.chars().map(|char| format!("\\u{:04x}", char as u32)).collect()
}

fn assert_harmless(text: &str, from: &str) {
    let obeyed = |char: char| {
        char != '\n'
            && char != '\t'
            && (char.is_control()
                || matches!(char, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'))
    };
    let found = text.chars().find(|&char| obeyed(char));
    assert!(found.is_none(), "{from}: {found:?} in {text:?}");
}

/// A gzip member of the same byte over and over.
fn packed(byte: u8, length: usize) -> Vec<u8> {
    gzip(&vec![byte; length])
}

#[test]
fn a_small_file_that_unpacks_to_much_is_looked_at_in_pieces() {
    let folder = Folder::new("hostile-gzip");
    for (byte, exit, words) in [(0, 2, "does not look like text"), (b'\n', 0, "no record")] {
        folder.write("packed.gz", packed(byte, 1 << 25));
        let begun = std::time::Instant::now();
        let (found, _, said) = folder.told(&["encode", "design.json", "packed.gz"]);
        assert!(found == exit && said.contains(words), "{byte} {found}: {said}");
        // Unbounded, this took a hundred times as long, in proportion to the square of the length.
        assert!(begun.elapsed().as_secs() < 20, "{byte}: {:?}", begun.elapsed());
    }
}

#[test]
fn no_message_brings_escape_sequences_to_the_terminal() {
    let folder = Folder::new("hostile-codes");
    let codes = in_json();
    let named = DESIGN.replace("Phones", &codes).replace("\"a phone\"", &format!("\"{codes}\""));
    let field = DESIGN.replace("\"phone\"", &format!("\"{codes}\""));
    let step = DESIGN.replace("phone.reverse()", &format!("phone.{codes}()"));
    let literal = DESIGN.replace("'_'", &format!("'{codes}'"));
    let splits = DESIGN.replace("\"3\"", &format!("\"{codes}\""));
    let member = DESIGN.replace("\"rowscape\"", &format!("\"{codes}\": 1, \"rowscape\""));
    for (name, design) in [
        ("named.json", &named),
        ("field.json", &field),
        ("step.json", &step),
        ("literal.json", &literal),
        ("splits.json", &splits),
        ("member.json", &member),
        ("broken.json", &format!("{CODES}{DESIGN}")),
    ] {
        folder.write(name, design.as_bytes());
    }
    folder.write(
        "values.csv",
        format!("phone,at\n{CODES},2024-05-02 12:00\n105,{CODES}\n1,2,{CODES}\n").as_bytes(),
    );
    folder.write("header.csv", format!("{CODES},at\n1,2024-05-02 12:00\n").as_bytes());
    folder.write("broken.jsonl", format!("{{\"phone\": \"{CODES}\n{{\"{CODES}\": 1}}\n").as_bytes());
    let file = format!("no-{}", CODES.replace('\r', ""));
    let mut told = 0;
    for design in [
        "design.json",
        "named.json",
        "field.json",
        "step.json",
        "literal.json",
        "splits.json",
        "member.json",
        "broken.json",
        &file,
    ] {
        for data in ["records.csv", "values.csv", "header.csv", "broken.jsonl", &file] {
            for args in [
                &["analyze", design, data][..],
                &["analyze", design, data, "--json"],
                &["encode", design, data],
                &["splits", design, data],
                &["plan", design, data],
                &["plan", design, data, "--json"],
                &["compare", design, "named.json", "--data", data],
            ] {
                let (_, out, error) = folder.told(args);
                assert_harmless(&out, &format!("{args:?}, standard output"));
                assert_harmless(&error, &format!("{args:?}, standard error"));
                told += usize::from(!error.is_empty());
            }
        }
        for args in [
            &["lint", design][..],
            &["lint", design, "--json"],
            &["explain", design, CODES],
            &["decode", design, CODES],
            &["emit", design, "--as", CODES],
            &["lint", design, "--table", CODES],
        ] {
            let (_, out, error) = folder.told(args);
            assert_harmless(&out, &format!("{args:?}, standard output"));
            assert_harmless(&error, &format!("{args:?}, standard error"));
            told += usize::from(!error.is_empty());
        }
    }
    for args in [&[CODES][..], &["analyze", &format!("--{CODES}")], &["help", CODES], &["explain", CODES]] {
        let (exit, out, error) = folder.told(args);
        assert_eq!(exit, 2, "{args:?}");
        assert_harmless(&(out + &error), &format!("{args:?}"));
    }
    assert!(told > 150, "{told} messages");
}

#[test]
fn a_text_that_is_read_as_a_whole_has_a_limit() {
    let folder = Folder::new("hostile-whole");
    folder.write("packed.gz", packed(b'\n', (64 << 20) + 1));
    for (args, of) in [
        (&["lint", "packed.gz"][..], "bytes of a document"),
        (&["suggest", "design.json", "records.csv", "--options", "packed.gz"], "bytes of a document"),
        (&["table", "packed.gz"], "bytes of shell output"),
    ] {
        let (exit, _, said) = folder.told(args);
        assert!(exit == 2 && said.contains(of) && said.contains("at most 67,108,864"), "{args:?}: {said}");
    }
    folder.write("lines", "\n".repeat(1_000_001));
    let (exit, _, said) = folder.told(&["table", "lines"]);
    assert!(exit == 2 && said.contains("1,000,001 lines of shell output"), "{said}");
}

#[test]
fn keys_to_decode_come_line_by_line_whatever_their_length() {
    let folder = Folder::new("hostile-keys");
    let long = "5".repeat(3 << 20);
    let input = format!("501_20240502\r\n{long}\n\n999_20240502");
    let (exit, out, said) = folder.with_input(&["decode", "design.json"], input.as_bytes());
    assert_eq!((exit, out.lines().count()), (1, 2), "{said}");
    assert!(out.contains("phone=\"105\"") && out.contains("phone=\"999\""), "{out}");
    assert!(said.len() < 1000 && said.contains("55555…"), "{said}");
    // Cells of a row follow each other.
    for cells in [1, 1 << 13] {
        let cells = " 501_20240502 column=d:x, timestamp=1, value=v\n".repeat(cells);
        let scan = format!("ROW   COLUMN+CELL\n{cells} 999_20240502 column=d:x, timestamp=1, value=v\n");
        let (exit, out, _) = folder.with_input(&["decode", "design.json"], scan.as_bytes());
        assert!(exit == 0 && out.starts_with("501_20240502\tphone=\"105\""), "{out}");
        assert_eq!(out.lines().count(), 2, "{out}");
    }
}

#[test]
fn reports_images_and_exports_hold_no_hidden_characters() {
    let folder = Folder::new("hostile-files");
    let codes = in_json();
    let named = DESIGN.replace("Phones", &codes).replace("'_'", &format!("'{codes}'"));
    folder.write("named.json", named.replace("\"a phone\"", &format!("\"{codes}\"")));
    folder.told(&["analyze", "named.json", "records.csv", "--html", "a.html", "--svg", "a.svg"]);
    for name in ["a.html", "a.svg"] {
        assert_harmless(&folder.read(name), name);
    }
    for language in ["shell", "java", "scala", "python", "javascript", "spark-sql", "phoenix"] {
        let (_, out, _) = folder.told(&["emit", "named.json", "--as", language]);
        assert_harmless(&out, language);
    }
}

#[test]
fn standard_input_that_is_needed_twice_is_said_and_not_read_as_empty() {
    let folder = Folder::new("hostile-twice");
    for args in [
        &["encode", "-", "-"][..],
        &["encode", "-"],
        &["encode", "design.json", "-", "-"],
        &["compare", "-", "-", "--data", "records.csv"],
    ] {
        let (exit, _, said) = folder.with_input(args, DESIGN.as_bytes());
        assert!(
            exit == 2 && said.contains("standard input can be read only once"),
            "{args:?} {exit}: {said}"
        );
    }
    let (exit, out, said) =
        folder.with_input(&["decode", "design.json", "999_20240502", "-"], b"501_20240502\n");
    assert_eq!((exit, out.lines().count()), (0, 2), "{out}{said}");
}

#[test]
fn an_empty_argument_is_shown_as_such() {
    let folder = Folder::new("hostile-empty");
    for (args, exit, words) in [
        (&["lint", ""][..], 3, "rowscape: “”: no such file"),
        (&["encode", "design.json", "records.csv", "-o", ""], 3, "rowscape: “”: no such file"),
        (&["lint", "design.json", "--table", ""], 2, "has no table “”"),
        (&["encode", "design.json", "--memory", ""], 2, "--memory “”"),
        (&["encode", "design.json", "--header="], 2, "yes, no, not “”"),
        (&["explain"], 2, "found “”"),
        (&["emit", "design.json", "--as", ""], 2, "unknown export “”;"),
    ] {
        let (found, _, said) = folder.told(args);
        assert!(found == exit && said.contains(words), "{args:?} {found}: {said}");
    }
}

#[test]
fn figures_beyond_what_can_be_are_named_as_they_were_given() {
    let folder = Folder::new("hostile-figures");
    let regions = |number| ["splits", "--algorithm", "HexStringSplit", "--regions", number];
    for (args, words) in [
        (&regions("9999999999")[..], "9999999999 regions are too many"),
        (&regions("-5"), "-5 regions are too few"),
        (&regions("1e3"), "must be a whole number, not 1e3"),
        (&["size", "design.json", "--rows", "18446744073709551615"], "more bytes than can be counted"),
        (&["plan", "design.json", "--query", "{"], "--query: the document is not valid JSON"),
    ] {
        let (exit, _, said) = folder.told(args);
        assert!(exit == 2 && said.contains(words), "{args:?} {exit}: {said}");
    }
}

#[test]
fn objects_that_are_no_json_lines_are_refused_as_such_and_not_read_as_separated_values() {
    let folder = Folder::new("hostile-objects");
    let object = r#"{"phone":"105","at":"2024-05-02 12:00"}"#;
    let deep = format!("{{\"phone\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    for text in [
        format!("{object},\n{object}"),
        format!("{object}{object}\n"),
        object.replace('"', "'"),
        object.replace("\"105\"", "NaN"),
        format!("[{object} {object}]"),
        "{\n  \"phone\": \"105\"\n}\n".to_owned(),
    ] {
        let (exit, _, said) = folder.with_input(&["encode", "design.json", "-"], text.as_bytes());
        let told = said.contains("the line is not valid JSON; write one complete object per line");
        assert!(exit == 1 && told, "{text:.80} {exit}: {said}");
    }
    let (exit, keys, _) =
        folder.with_input(&["encode", "design.json", "-"], format!("{deep}\n{object}\n").as_bytes());
    assert_eq!((exit, keys.as_str()), (1, "\n501_20240502\n"));
}

#[test]
fn what_is_told_of_a_file_stays_short_and_whole() {
    let folder = Folder::new("hostile-told");
    let at = "2024-05-02 12:00";
    let (exit, _, said) = folder
        .with_input(&["encode", "design.json", "-"], format!("{}\n1\n", "x".repeat(100_000)).as_bytes());
    assert!(exit == 2 && said.len() < 1000 && said.contains("xxx…;"), "{}", said.len());
    let long = format!("phone,at\n{},{at}\n", "1".repeat(32_760));
    let (exit, _, said) = folder.with_input(&["encode", "design.json", "-"], long.as_bytes());
    assert!(exit == 1 && said.contains("the row key has more than 32,767 bytes"), "{said}");
    let (exit, _, said) = folder.with_input(&["encode", "design.json", "-"], &gzip(&gzip(b"phone,at\n")));
    assert!(exit == 2 && said.contains("does not look like text"), "{said}");
    let fixed = "phone     at          kind\n105       2024-05-02  a\n999       2024-05-03  b\n";
    let (exit, _, said) = folder.with_input(&["encode", "design.json", "-"], fixed.as_bytes());
    assert!(
        exit == 2 && said.contains("aligned with spaces") && said.contains("has no field phone"),
        "{said}"
    );
    for text in ["phone,at\n", "[]", "\n\n"] {
        let (exit, keys, said) = folder.with_input(&["encode", "design.json", "-"], text.as_bytes());
        assert!(exit == 0 && keys.is_empty() && said.contains("the file has no records"), "{text:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_and_names_that_are_too_long_are_told_in_words() {
    let folder = Folder::new("hostile-links");
    std::os::unix::fs::symlink("b", folder.0.join("a")).expect("link");
    std::os::unix::fs::symlink("a", folder.0.join("b")).expect("link");
    let long = "x".repeat(300);
    for (args, words) in [
        (&["lint", "a"][..], "a: its symbolic links lead in a circle"),
        (&["encode", "design.json", &long], "the name is too long for the system"),
        (&["encode", "design.json", "records.csv", "-o", &long], "the name is too long for the system"),
    ] {
        let (exit, _, said) = folder.told(args);
        assert!(exit == 3 && said.contains(words), "{args:?} {exit}: {said}");
    }
}

#[test]
fn packed_files_that_are_cut_end_with_a_word_from_a_disk_and_through_a_pipe() {
    let folder = Folder::new("hostile-cut");
    let design = r#"{"rowscape":1,"fields":[{"name":"count","type":"integer"}],"rowkey":"count"}"#;
    folder.write("count.json", design);
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/golden");
    // Within a checksum, and within a column that the design does not name.
    for (name, cuts) in [("all.csv.zst", 1..=4), ("zstd.arrows", 9..=10), ("lz4.arrow", 1..=1)] {
        let whole = std::fs::read(golden.join(name)).expect(name);
        let (_, keys, _) = folder.with_input(&["encode", "count.json", "-"], &whole);
        assert_eq!(keys.lines().count(), 40, "{name}");
        for cut in cuts {
            let bytes = &whole[..whole.len() - cut];
            folder.write(name, bytes);
            let by_name = folder.told(&["encode", "count.json", name]);
            let (exit, _, said) = by_name;
            assert!(
                exit == 2 && said.contains("damaged or truncated"),
                "{name} without {cut}: {exit} {said}"
            );
            // Through a pipe a file of Arrow ends with its messages.
            if name == "lz4.arrow" {
                continue;
            }
            let (exit, _, said) = folder.with_input(&["encode", "count.json", "-"], bytes);
            assert!(
                exit == 2 && said.contains("damaged or truncated"),
                "{name} without {cut}: {exit} {said}"
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_nested_formula_takes_the_work_of_its_text() {
    let folder = Folder::new("hostile-nesting");
    folder.write("records.csv", "a,n\nk,1\nz,2\n");
    let nested = |count: usize, begin: &str, inner: &str, end: &str| {
        format!("{}{inner}{}", begin.repeat(count), end.repeat(count))
    };
    for (name, rowkey) in [
        ("join", nested(31, "join('',", "a", ")")),
        ("quotes", nested(31, "join('''\\\"\\\\',", "a", ",'''')")),
        ("hash", nested(31, "join('-',", "a", ",a).md5().hex()")),
        ("bucket", nested(31, "bucket(", "a", ",a,9)")),
        ("sum", nested(31, "sum(", "n", ",n)")),
        ("rest", format!("{}.md5().hex(2) + a", nested(30, "join('',", "rest", ")"))),
        ("salt", nested(30, "join('',", "salt(4)", ",a)")),
        ("steps", format!("n{}.int64()", ".abs()".repeat(60))),
    ] {
        let design = format!(
            r#"{{ "rowscape": 1, "fields": [{{ "name": "a", "type": "text" }}, {{ "name": "n", "type": "integer" }}],
                 "rowkey": "{rowkey}", "queries": [{{ "name": "q", "where": {{ "a": {{ "in": ["k", "z"] }} }} }}] }}"#
        );
        folder.write("design.json", design);
        for command in
            ["analyze design.json records.csv", "plan design.json", "emit design.json --as spark-sql"]
        {
            // Doubled by each level, these took more than all memory.
            let limited = format!("ulimit -c 0 -v 1500000; exec \"$0\" {command}");
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &limited, env!("CARGO_BIN_EXE_rowscape")]).current_dir(&folder.0);
            let begun = std::time::Instant::now();
            let (exit, _, said) = super::running::told(shell.output().expect("run"));
            assert!((0..=2).contains(&exit), "{name}, {command}: {exit} {said}");
            assert!(begun.elapsed().as_secs() < 60, "{name}, {command}: {:?}", begun.elapsed());
        }
    }
}

//! `tests/data/existing/*.txt`: sessions of a real shell, as it printed them.

use rowscape::existing::{ExistingTable, ExistingText, read};
use std::path::Path;

fn session(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/existing").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The command at the prompt with this number, including the prompt.
fn command(session: &str, number: u32) -> String {
    let from = session.find(&format!("hbase:{number:03}:0> ")).expect("prompt");
    let rest = &session[from..];
    let end = rest.find(&format!("hbase:{:03}:0> ", number + 1)).unwrap_or(rest.len());
    rest[..end].to_owned()
}

/// The lines behind the prompt's.
fn output(session: &str, number: u32) -> String {
    command(session, number).lines().skip(1).map(|line| format!("{line}\n")).collect()
}

fn only(found: &ExistingText) -> &ExistingTable {
    assert_eq!(found.tables.len(), 1, "{found:?}");
    &found.tables[0]
}

fn codes(found: &ExistingText) -> Vec<(&'static str, Option<u64>)> {
    found.problems.iter().map(|problem| (problem.code, problem.place.row)).collect()
}

fn bounds(table: &ExistingTable) -> Vec<(&str, &str)> {
    table.regions.iter().map(|region| (region.start.as_str(), region.stop.as_str())).collect()
}

const M: [(&str, &str); 4] = [("", "\\x00\\x01"), ("\\x00\\x01", "m"), ("m", "\\xFF"), ("\\xFF", "")];

#[test]
fn list_regions_gives_each_region_with_its_server_size_and_requests() {
    let found = read(&output(&session("meta.txt"), 2), None);
    assert_eq!((found.forms.as_slice(), codes(&found)), (&["list_regions"][..], vec![]));
    let table = only(&found);
    assert_eq!(table.name, "m");
    assert_eq!(bounds(table), M);
    assert_eq!(table.points, ["\\x00\\x01", "m", "\\xFF"]);
    let first = &table.regions[0];
    assert_eq!(first.server.as_deref(), Some("127.0.0.1,37295,1795236225060"));
    assert_eq!(first.encoded.as_deref(), Some("da4d5186cb352082705d08bec7c8c3d5"));
    assert_eq!((first.megabytes, first.requests), (Some(0.0), Some(0.0)));
}

#[test]
fn a_copy_that_lost_the_blanks_in_front_of_its_first_line_is_read_as_well() {
    let text = output(&session("meta.txt"), 2);
    let found = read(text.trim_start(), None);
    assert_eq!((bounds(only(&found)), codes(&found)), (M.to_vec(), vec![]));
}

#[test]
fn a_listing_without_a_region_is_no_table() {
    let found = read(&output(&session("meta.txt"), 3), None);
    assert_eq!(codes(&found), [("existing.nothing", None)]);
}

#[test]
fn the_scan_of_a_table_gives_row_keys_beside_its_regions() {
    let session = r#"hbase:001:0> get_splits 'calls'
Total number of splits = 2
b
=> ["b"]
hbase:002:0> scan 'calls'
ROW           COLUMN+CELL
 a\x00        column=d:c, timestamp=2026-01-01T12:00, value=1
 a\x00        column=d:e, timestamp=2026-01-01T12:00, value=2
 c            column=d:c, timestamp=2026-01-01T12:00, value=3
2 row(s)
"#;
    let found = read(session, None);
    assert_eq!((found.forms.as_slice(), codes(&found)), (&["get_splits", "scan"][..], vec![]));
    let table = only(&found);
    assert_eq!((table.name.as_str(), &table.points[..]), ("calls", &["b".to_owned()][..]));
    assert_eq!(table.keys, ["a\\x00", "c"]);
    // Only its rows were copied.
    let rows: String = session.lines().skip(6).map(|line| format!("{line}\n")).collect();
    let found = read(&rows, None);
    assert_eq!((found.forms.as_slice(), codes(&found)), (&["scan"][..], vec![]));
    assert_eq!(only(&found).keys, ["a\\x00", "c"]);
}

#[test]
fn get_splits_gives_the_points_whatever_they_look_like() {
    let found = read(&output(&session("meta.txt"), 4), None);
    assert_eq!(only(&found).points, ["\\x00\\x01", "m", "\\xFF"]);
    assert_eq!(bounds(only(&found)), M);
    // Blanks belong to a key, and what looks like the shell's own lines may be one.
    let found =
        read("Total number of splits = 4\n  a  \nTook 1\n=> []\nTook 0.01 seconds\n=> [\"  a  \"]\n", None);
    assert_eq!((only(&found).points.len(), codes(&found)), (3, vec![]));
    assert_eq!(only(&found).points, ["  a  ", "=> []", "Took 1"]);
    let found = read(&output(&session("splits.txt"), 28), None);
    assert_eq!((only(&found).points.len(), only(&found).regions.len()), (0, 0));
}

#[test]
fn describe_gives_the_families_and_what_they_are_set_to() {
    let found = read(&command(&session("splits.txt"), 33), None);
    let table = only(&found);
    assert_eq!((table.name.as_str(), codes(&found)), ("with_options", vec![]));
    let family = &table.families[0];
    assert_eq!((family.name.as_str(), family.versions, family.ttl), ("f", Some(3), Some(86_400)));
    assert_eq!(family.compression, "NONE");
    assert_eq!(family.settings["BLOCKSIZE"], "65536 B (64KB)");
    assert_eq!(family.settings["BLOOMFILTER"], "ROW");
    let forever = read(&command(&session("splits.txt"), 4), None);
    assert_eq!((only(&forever).families[0].ttl, only(&forever).families[0].versions), (None, Some(1)));
}

#[test]
fn a_scan_of_meta_gives_every_table_with_its_servers() {
    let found = read(&command(&session("meta.txt"), 8), None);
    assert_eq!(codes(&found), []);
    let m = found.tables.iter().find(|table| table.name == "m").expect("m");
    assert_eq!(bounds(m), M);
    assert!(m.regions.iter().all(|region| region.server.as_deref() == Some("127.0.0.1:37295")));
    // 164 rows: a state for each table, the rest regions.
    let regions: usize = found.tables.iter().map(|table| table.regions.len()).sum();
    assert_eq!(regions + found.tables.len(), 164);
}

#[test]
fn a_scan_by_the_prefix_of_the_table_lacks_its_first_region_and_says_so() {
    let found = read(&command(&session("meta.txt"), 7), None);
    assert_eq!(codes(&found), [("existing.hole", None)]);
    assert_eq!(found.problems[0].args["stop"], "\\x00\\x01");
    assert_eq!(only(&found).points, ["\\x00\\x01", "m", "\\xFF"], "the boundaries are told all the same");
}

#[test]
fn a_whole_session_tells_of_every_table_it_asks_about() {
    let found = read(&session("splits.txt"), None);
    assert_eq!(found.forms, ["create", "get_splits", "list_regions", "describe"]);
    // Mistakes of the command's author.
    let wrong = [
        ("row.lower-case-hex", 48),
        ("row.lower-case-hex", 48),
        ("existing.create-quotes", 58),
        ("existing.create-quotes", 70),
        ("existing.create-quotes", 79),
        ("existing.create-quotes", 79),
        ("existing.create-twice", 79),
        ("row.beyond-ascii", 96),
        ("row.beyond-ascii", 105),
        ("row.beyond-ascii", 105),
        ("existing.create-no-text", 139),
        ("existing.create-no-text", 139),
        ("existing.create-twice", 146),
        ("existing.create-empty", 153),
        ("existing.create-no-list", 168),
    ];
    assert_eq!(codes(&found), wrong.map(|(code, line)| (code, Some(line))));
    let of = |name: &str| {
        let table = found.tables.iter().find(|table| table.name == name);
        table.unwrap_or_else(|| panic!("{name}")).points.iter().map(String::as_str).collect::<Vec<_>>()
    };
    assert_eq!(of("ascii"), ["10", "20", "30"]);
    assert_eq!(of("single_upper"), ["\\x00", "a\\x00b", "\\x7F", "\\xFF"]);
    assert_eq!(of("quote"), ["a\"b", "a#{1}b", "a'b", "aA", "a\\x5Cb"]);
    // Listed as well: its regions have their servers.
    let listed = found.tables.iter().find(|table| table.name == "single_upper").expect("listed");
    assert!(listed.regions.iter().all(|region| region.server.is_some()) && listed.regions.len() == 5);
}

#[test]
fn bars_and_blanks_in_keys_do_not_shift_the_columns() {
    let line = |cells: [&str; 7]| {
        let cells = cells.iter().zip([13, 32, 9, 7, 4, 5, 8]);
        cells.map(|(cell, width)| format!(" {cell:>width$} |")).collect::<String>() + "\n"
    };
    let text = [
        line(["SERVER_NAME", "REGION_NAME", "START_KEY", "END_KEY", "SIZE", "REQ", "LOCALITY"]),
        line([
            "-------------",
            "--------------------------------",
            "---------",
            "-------",
            "----",
            "-----",
            "--------",
        ]),
        line(["a,16020,17952", "t,,1795236285894.da4d5186.", "", "00|", "120", "88123", "1.0"]),
        line(["b,16020,17952", "t,00|,1795236285894.118f0ff2.", "00|", "a", "7", "5", "0.5"]),
        line(["b,16020,17952", "t, a ,1795236285894.0347bc92.", "a", "", "0", "0", "0.0"]),
        " 3 rows\n".to_owned(),
    ]
    .concat();
    let text = text.as_str();
    let found = read(text, None);
    let table = only(&found);
    assert_eq!(table.regions[0].megabytes, Some(120.0));
    assert_eq!(table.regions[0].requests, Some(88_123.0));
    let starts: Vec<&str> = table.regions.iter().map(|region| region.start.as_str()).collect();
    // The name has the blanks that the column has lost, so the regions are seen not to meet.
    assert_eq!(starts, ["", " a ", "00|"]);
}

#[test]
fn a_line_that_cannot_be_read_is_named_and_the_rest_is_used() {
    let text = output(&session("meta.txt"), 2);
    let mut lines: Vec<&str> = text.lines().collect();
    lines[3] = " 127.0.0.1,37295 | m,x | rubbish";
    let found = read(&lines.join("\n"), None);
    assert_eq!(codes(&found), [("existing.misaligned", Some(4)), ("existing.hole", None)]);
    assert_eq!(only(&found).regions.len(), 3);
    let cut = read("Total number of splits = 4\na\nb\n", None);
    assert_eq!(codes(&cut), [("existing.splits-cut", None)]);
    assert_eq!(only(&cut).points, ["a", "b"]);
}

#[test]
fn overlapping_regions_are_said() {
    let text = "\
ROW  COLUMN+CELL
 t,,1795236285894.da4d. column=info:regioninfo, timestamp=1, value={ENCODED => da4d, NAME => 't,,1.da4d.', STARTKEY => '', ENDKEY => 'm'}
 t,g,1795236285894.118f. column=info:regioninfo, timestamp=1, value={ENCODED => 118f, NAME => 't,g,1.118f.', STARTKEY => 'g', ENDKEY => ''}
";
    assert_eq!(codes(&read(text, None)), [("existing.overlap", None)]);
    // A parent that was split stands there until the catalogue janitor takes it away: it is no region any more.
    let parent = text.replace("ENDKEY => 'm'}", "ENDKEY => 'm', OFFLINE => true, SPLIT => true}");
    let found = read(&parent, None);
    assert_eq!(codes(&found), [("existing.hole", None)]);
    assert_eq!(only(&found).regions.len(), 1);
}

/// As the shell breaks what does not fit: a quarter of the width for the row, the rest for the cell.
fn broken(text: &str, width: usize) -> String {
    let (first, second) = (width / 4, width - width / 4 - 2);
    let mut lines = vec![format!(" {:first$} COLUMN+CELL", "ROW")];
    for line in text.lines().skip(1).filter(|line| line.contains(" column=")) {
        let (row, cell) = line.trim_start().split_once(' ').expect("a cell");
        let pieces = |text: &str, width: usize| -> Vec<String> {
            text.as_bytes().chunks(width).map(|piece| String::from_utf8_lossy(piece).into_owned()).collect()
        };
        let (rows, cells) = (pieces(row, first), pieces(cell, second));
        for at in 0..rows.len().max(cells.len()) {
            let of = |pieces: &[String]| pieces.get(at).cloned().unwrap_or_default();
            lines.push(format!(" {:first$} {}", of(&rows), of(&cells)));
        }
    }
    lines.join("\n")
}

#[test]
fn lines_that_a_narrow_terminal_has_broken_are_put_together() {
    let whole = output(&session("meta.txt"), 7);
    let expected = read(&whole, None);
    for width in [80, 100, 133, 240] {
        assert_eq!(read(&broken(&whole, width), None).tables, expected.tables, "{width} columns");
    }
    assert_eq!(expected.tables[0].regions.len(), 3);
}

#[test]
fn a_file_of_split_keys_and_a_sample_of_row_keys_are_told_apart() {
    let splits = read("10\n20\n30\n", None);
    assert_eq!(
        (splits.forms.as_slice(), only(&splits).points.as_slice()),
        (&["splits"][..], &["10", "20", "30"].map(String::from)[..])
    );
    let crlf = read("10\r\n20\r\n", None);
    assert_eq!(only(&crlf).points, ["10", "20"]);
    let blanks = read("  a  \nb\t\n", Some("splits"));
    assert_eq!(only(&blanks).points, ["  a  ", "b\\x09"]);
    let keys = read("b\\x00\na\nb\\x00\n", None);
    assert_eq!(
        (keys.forms.as_slice(), only(&keys).keys.len(), only(&keys).points.len()),
        (&["keys"][..], 3, 0)
    );
    assert_eq!(read("10\n20\n", Some("keys")).forms, ["keys"]);
    // HBase refuses a file with an empty line, and reads lower-case digits as text.
    let wrong = read("10\n\n\\xab\n", None);
    assert_eq!(codes(&wrong), [("existing.empty-line", Some(2)), ("row.lower-case-hex", Some(3))]);
    assert_eq!(only(&wrong).points, ["10", "xab"]);
    assert_eq!(codes(&read("", None)), [("existing.nothing", None)]);
}

/// Each `create` command of a transcript, whether HBase took it, and what `get_splits` printed behind it.
fn creates(name: &str) -> Vec<(String, bool, String)> {
    let text = session(name);
    let commands: Vec<&str> = text.split("\nhbase:").skip(1).collect();
    let of = |command: &str| command.split_once("> ").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    let mut all = Vec::new();
    for (at, text) in commands.iter().enumerate() {
        let command = of(text);
        let command = command.lines().next().unwrap_or_default();
        if command.starts_with("create ") {
            let splits = commands.get(at + 1).map(|next| of(next)).unwrap_or_default();
            let printed = splits.split_once('\n').map(|(_, printed)| printed.to_owned());
            all.push((command.to_owned(), text.contains("Created table"), printed.unwrap_or_default()));
        }
    }
    all
}

#[test]
fn create_makes_the_splits_that_a_real_hbase_makes_of_it() {
    let (mut made, mut refused) = (0, 0);
    for name in ["splits.txt", "algorithms.txt", "every_byte.txt", "meta.txt"] {
        for (command, taken, splits) in creates(name) {
            let found = read(&command, None);
            assert_eq!(found.forms, ["create"], "{command}");
            if !taken {
                assert!(!found.problems.is_empty(), "HBase refuses {command}");
                refused += 1;
            } else if splits.contains("Total number of splits") {
                let real = read(&splits, None);
                assert_eq!(only(&found).points, only(&real).points, "{command}");
                made += 1;
            }
        }
    }
    assert!(made >= 20 && refused >= 10, "{made} {refused}");
}

#[test]
fn create_over_several_lines_has_families_and_their_settings() {
    let command = r#"create 'ns:calls',
  {NAME => 'd', VERSIONS => 3, COMPRESSION => 'SNAPPY', TTL => 86400}, "e",
  {SPLITS => ['a\'b', "\x01", "\u0041\tB",],
   CONFIGURATION => {'hbase.x' => 'y'}}
"#;
    for text in [command.to_owned(), format!("hbase:001:0> {}", command.replace('\n', "\nhbase:002:1* "))] {
        let found = read(&text, None);
        assert_eq!((found.forms.as_slice(), codes(&found)), (&["create"][..], vec![]), "{text}");
        let table = only(&found);
        assert_eq!(table.name, "ns:calls");
        assert_eq!(table.points, ["\\x01", "A\\x09B", "a'b"]);
        let families: Vec<_> =
            table.families.iter().map(|one| (&one.name[..], one.versions, one.ttl)).collect();
        assert_eq!(families, [("d", Some(3), Some(86400)), ("e", None, None)]);
        assert_eq!(table.families[0].compression, "SNAPPY");
    }
    let found = read("create 'a', 'f', SPLITS => ['x', %w(y)]\n", None);
    assert_eq!(codes(&found), [("existing.create-computed", Some(1))]);
    let found = read("create 'a', 'f', SPLITS => ['x',\n'y\n", None);
    assert_eq!(codes(&found), [("existing.create-cut", Some(1))]);
    let deep = format!("create 'a', SPLITS => {}", "[".repeat(100_000));
    assert_eq!(codes(&read(&deep, None)), [("existing.create-cut", Some(1))]);
    // Text that only begins so.
    assert_eq!(read("create\ncreated\n", None).forms, ["splits"]);
}

#[test]
fn a_text_of_more_lines_than_a_cluster_has_regions_is_refused() {
    let most = rowscape::base::limits::SHELL_LINES.most as usize;
    for (lines, code) in
        [(most - 1, "existing.nothing"), (most, "existing.nothing"), (most + 1, "limit.exceeded")]
    {
        let found = read(&"\n".repeat(lines), None);
        assert_eq!(found.problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), [code], "{lines}");
    }
    let most = rowscape::base::limits::SHELL_BYTES.most as usize;
    for (bytes, is_read) in [(most, true), (most + 1, false)] {
        let found = read(&" ".repeat(bytes), None);
        assert_eq!(found.problems.first().is_none_or(|problem| problem.code != "limit.exceeded"), is_read);
    }
}

#[test]
fn tables_families_settings_and_split_keys_in_no_order_take_time_by_their_number() {
    use std::time::Instant;
    let shuffled = |count: u64| (0..count).map(move |index| index * 7_368_787 % 1_000_003);
    let tables = shuffled(100_000)
        .map(|name| format!("Table t{name} is ENABLED\nCOLUMN FAMILIES DESCRIPTION\n{{NAME => 'f'}}\n"));
    let families = shuffled(300_000).map(|name| format!("{{NAME => 'f{name}'}}\n"));
    let splits = shuffled(300_000).map(|key| format!("'{key}',"));
    let settings = shuffled(300_000).map(|name| format!("S{name} => 'a', "));
    for (what, text) in [
        ("tables", tables.collect::<String>()),
        ("families", format!("COLUMN FAMILIES DESCRIPTION\n{}", families.collect::<String>())),
        ("split keys", format!("create 't', 'f', SPLITS => [{}]\n", splits.collect::<String>())),
        ("settings", format!("create 't', {{NAME => 'f', {}}}\n", settings.collect::<String>())),
    ] {
        let begun = Instant::now();
        let found = read(&text, None);
        assert!(!found.tables.is_empty(), "{what}");
        // In a debug build on a busy machine; by the square of the number it takes minutes.
        assert!(begun.elapsed().as_secs() < 20, "{what}: {:?}", begun.elapsed());
    }
}

/// The rows of four regions, as logs and a filtered scan of `hbase:meta` have them.
fn region_row(start: &str) -> String {
    format!("shop-demo,{start},1617866771919.83a41d894a3be3aacbb289f21d76d0{start:0>2}.")
}

#[test]
fn names_of_regions_alone_tell_where_they_begin() {
    let names: Vec<String> = ["", "10", "20", "30"].map(region_row).to_vec();
    let found = read(&names.join("\n"), None);
    assert_eq!((found.forms.as_slice(), codes(&found)), (["region-names"].as_slice(), vec![]));
    let table = only(&found);
    assert_eq!(
        (table.name.as_str(), table.points.as_slice()),
        ("shop-demo", &["10", "20", "30"].map(str::to_owned)[..])
    );
    assert_eq!((table.regions.len(), table.keys.len()), (4, 0));
}

#[test]
fn a_scan_of_meta_without_a_headline_or_with_a_tab_in_it_is_read() {
    let bounds_of = [("", "10"), ("10", "20"), ("20", "30"), ("30", "")];
    let scan = |headline: &str, before_row: &str, before_cell: &str| {
        let line = |(start, stop): (&str, &str)| {
            let row = region_row(start);
            let cell = format!(
                "column=info:regioninfo, timestamp=1, value={{NAME => '{row}', STARTKEY => '{start}', ENDKEY => '{stop}'}}"
            );
            format!("{before_row}{row:<60}{before_cell}{cell}\n")
        };
        let lines: String = bounds_of.into_iter().map(line).collect();
        read(&format!("hbase(main):014:0> scan 'hbase:meta'\n{headline}{lines}"), None)
    };
    assert_eq!(bounds(only(&scan("", "", "  "))), bounds_of);
    // In two columns, the border of which was copied as a tab.
    let headline = format!("{:<61}\tCOLUMN+CELL\n", "ROW");
    assert_eq!(bounds(only(&scan(&headline, " ", "\t"))), bounds_of);
}

#[test]
fn output_that_is_not_read_is_refused_by_what_it_is() {
    let status = "hbase(main):001:0> status 'detailed'\nversion 1.2.6\n2 live servers\n    rs0:16020 1\n        requestsPerSecond=812.0, numberOfOnlineRegions=2\n";
    for (text, what) in [
        (status, "status 'detailed'"),
        ("{\"beans\": []}", "JMX"),
        ("HBase hbtop - 12:17:14\n", "hbtop"),
        ("<html><body>", "HTML"),
    ] {
        let found = read(text, None);
        assert_eq!((codes(&found), found.tables.len()), (vec![("existing.unread", None)], 0), "{text}");
        assert_eq!(found.problems[0].args["what"], what);
    }
}

#[test]
fn a_create_without_splits_makes_one_region() {
    let found = read("create 'other', 'f'\n", None);
    assert_eq!((bounds(only(&found)), codes(&found)), (vec![("", "")], vec![]));
    // Where its splits can't be read, nothing is known.
    assert_eq!(only(&read("create 'other', 'f', SPLITS_FILE => 'x'\n", None)).regions, []);
    // Other output shows which regions the table has by now.
    let found = read("create 'other', 'f'\nother,,1617866771919.83a41d89.\n", None);
    assert_eq!(only(&found).regions.len(), 1);
}

#[test]
fn split_points_that_ruby_computes_are_those_of_ruby() {
    let points: Vec<String> = (1..120).map(|k| format!("user{}", 1000 + k * (9999 - 1000) / 120)).collect();
    let inline = "create 'loadtest', 'd', {SPLITS => (1...120).map { |k| \"user#{1000 + k * (9999 - 1000) / 120}\" }, MAX_FILESIZE => 4 * 1024**3}\n";
    assert_eq!(only(&read(inline, None)).points, points);
    let named = format!("regions = 120\n{}", inline.replace("120", "regions"));
    assert_eq!(only(&read(&named, None)).points, points);
    assert_eq!(codes(&read(&named, None)), []);
    // An interpolation that is not evaluated is no text, and is shown in short.
    let long = format!("create 't', 'f', SPLITS => [\"{}\"]\n", "#{''}".repeat(1 << 16));
    assert_eq!(codes(&read(&long, None)), [("existing.create-computed", Some(1))]);
    assert!(read(&long, None).problems[0].args["found"].len() < 60);
    let random = read("create 't', 'f', SPLITS => (1..9).map { |k| rand(k).to_s }\n", None);
    assert_eq!(codes(&random), [("existing.create-computed", Some(1))]);
}

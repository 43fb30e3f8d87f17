//! Folders of tables: which files count, and where their regions lie.

use super::files::{ALL, file};
use rowscape::observe::{GivenFile, ObserveOptions, ObserveStep, ObservedDesign, ObservedTables, Observer};

const REGION: &str = "3004960074696a709bfc9fc61af05d5a";
const LOWER: &str = "b3c8ae49e819dacdc4b01c00acc2b2dd";
const UPPER: &str = "946cf72f61cade9ce2648afea053a662";
const NAME: &str = "b5f9416bd4c7402c91cfb07de3ddf42c";

/// A file by its path.
#[derive(Clone, Default)]
pub struct Given {
    pub path: String,
    pub bytes: Vec<u8>,
    /// When it was changed.
    pub changed: Option<i64>,
}

/// The answer about files; no step is without effect.
pub fn observed(files: Vec<Given>, options: ObserveOptions) -> ObservedTables {
    observed_by(files, options, None)
}

/// The same, with the keys decoded by a design.
pub fn observed_by(
    files: Vec<Given>,
    options: ObserveOptions,
    design: Option<ObservedDesign<'_>>,
) -> ObservedTables {
    let named = |file: &Given| GivenFile {
        path: file.path.clone(),
        bytes: file.bytes.len() as u64,
        changed: file.changed,
    };
    let named = files.iter().map(named).collect();
    let mut observer = Observer::new(named, options);
    for _ in 0..100_000 {
        match observer.step() {
            ObserveStep::Done => {
                return design.map_or_else(|| observer.answer(), |design| observer.answer_by(design));
            }
            ObserveStep::Progress(read, total) => assert!(read <= total),
            ObserveStep::Need(at, range) => {
                let bytes = &files[at].bytes;
                assert!(range.end - range.start <= 64 << 20, "{range:?}");
                let [from, to] = [range.start, range.end].map(|at| (at as usize).min(bytes.len()));
                observer.give(range.start, bytes[from..to].to_vec());
            }
        }
    }
    panic!("it does not end");
}

fn varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn bytes(field: u64, bytes: &[u8], out: &mut Vec<u8>) {
    varint(field << 3 | 2, out);
    varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

fn number(field: u64, number: u64, out: &mut Vec<u8>) {
    varint(field << 3, out);
    varint(number, out);
}

fn marked(message: &[u8]) -> Vec<u8> {
    let mut out = b"PBUF".to_vec();
    varint(message.len() as u64, &mut out);
    out.extend_from_slice(message);
    out
}

fn region(table: (&str, &str), start: &str, end: &str, id: u64) -> Vec<u8> {
    let (mut name, mut region) = (Vec::new(), Vec::new());
    bytes(1, table.0.as_bytes(), &mut name);
    bytes(2, table.1.as_bytes(), &mut name);
    number(1, id, &mut region);
    bytes(2, &name, &mut region);
    bytes(3, start.as_bytes(), &mut region);
    bytes(4, end.as_bytes(), &mut region);
    region
}

fn reference(row: &str, is_upper: bool) -> Vec<u8> {
    let mut key = (row.len() as u16).to_be_bytes().to_vec();
    key.extend_from_slice(row.as_bytes());
    key.extend([0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    let mut message = Vec::new();
    bytes(1, &key, &mut message);
    number(2, u64::from(!is_upper), &mut message);
    marked(&message)
}

fn given(path: String, bytes: Vec<u8>) -> Given {
    Given { path, bytes, changed: None }
}

fn in_table(region: &str, rest: &str) -> String {
    format!("/hbase/data/hf/none/{region}/{rest}")
}

fn info(encoded: &str, start: &str, end: &str, id: u64) -> Given {
    given(in_table(encoded, ".regioninfo"), marked(&region(("hf", "none"), start, end, id)))
}

#[test]
fn a_split_counts_each_cell_once_in_its_daughter() {
    let whole = file("plain-NONE.hfile").bytes;
    let alone = observed(vec![given("x.hfile".to_owned(), whole.clone())], ALL);
    let all = alone.tables[0].counts.cells;
    let parent = given(in_table(REGION, &format!("d/{NAME}")), whole);
    let half = |region: &str, is_upper| {
        given(in_table(region, &format!("d/{NAME}.{REGION}")), reference("dev-020", is_upper))
    };
    let regions = [info(REGION, "", "", 1), info(LOWER, "", "dev-020", 2), info(UPPER, "dev-020", "", 2)];
    let both = [&regions[..], &[parent.clone(), half(LOWER, false), half(UPPER, true)]].concat();
    let found = observed(both, ALL);
    let table = &found.tables[0];
    assert_eq!((table.table.as_str(), table.borders, table.counts.cells), ("hf:none", "regioninfo", all));
    let counts: Vec<(&str, u64)> =
        table.regions.iter().map(|region| (region.start.as_str(), region.counts.cells)).collect();
    let [("", lower), ("dev-020", upper)] = counts[..] else { panic!("{counts:?}") };
    assert!(lower > 0 && upper > 0 && lower + upper == all);
    // One daughter was compacted, and its reference is gone.
    let found = observed([&regions[..], &[parent, half(UPPER, true)]].concat(), ALL);
    assert_eq!(found.tables[0].counts.cells, upper);
    // The parent's file was not given.
    let found = observed([&regions[..], &[half(UPPER, true)]].concat(), ALL);
    assert!(found.tables.is_empty());
    let named = found.files.iter().find_map(|file| file.problem.as_ref()).expect("a problem");
    assert_eq!(named.code, "observe.refers");
}

#[test]
fn a_file_that_is_given_twice_counts_once() {
    let bytes = file("plain-GZ.hfile").bytes;
    let one = given(in_table(REGION, &format!("d/{NAME}")), bytes.clone());
    let alone = observed(vec![one.clone()], ALL);
    let archived = given(format!("/hbase/archive/data/hf/none/{REGION}/d/{NAME}"), bytes.clone());
    let both = observed(vec![one.clone(), archived], ALL);
    assert_eq!(both.tables[0].counts, alone.tables[0].counts);
    assert!(
        both.files
            .iter()
            .any(|file| file.problem.as_ref().is_some_and(|problem| problem.code == "observe.twice"))
    );
    // The same cells under another name: a file that was loaded twice.
    let other = given(in_table(REGION, "d/c5f9416bd4c7402c91cfb07de3ddf42c"), bytes);
    let both = observed(vec![one, other], ALL);
    assert_eq!(both.tables[0].counts, alone.tables[0].counts);
    assert!(both.tables[0].notes.iter().any(|note| note.code == "observe.cells-twice"));
}

#[test]
fn a_folder_is_read_as_far_as_it_is_known() {
    let files = vec![
        info(LOWER, "", "dev-010", 1),
        info(UPPER, "dev-010", "", 1),
        given(in_table(LOWER, "recovered.edits/50.seqid"), Vec::new()),
        given(in_table(LOWER, &format!("d/{NAME}")), file("plain-SNAPPY.hfile").bytes),
        given("/hbase/data/hf/none/.tabledesc/.tableinfo.0000000001.382".to_owned(), vec![1; 382]),
        given("notes.txt".to_owned(), b"some text".to_vec()),
        given(
            "/hbase/data/hbase/meta/1588230740/info/0123456789abcdef0123456789abcdef".to_owned(),
            file("plain-NONE.hfile").bytes,
        ),
    ];
    let found = observed(files, ALL);
    assert_eq!(found.tables.len(), 1, "the tables of HBase itself are left alone");
    let kinds: Vec<(&str, u64)> = found.kinds.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
    assert_eq!(kinds, [("hbase", 2), ("hfile", 2), ("other", 1), ("regioninfo", 2)]);
}

#[test]
fn little_memory_makes_ranges_of_rows_and_says_so() {
    let small = ObserveOptions { memory: 20_000, ..ALL };
    let [exact, bounded] = [ALL, small].map(|options| observed(vec![file("wal-plain.wal")], options));
    assert_eq!(exact.tables.len(), bounded.tables.len());
    for table in &bounded.tables {
        let same = exact.tables.iter().find(|other| other.table == table.table).expect("the table");
        assert_eq!(table.counts, same.counts);
        let cells = |table: &rowscape::observe::ObservedTable| {
            table.heat.iter().flat_map(|heat| heat.counts.iter().flatten()).sum::<u64>()
        };
        assert_eq!(cells(table), cells(same));
    }
}

/// A list of the files of a store, as its tracker writes it.
fn file_list(time: u64, names: &[&str]) -> Vec<u8> {
    let mut message = Vec::new();
    number(1, time, &mut message);
    for name in names {
        let mut entry = Vec::new();
        bytes(1, name.as_bytes(), &mut entry);
        number(2, 1000, &mut entry);
        bytes(2, &entry, &mut message);
    }
    let mut crc = flate2::Crc::new();
    crc.update(&message);
    let mut out = (message.len() as u32).to_be_bytes().to_vec();
    out.extend_from_slice(&message);
    out.extend(crc.sum().to_be_bytes());
    out
}

#[test]
fn a_file_that_the_list_of_the_store_lacks_does_not_count() {
    let other = "c5f9416bd4c7402c91cfb07de3ddf42c";
    let files = |latest: &[&str]| {
        vec![
            given(in_table(REGION, "d/.filelist/f1.2"), file_list(2, latest)),
            given(in_table(REGION, "d/.filelist/f2.1"), file_list(1, &[])),
            given(in_table(REGION, &format!("d/{NAME}")), file("plain-NONE.hfile").bytes),
            given(in_table(REGION, &format!("d/{other}")), file("plain-DIFF.hfile").bytes),
        ]
    };
    let both = observed(files(&[NAME, other]), ALL);
    let one = observed(files(&[NAME]), ALL);
    let alone = observed(vec![file("plain-NONE.hfile")], ALL);
    assert_eq!(one.tables[0].counts, alone.tables[0].counts);
    assert!(both.tables[0].counts.cells > one.tables[0].counts.cells);
    let problems: Vec<&str> = one.files.iter().filter_map(|file| Some(file.problem.as_ref()?.code)).collect();
    assert_eq!(problems, ["observe.not-listed"]);
}

#[test]
fn regions_come_from_a_manifest_or_from_what_the_shell_lists() {
    let store = |table: &str| {
        given(format!("/hbase/data/hf/{table}/{REGION}/d/{NAME}"), file("plain-NONE.hfile").bytes)
    };
    let mut manifest = Vec::new();
    for (start, end) in [("", "dev-010"), ("dev-010", "dev-025"), ("dev-025", "")] {
        let mut of = Vec::new();
        bytes(2, &region(("hf", "none"), start, end, 7), &mut of);
        bytes(2, &of, &mut manifest);
    }
    let manifest = given("/hbase/.hbase-snapshot/s/data.manifest".to_owned(), manifest);
    let shell = "hbase:003:0> list_regions 'hf:none'
                   SERVER_NAME |                                                     REGION_NAME |  START_KEY |    END_KEY |  SIZE |   REQ |   LOCALITY |
 ----------------------------- | --------------------------------------------------------------- | ---------- | ---------- | ----- | ----- | ---------- |
 127.0.0.1,17023,1795781707789 |        hf:none,,1795782813076.b3c8ae49e819dacdc4b01c00acc2b2dd. |            |    dev-020 |     1 |     0 |        0.0 |
 127.0.0.1,17023,1795781707789 | hf:none,dev-020,1795782813076.946cf72f61cade9ce2648afea053a662. |    dev-020 |            |     1 |     0 |        0.0 |
 2 rows
Took 0.1234 seconds
";
    let shell = given("regions.txt".to_owned(), shell.as_bytes().to_vec());
    for (from, given, starts) in
        [("manifest", manifest, &["", "dev-010", "dev-025"][..]), ("shell", shell, &["", "dev-020"])]
    {
        let found = observed(vec![store("none"), given], ALL);
        let table = &found.tables[0];
        assert_eq!((table.borders, table.table.as_str()), (from, "hf:none"), "{found:?}");
        assert_eq!(table.regions.iter().map(|region| region.start.as_str()).collect::<Vec<_>>(), starts);
    }
}

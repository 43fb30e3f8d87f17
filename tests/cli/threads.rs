//! Any number of threads gives the same bytes: output, messages and files.

use super::running::Folder;
use std::fmt::Write as _;
use std::io::Write as _;

/// Numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

/// A few steps of the shortest length that a command reads a file in.
const BYTES: usize = 5 << 19;
/// With so much memory steps are shortest, and analyses count records as they pass.
const MEMORY: &str = "64M";

fn design(numbers: &mut Numbers) -> String {
    let rowkey = numbers.one(&[
        "phone.reverse() + '_' + at.format('yyyyMMdd')",
        "bucket(phone, 8).decimal(1) + at.format('yyyyMMddHHmmss') + '_' + note",
        "phone.md5().hex(4) + '_' + phone + '_' + n.decimal(7)",
        "salt(4).decimal(1) + at.millis().reverseLong().decimal(19) + phone",
        "note + '/' + phone",
    ]);
    let splits = numbers.one(&[
        r#"{ "points": ["3", "6"] }"#,
        r#"{ "algorithm": "HexStringSplit", "regions": 16 }"#,
        r#"{ "algorithm": "DecimalStringSplit", "regions": 5 }"#,
    ]);
    format!(
        r#"{{ "rowscape": 1, "name": "Calls", "fields": [
            {{ "name": "phone", "type": "text" }}, {{ "name": "note", "type": "text" }}, {{ "name": "n", "type": "integer" }},
            {{ "name": "at", "type": "time", "format": "yyyy-MM-dd HH:mm:ss" }} ],
          "arrival": "at", "rowkey": "{rowkey}", "splits": {splits},
          "queries": [ {{ "name": "a phone", "where": {{ "phone": "1350000" }} }} ] }}"#
    )
}

/// A file of many records, some of them too short, too long, quoted over lines, or with values that can't be read; `stray` quotes too.
fn records(numbers: &mut Numbers, json: bool, stray: bool) -> Vec<u8> {
    let end = if json { "\n" } else { numbers.one(&["\n", "\r\n"]) };
    let mut text = if json { String::new() } else { format!("phone,at,n,note{end}") };
    let phones = [50, 5_000, 5_000_000][numbers.below(3) as usize];
    let odd = [40, 3_000][numbers.below(2) as usize];
    let mut row = 0u64;
    while text.len() < BYTES {
        row += 1;
        let (phone, minute) = (1_300_000 + numbers.below(phones), row / 7);
        let at = format!(
            "2024-05-{:02} {:02}:{:02}:{:02}",
            minute / 1440 % 28 + 1,
            minute / 60 % 24,
            minute % 60,
            row % 60
        );
        let n = numbers.below(12_000);
        let note = numbers.one(&["", "plain", "longer than the others"]);
        let strange = if row.is_multiple_of(odd) { numbers.below(6 + 2 * u64::from(stray)) } else { 99 };
        let _ = match (json, strange) {
            (true, 0) => write!(text, "{{\"phone\":{phone},{end}"),
            (true, 1) => write!(text, "[1]{end}"),
            (true, 2) => write!(
                text,
                "{{\"phone\":\"{phone}\",\"phone\":\"2\",\"n\":-{n},\"at\":\"{at}\",\"note\":\"\\u00e9\"}}{end}"
            ),
            (true, _) => {
                write!(text, "{{\"phone\":\"{phone}\",\"at\":\"{at}\",\"n\":{n},\"note\":\"{note}\"}}{end}")
            }
            (false, 0) => write!(text, "{phone},{at}{end}"),
            (false, 1) => write!(text, "{phone},{at},{n},{note},more,and more{end}"),
            (false, 2) => write!(text, "\"{phone}\",\"{at}\",{n},\"say \"\"{note}\"\",{end}and more\"{end}"),
            (false, 3) => write!(text, "{phone},yesterday,many,{note}{end}"),
            (false, 4) => write!(text, "{end}{end}{phone},{at},-{n},5\" {note}{end}"),
            (false, 6) => write!(text, "{phone},{at},{n},\"{note}{end}"),
            (false, 7) => write!(text, "{phone},{at},{n},\"{note}{end}\" and more{end}"),
            (false, _) => write!(text, "{phone},{at},{n},{note}{end}"),
        };
    }
    text.into_bytes()
}

fn packed(bytes: &[u8], cut: usize) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).expect("packed");
    let mut packed = packer.finish().expect("packed");
    packed.truncate(packed.len() - cut);
    packed
}

/// Exit code, standard output and standard error of a command, and the file that it wrote.
fn all(folder: &Folder, args: &[&str], threads: &str) -> (i32, String, String, Option<Vec<u8>>) {
    let _ = std::fs::remove_file(folder.0.join("out"));
    let (exit, out, said) = folder.told(&[args, &["--threads", threads]].concat());
    (exit, out, said, std::fs::read(folder.0.join("out")).ok())
}

#[test]
fn every_number_of_threads_gives_the_same_bytes() {
    let folder = Folder::new("threads");
    for seed in 0..6u64 {
        let mut numbers = Numbers(seed);
        folder.write("design.json", design(&mut numbers));
        folder.write("other.json", design(&mut numbers));
        let (json, stray, cut) = (seed % 3 == 1, seed % 2 == 1, [0, 0, 9, 0, 3, 0][seed as usize]);
        let bytes = records(&mut numbers, json, stray);
        let name = if seed % 3 == 2 { "data.gz" } else { "data" };
        folder.write(name, if seed % 3 == 2 { packed(&bytes, cut) } else { bytes });
        folder.write("more", records(&mut numbers, json, stray));
        let commands: [&[&str]; 5] = [
            &["encode", "design.json", name, "more", "--memory", MEMORY],
            &["summarize", "design.json", name, "more", "-o", "out", "--memory", MEMORY],
            &["analyze", "design.json", name, "more", "--json", "--memory", MEMORY],
            &["encode", "design.json", name, "--json", "-o", "out", "--memory", "100M"],
            &["compare", "design.json", "other.json", "--data", name, "--json", "--memory", "1G"],
        ];
        for (number, args) in commands.into_iter().enumerate() {
            let one = all(&folder, args, "1");
            assert!(one.0 < 3, "{args:?}: {one:?}");
            for threads in [["2", "8"], ["3", "2"]][(seed as usize + number) % 2] {
                let several = all(&folder, args, threads);
                assert_eq!((several.0, &several.2), (one.0, &one.2), "{seed}: {args:?} on {threads}");
                assert!(several.1 == one.1 && several.3 == one.3, "{seed}: {args:?} on {threads}");
            }
        }
    }
}

#[test]
fn a_reader_that_goes_away_ends_a_command_on_threads() {
    let folder = Folder::new("threads-closed");
    let mut numbers = Numbers(7);
    folder.write("data", records(&mut numbers, false, false));
    folder.write("design.json", design(&mut numbers));
    let line = "\"$0\" encode design.json data --threads 3 --memory 64M | head -n 1";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", line, env!("CARGO_BIN_EXE_rowscape")]).current_dir(&folder.0);
    let told = command.output().expect("run");
    assert_eq!(String::from_utf8_lossy(&told.stdout).lines().count(), 1);
    assert!(told.status.success(), "{told:?}");
}

#[test]
fn the_number_of_threads_is_a_number() {
    let folder = Folder::new("threads-number");
    for wrong in ["0", "two", "-1", "1.5", "257"] {
        let (exit, _, said) =
            folder.told(&["encode", "design.json", "records.csv", &format!("--threads={wrong}")]);
        assert_eq!(exit, 2, "{wrong}");
        assert!(said.contains("--threads must be a whole number from 1 to 256"), "{said}");
    }
}

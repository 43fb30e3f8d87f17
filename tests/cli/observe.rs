//! Tables as the files of HBase show them, on the command line.

use super::running::Folder;
use serde_json::Value;
use std::fs;
use std::path::Path;

const REGION: &str = "3004960074696a709bfc9fc61af05d5a";

/// A folder with files of `tests/data/store` under these names.
fn folder(name: &str, files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(name);
    for (from, to) in files {
        let path = folder.0.join(to);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/store").join(from), path)
            .expect("copy");
    }
    folder
}

fn json(folder: &Folder, args: &[&str]) -> Value {
    let (exit, text, said) = folder.told(args);
    assert_eq!((exit, said.as_str()), (0, ""), "{args:?}");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_folder_of_a_table_and_its_logs_are_read() {
    let store = format!("data/hf/none/{REGION}/d/b5f9416bd4c7402c91cfb07de3ddf42c");
    let folder = folder(
        "observe",
        &[("plain-ZSTD.hfile", &store), ("wal-values.wal", "oldWALs/log.1"), ("wal-plain.wal", "log")],
    );
    folder.write("data/notes.txt", "some text");
    let (exit, text, _) = folder.told(&["observe", "data"]);
    assert_eq!(exit, 0);
    assert!(
        text.contains("hf:none, from the index of HFiles") && text.contains("--all reads their cells"),
        "{text}"
    );
    assert!(text.contains("One other file"), "{text}");
    let all = json(&folder, &["observe", "data", "--all", "--json"]);
    let table = &all["tables"][0];
    assert_eq!((&table["table"], &table["source"]), (&"hf:none".into(), &"hfile".into()));
    assert!(table["rows"].is_u64() && table["hotRows"].is_array());
    let logs = json(&folder, &["observe", "oldWALs", "log", "--json"]);
    assert_eq!(logs["tables"].as_array().map(Vec::len), Some(2));
    let late = json(&folder, &["observe", "log", "--since", "2030-01-01", "--json"]);
    assert!(late["tables"].as_array().expect("tables").iter().all(|table| table["cells"] == 0));
    let (_, text, _) = folder.told(&["observe", "oldWALs", "--table", "many:two"]);
    assert!(text.contains("many:two, from write-ahead logs") && !text.contains("one, from"), "{text}");
}

#[test]
fn a_design_decodes_the_keys_and_redaction_hides_them() {
    let folder = folder("observe-design", &[("plain-NONE.hfile", "cells")]);
    folder.write(
        "design.json",
        r#"{"rowscape": 1, "fields": [{"name": "device", "type": "text"}, {"name": "tail", "type": "bytes", "format": "escaped"}],
        "rowkey": "device + '|' + tail", "splits": {"points": ["dev-020"]}}"#,
    );
    let (exit, text, _) = folder.told(&["observe", "cells", "--all", "--design", "design.json"]);
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("are keys of this design") && text.contains("device"), "{text}");
    let (_, text, _) = folder.told(&["observe", "cells", "--all", "--redact"]);
    assert!(text.contains("aaa-000|") && !text.contains("dev-"), "{text}");
}

#[test]
fn wrong_use_says_what_to_do() {
    let folder = folder("observe-wrong", &[("plain-NONE.hfile", "whole")]);
    folder.write("notes.txt", "some text");
    folder.write("cut", &folder.bytes("whole")[..5000]);
    for (args, exit, said) in [
        (&["observe"][..], 2, "file"),
        (&["observe", "missing"], 3, "missing"),
        (&["observe", "notes.txt"], 2, "no file of HBase was found"),
        (&["observe", "cut", "--all"], 2, "cut: "),
        (&["observe", "whole", "--since", "yesterday"], 2, "--since is not a time"),
    ] {
        let (found, _, told) = folder.told(args);
        assert_eq!(found, exit, "{args:?}: {told}");
        assert!(told.contains(said), "{args:?}: {told}");
    }
    // Damage of one file leaves the others.
    let (exit, text, _) = folder.told(&["observe", "cut", "whole", "--all"]);
    assert!(exit == 1 && text.contains("from HFiles") && text.contains("cut: "), "{exit} {text}");
}

/// A folder with the recorded dumps whose names begin so.
fn dumps(name: &str, kinds: &[&str]) -> Folder {
    let folder = Folder::new(name);
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps")).expect("dumps")
    {
        let path = entry.expect("a dump").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        if kinds.iter().any(|kind| name.starts_with(kind)) {
            fs::copy(&path, folder.0.join(name)).expect("copy");
        }
    }
    folder
}

#[test]
fn dumps_show_the_requests_of_regions_and_servers_and_what_helps() {
    let folder = dumps("observe-dumps", &["rest-", "shell-t3"]);
    let (exit, text, said) = folder.told(&["observe", ".", "--metric", "writes"]);
    assert_eq!((exit, said.as_str()), (0, ""));
    for part in [
        "The region from “cph|” on took ",
        "load:meter, from 5 dumps: ",
        "the region from cph| was split at cph|5",
        "4 tables had too few requests to show: events, iot, ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (_, text, _) = folder.told(&["observe", "."]);
    // Each command has its condition, its cost and its undo above it.
    let acts = text.split_once("Commands that even out the load\n").expect("commands").1;
    assert!(acts.starts_with("# One step at a time"), "{acts}");
    assert!(acts.contains("Undo: merge_region of the two.\nsplit '907dba3d"), "{acts}");
    // The shell's `move` takes a server with its start code.
    let value = json(&folder, &["observe", "rest-1795781805319.json.gz", "--table", "load:meter", "--json"]);
    assert_eq!(value["tables"][0]["requests"]["dumps"], 1);
    let (_, text, _) = folder.told(&["observe", "rest-1795781805319.json.gz", "--metric", "requests"]);
    let moves: Vec<&str> = text.lines().filter(|line| line.starts_with("move ")).collect();
    assert!(!moves.is_empty(), "{text}");
    assert!(
        moves.iter().all(|line| line.contains("', '127.0.0.1,1702") && line.contains(",17957817")),
        "{text}"
    );
    let value = json(&folder, &["observe", ".", "--table", "load:meter", "--json"]);
    let requests = &value["tables"][0]["requests"];
    assert_eq!((&requests["metric"], &requests["origin"]), (&"reads".into(), &"master".into()));
    assert!(requests["regions"][0]["last"]["reads"].is_u64());
    let (_, text, _) = folder.told(&["observe", ".", "--redact"]);
    assert!(text.contains("up to “aaa|”") && !text.contains("cph"), "{text}");
    let (exit, _, said) = folder.told(&["observe", ".", "--metric", "speed"]);
    assert_eq!(exit, 2);
    assert!(said.contains("--metric must be one of reads, writes, requests, size, not speed"), "{said}");
}

#[test]
fn output_without_counters_is_refused_and_the_rest_is_used() {
    let folder = dumps("observe-other-output", &["rest-"]);
    folder.write("cluster.xml", "<?xml version=\"1.0\"?><ClusterStatus regions=\"1\"></ClusterStatus>");
    let (exit, text, _) = folder.told(&["observe", "."]);
    assert_eq!(exit, 0);
    assert!(text.contains("cluster.xml: this looks like XML of the REST gateway"), "{text}");
    let (exit, _, said) = folder.told(&["observe", "cluster.xml"]);
    assert_eq!(exit, 2);
    assert!(said.contains("give the JSON of /status/cluster"), "{said}");
}

#[test]
fn a_design_with_records_is_held_against_the_observed_load() {
    let folder = dumps("observe-predicted", &["rest-", "shell-"]);
    folder.write(
        "meter.json",
        r#"{"rowscape": 1, "fields": [{"name": "site", "type": "text"}, {"name": "device", "type": "integer"}],
            "tables": [{"name": "load:meter", "rowkey": "site.text(3) + '|' + device.decimal(5)",
                "splits": {"points": ["ber|", "cph|", "dub|", "ede|", "fra|"]}}]}"#,
    );
    // The load that was sent: percent of the writes by site.
    let sent = [("ams", 4), ("ber", 6), ("cph", 70), ("dub", 10), ("ede", 7), ("fra", 3)];
    let mut records = "site,device\n".to_owned();
    for (site, percent) in sent {
        for at in 0..percent * 20 {
            records.push_str(&format!("{site},{}\n", at * 7919 % 100_000));
        }
    }
    folder.write("records.csv", &records);
    let base = ["observe", ".", "--design", "meter.json", "--data", "records.csv"];
    let value = json(&folder, &[&base[..], &["--metric", "writes", "--json"]].concat());
    let prediction = &value["tables"][0]["prediction"];
    assert_eq!((&prediction["metric"], &prediction["records"]), (&"writes".into(), &2000.into()));
    let [explained, error] = ["explained", "error"].map(|name| prediction[name].as_f64().expect("a number"));
    assert!(explained > 0.97 && error < 0.02, "{prediction}");
    let codes = |value: &Value| -> Vec<String> {
        let causes = value["causes"].as_array().expect("causes").iter();
        causes.map(|cause| cause["code"].as_str().expect("a code").to_owned()).collect()
    };
    // The region that was split has one split point more than the design.
    assert_eq!(codes(prediction), ["observe.cause-splits"]);
    let (_, text, _) = folder.told(&[&base[..], &["--metric", "writes"]].concat());
    assert!(text.contains("The design explains 9") && text.contains("Regions that differ most"), "{text}");
    // Records of another load do not explain it, and say so.
    folder.write("records.csv", records.replace("cph,", "ams,"));
    let value = json(&folder, &[&base[..], &["--metric", "writes", "--json"]].concat());
    let prediction = &value["tables"][0]["prediction"];
    assert!(prediction["explained"].as_f64().expect("a number") < 0.4, "{prediction}");
    assert_eq!(codes(prediction), ["observe.cause-splits", "observe.cause-skew"]);
    let (exit, _, said) = folder.told(&["observe", ".", "--data", "records.csv"]);
    assert_eq!(exit, 2);
    assert!(said.contains("give --design too"), "{said}");
}

/// The recorded dumps in the order of their times, as a gateway printed them.
fn printed() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps");
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("dumps").map(|entry| entry.expect("a dump").path()).collect();
    paths.retain(|path| path.to_string_lossy().contains("rest-"));
    paths.sort();
    let unpacked = |path| {
        let mut text = Vec::new();
        let file = fs::File::open(path).expect("a dump");
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(file), &mut text).expect("gzip");
        text
    };
    paths.into_iter().map(unpacked).collect()
}

#[cfg(unix)]
#[test]
fn a_history_grows_and_loses_no_more_than_a_torn_entry() {
    let folder = Folder::new("watch");
    for (at, dump) in printed().into_iter().enumerate() {
        fs::write(folder.0.join(format!("{at}.json")), dump).expect("a dump");
    }
    let watch =
        |name: &str| folder.told(&["watch", "--count", "1", "-o", "load.rowscape", "--", "cat", name]);
    for name in ["0.json", "1.json", "2.json"] {
        let (exit, text, said) = watch(name);
        assert_eq!((exit, said.as_str()), (0, ""), "{name}");
        assert!(text.contains(" kept; "), "{text}");
    }
    // Killed in the midst of an entry.
    let path = folder.0.join("load.rowscape");
    let whole = fs::read(&path).expect("a history");
    fs::write(&path, &whole[..whole.len() - 100]).expect("write");
    let (_, text, _) = folder.told(&["observe", "load.rowscape", "--table", "load:meter"]);
    assert!(text.contains("the last dump is cut off"), "{text}");
    let (exit, _, said) = watch("3.json");
    assert_eq!(exit, 0);
    assert!(said.contains("the last entry was cut off and is dropped"), "{said}");
    let history = String::from_utf8(fs::read(&path).expect("a history")).expect("text");
    let entries: Vec<&str> = history.lines().filter(|line| line.starts_with("@ ")).collect();
    assert_eq!(entries.len(), 3);
    // The same dumps at their own times.
    let times = [1_795_781_771_894_u64, 1_795_781_805_319, 1_795_781_852_959];
    let told = entries.iter().zip(times).fold(history.clone(), |text, (entry, time)| {
        let (_, length) = entry[2..].split_once(' ').expect("a length");
        text.replace(entry, &format!("@ {time} {length}"))
    });
    fs::write(&path, told).expect("write");
    let value = json(&folder, &["observe", "load.rowscape", "--table", "load:meter", "--json"]);
    let requests = &value["tables"][0]["requests"];
    assert_eq!((&requests["dumps"], &requests["times"][1]), (&3.into(), &times[2].into()));
    // The third dump was torn: without it the region that was split is last seen in the second.
    assert_eq!(requests["writes"], 20_532 - 10_729 + 4_888);
    let (exit, _, said) = folder.told(&["watch", "--count", "1", "-o", "load.rowscape", "--", "false"]);
    assert_eq!(exit, 0);
    assert!(said.contains("the command failed with exit code 1"), "{said}");
    folder.write("other", "some text");
    let (exit, _, said) = folder.told(&["watch", "-o", "other", "--", "cat", "0.json"]);
    assert_eq!(exit, 2);
    assert!(said.contains("not one that rowscape watch wrote"), "{said}");
    for (args, part) in [
        (vec!["watch", "-o", "new", "--every", "5x", "--", "true"], "60s, 5m or 1h"),
        (vec!["watch", "-o", "new"], "no command was given"),
        (vec!["watch", "--", "true"], "name one with -o"),
    ] {
        let (exit, _, said) = folder.told(&args);
        assert!(exit == 2 && said.contains(part), "{said}");
    }
}

#[test]
fn regions_that_were_asked_for_share_the_observed_cells() {
    let folder = folder("observe-splits", &[("wal-plain.wal", "log"), ("plain-NONE.hfile", "cells")]);
    for (args, share) in [(vec!["observe", "log"], 0.3), (vec!["observe", "cells", "--all"], 0.3)] {
        let asked = [args.as_slice(), &["--regions", "4", "--json"]].concat();
        let value = json(&folder, &asked);
        let table = &value["tables"][0];
        let points: Vec<&str> =
            table["splits"].as_array().expect("split points").iter().filter_map(Value::as_str).collect();
        assert_eq!(points.len(), 3, "{points:?}");
        assert!(points.windows(2).all(|pair| pair[0] < pair[1]), "{points:?}");
        // The table cut there has a quarter of the cells in each region, about: rows have several cells.
        let heat = &table["heat"];
        let starts: Vec<&str> =
            heat["starts"].as_array().expect("starts").iter().filter_map(Value::as_str).collect();
        let cells = table["cells"].as_u64().expect("cells") as f64;
        for (at, point) in points.iter().enumerate() {
            let before: u64 = starts
                .iter()
                .zip(heat["counts"].as_array().expect("counts"))
                .filter(|(start, _)| *start < point)
                .flat_map(|(_, row)| row.as_array().expect("a row").iter().filter_map(Value::as_u64))
                .sum();
            let wanted = (at as f64 + 1.0) / 4.0;
            assert!((before as f64 / cells - wanted).abs() < share / 2.0, "{point}: {before} of {cells}");
        }
        let (_, text, _) = folder.told(&[args.as_slice(), &["--regions", "4"]].concat());
        assert!(
            text.contains("Commands for 4 regions with about as many cells each")
                && text.contains("\nsplit '"),
            "{text}"
        );
    }
    let (exit, _, said) = folder.told(&["observe", "log", "--regions", "many"]);
    assert!(exit == 2 && said.contains("--regions must be a whole number"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_entry_that_is_too_long_to_be_read_ends_no_history() {
    let folder = Folder::new("watch-long");
    let mut history = b"# rowscape history 1\n".to_vec();
    for length in [3usize, 20 << 20, 3] {
        history.extend_from_slice(format!("@ 1795781771894 {length}\n").as_bytes());
        history.extend(std::iter::repeat_n(b'x', length));
        history.push(b'\n');
    }
    let path = folder.0.join("load.rowscape");
    fs::write(&path, &history).expect("write");
    let watch = ["watch", "--memory", "64M", "--count", "1", "-o", "load.rowscape", "--", "true"];
    let (exit, _, said) = folder.told(&watch);
    assert_eq!((exit, said.as_str()), (0, ""));
    let grown = fs::read(&path).expect("a history");
    assert!(grown.len() > history.len() && grown.starts_with(&history), "{}", grown.len());
}

#[test]
fn files_are_opened_in_the_page_without_a_server() {
    let folder = Folder::new("open");
    folder.write("page.html", "<html><body>\n<script type=\"text/plain\" id=\"files\">e30=</script>\n<script>1</script>\n</body></html>");
    folder.write("records.csv", "a,b\n1,2\n");
    fs::create_dir_all(folder.0.join("logs/in")).expect("folders");
    folder.write("logs/in/<b>.txt", "x");
    let (exit, text, said) =
        folder.told(&["open", "--page", "page.html", "-o", "out.html", "records.csv", "logs"]);
    assert_eq!((exit, text.trim_end(), said.as_str()), (0, "out.html", ""));
    let page = fs::read_to_string(folder.0.join("out.html")).expect("a page");
    let blocks = "<script type=\"text/plain\" class=\"given\" data-name=\"records.csv\">YSxiCjEsMgo=</script>\n\
                  <script type=\"text/plain\" class=\"given\" data-name=\"logs/in/&lt;b&gt;.txt\">eA==</script>\n";
    assert!(page.contains(&format!("{blocks}<script type=\"text/plain\" id=\"files\">")), "{page}");
    for (args, part) in [
        (vec!["open", "--page", "records.csv", "records.csv"], "not the page"),
        (vec!["open", "--page", "page.html"], "name a file"),
        (vec!["open", "--page", "page.html", "nothing.csv"], "nothing.csv"),
    ] {
        let (exit, _, said) = folder.told(&args);
        assert!(exit >= 2 && said.contains(part), "{said}");
    }
}

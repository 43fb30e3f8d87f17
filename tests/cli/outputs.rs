//! Outputs that are inputs, or other outputs.

use super::running::{DESIGN, Folder, RECORDS};

/// Files of a folder that commands read, each as it was.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let sampled = DESIGN.replace(r#""splits": { "points": ["3", "6"] }"#, r#""splits": { "sample": 2 }"#);
    folder.write("sampled.json", sampled);
    folder.write("study.json", r#"{ "rowscape": 1, "fields": [{ "name": "phone", "type": "text" }] }"#);
    folder.write("options.json", "{}");
    for part in ["one.rowscape", "two.rowscape"] {
        let args = ["summarize", "design.json", "records.csv", "--part", part, "-o", part];
        let (exit, _, said) = folder.told(&args);
        assert_eq!(exit, 0, "{said}");
    }
    folder
}

/// Each command with an output in the last place, which is read in the place of this number.
const CASES: &[(&[&str], usize)] = &[
    (&["analyze", "design.json", "records.csv", "--html"], 1),
    (&["analyze", "design.json", "records.csv", "--svg"], 2),
    (&["analyze", "design.json", "records.csv", "--sarif"], 2),
    (&["analyze", "one.rowscape", "--html"], 1),
    (&["lint", "design.json", "sampled.json", "--sarif"], 2),
    (&["encode", "design.json", "records.csv", "-o"], 2),
    (&["encode", "design.json", "records.csv", "--output"], 1),
    (&["encode", "design.json", "--data", "records.csv", "-o"], 3),
    (&["splits", "sampled.json", "records.csv", "--save"], 1),
    (&["splits", "sampled.json", "records.csv", "--save"], 2),
    (&["splits", "design.json", "-o"], 1),
    (&["summarize", "design.json", "records.csv", "-o"], 2),
    (&["merge", "one.rowscape", "two.rowscape", "-o"], 2),
    (&["emit", "design.json", "--as", "java", "-o"], 1),
    (&["emit", "design.json", "--as", "alter-shell", "--from", "sampled.json", "-o"], 5),
    (&["suggest", "study.json", "records.csv", "--save"], 1),
    (&["suggest", "study.json", "records.csv", "--options", "options.json", "--save"], 4),
];

#[test]
fn an_output_that_is_read_is_rejected_before_anything_is_written() {
    let folder = folder("output-is-input");
    for &(args, input) in CASES {
        let name = args[input];
        let before = std::fs::read(folder.0.join(name)).expect(name);
        let whole = folder.0.join(name).to_string_lossy().into_owned();
        let mut outputs =
            vec![name.to_owned(), format!("./{name}"), format!("../cli-output-is-input/{name}"), whole];
        #[cfg(unix)]
        {
            for link in ["soft", "hard", "chain"] {
                let _ = std::fs::remove_file(folder.0.join(link));
            }
            std::os::unix::fs::symlink(name, folder.0.join("soft")).expect("link");
            std::os::unix::fs::symlink("soft", folder.0.join("chain")).expect("link");
            std::fs::hard_link(folder.0.join(name), folder.0.join("hard")).expect("link");
            outputs.extend(["soft", "hard", "chain"].map(str::to_owned));
        }
        let names = folder.names();
        for output in outputs {
            let all = [args, &[output.as_str()]].concat();
            let (exit, text, said) = folder.told(&all);
            assert!(exit == 2 && said.contains("which is read"), "{all:?}: {exit} {said}");
            assert!(text.is_empty(), "{all:?}: {text}");
            assert_eq!(std::fs::read(folder.0.join(name)).expect(name), before, "{all:?}");
            assert_eq!(folder.names(), names, "{all:?}");
        }
    }
}

#[test]
fn the_file_of_a_kind_and_the_document_of_a_table_are_inputs_too() {
    let folder = Folder::new("output-of-kind");
    folder.write("people.csv", RECORDS);
    for args in [
        ["encode", "design.json", "order=people.csv", "-o", "people.csv"],
        ["encode", "design.json#1", "people.csv", "-o", "design.json"],
    ] {
        let (exit, _, said) = folder.told(&args);
        assert!(exit == 2 && said.contains("which is read"), "{args:?}: {exit} {said}");
    }
}

#[test]
fn no_output_is_written_over_another() {
    let folder = Folder::new("output-twice");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("new.html", folder.0.join("soft")).expect("link");
        std::os::unix::fs::symlink("soft", folder.0.join("chain")).expect("link");
    }
    std::fs::write(folder.0.join("old.html"), "old").expect("write");
    std::fs::hard_link(folder.0.join("old.html"), folder.0.join("hard")).expect("link");
    let mut pairs = vec![("new.html", "./new.html"), ("old.html", "hard")];
    if cfg!(unix) {
        pairs.extend([("new.html", "soft"), ("chain", "./new.html")]);
    }
    for (html, sarif) in pairs {
        let args = ["analyze", "design.json", "records.csv", "--html", html, "--sarif", sarif];
        let (exit, _, said) = folder.told(&args);
        assert!(exit == 2 && said.contains("both write"), "{args:?}: {exit} {said}");
    }
    assert_eq!(folder.read("old.html"), "old");
    assert!(!folder.names().contains("new.html"));
}

#[cfg(unix)]
#[test]
fn standard_input_and_output_are_files_too() {
    use std::fs::{File, OpenOptions};
    let folder = Folder::new("output-streams");
    let append = |name: &str| OpenOptions::new().append(true).open(folder.0.join(name)).expect(name);
    let told = |command: &mut std::process::Command| super::running::told(command.output().expect("run"));
    // Records from standard input, which is the file that is written.
    let mut command = folder.command(&["encode", "design.json", "-", "-o", "records.csv"]);
    let (exit, _, said) = told(command.stdin(File::open(folder.0.join("records.csv")).expect("file")));
    assert!(exit == 2 && said.contains("which is read"), "{exit} {said}");
    // Keys behind the records they are of, as a shell's >> does.
    let mut command = folder.command(&["encode", "design.json", "records.csv"]);
    let (exit, _, said) = told(command.stdout(append("records.csv")));
    assert!(exit == 2 && said.contains("standard output goes to"), "{exit} {said}");
    assert_eq!(folder.read("records.csv"), RECORDS);
    // A file that is standard output, too.
    folder.write("out", "");
    let mut command = folder.command(&["encode", "design.json", "records.csv", "-o", "out"]);
    let (exit, _, said) = told(command.stdout(append("out")));
    assert!(exit == 2 && said.contains("both write"), "{exit} {said}");
    // A device can be both.
    let (exit, _, said) = folder.told(&["encode", "design.json", "/dev/null", "-o", "/dev/null"]);
    assert!(exit == 0 && !said.contains("which is read"), "{exit} {said}");
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_and_files_without_a_name_stay_as_they_are() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("circle");
    symlink("two", folder.0.join("one")).expect("link");
    symlink("one", folder.0.join("two")).expect("link");
    let (exit, _, said) = folder.told(&["encode", "design.json", "records.csv", "-o", "one"]);
    assert_eq!(exit, 3, "{said}");
    let is_link = |name: &str| folder.0.join(name).symlink_metadata().is_ok_and(|found| found.is_symlink());
    assert!(is_link("one") && is_link("two"), "a link was replaced");

    // A link to standard output, which is an open file whose name is gone.
    let open = std::fs::File::create(folder.0.join("gone")).expect("file");
    std::fs::remove_file(folder.0.join("gone")).expect("removed");
    symlink("/proc/self/fd/1", folder.0.join("link")).expect("link");
    let mut command = folder.command(&["encode", "design.json", "records.csv", "-o", "link"]);
    super::running::told(command.stdout(open).output().expect("run"));
    assert!(is_link("link"), "the link was replaced");
}

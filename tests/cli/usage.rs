//! Options, exit codes, help and messages of every command.

use super::running::{DESIGN, Folder, told};
use std::path::Path;
use std::process::Stdio;

#[test]
fn one_of_a_thing_is_said_as_one() {
    let folder = Folder::new("one");
    let (exit, text, _) =
        folder.with_input(&["analyze", "design.json", "-"], b"phone,at\n105,2024-05-02 12:00\n");
    assert_eq!(exit, 0);
    assert!(text.contains("One row is too few"), "{text}");
    assert!(text.contains("1 record, 1 key of 12 bytes"), "{text}");
    let (_, _, said) = folder.with_input(&["encode", "design.json", "-"], b"phone,at\n105,yesterday\n");
    assert!(said.contains("1 of 1 records has no row key; its line is empty"), "{said}");
}

#[test]
fn colours_come_where_they_are_asked_for() {
    let folder = Folder::new("colours");
    let args = ["analyze", "--color", "always", "design.json", "records.csv"];
    let palette = told(folder.command(&args).output().expect("run")).1;
    assert!(palette.contains("\x1b[38;5;") && !palette.contains("38;2;"), "{palette}");
    let all = told(folder.command(&args).env("COLORTERM", "truecolor").output().expect("run")).1;
    assert!(all.contains("\x1b[38;2;"), "{all}");
}

#[test]
fn severity_decides_the_exit_code() {
    let folder = Folder::new("fail-on");
    let rising =
        DESIGN.replace("phone.reverse() + '_' + at.format('yyyyMMdd')", "at.format('yyyyMMddHHmm') + phone");
    folder.write("rising.json", rising.as_bytes());
    assert_eq!(folder.told(&["lint", "rising.json"]).0, 1);
    assert_eq!(folder.told(&["lint", "design.json"]).0, 0);
    assert_eq!(folder.told(&["analyze", "rising.json", "records.csv"]).0, 0);
    assert_eq!(folder.told(&["analyze", "rising.json", "records.csv", "--fail-on", "warning"]).0, 1);
    let (exit, _, said) = folder.told(&["lint", "rising.json", "--fail-on", "worst"]);
    assert!(exit == 2 && said.contains("note, warning, bad"), "{exit} {said}");
}

#[test]
fn wrong_use_and_wrong_input_exit_with_2() {
    let folder = Folder::new("wrong");
    folder.write("broken.json", b"{ \"rowscape\": 1,\n  \"fields\": [ } ");
    folder.write("step.json", DESIGN.replace("reverse", "revers").as_bytes());
    folder.write("picture.csv", [0u8, 1, 2, 3, 200].repeat(500));
    folder.write("other.csv", b"a,b\n1,2\n");
    for (args, part) in [
        (vec![], "rowscape help"),
        (vec!["analise"], "did you mean analyze"),
        (vec!["analyze"], "missing design; give a file"),
        (vec!["analyze", "design.json"], "missing records"),
        (vec!["analyze", "design.json", "--hex"], "analyze does not take --hex"),
        (vec!["analyze", "design.json", "--wrong"], "--wrong"),
        (vec!["analyze", "--table"], "--table"),
        (vec!["analyze", "design.json", "records.csv", "--table", "none"], "none"),
        (vec!["analyze", "design.json", "records.csv", "--json", "--svg", "-"], "standard output"),
        (vec!["lint", "broken.json"], "broken.json:2:"),
        (vec!["lint", "step.json"], "step.json:9:13: rowkey, column 7"),
        (vec!["analyze", "design.json", "picture.csv"], "picture.csv"),
        (vec!["analyze", "design.json", "other.csv"], "field phone"),
        (vec!["decode", "design.json", "--hex", "123"], "hexadecimal"),
        (vec!["splits", "--algorithm", "HexStringSplit"], "--regions"),
        (vec!["explain", "RS999"], "RS999"),
    ] {
        let (exit, out, said) = folder.told(&args);
        let wanted = if args.first() == Some(&"decode") { 1 } else { 2 };
        assert_eq!(exit, wanted, "{args:?}: {said}");
        assert!(said.contains(part), "{args:?}: {said}");
        assert!(said.starts_with("rowscape: ") && out.is_empty(), "{args:?}: {out}");
    }
}

#[test]
fn what_cannot_be_read_or_written_exits_with_3_and_leaves_nothing_half_written() {
    let folder = Folder::new("trouble");
    std::fs::create_dir(folder.0.join("folder")).expect("folder");
    let before = folder.names();
    for (args, part) in [
        (vec!["analyze", "none.json"], "none.json: no such file"),
        (vec!["analyze", "design.json", "none.csv"], "none.csv: no such file"),
        (vec!["analyze", "folder"], "folder is a folder"),
        (vec!["splits", "design.json", "-o", "none/points"], "none/points: no such file"),
        (vec!["splits", "design.json", "-o", "folder"], "folder"),
    ] {
        let (exit, _, said) = folder.told(&args);
        assert_eq!(exit, 3, "{args:?}: {said}");
        assert!(said.contains(part), "{args:?}: {said}");
    }
    assert_eq!(folder.names(), before);
    folder.write("report.html", b"as it was");
    let broken = ["analyze", "design.json", "records.csv", "--html", "report.html", "--svg", "none/heat.svg"];
    assert_eq!(folder.told(&broken).0, 3);
    assert_eq!(folder.read("report.html"), "as it was");
}

#[cfg(target_os = "linux")]
#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_mode_and_the_link_that_leads_to_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("replaced");
    folder.write("old.svg", b"old");
    let at = |name: &str| folder.0.join(name);
    std::fs::set_permissions(at("old.svg"), std::fs::Permissions::from_mode(0o640)).expect("mode");
    std::os::unix::fs::symlink("old.svg", at("link.svg")).expect("link");
    assert_eq!(folder.told(&["analyze", "design.json", "records.csv", "--svg", "link.svg"]).0, 0);
    assert!(std::fs::symlink_metadata(at("link.svg")).expect("link").is_symlink());
    let mode = std::fs::metadata(at("old.svg")).expect("file").permissions().mode();
    assert_eq!((mode & 0o777, folder.read("old.svg").starts_with("<svg")), (0o640, true));
    // Neither a link that leads nowhere nor a folder is written over.
    std::os::unix::fs::symlink("nowhere/new.svg", at("lost.svg")).expect("link");
    for path in ["lost.svg", "."] {
        let (exit, _, said) = folder.told(&["analyze", "design.json", "records.csv", "--svg", path]);
        assert_eq!(exit, 3, "{path}: {said}");
    }
    assert!(!folder.names().iter().any(|name| name.ends_with(".part")), "{:?}", folder.names());
}

#[test]
fn two_outputs_of_one_name_are_refused_before_any_is_written() {
    let folder = Folder::new("same-output");
    for other in ["out", "./out", "../cli-same-output/out"] {
        let args = ["analyze", "design.json", "records.csv", "--html", "out", "--svg", other];
        let (exit, _, said) = folder.told(&args);
        assert!(exit == 2 && said.contains("--html and --svg both write"), "{said}");
        assert!(!folder.names().contains("out"));
    }
}

#[test]
fn a_full_disk_is_told_and_a_closed_pipe_is_not() {
    use std::fs::OpenOptions;
    let folder = Folder::new("full");
    let full = || OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    for args in [vec!["help"], vec!["encode", "design.json", "records.csv"]] {
        let (exit, _, said) = told(folder.command(&args).stdout(full()).output().expect("run"));
        assert!(exit == 3 && said.contains("standard output: no space"), "{args:?}: {exit} {said}");
    }
    let (exit, _, said) = folder.told(&["analyze", "design.json", "records.csv", "--html", "/dev/full"]);
    assert!(exit == 3 && said.contains("/dev/full: no space"), "{exit} {said}");
    assert!(Path::new("/dev/full").exists(), "a device was replaced");
    let many = format!("phone,at\n{}", "105,2024-05-02 12:00\n".repeat(200_000));
    folder.write("many.csv", many.as_bytes());
    let mut child = folder
        .command(&["encode", "design.json", "many.csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("spawn");
    drop(child.stdout.take());
    let (exit, _, said) = told(child.wait_with_output().expect("output"));
    assert_eq!((exit, said.as_str()), (0, ""));
}

#[test]
fn every_command_has_help_and_every_sentence_a_use() {
    let folder = Folder::new("help");
    let (exit, text, _) = folder.told(&["help"]);
    assert_eq!(exit, 0);
    for command in [
        "analyze", "lint", "encode", "decode", "explain", "splits", "plan", "emit", "compare", "suggest",
        "guess", "observe", "migrate", "sweep", "size", "grow", "table", "formula",
    ] {
        assert!(text.contains(&format!("  {command} ")), "{command}");
        let (exit, of, _) = folder.told(&["help", command]);
        assert!(
            exit == 0 && of.contains(&format!("Usage: rowscape {command}")) && !of.contains("cli."),
            "{of}"
        );
        assert_eq!(folder.told(&[command, "--help"]).1, of);
    }
    assert_eq!(folder.told(&["--version"]).1, format!("rowscape {}\n", env!("CARGO_PKG_VERSION")));
    let mut sources = String::new();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli")).expect("sources") {
        sources += &std::fs::read_to_string(entry.expect("entry").path()).expect("source");
    }
    let put_together = |code: &str| code.starts_with("cli.about-") || code.starts_with("cli.option-");
    for code in rowscape::cli::sentences().keys() {
        assert!(put_together(code) || sources.contains(&format!("\"{code}\"")), "{code} is left over");
    }
}

#[test]
fn a_slip_in_an_option_is_named_with_the_one_that_is_meant() {
    let folder = Folder::new("slip");
    let (exit, _, said) = folder.told(&["analyze", "design.json", "--fial-on", "bad"]);
    assert_eq!((exit, said.as_str()), (2, "rowscape: unknown option --fial-on; did you mean --fail-on?\n"));
    let said = folder.told(&["analyze", "design.json", "--zzzzzzzz"]).2;
    assert!(said.contains("unknown option --zzzzzzzz; rowscape help COMMAND lists the options"), "{said}");
}

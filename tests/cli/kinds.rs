//! Files of which each holds the records of one kind.

use crate::running::Folder;
use serde_json::json;

/// Orders beside the profiles of those who gave them.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let document = json!({
        "rowscape": 1,
        "fields": [{ "name": "type", "type": "text" }, { "name": "id", "type": "integer" }, { "name": "user", "type": "text" }],
        "kinds": {
            "order": { "when": { "field": "type", "is": ["o", "order"] }, "rowkey": "user + '|o|' + id.decimal(3)" },
            "profile": { "when": { "field": "type", "is": ["p"] }, "fields": ["user"], "rowkey": "user + '|p'" },
        },
    });
    folder.write("design.json", document.to_string());
    folder.write("both.csv", "type,id,user\no,1,a\norder,2,b\np,,a\np,,b\n");
    folder.write("bought.csv", "id,user\n1,a\n2,b\n");
    folder.write("people.csv", "user,more\na,x\nb,y\n");
    folder.write("orders-2026.csv", "id,user\n1,a\n2,b\n");
    folder.write("Profile.csv", "user,more\na,x\nb,y\n");
    folder
}

#[test]
fn a_word_names_the_kind_of_a_file() {
    let folder = folder("kinds");
    let keys = |files: &[&str]| {
        let output = folder.run(&[&["encode", "design.json"], files].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        (String::from_utf8(output.stdout).expect("text"), String::from_utf8(output.stderr).expect("text"))
    };
    let (both, _) = keys(&["both.csv"]);
    assert_eq!(both, "a|o|001\nb|o|002\na|p\nb|p\n");
    assert_eq!(keys(&["order=bought.csv", "profile=people.csv"]), (both.clone(), String::new()));
    for threads in ["1", "3"] {
        assert_eq!(keys(&["order=bought.csv", "profile=people.csv", "--threads", threads]).0, both);
    }
    // The column of a file is not read where a word says the kind.
    assert_eq!(keys(&["profile=both.csv"]).0, "a|p\nb|p\na|p\nb|p\n");
}

#[test]
fn the_name_of_a_file_tells_its_kind_where_no_column_does() {
    let folder = folder("kinds-by-name");
    let output = folder.run(&["encode", "design.json", "orders-2026.csv", "Profile.csv"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a|o|001\nb|o|002\na|p\nb|p\n");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains(
            "orders-2026.csv: has no column for the kind; by its name, all records are of kind order"
        ),
        "{told}"
    );
    assert!(told.contains("Profile.csv: has no column for the kind"), "{told}");
    // A name that tells nothing leaves the field missing.
    let output = folder.run(&["encode", "design.json", "bought.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the header has no field type"), "{output:?}");
}

#[test]
fn fields_of_its_own_kind_are_needed_and_other_words_are_files() {
    let folder = folder("kinds-wrong");
    let wrong = |files: &[&str], code: i32, wanted: &str| {
        let output = folder.run(&[&["analyze", "design.json"], files].concat());
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(wanted), "{told}");
    };
    wrong(&["order=people.csv"], 2, "people.csv: field id: the header has no field id");
    wrong(&["ordr=bought.csv"], 2, "the table has no kind ordr; its kinds: order, profile");
    wrong(&["order=none.csv"], 3, "none.csv: no such file");
    // A path with the sign of equality in it.
    folder.write("a=b.csv", "type,id,user\no,1,a\n");
    assert_eq!(folder.run(&["encode", "design.json", "a=b.csv"]).stdout, b"a|o|001\n");
}

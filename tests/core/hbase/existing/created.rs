//! The `create` commands that Rowscape itself writes, read back.

use rowscape::design;
use rowscape::emit::{EmitSubject, emit};
use rowscape::existing::read;
use rowscape::row::to_string_binary;
use std::path::Path;

#[test]
fn what_a_design_leaves_as_makes_the_regions_and_families_of_the_design() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/gallery");
    let (mut inline, mut by_algorithm) = (0, 0);
    for entry in std::fs::read_dir(folder).expect("gallery") {
        let path = entry.expect("entry").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let Ok(study) = design::parse(&std::fs::read_to_string(&path).expect("a document")) else { continue };
        for table in &study.tables {
            let points = table.splits.points();
            for (name, count) in [("shell", &mut inline), ("shell-algorithm", &mut by_algorithm)] {
                let Ok(command) = emit(name, &EmitSubject::new(&study, table, &points)) else { continue };
                let found = read(&command.text, None);
                let what = format!("{} {name}: {}", path.display(), command.text);
                assert_eq!(found.forms, ["create"], "{what}");
                assert_eq!(found.problems, [], "{what}");
                let [made] = found.tables.as_slice() else { panic!("{what}") };
                let points = points.as_ref().expect("points of a command");
                let own: Vec<String> = (1..points.regions())
                    .map(|region| to_string_binary(points.boundaries(region).0))
                    .collect();
                assert_eq!((&made.name, &made.points), (&table.name, &own), "{what}");
                assert!(!made.families.is_empty(), "{what}");
                *count += 1;
            }
        }
    }
    assert!(inline > 50 && by_algorithm > 5, "{inline} {by_algorithm}");
}

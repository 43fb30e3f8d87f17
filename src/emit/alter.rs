//! Commands and code that alter the table of one design into that of another with the same row key.

use super::admin::{IMPORTS, constant, setters};
use super::code::filled;
use super::language;
use super::names::{self, hex};
use super::reshape::reshape_commands;
use super::shell::{self, hash, text};
use super::subject::EmitSubject;
use crate::base::Problem;
use crate::bytes::row::from_string_binary;
use crate::compare::alter::{FamilyAlter, FamilyChange, SettingChange, family_alters};
use crate::compare::migrate::same_keys;
use crate::hbase::existing::{ReshapeAction, ReshapeStep, reshape};

const FRAME: &str = include_str!("languages/java-alter.frame");

/// The functions that split and merge.
const RESHAPE: &str = include_str!("languages/java-reshape.frame");

/// In place of them.
const NO_RESHAPE: &str = "    /** The regions stay as they are. */
    public static void reshape(Admin admin) {}

";

/// Families that differ, and the way from the regions of the old design to the new ones.
struct TableAlter<'a> {
    /// The name that the table has.
    table: &'a str,
    families: Vec<FamilyAlter>,
    regions: Vec<ReshapeStep>,
}

/// The difference between two designs of a table.
///
/// # Errors
/// Another row key, or nothing to alter.
fn altered<'a>(from: &EmitSubject<'a>, to: &EmitSubject<'a>) -> Result<TableAlter<'a>, Problem> {
    let (old, new) = (from.points()?, to.points()?);
    if !same_keys((from.study, from.design), (to.study, to.design)) {
        return Err(Problem::new("emit.other-key"));
    }
    let families = family_alters(from.design, to.design);
    let regions = reshape(old, new);
    if families.is_empty() && regions.is_empty() {
        return Err(Problem::new("emit.same-table"));
    }
    Ok(TableAlter { table: &from.design.name, families, regions })
}

/// A sentence of a code, with a capital.
pub(super) fn sentence(problem: &Problem) -> String {
    let said = problem.sentence();
    let first = said.chars().next().map_or(0, char::len_utf8);
    let (first, rest) = said.split_at(first);
    first.to_uppercase() + rest
}

/// The name of the snapshot that is taken before a family goes.
fn snapshot(table: &str) -> String {
    format!("{}-before-alter", names::file(table))
}

/// The commands of the shell.
pub(super) fn commands(from: &EmitSubject<'_>, to: &EmitSubject<'_>) -> Result<String, Problem> {
    let altered = altered(from, to)?;
    Ok(alter_commands(altered.table, &altered.families, &altered.regions))
}

/// Commands that alter the families of a table, then split and merge its regions; nothing where both stay.
pub fn alter_commands(table: &str, families: &[FamilyAlter], regions: &[ReshapeStep]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut commands: String = families
        .iter()
        .flat_map(FamilyAlter::notes)
        .map(|note| names::comment("# ", &sentence(&note)))
        .collect();
    if families.iter().any(|alter| alter.change == FamilyChange::Removed) {
        lines.push(format!("snapshot {}, {}", text(table), text(&snapshot(table))));
    }
    for alter in families.iter().filter(|alter| lowers_first(alter)) {
        let least = alter.settings.iter().filter(|setting| setting.name == "MIN_VERSIONS");
        lines.push(format!("alter {}, {}", text(table), of_family(alter, least)));
    }
    let parts: Vec<String> = families.iter().map(|alter| of_family(alter, alter.settings.iter())).collect();
    if !parts.is_empty() {
        lines.push(format!("alter {},\n  {}", text(table), parts.join(",\n  ")));
    }
    let compacted = families.iter().filter(|alter| alter.compacts());
    lines.extend(compacted.map(|alter| format!("major_compact {}, {}", text(table), text(&alter.family))));
    commands.extend(lines.iter().flat_map(|line| [line, "\n"]));
    if !regions.is_empty() {
        commands += if commands.is_empty() { "" } else { "\n" };
        commands += &reshape_commands(table, regions, &[]);
    }
    commands
}

/// True if the shell, which sets the most versions before the fewest, would refuse both at once.
fn lowers_first(alter: &FamilyAlter) -> bool {
    let number = |text: &String| text.parse::<u32>().ok();
    let of = |name| alter.settings.iter().find(|setting| setting.name == name);
    let (Some(most), Some(least)) = (of("VERSIONS"), of("MIN_VERSIONS")) else { return false };
    alter.change == FamilyChange::Altered && number(&most.to) < number(&least.from)
}

fn of_family<'a>(alter: &FamilyAlter, settings: impl Iterator<Item = &'a SettingChange> + Clone) -> String {
    let mut attributes = vec![("NAME", alter.family.clone())];
    if alter.change == FamilyChange::Removed {
        attributes.push(("METHOD", "delete".to_owned()));
    }
    attributes.extend(shell::attributes(settings));
    hash(&attributes)
}

/// The class that does the same by HBase's Admin interface.
pub(super) fn source(from: &EmitSubject<'_>, to: &EmitSubject<'_>) -> Result<String, Problem> {
    let altered = altered(from, to)?;
    let table = language::JAVA.text(altered.table);
    let notes: Vec<Problem> = altered.families.iter().flat_map(FamilyAlter::notes).collect();
    let notes: String = notes.iter().map(|note| names::comment("    // ", &sentence(note))).collect();
    let compacted = altered.families.iter().filter(|alter| alter.compacts());
    let compact: String = compacted
        .map(|alter| {
            format!("        admin.majorCompact(TABLE, family({}));\n", language::JAVA.text(&alter.family))
        })
        .collect();
    let (constants, regions) = regions(&altered.regions);
    let head = format!("The HBase table {}, altered as its new design says", altered.table);
    let head = names::comment("// ", &head);
    let class = names::class_of(&to.design.name, "Alter");
    let families = families(&altered);
    let mut gaps = vec![
        ("head", head.as_str()),
        ("class", &class),
        ("table", &table),
        ("notes", &notes),
        ("families", &families),
        ("regions", &constants),
        ("compact", &compact),
        ("helpers", &regions),
    ];
    let code = filled(FRAME, &gaps);
    let imports = language::imported(language::named_imports(IMPORTS), &code);
    gaps.push(("imports", &imports));
    Ok(filled(FRAME, &gaps))
}

/// Code that alters the families.
fn families(altered: &TableAlter<'_>) -> String {
    if altered.families.is_empty() {
        return String::new();
    }
    let mut code = String::new();
    if altered.families.iter().any(|alter| alter.change == FamilyChange::Removed) {
        let name = language::JAVA.text(&snapshot(altered.table));
        code += &format!(
            "        if (admin.listSnapshots(Pattern.compile(Pattern.quote({name}))).isEmpty()) \
             admin.snapshot({name}, TABLE);\n"
        );
    }
    code += "        TableDescriptor table = admin.getDescriptor(TABLE);
        TableDescriptorBuilder altered = TableDescriptorBuilder.newBuilder(table);
";
    for alter in &altered.families {
        let name = format!("family({})", language::JAVA.text(&alter.family));
        let set: String =
            setters(&alter.settings).iter().map(|setter| format!("\n                    {setter}")).collect();
        code += &match alter.change {
            FamilyChange::Removed => {
                format!("        if (table.hasColumnFamily({name})) altered.removeColumnFamily({name});\n")
            }
            FamilyChange::Added => format!(
                "        if (!table.hasColumnFamily({name})) {{
            altered.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder({name}){set}
                    .build());
        }}
"
            ),
            FamilyChange::Altered => format!(
                "        altered.modifyColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamily({name})){set}
                .build());
"
            ),
        };
    }
    code + "        admin.modifyTable(altered.build());\n"
}

/// The constants of the steps, and the functions that do them.
fn regions(steps: &[ReshapeStep]) -> (String, String) {
    if steps.is_empty() {
        return (String::new(), NO_RESHAPE.to_owned());
    }
    let digits = |row: &String| hex(&from_string_binary(row).unwrap_or_default());
    let of = |action| steps.iter().filter(move |step| step.action == action);
    let splits = of(ReshapeAction::Split).flat_map(|step| step.at.iter().map(digits));
    let merges =
        of(ReshapeAction::Merge).map(|step| format!("{}-{}", digits(&step.start), digits(&step.stop)));
    (constant("SPLIT_AT", splits) + &constant("MERGED", merges), RESHAPE.to_owned())
}

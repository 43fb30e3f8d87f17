//! Code that creates the table by HBase's Admin interface: its namespace, families and split points.

use super::code::filled;
use super::language;
use super::names::{self, hex};
use super::shell::{FAMILY, MOST_INLINE};
use super::subject::EmitSubject;
use crate::analysis::settings::{TableSetting, settings};
use crate::base::Problem;
use crate::compare::alter::{BLOOM_PREFIX, FOREVER, SettingChange, own_settings};
use crate::design::Family;
use crate::design::split::SplitPoints;

/// The file around what is made.
const FRAME: &str = include_str!("languages/java-table.frame");

/// Imports of code that creates or alters a table, a line each.
pub(super) const IMPORTS: &str = include_str!("languages/java-table.imports");

/// Creates the namespace once, whoever else tries to.
const NAMESPACE: &str = "    private static void createNamespace(Admin admin) throws IOException {
        try {
            admin.getNamespaceDescriptor(TABLE.getNamespaceAsString());
        } catch (NamespaceNotFoundException missing) {
            try {
                admin.createNamespace(NamespaceDescriptor.create(TABLE.getNamespaceAsString()).build());
            } catch (NamespaceExistException raced) {
                // Another client has created it since.
            }
        }
    }

";

/// Split points in one array, whose bytes are hexadecimal.
const SPLITS: &str = "    /** Where the table is split. */
    public static byte[][] splits() {
        List<byte[]> points = new ArrayList<>();
        for (String some : SPLITS) {
            for (String point : some.split(\" \")) points.add(Bytes.fromHex(point));
        }
        return points.toArray(new byte[0][]);
    }

";

/// One region.
const NO_SPLITS: &str = "    /** The table begins as one region. */
    public static byte[][] splits() {
        return new byte[0][];
    }

";

/// Digits of a line of split points.
const WIDE: usize = 88;

/// Most lines of them, as the code that fills an array has at most 64 KiB.
const MOST_LINES: usize = 4000;

/// Most digits of a line of several: so has a text.
const MOST_DIGITS: usize = 60_000;

/// The class that creates the table.
pub(super) fn source(subject: &EmitSubject<'_>) -> Result<String, Problem> {
    let design = subject.design;
    let table = language::JAVA.text(&design.name);
    let splits = split_points(subject.points()?)?;
    let advised = settings(subject.study, design, &subject.lengths);
    let default = [Family::named(FAMILY)];
    let families = if design.families.is_empty() { &default[..] } else { &design.families };
    let mut written: String = families.iter().map(|family| of_family(family, &advised)).collect();
    written += &advice(&advised, None, 16);
    let apart = design.name.contains(':');
    let head = names::comment("// ", &format!("The HBase table {}", design.name));
    let class = names::class_of(&design.name, "Table");
    let mut gaps = vec![
        ("head", head.as_str()),
        ("class", &class),
        ("table", &table),
        ("families", &written),
        ("splits", &splits),
        ("before", if apart { "        createNamespace(admin);\n" } else { "" }),
        ("namespace", if apart { NAMESPACE } else { "" }),
    ];
    let code = filled(FRAME, &gaps);
    let imports = language::imported(language::named_imports(IMPORTS), &code);
    gaps.push(("imports", &imports));
    Ok(filled(FRAME, &gaps))
}

/// The constant of the split points and the function that gives them.
fn split_points(points: &SplitPoints) -> Result<String, Problem> {
    let count = points.keys().len();
    if count > MOST_INLINE {
        return Err(Problem::new("emit.too-many-splits").with("found", count).with("most", MOST_INLINE));
    }
    if count == 0 {
        return Ok(NO_SPLITS.to_owned());
    }
    Ok(constant("SPLITS", points.iter().map(hex)) + SPLITS)
}

/// A constant of texts that hold these, a space between two.
pub(super) fn constant(name: &str, all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    let digits: usize = all.iter().map(|one| one.len() + 1).sum();
    let most = WIDE.max(digits / MOST_LINES).min(MOST_DIGITS);
    let mut lines: Vec<String> = Vec::new();
    for one in all {
        match lines.last_mut() {
            Some(line) if line.len() + one.len() < most => {
                line.push(' ');
                line.push_str(&one);
            }
            _ => lines.push(one),
        }
    }
    let lines: String = lines.iter().map(|line| format!("        \"{line}\",\n")).collect();
    format!("    private static final String[] {name} = {{\n{lines}    }};\n\n")
}

/// The setters of settings.
pub(super) fn setters(settings: &[SettingChange]) -> Vec<String> {
    let setter = |setting: &SettingChange| match setting.name {
        "COMPRESSION" => format!(".setCompressionType(Compression.Algorithm.{})", setting.to),
        "VERSIONS" => format!(".setMaxVersions({})", setting.to),
        "MIN_VERSIONS" => format!(".setMinVersions({})", setting.to),
        "BLOCKSIZE" => format!(".setBlocksize({})", setting.to),
        BLOOM_PREFIX => format!(".setConfiguration(\"{BLOOM_PREFIX}\", \"{}\")", setting.to),
        "BLOOMFILTER" => format!(".setBloomFilterType(BloomType.{})", setting.to),
        "DATA_BLOCK_ENCODING" => format!(".setDataBlockEncoding(DataBlockEncoding.{})", setting.to),
        "IN_MEMORY" => format!(".setInMemory({})", setting.to),
        "IS_MOB" => format!(".setMobEnabled({})", setting.to),
        "MOB_THRESHOLD" => format!(".setMobThreshold({})", setting.to),
        _ if setting.to == FOREVER.to_string() => ".setTimeToLive(HConstants.FOREVER)".to_owned(),
        _ => format!(".setTimeToLive({})", setting.to),
    };
    settings.iter().map(setter).collect()
}

/// A family of the descriptor.
fn of_family(family: &Family, advised: &[TableSetting]) -> String {
    let name = language::JAVA.text(&family.name);
    let setters: String = setters(&own_settings(family))
        .iter()
        .map(|setter| format!("                        {setter}\n"))
        .collect();
    format!(
        "                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes({name}))\n\
         {setters}{}                        .build())\n",
        advice(advised, Some(&family.name), 24)
    )
}

/// Settings that are advised for a family or for the table, with their reasons, as comments.
fn advice(advised: &[TableSetting], family: Option<&str>, indent: usize) -> String {
    let of = advised.iter().filter(|setting| setting.family.as_deref() == family);
    let mut text = String::new();
    for setting in of {
        let quoted = |text: &str| language::JAVA.text(text);
        let mut calls = format!(".setValue({}, {})", quoted(setting.name), quoted(&setting.value));
        for (name, value) in &setting.configuration {
            calls += &match family {
                Some(_) => format!(".setConfiguration({}, {})", quoted(name), quoted(value)),
                None => format!(".setValue({}, {})", quoted(name), quoted(value)),
            };
        }
        let begin = format!("{}// ", " ".repeat(indent));
        for line in [setting.reason.sentence(), calls] {
            text += &names::comment(&begin, &line);
        }
    }
    text
}

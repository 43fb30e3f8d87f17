//! Exports of a design: commands that create and read the table, and code that makes its row keys, writes and reads it.
//!
//! [`EMITTERS`] is the one table of texts. Code of all languages is made by one way: `lower` turns a checked formula into
//! calls of a few primitives, `primitives` says which they are for each step, a `language` brings those primitives as source
//! text of its own and says how values are written in it. A primitive that a language does not bring refuses the step, by name.

mod admin;
mod alter;
mod answers;
mod asked;
mod code;
mod decoder;
mod language;
mod load;
mod lower;
mod names;
mod phoenix;
mod points;
mod primitives;
mod reader;
mod reshape;
mod rest;
mod rewrite;
mod scans;
mod shell;
mod spark;
mod stored;
mod subject;
mod vectors;
mod version;
mod writer;

pub use alter::alter_commands;
pub use answers::{TableInUse, TablesInUse, migration_answer};
pub use reshape::{act_commands, reshape_commands};
pub use shell::alter_command;
pub use subject::EmitSubject;
pub use version::{HBASE_VERSIONS, HbaseVersion};

use crate::base::Problem;

/// A text that can be taken.
pub struct Emitter {
    /// By what it is asked for.
    pub name: &'static str,
    /// The language of the text.
    pub language: &'static str,
    /// Name of the file, from that of the table.
    file: fn(&str) -> String,
    text: fn(&EmitSubject<'_>) -> Result<String, Problem>,
}

impl Emitter {
    /// True if the texts of several tables, one after another, are one: commands and statements are, classes and lists of points not.
    pub fn joins(&self) -> bool {
        ["hbase shell", "shell", "sql"].contains(&self.language)
    }
}

/// All texts that can be taken.
pub static EMITTERS: &[Emitter] = &[
    Emitter {
        name: "shell",
        language: "hbase shell",
        file: |table| names::file(table) + ".hbase",
        text: |subject| shell::create(subject, &shell::ShellSplits::Inline),
    },
    Emitter {
        name: "shell-file",
        language: "hbase shell",
        file: |table| names::file(table) + ".hbase",
        text: |subject| shell::create(subject, &shell::ShellSplits::File),
    },
    Emitter { name: "splits-file", language: "text", file: points::splits_file, text: points::splits },
    Emitter {
        name: "shell-algorithm",
        language: "hbase shell",
        file: |table| names::file(table) + ".hbase",
        text: |subject| shell::create(subject, &shell::ShellSplits::Algorithm),
    },
    Emitter {
        name: "boundaries",
        language: "csv",
        file: |table| names::file(table) + "-regions.csv",
        text: points::regions,
    },
    Emitter {
        name: "admin-java",
        language: "java",
        file: |table| names::class_of(table, "Table") + ".java",
        text: admin::source,
    },
    Emitter {
        name: "alter-shell",
        language: "hbase shell",
        file: |table| names::file(table) + "-alter.hbase",
        text: |_| Err(no_origin("alter-shell")),
    },
    Emitter {
        name: "alter-java",
        language: "java",
        file: |table| names::class_of(table, "Alter") + ".java",
        text: |_| Err(no_origin("alter-java")),
    },
    Emitter {
        name: "scan-shell",
        language: "hbase shell",
        file: |table| names::file(table) + "-queries.hbase",
        text: scans::commands,
    },
    Emitter {
        name: "scan-rest",
        language: "shell",
        file: |table| names::file(table) + "-queries.sh",
        text: rest::commands,
    },
    Emitter {
        name: "java",
        language: "java",
        file: |table| names::class(table) + ".java",
        text: |subject| code::source(subject, &language::JAVA),
    },
    Emitter {
        name: "scala",
        language: "scala",
        file: |table| names::class(table) + ".scala",
        text: |subject| code::source(subject, &language::SCALA),
    },
    Emitter {
        name: "python",
        language: "python",
        file: |table| names::snake(&names::class(table)) + ".py",
        text: |subject| code::source(subject, &language::PYTHON),
    },
    Emitter {
        name: "javascript",
        language: "javascript",
        file: |table| names::snake(&names::class(table)).replace('_', "-") + ".mjs",
        text: |subject| code::source(subject, &language::JAVASCRIPT),
    },
    Emitter {
        name: "writer-java",
        language: "java",
        file: |table| names::class_of(table, "Writer") + ".java",
        text: |subject| writer::source(subject, &writer::JAVA),
    },
    Emitter {
        name: "writer-scala",
        language: "scala",
        file: |table| names::class_of(table, "Writer") + ".scala",
        text: |subject| writer::source(subject, &writer::SCALA),
    },
    Emitter {
        name: "writer-python",
        language: "python",
        file: |table| names::snake(&names::class_of(table, "Writer")) + ".py",
        text: |subject| writer::source(subject, &writer::PYTHON),
    },
    Emitter {
        name: "load-java",
        language: "java",
        file: |table| names::class_of(table, "Load") + ".java",
        text: load::source,
    },
    Emitter {
        name: "reader-java",
        language: "java",
        file: |table| names::class_of(table, "Reader") + ".java",
        text: |subject| reader::source(subject, &reader::JAVA),
    },
    Emitter {
        name: "reader-scala",
        language: "scala",
        file: |table| names::class_of(table, "Reader") + ".scala",
        text: |subject| reader::source(subject, &reader::SCALA),
    },
    Emitter {
        name: "reader-python",
        language: "python",
        file: |table| names::snake(&names::class_of(table, "Reader")) + ".py",
        text: |subject| reader::source(subject, &reader::PYTHON),
    },
    Emitter {
        name: "rewrite-java",
        language: "java",
        file: |table| names::class_of(table, "Rewrite") + ".java",
        text: |_| Err(no_origin("rewrite-java")),
    },
    Emitter {
        name: "spark-sql",
        language: "sql",
        file: |table| names::file(table) + "-row-key.sql",
        text: spark::expression,
    },
    Emitter {
        name: "phoenix",
        language: "sql",
        file: |table| names::file(table) + "-phoenix.sql",
        text: phoenix::create_table,
    },
    Emitter {
        name: "phoenix-view",
        language: "sql",
        file: |table| names::file(table) + "-view.sql",
        text: phoenix::create_view,
    },
];

/// Texts that tables with several kinds of records have as a whole; the others are of the row key of one kind.
const OF_TABLES: [&str; 9] = [
    "shell",
    "splits-file",
    "shell-algorithm",
    "boundaries",
    "admin-java",
    "alter-shell",
    "alter-java",
    "scan-shell",
    "scan-rest",
];

/// A text with the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmittedText {
    /// Name of the file.
    pub file: String,
    /// The language of the text.
    pub language: &'static str,
    /// The text.
    pub text: String,
}

/// The text of that name.
///
/// # Errors
/// `emit.unknown` for another name; what the text cannot say: a step the language has no code for, splits that follow
/// from records.
pub fn emit(name: &str, subject: &EmitSubject<'_>) -> Result<EmittedText, Problem> {
    let Some(emitter) = EMITTERS.iter().find(|emitter| emitter.name == name) else {
        let known: Vec<&str> = EMITTERS.iter().map(|emitter| emitter.name).collect();
        return Err(Problem::new("emit.unknown").with("found", name).with("known", known.join(", ")));
    };
    one_key(name, subject)?;
    let text = (emitter.text)(subject)?;
    Ok(EmittedText { file: (emitter.file)(&subject.design.name), language: emitter.language, text })
}

/// True of a text that is of one row key, and so of one kind of records.
pub fn is_of_key(name: &str) -> bool {
    !OF_TABLES.contains(&name)
}

/// Refuses a table with several row keys where a text is of one.
fn one_key(name: &str, subject: &EmitSubject<'_>) -> Result<(), Problem> {
    let kinds = &subject.design.kinds;
    if kinds.is_empty() || !is_of_key(name) {
        return Ok(());
    }
    let known: Vec<&str> = kinds.iter().map(|kind| kind.typed.name.as_str()).collect();
    Err(Problem::new("emit.which-kind").with("name", name).with("known", known.join(", ")))
}

fn no_origin(name: &str) -> Problem {
    Problem::new("emit.no-origin").with("name", name)
}

/// The text of that name that leads from the design that the table has so far to this one. Calls by name, so that modules that
/// never ask for such texts need not hold the code that makes them.
///
/// # Errors
/// As [`emit`]; that the text cannot lead from that design to this one.
pub fn emit_from(name: &str, from: &EmitSubject<'_>, to: &EmitSubject<'_>) -> Result<EmittedText, Problem> {
    one_key(name, from)?;
    one_key(name, to)?;
    let text = match name {
        "alter-shell" => alter::commands(from, to)?,
        "alter-java" => alter::source(from, to)?,
        "rewrite-java" => rewrite::source(from, to)?,
        _ => return emit(name, to),
    };
    let missing = || Problem::new("emit.unknown").with("found", name);
    let emitter = EMITTERS.iter().find(|emitter| emitter.name == name).ok_or_else(missing)?;
    Ok(EmittedText { file: (emitter.file)(&to.design.name), language: emitter.language, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_brings_what_it_calls_and_no_more() {
        let fields = r#"[{ "name": "number", "type": "text" }]"#;
        let document = format!(r#"{{ "rowscape": 1, "fields": {fields}, "rowkey": "number.md5().hex(4)" }}"#);
        let study = crate::design::parse(&document).expect("a design");
        let design = study.tables.first().expect("a table");
        let points = design.splits.points();
        let java = emit("java", &EmitSubject::new(&study, design, &points)).expect("a class");
        assert_eq!(java.file, "T1RowKey.java");
        assert!(java.text.contains("utf8(hex(md5(utf8(numberValue)), 4))"), "{}", java.text);
        assert!(java.text.contains("byte[] digest("), "{}", java.text);
        assert!(!java.text.contains("long number("), "{}", java.text);
    }
}

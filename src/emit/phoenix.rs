//! Tables and views of Phoenix, where each part of a row key is a column that Phoenix writes with the same bytes.

use super::names::{comment, hex};
use super::subject::EmitSubject;
use crate::base::Problem;
use crate::bytes::row::from_string_binary;
use crate::bytes::sort::sort_by;
use crate::compare::alter::own_settings;
use crate::design::{CellValue, Design, RecordCell};
use crate::formula::steps::{ArgumentValue, quoted, quoted_table};
use crate::formula::typed::{Expression, TypedFormula, TypedPart};
use crate::records::field::shape::{Alphabet, Shape};
use crate::records::field::{Field, Kind};
use crate::scan::PhoenixIndex;

/// A column of the primary key.
struct PhoenixColumn {
    name: String,
    sql: String,
    descending: bool,
    nullable: bool,
}

/// Columns of the key, and the salt in front.
struct PhoenixKey {
    columns: Vec<PhoenixColumn>,
    buckets: Option<i64>,
}

/// Steps whose column has a name of its own in SQL.
const TYPES: &[(&str, &str)] = &[
    ("phoenix.unsignedTinyint", "UNSIGNED_TINYINT"),
    ("phoenix.unsignedSmallint", "UNSIGNED_SMALLINT"),
    ("phoenix.unsignedInt", "UNSIGNED_INT"),
    ("phoenix.unsignedLong", "UNSIGNED_LONG"),
    ("phoenix.unsignedFloat", "UNSIGNED_FLOAT"),
    ("phoenix.unsignedDouble", "UNSIGNED_DOUBLE"),
    ("phoenix.unsignedDate", "UNSIGNED_DATE"),
    ("phoenix.unsignedTime", "UNSIGNED_TIME"),
    ("phoenix.unsignedTimestamp", "UNSIGNED_TIMESTAMP"),
    // For numbers that are never negative, `Bytes.toBytes` writes the same bytes as the unsigned types.
    ("int8", "UNSIGNED_TINYINT"),
    ("int16", "UNSIGNED_SMALLINT"),
    ("int32", "UNSIGNED_INT"),
    ("int64", "UNSIGNED_LONG"),
];

fn named(step: &str) -> String {
    let listed = TYPES.iter().find(|(name, _)| *name == step).map(|name| name.1.to_owned());
    listed.unwrap_or_else(|| step.trim_start_matches("phoenix.").to_ascii_uppercase())
}

/// The SQL type of a part, whether it is descending, and whether the byte that ends it is its own.
fn typed(expression: &Expression, shape: &Shape, last: bool) -> Option<(String, bool, bool)> {
    let width = shape.width.exact();
    let of_step = match expression {
        Expression::Apply { step, arguments, input, .. } => {
            let says = |word: &str| {
                arguments.iter().any(|one| matches!(one, ArgumentValue::Text(text) if text == word))
            };
            let size = arguments.iter().find_map(|one| match one {
                ArgumentValue::Number(size) => Some(*size),
                _ => None,
            });
            let natural = input.shape().range.is_some_and(|range| range.0 >= 0);
            match step.name {
                "phoenix.char" | "phoenix.binary" => {
                    Some((format!("{}({})", named(step.name), size?), says("desc"), true))
                }
                "phoenix.varchar" | "phoenix.decimal" => {
                    Some((named(step.name), says("desc"), says("separated")))
                }
                "phoenix.varbinary" => Some((named(step.name), says("desc"), false)),
                name if name.starts_with("phoenix.") => Some((named(name), says("desc"), true)),
                "terminated" => Some(("VARCHAR".to_owned(), false, true)),
                "int8" | "int16" | "int32" | "int64" if natural => Some((named(step.name), false, true)),
                _ => None,
            }
        }
        _ => None,
    };
    if of_step.is_some() {
        return of_step;
    }
    match width {
        // CHAR is filled up with blanks, which are taken off again.
        Some(width) if plain(shape.alphabet) => Some((format!("CHAR({width})"), false, true)),
        Some(width) => Some((format!("BINARY({width})"), false, true)),
        None if kind(expression) == Kind::Text => Some(("VARCHAR".to_owned(), false, false)),
        None if last => Some(("VARBINARY".to_owned(), false, false)),
        None => None,
    }
}

fn plain(alphabet: Alphabet) -> bool {
    alphabet.bytes().all(|byte| (b'!'..=b'~').contains(&byte))
}

fn kind(expression: &Expression) -> Kind {
    match expression {
        Expression::Apply { step, .. } => step.gives,
        Expression::Field { shape, .. } | Expression::Join { shape, .. } => shape.kind,
        Expression::Literal(_) | Expression::Salt { .. } => Kind::Bytes,
    }
}

/// The buckets of a salt over all that follows.
fn salt(part: &TypedPart) -> Option<i64> {
    match &part.expression {
        Expression::Apply { step, arguments, .. } if part.uses_rest && step.name == "phoenixSalt" => {
            match arguments.as_slice() {
                [ArgumentValue::Number(buckets)] => Some(*buckets),
                _ => None,
            }
        }
        _ => None,
    }
}

fn key(subject: &EmitSubject<'_>) -> Result<PhoenixKey, Problem> {
    let parts = &subject.design.typed.parts;
    let mut columns: Vec<PhoenixColumn> = Vec::new();
    let buckets = parts.first().and_then(salt);
    let refused = |part: &TypedPart| Problem::new("emit.no-column").with("part", &part.text);
    let mut rest = parts.iter().skip(usize::from(buckets.is_some())).peekable();
    while let Some(part) = rest.next() {
        let ends_key = rest.peek().is_none();
        let (sql, descending, own_end) =
            typed(&part.expression, &part.shape, ends_key).ok_or_else(|| refused(part))?;
        if matches!(part.expression, Expression::Literal(_)) {
            return Err(refused(part));
        }
        let varies = part.shape.width.exact().is_none();
        // Phoenix ends a column of varying width by 00, the last one by nothing.
        let ends = match rest.peek().map(|next| &next.expression) {
            Some(Expression::Literal(bytes)) if varies && !own_end && *bytes == [0] => {
                rest.next();
                rest.peek().is_some()
            }
            // The byte that ends a descending column stays behind the last one, too.
            _ => !varies || own_end != ends_key || own_end && descending,
        };
        if !ends {
            return Err(refused(part));
        }
        let field = part.fields.first().and_then(|&field| subject.study.fields.get(field));
        let base = field.map_or("key", |field| field.name.as_str());
        let mut name = base.to_owned();
        let mut count = 1;
        while columns.iter().any(|column| column.name == name) {
            count += 1;
            name = format!("{base}_{count}");
        }
        let nullable = field.is_some_and(|field| field.nullable);
        columns.push(PhoenixColumn { name, sql, descending, nullable });
    }
    Ok(PhoenixKey { columns, buckets })
}

/// The SQL type of a value; bytes of any length where Phoenix has none that writes the same.
fn sql_of(value: Option<&TypedFormula>) -> String {
    let one = value.and_then(|value| match value.parts.as_slice() {
        [part] => typed(&part.expression, &part.shape, true),
        _ => None,
    });
    let sql = one.and_then(|(sql, descending, own_end)| {
        // A value has no byte that ends it, and is not turned round.
        let differs = descending || sql.starts_with("BINARY") || own_end && sql == "VARCHAR";
        (!differs).then_some(sql)
    });
    sql.unwrap_or_else(|| "VARBINARY".to_owned())
}

/// The text between the parentheses: columns of the key, of the families, the primary key.
fn columns(key: &PhoenixKey, subject: &EmitSubject<'_>) -> Result<String, Problem> {
    let design = subject.design;
    let declared = |PhoenixColumn { name, sql, nullable, .. }: &PhoenixColumn| {
        format!("{} {sql}{}", quoted(name), if *nullable { "" } else { " NOT NULL" })
    };
    let mut lines: Vec<String> = key.columns.iter().map(declared).collect();
    if has_encoded_names(design) {
        lines.extend(of_fields(key, subject));
        lines.push(constraint(key));
        return Ok(lines.join(",\n  "));
    }
    let cells = || design.families.iter().flat_map(|family| &family.cells);
    let is_of_phoenix = cells().any(|cell| cell.qualifier.text() == Some(EMPTY));
    for (at, family) in design.families.iter().enumerate() {
        for (place, cell) in family.cells.iter().enumerate() {
            let qualifier = cell.qualifier.text().map(from_string_binary).transpose()?;
            let name = qualifier.and_then(|qualifier| String::from_utf8(qualifier).ok());
            let name = name.filter(|name| !name.is_empty());
            let name = name.ok_or_else(|| Problem::new("emit.no-column").with("part", &cell.qualifier))?;
            if name == EMPTY {
                continue;
            }
            let column = design.columns.iter().position(|own| *own == (at, place));
            let value = column.and_then(|column| design.typed.columns.get(column)?.value.as_ref());
            let field = subject.study.fields.iter().find(|field| field.name == name);
            let sql = match (value, field) {
                // Elsewhere the bytes of a value are those that it usually has.
                (None, Some(field)) if is_of_phoenix => sql_of_field(field, bytes_of(cell)),
                (value, _) => sql_of(value),
            };
            lines.push(format!("{}.{} {sql}", quoted(&family.name), quoted(&name)));
        }
    }
    lines.push(constraint(key));
    Ok(lines.join(",\n  "))
}

fn constraint(key: &PhoenixKey) -> String {
    let order = |column: &PhoenixColumn| quoted(&column.name) + if column.descending { " DESC" } else { "" };
    let all: Vec<String> = key.columns.iter().map(order).collect();
    format!("CONSTRAINT \"pk\" PRIMARY KEY ({})", all.join(", "))
}

/// True if Phoenix chose the names of cells, which say nothing of its columns: numbers, or one cell for all.
fn has_encoded_names(design: &Design) -> bool {
    let empty = design.families.first().and_then(|family| family.cells.first());
    empty.and_then(|cell| cell.qualifier.bytes()).is_some_and(|qualifier| qualifier == [0; 4])
}

/// The name of the cell that makes a row of nothing but NULLs one, where columns have their own.
const EMPTY: &str = "_0";

/// The type of a field's values in a cell of so many bytes; the widest of its kind where that is not known.
fn sql_of_field(field: &Field, bytes: Option<u32>) -> String {
    let is_number = field.format.as_deref().is_some_and(|format| format.starts_with("epoch"));
    let sql = match (field.kind, bytes) {
        (Kind::Text, Some(bytes)) => return format!("CHAR({bytes})"),
        (Kind::Bytes, Some(bytes)) => return format!("BINARY({bytes})"),
        (Kind::Text, None) => "VARCHAR",
        (Kind::Bytes, None) => "VARBINARY",
        (Kind::Integer | Kind::Decimal, Some(1)) => "TINYINT",
        (Kind::Integer | Kind::Decimal, Some(2)) => "SMALLINT",
        (Kind::Integer | Kind::Decimal, Some(4)) => "INTEGER",
        (Kind::Decimal, Some(8)) => "BIGINT",
        (Kind::Integer, _) => "BIGINT",
        (Kind::Time, Some(8)) if is_number => "BIGINT",
        (Kind::Time, Some(8)) => "DATE",
        (Kind::Time, _) => "TIMESTAMP",
        (Kind::Float, Some(4)) => "FLOAT",
        (Kind::Float, _) => "DOUBLE",
        (Kind::Decimal, _) => "DECIMAL",
        (Kind::Boolean, _) => "BOOLEAN",
    };
    sql.to_owned()
}

/// Bytes of a value that are always as many.
fn bytes_of(cell: &RecordCell) -> Option<u32> {
    match cell.value {
        CellValue::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

/// The columns that are not in the key, in the order of the numbers that stand for them: those of the fields. Without a cell for each, by
/// the kinds of their fields.
fn of_fields(key: &PhoenixKey, subject: &EmitSubject<'_>) -> Vec<String> {
    let others = subject.study.fields.iter();
    let others: Vec<&Field> =
        others.filter(|field| key.columns.iter().all(|column| column.name != field.name)).collect();
    let numbered = numbered(subject.design);
    if numbered.len() != others.len() {
        return others
            .iter()
            .map(|field| format!("{} {}", quoted(&field.name), sql_of_field(field, None)))
            .collect();
    }
    let column = |(field, (_, family, bytes)): (&&Field, &(Vec<u8>, &str, Option<u32>))| {
        let own = if *family == DEFAULT_FAMILY { String::new() } else { quoted(family) + "." };
        format!("{own}{} {}", quoted(&field.name), sql_of_field(field, *bytes))
    };
    others.iter().zip(&numbered).map(column).collect()
}

/// The family of columns that name none.
const DEFAULT_FAMILY: &str = "0";

/// The cells of columns by their numbers, each with its family and the bytes of its values.
fn numbered(design: &Design) -> Vec<(Vec<u8>, &str, Option<u32>)> {
    let cells = design.families.iter().flat_map(|family| {
        family.cells.iter().filter_map(|cell| {
            // Encoded numbers have the highest bit; the one cell of an immutable table has another name.
            let number =
                cell.qualifier.bytes().filter(|number| number.first().is_some_and(|first| *first >= 0x80))?;
            Some((number.to_vec(), family.name.as_str(), bytes_of(cell)))
        })
    });
    let mut cells: Vec<_> = cells.collect();
    sort_by(&mut cells, |one, other| one.0.cmp(&other.0));
    cells
}

/// A table that Phoenix makes.
pub(super) fn create_table(subject: &EmitSubject<'_>) -> Result<String, Problem> {
    if let Some(index) = create_index(subject) {
        return Ok(index);
    }
    let key = key(subject)?;
    let design = subject.design;
    let is_one_cell = has_encoded_names(design)
        && design
            .families
            .iter()
            .any(|family| family.cells.iter().any(|cell| cell.qualifier.text() == Some("1")));
    let kind = if is_one_cell { "IMMUTABLE TABLE" } else { "TABLE" };
    let mut text =
        format!("CREATE {kind} {} (\n  {}\n)", quoted_table(&design.name), columns(&key, subject)?);
    let mut options = Vec::new();
    options.extend(key.buckets.map(|buckets| format!("SALT_BUCKETS = {buckets}")));
    let numbered = numbered(design);
    if has_encoded_names(design) {
        if numbered.iter().any(|(_, _, bytes)| bytes.is_none()) || numbered.is_empty() {
            text = comment("-- ", "Columns of no known length have the widest types of their kind.") + &text;
        }
        if let Some((number, ..)) = numbered.first().filter(|(number, ..)| number.len() != 2) {
            options.push(format!("COLUMN_ENCODED_BYTES = {}", number.len()));
        }
    } else {
        // Cells keep their qualifiers, so that others can read them.
        options.push("COLUMN_ENCODED_BYTES = 0".to_owned());
    }
    let mut left_out = Vec::new();
    let ttl = design.families.first().and_then(|family| family.ttl);
    let one_ttl = design.families.iter().all(|family| family.ttl == ttl);
    for family in &design.families {
        for setting in own_settings(family) {
            let name = quoted(&family.name);
            match setting.name {
                "TTL" if one_ttl => {}
                "VERSIONS" | "MIN_VERSIONS" | "BLOCKSIZE" | "IN_MEMORY" => {
                    options.push(format!("{name}.{} = {}", setting.name, setting.to));
                }
                "COMPRESSION" | "BLOOMFILTER" | "DATA_BLOCK_ENCODING" => {
                    options.push(format!("{name}.{} = '{}'", setting.name, setting.to));
                }
                other => left_out.push(format!("{other} = {} of {name}", setting.to)),
            }
        }
    }
    // Phoenix has one TTL for all families.
    if one_ttl {
        options.extend(ttl.map(|ttl| format!("TTL = {ttl}")));
    }
    if !left_out.is_empty() {
        let line = format!("Phoenix has no such settings of a family, left out: {}", left_out.join(", "));
        text = comment("-- ", &line) + &text;
    }
    if !options.is_empty() {
        text += &format!(" {}", options.join(", "));
    }
    let points = subject.points()?;
    // A salted table is split at its salts.
    let is_at_salt = |(point, salt): (&[u8], i64)| {
        point
            .split_first()
            .is_some_and(|(first, rest)| i64::from(*first) == salt && rest.iter().all(|&byte| byte == 0))
    };
    let at_salts =
        |buckets: i64| points.regions() as i64 == buckets && points.iter().zip(1..).all(is_at_salt);
    if !key.buckets.is_some_and(at_salts) {
        let points: Vec<String> = points.iter().map(literal).collect();
        if !points.is_empty() {
            text += &format!("\nSPLIT ON ({})", points.join(", "));
        }
    }
    Ok(text + ";\n")
}

/// An index of the first table; `None` for a table of its own.
fn create_index(subject: &EmitSubject<'_>) -> Option<String> {
    let table = subject.study.tables.first().filter(|table| !std::ptr::eq(*table, subject.design))?;
    let index = PhoenixIndex::of(&table.typed, &subject.design.typed)?;
    let sql = index.sql(&subject.study.fields, (&table.name, &subject.design.name), "");
    let note = "Add INCLUDE (…) for the columns that its queries return; without them Phoenix reads the rows of the table, too.";
    Some(comment("-- ", note) + &sql + ";\n")
}

/// A view over the table as HBase has it.
pub(super) fn create_view(subject: &EmitSubject<'_>) -> Result<String, Problem> {
    let key = key(subject)?;
    if key.buckets.is_some() {
        return Err(Problem::new("emit.no-salted-view"));
    }
    let design = subject.design;
    Ok(format!("CREATE VIEW {} (\n  {}\n);\n", quoted_table(&design.name), columns(&key, subject)?))
}

/// A split key.
fn literal(key: &[u8]) -> String {
    match std::str::from_utf8(key) {
        Ok(text) if text.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'\\') => {
            format!("'{}'", text.replace('\'', "''"))
        }
        _ => format!("X'{}'", hex(key).to_ascii_uppercase()),
    }
}

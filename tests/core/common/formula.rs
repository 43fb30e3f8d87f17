//! Values of formulas, computed the plain way: one column a sub-formula, no plan.

use rowscape::bytes::strings::ByteStrings;
use rowscape::field::{Field, Kind};
use rowscape::formula::typed::{Expression, TypedFormula};
use rowscape::formula::vector::Vector;
use rowscape::formula::{check, parse};

/// A field of this kind; times are written in whole seconds, in UTC+8.
pub fn field(name: &str, kind: Kind) -> Field {
    let time = kind == Kind::Time;
    Field {
        name: name.to_owned(),
        kind,
        format: time.then(|| "yyyy-MM-dd HH:mm:ss".to_owned()),
        zone: time.then(|| "+08:00".to_owned()),
        width: None,
        from: Vec::new(),
        nullable: false,
    }
}

/// The formula, checked.
pub fn typed(formula: &str, fields: &[Field]) -> TypedFormula {
    let parsed = parse(formula).unwrap_or_else(|problem| panic!("{formula}: {problem}"));
    check(&parsed, fields).unwrap_or_else(|problems| panic!("{formula}: {problems:?}"))
}

/// A column of texts or bytes.
pub fn strings<T: AsRef<[u8]>>(values: &[T]) -> Vector {
    let mut strings = ByteStrings::default();
    values.iter().for_each(|value| strings.push(value.as_ref()));
    Vector::Strings(strings)
}

/// The keys of all rows; `None` where a value was refused.
pub fn keys(typed: &TypedFormula, columns: &[Vector]) -> Vec<Option<Vec<u8>>> {
    let rows = columns.first().map_or(0, Vector::len);
    let mut keys = vec![Some(Vec::new()); rows];
    for part in &typed.parts {
        append(&mut keys, &value(&part.expression, columns, rows), &[]);
    }
    keys
}

type Values = (Vector, Vec<u32>);

fn append(keys: &mut [Option<Vec<u8>>], (vector, refused): &Values, separator: &[u8]) {
    let Vector::Strings(strings) = vector else { panic!("a part is text or bytes") };
    for (row, key) in keys.iter_mut().enumerate() {
        match key {
            Some(bytes) if !refused.contains(&(row as u32)) => {
                bytes.extend_from_slice(separator);
                bytes.extend_from_slice(strings.get(row));
            }
            _ => *key = None,
        }
    }
}

fn value(expression: &Expression, columns: &[Vector], rows: usize) -> Values {
    match expression {
        Expression::Field { index, shape } => {
            let refused = match (&columns[*index], shape.width.exact()) {
                (Vector::Strings(values), Some(width)) => {
                    let wrong = (0..).zip(values.iter()).filter(|(_, value)| value.len() as u64 != width);
                    wrong.map(|(row, _)| row).collect()
                }
                _ => Vec::new(),
            };
            (columns[*index].clone(), refused)
        }
        Expression::Literal(bytes) => (strings(&vec![bytes; rows]), Vec::new()),
        Expression::Join { separator, parts, .. } => {
            let mut joined = vec![Some(Vec::new()); rows];
            for (index, part) in parts.iter().enumerate() {
                append(&mut joined, &value(part, columns, rows), if index > 0 { separator } else { &[] });
            }
            let refused = (0..).zip(&joined).filter(|(_, text)| text.is_none()).map(|(row, _)| row).collect();
            let texts: Vec<Vec<u8>> = joined.into_iter().map(Option::unwrap_or_default).collect();
            (strings(&texts), refused)
        }
        Expression::Salt { buckets, seed, .. } => {
            let of = |row| rowscape::salt::random((0, row), *seed, *buckets);
            (Vector::Integers((0..rows as u64).map(of).collect()), Vec::new())
        }
        Expression::Apply { input, operation, .. } => {
            let (input, mut refused) = value(input, columns, rows);
            let mut output = operation.output();
            let mut more = Vec::new();
            operation.apply(&input, &mut output, &mut more);
            refused.extend(more.iter().map(|(row, _)| row));
            (output, refused)
        }
    }
}

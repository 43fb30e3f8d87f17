//! Keys that answer a query of the whole table: the fields it asks for come first, behind a bucket, in this table or a second
//! one.

use super::fix::{DesignFix, SALTS};
use super::review::{PlannedQuery, Review};
use crate::base::Problem;
use crate::design::{Condition, Query, normal_form, typed_of};
use crate::formula::name_in_formula;
use crate::formula::steps::{PhoenixColumn, quoted, quoted_table};
use crate::formula::typed::{TypedFormula, TypedPart};
use crate::hbase::storage::table::{KeyLengths, storage};
use crate::records::field::shape::Order;
use crate::records::field::{Field, Kind};
use crate::scan::is_of_phoenix;
use serde_json::{Value, json};

/// Most records that the length of new keys is measured on.
const MEASURED: usize = 4096;

/// A key for a query, and how many scans each of its ranges becomes.
struct QueryKey {
    rowkey: String,
    scans: usize,
    splits: Value,
    /// The statement that makes an index of a second table with the key.
    index: Option<String>,
}

/// The table with its key in another order, or a second table under another key, for a query that reads the whole table.
pub(super) fn fixes(review: &Review, asked: &PlannedQuery) -> Vec<DesignFix> {
    let keys = if review.fixes { query_keys(review, asked) } else { Vec::new() };
    let in_place = keys.iter().map(|key| in_place(review, asked, key));
    // Several tables are designs beside each other; where one alone stands, another may serve a query of its own.
    let second = keys.iter().filter(|_| review.study.tables.len() == 1);
    in_place.chain(second.filter_map(|key| second_table(review, asked, key))).collect()
}

/// The keys that find the rows of a query in few ranges, the fewest scans first.
fn query_keys(review: &Review, asked: &PlannedQuery) -> Vec<QueryKey> {
    let Some(query) = review.study.queries.get(asked.query) else { return Vec::new() };
    if is_of_phoenix(&review.design.typed) {
        return phoenix_key(review, query).into_iter().collect();
    }
    let mut equal: Vec<(usize, String)> = Vec::new();
    let mut ranged: Vec<(usize, String)> = Vec::new();
    for (index, field) in review.study.fields.iter().enumerate() {
        let Some(condition) = query.conditions.get(&field.name) else { continue };
        let one = matches!(condition, Condition::Eq(_) | Condition::In(_));
        if let Some(piece) = piece(review, index, one) {
            if one { &mut equal } else { &mut ranged }.push((index, piece));
        }
    }
    // Behind the first range nothing narrows what is read.
    ranged.truncate(1);
    let asked: Vec<(usize, String)> = equal.iter().chain(&ranged).cloned().collect();
    // Every piece holds its field whole: nothing else of the same fields is written again.
    let first = |field: &usize| asked.iter().any(|(asked, _)| asked == field);
    let parts = &review.design.typed.parts;
    let whole = |field: &usize| {
        first(field)
            || parts.iter().any(|part| part.shape.one_to_one && !part.uses_rest && part.fields == [*field])
    };
    let rest = parts.iter().filter(|part| {
        let is_hash = !part.shape.one_to_one && part.shape.order == Order::None;
        let has = |known: &dyn Fn(&usize) -> bool| part.fields.iter().all(known);
        !(part.shape.distinct == Some(1)
            || part.uses_rest
            || is_hash && has(&whole)
            || part.expression.is_random()
            || !part.fields.is_empty() && has(&first))
    });
    let rest: Vec<&str> = rest.map(|part| part.text.as_str()).collect();
    let joined = |parts: &[&str], between: &str| parts.join(between);
    let texts = |parts: &[(usize, String)]| parts.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
    let key = |hashed: &str, scans: usize| {
        let front = texts(&asked);
        let parts: Vec<&str> = front.iter().map(String::as_str).chain(rest.iter().copied()).collect();
        let body = joined(&parts, " + '_' + ");
        let rowkey = format!("bucket({hashed}, {SALTS}).decimal(2) + '-' + {body}");
        QueryKey { rowkey, scans, splits: json!({ "salts": SALTS, "digits": 2 }), index: None }
    };
    let mut keys = Vec::new();
    if asked.is_empty() {
        return keys;
    }
    if !equal.is_empty() {
        keys.push(key(&texts(&equal).join(", "), 1));
    }
    // Values that few rows share spread them, however few the query asks for.
    if !rest.is_empty() {
        keys.push(key(&joined(&rest, ", "), SALTS));
    }
    keys
}

/// The columns that a query of a table of Phoenix tests in front of the others, those with single values first.
fn phoenix_key(review: &Review, query: &Query) -> Option<QueryKey> {
    let typed = &review.design.typed;
    let salt = typed.parts.first().filter(|part| part.uses_rest);
    let own: Vec<&TypedPart> = typed.parts.iter().skip(usize::from(salt.is_some())).collect();
    let mut asked: Vec<(bool, usize)> = Vec::new();
    for (index, field) in review.study.fields.iter().enumerate() {
        if let Some(condition) = query.conditions.get(&field.name) {
            asked.push((!matches!(condition, Condition::Eq(_) | Condition::In(_)), index));
        }
    }
    asked.sort_by_key(|(ranged, _)| *ranged);
    // Behind the first range nothing narrows what is read.
    let ranged = asked.iter().filter(|(ranged, _)| *ranged).count();
    asked.truncate(asked.len() - ranged.saturating_sub(1));
    let of_key = |field: usize| own.iter().find(|part| part.fields == [field]);
    let column = |field: usize| match of_key(field) {
        Some(part) => PhoenixColumn::of(&part.text),
        None => indexed(review.study.fields.get(field)?),
    };
    let front: Vec<usize> = asked.iter().map(|(_, field)| *field).collect();
    let rest = own.iter().filter_map(|part| part.fields.first()).filter(|field| !front.contains(field));
    let all: Vec<PhoenixColumn> =
        front.iter().chain(rest).map(|&field| column(field)).collect::<Option<_>>()?;
    let last = all.len().checked_sub(1)?;
    let columns = all.iter().enumerate().map(|(at, column)| column.text(at == last));
    let parts = salt.map(|salt| salt.text.clone()).into_iter().chain(columns);
    let names: Vec<&str> =
        front.iter().filter_map(|&field| Some(review.study.fields.get(field)?.name.as_str())).collect();
    let quoted_names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let index = format!(
        "CREATE INDEX {} ON {} ({})",
        quoted(&format!("BY_{}", names.join("_"))),
        quoted_table(&review.design.name),
        quoted_names.join(", ")
    );
    let scans = salt.and_then(|salt| salt.shape.distinct).map_or(1, |salts| salts as usize);
    let splits =
        if salt.is_some() { json!({ "salts": scans }) } else { json!({ "sample": review.points.regions() }) };
    Some(QueryKey { rowkey: parts.collect::<Vec<_>>().join(" + "), scans, splits, index: Some(index) })
}

/// The column that an index has of a field, where it may be NULL.
fn indexed(field: &Field) -> Option<PhoenixColumn<'static>> {
    let name = name_in_formula(&field.name);
    let (value, step) = match field.kind {
        Kind::Text => (name, "varchar"),
        Kind::Integer | Kind::Decimal => (name, "decimal"),
        Kind::Time => (format!("{name}.millis()"), "decimal"),
        Kind::Float | Kind::Bytes | Kind::Boolean => return None,
    };
    Some(PhoenixColumn { value, step, descending: false, width: None })
}

/// A field as a part of a key: as the key has it where that finds what is asked for, else in an encoding that keeps its order.
fn piece(review: &Review, index: usize, one: bool) -> Option<String> {
    let ordered = |part: &&TypedPart| matches!(part.shape.order, Order::Strict | Order::Weak);
    let own = review.design.typed.parts.iter().find(|part| {
        part.fields == [index] && !part.uses_rest && part.shape.one_to_one && (one || ordered(part))
    });
    if let Some(own) = own {
        return Some(own.text.clone());
    }
    let field = review.study.fields.get(index)?;
    let name = name_in_formula(&field.name);
    match field.kind {
        Kind::Text => Some(name),
        Kind::Integer if one => Some(name),
        Kind::Integer => Some(format!("{name}.ordered.int64('asc')")),
        Kind::Time => Some(format!("{name}.millis().int64()")),
        _ => None,
    }
}

/// The cost of a key for the query itself.
fn cost_of_scans(review: &Review, asked: &PlannedQuery, key: &QueryKey) -> Option<Problem> {
    let name = &review.study.queries.get(asked.query)?.name;
    let cost = Problem::new("finding.cost.time-ranges").with("query", name).with("scans", key.scans);
    (key.scans > 1).then_some(cost)
}

fn in_place(review: &Review, asked: &PlannedQuery, key: &QueryKey) -> DesignFix {
    let costs = cost_of_scans(review, asked, key).map(Into::into).into_iter().collect();
    DesignFix { costs, ..DesignFix::rowkey(&key.rowkey).and_splits(key.splits.clone()) }
}

/// A second table with the same rows under another key, which this query alone is put to.
fn second_table(review: &Review, asked: &PlannedQuery, key: &QueryKey) -> Option<DesignFix> {
    let mut study = review.study.clone();
    let typed = typed_of(review.study, review.design, &key.rowkey)?;
    let own = review.design.name.clone();
    let mut other = review.design.clone();
    let query = study.queries.get(asked.query)?;
    let word: Vec<&str> = query.conditions.keys().map(String::as_str).collect();
    let word: String =
        word.join("_").chars().filter(|char| char.is_ascii_alphanumeric() || *char == '_').collect();
    other.name = format!("{own}_by_{word}");
    let counted = review.evidence.is_some();
    let code = if counted { "finding.cost.second-table" } else { "finding.cost.second-table-unmeasured" };
    let mut cost = Problem::new(code).with("query", &query.name);
    if counted {
        cost = cost.with("bytes", bytes_of(review, (&key.rowkey, &typed))).with("rows", review.rows());
    }
    (other.rowkey, other.typed) = (key.rowkey.clone(), typed);
    let name = other.name.clone();
    for (index, query) in study.queries.iter_mut().enumerate() {
        query.table = Some(if index == asked.query { name.clone() } else { own.clone() });
    }
    let queries = study.queries.clone();
    study.tables.push(other);
    let mut tables = normal_form(&study).get("tables").cloned()?;
    *tables.as_array_mut()?.last_mut()?.get_mut("splits")? = key.splits.clone();
    let index = key.index.as_ref().map(|index| Problem::new("finding.cost.phoenix-index").with("sql", index));
    let costs = std::iter::once(cost).chain(index).chain(cost_of_scans(review, asked, key));
    let costs = costs.map(Into::into).collect();
    Some(DesignFix { tables: Some(tables), queries: Some(queries), costs, ..DesignFix::default() })
}

/// Bytes of all rows under another key.
fn bytes_of(review: &Review, (rowkey, typed): (&str, &TypedFormula)) -> u64 {
    let Some(evidence) = &review.evidence else { return 0 };
    let records = evidence.keyed();
    let measured = evidence.facts.measured.get_or_init(|| records.sampled(MEASURED));
    let of_keys = || review.keys_of(measured, typed).bytes();
    let of_keys = evidence.facts.key_bytes.get(rowkey.to_owned(), of_keys);
    let lengths = KeyLengths::mean(of_keys as u64, measured.rows as u64);
    storage(review.design, &lengths, review.rows()).total
}

//! The schema of an Avro file, and which of its fields are flat columns.

use super::super::table::{Columns, LONGEST_NAME};
use super::super::value::{Meaning, TimeUnit};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// Records and unions within each other.
const DEEPEST: usize = 32;
/// Bytes of the name of a logical type.
const LONGEST_KIND: usize = 100;
/// Parts of a schema with all names resolved: records that are named often make many.
const MOST_NODES: usize = 200_000;

/// How a value is read.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Null,
    Boolean,
    /// Whole numbers, which are all written alike.
    Number,
    Float,
    Double,
    Bytes,
    Text,
    Fixed(usize),
    /// One of these names, which many columns can share.
    Enum(Arc<[String]>),
    Array(Box<Node>),
    Map(Box<Node>),
    Union(Vec<Node>),
    Record(Vec<Node>),
    /// A value of the column of this number, of this meaning.
    Column(usize, Meaning, Box<Node>),
    /// The record of this name, within itself. It is only passed over.
    Named(String),
}

impl Node {
    /// True if its values have no bytes.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Null | Self::Fixed(0) => true,
            Self::Record(fields) => fields.is_empty(),
            _ => false,
        }
    }

    /// Drops columns without bytes that are not wanted, so that the work on a record is in proportion to its bytes and texts.
    pub fn drop_empty(&mut self, is_wanted: &impl Fn(usize) -> bool) {
        match self {
            Self::Union(branches) => branches.iter_mut().for_each(|branch| branch.drop_empty(is_wanted)),
            Self::Record(fields) => fields.retain_mut(|field| {
                field.drop_empty(is_wanted);
                match field {
                    Self::Column(column, _, value) => is_wanted(*column) || !value.is_empty(),
                    field => !field.is_empty(),
                }
            }),
            _ => {}
        }
    }
}

/// A schema as far as it is read.
#[derive(Debug, Default)]
pub struct Schema {
    pub root: Option<Node>,
    pub columns: Columns,
    /// Named types as they are passed over.
    pub named: HashMap<String, Node>,
}

/// Builds a schema from its text. `None` when it is none, or has more parts than there may be.
pub fn schema(text: &[u8]) -> Option<Schema> {
    let value: Value = serde_json::from_slice(text).ok()?;
    let mut builder =
        Builder { schema: Schema::default(), types: HashMap::new(), symbols: HashMap::new(), nodes: 0 };
    builder.name_all(&value, "", 0)?;
    let Value::Object(_) = &value else { return None };
    let record = builder.record(&value, "", "", &mut Vec::new())?;
    builder.schema.root = Some(record);
    Some(builder.schema)
}

struct Builder<'a> {
    schema: Schema,
    /// Named types by their full names, each with the namespace within it.
    types: HashMap<String, (&'a Value, String)>,
    /// The symbols of enums by their full names.
    symbols: HashMap<String, Arc<[String]>>,
    nodes: usize,
}

/// The full name of a type in a namespace.
fn full(name: &str, namespace: &str) -> String {
    if name.contains('.') || namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") }
}

/// The full name of a named type, and the namespace within it.
fn name_of(value: &Value, namespace: &str) -> Option<(String, String)> {
    let name = value.get("name")?.as_str()?;
    let own = value.get("namespace").and_then(Value::as_str).unwrap_or(namespace);
    let name = full(name, own);
    let within = name.rsplit_once('.').map_or("", |(namespace, _)| namespace).to_owned();
    Some((name, within))
}

impl<'a> Builder<'a> {
    /// Counts the parts of a schema, so that there are not too many.
    fn count(&mut self) -> Option<()> {
        self.nodes += 1;
        (self.nodes <= MOST_NODES).then_some(())
    }

    /// Takes down all named types.
    fn name_all(&mut self, value: &'a Value, namespace: &str, depth: usize) -> Option<()> {
        self.count()?;
        if depth > 2 * DEEPEST {
            return None;
        }
        match value {
            Value::Array(branches) => {
                branches.iter().try_for_each(|branch| self.name_all(branch, namespace, depth + 1))?;
            }
            Value::Object(_) => {
                let kind = value.get("type")?;
                match kind.as_str() {
                    Some("record" | "error" | "enum" | "fixed") => {
                        let (name, within) = name_of(value, namespace)?;
                        for field in value.get("fields").and_then(Value::as_array).into_iter().flatten() {
                            self.name_all(field.get("type")?, &within, depth + 1)?;
                        }
                        // Two types of one name are ambiguous.
                        let before = self.types.insert(name, (value, within));
                        before.is_none_or(|(before, _)| before == value).then_some(())?;
                    }
                    Some("array") => self.name_all(value.get("items")?, namespace, depth + 1)?,
                    Some("map") => self.name_all(value.get("values")?, namespace, depth + 1)?,
                    Some(_) => {}
                    None => self.name_all(kind, namespace, depth + 1)?,
                }
            }
            _ => {}
        }
        Some(())
    }

    /// The fields of a record as columns.
    fn record(
        &mut self,
        value: &Value,
        namespace: &str,
        path: &str,
        within: &mut Vec<String>,
    ) -> Option<Node> {
        let (name, inner) = name_of(value, namespace)?;
        if within.len() > DEEPEST {
            return None;
        }
        within.push(name);
        let mut fields = Vec::new();
        for field in value.get("fields")?.as_array()? {
            let name = field.get("name")?.as_str()?;
            let path = if within.len() == 1 { name.to_owned() } else { format!("{path}.{name}") };
            (path.len() <= LONGEST_NAME).then_some(())?;
            fields.push(self.column(field.get("type")?, &inner, &path, within)?);
        }
        within.pop();
        Some(Node::Record(fields))
    }

    /// A field: a column, several of a record within it, or one that is left out.
    fn column(
        &mut self,
        value: &Value,
        namespace: &str,
        path: &str,
        within: &mut Vec<String>,
    ) -> Option<Node> {
        self.count()?;
        let resolved = self.resolved(value, namespace);
        let (value, namespace) =
            resolved.as_ref().map_or((value, namespace), |(value, within)| (*value, within.as_str()));
        let is_record =
            |value: &Value| matches!(value.get("type").and_then(Value::as_str), Some("record" | "error"));
        if is_record(value) {
            let (name, _) = name_of(value, namespace)?;
            if within.contains(&name) {
                return self.left_out(value, namespace, path, "recursive record");
            }
            return self.record(value, namespace, path, within);
        }
        let Value::Array(branches) = value else { return self.plain(value, namespace, path) };
        let others: Vec<&Value> = branches.iter().filter(|branch| !is_null(branch)).collect();
        if let [only] = others.as_slice() {
            let mut node = Some(self.column(only, namespace, path, within)?);
            let node = |branch| if is_null(branch) { Some(Node::Null) } else { node.take() };
            return branches.iter().map(node).collect::<Option<_>>().map(Node::Union);
        }
        self.left_out(value, namespace, path, "union")
    }

    /// A value that is no record, as a column if it is flat.
    fn plain(&mut self, value: &Value, namespace: &str, path: &str) -> Option<Node> {
        let node = self.passed(value, namespace, 0)?;
        let kind = kind_of(value);
        let column = self.schema.columns.read.len();
        let meaning = meaning(value, &node);
        let is_read = self.schema.columns.add(path, kind, meaning);
        let Some(meaning) = meaning.filter(|_| is_read) else { return Some(node) };
        Some(Node::Column(column, meaning, Box::new(node)))
    }

    fn left_out(&mut self, value: &Value, namespace: &str, path: &str, kind: &str) -> Option<Node> {
        self.schema.columns.add(path, kind.to_owned(), None);
        self.passed(value, namespace, 0)
    }

    /// The type that a name stands for.
    fn resolved(&self, value: &Value, namespace: &str) -> Option<(&'a Value, String)> {
        let name = value.as_str().or_else(|| value.get("type").and_then(Value::as_str))?;
        let found = self.types.get(&full(name, namespace)).or_else(|| self.types.get(name))?;
        Some(found.clone())
    }

    /// How a value is passed over.
    fn passed(&mut self, value: &Value, namespace: &str, depth: usize) -> Option<Node> {
        self.count()?;
        if depth > 2 * DEEPEST {
            return None;
        }
        if let Value::Array(branches) = value {
            let nodes = branches.iter().map(|branch| self.passed(branch, namespace, depth + 1));
            return nodes.collect::<Option<_>>().map(Node::Union);
        }
        let name = match value.as_str().or_else(|| value.get("type").and_then(Value::as_str)) {
            Some(name) => name,
            None => return self.passed(value.get("type")?, namespace, depth + 1),
        };
        Some(match name {
            "null" => Node::Null,
            "boolean" => Node::Boolean,
            "int" | "long" => Node::Number,
            "float" => Node::Float,
            "double" => Node::Double,
            "bytes" => Node::Bytes,
            "string" => Node::Text,
            "array" => Node::Array(Box::new(self.passed(value.get("items")?, namespace, depth + 1)?)),
            "map" => Node::Map(Box::new(self.passed(value.get("values")?, namespace, depth + 1)?)),
            "fixed" => Node::Fixed(usize::try_from(value.get("size")?.as_u64()?).ok()?),
            "enum" => {
                let (name, _) = name_of(value, namespace)?;
                if !self.symbols.contains_key(&name) {
                    let symbols = value.get("symbols")?.as_array()?.iter();
                    let symbols = symbols.map(|symbol| symbol.as_str().map(str::to_owned));
                    self.symbols.insert(name.clone(), symbols.collect::<Option<_>>()?);
                }
                Node::Enum(self.symbols.get(&name)?.clone())
            }
            "record" | "error" => {
                let (name, inner) = name_of(value, namespace)?;
                if !self.schema.named.contains_key(&name) {
                    // Whoever names it within itself finds it there, as one that may have bytes.
                    self.schema.named.insert(name.clone(), Node::Union(Vec::new()));
                    let fields = value.get("fields")?.as_array()?.iter();
                    let fields = fields.map(|field| self.passed(field.get("type")?, &inner, depth + 1));
                    let mut record = Node::Record(fields.collect::<Option<_>>()?);
                    record.drop_empty(&|_| false);
                    self.schema.named.insert(name.clone(), record);
                }
                if self.schema.named.get(&name)?.is_empty() { Node::Null } else { Node::Named(name) }
            }
            _ => {
                let (value, within) = self.resolved(value, namespace)?;
                return self.passed(value, &within, depth + 1);
            }
        })
    }
}

fn is_null(value: &Value) -> bool {
    value.as_str().or_else(|| value.get("type").and_then(Value::as_str)) == Some("null")
}

/// The object that a logical type stands in.
fn annotated(value: &Value) -> &Value {
    match value.get("type") {
        Some(inner @ Value::Object(_)) if value.get("logicalType").is_none() => inner,
        _ => value,
    }
}

/// The name of a type, as the schema has it.
fn kind_of(value: &Value) -> String {
    let value = annotated(value);
    let name = value.as_str().or_else(|| value.get("type").and_then(Value::as_str)).unwrap_or_default();
    let logical = value.get("logicalType").and_then(Value::as_str);
    match logical.filter(|logical| logical.len() <= LONGEST_KIND) {
        Some(logical) => format!("{name}, {logical}"),
        None => name.to_owned(),
    }
}

/// The meaning of a value; `None` for one that is not flat.
fn meaning(value: &Value, node: &Node) -> Option<Meaning> {
    let value = annotated(value);
    let logical = value.get("logicalType").and_then(Value::as_str).unwrap_or_default();
    Some(match (node, logical) {
        (Node::Number, "date") => Meaning::Days,
        (Node::Number, "time-millis") => Meaning::TimeOfDay(TimeUnit::Millis),
        (Node::Number, "time-micros") => Meaning::TimeOfDay(TimeUnit::Micros),
        (Node::Number, "timestamp-millis") => Meaning::Timestamp(TimeUnit::Millis, true),
        (Node::Number, "timestamp-micros") => Meaning::Timestamp(TimeUnit::Micros, true),
        (Node::Number, "timestamp-nanos") => Meaning::Timestamp(TimeUnit::Nanos, true),
        (Node::Number, "local-timestamp-millis") => Meaning::Timestamp(TimeUnit::Millis, false),
        (Node::Number, "local-timestamp-micros") => Meaning::Timestamp(TimeUnit::Micros, false),
        (Node::Number, "local-timestamp-nanos") => Meaning::Timestamp(TimeUnit::Nanos, false),
        (Node::Bytes | Node::Fixed(_), "decimal") => {
            let scale = value.get("scale").and_then(Value::as_i64).unwrap_or_default();
            return Meaning::decimal(scale);
        }
        (Node::Text, "uuid") | (Node::Fixed(16), "uuid") => Meaning::Uuid,
        (Node::Fixed(12), "duration") => return None,
        (Node::Null, _) => Meaning::Nothing,
        (Node::Boolean, _) => Meaning::Boolean,
        (Node::Number, _) => Meaning::Integer,
        (Node::Float | Node::Double, _) => Meaning::Float,
        (Node::Bytes | Node::Fixed(_), _) => Meaning::Binary,
        (Node::Text | Node::Enum(_), _) => Meaning::Text,
        _ => return None,
    })
}

//! A table of Phoenix as HBase holds it: row key, cells, families, split points.

use super::statement::{
    ColumnDefinition, CreateIndex, CreateTable, KeyColumn, SqlExpression, SqlName, SqlProperty,
};
use super::types::SqlColumn;
use crate::base::Problem;
use crate::bytes::codec::SortDirection;
use crate::bytes::codec::phoenix::{PhoenixLayout, PhoenixValue};
use crate::bytes::row::to_string_binary;
use crate::design::{BloomFilter, CellValue, Family, FileSettings, Qualifier, RecordCell};
use crate::records::field::Kind;

/// The family of columns that name none.
const FAMILY: &str = "0";
/// The number of the first column that is not in the key.
const FIRST_QUALIFIER: u32 = 11;
/// Most buckets of a salt.
const MOST_BUCKETS: u32 = 256;

/// A table with its key.
pub(super) struct SqlTable {
    pub name: SqlName,
    pub columns: Vec<SqlColumn>,
    /// Indices of the columns of its key, each with whether it descends.
    pub key: Vec<(usize, bool)>,
    /// The column that is the timestamp of its row.
    pub row_timestamp: Option<usize>,
    pub buckets: Option<u32>,
    splits: Vec<Vec<u8>>,
    properties: Vec<SqlProperty>,
    immutable: bool,
    is_view: bool,
    /// Columns whose types are not read, which take a number all the same.
    unread: Vec<UnreadColumn>,
}

/// A column whose type is not read.
#[derive(Clone)]
struct UnreadColumn {
    name: String,
    /// Columns that are declared before it and read.
    place: usize,
    qualifier: Option<u32>,
}

impl SqlTable {
    /// A table as it is created.
    ///
    /// # Errors
    /// It has no primary key, a column that is not there, or one that Phoenix does not accept in a key.
    pub fn of(create: &CreateTable, problems: &mut Vec<Problem>) -> Result<Self, Problem> {
        let mut table = Self {
            name: create.name.clone(),
            columns: Vec::new(),
            key: Vec::new(),
            row_timestamp: None,
            buckets: None,
            splits: Vec::new(),
            properties: create.properties.clone(),
            immutable: create.immutable || is_set(&create.properties, "IMMUTABLE_ROWS"),
            is_view: create.is_view,
            unread: Vec::new(),
        };
        table.buckets = table.read_buckets(problems);
        table.add(&create.columns, problems);
        let mut key: Vec<&KeyColumn> =
            create.columns.iter().filter_map(|column| column.key.as_ref()).collect();
        key.extend(&create.key);
        if key.is_empty() {
            return Err(create.name.at.tell(Problem::new("sql.no-key").with("table", &create.name.name)));
        }
        let is_single = key.len() == 1;
        for part in key {
            let at = table.columns.iter().position(|column| column.name == part.name);
            let Some(at) = at else {
                let problem = Problem::new("sql.no-such-column").with("column", &part.name);
                return Err(part.at.tell(problem.with("table", &table.name.name)));
            };
            if let Some(column) = table.columns.get_mut(at) {
                let declared = create.columns.iter().find(|declared| declared.name == part.name);
                // The only column of a key is never NULL.
                column.nullable &= !is_single && declared.is_none_or(|declared| declared.key.is_none());
                if column.nullable && column.is_fixed() {
                    let problem = Problem::new("sql.nullable-key").with("column", &part.name);
                    problems.push(part.at.tell(problem));
                    column.nullable = false;
                }
            }
            if table.key.last().is_some_and(|&(before, _)| before > at) {
                problems.push(part.at.tell(Problem::new("sql.key-order").with("column", &part.name)));
            }
            table.row_timestamp = table.row_timestamp.or(part.is_row_timestamp.then_some(at));
            table.key.push((at, part.descending));
        }
        table.splits = table.first_splits(&create.splits, problems);
        Ok(table)
    }

    /// The split points that are given; without, those of the buckets.
    fn first_splits(&self, given: &[SqlExpression], problems: &mut Vec<Problem>) -> Vec<Vec<u8>> {
        let points: Vec<Vec<u8>> = given.iter().filter_map(|value| self.split(value, problems)).collect();
        match self.buckets {
            Some(buckets) if points.is_empty() => (1..buckets).map(|salt| vec![salt as u8]).collect(),
            _ => points,
        }
    }

    /// Adds columns, as `ALTER TABLE … ADD` does.
    pub fn add(&mut self, columns: &[ColumnDefinition], problems: &mut Vec<Problem>) {
        for definition in columns {
            match SqlColumn::of(definition) {
                Ok(column) => self.columns.push(column),
                Err(problem) => {
                    problems.push(problem);
                    let (name, qualifier) = (definition.name.clone(), definition.qualifier);
                    self.unread.push(UnreadColumn { name, place: self.columns.len(), qualifier });
                }
            }
        }
    }

    /// Takes columns that `ALTER TABLE … ADD … PRIMARY KEY` adds into the key, behind the others.
    pub fn extend_key(&mut self, columns: &[ColumnDefinition]) {
        for part in columns.iter().filter_map(|column| column.key.as_ref()) {
            let at = self.columns.iter().position(|column| column.name == part.name);
            if let Some(at) = at.filter(|at| self.key.iter().all(|(own, _)| own != at)) {
                self.key.push((at, part.descending));
            }
        }
    }

    /// True if the first column of its key is that of a tenant.
    pub fn is_multi_tenant(&self) -> bool {
        is_set(&self.properties, "MULTI_TENANT")
    }

    /// The columns of an index, in the order of its key.
    ///
    /// # Errors
    /// Why its keys are not read.
    pub fn index(&self, create: &CreateIndex, problems: &mut Vec<Problem>) -> Result<Self, Problem> {
        let refused = |code| create.name.at.tell(Problem::new(code).with("index", &create.name.name));
        if create.is_local {
            return Err(refused("sql.local-index"));
        }
        if create.condition.is_some() {
            return Err(refused("sql.partial-index"));
        }
        let mut columns: Vec<SqlColumn> = Vec::new();
        let mut key = Vec::new();
        for (expression, descending) in &create.key {
            let SqlExpression::Column(name, at) = expression else {
                return Err(refused("sql.index-of-expression"));
            };
            let column = self.columns.iter().find(|column| column.name == *name).ok_or_else(|| {
                let problem = Problem::new("sql.no-such-column").with("column", name);
                at.tell(problem.with("table", &self.name.name))
            })?;
            if let Some(step) = column.lacks_nullable_type() {
                let problem = Problem::new("sql.index-of-nullable").with("index", &create.name.name);
                return Err(at.tell(problem.with("column", name).with("type", step.to_ascii_uppercase())));
            }
            key.push((columns.len(), *descending));
            columns.push(column.in_index());
        }
        for &(at, descending) in &self.key {
            let column =
                self.columns.get(at).filter(|column| columns.iter().all(|own| own.name != column.name));
            if let Some(column) = column {
                key.push((columns.len(), descending));
                columns.push(column.in_index());
            }
        }
        let mut unread = Vec::new();
        for name in &create.included {
            if let Some(column) = self.columns.iter().find(|column| column.name == *name) {
                columns.push(column.clone());
            } else if self.unread.iter().any(|column| column.name == *name) {
                unread.push(UnreadColumn { name: name.clone(), place: columns.len(), qualifier: None });
            } else {
                let problem = Problem::new("sql.no-such-column").with("column", name);
                problems.push(create.name.at.tell(problem.with("table", &self.name.name)));
            }
        }
        // An index has the storage and the lifetime of its table, unless it states its own.
        let mut properties = create.properties.clone();
        let inherited = self
            .properties
            .iter()
            .filter(|own| own.family.is_none() && INHERITED.contains(&own.name.to_uppercase().as_str()));
        for own in inherited {
            if property(&create.properties, &own.name).is_none() {
                properties.push(own.clone());
            }
        }
        let schema = create.name.schema.clone().or_else(|| self.name.schema.clone());
        let mut index = Self {
            name: SqlName { schema, ..create.name.clone() },
            columns,
            key,
            row_timestamp: None,
            buckets: self.buckets,
            splits: Vec::new(),
            properties,
            immutable: self.immutable,
            is_view: self.is_view,
            unread,
        };
        if property(&index.properties, "SALT_BUCKETS").is_some() {
            index.buckets = index.read_buckets(problems);
        }
        index.splits = index.first_splits(&create.splits, problems);
        Ok(index)
    }

    /// The buckets that the properties ask for.
    fn read_buckets(&self, problems: &mut Vec<Problem>) -> Option<u32> {
        let stated = property(&self.properties, "SALT_BUCKETS")?;
        let buckets = stated.parse().ok().filter(|&buckets| buckets <= MOST_BUCKETS);
        if buckets.is_none() {
            let problem = Problem::new("sql.salt-buckets").with("found", stated).with("most", MOST_BUCKETS);
            problems.push(self.name.at.tell(problem));
        }
        buckets.filter(|&buckets| buckets > 0)
    }

    /// The formula of its row keys.
    pub fn rowkey(&self) -> String {
        let salt = self.buckets.map(|buckets| format!("rest.phoenixSalt({buckets})"));
        let last = self.key.len().saturating_sub(1);
        let columns = self.key.iter().enumerate().filter_map(|(place, &(at, descending))| {
            Some(self.columns.get(at)?.part(descending, place == last))
        });
        salt.into_iter().chain(columns).collect::<Vec<_>>().join(" + ")
    }

    /// Its split points, as long as its shortest keys: Phoenix fills them up with zeros.
    pub fn points(&self) -> Vec<String> {
        let mut points: Vec<Vec<u8>> = self.splits.iter().map(|split| self.filled(split)).collect();
        points.sort();
        points.dedup();
        points.iter().map(|point| to_string_binary(point)).collect()
    }

    /// A split point as `SchemaUtil.processSplit` makes it.
    fn filled(&self, split: &[u8]) -> Vec<u8> {
        let salt = self.buckets.map(|_| Some(1));
        let widths = self.key.iter().filter_map(|&(at, _)| Some(self.columns.get(at)?.bytes));
        let widths: Vec<Option<u32>> = salt.into_iter().chain(widths).collect();
        let least =
            |widths: &[Option<u32>]| widths.iter().map(|width| width.unwrap_or(1) as usize).sum::<usize>();
        let mut at = 0;
        for (place, width) in widths.iter().enumerate() {
            let after = widths.get(place + 1..).unwrap_or_default();
            let rest = split.get(at..).unwrap_or_default();
            let missing = match *width {
                Some(width) if rest.len() < width as usize => width as usize - rest.len(),
                Some(width) => {
                    at += width as usize;
                    continue;
                }
                None if after.is_empty() => break,
                None => match rest.iter().position(|&byte| byte == 0) {
                    Some(end) => {
                        at += end + 1;
                        continue;
                    }
                    None => 1,
                },
            };
            let mut filled = split.to_vec();
            filled.resize(split.len() + missing + least(after), 0);
            return filled;
        }
        split.to_vec()
    }

    /// The bytes of a value of `SPLIT ON`.
    fn split(&self, value: &SqlExpression, problems: &mut Vec<Problem>) -> Option<Vec<u8>> {
        match value {
            SqlExpression::Text(text) => Some(text.as_bytes().to_vec()),
            SqlExpression::Bytes(bytes) => Some(bytes.clone()),
            SqlExpression::Number(number) if number.parse::<i64>().is_ok() => {
                let number: i64 = number.parse().ok()?;
                let bytes = if i32::try_from(number).is_ok() { 4 } else { 8 };
                let mut written = Vec::new();
                let layout = PhoenixLayout::Whole { bytes, signed: true };
                layout.encode(&PhoenixValue::Whole(number), SortDirection::Ascending, &mut written).ok()?;
                Some(written)
            }
            _ => {
                problems.push(self.name.at.tell(Problem::new("sql.split-point")));
                None
            }
        }
    }

    /// Column families with the cells of a row. The first also has Phoenix's empty cell, which keeps rows whose columns are all NULL.
    pub fn families(&self, widened: &[String], problems: &mut Vec<Problem>) -> Vec<Family> {
        let default = property(&self.properties, "DEFAULT_COLUMN_FAMILY").unwrap_or(FAMILY);
        let encoded = self.encoded_bytes();
        let is_single_cell = self.immutable
            && encoded > 0
            && property(&self.properties, "IMMUTABLE_STORAGE_SCHEME") != Some("ONE_CELL_PER_COLUMN");
        let mut families: Vec<Family> = Vec::new();
        let mut unread = self.unread.iter().peekable();
        let mut number = FIRST_QUALIFIER;
        for (at, column) in self.columns.iter().enumerate() {
            while let Some(before) = unread.next_if(|before| before.place <= at) {
                number = number.max(before.qualifier.unwrap_or(number)) + 1;
            }
            if self.key.iter().any(|&(own, _)| own == at) {
                continue;
            }
            let name = column.family.as_deref().unwrap_or(default);
            let place = families.iter().position(|family| family.name == name).unwrap_or_else(|| {
                families.push(self.family(name, families.is_empty(), problems));
                families.len() - 1
            });
            let Some(family) = families.get_mut(place) else { continue };
            let stands_for = column.qualifier.unwrap_or(number);
            number = number.max(stands_for) + 1;
            let qualifier = match encoded {
                0 => to_string_binary(column.name.as_bytes()),
                bytes => to_string_binary(&encoded_qualifier(stands_for, bytes)),
            };
            let value = match column.bytes {
                Some(bytes) if !is_single_cell => CellValue::Bytes(bytes),
                // The field has another kind than the column: only the length counts.
                Some(bytes) if widened.contains(&column.name) => {
                    CellValue::Value { formula: format!("x'{}'", "00".repeat(bytes as usize)) }
                }
                _ => CellValue::Value { formula: column.value() },
            };
            family.cells.push(RecordCell {
                qualifier: Qualifier::Literal(qualifier),
                value,
                timestamp: None,
                kind: None,
            });
        }
        if is_single_cell {
            families.iter_mut().for_each(into_one_cell);
        }
        if families.is_empty() {
            families.push(self.family(default, true, problems));
        }
        let empty = if encoded > 0 { "\\x00\\x00\\x00\\x00" } else { "_0" };
        if let Some(family) = families.first_mut() {
            family.cells.insert(0, RecordCell::literal(empty, 1));
        }
        families
    }

    /// Bytes of an encoded qualifier; 0 where qualifiers are the names of columns.
    fn encoded_bytes(&self) -> usize {
        match property(&self.properties, "COLUMN_ENCODED_BYTES") {
            Some(stated) => stated.parse().ok().filter(|&bytes| bytes <= 4).unwrap_or(0),
            None if self.is_view => 0,
            None => 2,
        }
    }

    /// Column family with its settings. Unsupported properties of the table are reported once, with the first family.
    fn family(&self, name: &str, is_first: bool, problems: &mut Vec<Problem>) -> Family {
        let mut files = FileSettings { encoding: Some("FAST_DIFF".to_owned()), ..FileSettings::default() };
        let mut family = Family::named(name);
        for SqlProperty { family: of, name: setting, value } in &self.properties {
            if of.as_deref().is_some_and(|of| of != name) {
                continue;
            }
            let value = value.to_uppercase();
            match setting.to_uppercase().as_str() {
                "TTL" if value == "FOREVER" => {}
                "TTL" => match value.parse() {
                    Ok(ttl) => family.ttl = Some(ttl),
                    Err(_) if is_first || of.is_some() => problems.push(self.left_out(setting)),
                    Err(_) => {}
                },
                "VERSIONS" => family.versions = value.parse().unwrap_or(1),
                "MIN_VERSIONS" => family.min_versions = value.parse().ok().filter(|&versions| versions > 0),
                "COMPRESSION" => family.compression = value,
                "DATA_BLOCK_ENCODING" => files.encoding = Some(value).filter(|encoding| encoding != "NONE"),
                "BLOCKSIZE" => files.blocksize = value.parse().ok(),
                "IN_MEMORY" => files.in_memory = value == "TRUE",
                "BLOOMFILTER" => {
                    let all = [BloomFilter::None, BloomFilter::Row, BloomFilter::RowColumn];
                    match all.into_iter().find(|bloom| bloom.name() == value) {
                        Some(bloom) => files.bloom = bloom,
                        None => problems.push(self.left_out(setting)),
                    }
                }
                known if READ.contains(&known) || WITHOUT_EFFECT.contains(&known) => {}
                _ if of.is_none() && !is_first => {}
                _ => problems.push(self.left_out(setting)),
            }
        }
        family.files = files;
        family
    }

    fn left_out(&self, setting: &str) -> Problem {
        self.name.at.tell(Problem::new("sql.property").with("name", setting))
    }
}

/// Properties that are read elsewhere.
const READ: [&str; 6] = [
    "SALT_BUCKETS",
    "COLUMN_ENCODED_BYTES",
    "DEFAULT_COLUMN_FAMILY",
    "IMMUTABLE_ROWS",
    "IMMUTABLE_STORAGE_SCHEME",
    "MULTI_TENANT",
];

/// Properties that an index has from its table.
const INHERITED: [&str; 5] =
    ["COLUMN_ENCODED_BYTES", "IMMUTABLE_STORAGE_SCHEME", "TTL", "KEEP_DELETED_CELLS", "REPLICATION_SCOPE"];

/// Properties that change neither keys nor sizes.
const WITHOUT_EFFECT: [&str; 13] = [
    "UPDATE_CACHE_FREQUENCY",
    "DISABLE_WAL",
    "STORE_NULLS",
    "TRANSACTIONAL",
    "GUIDE_POSTS_WIDTH",
    "APPEND_ONLY_SCHEMA",
    "AUTO_PARTITION_SEQ",
    "USE_STATS_FOR_PARALLELIZATION",
    "REPLICATION_SCOPE",
    "DISABLE_TABLE_SOR",
    "CHANGE_DETECTION_ENABLED",
    "KEEP_DELETED_CELLS",
    "CONSISTENCY",
];

/// A property of the whole table.
fn property<'p>(properties: &'p [SqlProperty], name: &str) -> Option<&'p str> {
    let own = properties.iter().find(|own| own.family.is_none() && own.name.eq_ignore_ascii_case(name));
    own.map(|own| own.value.as_str())
}

fn is_set(properties: &[SqlProperty], name: &str) -> bool {
    property(properties, name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// The bytes that stand for the number of a column, with the sign turned as those of numbers.
fn encoded_qualifier(number: u32, bytes: usize) -> Vec<u8> {
    let all = number.to_be_bytes();
    let mut encoded = all.get(all.len().saturating_sub(bytes)..).unwrap_or(&all).to_vec();
    encoded.iter_mut().take(1).for_each(|first| *first ^= 0x80);
    encoded
}

/// The values of a family of an immutable table, which one cell holds: behind a byte, with the place of each, their number and more.
fn into_one_cell(family: &mut Family) {
    let values: Vec<String> = family
        .cells
        .drain(..)
        .filter_map(|cell| match cell.value {
            CellValue::Value { formula } => Some(formula),
            _ => None,
        })
        .collect();
    if values.is_empty() {
        return;
    }
    // A byte before and one behind, two numbers of four bytes, a place of two bytes for each value and the first.
    let around = "00".repeat(10 + 2 * (values.len() + 1));
    let formula = format!("x'{around}' + {}", values.join(" + "));
    let value = CellValue::Value { formula };
    family.cells.push(RecordCell {
        qualifier: Qualifier::Literal("1".to_owned()),
        value,
        timestamp: None,
        kind: None,
    });
}

impl SqlTable {
    /// The column of a name.
    pub fn column(&self, name: &str) -> Option<&SqlColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The column that is the time of a record's arrival: that of its timestamp, else the first time of the key, else the first time.
    pub fn arrival(&self) -> Option<&str> {
        let is_time = |column: &&SqlColumn| column.kind == Kind::Time;
        let stated = self.row_timestamp.and_then(|at| self.columns.get(at)).filter(is_time);
        let of_key = || self.key.iter().filter_map(|&(at, _)| self.columns.get(at)).find(is_time);
        stated
            .or_else(of_key)
            .or_else(|| self.columns.iter().find(is_time))
            .map(|column| column.name.as_str())
    }
}

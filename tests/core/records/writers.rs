//! Writers of small packed files that state whatever a test wants.

/// A value of Thrift's compact protocol.
#[derive(Clone)]
pub enum Thrift {
    Number(i64),
    Bytes(Vec<u8>),
    List(Vec<Thrift>),
    Struct(Vec<(i64, Thrift)>),
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub fn zigzag(value: i64, out: &mut Vec<u8>) {
    varint((value << 1 ^ value >> 63) as u64, out);
}

impl Thrift {
    fn kind(&self) -> u8 {
        match self {
            Self::Number(_) => 6,
            Self::Bytes(_) => 8,
            Self::List(_) => 9,
            Self::Struct(_) => 12,
        }
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Number(value) => zigzag(*value, out),
            Self::Bytes(bytes) => {
                varint(bytes.len() as u64, out);
                out.extend_from_slice(bytes);
            }
            Self::List(items) => {
                out.push(0xf0 | items.first().map_or(12, Self::kind));
                varint(items.len() as u64, out);
                items.iter().for_each(|item| item.write(out));
            }
            Self::Struct(members) => {
                for (id, value) in members {
                    out.push(value.kind());
                    zigzag(*id, out);
                    value.write(out);
                }
                out.push(0);
            }
        }
    }
}

/// A page of Parquet that is not packed.
pub fn page(values: i64, encoding: i64, bytes: &[u8]) -> Vec<u8> {
    let length = Thrift::Number(bytes.len() as i64);
    let header = vec![(1, values), (2, encoding), (3, 3), (4, 3)];
    let header = header.into_iter().map(|(id, value)| (id, Thrift::Number(value))).collect();
    let members = vec![(1, Thrift::Number(0)), (2, length.clone()), (3, length), (5, Thrift::Struct(header))];
    let mut out = Vec::new();
    Thrift::Struct(members).write(&mut out);
    out.extend_from_slice(bytes);
    out
}

/// Texts as a page has them.
pub fn plain(texts: &[&str]) -> Vec<u8> {
    texts.iter().flat_map(|text| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()).collect()
}

/// An element of the schema of a Parquet file: a text, or a group of so many.
pub fn element(name: &str, is_optional: bool, children: i64) -> Thrift {
    let mut members = vec![(3, Thrift::Number(i64::from(is_optional))), (4, Thrift::Bytes(name.into()))];
    if children > 0 {
        members.push((5, Thrift::Number(children)));
    } else {
        members.extend([(1, Thrift::Number(6)), (6, Thrift::Number(0))]);
    }
    Thrift::Struct(members)
}

/// A row group: its rows, and of each column the values stated, its pages, and where they were written unless behind the others.
pub type Group<'a> = (i64, Vec<(i64, &'a [u8], Option<i64>)>);

/// A Parquet file of these elements, which states so many rows.
pub fn parquet(elements: Vec<Thrift>, rows: i64, groups: &[Group<'_>]) -> Vec<u8> {
    let mut out = b"PAR1".to_vec();
    let numbers = |pairs: &[(i64, i64)]| -> Vec<(i64, Thrift)> {
        pairs.iter().map(|&(id, value)| (id, Thrift::Number(value))).collect()
    };
    let mut written = Vec::new();
    for (rows, columns) in groups {
        let mut chunks = Vec::new();
        for &(values, pages, at) in columns {
            let start = at.unwrap_or(out.len() as i64);
            if at.is_none() {
                out.extend_from_slice(pages);
            }
            let size = pages.len() as i64;
            let metadata = numbers(&[(1, 6), (4, 0), (5, values), (6, size), (7, size), (9, start)]);
            chunks.push(Thrift::Struct(vec![(2, Thrift::Number(start)), (3, Thrift::Struct(metadata))]));
        }
        written.push(Thrift::Struct(vec![(1, Thrift::List(chunks)), (3, Thrift::Number(*rows))]));
    }
    let start = out.len();
    let members = [
        (1, Thrift::Number(1)),
        (2, Thrift::List(elements)),
        (3, Thrift::Number(rows)),
        (4, Thrift::List(written)),
    ];
    Thrift::Struct(members.to_vec()).write(&mut out);
    let length = (out.len() - start) as u32;
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(b"PAR1");
    out
}

/// A member of a table of a flatbuffer. Tables are named by their places; each lies behind those that name it.
pub enum Flat {
    Number(Vec<u8>),
    Text(&'static str),
    Table(usize),
    Tables(Vec<usize>),
    /// So many structures.
    Structs(u32, Vec<u8>),
}

pub fn long(value: i64) -> Flat {
    Flat::Number(value.to_le_bytes().to_vec())
}

pub fn byte(value: u8) -> Flat {
    Flat::Number(vec![value])
}

/// A flatbuffer, whose root is the first table.
pub fn flat(tables: &[Vec<(usize, Flat)>]) -> Vec<u8> {
    let mut out = vec![0; 4];
    let (mut starts, mut links) = (Vec::new(), vec![(0, 0)]);
    for members in tables {
        let slots = members.iter().map(|(slot, _)| slot + 1).max().unwrap_or_default();
        let virtual_table = out.len();
        out.resize(virtual_table + 4 + 2 * slots, 0);
        let start = out.len();
        starts.push(start);
        out[virtual_table..virtual_table + 2].copy_from_slice(&((4 + 2 * slots) as u16).to_le_bytes());
        out.extend_from_slice(&((start - virtual_table) as i32).to_le_bytes());
        let mut behind = Vec::new();
        for (slot, member) in members {
            let place = virtual_table + 4 + 2 * slot;
            let offset = ((out.len() - start) as u16).to_le_bytes();
            out[place..place + 2].copy_from_slice(&offset);
            match member {
                Flat::Number(bytes) => out.extend_from_slice(bytes),
                Flat::Table(table) => {
                    links.push((out.len(), *table));
                    out.extend_from_slice(&[0; 4]);
                }
                _ => {
                    behind.push((out.len(), member));
                    out.extend_from_slice(&[0; 4]);
                }
            }
        }
        for (at, member) in behind {
            let offset = ((out.len() - at) as u32).to_le_bytes();
            out[at..at + 4].copy_from_slice(&offset);
            let (count, bytes): (usize, &[u8]) = match member {
                Flat::Text(text) => (text.len(), text.as_bytes()),
                Flat::Structs(count, bytes) => (*count as usize, bytes),
                Flat::Tables(tables) => (tables.len(), &[]),
                _ => (0, &[]),
            };
            out.extend_from_slice(&(count as u32).to_le_bytes());
            out.extend_from_slice(bytes);
            if let Flat::Tables(tables) = member {
                for table in tables {
                    links.push((out.len(), *table));
                    out.extend_from_slice(&[0; 4]);
                }
            }
        }
    }
    for (at, table) in links {
        let offset = ((starts[table] - at) as u32).to_le_bytes();
        out[at..at + 4].copy_from_slice(&offset);
    }
    out
}

/// A message of Arrow: its metadata behind their length, and its body.
pub fn message(kind: u8, tables: Vec<Vec<(usize, Flat)>>, body: &[u8]) -> Vec<u8> {
    let root = vec![(1, byte(kind)), (2, Flat::Table(1)), (3, long(body.len() as i64))];
    let mut all = vec![root];
    all.extend(tables);
    let metadata = flat(&all);
    let length = (metadata.len() as u32).to_le_bytes();
    [b"\xff\xff\xff\xff", length.as_slice(), &metadata, body].concat()
}

/// The tables of a schema of columns of bytes without a sign or of no values, of which the first is at this place.
pub fn schema(columns: &[(&'static str, bool)], place: usize) -> Vec<Vec<(usize, Flat)>> {
    let first = place + 1;
    let fields = (0..columns.len()).map(|at| first + 2 * at).collect();
    let mut tables = vec![vec![(1, Flat::Tables(fields))]];
    for (at, &(name, has_values)) in columns.iter().enumerate() {
        let kind = if has_values { 2 } else { 1 };
        tables.push(vec![
            (0, Flat::Text(name)),
            (2, byte(kind)),
            (3, Flat::Table(first + 2 * at + 1)),
            (5, Flat::Tables(Vec::new())),
        ]);
        let bits = vec![(0, Flat::Number(8i32.to_le_bytes().to_vec()))];
        tables.push(if has_values { bits } else { Vec::new() });
    }
    tables
}

/// A record batch of such columns, each with these bytes; `rows` and the values of each column are what it states.
pub fn batch(rows: i64, columns: &[(i64, Option<&[u8]>)]) -> Vec<u8> {
    let (mut nodes, mut buffers, mut body, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for (values, bytes) in columns {
        nodes.extend_from_slice(&[values.to_le_bytes(), [0; 8]].concat());
        let Some(bytes) = bytes else { continue };
        for bytes in [&[], *bytes] {
            buffers.extend_from_slice(&(body.len() as u64).to_le_bytes());
            buffers.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            body.extend_from_slice(bytes);
            count += 1;
        }
    }
    let nodes = Flat::Structs(columns.len() as u32, nodes);
    let table = vec![(0, long(rows)), (1, nodes), (2, Flat::Structs(count, buffers))];
    message(3, vec![table], &body)
}

/// A file of Arrow of these messages behind the schema, whose footer lists some of them by their places.
pub fn arrow_file(columns: &[(&'static str, bool)], messages: &[Vec<u8>], listed: &[usize]) -> Vec<u8> {
    let mut out = [b"ARROW1\0\0", message(1, schema(columns, 1), &[]).as_slice()].concat();
    let mut starts = vec![8];
    for message in messages {
        starts.push(out.len() as u64);
        out.extend_from_slice(message);
    }
    out.extend_from_slice(b"\xff\xff\xff\xff\0\0\0\0");
    let blocks = listed.iter().flat_map(|&at| [starts[at].to_le_bytes(), [0; 8], [0; 8]].concat()).collect();
    let mut tables = vec![vec![(1, Flat::Table(1)), (3, Flat::Structs(listed.len() as u32, blocks))]];
    tables.extend(schema(columns, 1));
    let footer = flat(&tables);
    let length = (footer.len() as u32).to_le_bytes();
    [&out, footer.as_slice(), &length, b"ARROW1"].concat()
}

/// An Avro file of blocks, each with the records and the bytes that it states.
pub fn avro(schema: &str, codec: &str, blocks: &[(i64, &[u8])]) -> Vec<u8> {
    const SYNC: &[u8] = &[7; 16];
    let mut out = b"Obj\x01".to_vec();
    let sized = |bytes: &[u8], out: &mut Vec<u8>| {
        zigzag(bytes.len() as i64, out);
        out.extend_from_slice(bytes);
    };
    zigzag(2, &mut out);
    for (key, value) in [("avro.schema", schema), ("avro.codec", codec)] {
        sized(key.as_bytes(), &mut out);
        sized(value.as_bytes(), &mut out);
    }
    out.push(0);
    out.extend_from_slice(SYNC);
    for (count, bytes) in blocks {
        zigzag(*count, &mut out);
        sized(bytes, &mut out);
        out.extend_from_slice(SYNC);
    }
    out
}

/// A frame of zstd that holds a text as it is, with the size that it states.
pub fn zstd(text: &[u8], stated: u8) -> Vec<u8> {
    let head = ((text.len() as u32) << 3 | 1).to_le_bytes();
    [b"\x28\xb5\x2f\xfd\x20", [stated].as_slice(), &head[..3], text].concat()
}

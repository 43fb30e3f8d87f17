//! scratch
use rowscape::{
    encode::*,
    field::*,
    formula::{properties::*, typed::*, vector::*},
    hash::md5,
    key_table::KeyTable,
    records::*,
};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;
struct H;
impl Operation for H {
    fn output(&self) -> Vector {
        Vector::Strings(Default::default())
    }
    fn apply(&self, i: &Vector, o: &mut Vector, _: &mut Refusals) {
        let (Vector::Strings(i), Vector::Strings(o)) = (i, o) else { return };
        let mut d = ByteStrings::default();
        md5::digests(i, &mut d);
        for h in d.iter() {
            for b in &h[..4] {
                let t = b"0123456789abcdef";
                o.bytes.push(t[(b >> 4) as usize]);
                o.bytes.push(t[(b & 15) as usize]);
            }
            o.end();
        }
    }
}
struct T;
impl Operation for T {
    fn output(&self) -> Vector {
        Vector::Strings(Default::default())
    }
    fn apply(&self, i: &Vector, o: &mut Vector, _: &mut Refusals) {
        let (Vector::Integers(i), Vector::Strings(o)) = (i, o) else { return };
        for &t in i {
            let s = t / 1000 % 86400;
            let f = [s / 3600, s / 60 % 60, s % 60];
            o.bytes.extend_from_slice(b"20240501");
            for v in f {
                o.bytes.extend_from_slice(&[b'0' + (v / 10) as u8, b'0' + (v % 10) as u8]);
            }
            o.end();
        }
    }
}
fn main() {
    let text = std::fs::read_to_string("/tmp/data/calls-1m.csv").unwrap();
    let mut map = HashMap::new();
    let mut d = Dictionary::default();
    let mut ids = vec![];
    let mut times = vec![];
    for l in text.lines().skip(1) {
        let mut f = l.split(',');
        let p = f.next().unwrap();
        let t: Vec<i64> = f.next().unwrap()[11..].split(':').map(|x| x.parse().unwrap()).collect();
        let n = map.len() as u32;
        let id = *map.entry(p).or_insert_with(|| {
            d.entries.push(p.as_bytes());
            n
        });
        ids.push(id);
        times.push((t[0] * 3600 + t[1] * 60 + t[2] + 1714521600) * 1000);
    }
    let rows = ids.len();
    let col = |name: &str, kind, values| Column {
        field: Field { name: name.into(), kind, format: None, zone: None },
        values,
        invalid: Default::default(),
        first_invalid: vec![],
    };
    let records = Records {
        columns: vec![
            col("phone", Kind::Text, Values::Strings { ids, dictionary: d }),
            col("call_time", Kind::Time, Values::Integers(times)),
        ],
        rows,
        ..Default::default()
    };
    let shape = |w| Shape {
        kind: Kind::Text,
        order: Order::None,
        one_to_one: true,
        distinct: None,
        width: Width { min: w, max: if w > 0 { Some(w) } else { None } },
        alphabet: Alphabet::ALL,
        by_position: vec![],
        range: None,
    };
    let field = |i, w| Expression::Field { index: i, shape: shape(w) };
    let part = |expression: Expression, w, f: Vec<usize>| Part {
        expression,
        shape: shape(w),
        span: (0, 0),
        fields: f,
        text: "".into(),
        self_delimiting: true,
    };
    let lit = || part(Expression::Literal(b"_".to_vec()), 1, vec![]);
    let typed = Typed {
        shape: shape(0),
        parts: vec![
            part(
                Expression::Apply {
                    input: Box::new(field(0, 0)),
                    operation: Arc::new(H),
                    shape: shape(8),
                    text: "h".into(),
                },
                8,
                vec![0],
            ),
            lit(),
            part(field(0, 0), 0, vec![0]),
            lit(),
            part(
                Expression::Apply {
                    input: Box::new(field(1, 0)),
                    operation: Arc::new(T),
                    shape: shape(14),
                    text: "t".into(),
                },
                14,
                vec![1],
            ),
        ],
    };
    for _ in 0..4 {
        let t = Instant::now();
        let e = Encoder::new(&records, &["phone", "call_time"], &[&typed]);
        let t1 = t.elapsed();
        let keys = e.encode().pop().unwrap();
        let t2 = t.elapsed();
        let c = keys.codes.as_ref().map(|c| (c.code_bits, c.row_bits));
        let table = KeyTable::new(keys, 0);
        let t3 = t.elapsed();
        println!(
            "compile {t1:?} encode {t2:?} sort {t3:?} {c:?} {:?}",
            String::from_utf8_lossy(table.select(0).unwrap().1)
        );
    }
}

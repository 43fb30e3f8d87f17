//! scratch
use rowscape::{formula::vector::ByteStrings, hash::md5, sort::sorted_rows};
use std::time::Instant;
fn main() {
    let text = std::fs::read_to_string("/tmp/data/calls-1m.csv").unwrap();
    let mut phones = ByteStrings::default();
    let rows: Vec<(&str, String)> = text
        .lines()
        .skip(1)
        .map(|l| {
            let mut f = l.split(',');
            let p = f.next().unwrap();
            let t: String = f.next().unwrap().chars().filter(|c| c.is_ascii_digit()).collect();
            phones.push(p.as_bytes());
            (p, t)
        })
        .collect();
    let mut d = ByteStrings::default();
    let t = Instant::now();
    md5::digests(&phones, &mut d);
    println!("md5 {:?}", t.elapsed());
    let mut keys = ByteStrings::default();
    for (i, (p, t)) in rows.iter().enumerate() {
        let h = d.get(i);
        keys.push(format!("{:02x}{:02x}{:02x}{:02x}_{p}_{t}", h[0], h[1], h[2], h[3]).as_bytes());
    }
    for _ in 0..4 {
        let t = Instant::now();
        let r = sorted_rows(&keys);
        println!("sort {:?} {}", t.elapsed(), String::from_utf8_lossy(keys.get(r[0] as usize)));
    }
}

//! Stand-in until the Java patterns land; replace the whole file.
use crate::error::Problem;
/// Stub.
#[derive(Clone, Debug)]
pub struct TimeFormat;
impl TimeFormat {
    /// Stub.
    pub fn parse(pattern: &str, _zone: &str) -> Result<Self, Problem> {
        if pattern == "yyyy-MM-dd HH:mm:ss" { Ok(Self) } else { Err(Problem::new("time.unknown")) }
    }
    /// Stub.
    pub fn read(&self, t: &[u8]) -> Option<i64> {
        let t: &[u8; 19] = t.try_into().ok()?;
        let n = |a: usize, len: usize| -> Option<i64> {
            let mut v = 0;
            for &b in &t[a..a + len] {
                if !b.is_ascii_digit() {
                    return None;
                }
                v = v * 10 + i64::from(b - b'0');
            }
            Some(v)
        };
        let (y, m, d) = (n(0, 4)?, n(5, 2)?, n(8, 2)?);
        let y2 = if m <= 2 { y - 1 } else { y };
        let era = y2.div_euclid(400);
        let yoe = y2 - era * 400;
        let doy = (153 * ((m + 9) % 12) + 2) / 5 + d - 1;
        let days = era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
        Some(((days * 24 + n(11, 2)?) * 60 + n(14, 2)?) * 60_000 + n(17, 2)? * 1000)
    }
    /// Stub.
    pub fn print(&self, t: i64) -> String {
        t.to_string()
    }
}

//! Steps that an unknown name may mean.

use super::steps::{STEPS, Step};
use crate::base::nearest::nearest;
use crate::records::field::Kind;

/// Most steps that are named.
const MOST: usize = 3;

/// How names begin that people give to steps, in lower case, and the steps that do it: a line each.
const CALLED: &str = "\
desc newest latest invert reversetime maxminus: reverseLong
lpad leftpad zfill zero fixed width: decimal pad text
salt shard partition spread bucket modulo rem: floorMod mod words
sha: sha256 sha1 md5
hash digest crc: md5 murmur3 crc32
substr slice left prefix first head: substring raw truncate
split piece token field segment nth: part before after
domain host label reversel reversep reversed reverseh: reverse part
tohex base16: hex
tolower downcase: lower
toupper upcase: upper
tostring str: string decimal
tobytes long bigint: int64 string raw
date year month day hour strftime: format truncate
epoch timestamp unix tomillis: millis seconds";

/// The steps that do what such a name says.
fn called(name: &str) -> impl Iterator<Item = &'static str> {
    let lower = name.to_ascii_lowercase();
    let lines = CALLED.lines().filter_map(|line| line.split_once(':'));
    let named = move |(called, _): &(&str, &str)| called.split(' ').any(|called| lower.starts_with(called));
    lines.filter(named).flat_map(|(_, steps)| steps.split_whitespace())
}

fn fitting(kind: Kind) -> impl Iterator<Item = &'static Step> + Clone {
    STEPS.iter().copied().filter(move |step| step.takes.contains(&kind))
}

/// The steps that this name most likely means for a value of a kind, the likeliest first; none if it is like no other.
pub(super) fn meant(name: &str, kind: Kind) -> Vec<&'static str> {
    let takes = |name: &&'static str| fitting(kind).any(|step| step.name == *name);
    let mut meant: Vec<&'static str> = Vec::new();
    meant.extend(called(name).filter(takes).take(MOST));
    // One that takes other values leads to the step that comes before it.
    if meant.is_empty() {
        meant.extend(called(name).take(MOST));
    }
    let mut left: Vec<&'static str> = fitting(kind).map(|step| step.name).collect();
    left.retain(|name| !meant.contains(name));
    while let Some(next) = nearest(name, left.iter().copied()).filter(|_| meant.len() < MOST) {
        left.retain(|other| *other != next);
        meant.push(next);
    }
    if meant.is_empty() {
        meant.extend(nearest(name, STEPS.iter().map(|step| step.name)));
    }
    meant
}

/// The names of steps that a value of this kind can take, without those of families.
pub(super) fn known(kind: Kind) -> String {
    let names: Vec<&str> = fitting(kind).map(|step| step.name).filter(|name| !name.contains('.')).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_elsewhere_lead_to_steps_that_take_the_value() {
        for (name, kind, first) in [
            ("split", Kind::Text, "part"),
            ("revers", Kind::Text, "reverse"),
            ("reverseLabels", Kind::Text, "reverse"),
            ("toHex", Kind::Bytes, "hex"),
            ("zfill", Kind::Integer, "decimal"),
            ("zfill", Kind::Text, "pad"),
            ("toUpperCase", Kind::Text, "upper"),
            ("sha512", Kind::Text, "sha256"),
            ("year", Kind::Time, "format"),
            ("invert", Kind::Integer, "reverseLong"),
            ("milis", Kind::Time, "millis"),
            ("descending", Kind::Time, "reverseLong"),
        ] {
            assert_eq!(meant(name, kind).first(), Some(&first), "{name} {:?}", meant(name, kind));
            assert!(meant(name, kind).len() <= MOST);
        }
        assert!(meant("elephantine", Kind::Text).is_empty());
        assert!(known(Kind::Time).contains("format") && !known(Kind::Time).contains("javaHash"));
        let steps = CALLED.lines().filter_map(|line| line.split_once(": "));
        for name in steps.flat_map(|(_, steps)| steps.split(' ')) {
            assert!(STEPS.iter().any(|step| step.name == name), "{name}");
        }
    }
}

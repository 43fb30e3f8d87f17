//! Packed files: whatever their bytes are, they come to an end, and as many records are read as they state.

use rowscape::field::{Field, Kind};
use rowscape::ingest::packed::{MAGIC_BYTES, PackedForm, Step, Unpacker};
use rowscape::records::formats::PackedFile;

/// Steps of a file before its size counts.
const STEPS: usize = 1000;
/// Bytes of text from which on a file is left: few bytes can hold any number of equal records.
const TEXT: usize = 32 << 20;
/// Bytes of memory that a file may be unpacked in are a half of them.
const MEMORY: u64 = 1 << 29;

/// A file, whose first bytes say its form: as a file of which all columns are read, of which only the last is, and through a pipe.
pub fn formats(data: &[u8]) {
    let Some(form) = data.get(..MAGIC_BYTES).and_then(PackedForm::told_by) else { return };
    let Some((all, last)) = read(data, form, Some(data.len() as u64), None) else { return };
    let same = |other: Option<(u64, Option<Field>)>, how: &str| {
        let Some((records, _)) = other else { return };
        assert_eq!(records, all, "{how}");
    };
    if let Some(last) = last {
        same(read(data, form, Some(data.len() as u64), Some(&last)), "of one column");
    }
    // A file of Arrow is read by its footer, which can have another order or end than its messages.
    if !form.needs_size() && form != PackedForm::ArrowFile {
        same(read(data, form, None, None), "through a pipe");
    }
}

/// The records of a file and a field of its last column; `None` where it is damaged or long.
fn read(
    data: &[u8],
    form: PackedForm,
    size: Option<u64>,
    only: Option<&Field>,
) -> Option<(u64, Option<Field>)> {
    let mut file = PackedFile::new(form, size);
    file.within(MEMORY);
    let (mut text, mut steps, mut last, mut asked) = (0, 0, None, None);
    let (mut records, mut is_quoted) = (0u64, false);
    while text < TEXT {
        match file.step() {
            Ok(Step::Need(range)) => {
                assert_ne!(asked.as_ref(), Some(&range), "asked for twice");
                let end = usize::try_from(range.end).unwrap_or(usize::MAX).min(data.len());
                let start = usize::try_from(range.start).unwrap_or(usize::MAX);
                file.give(range.start, data.get(start..end).unwrap_or_default().to_vec());
                asked = Some(range);
                steps += 1;
                assert!(steps <= STEPS + data.len(), "no end");
            }
            Ok(Step::Stated) => {
                let stated = file.stated();
                assert!(!stated.columns.is_empty());
                last = stated.columns.last().map(|column| Field {
                    name: column.name.clone(),
                    kind: Kind::Text,
                    format: None,
                    zone: None,
                    width: None,
                    from: Vec::new(),
                    nullable: false,
                });
                only.into_iter().for_each(|field| file.choose(std::slice::from_ref(field)));
                asked = None;
            }
            Ok(Step::Text(piece)) => {
                assert!(!piece.is_empty());
                text += piece.len();
                for &byte in &piece {
                    is_quoted ^= byte == b'"';
                    records += u64::from(byte == b'\n' && !is_quoted);
                }
                asked = None;
            }
            Ok(Step::End) => {
                // Behind the header.
                let stated = file.stated().rows;
                assert!(
                    stated.is_none_or(|rows| rows + 1 == records),
                    "{records} records with the header of {stated:?}"
                );
                return Some((records, last));
            }
            Err(problem) => {
                let sentence = problem.sentence();
                assert!(
                    !sentence.contains(['{', '}'])
                        || problem.args.values().any(|value| value.contains(['{', '}'])),
                    "{sentence}"
                );
                return None;
            }
        }
    }
    None
}

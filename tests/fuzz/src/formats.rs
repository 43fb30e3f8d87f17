//! Packed files: whatever their bytes are, they come to an end.

use rowscape::ingest::packed::{MAGIC_BYTES, PackedForm, Step, Unpacker};
use rowscape::records::formats::PackedFile;

/// Steps of a file before its size counts.
const STEPS: usize = 1000;
/// Bytes of text from which on a file is left: few bytes can hold any number of equal records.
const TEXT: usize = 64 << 20;

/// A file, whose first bytes say its form.
pub fn formats(data: &[u8]) {
    let Some(form) = data.get(..MAGIC_BYTES).and_then(PackedForm::told_by) else { return };
    let mut file = PackedFile::new(form, Some(data.len() as u64));
    let (mut text, mut steps) = (0, 0);
    while text < TEXT {
        match file.step() {
            Ok(Step::Need(range)) => {
                let end = usize::try_from(range.end).unwrap_or(usize::MAX).min(data.len());
                let start = usize::try_from(range.start).unwrap_or(usize::MAX);
                file.give(range.start, data.get(start..end).unwrap_or_default().to_vec());
                steps += 1;
                assert!(steps <= STEPS + data.len(), "no end");
            }
            Ok(Step::Stated) => assert!(!file.stated().columns.is_empty()),
            Ok(Step::Text(piece)) => {
                assert!(!piece.is_empty());
                text += piece.len();
            }
            Ok(Step::End) => return,
            Err(problem) => {
                let sentence = problem.sentence();
                assert!(
                    !sentence.contains(['{', '}']) || problem.args.values().any(|value| value.contains(['{', '}'])),
                    "{sentence}"
                );
                return;
            }
        }
    }
}

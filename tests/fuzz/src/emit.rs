//! Emitted text: whatever a design holds, no interpreter takes it for more than comments and literals.

use crate::language::said;
use rowscape::design;
use rowscape::emit::{EMITTERS, EmitSubject, emit};

#[path = "../../core/emit/inert.rs"]
mod inert;

/// A design document, in which texts of a person are those with the mark.
pub fn emitted(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(study) = design::parse(text) else { return };
    for table in study.tables.iter().take(3) {
        let points = table.splits.points();
        for emitter in EMITTERS {
            match emit(emitter.name, &EmitSubject::new(&study, table, &points)) {
                Ok(emitted) => inert::check(emitter.name, emitted.language, &emitted.text),
                Err(problem) => said(&[problem]),
            }
        }
    }
}

//! Row keys suggested for a study, searched in steps.

use crate::analysis::study;
use crate::convert::{checked, set, thrown_all, to_js};
use crate::records::RecordsHandle;
use js_sys::{Date, Object};
use rowscape::design::{SuggestRequest, parse_request};
use rowscape::suggest::{SearchPhase, SuggestOptions, SuggestSearch, proposed_queries};
use wasm_bindgen::prelude::*;

/// A document that may lack its row key, or all that is wrong with it thrown.
pub(super) fn asked(study: &str) -> Result<SuggestRequest, JsValue> {
    parse_request(study).map_err(|problems| thrown_all(&problems))
}

/// The fields of a study.
#[wasm_bindgen(js_name = studyFields)]
pub fn study_fields(study: &str) -> Result<JsValue, JsValue> {
    to_js(&asked(study)?.document.fields)
}

/// Queries that suit the records, under table number `table` of a design document.
#[wasm_bindgen(js_name = proposedQueries)]
pub fn queries_proposed(records: &RecordsHandle, document: &str, table: u32) -> Result<JsValue, JsValue> {
    to_js(&proposed_queries(&study(document)?, table as usize, records.current()))
}

/// A search for row keys. Whoever made it lets other work have its turn between steps; freeing it ends the search.
#[wasm_bindgen(js_name = Search)]
pub struct SearchHandle(SuggestSearch);

#[wasm_bindgen(js_class = Search)]
impl SearchHandle {
    /// For a study and its records; `options` is JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(records: &RecordsHandle, study: &str, options: &str) -> Result<SearchHandle, JsValue> {
        let options = checked(SuggestOptions::parse(options))?;
        Ok(Self(SuggestSearch::new(asked(study)?, records.records.clone(), options)))
    }

    /// Searches for so many milliseconds and up to the next rest, or until there is a shortlist; the answer once it is found,
    /// undefined before.
    pub fn step(&mut self, milliseconds: f64) -> Result<JsValue, JsValue> {
        let end = Date::now() + milliseconds;
        loop {
            if let Some(found) = self.0.poll() {
                return to_js(&checked(found)?);
            }
            let is_shortlist = matches!(self.0.progress().0, SearchPhase::Shortlist(_));
            if is_shortlist || Date::now() >= end {
                return Ok(JsValue::UNDEFINED);
            }
        }
    }

    /// `phase`, the share of the whole that is `done`, from 0 to 1, and once the designs of the `shortlist`.
    pub fn progress(&self) -> Result<JsValue, JsValue> {
        let (phase, done) = self.0.progress();
        let object: JsValue = Object::new().into();
        set(&object, "phase", phase.name())?;
        set(&object, "done", done)?;
        if let SearchPhase::Shortlist(designs) = phase {
            set(&object, "shortlist", to_js(&*designs)?)?;
        }
        Ok(object)
    }
}

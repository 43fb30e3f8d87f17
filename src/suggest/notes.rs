//! Missing input, and its effect on the result.

use super::score::SuggestNote;
use super::{SERVERS, Search};
use crate::base::Problem;
use crate::records::field::Kind;

/// Fewest rows that say something.
const FEW_ROWS: u64 = 100;

impl Search<'_> {
    /// Notes on the input.
    pub(super) fn notes(&self) -> Vec<SuggestNote> {
        let mut notes: Vec<Problem> = Vec::new();
        let study = self.study;
        let names = |names: Vec<&str>| names.join(", ");
        if study.queries.is_empty() {
            notes.push(Problem::new("suggest.no-queries"));
        }
        if study.arrival.is_none() {
            notes.push(Problem::new("suggest.no-arrival"));
        }
        if study.tables.first().is_none_or(|design| design.servers.is_none()) {
            notes.push(Problem::new("suggest.no-servers").with("servers", SERVERS));
        }
        if study.write_rate().is_none() {
            notes.push(Problem::new("suggest.no-write-rate"));
        }
        let unrated = study.queries.iter().filter(|query| query.rate.is_none());
        let unrated: Vec<&str> = unrated.map(|query| query.name.as_str()).collect();
        if !unrated.is_empty() && study.queries.len() != 1 {
            notes.push(Problem::new("suggest.no-rate").with("queries", names(unrated)));
        }
        let cells =
            study.tables.iter().flat_map(|design| &design.families).any(|family| !family.cells.is_empty());
        if !cells && !study.queries.is_empty() {
            notes.push(Problem::new("suggest.no-cells"));
        }
        if let Some(held) = self.declared.held {
            let note = Problem::new("suggest.sampled").with("rows", self.all.all_rows());
            notes.push(note.with("sample", held));
        }
        if self.all.all_rows() < FEW_ROWS {
            notes.push(Problem::new("suggest.few-rows").with("rows", self.all.all_rows()));
        }
        let of = |wanted: &dyn Fn(&super::FieldProfile) -> bool| -> Vec<&str> {
            let fields = self.profile.fields.iter().filter(|field| wanted(field));
            fields.map(|field| field.name.as_str()).collect()
        };
        for (code, fields) in [
            ("suggest.constant", of(&|field| field.distinct == 1 && field.missing == 0)),
            ("suggest.missing", of(&|field| field.missing > 0)),
            ("suggest.luck", of(&|field| field.unique_by_luck && field.kind != Kind::Time.name())),
        ] {
            if !fields.is_empty() {
                notes.push(Problem::new(code).with("fields", names(fields)));
            }
        }
        notes.extend(self.alike());
        if !self.declared.bytes.is_empty() {
            let fields = names(self.declared.bytes.iter().map(String::as_str).collect());
            notes.push(Problem::new("suggest.as-bytes").with("fields", fields));
        }
        let digests = self
            .profile
            .fields
            .iter()
            .zip(&study.fields)
            .filter(|(of, field)| field.kind == Kind::Text && of.lengths == [36, 36] && of.unique);
        let digests: Vec<&str> = digests.map(|(of, _)| of.name.as_str()).collect();
        if !digests.is_empty() {
            notes.push(Problem::new("suggest.as-uuid").with("fields", names(digests)));
        }
        notes.into_iter().map(Into::into).collect()
    }

    /// The note that records are told apart by luck, and by nothing else.
    fn alike(&self) -> Option<Problem> {
        let fields = &self.profile.identifying;
        let expected = self.profile.expected_alike(fields)?;
        let named: Vec<String> = fields.iter().map(|&field| self.profile.name(field)).collect();
        let rows = self.all.rows as f64 / expected;
        let note = Problem::new("suggest.nearly-alike").with("fields", named.join(", "));
        Some(note.with("rows", rows.round() as u64))
    }
}

//! Missing input, and its effect on the result.

use super::Search;
use super::note::{SuggestNote, in_quotes};
use crate::base::Problem;
use crate::design::ASSUMED_SERVERS;
use crate::records::field::Kind;
use serde_json::json;

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
            notes.push(Problem::new("suggest.no-servers").with("servers", ASSUMED_SERVERS));
        }
        if study.write_rate().is_none() {
            notes.push(Problem::new("suggest.no-write-rate"));
        }
        let unrated = study.queries.iter().filter(|query| query.rate.is_none());
        let unrated: Vec<String> = unrated.map(|query| in_quotes(&query.name)).collect();
        if !unrated.is_empty() && study.queries.len() != 1 {
            notes.push(Problem::new("suggest.no-rate").with("queries", unrated.join(", ")));
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
        // Each kind has its own, and lacks the fields of others.
        let is_of_kinds = study.tables.iter().any(|table| !table.kinds.is_empty());
        let is_tested = |name: &str| self.field(name).is_some_and(|field| self.tested.contains(&field));
        for (code, fields) in [
            ("suggest.constant", of(&|field| field.is_constant() && !is_tested(&field.name))),
            ("suggest.constant-tested", of(&|field| field.is_constant() && is_tested(&field.name))),
            ("suggest.missing", of(&|field| field.missing > 0 && !is_of_kinds)),
            (
                "suggest.luck",
                of(&|field| field.unique_by_luck && field.kind != Kind::Time.name() && !is_of_kinds),
            ),
        ] {
            if !fields.is_empty() {
                notes.push(Problem::new(code).with("fields", names(fields)));
            }
        }
        if !is_of_kinds {
            notes.extend(self.identity());
        }
        let empty = self.declared.empty.iter().filter_map(|(index, _)| study.queries.get(*index));
        let empty: Vec<String> = empty.map(|query| in_quotes(&query.name)).collect();
        if !empty.is_empty() {
            notes.push(Problem::new("suggest.empty-query").with("queries", empty.join(", ")));
        }
        if self.declared.lacking > 0 {
            let fields = names(self.declared.rejected.iter().map(String::as_str).collect());
            let note = Problem::new("suggest.rejected").with("rows", self.declared.lacking);
            notes.push(note.with("fields", fields));
        }
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

    /// Notes on what tells records apart: by luck, or by values that were measured.
    pub(super) fn identity(&self) -> impl Iterator<Item = Problem> {
        let identity = &self.profile.identity;
        let named = |code, fields: &[usize]| {
            let names: Vec<String> = fields.iter().map(|&field| self.profile.name(field)).collect();
            Problem::new(code).with("fields", names.join(", "))
        };
        let way = identity.ways.first().map(Vec::as_slice).unwrap_or_default();
        let lost = identity.loss.map(|loss| {
            named("suggest.nearly-alike", way).with("rows", (1.0 / loss).max(1.0).round() as u64)
        });
        let measured = identity.asks();
        let all: Vec<String> = way.iter().map(|&field| self.profile.name(field)).collect();
        let asked =
            (!measured.is_empty()).then(|| named("suggest.measured", &measured).with("identity", json!(all)));
        lost.into_iter().chain(asked)
    }
}

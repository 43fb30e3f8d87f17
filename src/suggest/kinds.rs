//! Tables with several kinds of records: a search for each kind, then the keys of all kinds together, told apart by a byte.

use super::answer::Suggestions;
use super::declared::Declared;
use super::front::{Objectives, best_by, layers};
use super::key::{KeyPart, KeyPlan};
use super::measure::{Candidate, CandidateTable};
use super::note::SuggestNote;
use super::progress::{SearchPhase, Steps};
use super::reasons::Reasoning;
use super::search::{Scored, measure, on_the_front, table_sets};
use super::table_of_kinds::TableOfKinds;
use super::{DRAWS, MOST_ROWS, ROWS, Search, SearchRound, SuggestOptions, SuggestionBuilder};
use crate::base::Problem;
use crate::base::map::Set;
use crate::design::split::Splits;
use crate::design::{Design, Document, KindView, Query, RecordKind, SuggestRequest, checked_anew, typed_of};
use crate::formula::typed::{Expression, TypedFormula, TypedPart};
use crate::keys::encode::Encoder;
use crate::records::Records;
use crate::scan;
use std::rc::Rc;

/// Most tables that are made of the keys of the kinds, and most keys of a kind.
const MOST_TABLES: usize = 96;
const MOST_KEYS: usize = 8;

/// The keys that suit the records and queries of one kind.
struct KeysOfKind {
    keys: Vec<KeyOfKind>,
    notes: Vec<SuggestNote>,
}

/// A key of one kind.
struct KeyOfKind {
    parts: Vec<PartOfKey>,
    reasons: Vec<SuggestNote>,
}

/// The formula of a part.
struct PartOfKey {
    /// At the end of a key.
    last: String,
    /// Anywhere else.
    inner: String,
}

impl KeyOfKind {
    /// The formula with the byte of the kind before part `at`.
    fn with(&self, at: usize, byte: Option<&str>) -> String {
        let mut texts: Vec<&str> = Vec::new();
        for (place, part) in self.parts.iter().enumerate() {
            texts.extend(byte.filter(|_| place == at));
            let ends = place + 1 == self.parts.len() && (at <= place || byte.is_none());
            texts.push(if ends { &part.last } else { &part.inner });
        }
        texts.extend(byte.filter(|_| at >= self.parts.len()));
        texts.join(" + ")
    }
}

impl<'a> Search<'a> {
    /// Searches the keys of each kind, then those of all kinds together.
    pub(super) async fn run_of_kinds(mut self, steps: &mut Steps) -> Result<Suggestions, Problem> {
        let Some(design) = self.study.tables.first() else { return Ok(self.nothing("suggest.no-fields")) };
        let names: Vec<&str> = self.study.fields.iter().map(|field| field.name.as_str()).collect();
        let of_rows = Encoder::new(self.all, &names, &[&design.typed]).kinds(0);
        let options = SuggestOptions { tables: 1, ..self.options.clone() };
        let (mut all, mut notes) = (Vec::new(), Vec::new());
        for number in 0..design.kinds.len() {
            let rows = (0..).zip(&of_rows).filter(|(_, kind)| **kind == Some(number)).map(|(row, _)| row);
            let records = Rc::new(self.all.part(&rows.collect::<Vec<u32>>()));
            let Some(asked) = asked_of_kind(self.study, number) else { continue };
            let of = keys_of_kind(asked, records, &options, steps).await?;
            notes.extend(of.notes.iter().map(|note| of_kind(design, number, note.clone())));
            all.push(of.keys);
        }
        let candidates = self.of_kinds(design, &all);
        let scoring = self.scoring();
        let inputs = self.inputs(ROWS[1], (DRAWS[2], SearchPhase::Measure), steps).await?;
        let scored = measure(&inputs, &scoring, candidates, SearchPhase::Tables, steps).await?;
        if scored.is_empty() {
            return Ok(self.nothing("suggest.no-fields"));
        }
        let sets = table_sets(&scoring, &scored, 1, &steps.step(SearchPhase::Tables, 1.0)).await?;
        self.rounds.push(SearchRound {
            rows: inputs.records.rows,
            candidates: scored.len(),
            kept: sets.len(),
        });
        let (measured, plain) = (scored.clone(), scored.len());
        let mut found = SuggestionBuilder {
            search: &self,
            scoring,
            inputs: &inputs,
            measured: &measured,
            scored,
            plain,
            sets,
        }
        .build(steps)
        .await?;
        found.notes.extend(notes);
        Ok(found)
    }

    /// Tables of keys of all kinds, each with the byte of a kind in front and behind what the keys share.
    fn of_kinds(&self, design: &Design, kinds: &[Vec<KeyOfKind>]) -> Vec<Candidate> {
        let bytes = bytes_of(design);
        let mut all: Vec<Candidate> = Vec::new();
        for choice in choices(kinds) {
            let shared = shared_parts(&choice);
            for at in if shared == 0 { vec![0] } else { vec![0, shared] } {
                let rowkeys: Vec<String> = choice
                    .iter()
                    .enumerate()
                    .map(|(kind, key)| key.with(at, bytes.get(kind).map(String::as_str)))
                    .collect();
                let Some(table) = self.with_keys(design, &rowkeys) else { continue };
                let mut reasons: Vec<SuggestNote> = Vec::new();
                for (kind, key) in choice.iter().enumerate() {
                    reasons.extend(key.reasons.iter().map(|reason| of_kind(design, kind, reason.clone())));
                }
                reasons.extend(byte_reason(&choice, at, &bytes));
                let table = TableOfKinds { design: table, reasons };
                let rowkey = table.design.rowkeys();
                if all.iter().any(|of| of.rowkey == rowkey) {
                    continue;
                }
                let given = |text: &String| KeyPart::Given { text: text.clone(), holds: Vec::new() };
                let key = KeyPlan { parts: rowkeys.iter().map(given).collect() };
                all.push(Candidate {
                    split_choices: self.split_choices(&key, 1),
                    key,
                    rowkey,
                    typed: table.design.typed.clone(),
                    table: Some(CandidateTable::OfKinds(Rc::new(table))),
                });
            }
        }
        all
    }

    /// The table with these keys of its kinds; `None` where the document could not have them.
    fn with_keys(&self, design: &Design, rowkeys: &[String]) -> Option<Design> {
        let mut table = design.clone();
        table.splits = Splits::Points(Vec::new());
        for (kind, rowkey) in table.kinds.iter_mut().zip(rowkeys) {
            kind.rowkey.clone_from(rowkey);
        }
        checked_anew(self.study, &table).ok()
    }
}

/// The best keys of one kind, those on the front first.
async fn keys_of_kind(
    asked: SuggestRequest,
    records: Rc<Records>,
    options: &SuggestOptions,
    steps: &mut Steps,
) -> Result<KeysOfKind, Problem> {
    let given = KeyOfKind::given(&asked.document);
    if records.rows == 0 {
        let notes = vec![Problem::new("suggest.kind-without-rows").into()];
        return Ok(KeysOfKind { keys: given.into_iter().collect(), notes });
    }
    let declared = Declared::as_given(&asked, &records).of_rows(MOST_ROWS);
    let mut search = Search::new(&declared, options, steps).await?;
    let keys = search.keys(steps).await?;
    let found = search.rounds(keys, steps).await?;
    let queries = &search.study.queries;
    let front: Vec<&Scored> = on_the_front(&found.scored, queries);
    let objectives: Vec<Objectives> = front.iter().map(|of| of.objectives).collect();
    let mut best = layers(&objectives, MOST_KEYS);
    best.extend(best_by(&objectives, &(0..front.len()).collect::<Vec<usize>>(), options.prefer.powers()));
    best.rotate_right(1);
    let mut seen = Set::new();
    best.retain(|at| seen.insert(*at));
    let reasoning = Reasoning {
        study: search.study,
        profile: &search.profile,
        asked: &search.asked,
        answers: queries.iter().map(|_| Some(true)).collect(),
    };
    let key = |of: &&Scored| {
        let plan = &of.candidate.key;
        let text = |part: &KeyPart, last| part.formula(&search.study.fields, &search.profile, last);
        let part = |part: &KeyPart| PartOfKey { last: text(part, true), inner: text(part, false) };
        KeyOfKind { parts: plan.parts.iter().map(part).collect(), reasons: reasoning.of(plan) }
    };
    let keys: Vec<KeyOfKind> = best.iter().filter_map(|&at| front.get(at)).map(key).collect();
    let mut notes: Vec<SuggestNote> = search.identity().map(Into::into).collect();
    let is_append = search.study.tables.first().is_some_and(|design| design.writes.is_append());
    if found.inputs.alike > 0 && is_append {
        notes.push(Problem::new("suggest.alike").with("rows", found.inputs.alike).into());
    }
    match keys.is_empty() {
        true => Ok(KeysOfKind { keys: given.into_iter().collect(), notes }),
        false => Ok(KeysOfKind { keys, notes }),
    }
}

impl KeyOfKind {
    /// The key that the document gives a kind.
    fn given(study: &Document) -> Option<Self> {
        let design = study.tables.first()?;
        let part = |part: &TypedPart| PartOfKey { last: part.text.clone(), inner: part.text.clone() };
        Some(Self { parts: design.typed.parts.iter().map(part).collect(), reasons: Vec::new() })
    }
}

/// The document as one kind sees it: its key without literals, the queries that its records can match, the identity of its fields.
fn asked_of_kind(study: &Document, number: usize) -> Option<SuggestRequest> {
    let kind = study.tables.first()?.kinds.get(number)?;
    let mut document = study.of_kind(0, number)?;
    let design = document.tables.first_mut()?;
    let view = design.of_kind.clone()?;
    let texts: Vec<&str> = without_literals(&design.typed);
    if !texts.is_empty() {
        let rowkey = texts.join(" + ");
        if let Some(typed) = typed_of(study, design, &rowkey) {
            (design.rowkey, design.typed.parts, design.typed.shape) = (rowkey, typed.parts, typed.shape);
        }
    }
    let typed = design.typed.clone();
    let has = |name: &String| kind.fields.is_empty() || kind.fields.contains(name);
    document.identity.retain(|name| has(name));
    document.queries.retain_mut(|query| {
        let Some(matching) = of_this_kind(study, query, &view, &typed) else { return false };
        if matching {
            query.conditions.remove(&kind.field);
        }
        true
    });
    Some(SuggestRequest { document, keyed: true })
}

/// True if all records of a kind can match a query as far as the kind matters, false if some can; `None` if none can.
fn of_this_kind(study: &Document, query: &Query, view: &KindView, typed: &TypedFormula) -> Option<bool> {
    let domains = scan::read(query, &study.fields, "").ok()?;
    let own = scan::domains_of_kind(view, typed, &domains)?;
    Some(own.get(view.telling.field).is_none_or(|domain| !domain.is_restricted()))
}

fn without_literals(typed: &TypedFormula) -> Vec<&str> {
    let parts = typed.parts.iter().filter(|part| !matches!(part.expression, Expression::Literal(_)));
    parts.map(|part| part.text.as_str()).collect()
}

/// The bytes by which kinds are told apart: the literal that each has in the document, if these do, else one byte; none for a single kind.
fn bytes_of(design: &Design) -> Vec<String> {
    if design.kinds.len() < 2 {
        return Vec::new();
    }
    let literal = |kind: &RecordKind| {
        let mut literals = kind.formula()?.parts.iter().filter_map(|part| match &part.expression {
            Expression::Literal(bytes) => Some((part.text.clone(), bytes.clone())),
            _ => None,
        });
        literals.next().filter(|_| literals.next().is_none())
    };
    let own: Option<Vec<(String, Vec<u8>)>> = design.kinds.iter().map(literal).collect();
    let apart = |own: &Vec<(String, Vec<u8>)>| {
        own.iter().enumerate().all(|(index, (_, one))| {
            own.iter().enumerate().all(|(other, (_, two))| index == other || !one.starts_with(two))
        })
    };
    match own.filter(apart) {
        Some(own) => own.into_iter().map(|(text, _)| text).collect(),
        None => (1..=design.kinds.len()).map(|number| format!("x'{number:02x}'")).collect(),
    }
}

/// Choices of one key for each kind, those of the best keys first.
fn choices(kinds: &[Vec<KeyOfKind>]) -> Vec<Vec<&KeyOfKind>> {
    let mut all: Vec<Vec<&KeyOfKind>> = vec![Vec::new()];
    let each = (1..=MOST_KEYS).rev().find(|each| each.pow(kinds.len() as u32) <= MOST_TABLES).unwrap_or(1);
    for keys in kinds {
        let longer = all.iter().flat_map(|choice| {
            keys.iter().take(each).map(move |key| choice.iter().copied().chain([key]).collect())
        });
        all = longer.collect();
    }
    all
}

/// How many parts all keys begin with.
fn shared_parts(choice: &[&KeyOfKind]) -> usize {
    let Some((first, others)) = choice.split_first() else { return 0 };
    let same = |at: &usize| {
        let text = |key: &KeyOfKind| key.parts.get(*at).map(|part| part.inner.clone());
        others.iter().all(|other| text(other) == text(first))
    };
    (0..first.parts.len()).take_while(same).count()
}

/// Why the byte of a kind is where it is.
fn byte_reason(choice: &[&KeyOfKind], at: usize, bytes: &[String]) -> Option<SuggestNote> {
    let first = choice.first().filter(|_| !bytes.is_empty())?;
    let shared: Vec<&str> = first.parts.iter().take(at).map(|part| part.inner.as_str()).collect();
    let code = if at == 0 { "suggest.kinds-apart" } else { "suggest.kinds-behind" };
    let problem = Problem::new(code).with("part", bytes.join(", "));
    Some(if at == 0 { problem } else { problem.with("prefix", shared.join(" + ")) }.into())
}

/// A note on one kind.
fn of_kind(design: &Design, number: usize, note: SuggestNote) -> SuggestNote {
    let kind = design.kinds.get(number).map(|kind| kind.typed.name.clone());
    SuggestNote { kind, ..note }
}

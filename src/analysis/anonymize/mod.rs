//! The profile of records in a link: a description of others that land alike.
//!
//! It holds shares, lengths, alphabets and curves. Values, row keys and split points made from the records have made-up ones
//! in their place, so that whoever gets the link sees the author's figures and none of the author's records.

mod landing;
mod made;
mod numbers;
mod period;
mod points;
mod shapes;
mod sources;
mod surrogate_values;
mod values;
mod words;

use crate::analysis::memory::{Analysis, ReportOptions};
use crate::analysis::report::Verdict;
use crate::base::Problem;
use crate::base::json::text;
use crate::design::Document;
use crate::design::split::Splits;
use crate::keys::encode::Encoder;
use crate::records::Records;
use crate::records::generate::{Generator, GeneratorSpec, MOST_PROFILE_BYTES};
use landing::Landing;
use serde::Serialize;
use sources::{FieldSources, Limits};
use std::borrow::Cow;
use std::rc::Rc;
use words::Words;

/// Most records that are looked at, and made in their place; of more, a sample by hash of position.
const LOOKED_AT: usize = 1 << 17;
/// Seeds tried until the verdict is the author's.
const SEEDS: u64 = 8;

/// The profile of records in a link.
#[derive(Clone, Debug, Serialize)]
pub struct LinkProfile {
    /// Records that land alike, in the place of `generate` in the document.
    pub generate: GeneratorSpec,
    /// For each table, into how many equal shares of the records it is split, where its split points were made from them.
    pub splits: Vec<Option<u32>>,
    /// Bytes of the profile as JSON.
    pub bytes: usize,
    /// The verdict on the records of the profile.
    pub verdict: Verdict,
    /// True if that has the code and the severity of the verdict on the records.
    pub agrees: bool,
}

impl Analysis {
    /// A profile of the records for table number `table` of a document that has the row key of this analysis.
    ///
    /// # Errors
    /// No such table, no records, or so many fields that no profile is small enough.
    pub fn profile(
        &mut self,
        document: &str,
        study: &Document,
        table: usize,
    ) -> Result<LinkProfile, Problem> {
        let own = self.report_of(study, table, &ReportOptions::default())?.verdict;
        let all = self.records();
        let of = all.all_rows();
        let looked_at =
            if all.rows > LOOKED_AT { Cow::Owned(all.sampled(LOOKED_AT)) } else { Cow::Borrowed(all) };
        let records: &Records = &looked_at;
        let design = study.table(table)?;
        if records.rows == 0 {
            return Err(Problem::new("profile.no-records"));
        }
        let names: Vec<&str> = study.fields.iter().map(|field| field.name.as_str()).collect();
        let typed: Vec<_> = study.tables.iter().map(|table| &table.typed).collect();
        let keys = Encoder::new(records, &names, &typed).encode();
        let splits = points::made_from_records(study, &keys);
        let made = splits.get(table).copied().flatten().is_some();
        let landing = (!made && !design.splits.need_records())
            .then(|| Landing::new(records, &names, design, keys.get(table)?))
            .flatten();
        let words = Words::of(document, study, &splits);
        let mut smallest = 0;
        for limits in Limits::LADDER {
            let mut sources = FieldSources::new(records, study, landing.as_ref(), &words, limits);
            let mut generate = sources.description();
            generate.profile = Some(of);
            smallest = text(&generate).len();
            // Leave room for everything that may be added below.
            if smallest + 64 + names.iter().map(|name| name.len() + 3).sum::<usize>() > MOST_PROFILE_BYTES {
                continue;
            }
            let keys = KeyFields { names: &names, study, table };
            return keys.tried(generate, splits, (&own, self.repeated()));
        }
        Err(Problem::new("profile.too-large").with("bytes", smallest).with("most", MOST_PROFILE_BYTES))
    }
}

/// A table whose verdict is to be the same on the records of a profile.
struct KeyFields<'a> {
    names: &'a [&'a str],
    study: &'a Document,
    table: usize,
}

impl KeyFields<'_> {
    /// The profile with a seed that leads to the author's verdict, where there is one.
    fn tried(
        &self,
        mut generate: GeneratorSpec,
        splits: Vec<Option<u32>>,
        (own, repeated): (&Verdict, bool),
    ) -> Result<LinkProfile, Problem> {
        let mut first = None;
        for seed in 1..=SEEDS {
            generate.seed = seed;
            let mut found = self.judged(&generate, &splits)?;
            let hidden = |verdict: &Verdict| verdict.code == "verdict.overwritten";
            let more = !repeated || hidden(&found.0) && !hidden(own);
            if found.1 && more && generate.distinct.is_empty() {
                // Values drawn one by one collide by chance where those of the records never or hardly ever do.
                generate.distinct = self.of_the_key();
                found = self.judged(&generate, &splits)?;
            }
            let agrees = (found.0.code, found.0.severity) == (own.code, own.severity);
            let bytes = text(&generate).len();
            let generate = generate.clone();
            let profile = LinkProfile { generate, splits: splits.clone(), bytes, verdict: found.0, agrees };
            if agrees {
                return Ok(profile);
            }
            first.get_or_insert(profile);
        }
        first.ok_or_else(|| Problem::new("profile.no-records"))
    }

    /// The verdict on the records of a profile, and whether their keys repeat.
    fn judged(&self, spec: &GeneratorSpec, splits: &[Option<u32>]) -> Result<(Verdict, bool), Problem> {
        let Self { study, table, .. } = self;
        let records: Rc<Records> = Rc::new(Generator::all(spec, &study.fields)?);
        let shares = splits.get(*table).copied().flatten();
        let shared = shares.map(|regions| study.split_by(*table, Splits::Sample { regions: regions.into() }));
        let mut analysis = Analysis::of(shared.as_ref().unwrap_or(study), *table, records)?;
        Ok((analysis.report(&ReportOptions::default())?.verdict, analysis.repeated()))
    }

    /// The fields that the key and the qualifiers are made of.
    fn of_the_key(&self) -> Vec<String> {
        let typed = self.study.tables.get(self.table).map(|design| &design.typed);
        let is_used = |index: usize| {
            typed.is_some_and(|typed| typed.named_parts().any(|part| part.fields.contains(&index)))
        };
        let used = self.names.iter().enumerate().filter(|(index, _)| is_used(*index));
        used.map(|(_, name)| (*name).to_owned()).collect()
    }
}

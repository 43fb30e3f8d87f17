//! Keys of a table of Phoenix: what its DDL can say, which is the order of the columns and the number of salts.

use super::Search;
use super::key::{KeyPart, KeyPlan};
use crate::design::Design;
use crate::formula::steps::PhoenixColumn;
use crate::scan::{PhoenixIndex, is_of_phoenix};

/// Most columns that queries test that are tried in all orders in front of the others.
const IN_FRONT: usize = 5;
/// Most salts of a table.
const MOST_SALTS: u32 = 256;

impl Search<'_> {
    /// The table whose key is to be improved, where it is one of Phoenix.
    pub(super) fn phoenix_table(&self) -> Option<&Design> {
        self.given_table().filter(|design| is_of_phoenix(&design.typed))
    }

    /// Its columns with those that queries test in front, in all orders, each with several numbers of salts.
    pub(super) fn phoenix_keys(&self, design: &Design) -> Vec<KeyPlan> {
        let parts = &design.typed.parts;
        let salt = parts.first().filter(|part| part.uses_rest).and_then(|part| part.shape.distinct);
        let columns = parts.iter().filter(|part| !part.uses_rest);
        let columns =
            columns.filter_map(|part| Some((*part.fields.first()?, PhoenixColumn::of(&part.text)?)));
        let columns: Vec<(usize, PhoenixColumn<'_>)> = columns.collect();
        let is_tested = |at: &usize| {
            let field = columns.get(*at).map(|(field, _)| *field);
            self.asked.iter().any(|asked| {
                field.is_some_and(|field| asked.equal.contains(&field) || asked.ranged.contains(&field))
            })
        };
        // A value without an end stays the last.
        let moving = columns.iter().take_while(|(_, column)| column.step != "varbinary").count();
        let tested: Vec<usize> = (0..moving).filter(is_tested).take(IN_FRONT).collect();
        let mut orders = vec![Vec::new()];
        permutations(&tested, &mut Vec::new(), &mut orders);
        let salts = [1, 2, 4].map(|times| (times * self.servers).clamp(2, MOST_SALTS));
        let own = salt.and_then(|salt| u32::try_from(salt).ok());
        let salts = salts.into_iter().chain(own).map(Some).chain([None]);
        let mut keys = Vec::new();
        for count in salts {
            for order in &orders {
                let rest = (0..columns.len()).filter(|at| !order.contains(at));
                let placed: Vec<usize> = order.iter().copied().chain(rest).collect();
                let last = placed.len().saturating_sub(1);
                let column = |(place, at): (usize, &usize)| {
                    let (field, column) = columns.get(*at)?;
                    Some(KeyPart::Given { text: column.text(place == last), holds: vec![*field] })
                };
                let columns = placed.iter().enumerate().filter_map(column);
                let salt = count.map(|count| KeyPart::Salt { count });
                keys.push(KeyPlan { parts: salt.into_iter().chain(columns).collect() });
            }
        }
        keys
    }
}

impl Search<'_> {
    /// The statement that makes the second of two tables an index of the first; `None` where it is none.
    pub(super) fn index_of(&self, table: &Design, index: &Design) -> Option<String> {
        let found = PhoenixIndex::of(&table.typed, &index.typed)?;
        Some(found.sql(&self.study.fields, (&table.name, &index.name), ""))
    }
}

/// All orders of these.
fn permutations(left: &[usize], taken: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    if left.is_empty() {
        return all.push(taken.clone());
    }
    for &next in left {
        let others: Vec<usize> = left.iter().copied().filter(|other| *other != next).collect();
        taken.push(next);
        permutations(&others, taken, all);
        taken.pop();
    }
}

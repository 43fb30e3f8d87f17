//! Maps and sets in order, for what is few: a sorted list, in a fraction of the code of the standard trees.

use serde::{Serialize, Serializer};
use std::borrow::Borrow;
use std::cmp::Ordering;

/// Where an item stands among `len` ascending ones, or would.
fn place(len: usize, compare: &mut dyn FnMut(usize) -> Ordering) -> Result<usize, usize> {
    let (mut from, mut to) = (0, len);
    // Entries added in order come after the last one, so try there first.
    let mut middle = len.saturating_sub(1);
    while from < to {
        match compare(middle) {
            Ordering::Less => from = middle + 1,
            Ordering::Greater => to = middle,
            Ordering::Equal => return Ok(middle),
        }
        middle = from + (to - from) / 2;
    }
    Err(from)
}

/// Values by key, keys ascending.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Map<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> Map<K, V> {
    /// With nothing in it.
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries, keys ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + Clone {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// The keys, ascending.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The values by ascending keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    /// The values by ascending keys.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// The values by ascending keys.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }

    /// The entry of the greatest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.entries.last().map(|(key, value)| (key, value))
    }
}

impl<K: Ord, V> Map<K, V> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        let at = |index: usize| self.entries.get(index).map(|(known, _)| known.borrow().cmp(key));
        place(self.entries.len(), &mut |index| at(index).unwrap_or(Ordering::Greater))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        self.entries.get(at).map(|(_, value)| value)
    }

    /// The value of a key, to change it.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        self.entries.get_mut(at).map(|(_, value)| value)
    }

    /// True if there is a value of that key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Sets the value of a key; gives back the one before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => self.entries.get_mut(at).map(|(_, held)| std::mem::replace(held, value)),
            Err(at) => {
                self.entries.insert(at, (key, value));
                None
            }
        }
    }

    /// Sets the value of a key that has none; whether it had none.
    pub fn add(&mut self, key: K, value: V) -> bool {
        let place = self.place(&key);
        if let Err(at) = place {
            self.entries.insert(at, (key, value));
        }
        place.is_err()
    }

    /// Sets the values of keys.
    pub fn extend(&mut self, entries: impl IntoIterator<Item = (K, V)>) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }

    /// Takes a key out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let at = self.place(key).ok()?;
        Some(self.entries.remove(at).1)
    }

    /// Changes the value of a key, which is the default one when it has none.
    pub fn change(&mut self, key: K, change: impl FnOnce(&mut V))
    where
        V: Default,
    {
        let at = match self.place(&key) {
            Ok(at) => at,
            Err(at) => {
                self.entries.insert(at, (key, V::default()));
                at
            }
        };
        if let Some((_, value)) = self.entries.get_mut(at) {
            change(value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter().map(|(key, value)| (key, value))
    }
}

impl<Q: Ord + ?Sized, K: Ord + Borrow<Q>, V> std::ops::Index<&Q> for Map<K, V> {
    type Output = V;

    /// The entry of a key that is there.
    fn index(&self, key: &Q) -> &V {
        &self.entries[self.place(key).unwrap_or(usize::MAX)].1
    }
}

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

/// Items in order, each once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<T>(Map<T, ()>);

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Set<T> {
    /// With nothing in it.
    pub const fn new() -> Self {
        Self(Map::new())
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The items, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.0.keys()
    }
}

impl<T: Ord> Set<T> {
    /// Adds an item; whether it is new.
    pub fn insert(&mut self, item: T) -> bool {
        self.0.add(item, ())
    }

    /// Adds items.
    pub fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        for item in items {
            self.insert(item);
        }
    }

    /// Keeps the items that are wanted.
    pub fn retain(&mut self, wanted: impl Fn(&T) -> bool) {
        self.0.entries.retain(|(item, ())| wanted(item));
    }

    /// True if an item is in it.
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.contains_key(item)
    }
}

impl<T: Ord> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().map(|item| (item, ())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn agrees_with_the_standard_map(steps in prop::collection::vec((0u8..40, any::<bool>(), any::<u8>()), 0..200)) {
            let (mut ours, mut standard) = (Map::new(), BTreeMap::new());
            for (key, takes_out, value) in steps {
                match takes_out {
                    true => prop_assert_eq!(ours.remove(&key), standard.remove(&key)),
                    false => prop_assert_eq!(ours.insert(key, value), standard.insert(key, value)),
                }
                prop_assert_eq!(ours.last_key_value(), standard.last_key_value());
                prop_assert_eq!(ours.get(&key), standard.get(&key));
            }
            prop_assert!(ours.iter().eq(standard.iter()));
            prop_assert!(ours.into_iter().eq(standard));
        }

        #[test]
        fn a_set_holds_each_once_in_order(items in prop::collection::vec(0u8..40, 0..100)) {
            let (ours, standard): (Set<u8>, BTreeSet<u8>) = (items.iter().copied().collect(), items.into_iter().collect());
            prop_assert!(ours.iter().eq(&standard));
        }
    }
}

//! Prefixes to namespaces, as elements open and close. Knows no element, and costs the same however many are declared.

use std::collections::HashMap;

use crate::schema::NsId;

/// Declarations up to which looking through them is the fastest way to find one.
const FEW: usize = 16;

/// One declaration of a prefix.
#[derive(Debug)]
struct Binding {
    prefix: Box<[u8]>,
    ns: NsId,
    depth: usize,
    /// The declaration of the same prefix that this one hides.
    hidden: Option<usize>,
}

/// The declarations in force, innermost last.
#[derive(Debug, Default)]
pub(super) struct Prefixes {
    bindings: Vec<Binding>,
    /// The innermost declaration of each prefix; empty while there are few.
    latest: HashMap<Box<[u8]>, usize>,
}

impl Prefixes {
    fn find(&self, prefix: &[u8]) -> Option<usize> {
        if self.bindings.len() <= FEW {
            self.bindings.iter().rposition(|b| *b.prefix == *prefix)
        } else {
            self.latest.get(prefix).copied()
        }
    }

    /// What a prefix stands for.
    pub fn get(&self, prefix: &[u8]) -> Option<NsId> {
        self.find(prefix).map(|at| self.bindings[at].ns)
    }

    /// Declares a prefix for the element at `depth` and what it holds.
    pub fn declare(&mut self, prefix: &[u8], ns: NsId, depth: usize) {
        let hidden = self.find(prefix);
        self.bindings.push(Binding { prefix: prefix.into(), ns, depth, hidden });
        match self.bindings.len() - 1 {
            last @ ..FEW => debug_assert!(self.latest.is_empty() && last < FEW),
            FEW => self.latest.extend(self.bindings.iter().enumerate().map(|(at, b)| (b.prefix.clone(), at))),
            last => drop(self.latest.insert(prefix.into(), last)),
        }
    }

    /// Makes the innermost declaration of a prefix mean another namespace; false where there is none.
    pub fn change(&mut self, prefix: &[u8], ns: NsId) -> bool {
        let found = self.find(prefix);
        if let Some(at) = found {
            self.bindings[at].ns = ns;
        }
        found.is_some()
    }

    /// Forgets the declarations of elements deeper than `depth`; false where there are none.
    #[inline]
    pub fn leave(&mut self, depth: usize) -> bool {
        let left = self.bindings.last().is_some_and(|b| b.depth > depth);
        if left {
            self.forget(depth);
        }
        left
    }

    fn forget(&mut self, depth: usize) {
        while self.bindings.last().is_some_and(|b| b.depth > depth) {
            let Some(binding) = self.bindings.pop() else { break };
            if self.bindings.len() <= FEW {
                self.latest.clear();
            } else if let Some(at) = binding.hidden {
                self.latest.insert(binding.prefix, at);
            } else {
                self.latest.remove(&binding.prefix);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_declarations_are_found_as_few_are() {
        let mut prefixes = Prefixes::default();
        let mut plain: Vec<(Vec<u8>, NsId, usize)> = Vec::new();
        let name = |n: usize| format!("p{}", n * 7 % 23).into_bytes();
        // Three times in and out, past the number from which on a map is used.
        for most in [10, 40, 100] {
            for depth in 1..=most {
                prefixes.declare(&name(depth), depth, depth);
                plain.push((name(depth), depth, depth));
            }
            assert!(prefixes.change(&name(3), 1_000) && !prefixes.change(b"none", 1));
            plain.iter_mut().rev().find(|b| b.0 == name(3)).expect("declared").1 = 1_000;
            for depth in (0..most).rev() {
                for n in 0..25 {
                    let expected = plain.iter().rev().find(|b| b.0 == name(n)).map(|b| b.1);
                    assert_eq!(prefixes.get(&name(n)), expected, "p{n} at {depth} of {most}");
                }
                assert!(prefixes.leave(depth));
                plain.retain(|b| b.2 <= depth);
            }
            assert!(!prefixes.leave(0));
        }
    }
}

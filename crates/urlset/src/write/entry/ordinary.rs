//! Values as nearly all are, written without a detour. Refuses nothing and repairs nothing: what is out of the ordinary is
//! left to the general way, with nothing appended.

use arrow_array::Array as _;

use super::super::bind::Column;
use super::super::escape;
use super::super::memo::Key;
use super::super::plan::{Leaf, What};
use super::Encoder;
use crate::schema::Shape;
use crate::value::date::{Date, Form};
use crate::value::url;

impl Encoder {
    /// Writes a value with what stands around it, where the general way would write it without a word; says whether it
    /// did.
    #[inline(always)] // a call less for each value
    pub(super) fn ordinary(
        &mut self,
        leaf: &Leaf,
        column: &Column,
        form: &Column,
        row: usize,
        out: &mut Vec<u8>,
    ) -> bool {
        match (column, &leaf.what) {
            (Column::Words { keys, known, .. }, What::Choice(_)) if keys.is_valid(row) => {
                let word = known[keys.value(row) as usize];
                word.and_then(|word| leaf.pieces.get(word)).map(|piece| piece.put(out)).is_some()
            }
            (Column::Text(texts), What::Loc | What::Url { .. } | What::Address) if texts.is_valid(row) => {
                self.address(leaf, texts.value(row), out)
            }
            (Column::Instant(instants), What::Lastmod) if instants.is_valid(row) && matches!(form, Column::Absent) => {
                let start = out.len();
                leaf.before.put(out);
                let Some(micros) = self.days.instant(instants.value(row), None, out) else {
                    out.truncate(start);
                    return false;
                };
                leaf.after.put(out);
                self.lastmod = Some(Date { micros, form: Form::SECONDS_Z });
                true
            }
            _ => key(leaf, column, row).and_then(|key| self.memo.get(key)).map(|piece| piece.put(out)).is_some(),
        }
    }

    /// An address that is written as it stands.
    #[inline]
    fn address(&mut self, leaf: &Leaf, text: &str, out: &mut Vec<u8>) -> bool {
        let (text, loc) = (text.as_bytes(), matches!(leaf.what, What::Loc));
        // The head of the base is as it was encoded, and what is encoded is written as it stands.
        let plain = match &self.base {
            Some(base) if loc => text.strip_prefix(base.head.as_slice()).and_then(url::plain),
            _ => self.heads.plain(text),
        };
        let Some(ampersand) = plain else { return false };
        if loc && text.len() > self.most {
            return false;
        }
        leaf.before.put(out);
        let mark = out.len();
        if ampersand {
            escape::url(text, out);
        } else {
            out.extend_from_slice(text);
        }
        if loc {
            self.loc = mark..out.len();
        }
        leaf.after.put(out);
        true
    }

    /// Keeps what tells that the next value like this one is ordinary. `written` is what this one came to.
    pub(super) fn learn(&mut self, leaf: &Leaf, column: &Column, row: usize, written: &[u8]) {
        match leaf.what {
            What::Loc | What::Url { .. } | What::Address if self.changed => {}
            What::Loc | What::Url { .. } | What::Address => {
                self.heads.learn(column.text(row).unwrap_or_default());
            }
            _ => {
                if let Some(key) = key(leaf, column, row) {
                    self.memo.keep(key, written);
                }
            }
        }
    }
}

/// The key of a value of a kind that repeats, and of which nothing but its written form is to be known.
#[inline(always)] // the same
fn key(leaf: &Leaf, column: &Column, row: usize) -> Option<Key> {
    if matches!(leaf.what, What::Loc | What::Lastmod | What::Url { .. } | What::Address | What::Text(Shape::Free)) {
        return None;
    }
    match column {
        Column::Text(texts) if texts.is_valid(row) => Key::text(leaf.id, texts.value(row).as_bytes()),
        Column::Dictionary { .. } if column.has(row) => Key::text(leaf.id, column.text(row)?.as_bytes()),
        Column::Float(numbers) if numbers.is_valid(row) => Some(Key::number(leaf.id, numbers.value(row))),
        _ => None,
    }
}

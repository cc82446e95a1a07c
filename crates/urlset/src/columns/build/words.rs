//! Columns of strings that repeat: the distinct ones are kept once. Knows what a date form is, and no other meaning.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array};
use arrow_buffer::{NullBuffer, ScalarBuffer};

use super::values::{Strings, Values};
use crate::error::Result;
use crate::value::date::Form;

/// Strings that repeat: the distinct ones, and a key for each row.
#[derive(Debug)]
pub struct Dictionary {
    pub(super) keys: Values<i32>,
    pub(super) words: Vec<Box<[u8]>>,
    last: usize,
}

impl Dictionary {
    /// Distinct values kept apart at most: beyond, a linear search would cost more than it saves.
    const MANY: usize = 4_096;

    pub(super) fn new() -> Self {
        Self { keys: Values::new(), words: Vec::new(), last: 0 }
    }

    /// Appends a word.
    pub fn push(&mut self, word: &[u8]) {
        if self.words.get(self.last).is_none_or(|w| **w != *word) {
            let from = self.words.len().saturating_sub(Self::MANY);
            self.last = match self.words[from..].iter().position(|w| **w == *word) {
                Some(at) => from + at,
                None => {
                    self.words.push(word.into());
                    self.words.len() - 1
                }
            };
        }
        self.keys.push(self.last as i32);
    }

    /// Appends a word that was appended before; false when it was not.
    #[inline]
    pub fn push_known(&mut self, word: &[u8]) -> bool {
        let few = &self.words[..self.words.len().min(8)];
        match few.iter().position(|w| **w == *word) {
            Some(at) => {
                self.keys.push(at as i32);
                true
            }
            None => false,
        }
    }

    /// The same word in every one of `rows` rows.
    pub fn constant(word: &[u8], rows: usize) -> Result<DictionaryArray<Int32Type>> {
        let mut words = Strings::new();
        words.push(word);
        dictionary(vec![0; rows], None, words)
    }

    pub(super) fn take(&mut self) -> Result<DictionaryArray<Int32Type>> {
        let (keys, valid) = self.keys.take();
        let mut words = Strings::new();
        for word in &self.words {
            words.push(word);
        }
        self.words.clear();
        self.last = 0;
        dictionary(keys, valid, words)
    }
}

pub(super) fn dictionary(
    keys: impl Into<ScalarBuffer<i32>>,
    valid: Option<NullBuffer>,
    mut words: Strings,
) -> Result<DictionaryArray<Int32Type>> {
    if words.len() == 0 {
        words.push(b""); // some consumers refuse a dictionary without values, were all its keys null
    }
    let words: ArrayRef = Arc::new(words.take()?);
    Ok(DictionaryArray::try_new(Int32Array::try_new(keys.into(), valid)?, words)?)
}

/// Written forms of dates.
#[derive(Debug)]
pub struct Forms {
    pub(super) keys: Values<i32>,
    pub(super) forms: Vec<Form>,
    /// Where each form is among the forms; empty while they are few enough to be looked through.
    index: HashMap<Form, usize>,
    last: usize,
    plain: bool,
}

impl Forms {
    /// Distinct forms up to which looking through them is the fastest way to find one.
    const FEW: usize = 16;

    pub(super) fn new(plain: bool) -> Self {
        Self { keys: Values::new(), forms: Vec::new(), index: HashMap::new(), last: 0, plain }
    }

    /// Appends a form.
    #[inline]
    pub fn push(&mut self, form: Form) {
        if self.forms.get(self.last) != Some(&form) {
            self.last = self.find(form).unwrap_or(self.forms.len());
            if self.last == self.forms.len() {
                self.add(form);
            }
        }
        self.keys.push(self.last as i32);
    }

    pub(super) fn find(&self, form: Form) -> Option<usize> {
        if self.index.is_empty() { self.forms.iter().position(|&f| f == form) } else { self.index.get(&form).copied() }
    }

    pub(super) fn add(&mut self, form: Form) {
        self.forms.push(form);
        if self.forms.len() > Self::FEW {
            let known = self.index.len();
            self.index.extend(self.forms.iter().enumerate().skip(known).map(|(at, &f)| (f, at)));
        }
    }

    pub(super) fn take(&mut self) -> Result<ArrayRef> {
        let (keys, valid) = self.keys.take();
        let mut words = Strings::new();
        let forms = std::mem::take(&mut self.forms);
        self.index.clear();
        self.last = 0;
        if self.plain {
            for (row, &key) in keys.iter().enumerate() {
                if valid.as_ref().is_none_or(|v| v.is_valid(row)) {
                    forms[key as usize].write(words.open());
                    words.close();
                } else {
                    words.pad(row + 1);
                }
            }
            return Ok(Arc::new(words.take()?));
        }
        for form in forms {
            form.write(words.open());
            words.close();
        }
        Ok(Arc::new(dictionary(keys, valid, words)?))
    }
}

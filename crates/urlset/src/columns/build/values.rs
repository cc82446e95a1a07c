//! Columns of values each of which takes its place: numbers, strings, and which rows have none.

use arrow_array::StringArray;
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};

use crate::error::Result;

/// Room for the values of the next batch: those of batches vary a little, and to grow is to copy.
pub(super) const fn room(last: usize) -> usize {
    last + last / 8
}

/// Which rows are valid: nothing is kept as long as all of them are.
#[derive(Debug, Default)]
pub(in crate::columns) struct Validity(Option<BooleanBufferBuilder>);

impl Validity {
    #[inline]
    pub(super) fn push(&mut self) {
        if let Some(bits) = &mut self.0 {
            bits.append(true);
        }
    }

    /// Appends `missing` nulls to `rows` rows.
    pub(super) fn pad(&mut self, rows: usize, missing: usize) {
        let bits = self.0.get_or_insert_with(|| {
            let mut bits = BooleanBufferBuilder::new(rows + missing);
            bits.append_n(rows, true);
            bits
        });
        bits.append_n(missing, false);
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        if let Some(bits) = &mut self.0 {
            bits.truncate(rows);
        }
    }

    pub(super) fn take(&mut self) -> Option<NullBuffer> {
        let nulls = NullBuffer::new(self.0.take()?.finish());
        (nulls.null_count() > 0).then_some(nulls)
    }
}

/// Numbers and their validity.
#[derive(Debug)]
pub struct Values<T> {
    pub(super) values: Vec<T>,
    pub(super) valid: Validity,
}

impl<T: Copy + Default> Values<T> {
    pub(super) fn new() -> Self {
        Self { values: Vec::new(), valid: Validity::default() }
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.values.push(value);
        self.valid.push();
    }

    #[inline]
    pub(super) fn pad(&mut self, rows: usize) {
        if let Some(missing) = rows.checked_sub(self.values.len()).filter(|&m| m > 0) {
            self.valid.pad(self.values.len(), missing);
            self.values.resize(rows, T::default());
        }
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        if self.values.len() > rows {
            self.values.truncate(rows);
            self.valid.truncate(rows);
        }
    }

    pub(super) fn take(&mut self) -> (Vec<T>, Option<NullBuffer>) {
        let next = Vec::with_capacity(room(self.values.len()));
        (std::mem::replace(&mut self.values, next), self.valid.take())
    }
}

/// UTF-8 strings.
#[derive(Debug)]
pub struct Strings {
    pub(super) data: Vec<u8>,
    pub(super) ends: Vec<i32>,
    pub(super) valid: Validity,
}

impl Strings {
    pub(super) fn new() -> Self {
        Self { data: Vec::new(), ends: vec![0], valid: Validity::default() }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// Appends a string; what is not UTF-8 makes the batch fail.
    #[inline]
    pub fn push(&mut self, text: &[u8]) {
        self.data.extend_from_slice(text);
        self.close();
    }

    /// Ends the string whose bytes were put into [`Strings::open`].
    #[inline]
    pub fn close(&mut self) {
        self.ends.push(self.data.len() as i32);
        self.valid.push();
    }

    /// The buffer of the string being appended; [`Strings::close`] ends it.
    pub fn open(&mut self) -> &mut Vec<u8> {
        &mut self.data
    }

    /// The bytes of the last string.
    pub fn last(&self) -> &[u8] {
        let start = self.ends.len().checked_sub(2).map_or(0, |at| self.ends[at] as usize);
        &self.data[start..]
    }

    #[inline]
    pub(super) fn pad(&mut self, rows: usize) {
        if let Some(missing) = rows.checked_sub(self.len()).filter(|&m| m > 0) {
            self.valid.pad(rows - missing, missing);
            self.ends.resize(rows + 1, self.data.len() as i32);
        }
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        if self.len() > rows {
            self.ends.truncate(rows + 1);
            self.valid.truncate(rows);
        }
        // Bytes of a string that was opened and never closed go as well.
        self.data.truncate(self.ends[self.ends.len() - 1] as usize);
    }

    pub(super) fn take(&mut self) -> Result<StringArray> {
        let data = Vec::with_capacity(room(self.data.len()));
        let mut ends = Vec::with_capacity(room(self.ends.len()));
        ends.push(0);
        let offsets = OffsetBuffer::new(ScalarBuffer::from(std::mem::replace(&mut self.ends, ends)));
        let data = Buffer::from_vec(std::mem::replace(&mut self.data, data));
        Ok(StringArray::try_new(offsets, data, self.valid.take())?)
    }
}

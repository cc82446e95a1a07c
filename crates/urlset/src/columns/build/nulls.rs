//! Columns that nothing fills: however many, they stand on one run of zeros.

use std::sync::{Arc, LazyLock};

use arrow_array::types::{Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, DictionaryArray, ListArray, PrimitiveArray, StringArray, StructArray,
    new_null_array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;

use super::values::Strings;
use super::words::dictionary;
use crate::columns::BATCH_ROWS;

/// So many rows of nothing, which arrays of every type share. What takes time to check was checked once.
pub(super) struct Nothing {
    rows: usize,
    zeros: Buffer,
    none: NullBuffer,
    offsets: OffsetBuffer<i32>,
    texts: StringArray,
    words: DictionaryArray<Int32Type>,
}

impl Nothing {
    /// So many rows: those of a batch are part of the same for every batch.
    pub fn rows(rows: usize) -> Self {
        static BATCH: LazyLock<Nothing> = LazyLock::new(|| Nothing::new(BATCH_ROWS));
        if rows <= BATCH_ROWS { BATCH.slice(rows) } else { Self::new(rows) }
    }

    fn new(rows: usize) -> Self {
        let zeros = Buffer::from_vec(vec![0_i64; rows]);
        let none = NullBuffer::new_null(rows);
        let texts = StringArray::new_null(rows);
        let offsets = texts.offsets().clone();
        let keys = ScalarBuffer::new(zeros.clone(), 0, rows);
        let words = dictionary(keys, Some(none.clone()), Strings::new()).expect("null keys are sound");
        Self { rows, zeros, none, offsets, texts, words }
    }

    /// The first of the rows.
    fn slice(&self, rows: usize) -> Self {
        Self {
            rows,
            zeros: self.zeros.clone(),
            none: self.none.slice(0, rows),
            offsets: self.offsets.slice(0, rows),
            texts: self.texts.slice(0, rows),
            words: self.words.slice(0, rows),
        }
    }

    /// Null rows of a type.
    pub fn of(&self, ty: &DataType) -> ArrayRef {
        let none = Some(self.none.clone());
        match ty {
            DataType::Utf8 => Arc::new(self.texts.clone()),
            DataType::Dictionary(..) => Arc::new(self.words.clone()),
            DataType::Timestamp(_, zone) => {
                Arc::new(self.values::<TimestampMicrosecondType>().with_timezone_opt(zone.clone()))
            }
            DataType::Int64 => Arc::new(self.values::<Int64Type>()),
            DataType::Float64 => Arc::new(self.values::<Float64Type>()),
            DataType::Boolean => {
                Arc::new(BooleanArray::new(BooleanBuffer::new(self.zeros.clone(), 0, self.rows), none))
            }
            DataType::Struct(fields) => {
                let columns = fields.iter().map(|field| self.of(field.data_type())).collect();
                let made = StructArray::try_new_with_length(fields.clone(), columns, none, self.rows);
                Arc::new(made.expect("columns of as many rows"))
            }
            DataType::List(item) => {
                let items = Self::rows(0).of(item.data_type());
                Arc::new(ListArray::new(Arc::clone(item), self.offsets.clone(), items, none))
            }
            other => new_null_array(other, self.rows), // no column has it
        }
    }

    fn values<T: ArrowPrimitiveType>(&self) -> PrimitiveArray<T> {
        PrimitiveArray::new(ScalarBuffer::new(self.zeros.clone(), 0, self.rows), Some(self.none.clone()))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;
    use crate::schema::Schema;

    #[test]
    fn nulls_of_every_column_are_those_of_arrow() {
        for rows in [0, 1, 63, BATCH_ROWS, BATCH_ROWS + 1, 3 * BATCH_ROWS] {
            for field in Schema::standard().arrow().fields() {
                let ours = Nothing::rows(rows).of(field.data_type());
                assert_eq!(ours.data_type(), field.data_type());
                assert_eq!((ours.len(), ours.null_count()), (rows, rows), "{field}");
                ours.to_data().validate_full().expect("the array is sound");
                assert_eq!(&ours, &new_null_array(field.data_type(), rows), "{field}");
            }
        }
    }
}

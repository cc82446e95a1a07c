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
use crate::error::Result;

/// Rows for which zeros are kept: those of a batch, unless somebody wants longer ones.
const ROWS: usize = 16_384;

/// Null rows of a type.
pub(super) fn nulls(ty: &DataType, rows: usize) -> ArrayRef {
    static MOST: LazyLock<Option<Nothing>> = LazyLock::new(|| Nothing::new(ROWS).ok());
    let nothing = match &*MOST {
        Some(most) if rows <= ROWS => Some(most.slice(rows)),
        _ => Nothing::new(rows).ok(),
    };
    nothing.and_then(|nothing| nothing.of(ty)).unwrap_or_else(|| new_null_array(ty, rows))
}

/// So many rows of nothing, which arrays of every type share. What takes time to check was checked once.
#[derive(Clone)]
struct Nothing {
    rows: usize,
    zeros: Buffer,
    none: NullBuffer,
    offsets: OffsetBuffer<i32>,
    texts: StringArray,
    words: DictionaryArray<Int32Type>,
}

impl Nothing {
    fn new(rows: usize) -> Result<Self> {
        let zeros = Buffer::from_vec(vec![0_i64; rows]);
        let none = NullBuffer::new_null(rows);
        let texts = StringArray::new_null(rows);
        let offsets = texts.offsets().clone();
        let words = dictionary(ScalarBuffer::new(zeros.clone(), 0, rows), Some(none.clone()), Strings::new())?;
        Ok(Self { rows, zeros, none, offsets, texts, words })
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

    /// An array of a type; `None` of a type that no column has.
    fn of(&self, ty: &DataType) -> Option<ArrayRef> {
        let none = Some(self.none.clone());
        Some(match ty {
            DataType::Utf8 => Arc::new(self.texts.clone()),
            DataType::Dictionary(..) => Arc::new(self.words.clone()),
            DataType::Timestamp(_, zone) => {
                Arc::new(self.values::<TimestampMicrosecondType>()?.with_timezone_opt(zone.clone()))
            }
            DataType::Int64 => Arc::new(self.values::<Int64Type>()?),
            DataType::Float64 => Arc::new(self.values::<Float64Type>()?),
            DataType::Boolean => {
                Arc::new(BooleanArray::new(BooleanBuffer::new(self.zeros.clone(), 0, self.rows), none))
            }
            DataType::Struct(fields) => {
                let columns = fields.iter().map(|field| self.of(field.data_type())).collect::<Option<_>>()?;
                Arc::new(StructArray::try_new_with_length(fields.clone(), columns, none, self.rows).ok()?)
            }
            DataType::List(item) => {
                let items = self.slice(0).of(item.data_type())?;
                Arc::new(ListArray::try_new(Arc::clone(item), self.offsets.clone(), items, none).ok()?)
            }
            _ => return None,
        })
    }

    fn values<T: ArrowPrimitiveType>(&self) -> Option<PrimitiveArray<T>> {
        let zeros = ScalarBuffer::new(self.zeros.clone(), 0, self.rows);
        PrimitiveArray::try_new(zeros, Some(self.none.clone())).ok()
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;
    use crate::schema::Schema;

    #[test]
    fn nulls_of_every_column_are_those_of_arrow() {
        for rows in [0, 1, 63, ROWS, ROWS + 1, 3 * ROWS] {
            for field in Schema::standard().arrow().fields() {
                let ours = nulls(field.data_type(), rows);
                let of = Nothing::new(rows).expect("zeros are sound").of(field.data_type());
                assert!(of.is_some(), "{field} has a type of its own");
                assert_eq!(ours.data_type(), field.data_type());
                assert_eq!((ours.len(), ours.null_count()), (rows, rows), "{field}");
                ours.to_data().validate_full().expect("the array is sound");
                assert_eq!(&ours, &new_null_array(field.data_type(), rows), "{field}");
            }
        }
    }
}

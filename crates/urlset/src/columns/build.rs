//! Builders of one batch. Every column knows its own length: a column nobody sets is padded once, when the batch ends.

mod nulls;
mod values;
mod words;

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, RecordBatch, StructArray, TimestampMicrosecondArray,
};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields};

use crate::error::Result;
use crate::schema::{ColumnType, GroupId, Schema};
use nulls::Nothing;
pub use values::{Strings, Values};
use values::{Validity, room};
pub use words::{Dictionary, Forms};

/// One column of a batch.
#[derive(Debug)]
pub enum Builder {
    /// Strings.
    Utf8(Strings),
    /// Strings behind a dictionary.
    Dictionary(Dictionary),
    /// Date forms, with or without a dictionary.
    Form(Forms),
    /// Microseconds.
    Timestamp(Values<i64>),
    /// Floats.
    Float(Values<f64>),
    /// Integers.
    Int(Values<i64>),
    /// Booleans.
    Bool(Values<bool>),
    /// Structs.
    Struct(StructBuilder),
    /// Lists.
    List(Box<List>),
}

/// Lists: the items of the row being built wait at the end of the child.
#[derive(Debug)]
pub struct List {
    child: Builder,
    ends: Vec<i32>,
    valid: Validity,
}

impl List {
    #[inline]
    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    #[inline]
    fn last_end(&self) -> usize {
        self.ends[self.ends.len() - 1] as usize
    }

    /// How many items the row being built has.
    #[inline]
    pub fn open_items(&self) -> usize {
        self.child.len() - self.last_end()
    }

    /// The builder of the items.
    pub fn items(&mut self) -> &mut Builder {
        &mut self.child
    }

    fn close(&mut self, row: usize) {
        if self.open_items() > 0 {
            self.pad(row);
            self.ends.push(self.child.len() as i32);
            self.valid.push();
        }
    }

    #[inline]
    fn pad(&mut self, rows: usize) {
        if let Some(missing) = rows.checked_sub(self.len()).filter(|&m| m > 0) {
            let end = self.ends[self.ends.len() - 1];
            self.valid.pad(rows - missing, missing);
            self.ends.resize(rows + 1, end);
        }
    }

    fn truncate(&mut self, rows: usize) {
        if self.len() > rows {
            self.ends.truncate(rows + 1);
            self.valid.truncate(rows);
        }
        let end = self.last_end();
        self.child.truncate(end);
    }
}

/// The rows of a struct; the URL table itself is one.
#[derive(Debug)]
pub struct StructBuilder {
    columns: Vec<Option<Builder>>,
    len: usize,
    valid: Validity,
    touched: u64,
    /// Which columns are lists.
    lists: u64,
    width: usize,
}

impl StructBuilder {
    /// The builder of a group's columns. `wanted` says which columns of the outermost group are built at all.
    pub fn new(schema: &Schema, group: GroupId, wanted: Option<&[bool]>) -> Self {
        let column = |(at, column): (usize, &crate::schema::Column)| {
            let skip = wanted.is_some_and(|w| !w[at]);
            (!skip).then(|| Builder::new(schema, column.ty, column.list))
        };
        let columns: Vec<_> = schema.groups[group].columns.iter().enumerate().map(column).collect();
        let width = columns.iter().flatten().map(Builder::width).sum();
        let list = |at: usize| u64::from(matches!(columns[at], Some(Builder::List(_)))) << (at & 63);
        let lists = (0..columns.len()).fold(0, |lists, at| lists | list(at));
        Self { columns, len: 0, valid: Validity::default(), touched: 0, lists, width }
    }

    /// Bytes that a row takes in the end, whatever it holds; those of texts and list items come on top.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows finished.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no row is finished.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a column is built.
    pub fn wants(&self, column: usize) -> bool {
        self.columns[column].is_some()
    }

    /// Whether the row being built has a value in this column already.
    #[inline(always)]
    pub fn is_set(&self, column: usize) -> bool {
        self.touched & 1 << (column & 63) != 0 && self.has_value(column)
    }

    fn has_value(&self, column: usize) -> bool {
        match &self.columns[column] {
            None => false,
            Some(Builder::List(list)) => list.open_items() > 0,
            Some(builder) => builder.len() > self.len,
        }
    }

    /// The builder of a column, ready to take the value of the row being built; `None` when the column is not wanted.
    #[inline]
    pub fn column(&mut self, column: usize) -> Option<&mut Builder> {
        let builder = self.columns[column].as_mut()?;
        self.touched |= 1 << (column & 63);
        let ready = match builder {
            Builder::List(_) => true,
            Builder::Utf8(strings) => strings.len() >= self.len, // most are
            _ => builder.len() >= self.len,
        };
        if !ready {
            builder.pad(self.len);
        }
        Some(builder)
    }

    /// The struct, or the items, of a column that was made ready by [`StructBuilder::column`].
    #[inline]
    pub fn within(&mut self, column: usize) -> Option<&mut Self> {
        match self.columns[column].as_mut()? {
            Builder::Struct(group) => Some(group),
            Builder::List(list) => match &mut list.child {
                Builder::Struct(group) => Some(group),
                _ => None,
            },
            _ => None,
        }
    }

    /// The builder of a column as it is.
    pub fn peek(&self, column: usize) -> Option<&Builder> {
        self.columns[column].as_ref()
    }

    /// Ends the row being built.
    #[inline]
    pub fn commit(&mut self) {
        let row = self.len;
        self.touched &= self.lists;
        self.each_touched(|builder| {
            if let Builder::List(list) = builder {
                list.close(row);
            }
        });
        self.len += 1;
        self.valid.push();
    }

    /// Takes back whatever the row being built has so far.
    pub fn rollback(&mut self) {
        let row = self.len;
        self.each_touched(|builder| builder.truncate(row));
    }

    fn each_touched(&mut self, mut act: impl FnMut(&mut Builder)) {
        let touched = std::mem::take(&mut self.touched);
        if self.columns.len() > 64 {
            self.columns.iter_mut().flatten().for_each(act);
            return;
        }
        let mut rest = touched;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if let Some(builder) = self.columns[at].as_mut() {
                act(builder);
            }
        }
    }

    #[inline]
    fn pad(&mut self, rows: usize) {
        if let Some(missing) = rows.checked_sub(self.len).filter(|&m| m > 0) {
            self.valid.pad(self.len, missing);
            self.len = rows;
        }
    }

    fn truncate(&mut self, rows: usize) {
        if self.len > rows {
            self.len = rows;
            self.valid.truncate(rows);
        }
        self.touched = 0;
        let rows = self.len;
        self.columns.iter_mut().flatten().for_each(|builder| builder.truncate(rows));
    }

    /// The columns of the rows finished, in the order of `fields`; the builder starts anew.
    pub fn take(&mut self, fields: &Fields) -> Result<Vec<ArrayRef>> {
        let rows = std::mem::take(&mut self.len);
        self.touched = 0;
        let nothing = Nothing::rows(rows);
        let built = self.columns.iter_mut().flatten().zip(fields.iter());
        built.map(|(builder, field)| builder.take(rows, field, &nothing)).collect()
    }

    /// The rows finished as a batch; the builder starts anew.
    pub fn take_batch(&mut self, schema: &arrow_schema::SchemaRef) -> Result<RecordBatch> {
        let rows = self.len;
        self.valid.take();
        let arrays = self.take(schema.fields())?;
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options)?)
    }
}

impl Builder {
    fn new(schema: &Schema, ty: ColumnType, list: bool) -> Self {
        let inner = match ty {
            ColumnType::Utf8 => Self::Utf8(Strings::new()),
            ColumnType::Dictionary => Self::Dictionary(Dictionary::new()),
            ColumnType::Form => Self::Form(Forms::new(false)),
            ColumnType::NestedForm => Self::Form(Forms::new(true)),
            ColumnType::Timestamp => Self::Timestamp(Values::new()),
            ColumnType::Float => Self::Float(Values::new()),
            ColumnType::Int => Self::Int(Values::new()),
            ColumnType::Bool => Self::Bool(Values::new()),
            ColumnType::Struct(group) => Self::Struct(StructBuilder::new(schema, group, None)),
        };
        if list {
            Self::List(Box::new(List { child: inner, ends: vec![0], valid: Validity::default() }))
        } else {
            inner
        }
    }

    fn width(&self) -> usize {
        match self {
            Self::Bool(_) => 1,
            Self::Utf8(_) | Self::Dictionary(_) | Self::Form(_) | Self::List(_) => 4,
            Self::Timestamp(_) | Self::Float(_) | Self::Int(_) => 8,
            Self::Struct(b) => b.width,
        }
    }

    #[inline]
    fn len(&self) -> usize {
        match self {
            Self::Utf8(b) => b.len(),
            Self::Dictionary(b) => b.keys.values.len(),
            Self::Form(b) => b.keys.values.len(),
            Self::Timestamp(b) | Self::Int(b) => b.values.len(),
            Self::Float(b) => b.values.len(),
            Self::Bool(b) => b.values.len(),
            Self::Struct(b) => b.len,
            Self::List(b) => b.len(),
        }
    }

    #[inline]
    fn pad(&mut self, rows: usize) {
        match self {
            Self::Utf8(b) => b.pad(rows),
            Self::Dictionary(b) => b.keys.pad(rows),
            Self::Form(b) => b.keys.pad(rows),
            Self::Timestamp(b) | Self::Int(b) => b.pad(rows),
            Self::Float(b) => b.pad(rows),
            Self::Bool(b) => b.pad(rows),
            Self::Struct(b) => b.pad(rows),
            Self::List(b) => b.pad(rows),
        }
    }

    fn truncate(&mut self, rows: usize) {
        match self {
            Self::Utf8(b) => b.truncate(rows),
            Self::Dictionary(b) => b.keys.truncate(rows),
            Self::Form(b) => b.keys.truncate(rows),
            Self::Timestamp(b) | Self::Int(b) => b.truncate(rows),
            Self::Float(b) => b.truncate(rows),
            Self::Bool(b) => b.truncate(rows),
            Self::Struct(b) => b.truncate(rows),
            Self::List(b) => b.truncate(rows),
        }
    }

    fn take(&mut self, rows: usize, field: &Field, nothing: &Nothing) -> Result<ArrayRef> {
        if rows == 0 || self.len() == 0 {
            self.truncate(0);
            return Ok(nothing.of(field.data_type()));
        }
        self.pad(rows);
        Ok(match self {
            Self::Utf8(b) => Arc::new(b.take()?),
            Self::Dictionary(b) => Arc::new(b.take()?),
            Self::Form(b) => b.take()?,
            Self::Timestamp(b) => {
                let (values, valid) = b.take();
                Arc::new(TimestampMicrosecondArray::try_new(values.into(), valid)?.with_timezone("UTC"))
            }
            Self::Int(b) => {
                let (values, valid) = b.take();
                Arc::new(Int64Array::try_new(values.into(), valid)?)
            }
            Self::Float(b) => {
                let (values, valid) = b.take();
                Arc::new(Float64Array::try_new(values.into(), valid)?)
            }
            Self::Bool(b) => {
                let (values, valid) = b.take();
                Arc::new(BooleanArray::new(values.into(), valid))
            }
            Self::Struct(b) => {
                let fields = struct_fields(field.data_type());
                let valid = b.valid.take();
                Arc::new(StructArray::try_new_with_length(fields.clone(), b.take(&fields)?, valid, rows)?)
            }
            Self::List(b) => {
                let DataType::List(item) = field.data_type() else {
                    return Ok(nothing.of(field.data_type()));
                };
                let mut ends = Vec::with_capacity(room(b.ends.len()));
                ends.push(0);
                let offsets = OffsetBuffer::new(ScalarBuffer::from(std::mem::replace(&mut b.ends, ends)));
                let items = b.child.len();
                let child = b.child.take(items, item, &Nothing::rows(items))?;
                Arc::new(ListArray::try_new(Arc::clone(item), offsets, child, b.valid.take())?)
            }
        })
    }
}

fn struct_fields(ty: &DataType) -> Fields {
    match ty {
        DataType::Struct(fields) => fields.clone(),
        _ => Fields::empty(),
    }
}

//! The columns of a table, matched by name to the schema and made ready for row-wise use. Looks at no value.

use std::ops::Range;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Float64Array, Int32Array, Int64Array, StringArray,
    TimestampMicrosecondArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_cast::{CastOptions, can_cast_types, cast_with_options};
use arrow_schema::{DataType, Fields, TimeUnit};

use crate::error::{Error, ErrorKind, Result};
use crate::schema::{ColumnType, GroupId, Kind, Schema, URL_GROUP};
use crate::value::date::Form;

/// What the writer wants of a column.
#[derive(Debug)]
enum Want {
    Text,
    Choice(Vec<String>),
    Form,
    Date,
    Decimal,
    Integer,
    Flag,
    Struct(Layout),
    List(Box<Want>),
}

/// Where in a table or struct the columns of a group are.
#[derive(Debug)]
pub(super) struct Layout {
    /// One for each column of the group.
    slots: Vec<Option<Slot>>,
}

#[derive(Debug)]
struct Slot {
    at: usize,
    want: Want,
    path: String,
}

/// One column of one batch. `Absent` has a value in no row.
pub(super) enum Column {
    Absent,
    Text(StringArray),
    Dictionary {
        keys: Int32Array,
        values: StringArray,
    },
    Forms {
        keys: Int32Array,
        values: Vec<Option<Form>>,
        texts: StringArray,
    },
    /// Texts of which `known` tells the number of the word they are.
    Words {
        keys: Int32Array,
        known: Vec<Option<usize>>,
        texts: StringArray,
    },
    Instant(TimestampMicrosecondArray),
    Day(Date32Array),
    Float(Float64Array),
    Int(Int64Array),
    Flag(BooleanArray),
    Struct {
        nulls: Option<NullBuffer>,
        columns: Vec<Column>,
    },
    List {
        nulls: Option<NullBuffer>,
        offsets: Offsets,
        items: Box<Column>,
    },
    /// Some values had no place in the type used here: `given` tells where there was one.
    Lossy {
        given: Option<NullBuffer>,
        inner: Box<Column>,
    },
}

/// Where the items of each row begin and end.
pub(super) enum Offsets {
    Small(OffsetBuffer<i32>),
    Large(OffsetBuffer<i64>),
    Fixed(usize),
}

impl Layout {
    /// Matches the columns of a table. The second result names those that nothing is written of.
    ///
    /// Errors: [`ErrorKind::Schema`] for a column that is missing, stands twice, or has a type with no written form.
    pub(super) fn of_table(schema: &Schema, fields: &Fields, only: Option<&[&str]>) -> Result<(Self, Vec<String>)> {
        let group = &schema.groups[URL_GROUP];
        let mut ignored = Vec::new();
        let mut known = Vec::with_capacity(fields.len());
        for field in fields {
            let name = field.name().as_str();
            let wanted = group.columns.iter().any(|c| c.name == name) && only.is_none_or(|o| o.contains(&name));
            if name == "sitemap" {
                known.push(false);
                continue;
            }
            if !wanted {
                ignored.push(name.to_owned());
            }
            known.push(wanted);
        }
        let layout = Self::of_group(schema, URL_GROUP, fields, &known, "")?;
        Ok((layout, ignored))
    }

    fn of_group(schema: &Schema, group: GroupId, fields: &Fields, known: &[bool], path: &str) -> Result<Self> {
        let group = &schema.groups[group];
        let mut slots: Vec<Option<Slot>> = group.columns.iter().map(|_| None).collect();
        for (at, field) in fields.iter().enumerate().filter(|(at, _)| known[*at]) {
            let path = join(path, field.name());
            let Some(column) = group.columns.iter().position(|c| c.name == *field.name()) else {
                let names: Vec<_> = group.columns.iter().map(|c| c.name.as_str()).collect();
                return Err(refuse(format!("there is no field \"{path}\", one of {} was expected", names.join(", "))));
            };
            if slots[column].is_some() {
                return Err(refuse(format!("column \"{path}\" stands twice")));
            }
            let of = &group.columns[column];
            let Some(mut want) = want(schema, of.ty, of.list, field.data_type(), &path)? else { continue };
            let kind = group.fields.iter().find(|f| f.column == column).map(|f| &f.kind);
            if let (Want::Text, Some(Kind::Choice(words))) = (&want, kind) {
                want = Want::Choice(words.clone());
            }
            slots[column] = Some(Slot { at, want, path });
        }
        for field in group.fields.iter().filter(|f| f.required && f.assumed.is_none()) {
            if slots[field.column].is_none() {
                let needed = join(path, &group.columns[field.column].name);
                let names: Vec<_> = fields.iter().map(|f| f.name().as_str()).collect();
                return Err(refuse(format!("column \"{needed}\" is needed, there are {}", names.join(", "))));
            }
        }
        Ok(Self { slots })
    }

    /// Whether the table has this column of the group.
    pub(super) fn has(&self, column: usize) -> bool {
        self.slots[column].is_some()
    }

    /// The layout of the structs in a column.
    pub(super) fn inner(&self, column: usize) -> Option<&Self> {
        let mut want = &self.slots[column].as_ref()?.want;
        while let Want::List(item) = want {
            want = item;
        }
        match want {
            Want::Struct(layout) => Some(layout),
            _ => None,
        }
    }

    /// The columns of a batch or struct, one for each column of the group.
    pub(super) fn bind(&self, arrays: &[ArrayRef]) -> Result<Vec<Column>> {
        let one = |slot: &Option<Slot>| match slot {
            None => Ok(Column::Absent),
            Some(slot) => bind(&slot.want, &arrays[slot.at]).map_err(|e| match e.kind {
                ErrorKind::Arrow(what) => refuse(format!("column \"{}\": {what}", slot.path)),
                _ => e,
            }),
        };
        self.slots.iter().map(one).collect()
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}

fn refuse(why: String) -> Error {
    Error::new(ErrorKind::Schema(why))
}

const fn is_text(ty: &DataType) -> bool {
    matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn is_number(ty: &DataType) -> bool {
    ty.is_integer() || ty.is_floating() || ty.is_decimal()
}

/// The type of the values behind a dictionary or run ends.
fn plain(ty: &DataType) -> &DataType {
    match ty {
        DataType::Dictionary(_, values) => plain(values),
        DataType::RunEndEncoded(_, values) => plain(values.data_type()),
        other => other,
    }
}

/// What to do with an Arrow type where the schema has a column type; nothing for a column that is null throughout.
fn want(schema: &Schema, ty: ColumnType, list: bool, arrow: &DataType, path: &str) -> Result<Option<Want>> {
    let unfit = |expected: &str| refuse(format!("column \"{path}\" is of type {arrow}, {expected} was expected"));
    if *arrow == DataType::Null {
        return Ok(None);
    }
    if list {
        let item = match arrow {
            DataType::List(f) | DataType::LargeList(f) | DataType::FixedSizeList(f, _) => f,
            DataType::ListView(f) | DataType::LargeListView(f)
                if can_cast_types(arrow, &DataType::LargeList(f.clone())) =>
            {
                f
            }
            _ => return Err(unfit("a list")),
        };
        return Ok(want(schema, ty, false, item.data_type(), path)?.map(|item| Want::List(Box::new(item))));
    }
    let values = plain(arrow);
    if *values == DataType::Null {
        return Ok(None);
    }
    let text = is_text(values);
    Ok(Some(match ty {
        ColumnType::Utf8 | ColumnType::Dictionary if text || values.is_integer() => Want::Text,
        ColumnType::Form | ColumnType::NestedForm if text => Want::Form,
        ColumnType::Utf8 | ColumnType::Dictionary | ColumnType::Form | ColumnType::NestedForm => {
            return Err(unfit("a string"));
        }
        ColumnType::Timestamp
            if text || matches!(values, DataType::Timestamp(..) | DataType::Date32 | DataType::Date64) =>
        {
            Want::Date
        }
        ColumnType::Timestamp => return Err(unfit("a timestamp, a date or a string")),
        ColumnType::Float if text || is_number(values) => Want::Decimal,
        ColumnType::Float => return Err(unfit("a number")),
        ColumnType::Int if text || is_number(values) => Want::Integer,
        ColumnType::Int => return Err(unfit("a whole number")),
        ColumnType::Bool if text || *values == DataType::Boolean => Want::Flag,
        ColumnType::Bool => return Err(unfit("true or false")),
        ColumnType::Struct(group) => {
            let DataType::Struct(fields) = arrow else { return Err(unfit("a struct")) };
            Want::Struct(Layout::of_group(schema, group, fields, &vec![true; fields.len()], path)?)
        }
    }))
}

/// Values that have no place in the new type become null; [`guarded`] tells them from those that were null before.
fn cast(array: &ArrayRef, ty: &DataType) -> Result<ArrayRef> {
    Ok(cast_with_options(array, ty, &CastOptions { safe: true, ..CastOptions::default() })?)
}

/// A column, marked where a cast lost values.
fn guarded(given: &ArrayRef, cast: &ArrayRef, column: Column) -> Column {
    if cast.logical_null_count() == given.logical_null_count() {
        return column;
    }
    Column::Lossy { given: given.logical_nulls(), inner: Box::new(column) }
}

fn bind(want: &Want, array: &ArrayRef) -> Result<Column> {
    let ty = array.data_type();
    match (want, ty) {
        (_, DataType::Null) => Ok(Column::Absent),
        (Want::Text | Want::Choice(_) | Want::Form, _) => text(want, array),
        (_, DataType::Dictionary(_, values)) if is_text(values) => text(want, array),
        (Want::List(item), _) => list(item, array),
        (Want::Struct(layout), _) => {
            let Some(array) = array.as_struct_opt() else { return Ok(Column::Absent) };
            Ok(Column::Struct { nulls: array.nulls().cloned(), columns: layout.bind(array.columns())? })
        }
        (_, DataType::Dictionary(..) | DataType::RunEndEncoded(..)) => bind(want, &cast(array, plain(ty))?),
        (_, ty) if is_text(ty) => text(want, array),
        (Want::Flag, _) => Ok(Column::Flag(array.as_boolean().clone())),
        (Want::Date, DataType::Date32) => Ok(Column::Day(array.as_primitive::<Date32Type>().clone())),
        (Want::Date, DataType::Date64) => {
            let days = cast(array, &DataType::Date32)?;
            Ok(guarded(array, &days, Column::Day(days.as_primitive::<Date32Type>().clone())))
        }
        (Want::Date, DataType::Timestamp(TimeUnit::Microsecond, _)) => {
            Ok(Column::Instant(array.as_primitive::<TimestampMicrosecondType>().clone()))
        }
        (Want::Date, DataType::Timestamp(_, zone)) => {
            // The same zone: the instant stays what it is.
            let micros = cast(array, &DataType::Timestamp(TimeUnit::Microsecond, zone.clone()))?;
            let column = Column::Instant(micros.as_primitive::<TimestampMicrosecondType>().clone());
            Ok(guarded(array, &micros, column))
        }
        (Want::Integer, ty) if ty.is_integer() => {
            let whole = cast(array, &DataType::Int64)?;
            Ok(guarded(array, &whole, Column::Int(whole.as_primitive::<Int64Type>().clone())))
        }
        (_, DataType::Float16 | DataType::Float32) => Ok(Column::Float(widened(array)?)),
        _ => {
            let float = cast(array, &DataType::Float64)?;
            Ok(guarded(array, &float, Column::Float(float.as_primitive::<Float64Type>().clone())))
        }
    }
}

/// The doubles nearest to what short floats say in decimals: 0.8 stays 0.8 and does not become 0.800000011920929.
fn widened(array: &ArrayRef) -> Result<Float64Array> {
    let array = cast(array, &DataType::Float32)?;
    let array = array.as_primitive::<arrow_array::types::Float32Type>();
    Ok(array.unary(|value| value.to_string().parse().unwrap_or(f64::NAN)))
}

fn text(want: &Want, array: &ArrayRef) -> Result<Column> {
    match array.data_type() {
        DataType::Utf8 => Ok(Column::Text(array.as_string::<i32>().clone())),
        DataType::Dictionary(_, values) if is_text(values) => {
            let dictionary = array.as_any_dictionary();
            // A slice of a large table carries the dictionary of the whole: what is not used here is not looked at.
            if dictionary.values().len() > array.len().max(64) {
                return text(want, &arrow_select::take::take(dictionary.values(), dictionary.keys(), None)?);
            }
            let keys = cast_keys(dictionary.keys())?;
            let values = cast_text(dictionary.values())?;
            let texts = values.iter();
            if matches!(want, Want::Form) {
                let parsed = texts.map(|text| text.and_then(Form::parse)).collect();
                return Ok(Column::Forms { keys, values: parsed, texts: values });
            }
            if let Want::Choice(words) = want {
                let known = texts.map(|text| words.iter().position(|word| Some(word.as_str()) == text)).collect();
                return Ok(Column::Words { keys, known, texts: values });
            }
            Ok(Column::Dictionary { keys, values })
        }
        ty => {
            let plain_type = plain(ty).clone();
            let array = if *ty == plain_type { array.clone() } else { cast(array, &plain_type)? };
            Ok(Column::Text(cast_text(&array)?))
        }
    }
}

fn cast_keys(keys: &dyn Array) -> Result<Int32Array> {
    let keys = cast_with_options(keys, &DataType::Int32, &CastOptions { safe: false, ..CastOptions::default() })?;
    Ok(keys.as_primitive::<Int32Type>().clone())
}

/// Texts with short offsets. A slice of a large table may lie beyond what they reach, so that its texts are copied.
fn cast_text(array: &ArrayRef) -> Result<StringArray> {
    fn copied<'a>(texts: impl Iterator<Item = Option<&'a str>> + Clone) -> Result<StringArray> {
        let bytes: usize = texts.clone().flatten().map(str::len).sum();
        if i32::try_from(bytes).is_err() {
            let why = "a batch holds more than 2 GiB of text, smaller batches were expected";
            return Err(Error::new(ErrorKind::Arrow(why.into())));
        }
        let mut out = StringBuilder::with_capacity(texts.size_hint().0, bytes);
        out.extend(texts);
        Ok(out.finish())
    }
    match array.data_type() {
        DataType::Utf8 => Ok(array.as_string::<i32>().clone()),
        DataType::LargeUtf8 => copied(array.as_string::<i64>().iter()),
        DataType::Utf8View => copied(array.as_string_view().iter()),
        _ => {
            let options = CastOptions { safe: false, ..CastOptions::default() };
            Ok(cast_with_options(array, &DataType::Utf8, &options)?.as_string::<i32>().clone())
        }
    }
}

fn list(item: &Want, array: &ArrayRef) -> Result<Column> {
    let nulls = array.nulls().cloned();
    let (offsets, values, used) = match array.data_type() {
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            let offsets = list.offsets().clone();
            let used = offsets[0] as usize..offsets[offsets.len() - 1] as usize;
            (Offsets::Small(offsets), list.values(), used)
        }
        DataType::LargeList(_) => {
            let list = array.as_list::<i64>();
            let offsets = list.offsets().clone();
            let used = offsets[0] as usize..offsets[offsets.len() - 1] as usize;
            (Offsets::Large(offsets), list.values(), used)
        }
        DataType::FixedSizeList(_, size) => {
            let size = *size as usize;
            (Offsets::Fixed(size), array.as_fixed_size_list().values(), 0..array.len() * size)
        }
        DataType::ListView(f) | DataType::LargeListView(f) => {
            return list(item, &cast(array, &DataType::LargeList(f.clone()))?);
        }
        _ => return Ok(Column::Absent),
    };
    // Only the items of these rows: a slice of a large table carries the items of the whole.
    let items = bind(item, &values.slice(used.start, used.len()))?;
    Ok(Column::List { nulls, offsets, items: Box::new(items) })
}

impl Column {
    /// Whether the row has a value.
    #[inline]
    pub(super) fn has(&self, row: usize) -> bool {
        match self {
            Self::Absent => false,
            Self::Text(a) => a.is_valid(row),
            Self::Dictionary { keys, values } => keys.is_valid(row) && values.is_valid(keys.value(row) as usize),
            Self::Forms { keys, texts, .. } | Self::Words { keys, texts, .. } => {
                keys.is_valid(row) && texts.is_valid(keys.value(row) as usize)
            }
            Self::Instant(a) => a.is_valid(row),
            Self::Day(a) => a.is_valid(row),
            Self::Float(a) => a.is_valid(row),
            Self::Int(a) => a.is_valid(row),
            Self::Flag(a) => a.is_valid(row),
            Self::Struct { nulls, .. } | Self::List { nulls, .. } | Self::Lossy { given: nulls, .. } => {
                nulls.as_ref().is_none_or(|n| n.is_valid(row))
            }
        }
    }

    /// The text of a row, of a column that holds texts and has a value there.
    #[inline]
    pub(super) fn text(&self, row: usize) -> Option<&str> {
        match self {
            Self::Text(a) => Some(a.value(row)),
            Self::Dictionary { keys, values } => Some(values.value(keys.value(row) as usize)),
            Self::Forms { keys, texts, .. } | Self::Words { keys, texts, .. } => {
                Some(texts.value(keys.value(row) as usize))
            }
            _ => None,
        }
    }

    /// The items of a row, of a list that has a value there.
    #[inline]
    pub(super) fn items(&self, row: usize) -> Option<(&Column, Range<usize>)> {
        let Self::List { offsets, items, .. } = self else { return None };
        let range = match offsets {
            Offsets::Small(o) => (o[row] - o[0]) as usize..(o[row + 1] - o[0]) as usize,
            Offsets::Large(o) => (o[row] - o[0]) as usize..(o[row + 1] - o[0]) as usize,
            Offsets::Fixed(size) => row * size..(row + 1) * size,
        };
        Some((items, range))
    }

    /// The columns of a struct.
    #[inline]
    pub(super) fn columns(&self) -> &[Column] {
        match self {
            Self::Struct { columns, .. } => columns,
            _ => &[],
        }
    }
}

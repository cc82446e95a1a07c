//! Columns of texts in the shape of the URL table, filled value by value. Judges no value: whoever writes the rows does.

mod place;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use arrow_array::{ArrayRef, ListArray, RecordBatch, StringArray, StructArray, new_null_array};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields, SchemaRef};
use urlset::schema::{ColumnType, GroupId, Schema, URL_GROUP};
use urlset::value::date::{Form, format};

pub(crate) use place::{Path, Wrong};

/// Of names that no column has, how many are told.
const MAX_IGNORED: usize = 1_000;
/// Bytes of text after which a batch is handed on, whatever its rows.
const MAX_BATCH_BYTES: usize = 4 << 20;
/// Bytes of text in one row at most: offsets of a batch have 31 bits, and no file takes such a row.
const MAX_ROW_BYTES: usize = 64 << 20;

/// What a column takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Strings.
    Text,
    /// Numbers, also as text.
    Number,
    /// True or false, also as `yes` and `no`.
    Flag,
    /// Dates and instants, also as text.
    Date,
}

impl Takes {
    /// For messages.
    pub(crate) const fn expected(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Number => "a number",
            Self::Flag => "true or false",
            Self::Date => "a date, a datetime or a string",
        }
    }
}

/// A date that waits for the form in which it is to be written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moment {
    /// Days since 1970.
    Day(i64),
    /// Microseconds since 1970, UTC.
    Instant(i64),
}

/// Strings that know their own number: rows nobody set are padded when they are noticed.
#[derive(Debug)]
struct Strings {
    data: Vec<u8>,
    ends: Vec<i32>,
    valid: BooleanBufferBuilder,
    /// Bytes in all columns of the batch.
    meter: Meter,
}

type Meter = Arc<AtomicUsize>;

impl Strings {
    fn new(meter: &Meter) -> Self {
        Self { data: Vec::new(), ends: vec![0], valid: BooleanBufferBuilder::new(0), meter: Arc::clone(meter) }
    }

    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    fn close(&mut self) {
        self.ends.push(self.data.len() as i32);
        self.valid.append(true);
    }

    fn pad(&mut self, rows: usize) {
        if let Some(missing) = rows.checked_sub(self.len()).filter(|&m| m > 0) {
            self.ends.resize(rows + 1, self.data.len() as i32);
            self.valid.append_n(missing, false);
        }
    }

    fn take(&mut self) -> Result<StringArray, ArrowError> {
        let data = std::mem::take(&mut self.data);
        let ends = std::mem::replace(&mut self.ends, vec![0]);
        StringArray::try_new(
            OffsetBuffer::new(ScalarBuffer::from(ends)),
            Buffer::from_vec(data),
            nulls(&mut self.valid),
        )
    }
}

fn nulls(valid: &mut BooleanBufferBuilder) -> Option<NullBuffer> {
    let buffer = NullBuffer::new(valid.finish());
    (buffer.null_count() > 0).then_some(buffer)
}

/// One column.
#[derive(Debug)]
pub(crate) enum Node {
    /// A single value.
    Value(Value),
    /// A value with children.
    Struct(Struct),
    /// Any number of either.
    List(Box<List>),
}

/// Single values, as text.
#[derive(Debug)]
pub(crate) struct Value {
    /// What it takes.
    pub(crate) takes: Takes,
    texts: Strings,
    /// A date of the row that is open.
    pending: Option<Moment>,
    /// The form of that date.
    form: Option<String>,
}

/// Values with children.
#[derive(Debug)]
pub(crate) struct Struct {
    names: HashMap<String, Target>,
    fields: Fields,
    pub(crate) children: Vec<Node>,
    dates: Vec<usize>,
    /// The child that is needed, where one alone is.
    needed: Option<usize>,
    /// Of each child, whether a row or header has named it.
    asked: Vec<bool>,
    valid: BooleanBufferBuilder,
}

/// Lists.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) item: Node,
    field: Arc<Field>,
    ends: Vec<i32>,
    valid: BooleanBufferBuilder,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A child.
    Column(usize),
    /// The form in which a child's date is written.
    Form(usize),
    /// Nothing, and nothing is said: what a read adds to a row of its own accord.
    Silent,
}

impl Node {
    fn len(&self) -> usize {
        match self {
            Self::Value(value) => value.texts.len(),
            Self::Struct(inner) => inner.valid.len(),
            Self::List(list) => list.ends.len() - 1,
        }
    }

    /// Brings the column to this number of rows.
    pub(crate) fn pad(&mut self, rows: usize) {
        match self {
            Self::Value(value) => value.texts.pad(rows),
            Self::Struct(inner) => {
                if let Some(missing) = rows.checked_sub(inner.valid.len()).filter(|&m| m > 0) {
                    inner.valid.append_n(missing, false);
                }
            }
            Self::List(list) => {
                if let Some(missing) = rows.checked_sub(list.ends.len() - 1).filter(|&m| m > 0) {
                    list.ends.resize(rows + 1, list.ends[list.ends.len() - 1]);
                    list.valid.append_n(missing, false);
                }
            }
        }
    }

    fn take(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Value(value) => Arc::new(value.texts.take()?),
            Self::Struct(inner) => {
                let rows = inner.valid.len();
                inner.children.iter_mut().for_each(|child| child.pad(rows));
                let arrays = inner.children.iter_mut().map(Self::take).collect::<Result<_, _>>()?;
                Arc::new(StructArray::try_new(inner.fields.clone(), arrays, nulls(&mut inner.valid))?)
            }
            Self::List(list) => {
                let ends = std::mem::replace(&mut list.ends, vec![0]);
                let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
                let items = list.item.take()?;
                Arc::new(ListArray::try_new(Arc::clone(&list.field), offsets, items, nulls(&mut list.valid))?)
            }
        })
    }
}

impl Value {
    /// Appends a text as row `row`.
    #[inline]
    pub(crate) fn text(&mut self, row: usize, text: &str) {
        self.write(row, |out| out.extend_from_slice(text.as_bytes()));
    }

    /// Appends what a function writes, UTF-8, as row `row`.
    #[inline]
    pub(crate) fn write(&mut self, row: usize, write: impl FnOnce(&mut Vec<u8>)) {
        self.texts.pad(row);
        // A name that stands twice in a row: the first is kept.
        if self.texts.len() == row && self.texts.meter.load(Relaxed) <= MAX_BATCH_BYTES + MAX_ROW_BYTES {
            let start = self.texts.data.len();
            write(&mut self.texts.data);
            self.texts.close();
            // No other thread is at it: a plain addition, without a lock.
            let added = self.texts.data.len() - start + size_of::<i32>();
            self.texts.meter.store(self.texts.meter.load(Relaxed) + added, Relaxed);
        }
    }

    /// Keeps a date until the row is complete.
    #[inline]
    pub(crate) fn moment(&mut self, moment: Moment) {
        self.pending = Some(moment);
    }

    /// Writes the date that waits. Gives back the form where it is none.
    fn settle(&mut self, row: usize) -> Option<String> {
        let form = self.form.take();
        let moment = self.pending.take()?;
        let asked = form.as_deref().filter(|text| !text.trim().is_empty());
        let parsed = asked.and_then(Form::parse);
        if asked.is_some() && parsed.is_none() {
            return form;
        }
        let (micros, form) = match moment {
            Moment::Day(day) => (day * 86_400_000_000, parsed.unwrap_or(Form::DATE)),
            // Without a form an instant is written in whole seconds.
            Moment::Instant(micros) if parsed.is_none() => (micros - micros.rem_euclid(1_000_000), Form::SECONDS_Z),
            Moment::Instant(micros) => (micros, parsed.unwrap_or(Form::SECONDS_Z)),
        };
        self.write(row, |out| {
            if !format(micros, form, out) {
                // Python's years go from 1 to 9999, but a zone may lead beyond: the text says so to whoever refuses it.
                out.extend_from_slice(format!("{micros} microseconds since 1970").as_bytes());
            }
        });
        None
    }
}

impl Struct {
    fn of(schema: &Schema, group: GroupId, meter: &Meter) -> Self {
        let columns = &schema.groups[group].columns;
        let (mut names, mut fields, mut children, mut dates) = (HashMap::new(), Vec::new(), Vec::new(), Vec::new());
        let mut required = Vec::new();
        let is_required = |at| schema.groups[group].fields.iter().any(|field| field.column == at && field.required);
        for (at, column) in columns.iter().enumerate() {
            let target = match column.ty {
                // The form comes right behind its date.
                ColumnType::Form | ColumnType::NestedForm => Target::Form(children.len().saturating_sub(1)),
                _ if group == URL_GROUP && column.name == "sitemap" => Target::Silent,
                _ => Target::Column(children.len()),
            };
            names.insert(column.name.clone(), target);
            if !matches!(target, Target::Column(_)) {
                continue;
            }
            let takes = match column.ty {
                ColumnType::Timestamp => Takes::Date,
                ColumnType::Float | ColumnType::Int => Takes::Number,
                ColumnType::Bool => Takes::Flag,
                _ => Takes::Text,
            };
            let followed =
                columns.get(at + 1).is_some_and(|c| matches!(c.ty, ColumnType::Form | ColumnType::NestedForm));
            if takes == Takes::Date && followed && !column.list {
                dates.push(children.len());
            }
            let single = match column.ty {
                ColumnType::Struct(inner) => Node::Struct(Self::of(schema, inner, meter)),
                _ => Node::Value(Value { takes, texts: Strings::new(meter), pending: None, form: None }),
            };
            let node = if column.list {
                let field = Arc::new(Field::new("item", data_type(&single), false));
                let ends = vec![0];
                Node::List(Box::new(List { item: single, field, ends, valid: BooleanBufferBuilder::new(0) }))
            } else {
                single
            };
            if is_required(at) {
                required.push(children.len());
            }
            fields.push(Field::new(&column.name, data_type(&node), true));
            children.push(node);
        }
        let needed = if let [one] = required[..] { Some(one) } else { None };
        let asked = vec![false; children.len()];
        Self { names, fields: fields.into(), children, dates, needed, asked, valid: BooleanBufferBuilder::new(0) }
    }

    /// What a name stands for; `None` where no column has it.
    #[inline]
    pub(crate) fn target(&mut self, name: &str) -> Option<Target> {
        let target = self.names.get(name).copied();
        if let Some(Target::Column(child)) = target {
            self.asked[child] = true;
        }
        target
    }

    /// Whether a row or header has named a column.
    pub(crate) fn has(&self, name: &str) -> bool {
        matches!(self.names.get(name), Some(Target::Column(child)) if self.asked[*child])
    }

    /// Takes a text alone as the value of the only child that is needed: an image is its address. False where several
    /// are needed, or none.
    pub(crate) fn alone(&mut self, row: usize, text: &str) -> bool {
        let Some(Node::Value(_)) = self.needed.map(|child| &self.children[child]) else { return false };
        self.open(row);
        if let Some(Node::Value(value)) = self.needed.map(|child| &mut self.children[child]) {
            value.text(row, text);
        }
        self.close(row);
        true
    }

    /// Notes a name that no column has.
    #[cold]
    pub(crate) fn ignore(&mut self, ignored: &mut Vec<String>, path: &Path, name: &str) {
        if ignored.len() < MAX_IGNORED {
            ignored.push(path.name(name).text(false));
            self.names.insert(name.to_owned(), Target::Silent);
        }
    }

    /// The field of a child.
    #[inline]
    pub(crate) fn field(&self, child: usize) -> Arc<Field> {
        Arc::clone(&self.fields[child])
    }

    /// Begins row `row`.
    pub(crate) fn open(&mut self, row: usize) {
        if let Some(missing) = row.checked_sub(self.valid.len()).filter(|&m| m > 0) {
            self.valid.append_n(missing, false);
        }
        if self.valid.len() == row {
            self.valid.append(true);
        }
        // What a row left behind that was given up on its way.
        for &at in &self.dates {
            if let Node::Value(value) = &mut self.children[at] {
                (value.pending, value.form) = (None, None);
            }
        }
    }

    /// Sets the form in which a child's date is written.
    pub(crate) fn form(&mut self, child: usize, form: &str) {
        if let Node::Value(value) = &mut self.children[child] {
            value.form = Some(form.to_owned());
        }
    }

    /// Ends row `row`. Gives back the first form that is none, and the name of its column.
    #[inline]
    pub(crate) fn close(&mut self, row: usize) -> Option<(String, String)> {
        let mut bad = None;
        for &at in &self.dates {
            if let Node::Value(value) = &mut self.children[at]
                && let Some(form) = value.settle(row)
            {
                bad.get_or_insert((self.fields[at].name().clone(), form));
            }
        }
        bad
    }
}

impl List {
    /// The number of the next item.
    pub(crate) fn next(&self) -> usize {
        self.item.len()
    }

    /// Ends the list of row `row`, which began at item `start`.
    pub(crate) fn close(&mut self, row: usize, start: usize) {
        let (rows, items) = (self.ends.len() - 1, self.item.len());
        if rows > row {
            // A name that stands twice in a row: one list of both.
            self.ends[row + 1] = items as i32;
            return;
        }
        if rows < row {
            // Items of a row that was given up on its way belong to that row, which will be left out.
            self.ends.resize(row + 1, start as i32);
            self.valid.append_n(row - rows, false);
        } else {
            self.ends[row] = start as i32;
        }
        self.ends.push(items as i32);
        self.valid.append(true);
    }
}

fn data_type(node: &Node) -> DataType {
    match node {
        Node::Value(_) => DataType::Utf8,
        Node::Struct(inner) => DataType::Struct(inner.fields.clone()),
        Node::List(list) => DataType::List(Arc::clone(&list.field)),
    }
}

/// The columns of a table, and the rows of it that had to be left out.
#[derive(Debug)]
pub(crate) struct Texts {
    /// The columns.
    pub(crate) top: Struct,
    /// Rows of the open batch.
    pub(crate) rows: usize,
    /// Names that no column has, by their paths, in the order of appearance.
    pub(crate) ignored: Vec<String>,
    schema: SchemaRef,
    dropped: Vec<usize>,
    meter: Meter,
}

impl Texts {
    pub(crate) fn new(schema: &Schema) -> Self {
        let meter = Meter::default();
        let top = Struct::of(schema, URL_GROUP, &meter);
        let arrow = Arc::new(arrow_schema::Schema::new(top.fields.clone()));
        Self { top, rows: 0, ignored: Vec::new(), schema: arrow, dropped: Vec::new(), meter }
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Whether the open row is larger than a row may be: values beyond that were not kept.
    pub(crate) fn too_large(&self) -> bool {
        self.meter.load(Relaxed) > MAX_BATCH_BYTES + MAX_ROW_BYTES
    }

    /// Ends the open row, and leaves it out where it is not good.
    pub(crate) fn end_row(&mut self, good: bool) {
        if !good {
            self.dropped.push(self.rows);
        }
        self.rows += 1;
    }

    /// Whether the batch is large enough.
    pub(crate) fn full(&self, rows: usize) -> bool {
        self.rows >= rows || self.meter.load(Relaxed) > MAX_BATCH_BYTES
    }

    /// The rows so far.
    pub(crate) fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let rows = std::mem::take(&mut self.rows);
        self.meter.store(0, Relaxed);
        let column = |(node, field): (&mut Node, &Arc<Field>)| {
            if node.len() == 0 {
                return Ok(new_null_array(field.data_type(), rows));
            }
            node.pad(rows);
            node.take()
        };
        let columns: Vec<_> =
            self.top.children.iter_mut().zip(&self.top.fields).map(column).collect::<Result<_, _>>()?;
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)?;
        if self.dropped.is_empty() {
            return Ok(batch);
        }
        let mut keep = vec![true; rows];
        self.dropped.drain(..).for_each(|row| keep[row] = false);
        arrow_select::filter::filter_record_batch(&batch, &keep.into())
    }
}

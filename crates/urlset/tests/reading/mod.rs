//! A file read to rows and faults that tests can compare. Checks nothing itself but that reading never fails.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use urlset::codes::{Code, Fault};
use urlset::read::{Kind, Options, Reader};

/// What reading gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Each row as its columns that are not null: `loc: https://a.example/ | priority: 0.5`.
    pub rows: Vec<String>,
    /// The addresses alone.
    pub locs: Vec<String>,
    pub faults: Vec<Fault>,
    pub kind: Option<Kind>,
    pub complete: bool,
}

impl Reading {
    pub fn codes(&self) -> Vec<&'static str> {
        self.faults.iter().map(|f| f.code.rule().code).collect()
    }

    pub fn has(&self, code: Code) -> bool {
        self.faults.iter().any(|f| f.code == code)
    }
}

/// Reads a file as it stands.
pub fn read(file: &[u8]) -> Reading {
    read_with(file, &[usize::MAX], Options::default())
}

/// Reads a file in the chunks that `sizes` says, over and over.
pub fn read_with(file: &[u8], sizes: &[usize], options: Options) -> Reading {
    let mut reader = Reader::new(options).expect("the options are good");
    let (mut rows, mut locs, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let mut take = |reader: &mut Reader| {
        for batch in reader.take_batches() {
            rows_of(&batch, &mut rows, &mut locs);
        }
        faults.extend(reader.take_faults());
    };
    let mut rest = file;
    for size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (now, later) = rest.split_at((*size).clamp(1, rest.len()));
        reader.feed(now).expect("a bad file is no error");
        take(&mut reader);
        rest = later;
    }
    reader.finish(false).expect("a bad file is no error");
    take(&mut reader);
    assert_eq!(reader.rows(), rows.len() as u64);
    Reading { rows, locs, faults, kind: reader.kind(), complete: reader.complete() }
}

fn rows_of(batch: &RecordBatch, rows: &mut Vec<String>, locs: &mut Vec<String>) {
    let schema = batch.schema();
    for row in 0..batch.num_rows() {
        let shown = |at: usize| batch.column(at).is_valid(row).then(|| shown(batch.column(at), row));
        let parts =
            (0..batch.num_columns()).filter_map(|at| Some(format!("{}: {}", schema.field(at).name(), shown(at)?)));
        rows.push(parts.collect::<Vec<_>>().join(" | "));
        locs.extend(shown(0));
    }
}

/// One value as text; times as microseconds, null as `-`.
fn shown(array: &ArrayRef, row: usize) -> String {
    if array.is_null(row) {
        return "-".into();
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::Dictionary(..) => {
            let words = array.as_dictionary::<Int32Type>();
            shown(words.values(), words.keys().value(row) as usize)
        }
        DataType::Timestamp(..) => array.as_primitive::<TimestampMicrosecondType>().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns();
            let parts = fields.iter().zip(columns).map(|(f, c)| format!("{}: {}", f.name(), shown(c, row)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            let parts = (0..items.len()).map(|at| shown(&items, at));
            format!("[{}]", parts.collect::<Vec<_>>().join(", "))
        }
        other => unreachable!("no column is of type {other}"),
    }
}

//! Arrow values to Python values, so that rows need no Arrow library. Never raises over a value, only over a type it does not know.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayAccessor, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString};

type Values<'py> = Vec<Bound<'py, PyAny>>;

const MICROS: i64 = 1_000_000;
const DAY: i64 = 86_400;

/// One dict a row, with every column but those left out.
pub fn dicts<'py>(py: Python<'py>, batch: &RecordBatch, leave_out: &[String]) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let mut columns = Vec::new();
    let blank = PyDict::new(py);
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        if leave_out.contains(field.name()) {
            continue;
        }
        let name = PyString::intern(py, field.name());
        blank.set_item(&name, py.None())?;
        // A column without values costs nothing a row: copies of the blank have it already.
        if column.null_count() < column.len() {
            columns.push((name, values(py, column)?, column));
        }
    }
    let mut out = Vec::with_capacity(batch.num_rows());
    for row in 0..batch.num_rows() {
        let dict = blank.copy()?;
        for (name, values, column) in &columns {
            if column.is_valid(row) {
                dict.set_item(name, &values[row])?;
            }
        }
        out.push(dict);
    }
    Ok(out)
}

/// Makes a value of each item of an array.
fn each<'py, A: ArrayAccessor>(
    py: Python<'py>,
    array: A,
    mut make: impl FnMut(A::Item) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Values<'py>> {
    let one = |at| if array.is_null(at) { Ok(py.None().into_bound(py)) } else { make(array.value(at)) };
    (0..array.len()).map(one).collect()
}

/// The values of a column: None for null, aware `datetime` in UTC for an instant with a zone, naive for one without.
/// An instant that a `datetime` cannot hold (years beyond 9999) is None; the column still has it.
pub fn values<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Values<'py>> {
    let number = |n: i64| Ok(PyInt::new(py, n).into_any());
    let unsigned = |n: u64| Ok(PyInt::new(py, n).into_any());
    let float = |n: f64| Ok(PyFloat::new(py, n).into_any());
    let text = |s: &str| Ok(PyString::new(py, s).into_any());
    let bytes = |b: &[u8]| Ok(PyBytes::new(py, b).into_any());
    match array.data_type() {
        DataType::Null => Ok(vec![py.None().into_bound(py); array.len()]),
        DataType::Utf8 => each(py, array.as_string::<i32>(), text),
        DataType::LargeUtf8 => each(py, array.as_string::<i64>(), text),
        DataType::Utf8View => each(py, array.as_string_view(), text),
        DataType::Binary => each(py, array.as_binary::<i32>(), bytes),
        DataType::LargeBinary => each(py, array.as_binary::<i64>(), bytes),
        DataType::Boolean => each(py, array.as_boolean(), |b: bool| Ok(PyBool::new(py, b).to_owned().into_any())),
        DataType::Int8 => each(py, array.as_primitive::<Int8Type>(), |n: i8| number(n.into())),
        DataType::Int16 => each(py, array.as_primitive::<Int16Type>(), |n: i16| number(n.into())),
        DataType::Int32 => each(py, array.as_primitive::<Int32Type>(), |n: i32| number(n.into())),
        DataType::Int64 => each(py, array.as_primitive::<Int64Type>(), number),
        DataType::UInt8 => each(py, array.as_primitive::<UInt8Type>(), |n: u8| number(n.into())),
        DataType::UInt16 => each(py, array.as_primitive::<UInt16Type>(), |n: u16| number(n.into())),
        DataType::UInt32 => each(py, array.as_primitive::<UInt32Type>(), |n: u32| number(n.into())),
        DataType::UInt64 => each(py, array.as_primitive::<UInt64Type>(), unsigned),
        DataType::Float32 => each(py, array.as_primitive::<Float32Type>(), |n: f32| float(n.into())),
        DataType::Float64 => each(py, array.as_primitive::<Float64Type>(), float),
        DataType::Date32 => {
            let mut clock = Clock::new(py, false)?;
            each(py, array.as_primitive::<Date32Type>(), |days: i32| clock.date(days))
        }
        DataType::Timestamp(unit, zone) => {
            let mut clock = Clock::new(py, zone.is_some())?;
            match unit {
                TimeUnit::Second => {
                    each(py, array.as_primitive::<TimestampSecondType>(), |n: i64| clock.at(n.checked_mul(MICROS)))
                }
                TimeUnit::Millisecond => {
                    each(py, array.as_primitive::<TimestampMillisecondType>(), |n: i64| clock.at(n.checked_mul(1_000)))
                }
                TimeUnit::Microsecond => {
                    each(py, array.as_primitive::<TimestampMicrosecondType>(), |n: i64| clock.at(Some(n)))
                }
                TimeUnit::Nanosecond => each(py, array.as_primitive::<TimestampNanosecondType>(), |n: i64| {
                    clock.at(Some(n.div_euclid(1_000)))
                }),
            }
        }
        DataType::Dictionary(..) => {
            let array = array.as_any_dictionary();
            let words = values(py, array.values())?;
            let keys = if words.is_empty() { vec![0; array.len()] } else { array.normalized_keys() };
            Ok((0..array.len())
                .map(|at| if array.is_null(at) { py.None().into_bound(py) } else { words[keys[at]].clone() })
                .collect())
        }
        DataType::List(_) => {
            let array = array.as_list::<i32>();
            each(py, array, |items: ArrayRef| Ok(PyList::new(py, values(py, &items)?)?.into_any()))
        }
        DataType::LargeList(_) => {
            let array = array.as_list::<i64>();
            each(py, array, |items: ArrayRef| Ok(PyList::new(py, values(py, &items)?)?.into_any()))
        }
        DataType::Struct(fields) => {
            let array = array.as_struct();
            let schema = arrow_schema::Schema::new(fields.clone());
            let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(array.len()));
            let batch =
                RecordBatch::try_new_with_options(std::sync::Arc::new(schema), array.columns().to_vec(), &options)
                    .map_err(crate::error::arrow)?;
            let rows = dicts(py, &batch, &[])?;
            Ok(rows
                .into_iter()
                .enumerate()
                .map(|(at, row)| if array.is_null(at) { py.None().into_bound(py) } else { row.into_any() })
                .collect())
        }
        other => Err(PyTypeError::new_err(format!(
            "a column of {other} has no plain Python values here, an Arrow library takes it as it is"
        ))),
    }
}

/// Makes dates, remembering the last one: in a sitemap many are equal.
struct Clock<'py> {
    py: Python<'py>,
    date: Bound<'py, PyAny>,
    datetime: Bound<'py, PyAny>,
    zone: Bound<'py, PyAny>,
    last: Option<(i64, Bound<'py, PyAny>)>,
}

impl<'py> Clock<'py> {
    fn new(py: Python<'py>, aware: bool) -> PyResult<Self> {
        static CLASSES: PyOnceLock<[Py<PyAny>; 3]> = PyOnceLock::new();
        let [date, datetime, utc] = CLASSES.get_or_try_init(py, || -> PyResult<_> {
            let module = py.import("datetime")?;
            let utc = module.getattr("timezone")?.getattr("utc")?;
            Ok([module.getattr("date")?.unbind(), module.getattr("datetime")?.unbind(), utc.unbind()])
        })?;
        let zone = if aware { utc.bind(py).clone() } else { py.None().into_bound(py) };
        Ok(Self { py, date: date.bind(py).clone(), datetime: datetime.bind(py).clone(), zone, last: None })
    }

    fn none(&self) -> Bound<'py, PyAny> {
        self.py.None().into_bound(self.py)
    }

    fn date(&mut self, days: i32) -> PyResult<Bound<'py, PyAny>> {
        match civil(days.into()) {
            Some(day) => self.date.call1(day),
            None => Ok(self.none()),
        }
    }

    fn at(&mut self, micros: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        let Some(micros) = micros else { return Ok(self.none()) };
        if let Some((last, made)) = &self.last
            && *last == micros
        {
            return Ok(made.clone());
        }
        let seconds = micros.div_euclid(MICROS);
        let Some((year, month, day)) = civil(seconds.div_euclid(DAY)) else { return Ok(self.none()) };
        let of_day = seconds.rem_euclid(DAY);
        let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
        let parts = (year, month, day, hour, minute, second, micros.rem_euclid(MICROS), &self.zone);
        let made = self.datetime.call1(parts)?;
        self.last = Some((micros, made.clone()));
        Ok(made)
    }
}

/// Year, month and day of a day since 1970-01-01 in the proleptic Gregorian calendar, where Python has such a year.
fn civil(days: i64) -> Option<(i64, i64, i64)> {
    let from = days.checked_add(719_468)?; // since 0000-03-01
    let era = from.div_euclid(146_097);
    let of_era = from.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (1..=9_999).contains(&year).then_some((year, month, day))
}

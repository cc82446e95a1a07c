//! One value of each kind into its column, refused or repaired. Knows no rows and no syntax.

use crate::codes::{Code, Fault, Log};
use crate::columns::{Builder, StructBuilder};
use crate::schema::{Field, Kind};
use crate::value::date::{self, Precision, Reading, Zone};
use crate::value::{number, url};

/// Reports a value.
#[cold]
pub(super) fn report(log: &mut Log, code: Code, value: &[u8], at: (u64, u64)) {
    log.push(code, || {
        let fault = Fault::new(code).at(at.0, at.1);
        if value.is_empty() { fault } else { fault.value(&String::from_utf8_lossy(value)) }
    });
}

/// Puts a value into its column of a group, or says why not.
#[inline(always)] // it is called from one place, with more than fits registers
pub(super) fn put(
    table: &mut StructBuilder,
    log: &mut Log,
    origins: &mut url::Origins,
    field: &Field,
    value: &[u8],
    at: (u64, u64),
) {
    if value.is_empty() && !matches!(field.kind, Kind::Marker) {
        if field.missing.is_some() {
            return; // counts as missing, which is told at the end of its group
        }
        return report(log, Code::STR020, value, at);
    }
    match &field.kind {
        Kind::Date | Kind::FeedDate | Kind::AtomDate => date(table, log, field, value, at),
        Kind::Choice(words) => choice(table, log, field, words, value, at),
        Kind::Priority => {
            let (number, code) = number::priority(value);
            if let Some(code) = code {
                report(log, code, value, at);
            }
            if let (Some(number), Some(Builder::Float(column))) = (number, column(table, field)) {
                column.push(number);
            }
        }
        Kind::Decimal => match number::decimal(value).filter(|n| within(field, *n)) {
            Some(number) => {
                if let Some(Builder::Float(column)) = column(table, field) {
                    column.push(number);
                }
            }
            None => report(log, field.bad.unwrap_or(Code::HNT003), value, at),
        },
        Kind::Integer => match number::integer(value).filter(|n| within(field, *n as f64)) {
            Some(number) => {
                if let Some(Builder::Int(column)) = column(table, field) {
                    column.push(number);
                }
            }
            None => report(log, field.bad.unwrap_or(Code::HNT003), value, at),
        },
        Kind::YesNo => {
            let known = match value {
                b"yes" | b"Yes" | b"YES" | b"true" | b"1" => Some(true),
                b"no" | b"No" | b"NO" | b"false" | b"0" => Some(false),
                _ => None,
            };
            // `true` and its like are understood, and told.
            if known.is_none() || !matches!(value[0] | 0x20, b'y' | b'n') {
                report(log, field.bad.unwrap_or(Code::VID012), value, at);
            }
            if let (Some(known), Some(Builder::Bool(column))) = (known, column(table, field)) {
                column.push(known);
            }
        }
        Kind::Marker => {
            if let Some(Builder::Bool(column)) = column(table, field) {
                column.push(true);
            }
        }
        Kind::Url => {
            match origins.absolute(value) {
                Err(code) => address(log, field, code, value, at),
                Ok(()) if url::is_clean(value) => {}
                Ok(()) => faults(log, value, at),
            }
            text(table, field, value);
        }
        Kind::Address => {
            if origins.absolute(value) == Err(Code::URL001) {
                address(log, field, Code::URL001, value, at);
            }
            text(table, field, value);
        }
        Kind::Text | Kind::AtomLink | Kind::Permalink | Kind::Group(_) => {
            if !field.is_assumed(value) {
                text(table, field, value);
            }
        }
    }
}

#[inline]
fn column<'a>(table: &'a mut StructBuilder, field: &Field) -> Option<&'a mut Builder> {
    match table.column(field.column)? {
        Builder::List(list) => Some(list.items()),
        other => Some(other),
    }
}

#[inline]
fn text(table: &mut StructBuilder, field: &Field, value: &[u8]) {
    match column(table, field) {
        Some(Builder::Utf8(column)) => column.push(value),
        Some(Builder::Dictionary(column)) => column.push(value),
        _ => {}
    }
}

/// What breaks the syntax of an address that is absolute: it is kept as written, and told.
#[cold]
pub(super) fn faults(log: &mut Log, value: &[u8], at: (u64, u64)) {
    let Ok(text) = std::str::from_utf8(value) else { return };
    // A reference before the place would shift it; the range of the whole value is never wrong.
    url::faults(text, &mut |code, _| log.push(code, || Fault::new(code).at(at.0, at.1).value(text)));
}

/// Something is wrong with an address that is no loc: it is kept as written, and told.
#[cold]
fn address(log: &mut Log, field: &Field, code: Code, value: &[u8], at: (u64, u64)) {
    let lower = value[..value.len().min(8)].to_ascii_lowercase();
    let code = match (code, field.bad) {
        (Code::URL002, Some(Code::VID034)) if lower.starts_with(b"ftp://") => return,
        (Code::URL002, Some(Code::VID034)) => Code::VID026,
        (_, Some(Code::IMG002)) if lower.starts_with(b"data:") => Code::IMG009,
        (code, bad) => bad.unwrap_or(code),
    };
    report(log, code, value, at);
}

#[inline]
fn date(table: &mut StructBuilder, log: &mut Log, field: &Field, value: &[u8], at: (u64, u64)) {
    let Reading { date, code } = match field.kind {
        Kind::FeedDate => date::feed(value),
        Kind::AtomDate => date::atom(value),
        _ => date::w3c(value),
    };
    if code.is_some() || field.bad.is_some() {
        // Where a full date is demanded, a year, a month, or a time without seconds or zone is none.
        let partial = date.is_some_and(|d| match d.form.precision {
            Precision::Year | Precision::Month | Precision::Minute => true,
            Precision::Day => false,
            Precision::Second(_) => d.form.zone == Zone::None,
        });
        if let Some(code) = code.or(field.bad.filter(|_| partial)) {
            report(log, field.bad.unwrap_or(code), value, at);
        }
    }
    let Some(date) = date else { return };
    if !date.is_of_four_digits() {
        // Python, JavaScript and most databases end here too: a table that one of them cannot read whole is worth less.
        return log.push(Code::DAT018, || {
            let detail = "date is outside of the years 0001 to 9999 in UTC, it was left out";
            Fault::new(Code::DAT018).at(at.0, at.1).value(&String::from_utf8_lossy(value)).detail(detail)
        });
    }
    if let Some(Builder::Timestamp(column)) = table.column(field.column) {
        column.push(date.micros);
    }
    if let Some(form) = field.form
        && let Some(Builder::Form(column)) = table.column(form)
    {
        column.push(date.form);
    }
}

#[inline]
fn choice(table: &mut StructBuilder, log: &mut Log, field: &Field, words: &[String], value: &[u8], at: (u64, u64)) {
    // The dictionary holds only words that were good before.
    if let Some(Builder::Dictionary(column)) = column(table, field)
        && column.push_known(value)
    {
        return;
    }
    let word = words.iter().find(|w| w.as_bytes().eq_ignore_ascii_case(value));
    match word {
        Some(word) if word.as_bytes() == value => {}
        Some(_) => report(log, field.bad.unwrap_or(Code::HNT002), value, at),
        None => report(log, field.bad.unwrap_or(Code::HNT001), value, at),
    }
    if let Some(word) = word {
        text(table, field, word.as_bytes());
    }
}

fn within(field: &Field, number: f64) -> bool {
    field.range.is_none_or(|(low, high)| (low..=high).contains(&number))
}

//! One value to its written form, or to the reason why its row is refused. Knows no element.

use std::io::Write as _;

use super::super::bind::Column;
use super::super::escape;
use super::super::plan::{Leaf, What};
use super::super::refuse::{Refused, bad_loc, missing, out_of_range, refused};
use super::{Encoder, Result};
use crate::codes::{Code, Fault, Severity};
use crate::schema::{Dates, Shape};
use crate::value::date::{self, Date, Form};
use crate::value::language;
use crate::value::number;
use crate::value::url::{self, Encoded};

impl Encoder {
    /// Writes the value alone; nothing for an empty text, which counts as none.
    #[inline]
    pub(super) fn plain(
        &mut self,
        leaf: &Leaf,
        column: &Column,
        form: &Column,
        row: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match (&leaf.what, column) {
            (_, Column::Lossy { inner, .. }) => {
                if !inner.has(row) {
                    return Err(refused(leaf, leaf.codes.range, "a value beyond what 64 bits hold"));
                }
                self.plain(leaf, inner, form, row, out)
            }
            (What::Loc, _) => self.loc(column.text(row).unwrap_or_default(), true, out),
            (What::Lastmod | What::Date(_), _) => self.date(leaf, column, form, row, out),
            (What::Decimal, _) => Self::decimal(leaf, column, row, out),
            (What::Choice(words), _) => self.choice(leaf, words, column.text(row).unwrap_or_default(), out),
            (What::Url { .. } | What::Address, _) => self.url(leaf, column.text(row).unwrap_or_default(), out),
            (What::Text(shape), _) => self.text(leaf, *shape, column.text(row).unwrap_or_default(), out),
            (What::Integer, _) => Self::integer(leaf, column, row, out),
            (What::YesNo, _) => match flag(column, row) {
                Some(yes) => {
                    out.extend_from_slice(if yes { b"yes" } else { b"no" });
                    Ok(())
                }
                None if trim(column.text(row).unwrap_or_default()).is_empty() => Ok(()),
                None => Err(refused(leaf, leaf.codes.invalid, column.text(row).unwrap_or_default())),
            },
        }
    }

    /// The address of an entry.
    #[inline]
    pub(super) fn loc(&mut self, text: &str, xml: bool, out: &mut Vec<u8>) -> Result<()> {
        let mark = out.len();
        let encoded = url::encode(text, out).map_err(|code| match trim(text) {
            "" => missing("loc", self.codes.empty),
            text => bad_loc(code, text),
        })?;
        if out.len() - mark > self.most {
            return Err(bad_loc(self.codes.long, text));
        }
        if let Some(code) = self.base.as_ref().and_then(|base| base.fault(&out[mark..])) {
            return Err(bad_loc(code, text));
        }
        if xml {
            self.escape(mark, out);
        }
        self.changed |= encoded == Encoded::Changed;
        Ok(())
    }

    /// Escapes an encoded address that was written from here on.
    #[inline]
    fn escape(&mut self, mark: usize, out: &mut Vec<u8>) {
        if let Some(at) = memchr::memchr(b'&', &out[mark..]) {
            self.scratch.clear();
            self.scratch.extend_from_slice(&out[mark + at..]);
            out.truncate(mark + at);
            escape::url(&self.scratch, out);
        }
    }

    /// An address within an extension.
    fn url(&mut self, leaf: &Leaf, text: &str, out: &mut Vec<u8>) -> Result<()> {
        let mark = out.len();
        let ftp = matches!(leaf.what, What::Url { ftp: true });
        let result = if ftp { url::encode_any(text, out) } else { url::encode(text, out) };
        match result {
            Ok(encoded) => {
                self.changed |= encoded == Encoded::Changed;
                self.escape(mark, out);
            }
            Err(_) if is_blank(text) => {}
            // Alternates may lead into apps: `android-app://…`.
            Err(Code::URL002) if matches!(leaf.what, What::Address) => return self.text(leaf, Shape::Free, text, out),
            Err(code) => {
                let own = if code == Code::URL002 { leaf.codes.scheme } else { leaf.codes.address };
                return Err(refused(leaf, own.unwrap_or(code), text));
            }
        }
        Ok(())
    }

    fn text(&mut self, leaf: &Leaf, shape: Shape, text: &str, out: &mut Vec<u8>) -> Result<()> {
        if is_blank(text) {
            return Ok(());
        }
        let unfit = match shape {
            Shape::Free => None,
            Shape::Hreflang => language::hreflang(trim(text)).err(),
            Shape::Language => (!language::is_publication(trim(text))).then_some(leaf.codes.invalid),
            Shape::Countries => {
                (!text.split_ascii_whitespace().all(language::is_country)).then_some(leaf.codes.invalid)
            }
            Shape::Words(words) => {
                (!text.split_ascii_whitespace().all(|word| words.contains(&word))).then_some(leaf.codes.invalid)
            }
        };
        // A text of as many bytes has at most as many characters.
        if let Some(max) = leaf.chars.filter(|max| text.len() > *max as usize)
            && text.chars().nth(max as usize).is_some()
        {
            self.judge(refused(leaf, leaf.codes.long, text))?;
        }
        let escape = if leaf.attribute { escape::attribute } else { escape::text };
        escape(text, out).map_err(|escape::Forbidden(at)| {
            let character = text[at..].chars().next().unwrap_or_default();
            refused(leaf, Code::XML014, &format!("U+{:04X}", u32::from(character)))
        })?;
        unfit.map_or(Ok(()), |code| self.judge(refused(leaf, code, text)))
    }

    fn choice(&mut self, leaf: &Leaf, words: &[String], text: &str, out: &mut Vec<u8>) -> Result<()> {
        if let Some(word) = words.iter().find(|word| *word == text) {
            out.extend_from_slice(word.as_bytes());
            return Ok(());
        }
        let text = trim(text);
        if text.is_empty() {
            return Ok(());
        }
        let Some(word) = words.iter().find(|word| word.eq_ignore_ascii_case(text)) else {
            let mut fault = refused(leaf, leaf.codes.invalid, text);
            if fault.code == Code::STR020 {
                fault.detail = Some(format!("{} is \"{text}\", one of {} was expected", leaf.name, words.join(", ")));
            }
            return Err(fault);
        };
        // The word is beyond doubt, its letter case alone is not: repaired, and said. White space around it is not worth a word.
        if word != text {
            self.notes.push((*refused(leaf, leaf.codes.case, text)).fix(word.as_str()));
        }
        out.extend_from_slice(word.as_bytes());
        Ok(())
    }

    #[inline]
    fn decimal(leaf: &Leaf, column: &Column, row: usize, out: &mut Vec<u8>) -> Result<()> {
        let value = if let Column::Float(a) = column {
            a.value(row)
        } else {
            let text = trim(column.text(row).unwrap_or_default());
            if text.is_empty() {
                return Ok(());
            }
            number::decimal(text.as_bytes()).ok_or_else(|| refused(leaf, leaf.codes.invalid, text))?
        };
        if !value.is_finite() {
            return Err(refused(leaf, leaf.codes.invalid, &value.to_string()));
        }
        if leaf.range.is_some_and(|(low, high)| value < low || value > high) {
            return Err(out_of_range(leaf, &value.to_string()));
        }
        number::write_decimal(value, out);
        Ok(())
    }

    fn integer(leaf: &Leaf, column: &Column, row: usize, out: &mut Vec<u8>) -> Result<()> {
        let value = match column {
            Column::Int(a) => a.value(row),
            // A column with gaps often comes as floats.
            Column::Float(a) => {
                whole(a.value(row)).ok_or_else(|| refused(leaf, leaf.codes.invalid, &a.value(row).to_string()))?
            }
            _ => {
                let text = trim(column.text(row).unwrap_or_default());
                if text.is_empty() {
                    return Ok(());
                }
                number::integer(text.as_bytes()).ok_or_else(|| refused(leaf, leaf.codes.invalid, text))?
            }
        };
        #[allow(clippy::cast_precision_loss)] // bounds are far from where doubles skip whole numbers, or are "any"
        let float = value as f64;
        if leaf.range.is_some_and(|(low, high)| float < low || float > high) {
            return Err(out_of_range(leaf, &value.to_string()));
        }
        let _ = write!(out, "{value}"); // a vector takes every byte
        Ok(())
    }

    #[inline]
    fn date(&mut self, leaf: &Leaf, column: &Column, form: &Column, row: usize, out: &mut Vec<u8>) -> Result<()> {
        let mark = out.len();
        let date = match column {
            Column::Instant(a) => {
                let form = asked(leaf, form, row)?;
                let micros = self.days.instant(a.value(row), form, out);
                micros.map(|micros| Date { micros, form: form.unwrap_or(Form::SECONDS_Z) })
            }
            Column::Day(a) => {
                let day = i64::from(a.value(row));
                match asked(leaf, form, row)? {
                    None => self.days.day(day, out).map(|micros| Date { micros, form: Form::DATE }),
                    // 32 bits of days are far from 64 bits of microseconds.
                    Some(form) => {
                        let micros = day * 86_400_000_000;
                        date::format(micros, form, out).then_some(Date { micros, form })
                    }
                }
            }
            _ => {
                let text = trim(column.text(row).unwrap_or_default());
                if text.is_empty() {
                    return Ok(());
                }
                Some(written_date(leaf, text, out)?)
            }
        };
        let Some(date) = date else {
            return Err(refused(leaf, own(leaf, Code::DAT018), "a year beyond 0001 to 9999"));
        };
        match leaf.what {
            What::Lastmod => self.lastmod = Some(date),
            What::Date(rule) if !suits(rule, &out[mark..]) => {
                let text = String::from_utf8_lossy(&out[mark..]).into_owned();
                return Err(refused(leaf, leaf.codes.invalid, &text));
            }
            _ => {}
        }
        Ok(())
    }

    /// Refuses what a conforming consumer refuses; keeps the rest as a note.
    fn judge(&mut self, fault: Refused) -> Result<()> {
        if fault.code.rule().severity == Severity::Error {
            return Err(fault);
        }
        self.notes.push(*fault);
        Ok(())
    }
}

/// The form that a row asks for.
#[inline]
fn asked(leaf: &Leaf, form: &Column, row: usize) -> Result<Option<Form>> {
    if !form.has(row) {
        return Ok(None);
    }
    let parsed = match form {
        Column::Forms { keys, values, .. } => values[keys.value(row) as usize],
        _ => Form::parse(form.text(row).unwrap_or_default()),
    };
    if parsed.is_none() {
        let text = form.text(row).unwrap_or_default();
        if trim(text).is_empty() {
            return Ok(None);
        }
        let detail = format!("{}_form is \"{text}\", a form such as `date` or `seconds Z` was expected", leaf.name);
        return Err(Box::new(
            Fault::new(own(leaf, Code::DAT001)).element(format!("{}_form", leaf.name)).value(text).detail(detail),
        ));
    }
    Ok(parsed)
}

/// A date given as text: legal by the W3C note or the schema, and then kept as it is.
fn written_date(leaf: &Leaf, text: &str, out: &mut Vec<u8>) -> Result<Date> {
    let reading = date::w3c(text.as_bytes());
    match (reading.date, reading.code) {
        (Some(date), code) if code.is_none() || date::valid_text(text.as_bytes()) => {
            out.extend_from_slice(text.as_bytes());
            Ok(date)
        }
        (_, code) => Err(refused(leaf, own(leaf, code.unwrap_or(Code::DAT001)), text)),
    }
}

/// The code of a date: that of the core, or the one that its extension has.
fn own(leaf: &Leaf, code: Code) -> Code {
    if matches!(leaf.what, What::Date(rule) if rule != Dates::Any) { leaf.codes.invalid } else { code }
}

/// Whether an extension takes a date that is legal.
fn suits(rule: Dates, text: &[u8]) -> bool {
    let zoned = text.last() == Some(&b'Z') || text.iter().rev().nth(5).is_some_and(|b| matches!(b, b'+' | b'-'));
    match rule {
        Dates::Any => true,
        _ if text.len() == 10 => true,
        Dates::Full => text.len() > 16 && zoned,
        Dates::Seconds => text.len() > 16 && zoned && text[16] == b':',
    }
}

pub(super) fn flag(column: &Column, row: usize) -> Option<bool> {
    match column {
        Column::Flag(a) => Some(a.value(row)),
        _ => match trim(column.text(row)?) {
            text if text.eq_ignore_ascii_case("yes") => Some(true),
            text if text.eq_ignore_ascii_case("no") => Some(false),
            _ => None,
        },
    }
}

/// A float that is a whole number within 53 bits.
fn whole(value: f64) -> Option<i64> {
    (value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0).then_some(value as i64)
}

/// Without XML white space around it.
#[inline]
fn trim(text: &str) -> &str {
    text.trim_matches(|c| matches!(c, ' ' | '\t' | '\n' | '\r'))
}

/// Whether a row has no text, or an empty one.
#[cold]
pub(super) fn is_empty(column: &Column, row: usize) -> bool {
    !column.has(row) || column.text(row).is_some_and(is_blank)
}

/// Whether there is nothing but XML white space.
#[inline]
fn is_blank(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
}

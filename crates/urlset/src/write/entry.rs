//! One row to one entry, or to the reason why it is refused. Knows no file and no limit of one.

use std::io::Write as _;
use std::ops::Range;

use arrow_array::Array as _;

use super::bind::Column;
use super::days::Days;
use super::escape;
use super::plan::{DateRule, Group, Head, Item, Leaf, Plan, Used, What};
use crate::codes::{Code, Fault, Severity};
use crate::error::Result as CoreResult;
use crate::value::date::{self, Date, Form};
use crate::value::number;
use crate::value::url::{self, Encoded, Site};

/// Why a row cannot be written.
pub(super) type Refused = Box<Fault>;
type Result<T> = std::result::Result<T, Refused>;

/// Where the files will be published, as far as rows are concerned.
pub(super) struct Base {
    site: Option<Site<'static>>,
    /// Scheme, host and port as they were written.
    origin: String,
}

impl Base {
    /// From an encoded address.
    pub(super) fn new(url: &str) -> Self {
        let host = url.find("://").map_or(0, |at| at + 3);
        let end = url[host..].find('/').map_or(url.len(), |at| host + at);
        Self { site: url::site(url).map(Site::into_owned), origin: url[..end].to_owned() }
    }

    /// What is wrong with an encoded address that stands in a file published here.
    #[inline]
    fn fault(&self, loc: &[u8]) -> Option<Code> {
        match loc.strip_prefix(self.origin.as_bytes()) {
            Some([b'/', ..]) => None,
            _ => self.relation(loc),
        }
    }

    #[cold]
    fn relation(&self, loc: &[u8]) -> Option<Code> {
        let site = url::site(std::str::from_utf8(loc).unwrap_or_default());
        match (&self.site, site) {
            (Some(base), Some(site)) => url::relation(base, &site),
            _ => Some(Code::LOC007),
        }
    }
}

/// Writes entries, one after the other.
pub(super) struct Encoder {
    base: Option<Base>,
    lastmod_required: bool,
    scratch: Vec<u8>,
    days: Days,
    /// What the last entry says that is not right, though not so wrong that it was refused.
    pub notes: Vec<Fault>,
    /// The namespaces of the last entry.
    pub used: Used,
    /// Where the address of the last entry is in the output, escaped.
    pub loc: Range<usize>,
    /// The date of the last entry.
    pub lastmod: Option<Date>,
    /// Whether its address had to be encoded.
    pub changed: bool,
}

impl Encoder {
    /// `base` is `None` where addresses of any site are taken.
    pub(super) fn new(base: Option<Base>, lastmod_required: bool) -> Self {
        Self {
            base,
            lastmod_required,
            scratch: Vec::new(),
            days: Days::new(),
            notes: Vec::new(),
            used: 0,
            loc: 0..0,
            lastmod: None,
            changed: false,
        }
    }

    /// Appends the entry of a row and a line feed.
    pub(super) fn entry(&mut self, plan: &Plan, columns: &[Column], row: usize, out: &mut Vec<u8>) -> Result<()> {
        self.reset();
        self.group(&plan.entry, columns, row, out)?;
        if self.lastmod_required && self.lastmod.is_none() {
            return Err(Box::new(Fault::new(Code::IDX003).element("lastmod")));
        }
        out.push(b'\n');
        Ok(())
    }

    /// Appends the address of a row and a line feed: an entry of a text list.
    pub(super) fn line(&mut self, column: &Column, row: usize, out: &mut Vec<u8>) -> Result<()> {
        self.reset();
        let text = if column.has(row) { column.text(row).unwrap_or_default() } else { "" };
        let start = out.len();
        self.loc(text, 2_047, Code::STR008, false, out)?;
        self.loc = start..out.len();
        out.push(b'\n');
        Ok(())
    }

    /// Appends an entry of an index.
    pub(super) fn child(&mut self, loc: &str, lastmod: Option<(i64, Form)>, out: &mut Vec<u8>) -> Result<()> {
        self.reset();
        out.extend_from_slice(b"<sitemap><loc>");
        let start = out.len();
        let written = self.loc(loc, 2_047, Code::STR008, true, out);
        written.map_err(|mut fault| {
            if matches!(fault.code, Code::LOC001 | Code::LOC005 | Code::LOC007) {
                fault.code = Code::LOC009;
            }
            fault
        })?;
        self.loc = start..out.len();
        out.extend_from_slice(b"</loc>");
        if let Some((micros, form)) = lastmod {
            out.extend_from_slice(b"<lastmod>");
            if self.days.instant(micros, Some(form), out).is_none() {
                return Err(Box::new(Fault::new(Code::DAT018).element("lastmod").value(&micros.to_string())));
            }
            out.extend_from_slice(b"</lastmod>");
            self.lastmod = Some(Date { micros, form });
        } else if self.lastmod_required {
            return Err(Box::new(Fault::new(Code::IDX003).element("lastmod")));
        }
        out.extend_from_slice(b"</sitemap>\n");
        Ok(())
    }

    fn reset(&mut self) {
        self.notes.clear();
        self.used = 0;
        self.lastmod = None;
        self.changed = false;
    }

    fn group(&mut self, group: &Group, columns: &[Column], row: usize, out: &mut Vec<u8>) -> Result<()> {
        group.open.put(out);
        self.used |= group.used;
        if !group.attributes.is_empty() {
            for leaf in &group.attributes {
                self.leaf(leaf, columns, row, out)?;
            }
            out.push(b'>');
        }
        let mark = out.len();
        for item in &group.items {
            self.item(item, columns, row, out)?;
        }
        if out.len() == mark {
            out.pop();
            out.extend_from_slice(b"/>");
        } else {
            group.close.put(out);
        }
        Ok(())
    }

    #[inline]
    fn item(&mut self, item: &Item, columns: &[Column], row: usize, out: &mut Vec<u8>) -> Result<()> {
        match item {
            Item::Leaf(leaf) => self.leaf(leaf, columns, row, out).map(drop),
            Item::Dressed { .. } => self.dressed(item, columns, row, out),
            Item::Many { leaf, max } => self.many(leaf, *max, &columns[leaf.column], row, out),
            Item::Marker { element, used, column } => {
                let column = &columns[*column];
                if column.has(row) && flag(column, row).unwrap_or(false) {
                    element.put(out);
                    self.used |= used;
                }
                Ok(())
            }
            Item::Group { group, head } => {
                let column = &columns[head.column];
                if !column.has(row) {
                    return if head.required { Err(missing(&head.name, head.codes.missing)) } else { Ok(()) };
                }
                self.inside(&head.name, None, |me, out| me.group(group, column.columns(), row, out), out)
            }
            Item::Groups { group, head, max } => self.groups(group, head, *max, &columns[head.column], row, out),
        }
    }

    fn groups(
        &mut self,
        group: &Group,
        head: &Head,
        max: u32,
        column: &Column,
        row: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let Some((items, range)) = column.has(row).then(|| column.items(row)).flatten() else { return Ok(()) };
        let mut count = 0;
        for (at, item) in range.enumerate() {
            if !items.has(item) {
                continue;
            }
            count += 1;
            if count > max {
                return Err(too_many(&head.name, head.codes.many, max));
            }
            self.inside(&head.name, Some(at), |me, out| me.group(group, items.columns(), item, out), out)?;
        }
        Ok(())
    }

    fn many(&mut self, leaf: &Leaf, max: u32, column: &Column, row: usize, out: &mut Vec<u8>) -> Result<()> {
        let Some((items, range)) = column.has(row).then(|| column.items(row)).flatten() else { return Ok(()) };
        let mut count = 0;
        for item in range {
            if self.value(leaf, items, &Column::Absent, item, out)? {
                count += 1;
                if count > max {
                    return Err(too_many(&leaf.name, leaf.codes.many, max));
                }
            }
        }
        Ok(())
    }

    /// Puts the name of a group, and which of several it is, before the names in faults that arise within.
    fn inside(
        &mut self,
        name: &str,
        at: Option<usize>,
        write: impl FnOnce(&mut Self, &mut Vec<u8>) -> Result<()>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let before = self.notes.len();
        let result = write(self, out);
        let prefix = |fault: &mut Fault| {
            let inner = fault.element.take().unwrap_or_default();
            fault.element = Some(match at {
                Some(at) => format!("{name}[{at}]/{inner}"),
                None => format!("{name}/{inner}"),
            });
        };
        self.notes[before..].iter_mut().for_each(prefix);
        result.map_err(|mut fault| {
            prefix(&mut fault);
            fault
        })
    }

    fn dressed(&mut self, item: &Item, columns: &[Column], row: usize, out: &mut Vec<u8>) -> Result<()> {
        let Item::Dressed { open, close, used, text, attributes, name } = item else { return Ok(()) };
        let start = out.len();
        open.put(out);
        let mut any = None;
        for leaf in attributes {
            if self.leaf(leaf, columns, row, out)? {
                any = any.or(Some(leaf));
            }
        }
        let Some(text) = text else {
            if any.is_some() {
                out.extend_from_slice(b"/>");
                self.used |= used;
            } else {
                out.truncate(start);
            }
            return Ok(());
        };
        out.push(b'>');
        if self.leaf(text, columns, row, out)? {
            close.put(out);
            self.used |= used;
            return Ok(());
        }
        out.truncate(start);
        match any {
            None => Ok(()),
            Some(leaf) => Err(Box::new(
                Fault::new(Code::STR020)
                    .element(&leaf.name)
                    .detail(format!("{} has a value and {name} has none, both or neither were expected", leaf.name)),
            )),
        }
    }

    /// Writes a value where there is one, and says whether there was.
    #[inline]
    fn leaf(&mut self, leaf: &Leaf, columns: &[Column], row: usize, out: &mut Vec<u8>) -> Result<bool> {
        let form = leaf.form.map_or(&Column::Absent, |at| &columns[at]);
        self.value(leaf, &columns[leaf.column], form, row, out)
    }

    #[inline]
    fn value(&mut self, leaf: &Leaf, column: &Column, form: &Column, row: usize, out: &mut Vec<u8>) -> Result<bool> {
        if let Column::Words { keys, known, .. } = column
            && keys.is_valid(row)
            && let Some(piece) = known[keys.value(row) as usize].and_then(|word| leaf.pieces.get(word))
        {
            piece.put(out);
            self.used |= leaf.used;
            return Ok(true);
        }
        let start = out.len();
        if column.has(row) {
            leaf.before.put(out);
            let mark = out.len();
            self.plain(leaf, column, form, row, out)?;
            if out.len() > mark {
                if matches!(leaf.what, What::Loc) {
                    self.loc = mark..out.len();
                }
                leaf.after.put(out);
                self.used |= leaf.used;
                return Ok(true);
            }
            out.truncate(start);
        }
        Self::absent(leaf, column.has(row), out)
    }

    /// What a value that is not there comes to.
    #[inline]
    fn absent(leaf: &Leaf, empty: bool, out: &mut Vec<u8>) -> Result<bool> {
        if let Some(assumed) = &leaf.assumed {
            assumed.put(out);
            return Ok(true);
        }
        if !leaf.required {
            return Ok(false);
        }
        // Of the address of the entry, missing and empty have codes of their own.
        let null = matches!(leaf.what, What::Loc) && !empty;
        Err(missing(&leaf.name, if null { Code::STR007 } else { leaf.codes.missing }))
    }

    /// Writes the value alone; nothing for an empty text, which counts as none.
    #[inline]
    fn plain(&mut self, leaf: &Leaf, column: &Column, form: &Column, row: usize, out: &mut Vec<u8>) -> Result<()> {
        match (&leaf.what, column) {
            (_, Column::Lossy { inner, .. }) => {
                if !inner.has(row) {
                    return Err(refused(leaf, leaf.codes.range, "a value beyond what 64 bits hold"));
                }
                self.plain(leaf, inner, form, row, out)
            }
            (What::Loc, _) => {
                let max = leaf.chars.unwrap_or(u32::MAX);
                self.loc(column.text(row).unwrap_or_default(), max, leaf.codes.missing, true, out)
            }
            (What::Lastmod | What::Date(_), _) => self.date(leaf, column, form, row, out),
            (What::Decimal, _) => Self::decimal(leaf, column, row, out),
            (What::Choice(words), _) => self.choice(leaf, words, column.text(row).unwrap_or_default(), out),
            (What::Url { .. } | What::Address, _) => self.url(leaf, column.text(row).unwrap_or_default(), out),
            (What::Text, _) => self.text(leaf, column.text(row).unwrap_or_default(), out),
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
    fn loc(&mut self, text: &str, max: u32, empty: Code, xml: bool, out: &mut Vec<u8>) -> Result<()> {
        let mark = out.len();
        let encoded = url::encode(text, out).map_err(|code| match trim(text) {
            "" => missing("loc", empty),
            text => bad_loc(code, text),
        })?;
        if out.len() - mark > max as usize {
            return Err(bad_loc(Code::SIZ007, text));
        }
        if let Some(code) = self.base.as_ref().and_then(|base| base.fault(&out[mark..])) {
            return Err(bad_loc(code, text));
        }
        if xml {
            self.escape(mark, out);
        }
        self.changed = encoded == Encoded::Changed;
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
            Ok(_) => self.escape(mark, out),
            Err(_) if is_blank(text) => {}
            // Alternates may lead into apps: `android-app://…`.
            Err(Code::URL002) if matches!(leaf.what, What::Address) => return self.text(leaf, text, out),
            Err(code) => {
                let own = if code == Code::URL002 { leaf.codes.scheme } else { leaf.codes.address };
                return Err(refused(leaf, own.unwrap_or(code), text));
            }
        }
        Ok(())
    }

    fn text(&mut self, leaf: &Leaf, text: &str, out: &mut Vec<u8>) -> Result<()> {
        if is_blank(text) {
            return Ok(());
        }
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
        })
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
        // The word is beyond doubt, its letter case alone is not: repaired, and said.
        let code = if leaf.codes.invalid == Code::HNT001 { Code::HNT002 } else { leaf.codes.invalid };
        self.notes.push((*refused(leaf, code, text)).fix(word.as_str()));
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
    if matches!(leaf.what, What::Date(rule) if rule != DateRule::Any) { leaf.codes.invalid } else { code }
}

/// Whether an extension takes a date that is legal.
fn suits(rule: DateRule, text: &[u8]) -> bool {
    let zoned = text.last() == Some(&b'Z') || text.iter().rev().nth(5).is_some_and(|b| matches!(b, b'+' | b'-'));
    match rule {
        DateRule::Any => true,
        _ if text.len() == 10 => true,
        DateRule::Full => text.len() > 16 && zoned,
        DateRule::Seconds => text.len() > 16 && zoned && text[16] == b':',
    }
}

fn flag(column: &Column, row: usize) -> Option<bool> {
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

/// Whether there is nothing but XML white space.
#[inline]
fn is_blank(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
}

#[cold]
fn missing(name: &str, code: Code) -> Refused {
    let fault = Fault::new(code).element(name);
    if code == Code::STR020 {
        return Box::new(fault.detail(format!("{name} has no value, one was expected")));
    }
    Box::new(fault)
}

#[cold]
fn bad_loc(code: Code, text: &str) -> Refused {
    Box::new(Fault::new(code).element("loc").value(text))
}

#[cold]
fn too_many(name: &str, code: Code, max: u32) -> Refused {
    let fault = Fault::new(code).element(name);
    if code == Code::STR010 {
        return Box::new(fault.detail(format!("{name} has more than {max} items")));
    }
    Box::new(fault)
}

#[cold]
fn refused(leaf: &Leaf, code: Code, value: &str) -> Refused {
    let fault = Fault::new(code).element(&leaf.name).value(value);
    if code == Code::STR020 {
        let detail = format!("{} is \"{}\", another value was expected", leaf.name, crate::codes::cut(value));
        return Box::new(fault.detail(detail));
    }
    Box::new(fault)
}

#[cold]
fn out_of_range(leaf: &Leaf, value: &str) -> Refused {
    let mut fault = refused(leaf, leaf.codes.range, value);
    if let (Code::STR020, Some((low, high))) = (fault.code, leaf.range) {
        fault.detail = Some(format!("{} is {value}, {low} to {high} was expected", leaf.name));
    }
    fault
}

/// The result of an operation of the core, for callers that have no row to refuse.
pub(super) fn as_error(fault: &Fault, row: u64) -> CoreResult<()> {
    Err(crate::error::Error::at(crate::error::ErrorKind::Refused(fault.message()), row))
}

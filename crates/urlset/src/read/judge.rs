//! Which address of an entry is a row: absolute ones, and relative ones where the caller says what they mean. Changes no address.

use super::options::{Options, Relative};
use super::value::{faults, report};
use crate::codes::{Code, Fault, Log};
use crate::schema::{LOC_COLUMN, URL_GROUP};
use crate::value::url;

/// What kind of file an address stands in; it decides which code says that it is relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Sitemap,
    Text,
    Feed,
}

/// What becomes of an address.
#[derive(Debug)]
pub(super) enum Verdict {
    AsWritten,
    Resolved(String),
    Refused,
}

/// Judges addresses by the claimed place of the file.
#[derive(Debug)]
pub(super) struct Judge {
    base: Option<Base>,
    pub relative: Relative,
    pub origins: url::Origins,
    /// Characters of an address at most, as the table says.
    most: usize,
}

#[derive(Debug)]
struct Base {
    address: String,
    site: url::Site<'static>,
    /// `https://host` as the base writes it: what nearly every loc begins with.
    origin: String,
}

impl Judge {
    pub fn new(options: &Options) -> Self {
        let base = options.base.as_deref().and_then(|address| {
            let site = url::site(address)?.into_owned();
            let authority = address.find("://")? + 3;
            let end = address[authority..].find(['/', '?', '#']).map_or(address.len(), |n| authority + n);
            Some(Base { address: address.to_owned(), site, origin: address[..end].to_owned() })
        });
        let loc = options.schema.groups[URL_GROUP].fields.iter().find(|field| field.column == LOC_COLUMN);
        let most = loc.and_then(|loc| loc.chars).map_or(usize::MAX, |chars| chars as usize);
        Self { base, relative: options.relative, origins: url::Origins::default(), most }
    }

    /// Judges the loc of an entry, and says what is wrong with it. `sound` says that its characters were looked at.
    #[inline]
    pub fn judge(&mut self, value: &[u8], sound: bool, source: Source, at: (u64, u64), log: &mut Log) -> Verdict {
        if value.is_empty() {
            report(log, if source == Source::Feed { Code::FED002 } else { Code::STR008 }, value, at);
            return Verdict::Refused;
        }
        if let Err(code) = self.origins.absolute(value) {
            return self.not_absolute(value, source, code, at, log);
        }
        if value.len() > self.most || !(sound || url::is_clean(value)) {
            syntax(value, self.most, at, log);
        }
        if let Some(base) = &self.base
            && !(value.starts_with(base.origin.as_bytes())
                && matches!(value.get(base.origin.len()), None | Some(b'/' | b'?' | b'#')))
            && let Ok(text) = std::str::from_utf8(value)
            && let Some(code) = url::site(text).and_then(|site| url::relation(&base.site, &site))
        {
            report(log, code, value, at);
        }
        Verdict::AsWritten
    }

    /// Judges the address of a sitemap in robots.txt, of which everything was said.
    pub fn child(&self, value: &[u8]) -> Verdict {
        match url::absolute(value) {
            Ok(()) => Verdict::AsWritten,
            Err(Code::URL001) => self.relative(value, self.resolve(value)),
            Err(_) => Verdict::Refused,
        }
    }

    fn resolve(&self, value: &[u8]) -> Option<String> {
        let base = self.base.as_ref()?;
        url::resolve(&base.address, &String::from_utf8_lossy(value))
    }

    fn relative(&self, value: &[u8], resolved: Option<String>) -> Verdict {
        let good = resolved.filter(|r| url::absolute(r.as_bytes()).is_ok());
        match (self.relative, good) {
            (Relative::Resolve, Some(address)) => Verdict::Resolved(address),
            (Relative::Keep, _) if !value.is_empty() => Verdict::AsWritten,
            _ => Verdict::Refused,
        }
    }

    #[cold]
    fn not_absolute(&self, value: &[u8], source: Source, code: Code, at: (u64, u64), log: &mut Log) -> Verdict {
        let resolved = if code == Code::URL001 { self.resolve(value) } else { None };
        let told = match (code, source) {
            (Code::URL001, Source::Text) => Code::TXT003,
            (Code::URL001, Source::Feed) => Code::FED003,
            (code, _) => code,
        };
        log.push(told, || {
            let mut fault = Fault::new(told).at(at.0, at.1).value(&String::from_utf8_lossy(value));
            fault.fix.clone_from(&resolved);
            fault
        });
        if code == Code::URL001 { self.relative(value, resolved) } else { Verdict::Refused }
    }
}

/// What breaks the syntax of addresses in a loc that is a row all the same.
#[cold]
fn syntax(value: &[u8], most: usize, at: (u64, u64), log: &mut Log) {
    let Ok(text) = std::str::from_utf8(value) else { return };
    if text.len() > most && text.chars().count() > most {
        report(log, Code::SIZ007, value, at);
    }
    faults(log, value, at);
}

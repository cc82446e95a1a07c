//! Rows to shards: whole files in memory, cut exactly at the limits. Opens no file, knows no time, invents no value.
//!
//! ```text
//! columns -> bind -> entry -> split -> gzip -> Shard
//!            plan ----^                          \-> index
//! ```

mod bind;
mod days;
mod entry;
mod escape;
mod gzip;
mod hash;
mod index;
mod memo;
mod parallel;
mod plan;
mod refuse;
pub mod robots;
mod split;
mod stylesheet;
mod tag;
mod writer;

use std::sync::Arc;

pub use hash::hash;
pub use index::{Child, index};
pub use stylesheet::stylesheet;
pub use writer::Writer;

use crate::error::{Error, ErrorKind, Result};
use crate::schema::Schema;
pub use crate::schema::{MAX_BYTES, MAX_URLS};
use crate::value::date::Form;
use crate::value::url;

/// The same until late 2016.
pub const MAX_BYTES_CLASSIC: u64 = 10_485_760;
/// News entries in a sitemap at most (source: Google).
pub const MAX_NEWS: u64 = 1_000;

/// Threads that compress at most: more would wait for one another on any machine.
pub const MAX_THREADS: usize = 1_024;

/// What files hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// XML of the protocol and its extensions.
    Xml,
    /// One address a line, and nothing else.
    Text,
}

/// By whose rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The protocol of today.
    Default,
    /// The early protocol: [`MAX_BYTES_CLASSIC`], and a date for every entry of an index.
    Classic,
}

/// What becomes of the call when a row cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// It fails, at the end of the batch, with the faults of all its rows.
    Raise,
    /// It goes on without the row, and keeps the fault.
    Skip,
}

/// What the rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Pages.
    Urlset,
    /// Sitemaps: `loc` and `lastmod` are written, no other column.
    Index,
}

/// How to write.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a question of its own
pub struct Options {
    /// Address below which the files are published, such as `https://shop.example/`. Rows of other sites are refused
    /// unless `allow_offsite`; empty: not known, and nothing is refused for its site.
    pub base: String,
    /// URLs of a file at most, 1 to [`MAX_URLS`].
    pub max_urls: u64,
    /// Children of an index at most, 1 to [`MAX_URLS`].
    pub max_children: u64,
    /// Bytes of a file at most before compression, up to [`MAX_BYTES`].
    pub max_bytes: u64,
    /// Entries of a file with news at most.
    pub max_news: u64,
    /// Whether files are compressed; an index of [`index()`] never is.
    pub gzip: bool,
    /// Level of compression, 0 to 12.
    pub level: u8,
    /// XML or text.
    pub format: Format,
    /// By whose rules.
    pub profile: Profile,
    /// Address of an XSL style sheet that files point to.
    pub stylesheet: Option<String>,
    /// What becomes of rows that cannot be written.
    pub on_error: OnError,
    /// Whether rows of other sites are taken.
    pub allow_offsite: bool,
    /// Whether a table without rows gives a file without entries rather than none.
    pub allow_empty: bool,
    /// Whether an index may list indexes.
    pub nested: bool,
    /// The table of elements.
    pub schema: Arc<Schema>,
    /// Pages or sitemaps.
    pub kind: Kind,
    /// Threads that compress.
    pub threads: usize,
    /// Name of the files, `{}` being the number of each in five digits; without it there can be one file only. `None`:
    /// `sitemap-{}.xml`, with `.txt` or `.gz` where that is what they are.
    pub name: Option<String>,
    /// Faults of a code whose details are kept; of the rest the number is.
    pub max_faults: u64,
}

impl Options {
    /// The protocol's limits, gzip at level 6, one thread, and no row that cannot be written.
    pub fn new(base: impl Into<String>) -> Self {
        Self {
            base: base.into(),
            max_urls: MAX_URLS,
            max_children: MAX_URLS,
            max_bytes: MAX_BYTES,
            max_news: MAX_NEWS,
            gzip: true,
            level: 6,
            format: Format::Xml,
            profile: Profile::Default,
            stylesheet: None,
            on_error: OnError::Raise,
            allow_offsite: false,
            allow_empty: false,
            nested: false,
            schema: Schema::standard(),
            kind: Kind::Urlset,
            threads: 1,
            name: None,
            max_faults: 100,
        }
    }

    /// Bytes of a file at most, by the profile too.
    fn bytes(&self) -> usize {
        let most = if self.profile == Profile::Classic { MAX_BYTES_CLASSIC } else { MAX_BYTES };
        self.max_bytes.min(most) as usize
    }

    /// Checks the values, and gives the base as an encoded address that ends in a slash, `None` where there is none.
    fn check(&self) -> Result<Option<String>> {
        let refuse = |why: String| Err(Error::new(ErrorKind::Option(why)));
        let within = |name: &str, value: u64, most: u64| {
            if (1..=most).contains(&value) {
                return Ok(());
            }
            Err(Error::new(ErrorKind::Option(format!("{name} is {value}, 1 to {most} was expected"))))
        };
        within("max_urls", self.max_urls, MAX_URLS)?;
        within("max_children", self.max_children, MAX_URLS)?;
        within("max_bytes", self.max_bytes, MAX_BYTES)?;
        within("max_news", self.max_news, MAX_URLS)?;
        within("threads", self.threads as u64, MAX_THREADS as u64)?;
        gzip::Gzip::new(self.level)?;
        if self.format == Format::Text && self.stylesheet.is_some() {
            return refuse("a text list has no style sheet, format XML was expected".into());
        }
        if self.format == Format::Text && self.kind == Kind::Index {
            return refuse("an index is XML, it has no text form".into());
        }
        if let Some(href) = &self.stylesheet
            && (href.is_empty() || escape::attribute(href, &mut Vec::new()).is_err())
        {
            return refuse(format!("stylesheet is \"{href}\", an address was expected"));
        }
        let name = self.name.as_deref().unwrap_or("{}");
        if name.is_empty() || name.contains(['/', '\\', '\0', '\n', '\r']) || name.matches("{}").count() > 1 {
            return refuse(format!("name is \"{name}\", a file name with at most one {{}} was expected"));
        }
        if self.base.is_empty() {
            return Ok(None);
        }
        let mut encoded = Vec::new();
        let base = match url::encode(&self.base, &mut encoded) {
            Ok(url::Encoded::Same) => self.base.clone(),
            Ok(url::Encoded::Changed) => String::from_utf8_lossy(&encoded).into_owned(),
            Err(code) => {
                let why = crate::codes::Fault::new(code).element("base").value(&self.base).message();
                return refuse(why);
            }
        };
        if base.contains(['?', '#']) {
            return refuse(format!("base is \"{}\", an address without query and fragment was expected", self.base));
        }
        Ok(Some(if base.ends_with('/') { base } else { base + "/" }))
    }
}

/// A finished file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its name, without folder.
    pub name: String,
    /// Its bytes.
    pub data: Vec<u8>,
    /// Its entries.
    pub rows: u64,
    /// Bytes before compression.
    pub plain_bytes: u64,
    /// [`hash()`] of the bytes before compression.
    pub plain_hash: u64,
    /// The latest date of its entries in microseconds since 1970, and the form in which an index writes it: a date where
    /// every entry has a date alone, else seconds and `Z`.
    pub lastmod: Option<(i64, Form)>,
    /// Address of its first entry; empty where it has none.
    pub first: String,
    /// Address of its last entry.
    pub last: String,
}

//! What a caller can set, and what bounds a reader whatever the input. Data, no logic but the choice of columns.

use std::sync::Arc;

use crate::columns::BATCH_ROWS;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::Schema;

/// What becomes of relative addresses. They are reported in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Relative {
    /// No row.
    #[default]
    Drop,
    /// A row with the address resolved against the base; no row without a base.
    Resolve,
    /// A row with the address as written.
    Keep,
}

/// Bounds of one file. `None` lifts a bound.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes after gunzip, of gzip input.
    pub max_bytes: Option<u64>,
    /// Inflated to compressed bytes, looked at beyond the 52,428,800 bytes of a legal file.
    pub max_ratio: Option<u64>,
    /// Elements within one another.
    pub max_depth: usize,
    /// Entries.
    pub max_entries: Option<u64>,
    /// Bytes of one text, tag, comment or line.
    pub max_text: usize,
    /// Findings of one code that are kept with their place; the rest is counted.
    pub max_findings: u64,
}

impl Default for Limits {
    /// Generous for every legal file: ten times the protocol's 50 MiB, two hundred times its 50,000 entries.
    fn default() -> Self {
        Self {
            max_bytes: Some(524_288_000),
            max_ratio: Some(500),
            max_depth: 64,
            max_entries: Some(10_000_000),
            max_text: 1 << 20,
            max_findings: 1_000,
        }
    }
}

/// How a file is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The table, with the user's own elements.
    pub schema: Arc<Schema>,
    /// What stands in the column `sitemap`.
    pub name: Option<String>,
    /// The address the file claims to have.
    pub base: Option<String>,
    /// The content type it came with, parameters included.
    pub content_type: Option<String>,
    /// The columns wanted; all when `None`.
    pub columns: Option<Vec<String>>,
    /// What becomes of relative addresses of pages.
    pub relative: Relative,
    /// What becomes of relative addresses of sitemaps, in an index or robots.txt.
    pub relative_children: Relative,
    /// Rows of a batch at most.
    pub batch_rows: usize,
    /// Bounds.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            schema: Schema::standard(),
            name: None,
            base: None,
            content_type: None,
            columns: None,
            relative: Relative::Drop,
            relative_children: Relative::Drop,
            batch_rows: BATCH_ROWS,
            limits: Limits::default(),
        }
    }
}

impl Options {
    /// Which columns of the URL table are wanted; `None` for all of them.
    ///
    /// Errors: [`ErrorKind::Option`] for a column that the table does not have.
    pub(super) fn wanted(&self) -> Result<Option<Vec<bool>>> {
        let Some(names) = &self.columns else { return Ok(None) };
        let arrow = self.schema.arrow();
        let mut wanted = vec![false; arrow.fields().len()];
        for name in names {
            let Some(at) = self.schema.column(name) else {
                let known: Vec<_> = arrow.fields().iter().map(|f| f.name().as_str()).collect();
                let what = format!("there is no column \"{name}\": choose of {}", known.join(", "));
                return Err(Error::new(ErrorKind::Option(what)));
            };
            wanted[at] = true;
        }
        Ok(Some(wanted))
    }

    /// The charset parameter of the content type.
    pub(super) fn charset(&self) -> Option<&str> {
        let (_, parameters) = self.content_type.as_deref()?.split_once(';')?;
        parameters.split(';').find_map(|p| {
            let (name, value) = p.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']);
            (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
        })
    }
}

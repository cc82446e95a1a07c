//! Files to the index that lists them; past the limit several, or a cascade. Reads no file.

use super::entry::{Base, Encoder};
use super::refuse::as_error;
use super::split::{Frame, Full, Limits, Open};
use super::{Format, Kind, Options, Profile, Shard, hash};
use crate::error::{Error, ErrorKind, Result};
use crate::value::date::Form;

/// A file that an index lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// Its address.
    pub loc: String,
    /// The latest date within it, in microseconds since 1970, and how to write it; `None` where none is known.
    pub lastmod: Option<(i64, Form)>,
}

impl Child {
    /// A file of [`crate::write::Writer`], published below `base`.
    pub fn of(shard: &Shard, base: &str) -> Self {
        Self { loc: format!("{base}{}", shard.name), lastmod: shard.lastmod }
    }
}

/// Name of the top index.
const TOP: &str = "sitemap.xml";

/// The index that lists these files, in their order: `sitemap.xml`, never compressed.
///
/// Where they are more than [`Options::max_children`] or [`Options::max_bytes`] allow, `sitemap-index-00002.xml` and so
/// on go on with the list, each an index of its own to be submitted. With [`Options::nested`] the lists are
/// `sitemap-index-00001.xml` and so on, and `sitemap.xml`, the last of the result, lists them, over as many storeys as
/// it takes. An index is dated by the latest of what it lists.
///
/// Errors: [`ErrorKind::Refused`] for a child whose address is none or lies on another site, or that has no date where
/// [`Profile::Classic`] wants one; [`ErrorKind::RowTooBig`]; [`ErrorKind::Option`].
///
/// ```
/// use urlset::write::{Child, Options, index};
/// let child = Child { loc: "https://shop.example/sitemap-00001.xml.gz".into(), lastmod: None };
/// let files = index(&[child], &Options::new("https://shop.example/"))?;
/// assert_eq!(files[0].name, "sitemap.xml");
/// # Ok::<(), urlset::error::Error>(())
/// ```
pub fn index(children: &[Child], options: &Options) -> Result<Vec<Shard>> {
    let base = options.check()?;
    if options.format == Format::Text {
        return Err(Error::new(ErrorKind::Option("an index is XML, it has no text form".into())));
    }
    let mut level = cut(children, options, base.as_deref())?;
    if !options.nested || level.len() == 1 {
        return Ok((1..).zip(level).map(|(at, full)| shard(name(at), full)).collect());
    }
    let Some(base) = base else {
        let why = "a cascade of indexes needs `base`, the address below which they are published";
        return Err(Error::new(ErrorKind::Option(why.into())));
    };
    let mut done: Vec<Shard> = Vec::new();
    loop {
        let count = level.len();
        let numbers = done.len() as u64 + 1..;
        let storey: Vec<Shard> = numbers.zip(level).map(|(at, full)| shard(numbered(at), full)).collect();
        let parents: Vec<Child> = storey.iter().map(|shard| Child::of(shard, &base)).collect();
        done.extend(storey);
        level = cut(&parents, options, Some(&base))?;
        if level.len() == 1 {
            done.extend(level.into_iter().map(|full| shard(TOP.to_owned(), full)));
            return Ok(done);
        }
        if level.len() >= count {
            let why =
                "the limits let an index list too few files for a cascade to end in one, two or more were expected";
            return Err(Error::new(ErrorKind::Option(why.into())));
        }
    }
}

/// Name of the indexes of a list that takes several, counted from 1.
pub(super) fn name(at: u64) -> String {
    if at == 1 { TOP.to_owned() } else { numbered(at) }
}

fn numbered(at: u64) -> String {
    format!("sitemap-index-{at:05}.xml")
}

fn shard(name: String, full: Full) -> Shard {
    Shard {
        name,
        rows: full.rows,
        plain_bytes: full.data.len() as u64,
        plain_hash: hash(&full.data),
        lastmod: full.lastmod,
        first: full.first,
        last: full.last,
        data: full.data,
    }
}

/// The children over as many indexes as the limits ask for.
fn cut(children: &[Child], options: &Options, base: Option<&str>) -> Result<Vec<Full>> {
    let frame = Frame::new(options, Kind::Index);
    let limits = Limits { urls: options.max_children, bytes: options.bytes(), few: (0, 0) };
    let site = base.filter(|_| !options.allow_offsite).map(Base::new);
    let mut encoder = Encoder::new(&options.schema, site, options.profile == Profile::Classic);
    let mut open = Open::new(Vec::new(), &frame, None, 0);
    let mut files = Vec::new();
    for (row, child) in children.iter().enumerate() {
        loop {
            let start = open.buffer.len();
            if let Err(fault) = encoder.child(&child.loc, child.lastmod, &mut open.buffer) {
                as_error(&fault, row as u64)?;
            }
            if open.fits(&frame, None, 0, &limits) {
                break;
            }
            open.buffer.truncate(start);
            if open.is_empty() {
                return Err(Error::at(ErrorKind::RowTooBig, row as u64));
            }
            let full = std::mem::replace(&mut open, Open::new(Vec::new(), &frame, None, 0));
            files.push(full.close(&frame, None));
        }
        open.accept(0, &limits, encoder.loc.clone(), encoder.lastmod.map(|d| (d.micros, d.form)));
    }
    if !open.is_empty() || files.is_empty() {
        files.push(open.close(&frame, None));
    }
    Ok(files)
}

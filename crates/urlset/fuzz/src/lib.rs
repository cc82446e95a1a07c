//! What the targets share: how a file is read, chosen by one byte, so that an execution pays for few columns, and when two readings are the same.

#[path = "../../tests/naive/mod.rs"]
pub mod naive;
#[path = "../../tests/reading/mod.rs"]
pub mod reading;

use reading::Reading;
use urlset::read::{Limits, Options, Relative};

/// Half of the time of a small file is that of asking the system for memory.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The columns of one execution; nothing for all of them.
const COLUMNS: [&[&str]; 16] = [
    &["loc"],
    &["loc", "lastmod"],
    &["loc", "lastmod", "lastmod_form"],
    &["loc", "changefreq", "priority"],
    &["loc", "images"],
    &["loc", "images", "lastmod"],
    &["loc", "videos"],
    &["videos"],
    &["loc", "news"],
    &["loc", "alternates"],
    &["loc", "pagemap"],
    &["loc", "mobile", "mobile_baidu"],
    &["loc", "codesearch", "geo"],
    &["loc", "lastmod", "changefreq", "priority"],
    &["lastmod"],
    &[],
];

/// What a byte stands for: its low half chooses columns, of its high half two bits choose what becomes of relative addresses.
pub fn options(choice: u8) -> Options {
    let columns = COLUMNS[usize::from(choice & 15)];
    let relative = [Relative::Drop, Relative::Resolve, Relative::Keep, Relative::Drop][usize::from(choice >> 4 & 3)];
    Options {
        columns: (!columns.is_empty()).then(|| columns.iter().map(|&name| name.to_owned()).collect()),
        relative,
        relative_children: relative,
        base: (choice & 0x40 != 0).then(|| "https://a.example/folder/sitemap.xml".to_owned()),
        ..Options::default()
    }
}

/// The same with bounds that bite, where the highest bit says so.
pub fn bounded(choice: u8) -> Options {
    let options = options(choice);
    if choice & 0x80 == 0 {
        return options;
    }
    let limits =
        Limits { max_depth: 4, max_entries: Some(2), max_findings: 3, max_bytes: Some(600), ..Limits::default() };
    Options { limits, batch_rows: 2, ..options }
}

/// Takes bytes off the front of an input; those that are missing are 0.
pub fn front<const N: usize>(input: &[u8]) -> ([u8; N], &[u8]) {
    let (first, rest) = input.split_at(input.len().min(N));
    let mut front = [0; N];
    front[..first.len()].copy_from_slice(first);
    (front, rest)
}

/// Holds a file that came in chunks to what it gives as a whole.
///
/// Of the faults of a chunk those of its bytes are told before those of its markup. Where a stage before the markup tells
/// something, the order of faults may therefore be another, and nothing else.
///
/// # Panics
///
/// Where they differ.
pub fn assert_same(mut cut: Reading, mut whole: Reading) {
    if cut != whole && whole.faults.iter().any(|fault| told_by_a_stage(fault.code.rule().code)) {
        for read in [&mut cut, &mut whole] {
            read.faults.sort_by_cached_key(|fault| format!("{fault:?}"));
        }
    }
    assert_eq!(cut, whole);
}

/// Codes of gzip, of its bound and of encodings.
fn told_by_a_stage(code: &str) -> bool {
    code.starts_with("GZP")
        || ["SIZ013", "XML006", "XML007", "XML008", "XML010", "TXT001", "ROB009", "GEN003"].contains(&code)
}

//! Damage is local: what cuts, flips and losses of bytes may cost, and that they are told. Uses no network and no file.

#[allow(dead_code)] // each test takes what it needs
mod reading;
#[allow(dead_code)]
mod sitemaps;
#[allow(dead_code)]
mod wellformed;

use std::collections::HashMap;

use reading::{Reading, read};
use urlset::read::Kind;
use wellformed::{Element, parse};

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut out = vec![0; compressor.gzip_compress_bound(plain.len())];
    let length = compressor.gzip_compress(plain, &mut out).expect("there is room");
    out.truncate(length);
    out
}

#[test]
fn clean_files_are_silent() {
    for (name, file) in sitemaps::plain() {
        for bytes in [file.as_bytes().to_vec(), gzip(file.as_bytes())] {
            let whole = read(&bytes);
            assert!(whole.faults.is_empty(), "{name}: {:#?}", whole.faults);
            assert!(whole.complete && whole.rows.len() >= 4, "{name}");
        }
        let xml = whole_is_list(&file) || parse(file.as_bytes()).is_some();
        assert!(xml, "{name}: the judge agrees");
    }
}

fn whole_is_list(file: &str) -> bool {
    file.starts_with("http")
}

/// No half row: what a cut file gives is what the whole one gives first, and the cut is told.
#[test]
fn cuts_give_a_prefix() {
    let mut files: Vec<(String, String)> = sitemaps::plain().into_iter().map(|(n, f)| (n.into(), f)).collect();
    files.extend((0..12).map(|seed| (format!("odd {seed}"), sitemaps::odd(seed, 4))));
    for (name, file) in files {
        let whole = read(file.as_bytes());
        let list = whole_is_list(&file);
        for cut in 0..file.len() {
            let found = read(&file.as_bytes()[..cut]);
            // Nothing shows that a list was cut: its last line counts, whatever it is.
            let rows = if list { &found.rows[..found.rows.len().saturating_sub(1)] } else { &found.rows[..] };
            assert!(
                whole.rows.starts_with(rows),
                "{name} cut at {cut}: {:?}\n{}",
                found.rows,
                file.as_bytes()[..cut].escape_ascii()
            );
            let whole_root = parse(&file.as_bytes()[..cut]).is_some();
            if cut > 0 && !list && !whole_root && !name.starts_with("odd") {
                assert!(!found.faults.is_empty() && !found.complete, "{name} cut at {cut} in silence");
            }
        }
        let packed = gzip(file.as_bytes());
        for cut in 1..packed.len() {
            let found = read(&packed[..cut]);
            assert!(whole.rows.starts_with(&found.rows), "{name}, gzip cut at {cut}: {:?}", found.rows);
            assert!(!found.faults.is_empty() && !found.complete, "{name}, gzip cut at {cut} in silence");
        }
    }
}

/// Bytes outside the declaration, the root tag, comments, sections and instructions.
fn plain_bytes(file: &str) -> Vec<usize> {
    let roots = ["urlset", "sitemapindex", "rss", "feed"];
    let root = roots.into_iter().filter_map(|r| file.find(r)).min().unwrap_or(0);
    // The first byte of a list says what it is.
    let end = if whole_is_list(file) { 1 } else { root + file[root..].find('>').unwrap_or(0) + 1 };
    (end..file.len()).collect()
}

/// What a byte is changed to.
fn changes(byte: u8) -> Vec<u8> {
    let mut out: Vec<u8> = [0x01, 0x20, 0x80].iter().map(|mask| byte ^ mask).collect();
    out.extend(b"<>&\"'/!? \0=x:");
    out.sort_unstable();
    out.dedup();
    out.retain(|&b| b != byte);
    out
}

/// How many of `left` are not in `right`, counting repeats.
fn missing(left: &[String], right: &[String]) -> usize {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    for row in right {
        *counts.entry(row).or_default() += 1;
    }
    let mut missing = 0;
    for row in left {
        let count = counts.entry(row).or_default();
        *count -= 1;
        missing += usize::from(*count < 0);
    }
    missing
}

fn judge(name: &str, place: &str, clean: &Reading, damaged: &[u8]) {
    let found = read(damaged);
    let shown = || format!("{name}: {place}\n{}\n{:#?}\n{:#?}", damaged.escape_ascii(), found.rows, found.faults);
    let (lost, new) = (missing(&clean.rows, &found.rows), missing(&found.rows, &clean.rows));
    // A line end that is gone joins two lines of a list.
    let most = if clean.kind == Some(Kind::Text) { 2 } else { 1 };
    assert!(lost <= most, "{lost} entries are gone or changed, {}", shown());
    assert!(new <= lost, "an entry is invented, {}", shown());
    if !found.faults.is_empty() {
        return;
    }
    if clean.kind == Some(Kind::Text) {
        assert!(found.locs.iter().all(|l| is_address(l)), "no address and no fault, {}", shown());
        return;
    }
    // Silence is right where the file is well-formed, every value is one, and the rows say what the file says.
    let Some(root) = parse(damaged) else { panic!("not well-formed and no fault, {}", shown()) };
    let mut locs = Vec::new();
    entries(&root, &mut locs, &shown);
    assert_eq!(found.locs, locs, "the rows are not what the file says, {}", shown());
}

fn is_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    rest.is_some_and(|r| !r.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&b)))
}

/// The locs of the entries below an element, each value of each entry being in its space.
fn entries(element: &Element, locs: &mut Vec<String>, shown: &dyn Fn() -> String) {
    for child in &element.children {
        let kind = (element.name.as_str(), child.name.as_str());
        if element.ns != child.ns
            || !matches!(
                kind,
                ("urlset", "url") | ("sitemapindex", "sitemap") | ("channel", "item") | ("feed", "entry")
            )
        {
            entries(child, locs, shown);
            continue;
        }
        let mut loc = None;
        for value in &child.children {
            let text = value.text.trim();
            let own = value.ns == child.ns;
            let good = match value.name.as_str() {
                "loc" if own => {
                    loc = loc.or(Some(text.to_owned()));
                    is_address(text)
                }
                "link" if own && value.attributes.is_empty() => {
                    loc = loc.or(Some(text.to_owned()));
                    is_address(text)
                }
                "link" if own && kind.1 == "entry" => {
                    let of = |name: &str| value.attributes.iter().find(|a| a.0 == name).map(|a| a.1.trim().to_owned());
                    if of("rel").is_none_or(|r| r.eq_ignore_ascii_case("alternate")) {
                        loc = loc.or(of("href"));
                    }
                    true
                }
                "lastmod" | "updated" if own => {
                    text.len() >= 4 && text.bytes().all(|b| b.is_ascii_digit() || b"-:TZ.+".contains(&b))
                }
                "changefreq" if own => {
                    ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"].contains(&text)
                }
                "priority" if own => text.parse::<f64>().is_ok_and(|n| (0.0..=1.0).contains(&n)),
                _ => true,
            };
            assert!(good, "{} \"{text}\" and no fault, {}", value.name, shown());
        }
        locs.push(loc.unwrap_or_else(|| panic!("an entry without loc and no fault, {}", shown())));
    }
}

fn flips(file: usize) {
    let (name, file) = sitemaps::plain().swap_remove(file);
    flips_of(name, &file);
}

fn flips_of(name: &str, file: &str) {
    let clean = read(file.as_bytes());
    for at in plain_bytes(file) {
        let mut damaged = file.as_bytes().to_vec();
        let byte = damaged[at];
        for change in changes(byte) {
            damaged[at] = change;
            judge(name, &format!("byte {at} is {}", change.escape_ascii()), &clean, &damaged);
        }
        damaged.remove(at);
        judge(name, &format!("byte {at} is gone"), &clean, &damaged);
    }
}

#[test]
fn damage_is_local_in_core() {
    flips(0);
}

#[test]
fn damage_is_local_in_extensions() {
    flips(1);
}

#[test]
fn damage_is_local_in_an_index() {
    flips(2);
}

#[test]
fn damage_is_local_in_rss() {
    flips(3);
}

#[test]
fn damage_is_local_in_atom() {
    flips(4);
}

/// Prefixes, namespaces that change, references, strangers; `URLSET_SOAK` says how many such files.
#[test]
fn damage_is_local_in_odd_files() {
    let soak = std::env::var("URLSET_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for seed in 0..2 * soak {
        flips_of(&format!("seed {seed}"), &sitemaps::odd_elements(seed, 2));
    }
}

#[test]
fn damage_is_local_in_a_list() {
    flips(5);
}

/// Comments, sections, instructions, the declaration, the root tag: anything may be lost, nothing may fail.
#[test]
fn damage_anywhere_is_no_exception() {
    for seed in 0..6 {
        let file = sitemaps::odd(seed, 2);
        for at in 0..file.len() {
            let mut damaged = file.as_bytes().to_vec();
            for change in changes(damaged[at]).into_iter().step_by(3) {
                damaged[at] = change;
                read(&damaged);
            }
            damaged.remove(at);
            read(&damaged);
        }
    }
}

/// The rows before the damage, then a finding. What is inflated from damaged data before its checksum is known may be wrong.
#[test]
fn flips_in_gzip_keep_the_rows_before() {
    for (name, file) in sitemaps::plain() {
        let whole = read(file.as_bytes());
        let packed = gzip(file.as_bytes());
        for at in 0..packed.len() {
            for mask in [0x01, 0x20, 0x80] {
                let mut damaged = packed.clone();
                damaged[at] ^= mask;
                let found = read(&damaged);
                let same = inflated_alike(&damaged, file.as_bytes());
                let kept = whole_rows(&file, same);
                let common = found.rows.iter().zip(&whole.rows).take_while(|(a, b)| a == b).count();
                assert!(common >= kept, "{name}, byte {at} ^ {mask}: {common} rows of {kept}");
                let silent = found.faults.is_empty();
                assert!(!silent || found.rows == whole.rows, "{name}, byte {at} ^ {mask}: in silence");
            }
        }
    }
}

/// How many bytes of damaged gzip come out as they went in.
fn inflated_alike(packed: &[u8], plain: &[u8]) -> usize {
    use std::io::Read as _;
    let mut reader = flate2::read::GzDecoder::new(packed);
    let (mut alike, mut byte) = (0, [0]);
    while let Ok(1) = reader.read(&mut byte) {
        if plain.get(alike) != Some(&byte[0]) {
            break;
        }
        alike += 1;
    }
    alike
}

/// Entries that end within the first bytes of a file.
fn whole_rows(file: &str, bytes: usize) -> usize {
    let ends = ["</url>", "</sitemap>", "</item>", "</entry>"];
    if whole_is_list(file) {
        return file[..bytes].matches('\n').count();
    }
    ends.iter().map(|end| file[..bytes].matches(end).count()).sum()
}

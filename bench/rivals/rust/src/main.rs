//! Subjects in Rust: rounds timed in CPU seconds, memory watched, one line of JSON at the end; see ../../python/harness.py.
//!
//! `bench-rivals SUBJECT INPUT ROUNDS WARM [--answer FILE] [--to FOLDER] [--address URL]`

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quick_xml::events::Event;
use quick_xml::reader::Reader;
use rustix::time::{ClockId, clock_gettime};
use sitemap_rs::sitemap::Sitemap;
use sitemap_rs::sitemap_index::SitemapIndex;
use sitemap_rs::url::{ChangeFrequency, Url};
use sitemap_rs::url_set::UrlSet;

type Fallible<T> = Result<T, Box<dyn Error>>;

const FIELDS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];
const FILE: usize = 50_000;
const BASE: &str = "https://shop.example/";

/// Texts one after another, as Arrow keeps them.
#[derive(Default)]
struct Column {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Column {
    fn at(&self, row: usize) -> &str {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        std::str::from_utf8(&self.bytes[start..self.ends[row]]).unwrap_or("")
    }
}

fn cpu() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

fn memory(what: &str) -> Fallible<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|l| l.starts_with(what)).ok_or("no such line")?;
    Ok(line.split_ascii_whitespace().nth(1).ok_or("no figure")?.parse()?)
}

fn field(name: &str) -> Option<usize> {
    match name {
        "loc" => Some(0),
        "lastmod" => Some(1),
        "changefreq" => Some(2),
        "priority" => Some(3),
        _ => None,
    }
}

/// Events of quick-xml to a column of texts for each field: no types, no checks but the parser's own.
fn quick(data: &[u8]) -> Fallible<[Column; 4]> {
    let mut columns: [Column; 4] = Default::default();
    let mut reader = Reader::from_str(std::str::from_utf8(data)?);
    reader.config_mut().check_end_names = false;
    let mut open = None;
    loop {
        match reader.read_event()? {
            Event::Start(start) => open = field(start.name().as_ref()),
            Event::Text(text) => {
                if let Some(at) = open {
                    columns[at].bytes.extend_from_slice(text.as_bytes());
                }
            }
            Event::GeneralRef(reference) => {
                if let Some(at) = open {
                    if let Some(c) = reference.resolve_char_ref()? {
                        columns[at].bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    } else {
                                                let text = quick_xml::escape::resolve_predefined_entity(&reference).ok_or("an entity of its own")?;
                        columns[at].bytes.extend_from_slice(text.as_bytes());
                    }
                }
            }
            Event::End(end) => {
                open = None;
                if end.name().as_ref() == "url" {
                    for column in &mut columns {
                        column.ends.push(column.bytes.len());
                    }
                }
            }
            Event::Eof => return Ok(columns),
            _ => {}
        }
    }
}

fn urls(path: &Path) -> Fallible<Vec<Url>> {
    let text = fs::read_to_string(path)?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().ok_or("no head")?.split('\t').collect();
    let at = |name: &str| names.iter().position(|n| *n == name).ok_or("no such column");
    let (loc, instant, often, priority) = (at("loc")?, at("instant")?, at("changefreq")?, at("priority")?);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let often = match cells[often] {
                "always" => ChangeFrequency::Always,
                "hourly" => ChangeFrequency::Hourly,
                "daily" => ChangeFrequency::Daily,
                "weekly" => ChangeFrequency::Weekly,
                "monthly" => ChangeFrequency::Monthly,
                "yearly" => ChangeFrequency::Yearly,
                _ => ChangeFrequency::Never,
            };
            Ok(Url::builder(cells[loc].to_owned())
                .last_modified(Timestamp::from_microsecond(cells[instant].parse()?)?.to_zoned(TimeZone::UTC))
                .change_frequency(often)
                .priority(cells[priority].parse()?)
                .build()?)
        })
        .collect()
}

/// Each set to bytes, those compressed in one piece, and an index at the end.
fn write(sets: Vec<Vec<Url>>, folder: &Path, packed: bool) -> Fallible<()> {
    let mut names = Vec::new();
    for set in sets {
        let mut data = Vec::new();
        UrlSet::new(set)?.write(&mut data)?;
        let name = format!("sitemap-{:05}.xml{}", names.len() + 1, if packed { ".gz" } else { "" });
        if packed {
            let mut out = GzEncoder::new(Vec::new(), Compression::new(6));
            out.write_all(&data)?;
            data = out.finish()?;
        }
        fs::write(folder.join(&name), data)?;
        names.push(Sitemap::new(format!("{BASE}{name}"), None));
    }
    let mut data = Vec::new();
    SitemapIndex::new(names)?.write(&mut data)?;
    Ok(fs::write(folder.join("sitemap.xml"), data)?)
}

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [subject, path, rounds, warm, rest @ ..] = &arguments[..] else {
        return Err("bench-rivals SUBJECT INPUT ROUNDS WARM ...".into());
    };
    let (rounds, warm): (usize, usize) = (rounds.parse()?, warm.parse()?);
    let options: HashMap<&str, &str> = rest.chunks_exact(2).map(|pair| (&*pair[0], &*pair[1])).collect();
    let writes = subject.starts_with("sitemap-rs");
    let path = Path::new(path);
    let (data, rows) = if writes { (Vec::new(), urls(path)?) } else { (fs::read(path)?, Vec::new()) };
    let (mut cpus, mut walls, mut counts, mut growth, mut peak) = (Vec::new(), Vec::new(), Vec::new(), 0, 0);
    let mut columns = None;
    for number in 0..warm + rounds {
        drop(columns.take());
        // Sets are taken whole: they are made before the clock starts.
        let sets: Vec<Vec<Url>> = rows.chunks(FILE).map(<[Url]>::to_vec).collect();
        if writes {
            let to = Path::new(options["--to"]);
            let _ = fs::remove_dir_all(to);
            fs::create_dir_all(to)?;
        }
        if number == 0 {
            fs::write("/proc/self/clear_refs", "5")?;
        }
        let before = memory("VmRSS:")?;
        let (wall, start) = (Instant::now(), cpu());
        let count = if writes {
            write(sets, Path::new(options["--to"]), subject.ends_with("-gz"))?;
            rows.len()
        } else {
            let found = quick(&data)?;
            let count = found[0].ends.len();
            columns = Some(found);
            count
        };
        let (took, walled) = (cpu() - start, wall.elapsed().as_secs_f64());
        if number == 0 {
            peak = memory("VmHWM:")?;
            growth = peak.saturating_sub(before);
        }
        if number >= warm {
            cpus.push(took);
            walls.push(walled);
        }
        if !counts.contains(&count) {
            counts.push(count);
        }
    }
    if let (Some(answer), Some(columns)) = (options.get("--answer"), &columns) {
        let mut out = BufWriter::new(fs::File::create(answer)?);
        writeln!(out, "{}", FIELDS.join("\t"))?;
        for row in 0..columns[0].ends.len() {
            let cells: Vec<&str> = columns.iter().map(|column| column.at(row)).collect();
            writeln!(out, "{}", cells.join("\t"))?;
        }
        out.flush()?;
    }
    let mut out = String::new();
    write!(out, "{{\"cpu\": {cpus:?}, \"wall\": {walls:?}, \"counts\": {counts:?}, ")?;
    println!("{out}\"growth_kib\": {growth}, \"peak_kib\": {peak}}}");
    Ok(())
}

//! The core and the floors beneath it, for `make bench`: several subjects in one process, round by round in turn, so that noise hits all alike.
//!
//! `bench SUBJECT,SUBJECT INPUT ROUNDS WARM [--to FOLDER]` prints a line of JSON for each subject. INPUT is a sitemap, plain or gzipped, a
//! folder of them, or a table of tabs (`bench/inputs.py` makes all three). Needs Linux: memory is what /proc says.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use arrow_array::builder::{ListBuilder, StringBuilder, StructBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::{DataType, Field, Fields};
use libdeflater::{CompressionLvl, Compressor, Decompressor};
use rustix::time::{ClockId, clock_gettime};
use urlset::read::inflate::Inflate;
use urlset::read::{Options, Reader};
use urlset::write::{self, Shard, Writer};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// Rows of a batch to write.
const BATCH: usize = 8_192;
/// Bytes given to the reader at a time.
const CHUNK: usize = 1 << 20;

/// What a round gave: URLs or bytes to check, findings, bytes made.
#[derive(Clone, Copy, Default, PartialEq)]
struct Gave {
    count: usize,
    findings: usize,
    bytes: usize,
}

/// What a subject is measured on.
struct Input {
    path: PathBuf,
    to: Option<PathBuf>,
    data: Vec<u8>,
    files: Vec<Vec<u8>>,
    batches: Vec<RecordBatch>,
    room: Vec<u8>,
}

/// CPU seconds of the process, all threads.
fn cpu() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

/// A figure of /proc/self/status in KiB.
fn memory(what: &str) -> Fallible<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|l| l.starts_with(what)).ok_or("no such line")?;
    Ok(line.split_ascii_whitespace().nth(1).ok_or("no figure")?.parse()?)
}

fn feed(reader: &mut Reader, chunk: &[u8], gave: &mut Gave) -> Fallible<()> {
    reader.feed(chunk)?;
    gave.count += reader.take_batches().iter().map(RecordBatch::num_rows).sum::<usize>();
    gave.findings += reader.take_faults().len();
    Ok(())
}

fn end(mut reader: Reader, gave: &mut Gave) -> Fallible<()> {
    reader.finish(false)?;
    gave.count += reader.take_batches().iter().map(RecordBatch::num_rows).sum::<usize>();
    gave.findings += reader.take_faults().len();
    Ok(())
}

/// The reader over bytes in memory, batches dropped as they come.
fn read(data: &[u8]) -> Fallible<Gave> {
    let mut gave = Gave::default();
    let mut reader = Reader::new(Options::default())?;
    for chunk in data.chunks(CHUNK) {
        feed(&mut reader, chunk, &mut gave)?;
    }
    end(reader, &mut gave)?;
    Ok(gave)
}

/// The reader over a file of any length.
fn stream(path: &Path) -> Fallible<Gave> {
    let mut gave = Gave::default();
    let mut reader = Reader::new(Options::default())?;
    let mut file = File::open(path)?;
    let mut chunk = vec![0; CHUNK];
    loop {
        let len = file.read(&mut chunk)?;
        if len == 0 {
            break;
        }
        feed(&mut reader, &chunk[..len], &mut gave)?;
    }
    end(reader, &mut gave)?;
    Ok(gave)
}

/// A hop over every `<`: the least that anything which looks at markup does.
fn walk(data: &[u8]) -> Gave {
    let at = memchr::memchr_iter(b'<', black_box(data)).fold(0, |n, at| n + usize::from(at < usize::MAX));
    Gave { count: at, ..Gave::default() }
}

/// Every byte looked at once, in vectors.
fn pass(data: &[u8]) -> Gave {
    let sum = black_box(data)
        .chunks(128)
        .fold(0_u64, |sum, chunk| sum + u64::from(chunk.iter().fold(0_u8, |or, byte| or | byte)));
    black_box(sum);
    Gave { count: data.len(), ..Gave::default() }
}

/// What the reader inflates with, and nothing else.
fn inflate(data: &[u8]) -> Gave {
    let mut log = urlset::codes::Log::new(1);
    let mut inflate = Inflate::new(None, None);
    let mut count = 0;
    for chunk in data.chunks(CHUNK) {
        inflate.feed(chunk, &mut log, &mut |plain, _| count += plain.len());
    }
    inflate.finish(&mut log, &mut |plain, _| count += plain.len());
    Gave { count, ..Gave::default() }
}

/// The fastest inflater there is, told how much room it needs.
fn libdeflate(data: &[u8], room: &mut [u8]) -> Fallible<Gave> {
    Ok(Gave { count: Decompressor::new().gzip_decompress(data, room)?, ..Gave::default() })
}

fn deflate(files: &[Vec<u8>], level: i32, room: &mut [u8]) -> Fallible<Gave> {
    let mut packer = Compressor::new(CompressionLvl::new(level).map_err(|_| "no such level")?);
    let mut gave = Gave::default();
    for file in files {
        gave.bytes += packer.gzip_compress(file, room)?;
        gave.count += file.len();
    }
    Ok(gave)
}

/// Write the bytes to files and rename them.
fn copy(files: &[Vec<u8>], to: &Path) -> Fallible<Gave> {
    let mut gave = Gave::default();
    for (number, file) in files.iter().enumerate() {
        let name = to.join(format!("{number}.xml"));
        let beside = name.with_extension("part");
        File::create(&beside)?.write_all(file)?;
        fs::rename(&beside, &name)?;
        gave.bytes += file.len();
        gave.count += file.len();
    }
    Ok(gave)
}

fn writing(batches: &[RecordBatch], gzip: bool, level: u8, threads: usize) -> Fallible<Gave> {
    let mut options = write::Options::new("https://shop.example/");
    (options.gzip, options.level, options.threads) = (gzip, level, threads);
    let mut writer = Writer::new(&batches[0].schema(), options)?;
    let mut gave = Gave { count: batches.iter().map(RecordBatch::num_rows).sum(), ..Gave::default() };
    let take = |shard: Shard| {
        gave.bytes += shard.data.len();
        Ok::<_, urlset::error::Error>(())
    };
    writer.run(batches.iter().map(|b| Ok(b.clone())), take)?;
    Ok(gave)
}

/// Batches of a table of tabs: what a caller of the writer has in memory.
fn table(path: &Path) -> Fallible<Vec<RecordBatch>> {
    let text = fs::read_to_string(path)?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().ok_or("no head")?.split('\t').collect();
    let at = |name: &str| names.iter().position(|n| *n == name);
    let rows: Vec<Vec<&str>> = lines.map(|l| l.split('\t').collect()).collect();
    let (loc, instant) = (at("loc").ok_or("no loc")?, at("instant").ok_or("no instant")?);
    let (often, priority) = (at("changefreq").ok_or("no changefreq")?, at("priority").ok_or("no priority")?);
    let extended = at("alternates").zip(at("images"));
    rows.chunks(BATCH)
        .map(|rows| {
            let dates = rows.iter().map(|r| r[instant].parse()).collect::<Result<Vec<i64>, _>>()?;
            let numbers = rows.iter().map(|r| r[priority].parse()).collect::<Result<Vec<f64>, _>>()?;
            let mut columns: Vec<(&str, ArrayRef)> = vec![
                ("loc", Arc::new(rows.iter().map(|r| Some(r[loc])).collect::<StringArray>())),
                ("lastmod", Arc::new(TimestampMicrosecondArray::from(dates).with_timezone("UTC"))),
                ("changefreq", Arc::new(rows.iter().map(|r| r[often]).collect::<DictionaryArray<Int32Type>>())),
                ("priority", Arc::new(Float64Array::from(numbers))),
            ];
            if let Some((alternates, images)) = extended {
                columns.push(("alternates", nested(rows, alternates, &["hreflang", "href"])?));
                columns.push(("images", nested(rows, images, &["loc"])?));
            }
            Ok(RecordBatch::try_from_iter(columns)?)
        })
        .collect()
}

/// A list of structs from cells whose words are the fields in turn.
fn nested(rows: &[Vec<&str>], at: usize, names: &[&str]) -> Fallible<ArrayRef> {
    let fields: Vec<Field> = names.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect();
    let mut lists = ListBuilder::new(StructBuilder::from_fields(Fields::from(fields), rows.len()));
    for row in rows {
        let words: Vec<&str> = row[at].split(' ').collect();
        for words in words.chunks(names.len()) {
            let item = lists.values();
            for (field, word) in words.iter().enumerate() {
                item.field_builder::<StringBuilder>(field).ok_or("a string")?.append_value(word);
            }
            item.append(true);
        }
        lists.append(true);
    }
    Ok(Arc::new(lists.finish()))
}

impl Input {
    /// Loads what the subjects need, before anything is measured.
    fn new(path: &Path, to: Option<PathBuf>, subjects: &[&str]) -> Fallible<Self> {
        let mut input = Self {
            path: path.to_owned(),
            to,
            data: Vec::new(),
            files: Vec::new(),
            batches: Vec::new(),
            room: Vec::new(),
        };
        if path.is_dir() {
            let mut names = fs::read_dir(path)?.map(|e| Ok(e?.path())).collect::<Fallible<Vec<_>>>()?;
            names.retain(|n| n.file_name().is_some_and(|n| n.to_string_lossy().starts_with("sitemap-")));
            names.sort();
            input.files = names.iter().map(fs::read).collect::<Result<_, _>>()?;
            input.room = vec![1; 64 << 20];
        } else if path.extension().is_some_and(|e| e == "truth") {
            input.batches = table(path)?;
        } else if subjects.iter().any(|s| *s != "stream") {
            input.data = fs::read(path)?;
            if path.extension().is_some_and(|e| e == "gz") {
                input.room = vec![1; 64 << 20];
            }
        }
        Ok(input)
    }

    fn round(&mut self, subject: &str) -> Fallible<Gave> {
        let data = &self.data;
        match subject {
            "read" => read(data),
            "stream" => stream(&self.path),
            "walk" => Ok(walk(data)),
            "pass" => Ok(pass(data)),
            "inflate" => Ok(inflate(data)),
            "libdeflate" => libdeflate(data, &mut self.room),
            "deflate-1" => deflate(&self.files, 1, &mut self.room),
            "deflate-6" => deflate(&self.files, 6, &mut self.room),
            "write2" => copy(&self.files, self.to.as_deref().ok_or("--to is missing")?),
            "write" => writing(&self.batches, false, 6, 1),
            "write-gz1" => writing(&self.batches, true, 1, 1),
            "write-gz6" => writing(&self.batches, true, 6, 1),
            "write-gz6-2" => writing(&self.batches, true, 6, 2),
            _ => Err(format!("there is no subject {subject}").into()),
        }
    }
}

/// What was seen of a subject.
#[derive(Default)]
struct Seen {
    cpu: Vec<f64>,
    wall: Vec<f64>,
    gave: Vec<Gave>,
    growth: u64,
    peak: u64,
}

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [subjects, path, rounds, warm, rest @ ..] = &arguments[..] else {
        return Err("bench SUBJECT,SUBJECT INPUT ROUNDS WARM [--to FOLDER]".into());
    };
    let (rounds, warm): (usize, usize) = (rounds.parse()?, warm.parse()?);
    let to = rest.iter().position(|r| r == "--to").map(|at| PathBuf::from(&rest[at + 1]));
    let subjects: Vec<&str> = subjects.split(',').collect();
    let mut input = Input::new(Path::new(path), to, &subjects)?;
    let mut seen: Vec<Seen> = subjects.iter().map(|_| Seen::default()).collect();
    for round in 0..warm + rounds {
        for (subject, seen) in subjects.iter().zip(&mut seen) {
            if *subject == "write2" {
                let to = input.to.as_deref().ok_or("--to is missing")?;
                let _ = fs::remove_dir_all(to);
                fs::create_dir_all(to)?;
            }
            if round == 0 {
                fs::write("/proc/self/clear_refs", "5")?;
            }
            let before = memory("VmRSS:")?;
            let (wall, start) = (Instant::now(), cpu());
            let gave = input.round(subject)?;
            let (took, walled) = (cpu() - start, wall.elapsed().as_secs_f64());
            if round == 0 {
                seen.peak = memory("VmHWM:")?;
                seen.growth = seen.peak.saturating_sub(before);
            }
            if !seen.gave.contains(&gave) {
                seen.gave.push(gave);
            }
            if round >= warm {
                seen.cpu.push(took);
                seen.wall.push(walled);
            }
        }
    }
    let mut out = String::new();
    for (subject, seen) in subjects.iter().zip(&seen) {
        let all = |f: fn(&Gave) -> usize| seen.gave.iter().map(f).collect::<Vec<_>>();
        writeln!(
            out,
            "{{\"subject\": \"{subject}\", \"cpu\": {:?}, \"wall\": {:?}, \"counts\": {:?}, \"findings\": {:?}, \"bytes\": {:?}, \
             \"growth_kib\": {}, \"peak_kib\": {}}}",
            seen.cpu,
            seen.wall,
            all(|g| g.count),
            all(|g| g.findings),
            all(|g| g.bytes),
            seen.growth,
            seen.peak
        )?;
    }
    print!("{out}");
    Ok(())
}

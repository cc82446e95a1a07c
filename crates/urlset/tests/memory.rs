//! No input makes memory grow by more than 64 MB: the worst hostile families here, all of them in a soak. Linux only.
#![cfg(target_os = "linux")]

#[allow(dead_code)] // each test takes what it needs
mod hostile;

use std::process::Command;

use hostile::{Family, families, large};

/// Bytes of input.
const SIZE: usize = 64 << 20;
/// Bytes that memory may grow by.
const MOST: u64 = 64 << 20;
/// Bytes fed at a time.
const CHUNK: usize = 64 * 1024;
/// Names the family that a process is to read.
const FAMILY: &str = "URLSET_FAMILY";

fn all() -> Vec<Family> {
    let mut all = families();
    all.extend(large());
    all
}

/// The most memory that this process has had, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux says what a process has");
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("the peak is among it");
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().expect("a number") * 1024
}

/// Reads the family that the environment names, and says by how much the peak grew. Findings are kept, as a caller would.
#[test]
#[ignore = "started by the tests below, in a process of its own"]
fn one_family() {
    let name = std::env::var(FAMILY).expect("the tests below name a family");
    let family = all().into_iter().find(|f| f.name == name).expect("a family of that name");
    let mut reader = family.reader(1 << 20);
    let mut faults = Vec::new();
    family.make(1, |_| ()); // what one unit takes is the test's own
    let before = peak();
    family.make(SIZE, |piece| {
        for chunk in piece.chunks(CHUNK) {
            reader.feed(chunk).expect("a bad file is no error");
            reader.take_batches();
            faults.extend(reader.take_faults());
        }
    });
    reader.finish(false).expect("a bad file is no error");
    reader.take_batches();
    faults.extend(reader.take_faults());
    println!("grew by {} bytes, {} findings", peak() - before, faults.len());
}

/// By how much memory grows where a process of its own reads a family.
fn growth(name: &str) -> u64 {
    let output = Command::new(std::env::current_exe().expect("the name of this program"))
        .args(["--exact", "one_family", "--ignored", "--nocapture", "--test-threads=1"])
        .env(FAMILY, name)
        .output()
        .expect("this program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{name}: {text}");
    let grown = text.split_once("grew by ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
    grown.unwrap_or_else(|| panic!("{name}: {text}"))
}

fn stays_flat(names: &[&str]) {
    let table: Vec<(u64, &str)> = names.iter().map(|name| (growth(name), *name)).collect();
    for (grown, name) in &table {
        println!("{:4} MB  {name}", grown / 1_000_000);
    }
    let bad: Vec<_> = table.iter().filter(|row| row.0 > MOST).collect();
    assert!(bad.is_empty(), "memory grows with the input: {bad:?}");
}

/// The families that take most, or would without a bound of their own.
#[test]
fn memory_stays_flat() {
    stays_flat(&[
        "attributes of 900 KB",
        "long tags in a video",
        "entries of a million videos",
        "entries of 15 MB of titles",
        "locs of 900 KB with ampersands",
        "names of 900 KB in an entry",
        "UTF-16 of two scripts",
        "bytes of no charset",
    ]);
}

#[test]
#[ignore = "takes minutes: for soaking"]
fn memory_stays_flat_in_every_family() {
    stays_flat(&all().iter().map(|f| f.name).collect::<Vec<_>>());
}

//! Twice the input, twice the work: instructions counted by valgrind for every hostile family. Measures no time.

#[allow(dead_code)] // each test takes what it needs
mod hostile;

use std::fs;
use std::process::Command;

use hostile::{Family, families};

/// Bytes of the smaller of the two inputs.
const SIZE: usize = 48 * 1024;
/// The same where the input comes in single bytes.
const SMALL: usize = 12 * 1024;
/// Work for twice the input, at most.
const RATIO: f64 = 2.3;

/// What is counted: one file, read from its first byte to its last.
#[inline(never)]
fn measured(mut reader: urlset::read::Reader, input: &[u8], chunk: usize) -> u64 {
    for piece in input.chunks(chunk) {
        reader.feed(piece).expect("a bad file is no error");
        reader.take_batches();
        reader.take_faults();
    }
    reader.finish(false).expect("a bad file is no error");
    reader.take_batches();
    reader.rows()
}

/// What each family is read with: the usual limit of a text, and one that all of them pass many times.
const LIMITS: [usize; 2] = [1 << 20, 4_096];

/// Runs every family: with its head alone, at its size, at twice its size.
fn runs(mut run: impl FnMut(&Family, usize, usize)) {
    for family in families() {
        let size = family.times * if family.chunk < 8 { SMALL } else { SIZE };
        for (limit, size) in LIMITS.into_iter().zip([size, size / 3]) {
            for size in [0, size, 2 * size] {
                run(&family, limit, size);
            }
        }
    }
}

/// Reads every family. Alone it shows that reading ends and never fails.
#[test]
fn every_family_is_read() {
    runs(|family, limit, size| {
        let input = family.whole(size);
        std::hint::black_box(measured(family.reader(limit), &input, family.chunk));
    });
}

#[test]
fn work_grows_with_the_input() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        assert!(std::env::var("CI").is_err(), "valgrind is missing: `make system` installs it");
        eprintln!("skipped: valgrind is missing, `make system` installs it");
        return;
    }
    let folder = std::env::temp_dir().join(format!("urlset-growth-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the counts");
    // A dump at the end of every measured run holds what was counted within it.
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=growth::measured", "--dump-after=growth::measured"])
        .arg(format!("--callgrind-out-file={}", folder.join("count").display()))
        .arg(std::env::current_exe().expect("the name of this program"))
        .args(["--exact", "every_family_is_read", "--test-threads=1"])
        .output()
        .expect("valgrind runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut table: Vec<(f64, String)> = Vec::new();
    let mut counts = Vec::new();
    runs(|family, limit, size| {
        counts.push(total(&folder.join(format!("count.{}", 3 * table.len() + counts.len() + 1))));
        if let [head, once, twice] = counts[..] {
            let (ratio, each) = ((twice - head) / (once - head), (twice - head) / f64::from(size as u32));
            table.push((ratio, format!("{each:8.1} instructions a byte, texts up to {limit:7}: {}", family.name)));
            counts.clear();
        }
    });
    fs::remove_dir_all(&folder).expect("the folder was made above");
    for (ratio, what) in &table {
        println!("{ratio:.2} {what}");
    }
    let bad: Vec<_> = table.iter().filter(|row| row.0 > RATIO).collect();
    assert!(bad.is_empty(), "work grows faster than the input: {bad:#?}");
}

/// The instructions that a dump of callgrind counts.
fn total(dump: &std::path::Path) -> f64 {
    let text = fs::read_to_string(dump).unwrap_or_else(|e| panic!("{}: {e}", dump.display()));
    let line = text.lines().find_map(|l| l.strip_prefix("totals: ").or_else(|| l.strip_prefix("summary: ")));
    line.and_then(|n| n.trim().parse().ok()).expect("a dump has a total")
}

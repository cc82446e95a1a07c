//! Twice the input, twice the work: instructions counted by valgrind for every hostile family. Measures no time.

#[allow(dead_code)] // each test takes what it needs
mod hostile;

use std::fs;
use std::io::Write as _;
use std::process::Command;

use hostile::families;
use urlset::codes::Log;
use urlset::read::robots::parse;

/// Bytes of the smaller of the two inputs.
const SIZE: usize = 48 * 1024;
/// The same where the input comes in single bytes.
const SMALL: usize = 12 * 1024;
/// Work for twice the input, at most.
const RATIO: f64 = 2.3;

/// What is counted.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}

/// One file, read from its first byte to its last.
fn read(mut reader: urlset::read::Reader, input: &[u8], chunk: usize) {
    for piece in input.chunks(chunk) {
        reader.feed(piece).expect("a bad file is no error");
        reader.take_batches();
        reader.take_faults();
    }
    reader.finish(false).expect("a bad file is no error");
    reader.take_batches();
    std::hint::black_box(reader.rows());
}

/// What each family is read with: the usual limit of a text, and one that all of them pass many times.
const LIMITS: [usize; 2] = [1 << 20, 4_096];

/// Files of robots.txt: what stands once, what is repeated, what stands at the end.
const ROBOTS: [[&str; 3]; 9] = [
    ["", "User-agent: a\nCrawl-delay: 1\n", ""],
    ["", "User-agent: a\nDisallow: /*a*b*c$\n", ""],
    ["", "User-agent: a\n", ""],
    ["User-agent: *\nDisallow: /", "a*", "b$"],
    ["Sitemap: ", "http://a.example/ ", ""],
    ["", "Sitemap: http://a.example/é\n", ""],
    ["", "\r", ""],
    ["", "Sitemap ", ""],
    ["", "<", ""],
];

/// Runs everything: with its head alone, at its size, at twice its size.
fn runs(mut run: impl FnMut(&str, usize, &mut dyn FnMut())) {
    // What is made once for all files, a row among them, is not counted for the first of them.
    read(families()[0].reader(LIMITS[0]), b"<urlset><url><loc>http://a.example/</loc></url></urlset>", SIZE);
    for family in families() {
        let size = family.times * if family.chunk < 8 { SMALL } else { SIZE };
        for (limit, size) in LIMITS.into_iter().zip([size, size / 3]) {
            for size in [0, size, 2 * size] {
                let what = format!("texts up to {limit:7}: {}", family.name);
                run(&what, size, &mut || {
                    let input = family.whole(size);
                    measured(&mut || read(family.reader(limit), &input, family.chunk));
                });
            }
        }
    }
    let page = format!("/{}", "a".repeat(2_000));
    for [head, line, tail] in ROBOTS {
        for size in [0, SMALL, 2 * SMALL] {
            run(&format!("robots.txt: {line:?}"), size, &mut || {
                let input = format!("{head}{}{tail}", line.repeat(size / line.len()));
                measured(&mut || {
                    let robots = parse(input.as_bytes(), &mut Log::new(20));
                    std::hint::black_box(robots.allows("a", &page));
                });
            });
        }
    }
}

/// Reads everything. Alone it shows that reading ends and never fails.
#[test]
fn every_family_is_read() {
    runs(|_, _, work| work());
}

#[test]
fn work_grows_with_the_input() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        assert!(!in_ci(), "valgrind is missing, which CI does not allow: `make system` installs it");
        // Past the capture of the test runner, so that a run without it never looks like one with it.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED work_grows_with_the_input: valgrind is missing, `make system` installs it"
        );
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
    let mut table: Vec<(f64, f64, String)> = Vec::new();
    let mut counts = Vec::new();
    runs(|what, size, _| {
        counts.push(total(&folder.join(format!("count.{}", 3 * table.len() + counts.len() + 1))));
        if let [head, once, twice] = counts[..] {
            let (ratio, each) = ((twice - head) / (once - head), (twice - head) / f64::from(size as u32));
            table.push((ratio, each, what.to_owned()));
            counts.clear();
        }
    });
    fs::remove_dir_all(&folder).expect("the folder was made above");
    for (ratio, each, what) in &table {
        println!("{ratio:.2} {each:8.1} instructions a byte, {what}");
    }
    let bad: Vec<_> = table.iter().filter(|row| row.0 > RATIO).collect();
    assert!(bad.is_empty(), "work grows faster than the input: {bad:#?}");
}

/// Whether a skip is a failure: the same words as in `tests/conftest.py`.
fn in_ci() -> bool {
    let ci = std::env::var("CI").unwrap_or_default().to_lowercase();
    ["1", "true", "yes"].contains(&ci.as_str())
}

/// The instructions that a dump of callgrind counts.
fn total(dump: &std::path::Path) -> f64 {
    let text = fs::read_to_string(dump).unwrap_or_else(|e| panic!("{}: {e}", dump.display()));
    let line = text.lines().find_map(|l| l.strip_prefix("totals: ").or_else(|| l.strip_prefix("summary: ")));
    line.and_then(|n| n.trim().parse().ok()).expect("a dump has a total")
}

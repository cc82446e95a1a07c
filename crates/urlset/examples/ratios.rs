//! First ratios of the reader: the inputs of the numbers page from a fixed seed, against a memchr hop over every `<`. Prints, decides nothing.
//!
//! `cargo run --release -p urlset --example ratios [INPUT]`, or `-- --dump FOLDER` for the inputs as files.

use std::fmt::Write as _;

use urlset::read::{Options, Reader};

/// A small generator with a fixed seed, so that every run reads the same bytes.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

const HEAD: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

fn loc(n: usize, dice: &mut Dice) -> String {
    match dice.roll(10) {
        0 | 1 => format!("https://shop.example/catalog/item-{n}?color={}&amp;size={}", dice.roll(90), dice.roll(50)),
        2 => format!("https://shop.example/größe/artikel-{n}-straße"),
        _ => format!("https://shop.example/catalog/section-{}/a-product-with-a-name-{n}.html", dice.roll(200)),
    }
}

fn lastmod(dice: &mut Dice) -> String {
    let (month, day, hour) = (1 + dice.roll(12), 1 + dice.roll(28), dice.roll(24));
    match dice.roll(5) {
        0 => format!("2024-{month:02}-{day:02}"),
        1 => format!("2024-{month:02}-{day:02}T{hour:02}:30Z"),
        2 => format!("2024-{month:02}-{day:02}T{hour:02}:30:15+02:00"),
        3 => format!("2024-{month:02}-{day:02}T{hour:02}:30:15Z"),
        _ => format!("2024-{month:02}-{day:02}T{hour:02}:30:15.123Z"),
    }
}

/// 50,000 URLs with four tags, `faulty` in a hundred of them damaged.
fn a(faulty: u64) -> String {
    let mut dice = Dice(42);
    let mut out = format!("{HEAD}>\n");
    for n in 0..50_000 {
        let loc = loc(n, &mut dice);
        let bad = faulty > 0 && dice.roll(100) < faulty;
        let loc = if bad { loc.replace("&amp;", "&") + "?a=1&b=2" } else { loc };
        let _ = write!(
            out,
            "  <url>\n    <loc>{loc}</loc>\n    <lastmod>{}</lastmod>\n    <changefreq>{}</changefreq>\n    <priority>0.{}</priority>\n  </url>\n",
            lastmod(&mut dice),
            ["daily", "weekly", "monthly"][dice.roll(3) as usize],
            dice.roll(10)
        );
    }
    out + "</urlset>\n"
}

/// The same, loc only.
fn b() -> String {
    let mut dice = Dice(42);
    let mut out = format!("{HEAD}>\n");
    for n in 0..50_000 {
        let _ = writeln!(out, "<url><loc>{}</loc></url>", loc(n, &mut dice));
    }
    out + "</urlset>\n"
}

/// 15,000 URLs with three images, a video, news and six alternates each.
fn c() -> String {
    let mut dice = Dice(42);
    let mut out = format!(
        "{HEAD} xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n"
    );
    for n in 0..15_000 {
        let _ = write!(out, "<url>\n  <loc>{}</loc>\n  <lastmod>{}</lastmod>\n", loc(n, &mut dice), lastmod(&mut dice));
        for image in 0..3 {
            let _ = write!(
                out,
                "  <image:image>\n    <image:loc>https://img.shop.example/catalog/2024/05/{n}/article-{n}-view-{image}.jpg?w=1600</image:loc>\n    <image:title>Picture {image} of article {n}, as it stands in the shop</image:title>\n    <image:caption>Article {n} on the table by the window, seen from the side, in the light of the morning</image:caption>\n  </image:image>\n"
            );
        }
        let _ = write!(
            out,
            "  <video:video>\n    <video:thumbnail_loc>https://img.shop.example/{n}/t.jpg</video:thumbnail_loc>\n    <video:title>How article {n} works</video:title>\n    <video:description>Everything one should know about article {n}, in {} minutes: what it is made of, how it is put together, which tools it takes, what goes wrong when the third screw is left out, and how to clean it after a year in the kitchen or in the garden</video:description>\n    <video:content_loc>https://video.shop.example/{n}.mp4</video:content_loc>\n    <video:duration>{}</video:duration>\n    <video:publication_date>2024-05-06T07:08:09Z</video:publication_date>\n  </video:video>\n",
            1 + dice.roll(9),
            1 + dice.roll(600)
        );
        let _ = write!(
            out,
            "  <news:news>\n    <news:publication>\n      <news:name>The Shop Times</news:name>\n      <news:language>en</news:language>\n    </news:publication>\n    <news:publication_date>2024-05-06</news:publication_date>\n    <news:title>Article {n} is here</news:title>\n  </news:news>\n"
        );
        for language in ["en", "de", "fr", "ja", "pt-BR", "x-default"] {
            let _ = writeln!(
                out,
                "  <xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"https://shop.example/{language}/catalog/section-7/a-product-with-a-name-{n}.html\"/>"
            );
        }
        out.push_str("</url>\n");
    }
    out + "</urlset>\n"
}

/// Nanoseconds for which this thread has had a processor (Linux).
fn cpu() -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the system counts");
    told.split(' ').next().and_then(|n| n.parse().ok()).expect("the first of it is a number")
}

/// Milliseconds of one piece of work: the median of several samples, each long enough for a clock that ticks.
fn median(mut work: impl FnMut() -> usize, expected: usize) -> f64 {
    const SAMPLE: u64 = 120_000_000;
    let mut times: Vec<f64> = (0..7)
        .map(|_| {
            let (start, mut rounds) = (cpu(), 0);
            while cpu() - start < SAMPLE {
                assert_eq!(work(), expected, "a wrong result cannot be a fast one");
                rounds += 1;
            }
            (cpu() - start) as f64 / 1e6 / f64::from(rounds)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn read(bytes: &[u8]) -> usize {
    let mut reader = Reader::new(Options::default()).expect("the options are good");
    let mut rows = 0;
    for chunk in bytes.chunks(1 << 20) {
        reader.feed(chunk).expect("reading does not fail");
        rows += reader.take_batches().iter().map(arrow_array::RecordBatch::num_rows).sum::<usize>();
        reader.take_faults();
    }
    reader.finish(false).expect("reading does not fail");
    rows + reader.take_batches().iter().map(arrow_array::RecordBatch::num_rows).sum::<usize>()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = libdeflater::Compressor::new(libdeflater::CompressionLvl::new(6).expect("six is a level"));
    let mut out = vec![0; packer.gzip_compress_bound(bytes.len())];
    let len = packer.gzip_compress(bytes, &mut out).expect("the bound is enough");
    out.truncate(len);
    out
}

fn inflate(bytes: &[u8]) -> usize {
    let mut log = urlset::codes::Log::new(1);
    let mut inflate = urlset::read::inflate::Inflate::new(None, None);
    let mut total = 0;
    inflate.feed(bytes, &mut log, &mut |plain, _| total += plain.len());
    inflate.finish(&mut log, &mut |plain, _| total += plain.len());
    total
}

/// Writes the inputs to a folder, for other readers and for profilers.
fn dump(folder: &str) {
    for (name, text) in [("a", a(0)), ("a-faulty", a(1)), ("b", b()), ("c", c())] {
        std::fs::write(format!("{folder}/{name}.xml"), text).expect("the folder can be written to");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, folder] = &arguments[..]
        && flag == "--dump"
    {
        return dump(folder);
    }
    println!("| input | MB | walk ms | read ms | x walk | MB/s |\n|---|---|---|---|---|---|");
    let clean = a(0);
    let mut parse_a = 0.0;
    let inputs =
        [("a", clean.clone(), 50_000), ("a, 1 % faulty", a(1), 50_000), ("b", b(), 50_000), ("c", c(), 15_000)];
    let only = arguments.first();
    for (name, text, rows) in &inputs {
        if only.is_some_and(|o| o != name) {
            continue;
        }
        let bytes = text.as_bytes();
        let hops = memchr::memchr_iter(b'<', bytes).count();
        let walk = median(
            || memchr::memchr_iter(b'<', std::hint::black_box(bytes)).fold(0, |n, at| n + usize::from(at < usize::MAX)),
            hops,
        );
        let time = median(|| read(bytes), *rows);
        if *name == "a" {
            parse_a = time;
        }
        let mb = bytes.len() as f64 / 1e6;
        println!("| {name} | {mb:.1} | {walk:.2} | {time:.2} | {:.2} | {:.0} |", time / walk, mb / time * 1e3);
    }
    if only.is_some() {
        return;
    }
    let packed = gzip(clean.as_bytes());
    let alone = median(|| inflate(&packed), clean.len());
    let time = median(|| read(&packed), 50_000);
    println!(
        "\na.gz ({:.2} MB): {time:.2} ms; inflate alone {alone:.2} ms; parse + inflate {:.2} ms",
        packed.len() as f64 / 1e6,
        parse_a + alone
    );
}

//! Gzip, as it comes in and as it breaks: how input is cut into chunks must never show, and what was inflated is never lost.

use std::io::Write as _;

use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use proptest::prelude::*;
use urlset::codes::{Code, Fault, Log};
use urlset::read::charset::Decode;
use urlset::read::inflate::{Inflate, MAX_LAYERS, RATIO_FROM};

/// What a run of the gzip stage gave.
#[derive(Debug, PartialEq)]
struct Inflated {
    plain: Vec<u8>,
    faults: Vec<Fault>,
    layers: u8,
    members: u64,
    cut: bool,
    refused: bool,
}

impl Inflated {
    fn codes(&self) -> Vec<Code> {
        self.faults.iter().map(|fault| fault.code).collect()
    }
}

fn inflate_with(mut stage: Inflate, bytes: &[u8], cuts: &[usize]) -> Inflated {
    let mut log = Log::new(1000);
    let mut plain = Vec::new();
    for chunk in chunks(bytes, cuts) {
        stage.feed(chunk, &mut log, &mut |piece, _| plain.extend_from_slice(piece));
    }
    stage.finish(&mut log, &mut |piece, _| plain.extend_from_slice(piece));
    assert_eq!(stage.wire_bytes(), bytes.len() as u64);
    assert_eq!(stage.plain_bytes(), plain.len() as u64);
    Inflated {
        plain,
        faults: log.drain(),
        layers: stage.layers(),
        members: stage.members(),
        cut: stage.is_cut(),
        refused: stage.is_refused(),
    }
}

fn inflate(bytes: &[u8], cuts: &[usize]) -> Inflated {
    inflate_with(Inflate::new(Some(1 << 30), Some(500)), bytes, cuts)
}

/// Cuts bytes at places given in any order, some of them nowhere.
fn chunks<'a>(bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    cuts.push(bytes.len());
    cuts.sort_unstable();
    let mut from = 0;
    cuts.into_iter().map(|cut| &bytes[std::mem::replace(&mut from, cut)..cut]).collect()
}

fn every_byte(bytes: &[u8]) -> Vec<usize> {
    (0..bytes.len()).collect()
}

fn gz(plain: &[u8]) -> Vec<u8> {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut out = vec![0; compressor.gzip_compress_bound(plain.len())];
    let length = compressor.gzip_compress(plain, &mut out).expect("the bound is large enough");
    out.truncate(length);
    out
}

fn stored(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(plain).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

/// A member with every optional field but the header checksum.
fn dressed(plain: &[u8]) -> Vec<u8> {
    let builder =
        GzBuilder::new().extra(b"ab\x02\x00xy".to_vec()).filename("sitemap.xml").comment("made by hand").mtime(1);
    let mut encoder = builder.write(Vec::new(), Compression::fast());
    encoder.write_all(plain).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

fn rows(count: usize) -> Vec<u8> {
    (0..count)
        .flat_map(|n| format!("http://a.example/page-{n}-{:x}\n", n * 2_654_435_761 % 65_536).into_bytes())
        .collect()
}

#[test]
fn plain_bytes_pass_as_the_slice_that_came_in() {
    let mut stage = Inflate::new(None, None);
    let input = rows(100);
    let mut same = false;
    stage.feed(&input, &mut Log::new(1), &mut |piece, _| same = std::ptr::eq(piece, &raw const *input));
    assert!(same);
    assert!(!stage.is_gzip());
}

#[test]
fn members_are_one_file() {
    let (a, b) = (rows(3), rows(2000));
    let mixes: [(Vec<Vec<u8>>, u64); 5] = [
        (vec![gz(&a)], 1),
        (vec![gz(&a), gz(&b)], 2),
        (vec![gz(b""), gz(&a), gz(b""), gz(b""), stored(&b), gz(b"")], 6),
        (vec![dressed(&b), dressed(&a)], 2),
        (a.iter().map(|byte| gz(&[*byte])).collect(), a.len() as u64),
    ];
    let plains = [a.clone(), [&a[..], &b].concat(), [&a[..], &b].concat(), [&b[..], &a].concat(), a.clone()];
    for ((parts, members), plain) in mixes.into_iter().zip(plains) {
        let bytes = parts.concat();
        for cuts in [vec![], every_byte(&bytes)] {
            let got = inflate(&bytes, &cuts);
            assert_eq!(
                got,
                Inflated { plain: plain.clone(), faults: vec![], layers: 1, members, cut: false, refused: false }
            );
        }
    }
}

#[test]
fn an_empty_file_and_an_empty_member_give_nothing() {
    assert_eq!(inflate(b"", &[]).plain, b"");
    assert_eq!(inflate(b"", &[]).layers, 0);
    let got = inflate(&gz(b""), &[]);
    assert_eq!((got.plain.len(), got.faults.len(), got.layers, got.cut), (0, 0, 1, false));
}

#[test]
fn a_cut_at_any_byte_gives_a_prefix_and_says_so() {
    let plain = rows(40);
    for whole in [gz(&plain), dressed(&plain), stored(&plain)] {
        let mut longest = 0;
        for cut in 0..whole.len() {
            let got = inflate(&whole[..cut], &[]);
            assert_eq!(got, inflate(&whole[..cut], &every_byte(&whole[..cut])), "{cut}");
            match cut {
                0 => assert_eq!(got.codes(), []),
                1 => assert_eq!(got.plain, [0x1f]),
                _ => {
                    assert_eq!(got.codes(), [Code::GZP002], "{cut}");
                    assert_eq!(got.faults[0].offset, Some(got.plain.len() as u64));
                    assert!(got.cut && plain.starts_with(&got.plain), "{cut}");
                    assert!(got.plain.len() >= longest, "{cut}");
                    longest = got.plain.len();
                }
            }
        }
        assert_eq!(longest, plain.len(), "only the trailer is missing at last");
    }
}

/// Everything that can be inflated from a member, into one large buffer.
fn at_once(member: &[u8], room: usize) -> Vec<u8> {
    let mut out = vec![0; room];
    let mut decoder = flate2::Decompress::new(false);
    decoder
        .decompress(&member[10.min(member.len())..], &mut out, flate2::FlushDecompress::None)
        .expect("it is whole as far as it goes");
    out.truncate(decoder.total_out() as usize);
    out
}

#[test]
fn a_cut_loses_nothing_that_could_be_inflated() {
    // few bytes of input for each buffer of output, so that input ends while output waits
    let plain = vec![b' '; 1_000_000];
    let whole = gz(&plain);
    for cut in 10..whole.len() {
        assert_eq!(inflate(&whole[..cut], &[]).plain.len(), at_once(&whole[..cut], plain.len()).len(), "{cut}");
    }
}

#[test]
fn what_only_begins_like_a_format_is_plain_however_it_is_cut() {
    for text in [
        &b"BZh9 is no archive of ours"[..],
        b"PKK",
        b"7zip.example/sitemap",
        b"Rar!ities",
        b"\x1f\x9c\0\0",
        b"B",
        b"\x28\xb5\x2f",
    ] {
        for first in 0..text.len() {
            for second in first..text.len() {
                let got = inflate(text, &[first, second]);
                assert_eq!((&got.plain[..], got.faults.len(), got.layers), (text, 0, 0), "{first} {second}");
            }
        }
    }
}

#[test]
fn a_cut_between_and_within_later_members() {
    let (a, b) = (rows(30), rows(20));
    let (first, second) = (gz(&a), gz(&b));
    let whole = [&first[..], &second].concat();
    for cut in first.len()..whole.len() {
        let got = inflate(&whole[..cut], &[cut / 2]);
        let want: &[Code] = if cut == first.len() { &[] } else { &[Code::GZP002] };
        assert_eq!(got.codes(), want, "{cut}");
        assert_eq!(got.cut, cut > first.len(), "{cut}");
        assert!(got.plain.starts_with(&a), "{cut}");
        assert!([&a[..], &b].concat().starts_with(&got.plain), "{cut}");
    }
}

#[test]
fn a_flip_anywhere_is_told_or_harmless() {
    let plain = rows(12);
    for whole in [gz(&plain), dressed(&plain), stored(&plain)] {
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                let got = inflate(&bytes, &[]);
                assert_eq!(got, inflate(&bytes, &every_byte(&bytes)), "{at} {bit}");
                if at < 2 {
                    assert_eq!((got.layers, &got.plain), (0, &bytes), "{at} {bit}");
                } else if got.faults.is_empty() {
                    assert_eq!(got.plain, plain, "{at} {bit}");
                }
            }
        }
    }
}

#[test]
fn what_was_inflated_before_a_broken_block_is_kept() {
    // a flush ends a block, so that each row has its own
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let mut ends = Vec::new();
    let plain = rows(60);
    for row in plain.split_inclusive(|&byte| byte == b'\n') {
        encoder.write_all(row).expect("writing to memory");
        encoder.flush().expect("writing to memory");
        ends.push((encoder.get_ref().len(), row.len()));
    }
    let whole = encoder.finish().expect("writing to memory");
    let mut broken = 0;
    for at in 10..whole.len() {
        for bit in [0, 3, 7] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            let got = inflate(&bytes, &[at]);
            let safe: usize = ends.iter().take_while(|(end, _)| *end <= at).map(|(_, length)| length).sum();
            assert!(got.plain.len() >= safe && got.plain[..safe] == plain[..safe], "{at} {bit}");
            // the bits that fill a block up to a byte mean nothing
            assert!(!got.faults.is_empty() || got.plain == plain, "{at} {bit}");
            if got.codes().contains(&Code::GZP001) {
                broken += 1;
                assert!(got.cut, "{at} {bit}");
                assert_eq!(got.faults.last().and_then(|fault| fault.offset), Some(got.plain.len() as u64));
            }
        }
    }
    assert!(broken > 100, "flips must break blocks for this test to mean something: {broken}");
}

#[test]
fn checksum_and_length_are_compared() {
    let plain = rows(3);
    let whole = gz(&plain);
    for (from_end, word) in [(8, "checksum"), (1, "length")] {
        let mut bytes = whole.clone();
        let at = bytes.len() - from_end;
        bytes[at] ^= 1;
        bytes.extend_from_slice(&whole);
        let got = inflate(&bytes, &[]);
        assert_eq!(got.codes(), [Code::GZP003]);
        assert!(got.faults[0].message().ends_with(word), "{}", got.faults[0].message());
        assert_eq!(got.faults[0].offset, Some(plain.len() as u64));
        assert_eq!(got.plain, [&plain[..], &plain].concat(), "the next member is read all the same");
        assert!(!got.cut);
    }
}

/// The parts of a file, its plain bytes, its faults, and why.
type Row<'a> = (&'a [&'a [u8]], &'a [u8], &'a [Code], &'a str);

#[test]
fn padding_and_junk_after_members() {
    let plain = rows(5);
    let member = gz(&plain);
    let twice = [&plain[..], &plain].concat();
    let table: [Row; 7] = [
        (&[&member, &[0; 512]], &plain, &[Code::GZP009], "padded to a block"),
        (&[&member, b"\n"], &plain, &[Code::GZP009], "a line end"),
        (&[&member, b"<!-- cached -->"], &plain, &[Code::GZP009], "text"),
        (&[&member, &[0, 0], b"x"], &plain, &[Code::GZP009], "padding, then text"),
        (&[&member, &[0; 7], &member], &twice, &[Code::GZP009], "padding between members"),
        (&[&member, b"\x1fx", &member], &plain, &[Code::GZP009], "junk hides what follows"),
        (&[&member, &[0, 0x1f]], &plain, &[Code::GZP009, Code::GZP002], "padding and half a magic number"),
    ];
    for (parts, want, codes, why) in table {
        let bytes = parts.concat();
        for cuts in [vec![], every_byte(&bytes)] {
            let got = inflate(&bytes, &cuts);
            assert_eq!((&got.plain[..], &got.codes()[..]), (want, codes), "{why}");
        }
    }
    let got = inflate(&[&member[..], &[0; 512]].concat(), &[]);
    assert_eq!(got.faults[0].message(), "512 zero bytes after a gzip member");
    assert!(!got.cut);
}

#[test]
fn gzip_within_gzip() {
    let plain = rows(300);
    let mut bytes = plain.clone();
    for layer in 1..=MAX_LAYERS + 2 {
        bytes = gz(&bytes);
        for cuts in [vec![], every_byte(&bytes)] {
            let got = inflate(&bytes, &cuts);
            match layer {
                1 => assert_eq!((got.layers, &got.plain, got.codes()), (1, &plain, vec![])),
                2 | 3 => assert_eq!((got.layers, &got.plain, got.codes()), (layer, &plain, vec![Code::GZP004])),
                _ => {
                    assert_eq!((got.layers, got.plain.len(), got.codes()), (3, 0, vec![Code::GZP004, Code::GZP001]));
                    assert!(got.refused);
                }
            }
        }
    }
    // told once, by the layer in which it happened
    let double = gz(&gz(&plain));
    let got = inflate(&double[..double.len() - 20], &[]);
    assert_eq!(got.codes(), [Code::GZP004, Code::GZP002]);
    assert!(got.cut && plain.starts_with(&got.plain) && !got.plain.is_empty());
    let half = gz(&plain);
    let got = inflate(&gz(&half[..half.len() / 2]), &[]);
    assert_eq!(got.codes(), [Code::GZP004, Code::GZP002]);
    assert!(got.cut && plain.starts_with(&got.plain) && !got.plain.is_empty());
}

#[test]
fn archives_and_other_compressions_are_refused() {
    let mut tar = vec![0; 1024];
    tar[..11].copy_from_slice(b"sitemap.xml");
    tar[257..262].copy_from_slice(b"ustar");
    let others: [(&[u8], &str); 5] = [
        (b"PK\x03\x04\x14\0\0\0\x08\0", "zip"),
        (b"BZh91AY&SY\x01\x02", "bzip2"),
        (b"\xfd7zXZ\0\0\x04", "xz"),
        (b"\x28\xb5\x2f\xfd\x24", "zstd"),
        (b"Rar!\x1a\x07\x01\0", "RAR"),
    ];
    for (bytes, name) in others {
        for packed in [bytes.to_vec(), gz(bytes), gz(&[bytes, &vec![7; 70_000]].concat())] {
            for cuts in [vec![], every_byte(&packed)] {
                let got = inflate(&packed, &cuts);
                assert_eq!((got.plain.len(), got.codes()), (0, vec![Code::GZP007]), "{name}");
                assert_eq!(got.faults[0].value.as_deref(), Some(name));
                assert!(got.refused && !got.cut);
            }
        }
    }
    for packed in [gz(&tar), gz(&gz(&tar)), [&gz(&tar[..300])[..], &gz(&tar[300..])].concat()] {
        for cuts in [vec![], every_byte(&packed)] {
            let got = inflate(&packed, &cuts);
            assert_eq!((got.plain.len(), got.codes().last()), (0, Some(&Code::GZP010)));
            assert!(got.refused);
        }
    }
    let got = inflate(&tar, &[]);
    assert_eq!((got.plain, got.faults.len()), (tar, 0), "unpacked, it is for others to tell");
}

#[test]
fn a_header_that_cannot_be_read_is_refused() {
    let good = gz(&rows(5));
    for (at, byte) in [(2, 7), (3, 0x80)] {
        let mut bytes = good.clone();
        bytes[at] = byte;
        let got = inflate(&bytes, &[]);
        assert_eq!((got.plain.len(), got.codes(), got.cut), (0, vec![Code::GZP001], true));
        let later = [&good[..], &bytes].concat();
        let got = inflate(&later, &every_byte(&later));
        assert_eq!((&got.plain, got.codes(), got.cut), (&rows(5), vec![Code::GZP001], true));
    }
}

#[test]
fn bombs_stop_at_the_caps() {
    let size = RATIO_FROM as usize + (8 << 20);
    let bomb = gz(&vec![b'a'; size]);
    let stop = |max_bytes, max_ratio, bytes: &[u8], cuts: &[usize]| {
        inflate_with(Inflate::new(max_bytes, max_ratio), bytes, cuts)
    };
    let all = every_byte(&bomb);

    let got = stop(Some(1_000_001), None, &bomb, &[]);
    assert_eq!((got.plain.len(), got.codes(), got.cut), (1_000_001, vec![Code::SIZ013], true));
    assert_eq!(got, stop(Some(1_000_001), None, &bomb, &all));

    let got = stop(None, Some(500), &bomb, &[]);
    assert_eq!((got.codes(), got.cut), (vec![Code::SIZ013], true));
    assert!(
        got.plain.len() as u64 > RATIO_FROM && (got.plain.len() as u64) < RATIO_FROM + 256 * 1024,
        "{}",
        got.plain.len()
    );
    assert_eq!(got, stop(None, Some(500), &bomb, &all));

    // what stays within the caps is not told
    assert_eq!(stop(Some(size as u64), None, &bomb, &[]).codes(), []);
    assert_eq!(stop(None, Some(1100), &bomb, &[]).codes(), []);
    assert_eq!(stop(None, None, &bomb, &[]).plain.len(), size);
    let small = gz(&vec![b'a'; RATIO_FROM as usize]);
    assert_eq!(stop(None, Some(500), &small, &[]).codes(), []);

    // a bomb in a bomb, and one of many members
    let double = gz(&bomb);
    let got = stop(Some(1_000_000), Some(500), &double, &[]);
    assert_eq!((got.plain.len(), got.codes()), (1_000_000, vec![Code::GZP004, Code::SIZ013]));
    let many: Vec<u8> = (0..200).flat_map(|_| gz(&vec![b'a'; 300_000])).collect();
    assert_eq!(stop(None, Some(500), &many, &[]).codes(), [Code::SIZ013]);
    // the first hundred bytes only, though more are held back before anything is passed on
    assert_eq!(stop(Some(100), None, &gz(&rows(10)), &[]).plain, rows(10)[..100]);
}

#[test]
fn hundred_thousand_members_take_no_time() {
    let member = gz(b"");
    let bytes: Vec<u8> = member.iter().copied().cycle().take(member.len() * 100_000).collect();
    let got = inflate(&bytes, &[]);
    assert_eq!((got.members, got.faults.len()), (100_000, 0));
}

#[test]
fn stages_stack() {
    let text = "<?xml version='1.0' encoding='windows-1251'?><urlset><loc>http://a.example/кошка</loc></urlset>";
    let packed = gz(&encoding_rs::WINDOWS_1251.encode(text).0);
    let (mut inflate, mut decode) = (Inflate::new(None, None), Decode::new(None));
    let mut log = Log::new(5);
    let mut got = Vec::new();
    for chunk in packed.chunks(3) {
        inflate.feed(chunk, &mut log, &mut |bytes, log| {
            decode.feed(bytes, log, &mut |text, _| got.extend_from_slice(text));
        });
    }
    inflate.finish(&mut log, &mut |bytes, log| decode.feed(bytes, log, &mut |text, _| got.extend_from_slice(text)));
    decode.finish(&mut log, &mut |text, _| got.extend_from_slice(text));
    assert_eq!(String::from_utf8(got).as_deref(), Ok(text));
}

/// What a gz file may be made of.
fn part() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..600),
        (0..400usize).prop_map(rows),
        (0..300_000usize).prop_map(|length| vec![b' '; length]),
    ];
    prop_oneof![
        6 => text.clone().prop_map(|text| gz(&text)),
        2 => text.clone().prop_map(|text| dressed(&text)),
        2 => text.clone().prop_map(|text| stored(&text)),
        1 => text.prop_map(|text| gz(&gz(&text))),
        1 => (0..40usize).prop_map(|length| vec![0; length]),
        1 => prop::collection::vec(any::<u8>(), 0..20),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn inflate_is_chunk_invariant(
        parts in prop::collection::vec(part(), 0..5),
        damage in prop::option::of((any::<usize>(), 0u8..8)),
        keep in prop::option::of(any::<usize>()),
        cuts in prop::collection::vec(any::<usize>(), 0..12),
        max_bytes in prop::option::of(0u64..200_000),
    ) {
        let mut bytes = parts.concat();
        if let Some((at, bit)) = damage.filter(|_| !bytes.is_empty()) {
            let at = at % bytes.len();
            bytes[at] ^= 1 << bit;
        }
        if let Some(keep) = keep {
            bytes.truncate(keep % (bytes.len() + 1));
        }
        let run = |cuts: &[usize]| inflate_with(Inflate::new(max_bytes, Some(500)), &bytes, cuts);
        let whole = run(&[]);
        prop_assert_eq!(&whole, &run(&cuts));
        prop_assert_eq!(&whole, &run(&every_byte(&bytes)));
    }
}

//! What was compressed comes out as it was; what is no gzip comes out within its bounds, in whatever chunks.

#![no_main]

use libdeflater::{CompressionLvl, Compressor};
use libfuzzer_sys::fuzz_target;
use urlset::codes::Log;
use urlset::read::inflate::Inflate;

const MOST: u64 = 1 << 20;

fn inflated(file: &[u8], size: usize) -> (Vec<u8>, bool, bool) {
    let (mut stage, mut log, mut plain) = (Inflate::new(Some(MOST), None), Log::new(20), Vec::new());
    for chunk in file.chunks(size) {
        stage.feed(chunk, &mut log, &mut |piece, _| plain.extend_from_slice(piece));
    }
    stage.finish(&mut log, &mut |piece, _| plain.extend_from_slice(piece));
    (plain, stage.is_cut(), stage.is_refused())
}

fuzz_target!(|input: (u8, &[u8])| {
    let (size, bytes) = input;
    let size = usize::from(size).max(1);
    let any = inflated(bytes, usize::MAX);
    assert!(any.0.len() as u64 <= MOST);
    assert_eq!(inflated(bytes, size), any);
    if any != (bytes.to_vec(), false, false) {
        return; // packed already, by gzip or by something that is not taken
    }
    let mut compressor = Compressor::new(CompressionLvl::new(1).expect("one is a level"));
    let mut packed = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut packed).expect("there is room");
    assert_eq!(inflated(&packed[..length], size), (bytes.to_vec(), false, false));
});

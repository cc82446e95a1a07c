//! Whole files to gzip. Same bytes in, same bytes out, on every machine: no name, no time.

use libdeflater::{CompressionLvl, Compressor};

use crate::error::{Error, ErrorKind, Result};

/// A compressor and the memory it works in, to be used for one file after another.
pub(super) struct Gzip {
    compressor: Compressor,
    scratch: Vec<u8>,
}

impl Gzip {
    /// Level 0 to 12. Errors: [`ErrorKind::Option`] for any other.
    pub(super) fn new(level: u8) -> Result<Self> {
        let level = CompressionLvl::new(i32::from(level))
            .map_err(|_| Error::new(ErrorKind::Option(format!("level is {level}, 0 to 12 was expected"))))?;
        Ok(Self { compressor: Compressor::new(level), scratch: Vec::new() })
    }

    /// One gzip member that holds these bytes; the header has mtime 0, OS 255 and no name (RFC 1952).
    pub(super) fn compress(&mut self, plain: &[u8]) -> Result<Vec<u8>> {
        let bound = self.compressor.gzip_compress_bound(plain.len());
        if self.scratch.len() < bound {
            // Fresh memory that the system has cleared: what the compressor does not touch is never paid for.
            self.scratch = vec![0; bound];
        }
        // The bound is never exceeded; should the library err in that, the file is not written.
        let length = self
            .compressor
            .gzip_compress(plain, &mut self.scratch)
            .map_err(|e| Error::new(ErrorKind::Option(format!("the file cannot be compressed: {e}"))))?;
        Ok(self.scratch[..length].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn header_tells_nothing_of_the_machine() {
        for level in 0..=12 {
            let mut gzip = Gzip::new(level).expect("a legal level");
            let plain = b"one two three ".repeat(999);
            let packed = gzip.compress(&plain).expect("compresses");
            assert_eq!(packed[..4], [0x1F, 0x8B, 8, 0], "magic, deflate, no flags: no name");
            assert_eq!(packed[4..8], [0; 4], "mtime");
            assert_eq!(packed[9], 255, "operating system not told");
            let mut back = Vec::new();
            flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut back).expect("reads back");
            assert_eq!(back, plain);
            assert_eq!(gzip.compress(&plain).expect("compresses"), packed, "the second time too");
        }
        assert!(Gzip::new(13).is_err());
    }
}

//! Offsets to lines and columns, while the bytes go by. Keeps no more of them than the token that is not finished.

use memchr::{memchr_iter, memrchr};

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub offset: u64,
    /// From 1.
    pub line: u64,
    /// From 1, in code points.
    pub column: u64,
}

impl Default for Position {
    fn default() -> Self {
        Self { offset: 0, line: 1, column: 1 }
    }
}

impl Position {
    pub fn pass(&mut self, bytes: &[u8]) {
        let lines = memchr_iter(b'\n', bytes).count() as u64;
        let rest = match memrchr(b'\n', bytes) {
            Some(at) => {
                self.line += lines;
                self.column = 1;
                &bytes[at + 1..]
            }
            None => bytes,
        };
        self.column += rest.iter().map(|&b| u64::from(b & 0xC0 != 0x80)).sum::<u64>();
        self.offset += bytes.len() as u64;
    }
}

/// Where the text has got to, and the few earlier places that may still be asked for.
#[derive(Debug, Default)]
pub(super) struct Lines {
    start: Position,
    /// Bytes behind `start` that were fed already.
    tail: Vec<u8>,
    anchors: Vec<Position>,
}

impl Lines {
    /// Places of `offsets` in the text fed so far, of which `chunk` is the last part. Unknown where the text is gone.
    pub fn locate(&self, chunk: &[u8], offsets: &[u64]) -> Vec<Option<Position>> {
        let mut order: Vec<usize> = (0..offsets.len()).collect();
        order.sort_by_key(|&at| offsets[at]);
        let mut found = vec![None; offsets.len()];
        let mut cursor = self.start;
        for at in order {
            let wanted = offsets[at];
            found[at] = if wanted < self.start.offset {
                self.anchors.iter().find(|a| a.offset == wanted).copied()
            } else {
                self.advance(&mut cursor, chunk, wanted);
                (cursor.offset == wanted).then_some(cursor)
            };
        }
        found
    }

    fn advance(&self, cursor: &mut Position, chunk: &[u8], to: u64) {
        let tail = self.tail.len();
        let from = (cursor.offset - self.start.offset) as usize;
        let to = ((to - self.start.offset) as usize).min(tail + chunk.len());
        if from < tail {
            cursor.pass(&self.tail[from..to.min(tail)]);
        }
        if to > tail {
            cursor.pass(&chunk[from.max(tail) - tail..to - tail]);
        }
    }

    /// Goes on to `offset`, from where on bytes may still be asked for, and keeps the places named by `anchors`.
    pub fn go_on(&mut self, chunk: &[u8], offset: u64, anchors: &[u64]) {
        let places = self.locate(chunk, anchors);
        self.anchors.clear();
        self.anchors.extend(places.into_iter().flatten());
        let mut cursor = self.start;
        self.advance(&mut cursor, chunk, offset);
        let used = (cursor.offset - self.start.offset) as usize;
        if used >= self.tail.len() {
            let keep = &chunk[used - self.tail.len()..];
            self.tail.clear();
            self.tail.extend_from_slice(keep);
        } else {
            self.tail.drain(..used);
            self.tail.extend_from_slice(chunk);
        }
        self.start = cursor;
    }

    /// From here on any offset may be asked for.
    pub fn start(&self) -> u64 {
        self.start.offset
    }

    /// Earlier offsets that may still be asked for.
    pub fn anchors(&self) -> impl Iterator<Item = u64> {
        self.anchors.iter().map(|a| a.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_do_not_depend_on_chunks() {
        let text = "ab\ncdé\n\nf".as_bytes();
        let expected = [(0, 1, 1), (3, 2, 1), (7, 2, 4), (8, 3, 1), (9, 4, 1)];
        for size in 1..=text.len() {
            let mut lines = Lines::default();
            let mut fed = 0;
            for chunk in text.chunks(size) {
                let inside: Vec<_> =
                    expected.iter().filter(|e| e.0 >= fed && e.0 < fed + chunk.len() as u64).copied().collect();
                let offsets: Vec<u64> = inside.iter().map(|e| e.0).collect();
                for (found, (offset, line, column)) in lines.locate(chunk, &offsets).into_iter().zip(inside) {
                    assert_eq!(found, Some(Position { offset, line, column }), "chunks of {size}");
                }
                fed += chunk.len() as u64;
                lines.go_on(chunk, fed, &[0]);
                assert_eq!(lines.anchors().collect::<Vec<_>>(), [0]);
            }
            assert_eq!(lines.locate(b"", &[0])[0].map(|p| p.line), Some(1), "an anchor is kept");
        }
    }
}

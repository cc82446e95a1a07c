//! One layer of gzip: members, checksums, padding, junk, limits. Passes on what it could inflate, never a byte it made up.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::header::{Header, Outcome};
use super::{Inflate, Limits, Out, RATIO_FROM, magic};
use crate::codes::{Code, Fault, Log};

/// Size of the one output buffer: large beside deflate's window of 32 KiB, which is copied once a buffer, and small beside an L2 cache.
const BUFFER: usize = 128 * 1024;

/// Where in the file the next byte belongs.
#[derive(Debug)]
enum At {
    Header(Header),
    Body,
    /// Checksum and length: the bytes seen so far.
    Trailer([u8; 8], usize),
    /// After a member: zeros seen so far, and whether the first byte of a magic number stands last.
    Between(u64, bool),
    /// Bytes that belong to no member: how many.
    Junk(u64),
    /// A fault ended the stream.
    Stopped,
}

#[derive(Debug)]
pub(super) struct Gunzip {
    limits: Limits,
    at: At,
    decoder: Decompress,
    crc: Crc,
    members: u64,
    /// Compressed bytes used, headers and trailers included.
    taken: u64,
    /// Inflated bytes handed to the layer above.
    given: u64,
    /// Output of the inflater; a stretch of it is handed up as soon as it is there, the buffer starts anew when it is full.
    buffer: Vec<u8>,
    filled: usize,
    sent: usize,
    cut: bool,
}

impl Gunzip {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            at: At::Header(Header::new()),
            decoder: Decompress::new(false),
            crc: Crc::new(),
            members: 1,
            taken: 0,
            given: 0,
            buffer: vec![0; BUFFER],
            filled: 0,
            sent: 0,
            cut: false,
        }
    }

    pub(super) fn members(&self) -> u64 {
        self.members
    }

    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    pub(super) fn feed(&mut self, mut input: &[u8], inner: &mut Inflate, log: &mut Log, out: &mut Out<'_>) {
        while !input.is_empty() {
            let used = match &mut self.at {
                At::Header(header) => {
                    let (used, outcome) = header.feed(input);
                    self.taken += used as u64;
                    match outcome {
                        Outcome::More => {}
                        Outcome::Done => self.at = At::Body,
                        Outcome::Bad(why) => {
                            let detail = format!("gzip member {} cannot be read: {why}", self.members);
                            self.stop(Code::GZP001, Some(detail), inner, log, out);
                        }
                    }
                    used
                }
                At::Body => self.body(input, inner, log, out),
                At::Trailer(seen, have) => {
                    let used = input.len().min(seen.len() - *have);
                    seen[*have..*have + used].copy_from_slice(&input[..used]);
                    *have += used;
                    self.taken += used as u64;
                    if *have == seen.len() {
                        let seen = *seen;
                        self.check(seen, inner, log);
                        self.at = At::Between(0, false);
                    }
                    used
                }
                At::Between(zeros, started) => {
                    match (input[0], *started) {
                        (0, false) => *zeros += 1,
                        (byte, false) if byte == magic::GZIP[0] => *started = true,
                        (byte, true) if byte == magic::GZIP[1] => {
                            let zeros = *zeros;
                            if zeros > 0 {
                                report_padding(zeros, inner, log);
                            }
                            self.next_member();
                        }
                        _ => self.at = At::Junk(*zeros + u64::from(*started) + 1),
                    }
                    self.taken += 1;
                    1
                }
                At::Junk(count) => {
                    *count += input.len() as u64;
                    return;
                }
                At::Stopped => return,
            };
            input = &input[used..];
        }
    }

    /// Ends the layer. `cut` says that a layer below has already told why there is no more.
    pub(super) fn close(&mut self, cut: bool, inner: &mut Inflate, log: &mut Log, out: &mut Out<'_>) {
        let early = match self.at {
            At::Stopped => return,
            At::Header(_) | At::Body | At::Trailer(..) | At::Between(_, true) => true,
            At::Between(_, false) | At::Junk(_) => false,
        };
        self.cut = early || cut;
        if !self.hand_up(true, inner, log, out) {
            return;
        }
        inner.close(self.cut, log, out);
        if cut {
            return;
        }
        match self.at {
            At::Junk(count) => {
                let at = inner.plain_bytes();
                let detail = format!("{count} bytes after the last gzip member");
                log.push(Code::GZP009, || Fault::new(Code::GZP009).at(at, at).detail(detail));
            }
            At::Between(zeros, _) if zeros > 0 => report_padding(zeros, inner, log),
            _ => {}
        }
        if early {
            let at = inner.plain_bytes();
            log.push(Code::GZP002, || Fault::new(Code::GZP002).at(at, at));
        }
    }

    fn next_member(&mut self) {
        let mut header = Header::new();
        header.feed(&magic::GZIP);
        self.at = At::Header(header);
        self.members += 1;
        self.decoder.reset(false);
        self.crc.reset();
    }

    /// Inflates, and returns how many bytes of the input belonged to the member's body.
    fn body(&mut self, input: &[u8], inner: &mut Inflate, log: &mut Log, out: &mut Out<'_>) -> usize {
        let mut used = 0;
        loop {
            let (before_in, before_out) = (self.decoder.total_in(), self.decoder.total_out());
            let result =
                self.decoder.decompress(&input[used..], &mut self.buffer[self.filled..], FlushDecompress::None);
            let read = (self.decoder.total_in() - before_in) as usize;
            let made = (self.decoder.total_out() - before_out) as usize;
            used += read;
            self.taken += read as u64;
            self.crc.update(&self.buffer[self.filled..self.filled + made]);
            self.filled += made;

            let full = self.filled == self.buffer.len();
            if !self.hand_up(false, inner, log, out) {
                return input.len();
            }
            match result {
                Ok(Status::StreamEnd) => {
                    self.at = At::Trailer([0; 8], 0);
                    return used;
                }
                Ok(_) if used == input.len() && !full => return used,
                Ok(_) if read > 0 || made > 0 => {}
                // an inflater that neither reads nor writes with room for both will never go on
                Ok(_) | Err(_) => {
                    self.stop(Code::GZP001, None, inner, log, out);
                    return input.len();
                }
            }
        }
    }

    /// Hands up what is in the buffer, as far as the limits allow; `false` when the stream was ended.
    ///
    /// The ratio is looked at only where the buffer is full: those places depend on the data alone, not on how it was cut.
    fn hand_up(&mut self, last: bool, inner: &mut Inflate, log: &mut Log, out: &mut Out<'_>) -> bool {
        if self.given == 0 && self.filled < magic::TAR_HEADER && !last {
            return true;
        }
        let there = (self.filled - self.sent) as u64;
        let room = self.limits.max_bytes.map_or(u64::MAX, |max| max - self.given);
        let now = there.min(room) as usize;
        if now > 0 {
            self.given += now as u64;
            inner.feed(&self.buffer[self.sent..self.sent + now], log, out);
            self.sent += now;
            if inner.is_refused() {
                // a fault has said why; to inflate the rest would only burn time
                self.at = At::Stopped;
                return false;
            }
        }
        if there > room {
            let detail = format!("the file inflates to more than {} bytes, the rest is not read", self.given);
            self.end(Code::SIZ013, Some(detail), inner, log, out);
            return false;
        }
        if self.filled == self.buffer.len() {
            self.filled = 0;
            self.sent = 0;
            let ratio = self.limits.max_ratio.unwrap_or(u64::MAX);
            if self.given > RATIO_FROM && self.given > ratio.saturating_mul(self.taken) {
                let detail = format!("the file inflates to more than {ratio} times its size, the rest is not read");
                self.end(Code::SIZ013, Some(detail), inner, log, out);
                return false;
            }
        }
        true
    }

    /// Ends the stream for a fault, after handing up what was inflated before it.
    fn stop(&mut self, code: Code, detail: Option<String>, inner: &mut Inflate, log: &mut Log, out: &mut Out<'_>) {
        if self.hand_up(true, inner, log, out) {
            self.end(code, detail, inner, log, out);
        }
    }

    fn end(&mut self, code: Code, detail: Option<String>, inner: &mut Inflate, log: &mut Log, out: &mut Out<'_>) {
        self.at = At::Stopped;
        self.cut = true;
        inner.close(true, log, out);
        let at = inner.plain_bytes();
        log.push(code, || {
            let fault = Fault::new(code).at(at, at);
            if let Some(detail) = detail { fault.detail(detail) } else { fault }
        });
    }

    /// Compares checksum and length of a member with its trailer (RFC 1952, 2.3.1).
    fn check(&mut self, trailer: [u8; 8], inner: &Inflate, log: &mut Log) {
        let both = u64::from_le_bytes(trailer);
        let (sum, length) = (both as u32, (both >> 32) as u32);
        let what = match (sum == self.crc.sum(), length == self.decoder.total_out() as u32) {
            (true, true) => return,
            (false, true) => "checksum",
            (true, false) => "length",
            (false, false) => "checksum and length",
        };
        let held = if inner.is_gzip() { 0 } else { (self.filled - self.sent) as u64 };
        let at = inner.plain_bytes() + held;
        let member = self.members;
        log.push(Code::GZP003, || {
            Fault::new(Code::GZP003)
                .at(at, at)
                .detail(format!("the data of gzip member {member} does not fit its {what}"))
        });
    }
}

fn report_padding(zeros: u64, inner: &Inflate, log: &mut Log) {
    let at = inner.plain_bytes();
    log.push(Code::GZP009, || {
        Fault::new(Code::GZP009).at(at, at).detail(format!("{zeros} zero bytes after a gzip member"))
    });
}

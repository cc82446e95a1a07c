//! Gzip off, layer by layer, as the bytes come in. Opens nothing, guesses by no name, keeps nothing it has passed on.

mod gunzip;
mod header;
mod magic;

use crate::codes::{Code, Fault, Log};

use gunzip::Gunzip;
use magic::Packing;

/// Where plain bytes go, with the log that later stages write to.
pub type Out<'a> = dyn FnMut(&[u8], &mut Log) + 'a;

/// Layers of gzip that are taken off; a file packed deeper is refused.
pub const MAX_LAYERS: u8 = 3;

/// Inflated bytes from which on the ratio is looked at: the most that the protocol allows a file. A legal file may be padded, or repeat
/// itself, up to the 1,032 to 1 that DEFLATE can reach, so up to here no ratio says anything; and so many bytes harm nobody.
pub const RATIO_FROM: u64 = crate::schema::MAX_BYTES;

#[derive(Clone, Copy, Debug)]
struct Limits {
    max_bytes: Option<u64>,
    max_ratio: Option<u64>,
}

/// Takes gzip off whatever is fed to it; plain bytes pass as they are.
///
/// A file is gzip when it starts like gzip, whatever its name (RFC 1952). Any number of members is read; what was inflated
/// before a fault is passed on. Places of faults are offsets in the plain bytes: where the plain bytes end or go wrong.
///
/// ```
/// use urlset::codes::Log;
/// use urlset::read::inflate::Inflate;
///
/// let mut log = Log::new(20);
/// let mut text = Vec::new();
/// let mut inflate = Inflate::new(Some(1 << 30), Some(500));
/// inflate.feed(b"<urlset/>", &mut log, &mut |bytes, _| text.extend_from_slice(bytes));
/// inflate.finish(&mut log, &mut |bytes, _| text.extend_from_slice(bytes));
/// assert_eq!(text, b"<urlset/>");
/// assert!(!inflate.is_gzip());
/// ```
#[derive(Debug)]
pub struct Inflate {
    limits: Limits,
    /// Layers of gzip that are off already where this one starts.
    depth: u8,
    head: Vec<u8>,
    mode: Mode,
    wire: u64,
    plain: u64,
}

#[derive(Debug)]
enum Mode {
    /// Too few bytes to tell.
    Undecided,
    Plain,
    Gzip(Box<Layer>),
    /// A format that is not read: nothing is passed on.
    Refused,
}

#[derive(Debug)]
struct Layer {
    gunzip: Gunzip,
    inner: Inflate,
}

impl Inflate {
    /// A stage that stops with SIZ013 after `max_bytes` inflated bytes, or past [`RATIO_FROM`] inflated bytes when there are more
    /// than `max_ratio` of them to one compressed byte. Both hold for each layer; plain files have no limit here.
    pub fn new(max_bytes: Option<u64>, max_ratio: Option<u64>) -> Self {
        Self::at_depth(Limits { max_bytes, max_ratio }, 0)
    }

    fn at_depth(limits: Limits, depth: u8) -> Self {
        Self { limits, depth, head: Vec::new(), mode: Mode::Undecided, wire: 0, plain: 0 }
    }

    /// Takes the next bytes of the file, of any number. Plain bytes go to `out` as the very slice that came in.
    pub fn feed(&mut self, input: &[u8], log: &mut Log, out: &mut Out<'_>) {
        if input.is_empty() {
            return;
        }
        self.wire += input.len() as u64;
        if !matches!(self.mode, Mode::Undecided) {
            self.pass(input, log, out);
            return;
        }
        if self.depth > 0 && self.head.is_empty() && magic::is_tar(input) {
            // gunzip holds back its first bytes until a tar header would be complete, so it is whole in the first slice
            let at = magic::TAR_MARK as u64;
            log.push(Code::GZP010, || Fault::new(Code::GZP010).at(at, at + 5));
            self.mode = Mode::Refused;
            return;
        }
        if self.head.is_empty() {
            match magic::packing(input, false) {
                Packing::Undecided => self.head.extend_from_slice(input),
                packing => {
                    self.begin(packing, log);
                    self.pass(input, log, out);
                }
            }
            return;
        }
        let more = input.len().min(magic::LONGEST - self.head.len());
        let (now, later) = input.split_at(more);
        self.head.extend_from_slice(now);
        let packing = magic::packing(&self.head, false);
        if packing != Packing::Undecided {
            self.begin(packing, log);
            let head = std::mem::take(&mut self.head);
            self.pass(&head, log, out);
            self.pass(later, log, out);
        }
    }

    /// Says that the file ends here. Passes on what was held back, and reports what is missing.
    pub fn finish(&mut self, log: &mut Log, out: &mut Out<'_>) {
        self.close(false, log, out);
    }

    /// Ends the stage; `cut` says that a layer below has already told why there is no more.
    fn close(&mut self, cut: bool, log: &mut Log, out: &mut Out<'_>) {
        if matches!(self.mode, Mode::Undecided) {
            self.begin(magic::packing(&self.head, true), log);
            let head = std::mem::take(&mut self.head);
            self.pass(&head, log, out);
        }
        if let Mode::Gzip(layer) = &mut self.mode {
            layer.gunzip.close(cut, &mut layer.inner, log, out);
        }
    }

    fn begin(&mut self, packing: Packing, log: &mut Log) {
        self.mode = match packing {
            Packing::Undecided | Packing::Plain => Mode::Plain,
            Packing::Other(name, length) => {
                log.push(Code::GZP007, || Fault::new(Code::GZP007).at(0, length as u64).value(name));
                Mode::Refused
            }
            Packing::Gzip if self.depth >= MAX_LAYERS => {
                log.push(Code::GZP001, || {
                    Fault::new(Code::GZP001)
                        .detail(format!("gzip within gzip is more than {MAX_LAYERS} layers deep, nothing is read"))
                });
                Mode::Refused
            }
            Packing::Gzip => {
                if self.depth == 1 {
                    log.push(Code::GZP004, || Fault::new(Code::GZP004));
                }
                Mode::Gzip(Box::new(Layer {
                    gunzip: Gunzip::new(self.limits),
                    inner: Self::at_depth(self.limits, self.depth + 1),
                }))
            }
        };
    }

    fn pass(&mut self, input: &[u8], log: &mut Log, out: &mut Out<'_>) {
        if input.is_empty() {
            return;
        }
        match &mut self.mode {
            Mode::Plain => {
                self.plain += input.len() as u64;
                out(input, log);
            }
            Mode::Gzip(layer) => layer.gunzip.feed(input, &mut layer.inner, log, out),
            Mode::Undecided | Mode::Refused => {}
        }
    }

    fn layer(&self) -> Option<&Layer> {
        if let Mode::Gzip(layer) = &self.mode { Some(layer) } else { None }
    }

    /// Layers of gzip found so far.
    pub fn layers(&self) -> u8 {
        self.layer().map_or(0, |layer| 1 + layer.inner.layers())
    }

    /// Gzip members begun so far, in the layer that has most of them. Several are legal; some readers stop after the first.
    pub fn members(&self) -> u64 {
        self.layer().map_or(0, |layer| layer.gunzip.members().max(layer.inner.members()))
    }

    /// Bytes fed so far.
    pub fn wire_bytes(&self) -> u64 {
        self.wire
    }

    /// Bytes passed on so far.
    pub fn plain_bytes(&self) -> u64 {
        self.layer().map_or(self.plain, |layer| layer.inner.plain_bytes())
    }

    /// Whether the transport itself shows that bytes are missing at the end: a stream that ended early, broke or was stopped.
    pub fn is_cut(&self) -> bool {
        self.layer().is_some_and(|layer| layer.gunzip.is_cut() || layer.inner.is_cut())
    }

    /// Whether the file is gzip.
    pub fn is_gzip(&self) -> bool {
        self.layer().is_some()
    }

    /// Whether the file is of a kind that is not read, so that nothing was passed on and a fault says why.
    pub fn is_refused(&self) -> bool {
        matches!(self.mode, Mode::Refused) || self.layer().is_some_and(|layer| layer.inner.is_refused())
    }
}

//! Compression of several files at once, on threads that end with the call. Changes neither bytes nor order.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::thread;

use arrow_array::RecordBatch;

use super::Shard;
use super::gzip::Gzip;
use super::split::Full;
use super::writer::{Writer, pack};
use crate::error::{Error, ErrorKind, Result};

type Packed = Result<(Shard, Option<Vec<u8>>)>;

/// A file to be compressed: its place in the order, its bytes, its name.
type Job = (usize, Full, String);

/// Compresses these files, each on a thread of its own.
pub(super) fn together(jobs: Vec<(Full, String)>, level: u8) -> Result<Vec<(Shard, Option<Vec<u8>>)>> {
    thread::scope(|scope| {
        let one = |(full, name)| scope.spawn(move || pack(full, name, Some(&mut Gzip::new(level)?)));
        let handles: Vec<_> = jobs.into_iter().map(one).collect();
        handles.into_iter().map(|h| h.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

/// Fills files here and compresses them on the writer's other threads; here too while those have enough to do.
pub(super) fn run<E: From<Error>>(
    writer: &mut Writer,
    batches: impl IntoIterator<Item = std::result::Result<RecordBatch, E>>,
    mut sink: impl FnMut(Shard) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let helpers = if writer.gzip.is_some() { writer.options.threads - 1 } else { 0 };
    let level = writer.options.level;
    if helpers == 0 {
        for batch in batches {
            for shard in writer.push(&batch?)? {
                sink(shard)?;
            }
        }
        return writer.finish()?.into_iter().try_for_each(sink);
    }
    // One file in wait for each helper: with the one it works on, two a thread.
    let (give, take) = sync_channel::<Job>(helpers);
    let take = Mutex::new(take);
    thread::scope(|scope| {
        let give = give; // dropped when the filling ends, whichever way: then the helpers end too
        let take = &take;
        let (hand, done) = channel();
        for _ in 0..helpers {
            let hand = hand.clone();
            scope.spawn(move || help(take, &hand, level));
        }
        drop(hand);
        let mut line = Line { ready: VecDeque::new(), first: 0, next: 0 };
        for batch in batches {
            for full in writer.fill(&batch?)? {
                line.submit(writer, full, &give)?;
                line.collect(writer, &done, false)?;
                line.deliver(&mut sink)?;
            }
        }
        for full in writer.last()? {
            line.submit(writer, full, &give)?;
        }
        while line.first < line.next {
            line.collect(writer, &done, true)?;
            line.deliver(&mut sink)?;
        }
        Ok(())
    })
}

/// Compresses until there is nothing more to come.
fn help(jobs: &Mutex<Receiver<Job>>, hand: &Sender<(usize, Packed)>, level: u8) {
    let mut gzip = Gzip::new(level);
    loop {
        // The lock is held while waiting: who waits for it waits for a job all the same.
        let job = match jobs.lock() {
            Ok(jobs) => jobs.recv(),
            Err(_) => return,
        };
        let Ok((at, full, name)) = job else { return };
        let packed = match &mut gzip {
            Ok(gzip) => pack(full, name, Some(gzip)),
            Err(error) => Err(error.clone()),
        };
        if hand.send((at, packed)).is_err() {
            return;
        }
    }
}

/// The files on their way, in order.
struct Line {
    /// From the first that was not delivered on.
    ready: VecDeque<Option<Shard>>,
    first: usize,
    next: usize,
}

impl Line {
    /// Gives a file to the helpers, or compresses it here when all have one and another in wait.
    fn submit(&mut self, writer: &mut Writer, full: Full, give: &SyncSender<Job>) -> Result<()> {
        let name = writer.next_name()?;
        let at = self.next;
        self.next += 1;
        self.ready.push_back(None);
        match give.try_send((at, full, name)) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full((at, full, name)) | TrySendError::Disconnected((at, full, name))) => {
                let packed = pack(full, name, writer.gzip.as_mut());
                self.take(writer, at, packed)
            }
        }
    }

    /// Takes what the helpers have finished; with `wait`, at least one file.
    fn collect(&mut self, writer: &mut Writer, done: &Receiver<(usize, Packed)>, wait: bool) -> Result<()> {
        if wait && self.ready.front().is_some_and(Option::is_none) {
            let Ok((at, packed)) = done.recv() else {
                return Err(Error::new(ErrorKind::Option("a thread that compresses has ended early".into())));
            };
            self.take(writer, at, packed)?;
        }
        while let Ok((at, packed)) = done.try_recv() {
            self.take(writer, at, packed)?;
        }
        Ok(())
    }

    fn take(&mut self, writer: &mut Writer, at: usize, packed: Packed) -> Result<()> {
        let (shard, spare) = packed?;
        writer.recycle(spare);
        self.ready[at - self.first] = Some(shard);
        Ok(())
    }

    fn deliver<E>(&mut self, sink: &mut impl FnMut(Shard) -> std::result::Result<(), E>) -> std::result::Result<(), E> {
        while let Some(shard) = self.ready.front_mut().and_then(Option::take) {
            self.ready.pop_front();
            self.first += 1;
            sink(shard)?;
        }
        Ok(())
    }
}

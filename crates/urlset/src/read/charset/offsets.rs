//! Where a decoded byte stood in the source. Knows no encoding; forgets what nobody will ask for again.

use std::collections::VecDeque;

/// A stretch of units of one shape: each `out` decoded bytes stand for `from` source bytes.
#[derive(Clone, Copy, Debug)]
struct Run {
    decoded: u64,
    source: u64,
    out: u8,
    from: u8,
}

/// An exact map from decoded offsets to source offsets, as a list of runs: text of one script is one run.
#[derive(Debug, Default)]
pub(super) struct Offsets {
    runs: VecDeque<Run>,
    decoded: u64,
    source: u64,
    /// Source bytes without output came since the last unit, so the last run cannot grow.
    torn: bool,
}

impl Offsets {
    /// Source bytes that stand for nothing: a byte order mark, an escape sequence.
    pub(super) fn skip(&mut self, source: u64) {
        if source > 0 {
            self.source += source;
            self.torn = true;
        }
    }

    /// `count` units, each of `out` decoded bytes for `from` source bytes.
    pub(super) fn push(&mut self, count: u64, out: u8, from: u8) {
        if count == 0 || out == 0 {
            self.skip(count * u64::from(from));
            return;
        }
        let grows = !self.torn && self.runs.back().is_some_and(|run| run.out == out && run.from == from);
        if !grows {
            self.runs.push_back(Run { decoded: self.decoded, source: self.source, out, from });
            self.torn = false;
        }
        self.decoded += count * u64::from(out);
        self.source += count * u64::from(from);
    }

    /// Source bytes mapped so far.
    pub(super) fn source(&self) -> u64 {
        self.source
    }

    /// Drops the runs that end at or before a decoded offset.
    pub(super) fn forget_before(&mut self, decoded: u64) {
        while self.runs.get(1).is_some_and(|next| next.decoded <= decoded) {
            self.runs.pop_front();
        }
    }

    /// The source offset of the character that a decoded offset lies in; at and past the end, the end of the source so far.
    pub(super) fn source_of(&self, decoded: u64) -> u64 {
        if decoded >= self.decoded {
            return self.source + (decoded - self.decoded);
        }
        let after = self.runs.partition_point(|run| run.decoded <= decoded);
        match after.checked_sub(1).and_then(|at| self.runs.get(at)) {
            Some(run) => run.source + (decoded - run.decoded) / u64::from(run.out) * u64::from(run.from),
            None => self.runs.front().map_or(self.source, |run| run.source),
        }
    }

    #[cfg(test)]
    pub(super) fn runs(&self) -> usize {
        self.runs.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_agree_with_a_plain_list() {
        // (units, decoded bytes, source bytes) in turn; a unit without output is an escape
        let pushes = [
            (0, 0, 3),
            (5, 1, 1),
            (1, 0, 3),
            (4, 3, 2),
            (1, 0, 3),
            (2, 1, 1),
            (1, 0, 3),
            (2, 1, 1),
            (3, 2, 1),
            (1, 4, 4),
        ];
        let mut map = Offsets::default();
        let mut plain = Vec::new();
        let mut source = 0;
        for (count, out, from) in pushes {
            for _ in 0..count.max(1) {
                plain.extend(std::iter::repeat_n(source, out));
                source += from;
            }
            if count == 0 || out == 0 {
                map.skip(from);
            } else {
                map.push(count, out as u8, from as u8);
            }
        }
        for (decoded, &want) in plain.iter().enumerate() {
            assert_eq!(map.source_of(decoded as u64), want, "{decoded}");
        }
        assert_eq!(map.decoded, plain.len() as u64);
        assert_eq!(map.source_of(plain.len() as u64), source);
        let half = plain.len() / 2;
        map.forget_before(half as u64);
        for (decoded, &want) in plain.iter().enumerate().skip(half) {
            assert_eq!(map.source_of(decoded as u64), want, "{decoded} after forgetting");
        }
    }

    #[test]
    fn text_of_one_shape_is_one_run_and_forgetting_drops_runs() {
        let mut map = Offsets::default();
        for _ in 0..1000 {
            map.push(1, 1, 2);
        }
        assert_eq!(map.runs(), 1);
        for _ in 0..1000 {
            map.push(1, 3, 2);
            map.push(1, 1, 2);
        }
        assert_eq!(map.runs(), 2001);
        map.forget_before(map.decoded);
        assert_eq!(map.runs(), 1);
    }
}

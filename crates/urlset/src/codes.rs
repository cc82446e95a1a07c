//! The one registry of finding codes, and the fault that names one. Decides nothing about when a fault arises.

mod registry;

use std::fmt;
use std::sync::LazyLock;

pub use registry::Code;

/// How bad a finding is when its profile says nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Advice or a note.
    Info,
    /// Accepted, but the value is likely lost or misleading.
    Warning,
    /// A conforming consumer refuses the file or the entry.
    Error,
}

impl Severity {
    /// The word used in tables and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What a rule needs to see before it can speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One entry.
    Entry,
    /// One file.
    File,
    /// The set of files.
    Set,
    /// The network.
    Live,
    /// Nothing of the input: it speaks of the run itself.
    Run,
}

impl Scope {
    /// The word used in tables and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::File => "file",
            Self::Set => "set",
            Self::Live => "live",
            Self::Run => "run",
        }
    }
}

/// Whether a finding can be repaired without a human.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fix {
    /// Nothing can be done by machine.
    No,
    /// The repair never changes what the file means.
    Safe,
    /// The repair may change what the file means.
    Unsafe,
}

impl Fix {
    /// The word used in tables and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
        }
    }
}

/// Which part of urlset speaks this code today.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Reading or writing reports it.
    Active,
    /// To be decided offline by `check`, which does not exist yet.
    Check,
    /// Needs the network, snapshots or a link graph. Registered and listed, never selected.
    Planned,
}

impl Status {
    /// The word used in tables and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Check => "check",
            Self::Planned => "planned",
        }
    }
}

/// What a profile, named first, makes of a code; `None` is off.
pub type Override = (&'static str, Option<Severity>);

/// One row of the registry: what is known of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// `URL006`.
    pub code: &'static str,
    /// `loc-bad-percent`, unique.
    pub name: &'static str,
    /// Severity where a profile says nothing else.
    pub severity: Severity,
    /// Selected by the default profile: demanded by the protocol or a standard it rests on, or by two engines, or for security.
    pub default: bool,
    /// Selected by no profile but those in `profiles`.
    pub off: bool,
    /// Who demands it: keys of the rule catalogue, separated by blanks.
    pub authority: &'static str,
    /// What it needs to see.
    pub scope: Scope,
    /// Whether it can be repaired.
    pub fix: Fix,
    /// Who speaks it.
    pub status: Status,
    /// Profiles that see it otherwise.
    pub profiles: &'static [Override],
    /// What is wrong, then what was expected; `{value}` and `{element}` are filled in.
    pub message: &'static str,
}

impl Code {
    /// Codes that protect whoever reads or publishes: bombs, traps, disguise, secrets, private targets.
    pub const SECURITY: &'static [Code] = &[
        Code::XML015,
        Code::XML016,
        Code::XML024,
        Code::SIZ013,
        Code::SIZ015,
        Code::URL013,
        Code::URL024,
        Code::URL029,
        Code::URL030,
        Code::IDX002,
        Code::NET014,
        Code::NET019,
    ];

    /// The code so written or so named, both to the letter.
    ///
    /// ```
    /// use urlset::codes::Code;
    /// assert_eq!(Code::find("URL006"), Some(Code::URL006));
    /// assert_eq!(Code::find("loc-bad-percent"), Some(Code::URL006));
    /// assert_eq!(Code::find("url"), None);
    /// ```
    pub fn find(code_or_name: &str) -> Option<Self> {
        static SORTED: LazyLock<Vec<(&str, Code)>> = LazyLock::new(|| {
            let mut all: Vec<_> = Code::ALL.iter().flat_map(|&c| [(c.rule().code, c), (c.rule().name, c)]).collect();
            all.sort_unstable();
            all
        });
        let at = SORTED.binary_search_by_key(&code_or_name, |&(word, _)| word).ok()?;
        Some(SORTED[at].1)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule().code)
    }
}

/// Characters of a value that a finding shows at most.
pub const VALUE_CHARS: usize = 80;

/// Something wrong with the input, at a place. Severity and profile come later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which rule it breaks.
    pub code: Code,
    /// First byte, counted after gunzip and before charset decoding.
    pub offset: Option<u64>,
    /// Byte after the last.
    pub end: Option<u64>,
    /// Line, from 1.
    pub line: Option<u64>,
    /// Column in code points, from 1.
    pub column: Option<u64>,
    /// Number of the entry in its file, from 0 (rows dropped count too); when writing, the row number.
    pub entry: Option<u64>,
    /// Path of the element: `url[12]/image[0]/loc`.
    pub element: Option<String>,
    /// The entry's loc, where it is known.
    pub url: Option<String>,
    /// The offending text, cut at [`VALUE_CHARS`].
    pub value: Option<String>,
    /// What to write instead, where that is certain.
    pub fix: Option<String>,
    /// A message more special than the rule's own.
    pub detail: Option<String>,
    /// How many times, where several are told as one.
    pub count: u64,
}

impl Fault {
    /// A fault with no place.
    pub fn new(code: Code) -> Self {
        Self {
            code,
            offset: None,
            end: None,
            line: None,
            column: None,
            entry: None,
            element: None,
            url: None,
            value: None,
            fix: None,
            detail: None,
            count: 1,
        }
    }

    /// The same fault at a byte range.
    #[must_use]
    pub fn at(mut self, offset: u64, end: u64) -> Self {
        self.offset = Some(offset);
        self.end = Some(end);
        self
    }

    /// The same fault with the offending text.
    #[must_use]
    pub fn value(mut self, value: &str) -> Self {
        self.value = Some(cut(value));
        self
    }

    /// The same fault with a suggestion.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// The same fault with its own message.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The same fault at an element.
    #[must_use]
    pub fn element(mut self, element: impl Into<String>) -> Self {
        self.element = Some(element.into());
        self
    }

    /// The sentence shown to a reader: one line, the value cut and its control characters escaped.
    ///
    /// ```
    /// use urlset::codes::{Code, Fault};
    /// let fault = Fault::new(Code::URL001).element("url[3]/loc").value("/a");
    /// assert_eq!(fault.message(), r#"loc "/a" is relative, an absolute http or https URL was expected"#);
    /// ```
    pub fn message(&self) -> String {
        if let Some(detail) = &self.detail {
            return detail.clone();
        }
        let element = self.element.as_deref().map_or("value", |path| {
            let last = path.rsplit('/').next().unwrap_or(path);
            last.split('[').next().unwrap_or(last)
        });
        fill(self.code.rule().message, element, self.value.as_deref())
    }
}

/// Fills a template in one pass, so that a value that looks like a placeholder stays what it is. Without a value
/// `loc "{value}" is` becomes `loc is`, and `is "{value}"` becomes `is ""`.
fn fill(template: &str, element: &str, value: Option<&str>) -> String {
    let mut out = String::with_capacity(template.len() + VALUE_CHARS);
    let mut rest = template;
    while let Some((before, tail)) = rest.split_once('{') {
        out.push_str(before);
        if let Some(after) = tail.strip_prefix("element}") {
            push_one_line(&mut out, element);
            rest = after;
        } else if let Some(after) = tail.strip_prefix("value}") {
            rest = after;
            match value {
                Some(value) => push_one_line(&mut out, &cut(value)),
                None => {
                    if let (Some(kept), Some(after)) = (out.strip_suffix(" \""), after.strip_prefix("\" ")) {
                        out.truncate(kept.len() + 1);
                        rest = after;
                    }
                }
            }
        } else {
            out.push('{');
            rest = tail;
        }
    }
    out.push_str(rest);
    out
}

/// Appends text with its control characters escaped: a message goes to terminals and logs.
fn push_one_line(out: &mut String, text: &str) {
    for c in text.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
}

/// Characters of an address that a finding keeps at most: one that is longer is no address that the protocol knows.
pub const URL_CHARS: usize = 2_048;

/// Cuts a text at [`VALUE_CHARS`] characters, with an ellipsis where something was cut.
pub fn cut(text: &str) -> String {
    cut_at(text, VALUE_CHARS)
}

/// Cuts a text at so many characters, with an ellipsis where something was cut.
pub fn cut_at(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}

/// Faults of one file: exact totals for every code, details for the first few.
#[derive(Debug, Default)]
pub struct Log {
    faults: Vec<Fault>,
    totals: Vec<u64>,
    cap: u64,
    seen: u64,
}

impl Log {
    /// A log that keeps the details of the first `cap` faults of each code.
    pub fn new(cap: u64) -> Self {
        Self { faults: Vec::new(), totals: vec![0; Code::ALL.len()], cap, seen: 0 }
    }

    /// Counts a fault, and keeps it while its code is below the cap; `make` runs only then.
    pub fn push(&mut self, code: Code, make: impl FnOnce() -> Fault) {
        let total = &mut self.totals[code as usize];
        *total += 1;
        self.seen += 1;
        if *total <= self.cap {
            let mut fault = make();
            // Half a suggestion would be worse than none.
            fault.fix = fault.fix.filter(|fix| fix.len() <= 4 * URL_CHARS);
            self.faults.push(fault);
        }
    }

    /// Faults counted so far, of whatever code.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Takes the details kept so far.
    pub fn drain(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// Takes the first `count` of the details kept.
    pub fn drain_first(&mut self, count: usize) -> Vec<Fault> {
        if count == self.faults.len() { self.drain() } else { self.faults.drain(..count).collect() }
    }

    /// The details kept since the last drain, to be completed in place.
    pub fn kept(&mut self) -> &mut [Fault] {
        &mut self.faults
    }

    /// How many faults of a code there were, kept or not.
    pub fn total(&self, code: Code) -> u64 {
        self.totals[code as usize]
    }

    /// One [`Code::GEN003`] for each code of which some were counted only: the code is its value, and those not shown its count, so that
    /// the counts of a code and of what goes beyond it add up.
    pub fn close(&mut self) {
        for &code in Code::ALL {
            let total = self.totals[code as usize];
            if total > self.cap {
                let mut fault = Fault::new(Code::GEN003)
                    .value(code.rule().code)
                    .detail(format!("{total} findings of {code}, of which the first {} are shown", self.cap));
                fault.count = total - self.cap;
                self.faults.push(fault);
            }
        }
    }
}

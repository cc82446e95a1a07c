//! robots.txt: its Sitemap lines and its rules, by RFC 9309 and what Google's parser forgives. Fetches nothing, decides for no agent of its own.

mod address;
mod line;
mod pattern;

use std::ops::Range;

use encoding_rs::WINDOWS_1252;

use crate::codes::{Code, Fault, Log};

use address::Kind;
use line::Key;
use pattern::Pattern;

/// Bytes of robots.txt that every crawler reads (RFC 9309, 2.5; Google reads no more). Rules beyond are not kept.
pub const MAX_BYTES: usize = 500 * 1024;

/// Bytes of a line that Google's parser keeps: its buffer has 8 x 2,083, the last for its own use.
pub const MAX_LINE: usize = 8 * 2083 - 1;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// What a robots.txt says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Robots {
    /// Its Sitemap lines, in order, repeated ones too. Relative addresses stand as they were written.
    pub sitemaps: Vec<SitemapLine>,
    /// Its groups, in order.
    pub groups: Vec<Group>,
}

/// One address of a Sitemap line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapLine {
    /// The address as written, full or relative.
    pub value: String,
    /// First byte of the address in what was parsed.
    pub offset: u64,
    /// Byte after its last.
    pub end: u64,
}

/// User agents and what they may do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The values of its `User-agent` lines.
    pub agents: Vec<String>,
    /// Its rules, in order; empty ones, which rule nothing, are left out.
    pub rules: Vec<Rule>,
    /// Seconds between two fetches. No part of RFC 9309; kept up to each crawler.
    pub crawl_delay: Option<f64>,
    /// The rules of this group are those of the next one. A `Crawl-delay` belongs to the agents above it, but ends no group (RFC 9309,
    /// 2.2.4), so that agents that follow it share the rules and not the delay.
    pub joined: bool,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// `Allow`, else `Disallow`.
    pub allow: bool,
    /// The path as written, with `*` and `$`.
    pub path: String,
    pattern: Pattern,
}

/// Reads a robots.txt. Offsets of faults count bytes of what is given.
///
/// ```
/// use urlset::codes::Log;
/// use urlset::read::robots::parse;
///
/// let text = b"User-agent: *\nDisallow: /private\n\nSitemap: https://a.example/sitemap.xml\n";
/// let robots = parse(text, &mut Log::new(20));
/// assert_eq!(robots.sitemaps[0].value, "https://a.example/sitemap.xml");
/// assert!(!robots.allows("anybot", "/private/page"));
/// ```
pub fn parse(bytes: &[u8], log: &mut Log) -> Robots {
    let mut parser = Parser { bytes, html: is_html(bytes), robots: Robots::default(), naming: false, log };
    parser.run();
    parser.robots
}

struct Parser<'a> {
    bytes: &'a [u8],
    html: bool,
    robots: Robots,
    /// `User-agent` lines are being gathered: no rule has come since.
    naming: bool,
    log: &'a mut Log,
}

impl Parser<'_> {
    fn run(&mut self) {
        let mut at = 0;
        if self.bytes.starts_with(BOM) {
            at = BOM.len();
            self.report(Code::ROB009, 0..at, |fault| fault.detail("robots.txt starts with a byte order mark"));
        }
        if let Err(error) = std::str::from_utf8(self.bytes) {
            let bad = error.valid_up_to();
            self.report(Code::ROB009, bad..bad + 1, |fault| fault.detail("robots.txt is not UTF-8"));
        }
        if self.html {
            self.report(Code::ROB016, 0..0, |fault| fault);
        }
        if self.bytes.len() > MAX_BYTES {
            self.report(Code::ROB008, MAX_BYTES..self.bytes.len(), |fault| fault);
        }
        while at < self.bytes.len() {
            let end = memchr::memchr2(b'\r', b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |length| at + length);
            self.line(at..end);
            at = end + 1;
        }
    }

    fn report(&mut self, code: Code, place: Range<usize>, complete: impl FnOnce(Fault) -> Fault) {
        self.log.push(code, || complete(Fault::new(code).at(place.start as u64, place.end as u64)));
    }

    fn line(&mut self, place: Range<usize>) {
        let base = place.start;
        let whole = &self.bytes[place];
        let text = &whole[..memchr::memchr(b'#', whole).unwrap_or(whole.len())];
        if text.len() > MAX_LINE {
            self.report(Code::ROB018, base + MAX_LINE..base + text.len(), |fault| fault);
        }
        let Some((key, name, value)) = line::split(text) else { return };
        let beyond = base >= MAX_BYTES;
        match key {
            Key::Sitemap | Key::SitemapTypo => {
                if key == Key::SitemapTypo {
                    let name = base + name.start..base + name.end;
                    let written = read(&self.bytes[name.clone()]);
                    let fix = format!("Sitemap: {}", read(&text[value.clone()]));
                    self.report(Code::ROB003, name, |fault| fault.value(&written).fix(fix));
                }
                if text.len() < whole.len() && !value.is_empty() {
                    let comment = base + text.len()..base + whole.len();
                    let written = read(&self.bytes[comment.clone()]);
                    self.report(Code::ROB004, comment, |fault| fault.value(&written));
                }
                let value = base + value.start..base + value.end;
                if beyond {
                    let written = read(&self.bytes[value.clone()]);
                    self.report(Code::ROB008, value.clone(), |fault| {
                        let detail = format!(
                            "sitemap address \"{}\" stands beyond {MAX_BYTES} bytes, where it may be ignored",
                            crate::codes::cut(&written)
                        );
                        fault.value(&written).detail(detail)
                    });
                }
                self.sitemap(value);
            }
            _ if beyond => {}
            Key::UserAgent => self.agent(&text[value]),
            Key::Allow => self.rule(true, &text[value]),
            Key::Disallow => self.rule(false, &text[value]),
            Key::CrawlDelay => self.crawl_delay(&text[value]),
        }
    }

    fn sitemap(&mut self, place: Range<usize>) {
        let bytes = self.bytes;
        let value = &bytes[place.clone()];
        let written = read(value);
        let within = |part: Range<usize>| place.start + part.start..place.start + part.end;
        if self.html && value.contains(&b'<') {
            return self.report(Code::ROB002, place, |fault| fault.value(&written));
        }
        if let Some(inner) = address::unwrapped(value) {
            let fix = read(&value[inner.clone()]);
            self.report(Code::ROB002, place.clone(), |fault| {
                let detail = format!(
                    "sitemap address {} stands in quotes or brackets, which are no part of it",
                    crate::codes::cut(&written)
                );
                fault.value(&written).fix(fix).detail(detail)
            });
            return self.keep(within(inner));
        }
        if let Some(all) = address::several(value) {
            self.report(Code::ROB002, place.clone(), |fault| {
                fault
                    .value(&written)
                    .detail(format!("{} sitemap addresses stand on one line, one was expected", all.len()))
            });
            for one in all {
                self.keep(within(one));
            }
            return;
        }
        match address::kind(value) {
            Kind::Malformed => return self.report(Code::ROB002, place, |fault| fault.value(&written)),
            Kind::Relative => self.report(Code::ROB001, place.clone(), |fault| fault.value(&written)),
            Kind::Full => {}
        }
        self.keep(place);
    }

    /// Keeps an address that leads somewhere.
    fn keep(&mut self, place: Range<usize>) {
        let bytes = self.bytes;
        let value = read(&bytes[place.clone()]);
        if address::is_unescaped(value.as_bytes()) {
            self.report(Code::ROB017, place.clone(), |mut fault| {
                fault.fix = address::escaped(&value);
                fault.value(&value)
            });
        }
        self.robots.sitemaps.push(SitemapLine { value, offset: place.start as u64, end: place.end as u64 });
    }

    fn agent(&mut self, value: &[u8]) {
        let groups = &mut self.robots.groups;
        match groups.last_mut() {
            Some(group) if self.naming && group.crawl_delay.is_none() => group.agents.push(read(value)),
            last => {
                if let Some(group) = last {
                    group.joined = self.naming;
                }
                groups.push(Group { agents: vec![read(value)], ..Group::default() });
            }
        }
        self.naming = true;
    }

    fn rule(&mut self, allow: bool, value: &[u8]) {
        self.naming = false;
        // rules before any agent speak to nobody, and an empty path rules nothing
        if let Some(group) = self.robots.groups.last_mut().filter(|_| !value.is_empty()) {
            let path = read(value);
            let pattern = Pattern::new(&path);
            group.rules.push(Rule { allow, path, pattern });
        }
    }

    fn crawl_delay(&mut self, value: &[u8]) {
        let plain = !value.is_empty() && value.iter().all(|&byte| byte.is_ascii_digit() || byte == b'.');
        let seconds = read(value).parse::<f64>().ok().filter(|seconds| plain && seconds.is_finite());
        if let Some(group) = self.robots.groups.last_mut() {
            group.crawl_delay = group.crawl_delay.or(seconds);
        }
    }
}

/// A value as text: UTF-8, or windows-1252 where it is not.
fn read(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(value).0.into_owned(),
    }
}

/// Whether this is a page for browsers, whatever the file is called.
fn is_html(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let bytes = bytes.trim_ascii_start();
    if bytes.first() != Some(&b'<') {
        return false;
    }
    let head = bytes[..bytes.len().min(1024)].to_ascii_lowercase();
    let starts: [&[u8]; 8] = [b"<html", b"<!doctype", b"<head", b"<body", b"<meta", b"<title", b"<script", b"<pre"];
    starts.iter().any(|tag| head.starts_with(tag)) || memchr::memmem::find(&head, b"<html").is_some()
}

/// The part of a user agent that groups name it by: `urlset` of `urlset/1.0 (+https://a.example)` (RFC 9309, 2.2.1).
fn product(agent: &str) -> &str {
    let agent = agent.trim();
    let named = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    agent.split(|c| !named(c)).next().unwrap_or("")
}

/// Whether the value of a `User-agent` line means every agent.
fn is_everyone(agent: &str) -> bool {
    agent.strip_prefix('*').is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

impl Group {
    fn names(&self, product: &str) -> bool {
        self.agents.iter().any(|agent| !product.is_empty() && self::product(agent).eq_ignore_ascii_case(product))
    }

    fn is_for_everyone(&self) -> bool {
        self.agents.iter().any(|agent| is_everyone(agent))
    }
}

impl Robots {
    /// What one agent may fetch: the rules of all groups that name it, else of all groups for everyone (RFC 9309, 2.2.1).
    pub fn rules_for(&self, agent: &str) -> RulesFor<'_> {
        let product = product(agent);
        let named = self.groups.iter().any(|group| group.names(product));
        let mut found = RulesFor { rules: Vec::new(), crawl_delay: None };
        let mut met = false;
        for group in &self.groups {
            let here = if named { group.names(product) } else { group.is_for_everyone() };
            if here && found.crawl_delay.is_none() {
                found.crawl_delay = group.crawl_delay;
            }
            met |= here;
            if !group.joined {
                if met {
                    found.rules.extend(&group.rules);
                }
                met = false;
            }
        }
        found
    }

    /// Whether an agent may fetch a path with its query. For many paths ask [`Self::rules_for`] once.
    pub fn allows(&self, agent: &str, path_and_query: &str) -> bool {
        self.rules_for(agent).allows(path_and_query)
    }
}

/// The rules for one agent.
#[derive(Clone, Debug)]
pub struct RulesFor<'a> {
    rules: Vec<&'a Rule>,
    /// Seconds between two fetches, where the agent's group says so.
    pub crawl_delay: Option<f64>,
}

impl RulesFor<'_> {
    /// Whether a path with its query may be fetched: the longest matching rule says so, `Allow` where two are equally long, and what
    /// no rule matches is allowed (RFC 9309, 2.2.2). `/robots.txt` itself always may.
    pub fn allows(&self, path_and_query: &str) -> bool {
        let path = pattern::path(path_and_query);
        if path == "/robots.txt" {
            return true;
        }
        let mut longest = 0;
        let mut allowed = true;
        for rule in &self.rules {
            let index = if rule.allow { rule.pattern.of_index_page() } else { None };
            for pattern in std::iter::once(&rule.pattern).chain(&index) {
                let length = pattern.length();
                if (length > longest || (length == longest && rule.allow)) && pattern.matches(&path) {
                    longest = length;
                    allowed = rule.allow;
                }
            }
        }
        allowed
    }
}

//! The oracle of the scanner: the same token language over a whole buffer, slow and plain. Never fast, never fed in parts.
//!
//! The rules. Text runs up to the next `<`. A `<` that opens nothing, or whose markup would be longer than the limit, is text, and
//! `<`s in a row before it are one with it. White space longer than the limit comes in pieces, of any other text the rest is passed over. A tag ends at its `>` outside quotes; where a `<` comes first, at its first `>` whatever
//! the quotes say. A comment ends at `-->`, a section at `]]>`, an instruction at `?>`; comments and sections without an end within
//! the limit are passed over up to their end. What looks like markup and is none is passed over up to its `>`.

use std::ops::ControlFlow;

use urlset::codes::Code;
use urlset::scan::{Tag, Tokens, Unclosed};

/// A token, owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// Name, attributes with their value offsets, empty, broken, offset, end.
    Start(Vec<u8>, Vec<(Vec<u8>, Vec<u8>, u64)>, bool, bool, u64, u64),
    End(Vec<u8>, u64, u64),
    /// Text, offset, plain.
    Text(Vec<u8>, u64, bool),
    Cdata(Vec<u8>, u64),
    Comment(Vec<u8>, u64),
    Instruction(Vec<u8>, Vec<u8>, u64),
    Doctype(Vec<u8>, u64),
    Endless(u64),
    Overlong(u64),
    Fault(Code, u64, u64),
    Cut(u64, Unclosed),
}

/// Tokens of the scanner, gathered.
#[derive(Debug, Default)]
pub struct Gathered(pub Vec<Token>);

impl Tokens for Gathered {
    fn start(&mut self, tag: &Tag<'_>) {
        let attributes = tag.attributes().map(|(n, v, at)| (n.to_vec(), v.to_vec(), at)).collect();
        self.0.push(Token::Start(tag.name.to_vec(), attributes, tag.empty, tag.broken, tag.offset, tag.end));
    }
    fn end(&mut self, name: &[u8], offset: u64, end: u64) {
        self.0.push(Token::End(name.to_vec(), offset, end));
    }
    fn text(&mut self, text: &[u8], offset: u64, plain: bool) {
        self.0.push(Token::Text(text.to_vec(), offset, plain));
    }
    fn cdata(&mut self, text: &[u8], offset: u64) {
        self.0.push(Token::Cdata(text.to_vec(), offset));
    }
    fn comment(&mut self, text: &[u8], offset: u64) {
        self.0.push(Token::Comment(text.to_vec(), offset));
    }
    fn instruction(&mut self, target: &[u8], data: &[u8], offset: u64) {
        self.0.push(Token::Instruction(target.to_vec(), data.to_vec(), offset));
    }
    fn doctype(&mut self, text: &[u8], offset: u64) {
        self.0.push(Token::Doctype(text.to_vec(), offset));
    }
    fn endless(&mut self, offset: u64) {
        self.0.push(Token::Endless(offset));
    }
    fn overlong(&mut self, offset: u64) {
        self.0.push(Token::Overlong(offset));
    }
    fn fault(&mut self, code: Code, offset: u64, end: u64) {
        self.0.push(Token::Fault(code, offset, end));
    }
    fn cut(&mut self, offset: u64, what: Unclosed) {
        self.0.push(Token::Cut(offset, what));
    }
}

/// What a `<` turned out to be.
enum Found {
    /// These tokens, and markup of this many bytes.
    Markup(Vec<Token>, usize),
    /// So many bytes of text.
    Literal(usize),
    /// A comment or section without an end within the limit: bytes of its opener, and its closer.
    Overlong(usize, &'static [u8]),
    /// The input ends inside.
    Cut,
    /// An instruction without an end, and what it is taken for.
    Endless(Box<Found>),
}

/// The tokens of a whole document.
pub fn tokens(document: &[u8], max: usize) -> Vec<Token> {
    let mut out = Vec::new();
    let mut doctype = false;
    let mut at = 0;
    while at < document.len() {
        if document[at] != b'<' {
            at = text(document, at, max, &mut out);
            continue;
        }
        let mut found = markup(&document[at..], at as u64, max, &mut doctype);
        if let Found::Endless(taken) = found {
            out.push(Token::Endless(at as u64));
            found = *taken;
        }
        match found {
            Found::Endless(_) => unreachable!("told above"),
            Found::Markup(tokens, length) => {
                out.extend(tokens);
                at += length;
            }
            Found::Literal(length) => {
                out.push(Token::Fault(Code::XML004, at as u64, (at + length) as u64));
                out.push(Token::Text(document[at..at + length].to_vec(), at as u64, true));
                at += length;
            }
            Found::Overlong(opener, closer) => {
                out.push(Token::Overlong(at as u64));
                let Some(n) = find(&document[at + opener..], closer) else {
                    out.push(Token::Cut(at as u64, unclosed(&document[at..])));
                    return out;
                };
                at += opener + n + closer.len();
            }
            Found::Cut => {
                out.push(Token::Cut(at as u64, unclosed(&document[at..])));
                return out;
            }
        }
    }
    out
}

/// What the document ends in, by the letters it opened with.
fn unclosed(rest: &[u8]) -> Unclosed {
    let opened = |with: &str| rest.get(..with.len()).is_some_and(|r| r.eq_ignore_ascii_case(with.as_bytes()));
    if opened("<!--") {
        Unclosed::Comment
    } else if rest.starts_with(b"<![CDATA[") {
        Unclosed::Section
    } else if opened("<?") {
        Unclosed::Instruction
    } else if opened("<!doctype") {
        Unclosed::Doctype
    } else {
        Unclosed::Tag
    }
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    text.windows(needle.len()).position(|w| w == needle)
}

fn is_space(byte: u8) -> bool {
    b" \t\r\n".contains(&byte)
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte > 127
}

fn text(document: &[u8], at: usize, max: usize, out: &mut Vec<Token>) -> usize {
    let length = document[at..].iter().position(|&b| b == b'<').unwrap_or(document.len() - at);
    let shown = &document[at..at + length.min(max)];
    if document[at..at + length].iter().take(max + 1).filter(|b| is_space(**b)).count() > max {
        out.push(Token::Text(document[at..at + max].to_vec(), at as u64, true));
        return at + max;
    }
    let plain = length <= max && !shown.iter().any(|b| b"&]".contains(b));
    out.push(Token::Text(shown.to_vec(), at as u64, plain));
    if length > max {
        out.push(Token::Overlong(at as u64));
    }
    at + length
}

fn markup(rest: &[u8], offset: u64, max: usize, doctype: &mut bool) -> Found {
    let run = rest.iter().position(|&b| b != b'<').unwrap_or(rest.len());
    if run > max {
        return Found::Literal(max);
    }
    let opens = |b: &u8| is_name_start(*b) || b"/!?".contains(b);
    match rest.get(run) {
        Some(next) if !opens(next) => return Found::Literal(run),
        _ if run > 1 => return Found::Literal(run - 1),
        None => return Found::Cut,
        _ => {}
    }
    match rest[1] {
        b'/' => end_tag(rest, offset, max),
        b'!' => declaration(rest, offset, max, doctype),
        b'?' => instruction(rest, offset, max),
        _ => start_tag(rest, offset, max),
    }
}

/// Markup that the input ends in, unless it is too long already.
fn unfinished(rest: &[u8], max: usize) -> Found {
    if rest.len() > max { Found::Literal(1) } else { Found::Cut }
}

fn end_tag(rest: &[u8], offset: u64, max: usize) -> Found {
    let Some(stop) = rest[1..].iter().position(|b| b"<>".contains(b)).map(|n| n + 1) else {
        return unfinished(rest, max);
    };
    if stop > max {
        return Found::Literal(1);
    }
    let inside = &rest[2..stop];
    let length = inside.iter().position(|b| b"/ \t\r\n=\"'".contains(b)).unwrap_or(inside.len());
    let (name, behind) = inside.split_at(length);
    let closed = rest[stop] == b'>';
    let end = stop + usize::from(closed);
    let mut tokens = Vec::new();
    if name.is_empty() || !closed || !behind.iter().all(|&b| is_space(b)) {
        tokens.push(Token::Fault(Code::XML001, offset, offset + end as u64));
    }
    if !name.is_empty() {
        tokens.push(Token::End(name.to_vec(), offset, offset + end as u64));
    }
    Found::Markup(tokens, end)
}

fn bogus(rest: &[u8], offset: u64, max: usize) -> Found {
    match rest[1..].iter().position(|b| b"<>".contains(b)).map(|n| n + 1) {
        Some(n) if rest[n] == b'>' && n <= max => {
            Found::Markup(vec![Token::Fault(Code::XML001, offset, offset + n as u64 + 1)], n + 1)
        }
        Some(_) => Found::Literal(1),
        None => unfinished(rest, max),
    }
}

fn declaration(rest: &[u8], offset: u64, max: usize, doctype: &mut bool) -> Found {
    if rest.starts_with(b"<!--") {
        return match find(&rest[4..], b"-->").map(|n| n + 4) {
            Some(n) if n <= max => {
                let mut tokens = vec![Token::Comment(rest[4..n].to_vec(), offset + 4)];
                if let Some(inner) = find(&rest[4..=n], b"--").map(|m| offset + m as u64 + 4) {
                    tokens.insert(0, Token::Fault(Code::XML001, inner, inner + 2));
                }
                Found::Markup(tokens, n + 3)
            }
            _ if rest.len() >= max + 3 => Found::Overlong(4, b"-->"),
            _ => Found::Cut,
        };
    }
    if rest.starts_with(b"<![CDATA[") {
        return match find(&rest[9..], b"]]>").map(|n| n + 9) {
            Some(n) if n <= max => Found::Markup(vec![Token::Cdata(rest[9..n].to_vec(), offset + 9)], n + 3),
            _ if rest.len() >= max + 3 => Found::Overlong(9, b"]]>"),
            _ => Found::Cut,
        };
    }
    if !*doctype && rest.len() >= 9 && rest[..9].eq_ignore_ascii_case(b"<!DOCTYPE") {
        *doctype = true;
        if let Some(end) = doctype_end(rest).filter(|&end| end <= max) {
            return Found::Markup(vec![Token::Doctype(rest[9..end - 1].to_vec(), offset)], end);
        }
    }
    bogus(rest, offset, max)
}

/// Index after the `>` that stands neither in quotes, nor in brackets, nor in a comment.
fn doctype_end(rest: &[u8]) -> Option<usize> {
    let mut subset = false;
    let mut at = 9;
    while at < rest.len() {
        if rest[at..].starts_with(b"<!--") {
            at += 4 + find(&rest[at + 4..], b"-->")? + 3;
            continue;
        }
        match rest[at] {
            b'>' if !subset => return Some(at + 1),
            b'[' => subset = true,
            b']' => subset = false,
            quote @ (b'"' | b'\'') => at += 1 + rest[at + 1..].iter().position(|&b| b == quote)?,
            _ => {}
        }
        at += 1;
    }
    None
}

fn instruction(rest: &[u8], offset: u64, max: usize) -> Found {
    let target_end = rest[2..].iter().position(|&b| is_space(b) || b"?></:".contains(&b)).map(|n| n + 2);
    let named = rest.get(2).is_none_or(|&b| is_name_start(b) && b != b':');
    let Some(target_end) = target_end.filter(|&n| named && n <= max && (is_space(rest[n]) || rest[n] == b'?')) else {
        return if named && target_end.is_none() { unfinished(rest, max) } else { bogus(rest, offset, max) };
    };
    let target = &rest[2..target_end];
    let Some(end) = find(&rest[target_end..], b"?>").map(|n| n + target_end).filter(|&n| n <= max) else {
        return Found::Endless(Box::new(bogus(rest, offset, max)));
    };
    // The declaration of the document never holds a `<`: its end was lost.
    if target.eq_ignore_ascii_case(b"xml") && rest[2..end].contains(&b'<') {
        return bogus(rest, offset, max);
    }
    let mut tokens = vec![Token::Instruction(target.to_vec(), rest[target_end..end].to_vec(), offset)];
    if target_end != end && !is_space(rest[target_end]) {
        tokens.insert(0, Token::Fault(Code::XML001, offset, offset + end as u64 + 2));
    }
    Found::Markup(tokens, end + 2)
}

/// What the walk along a tag has found.
#[derive(Default)]
struct Walk {
    attributes: Vec<(Vec<u8>, Vec<u8>, u64)>,
    /// Ends of the values.
    ends: Vec<usize>,
    /// Names and where they begin.
    names: Vec<(Vec<u8>, usize)>,
    fault: Option<usize>,
}

fn start_tag(rest: &[u8], offset: u64, max: usize) -> Found {
    let ends_name = |b: u8| is_space(b) || b"></=\"'".contains(&b);
    let Some(name_end) = rest[1..].iter().position(|&b| ends_name(b)).map(|n| n + 1) else {
        return unfinished(rest, max);
    };
    let name = rest[1..name_end].to_vec();
    let mut walk = Walk::default();
    let mut at = name_end;
    // Ends with the index of the `<` that breaks the tag, or of the byte after its `>` and whether it is empty.
    let stop = loop {
        match step(rest, &mut at, offset, &mut walk) {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(None) => return unfinished(rest, max),
            ControlFlow::Break(Some(stop)) => break stop,
        }
    };
    match stop {
        Stop::Closed(end, empty) if end <= max || (end == name_end + 1 && name_end <= max) => {
            let mut tokens = Vec::new();
            if let Some(n) = walk.fault {
                tokens.push(Token::Fault(Code::XML001, offset + n as u64, offset + end as u64));
            }
            let names = &walk.names;
            if let Some((name, from)) =
                names.iter().enumerate().find(|(n, a)| names[..*n].iter().any(|b| a.0 == b.0)).map(|(_, a)| a)
            {
                let from = offset + *from as u64;
                tokens.push(Token::Fault(Code::XML023, from, from + name.len() as u64));
            }
            let broken = walk.fault.is_some();
            tokens.push(Token::Start(name, walk.attributes, empty, broken, offset, offset + end as u64));
            Found::Markup(tokens, end)
        }
        Stop::Broken(stop) if stop <= max => {
            let Some(end) = rest[..stop].iter().position(|&b| b == b'>').map(|n| n + 1) else {
                return Found::Literal(1);
            };
            let kept = walk.ends.iter().take_while(|&&n| n < end).count();
            walk.attributes.truncate(kept);
            let empty = rest[end - 2] == b'/';
            let end = offset + end as u64;
            let start = Token::Start(name, walk.attributes, empty, true, offset, end);
            Found::Markup(vec![Token::Fault(Code::XML001, offset, end), start], (end - offset) as usize)
        }
        _ => Found::Literal(1),
    }
}

enum Stop {
    Closed(usize, bool),
    Broken(usize),
}

/// One step along a tag: an attribute, its end, or a byte that has no business there. Breaks with nothing where the input ends.
fn step(rest: &[u8], at: &mut usize, offset: u64, walk: &mut Walk) -> ControlFlow<Option<Stop>> {
    use ControlFlow::{Break, Continue};
    let skip = |mut n: usize| {
        while rest.get(n).is_some_and(|&b| is_space(b)) {
            n += 1;
        }
        n
    };
    let begin = *at;
    *at = skip(begin);
    let start = *at;
    match (rest.get(start), rest.get(start + 1)) {
        (None, _) | (Some(b'/'), None) => return Break(None),
        (Some(b'>'), _) => return Break(Some(Stop::Closed(start + 1, false))),
        (Some(b'/'), Some(b'>')) => return Break(Some(Stop::Closed(start + 2, true))),
        (Some(b'<'), _) => return Break(Some(Stop::Broken(start))),
        (Some(b'/' | b'=' | b'"' | b'\''), _) => {
            walk.fault.get_or_insert(start);
            *at += 1;
            return Continue(());
        }
        _ => {}
    }
    if start == begin {
        walk.fault.get_or_insert(start); // nothing sets it off from what stands before
    }
    while rest.get(*at).is_some_and(|&b| !is_space(b) && !b"></=\"'".contains(&b)) {
        *at += 1;
    }
    let name = &rest[start..*at];
    let within = |b: u8| b.is_ascii_alphanumeric() || b"_:-.".contains(&b) || b > 127;
    if !is_name_start(name[0]) || !name.iter().all(|&b| within(b)) {
        walk.fault.get_or_insert(start);
    }
    let equals = skip(*at);
    if rest.get(equals).is_some_and(|&b| b != b'=') {
        walk.fault.get_or_insert(start);
        return Continue(());
    }
    let quote = skip(equals + 1);
    let Some(&mark) = rest.get(quote) else { return Break(None) };
    if !b"\"'".contains(&mark) {
        walk.fault.get_or_insert(start);
        *at = quote;
        return Continue(());
    }
    let Some(end) = rest[quote + 1..].iter().position(|&b| b == mark || b == b'<').map(|n| n + quote + 1) else {
        return Break(None);
    };
    if rest[end] == b'<' {
        return Break(Some(Stop::Broken(end)));
    }
    walk.names.push((name.to_vec(), start));
    walk.attributes.push((name.to_vec(), rest[quote + 1..end].to_vec(), offset + quote as u64 + 1));
    walk.ends.push(end);
    *at = end + 1;
    Continue(())
}

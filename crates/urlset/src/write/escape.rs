//! Text to XML character data and attribute values. Never drops a character: what XML cannot hold is pointed out instead.

use wide::u8x16;

/// Bytes looked at together: one register of every machine that counts.
const LANES: usize = 16;

/// What a byte needs: 0 nothing, 1 a reference in text and attributes, 2 a reference in attributes alone, 3 a closer
/// look.
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut at = 0;
    while at < 0x20 {
        class[at] = 3; // no control character but tab and line ends is a character of XML
        at += 1;
    }
    class[b'\t' as usize] = 2;
    class[b'\n' as usize] = 2;
    class[b'\r' as usize] = 1; // XML turns a bare one into a line feed
    class[b'"' as usize] = 2;
    class[b'&' as usize] = 1;
    class[b'<' as usize] = 1;
    class[b'>' as usize] = 1; // and with it `]]>`, which may not stand in text
    class[0xEF] = 3; // U+FFFE and U+FFFF begin with it
    class
};

/// Where a text holds a character that XML forbids, by reference too: the byte at which it begins.
///
/// Source: XML 1.0, production 2 `Char`. Surrogates cannot stand in a Rust string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forbidden(pub usize);

/// Appends a text as character data.
pub(super) fn text(value: &str, out: &mut Vec<u8>) -> Result<(), Forbidden> {
    escape(value.as_bytes(), 2, out)
}

/// Appends a text as the value of an attribute between double quotes; white space keeps its kind.
pub(super) fn attribute(value: &str, out: &mut Vec<u8>) -> Result<(), Forbidden> {
    escape(value.as_bytes(), 0, out)
}

/// Appends an encoded URL, of whose characters XML minds the ampersand alone.
#[inline]
pub(super) fn url(value: &[u8], out: &mut Vec<u8>) {
    // A copy of a fixed length is two moves, one of any length is a call: blocks are copied whole, and what stands behind
    // an ampersand is cut off and begins the next.
    let mut rest = value;
    while !rest.is_empty() {
        let block = rest.first_chunk::<LANES>().copied().unwrap_or_else(|| padded(rest));
        let start = out.len();
        out.extend_from_slice(&block);
        let marked = u8x16::new(block).simd_eq(u8x16::splat(b'&')).to_bitmask();
        if marked == 0 {
            let length = rest.len().min(LANES);
            out.truncate(start + length);
            rest = &rest[length..];
        } else {
            let length = marked.trailing_zeros() as usize + 1;
            out.truncate(start + length);
            out.extend_from_slice(b"amp;");
            rest = &rest[length..];
        }
    }
}

/// A block of less than one, the rest of it blank.
fn padded(rest: &[u8]) -> [u8; LANES] {
    let mut block = [b' '; LANES];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// `plain` is the class that needs nothing here.
fn escape(value: &[u8], plain: u8, out: &mut Vec<u8>) -> Result<(), Forbidden> {
    let mut copied = 0;
    let special = |bytes: u8x16| {
        let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
        let control = bytes.min(u8x16::splat(0x1F)).simd_eq(bytes);
        control | is(b'"') | is(b'&') | (bytes | u8x16::splat(2)).simd_eq(u8x16::splat(b'>')) | is(0xEF) // < >
    };
    each(value, special, |at| {
        let class = CLASS[usize::from(value[at])];
        if class == 3 {
            let forbidden = match value[at..] {
                [0xEF, second, third, ..] => second == 0xBF && third >= 0xBE,
                _ => true,
            };
            if forbidden {
                return Err(Forbidden(at));
            }
        } else if class != plain {
            out.extend_from_slice(&value[copied..at]);
            out.extend_from_slice(reference(value[at]));
            copied = at + 1;
        }
        Ok(())
    })?;
    out.extend_from_slice(&value[copied..]);
    Ok(())
}

/// Calls `found` with the place of each byte that is marked, in order, until it fails.
#[inline]
fn each(
    value: &[u8],
    mark: impl Fn(u8x16) -> u8x16,
    mut found: impl FnMut(usize) -> Result<(), Forbidden>,
) -> Result<(), Forbidden> {
    let mut look = |start: usize, block: [u8; LANES]| {
        let mut marked = mark(u8x16::new(block)).to_bitmask();
        while marked != 0 {
            found(start + marked.trailing_zeros() as usize)?;
            marked &= marked - 1;
        }
        Ok(())
    };
    let (blocks, rest) = value.as_chunks::<LANES>();
    for (at, block) in blocks.iter().enumerate() {
        look(at * LANES, *block)?;
    }
    if rest.is_empty() {
        return Ok(());
    }
    look(value.len() - rest.len(), padded(rest)) // nobody marks a blank
}

fn reference(byte: u8) -> &'static [u8] {
    match byte {
        b'&' => b"&amp;",
        b'<' => b"&lt;",
        b'>' => b"&gt;",
        b'"' => b"&quot;",
        b'\t' => b"&#9;",
        b'\n' => b"&#10;",
        _ => b"&#13;",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn escaped(f: fn(&str, &mut Vec<u8>) -> Result<(), Forbidden>, value: &str) -> Result<String, Forbidden> {
        let mut out = Vec::new();
        f(value, &mut out)?;
        Ok(String::from_utf8(out).expect("escaping keeps UTF-8"))
    }

    #[test]
    fn specials() {
        for (value, in_text, in_attribute, why) in [
            ("", "", "", "nothing"),
            ("plain – ü 🎉", "plain – ü 🎉", "plain – ü 🎉", "no special"),
            ("a&b", "a&amp;b", "a&amp;b", "ampersand"),
            ("&amp;", "&amp;amp;", "&amp;amp;", "no guess at what is escaped already"),
            ("<b>", "&lt;b&gt;", "&lt;b&gt;", "markup"),
            ("]]>", "]]&gt;", "]]&gt;", "the end of a CDATA section"),
            ("\"'", "\"'", "&quot;'", "quotes"),
            ("a\tb\nc", "a\tb\nc", "a&#9;b&#10;c", "an attribute would turn them into blanks"),
            ("a\r\nb\r", "a&#13;\nb&#13;", "a&#13;&#10;b&#13;", "a reader would drop the carriage return"),
            ("\u{FFFD}\u{FEFF}", "\u{FFFD}\u{FEFF}", "\u{FFFD}\u{FEFF}", "the last good ones below U+FFFE"),
            ("\u{7F}\u{85}", "\u{7F}\u{85}", "\u{7F}\u{85}", "discouraged, not forbidden"),
            ("\u{10FFFF}", "\u{10FFFF}", "\u{10FFFF}", "the last of all"),
        ] {
            assert_eq!(escaped(text, value).as_deref(), Ok(in_text), "{why}");
            assert_eq!(escaped(attribute, value).as_deref(), Ok(in_attribute), "{why}");
        }
    }

    #[test]
    fn what_xml_cannot_hold() {
        for (value, at) in [("\0", 0), ("a\u{8}", 1), ("&\u{1F}", 1), ("ü\u{FFFE}", 2), ("\u{FFFF}x", 0), ("\u{B}", 0)]
        {
            assert_eq!(escaped(text, value), Err(Forbidden(at)), "{value:?}");
            assert_eq!(escaped(attribute, value), Err(Forbidden(at)), "{value:?}");
        }
    }

    /// Byte by byte: what a text comes to.
    fn slowly(value: &str, attribute: bool) -> Result<String, Forbidden> {
        let mut out = String::new();
        for (at, c) in value.char_indices() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '\r' => out.push_str("&#13;"),
                '"' if attribute => out.push_str("&quot;"),
                '\t' if attribute => out.push_str("&#9;"),
                '\n' if attribute => out.push_str("&#10;"),
                '\t' | '\n' => out.push(c),
                '\0'..='\x1F' | '\u{FFFE}' | '\u{FFFF}' => return Err(Forbidden(at)),
                _ => out.push(c),
            }
        }
        Ok(out)
    }

    #[test]
    fn every_character_at_every_place() {
        let odd =
            (0..0x100).filter_map(char::from_u32).chain(['\u{EFFF}', '\u{FEFF}', '\u{FFFD}', '\u{FFFE}', '\u{FFFF}']);
        for c in odd {
            for length in [0, 1, 14, 15, 16, 31, 33] {
                for at in [0, length / 2, length] {
                    let value = ["x".repeat(at), c.to_string(), "y".repeat(length - at)].concat();
                    assert_eq!(escaped(text, &value), slowly(&value, false), "{c:?} {at} {length}");
                    assert_eq!(escaped(attribute, &value), slowly(&value, true), "{c:?} {at} {length}");
                    let mut out = Vec::new();
                    url(value.as_bytes(), &mut out);
                    assert_eq!(String::from_utf8(out), Ok(value.replace('&', "&amp;")), "{c:?} {at} {length}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn escaped_as_byte_by_byte(value in "([&<>\"\t\n\r]|[a-z ]{0,20}|\u{e9}|\u{fffe}|\0){0,12}") {
            prop_assert_eq!(escaped(text, &value), slowly(&value, false));
            prop_assert_eq!(escaped(attribute, &value), slowly(&value, true));
        }

        #[test]
        fn escaped_text_reads_back(value in "[&<>\"'\\]\t\n\r a\u{e9}\u{efff}]{0,40}") {
            let xml = format!(
                "<r a=\"{}\">{}</r>",
                escaped(attribute, &value).expect("only good characters"),
                escaped(text, &value).expect("only good characters"),
            );
            let mut reader = quick_xml::Reader::from_str(&xml);
            let quick_xml::events::Event::Start(root) = reader.read_event().expect("well-formed") else {
                panic!("no start tag")
            };
            let a = root.attributes().next().expect("one attribute").expect("well-formed");
            let normal = a.normalized_value(quick_xml::XmlVersion::default()).expect("known references");
            prop_assert_eq!(normal.as_ref(), value.as_str());
        }
    }
}

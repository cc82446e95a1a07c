//! Text to XML character data and attribute values. Never drops a character: what XML cannot hold is pointed out instead.

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
    let mut rest = value;
    while let Some(at) = memchr::memchr(b'&', rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(b"&amp;");
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

/// `plain` is the class that needs nothing here.
fn escape(value: &[u8], plain: u8, out: &mut Vec<u8>) -> Result<(), Forbidden> {
    let mut copied = 0;
    let mut at = 0;
    while let Some(step) = value[at..].iter().position(|&b| CLASS[usize::from(b)] != 0) {
        at += step;
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
        at += 1;
    }
    out.extend_from_slice(&value[copied..]);
    Ok(())
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

    proptest! {
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

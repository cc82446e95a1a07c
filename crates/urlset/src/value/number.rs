//! Numbers as XML Schema writes them: decimals, integers, priorities. Never reads exponents, `NaN` or digit separators.

use crate::codes::Code;

/// Powers of ten that a double holds exactly, as far as the short way needs them.
const POWERS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Reads a decimal: an optional sign, digits, an optional point, at least one digit.
///
/// The result is the double nearest to what is written. `None` for any other shape, and for a number beyond the
/// range of a double. Source: lexical space of `xsd:decimal`.
///
/// ```
/// use urlset::value::number::decimal;
/// assert_eq!(decimal(b"+.5"), Some(0.5));
/// assert_eq!(decimal(b"5e-1"), None);
/// ```
pub fn decimal(text: &[u8]) -> Option<f64> {
    // The two widths that nearly every priority has.
    if let &[whole, b'.', tenth] = text {
        let (whole, tenth) = (whole.wrapping_sub(b'0'), tenth.wrapping_sub(b'0'));
        if whole < 10 && tenth < 10 {
            return Some(f64::from(whole * 10 + tenth) / 10.0);
        }
    }
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let mut mantissa = 0u64;
    let mut point = None;
    for (at, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit)); // used only where it cannot wrap
        } else if byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    let count = digits.len() - usize::from(point.is_some());
    if count == 0 {
        return None;
    }
    if count < POWERS.len() {
        // Below 10^15 both operands are exact, so the one division rounds once.
        let scale = point.map_or(0, |at| digits.len() - at - 1);
        #[allow(clippy::cast_precision_loss)] // none below 2^53
        let value = mantissa as f64 / POWERS[scale];
        return Some(if negative { -value } else { value });
    }
    let value: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// Reads a priority, 0.0 to 1.0. Any number of decimals is legal.
///
/// Empty text is [`Code::STR020`], another shape than a plain decimal [`Code::HNT003`], a number outside the range
/// [`Code::HNT004`]; none of them has a value. Source: the protocol page, `xsd:decimal` from 0.0 to 1.0.
///
/// ```
/// use urlset::{codes::Code, value::number::priority};
/// assert_eq!(priority(b"0.8"), (Some(0.8), None));
/// assert_eq!(priority(b"0,8"), (None, Some(Code::HNT003)));
/// assert_eq!(priority(b"10"), (None, Some(Code::HNT004)));
/// ```
pub fn priority(text: &[u8]) -> (Option<f64>, Option<Code>) {
    match decimal(text) {
        Some(value) if value > 0.0 && value < 1.0 => (Some(value), None),
        // The bounds: rounding may have reached them from outside.
        Some(value) if value == 0.0 && !(text.first() == Some(&b'-') && has_value(text)) => (Some(0.0), None),
        Some(1.0) if !exceeds_one(text) => (Some(1.0), None),
        Some(_) => (None, Some(Code::HNT004)),
        None if text.is_empty() => (None, Some(Code::STR020)),
        None if is_decimal(text) => (None, Some(Code::HNT004)),
        None => (None, Some(Code::HNT003)),
    }
}

/// Whether a text has the shape of a decimal, however large.
fn is_decimal(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    digits.iter().any(u8::is_ascii_digit)
        && digits.iter().all(|b| b.is_ascii_digit() || *b == b'.')
        && digits.splitn(3, |b| *b == b'.').count() < 3
}

/// Whether a decimal has a digit other than zero.
fn has_value(text: &[u8]) -> bool {
    text.iter().any(|b| (b'1'..=b'9').contains(b))
}

/// Whether a decimal that rounds to one was written as more than one.
fn exceeds_one(text: &[u8]) -> bool {
    let at = text.iter().position(|b| *b == b'.').unwrap_or(text.len());
    has_value(&text[..at]) && has_value(&text[at..])
}

/// Reads an integer: an optional sign and digits. `None` for any other shape and beyond 64 bits.
///
/// ```
/// use urlset::value::number::integer;
/// assert_eq!(integer(b"-042"), Some(-42));
/// assert_eq!(integer(b"1.0"), None);
/// ```
pub fn integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0i64, |value, byte| {
        let digit = i64::from(byte.wrapping_sub(b'0'));
        if digit > 9 {
            return None;
        }
        let value = value.checked_mul(10)?;
        // Counted downwards for a negative number: the smallest has no positive twin.
        if negative { value.checked_sub(digit) } else { value.checked_add(digit) }
    })
}

/// Appends the shortest plain decimal that reads back equal, with at least one decimal and never an exponent.
///
/// Minus zero is written as `0.0`. A value that is no number has no decimal: nothing is appended.
///
/// ```
/// let mut out = Vec::new();
/// urlset::value::number::write_decimal(1.0, &mut out);
/// assert_eq!(out, b"1.0");
/// ```
pub fn write_decimal(value: f64, out: &mut Vec<u8>) {
    use std::io::Write as _;
    if (0.0..10.0).contains(&value) {
        let thousandths = (value * 1000.0).round();
        // Fewer than 16 digits name a double of their own, so digits that read back equal are also the shortest.
        #[allow(clippy::float_cmp)] // equal is what is asked
        if thousandths / 1000.0 == value {
            let n = thousandths as u32;
            let digit = |n: u32| b'0' + (n % 10) as u8;
            let text = [digit(n / 1000), b'.', digit(n / 100), digit(n / 10), digit(n)];
            let length = if n.is_multiple_of(100) {
                3
            } else if n.is_multiple_of(10) {
                4
            } else {
                5
            };
            // 9.9999 and the like round to ten thousandths: left to the long way.
            if n < 10_000 {
                out.extend_from_slice(&text[..length]);
                return;
            }
        }
    }
    if !value.is_finite() {
        return;
    }
    let start = out.len();
    let _ = write!(out, "{value}"); // a vector takes every byte
    if !out[start..].contains(&b'.') {
        out.extend_from_slice(b".0");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimals() {
        for (text, expected, why) in [
            ("0", Some(0.0), "no point needed"),
            ("0.5", Some(0.5), "plain"),
            (".5", Some(0.5), "no digit before the point"),
            ("1.", Some(1.0), "no digit after it"),
            ("+0.5", Some(0.5), "plus sign"),
            ("-2.25", Some(-2.25), "minus sign"),
            ("0.1", Some(0.1), "rounded once"),
            ("0.30000000000000004", Some(0.300_000_000_000_000_04), "seventeen digits"),
            ("0.123456789012345678901234567", Some(0.123_456_789_012_345_68), "27 decimals"),
            ("00000000000000000000.5", Some(0.5), "leading zeros"),
            ("9007199254740993", Some(9_007_199_254_740_992.0), "ties to even"),
            ("", None, "empty"),
            (".", None, "no digit"),
            ("+", None, "sign alone"),
            ("-.", None, "sign and point"),
            ("1.2.3", None, "two points"),
            ("--1", None, "two signs"),
            ("1-", None, "sign behind"),
            ("5e-1", None, "exponent"),
            ("0_1", None, "digit separator"),
            ("NaN", None, "no number"),
            ("inf", None, "no number"),
            ("INF", None, "no decimal of the schema"),
            ("0,8", None, "comma"),
            ("50%", None, "per cent"),
            (" 1", None, "white space is the caller's"),
            ("0x1", None, "hexadecimal"),
            ("a.b", None, "three bytes that look like the short form"),
            ("٠.٥", None, "digits of another script"),
        ] {
            assert_eq!(decimal(text.as_bytes()), expected, "{text}: {why}");
        }
        assert_eq!(decimal("9".repeat(400).as_bytes()), None, "beyond a double");
        assert_eq!(decimal(b"0.\xff"), None, "not UTF-8");
    }

    #[test]
    fn priorities() {
        let shape = (None, Some(Code::HNT003));
        let range = (None, Some(Code::HNT004));
        for (text, expected, why) in [
            ("0.0", (Some(0.0), None), "lower bound"),
            ("1.0", (Some(1.0), None), "upper bound"),
            ("1", (Some(1.0), None), "no decimals"),
            ("1.0000", (Some(1.0), None), "many decimals"),
            ("-0", (Some(0.0), None), "minus zero is zero"),
            ("-0.00", (Some(0.0), None), "the same"),
            ("0.99999999999999999999", (Some(1.0), None), "less than one, rounds to one"),
            ("1.00000000000000000001", range, "more than one, rounds to one"),
            ("1.1", range, "above"),
            ("10", range, "above"),
            ("-0.1", range, "below"),
            ("high", shape, "word"),
            ("0,8", shape, "decimal comma"),
            ("80%", shape, "per cent"),
            ("5e-1", shape, "exponent"),
            ("NaN", shape, "no number"),
            (".", shape, "no digit"),
            ("", (None, Some(Code::STR020)), "empty"),
        ] {
            assert_eq!(priority(text.as_bytes()), expected, "{text}: {why}");
        }
        assert_eq!(priority("9".repeat(400).as_bytes()), range, "a decimal, far too large");
        assert_eq!(priority(format!("-0.{}1", "0".repeat(400)).as_bytes()), range, "below zero, rounds to zero");
        assert!(!priority(b"-0").0.unwrap().is_sign_negative());
    }

    #[test]
    fn integers() {
        for (text, expected, why) in [
            ("0", Some(0), "plain"),
            ("007", Some(7), "leading zeros"),
            ("+5", Some(5), "plus"),
            ("-5", Some(-5), "minus"),
            ("9223372036854775807", Some(i64::MAX), "largest"),
            ("-9223372036854775808", Some(i64::MIN), "smallest"),
            ("9223372036854775808", None, "one more"),
            ("-9223372036854775809", None, "one less"),
            ("", None, "empty"),
            ("-", None, "sign alone"),
            ("1 000", None, "grouped"),
            ("1.0", None, "decimal"),
            ("12a", None, "letter"),
        ] {
            assert_eq!(integer(text.as_bytes()), expected, "{text}: {why}");
        }
    }

    fn written(value: f64) -> String {
        let mut out = Vec::new();
        write_decimal(value, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn written_decimals() {
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "0.0"),
            (0.8, "0.8"),
            (1.0, "1.0"),
            (0.25, "0.25"),
            (0.125, "0.125"),
            (0.05, "0.05"),
            (0.001, "0.001"),
            (9.9999, "9.9999"),
            (9.999_999_999, "9.999999999"),
            (0.1 + 0.2, "0.30000000000000004"),
            (-1.5, "-1.5"),
            (19.99, "19.99"),
            (1e21, "1000000000000000000000.0"),
            (1e-7, "0.0000001"),
            (f64::NAN, ""),
            (f64::INFINITY, ""),
        ] {
            assert_eq!(written(value), expected);
        }
    }

    proptest! {
        #[test]
        fn write_then_read(value in prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO) {
            prop_assert_eq!(decimal(written(value).as_bytes()), Some(value));
        }

        #[test]
        fn written_is_shortest(n in 0u32..20_000, scale in 1i32..6) {
            let value = f64::from(n) / 10f64.powi(scale);
            let debug = format!("{value:?}");
            if !debug.contains('e') {
                prop_assert_eq!(written(value), debug);
            }
        }

        #[test]
        fn decimal_matches_oracle(text in "[-+]?[0-9]{0,20}\\.?[0-9]{0,20}") {
            let expected = text.bytes().any(|b| b.is_ascii_digit()).then(|| text.parse::<f64>().unwrap());
            prop_assert_eq!(decimal(text.as_bytes()), expected);
        }

        #[test]
        fn decimal_takes_any_bytes(text in prop::collection::vec(any::<u8>(), 0..12)) {
            let _ = priority(&text);
            if let Some(value) = decimal(&text) {
                prop_assert_eq!(std::str::from_utf8(&text).unwrap().parse(), Ok(value));
            }
        }
    }
}

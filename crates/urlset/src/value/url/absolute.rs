//! Which text is an absolute web address, so that it may be a row. Judges nothing behind the host.

use super::class::{Authority, authority, common_host, web};
use super::{faults, host};
use crate::codes::Code;

/// Says whether a loc may be a row: http or https in any case, `://`, and a host that can be one.
///
/// Otherwise the reason: [`Code::URL001`] no scheme, [`Code::URL002`] another scheme, [`Code::URL003`] no host,
/// [`Code::URL004`] a host that cannot be one, [`Code::URL031`] the leftovers of a template where scheme or host should be.
/// Forbidden in hosts are the code points that the URL Standard forbids in domains, braces, and empty or overlong labels.
/// Port, path and query are the business of [`super::faults`].
///
/// ```
/// use urlset::{codes::Code, value::url::absolute};
/// assert_eq!(absolute(b"https://a.example/p?q"), Ok(()));
/// assert_eq!(absolute(b"/p?q"), Err(Code::URL001));
/// assert_eq!(absolute(b"http://a..example/"), Err(Code::URL004));
/// ```
#[inline]
pub fn absolute(loc: &[u8]) -> Result<(), Code> {
    match web(loc) {
        Some((_, rest)) if common_host(rest).is_some() => Ok(()),
        _ => judge(loc),
    }
}

/// Schemes and hosts that were found good, so that the next address that begins with one need not be looked at.
///
/// ```
/// use urlset::value::url::Origins;
/// let mut origins = Origins::default();
/// assert_eq!(origins.absolute(b"https://a.example/p"), Ok(()));
/// assert_eq!(origins.absolute(b"https://a.example/q"), Ok(()));
/// assert!(origins.absolute(b"https://a..example/q").is_err());
/// ```
#[derive(Debug, Default)]
pub struct Origins {
    /// Each with the slash behind it.
    kept: [Vec<u8>; 4],
    next: usize,
}

impl Origins {
    /// As [`absolute`].
    #[inline]
    pub fn absolute(&mut self, loc: &[u8]) -> Result<(), Code> {
        if self.kept.iter().any(|kept| !kept.is_empty() && loc.starts_with(kept)) {
            return Ok(());
        }
        self.learn(loc)
    }

    #[cold]
    fn learn(&mut self, loc: &[u8]) -> Result<(), Code> {
        absolute(loc)?;
        if let Some((_, rest)) = web(loc)
            && let Some(host) = common_host(rest)
            && rest.get(host) == Some(&b'/')
        {
            let end = loc.len() - rest.len() + host + 1;
            let kept = &mut self.kept[self.next];
            kept.clear();
            kept.extend_from_slice(&loc[..end]);
            self.next = (self.next + 1) % self.kept.len();
        }
        Ok(())
    }
}

#[inline(never)]
fn judge(loc: &[u8]) -> Result<(), Code> {
    let code = match web(loc) {
        Some((_, rest)) => match host_fault(rest) {
            None => return Ok(()),
            Some(code) => code,
        },
        None => scheme_fault(loc),
    };
    // A template in place of the host is the cause; behind another scheme it is not.
    if code != Code::URL002 && faults::has_template(loc) {
        return Err(Code::URL031);
    }
    Err(code)
}

/// What is wrong with the authority behind `://`.
pub(super) fn host_fault(rest: &[u8]) -> Option<Code> {
    let host = Authority::of(authority(rest).0).host;
    if host.is_empty() {
        return Some(Code::URL003);
    }
    (!host::is_possible(host)).then_some(Code::URL004)
}

/// Why a text does not begin with `http://` or `https://`.
fn scheme_fault(loc: &[u8]) -> Code {
    let Some((scheme, rest)) = scheme(loc) else { return Code::URL001 };
    if scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https") {
        return Code::URL003;
    }
    // `a.example:8080/` and `localhost:8080` have the look of a scheme and are none.
    let host = scheme.contains(&b'.') || scheme.eq_ignore_ascii_case(b"localhost");
    let port = authority(rest).0;
    if host && !port.is_empty() && port.iter().all(u8::is_ascii_digit) {
        return Code::URL001;
    }
    Code::URL002
}

/// The scheme, and what follows its colon.
pub(super) fn scheme(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))?;
    (text[end] == b':' && text[0].is_ascii_alphabetic()).then(|| (&text[..end], &text[end + 1..]))
}

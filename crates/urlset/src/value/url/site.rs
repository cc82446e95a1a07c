//! What a site is, scheme, host and port, and how two differ. Knows nothing of paths and proofs.

use super::class::{Authority, authority, common_host, number, web};
use super::{absolute, host};
use crate::codes::Code;
use std::borrow::Cow;

/// The site of an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site<'a> {
    /// `http` or `https`.
    pub scheme: &'static str,
    /// Lower case, A-labels; borrowed where it was written so.
    pub host: Cow<'a, str>,
    /// The port, also where the scheme implies it.
    pub port: u16,
}

impl Site<'_> {
    /// The same site on its own.
    pub fn into_owned(self) -> Site<'static> {
        Site { scheme: self.scheme, host: Cow::Owned(self.host.into_owned()), port: self.port }
    }
}

/// The site of a web address; `None` where it has none: no http or https, no possible host, no possible port.
///
/// ```
/// use urlset::value::url::site;
/// let site = site("HTTPS://user@A.example/p").unwrap();
/// assert_eq!((site.scheme, &*site.host, site.port), ("https", "a.example", 443));
/// ```
pub fn site(url: &str) -> Option<Site<'_>> {
    let (secure, rest) = web(url.as_bytes())?;
    let (scheme, default) = if secure { ("https", 443) } else { ("http", 80) };
    if let Some(length) = common_host(rest) {
        let start = url.len() - rest.len();
        return Some(Site { scheme, host: Cow::Borrowed(&url[start..start + length]), port: default });
    }
    let (authority, _) = authority(rest);
    let parts = Authority::of(authority);
    if absolute::host_fault(rest).is_some() {
        return None;
    }
    let port = match parts.port {
        [] | [b':'] => default,
        [_, digits @ ..] => number(digits)?,
    };
    let start = url.len() - rest.len() + parts.user.len();
    let host = url.get(start..start + parts.host.len())?;
    Some(Site { scheme, host: host::key(host), port })
}

/// How a listed address leaves the site of its sitemap: `None` when it does not.
///
/// The first that holds: [`Code::LOC005`] hosts that differ by `www.` alone, [`Code::LOC007`] other hosts,
/// [`Code::LOC002`] http against https, [`Code::LOC003`] another port.
///
/// ```
/// use urlset::{codes::Code, value::url::{relation, site}};
/// let base = site("https://a.example/sitemap.xml").unwrap();
/// assert_eq!(relation(&base, &site("https://A.example:443/p").unwrap()), None);
/// assert_eq!(relation(&base, &site("https://www.a.example/p").unwrap()), Some(Code::LOC005));
/// assert_eq!(relation(&base, &site("http://a.example/p").unwrap()), Some(Code::LOC002));
/// ```
#[inline]
pub fn relation(base: &Site<'_>, url: &Site<'_>) -> Option<Code> {
    if base.host != url.host {
        let same = bare(&base.host) == bare(&url.host);
        return Some(if same { Code::LOC005 } else { Code::LOC007 });
    }
    if base.scheme != url.scheme {
        return Some(Code::LOC002);
    }
    (base.port != url.port).then_some(Code::LOC003)
}

/// A host without its `www.`.
fn bare(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

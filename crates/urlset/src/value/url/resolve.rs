//! Relative references against a base, RFC 3986 section 5. Keeps the text of both as it is, escapes and all.

use super::absolute;

/// The five components of a reference, each without its delimiter.
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Self {
        let (text, fragment) = cut(text, '#');
        let (text, query) = cut(text, '?');
        let (scheme, text) = match absolute::scheme(text.as_bytes()) {
            Some((scheme, rest)) => (Some(&text[..scheme.len()]), &text[text.len() - rest.len()..]),
            None => (None, text),
        };
        let (authority, path) = match text.strip_prefix("//") {
            Some(text) => {
                let end = text.find('/').unwrap_or(text.len());
                (Some(&text[..end]), &text[end..])
            }
            None => (None, text),
        };
        Self { scheme, authority, path, query, fragment }
    }
}

fn cut(text: &str, delimiter: char) -> (&str, Option<&str>) {
    text.split_once(delimiter).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// Resolves a reference against an absolute base.
///
/// `None` where the base or the result is no absolute web address, and for a reference that begins with `www.`: taken
/// by the letter it is a path, but hardly anybody means one.
///
/// ```
/// use urlset::value::url::resolve;
/// assert_eq!(resolve("https://a.example/x/y", "../z?q").as_deref(), Some("https://a.example/z?q"));
/// assert_eq!(resolve("https://a.example/x/y", "//b.example").as_deref(), Some("https://b.example"));
/// assert_eq!(resolve("https://a.example/x/y", "mailto:z@a.example"), None);
/// ```
pub fn resolve(base: &str, reference: &str) -> Option<String> {
    absolute(base.as_bytes()).ok()?;
    if reference.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) {
        return None;
    }
    let (base, reference) = (Parts::of(base), Parts::of(reference));
    let mut out = String::new();
    let inherits = reference.scheme.is_none() && reference.authority.is_none();
    out.push_str(reference.scheme.or(base.scheme)?);
    out.push(':');
    let authority =
        if reference.scheme.is_none() { reference.authority.or(base.authority) } else { reference.authority };
    if let Some(authority) = authority {
        out.push_str("//");
        out.push_str(authority);
    }
    let mut query = reference.query;
    if inherits && reference.path.is_empty() {
        out.push_str(base.path);
        query = query.or(base.query);
    } else if inherits && !reference.path.starts_with('/') {
        // The last segment of the base gives way; an empty path counts as the root.
        let folder = base.path.rfind('/').map_or("/", |end| &base.path[..=end]);
        remove_dots(&[folder, reference.path].concat(), &mut out);
    } else {
        remove_dots(reference.path, &mut out);
    }
    for (delimiter, part) in [('?', query), ('#', reference.fragment)] {
        if let Some(part) = part {
            out.push(delimiter);
            out.push_str(part);
        }
    }
    absolute(out.as_bytes()).ok().map(|()| out)
}

/// Appends a path without its `.` and `..` segments, RFC 3986 section 5.2.4.
fn remove_dots(path: &str, out: &mut String) {
    let start = out.len();
    let Some(path) = path.strip_prefix('/') else {
        out.push_str(path); // empty: every other begins with a slash here
        return;
    };
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    let parent = out[start..].rfind('/').unwrap_or(0);
                    out.truncate(start + parent);
                }
                if last {
                    out.push('/');
                }
            }
            segment => {
                out.push('/');
                out.push_str(segment);
            }
        }
    }
}

//! The style sheet that makes a sitemap readable in a browser. Text only; how files point to it is a matter of `split`.

/// An XSL 1.0 style sheet for sitemaps, indexes and the extensions of the table: one page, no script, nothing fetched.
///
/// ```
/// assert!(urlset::write::stylesheet().starts_with("<?xml version=\"1.0\""));
/// ```
pub const fn stylesheet() -> &'static str {
    include_str!("sitemap.xsl")
}

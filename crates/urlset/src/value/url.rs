//! URLs.

//! The registry itself: one row a code. Data, no logic but the lookup.

use super::{Fix, Rule, Scope, Severity, Status};

macro_rules! registry {
    ($($code:ident $name:literal $severity:ident $off:literal $authority:literal $scope:ident $fix:ident $status:ident $message:literal;)*) => {
        /// A finding code. Codes are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, clippy::upper_case_acronyms)] // each is documented by its row
        #[repr(u16)]
        pub enum Code { $($code),* }

        impl Code {
            /// Every code, in the order of the registry.
            pub const ALL: &'static [Code] = &[$(Code::$code),*];

            /// What is known of this code.
            pub const fn rule(self) -> &'static Rule { &RULES[self as usize] }
        }

        static RULES: &[Rule] = &[$(Rule {
            code: stringify!($code), name: $name, severity: Severity::$severity, off: $off,
            authority: $authority, scope: Scope::$scope, fix: Fix::$fix, status: Status::$status, message: $message,
        }),*];
    };
}

registry! {
    XML001 "not-well-formed" Error false "P XML GC Y" File No Active "not well-formed XML";
    XML003 "undefined-entity" Error false "XML" File Safe Active "entity \"{value}\" is not defined";
    XML006 "encoding-not-utf8" Error false "P" File Safe Active "encoding \"{value}\" is declared, UTF-8 was expected";
    XML007 "invalid-utf8" Error false "P XML" File Unsafe Active "bytes {value} are not valid in the encoding of the file";
    XML008 "encoding-conflict" Error false "XML" File Unsafe Active "encoding \"{value}\" disagrees with the encoding in use";
    XML010 "utf16" Error false "P" File Safe Active "the file is {value}, UTF-8 was expected";
    SIZ013 "expansion" Error false "U" File No Active "the file inflates beyond the limit, the rest is not read";
    GZP001 "corrupt" Error false "GC Y" File No Active "the gzip stream is damaged, what comes after is not read";
    GZP002 "gzip-truncated" Error false "GC Y" File No Active "the gzip stream ends early";
    GZP003 "gzip-checksum" Error false "GZ" File No Active "checksum or length of the gzip stream is wrong";
    GZP004 "double-gzip" Error false "U" File Safe Active "gzip within gzip, one layer was expected";
    GZP007 "other-compression" Error false "Q" File Safe Active "the file is {value}, only gzip may be used";
    GZP009 "trailing-bytes" Warning false "GZ" File Safe Active "bytes after the last gzip member";
    GZP010 "tar" Error false "U" File No Active "the file is a tar archive within gzip, a sitemap was expected";
    ROB001 "robots-sitemap-relative" Error false "P R9309 G" Set Unsafe Active "sitemap address \"{value}\" is relative, a full URL was expected";
    ROB002 "robots-sitemap-malformed" Error false "P" Set No Active "sitemap address \"{value}\" is not a URL";
    ROB003 "robots-key-typo" Warning false "R9309" Set Safe Active "key \"{value}\" was read as \"Sitemap:\"";
    ROB004 "robots-inline-comment" Info false "R9309" Set Safe Active "comment \"{value}\" is cut off the sitemap address";
    ROB008 "robots-too-large" Warning false "R9309 G" Set No Active "robots.txt is larger than 512000 bytes, lines beyond may be ignored";
    ROB009 "robots-encoding" Warning false "R9309" Set Safe Active "robots.txt is not plain UTF-8";
    ROB016 "robots-is-html" Error false "U" Set No Active "robots.txt is an HTML page";
    ROB017 "robots-sitemap-unescaped" Warning false "R3986" Set Safe Active "sitemap address \"{value}\" has characters that must be percent-encoded";
    ROB018 "robots-long-line" Info false "G" Set No Active "line is longer than 16663 bytes, some parsers cut it";
    GEN003 "diagnostics-capped" Info false "U" File No Active "more findings of a code than are shown";
}

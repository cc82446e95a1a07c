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
    STR020 "structure-value-empty" Warning false "X Y" Entry Safe Active "value empty: \"{value}\"";
    URL001 "loc-not-absolute" Error false "P Q GC S0" Entry Unsafe Active "not absolute: \"{value}\"";
    URL002 "loc-scheme" Error false "P" Entry No Active "scheme: \"{value}\"";
    URL003 "loc-no-host" Error false "R3986" Entry No Active "no host: \"{value}\"";
    URL004 "loc-bad-host" Error false "R3986" Entry No Active "bad host: \"{value}\"";
    URL005 "loc-bad-port" Error false "R3986" Entry No Active "bad port: \"{value}\"";
    URL006 "loc-bad-percent" Error false "R3986" Entry Safe Active "bad percent: \"{value}\"";
    URL007 "loc-illegal-ascii" Error false "R3986 P" Entry Safe Active "illegal ascii: \"{value}\"";
    URL022 "loc-backslash" Warning false "U" Entry Unsafe Active "backslash: \"{value}\"";
    URL023 "loc-inner-white-space" Error false "R3986" Entry Safe Active "inner white space: \"{value}\"";
    URL030 "loc-invisible-character" Error false "U" Entry Safe Active "invisible character: \"{value}\"";
    URL031 "loc-template-leak" Error false "U" Entry No Active "template leak: \"{value}\"";
    LOC002 "location-scheme-differs" Error false "P GC" Set Unsafe Active "scheme differs: \"{value}\"";
    LOC003 "location-port-differs" Error false "P" Set No Active "port differs: \"{value}\"";
    LOC005 "location-www-differs" Error false "GC" Set Unsafe Active "www differs: \"{value}\"";
    LOC007 "location-cross-submit-unproven" Warning false "P G" Set No Active "cross submit unproven: \"{value}\"";
    DAT001 "lastmod-unparsable" Error false "P X GC" Entry No Active "unparsable: \"{value}\"";
    DAT002 "lastmod-impossible" Error false "X" Entry No Active "impossible: \"{value}\"";
    DAT003 "lastmod-no-zone" Warning false "W" Entry Unsafe Active "no zone: \"{value}\"";
    DAT004 "lastmod-zone-without-colon" Error false "W X" Entry Safe Active "zone without colon: \"{value}\"";
    DAT007 "lastmod-space-separator" Error false "W X" Entry Safe Active "space separator: \"{value}\"";
    DAT008 "lastmod-not-padded" Error false "W X" Entry Safe Active "not padded: \"{value}\"";
    DAT009 "lastmod-regional" Error false "W X" Entry Safe Active "regional: \"{value}\"";
    DAT010 "lastmod-epoch" Error false "W X" Entry Unsafe Active "epoch: \"{value}\"";
    DAT011 "lastmod-basic-iso" Error false "W X" Entry Safe Active "basic iso: \"{value}\"";
    DAT012 "lastmod-lower-case" Warning false "W X" Entry Safe Active "lower case: \"{value}\"";
    DAT014 "lastmod-placeholder" Warning false "U" Entry Unsafe Active "placeholder: \"{value}\"";
    DAT015 "lastmod-date-with-zone" Warning false "W" Entry Safe Active "date with zone: \"{value}\"";
    DAT016 "lastmod-hour-24" Warning false "W" Entry Safe Active "hour 24: \"{value}\"";
    DAT017 "lastmod-leap-second" Warning false "X" Entry Safe Active "leap second: \"{value}\"";
    DAT018 "lastmod-year-shape" Error false "W" Entry No Active "year shape: \"{value}\"";
    DAT019 "lastmod-long-fraction" Info false "W" Entry Safe Active "long fraction: \"{value}\"";
    DAT020 "lastmod-comma-fraction" Error false "W X" Entry Safe Active "comma fraction: \"{value}\"";
    DAT021 "lastmod-offset-range" Error false "X" Entry No Active "offset range: \"{value}\"";
    DAT022 "lastmod-week-or-ordinal" Error false "W X" Entry Safe Active "week or ordinal: \"{value}\"";
    HNT003 "hint-priority-shape" Error false "P X GC" Entry Safe Active "priority shape: \"{value}\"";
    HNT004 "hint-priority-range" Error false "P X GC" Entry Unsafe Active "priority range: \"{value}\"";
    FED004 "feed-pubdate" Warning false "RSS" Entry Safe Active "pubdate: \"{value}\"";
    FED005 "feed-updated" Warning false "R4287" Entry Safe Active "updated: \"{value}\"";
    GEN003 "diagnostics-capped" Info false "U" File No Active "more findings of a code than are shown";
}

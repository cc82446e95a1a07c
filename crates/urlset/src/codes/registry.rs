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
    GEN003 "diagnostics-capped" Info false "U" File No Active "more findings of a code than are shown";
}

//! Which finding speaks of which fault of a field, as the writer asks for it: words of the row, else what its kind says.

use super::row::{Kind, Row};
use crate::codes::Code;

/// The codes of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    /// There is no value where one must be.
    pub missing: Code,
    /// There is one, and it is empty.
    pub empty: Code,
    /// The value is none of its kind.
    pub invalid: Code,
    /// The word is right, its letter case is not.
    pub case: Code,
    /// The number is beyond its bounds.
    pub range: Code,
    /// The text is too long.
    pub long: Code,
    /// There are too many.
    pub most: Code,
    /// The address is relative or otherwise none; `None` lets the address speak for itself.
    pub address: Option<Code>,
    /// The address has a scheme that its field does not take; `None` as above.
    pub scheme: Option<Code>,
}

impl Codes {
    /// Those of a field of which nothing special is known, such as a user's own.
    pub(super) const GENERAL: Self = Self {
        missing: Code::STR020,
        empty: Code::STR020,
        invalid: Code::STR020,
        case: Code::STR020,
        range: Code::STR020,
        long: Code::SIZ007,
        most: Code::STR010,
        address: None,
        scheme: None,
    };

    /// Those of a row of the table.
    pub(super) fn of(row: &Row) -> Self {
        let general = Self::GENERAL;
        let (of_kind, case, range) = match row.kind {
            Kind::Date | Kind::FeedDate | Kind::AtomDate => (Some(Code::DAT001), None, None),
            Kind::Choice(_) => (Some(Code::HNT001), Some(Code::HNT002), None),
            Kind::Priority => (Some(Code::HNT003), None, Some(Code::HNT004)),
            Kind::YesNo => (Some(Code::VID012), None, None),
            _ => (None, None, None),
        };
        let missing = row.missing.or(row.bad.filter(|_| row.required)).unwrap_or(general.missing);
        let invalid = row.bad.or(of_kind).or(row.missing).unwrap_or(general.invalid);
        Self {
            missing,
            empty: row.empty.unwrap_or(missing),
            invalid,
            case: row.bad.or(case).unwrap_or(general.case),
            range: row.bad.or(range).unwrap_or(invalid),
            long: row.long.unwrap_or(general.long),
            most: row.most.unwrap_or(row.group.repeated),
            address: row.bad,
            scheme: row.ftp.or(row.bad),
        }
    }
}

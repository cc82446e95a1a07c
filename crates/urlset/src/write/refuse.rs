//! Which finding speaks of which fault of which field. Decides nothing about when a field is at fault.

use crate::codes::Code;
use crate::schema::{Field, Group, Kind, Schema, URL_GROUP};

/// The codes with which a field is refused or noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Codes {
    /// There is no value where one must be, or an empty one.
    pub missing: Code,
    /// The value is none of its kind.
    pub invalid: Code,
    /// The number is beyond its bounds.
    pub range: Code,
    /// The text is too long.
    pub long: Code,
    /// There are too many.
    pub many: Code,
    /// An address is relative or otherwise no address; `None` lets the address speak for itself.
    pub address: Option<Code>,
    /// An address has a scheme that its field does not take; `None` as above.
    pub scheme: Option<Code>,
}

/// The families of extensions, told apart by their namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Core,
    Image,
    Video,
    News,
    Alternates,
    BaiduMobile,
    PageMap,
    CodeSearch,
    Geo,
    /// A user's own elements, and what has no findings of its own.
    Own,
}

impl Family {
    /// The family of a field in a group.
    pub(super) fn of(schema: &Schema, group: &Group, field: &Field) -> Self {
        let ns = match field.kind {
            Kind::Group(inner) => schema.groups[inner].ns,
            _ if group.fills == URL_GROUP => field.ns,
            _ => group.ns,
        };
        match schema.namespaces[ns].uri.as_str() {
            "http://www.sitemaps.org/schemas/sitemap/0.9" => Self::Core,
            "http://www.google.com/schemas/sitemap-image/1.1" => Self::Image,
            "http://www.google.com/schemas/sitemap-video/1.1" => Self::Video,
            "http://www.google.com/schemas/sitemap-news/0.9" => Self::News,
            "http://www.w3.org/1999/xhtml" => Self::Alternates,
            "http://www.baidu.com/schemas/sitemap-mobile/1/" => Self::BaiduMobile,
            "http://www.google.com/schemas/sitemap-pagemap/1.0" => Self::PageMap,
            "http://www.google.com/codesearch/schemas/sitemap/1.0" => Self::CodeSearch,
            "http://www.google.com/geo/schemas/sitemap/1.0" => Self::Geo,
            _ => Self::Own,
        }
    }

    /// Whether addresses may be of ftp too (source: Google's page on video sitemaps).
    pub(super) const fn takes_ftp(self) -> bool {
        matches!(self, Self::Video)
    }
}

/// The codes of a field.
pub(super) fn codes(family: Family, group: &Group, field: &Field) -> Codes {
    let element = field.element.as_str();
    let general = Codes {
        missing: Code::STR020,
        invalid: Code::STR020,
        range: Code::STR020,
        long: Code::SIZ007,
        many: Code::STR010,
        address: None,
        scheme: None,
    };
    let all = |code| Codes { missing: code, invalid: code, range: code, long: code, many: code, ..general };
    let address = |missing, code| Codes { address: Some(code), scheme: Some(code), ..all(missing) };
    match (family, element) {
        (Family::Core, "loc") => Codes { missing: Code::STR008, invalid: Code::XML014, ..general },
        (Family::Core, "lastmod") => Codes { missing: Code::IDX003, ..all(Code::DAT001) },
        (Family::Core, "changefreq") => all(Code::HNT001),
        (Family::Core, "priority") => Codes { invalid: Code::HNT003, ..all(Code::HNT004) },
        (Family::Image, "image") => all(Code::IMG003),
        (Family::Image, "license") => address(Code::IMG008, Code::IMG008),
        (Family::Image, "loc") => address(Code::IMG001, Code::IMG002),
        (Family::Video, _) => video(group, field, &address, &all),
        (Family::News, "publication") => all(Code::NWS001),
        (Family::News, "name") => all(Code::NWS002),
        (Family::News, "language") => all(Code::NWS003),
        (Family::News, "publication_date") => Codes { missing: Code::NWS005, ..all(Code::NWS006) },
        (Family::News, "title") => all(Code::NWS007),
        (Family::Alternates, "href") => Codes { scheme: None, ..address(Code::ALT001, Code::ALT004) },
        (Family::BaiduMobile, "type") => all(Code::EXT003),
        (Family::PageMap, "type") => all(Code::EXT005),
        (Family::PageMap, "name") => all(Code::EXT006),
        (Family::CodeSearch, _) => all(Code::EXT010),
        (Family::Geo, _) => all(Code::EXT011),
        _ => general,
    }
}

fn video(group: &Group, field: &Field, address: &impl Fn(Code, Code) -> Codes, all: &impl Fn(Code) -> Codes) -> Codes {
    let urls = |missing| Codes { scheme: Some(Code::VID026), ..address(missing, Code::VID034) };
    match (group.name.as_str(), field.element.as_str(), &field.kind) {
        ("tvshow", ..) => all(Code::VID024),
        ("id", ..) => all(Code::VID031),
        ("price", ..) => all(Code::VID023),
        (_, "thumbnail_loc", _) => urls(Code::VID001),
        (_, "title", _) => Codes { long: Code::VID006, ..all(Code::VID002) },
        (_, "description", _) => Codes { long: Code::VID005, ..all(Code::VID003) },
        (_, "duration", _) => all(Code::VID007),
        (_, "rating", _) => all(Code::VID008),
        (_, "view_count", _) => all(Code::VID009),
        (_, "tag", _) => all(Code::VID016),
        (_, "category", _) => all(Code::VID017),
        (_, "uploader", _) => all(Code::VID018),
        (_, "restriction" | "relationship", _) if !of(field, "platform") => all(Code::VID013),
        (_, "platform" | "relationship", _) => all(Code::VID015),
        (.., Kind::Date) => all(Code::VID010),
        (.., Kind::YesNo) => all(Code::VID012),
        _ => urls(Code::VID034),
    }
}

fn of(field: &Field, element: &str) -> bool {
    matches!(&field.place, crate::schema::Place::AttributeOf(name) if name == element)
}

//! THE TABLE: every namespace, element, kind, cardinality and limit, each one `const` row. Data, no logic.
//!
//! Sources are named by the keys of the rule catalogue: `P` the protocol page, `X` the published schemas, `G` Google.

use crate::codes::Code;

use super::row::{Dates, Dialect, Group, Kind, Namespace, Row, Shape, attr, attr_of, field, group, own};

// Namespaces. The prefix is the one that the writer uses and that the reader assumes when a file forgot the declaration.
pub(super) const NONE: Namespace = Namespace { prefix: "", uri: "", near: &[] };
pub(super) const SITEMAP: Namespace = Namespace {
    prefix: "",
    uri: "http://www.sitemaps.org/schemas/sitemap/0.9",
    near: &[
        "http://www.google.com/schemas/sitemap/0.84",
        "http://www.google.com/schemas/sitemap/0.9",
        "http://www.google.com/schemas/sitemap/0.90",
        "http://www.sitemaps.org/schemas/sitemap/0.84",
        "http://www.sitemaps.org/schemas/sitemap/0.90",
        "http://www.sitemap.org/schemas/sitemap/0.9",
    ],
};
pub(super) const IMAGE: Namespace = Namespace {
    prefix: "image",
    uri: "http://www.google.com/schemas/sitemap-image/1.1",
    near: &["http://www.google.com/schemas/sitemap-image/1.0", "http://www.google.com/schemas/sitemap-images/1.1"],
};
pub(super) const VIDEO: Namespace = Namespace {
    prefix: "video",
    uri: "http://www.google.com/schemas/sitemap-video/1.1",
    near: &["http://www.google.com/schemas/sitemap-video/1.0"],
};
pub(super) const NEWS: Namespace = Namespace {
    prefix: "news",
    uri: "http://www.google.com/schemas/sitemap-news/0.9",
    near: &["http://www.google.com/schemas/sitemap-news/0.84", "http://www.google.com/schemas/sitemap-news/0.90"],
};
pub(super) const XHTML: Namespace = Namespace {
    prefix: "xhtml",
    uri: "http://www.w3.org/1999/xhtml",
    near: &["http://www.w3.org/TR/xhtml11/xhtml11_schema.html"],
};
pub(super) const MOBILE: Namespace =
    Namespace { prefix: "mobile", uri: "http://www.google.com/schemas/sitemap-mobile/1.0", near: &[] };
pub(super) const BAIDU: Namespace =
    Namespace { prefix: "mobile", uri: "http://www.baidu.com/schemas/sitemap-mobile/1/", near: &[] };
pub(super) const PAGEMAP: Namespace =
    Namespace { prefix: "", uri: "http://www.google.com/schemas/sitemap-pagemap/1.0", near: &[] };
pub(super) const CODESEARCH: Namespace =
    Namespace { prefix: "codesearch", uri: "http://www.google.com/codesearch/schemas/sitemap/1.0", near: &[] };
pub(super) const GEO: Namespace =
    Namespace { prefix: "geo", uri: "http://www.google.com/geo/schemas/sitemap/1.0", near: &[] };
pub(super) const ATOM: Namespace = Namespace { prefix: "atom", uri: "http://www.w3.org/2005/Atom", near: &[] };
pub(super) const ATOM03: Namespace = Namespace { prefix: "atom03", uri: "http://purl.org/atom/ns#", near: &[] };
pub(super) const RSS1: Namespace = Namespace { prefix: "rss", uri: "http://purl.org/rss/1.0/", near: &[] };
pub(super) const RSS09: Namespace = Namespace {
    prefix: "rss09",
    uri: "http://my.netscape.com/rdf/simple/0.9/",
    near: &["http://channel.netscape.com/rdf/simple/0.9/"],
};
pub(super) const RDF: Namespace =
    Namespace { prefix: "rdf", uri: "http://www.w3.org/1999/02/22-rdf-syntax-ns#", near: &[] };
pub(super) const DC: Namespace = Namespace { prefix: "dc", uri: "http://purl.org/dc/elements/1.1/", near: &[] };
pub(super) const MRSS: Namespace =
    Namespace { prefix: "media", uri: "http://search.yahoo.com/mrss/", near: &["http://search.yahoo.com/mrss"] };

/// Every namespace of the table. A row names one of these.
pub(super) const NAMESPACES: &[Namespace] = &[
    NONE, SITEMAP, IMAGE, VIDEO, NEWS, XHTML, MOBILE, BAIDU, PAGEMAP, CODESEARCH, GEO, ATOM, ATOM03, RSS1, RSS09, RDF,
    DC, MRSS,
];

// Groups: elements that hold elements. Each is a struct in the columns.
pub(super) const URL: Group = group("url", SITEMAP);
const IMG: Group = group("image", IMAGE).codes(Code::IMG005, Code::IMG011);
const VID: Group = group("video", VIDEO).codes(Code::VID028, Code::VID027);
const SEGMENT: Group = group("content_segment_loc", VIDEO).codes(Code::VID028, Code::VID027);
const PRICE: Group = group("price", VIDEO).codes(Code::VID028, Code::VID027);
const TVSHOW: Group = group("tvshow", VIDEO).codes(Code::VID028, Code::VID027);
const VIDEO_ID: Group = group("id", VIDEO).codes(Code::VID028, Code::VID027);
const ARTICLE: Group = group("news", NEWS).codes(Code::NWS020, Code::STR010);
const PUBLICATION: Group = group("publication", NEWS).codes(Code::NWS020, Code::STR010);
const LINK: Group = group("link", XHTML);
const BAIDU_MOBILE: Group = group("mobile", BAIDU);
const PAGE_MAP: Group = group("PageMap", PAGEMAP);
const DATA_OBJECT: Group = group("DataObject", PAGEMAP);
const ATTRIBUTE: Group = group("Attribute", PAGEMAP);
const CODE: Group = group("codesearch", CODESEARCH);
const PLACE: Group = group("geo", GEO);
// Feeds: other names for the same columns.
const ITEM: Group = group("item", NONE).fills("url");
const ITEM1: Group = group("item", RSS1).fills("url");
const ITEM09: Group = group("item", RSS09).fills("url");
const ENTRY: Group = group("entry", ATOM).fills("url");
const ENTRY03: Group = group("entry", ATOM03).fills("url");
const MEDIA: Group = group("content", MRSS).fills("video");
const PICTURE: Group = group("content", MRSS).fills("image");

/// Every group of the table.
pub(super) const GROUPS: &[Group] = &[
    URL,
    IMG,
    VID,
    SEGMENT,
    PRICE,
    TVSHOW,
    VIDEO_ID,
    ARTICLE,
    PUBLICATION,
    LINK,
    BAIDU_MOBILE,
    PAGE_MAP,
    DATA_OBJECT,
    ATTRIBUTE,
    CODE,
    PLACE,
    ITEM,
    ITEM1,
    ITEM09,
    ENTRY,
    ENTRY03,
    MEDIA,
    PICTURE,
];

/// Which root holds which entries.
pub(super) const DIALECTS: &[Dialect] = &[
    Dialect { root: "urlset", ns: SITEMAP, kind: "urlset", entries: &[("url", URL)] },
    Dialect { root: "sitemapindex", ns: SITEMAP, kind: "sitemapindex", entries: &[("sitemap", URL)] },
    Dialect { root: "rss", ns: NONE, kind: "rss", entries: &[("item", ITEM)] },
    Dialect { root: "RDF", ns: RDF, kind: "rss", entries: &[("item", ITEM1), ("item", ITEM09)] },
    Dialect { root: "feed", ns: ATOM, kind: "atom", entries: &[("entry", ENTRY)] },
    Dialect { root: "feed", ns: ATOM03, kind: "atom", entries: &[("entry", ENTRY03)] },
];

const CHANGEFREQ: &[&str] = &["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];
const RELATIONSHIP: &[&str] = &["allow", "deny"];
const PLATFORMS: &[&str] = &["web", "mobile", "tv"];

/// The table. The order of the rows is the order in which a group's elements are written.
#[rustfmt::skip] // one row, one line
pub(super) const ROWS: &[Row] = &[
    // The protocol itself.
    field(URL, "loc", Kind::Url, "address of the page").chars(2_047).missing(Code::STR007).empty(Code::STR008).by("P X"),
    field(URL, "lastmod", Kind::Date, "last significant change of the page").by("P X"),
    field(URL, "changefreq", Kind::Choice(CHANGEFREQ), "how often the page is likely to change").dictionary().by("P X"),
    field(URL, "priority", Kind::Priority, "importance within the site").range(0.0, 1.0).by("P X"),
    // Images.
    field(URL, "image", Kind::Group(IMG), "images on the page").ns(IMAGE).column("images").many(1_000).most(Code::IMG003).by("G"),
    field(IMG, "loc", Kind::Url, "address of the image").missing(Code::IMG001).bad(Code::IMG002).by("G X"),
    field(IMG, "caption", Kind::Text, "caption").deprecated().by("G X"),
    field(IMG, "geo_location", Kind::Text, "place shown").deprecated().by("G X"),
    field(IMG, "title", Kind::Text, "title").deprecated().by("G X"),
    field(IMG, "license", Kind::Url, "address of the licence").deprecated().bad(Code::IMG008).by("G X"),
    // Videos.
    field(URL, "video", Kind::Group(VID), "videos on the page").ns(VIDEO).column("videos").many(u32::MAX).by("G"),
    field(VID, "thumbnail_loc", Kind::Url, "address of the preview image").missing(Code::VID001).bad(Code::VID034).ftp(Code::VID026).by("G X"),
    field(VID, "title", Kind::Text, "title").chars(100).long(Code::VID006).missing(Code::VID002).by("G X"),
    field(VID, "description", Kind::Text, "description").chars(2_048).long(Code::VID005).missing(Code::VID003).by("G X"),
    field(VID, "content_loc", Kind::Url, "address of the video file").bad(Code::VID034).ftp(Code::VID026).by("G X"),
    field(VID, "player_loc", Kind::Url, "address of a player").bad(Code::VID034).ftp(Code::VID026).by("G X"),
    attr_of(VID, "player_loc", "allow_embed", Kind::YesNo, "may be embedded").deprecated().by("G X"),
    attr_of(VID, "player_loc", "autoplay", Kind::Text, "what the player needs to start by itself").deprecated().by("G X"),
    field(VID, "duration", Kind::Integer, "length in seconds").range(1.0, 28_800.0).bad(Code::VID007).by("G"),
    field(VID, "expiration_date", Kind::Date, "available until").bad(Code::VID010).dates(Dates::Seconds).by("G X"),
    field(VID, "rating", Kind::Decimal, "rating").range(0.0, 5.0).bad(Code::VID008).by("G X"),
    field(VID, "content_segment_loc", Kind::Group(SEGMENT), "addresses of the parts").many(u32::MAX).by("X"),
    own(SEGMENT, "loc", Kind::Url, "address of the part").missing(Code::VID034).bad(Code::VID034).ftp(Code::VID026).by("X"),
    attr(SEGMENT, "duration", Kind::Integer, "length in seconds").bad(Code::VID007).by("X"),
    field(VID, "view_count", Kind::Integer, "times seen").range(0.0, 9e18).bad(Code::VID009).by("G X"),
    field(VID, "publication_date", Kind::Date, "first published").bad(Code::VID010).dates(Dates::Seconds).by("G X"),
    field(VID, "tag", Kind::Text, "short keywords").many(32).most(Code::VID016).by("G X"),
    field(VID, "category", Kind::Text, "broad topic").chars(256).long(Code::VID017).deprecated().by("G X"),
    field(VID, "family_friendly", Kind::YesNo, "fit for everyone").bad(Code::VID012).by("G X"),
    field(VID, "restriction", Kind::Text, "countries, ISO 3166-1 alpha-2").shape(Shape::Countries).bad(Code::VID014).needs("relationship", Code::VID013).by("G X"),
    attr_of(VID, "restriction", "relationship", Kind::Choice(RELATIONSHIP), "whether these countries are let in or kept out").bad(Code::VID013).by("G X"),
    field(VID, "gallery_loc", Kind::Url, "gallery that holds the video").deprecated().bad(Code::VID034).ftp(Code::VID026).by("G X"),
    attr_of(VID, "gallery_loc", "title", Kind::Text, "title of the gallery").deprecated().by("G X"),
    field(VID, "price", Kind::Group(PRICE), "prices").many(u32::MAX).deprecated().by("G X"),
    own(PRICE, "amount", Kind::Text, "price, a plain decimal").by("X"),
    attr(PRICE, "currency", Kind::Text, "ISO 4217").by("X"),
    attr(PRICE, "type", Kind::Text, "purchase or rent").by("X"),
    attr(PRICE, "resolution", Kind::Text, "sd or hd").by("X"),
    field(VID, "requires_subscription", Kind::YesNo, "needs a subscription").bad(Code::VID012).by("G X"),
    field(VID, "uploader", Kind::Text, "name of the uploader").chars(255).long(Code::VID018).by("G"),
    attr_of(VID, "uploader", "info", Kind::Url, "page about the uploader").by("G X"),
    field(VID, "tvshow", Kind::Group(TVSHOW), "the programme it belongs to").deprecated().by("G X"),
    field(TVSHOW, "show_title", Kind::Text, "title of the programme").missing(Code::VID024).by("X"),
    field(TVSHOW, "video_type", Kind::Choice(&["full", "preview", "clip", "interview", "news", "other"]), "kind of video").bad(Code::VID024).missing(Code::VID024).by("X"),
    field(TVSHOW, "episode_title", Kind::Text, "title of the episode").by("X"),
    field(TVSHOW, "season_number", Kind::Integer, "season").range(1.0, 9e18).bad(Code::VID024).by("X"),
    field(TVSHOW, "episode_number", Kind::Integer, "episode").range(1.0, 9e18).bad(Code::VID024).by("X"),
    field(TVSHOW, "premier_date", Kind::Date, "first broadcast").bad(Code::VID024).dates(Dates::Seconds).by("X"),
    field(VID, "platform", Kind::Text, "web, mobile, tv").shape(Shape::Words(PLATFORMS)).bad(Code::VID015).needs("relationship", Code::VID015).by("G X"),
    attr_of(VID, "platform", "relationship", Kind::Choice(RELATIONSHIP), "whether these platforms are let in or kept out").bad(Code::VID015).by("G X"),
    field(VID, "live", Kind::YesNo, "a live stream").bad(Code::VID012).by("G X"),
    field(VID, "id", Kind::Group(VIDEO_ID), "identifiers in other systems").many(u32::MAX).by("X"),
    own(VIDEO_ID, "id", Kind::Text, "identifier").missing(Code::VID031).by("X"),
    attr(VIDEO_ID, "type", Kind::Text, "whose identifier it is").missing(Code::VID031).by("X"),
    // News.
    field(URL, "news", Kind::Group(ARTICLE), "news article").ns(NEWS).most(Code::NWS010).by("G"),
    field(ARTICLE, "publication", Kind::Group(PUBLICATION), "where it appeared").missing(Code::NWS001).by("G X"),
    field(PUBLICATION, "name", Kind::Text, "name of the publication").missing(Code::NWS002).by("G X"),
    field(PUBLICATION, "language", Kind::Text, "ISO 639, or zh-cn, zh-tw").shape(Shape::Language).missing(Code::NWS003).bad(Code::NWS004).by("G X"),
    field(ARTICLE, "access", Kind::Text, "Subscription or Registration").deprecated().by("X"),
    field(ARTICLE, "genres", Kind::Text, "comma list of genres").deprecated().by("X"),
    field(ARTICLE, "publication_date", Kind::Date, "first published").missing(Code::NWS005).bad(Code::NWS006).dates(Dates::Full).by("G X"),
    field(ARTICLE, "title", Kind::Text, "headline").missing(Code::NWS007).by("G X"),
    field(ARTICLE, "keywords", Kind::Text, "comma list of keywords").deprecated().by("X"),
    field(ARTICLE, "stock_tickers", Kind::Text, "comma list of EXCHANGE:SYMBOL").deprecated().by("X"),
    // Alternates.
    field(URL, "link", Kind::Group(LINK), "the page in other languages").ns(XHTML).column("alternates").many(u32::MAX).by("G"),
    attr(LINK, "rel", Kind::Text, "alternate").assumed("alternate").by("G"),
    attr(LINK, "hreflang", Kind::Text, "language, script, region, or x-default").shape(Shape::Hreflang).bad(Code::ALT005).unless("media", Code::ALT002).by("G"),
    attr(LINK, "media", Kind::Text, "media query of a separate mobile page").by("G"),
    attr(LINK, "href", Kind::Address, "address of the other page").missing(Code::ALT001).bad(Code::ALT004).by("G"),
    // Mobile markers.
    field(URL, "mobile", Kind::Marker, "page for feature phones").ns(MOBILE).deprecated().by("G"),
    field(URL, "mobile", Kind::Group(BAIDU_MOBILE), "page for phones, as Baidu marks it").ns(BAIDU).column("mobile_baidu").by("Bd"),
    attr(BAIDU_MOBILE, "type", Kind::Text, "mobile, pc,mobile or htmladapt").by("Bd"),
    // PageMap.
    field(URL, "PageMap", Kind::Group(PAGE_MAP), "structured data for Programmable Search").ns(PAGEMAP).column("pagemap").by("G"),
    attr_of(PAGE_MAP, "Template", "src", Kind::Text, "template").by("X"),
    field(PAGE_MAP, "DataObject", Kind::Group(DATA_OBJECT), "objects").column("objects").many(u32::MAX).by("X"),
    attr(DATA_OBJECT, "type", Kind::Text, "type").missing(Code::EXT005).by("X"),
    attr(DATA_OBJECT, "id", Kind::Text, "identifier").by("X"),
    field(DATA_OBJECT, "Attribute", Kind::Group(ATTRIBUTE), "attributes").column("attributes").many(u32::MAX).by("X"),
    attr(ATTRIBUTE, "name", Kind::Text, "name").missing(Code::EXT006).by("X"),
    attr(ATTRIBUTE, "value", Kind::Text, "value, written as an attribute").by("X"),
    own(ATTRIBUTE, "text", Kind::Text, "value, written as text").by("X"),
    // Retired.
    field(URL, "codesearch", Kind::Group(CODE), "source code").ns(CODESEARCH).deprecated().by("G"),
    field(CODE, "filetype", Kind::Text, "archive, or a language").missing(Code::EXT010).by("G"),
    field(CODE, "license", Kind::Text, "licence").by("G"),
    field(CODE, "filename", Kind::Text, "name of the file").by("G"),
    field(CODE, "packageurl", Kind::Url, "address of the package").by("G"),
    field(CODE, "packagemap", Kind::Text, "map within the package").by("G"),
    field(URL, "geo", Kind::Group(PLACE), "geographic file").ns(GEO).deprecated().by("G"),
    field(PLACE, "format", Kind::Text, "kml or georss").required().bad(Code::EXT011).by("G"),
    // RSS.
    field(ITEM, "link", Kind::Url, "address of the item").column("loc").missing(Code::FED002).by("P RSS"),
    field(ITEM, "guid", Kind::Permalink, "identifier of the item, an address unless it says otherwise").column("loc").by("RSS"),
    field(ITEM, "pubDate", Kind::FeedDate, "published").column("lastmod").by("P RSS"),
    field(ITEM, "date", Kind::Date, "date").ns(DC).column("lastmod").by("RSS"),
    field(ITEM, "content", Kind::Group(MEDIA), "video").ns(MRSS).column("videos").many(u32::MAX).when("video").by("G"),
    field(ITEM, "content", Kind::Group(PICTURE), "image").ns(MRSS).column("images").many(u32::MAX).when("image").by("G"),
    field(ITEM1, "link", Kind::Url, "address of the item").column("loc").missing(Code::FED002).by("RSS"),
    field(ITEM1, "date", Kind::Date, "date").ns(DC).column("lastmod").by("RSS"),
    field(ITEM09, "link", Kind::Url, "address of the item").column("loc").missing(Code::FED002).by("RSS"),
    // Media RSS, in the form that Google reads: everything about a video inside its media:content.
    attr(MEDIA, "url", Kind::Url, "address of the video file").column("content_loc").by("G"),
    attr(MEDIA, "duration", Kind::Integer, "length in seconds").by("G"),
    attr_of(MEDIA, "player", "url", Kind::Url, "address of a player").column("player_loc").by("G"),
    field(MEDIA, "title", Kind::Text, "title").by("G"),
    field(MEDIA, "description", Kind::Text, "description").by("G"),
    attr_of(MEDIA, "thumbnail", "url", Kind::Url, "address of the preview image").column("thumbnail_loc").by("G"),
    attr(PICTURE, "url", Kind::Url, "address of the image").column("loc").by("G"),
    field(PICTURE, "title", Kind::Text, "title").by("G"),
    field(PICTURE, "description", Kind::Text, "caption").column("caption").by("G"),
    // Atom.
    field(ENTRY, "link", Kind::AtomLink, "address of the entry").column("loc").missing(Code::FED002).by("P R4287"),
    field(ENTRY, "updated", Kind::AtomDate, "last significant change").column("lastmod").by("P R4287"),
    field(ENTRY03, "link", Kind::AtomLink, "address of the entry").column("loc").missing(Code::FED002).by("P"),
    field(ENTRY03, "modified", Kind::AtomDate, "last change").column("lastmod").by("P"),
];

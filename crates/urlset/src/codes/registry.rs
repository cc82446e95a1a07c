//! The registry itself: one row a code. Data, no logic but the lookup.

use super::{Fix, Rule, Scope, Severity, Status};

/// Third word of a row: `yes` is in the default profile, `no` is for those who ask, `off` is in the profiles of its row alone.
macro_rules! selected {
    (yes) => {
        (true, false)
    };
    (no) => {
        (false, false)
    };
    (off) => {
        (false, true)
    };
}

/// What a profile makes of a code.
macro_rules! level {
    (Off) => {
        None
    };
    ($severity:ident) => {
        Some(Severity::$severity)
    };
}

macro_rules! registry {
    ($($code:ident $name:literal $severity:ident $selected:ident $authority:literal $scope:ident $fix:ident $status:ident
       [$($profile:ident $level:ident),*] $message:literal;)*) => {
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
            code: stringify!($code), name: $name, severity: Severity::$severity,
            default: selected!($selected).0, off: selected!($selected).1,
            authority: $authority, scope: Scope::$scope, fix: Fix::$fix, status: Status::$status,
            profiles: &[$((stringify!($profile), level!($level))),*], message: $message,
        }),*];
    };
}

// code, name, severity, selected, authority, scope, fix, status, [profile severity], message
registry! {
    // XML: bytes, encoding, well-formedness
    XML001 "not-well-formed" Error yes "P XML GC Y" File No Active [] "markup \"{value}\" breaks the grammar of XML, a well-formed document was expected";
    XML002 "bare-ampersand" Error yes "P XML GC" File Safe Active [] "ampersand \"{value}\" begins no reference, \"&amp;\" was expected";
    XML003 "undefined-entity" Error yes "XML" File Safe Active [] "entity \"{value}\" is not defined, a plain character or one of the five names of XML was expected";
    XML004 "raw-less-than" Error yes "P XML" File Unsafe Active [] "less-than sign \"{value}\" stands bare in a value, \"&lt;\" was expected";
    XML005 "unescaped-optional" Info off "P Q" File Safe Check [] "quote, apostrophe or greater-than sign \"{value}\" is written plainly, the protocol page would see it escaped";
    XML006 "encoding-not-utf8" Error yes "P" File Safe Active [] "declared encoding is \"{value}\", UTF-8 was expected";
    XML007 "invalid-utf8" Error yes "P XML" File Unsafe Active [] "bytes \"{value}\" are not UTF-8, read as windows-1252";
    XML008 "encoding-conflict" Error yes "XML" File Unsafe Active [] "encoding \"{value}\" is contradicted by the byte order mark, the declaration or the HTTP header, one encoding was expected";
    XML009 "xml-bom" Info yes "XML" File Safe Check [] "file begins with a byte order mark, which UTF-8 does not need";
    XML010 "utf16" Error yes "P" File Safe Active [] "file is encoded as \"{value}\", UTF-8 was expected";
    XML011 "leading-content" Error yes "XML GC" File Safe Active [] "content \"{value}\" precedes the XML declaration, which has to be the first thing in the file";
    XML012 "declaration-missing" Info no "S1 Tt" File Safe Check [] "file has no XML declaration, some consumers expect one";
    XML013 "xml-version" Warning yes "XML" File Unsafe Active [] "XML version is \"{value}\", 1.0 was expected";
    XML014 "illegal-character" Error yes "XML" File Unsafe Active [] "character \"{value}\" may not occur in XML";
    XML015 "doctype" Warning yes "U" File Safe Active [] "DOCTYPE is present, it was read past and nothing of it was fetched";
    XML016 "entity-expansion" Error yes "U" File No Active [] "entity \"{value}\" is external, nested or over budget, it was left unexpanded";
    XML017 "trailing-content" Error yes "XML" File Safe Active [] "content \"{value}\" follows the end of the root, only comments and white space were expected";
    XML018 "xml-truncated" Error yes "XML GC" File No Active [] "data ends before the root is closed, the entries complete until then were kept";
    XML019 "html-instead" Error no "GC" File No Active [] "file is an HTML page, a sitemap was expected";
    XML020 "unknown-format" Error no "GC" File No Active [] "content \"{value}\" is in no format known here, XML, a text list, a feed or gzip of one was expected";
    XML021 "empty-file" Error yes "GC Y" File No Active [] "file is empty, a sitemap was expected";
    XML022 "undeclared-prefix" Error yes "NS" File Safe Active [] "prefix \"{value}\" is bound to no namespace, a declaration was expected";
    XML023 "duplicate-attribute" Error yes "XML" File Safe Active [] "attribute \"{value}\" occurs twice in a tag, once was expected";
    XML024 "xml-too-deep" Error yes "U" File No Active [] "element \"{value}\" is nested deeper than the limit, it and what it holds were skipped";
    XML025 "generator-noise" Error no "U" File No Active [] "message \"{value}\" of a failing server program stands in the file, markup was expected";
    XML026 "foreign-instruction" Info no "U" File Safe Check [] "processing instruction \"{value}\" has no meaning in a sitemap";
    XML027 "cdata" Info off "XML" File Safe Check [] "value is wrapped in CDATA, which simple readers overlook";
    // STR: structure, namespaces, cardinality, order
    STR001 "unknown-root" Error yes "P X GC" File No Active [] "root element is \"{value}\", urlset, sitemapindex, rss, RDF or feed was expected";
    STR002 "namespace-missing" Error yes "P X S1 GC" File Safe Active [] "root has no namespace, http://www.sitemaps.org/schemas/sitemap/0.9 was expected";
    STR003 "namespace-wrong" Error yes "P X GC" File Safe Active [] "namespace of the root is \"{value}\", http://www.sitemaps.org/schemas/sitemap/0.9 was expected";
    STR004 "namespace-legacy" Warning no "G" File Safe Active [] "namespace \"{value}\" of the root is that of 2005, http://www.sitemaps.org/schemas/sitemap/0.9 was expected";
    STR005 "root-attribute" Warning no "X" File Safe Check [] "root carries the attribute \"{value}\", only namespaces and xsi attributes were expected";
    STR006 "schema-location" Info no "X" File Safe Check [] "schemaLocation \"{value}\" does not pair the namespace of the root with its schema";
    STR007 "loc-missing" Error yes "P X GC Y" File Unsafe Active [] "entry has no loc, exactly one was expected";
    STR008 "loc-empty" Error yes "P X GC Y" File Unsafe Active [] "loc is empty, an absolute URL was expected";
    STR009 "loc-repeated" Error no "X Y" File Unsafe Active [] "loc \"{value}\" is a repeat within its entry, the first was kept";
    STR010 "core-child-repeated" Error no "X Y" File Safe Active [] "{element} \"{value}\" is a repeat within its entry, the first was kept";
    STR011 "child-order" Warning no "X" File Safe Check [] "{element} is out of order, the schema has loc, lastmod, changefreq, priority";
    STR012 "unknown-element" Error no "X Y" File Unsafe Active [] "element \"{value}\" is not one of the protocol, skipped";
    STR013 "unknown-extension" Info yes "P X" File No Check [] "element \"{value}\" belongs to a namespace that is not known here, skipped";
    STR014 "extension-order" Warning no "X" File Safe Check [] "extension \"{value}\" precedes an element of the protocol, the schema has it last";
    STR015 "wrong-entry" Error no "X GC" File No Active [] "entry \"{value}\" does not fit its root, url in a urlset and sitemap in a sitemapindex were expected";
    STR016 "stray-text" Error no "X" File Unsafe Active [] "text \"{value}\" stands between elements, white space was expected";
    STR017 "markup-in-value" Error no "X Y" File Unsafe Active [] "element \"{value}\" stands inside a simple value, text alone was expected";
    STR018 "core-attribute" Warning no "X" File Safe Check [] "{element} carries the attribute \"{value}\", none was expected";
    STR019 "empty-set" Warning no "X GC" File No Check [] "file lists no entry, at least one was expected";
    STR020 "value-empty" Warning no "X Y" File Safe Active [] "{element} is empty, a value or no element was expected";
    STR021 "tag-case" Error yes "XML" File Safe Active [] "tag \"{value}\" is in the wrong letter case, names of the protocol were expected as the schema spells them";
    STR022 "foreign-before-after" Info no "X" File No Check [] "foreign element \"{value}\" stands between or after the entries, the schema has it before the first";
    STR023 "prefixed-core" Info yes "XML" File Safe Check [] "elements of the protocol carry the prefix \"{value}\", which simple readers overlook";
    STR024 "extension-namespace" Error no "G" File Safe Active [] "namespace \"{value}\" is near that of an extension but not the same, consumers skip its elements";
    STR025 "value-padding" Warning no "X" File Safe Check [] "{element} is padded with white space, the bare value was expected";
    STR026 "unused-namespace" Info off "U" File Safe Check [] "namespace \"{value}\" is declared and nothing uses it";
    STR027 "extension-in-index" Warning no "X G" File Unsafe Check [] "extension \"{value}\" stands in an index entry, loc and lastmod were expected";
    // SIZ: limits
    SIZ001 "too-many-urls" Error yes "P S1 G B Y GC" File Safe Check [] "file lists more than 50,000 URLs, a split with an index was expected";
    SIZ002 "file-too-big" Error yes "P G Y GC" File Safe Active [] "file is larger than 52,428,800 bytes uncompressed, a split with an index was expected";
    SIZ003 "file-too-big-2008" Error off "S1 Bd" File Safe Check [classic Error, baidu Error] "file passes 10,485,760 bytes uncompressed, which early readers take at most";
    SIZ004 "near-limit" Info no "U" File Safe Check [] "file is at 95 % or more of a limit of the protocol";
    SIZ005 "index-too-many" Error yes "P S1 G B GC" File Safe Check [] "index lists more than 50,000 sitemaps, several indexes were expected";
    SIZ006 "index-too-big" Error yes "P S1 G" File Safe Check [] "index is larger than 52,428,800 bytes uncompressed, several indexes were expected";
    SIZ007 "loc-too-long" Error yes "P S0 S3 X GC" Entry No Active [] "{element} \"{value}\" has 2,048 characters or more, fewer were expected";
    SIZ008 "loc-too-short" Info off "X" Entry No Check [] "{element} \"{value}\" has fewer than 12 characters, the minimum of the schema";
    SIZ009 "loc-over-1024" Error off "Y" Entry No Check [yandex Error] "{element} \"{value}\" has more than 1,024 characters, the maximum of Yandex";
    SIZ010 "value-over-100-bytes" Error off "Y" Entry Safe Check [yandex Error] "{element} \"{value}\" has more than 100 bytes, the maximum of Yandex";
    SIZ011 "toutiao-limits" Error off "Tt" File Safe Check [toutiao Error] "file passes a limit of Toutiao: 10,000 entries, 5 MB for an index, 10 MB for others";
    SIZ012 "too-many-indexes" Warning off "G" Set No Check [google Warning] "site has more than 500 index files, the maximum of Google";
    SIZ013 "gzip-expansion" Error yes "U" File No Active [] "data inflates beyond the limit set for bytes or ratio, the rest was left out";
    SIZ014 "set-fragmented" Info no "U" Set Unsafe Check [] "set has over 100 files with fewer than 1,000 URLs on average, fewer and fuller files were expected";
    SIZ015 "tree-cap" Warning yes "U" Set No Active [] "limit \"{value}\" of the run was reached, the rest was left out";
    // GZP: compression
    GZP001 "gzip-corrupt" Error yes "GC Y" File No Active [] "gzip data cannot be decoded, the entries before the damage were kept";
    GZP002 "gzip-truncated" Error yes "GC Y" File No Active [] "gzip data ends early, the entries before the end were kept";
    GZP003 "gzip-checksum" Error yes "GZ" File No Active [] "checksum or length of the gzip member does not fit its content";
    GZP004 "double-gzip" Error no "U" File Safe Active [] "content is compressed more than once, one layer of gzip was expected";
    GZP005 "not-gzip" Warning no "U" File Safe Check [] "name ends in .gz and the content is plain, gzip was expected";
    GZP006 "hidden-gzip" Info no "U" File Safe Check [] "content is gzip and the name does not say so, .gz was expected";
    GZP007 "other-compression" Error yes "Q" File Safe Active [] "compression is \"{value}\", gzip was expected";
    GZP008 "gzip-multi-member" Info yes "GZ" File Safe Check [] "gzip file has several members, of which some readers see the first only";
    GZP009 "gzip-trailing-bytes" Warning yes "GZ" File Safe Active [] "bytes follow the last gzip member, the end of the file was expected";
    GZP010 "gzip-tar" Error no "U" File No Active [] "gzip holds a tar archive, a single sitemap was expected";
    // URL: addresses, whichever element holds them
    URL001 "loc-not-absolute" Error yes "P Q GC S0" Entry Unsafe Active [] "{element} \"{value}\" is relative, an absolute http or https URL was expected";
    URL002 "loc-bad-scheme" Error yes "P" Entry No Active [] "scheme of {element} \"{value}\" is not supported, http or https was expected";
    URL003 "loc-host-missing" Error yes "R3986" Entry No Active [] "{element} \"{value}\" names no host";
    URL004 "loc-bad-host" Error yes "R3986" Entry No Active [] "host of {element} \"{value}\" is malformed, a DNS name or an IP address was expected";
    URL005 "loc-bad-port" Error yes "R3986" Entry No Active [] "port of {element} \"{value}\" is out of range, 1 to 65535 was expected";
    URL006 "loc-bad-percent" Error yes "R3986" Entry Safe Active [] "{element} \"{value}\" has a percent sign without two hex digits, \"%25\" was expected";
    URL007 "loc-illegal-ascii" Error yes "R3986 P" Entry Safe Active [] "{element} \"{value}\" has a character that RFC 3986 forbids, percent-encoding was expected";
    URL008 "non-ascii-path" Warning yes "P R3987 G" Entry Safe Check [] "{element} \"{value}\" has non-ASCII characters after the host, percent-encoded UTF-8 was expected";
    URL009 "non-ascii-host" Warning yes "R3987" Entry Safe Check [] "host of {element} \"{value}\" is not ASCII, its A-label was expected";
    URL010 "double-escaped-entity" Warning no "U" Entry Safe Check [] "{element} \"{value}\" is escaped twice as XML, once was expected";
    URL011 "double-percent" Warning no "U" Entry Unsafe Check [] "{element} \"{value}\" is percent-encoded twice, once was expected";
    URL012 "loc-fragment" Warning yes "R3986 U" Entry Unsafe Check [] "{element} \"{value}\" has a fragment, which engines drop";
    URL013 "loc-credentials" Error yes "U" Entry Unsafe Check [] "{element} carries a user name or password, a public address was expected";
    URL014 "session-id" Warning yes "Q G" Entry Unsafe Check [] "{element} \"{value}\" carries a session identifier, a lasting address was expected";
    URL015 "tracking-parameter" Warning no "U" Entry Unsafe Check [] "{element} \"{value}\" carries campaign or click parameters, the plain address was expected";
    URL016 "default-port" Info yes "R3986" Entry Safe Check [] "{element} \"{value}\" writes out the port its scheme implies";
    URL017 "upper-case-host" Info yes "R3986" Entry Safe Check [] "scheme or host of {element} \"{value}\" has upper-case letters, lower case was expected";
    URL018 "dot-segments" Warning yes "R3986" Entry Safe Check [] "path of {element} \"{value}\" has dot segments, the resolved path was expected";
    URL019 "percent-not-normal" Info yes "R3986" Entry Safe Check [] "escapes of {element} \"{value}\" are not in normal form, upper-case hex and plain unreserved characters were expected";
    URL020 "percent-not-utf8" Info yes "R3987" Entry No Check [] "escapes of {element} \"{value}\" are not UTF-8";
    URL021 "empty-path" Info yes "P S0 S3" Entry Safe Check [] "{element} \"{value}\" has no path, a slash after the host was expected";
    URL022 "loc-backslash" Warning no "U" Entry Unsafe Active [] "{element} \"{value}\" has a backslash, a slash was expected";
    URL023 "loc-inner-white-space" Error yes "R3986" Entry Safe Active [] "{element} \"{value}\" has a line break or tab inside, one unbroken address was expected";
    URL024 "private-host" Error yes "U" Entry No Check [] "host of {element} \"{value}\" is private or reserved, a public one was expected";
    URL025 "staging-host" Warning no "T U" Entry No Check [] "host of {element} \"{value}\" is that of a trial site, the public one was expected";
    URL026 "ip-host" Warning no "U" Entry No Check [] "host of {element} \"{value}\" is an IP address, a name was expected";
    URL027 "double-slash" Info no "U" Entry Unsafe Check [] "path of {element} \"{value}\" has an empty segment";
    URL028 "loc-non-page" Info no "U" Entry Unsafe Check [] "{element} \"{value}\" is a file that pages are built from, or a feed, a page was expected";
    URL029 "sensitive-path" Warning yes "T U" Entry Unsafe Check [] "{element} \"{value}\" is not meant for the public by its path, a public page was expected";
    URL030 "invisible-character" Error yes "U" Entry Safe Active [] "{element} \"{value}\" has an invisible character, visible ones were expected";
    URL031 "template-leak" Error no "U" Entry No Active [] "{element} \"{value}\" holds a placeholder that was never filled in";
    URL032 "parameter-explosion" Info no "U" File No Check [] "path \"{value}\" has too many variants that differ in parameters";
    URL033 "underscore-host" Info yes "R3986" Entry No Check [] "host of {element} \"{value}\" has an underscore, which some readers refuse";
    // LOC: where a file lives and what it may list
    LOC001 "loc-off-host" Error yes "P G GC Y" Set No Check [] "{element} \"{value}\" is on another host, and its robots.txt does not name this file";
    LOC002 "scheme-differs" Error yes "P GC" File Unsafe Active [] "{element} \"{value}\" and the sitemap differ in scheme, one of http and https was expected";
    LOC003 "port-differs" Error yes "P" File No Active [] "{element} \"{value}\" and the sitemap differ in port, the same was expected";
    LOC004 "outside-directory" Warning yes "P G GC Y" File No Check [protocol Error, yandex Error] "{element} \"{value}\" lies outside the directory of the sitemap";
    LOC005 "www-differs" Error no "GC" File Unsafe Active [] "{element} \"{value}\" and the sitemap differ in www, the same host was expected";
    LOC006 "several-hosts" Warning yes "P" File Unsafe Check [] "file lists URLs of several hosts, one was expected";
    LOC007 "cross-submit-unproven" Warning yes "P G" File No Active [] "{element} \"{value}\" is on another host, whose robots.txt was not seen";
    LOC008 "cross-submit-proven" Info yes "P" Set No Check [] "{element} \"{value}\" is on another host, whose robots.txt names this file";
    LOC009 "index-child-host" Error yes "P S1 G" File No Active [] "child \"{value}\" is on another host than its index, and nothing proves that it may be";
    LOC010 "index-child-directory" Warning off "G" File No Check [google Warning] "child \"{value}\" lies outside the directory of its index";
    LOC011 "location-unknown" Info no "U" File No Check [] "address of the file is not known, so that rules of location did not run";
    LOC012 "private-suffix" Info no "U" File No Check [] "{element} \"{value}\" is on another host of the same registrable domain";
    // DAT: lastmod and every other date
    DAT001 "lastmod-unparsable" Error yes "P X GC" Entry No Active [] "{element} \"{value}\" is not a date, a W3C date or date-time was expected";
    DAT002 "lastmod-impossible" Error no "X" Entry No Active [] "{element} \"{value}\" names a day or time that does not exist";
    DAT003 "lastmod-zone-missing" Warning yes "W" Entry Unsafe Active [] "{element} \"{value}\" has a time and no zone, read as UTC";
    DAT004 "zone-without-colon" Error yes "W X" Entry Safe Active [] "zone of {element} \"{value}\" has no colon, +hh:mm was expected";
    DAT005 "lastmod-seconds-missing" Warning yes "W X" Entry Safe Check [] "{element} \"{value}\" has no seconds, which the schema wants";
    DAT006 "lastmod-partial" Warning yes "W X" Entry Unsafe Check [] "{element} \"{value}\" names no day, which the schema wants";
    DAT007 "lastmod-space-separator" Error yes "W X" Entry Safe Active [] "{element} \"{value}\" has a space between date and time, T was expected";
    DAT008 "lastmod-not-padded" Error yes "W X" Entry Safe Active [] "{element} \"{value}\" lacks leading zeros, two digits were expected";
    DAT009 "lastmod-regional" Error yes "W X" Entry Safe Active [] "{element} \"{value}\" is in a regional or mail form, YYYY-MM-DD was expected";
    DAT010 "lastmod-epoch" Error yes "W X" Entry Unsafe Active [] "{element} \"{value}\" counts seconds or milliseconds since 1970, YYYY-MM-DD was expected";
    DAT011 "lastmod-basic-iso" Error yes "W X" Entry Safe Active [] "{element} \"{value}\" has no hyphens, YYYY-MM-DD was expected";
    DAT012 "lastmod-lower-case" Warning yes "W X" Entry Safe Active [] "{element} \"{value}\" has a lower-case t or z, upper case was expected";
    DAT013 "lastmod-in-future" Warning no "B" Entry No Check [bing Error] "{element} \"{value}\" is later than the time of reading";
    DAT014 "lastmod-placeholder" Warning no "U" Entry Unsafe Active [] "{element} \"{value}\" stands for an unset date, a real one or none was expected";
    DAT015 "date-with-zone" Warning yes "W" Entry Safe Active [] "{element} \"{value}\" is a date alone and carries a zone, none was expected";
    DAT016 "hour-24" Warning yes "W" Entry Safe Active [] "{element} \"{value}\" has the hour 24, 00 of the next day was expected";
    DAT017 "leap-second" Warning no "X" Entry Safe Active [] "{element} \"{value}\" has the second 60, 00 to 59 was expected";
    DAT018 "year-shape" Error yes "W" Entry No Active [] "year of {element} \"{value}\" has not four digits";
    DAT019 "long-fraction" Info yes "W" Entry Safe Active [] "{element} \"{value}\" has a long fraction of a second, cut after six digits";
    DAT020 "comma-fraction" Error yes "W X" Entry Safe Active [] "{element} \"{value}\" has a comma before the fraction, a point was expected";
    DAT021 "offset-out-of-range" Error no "X" Entry No Active [] "zone of {element} \"{value}\" is out of range, at most 14:00 was expected";
    DAT022 "week-or-ordinal-date" Error yes "W X" Entry Safe Active [] "{element} \"{value}\" is a week or ordinal date, YYYY-MM-DD was expected";
    DAT023 "date-only" Info off "B" Entry No Check [bing Info] "{element} \"{value}\" has no time of day, which Bing prefers";
    DAT024 "mixed-precision" Info off "U" File No Check [] "file mixes dates with date-times, or zones";
    DAT025 "lastmod-missing" Info off "G B" Entry No Check [google Info, bing Info] "entry has no lastmod, the one hint that Google and Bing use";
    // HNT: changefreq and priority
    HNT001 "changefreq-value" Error yes "P X GC" Entry Unsafe Active [] "changefreq is \"{value}\", always, hourly, daily, weekly, monthly, yearly or never was expected";
    HNT002 "changefreq-case" Error no "X" Entry Safe Active [] "changefreq \"{value}\" is in the wrong letter case, lower case was expected";
    HNT003 "priority-shape" Error yes "P X GC" Entry Safe Active [] "priority \"{value}\" is not a plain decimal, 0.0 to 1.0 was expected";
    HNT004 "priority-range" Error yes "P X GC" Entry Unsafe Active [] "priority \"{value}\" is out of range, 0.0 to 1.0 was expected";
    HNT005 "priority-flat" Info yes "P S0 S3" File Safe Check [] "every entry has the priority \"{value}\", which tells nothing";
    HNT006 "changefreq-ignored" Info off "G B" Entry Safe Check [google Info, bing Info] "changefreq is read neither by Google nor by Bing";
    HNT007 "priority-ignored" Info off "G B" Entry Safe Check [google Info, bing Info] "priority is read neither by Google nor by Bing";
    HNT008 "changefreq-contradicts" Info no "U" Entry No Check [] "changefreq \"{value}\" does not fit the lastmod beside it";
    HNT009 "priority-precision" Info off "U" Entry Safe Check [] "priority \"{value}\" is finer than hundredths";
    HNT010 "priority-default" Info off "P" Entry Safe Check [] "priority 0.5 is written out, it is what absence means";
    // DUP: duplicates
    DUP001 "duplicate-in-file" Warning no "U GC" File Safe Check [] "URL \"{value}\" is listed before in this file";
    DUP002 "duplicate-conflict" Warning no "U" File Unsafe Check [] "URL \"{value}\" is listed before in this file with other values";
    DUP003 "duplicate-normal-form" Warning yes "R3986" File Safe Check [] "URL \"{value}\" equals another one in normal form";
    DUP004 "duplicate-trailing-slash" Info no "U" File No Check [] "URL \"{value}\" differs from another one by the slash at its end";
    DUP005 "duplicate-scheme" Warning yes "Q" File No Check [] "URL \"{value}\" is listed by http and by https, one was expected";
    DUP006 "duplicate-www" Warning no "G" File No Check [] "URL \"{value}\" is listed with www and without, one was expected";
    DUP007 "duplicate-case" Info no "U" File No Check [] "URL \"{value}\" differs from another one in letter case only";
    DUP008 "duplicate-parameter-order" Info no "U" File No Check [] "URL \"{value}\" differs from another one in the order of parameters only";
    DUP009 "duplicate-across-files" Warning no "T U" Set Unsafe Check [] "URL \"{value}\" is listed in another file of the set too";
    DUP010 "same-file-twice" Error no "U" Set No Check [] "two files of the set have the same content";
    DUP011 "index-child-twice" Warning no "U" File Safe Check [] "child \"{value}\" is listed before in this index";
    DUP012 "duplicate-index-document" Info no "U" File No Check [] "URL \"{value}\" and its directory are both listed, one was expected";
    // IDX: indexes
    IDX001 "index-nested" Error yes "P G GC" Set Safe Check [classic Off] "child \"{value}\" is an index too, a sitemap was expected";
    IDX002 "index-cycle" Error yes "U" Set No Active [] "child \"{value}\" leads back to an index being read, skipped";
    IDX003 "index-lastmod-missing" Info no "S1" File Safe Active [classic Error] "index entry has no lastmod, the time of its file was expected";
    IDX004 "index-page-fields" Error no "X" File Safe Check [] "{element} stands in an index entry, loc and lastmod were expected";
    IDX005 "index-child-not-a-sitemap" Error no "U GC" Set No Check [] "child \"{value}\" is no sitemap";
    IDX006 "index-lastmod-behind" Warning yes "P" Set Safe Check [] "lastmod \"{value}\" of an index entry is older than what its child says";
    IDX007 "index-lastmod-not-file" Info yes "P" Set No Check [] "lastmod \"{value}\" of an index entry is that of a page, the time of the file was expected";
    IDX008 "index-single-child" Info no "U" File No Check [] "index lists one child, which could stand alone";
    IDX009 "index-empty-child" Warning no "U" Set Unsafe Check [] "child \"{value}\" lists no entry";
    IDX010 "index-child-missing" Error no "U" Set No Active [] "child \"{value}\" is not there, a sitemap was expected";
    IDX011 "unlisted-file" Warning no "U" Set Unsafe Check [] "file \"{value}\" is listed by no index, although there is one";
    IDX012 "index-feed-child" Info no "G" Set No Check [] "child \"{value}\" is a feed or a text list, which not every engine reads";
    // TXT: text lists
    TXT001 "list-encoding" Error yes "P G" File Unsafe Active [] "bytes \"{value}\" are not UTF-8, read as windows-1252";
    TXT002 "list-extra-content" Error yes "P G" File Unsafe Active [] "line \"{value}\" is not a URL, one absolute URL a line was expected";
    TXT003 "list-not-absolute" Error yes "P" File Unsafe Active [] "line \"{value}\" has no scheme, an absolute URL was expected";
    TXT004 "several-per-line" Error yes "P" File Safe Active [] "line \"{value}\" holds more than one URL or a part of one, one a line was expected";
    TXT005 "list-comment" Warning yes "P" File Safe Active [] "line \"{value}\" is a comment, one absolute URL a line was expected";
    TXT006 "list-blank-line" Info yes "P" File Safe Check [] "line is blank, one absolute URL a line was expected";
    TXT007 "list-extension" Warning off "G" File Safe Check [google Warning] "name of the list is \"{value}\", .txt or .txt.gz was expected";
    TXT008 "list-bom" Warning no "U" File Safe Check [] "list begins with a byte order mark, which simple readers take for a part of the first URL";
    TXT009 "list-xml-escaped" Warning no "U" File Safe Check [] "line \"{value}\" is escaped as in XML, the plain URL was expected";
    TXT010 "list-delimited" Warning no "U" File Unsafe Active [] "line \"{value}\" has further columns, a URL alone was expected";
    TXT011 "list-line-ending" Info no "U" File Safe Check [] "lines are ended or broken by CR alone, NUL or form feed, LF was expected";
    // FED: feeds
    FED001 "feed-version" Error yes "P G" File No Check [] "feed is of version \"{value}\", RSS 2.0, Atom 1.0 or Atom 0.3 was expected";
    FED002 "feed-link-missing" Error yes "P" File No Active [] "item has no link, one was expected";
    FED003 "feed-relative-link" Error yes "P" File Unsafe Active [] "link \"{value}\" is relative, an absolute URL was expected";
    FED004 "feed-bad-pubdate" Warning yes "RSS" File Safe Active [] "pubDate \"{value}\" is not in the form of RFC 822";
    FED005 "feed-bad-updated" Warning yes "R4287" File Safe Active [] "{element} \"{value}\" is not in the form of RFC 3339";
    FED006 "feed-refused-by-engine" Error off "Y" File Safe Check [yandex Error] "feed is not taken as a sitemap by this engine";
    FED007 "feed-link-rel" Warning yes "R4287" File No Active [] "entry has links and none of them is the alternate one, rel=\"alternate\" was expected";
    FED008 "feed-recent-only" Info yes "P" File No Check [] "feed holds a small part of the site, a sitemap beside it was expected";
    FED009 "mrss-fields" Warning no "G" File No Check [] "media item has no \"{value}\", which video search asks for";
    FED010 "guid-permalink" Info yes "RSS" File Safe Active [] "item has no link, its guid \"{value}\" was taken instead";
    FED011 "feed-malformed" Error yes "RSS R4287" File No Check [] "feed lacks \"{value}\", a required part";
    // ROB: robots.txt
    ROB001 "robots-relative" Error yes "P R9309 G" Set Unsafe Active [] "Sitemap line names \"{value}\", an absolute URL was expected";
    ROB002 "robots-malformed" Error yes "P" Set No Active [] "Sitemap line names \"{value}\", which is no URL";
    ROB003 "robots-key-typo" Warning yes "R9309" Set Safe Active [] "key \"{value}\" is not spelled Sitemap, not every parser takes it";
    ROB004 "robots-inline-comment" Info yes "R9309" Set Safe Active [] "comment \"{value}\" follows the address in its line, cut off";
    ROB005 "robots-missing" Info no "P" Live No Planned [] "site has no robots.txt";
    ROB006 "robots-sitemap-missing" Warning yes "P" Set Unsafe Check [] "robots.txt has no Sitemap line, at least one was expected";
    ROB007 "robots-repeated" Info no "U" Set Safe Check [] "address \"{value}\" stands in robots.txt more than once";
    ROB008 "robots-too-large" Warning yes "R9309 G" Set No Active [] "robots.txt is larger than 500 KiB, crawlers may stop there";
    ROB009 "robots-encoding" Warning yes "R9309" Set Safe Active [] "robots.txt has a byte order mark or is encoded as \"{value}\", plain UTF-8 was expected";
    ROB010 "sitemap-blocked" Error yes "GC Y G" Set No Check [] "robots.txt disallows the sitemap \"{value}\"";
    ROB011 "url-blocked" Error yes "GC G" Set Unsafe Check [] "robots.txt disallows \"{value}\", which is listed";
    ROB012 "robots-other-host" Info yes "P" Set No Check [] "sitemap \"{value}\" in robots.txt is on another host, which proves cross submission";
    ROB013 "robots-scheme" Warning no "U" Set Unsafe Check [] "sitemap \"{value}\" of an https site is named by http";
    ROB014 "robots-unreachable" Error no "R9309" Live No Planned [] "robots.txt cannot be had, crawlers take everything as disallowed";
    ROB015 "robots-not-a-root-file" Warning yes "R9309" Set No Check [] "robots.txt lies at \"{value}\", only the one at the root is read";
    ROB016 "robots-is-html" Error no "U" Set No Active [] "robots.txt is an HTML page, plain text was expected";
    ROB017 "robots-unescaped" Warning yes "R3986" Set Safe Active [] "address \"{value}\" has a space or non-ASCII characters, percent-encoding was expected";
    ROB018 "robots-long-line" Info no "G" Set No Active [] "line is longer than 16,664 bytes, where Google's parser cuts it";
    ROB019 "asset-blocked" Warning no "G" Set No Check [] "robots.txt disallows \"{value}\", an image or video that is listed";
    // IMG: images
    IMG001 "image-loc-missing" Error yes "G" Entry Unsafe Active [] "image has no loc, exactly one was expected";
    IMG002 "image-bad-loc" Error yes "G GC" Entry No Active [] "{element} \"{value}\" of an image is not a URL, an absolute one was expected";
    IMG003 "too-many-images" Error yes "G" Entry No Active [] "entry has more than 1,000 images";
    IMG004 "image-deprecated" Info yes "G" Entry Safe Check [] "{element} of an image is no longer read by Google";
    IMG005 "image-unknown-child" Warning yes "G" Entry Unsafe Active [] "element \"{value}\" is not one of the image extension, skipped";
    IMG006 "image-repeated" Info no "U" Entry Safe Check [] "image \"{value}\" stands twice in an entry";
    IMG007 "image-misplaced" Error yes "G" Entry Safe Active [] "{element} of the image extension stands outside an image, image:image was expected around it";
    IMG008 "image-license-not-url" Warning yes "G" Entry No Active [] "license \"{value}\" is not a URL, the address of a license was expected";
    IMG009 "image-data-uri" Error no "U" Entry Unsafe Active [] "{element} \"{value}\" holds the image itself, its address was expected";
    IMG010 "image-is-the-page" Warning no "U" Entry Unsafe Check [] "{element} \"{value}\" of an image is the address of the page";
    IMG011 "image-repeated-child" Error yes "G" Entry Safe Active [] "{element} \"{value}\" is a repeat within its image, one was expected";
    IMG012 "not-an-image" Warning no "G" Live No Planned [] "address \"{value}\" of an image answers with something else";
    // VID: videos
    VID001 "video-thumbnail-missing" Error yes "G GC" Entry No Active [] "video has no thumbnail_loc, exactly one was expected";
    VID002 "video-title-missing" Error yes "G GC" Entry No Active [] "video has no title, exactly one was expected";
    VID003 "video-description-missing" Error yes "G" Entry No Active [] "video has no description, exactly one was expected";
    VID004 "video-source-missing" Error yes "G" Entry No Check [] "video has neither content_loc nor player_loc, one of them was expected";
    VID005 "video-description-long" Error yes "G X" Entry Unsafe Active [] "description \"{value}\" has more than 2,048 characters";
    VID006 "video-title-long" Warning no "X" Entry Unsafe Active [] "title \"{value}\" has more than 100 characters";
    VID007 "video-bad-duration" Error yes "G X" Entry No Active [] "duration is \"{value}\", a whole number of seconds from 1 to 28,800 was expected";
    VID008 "video-bad-rating" Error yes "G X" Entry No Active [] "rating is \"{value}\", a number from 0.0 to 5.0 was expected";
    VID009 "video-bad-view-count" Error no "X" Entry No Active [] "view_count is \"{value}\", a whole number from 0 was expected";
    VID010 "video-bad-date" Error yes "G X" Entry Safe Active [] "{element} is \"{value}\", a full date or a date-time with seconds and zone was expected";
    VID011 "video-expired" Warning yes "G" Entry Unsafe Check [] "expiration_date \"{value}\" has passed";
    VID012 "video-bad-yes-no" Error yes "G X" Entry Safe Active [] "{element} is \"{value}\", yes or no was expected";
    VID013 "video-restriction-relationship" Error yes "G X" Entry No Active [] "relationship of the restriction is \"{value}\", allow or deny was expected";
    VID014 "video-restriction-country" Error yes "G X" Entry Safe Active [] "restriction is \"{value}\", upper-case ISO 3166 country codes between spaces were expected";
    VID015 "video-bad-platform" Error yes "G X" Entry No Active [] "platform is \"{value}\", web, mobile or tv with relationship allow or deny was expected";
    VID016 "video-too-many-tags" Error yes "G X" Entry Unsafe Active [] "video has more than 32 tags";
    VID017 "video-category-long" Warning no "X" Entry Unsafe Active [] "category \"{value}\" has more than 256 characters";
    VID018 "video-uploader-long" Error yes "G" Entry Unsafe Active [] "uploader \"{value}\" has more than 255 characters";
    VID019 "video-uploader-host" Warning yes "G X" Entry No Check [] "info \"{value}\" of the uploader is not on the domain of the page";
    VID020 "video-player-is-page" Error yes "G GC" Entry No Check [] "player_loc \"{value}\" is the address of the page";
    VID021 "video-content-is-page" Error yes "G GC" Entry No Check [] "content_loc \"{value}\" is the page or looks like one, a video file was expected";
    VID022 "video-deprecated" Info yes "G" Entry Safe Check [] "{element} of a video is no longer read by Google";
    VID023 "video-bad-price" Warning no "X" Entry No Check [] "price \"{value}\" is incomplete, a decimal with a currency or a type was expected";
    VID024 "video-bad-tvshow" Warning no "X" Entry No Active [] "{element} of a tvshow is \"{value}\", show_title, a known video_type and numbers from 1 were expected";
    VID025 "video-child-order" Warning no "X" Entry Safe Check [] "{element} of a video is not where the schema has it";
    VID026 "video-streaming-protocol" Error yes "G" Entry No Active [] "{element} \"{value}\" has a streaming scheme, http, https or ftp was expected";
    VID027 "video-child-repeated" Error no "X" Entry No Active [] "{element} \"{value}\" is a repeat within its video, one was expected";
    VID028 "video-unknown-child" Warning no "X" Entry Unsafe Active [] "element \"{value}\" is not one of the video extension, skipped";
    VID029 "video-markup-text" Info yes "G" Entry Unsafe Check [] "{element} \"{value}\" of a video holds HTML, plain text was expected";
    VID030 "video-stray-segments" Warning no "X" Entry No Check [] "video has content_segment_loc and no player_loc";
    VID031 "video-bad-id-type" Info no "X" Entry No Active [] "type of the id is \"{value}\", one of the schema's list was expected";
    VID032 "video-in-future" Info no "U" Entry No Check [] "publication_date \"{value}\" of a video is later than the time of reading";
    VID033 "video-thumbnail-size" Warning no "GC G" Live No Planned [] "thumbnail \"{value}\" is smaller than 60x30 pixels or too large";
    VID034 "video-bad-loc" Error yes "G" Entry No Active [] "{element} \"{value}\" of a video is not a URL, an absolute one was expected";
    // NWS: news
    NWS001 "news-publication-missing" Error yes "G X" Entry No Active [] "news has no publication, exactly one was expected";
    NWS002 "news-name-missing" Error yes "G X" Entry No Active [] "publication has no name, exactly one was expected";
    NWS003 "news-language-missing" Error yes "G X" Entry No Active [] "publication has no language, exactly one was expected";
    NWS004 "news-bad-language" Error yes "G X" Entry Safe Active [] "language is \"{value}\", zh-cn, zh-tw or two to three lower-case letters of ISO 639 was expected";
    NWS005 "news-date-missing" Error yes "G X" Entry No Active [] "news has no publication_date, exactly one was expected";
    NWS006 "news-bad-date" Error yes "G X" Entry Safe Active [] "publication_date is \"{value}\", a full date or a full date-time was expected";
    NWS007 "news-title-missing" Error yes "G X" Entry No Active [] "news has no title, exactly one was expected";
    NWS008 "news-too-old" Warning yes "G" Entry Unsafe Check [] "publication_date \"{value}\" is more than two days ago";
    NWS009 "too-many-news" Error yes "G GC" File Safe Check [] "file has more than 1,000 news entries";
    NWS010 "several-news" Error yes "G" Entry No Active [] "entry has a further news element, at most one was expected";
    NWS011 "news-deprecated" Info yes "G" Entry Safe Check [] "{element} of news is no longer read by Google";
    NWS012 "news-bad-genres" Warning no "X" Entry No Check [] "genres is \"{value}\", a list of PressRelease, Satire, Blog, OpEd, Opinion and UserGenerated was expected";
    NWS013 "news-bad-access" Warning no "X" Entry No Check [] "access is \"{value}\", Subscription or Registration was expected";
    NWS014 "news-bad-tickers" Warning no "X" Entry No Check [] "stock_tickers is \"{value}\", up to five of the form EXCHANGE:SYMBOL were expected";
    NWS015 "news-name-suffix" Warning yes "G" Entry Safe Check [] "name \"{value}\" of the publication ends in brackets, the bare name was expected";
    NWS016 "news-name-varies" Warning no "U" File No Check [] "file names its publication in more than one way, one name was expected";
    NWS017 "news-child-order" Warning no "X" Entry Safe Check [] "{element} of news is not where the schema has it";
    NWS018 "news-in-future" Warning no "U" Entry No Check [] "publication_date \"{value}\" of news is later than the time of reading";
    NWS019 "news-mixed" Info yes "G" File Unsafe Check [] "file holds news beside other entries";
    NWS020 "news-unknown-child" Warning no "X" Entry Unsafe Active [] "element \"{value}\" is not one of the news extension, skipped";
    // ALT: alternates
    ALT001 "alternate-href-missing" Error yes "G" Entry No Active [] "link has no href, an absolute URL was expected";
    ALT002 "alternate-hreflang-missing" Error yes "G" Entry No Active [] "link has no hreflang, a language or x-default was expected";
    ALT003 "alternate-bad-rel" Error yes "G" Entry No Check [] "rel of the link is \"{value}\", alternate was expected";
    ALT004 "alternate-not-absolute" Error yes "G" Entry Unsafe Active [] "href \"{value}\" is relative, an absolute URL was expected";
    ALT005 "alternate-bad-language" Error yes "G BCP47" Entry Unsafe Active [] "language of hreflang \"{value}\" is not one of ISO 639-1";
    ALT006 "alternate-bad-region" Error yes "G" Entry Safe Active [] "region of hreflang \"{value}\" is not one of ISO 3166-1";
    ALT007 "alternate-region-alone" Error yes "G" Entry No Active [] "hreflang \"{value}\" is a region without a language";
    ALT008 "alternate-self-missing" Warning yes "G" Entry Safe Check [google Error] "entry has alternates and is not among them";
    ALT009 "alternate-return-missing" Warning yes "G" Set Unsafe Check [google Error] "target \"{value}\" does not link back, so that Google drops the pair";
    ALT010 "alternate-conflict" Error yes "G" Entry No Check [] "hreflang \"{value}\" leads to different targets in one entry, one was expected";
    ALT011 "x-default-missing" Info yes "G" Entry No Check [] "alternates have no x-default to fall back on";
    ALT012 "several-x-default" Warning yes "G" Entry No Check [] "alternates have more than one x-default";
    ALT013 "alternate-namespace" Error yes "G" Entry Safe Active [] "namespace of the link is \"{value}\", http://www.w3.org/1999/xhtml was expected";
    ALT014 "alternate-underscore" Error yes "BCP47" Entry Safe Active [] "hreflang \"{value}\" has an underscore, a hyphen was expected";
    ALT015 "alternate-case" Info off "BCP47" Entry Safe Check [] "hreflang \"{value}\" is in unusual letter case";
    ALT016 "alternate-target-unlisted" Warning no "U" Set No Check [] "target \"{value}\" is listed in no file of the set";
    ALT017 "alternate-cluster-differs" Warning yes "G" Set Unsafe Check [] "members of a cluster list different alternates";
    ALT018 "alternate-target-bad" Error no "G" Live No Planned [] "target \"{value}\" is no page that can be indexed under this address";
    ALT019 "alternate-same-target" Info no "U" Entry No Check [] "target \"{value}\" serves several languages";
    ALT020 "alternate-content" Warning no "X" Entry Safe Check [] "link holds \"{value}\", an empty element was expected";
    ALT021 "alternate-repeated" Info no "U" Entry Safe Check [] "link \"{value}\" stands twice with the same hreflang";
    ALT022 "alternate-page-disagrees" Warning no "U" Live No Planned [] "page or its headers name other alternates";
    ALT023 "alternate-scheme-host" Info no "U" Entry No Check [] "target \"{value}\" is not on the site of the page";
    // EXT: other and retired extensions
    EXT001 "mobile-retired" Info yes "G" Entry Safe Check [] "mobile marks a page for feature phones, Google has retired it";
    EXT002 "mobile-content" Error no "X" Entry Safe Check [] "mobile holds \"{value}\", an empty element without attributes was expected";
    EXT003 "mobile-type" Warning off "Bd" Entry No Check [baidu Warning] "type of mobile is \"{value}\", mobile, pc,mobile or htmladapt was expected";
    EXT004 "mobile-namespace" Warning yes "G Bd" Entry Safe Check [] "mobile mixes the namespace of Google with the attribute of Baidu, or the reverse";
    EXT005 "pagemap-type" Error no "X" Entry No Active [] "DataObject has no type, one was expected";
    EXT006 "pagemap-name" Error no "X" Entry No Active [] "Attribute of a PageMap has no name, one was expected";
    EXT007 "pagemap-value" Warning no "X" Entry No Check [] "Attribute of a PageMap has both value and text or neither, one of them was expected";
    EXT008 "pagemap-scope" Info yes "G" Entry No Check [] "PageMap has a meaning to one product only, Programmable Search";
    EXT009 "codesearch-retired" Info yes "G" Entry Safe Check [] "codesearch belongs to a service that was closed";
    EXT010 "codesearch-filetype" Warning yes "G" Entry No Active [] "codesearch lacks its filetype, or its packagemap an archive to map";
    EXT011 "geo-retired" Info yes "G" Entry Safe Active [] "geo is retired, and KML is not read";
    EXT012 "toutiao-namespace" Error off "Tt" File Unsafe Check [toutiao Error] "namespace or attribute \"{value}\" is refused by Toutiao";
    // HON: honest dates
    HON001 "lastmod-all-same" Warning yes "G B" Set Unsafe Check [] "nearly every entry has the lastmod \"{value}\", the page's own date was expected";
    HON002 "lastmod-generation-time" Warning yes "G B" Set Unsafe Check [] "most lastmods equal the time when the file was built, dates of the pages were expected";
    HON003 "lastmod-moves-every-time" Warning no "G B" Set No Planned [] "most lastmods moved since the last snapshot, and the URLs did not";
    HON004 "lastmod-newer-than-page" Warning no "G" Live No Planned [] "lastmod \"{value}\" is later than what the page says of itself";
    HON005 "lastmod-older-than-page" Info no "G" Live No Planned [] "lastmod \"{value}\" is earlier than what the page says of itself";
    HON006 "content-unmoved" Warning no "G" Live No Planned [] "lastmod moved on to \"{value}\", and the page did not change";
    HON007 "content-moved" Warning no "G" Live No Planned [] "page changed, and lastmod stayed at \"{value}\"";
    HON008 "lastmod-backwards" Warning no "U" Set No Planned [] "lastmod \"{value}\" is earlier than in the last snapshot";
    HON009 "lastmod-midnight" Info no "U" Set Safe Check [] "every lastmod is at midnight, dates without a time would say the same";
    HON010 "index-always-now" Warning no "U" Live No Planned [] "index gives the time of the fetch as lastmod at each fetch";
    HON011 "lastmod-before-publication" Info no "U" Set No Check [] "lastmod \"{value}\" is before the publication date of the same entry";
    // SET: the set as a whole
    SET001 "scheme-mix" Warning yes "Q G" Set No Check [] "set mixes http and https, one was expected";
    SET002 "www-mix" Warning no "G" Set No Check [] "set mixes hosts with www and without, one was expected";
    SET003 "slash-mix" Info no "U" Set No Check [] "set ends paths with a slash here and without one there";
    SET004 "conflicting-lastmod" Warning no "U" Set Unsafe Check [] "URL \"{value}\" has different lastmods in different files";
    SET005 "set-shrunk" Warning no "U" Set No Planned [] "set lost more URLs since the last snapshot than the threshold allows";
    SET006 "set-grew" Info no "U" Set No Planned [] "set gained more URLs since the last snapshot than the threshold allows";
    SET007 "sitemap-missing" Error no "U" Set No Planned [] "site has no sitemap, neither in robots.txt nor under a usual name";
    SET008 "unlinked-root" Info no "U" Set No Check [] "sitemap \"{value}\" lies under a usual name, and robots.txt does not name it";
    SET009 "set-stale" Info no "B" Set No Planned [] "set is the same as long ago, although the pages are not";
    SET010 "extension-uneven" Info off "U" Set No Check [] "extension \"{value}\" is used in some files of the set and not in others";
    // NET: delivery of the files
    NET001 "sitemap-unreachable" Error no "GC Y" Live No Planned [] "sitemap cannot be reached, neither name, connection, TLS nor time may fail";
    NET002 "sitemap-status" Error no "GC Y" Live No Planned [] "sitemap answers with status \"{value}\", 200 was expected";
    NET003 "sitemap-redirect" Warning no "Y GC" Live No Planned [yandex Error] "sitemap answers with a redirect, to \"{value}\"";
    NET004 "sitemap-auth" Error no "GC" Live No Planned [] "sitemap asks for a login, public access was expected";
    NET005 "sitemap-content-type" Warning no "U" Live No Planned [] "content type of the sitemap is \"{value}\", application/xml, text/xml, text/plain or application/gzip was expected";
    NET006 "sitemap-charset" Warning no "XML" Live No Planned [] "charset \"{value}\" of the content type contradicts the file";
    NET007 "double-encoding" Error no "U" Live No Planned [] "gzip file is sent with a second layer of gzip, one was expected";
    NET008 "short-body" Error no "U" Live No Planned [] "body is shorter than its Content-Length says";
    NET009 "sitemap-soft-404" Error no "GC" Live No Planned [] "sitemap answers 200 with an HTML page";
    NET010 "validator-missing" Info no "U" Live No Planned [] "answer offers no ETag and no Last-Modified, one of them was expected";
    NET011 "sitemap-never-304" Info no "H" Live No Planned [] "conditional request was answered in full, 304 was expected";
    NET012 "sitemap-uncompressed" Info no "U" Live No Planned [] "sitemap over 1 MB is sent without gzip";
    NET013 "sitemap-slow" Warning no "U" Live No Planned [] "sitemap took longer than the time allowed";
    NET014 "sitemap-tls" Error no "U" Live No Planned [] "certificate is not valid";
    NET015 "sitemap-plain-http" Warning no "U" Live No Planned [] "sitemap is served by http and its pages by https";
    NET016 "agent-differs" Warning no "U" Live No Planned [] "another user agent is given another answer";
    NET017 "noindex-sitemap" Info no "G" Live No Planned [] "sitemap is sent with noindex, which does no harm";
    NET018 "sitemap-cache" Info no "U" Live No Planned [] "caching \"{value}\" does not fit the rate of refresh or the size of the file";
    NET019 "private-address" Error no "U" Live No Planned [] "address \"{value}\" is in a private network, refused";
    NET020 "sitemap-volatile" Info no "U" Live No Planned [] "two fetches in a row gave different content";
    // PAG: the pages listed
    PAG001 "page-client-error" Error no "GC T" Live Unsafe Planned [] "page \"{value}\" answers with a status of the 400s";
    PAG002 "page-server-error" Error no "GC T" Live No Planned [] "page \"{value}\" answers with a status of the 500s";
    PAG003 "page-redirect" Warning no "GC T" Live Unsafe Planned [] "page redirects to \"{value}\", the target was expected in the list";
    PAG004 "page-redirect-chain" Error no "GC" Live No Planned [] "page redirects more than five times, in a circle or off the site";
    PAG005 "noindex-meta" Error no "GC T" Live Unsafe Planned [] "page forbids indexing in its head";
    PAG006 "noindex-header" Error no "GC T" Live Unsafe Planned [] "page forbids indexing in its headers";
    PAG007 "canonical-elsewhere" Error no "G T" Live Unsafe Planned [] "page names another canonical, \"{value}\"";
    PAG008 "canonical-bad" Warning no "G" Live No Planned [] "canonical \"{value}\" cannot be relied on, one absolute address on this host was expected";
    PAG009 "canonical-missing" Info no "U" Live No Planned [] "page names no canonical";
    PAG010 "page-soft-404" Warning no "GC" Live No Planned [] "page answers 200 and reads like an error page";
    PAG011 "page-same-content" Warning no "U" Live No Planned [] "page has the same content as \"{value}\"";
    PAG012 "meta-refresh" Warning no "GC" Live No Planned [] "page sends its reader on by meta refresh, to \"{value}\"";
    PAG013 "page-login" Warning no "U" Live No Planned [] "page stands behind a login";
    PAG014 "page-type" Info no "U" Live No Planned [] "page is of type \"{value}\", which engines do not index";
    PAG015 "page-slow" Info no "U" Live No Planned [] "page took longer than the time allowed";
    PAG016 "page-unreachable" Error no "GC" Live No Planned [] "page cannot be reached, neither name, connection, TLS nor time may fail";
    PAG017 "page-downgrade" Warning no "U" Live No Planned [] "page leads from https to http";
    PAG018 "page-orphan" Info no "T" Live No Planned [] "page is listed, and no page links to it";
    PAG019 "linked-page-missing" Info no "T" Live Unsafe Planned [] "page \"{value}\" is linked and can be indexed, and no sitemap lists it";
    PAG020 "unavailable-after" Warning no "G" Live No Planned [] "page says that it was available until \"{value}\"";
    PAG021 "case-or-slash-redirect" Warning no "U" Live Safe Planned [] "page redirects to \"{value}\", which differs in a slash or letter case only";
    PAG022 "page-media-bad" Warning no "G" Live No Planned [] "media file \"{value}\" of a page cannot be had";
    // INW: IndexNow and pings
    INW001 "indexnow-key-shape" Error no "IN" Set No Planned [bing Error] "key has not 8 to 128 letters, digits and hyphens";
    INW002 "indexnow-key-file" Error no "IN" Live No Planned [bing Error] "key file is not there or does not hold the key";
    INW003 "indexnow-key-scope" Error no "IN" Set No Planned [bing Error] "URL \"{value}\" is not covered by the place of the key file";
    INW004 "indexnow-too-many" Error no "IN" Set Safe Planned [bing Error] "request holds more than 10,000 URLs";
    INW005 "indexnow-host" Error no "IN" Set No Planned [bing Error] "URL \"{value}\" is not on the host of the request";
    INW006 "ping-retired" Info no "G B" Set No Planned [bing Info] "ping \"{value}\" was retired by Bing in 2022 and by Google in 2023";
    // GEN: the run itself
    GEN001 "input-unreadable" Error yes "U" Run No Active [] "input cannot be read";
    GEN002 "rule-failed" Error yes "U" Run No Check [] "rule failed on this input, the others went on";
    GEN003 "diagnostics-capped" Info yes "U" Run No Active [] "findings of this code go beyond those shown";
    GEN004 "unknown-code" Error yes "U" Run No Check [] "code \"{value}\" does not exist";
    GEN005 "unused-ignore" Info yes "U" Run Safe Check [] "ignore \"{value}\" matched nothing";
}

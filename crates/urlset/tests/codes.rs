//! The registry held against the rule catalogue: counts, names, messages, and the sentence that says what the default profile selects.

use std::collections::{BTreeMap, BTreeSet};

use urlset::codes::{Code, Fault, Fix, Override, Rule, Scope, Severity, Status};

/// Family, rules, errors, warnings, infos, safe and unsafe fixes. LOC has one error less and one warning more than the
/// catalogue's own table, since its corrections make LOC004 a warning.
const FAMILIES: &[(&str, [usize; 6])] = &[
    ("XML", [27, 20, 2, 5, 14, 5]),
    ("STR", [27, 13, 9, 5, 15, 7]),
    ("SIZ", [15, 10, 2, 3, 8, 1]),
    ("GZP", [10, 6, 2, 2, 6, 0]),
    ("URL", [33, 12, 12, 9, 12, 10]),
    ("LOC", [12, 5, 4, 3, 0, 3]),
    ("DAT", [25, 12, 9, 4, 13, 4]),
    ("HNT", [10, 4, 0, 6, 7, 2]),
    ("DUP", [12, 1, 7, 4, 3, 2]),
    ("IDX", [12, 5, 3, 4, 4, 2]),
    ("TXT", [11, 4, 5, 2, 7, 4]),
    ("FED", [11, 5, 4, 2, 4, 1]),
    ("ROB", [19, 6, 8, 5, 5, 4]),
    ("IMG", [12, 6, 4, 2, 4, 4]),
    ("VID", [34, 20, 10, 4, 5, 8]),
    ("NWS", [20, 9, 9, 2, 6, 3]),
    ("ALT", [23, 11, 7, 5, 7, 4]),
    ("EXT", [12, 4, 4, 4, 5, 1]),
    ("HON", [11, 0, 8, 3, 1, 2]),
    ("SET", [10, 1, 4, 5, 0, 1]),
    ("NET", [20, 8, 6, 6, 0, 0]),
    ("PAG", [22, 7, 10, 5, 1, 6]),
    ("INW", [6, 5, 0, 1, 1, 0]),
    ("GEN", [5, 3, 0, 2, 1, 0]),
];

fn rules() -> impl Iterator<Item = (Code, &'static Rule)> {
    Code::ALL.iter().map(|&code| (code, code.rule()))
}

#[test]
fn the_registry_has_every_row_of_the_catalogue() {
    assert_eq!(Code::ALL.len(), 399);
    let mut order: Vec<&str> = rules().map(|(_, r)| &r.code[..3]).collect();
    order.dedup();
    assert_eq!(
        order,
        FAMILIES.iter().map(|f| f.0).collect::<Vec<_>>(),
        "families stand together, in the catalogue's order"
    );
    for (family, expected) in FAMILIES {
        let of: Vec<_> = rules().map(|(_, r)| r).filter(|r| r.code.starts_with(family)).collect();
        let count = |keep: &dyn Fn(&Rule) -> bool| of.iter().filter(|r| keep(r)).count();
        let got = [
            of.len(),
            count(&|r| r.severity == Severity::Error),
            count(&|r| r.severity == Severity::Warning),
            count(&|r| r.severity == Severity::Info),
            count(&|r| r.fix == Fix::Safe),
            count(&|r| r.fix == Fix::Unsafe),
        ];
        assert_eq!(got, *expected, "{family}");
        for (i, rule) in of.iter().enumerate() {
            assert_eq!(rule.code, format!("{family}{:03}", i + 1));
        }
    }
}

#[test]
fn codes_index_their_rows() {
    for (i, (code, rule)) in rules().enumerate() {
        assert_eq!(code as usize, i);
        assert_eq!(code.to_string(), rule.code);
        assert_eq!(format!("{code:?}"), rule.code);
    }
}

#[test]
fn names_are_unique_and_kebab_case() {
    let mut seen = BTreeMap::new();
    for (_, rule) in rules() {
        if let Some(other) = seen.insert(rule.name, rule.code) {
            panic!("{} and {other} are both named {}", rule.code, rule.name);
        }
        let kebab = rule
            .name
            .split('-')
            .all(|w| !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
        assert!(kebab, "{} is not kebab case", rule.name);
        assert!(rule.name.starts_with(|c: char| c.is_ascii_lowercase()), "{}", rule.name);
        assert!(!rule.name.starts_with("no-"), "{} does not read well after \"allow\"", rule.name);
        let bare = !rule.name.contains('-');
        assert!(!bare || ["utf16", "doctype", "cdata"].contains(&rule.name), "{} says too little alone", rule.name);
    }
}

#[test]
fn names_that_documents_quote() {
    for (name, code) in [
        ("loc-bad-percent", Code::URL006),
        ("loc-off-host", Code::LOC001),
        ("lastmod-in-future", Code::DAT013),
        ("not-well-formed", Code::XML001),
        ("diagnostics-capped", Code::GEN003),
    ] {
        assert_eq!(Code::find(name), Some(code));
    }
}

#[test]
fn every_code_is_found_by_code_and_by_name() {
    for (code, rule) in rules() {
        assert_eq!(Code::find(rule.code), Some(code));
        assert_eq!(Code::find(rule.name), Some(code));
    }
    for unknown in ["", "XML", "XML000", "XML999", "xml001", "XML001 ", "bad-percent", "zzz", "\0"] {
        assert_eq!(Code::find(unknown), None, "{unknown:?}");
    }
}

#[test]
fn messages_follow_the_style() {
    for (_, rule) in rules() {
        let m = rule.message;
        assert!(!m.is_empty(), "{} has no message", rule.code);
        let proper = ["URL ", "XML ", "PageMap ", "DOCTYPE ", "Sitemap ", "DataObject ", "Attribute "];
        let opens = m.starts_with(|c: char| c.is_ascii_lowercase())
            || m.starts_with("{element} ")
            || proper.iter().any(|p| m.starts_with(p));
        assert!(opens, "{}: {m}", rule.code);
        assert!(!m.ends_with(['.', '!', ',', ' ']), "{}: {m}", rule.code);
        assert!(!m.contains("  ") && !m.contains(". ") && !m.contains('\n'), "{}: {m}", rule.code);
        let (values, quoted) = (m.matches("{value}").count(), m.matches(" \"{value}\"").count());
        assert!(values == quoted && values <= 1, "{}: a value is quoted and stands once: {m}", rule.code);
        let rest = m.replace("{value}", "").replace("{element}", "");
        assert!(!rest.contains(['{', '}']), "{}: unknown placeholder: {m}", rule.code);
        assert!(m.chars().count() <= 135, "{}: {m}", rule.code);
    }
}

#[test]
fn messages_read_without_a_value() {
    // A word that needs an object may not be left hanging when the value is dropped.
    let hanging = [
        "is", "of", "as", "to", "by", "from", "until", "with", "lacks", "names", "holds", "than", "and", "was", "the",
        "a",
    ];
    for (code, rule) in rules() {
        let bare = Fault::new(code).message();
        assert!(!bare.contains('{'), "{}: {bare}", rule.code);
        let Some((before, after)) = rule.message.split_once(" \"{value}\"") else { continue };
        if after.starts_with(' ') {
            let word = before.rsplit(' ').next().unwrap_or("");
            assert!(!hanging.contains(&word), "{}: {bare}", rule.code);
        } else {
            assert!(bare.contains("\"\""), "{}: {bare}", rule.code);
        }
    }
}

#[test]
fn a_message_is_one_line_with_the_value_cut() {
    let long = "x".repeat(200);
    let message = Fault::new(Code::HNT001).value(&long).message();
    assert!(message.starts_with(&format!("changefreq is \"{}…\", ", "x".repeat(80))), "{message}");

    let mut fault = Fault::new(Code::HNT001);
    fault.value = Some(long); // set past the door
    assert!(fault.message().contains(&format!("\"{}…\"", "x".repeat(80))));

    let message = Fault::new(Code::URL001).element("url[1]/loc").value("a\n\u{1b}[31m{element}").message();
    assert_eq!(message, r#"loc "a\n\u{1b}[31m{element}" is relative, an absolute http or https URL was expected"#);
}

#[test]
fn a_message_names_the_last_element() {
    for (path, name) in [
        ("loc", "loc"),
        ("url[12]/image[0]/loc", "loc"),
        ("url[12]/image[3]", "image"),
        ("url[0]/link[1]/@href", "@href"),
    ] {
        assert!(Fault::new(Code::STR020).element(path).message().starts_with(&format!("{name} is empty")), "{path}");
    }
    assert!(Fault::new(Code::STR020).message().starts_with("value is empty"));
}

#[test]
fn authorities_are_keys_of_the_catalogue() {
    const KEYS: &[&str] = &[
        "P", "Q", "X", "S0", "S1", "S3", "G", "GC", "B", "Y", "Bd", "Tt", "W", "XML", "NS", "R3986", "R3987", "R9309",
        "R4287", "RSS", "GZ", "H", "BCP47", "IN", "T", "U",
    ];
    let mut used = BTreeSet::new();
    for (_, rule) in rules() {
        for key in rule.authority.split(' ') {
            assert!(KEYS.contains(&key), "{}: {key:?}", rule.code);
            used.insert(key);
        }
    }
    assert_eq!(used.len(), KEYS.len(), "a key that no rule cites");
}

/// In the default profile are the rules that are not off, can be decided offline with what there is, and are demanded by the
/// protocol, its FAQ, XML, gzip, the date note, RSS or an RFC, or by two engines (for the extensions: by Google alone), or
/// are a matter of security. GEN speaks of the run itself, so it is always heard.
#[test]
fn the_default_profile_is_what_the_sentence_says() {
    for (code, rule) in rules() {
        let keys: Vec<&str> = rule.authority.split(' ').collect();
        let cites = |any: &[&str]| keys.iter().filter(|key| any.contains(*key)).count();
        let rfc = ["R3986", "R3987", "R9309", "R4287", "H", "BCP47"];
        let extension = ["IMG", "VID", "NWS", "ALT", "EXT"].contains(&&rule.code[..3]);
        let demanded = cites(&["P", "Q", "XML", "NS", "GZ", "W", "RSS"]) > 0
            || cites(&rfc) > 0
            || cites(&["G", "GC", "B", "Y"]) >= 2
            || (extension && cites(&["G", "GC"]) > 0)
            || Code::SECURITY.contains(&code)
            || rule.scope == Scope::Run;
        let decidable = rule.scope != Scope::Live && rule.status != Status::Planned;
        assert_eq!(rule.default, !rule.off && decidable && demanded, "{}", rule.code);
    }
}

#[test]
fn status_agrees_with_scope_and_selection() {
    for (_, rule) in rules() {
        assert!(
            rule.scope != Scope::Live || rule.status == Status::Planned,
            "{}: the network is not there yet",
            rule.code
        );
        assert!(
            !rule.off || rule.status != Status::Active,
            "{}: readers and writers speak no code that is off",
            rule.code
        );
        assert_eq!(rule.scope == Scope::Run, rule.code.starts_with("GEN"), "{}", rule.code);
    }
    for planned in [Code::HON003, Code::HON008, Code::SET005, Code::SET009, Code::INW001, Code::NET001, Code::PAG018] {
        assert_eq!(planned.rule().status, Status::Planned);
    }
    for active in
        [Code::XML018, Code::STR007, Code::GZP002, Code::URL023, Code::LOC007, Code::DAT003, Code::TXT002, Code::IDX002]
    {
        assert_eq!(active.rule().status, Status::Active);
    }
}

#[test]
fn profiles_override_what_the_catalogue_brackets() {
    use Severity::{Error, Info, Warning};
    const PROFILES: &[&str] = &["protocol", "xsd", "google", "bing", "yandex", "baidu", "toutiao", "classic", "strict"];
    let expected: &[(Code, Severity, bool, &[Override])] = &[
        (Code::SIZ003, Error, true, &[("classic", Some(Error)), ("baidu", Some(Error))]),
        (Code::SIZ009, Error, true, &[("yandex", Some(Error))]),
        (Code::SIZ010, Error, true, &[("yandex", Some(Error))]),
        (Code::SIZ011, Error, true, &[("toutiao", Some(Error))]),
        (Code::SIZ012, Warning, true, &[("google", Some(Warning))]),
        (Code::LOC004, Warning, false, &[("protocol", Some(Error)), ("yandex", Some(Error))]),
        (Code::LOC010, Warning, true, &[("google", Some(Warning))]),
        (Code::DAT013, Warning, false, &[("bing", Some(Error))]),
        (Code::DAT023, Info, true, &[("bing", Some(Info))]),
        (Code::DAT025, Info, true, &[("google", Some(Info)), ("bing", Some(Info))]),
        (Code::HNT006, Info, true, &[("google", Some(Info)), ("bing", Some(Info))]),
        (Code::HNT007, Info, true, &[("google", Some(Info)), ("bing", Some(Info))]),
        (Code::IDX001, Error, false, &[("classic", None)]),
        (Code::IDX003, Info, false, &[("classic", Some(Error))]),
        (Code::TXT007, Warning, true, &[("google", Some(Warning))]),
        (Code::FED006, Error, true, &[("yandex", Some(Error))]),
        (Code::ALT008, Warning, false, &[("google", Some(Error))]),
        (Code::ALT009, Warning, false, &[("google", Some(Error))]),
        (Code::EXT003, Warning, true, &[("baidu", Some(Warning))]),
        (Code::EXT012, Error, true, &[("toutiao", Some(Error))]),
        (Code::NET003, Warning, false, &[("yandex", Some(Error))]),
        (Code::INW001, Error, false, &[("bing", Some(Error))]),
        (Code::INW002, Error, false, &[("bing", Some(Error))]),
        (Code::INW003, Error, false, &[("bing", Some(Error))]),
        (Code::INW004, Error, false, &[("bing", Some(Error))]),
        (Code::INW005, Error, false, &[("bing", Some(Error))]),
        (Code::INW006, Info, false, &[("bing", Some(Info))]),
    ];
    let got: Vec<_> =
        rules().filter(|(_, r)| !r.profiles.is_empty()).map(|(c, r)| (c, r.severity, r.off, r.profiles)).collect();
    assert_eq!(got, expected);
    assert!(got.iter().flat_map(|g| g.3).all(|(profile, _)| PROFILES.contains(profile)));

    let plainly_off: Vec<_> = rules().filter(|(_, r)| r.off && r.profiles.is_empty()).map(|(_, r)| r.code).collect();
    assert_eq!(plainly_off, ["XML005", "XML027", "STR026", "SIZ008", "DAT024", "HNT009", "HNT010", "ALT015", "SET010"]);
}

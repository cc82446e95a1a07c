//! robots.txt as it is found: what its Sitemap lines and rules mean, and what is told about them. That no file is slow is a matter of `growth.rs`.

use proptest::prelude::*;
use urlset::codes::{Code, Fault, Log};
use urlset::read::robots::{MAX_BYTES, MAX_LINE, Robots, parse};

fn read(text: impl AsRef<[u8]>) -> (Robots, Vec<Fault>) {
    let mut log = Log::new(1000);
    let robots = parse(text.as_ref(), &mut log);
    (robots, log.drain())
}

fn values(robots: &Robots) -> Vec<&str> {
    robots.sitemaps.iter().map(|line| line.value.as_str()).collect()
}

fn codes(faults: &[Fault]) -> Vec<Code> {
    faults.iter().map(|fault| fault.code).collect()
}

/// A file, its addresses, its faults, and why.
type Row<'a> = (&'a [u8], &'a [&'a str], &'a [Code], &'a str);

#[test]
fn sitemap_lines() {
    use Code::{ROB001, ROB002, ROB003, ROB004, ROB009, ROB016, ROB017};
    const A: &str = "http://a.example/s.xml";
    let long = format!("Sitemap: http://a.example/{}", "x".repeat(20_000));
    let table: &[Row] = &[
        (b"", &[], &[], "empty"),
        (b"Sitemap: http://a.example/s.xml", &[A], &[], "no line end"),
        (b"Sitemap: http://a.example/s.xml\r\nSitemap: http://a.example/s.xml\r\n", &[A, A], &[], "repeated, CRLF"),
        (b"User-agent: *\rSitemap: http://a.example/s.xml\rDisallow:", &[A], &[], "CR alone, within a group"),
        (b"SITEMAP : \thttp://a.example/s.xml \t\n", &[A], &[], "capitals and blanks"),
        (b"Sitemap:http://a.example/s.xml#top\n", &[A], &[ROB004], "a comment without a blank"),
        (b"Sitemap: http://a.example/s.xml # main\n", &[A], &[ROB004], "a comment"),
        (b"# Sitemap: http://a.example/s.xml\n", &[], &[], "within a comment"),
        (b"Sitemap: # none\n", &[], &[ROB002], "nothing but a comment"),
        (b"Sitemap:\n", &[], &[ROB002], "nothing"),
        (b"Sitemap: none\n", &[], &[ROB002], "a word"),
        (b"Sitemap: ftp://a.example/s.xml\n", &[], &[ROB002], "another scheme"),
        (b"Sitemap: /s.xml\n", &["/s.xml"], &[ROB001], "a path"),
        (b"Sitemap: sitemap.xml\n", &["sitemap.xml"], &[ROB001], "a name"),
        (b"Sitemaps: http://a.example/s.xml\n", &[A], &[ROB003], "a plural"),
        (b"Site-Map: http://a.example/s.xml\n", &[A], &[ROB003], "a hyphen"),
        (b"Sitemap http://a.example/s.xml\n", &[A], &[ROB003], "no colon"),
        (b"Sitemap: \"http://a.example/s.xml\"\n", &[A], &[ROB002], "in quotes"),
        (
            b"Sitemap: http://a.example/s.xml, http://a.example/t.xml\n",
            &[A, "http://a.example/t.xml"],
            &[ROB002],
            "two on a line",
        ),
        (b"Sitemap: http://a.example/b c.xml\n", &["http://a.example/b c.xml"], &[ROB017], "a blank inside"),
        ("Sitemap: http://a.example/é.xml\n".as_bytes(), &["http://a.example/é.xml"], &[ROB017], "not ASCII"),
        (b"Sitemap: http://a.example/\xe9.xml\n", &["http://a.example/é.xml"], &[ROB009, ROB017], "not UTF-8"),
        (b"\xef\xbb\xbfSitemap: http://a.example/s.xml\n", &[A], &[ROB009], "a byte order mark"),
        (long.as_bytes(), &[&long[9..]], &[Code::ROB018], "kept whole"),
        (b"<!DOCTYPE html>\n<p>Sitemap: http://a.example/s.xml</p>", &[], &[ROB016], "a page"),
        (
            b"<html><pre>\nSitemap: http://a.example/s.xml\nSitemap: http://a.example/t</pre>",
            &[A],
            &[ROB016, ROB002],
            "wrapped in a page",
        ),
        (b"\n<?xml version='1.0'?><HTML>", &[], &[ROB016], "a page of another kind"),
        (b"<nothing>", &[], &[], "no page"),
    ];
    for (file, addresses, want, why) in table {
        let (robots, faults) = read(file);
        assert_eq!((&values(&robots)[..], &codes(&faults)[..]), (*addresses, *want), "{why}");
        for line in &robots.sitemaps {
            let place = &file[line.offset as usize..line.end as usize];
            assert!(std::str::from_utf8(place).map_or(why == &"not UTF-8", |text| text == line.value), "{why}");
        }
        for fault in &faults {
            assert!(fault.offset <= fault.end && fault.end <= Some(file.len() as u64), "{why}");
        }
    }
}

#[test]
fn faults_say_where_and_what_instead() {
    let text = "User-agent: *\nSitemaps: http://a.example/b c.xml # main\n";
    let (_, faults) = read(text);
    let told: Vec<_> = faults
        .iter()
        .map(|fault| {
            (
                fault.code,
                &text[fault.offset.expect("placed") as usize..fault.end.expect("placed") as usize],
                fault.fix.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (Code::ROB003, "Sitemaps", Some("Sitemap: http://a.example/b c.xml")),
            (Code::ROB004, "# main", None),
            (Code::ROB017, "http://a.example/b c.xml", Some("http://a.example/b%20c.xml")),
        ]
    );
}

#[test]
fn a_line_is_long_from_where_google_cuts_it() {
    let line = |length: usize| format!("Disallow: /{}", "x".repeat(length - 11));
    assert_eq!(codes(&read(line(MAX_LINE)).1), []);
    assert_eq!(codes(&read(line(MAX_LINE + 1)).1), [Code::ROB018]);
    assert_eq!(codes(&read(format!("Disallow: /x # {}", "y".repeat(MAX_LINE))).1), [], "nobody misses a comment");
}

#[test]
fn what_stands_beyond_the_cap() {
    let mut text = "User-agent: *\nDisallow: /a\n".to_owned();
    text.push_str(&"# filling\n".repeat(MAX_BYTES / 10 + 1));
    text.push_str("Disallow: /b\nSitemap: http://a.example/s.xml\n");
    let (robots, faults) = read(&text);
    assert_eq!(values(&robots), ["http://a.example/s.xml"]);
    assert_eq!(codes(&faults), [Code::ROB008, Code::ROB008]);
    assert_eq!(faults[1].value.as_deref(), Some("http://a.example/s.xml"));
    assert!(!robots.allows("x", "/a") && robots.allows("x", "/b"));
    let (_, faults) = read(&text[..MAX_BYTES]);
    assert_eq!(codes(&faults), []);
}

#[test]
fn who_may_fetch_what() {
    // (file, agent, path, allowed, why)
    let simple = "User-agent: FooBot\nDisallow: /\n\nUser-agent: *\nDisallow: /x\nAllow: /x/y\n";
    let table = [
        ("", "a", "/", true, "nothing is said"),
        ("Disallow: /", "a", "/", true, "said to nobody"),
        (simple, "foobot/2.1 (+http://f.example)", "/page", false, "named, in another case, with a version"),
        (simple, "FooBot", "/robots.txt", true, "this file always"),
        (simple, "FooBotNews", "/page", true, "another name"),
        (simple, "Bar", "/x", false, "everyone"),
        (simple, "Bar", "/x/y/z", true, "the longest rule"),
        (simple, "Bar", "/", true, "no rule"),
        (simple, "", "/x", false, "no name"),
        ("User-agent: FooBot/1.0 extra\nDisallow: /", "foobot", "/", false, "a version in the file"),
        ("User-agent: * everyone\nDisallow: /", "foobot", "/", false, "words after the star"),
        ("User-agent: *bot\nDisallow: /", "foobot", "/", true, "no star but a name"),
        ("user-agent: a\nuser-agent: b\n\ndisallow: /", "b", "/", false, "two agents, a blank line"),
        (
            "User-agent: a\nDisallow: /1\nUser-agent: b\nDisallow: /2\nUser-agent: A\nDisallow: /3",
            "a",
            "/3",
            false,
            "merged",
        ),
        (
            "User-agent: a\nDisallow: /1\nUser-agent: b\nDisallow: /2\nUser-agent: A\nDisallow: /3",
            "a",
            "/2",
            true,
            "not of the other",
        ),
        ("User-agent: a\nSitemap: http://a.example/\nDisallow: /1", "a", "/1", false, "a Sitemap line ends no group"),
        ("User-agent: a\nDisallow:\n\nUser-agent: *\nDisallow: /", "a", "/1", true, "an empty rule"),
        ("User-agent: a\n\nUser-agent: *\nDisallow: /", "a", "/1", false, "one group"),
        ("User-agent: *\nAllow: /p\nDisallow: /", "a", "/page", true, "RFC 9309: the longer"),
        (
            "User-agent: *\nAllow: /folder\nDisallow: /folder",
            "a",
            "/folder/page",
            true,
            "RFC 9309: of equals the allowing",
        ),
        ("User-agent: *\nDisallow: /folder\nAllow: /folder", "a", "/folder/page", true, "in any order"),
        ("User-agent: *\nAllow: /page\nDisallow: /*.htm", "a", "/page.htm", false, "stars count"),
        ("User-agent: *\nAllow: /$\nDisallow: /", "a", "/", true, "the end"),
        ("User-agent: *\nAllow: /$\nDisallow: /", "a", "/page.htm", false, "not the end"),
        ("User-agent: *\nDisallow: /*.gif$", "a", "/a.gif?x", true, "not the end"),
        ("User-agent: *\nDisallow: /*?", "a", "/a?x", false, "a query"),
        ("User-agent: *\nDisallow: /x", "a", "/X", true, "case counts"),
        ("User-agent: *\nDisallow: private/", "a", "/private/", true, "no path begins so"),
        ("User-agent: *\nDisallow: *private", "a", "/private/", false, "a star does"),
        ("User-agent: *\nDisallow: /\nAllow: /d/index.html", "a", "/d/", true, "an index page is its folder"),
        ("User-agent: *\nDisallow: /\nAllow: /d/index.html", "a", "/d/e", false, "and nothing more"),
        ("User-agent: *\nDisallow: /é", "a", "/%C3%A9t%c3%a9", false, "escapes"),
        ("User-agent *\nDisallow /x", "a", "/x", false, "no colons"),
        ("User-agent: *\nDisalow: /x", "a", "/x", false, "a frequent slip"),
        ("\u{feff}User-agent: *\nDisallow: /x", "a", "/x", false, "a byte order mark"),
        ("User-agent: *\nDisallow: /x#y", "a", "/x", false, "a comment"),
        ("User-agent: *\nDisallow: /x", "a", "/x#y", false, "a fragment"),
    ];
    for (file, agent, path, want, why) in table {
        assert_eq!(read(file).0.allows(agent, path), want, "{why}");
    }
}

#[test]
fn a_crawl_delay_is_of_those_above_it_and_ends_no_group() {
    let (robots, _) = read(
        "User-agent: a\nCrawl-delay: 10\n\nUser-agent: b\nDisallow: /x\nCrawl-delay: 2.5\nCrawl-delay: 9\n\n\
         User-agent: c\nCrawl-delay: never\n\nUser-agent: *\nCrawl-delay: 1e9\n",
    );
    let delay = |agent| robots.rules_for(agent).crawl_delay;
    assert_eq!((delay("a"), delay("b"), delay("c"), delay("d")), (Some(10.0), Some(2.5), None, None));
    assert!(!robots.allows("a", "/x") && !robots.allows("b", "/x") && robots.allows("c", "/x"));
    assert!(robots.groups[0].joined && !robots.groups[1].joined);
    let (robots, _) = read("User-agent: *\nCrawl-delay: 99999999999999999999999999\n");
    assert!(
        robots.rules_for("x").crawl_delay.is_some_and(|seconds| seconds > 1e25),
        "the reader's own bound is for the reader"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_are_read(
        lines in prop::collection::vec(prop_oneof![
            "(Sitemap|Sitemaps|site map|User-agent|Disallow|Allow|Crawl-delay|X)[ \t]{0,2}[:= ]?[ \t]{0,2}(http://a/|/|\\*|<|\"|#|é|[a-z ,*$%0-9.])*",
            "\\PC{0,30}",
        ], 0..12),
        end in prop::sample::select(vec!["\n", "\r", "\r\n"]),
        noise in prop::collection::vec((any::<usize>(), any::<u8>()), 0..3),
        path in "/[a-z*$%é/.]{0,12}",
    ) {
        let mut file = lines.join(end).into_bytes();
        let clean = noise.is_empty() || file.is_empty();
        for (at, byte) in noise {
            if !file.is_empty() {
                let at = at % file.len();
                file[at] = byte;
            }
        }
        let (robots, faults) = read(&file);
        robots.allows("a", &path);
        for line in &robots.sitemaps {
            let place = &file[line.offset as usize..line.end as usize];
            prop_assert!(!clean || place == line.value.as_bytes());
            prop_assert!(!line.value.is_empty());
        }
        for fault in &faults {
            prop_assert!(fault.offset <= fault.end && fault.end <= Some(file.len() as u64));
        }
    }
}

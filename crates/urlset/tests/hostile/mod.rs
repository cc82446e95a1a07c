//! Families of hostile input: each is a shape that can be made as long as one likes. Measures nothing itself.

use std::fmt::Write as _;

use urlset::read::{Options, Reader};

/// Appends what is repeated, which may say how often it was.
type Unit = Box<dyn Fn(usize, &mut String)>;

/// One shape of input.
pub struct Family {
    pub name: &'static str,
    head: String,
    unit: Unit,
    tail: &'static str,
    form: Form,
    /// Bytes fed at a time.
    pub chunk: usize,
    /// Where other rules hold for longer input: so many times the usual size is past that.
    pub times: usize,
    options: Options,
}

/// How its text becomes bytes.
#[derive(Clone, Copy)]
enum Form {
    Utf8,
    Utf16,
    /// Every unit shifted into JIS X 0208 and back.
    Shifted,
    /// Every character from U+0080 to U+00FF is the byte of that number.
    Bytes,
}

impl Family {
    /// Passes about `size` bytes on, piece by piece; the head alone where that is 0.
    pub fn make(&self, size: usize, mut take: impl FnMut(&[u8])) {
        let mut text = self.head.clone();
        let mut made = 0;
        if size == 0 {
            return take(&self.encode(&text));
        }
        for n in 0.. {
            (self.unit)(n, &mut text);
            if text.len() >= 64 * 1024 || made + text.len() >= size {
                made += text.len();
                take(&self.encode(&text));
                text.clear();
                if made >= size {
                    break;
                }
            }
        }
        take(&self.encode(self.tail));
    }

    /// The same as one piece.
    pub fn whole(&self, size: usize) -> Vec<u8> {
        let mut out = Vec::new();
        self.make(size, |piece| out.extend_from_slice(piece));
        out
    }

    fn encode(&self, text: &str) -> Vec<u8> {
        match self.form {
            Form::Utf8 => text.as_bytes().to_vec(),
            Form::Utf16 => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Form::Shifted => text.replace('%', "\u{1b}$B$\"\u{1b}(B").into_bytes(),
            Form::Bytes => text.chars().map(|c| c as u8).collect(),
        }
    }

    /// A reader for it that takes texts up to `max_text` bytes.
    pub fn reader(&self, max_text: usize) -> Reader {
        let mut options = self.options.clone();
        options.limits.max_text = max_text;
        Reader::new(options).expect("the options are good")
    }

    fn by(mut self, chunk: usize) -> Self {
        self.chunk = chunk;
        self
    }

    fn times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }

    fn named(mut self, name: &str) -> Self {
        self.options.name = Some(name.into());
        self
    }

    fn based(mut self) -> Self {
        self.options.base = Some("https://a.example/x/y/z.xml".into());
        self
    }

    fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }
}

/// A head, and something that is repeated.
fn repeat(name: &'static str, head: impl Into<String>, unit: &'static str) -> Family {
    count(name, head, move |_, out| out.push_str(unit))
}

/// A head, and something that is repeated and counts.
fn count(name: &'static str, head: impl Into<String>, unit: impl Fn(usize, &mut String) + 'static) -> Family {
    let unit = Box::new(unit);
    let (form, options) = (Form::Utf8, Options::default());
    Family { name, head: head.into(), unit, tail: "", form, chunk: 8 * 1024, times: 1, options }
}

/// A head, and something that is repeated with its number in place of `@`.
fn number(name: &'static str, head: impl Into<String>, unit: &'static str) -> Family {
    count(name, head, move |n, out| {
        let number = n.to_string();
        for (at, part) in unit.split('@').enumerate() {
            out.extend([if at > 0 { &number } else { "" }, part]);
        }
    })
}

const ROOT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n";

/// Every family.
pub fn families() -> Vec<Family> {
    let inside = |text: &str| format!("{ROOT}<url>{text}");
    let loc = inside("<loc>https://a.example/");
    let nested = format!("{ROOT}{}", "<x:a>".repeat(60));
    let image = "<image:image><image:loc>https://a.example/";
    let mut all = vec![
        // Markup that never ends.
        repeat("less-than", ROOT, "<"),
        repeat("less-than and space", ROOT, "< "),
        // At a mebibyte they are passed over, which is a step: both sizes lie beyond.
        repeat("comments unclosed", ROOT, "<!--").times(64),
        repeat("comments unclosed, dashes", ROOT, "<!-- --x").times(64),
        repeat("sections unclosed", ROOT, "<![CDATA[").times(64),
        repeat("instructions unclosed", ROOT, "<?a "),
        repeat("instructions unclosed, no space", ROOT, "<?a"),
        repeat("declarations of xml unclosed", ROOT, "<?xml "),
        repeat("doctypes unclosed", "", "<!DOCTYPE ["),
        repeat("doctype with quotes", "<!DOCTYPE a [", "'\"\" '<!-- -->"),
        repeat("no markup", ROOT, "<!a"),
        repeat("tags unclosed", ROOT, "<a "),
        repeat("end tags unclosed", ROOT, "</a "),
        // Tags.
        number("attributes", format!("{ROOT}<a"), " b@='c'"),
        repeat("attributes, all the same", format!("{ROOT}<a"), " b='c'"),
        repeat("attributes without value", format!("{ROOT}<a"), " b"),
        repeat("attributes with odd quotes", format!("{ROOT}<a"), " b='\" c=\"'"),
        repeat("tags with odd quotes", ROOT, "<a b='>' c='<d>"),
        repeat("attribute without end", format!("{ROOT}<a b='"), "c"),
        repeat("name without end", format!("{ROOT}<"), "a"),
        repeat("names of 3 KiB", ROOT, leak(format!("<{}>", "a".repeat(3_000)))),
        repeat("elements in elements", ROOT, "<a>"),
        repeat("elements in elements of an entry", inside(""), "<x:a>"),
        repeat("elements with attributes in elements", inside(""), "<x:a b='c'>"),
        repeat("images in images", inside(""), "<image:image>"),
        repeat("videos in videos", inside(""), "<video:video><video:price>"),
        repeat("entries unclosed", ROOT, "<url>"),
        repeat("locs unclosed", ROOT, "<url><loc>https://a.example/"),
        repeat("end tags of nothing", ROOT, "</a>"),
        repeat("end tags of nothing, deep inside", &nested, "</x:b>"),
        repeat("start and end tags crossed", ROOT, "<a><b></a></b>"),
        repeat("empty entries", ROOT, "<url/>"),
        repeat("tags in capitals", ROOT, "<URL><LOC>https://a.example/</LOC></URL>"),
        repeat("end tags in capitals", ROOT, "<url><loc>https://a.example/</LOC></URL>"),
        // Names and namespaces.
        number("prefixes declared in one tag", format!("{ROOT}<a"), " xmlns:p@='urn:@'"),
        number("prefixes declared one within another", ROOT, "<a xmlns:p@='urn:@'>"),
        number("prefixes declared in an entry", inside(""), "<p@:a xmlns:p@='urn:@'>"),
        number("prefixes declared in turn", ROOT, "<p@:a xmlns:p@='urn:@'/>"),
        number("prefixes not declared", ROOT, "<p@:a/>"),
        number("prefixes of attributes not declared", ROOT, "<a p@:b='c'/>"),
        repeat(
            "namespace on every link",
            inside(""),
            "<x:link xmlns:x='http://www.w3.org/1999/xhtml' rel='alternate' hreflang='de' href='https://a.example/'/>",
        ),
        repeat("namespace in turn", inside(""), "<x:a xmlns:x='urn:1'/><x:a xmlns:x='urn:2'/>"),
        number("names", ROOT, "<n@/>"),
        number("names in an entry", inside(""), "<x:n@>a</x:n@>"),
        // Texts.
        repeat("ampersands", &loc, "&"),
        repeat("references unfinished", &loc, "&#x"),
        repeat("references without end", &loc, "&aaaaaaaa"),
        repeat("references unknown", &loc, "&nbsp;"),
        repeat("text without end", &loc, "a"),
        repeat("brackets", &loc, "]]"),
        repeat("closed brackets", &loc, "]]>"),
        repeat("spaces", &loc, " "),
        repeat("spaces before anything", "", " ").times(4), // no format is told within the first 64 KiB, whatever the limit
        repeat("spaces between entries", ROOT, " "),
        repeat("line ends", &loc, "\r"),
        repeat("percent signs", &loc, "%z"),
        repeat("control characters", &loc, "\u{1}"),
        repeat("bytes that are no text", &loc, "\u{ff}a").form(Form::Bytes),
        repeat("locs in pieces", &loc, "a<!---->"),
        repeat("locs in sections", &loc, "<![CDATA[&a]]>"),
        repeat("stray text", ROOT, "text <a/>"),
        repeat("locs with ampersands", ROOT, "<url><loc>https://a.example/?a&b&c</loc></url>"),
        repeat("locs of 3 KiB", ROOT, leak(format!("<url><loc>https://a.example/{}</loc></url>", "%&".repeat(1_500)))),
        repeat("way up", format!("{ROOT}<url><loc>"), "../").based(),
        repeat("dots", format!("{ROOT}<url><loc>"), "./a/../").based(),
        // Values.
        count("forms of dates", ROOT, |n, out| {
            let (hour, minute, digits) = (n / 60 % 14, n % 60, "123456789".get(..n / 840 % 9 + 1).unwrap_or("1"));
            let date = format_args!("2024-01-01T10:00:00.{digits}+{hour:02}:{minute:02}");
            let _ = writeln!(out, "<url><loc>https://a.example/</loc><lastmod>{date}</lastmod></url>");
        }),
        number("frequencies unknown", ROOT, "<url><loc>https://a.example/</loc><changefreq>w@</changefreq></url>\n"),
        repeat("dates that are none", ROOT, "<url><loc>https://a.example/</loc><lastmod>x</lastmod></url>\n"),
        number("locs relative", ROOT, "<url><loc>/@</loc></url>\n").based(),
        repeat("images in an entry", inside(""), "<image:image/>"),
        repeat("videos in an entry", inside(""), "<video:video/>"),
        repeat("prices in a video", inside("<video:video>"), "<video:price/>"),
        repeat("tags in a video", inside("<video:video>"), "<video:tag>a</video:tag>"),
        repeat(
            "long titles",
            inside(""),
            leak(format!("{image}</image:loc><image:title>{}</image:title></image:image>", "a".repeat(2_000))),
        ),
        repeat("locs repeated", inside(""), "<loc>https://a.example/</loc>"),
        // Chunks.
        number("entries in single bytes", ROOT, "<url><loc>https://a.example/@</loc></url>\n").by(1),
        repeat("faults in single bytes", ROOT, "<url><loc>https://a.example/?a&b</loc></url>\n").by(1),
        repeat("an open entry in single bytes", inside(""), "<x/>&").by(1),
        repeat("a tag without end in single bytes", format!("{ROOT}<a"), " b='c'").by(1),
        repeat("a comment without end in single bytes", format!("{ROOT}<!--"), "-- ").by(1),
        repeat("a text without end in single bytes", &loc, "a").by(1),
        repeat("words in single bytes", "", "word ").by(1),
        repeat("spaces in single bytes", "", " ").by(1),
        repeat("a list in single bytes", "", "https://a.example/\n").by(1),
        // Lists and robots.txt.
        // A line that is too long gives no row, and a batch costs more than reading does: one row stands before it at any length.
        repeat("a line that never ends", "https://a.example/\nhttps://a.example/", "a"),
        repeat("a list with carriage returns", "", "https://a.example/\r"),
        repeat("a list of one line", "", "https://a.example/ "),
        repeat("a list of words", "https://a.example/\n", "a b c\n"),
        repeat("a list of blanks", "https://a.example/\n", " "),
        repeat("stars", "User-agent: *\nDisallow: /", "*a").named("robots.txt"),
        number("agents", "", "User-agent: a@\nDisallow: /@\n").named("robots.txt"),
        number("sitemap lines", "", "Sitemap: https://a.example/@.xml\nSitemap: @\n").named("robots.txt"),
        repeat("a robots.txt without line ends", "User-agent: *\nDisallow: /", "a").named("robots.txt"),
        // Pages and feeds.
        repeat("a page", "<!DOCTYPE html><html>", "<p>text &nbsp; <br>"),
        repeat("items without link", "<rss><channel>", "<item><guid>x</guid></item>"),
        repeat("links of an entry", "<feed xmlns='http://www.w3.org/2005/Atom'><entry>", "<link rel='edit' href='/'/>"),
        // Charsets.
        repeat("UTF-16 of two scripts", format!("\u{feff}{ROOT}<url><loc>https://a.example/"), "a\u{4e2d}")
            .form(Form::Utf16),
        repeat("UTF-16 attributes", format!("\u{feff}{ROOT}<a"), " b='\u{e9}'").form(Form::Utf16),
        repeat("UTF-16 open entry", format!("\u{feff}{}", inside("")), "<x/>\u{4e2d}").form(Form::Utf16),
        repeat("UTF-16 of no format", "\u{feff}", "a\u{4e2d} ").form(Form::Utf16),
        repeat("UTF-16 robots.txt", "\u{feff}", "a\u{4e2d}").form(Form::Utf16).named("robots.txt"),
        repeat("UTF-16 half pairs", format!("\u{feff}{ROOT}"), "\u{1f600}").form(Form::Utf16).by(3),
        repeat("shifts", format!("<?xml version='1.0' encoding='iso-2022-jp'?>{}", inside("<loc>")), "%")
            .form(Form::Shifted),
        repeat("empty shifts", format!("<?xml version='1.0' encoding='iso-2022-jp'?>{ROOT}"), "\u{1b}$B\u{1b}(B"),
        repeat("bytes of no charset", format!("<?xml version='1.0' encoding='euc-jp'?>{ROOT}"), "\u{ff}a")
            .form(Form::Bytes),
    ];
    // An end that is there, and far away.
    for (name, head, unit, tail) in [
        ("comments, one end", ROOT, "<!--", "-->"),
        ("sections, one end", ROOT, "<![CDATA[", "]]>"),
        ("instructions, one end", ROOT, "<?a ", "?>"),
        ("declarations of xml, one end", ROOT, "<?xml <a ", "?>"),
        ("tags, one end", ROOT, "<a ", ">"),
        ("quotes, one end", ROOT, "<a b='", "'>"),
    ] {
        let mut family = repeat(name, head, unit);
        family.tail = tail;
        all.push(family);
    }
    all
}

/// Families whose units are large: what they do to memory does not show in small input.
pub fn large() -> Vec<Family> {
    let inside = |text: &str| format!("{ROOT}<url>{text}");
    let entry = |of: String| leak(format!("<url><loc>https://a.example/</loc>{of}</url>\n"));
    let long = "a".repeat(900_000);
    let many = |unit: &str, bytes: usize| unit.repeat(bytes / unit.len());
    vec![
        repeat("entries of a thousand videos", ROOT, entry(many("<video:video/>", 14_000))),
        repeat("entries of a million videos", ROOT, entry(many("<video:video/>", 15_000_000))),
        repeat("entries of a million images", ROOT, entry(many("<image:image/>", 15_000_000))),
        repeat("entries of a million links", ROOT, entry(many("<xhtml:link/>", 15_000_000))),
        repeat(
            "entries of a million prices",
            ROOT,
            entry(format!("<video:video>{}</video:video>", many("<video:price/>", 15_000_000))),
        ),
        repeat(
            "entries of 15 MB of titles",
            ROOT,
            entry(many(
                &format!("<image:image><image:title>{}</image:title></image:image>", "a".repeat(9_000)),
                15_000_000,
            )),
        ),
        repeat(
            "long tags in a video",
            inside("<loc>https://a.example/</loc><video:video>"),
            leak(format!("<video:tag>{}</video:tag>", "a".repeat(2_000))),
        ),
        repeat("locs of 900 KB", ROOT, leak(format!("<url><loc>https://a.example/{long}</loc></url>"))),
        repeat(
            "locs of 900 KB with ampersands",
            ROOT,
            leak(format!("<url><loc>https://a.example/{}</loc></url>", "&aaaaaaaa".repeat(100_000))),
        ),
        repeat(
            "locs of 900 KB of entries with many faults",
            ROOT,
            leak(format!(
                "<url><loc>https://a.example/{long}</loc>{}</url>",
                "<changefreq>x</changefreq>".repeat(1_000)
            )),
        ),
        repeat("relative locs of 100 KB", ROOT, leak(format!("<url><loc>/{}</loc></url>", "a".repeat(100_000))))
            .based(),
        repeat("names of 900 KB in one another", ROOT, leak(format!("<{long}>"))),
        repeat("names of 900 KB in an entry", inside(""), leak(format!("<x:{long}>"))),
        repeat("attributes of 900 KB", inside(""), leak(format!("<xhtml:link href='https://a.example/{long}'/>"))),
        repeat("pieces of 900 KB", inside("<loc>"), leak(format!("{long}<!---->"))),
        repeat("comments of 900 KB", ROOT, leak(format!("<!--{long}-->"))),
        repeat("prefixes of 900 KB", ROOT, leak(format!("<{long}:a xmlns:{long}='b'>"))),
        repeat("namespaces of 900 KB", ROOT, leak(format!("<a xmlns:b='{long}'/>"))),
        repeat("lines of 900 KB", "https://a.example/\n", leak(format!("https://a.example/{long}\n"))),
        repeat("lines of words of 900 KB", "https://a.example/\n", leak(format!("{}\n", "a ".repeat(450_000)))),
        repeat("sitemap lines of 900 KB", "", leak(format!("Sitemap: https://a.example/{long}\n"))).named("robots.txt"),
        repeat(
            "an open entry of two scripts",
            format!("\u{feff}{}", inside("<loc>https://a.example/</loc>")),
            "<x:a>\u{4e2d}</x:a>",
        )
        .form(Form::Utf16),
    ]
}

/// Units live as long as the tests.
fn leak(text: String) -> &'static str {
    text.leak()
}

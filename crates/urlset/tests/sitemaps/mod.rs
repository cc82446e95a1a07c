//! Sitemaps made by dice: the same seed, the same file. Makes good files only; tests break them.

/// Small pseudo-random numbers: xorshift64*.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % sides
    }

    pub fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }

    /// True once in `sides` times.
    pub fn once_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }
}

const CORE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// Well-formed and valid, and as odd as XML allows: prefixes, default namespaces that change, sections, comments, instructions,
/// references, attributes in any order and quotes, elements of strangers, a document type declaration.
pub fn odd(seed: u64, entries: usize) -> String {
    let mut odd = Odd { dice: Dice::new(seed), out: String::new(), core: "", asides: true };
    odd.document(entries);
    odd.out
}

/// The same without declarations, comments, sections and instructions: what is left is elements and text.
pub fn odd_elements(seed: u64, entries: usize) -> String {
    let mut odd = Odd { dice: Dice::new(seed), out: String::new(), core: "", asides: false };
    odd.document(entries);
    odd.out
}

struct Odd {
    dice: Dice,
    out: String,
    /// Prefix of the protocol's elements, colon included.
    core: &'static str,
    /// Whether what is no element and no text stands in it too.
    asides: bool,
}

impl Odd {
    /// True once in `sides` times, where asides are wanted.
    fn aside(&mut self, sides: usize) -> bool {
        self.asides && self.dice.once_in(sides)
    }

    fn document(&mut self, entries: usize) {
        let index = self.dice.once_in(5);
        if self.asides && !self.dice.once_in(3) {
            let quote = self.dice.pick(&["\"", "'"]);
            let encoding =
                self.dice.pick(&["", " encoding='UTF-8'", " encoding=\"utf-8\"", " encoding='UTF-8' standalone='yes'"]);
            self.say(&format!("<?xml version={quote}1.0{quote}{encoding}?>"));
        }
        self.misc();
        let (root, entry) = if index { ("sitemapindex", "sitemap") } else { ("urlset", "url") };
        if self.aside(6) {
            let subset =
                self.dice.pick(&["", " SYSTEM 'a.dtd'", " [ <!ELEMENT a ANY> <!-- > ]> --> ]", " PUBLIC \"-//a\" '>'"]);
            self.say(&format!("<!DOCTYPE {root}{subset}>"));
            self.misc();
        }
        self.core = self.dice.pick(&["", "", "", "s:", "sm:"]);
        let mut declared = vec![
            (self.core.trim_end_matches(':'), CORE),
            ("image", IMAGE),
            ("xhtml", XHTML),
            ("x", "urn:x"),
            ("xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ];
        let first = self.dice.roll(declared.len());
        declared.rotate_left(first);
        self.say(&format!("<{}{root}", self.core));
        for (prefix, uri) in declared {
            let name = if prefix.is_empty() { "xmlns".into() } else { format!("xmlns:{prefix}") };
            self.attribute(&name, uri);
        }
        if self.dice.once_in(3) {
            self.attribute("xsi:schemaLocation", &format!("{CORE} {CORE}/sitemap.xsd"));
        }
        self.blank();
        self.out += ">";
        self.between();
        for number in 0..entries {
            self.entry(entry, number, index);
            self.between();
        }
        let core = self.core;
        self.say(&format!("</{core}{root}"));
        self.blank();
        self.out += ">";
        self.misc();
    }

    fn say(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn blank(&mut self) {
        self.out += self.dice.pick(&["", "", "", " ", "\n", "\r\n\t"]);
    }

    /// What may stand anywhere outside elements.
    fn misc(&mut self) {
        while self.aside(3) {
            self.out += self.dice.pick(&[
                "\n",
                "\r\n",
                "<!-- a > <b> & -->",
                "<?a?>",
                "<?xml-stylesheet href='a.xsl'?>",
                "<!---->",
            ]);
        }
    }

    /// What may stand between elements.
    fn between(&mut self) {
        self.out += self.dice.pick(&["\n", "\n", "", "  ", "\r\n", "\t"]);
        if self.dice.once_in(6) {
            self.misc();
        }
        if self.dice.once_in(12) {
            self.foreign(2);
        }
    }

    fn foreign(&mut self, depth: usize) {
        let name = self.dice.pick(&["x:loc", "x:url", "x:a-b.c", "x:\u{e9}t\u{e9}"]);
        self.say(&format!("<{name}"));
        if self.dice.once_in(2) {
            self.attribute("a", "b > c");
        }
        match self.dice.roll(4) {
            0 => {
                self.attribute("xmlns", "urn:y"); // another default namespace, and back
                self.say("><loc>https://foreign.example/</loc><url/>");
            }
            1 => return self.say("/>"),
            _ => self.say(">"),
        }
        if depth > 0 {
            self.foreign(depth - 1);
        }
        self.text("some text & <more>");
        self.say(&format!("</{name}>"));
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let quote = self.dice.pick(&["\"", "'"]);
        let (before, equals) = (self.dice.pick(&[" ", " ", "\n", "\t "]), self.dice.pick(&["=", "=", " =", "= "]));
        let mut text = String::new();
        for c in value.chars() {
            match c {
                '&' => text += self.dice.pick(&["&amp;", "&#38;", "&#x26;"]),
                '<' => text += self.dice.pick(&["&lt;", "&#60;"]),
                '"' | '\'' => text += if c == '"' { "&quot;" } else { "&apos;" },
                ' ' => text += self.dice.pick(&[" ", " ", "\n", "\t"]),
                // The oracle takes addresses of namespaces as they are written.
                c if c.is_ascii_alphabetic() && !name.starts_with("xmlns") && self.dice.once_in(40) => {
                    text.extend(["&#", &u32::from(c).to_string(), ";"]);
                }
                c => text.push(c),
            }
        }
        self.say(&format!("{before}{name}{equals}{quote}{text}{quote}"));
    }

    /// Text that means `value`, in one of the ways to write it.
    fn text(&mut self, value: &str) {
        if self.aside(6) && !value.contains("]]>") {
            let pad = self.dice.pick(&["", "\n", " "]);
            self.say(&format!("{pad}<![CDATA[{value}]]>{pad}"));
            return;
        }
        for c in value.chars() {
            match c {
                '&' if self.aside(4) => self.say("<![CDATA[&]]>"),
                '&' => self.out += self.dice.pick(&["&amp;", "&#38;", "&#x26;"]),
                '<' if self.aside(4) => self.say("<![CDATA[<]]>"),
                '<' => self.out += self.dice.pick(&["&lt;", "&#x3c;"]),
                '>' => self.out += self.dice.pick(&["&gt;", ">"]),
                c if self.dice.once_in(60) => self.say(&format!("&#x{:X};", u32::from(c))),
                c => self.out.push(c),
            }
            if self.aside(60) {
                self.out += self.dice.pick(&["<!-- & -->", "<?a b?>", "<![CDATA[]]>"]);
            }
        }
    }

    fn element(&mut self, name: &str, value: &str) {
        self.say(&format!("<{name}"));
        self.blank();
        self.out += ">";
        let pad = self.dice.pick(&["", "", "\n    ", " ", "\r\n"]);
        self.out += pad;
        self.text(value);
        self.out += pad;
        self.say(&format!("</{name}"));
        self.blank();
        self.out += ">";
        self.between_children();
    }

    fn between_children(&mut self) {
        self.out += self.dice.pick(&["", "\n  ", " "]);
        if self.aside(15) {
            self.out += self.dice.pick(&["<!-- </url> -->", "<?a </url> ?>"]);
        }
        if self.dice.once_in(25) {
            self.foreign(1);
        }
    }

    fn address(&mut self, number: usize) -> String {
        let path = self.dice.pick(&[
            "",
            "a",
            "a/b.html",
            "?a=1&b=2",
            "caf%C3%A9",
            "x'y",
            "%3Cb%3E",
            "long/".repeat(30).leak(),
        ]);
        let scheme = self.dice.pick(&["https", "http"]);
        format!("{scheme}://a.example/{number}/{path}")
    }

    fn entry(&mut self, entry: &str, number: usize, index: bool) {
        let core = self.core;
        // Half of the time an entry declares its own namespaces, under its own prefix.
        let own = self.dice.once_in(8);
        let outer = std::mem::replace(&mut self.core, if own { "own:" } else { core });
        let core = self.core;
        self.say(&format!("<{core}{entry}"));
        if own {
            self.attribute("xmlns:own", CORE);
        }
        self.blank();
        self.out += ">";
        self.between_children();
        let mut parts = vec![0, 1, 2, 3, 4, 5];
        let first = self.dice.roll(parts.len());
        parts.rotate_left(first);
        for part in parts {
            match part {
                0 => {
                    let address = self.address(number);
                    self.element(&format!("{core}loc"), &address);
                }
                1 if self.dice.once_in(2) => {
                    let date = self.dice.pick(&["2024-02-29", "2005-05-10T17:33:30+08:00", "1999-12-31T23:59:59.125Z"]);
                    self.element(&format!("{core}lastmod"), date);
                }
                2 if !index && self.dice.once_in(2) => {
                    let word = self.dice.pick(&["always", "daily", "never"]);
                    self.element(&format!("{core}changefreq"), word);
                }
                3 if !index && self.dice.once_in(2) => {
                    let number = self.dice.pick(&["0.0", "0.5", "1.0", "1", "0.25"]);
                    self.element(&format!("{core}priority"), number);
                }
                4 if !index => {
                    for _ in 0..self.dice.roll(3) {
                        self.image(number);
                    }
                }
                5 if !index => {
                    for _ in 0..self.dice.roll(3) {
                        self.link(number);
                    }
                }
                _ => {}
            }
        }
        self.say(&format!("</{core}{entry}>"));
        self.core = outer;
    }

    fn image(&mut self, number: usize) {
        // The prefix of the root, one of its own, or none with a default namespace of its own.
        let (prefix, declared) =
            *[("image:", ""), ("image:", ""), ("i:", "xmlns:i"), ("", "xmlns")].get(self.dice.roll(4)).expect("four");
        self.say(&format!("<{prefix}image"));
        if !declared.is_empty() {
            self.attribute(declared, IMAGE);
        }
        self.out += ">";
        let address = self.address(number);
        self.element(&format!("{prefix}loc"), &address);
        if self.dice.once_in(2) {
            let title = self.dice.pick(&["A & B", "\u{e9}\u{4e2d} \u{1f600}", "a  b\nc", "<b>"]);
            self.element(&format!("{prefix}title"), title);
        }
        self.say(&format!("</{prefix}image>"));
    }

    fn link(&mut self, number: usize) {
        let (prefix, declared) = if self.dice.once_in(3) { ("h:", "xmlns:h") } else { ("xhtml:", "") };
        self.say(&format!("<{prefix}link"));
        let address = self.address(number);
        let language = self.dice.pick(&["de", "en-GB", "x-default"]);
        let mut attributes = vec![("rel", "alternate"), ("hreflang", language), ("href", &address)];
        if !declared.is_empty() {
            attributes.push((declared, XHTML));
        }
        let first = self.dice.roll(attributes.len());
        attributes.rotate_left(first);
        for (name, value) in attributes {
            self.attribute(name, value);
        }
        self.blank();
        if self.dice.once_in(3) {
            self.say(&format!("></{prefix}link>"));
        } else {
            self.out += "/>";
        }
        self.between_children();
    }
}

/// Plain files of each kind, small: a byte changed in them can be looked at one by one.
pub fn plain() -> Vec<(&'static str, String)> {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    let core = format!("{head}<urlset xmlns=\"{CORE}\">\n");
    let one = |n: usize| {
        let query = ["", "?a=1&amp;b=2", "caf%C3%A9"][n % 3];
        format!(
            "  <url>\n    <loc>https://a.example/{n}/{query}</loc>\n    <lastmod>2024-0{}-0{n}T10:00:00+00:00</lastmod>\n    \
             <changefreq>daily</changefreq>\n    <priority>0.{n}</priority>\n  </url>\n",
            n % 9 + 1
        )
    };
    let entries = |count: usize| (1..=count).map(one).collect::<String>();
    let extended = format!(
        "<urlset xmlns=\"{CORE}\" xmlns:image=\"{IMAGE}\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:xhtml=\"{XHTML}\" xmlns:x='urn:x'>\n\
         <url><loc>https://a.example/1</loc><image:image><image:loc>https://a.example/1.png</image:loc><image:title>One &amp; \
         two</image:title></image:image><image:image><image:loc>https://a.example/2.png</image:loc></image:image></url>\n\
         <url><loc>https://a.example/2</loc>\n<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://a.example/de/2\"/>\n\
         <xhtml:link rel='alternate' hreflang='fr' href='https://a.example/fr/2?a&amp;b' />\n</url>\n\
         <url><loc>https://a.example/3</loc><x:note a=\"b &lt; c\">x &gt; <x:y/>z</x:note><news:news><news:publication>\
         <news:name>The Name</news:name><news:language>en</news:language></news:publication>\
         <news:publication_date>2024-01-02</news:publication_date><news:title>Title</news:title></news:news></url>\n\
         <url><loc>https://a.example/4</loc><video:video>\
         <video:thumbnail_loc>https://a.example/4.jpg</video:thumbnail_loc><video:title>T</video:title>\
         <video:description>D</video:description><video:player_loc allow_embed=\"yes\">https://a.example/p</video:player_loc>\
         <video:price currency=\"EUR\">1.99</video:price><video:duration>60</video:duration></video:video></url>\n\
         <url><loc>https://a.example/5</loc></url>\n</urlset>\n"
    );
    let index = |n: usize| {
        format!("<sitemap><loc>https://a.example/sitemap-{n}.xml.gz</loc><lastmod>2024-01-0{n}</lastmod></sitemap>\n")
    };
    let item = |n: usize| {
        format!(
            "<item><title>Item {n} &amp; more</title>\n<link>https://a.example/item/{n}</link>\n\
             <guid isPermaLink=\"false\">{n}</guid><pubDate>{}, 0{n} Jan 2024 10:00:00 GMT</pubDate></item>\n",
            ["Mon", "Tue", "Wed", "Thu", "Fri"][n - 1]
        )
    };
    let atom = |n: usize| {
        format!(
            "<entry><id>urn:{n}</id><title type=\"text\">T</title>\n<link rel=\"edit\" href=\"https://a.example/edit/{n}\"/>\
             <link rel=\"alternate\" href=\"https://a.example/{n}\"/>\n<updated>2024-01-0{n}T10:00:00Z</updated></entry>\n"
        )
    };
    let five = |of: &dyn Fn(usize) -> String| (1..=5).map(of).collect::<String>();
    vec![
        ("core", format!("{core}{}</urlset>\n", entries(4))),
        ("extended", extended),
        ("index", format!("{head}<sitemapindex xmlns='{CORE}'>\n{}</sitemapindex>", five(&index))),
        (
            "rss",
            format!(
                "{head}<rss version=\"2.0\">\n<channel><title>C</title><link>https://a.example/</link>\n{}</channel></rss>\n",
                five(&item)
            ),
        ),
        ("atom", format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>urn:f</id>\n{}</feed>\n", five(&atom))),
        ("list", five(&|n| format!("https://a.example/{n}/?a=1&b=2\n"))),
    ]
}

//! Languages of pages as search engines read them. Knows the codes, not what they mean.

use crate::codes::Code;

/// ISO 639-1, with the five that were withdrawn and that pages still use: `in`, `iw`, `ji`, `mo`, `sh`.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy \
    da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii \
    ik in io is it iu iw ja ji jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk \
    ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se \
    sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo \
    xh yi yo za zh zu";

/// ISO 3166-1 alpha-2.
const REGIONS: &str = "ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs \
    bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi \
    fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir \
    is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm \
    mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt \
    pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm \
    tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw";

/// Whether a value of `hreflang` can be one: a language tag of BCP 47 (RFC 5646, section 2.1), or `x-default`; letter case
/// is all one. Else the code that says what is wrong.
///
/// Codes of two letters are looked up in ISO 639-1 and ISO 3166-1, where no other can be one. What BCP 47 allows and Google
/// does not use (`es-419`, `fil`, variants) is left to the checker.
///
/// ```
/// use urlset::codes::Code;
/// use urlset::value::language::hreflang;
/// assert_eq!(hreflang("zh-Hant-TW"), Ok(()));
/// assert_eq!(hreflang("en_US"), Err(Code::ALT014));
/// ```
pub fn hreflang(text: &str) -> Result<(), Code> {
    if text.eq_ignore_ascii_case("x-default") {
        return Ok(());
    }
    if text.contains('_') {
        return Err(Code::ALT014);
    }
    let mut parts = text.split('-').peekable();
    let language = parts.next().unwrap_or_default();
    if !is_listed(LANGUAGES, language) && !is_letters(language, 3) {
        let alone = parts.peek().is_none() && is_listed(REGIONS, language);
        return Err(if alone { Code::ALT007 } else { Code::ALT005 });
    }
    let _ = parts.next_if(|part| is_letters(part, 3)); // an extended language, as in `zh-yue`
    let _ = parts.next_if(|part| is_letters(part, 4)); // a script
    let _ = parts.next_if(|part| is_region(part));
    let digit = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let variant = |part: &&str| matches!(part.len(), 5..=8) || part.len() == 4 && digit(part);
    while parts.next_if(variant).is_some() {}
    // What follows a single letter is private, or an extension.
    let rest = parts.peek().is_none_or(|part| part.len() == 1) && !text.ends_with('-');
    let sound = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if rest && sound { Ok(()) } else { Err(Code::ALT006) }
}

/// Whether a text names the language of a publication: two to three lower-case letters, `zh-cn` or `zh-tw` (source: the news
/// schema).
pub fn is_publication(text: &str) -> bool {
    matches!(text, "zh-cn" | "zh-tw") || matches!(text.len(), 2..=3) && text.bytes().all(|b| b.is_ascii_lowercase())
}

/// Whether a text is a country of ISO 3166-1 in upper case (source: the video schema).
pub fn is_country(text: &str) -> bool {
    is_listed(REGIONS, text) && text.bytes().all(|b| b.is_ascii_uppercase())
}

/// A country, one of the codes that ISO 3166-1 leaves to its users (`XK`), or a part of the world by its number.
fn is_region(part: &str) -> bool {
    let own = |part: &str| {
        matches!(part.to_ascii_uppercase().as_bytes(), b"AA" | b"ZZ" | [b'Q', b'M'..=b'Z'] | [b'X', b'A'..=b'Z'])
    };
    is_listed(REGIONS, part) || own(part) || part.len() == 3 && part.bytes().all(|b| b.is_ascii_digit())
}

fn is_letters(part: &str, count: usize) -> bool {
    part.len() == count && part.bytes().all(|b| b.is_ascii_alphabetic())
}

/// Whether a code of two letters is in a list of such, each with a blank behind it but the last.
fn is_listed(list: &str, code: &str) -> bool {
    let &[first, second] = code.as_bytes() else { return false };
    let code = [first.to_ascii_lowercase(), second.to_ascii_lowercase()];
    first.is_ascii_alphabetic() && list.as_bytes().chunks(3).any(|entry| entry.starts_with(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_whole() {
        for (list, count) in [(LANGUAGES, 184 + 5), (REGIONS, 249)] {
            let codes: Vec<&str> = list.split(' ').collect();
            assert_eq!(codes.len(), count);
            assert!(codes.iter().all(|code| code.len() == 2) && codes.is_sorted());
            assert!(codes.iter().all(|code| is_listed(list, code)));
        }
    }

    #[test]
    fn what_can_be_one() {
        for (text, expected, why) in [
            ("de", Ok(()), "a language"),
            ("de-AT", Ok(()), "with a region"),
            ("EN-gb", Ok(()), "letter case is all one"),
            ("zh-Hans", Ok(()), "a script"),
            ("zh-Hant-TW", Ok(()), "a script and a region"),
            ("x-default", Ok(()), "for all others"),
            ("X-Default", Ok(()), "the same in another letter case"),
            ("uk", Ok(()), "Ukrainian"),
            ("iw", Ok(()), "Hebrew, withdrawn and in use"),
            ("", Err(Code::ALT005), "nothing"),
            ("english", Err(Code::ALT005), "a name"),
            ("fil", Ok(()), "three letters are of ISO 639-2"),
            ("zh-yue-HK", Ok(()), "an extended language"),
            ("de-x-formal", Ok(()), "a private part"),
            ("sr-XK", Ok(()), "a region that ISO leaves to its users"),
            ("jp", Err(Code::ALT007), "Japan, not Japanese"),
            ("us", Err(Code::ALT007), "a region alone"),
            ("xx-US", Err(Code::ALT005), "no language"),
            ("en-UK", Err(Code::ALT006), "GB was meant"),
            ("es-419", Ok(()), "a part of the world"),
            ("de-EU", Err(Code::ALT006), "no country"),
            ("de-AT-1996", Ok(()), "a variant"),
            ("de-1996-AT", Err(Code::ALT006), "the region comes first"),
            ("de-", Err(Code::ALT006), "a hyphen too many"),
            ("en_US", Err(Code::ALT014), "an underscore"),
            ("x_default", Err(Code::ALT014), "here too"),
            ("\u{e9}", Err(Code::ALT005), "two bytes, one letter"),
            ("d ", Err(Code::ALT005), "no letter"),
        ] {
            assert_eq!(hreflang(text), expected, "{text:?}: {why}");
        }
    }
}

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

/// Whether a value of `hreflang` is one that Google documents: a language of ISO 639-1, a script and a region of ISO
/// 3166-1 if need be, joined by hyphens, or `x-default`; letter case is all one. Else the code that says what is wrong.
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
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    let mut next = parts.next();
    if !is_listed(LANGUAGES, language) {
        let alone = next.is_none() && is_listed(REGIONS, language);
        return Err(if alone { Code::ALT007 } else { Code::ALT005 });
    }
    if next.is_some_and(|part| part.len() == 4 && part.bytes().all(|b| b.is_ascii_alphabetic())) {
        next = parts.next();
    }
    match (next, parts.next()) {
        (None, _) => Ok(()),
        (Some(region), None) if is_listed(REGIONS, region) => Ok(()),
        _ => Err(Code::ALT006),
    }
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
    fn what_google_documents() {
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
            ("eng", Err(Code::ALT005), "three letters are of ISO 639-2"),
            ("jp", Err(Code::ALT007), "Japan, not Japanese"),
            ("us", Err(Code::ALT007), "a region alone"),
            ("xx-US", Err(Code::ALT005), "no language"),
            ("en-UK", Err(Code::ALT006), "GB was meant"),
            ("es-419", Err(Code::ALT006), "a part of the world"),
            ("de-EU", Err(Code::ALT006), "no country"),
            ("de-AT-1996", Err(Code::ALT006), "a variant"),
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

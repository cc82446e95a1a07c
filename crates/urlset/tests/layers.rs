//! Which room of the core may import which. Reads the sources as text; compiles and runs none of them.
//!
//! ```text
//! rules | diff
//! read  | write
//! columns
//! schema
//! value | scan
//! codes
//! error
//! ```

use std::fs;
use std::path::{Path, PathBuf};

/// From the top down: a room imports rooms of lower lines only.
const LAYERS: &[&[&str]] =
    &[&["rules", "diff"], &["read", "write"], &["columns"], &["schema"], &["value", "scan"], &["codes"], &["error"]];

#[test]
fn rooms_import_downwards() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&src, &mut files);
    assert!(files.len() > 3, "no sources below {}", src.display());
    let mut wrong = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&src).expect("collected below src").to_path_buf();
        let text = fs::read_to_string(&file).expect("a source file is UTF-8");
        wrong.extend(violations(&relative, &text));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be listed") {
        let path = entry.expect("src can be listed").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
}

/// What a source file imports that it may not, and whether its room is listed at all.
fn violations(file: &Path, text: &str) -> Vec<String> {
    let mut place: Vec<String> =
        file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if place.last().is_some_and(|part| part == "mod") {
        place.pop();
    }
    if place == ["lib"] {
        return Vec::new();
    }
    let here = place[0].clone();
    let Some(own) = layer(&here) else {
        return vec![format!("{}: room \"{here}\" is in no layer", file.display())];
    };
    let mut wrong = Vec::new();
    for (line, there) in imports(text, place.len()) {
        let reason = match layer(&there) {
            _ if there == here => continue,
            None => "which is in no layer",
            Some(other) if other < own => "which is above it",
            Some(other) if other == own => "which is its sibling",
            Some(_) => continue,
        };
        wrong.push(format!("{}:{line}: \"{here}\" imports \"{there}\", {reason}", file.display()));
    }
    wrong
}

fn layer(room: &str) -> Option<usize> {
    LAYERS.iter().position(|rooms| rooms.contains(&room))
}

/// The rooms a file names through `crate::` or through enough `super::`, each with its line.
///
/// `depth` is how many modules deep the file itself is. Comments and literals are not code and are skipped.
fn imports(text: &str, depth: usize) -> Vec<(usize, String)> {
    let tokens = tokens(text);
    let word = |at: usize| tokens.get(at).map_or("", |(_, token)| token.as_str());
    let mut found = Vec::new();
    let mut inline = vec![];
    let mut at = 0;
    while at < tokens.len() {
        match word(at) {
            "mod" if word(at + 2) == "{" => {
                inline.push(true);
                at += 3;
                continue;
            }
            "{" => inline.push(false),
            "}" => drop(inline.pop()),
            "crate" if word(at + 1) == "::" => firsts(&tokens, at + 2, &mut found),
            "super" if at == 0 || word(at - 1) != "::" || word(at - 2) == "self" => {
                let mut up = 1;
                let mut next = at + 2;
                while word(next) == "super" {
                    up += 1;
                    next += 2;
                }
                if up == depth + inline.iter().filter(|module| **module).count() {
                    firsts(&tokens, next, &mut found);
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The first names of a path or of a group of paths: `a::b` gives `a`, `{a, b::{c, d}}` gives `a` and `b`.
fn firsts(tokens: &[(usize, String)], mut at: usize, found: &mut Vec<(usize, String)>) {
    let mut open = 0;
    let mut fresh = true;
    while let Some((line, token)) = tokens.get(at) {
        match token.as_str() {
            "{" => open += 1,
            "}" => open -= 1,
            "," if open == 1 => fresh = true,
            name if fresh => {
                if name != "self" {
                    found.push((*line, name.to_owned()));
                }
                fresh = false;
            }
            _ => {}
        }
        if open == 0 {
            return;
        }
        at += 1;
    }
}

/// Words, `::`, braces and other single characters, with their lines; no comments, strings or characters.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < chars.len() {
        let start = at;
        let c = chars[at];
        let next = chars.get(at + 1).copied();
        match c {
            '/' if next == Some('/') => at = skip_until(&chars, at, |rest| rest[0] == '\n'),
            '/' if next == Some('*') => at = skip_block_comment(&chars, at),
            '"' => at = skip_string(&chars, at + 1),
            '\'' => at = skip_char(&chars, at),
            'r' if matches!(next, Some('"' | '#')) => at = skip_raw_string(&chars, at),
            ':' if next == Some(':') => {
                tokens.push((line, "::".to_owned()));
                at += 2;
            }
            c if c == '_' || c.is_alphanumeric() => {
                while chars.get(at).is_some_and(|c| *c == '_' || c.is_alphanumeric()) {
                    at += 1;
                }
                // `br"..."` and `b"..."`: the prefix is no word, the literal follows.
                if chars.get(at) != Some(&'"') {
                    tokens.push((line, chars[start..at].iter().collect()));
                } else if chars[at - 1] == 'r' {
                    at = skip_raw_string(&chars, at - 1);
                }
            }
            c => {
                if !c.is_whitespace() {
                    tokens.push((line, c.to_string()));
                }
                at += 1;
            }
        }
        line += chars[start..at.min(chars.len())].iter().filter(|c| **c == '\n').count();
    }
    tokens
}

fn skip_until(chars: &[char], mut at: usize, end: impl Fn(&[char]) -> bool) -> usize {
    while at < chars.len() && !end(&chars[at..]) {
        at += 1;
    }
    at
}

fn skip_block_comment(chars: &[char], mut at: usize) -> usize {
    let mut open = 0;
    while at < chars.len() {
        if chars[at..].starts_with(&['/', '*']) {
            open += 1;
            at += 2;
        } else if chars[at..].starts_with(&['*', '/']) {
            open -= 1;
            at += 2;
        } else {
            at += 1;
        }
        if open == 0 {
            break;
        }
    }
    at
}

fn skip_string(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// A character literal, or the tick of a lifetime alone.
fn skip_char(chars: &[char], at: usize) -> usize {
    match (chars.get(at + 1), chars.get(at + 2)) {
        (Some('\\'), _) => skip_until(chars, at + 3, |rest| rest[0] == '\'') + 1,
        (Some(_), Some('\'')) => at + 3,
        _ => at + 1,
    }
}

/// `r"..."`, `r#"..."#`; a raw identifier (`r#type`) loses its prefix only.
fn skip_raw_string(chars: &[char], at: usize) -> usize {
    let open = skip_until(chars, at + 1, |rest| rest[0] != '#');
    if chars.get(open) != Some(&'"') {
        return open;
    }
    let mut end = vec!['"'];
    end.resize(open - at, '#');
    skip_until(chars, open + 1, |rest| rest.starts_with(&end)) + end.len()
}

#[cfg(test)]
mod planted {
    use super::{Path, imports, violations};

    fn reasons(file: &str, text: &str) -> Vec<String> {
        violations(Path::new(file), text)
    }

    #[test]
    fn lower_rooms_are_allowed() {
        for text in [
            "use crate::error::Result;",
            "use crate::{codes::{Code, Fault}, error, value::url};",
            "use super::sibling;",
            "fn f() { crate::scan::feed(); }",
            "pub(crate) fn f() {}",
        ] {
            assert_eq!(reasons("read/xml.rs", text), [""; 0], "{text}");
        }
    }

    #[test]
    fn upper_rooms_are_refused() {
        for (file, text) in [
            ("error.rs", "use crate::codes::Code;"),
            ("error.rs", "use super::codes::Code;"),
            ("value/url.rs", "use crate::{error::{Error, Result}, schema::Field};"),
            ("value/url.rs", "use super::super::read;"),
            ("value/mod.rs", "use super::columns;"),
            ("columns.rs", "fn f() { let _ = crate::write::shard(); }"),
            ("schema.rs", "macro_rules! m { () => { $crate::rules::all() } }"),
            ("codes.rs", "#[cfg(test)] mod tests { use super::super::scan; }"),
            ("codes/registry.rs", "mod a { mod b { use super::super::super::super::scan; } }"),
            ("scan.rs", "use self::super::read;"),
        ] {
            let found = reasons(file, text);
            assert_eq!(found.len(), 1, "{file} {text} {found:?}");
            assert!(found[0].ends_with("which is above it"), "{found:?}");
        }
    }

    #[test]
    fn siblings_are_refused() {
        for (file, text) in [
            ("read/mod.rs", "use crate::write::shard;"),
            ("write/xml.rs", "use crate::read;"),
            ("diff.rs", "use crate::rules::element;"),
            ("scan.rs", "use crate::value::date;"),
        ] {
            let found = reasons(file, text);
            assert_eq!(found.len(), 1, "{file} {text} {found:?}");
            assert!(found[0].ends_with("which is its sibling"), "{found:?}");
        }
    }

    #[test]
    fn unlisted_rooms_are_refused() {
        assert_eq!(reasons("convenience.rs", ""), ["convenience.rs: room \"convenience\" is in no layer"]);
        assert_eq!(
            reasons("scan.rs", "\nuse crate::convenience;"),
            ["scan.rs:2: \"scan\" imports \"convenience\", which is in no layer"]
        );
    }

    #[test]
    fn a_group_is_read_to_its_end() {
        let text = "use crate::{a, b::{c, d}, e::f as g, h::*, self};\nuse crate::i;";
        let names: Vec<_> = imports(text, 1).into_iter().map(|(line, name)| format!("{line} {name}")).collect();
        assert_eq!(names, ["1 a", "1 b", "1 e", "1 h", "2 i"]);
    }

    #[test]
    fn only_code_counts() {
        let text = r##"
            // use crate::read;
            /* crate::read /* nested */ crate::read */
            //! [`crate::read`]
            const A: &str = "crate::read \" crate::read";
            const B: &str = r#"" crate::read "#;
            const C: &[u8] = br"crate::read\";
            const D: (char, char, u8) = ('"', '\'', b'"');
            fn e<'a>(r#type: &'a str) {}
            use crate::codes;
        "##;
        assert_eq!(imports(text, 1), [(10, "codes".to_owned())]);
    }

    #[test]
    fn an_inline_module_goes_up_one_step_further() {
        let text = "mod tests { use super::*; fn f() { super::g(); } } mod t { use super::super::write; }";
        assert_eq!(imports(text, 1), [(1, "write".to_owned())]);
    }
}

//! What was encoded is sound, and encoding it again changes nothing; a remembered host never changes a verdict.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlset::value::url::{Origins, absolute, encode, faults, is_clean};

fuzz_target!(|input: (&str, &str)| {
    let (first, second) = input;
    let mut origins = Origins::default();
    for loc in [first, second, first, &format!("https://a.example/{second}"), &format!("https://a.example{first}")] {
        assert_eq!(origins.absolute(loc.as_bytes()), absolute(loc.as_bytes()), "{loc:?}");
        if is_clean(loc.as_bytes()) {
            faults(loc, &mut |code, range| panic!("{loc:?} is clean and has {code:?} at {range:?}"));
        }
        let mut once = Vec::new();
        if encode(loc, &mut once).is_ok() {
            let once = String::from_utf8(once).expect("encoded is ASCII");
            let mut twice = Vec::new();
            encode(&once, &mut twice).expect("what is encoded can be encoded");
            assert_eq!(once.as_bytes(), twice, "{loc:?}");
        }
    }
});

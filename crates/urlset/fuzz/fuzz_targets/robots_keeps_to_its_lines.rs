//! robots.txt: every address stands in the file, matching ends, and an update keeps all lines and says nothing twice.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlset::codes::Log;
use urlset::read::robots::parse;
use urlset::write::robots::update;

fuzz_target!(|input: (&str, &[u8])| {
    let (path, file) = input;
    let robots = parse(file, &mut Log::new(20));
    let _ = robots.allows("a", &format!("/{path}"));
    for sitemap in &robots.sitemaps {
        assert!(sitemap.offset <= sitemap.end && sitemap.end <= file.len() as u64);
    }
    let ours = ["https://a.example/sitemap.xml".to_owned()];
    let once = update(Some(file), &ours, &[]);
    assert_eq!(update(Some(&once), &ours, &[]), once, "what is there is not added again");
});

"""Values come into the row of their entry, whatever columns are built and however the entry ends."""

from __future__ import annotations

import pytest

import urlset

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def test_a_written_form_alone_stands_in_its_row() -> None:
    text = (
        f"<urlset {NS}><url><loc>https://a.example/1</loc><lastmod>2024-01-01</lastmod><lastmod>2024</lastmod></url>"
        "<url><loc>https://a.example/2</loc></url><url><loc>https://a.example/3</loc><lastmod>2024-05</lastmod></url></urlset>"
    )
    urls = urlset.read(text.encode(), columns=["loc", "lastmod_form"])
    assert urls.to_arrow()["lastmod_form"].to_pylist() == ["date", None, "year-month"]
    assert [finding.code for finding in urls.findings] == ["STR010"]


@pytest.mark.parametrize("attributes", ["", " a:b='1' xmlns:a='urn:a'"])
def test_of_an_entry_that_was_given_up_nothing_comes_into_the_next(attributes: str) -> None:
    image = f"<image:image{attributes}><image:loc>https://a.example/x.png</image:loc></image:image>"
    text = (
        f"<urlset {NS} xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>"
        f"<url><loc>https://a.example/1</loc>{' ' * (17 << 20)}{image}</url><url><loc>https://a.example/2</loc></url></urlset>"
    )
    urls = urlset.read(text.encode())
    assert [(url.loc, url.images) for url in urls] == [("https://a.example/2", ())]
    assert [finding.code for finding in urls.findings] == ["SIZ015"]

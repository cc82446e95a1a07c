"""What the command does to nobody: steer a terminal, destroy a file, read what it writes, wait for ever."""

from __future__ import annotations

import gzip
import json
import os
import resource
import subprocess
from pathlib import Path

import pytest

import urlset
from tests.command import COMMAND, LOCS, SHOP, XMLNS, environment, names, process, run, terminal
from urlset.errors import StoreError

AMONG = "an output is among the sources, and would take the place of what is read"
SITEMAP = f"<urlset {XMLNS}><url><loc>{LOCS[0]}</loc></url></urlset>"

# Terminals

# Those of C0 but ESC and BEL, which XML does not have, of C1, without a width, of another direction, and past the BMP.
STEERING = "\u202e\u2066\u200b\x9b31m\x7f\U000e0041"
MORE = f"\x1b[31m\x1b]0;x\x07{STEERING}"


@pytest.fixture
def steering(tmp_path: Path) -> Path:
    (tmp_path / "list.txt").write_text(f"{SHOP}{MORE}tea\n{SHOP}thé\n{SHOP}lamp\n")
    (tmp_path / "map.xml").write_text(f"<urlset {XMLNS}><url><loc>{SHOP}{STEERING}</loc></url></urlset>")
    return tmp_path


@pytest.mark.parametrize("more", [[], ["-o", "-"], ["-o", "/dev/stdout"]])
@pytest.mark.parametrize("format_", ["urls", "csv", "jsonl"])
@pytest.mark.parametrize("name", ["list.txt", "map.xml"])
def test_rows_do_not_steer_a_terminal(steering: Path, name: str, format_: str, more: list[str]) -> None:
    code, shown = terminal("read", name, "--format", format_, "--columns", "loc", "-q", *more, cwd=steering)
    assert code == 0, shown
    assert all(character.isprintable() or character == "\n" for character in shown), ascii(shown)
    assert "\\u202e" in shown
    assert len(shown.splitlines()) == (3 if name == "list.txt" else 1) + (format_ == "csv")
    if name == "list.txt":
        assert f"{SHOP}thé" in shown, "what can be shown is shown as it is"


def test_json_lines_on_a_terminal_are_json(steering: Path) -> None:
    _, shown = terminal("read", "list.txt", "--format", "jsonl", "--columns", "loc", "-q", cwd=steering)
    assert [json.loads(line)["loc"] for line in shown.splitlines()] == [f"{SHOP}{MORE}tea", f"{SHOP}thé", f"{SHOP}lamp"]


def test_findings_do_not_steer_a_terminal(steering: Path) -> None:
    (steering / "odd.txt").write_text(f"{STEERING}\n")
    code, shown = terminal("read", "odd.txt", "-o", "rows.csv", "--findings", "-", "-q", cwd=steering)
    assert code == 0, shown
    assert json.loads(shown)["value"] == STEERING
    assert all(character.isprintable() or character == "\n" for character in shown), ascii(shown)


def test_a_sitemap_does_not_steer_a_terminal(steering: Path) -> None:
    row = {"loc": LOCS[0], "images": [{"loc": LOCS[1], "title": f"thé {STEERING}"}]}
    (steering / "t.jsonl").write_text(json.dumps(row) + "\n")
    code, shown = terminal("write", "t.jsonl", "--to", "-", "-q", cwd=steering)
    assert code == 0, shown
    assert "<image:title>thé \\u202e" in shown
    assert all(character.isprintable() or character == "\n" for character in shown), ascii(shown)
    assert STEERING in process("write", "t.jsonl", "--to", "-", cwd=steering).stdout.decode()


@pytest.mark.parametrize("format_", ["urls", "csv", "jsonl"])
def test_pipes_and_files_get_the_bytes(steering: Path, format_: str) -> None:
    arguments = ["read", "list.txt", "--format", format_, "--columns", "loc", "-q"]
    piped = process(*arguments, cwd=steering).stdout
    assert "\u202e\u2066\u200b\x9b31m".encode() in piped
    with (steering / "shell.out").open("wb") as file:
        process(*arguments, cwd=steering, stdout=file)
    terminal(*arguments, "-o", "named.out", cwd=steering)
    assert (steering / "shell.out").read_bytes() == (steering / "named.out").read_bytes() == piped


# Files of others


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(f"loc\n{LOCS[0]}\n")
    return tmp_path


THEIRS = [
    ("keep.xml", b"precious\n", "a note"),
    ("keep.xml", b"<?xml version='1.0'?><book/>", "another document"),
    ("keep.xml", b"<rss version='2.0'><channel><title>x</title></channel></rss>", "a feed, which we do not write"),
    ("keep.xml", b"<!doctype html><html><body>x</body></html>", "a page"),
    ("keep.xml", b"\x00\x01\x02", "no text"),
    ("keep.xml.gz", gzip.compress(b"precious\n"), "a note that is packed"),
    ("keep.xml.gz", gzip.compress(b"precious\n")[:12], "what is left of it"),
    ("robots.txt", b"User-agent: *\nDisallow: /cart\n", "rules for crawlers"),
    ("robots.txt", b"Sitemap: https://shop.example/sitemap.xml\n", "a robots.txt that only names a sitemap"),
    ("notes.txt", b"https://shop.example/tea\nbuy more of it\n", "notes after an address"),
    ("notes.txt", b"buy more of it\nhttps://shop.example/tea\n", "an address after notes"),
    ("notes.txt", b"https://shop.example/tea is good\n", "an address and a note in a line"),
    ("table.txt", b"loc\nhttps://shop.example/tea\n", "a table"),
    ("table.txt", b"https://shop.example/tea,0.5\nhttps://shop.example/lamp,x y\n", "a table without a head"),
]


@pytest.mark.parametrize(("to", "content", "reason"), THEIRS, ids=[reason for *_, reason in THEIRS])
def test_a_single_file_of_others_stays(table: Path, to: str, content: bytes, reason: str) -> None:
    (table / to).write_bytes(content)
    before = names(table)
    code, out, err = run("write", "t.csv", "--to", to, cwd=table)
    assert (code, out) == (2, ""), reason
    assert err == (
        f"error: {to} is there, and urlset did not write it; choose another folder, move the file away, "
        f"or replace it with force=True (--force): {to}\n"
    )
    assert (table / to).read_bytes() == content
    assert names(table) == before
    assert run("write", "t.csv", "--to", to, "--force", cwd=table).code == 0
    assert [url.loc for url in urlset.read((table / to).read_bytes())] == [LOCS[0]]
    assert run("write", "t.csv", "--to", to, cwd=table).code == 0, "now it is ours"


def test_a_pipe_of_others_stays(table: Path) -> None:
    os.mkfifo(table / "fifo.xml")
    with pytest.raises(StoreError, match=r"fifo.xml is there, and urlset did not write it"):
        urlset.write([LOCS[0]], table / "fifo.xml")
    assert (table / "fifo.xml").is_fifo()


OURS = [
    ("sitemap.xml", b"", "an empty file, as mktemp makes it"),
    ("sitemap.xml", SITEMAP.encode(), "the sitemap of another program"),
    ("sitemap.xml", f"<!--{'x' * 5_000}-->{SITEMAP}".encode(), "one that begins late"),
    ("sitemap.xml", f'<s:urlset xmlns:s="{XMLNS[7:-1]}">'.encode(), "one that is cut"),
    ("sitemap.xml", f"<sitemapindex {XMLNS}></sitemapindex>".encode(), "an index"),
    ("sitemap.xml", gzip.compress(SITEMAP.encode()), "one that is packed under another name"),
    ("sitemap.xml", SITEMAP.encode("utf-16"), "one in UTF-16"),
    ("sitemap.xml.gz", gzip.compress(SITEMAP.encode() + b" " * 10_000_000), "one that is large when unpacked"),
    ("sitemap.txt", b"\xef\xbb\xbfhttps://shop.example/a\r\nhttps://shop.example/b\r\n", "a list"),
    ("sitemap.txt", b"https://shop.example/12345\n" * 5_000, "a long list"),
    ("sitemap.txt.gz", gzip.compress(b"https://shop.example/12345\n" * 500_000), "one that is packed"),
]


@pytest.mark.parametrize(("to", "content", "reason"), OURS, ids=[reason for *_, reason in OURS])
def test_a_single_file_takes_the_place_of_its_like(table: Path, to: str, content: bytes, reason: str) -> None:
    (table / to).write_bytes(content)
    assert run("write", "t.csv", "--to", to, "-q", cwd=table) == (0, "", ""), reason
    assert [url.loc for url in urlset.read(table / to)] == [LOCS[0]]


@pytest.mark.parametrize("to", ["sitemap.xml", "sitemap.xml.gz", "sitemap.txt", "sitemap.txt.gz"])
def test_every_night_the_same_command(table: Path, to: str) -> None:
    pages: list[list[str]] = [LOCS, [], [], LOCS[:1], [f"{SHOP}thé{number}" for number in range(5_000)], LOCS]
    for rows in pages:
        (table / "t.csv").write_text("".join(f"{line}\n" for line in ["loc", *rows]))
        code, _, err = run("write", "t.csv", "--to", to, "--allow-empty", cwd=table)
        assert (code, err) == (0, ""), f"{len(rows)} rows"


def test_every_night_an_index(table: Path) -> None:
    (table / "t.xml").write_text(f"<sitemapindex {XMLNS}><sitemap><loc>{LOCS[0]}</loc></sitemap></sitemapindex>")
    for _ in range(2):
        assert urlset.write(urlset.read(table / "t.xml", follow=False), table / "index.xml").urls == 1


def test_a_file_of_a_set_may_be_written_alone(table: Path) -> None:
    assert run("write", "t.csv", "--base", SHOP, "--to", "set", "--no-gzip", cwd=table).code == 0
    (table / "set" / "sitemap-00001.xml").write_text("damaged, but on the list of ours")
    assert run("write", "t.csv", "--to", "set/sitemap-00001.xml", cwd=table).code == 0


def test_a_list_of_ours_that_is_damaged_helps_nobody(table: Path) -> None:
    (table / ".urlset.json").write_text("{}")
    (table / "sitemap.xml").write_text(SITEMAP)
    (table / "keep.xml").write_text("precious")
    assert run("write", "t.csv", "--to", "sitemap.xml", cwd=table).code == 0
    code, _, err = run("write", "t.csv", "--to", "keep.xml", cwd=table)
    assert code == 2
    assert "the list of what urlset wrote is damaged" in err
    assert (table / "keep.xml").read_text() == "precious"


# Standard output that is a source


def shell(line: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash; no file can grow past a megabyte."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    return subprocess.run(
        ["bash", "-c", line.replace("urlset", COMMAND[0], 1)],
        cwd=cwd,
        env=environment(),
        capture_output=True,
        preexec_fn=bounded,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "line",
    [
        "urlset read big.txt --format urls >> big.txt",
        "urlset read big.txt -o - --format urls >> big.txt",
        "urlset read big.txt --format urls 1<> big.txt",
        "urlset read link.txt --format urls >> big.txt",
        "urlset read big.txt --format urls >> hard.txt",
        "urlset read small.txt big.txt --format json >> big.txt",
        "urlset read 'b*.txt' --format urls >> big.txt",
        "urlset read . --format urls >> urls.txt",
        "urlset read 'su*' --format urls >> sub/urls.txt",
        "urlset read - --format urls < big.txt >> big.txt",
        "urlset read big.txt -o rows.csv --findings - >> big.txt",
    ],
)
def test_no_source_is_standard_output(tmp_path: Path, line: str) -> None:
    text = "".join(f"{SHOP}p/{number}\n" for number in range(20_000))
    for name in ("big.txt", "urls.txt"):
        (tmp_path / name).write_text(text)
    (tmp_path / "small.txt").write_text(f"{LOCS[0]}\n")
    (tmp_path / "link.txt").symlink_to("big.txt")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "urls.txt").write_text(text)
    (tmp_path / "hard.txt").hardlink_to(tmp_path / "big.txt")
    before = names(tmp_path)
    done = shell(line, tmp_path)
    assert (done.returncode, done.stderr.decode()) == (2, f"error: {AMONG}: standard output\n")
    assert (tmp_path / "big.txt").read_text() == (tmp_path / "urls.txt").read_text() == text
    assert names(tmp_path) == before


@pytest.mark.parametrize(
    "line",
    [
        "urlset read small.txt --format urls >> all.lst",
        "urlset read . --format urls >> all.lst",
        "urlset read 's*.txt' --format urls >> all.lst",
        "urlset read small.txt -o rows.csv >> small.txt",
        "urlset read - --format urls < small.txt >> all.lst",
        "urlset read small.txt --format urls >> /dev/null",
    ],
)
def test_standard_output_beside_the_sources(tmp_path: Path, line: str) -> None:
    (tmp_path / "small.txt").write_text(f"{LOCS[0]}\n")
    (tmp_path / "urls.txt").write_text(f"{LOCS[0]}\n")
    done = shell(line, tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "small.txt").read_text() == f"{LOCS[0]}\n"


def test_what_an_index_names_may_grow_by_what_is_read_of_it(tmp_path: Path) -> None:
    text = "".join(f"{SHOP}p/{number}\n" for number in range(17_000))
    (tmp_path / "one.txt").write_text(text)
    (tmp_path / "i.xml").write_text(f"<sitemapindex {XMLNS}><sitemap><loc>{SHOP}one.txt</loc></sitemap></sitemapindex>")
    done = shell("urlset read i.xml --format urls >> one.txt", tmp_path)
    assert (done.returncode, done.stderr.decode()) == (2, f"error: {AMONG}: standard output\n")
    assert (tmp_path / "one.txt").read_text() == text * 2, "once, and not for ever"


def test_no_table_is_standard_output(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(f"{LOCS[0]}\n")
    for line in (
        "urlset write t.txt --to - >> t.txt",
        "urlset write t.txt --to - 1<> t.txt",
        "urlset write - --to - < t.txt >> t.txt",
    ):
        done = shell(line, tmp_path)
        assert done.returncode == 2, done.stderr
        assert b"the table and the destination are one file" in done.stderr
        assert (tmp_path / "t.txt").read_text() == f"{LOCS[0]}\n"
    assert shell("urlset write t.txt --to - >> all.xml", tmp_path).returncode == 0


# Patterns


@pytest.mark.parametrize(
    ("pattern", "output"),
    [
        ("a*.xml", "a1.xml"),
        ("a*.xml", "./sub/../a1.xml"),
        ("./a*.xml", "a1.xml"),
        ("{here}/a*.xml", "a1.xml"),
        ("a*.xml", "{here}/a1.xml"),
        ("a*.x[lm]l", "a1.xml"),
        ("*/b*.xml", "sub/b1.xml"),
        ("sub/*", "sub/b1.xml"),
        ("sub/../a*.xml", "a1.xml"),
        ("link/b*.xml", "sub/b1.xml"),
        ("sub/b*.xml", "link/b1.xml"),
        ("*k/b*.xml", "link/b1.xml"),
        ("**", "sub/b1.xml"),
        ("**/b*.xml", "sub/b1.xml"),
        ("**/a*.xml", "a1.xml"),
        ("s*", "sub/b1.xml"),
        (".a*.xml", ".a1.xml"),
    ],
)
def test_an_output_that_a_pattern_would_read(tmp_path: Path, pattern: str, output: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to("sub")
    for name in ("a.xml", ".a.xml", "sub/b.xml"):
        (tmp_path / name).write_text(SITEMAP)
    output, pattern = (text.replace("{here}", str(tmp_path)) for text in (output, pattern))
    for _ in range(2):
        code, out, err = run("read", pattern, "-o", output, "--format", "urls", cwd=tmp_path)
        assert (code, out, err) == (2, "", f"error: {AMONG}: {output}\n")
    assert names(tmp_path) | names(tmp_path / "sub") == {"a.xml", ".a.xml", "b.xml", "sub", "link"}
    code, _, err = run("read", pattern, "-o", "all.csv", "--findings", output.replace(".xml", ".csv"), cwd=tmp_path)
    assert code == (2 if pattern in {"sub/*", "**"} else 0), err


@pytest.mark.parametrize(
    ("pattern", "output"),
    [
        ("a*.xml", "b1.xml"),
        ("a*.xml", "sub/a1.xml"),
        ("*/a*.xml", "a1.xml"),
        ("*.xml", ".a1.xml"),
        ("**/*.xml", ".hidden/a1.xml"),
        ("a*.xml", "A1.XML"),
        ("a*.xml", "a1.csv"),
    ],
)
def test_an_output_that_a_pattern_would_not_read(tmp_path: Path, pattern: str, output: str) -> None:
    for folder in ("sub", ".hidden"):
        (tmp_path / folder).mkdir()
    for name in ("a.xml", "sub/a.xml"):
        (tmp_path / name).write_text(SITEMAP)
    for _ in range(2):
        assert run("read", pattern, "-o", output, "--format", "urls", "-q", cwd=tmp_path) == (0, "", "")


def test_a_link_to_nowhere_is_no_source(tmp_path: Path) -> None:
    (tmp_path / "gone.xml").symlink_to("nowhere.xml")
    for source in ("gone.xml", "g*.xml"):
        code, _, err = run("read", source, "-o", "rows.csv", cwd=tmp_path)
        assert (code, err) == (2, "error: there is no such file: gone.xml\n")


# Pipes among files


def test_a_pattern_passes_over_pipes(tmp_path: Path) -> None:
    folder = tmp_path / "fi"
    folder.mkdir()
    (folder / "a.xml").write_text(SITEMAP)
    os.mkfifo(folder / "b.xml")
    (folder / "c.xml").symlink_to("/dev/zero")
    done = process("read", "fi/*", "--format", "urls", cwd=tmp_path)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, f"{LOCS[0]}\n", b"")
    (folder / "a.xml").unlink()
    done = process("read", "fi/*", "--format", "urls", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, b"error: no file fits this pattern: fi/*\n")


def test_a_pipe_that_is_named_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.xml")
    line = f"printf '{LOCS[0]}\\n' > a.xml & urlset read a.xml --format urls"
    done = shell(line, tmp_path)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, f"{LOCS[0]}\n", b"")

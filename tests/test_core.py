"""The binding: Arrow objects that other libraries take, and plain values without any library."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import urlset
from urlset import _core
from urlset._core import Batch, Reader, Schema, Stream, Table
from urlset.errors import OptionError, StreamConsumed

NESTED = pa.list_(pa.struct([("loc", pa.string()), ("tags", pa.list_(pa.string()))]))

# A column of each type that a table may bring along, with its hard values.
NAIVE = [datetime(1969, 12, 31, 23, 59, 59), None, datetime(2024, 2, 29)]  # noqa: DTZ001
ENDS = [datetime(1, 1, 1), None, datetime(9999, 12, 31, 23, 59, 59, 999_999)]  # noqa: DTZ001
COLUMNS: list[pa.Array] = [
    pa.array(["a", None, "ä\0"]),
    pa.array(["a", None, ""], pa.large_string()),
    pa.array(["a", None, "longer than twelve bytes"], pa.string_view()),
    pa.array([b"a", None, b"\xff"]),
    pa.array([b"a", None, b""], pa.large_binary()),
    pa.array([True, None, False]),
    *(pa.array([0, None, 127], kind) for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64())),
    *(pa.array([0, None, 255], kind) for kind in (pa.uint8(), pa.uint16(), pa.uint32())),
    pa.array([0, None, 2**64 - 1], pa.uint64()),
    pa.array([-(2**63), None, 2**63 - 1]),
    pa.array([0.5, None, float("inf")], pa.float32()),
    pa.array([0.1, None, -0.0]),
    pa.array([None, None, None]),
    pa.array([date(1, 1, 1), None, date(9999, 12, 31)]),
    *(pa.array(NAIVE, pa.timestamp(unit)) for unit in ("s", "ms")),
    pa.array(ENDS, pa.timestamp("us")),
    pa.array([datetime(1, 1, 1, tzinfo=UTC), None, datetime(2000, 3, 1, tzinfo=UTC)], pa.timestamp("us", "UTC")),
    pa.array(["x", None, "x"]).dictionary_encode(),
    pa.array([None, None, None], pa.dictionary(pa.int8(), pa.string())),
    pa.array([["a", None], None, []]),
    pa.array([[1], None, []], pa.large_list(pa.int64())),
    pa.array(
        [[{"loc": "a", "tags": ["x", None]}], None, [{"loc": None, "tags": None}, {"loc": "b", "tags": []}]], NESTED
    ),
    pa.array([{"a": 1, "b": None}, None, {"a": None, "b": "x"}]),
    pa.array([{}, None, {}], pa.struct([])),
]


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: str(column.type))
def test_values_are_those_of_pyarrow(column: pa.Array) -> None:
    whole = pa.record_batch({"x": column, "row": [0, 1, 2]})
    for rows in (whole, whole.slice(1), whole.slice(2), whole.slice(0, 0)):
        batch = Batch.from_arrow(rows)
        assert batch.column("x") == rows["x"].to_pylist()
        assert batch.to_pylist() == rows.to_pylist()
        assert [type(value) for value in batch.column("x")] == [type(value) for value in rows["x"].to_pylist()]


def test_nanoseconds_are_cut() -> None:
    column = pa.array([1, -1, None], pa.timestamp("ns", "UTC"))
    batch = Batch.from_arrow(pa.record_batch({"x": column}))
    assert batch.column("x") == [
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        None,
    ]


@pytest.mark.parametrize("micros", [2**63 - 1, -(2**63), 253_402_300_800_000_000, -62_135_596_800_000_001])
def test_instants_that_python_cannot_hold_are_none(micros: int) -> None:
    for unit in ("us", "s"):
        column = pa.array([micros], pa.int64()).cast(pa.timestamp(unit, "UTC"))
        assert Batch.from_arrow(pa.record_batch({"x": column})).column("x") == [None]


def test_a_type_that_no_table_has_is_a_type_error() -> None:
    batch = Batch.from_arrow(pa.record_batch({"x": pa.array([1], pa.duration("s"))}))
    with pytest.raises(TypeError, match="an Arrow library takes it"):
        batch.to_pylist()
    with pytest.raises(KeyError):
        batch.column("y")


def some(rows: int = 3) -> Batch:
    schema = pa.schema({"x": pa.int64(), "y": pa.string()})
    return Batch.from_arrow(pa.record_batch({"x": list(range(rows)), "y": ["a"] * rows}, schema))


def test_batches() -> None:
    batch = some()
    assert (batch.num_rows, len(batch), batch.column_names) == (3, 3, ["x", "y"])
    assert 3 * 8 + 3 <= batch.nbytes < 100
    assert batch.select(["y"]).to_pylist() == [{"y": "a"}] * 3
    assert batch.to_pylist(["y"]) == [{"x": 0}, {"x": 1}, {"x": 2}]
    assert [len(batch.slice(*part)) for part in [(0, 9), (1, 2), (3, 3), (2, 1), (9, 9)]] == [3, 1, 0, 0, 0]
    assert Batch.concat([batch, batch.slice(0, 1)]).column("x") == [0, 1, 2, 0]
    assert pa.record_batch(batch).to_pylist() == batch.to_pylist()
    with pytest.raises(ValueError, match="no batches"):
        Batch.concat([])
    with pytest.raises(OverflowError):
        batch.slice(-1, 2)
    assert "3 rows" in repr(batch)


def test_a_batch_without_columns_keeps_its_rows() -> None:
    assert some().select([]).num_rows == 3
    assert pa.record_batch(some().select([])).num_rows == 3


def test_schemas() -> None:
    schema = _core.schema()
    assert pa.schema(schema).names == schema.names
    assert len(schema) == len(schema.names)
    assert schema == _core.schema() != schema.select(["loc"])
    assert schema != "loc"
    assert schema.select(["priority", "loc"]).names == ["loc", "priority"]
    assert schema.with_metadata({"a": "b"}).metadata == {"a": "b"}
    assert schema.facts("priority") == {
        key.decode(): value.decode() for key, value in pa.schema(schema).field("priority").metadata.items()
    }
    with pytest.raises(KeyError):
        schema.facts("x")
    assert "loc: " in repr(schema)


CONSUMERS = [pa.table, pl.DataFrame, pd.DataFrame.from_arrow, lambda s: pa.RecordBatchReader.from_stream(s).read_all()]


@pytest.mark.parametrize("consumer", CONSUMERS, ids=["pyarrow", "polars", "pandas", "reader"])
def test_streams_are_taken_by_everyone(consumer: Any) -> None:
    stream = Stream(some().schema, [some(), pa.record_batch(some()), some(0)])
    assert len(consumer(stream)) == 6
    with pytest.raises(StreamConsumed):
        consumer(stream)
    table = Table(some().schema, [some(), some(0), some(1)])
    assert len(consumer(table)) == len(consumer(table)) == 4
    assert len(consumer(Table(_core.schema(), []))) == 0


def test_a_stream_is_cast_where_the_consumer_asks() -> None:
    wanted = pa.schema({"x": pa.int32(), "y": pa.large_string()})
    reader = pa.RecordBatchReader.from_stream(Stream(some().schema, [some()]), wanted)
    assert reader.schema.field("y").type == pa.large_string()
    assert reader.read_all()["x"].to_pylist() == [0, 1, 2]


def test_a_stream_is_pulled_while_it_is_asked() -> None:
    pulled: list[int] = []

    def batches() -> Iterator[Batch]:
        for at in range(10):
            pulled.append(at)
            yield some()

    reader = pa.RecordBatchReader.from_stream(Stream(some().schema, batches()))
    assert not pulled
    reader.read_next_batch()
    assert len(pulled) <= 2


def test_what_a_stream_cannot_pass_on_is_an_error() -> None:
    def fails() -> Iterator[Batch]:
        yield some()
        raise ValueError("because\0of this")

    for batches, said in [
        (fails(), r"ValueError: because\\0of this"),
        ([some().select(["x"])], "has the columns"),
        ([7], "__arrow_c_array__"),
    ]:
        with pytest.raises((OSError, pa.ArrowException), match=said):
            pa.table(Stream(some().schema, batches))
    with pytest.raises(TypeError):
        Stream(some().schema, 7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="columns of its schema"):
        Table(_core.schema(), [some()])


def test_tables() -> None:
    table = Table(some().schema, [some(), some(0), some(2)])
    assert (len(table), table.num_rows, table.column_names) == (5, 5, ["x", "y"])
    assert [row["x"] for row in table.to_pylist()] == [0, 1, 2, 0, 1]
    assert [[row["x"] for row in table.rows(*part)] for part in [(1, 4), (3,), (4, 99), (5, 9), (2, 1)]] == [
        [1, 2, 0],
        [0, 1],
        [1],
        [],
        [],
    ]
    assert (table[0]["x"], table[-1]["x"], table[4]) == (0, 1, {"x": 1, "y": "a"})
    for at in (5, -6):
        with pytest.raises(IndexError):
            table[at]
    assert [len(batch) for batch in table.batches()] == [3, 0, 2]
    assert isinstance(table.schema, Schema)
    assert "5 rows" in repr(table)


def test_faults() -> None:
    (row,) = _core.fault("IDX010", file="a.xml", value="b.xml", entry=3, count=2).to_pylist()
    assert (row["name"], row["file"], row["entry"], row["count"]) == ("index-child-missing", "a.xml", 3, 2)
    assert row["line"] is None
    with pytest.raises(OptionError, match="XYZ"):
        _core.fault("XYZ")


@pytest.mark.parametrize("data", ["text", 7, None, memoryview(b"abcd").cast("i"), memoryview(b"abcd")[::2]])
def test_a_reader_takes_bytes_alone(data: Any) -> None:
    reader = Reader()
    with pytest.raises((TypeError, ValueError, BufferError)):
        reader.feed(data)
    reader.feed(b"https://a.example/")  # and is none the worse for it
    reader.finish()
    assert reader.batches()[0].num_rows == 1


@pytest.mark.parametrize("word", ["relative", "relative_children"])
def test_a_reader_knows_its_words(word: str) -> None:
    with pytest.raises(OptionError, match=f"{word} is"):
        Reader(**{word: "maybe"})  # type: ignore[arg-type]


def test_codes_are_registered_once() -> None:
    rows = _core.codes()
    assert len({row["code"] for row in rows}) == len({row["name"] for row in rows}) == len(rows) > 300
    assert {row["severity"] for row in rows} == {"info", "warning", "error"}


@pytest.mark.parametrize("chunk", [1, 7, 10_000])
def test_a_limit_on_text_can_be_lifted(chunk: int) -> None:
    data = b"<urlset><!-- <a> --><?p <b> ?><url><loc><![CDATA[https://a.example/]]></loc></url> <<<url><loc> /b"
    found = []
    for max_text in (None, 1_000_000):
        reader = Reader(max_text=max_text)
        for at in range(0, len(data), chunk):
            reader.feed(data[at : at + chunk])
        reader.finish()
        findings = reader.findings()
        found.append(([b.to_pylist() for b in reader.batches()], findings and findings.to_pylist(), reader.entries))
    assert found[0] == found[1]
    assert found[0][0][0][0]["loc"] == "https://a.example/"


def test_columns_without_a_value_weigh_by_their_rows() -> None:
    """They share memory, of which a batch of one row has little."""
    one = b"<urlset><url><loc>https://a.example/</loc></url></urlset>"
    (batch,) = urlset.read(one).batches()
    assert batch.num_rows == 1
    assert len("https://a.example/") < batch.nbytes < 5_000


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="affinity is set so on Linux alone")
def test_parallelism_is_what_the_process_may_use() -> None:
    assert 1 <= _core.parallelism() <= len(os.sched_getaffinity(0))
    narrow = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})"
    ask = "from urlset import _core; print(_core.parallelism())"
    told = subprocess.run([sys.executable, "-c", f"{narrow}; {ask}"], check=True, capture_output=True, text=True)
    assert told.stdout == "1\n"

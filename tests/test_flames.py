"""Flame graphs without perf: stacks from a call graph."""

from __future__ import annotations

from bench.flames import fold

# `shared` costs 40 when `left` calls it and 20 when `right` does; 30 of these 60 are its own.
GRAPH = """
fn=main
10 10
cfn=left
calls=1 20
11 50
cfn=right
calls=1 30
12 25

fn=left
20 10
cfn=shared
calls=2 40
+1 40

fn=right
30 5
cfn=shared
calls=1 40
* 20

fn=shared
40 30
cfn=leaf
calls=3 50
41 30

fn=leaf
50 30
"""


def test_costs_go_to_callers_by_what_their_calls_cost() -> None:
    stacks = dict(line.rsplit(" ", 1) for line in fold(GRAPH).splitlines())
    assert stacks == {
        "main": "10",
        "main;left": "10",
        "main;left;shared": "20",
        "main;left;shared;leaf": "20",
        "main;right": "5",
        "main;right;shared": "10",
        "main;right;shared;leaf": "10",
    }


def test_what_calls_itself_is_counted_once() -> None:
    graph = "fn=main\n1 5\ncfn=again\ncalls=1 2\n1 8\n\nfn=again\n2 8\ncfn=again\ncalls=1 2\n2 4\n"
    stacks = dict(line.rsplit(" ", 1) for line in fold(graph).splitlines())
    assert set(stacks) == {"main", "main;again"}

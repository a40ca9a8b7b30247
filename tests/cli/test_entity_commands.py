"""Entities: found, named, merged and split by a person, each undoable."""

import json
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]

ANA = ("--scope", "user:ana")


@pytest.fixture
def named(talks: Run) -> Run:
    """Facts of Ana and of Ana Reis."""
    for about, place in (("Ana", "Leeds"), ("Ana Reis", "Porto")):
        done = talks(
            "remember", f"We live in {place}.", "--about", about, "--predicate", "lives_in",
            "--object", place, *ANA,
        )  # fmt: skip
        assert done.code == 0
    return talks


def test_find_takes_exact_names_and_suggests_similar_ones(named: Run) -> None:
    exact = named("entity", "find", "ana", *ANA)
    assert exact.lines[0].split("\t")[1:4] == ["Ana", "person", "1"]
    near = named("entity", "find", "Ana Reiss", *ANA)
    assert near.lines[0].split("\t")[1] == "Ana Reis"
    assert "None has just that name" in near.err
    assert "Nothing of that name" in named("entity", "find", "zeppelin", *ANA).err
    assert named("entity", "find", "Ana", "--scope", "user:lin").out == ""


def test_show_gives_one_by_name_or_id(named: Run) -> None:
    answer = json.loads(named("entity", "show", "Ana", *ANA, "-o", "json").out)
    assert answer["schema"] == "memorycore.entities.v1"
    [entity] = answer["entities"]
    assert (entity["name"], entity["facts"]) == ("Ana", 1)
    assert named("entity", "show", entity["id"][:24], *ANA).code == 0
    assert named("entity", "show", "nobody", *ANA).code == 4
    assert named("entity", "show", entity["id"], "--scope", "user:lin").code == 4


def test_aliases_come_and_go(named: Run) -> None:
    done = named("entity", "alias", "add", "Ana", "安娜", *ANA)
    assert done.out == "Ana is also 安娜.\n"
    assert "undo: memoryctl undo op_" in done.err
    assert named("entity", "find", "安娜", *ANA).lines[0].split("\t")[1] == "Ana"
    assert named("entity", "alias", "add", "Ana", "安娜", *ANA).code == 2
    assert named("entity", "alias", "rm", "Ana", "安娜", *ANA).code == 0
    assert named("entity", "alias", "rm", "Ana", "安娜", *ANA).code == 4
    assert named("entity", "find", "安娜", *ANA).out == ""


def test_merging_moves_facts_and_undo_moves_them_back(named: Run) -> None:
    done = named("entity", "merge", "Ana", "Ana Reis", *ANA)
    assert done.out == "Ana Reis is now Ana.\n"
    merged = named("history", "--subject", "Ana", "--predicate", "lives_in", *ANA, "-o", "jsonl")
    assert {json.loads(line)["text"].split()[0] for line in merged.lines} == {"Ana"}
    assert named("undo", *ANA).code == 0
    assert named("list", "facts", "--subject", "Ana Reis", *ANA, "--fields", "text").lines == [
        "Ana Reis lives_in Porto"
    ]


def test_splitting_tells_two_of_one_name_apart(named: Run) -> None:
    named("remember", "我不喜欢早上八点开会", "--about", "Ana", *ANA)
    facts = named("list", "facts", "--subject", "Ana", *ANA, "-o", "id").lines
    done = named("entity", "split", "Ana", "--as", "neighbour", "--facts", facts[1], *ANA)
    assert done.code == 0
    assert "1 fact moved" in done.out
    assert [line.split("\t")[5] for line in named("entity", "find", "Ana", *ANA).lines][:2] == [
        "",
        "neighbour",
    ]
    assert named("entity", "show", "Ana", *ANA).code == 4
    assert named("entity", "split", "Ana", "--as", "x", "--facts", ",", *ANA).code == 2


def test_an_operation_is_json_when_asked_for(named: Run) -> None:
    done = named("entity", "alias", "add", "Ana", "Annie", *ANA, "-o", "json")
    answer = json.loads(done.out)
    assert answer["schema"] == "memorycore.operation.v1"
    assert answer["operation"]["kind"] == "entity"


def test_a_dry_run_names_nobody_anew(named: Run) -> None:
    facts = named("list", "facts", "--subject", "Ana", *ANA, "-o", "id").out.strip()
    before = named("log", "-o", "id").out
    for words in (
        ("alias", "add", "Ana", "安娜"),
        ("merge", "Ana", "Ana Reis"),
        ("split", "Ana", "--as", "x", "--facts", facts),
    ):
        done = named("entity", *words, "-n", *ANA)
        assert (done.code, "Nothing was changed." in done.err) == (0, True)
        assert done.out.startswith("Would be done: ")
    assert named("log", "-o", "id").out == before

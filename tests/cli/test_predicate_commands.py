"""Predicates: schemas that are listed, shown, set and added; and what a new store knows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]

MINE = """
[[predicate]]
name = "plays"
label_en = "plays"
label_zh = "演奏"
cardinality = "multi"
conflict_policy = "coexist"
"""


def test_list_and_show(talks: Run) -> None:
    assert "lives_in" in [line.split("\t")[0] for line in talks("predicate", "list").lines]
    shown = talks("predicate", "show", "resides_in")
    assert shown.lines[:2] == ["[[predicate]]", 'name = "lives_in"']
    answer = json.loads(talks("predicate", "show", "lives_in", "-o", "json").out)
    assert answer["predicate"]["cardinality"] == "single"
    assert talks("predicate", "show", "lives_in", "-o", "id").out == "lives_in\n"
    assert talks("predicate", "show", "nope").code == 4


def test_set_reads_values_as_their_field_is(talks: Run) -> None:
    done = talks(
        "predicate", "set", "likes", "importance=0.7", "aliases=enjoys,喜欢", "is_sensitive=true"
    )
    assert done.code == 0
    assert "undo: memoryctl undo op_" in done.err
    shape = json.loads(talks("predicate", "show", "likes", "-o", "json").out)["predicate"]
    assert (shape["importance"], shape["aliases"], shape["is_sensitive"]) == (
        0.7,
        ["enjoys", "喜欢"],
        True,
    )
    assert talks("undo").code == 0
    shape = json.loads(talks("predicate", "show", "likes", "-o", "json").out)["predicate"]
    assert shape["is_sensitive"] is False


def test_set_says_what_cannot_be(talks: Run) -> None:
    for change in ("importance=high", "is_sensitive=yes", "colour=1", "name=x", "importance"):
        done = talks("predicate", "set", "likes", change)
        assert (done.code, done.err.startswith("Error: ")) == (2, True), change
    assert "known ones are" in talks("predicate", "set", "likes", "colour=1").err
    impossible = talks("predicate", "set", "lives_in", "cardinality=multi")
    assert impossible.code == 2
    assert "Why: " in impossible.err


def test_what_facts_rest_on_is_not_rearranged(talks: Run) -> None:
    talks("remember", "I like tea", "--about", "Ana", "--predicate", "likes", "--object", "tea")
    done = talks("predicate", "set", "likes", "object_kind=literal")
    assert done.code == 6
    assert "cannot change while" in done.err


def test_add_takes_a_file_or_standard_input(talks: Run, home: Path) -> None:
    (home / "mine.toml").write_text(MINE, "utf-8")
    assert talks("predicate", "add", "mine.toml").code == 0
    assert talks("predicate", "show", "plays").code == 0
    again = talks("predicate", "add", "-", stdin=MINE.replace('"plays"\nlabel', '"sings"\nlabel'))
    assert again.code == 0
    assert talks("predicate", "add", "nowhere.toml").code == 2
    wrong = talks("predicate", "add", "-", stdin="[[predicate]]\nname = 1\n")
    assert wrong.code == 2
    assert wrong.err.startswith("Error: standard input: predicate number 1")


def test_a_new_store_knows_the_predicates_it_is_given(quick: Run, home: Path) -> None:
    (home / "mine.toml").write_text(MINE, "utf-8")
    made = quick("init-db", "--seed-predicates", "mine.toml")
    assert "predicates  1 seeded" in made.out
    assert [line.split("\t")[0] for line in quick("predicate", "list").lines] == ["plays"]


def test_a_store_without_predicates_stays_without(quick: Run) -> None:
    assert "predicates  0 seeded" in quick("init-db", "--seed-predicates", "none").out
    quick("init-db")
    assert quick("predicate", "list").out == ""
    assert json.loads(quick("stats", "-o", "json").out)["predicates"] == 0


def test_seeds_that_cannot_be_make_no_store(quick: Run, home: Path) -> None:
    (home / "bad.toml").write_text(MINE + 'opposite = "hates"\n', "utf-8")
    for seed in ("bad.toml", "nowhere.toml"):
        assert quick("init-db", "--seed-predicates", seed).code == 2
    assert quick("stats").code == 3


def test_a_store_that_is_there_keeps_its_predicates(talks: Run, home: Path) -> None:
    (home / "mine.toml").write_text(MINE, "utf-8")
    again = talks("init-db", "--seed-predicates", "mine.toml")
    assert "It keeps its predicates" in again.err
    assert talks("predicate", "show", "plays").code == 4


def test_a_dry_run_sets_nothing(talks: Run) -> None:
    before = talks("predicate", "show", "likes").out
    assert talks("predicate", "set", "likes", "importance=0.1", "-n").code == 0
    assert talks("predicate", "add", "-", "-n", stdin=MINE).code == 0
    assert talks("predicate", "show", "likes").out == before
    assert talks("predicate", "show", "plays").code == 4


def test_add_counts_and_writes_nothing_for_what_is_there(talks: Run) -> None:
    likes = talks("predicate", "show", "likes").out
    changed = talks("predicate", "show", "dislikes").out.replace(
        "is_sensitive = false", "is_sensitive = true"
    )
    before = talks("log", "-o", "id").out
    same = talks("predicate", "add", "-", stdin=likes)
    assert (same.code, same.out) == (0, "standard input: 1 unchanged. Nothing to do.\n")
    assert "undo" not in same.err
    assert talks("predicate", "set", "likes", "is_ranked=false").out.startswith("It is like that")
    assert talks("log", "-o", "id").out == before
    every = "\n".join([likes, changed, MINE])
    dry = talks("predicate", "add", "-", "-n", stdin=every)
    told = "standard input: 1 added, 1 changed, 1 unchanged\n"
    assert (dry.out, dry.err) == (f"Would take in {told}", "» Nothing was changed.\n")
    done = talks("predicate", "add", "-", "-o", "json", stdin=every)
    assert json.loads(done.out)["predicates"] == {
        "added": ["plays"],
        "changed": ["dislikes"],
        "unchanged": ["likes"],
    }
    assert "predicates are as they were before" in talks("undo").out


def test_a_hint_fits_predicates(talks: Run) -> None:
    assert "Try: importance=0.7" in talks("predicate", "set", "likes", "importance").err

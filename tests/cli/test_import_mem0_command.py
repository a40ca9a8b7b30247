"""memoryctl import mem0: shown, carried out, taken back; what was left out is told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
HERE = Path(__file__).parents[2] / "testdata" / "mem0"
MIRA = ("--scope", "agent:mira")


@pytest.fixture
def mira(quick: Run) -> Run:
    assert quick("init-db").code == 0
    return quick


def test_a_preview_writes_no_fact_and_says_what_was_left_out(mira: Run) -> None:
    done = mira("import", "mem0", str(HERE / "mx-1.jsonl"), "--preview", *MIRA)

    assert done.code == 0
    assert "ADD 2" in done.out
    assert "dropped   2" in done.out
    assert "noted     missing_hash 1" in done.out
    assert "Nothing was imported" in done.err
    assert mira("list", "facts", *MIRA).out == ""


def test_an_import_is_carried_out_and_taken_back(mira: Run) -> None:
    done = mira("import", "mem0", str(HERE / "mx-1.jsonl"), "--yes", *MIRA, "-o", "json")
    job = json.loads(done.out)["job"]

    assert (done.code, job["state"], job["imported"]) == (0, "committed", 2)
    facts = mira("list", "facts", *MIRA, "--fields", "text")
    assert facts.out == "mira note 喜欢乌龙茶\nmira note 每天早上写三页字\n"
    assert mira("import", "undo", job["id"], *MIRA).code == 0
    assert mira("list", "facts", *MIRA).out == ""


def test_problems_are_listed_with_their_places(mira: Run) -> None:
    done = mira("import", "mem0", str(HERE / "mx-1.jsonl"), "--preview", *MIRA, "-o", "json")
    shown = mira("import", "show", json.loads(done.out)["job"]["id"], "--problems", *MIRA)

    assert "mx-1.jsonl line 3   null_payload: the payload is null" in shown.out
    assert "mx-1.jsonl line 2   missing_hash: the hash is missing" in shown.out


def test_an_export_may_come_from_standard_input(mira: Run) -> None:
    rows = (HERE / "mx-6.jsonl").read_text("utf-8")
    assert mira("import", "mem0", "-", "--yes", "--scope", "user:ana", stdin=rows).code == 0

    asked = ("--scope", "user:ana", "--fields", "text")
    assert mira("as-of", "2025-01-20", *asked).out == "ana note Lives in Porto\n"
    assert mira("as-of", "2025-02-20", *asked).out == "ana note Lives in Braga\n"


def test_the_registry_of_tags_is_listed(mira: Run) -> None:
    noa = ("--scope", "agent:noa")
    mira("import", "mem0", str(HERE / "noa.mem0.jsonl"), "--yes", *noa)
    for month in ("may", "june"):
        path = str(HERE / f"noa.{month}.claims.jsonl")
        assert mira("learn", "--from", path, "--strict", *noa).code == 0

    listed = mira("list", "tags", *noa, "--fields", "tag_id,count,first_seen_at")
    assert listed.out == "tag:不够有趣\t1\t2025-05-02T13:00:00Z\n"


def test_claims_are_listed_as_the_stream_that_they_came_in(mira: Run) -> None:
    noa = ("--scope", "agent:noa")
    mira("import", "mem0", str(HERE / "noa.mem0.jsonl"), "--yes", *noa)
    mira("learn", "--from", str(HERE / "noa.may.claims.jsonl"), *noa)

    listed = mira("list", "claims", *noa)

    records = [json.loads(line) for line in listed.lines]
    assert [one["record_type"] for one in records] == ["entity"] * 6 + ["claim"] * 5
    assert "5 claims in agent:noa" in listed.err

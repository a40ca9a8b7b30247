"""memoryctl eval rules and eval extract."""

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

LINES = [
    {"id": "en-1", "lang": "en", "text": "I live in Leeds.", "speaker": "Ana", "at": "2025-02-11",
     "expect": [{"predicate": "lives_in", "object": "Leeds"}]},
    {"id": "en-2", "lang": "en", "text": "The fridge hums.", "speaker": "Ana",
     "expect": [{"predicate": "dislikes", "object": "the hum", "quote": "hums"}]},
    {"id": "zh-1", "lang": "zh", "text": "如果我住在杭州就好了。", "speaker": "林岚",
     "expect": [], "trap": "wish"},
]  # fmt: skip
TEXT = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in LINES)
SHA = "sha256:" + hashlib.sha256(TEXT.encode()).hexdigest()


@pytest.fixture
def labels(home: Path) -> str:
    (home / "l.jsonl").write_text(TEXT, "utf-8")
    return "l.jsonl"


def test_the_patterns_are_measured_without_a_store(quick: Run, home: Path, labels: str) -> None:
    done = quick("eval", "rules", labels, "--report", "r.json")

    report = json.loads((home / "r.json").read_text("utf-8"))
    assert done.code == 0
    assert report["schema"] == "memorycore.eval_extraction.v1"
    assert report["data"] == {"sentences": SHA}
    assert report["by_predicate"]["lives_in"]["admitted"]["recall"] == 1.0
    assert report["by_predicate"]["dislikes"]["all"]["precision"] is None
    assert (report["traps"]["sentences"], report["traps"]["proposed"]) == (1, 0)
    row = next(one for one in done.lines if one.startswith("overall"))
    assert row.split()[1:] == ["1", "0", "1", "1.000", "0.500"] * 2
    assert "1 trap: 0 led to a wrong candidate (0.000), 0 to a false admission" in done.out
    assert SHA in done.out
    assert "r.json" in done.err
    assert not list(home.rglob("*.db"))


def test_json_is_one_document_and_text_is_for_people(quick: Run, labels: str) -> None:
    shown = json.loads(quick("eval", "rules", labels, "-o", "json").out)
    assert shown["sentences"] == 3
    assert shown["config"]["memorycore"]
    assert "wrong" not in shown


def test_what_was_read_wrongly_is_listed(quick: Run, labels: str) -> None:
    done = quick("eval", "rules", labels, "--wrong")
    assert "en-2  The fridge hums.\n  missed   dislikes the hum\n" in done.out
    assert "en-1" not in done.out
    assert "--wrong" in quick("eval", "rules", labels).err


def test_sentences_come_from_standard_input_and_packed_files(quick: Run, home: Path) -> None:
    piped = quick("eval", "rules", "-", "--language", "en", "-o", "json", stdin=TEXT)
    (home / "l.jsonl.gz").write_bytes(gzip.compress(TEXT.encode()))
    packed = quick("eval", "rules", "l.jsonl.gz", "--limit", "1", "-o", "json")

    assert (json.loads(piped.out)["sentences"], json.loads(piped.out)["data"]) == (
        2, {"sentences": SHA},
    )  # fmt: skip
    assert json.loads(packed.out)["sentences"] == 1


def test_a_bad_line_is_an_error_that_says_where_and_what(quick: Run) -> None:
    bad = json.dumps(LINES[0] | {"lang": "fr"})
    done = quick("eval", "rules", "-", stdin=f"{TEXT}{bad}\n")

    assert (done.code, done.out) == (2, "")
    assert "standard input line 4: lang: input should be 'en' or 'zh'" in done.err
    assert "memoryctl help labels" in done.err
    assert quick("help", "labels").code == 0
    assert quick("eval", "rules", "nowhere.jsonl").code == 2


def test_without_a_model_extract_measures_the_patterns(quick: Run, labels: str) -> None:
    one = json.loads(quick("eval", "rules", labels, "-o", "json").out)
    other = json.loads(quick("eval", "extract", labels, "-o", "json").out)
    assert one | {"cost": 0} == other | {"cost": 0}


def test_a_model_needs_an_endpoint(quick: Run, labels: str) -> None:
    done = quick("eval", "extract", labels, "--model", "m")
    assert done.code == 2
    assert "--model-url" in done.err


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_model_is_asked_about_each_sentence(
    quick: Run, labels: str, serve: Callable[..., str]
) -> None:
    asked: list[str] = []

    def script(handler: Any, request: dict[str, Any]) -> None:
        new = request["messages"][1]["content"].split("<new_messages>")[1]
        asked.append(new)
        item = {"predicate": "lives_in", "object": "Leeds", "object_kind": "place",
                "quote": "I live in Leeds", "message": "m1", "confidence": 0.95}  # fmt: skip
        handler.say(json.dumps({"candidates": [item] if "Leeds" in new else []}))

    url = serve(script)
    done = quick("eval", "extract", labels, "--model", "m", "--model-url", url, "-o", "json")

    report = json.loads(done.out)
    assert (report["extractor"], report["model"]) == ("model", "m")
    assert report["by_language"]["en"]["admitted"]["right"] == 1
    assert report["cost"]["tokens"] == 30
    assert len(asked) == 3
    assert all(new.count('"text"') == 1 for new in asked)


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_what_a_model_answers_in_no_readable_form_is_told(
    quick: Run, labels: str, serve: Callable[..., str]
) -> None:
    def script(handler: Any, request: dict[str, Any]) -> None:
        is_odd = "fridge" in request["messages"][1]["content"]
        handler.say("I would rather not." if is_odd else '{"candidates": []}')

    url = serve(script)
    done = quick("eval", "extract", labels, "--model", "m", "--model-url", url)

    assert done.code == 0
    assert "1 sentence without an answer that could be read" in done.out

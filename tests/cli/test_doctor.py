"""memoryctl doctor: what is looked at, how it is told, and the exit codes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore.store.functions import register_functions

Run = Callable[..., Any]

KEY = "sk-secret-0123456789"


def states(done: Any) -> dict[str, str]:
    return {one["name"]: one["state"] for one in json.loads(done.out)["checks"]}


@pytest.mark.usefixtures("terminal")
def test_the_store_and_the_model_are_looked_at(talks: Run) -> None:
    done = talks("doctor")

    assert done.code == 0
    assert done.lines[0].startswith("ok    store      schema ")
    told = "off   model      none set: reading is by sentence patterns, and from files"
    assert told in done.lines


@pytest.mark.usefixtures("terminal")
def test_without_asking_a_configured_model_is_only_named(
    talks: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORYCORE_MODEL", "qwen3:8b")
    half = talks("doctor", "-o", "json")
    assert (half.code, states(half)["model"]) == (0, "warn")

    monkeypatch.setenv("MEMORYCORE_MODEL_URL", "http://127.0.0.1:9/v1")
    whole = talks("doctor")
    assert "qwen3:8b at http://127.0.0.1:9/v1, not asked   memoryctl doctor --model" in whole.out


def test_without_a_store_there_is_nothing_to_check(quick: Run) -> None:
    assert quick("doctor").code == 3


@pytest.mark.usefixtures("terminal")
def test_a_store_that_does_not_open_fails_the_check(quick: Run, home: Path) -> None:
    (home / "notes.db").write_text("not a database, but a text of some length\n" * 40)
    done = quick("doctor", "--db", "notes.db")

    assert done.code == 9
    assert done.lines[0].startswith("FAIL  store")
    assert done.lines[-1] == "1 failure"


def test_each_check_is_a_record(talks: Run) -> None:
    document = json.loads(talks("doctor", "-o", "json").out)
    assert document["schema"] == "memorycore.doctor.v1"
    warned = sum(one["state"] == "warn" for one in document["checks"])
    assert (document["ok"], document["failures"], document["warnings"]) == (True, 0, warned)
    assert set(document["checks"][0]) == {"name", "state", "detail", "fix"}
    assert talks("doctor", "-o", "csv").lines[0] == "name,state,detail,fix"
    assert talks("doctor", "--fields", "state,name").lines[0] == "ok\tstore"


def test_a_backup_that_is_missing_is_a_warning_and_strictly_a_failure(talks: Run) -> None:
    assert states(talks("doctor", "-o", "json"))["backup"] == "warn"
    assert talks("doctor", "--strict").code == 9
    assert talks("backup", "kept.db").code == 0
    assert states(talks("doctor", "-o", "json"))["backup"] == "ok"


def test_all_is_compared_when_that_is_asked_for(talks: Run) -> None:
    some = states(talks("doctor", "-o", "json"))
    every = states(talks("doctor", "--deep", "-o", "json"))

    assert set(every) - set(some) == {
        "schema", "links", "scopes", "spans", "room", "derived", "struck", "names",
        "words",
    }  # fmt: skip
    assert "fail" not in every.values()


@pytest.mark.usefixtures("terminal")
def test_what_differs_is_found_and_derived_anew(talks: Run, home: Path, raw: Any) -> None:
    talks("learn", "--scope", "user:ana")
    damage = raw(str(home / "data" / "memorycore" / "memory.db"))
    register_functions(damage)
    damage.execute("UPDATE scopes SET indexed_facts = indexed_facts + 3").fetchall()
    damage.execute("UPDATE facts SET confidence = 0.111").fetchall()
    damage.close()

    found = talks("doctor", "--deep")
    assert found.code == 9
    assert "FAIL  derived" in found.out
    assert "memoryctl doctor --fix" in found.out

    dry = talks("doctor", "--fix", "-n")
    assert (dry.code, "Nothing was changed." in dry.err) == (9, True)

    mended = talks("doctor", "--fix")
    assert mended.code == 0
    assert "Derived anew: " in mended.err
    assert talks("doctor", "--deep").code == 0


def test_the_log_is_verified_and_gives_a_line_to_keep(talks: Run, home: Path) -> None:
    done = talks("log", "verify")
    assert (done.code, len(done.lines)) == (0, 1)
    assert "both chains hold" in done.err
    (home / "kept.txt").write_text(done.out)

    talks("remember", "More tea. 再来一杯", "--scope", "user:ana")
    assert talks("log", "verify", "--checkpoint", "kept.txt").code == 0
    assert talks("log", "verify", "--checkpoint", done.out.strip()).code == 0

    other = done.out.strip()[:-4] + "0000"
    failed = talks("log", "verify", "--checkpoint", other, "-o", "json")
    assert (failed.code, json.loads(failed.out)["ok"]) == (9, False)
    assert talks("log", "verify", "--checkpoint", "no such").code == 2


def test_a_model_that_is_not_named_cannot_be_asked(talks: Run) -> None:
    failed = talks("doctor", "--model")

    assert failed.code == 2
    assert "No model is configured." in failed.err


@pytest.mark.usefixtures("terminal")
@pytest.mark.allow_hosts(["127.0.0.1"])
class TestAsking:
    """What an endpoint is asked, and what is told of it."""

    def test_an_endpoint_that_keeps_to_a_schema(self, talks: Run, serve: Any) -> None:
        def script(handler: Any, request: dict[str, Any]) -> None:
            form = request.get("response_format", {}).get("type")
            handler.say("A pear." if form is None else '{"word": "plum-7"}')

        done = talks("doctor", "--model", "m", "--model-url", serve(script), "-o", "json")

        assert done.code == 0
        told = ["model", "json_schema", "json_object", "usage", "speed"]
        assert list(states(done))[-len(told) :] == told
        assert {states(done)[name] for name in told} == {"ok"}

    def test_an_endpoint_that_takes_a_schema_and_ignores_it(self, talks: Run, serve: Any) -> None:
        url = serve(lambda handler, _: handler.say("A pear is sweet."))
        done = talks("doctor", "--model", "m", "--model-url", url)

        assert done.code == 0
        assert "warn  json_schema  taken and not enforced" in done.out
        warned = [line for line in done.lines if line.startswith("warn ")]
        assert len(warned) >= 2
        assert done.lines[-1] == f"{len(warned)} warnings"

    def test_the_questions_tell_nothing_of_anybody(self, talks: Run, serve: Any) -> None:
        seen: list[str] = []

        def script(handler: Any, request: dict[str, Any]) -> None:
            seen.append(json.dumps(request, ensure_ascii=False))
            handler.say("{}")

        talks("doctor", "--model", "m", "--model-url", serve(script))

        assert len(seen) >= 3
        for word in ("Leeds", "Porto", "Ana", "柏林", "芒果"):
            assert not any(word in one for one in seen)

    def test_an_endpoint_that_fails(
        self, talks: Run, serve: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MEMORYCORE_MODEL_KEY", KEY)
        body = {"error": {"message": f"no such key {KEY}", "code": "bad_key"}}
        url = serve(lambda handler, _: handler.answer(body, 401))
        done = talks("doctor", "--model", "m", "--model-url", url)

        assert done.code == 11
        assert (
            f"FAIL  model        {url} (m) declined the request. status 401 (bad_key)" in done.out
        )
        assert "check the key" in done.out
        assert KEY not in done.out + done.err

    def test_an_endpoint_can_be_asked_before_there_is_a_store(self, quick: Run, serve: Any) -> None:
        url = serve(lambda handler, _: handler.say("{}"))
        done = quick("doctor", "--model", "m", "--model-url", url)

        assert done.code == 0
        assert done.lines[0].startswith("off   store        No memory store at ")


def test_nobody_listens_and_the_attempts_are_not_talked_about(run: Run) -> None:
    done = run("doctor", "--model", "m", "--model-url", "http://127.0.0.1:9/v1")

    assert done.code == 11
    assert "model\tfail\thttp://127.0.0.1:9/v1 (m) cannot be reached." in done.out
    assert "speed\toff\tnot tried" in done.out
    assert done.err == ""

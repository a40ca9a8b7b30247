"""A format that is read line by line: page by page, as one operation, and never all at once."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from memorycore import errors
from memorycore.engine import import_apply


def write(path: Path, count: int) -> str:
    path.write_text("".join(f"The user likes tea number {number}.\n" for number in range(count)))
    return str(path)


def test_all_pages_are_one_operation_that_can_be_taken_back(
    desk: Any, lines: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_apply, "PAGE", 7)
    memory, before = desk.memory, desk.memory.digest()
    job = memory.import_(write(tmp_path / "tea.txt", 20), format=lines)
    seen: list[int] = []
    done = memory.import_apply(job.id, progress=seen.append)
    assert (done.at.imported, seen, done.source) == (20, [7, 14, 20], "tea.txt")
    assert [one.kind for one in memory.operations()] == ["import", "init"]
    assert memory.import_undo(job.id).facts_gone == 20
    assert memory.digest() == before


def test_what_has_come_before_is_ignored(desk: Any, lines: str, tmp_path: Path) -> None:
    memory = desk.memory
    memory.import_apply(memory.import_(write(tmp_path / "a", 3), format=lines).id)
    job = memory.import_(write(tmp_path / "b", 5), format=lines)
    assert job.actions == {"ADD": 2, "IGNORE": 3}
    assert memory.import_apply(job.id).at.imported == 2


def test_what_is_no_record_is_counted(desk: Any, lines: str) -> None:
    job = desk.memory.import_(text="one tea\n\ntwo teas\n", format=lines)
    assert (job.at.total, job.dropped) == (2, 1)
    assert job.settings["dropped"] == [{"place": "line 2", "reason": "it is empty"}]


def test_a_packed_file_is_unpacked(desk: Any, lines: str, tmp_path: Path) -> None:
    path = tmp_path / "tea.gz"
    path.write_bytes(gzip.compress(b"The user likes tea.\n"))
    assert desk.memory.import_(path, format=lines).at.total == 1


def test_an_empty_stream_is_ready_as_there_is_nothing_to_import(desk: Any, lines: str) -> None:
    job = desk.memory.import_(text="", format=lines)
    assert (job.state, desk.memory.import_apply(job.id).state) == ("ready", "committed")


def test_a_stream_that_breaks_off_fails_and_says_what_to_do(
    desk: Any, lines: str, tmp_path: Path
) -> None:
    path = tmp_path / "broken.gz"
    text = "".join(f"The user likes tea number {number**9}.\n" for number in range(20_000))
    path.write_bytes(gzip.compress(text.encode())[:-9])
    with pytest.raises(errors.InvalidInputError, match="to its end"):
        desk.memory.import_(path, format=lines)
    [job] = desk.memory.import_jobs()
    assert job.state == "failed"
    assert job.at.last_error
    with pytest.raises(errors.InvalidInputError):
        desk.memory.import_apply(job.id)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        ({"text": "x", "format": "nothing"}, "no format"),
        ({}, "Say what is imported"),
        ({"source": "a", "text": "b"}, "Say what is imported"),
        ({"text": "  \n"}, "nothing to import"),
        ({"text": "{}", "decider": "nobody"}, "no decider"),
        ({"text": "{}", "decider": "model"}, "name and an endpoint"),
        ({"text": "{}", "options": {"map": {}}}, "takes no options"),
        ({"text": "\ud800"}, "half a character"),
        ({"text": json.dumps({"candidates": [], "x": "y" * 1_000_001})}, "longer than"),
        ({"text": "é" * 2_100_000}, "larger than"),
    ],
)
def test_what_cannot_be_imported_is_named(desk: Any, call: dict[str, Any], match: str) -> None:
    with pytest.raises(errors.InvalidInputError, match=match):
        desk.memory.import_(**call)


def test_bytes_that_are_no_text_are_refused(desk: Any, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b'{"candidates": "\xff"}')
    with pytest.raises(errors.InvalidInputError, match="UTF-8"):
        desk.memory.import_(tmp_path / "x.json")
    assert desk.memory.import_jobs() == []


def test_a_document_that_cannot_be_read_is_kept_for_its_recovery(desk: Any) -> None:
    job = desk.memory.import_(text='Sure! {"candidates": []}')
    assert (job.state, job.at.total) == ("extracting", 0)
    assert "no external-memory JSON" in (job.at.parse_error or "")
    with pytest.raises(errors.InvalidInputError, match="extracting"):
        desk.memory.import_apply(job.id)


def test_a_document_that_cannot_be_read_and_holds_a_secret_is_not_kept(desk: Any) -> None:
    text = "Sure! sk-abcdEFGH1234567890abcdEFGH1234567890abcdEFGH1234"
    with pytest.raises(errors.SecretRefusedError):
        desk.memory.import_(text=text)
    assert desk.memory.import_jobs() == []


SECRET = "sk-abcdEFGH1234567890abcdEFGH1234567890abcdEFGH1234"


def test_a_secret_of_a_stream_is_never_stored(desk: Any, lines: str, world: Any, dump: Any) -> None:
    job = desk.memory.import_(text=f"one tea\nthe key is {SECRET}\n", format=lines)
    assert job.refused == ((2, "secret"),)
    with world.store.read() as db:
        assert SECRET not in repr(dump(db))
    assert desk.memory.import_apply(job.id).at.imported == 1


def test_a_secret_is_masked_or_kept_where_that_is_wanted(
    make_world: Any, make_desk: Any, lines: str
) -> None:
    with make_world() as world:
        for policy, is_there in (("mask", False), ("keep", True)):
            memory = world.memory.scoped(f"user:{policy}")
            memory._on_secret = policy
            job = memory.import_(text=f"the key is {SECRET}\n", format=lines)
            [item] = memory.import_items(job.id)
            assert (SECRET in item.label, item.label.startswith("the key is")) == (is_there, True)


def test_an_import_that_broke_off_goes_on_or_is_taken_back_but_is_not_decided_anew(
    desk: Any, lines: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_apply, "PAGE", 7)
    memory, before = desk.memory, desk.memory.digest()
    for goes_on in (True, False):
        job = memory.import_(write(tmp_path / "tea.txt", 20), format=lines)

        def stop(done: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            memory.import_apply(job.id, progress=stop)
        half = memory.import_job(job.id)
        assert (half.state, half.applied, half.at.imported) == ("ready", 7, 7)
        with pytest.raises(errors.InvalidInputError, match="in part"):
            memory.import_retry(job.id)
        memory.add(f"More was said: {goes_on}.")
        if goes_on:
            assert memory.import_apply(job.id).at.imported == 20
        memory.import_undo(job.id)
        memory.undo()
        assert (memory.import_job(job.id).state, memory.digest()) == ("undone", before)
        with pytest.raises(errors.MemoryCoreError):
            memory.import_apply(job.id)

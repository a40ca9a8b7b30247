"""What a caller hands in that cannot be is refused as such, by every door."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors

TEA = {"predicate": "likes", "object": "tea"}
WITH_NUL = [{"external_id": "e1\0"}, {"evidence": [{"external_id": "e1\0"}]}]


@pytest.mark.parametrize("way", WITH_NUL)
def test_an_external_id_with_a_nul_is_refused(story: Any, way: dict[str, Any]) -> None:
    with pytest.raises(errors.InvalidInputError, match=r"item 1: .*external_id"):
        story.memory.learn([TEA | way])


def test_a_line_with_such_an_id_does_not_stop_its_file(story: Any, tmp_path: Path) -> None:
    story.say("I like tea.")
    file = tmp_path / "candidates.jsonl"
    lines = [TEA | way for way in [*WITH_NUL, {"external_id": "e1"}]]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")

    result = story.memory.propose_file(file, learn=True)

    assert (result.quarantined, result.admitted) == (2, 1)


HALF = "\ud800"
"""Half a character: a lone surrogate."""


@pytest.mark.parametrize("path", ["a\0b", HALF, 1, None, b"store.db"])
def test_what_can_be_no_path_is_refused_by_every_door(
    story: Any, tmp_path: Path, path: Any
) -> None:
    memory = story.memory
    doors: list[Callable[[], object]] = [
        lambda: Memory.open(path),
        lambda: Memory.init(path),
        lambda: Memory.plan_migration(path),
        lambda: Memory.migrate(path),
        lambda: Memory.restore(path, tmp_path / "store.db"),
        lambda: Memory.restore(tmp_path / "backup.db", path),
        lambda: memory.ingest_file(path),
        lambda: memory.propose_file(path),
        lambda: memory.export_subject("user:ana", path),
    ]
    if path is not None:
        doors.append(lambda: memory.verify_receipts(copy=path))
    with Memory.open(tmp_path / "own.db") as stored:
        doors.append(lambda: stored.backup(path))
        for number, door in enumerate(doors):
            with pytest.raises(errors.InvalidInputError) as refused:
                door()
            assert refused.value.hint, number


def test_half_a_character_is_refused_in_what_names_something(story: Any, tmp_path: Path) -> None:
    doors: list[Callable[[], object]] = [
        lambda: story.memory.plan_forget(subject=HALF, level="soft"),
        lambda: story.memory.plan_forget(session=HALF, level="soft"),
        lambda: story.memory.plan_forget(query=HALF, level="soft"),
        lambda: story.memory.harvest(session=HALF),
        lambda: Memory.open(tmp_path / "store.db", language=HALF),
        lambda: Memory.init(tmp_path / "store.db", language=HALF),
    ]
    for door in doors:
        with pytest.raises(errors.InvalidInputError, match="half a character"):
            door()


@pytest.mark.parametrize("limit", [None, 10**30, -1, [], 1.5, True, "10"])
def test_what_is_no_limit_is_refused_by_every_list(story: Any, limit: Any) -> None:
    story.say("I like tea.")
    memory = story.memory
    doors: list[Callable[[], object]] = [
        lambda: memory.operations(limit=limit),
        lambda: memory.episodes(limit=limit),
        lambda: memory.receipts(limit=limit),
        lambda: memory.suppressions(limit=limit),
        lambda: memory.quarantined(limit=limit),
        lambda: memory.quarantined(after=limit),
        lambda: memory.search("tea", limit=limit),
    ]
    if limit is not None:
        doors += [lambda: list(memory.facts(limit=limit)), lambda: memory.harvest(limit=limit)]
    for door in doors:
        with pytest.raises(errors.InvalidInputError):
            door()


@pytest.mark.parametrize("share", [[], "0.5", 2, -0.1, float("nan"), True])
def test_what_is_no_share_is_refused(story: Any, share: Any) -> None:
    for door in (
        lambda: story.memory.search("tea", min_confidence=share),
        lambda: list(story.memory.facts(min_confidence=share)),
        lambda: story.memory.learn([], min_confidence=share),
    ):
        with pytest.raises(errors.InvalidInputError, match="between 0 and 1"):
            door()


@pytest.mark.parametrize("names", [None, 1, "user", ["king"], [[]], [None]])
def test_what_is_no_list_of_names_is_refused(story: Any, names: Any) -> None:
    for door in (
        lambda: story.memory.search("tea", roles=names),
        lambda: story.memory.search("tea", include=names),
        lambda: list(story.memory.facts(include=names)),
    ):
        with pytest.raises(errors.InvalidInputError):
            door()


@pytest.mark.parametrize("keep", [[], "3", 0, 1.5])
def test_so_many_backups_cannot_be_kept(tmp_path: Path, keep: Any) -> None:
    with Memory.open(tmp_path / "own.db") as memory, pytest.raises(errors.InvalidInputError):
        memory.backup(tmp_path, keep=keep)


def test_what_is_no_plan_and_no_id_is_not_forgotten(story: Any) -> None:
    with pytest.raises(errors.InvalidInputError):
        story.memory.forget(1)


def test_metadata_that_are_no_mapping_are_refused(story: Any) -> None:
    with pytest.raises(errors.InvalidInputError, match="meta"):
        story.memory.add("I like tea.", meta=1)

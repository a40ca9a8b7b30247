"""What was forgotten is in no review either: no record, no packet, no byte of them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory

WORD = "qhlwmtrpxk"
HAN = "鼋鼍魑魅魍魉"
TEXT = f"不要把 {WORD} 和 {HAN} 放进代码树"
PLAIN = "Stage only the files of the change"
SEARCH = """
import json, os, sys
path, words = sys.argv[1], json.loads(sys.argv[2])
found = 0
for end in ("", "-wal", "-journal"):
    if os.path.exists(path + end):
        with open(path + end, "rb") as file:
            data = file.read()
        for word in words:
            found += sum(data.count(word.encode(one)) for one in ("utf-8", "utf-16-le"))
print(found)
"""
TABLES = ("review_records", "review_queue", "review_observations", "review_uses", "changes",
          "review_removals", "review_applied")  # fmt: skip


def web(memory: Memory) -> Memory:
    return memory.scoped("project:web", ("user:ana",))


def language_of(text: str) -> str:
    return "zh-CN" if HAN in text else "en"


def observe(memory: Memory, change: str, text: str = TEXT, key: str = "k") -> str:
    told = {"language": language_of(text), "workflow": "build", "change": change}
    return memory.observe(text, candidate_key=key, **told).result


def queue(memory: Memory, change: str, text: str) -> None:
    packet = memory.review_packet(
        language=language_of(text),
        workflow="build",
        change=change,
        checkpoint="verified",
        evidence=[{"text": text, "candidateKey": "q"}],
    )
    memory.queue_review(packet)


def fill(memory: Memory) -> str:
    """Keep the words in every place that reviews have; give the fact that holds them."""
    queue(memory, "c5", PLAIN)
    for change in ("c1", "c2"):
        observe(memory, change)
        observe(memory, change, PLAIN, "plain")
    observe(memory, "c3", f"Never touch {WORD} in a release", "trial")
    queue(memory, "c4", TEXT)
    [fact] = [one for one in memory.facts() if WORD in one.text]
    memory.memory_used(fact.id, "used-successfully", change="c6")
    return fact.id


def left(world: Any, words: tuple[str, ...] = (WORD, HAN)) -> list[str]:
    rows = {table: repr(world.rows(f"SELECT * FROM {table}")) for table in TABLES}
    return [table for table, text in rows.items() if any(word in text for word in words)]


def test_purging_a_scope_takes_every_review_along(file_world: Any, run_python: Any) -> None:
    memory = web(file_world.memory)
    fill(memory)
    receipt = memory.forget(memory.plan_forget(subject="project:web", level="purge"))
    assert receipt.verification is not None
    assert receipt.verification.found == 0
    assert left(file_world, (WORD, HAN, "Stage only")) == []
    assert memory.review_records() == []
    assert {one.outcome for one in memory.review_queue()} == {"forgotten"}
    file_world.store.close()
    assert run_python(SEARCH, file_world.path, json.dumps([WORD, HAN])) == "0\n"


@pytest.mark.parametrize("level", ["hard", "purge"])
def test_forgetting_a_fact_takes_its_record_and_the_packets_that_quote_it(
    world: Any, level: str
) -> None:
    memory = web(world.memory)
    fact = fill(memory)
    if level == "purge":
        memory.forget(memory.plan_forget(fact, level="purge"))
    else:
        memory.forget(fact, level="hard")
    assert left(world, (HAN,)) == []
    assert sorted(one.text for one in memory.review_records()) == [
        f"Never touch {WORD} in a release", PLAIN,
    ]  # fmt: skip
    assert [one.outcome for one in memory.review_queue()] == [None, "forgotten"]
    assert observe(memory, "c9") == "ignored"


@pytest.mark.parametrize("level", ["hard", "redact", "purge"])
def test_forgetting_by_words_finds_candidates_on_trial_and_packets(world: Any, level: str) -> None:
    memory = web(world.memory)
    fill(memory)
    plan = memory.plan_forget(query=WORD, level=level, derived="forget")
    assert plan.counts["memories"] == 2
    assert plan.counts["packets"] == 1
    memory.forget(plan)
    assert left(world) == []
    assert [one.text for one in memory.review_records()] == [PLAIN]


def test_redacting_what_was_observed_takes_the_records_that_say_it(world: Any) -> None:
    memory = web(world.memory)
    fact = fill(memory)
    [found] = [one for one in memory.facts() if one.id == fact]
    for one in found.evidence:
        memory.forget(one.episode, level="redact")
    assert HAN not in repr(world.rows("SELECT * FROM review_records"))


def test_redacting_one_observation_leaves_the_memory_what_it_was(world: Any) -> None:
    memory = web(world.memory)
    fact = fill(memory)
    [found] = [one for one in memory.facts() if one.id == fact]
    memory.forget(found.evidence[0].episode, level="redact")
    [record] = [one for one in memory.review_records() if one.fact == fact]
    assert (record.authority, record.state) == ("inferred", "proven")
    told = {"language": "zh-CN", "workflow": "build", "change": "c8", "checkpoint": "检查点"}
    kinds = {one["id"]: one["kind"] for one in memory.review_packet(**told)["memories"]}
    assert kinds[fact] == "inferred"
    assert memory.memory_used(fact, "overridden", change="c9").result == "forgotten"


def test_what_rests_on_observations_alone_is_never_called_the_users_word(world: Any) -> None:
    memory = web(world.memory)
    fact = fill(memory)
    [found] = [one for one in memory.facts() if one.id == fact]
    for one in found.evidence:
        memory.forget(one.episode, level="redact")
    told = {"language": "zh-CN", "workflow": "build", "change": "c8", "checkpoint": "检查点"}
    shown = memory.review_packet(**told)["memories"]
    assert {one["kind"] for one in shown if WORD in one["text"]} <= {"inferred"}


def test_forgetting_somebody_takes_the_records_that_name_them(world: Any) -> None:
    memory = web(world.memory)
    memory.remember("Zelda Ornithopter reviews the release", about="Zelda Ornithopter",
                    predicate="note", object="reviews the release")  # fmt: skip
    observe(memory, "c1", "Ask Zelda Ornithopter before a release")
    queue(memory, "c2", "Ask Zelda Ornithopter before a release")
    memory.forget(memory.plan_forget(subject="Zelda Ornithopter", level="purge"))
    assert left(world, ("Zelda",)) == []


def test_hiding_takes_nothing_away_and_undo_brings_all_back(world: Any) -> None:
    memory = web(world.memory)
    fact = fill(memory)
    before = memory.review_records()
    receipt = memory.forget(fact, level="soft")
    assert len(memory.review_records()) == len(before) - 1
    memory.undo(receipt.operation)
    assert memory.review_records() == before


def test_a_backup_that_is_put_back_does_not_bring_back_what_was_forgotten_since(
    file_world: Any, tmp_path: Path, assert_sound: Callable[[str], None]
) -> None:
    memory = web(file_world.memory)
    fill(memory)
    copy = memory.backup(tmp_path / "kept.db")
    [trial] = [one for one in memory.review_records() if one.state == "trial"]
    memory.forget(trial.id, level="hard")
    [fact] = [one for one in memory.facts() if WORD in one.text]
    memory.forget(memory.plan_forget(fact.id, level="purge"))
    file_world.store.close()
    Memory.restore(copy.path, file_world.path)
    with Memory.open(file_world.path, scope="project:web", reads=["user:ana"]) as again:
        assert [one.text for one in again.review_records()] == [PLAIN]
        assert again.review_queue()[1].outcome == "forgotten"
    assert_sound(file_world.path)


def test_what_is_on_trial_is_handed_out_with_all_that_is_held(world: Any, tmp_path: Path) -> None:
    memory = web(world.memory)
    observe(memory, "c1", "Ask Zelda Ornithopter before a release")
    observe(memory, "c1", PLAIN, "plain")
    memory.remember("Zelda Ornithopter reviews it", about="Zelda Ornithopter")
    held = memory.subject("Zelda Ornithopter").to_dict()["memories"]
    assert [one["text"] for one in held] == ["Ask Zelda Ornithopter before a release"]
    assert len(memory.subject("project:web").memories) == 2
    memory.export_subject("project:web", tmp_path / "web.zip")
    memory.forget(held[0]["id"], level="soft")
    assert len(memory.subject("project:web").memories) == 1


def test_forgetting_what_was_over_takes_what_was_observed_until_then(world: Any) -> None:
    memory = web(world.memory)
    told = {"language": "en", "workflow": "build", "change": "c1"}
    memory.observe(PLAIN, candidate_key="old", at="2024-03-01", **told)
    memory.observe(f"Never touch {WORD} again", candidate_key="new", **told)
    memory.forget(memory.plan_forget(before="2024-06-01", level="purge"))
    assert [one.candidate_key for one in memory.review_records()] == ["new"]

"""What was forgotten after a backup is nowhere after it was put back, and cannot come in again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors

WORD, HAN = "zyxwvutsrq", "鼋鼍魑魅"
SENTENCES = (
    ("0", "I live in Porto."),
    ("1", f"I like {WORD}."),
    ("2", f"我喜欢{HAN}。"),
    ("3", "The key is under the pot."),
)
SEARCH = """
import json, sys
data = b"".join(open(path, "rb").read() for path in sys.argv[2:])
words = json.loads(sys.argv[1])
print(json.dumps([w for w in words for e in ("utf-8", "utf-16-le") if w.encode(e) in data]))
"""


def fill(path: str) -> None:
    with Memory.open(path, scope="user:ana") as memory:
        for number, text in SENTENCES:
            memory.add(text, speaker="Ana", external_id=number, session=f"s{number}")
        memory.learn(
            {"predicate": "likes", "object": {"name": name, "kind": "thing"},
             "external_id": number, "quote": text}
            for (number, text), name in zip(SENTENCES[1:3], (WORD, HAN), strict=True)
        )  # fmt: skip
        assert len(list(memory.facts())) == 2


@pytest.fixture
def backup(store_path: str, tmp_path: Path) -> str:
    fill(store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        return memory.backup(tmp_path / "kept.db").path


def state(path: str) -> dict[str, Any]:
    """Tell all that the doors show of a store."""
    with Memory.open(path, scope="user:ana", create=False) as memory:
        return {
            "episodes": sorted(one.text for one in memory.episodes()),
            "facts": sorted(one.text for one in memory.facts()),
            "found": [len(memory.search(word)) for word in (WORD, HAN, "Porto", "pot")],
            "rows": sorted(map(str, memory.sql("SELECT text FROM episodes"))),
            "entities": sorted(one.name for one in memory.entities()),
            "candidates": len(list(memory.candidates())),
            "stats": (memory.stats().episodes, memory.stats().facts),
        }


def episode_of(memory: Memory, number: int) -> str:
    return memory.episodes()[number].id


FORGET: dict[str, Callable[[Memory], object]] = {
    "purge an episode": lambda m: m.forget(m.plan_forget(episode_of(m, 1), level="purge")),
    "purge a session": lambda m: m.forget(m.plan_forget(session="s2", level="purge")),
    "purge by words": lambda m: m.forget(m.plan_forget(query=HAN, level="purge")),
    "purge a person": lambda m: m.forget(m.plan_forget(subject="Ana", level="purge")),
    "purge the scope": lambda m: m.forget(m.plan_forget(subject="user:ana", level="purge")),
    "clear a fact": lambda m: m.forget(next(iter(m.facts())).id, level="hard"),
    "clear a person": lambda m: m.forget(m.plan_forget(subject="Ana", level="hard")),
    "redact a text": lambda m: m.forget(episode_of(m, 2), level="redact"),
    "redact a text and facts": lambda m: m.forget(
        m.plan_forget(episode_of(m, 1), level="redact", derived="forget")
    ),
    "hide a text": lambda m: m.forget(episode_of(m, 2), level="soft"),
    "hide a fact": lambda m: m.forget(list(m.facts())[-1].id, level="soft"),
    "hide, then purge": lambda m: (
        m.forget(episode_of(m, 1), level="soft"),
        m.forget(m.plan_forget(session="s1", level="purge")),
    ),
}


@pytest.mark.parametrize("how", FORGET)
def test_every_door_shows_what_it_showed_after_the_forgetting(
    store_path: str, backup: str, how: str, assert_sound: Callable[[str], None]
) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        FORGET[how](memory)
        ids = [one.id for one in reversed(memory.receipts())]
    before = state(store_path)
    done = Memory.restore(backup, store_path)
    assert done.repeated == tuple(ids)
    assert state(store_path) == before
    assert_sound(store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        again = list(reversed(memory.receipts()))
        assert [one.repeats for one in again] == ids
        assert all(one.is_settled for one in again)
        assert memory.verify_log().fault is None


@pytest.mark.parametrize("how", ["purge an episode", "purge by words", "purge the scope"])
def test_what_was_purged_is_in_no_byte_of_the_store(
    store_path: str, backup: str, how: str, run_python: Any
) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        FORGET[how](memory)
    Memory.restore(backup, store_path)
    sought = [HAN] if how == "purge by words" else [WORD, WORD[-6:]]
    assert json.loads(run_python(SEARCH, json.dumps(sought), backup)) != []
    assert json.loads(run_python(SEARCH, json.dumps(sought), store_path)) == []


def test_a_hiding_that_was_taken_back_is_not_carried_out_again(
    store_path: str, backup: str
) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        receipt = memory.forget(episode_of(memory, 1), level="soft")
        memory.undo(receipt.operation)
    before = state(store_path)
    assert Memory.restore(backup, store_path).repeated == ()
    assert state(store_path) == before


def test_a_hiding_that_was_carried_out_again_can_be_taken_back(
    store_path: str, backup: str
) -> None:
    before = state(store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.forget(episode_of(memory, 1), level="soft")
    Memory.restore(backup, store_path)
    assert state(store_path) != before
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.undo(memory.receipts()[0].operation)
    assert state(store_path) == before


def test_what_may_not_come_back_is_refused_still(store_path: str, backup: str) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.forget(episode_of(memory, 1), level="redact")
        later = memory.add("Said later: qqwwee.", session="later")
        memory.forget(memory.plan_forget(later.id, level="purge"))
        held = len(memory.suppressions())
    done = Memory.restore(backup, store_path)
    assert len(done.repeated) == 2
    with Memory.open(store_path, scope="user:ana") as memory:
        assert len(memory.suppressions()) == held
        for text, session in ((SENTENCES[1][1], "s1"), ("Said later: qqwwee.", "later")):
            with pytest.raises(errors.SuppressedError):
                memory.add(text, session=session)


def test_what_may_not_come_back_is_one_thing_under_all_its_names(
    store_path: str, backup: str
) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.add_alias(WORD, "wulong")
        memory.forget(memory.plan_forget(next(iter(memory.facts())).id, level="purge"))
        held = [one.kind for one in memory.suppressions()]
    Memory.restore(backup, store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        assert [one.kind for one in memory.suppressions()] == held
        memory.add("What I like is wulong.", external_id="9")
        again = {"predicate": "likes", "object": "wulong", "external_id": "9"}
        assert memory.learn([again]).outcomes[0].decision.reason == "suppressed"
        memory.lift(next(one.id for one in memory.suppressions() if one.kind == "statement"))
        assert memory.learn([again]).outcomes[0].decision.kind == "add"


def test_what_was_let_in_again_may_come_in(store_path: str, backup: str) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        receipt = memory.forget(episode_of(memory, 1), level="redact")
        memory.lift(receipt.id)
    Memory.restore(backup, store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        assert memory.suppressions() == []
        assert memory.add(SENTENCES[1][1], session="s1").text == SENTENCES[1][1]


def test_a_key_that_was_destroyed_stays_so(store_path: str, tmp_path: Path) -> None:
    fill(store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        memory.forget(episode_of(memory, 1), level="redact")
        backup = memory.backup(tmp_path / "kept.db").path
        memory.destroy_suppression_key()
    assert Memory.restore(backup, store_path).missing_keys == ()
    with Memory.open(store_path, scope="user:ana") as memory:
        assert memory.suppressions() == []
        memory.add(SENTENCES[1][1], session="s1")


def test_with_a_reason_it_is_put_back_as_it_was(store_path: str, backup: str) -> None:
    before = state(backup)
    with Memory.open(store_path, scope="user:ana") as memory:
        FORGET["purge an episode"](memory)
    done = Memory.restore(backup, store_path, no_replay="court-order-7")
    assert (done.repeated, done.is_replayed) == ((), False)
    assert state(store_path) == before
    with Memory.open(store_path) as memory:
        [restored] = [one for one in memory.operations(all_scopes=True) if one.kind == "restore"]
    assert "court-order-7" in restored.actor
    with pytest.raises(errors.InvalidInputError):
        Memory.restore(backup, store_path, no_replay="A sentence that says why.")


def test_forgettings_of_other_scopes_are_carried_out_too(store_path: str, tmp_path: Path) -> None:
    fill(store_path)
    with Memory.open(store_path, scope="user:lin") as memory:
        text = memory.add("我对芒果过敏", session="t")
        backup = memory.backup(tmp_path / "kept.db").path
        memory.forget(memory.plan_forget(text.id, level="purge"))
    ana = state(store_path)
    Memory.restore(backup, store_path)
    assert state(store_path) == ana
    with Memory.open(store_path, scope="user:lin") as memory:
        assert (memory.stats().episodes, len(memory.search("芒果"))) == (0, 0)


def test_a_backup_from_before_another_that_was_put_back_follows_too(
    store_path: str, backup: str, tmp_path: Path
) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        later = memory.backup(tmp_path / "later.db").path
        FORGET["purge an episode"](memory)
        FORGET["redact a text"](memory)
    before = state(store_path)
    for one in (later, backup, later):
        Memory.restore(one, store_path)
        assert state(store_path) == before


def test_forgettings_without_ids_of_what_they_covered_are_told_by_what_is_gone(
    store_path: str, backup: str, raw: Any
) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        for how in ("hide a fact", "purge an episode"):
            FORGET[how](memory)
        memory.forget(episode_of(memory, 1), level="redact")
    connection = raw(store_path)
    connection.execute("DELETE FROM erasures").fetchall()
    connection.close()
    before = state(store_path)
    assert len(Memory.restore(backup, store_path).repeated) == 3
    assert state(store_path) == before


def test_plans_and_receipts_name_the_backups_that_still_hold_it(
    store_path: str, tmp_path: Path
) -> None:
    fill(store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        for _ in range(2):
            memory.backup(tmp_path / f"kept-{_}.db")
        plan = memory.plan_forget(episode_of(memory, 1), level="purge")
        assert [(one.kind, one.until) for one in plan.not_reached] == [("backup", None)] * 2
        receipt = memory.forget(plan)
        assert receipt.to_dict()["not_reached"] == [one.to_dict() for one in plan.not_reached]
        memory.backup(tmp_path / "after.db")
        assert len(memory.receipt(receipt.id).not_reached) == 2
        assert memory.plan_forget(episode_of(memory, 1), level="soft").not_reached == ()
        assert [one.forgotten_after for one in memory.backups()] == [1, 1, 0]


def test_a_backup_that_was_let_go_is_named_with_the_time(store_path: str, tmp_path: Path) -> None:
    fill(store_path)
    clock = iter(range(2 * 10**15, 3 * 10**15, 10**7)).__next__
    with Memory.open(store_path, scope="user:ana", clock=clock) as memory:
        memory.backup(tmp_path / "folder")
        receipt = memory.forget(episode_of(memory, 1), level="redact")
        made = memory.backup(tmp_path / "folder", keep=1)
        assert len(made.removed) == 1
        [left] = memory.receipt(receipt.id).not_reached
        assert left.until is not None
        assert [one.is_there for one in memory.backups()] == [False, True]


def test_a_store_that_was_put_back_knows_all_copies(
    store_path: str, backup: str, tmp_path: Path
) -> None:
    with Memory.open(store_path, scope="user:ana") as memory:
        FORGET["purge an episode"](memory)
        after = memory.backup(tmp_path / "after.db").path
    done = Memory.restore(backup, store_path)
    with Memory.open(store_path, scope="user:ana") as memory:
        known = {one.path: one.forgotten_after for one in memory.backups()}
        assert known == {backup: 1, after: 0, done.kept: 0}
        assert len(memory.receipts()[0].not_reached) == 1

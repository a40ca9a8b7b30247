"""Importing Mem0's exports: what they become, when it held, and that nothing comes in twice."""

import json
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory
from memorycore.engine.import_apply import PAGE
from memorycore.model.time import format_instant

HERE = Path(__file__).parents[2] / "testdata" / "mem0"
SHAPES = sorted(path.name for path in HERE.glob("mx-*"))

ADD = {"id": "h0", "memory_id": "7b1c", "new_memory": "Lives in Porto", "event": "ADD",
       "created_at": "2025-01-04T10:00:00Z"}  # fmt: skip
UPDATE = {"id": "h1", "memory_id": "7b1c", "old_memory": "Lives in Porto",
          "new_memory": "Lives in Braga", "event": "UPDATE", "created_at": "2025-01-04T10:00:00Z",
          "updated_at": "2025-02-01T08:00:00Z"}  # fmt: skip
DELETE = {"id": "h2", "memory_id": "7b1c", "old_memory": "Lives in Braga", "event": "DELETE",
          "created_at": "2025-01-04T10:00:00Z", "updated_at": "2025-03-01T08:00:00Z"}  # fmt: skip


@pytest.fixture
def ana(story: Any) -> Any:
    story.memory = story.memory.scoped("user:ana")
    return story


def take(story: Any, *records: Any) -> Any:
    """Import records, a line each, and carry the import out."""
    text = "".join(json.dumps(record) + "\n" for record in records)
    job = story.memory.import_(text=text, format="mem0")
    return story.memory.import_apply(job.id)


def outcomes(story: Any, job: Any) -> list[str]:
    return [one.outcome for one in story.memory.import_items(job.id)]


def test_a_memory_becomes_an_episode_and_a_note_that_rests_on_it(ana: Any) -> None:
    take(
        ana, {"id": "a", "memory": "Plays the viola", "user_id": "ana", "created_at": "2025-01-04"}
    )

    fact = ana.fact("ana note Plays the viola")
    [evidence] = ana.memory.explain(fact.id).evidence
    assert evidence.quote == "Plays the viola"
    assert ana.on("2025-01-03") == []


@pytest.mark.parametrize("name", SHAPES)
def test_each_shape_goes_the_whole_way_and_again_adds_nothing(ana: Any, name: str) -> None:
    job = ana.memory.import_(HERE / name, format="mem0")
    ana.memory.import_apply(job.id)
    facts = ana.now()
    episodes = ana.memory.stats().episodes
    again = ana.memory.import_(HERE / name, format="mem0")
    again = ana.memory.import_apply(again.id)

    assert len(facts) >= 1
    assert ana.now() == facts
    assert ana.memory.stats().episodes == episodes


def test_the_history_tells_what_was_true_when(ana: Any) -> None:
    take(ana, ADD, UPDATE, DELETE)

    assert ana.on("2025-01-20") == ["ana note Lives in Porto"]
    assert ana.on("2025-02-10") == ["ana note Lives in Braga"]
    assert ana.on("2025-03-10") == []
    assert ana.fact("ana note Lives in Braga").visibility == "visible"


def test_a_single_change_is_two_facts_and_the_old_one_is_closed(ana: Any) -> None:
    take(ana, UPDATE)

    assert ana.on("2025-01-20") == ["ana note Lives in Porto"]
    assert ana.now() == ["ana note Lives in Braga"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_files_of_the_history_may_come_in_any_order(ana: Any, order: tuple[int, ...]) -> None:
    rows = (ADD, UPDATE, DELETE)
    for place in order:
        take(ana, rows[place])

    assert ana.on("2025-01-20") == ["ana note Lives in Porto"]
    assert ana.on("2025-02-10") == ["ana note Lives in Braga"]
    assert ana.now() == []


def test_what_was_believed_before_a_change_was_imported_stays_to_be_seen(ana: Any) -> None:
    take(ana, ADD)
    before = format_instant(ana.memory.operations()[0].at)
    take(ana, UPDATE)

    assert ana.now(known_at=before) == ["ana note Lives in Porto"]
    assert ana.now() == ["ana note Lives in Braga"]
    assert ana.on("2025-02-10", known_at=before) == ["ana note Lives in Porto"]


def test_a_value_that_comes_back_has_two_periods(ana: Any) -> None:
    back = UPDATE | {"id": "h3", "old_memory": "Lives in Braga", "new_memory": "Lives in Porto",
                     "updated_at": "2025-04-01T08:00:00Z"}  # fmt: skip
    take(ana, ADD, UPDATE, back)

    assert ana.on("2025-01-20") == ["ana note Lives in Porto"]
    assert ana.on("2025-03-20") == ["ana note Lives in Braga"]
    assert ana.now() == ["ana note Lives in Porto"]


def test_a_memory_of_the_same_words_that_came_later_stays(ana: Any) -> None:
    again = ADD | {"id": "h7", "memory_id": "7b1d", "created_at": "2025-01-20T10:00:00Z"}
    gone = DELETE | {"old_memory": "Lives in Porto"}
    take(ana, ADD, again, gone)

    assert ana.now() == ["ana note Lives in Porto"]


def test_what_ended_at_an_unknown_time_does_not_hold_now(ana: Any) -> None:
    gone = {"id": "h9", "memory_id": "q", "old_memory": "Has a cat", "event": "DELETE"}
    had = ADD | {"memory_id": "q", "new_memory": "Has a cat"}
    take(ana, had, gone)

    assert ana.now() == []
    assert ana.fact("ana note Has a cat").visibility == "visible"


def test_what_is_known_of_a_memory_in_two_ways_is_one_fact(ana: Any) -> None:
    item = {"id": "7b1c", "memory": "Lives in Braga", "user_id": "ana",
            "created_at": "2025-01-04T10:00:00Z", "updated_at": "2025-02-01T08:00:00Z"}  # fmt: skip
    take(ana, ADD, UPDATE)
    take(ana, item)

    assert ana.on("2025-01-20") == ["ana note Lives in Porto"]
    assert ana.now() == ["ana note Lives in Braga"]


def test_an_exact_repeat_is_ignored(ana: Any) -> None:
    item = {"id": "a", "memory": "Plays the viola", "user_id": "ana", "created_at": "2025-01-04"}
    job = take(ana, item, item | {"id": "b"}, item | {"user_id": "ben"})

    assert job.actions == {"ADD": 2, "IGNORE": 1}
    assert ana.now() == ["ana note Plays the viola", "ben note Plays the viola"]


def test_linked_memories_are_linked_whatever_their_order(ana: Any) -> None:
    many = [{"id": f"m{n}", "memory": f"Read book {n}"} for n in range(PAGE)]
    first = {"id": "first", "memory": "Likes books", "linked_memory_ids": ["m7", "last", "no"]}
    last = {"id": "last", "memory": "Owns a shelf", "linked_memory_ids": ["first"]}
    take(ana, first, *many, last)

    assert ana.links("RELATED_TO") == [
        ("ana note Likes books", "ana note Read book 7"),
        ("ana note Likes books", "ana note Owns a shelf"),
        ("ana note Owns a shelf", "ana note Likes books"),
    ]


def test_a_link_may_lead_to_what_an_earlier_import_brought(ana: Any) -> None:
    take(ana, {"id": "a", "memory": "Likes books"})
    job = take(ana, {"id": "b", "memory": "Owns a shelf", "linked_memory_ids": ["a", "gone"]})

    assert ana.links("RELATED_TO") == [("ana note Owns a shelf", "ana note Likes books")]
    assert job.to_dict()["notes"] == {"link_target": 1}


def test_undoing_an_import_takes_its_links_along(ana: Any) -> None:
    before = ana.memory.digest()
    job = take(ana, {"id": "a", "memory": "Likes books", "linked_memory_ids": ["b"]},
               {"id": "b", "memory": "Owns a shelf"}, ADD, UPDATE)  # fmt: skip
    ana.memory.import_undo(job.id)

    assert ana.now() == []
    assert ana.links("RELATED_TO") == []
    assert ana.memory.digest() == before


def test_what_may_not_be_kept_does_not_even_wait(ana: Any) -> None:
    secret = "sk-abcdefghijklmnopqrstuvwx1234567890ABCD"
    job = ana.memory.import_(text=json.dumps({"memory": f"my key is {secret}"}), format="mem0")

    [item] = ana.memory.import_items(job.id)
    assert job.refused == ((1, "secret"),)
    assert secret not in json.dumps(item.to_dict())
    with ana.memory._store.read() as db:
        rows = db.execute("SELECT content, label FROM import_items").fetchall()
    assert rows == [(None, None)]


def test_in_ids_no_number_of_a_person_is_suspected(ana: Any) -> None:
    told = {"run_id": "13912345678", "metadata": {"n": "13912345678"}}
    job = take(ana, {"id": "13912345678", "memory": "Likes tea"} | told)

    assert job.refused == ()
    assert ana.now() == ["ana note Likes tea"]


def test_owners_by_address_stay_apart_without_it(ana: Any) -> None:
    for name in ("ana", "ben"):
        take(ana, {"memory": f"Likes {name} tea", "user_id": f"{name}@example.org"})

    owners = {text.partition(" note ")[0] for text in ana.now()}
    assert len(owners) == 2
    assert all("@" not in owner for owner in owners)


def test_what_could_not_be_read_or_told_is_counted(ana: Any) -> None:
    empty = {"id": 2, "payload": {"data": ""}}
    hashless = {"id": 3, "payload": {"data": "x likes y"}}
    timeless = {"memory": "z", "created_at": 5}
    job = take(ana, {"id": 1, "payload": None}, empty, hashless, timeless)

    assert job.dropped == 2
    assert job.to_dict()["notes"] == {"missing_hash": 1, "unread_time": 1}


def test_what_an_assistant_recommended_is_its_own(ana: Any) -> None:
    take(ana, {"memory": "Try Café Vianna", "attributed_to": "assistant", "agent_id": "bot"})

    assert ana.now() == ["bot recommended Try Café Vianna"]


def test_edges_become_statements_or_are_kept_aside(ana: Any) -> None:
    edge = {"source": "ana", "relationship": "lives_in", "destination": "san_francisco"}
    result = {"results": [{"id": "1", "memory": "Ana lives in San Francisco", "event": "ADD"}],
              "relations": [edge, edge | {"relationship": "orbits"}]}  # fmt: skip
    job = take(ana, result)

    assert "ana lives_in San Francisco" in ana.now()
    assert outcomes(ana, job)[-1] == "kept"
    assert "no predicate" in ana.memory.import_items(job.id)[-1].label


def test_what_was_forgotten_does_not_come_back(ana: Any) -> None:
    item = {"id": "a", "memory": "Plays the viola", "user_id": "ana"}
    take(ana, item)
    ana.memory.forget(ana.fact("ana note Plays the viola").id, level="hard", derived="forget")
    take(ana, item, item | {"id": "b", "created_at": "2025-01-04"})

    assert ana.now() == []


@pytest.mark.parametrize(
    "text", ['Likes "Emma" and\n"Persuasion"', "喜欢“乌龙茶”", "Owns a red kayak"]
)
def test_what_waits_is_forgotten_with_what_says_the_same(ana: Any, text: str) -> None:
    take(ana, {"id": "a", "memory": text})
    job = ana.memory.import_(text=json.dumps({"id": "b", "memory": text, "run_id": "r"}),
                             format="mem0")  # fmt: skip
    [fact] = ana.memory.facts()
    ana.memory.forget(fact.id, level="hard", derived="forget")

    with ana.memory._store.read() as db:
        waiting = db.execute("SELECT label, content FROM import_items WHERE job_id = 2").fetchall()
    assert waiting == [(None, None)]
    assert ana.memory.import_job(job.id).at.total == 1


def test_where_secrets_are_masked_a_memory_waits_masked() -> None:
    memory = Memory.open(":memory:", on_secret="mask")
    secret = "sk-abcdefghijklmnopqrstuvwx1234567890ABCD"
    record = {"memory": f"my key is {secret}", "metadata": {"note": f"password={secret}"}}
    job = memory.import_(text=json.dumps(record), format="mem0")
    with memory._store.read() as db:
        rows = db.execute("SELECT content, label FROM import_items").fetchall()
    memory.import_apply(job.id)

    assert secret not in json.dumps(rows)
    assert "my key is" in rows[0][0]
    [episode] = memory.episodes()
    assert secret not in episode.text
    memory.close()


def test_an_import_that_was_interrupted_goes_on_with_its_links(ana: Any) -> None:
    first = {"id": "first", "memory": "Likes books", "linked_memory_ids": ["last"]}
    many = [{"id": f"m{n}", "memory": f"Read book {n}"} for n in range(PAGE)]
    last = {"id": "last", "memory": "Owns a shelf", "linked_memory_ids": ["first"]}
    text = "".join(json.dumps(record) + "\n" for record in (first, *many, last))
    job = ana.memory.import_(text=text, format="mem0")

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ana.memory.import_apply(job.id, progress=stop)
    done = ana.memory.import_apply(job.id)

    assert done.at.imported == PAGE + 2
    assert len(ana.links("RELATED_TO")) == 2


def test_what_was_taken_back_can_be_imported_again(ana: Any) -> None:
    job = take(ana, ADD, UPDATE, {"id": "a", "memory": "Likes books", "user_id": "ana"})
    facts = ana.now()
    ana.memory.import_undo(job.id)
    take(ana, ADD, UPDATE, {"id": "a", "memory": "Likes books", "user_id": "ana"})

    assert ana.now() == facts
    assert "ana note Lives in Porto" in ana.on("2025-01-20")

"""A store of the version before facts is brought up to date, and loses nothing."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from memorycore import Memory, errors
from memorycore.exchange.predicate_file import load_seeded
from memorycore.store.migrate import load_migrations
from memorycore.store.schema import NEWEST_SCHEMA

OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
KEPT = """
SELECT e.episode_id, e.uid, e.scope_id, e.session_id, e.role, e.speaker_id, e.occurred_from,
  e.precision, e.zone, e.external_id, e.recorded, e.withdrawn, e.fingerprint, t.text, t.meta
FROM episodes e JOIN episode_texts t ON t.episode_id = e.episode_id ORDER BY e.episode_id
"""


@pytest.fixture
def old_path(store_path: str) -> str:
    """A copy of the old store, with its key."""
    shutil.copyfile(OLD, store_path)
    shutil.copyfile(f"{OLD}.key", f"{store_path}.key")
    return store_path


@pytest.fixture
def memory(old_path: str) -> Iterator[Memory]:
    """The old store, brought up to date and opened."""
    assert Memory.init(old_path) == 2
    with Memory.open(old_path, scope="user:nell", create=False) as memory:
        yield memory


def look(path: str, sql: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute(sql).fetchall()
    connection.close()
    return rows


def test_the_old_store_is_one_file_of_the_old_schema() -> None:
    assert look(str(OLD), "PRAGMA user_version") == [(2,)]
    assert look(str(OLD), "PRAGMA journal_mode") == [("delete",)]
    assert OLD.stat().st_size < 200_000


def test_its_schema_becomes_the_newest_and_the_ledger_tells(memory: Memory, old_path: str) -> None:
    assert look(old_path, "PRAGMA user_version") == [(NEWEST_SCHEMA,)]
    ledger = look(old_path, "SELECT number, name, sha256 FROM schema_migrations ORDER BY number")
    assert ledger == [(one.number, one.name, one.sha256) for one in load_migrations()]


def test_it_has_the_schema_of_a_new_store(memory: Memory, old_path: str, tmp_path: Path) -> None:
    new = str(tmp_path / "new.db")
    Memory.init(new)
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    assert look(old_path, schema) == look(new, schema)


@pytest.mark.parametrize(
    "sql",
    [
        KEPT,
        "SELECT operation_id, uid, at, actor, kind, scope_id, undoes FROM operations ORDER BY 1",
        "SELECT entity_id, uid, scope_id, kind, name, name_key, recorded FROM entities ORDER BY 1",
        "SELECT * FROM sessions ORDER BY 1",
        "SELECT * FROM stores",
    ],
    ids=["episodes", "operations", "entities", "sessions", "stores"],
)
def test_every_row_is_kept_as_it_was(memory: Memory, old_path: str, sql: str) -> None:
    before = look(str(OLD), sql)
    assert before
    assert look(old_path, sql) == before


@pytest.mark.parametrize(
    ("scope", "query", "first"),
    [
        ("user:nell", "Porto", "I moved to Porto in March, close to the river."),
        ("user:nell", "cello orchestra", "I play the cello in a small orchestra."),
        ("user:nell", "shellfish", "I no longer eat shellfish."),
        ("user:hao", "厦门", "我上个月搬到了厦门，离海边很近。"),
        ("user:hao", "沙茶面", "厦門的沙茶麵很好吃。"),
        ("user:hao", "吉他", "我在学 Python 和吉他。"),
    ],
)
def test_what_was_found_is_found(memory: Memory, scope: str, query: str, first: str) -> None:
    found = memory.scoped(scope).search(query)
    assert found[0].episode.text == first


def test_what_was_taken_back_is_not_found(memory: Memory) -> None:
    assert len(memory.search("window")) == 0
    assert len(memory.scoped("user:hao").search("Porto")) == 0


def test_the_same_message_again_is_recognised_by_the_old_key(memory: Memory) -> None:
    again = memory.add("I no longer eat shellfish.", at="2025-03-06", speaker="Nell",
                       session="s3", external_id="m5")  # fmt: skip
    assert again.text == "I no longer eat shellfish."
    assert memory.stats().episodes == 5


def test_operations_are_listed_and_an_old_undo_can_be_taken_back(
    memory: Memory, old_path: str, assert_sound: Callable[[str], None]
) -> None:
    kinds = [one.kind for one in reversed(memory.operations())]
    assert kinds == ["init", *["ingest"] * 5, "undo", "ingest"]
    [undone] = [one for one in memory.operations() if one.kind == "undo"]
    redone = memory.undo(undone.id)
    assert redone.restored == 2
    assert len(memory.search("boat")) == 1
    assert memory.undo(redone.operation.id).withdrawn == 2
    assert len(memory.search("boat")) == 0
    assert_sound(old_path)


def test_what_an_old_ingest_brought_can_be_taken_back(
    memory: Memory, old_path: str, assert_sound: Callable[[str], None]
) -> None:
    assert memory.undo().withdrawn == 1
    assert len(memory.search("shellfish")) == 0
    assert_sound(old_path)


def test_predicates_are_there(memory: Memory) -> None:
    assert {one.name for one in memory.predicates()} == {one.name for one in load_seeded()}


def test_facts_can_be_learned_from_old_sentences_and_taken_back(
    memory: Memory, old_path: str, assert_sound: Callable[[str], None]
) -> None:
    before = memory.digest()
    learned = memory.learn(
        [
            {"predicate": "lives_in", "object": {"name": "Porto", "kind": "place"},
             "external_id": "m1", "quote": "I moved to Porto in March"},
            {"subject": {"name": "Iris", "kind": "person"}, "predicate": "note",
             "object": "a baker", "external_id": "m4", "quote": "My sister Iris is a baker."},
        ]
    )  # fmt: skip
    assert [one.decision.kind for one in learned.outcomes] == ["add", "add"]
    assert sorted(fact.text for fact in memory.facts()) == [
        "Iris note a baker", "Nell lives_in Porto"
    ]  # fmt: skip
    assert_sound(old_path)
    assert memory.undo().facts_gone == 2
    assert memory.digest() == before
    assert_sound(old_path)


def test_what_work_shows_can_be_learned_in_an_old_store(
    memory: Memory, old_path: str, assert_sound: Callable[[str], None]
) -> None:
    told = {"language": "en", "workflow": "build", "candidate_key": "k", "scope": "global"}
    results = [
        memory.observe("Keeps answers short", change="c1", project_identity=one, **told).result
        for one in ("web", "api")
    ]
    assert results == ["candidate-created", "candidate-promoted"]
    assert_sound(old_path)


def test_it_is_sound_once_it_is_up_to_date(
    memory: Memory, old_path: str, assert_sound: Callable[[str], None]
) -> None:
    assert_sound(old_path)


def test_it_must_be_brought_up_to_date_first(old_path: str) -> None:
    before = Path(old_path).read_bytes()
    with pytest.raises(errors.SchemaTooOldError, match="schema 2") as caught:
        Memory.open(old_path)
    assert "migrate" in caught.value.hint
    assert Path(old_path).read_bytes() == before


def test_a_migration_that_fails_leaves_it_as_it_was(
    old_path: str, raw: Callable[..., apsw.Connection], assert_sound: Callable[[str], None]
) -> None:
    connection = raw(old_path)
    connection.execute("CREATE TABLE readable_facts(in_the_way)").fetchall()
    connection.close()
    schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    before = [look(old_path, sql) for sql in (schema, KEPT, "PRAGMA user_version")]
    with pytest.raises(errors.StorageError):
        Memory.init(old_path)
    assert [look(old_path, sql) for sql in (schema, KEPT, "PRAGMA user_version")] == before
    raw(old_path).execute("DROP TABLE readable_facts").fetchall()
    assert Memory.init(old_path) == 2
    assert_sound(old_path)


def test_a_link_to_nothing_stops_the_migration(
    old_path: str, raw: Callable[..., apsw.Connection]
) -> None:
    connection = raw(old_path)
    connection.execute(
        "PRAGMA foreign_keys = OFF; UPDATE sessions SET scope_id = 99 WHERE session_id = 1"
    ).fetchall()
    connection.close()
    with pytest.raises(errors.StorageError):
        Memory.init(old_path)
    assert look(old_path, "PRAGMA user_version") == [(2,)]

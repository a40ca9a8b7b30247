"""What was forgotten stands nowhere in the store's files: searched by a process of its own."""

import json
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory

OLD = Path(__file__).parents[2] / "testdata" / "stores" / "schema-2.db"
SECRETS = ("zyxwvutsrq", "qhlwmtrpxk", "鼋鼍魑魅魍魉", "Ωмегафоний")
"""Words that nothing else in a store holds, in four scripts."""
LONG = "The long text speaks of {} and then of much else. " + "filler words 填充 " * 2000
SEARCH = """
import json, os, sys
path, words = sys.argv[1], json.loads(sys.argv[2])
found = {}
for end in ("", "-wal", "-journal", "-shm"):
    if os.path.exists(path + end):
        with open(path + end, "rb") as file:
            data = file.read()
        for word in words:
            for part in (word, word[-5:], word.lower()[-5:]):
                for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
                    if (count := data.count(part.encode(encoding))) and len(part) > 4:
                        found[f"{end} {encoding} {words.index(word)}"] = count
print(json.dumps(found))
"""
PURGE = """
import sys
from memorycore import Memory
with Memory.open(sys.argv[1], scope="user:nell", create=False) as memory:
    plan = memory.plan_forget(session="secret", level="purge")
    print("ready", flush=True)
    sys.stdin.readline()
    memory.forget(plan)
    print("done", flush=True)
"""


def fill(path: str, *, around: int) -> None:
    """Put secrets into a store, between many harmless turns."""
    with Memory.open(path, scope="user:nell") as memory:
        for part in range(2):
            memory.add_many(
                {"text": f"harmless turn {part} {n} 平常的话", "session": f"s{part} {n // 40}"}
                for n in range(around // 2)
            )
            for number, word in enumerate(SECRETS):
                memory.add(f"I like {word}.", session="secret", speaker=f"Speaker {word}",
                           external_id=f"{part} {number}", meta={"note": f"meta {word}"},
                           at=f"2025-0{part + 1}-01", source=f"{word}.jsonl")  # fmt: skip
                memory.add(LONG.format(word), session="secret", at=f"2025-0{part + 1}-02")
        memory.learn(
            {"predicate": "likes", "object": {"name": word, "kind": "thing", "aliases": [word]},
             "external_id": f"0 {number}", "quote": f"I like {word}."}
            for number, word in enumerate(SECRETS)
        )  # fmt: skip


@pytest.fixture
def search(run_python: Any) -> Any:
    def call(path: str) -> dict[str, int]:
        return json.loads(run_python(SEARCH, path, json.dumps(SECRETS)))

    return call


def test_a_purge_leaves_no_byte_of_it(
    store_path: str, search: Any, assert_sound: Callable[[str], None]
) -> None:
    fill(store_path, around=1000)
    assert search(store_path)
    with Memory.open(store_path, scope="user:nell") as memory:
        receipt = memory.forget(memory.plan_forget(session="secret", level="purge"))
        assert receipt.verification is not None
        assert (receipt.verification.kind, receipt.verification.found) == ("bytes", 0)
        assert search(store_path) == {}
        assert len(memory.search("harmless turn 平常")) > 0
    assert search(store_path) == {}
    assert_sound(store_path)


def test_a_redaction_leaves_no_byte_of_the_texts(
    store_path: str, search: Any, assert_sound: Callable[[str], None]
) -> None:
    fill(store_path, around=100)
    with Memory.open(store_path, scope="user:nell") as memory:
        plan = memory.plan_forget(session="secret", level="redact", derived="forget")
        memory.forget(plan)
    assert search(store_path) == {}
    assert_sound(store_path)


def test_a_cleared_fact_leaves_no_byte_of_what_no_text_says(
    store_path: str, search: Any, assert_sound: Callable[[str], None]
) -> None:
    with Memory.open(store_path, scope="user:nell") as memory:
        for number in range(len(SECRETS)):
            memory.add(f"I like drink {number}.", external_id=str(number))
        memory.propose(
            {"predicate": "note", "object": word, "external_id": str(number), "tentative": True}
            for number, word in enumerate(SECRETS)
        )
        for one in list(memory.candidates()):
            memory.approve(one.id)
        facts = [fact.id for fact in memory.facts()]
        assert len(facts) == len(SECRETS)
        assert search(store_path)
        for fact in facts:
            memory.forget(fact, level="hard")
    assert search(store_path) == {}
    assert_sound(store_path)


def test_a_store_of_an_older_schema_is_written_anew_once(
    store_path: str, assert_sound: Callable[[str], None]
) -> None:
    shutil.copyfile(OLD, store_path)
    shutil.copyfile(f"{OLD}.key", f"{store_path}.key")
    Memory.init(store_path)
    with Memory.open(store_path, scope="user:nell", create=False) as memory:
        episode = memory.episodes()[0]
        text = episode.text.encode()
        memory.forget(episode.id, level="redact")
    assert text not in Path(store_path).read_bytes()
    assert_sound(store_path)


def test_what_another_process_reads_is_pending_and_says_so(
    store_path: str, search: Any, start_python: Any
) -> None:
    fill(store_path, around=50)
    reader = start_python(
        "import sys\nfrom memorycore.store.connection import open_connection, snapshot\n"
        "db = open_connection(sys.argv[1], read_only=True, busy_timeout=5)\n"
        "with snapshot(db):\n"
        "    db.execute('SELECT count(*) FROM episodes').fetchall()\n"
        "    print('reading', flush=True)\n    sys.stdin.readline()\ndb.close()\n",
        store_path,
    )
    assert reader.stdout.readline() == "reading\n"
    with Memory.open(store_path, scope="user:nell", busy_timeout=0.2) as memory:
        receipt = memory.forget(memory.plan_forget(session="secret", level="purge"))
        assert (receipt.phases["file"], receipt.is_settled) == (None, False)
        assert memory.pending_forgetting() == 1
        assert memory.search(SECRETS[0]).hits == ()
        reader.communicate("go\n", timeout=30)
        [done] = memory.finish_forgetting()
        assert done.is_settled
        assert done.verification is not None
        assert done.verification.kind == "bytes"
    assert search(store_path) == {}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give a closed store with secrets between harmless turns, to be copied."""
    path = str(tmp_path_factory.mktemp("filled") / "memory.db")
    fill(path, around=400)
    return path


@pytest.mark.parametrize("wait_ms", [0, 5, 15, 40, 80, 160, 320])
def test_a_killed_purge_is_whole_or_not_begun_and_can_be_finished(
    store_path: str,
    filled: str,
    search: Any,
    start_python: Any,
    wait_ms: int,
    assert_sound: Callable[[str], None],
) -> None:
    import time

    shutil.copyfile(filled, store_path)
    shutil.copyfile(f"{filled}.key", f"{store_path}.key")
    child = start_python(PURGE, store_path)
    assert child.stdout.readline() == "ready\n"
    child.stdin.write("go\n")
    child.stdin.flush()
    time.sleep(wait_ms / 1000)
    child.send_signal(signal.SIGKILL)
    child.wait(timeout=30)

    with Memory.open(store_path, scope="user:nell") as memory:
        left = sum(one.session == "secret" for one in memory.episodes(limit=10_000))
        assert left in (0, 4 * len(SECRETS))
        if left:
            assert memory.receipts() == []
            memory.forget(memory.plan_forget(session="secret", level="purge"))
        memory.finish_forgetting()
        [receipt] = memory.receipts()
        assert receipt.is_settled
        assert memory.verify_receipts().fault is None
    assert search(store_path) == {}
    assert_sound(store_path)

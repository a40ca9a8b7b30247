"""A redaction that keeps facts leaves no byte of the names that only the texts have used."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from memorycore import Memory

ALIAS, MERGED, SPEAKER, NOTE, SOURCE = (
    "zyxwvutsrq",
    "鼋鼍魑魅魍魉",
    "qhlwmtrpxk",
    "jkvbnmpwq",
    "xqtzvkpl",
)
GONE = (ALIAS, MERGED, SPEAKER, NOTE, SOURCE)
KEPT = "Portimagna"
SEARCH = """
import json, os, sys
path, words = sys.argv[1], json.loads(sys.argv[2])
data = b"".join(open(path + end, "rb").read() for end in ("", "-wal") if os.path.exists(path + end))
print(json.dumps([word for word in words if word.encode() in data or word[-5:].encode() in data]))
"""


def place(name: str, *aliases: str) -> dict[str, Any]:
    return {"name": name, "kind": "place", "aliases": list(aliases)}


def fill(path: str) -> None:
    said = (f"I live in {KEPT}, or {ALIAS}.", f"I like {MERGED} very much.")
    with Memory.open(path, scope="user:nell") as memory:
        for n in range(40):
            memory.add(f"harmless turn {n} 平常的话", session="other", speaker="Nell")
        memory.add("Hello to you all there.", session="secret", speaker=SPEAKER)
        for number, text in enumerate(said):
            memory.add(text, session="secret", speaker="Nell", external_id=str(number),
                       at="2025-03-03", meta={"note": NOTE}, source=f"{SOURCE}.jsonl")  # fmt: skip
        memory.learn(
            [{"predicate": "lives_in", "object": place(KEPT, ALIAS), "external_id": "0",
              "quote": said[0]},
             {"predicate": "likes", "object": place(MERGED), "external_id": "1",
              "quote": said[1]}]
        )  # fmt: skip
        memory.merge_entities(KEPT, MERGED)
        assert len(list(memory.facts())) == 2


@pytest.mark.parametrize(
    "later",
    [
        {"subject": KEPT, "level": "hard"},
        {"session": "secret", "level": "purge"},
        {"before": "2026", "level": "purge"},
    ],
    ids=lambda later: next(iter(later)),
)
def test_of_a_redacted_session_only_what_the_kept_facts_name_is_left(
    store_path: str, run_python: Any, assert_sound: Callable[[str], None], later: dict[str, str]
) -> None:
    fill(store_path)
    asked = json.dumps([*GONE, KEPT])
    assert json.loads(run_python(SEARCH, store_path, asked)) == [*GONE, KEPT]
    with Memory.open(store_path, scope="user:nell") as memory:
        plan = memory.plan_forget(session="secret", level="redact")
        assert (plan.baseless, plan.rewritten) == (2, 0)
        receipt = memory.forget(plan)
        assert receipt.verification.found == 0
        assert memory.search(KEPT).facts == ()
        assert {one.name for one in memory.entities()} == {"Nell"}

    assert json.loads(run_python(SEARCH, store_path, asked)) == [KEPT]
    with Memory.open(store_path, scope="user:nell") as memory:
        memory.forget(memory.plan_forget(**later))
    assert json.loads(run_python(SEARCH, store_path, asked)) == []
    assert_sound(store_path)

"""Purging somebody while other processes say, learn, name, admit and read things about them.

What stood there when the purge was committed is nowhere afterwards, however the others had begun;
and what was purged does not come back by any of the doors that they go on using.
"""

import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory, errors
from memorycore.model.identity import parse_id_of

LONG = os.environ.get("MEMORYCORE_LONG_TESTS") == "1"
ROUNDS = 200 if LONG else 6
TEXTS = 5
EXPECTED = {"NotFoundError", "PlanChangedError", "SuppressedError", "InvalidInputError"}
"""What may befall somebody whose ground is taken away."""
COMMON = """
import random
LETTERS = "abcdefghijkmnopqrsuvwxyz"
def who(r): return f"Quillon {r:03}"
def word(r, n): return "zq" + "".join(random.Random(f"{r} {n}").choices(LETTERS, k=12))
HAN = [chr(n) for n in range(0x8000, 0x9f00)]
def han(r, n): return "".join(random.Random(f"han {r} {n}").choices(HAN, k=5))
def text(r, n): return f"{who(r)} told: I like {word(r, n)} and {han(r, n)}."
def alias(r, n): return "Ala" + "".join(random.Random(f"alias {r} {n}").choices(LETTERS, k=12))
"""
WRITER = """
import json, random, select, sys, time
from memorycore import Memory, errors
from memorycore.model.candidate import Candidate, Quarantined, Quote
from memorycore.model.draft import Rejection
from memorycore.port.extractor import Extracted
path, texts, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
COMMON
class Slow:
    name, version, page, needs_surroundings = "slow", str(seed), 50, True
    def extract(self, turns, around):
        for turn in turns:
            time.sleep(chance.uniform(0, 0.004))
            said = turn.text.split("I like ")[-1].split()[0]
            found = Candidate(predicate="is_busy_with", value=said, place=turn.episode,
                              quotes=(Quote(episode=turn.episode, text=turn.text),))
            odd = Quarantined(Rejection("line 1", "bad", "no candidate"), f"odd: {turn.text}")
            yield Extracted([found], [odd], turns=1)
def say(r, n):
    kept = memory.add(text(r, n), speaker=who(r), session=f"s{r}", external_id=f"{r} {n}")
    done.append(("text", n, kept.id))
def item(r, n, predicate, thing):
    return {"predicate": predicate, "object": thing, "external_id": f"{r} {n}", "quote": text(r, n)}
def learn(r, n):
    memory.learn([item(r, n, "likes", {"name": word(r, n), "kind": "thing"})])
def propose(r, n):
    memory.propose([item(r, n, "is_busy_with", word(r, n)),
                    Quarantined(Rejection(f"line {n}", "bad", "no candidate"), text(r, n) + " ?")])
def consolidate(r, n):
    plan = memory.consolidate()
    time.sleep(chance.uniform(0, 0.002))
    memory.admit(plan=plan.plan)
def admit(r, n): memory.admit()
def name(r, n): done.append(("alias", n, memory.add_alias(who(r), alias(r, n)).id))
def read(r, n): memory.harvest(Slow(), session=f"s{r}", since="all")
def remember(r, n):
    done.append(("text", n, memory.remember(text(r, n), about=who(r)).operation.id))
ACTS = (say, say, learn, propose, consolidate, admit, name, read, remember)
chance = random.Random(seed)
seen = set()
with Memory.open(path, scope="user:ana", busy_timeout=30) as memory:
    while line := sys.stdin.readline():
        r, done = int(line), []
        while not select.select([sys.stdin], [], [], 0)[0]:
            try:
                chance.choice(ACTS)(r, chance.randrange(texts))
            except errors.MemoryCoreError as error:
                seen.add(type(error).__name__)
        sys.stdin.readline()
        print(json.dumps({"done": done, "seen": sorted(seen)}), flush=True)
""".replace("COMMON", COMMON)
SEARCH = """
import json, os, sys
path = sys.argv[1]
words = json.load(open(sys.argv[2]))
data = b"".join(open(path + end, "rb").read() for end in ("", "-wal", "-journal", "-shm")
                if os.path.exists(path + end))
print([word for word in words for code in ("utf-8", "utf-16-le", "utf-16-be")
       if word[-8:].encode(code) in data])
"""
NEWEST_PURGE = "SELECT max(operation_id) FROM operations WHERE kind = 'purge'"
MOMENTS = {
    "ep": "SELECT recorded FROM episodes WHERE uid = ?",
    "op": "SELECT operation_id FROM operations WHERE uid = ?",
}
made: dict[str, Any] = {}
exec(COMMON, made)  # Both sides speak the same words.


class Race:
    """A handle of the one who purges, and the processes that are in its way."""

    def __init__(self, path: str, writers: list[Any], dump: Any) -> None:
        self.memory = Memory.open(path, scope="user:ana", busy_timeout=30)
        self.writers = writers
        self.dump = dump
        self.chance = random.Random(17)
        self.changed = 0
        self.seen: set[str] = set()

    def round(self, number: int) -> tuple[list[int], list[int]]:
        """Run one purge in the midst of the rest; give the texts and aliases that it took."""
        self._tell(number)
        time.sleep(self.chance.uniform(0.01, 0.12))
        purged = self._purge(made["who"](number), finish=number % 3 == 0)
        time.sleep(self.chance.uniform(0, 0.06))
        self._tell("enough")
        told = [json.loads(writer.stdout.readline()) for writer in self.writers]
        self.seen.update(*(one["seen"] for one in told))
        before: dict[str, set[int]] = {"text": set(), "alias": set()}
        after: dict[str, set[int]] = {"text": set(), "alias": set()}
        for kind, n, id_ in (one for each in told for one in each["done"]):
            (before if self._moment(id_) < purged else after)[kind].add(n)
        assert not before["text"] & after["text"]
        # A name may be given anew, by somebody who then knows it.
        return sorted(before["text"]), sorted(before["alias"] - after["alias"])

    def _tell(self, line: object) -> None:
        for writer in self.writers:
            writer.stdin.write(f"{line}\n")
            writer.stdin.flush()

    def _purge(self, name: str, *, finish: bool) -> int:
        """Purge somebody as soon as a plan holds; give the number of the operation."""
        while True:
            try:
                plan = self.memory.plan_forget(subject=name, level="purge")
                self.memory.forget(plan, finish=finish)
                break
            except errors.PlanChangedError:
                self.changed += 1
            except errors.NotFoundError:
                continue
        with self.memory._store.read() as db:
            return int(db.execute(NEWEST_PURGE).get)

    def _moment(self, id_: str) -> int:
        prefix = id_.split("_")[0]
        with self.memory._store.read() as db:
            return int(db.execute(MOMENTS[prefix], (parse_id_of(prefix, id_)[0],)).get)

    def standing(self, words: list[str]) -> list[tuple[str, str]]:
        """List the words that stand in any row that is kept, with the table."""
        with self.memory._store.read() as db:
            tables = [(name, "\n".join(rows)) for name, rows in self.dump(db)]
        return [(word, name) for name, rows in tables for word in words if word in rows]

    def offer_again(self, round_: int, n: int) -> None:
        """Say and propose once more what was purged."""
        text, word = made["text"](round_, n), made["word"](round_, n)
        told = {"session": f"s{round_}", "external_id": f"{round_} {n}"}
        with pytest.raises(errors.SuppressedError):
            self.memory.add(text, speaker=made["who"](round_), **told)
        item = {"predicate": "likes", "object": word, "quote": text}
        done = self.memory.learn([item | {"external_id": told["external_id"]}])
        assert {one.decision.kind for one in done.outcomes} <= {"reject"}


@pytest.mark.slow
def test_nobody_survives_a_purge_by_what_others_do_meanwhile(
    start_python: Callable[..., Any],
    run_python: Any,
    store_path: str,
    dump: Any,
    tmp_path: Path,
    tally: Any,
) -> None:
    Memory.init(store_path)
    writers = [start_python(WRITER, store_path, str(TEXTS), str(seed)) for seed in (1, 2)]
    race = Race(store_path, writers, dump)
    gone: list[str] = []
    for number in range(ROUNDS):
        texts, aliases = race.round(number)
        words = [made[kind](number, n) for n in texts for kind in ("word", "han")]
        words += [made["alias"](number, n) for n in aliases]
        assert race.standing(words) == [], number
        for n in texts:
            race.offer_again(number, n)
        assert race.standing(words) == [], number
        gone += words
    assert len(gone) >= 2 * ROUNDS
    assert race.seen <= EXPECTED
    race.memory.finish_forgetting()
    assert race.memory.pending_forgetting() == 0
    assert all(one.verification.found == 0 for one in race.memory.receipts())
    assert race.memory.verify_receipts().fault is None
    race.memory.close()
    for writer in writers:
        writer.communicate(timeout=30)
    (tmp_path / "gone.json").write_text(json.dumps(gone))
    assert run_python(SEARCH, store_path, str(tmp_path / "gone.json"), timeout=600) == "[]\n"
    tally.note("purge beside two writers", trials=ROUNDS, lost=0, damaged=0)

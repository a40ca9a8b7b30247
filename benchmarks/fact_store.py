"""Large stores of facts, put in raw: what learning would leave, but for the looking up.

Half of the facts are of one subject, a tenth follow each other in one chain, the others are of many
subjects. One subject and predicate has fifty versions, each recorded by an operation of its own.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import apsw
from statements import HOUR, SCOPE, START
from stores import Row, Workshop, fill

from memorycore.model.draft import Draft
from memorycore.model.operation_chain import link
from memorycore.model.time import Moment
from memorycore.model.timeline import OPEN
from memorycore.store.connection import open_connection

VERSIONS = 50
EVIDENCE_OF_EPISODE = 20
SPAN = 3
FACTS_OF_SUBJECT = 10
CROWD, CHAIN, VERSIONED = "Crowd Person", "Chain Person", "Version Person"
FIRST = 1_000
"""The first number of an entity of ours."""
DAY = 24 * HOUR
_PART = 10_000

FACT_COLUMNS = """fact_id, uid, scope_id, timeline_id, subject_id, predicate_id, object_id,
  object_value, object_key, fact_type, confidence, importance, validity, support,
  first_evidence_id, recorded"""
INSERTS = {
    "operations": """
INSERT INTO operations(operation_id, uid, at, actor, kind, scope_id, hash)
VALUES(?, ?, ?, ?, ?, ?, ?)""",
    "entities": """
INSERT INTO entities(entity_id, uid, scope_id, kind, name, name_key, recorded)
VALUES(?, ?, ?, ?, ?, ?, ?)""",
    "facts": f"INSERT INTO facts({FACT_COLUMNS}) VALUES({', '.join('?' * 16)})",
    "evidence": """
INSERT INTO evidence(evidence_id, fact_id, timeline_id, episode_id, span_from, span_to, starts,
  ends, from_precision, from_basis, to_precision, to_basis, ended_by, asserted_at, source_class,
  reliability, occasion, recorded_from)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, 'unknown', 'asserted', 'unknown', 'unknown', 'nothing', ?, 'user',
  0.9, ?, ?)""",
    "fact_periods": """
INSERT INTO fact_periods(fact_id, timeline_id, subject_id, predicate_id, valid_from, valid_to,
  from_precision, from_basis, to_precision, to_basis, ended_by, certainty, recorded_from,
  recorded_to)
VALUES(?, ?, ?, ?, ?, ?, 'unknown', 'asserted', 'unknown', ?, ?, 'asserted', ?, ?)""",
    "links": """
INSERT INTO links(kind, from_fact_id, to_fact_id, recorded_from)
VALUES('SUPERSEDES', ?, ?, ?)""",
    # With the very words that are taken out again when a fact is forgotten.
    "fact_index": """
INSERT INTO fact_index(rowid, body, ctx)
SELECT fact_id, body, ctx FROM fact_documents WHERE fact_id = ?""",
}
PREDICATES = "SELECT name, predicate_id FROM predicates"
LAST_OPERATION = "SELECT operation_id, at, hash FROM operations ORDER BY 1 DESC LIMIT 1"
Rows = dict[str, list[Row]]


@dataclass(slots=True)
class Told:
    """A fact of the store to be: whose, the how-manieth of what holds there, and in which chain."""

    number: int
    subject: int
    predicate: str
    version: int
    first: int
    """The first fact of its chain; its own number where it stands alone."""
    count: int
    """How many facts the chain has."""


def plan_of(count: int) -> Iterator[Told]:
    """Say of each fact of a store whose it is."""
    crowd, chain = count // 2, count // 10
    number = 1
    for subject, predicate, size in ((2, "works_at", VERSIONS), (1, "lives_in", chain)):
        first = number
        for version in range(size):
            yield Told(number, FIRST + subject, predicate, version, first, size)
            number += 1
    for nth in range(count - VERSIONS - chain):
        subject = FIRST if nth < crowd else FIRST + 3 + (nth - crowd) // FACTS_OF_SUBJECT
        yield Told(number, subject, "likes", 0, number, 1)
        number += 1


def fact_store(shop: Workshop, count: int) -> str:
    """Give a store of so many facts, built once."""
    path = str(shop.folder / f"facts-{count}.db")
    if not os.path.exists(path):
        part = path + ".part"
        fill(part, _turns(count // EVIDENCE_OF_EPISODE + 1))
        _put_in(part, count)
        os.replace(part + ".key", path + ".key")
        os.replace(part, path)
    return path


def _turns(count: int) -> Iterator[Draft]:
    for number in range(count):
        at = START + number * HOUR
        moment = Moment(at, at + 1, "instant", "UTC")
        text = f"Person {number} likes thing {number} and many other things besides, if asked."
        yield Draft(text, "user", SCOPE, f"turns {number // 40}", "Vela", moment, "turns")


def _put_in(path: str, count: int) -> None:
    db = open_connection(path, read_only=False, busy_timeout=1)
    raw: Any = db.raw
    scope_id = raw.execute("SELECT scope_id FROM scopes WHERE name = ?", (SCOPE,)).get
    predicates = dict(raw.execute(PREDICATES))
    last, at, before = raw.execute(LAST_OPERATION).fetchall()[0]
    writer = _Writer(scope_id, predicates, last + 1, at + 1, before)
    facts = plan_of(count)
    _insert(raw, writer.beginning(count))
    while part := list(islice(facts, _PART)):
        _insert(raw, writer.rows(part))
    raw.execute("UPDATE scopes SET indexed_facts = ? WHERE scope_id = ?", (count, scope_id))
    db.close()


def _insert(raw: apsw.Connection, rows: Rows) -> None:
    raw.execute("BEGIN IMMEDIATE")
    for table, sql in INSERTS.items():
        raw.executemany(sql, rows.get(table, ()))
    raw.execute("COMMIT")


@dataclass(slots=True)
class _Writer:
    """Writes facts as rows. Operation ``first`` + n recorded version n of what has versions."""

    scope_id: int
    predicates: dict[str, int]
    first: int
    at: int
    before: bytes
    """The hash of the operation before the first."""

    def beginning(self, count: int) -> Rows:
        """Give the operations, and the subjects."""
        others = count // FACTS_OF_SUBJECT + 1
        names = [CROWD, CHAIN, VERSIONED, *(f"Other Person {n}" for n in range(others))]
        return {
            "operations": list(self._operations()),
            "entities": [self._entity(FIRST + n, name) for n, name in enumerate(names)],
        }

    def _operations(self) -> Iterator[Row]:
        hash_ = self.before
        for n in range(VERSIONS):
            row = (self.first + n, _uid(1, n), self.at + n, "bench", "learn", self.scope_id)
            hash_ = link(hash_, *row, None, None)
            yield *row, hash_

    def _entity(self, number: int, name: str) -> Row:
        return number, _uid(2, number), self.scope_id, "person", name, name.lower(), self.first

    def rows(self, facts: Iterable[Told]) -> Rows:
        """Give all rows of some facts."""
        rows: Rows = {table: [] for table in INSERTS}
        for one in facts:
            self._add(rows, one)
        return rows

    def _add(self, rows: Rows, one: Told) -> None:
        number, lone = one.number, one.count == 1
        episode = (number - 1) // EVIDENCE_OF_EPISODE + 1
        recorded = self.first + (one.version if one.predicate == "works_at" else 0)
        predicate = self.predicates[one.predicate]
        value = f"thing {number}" if lone else f"Place {one.version}"
        starts = START + one.version * DAY
        is_last = one.version == one.count - 1
        known_by = (number, _uid(3, number), self.scope_id, one.first, one.subject, predicate)
        validity = "valid" if is_last else "invalidated"
        state = ("core_identity", 0.9, 0.5, validity, 1, number, recorded)
        rows["facts"].append((*known_by, None, value, f"={value.lower()}", *state))
        # Each fact rests on words of its own.
        begins = number % EVIDENCE_OF_EPISODE * SPAN
        span = (episode, begins, begins + SPAN, starts, OPEN)
        rows["evidence"].append((number, number, one.first, *span, starts, episode, recorded))
        where = (number, one.first, one.subject, predicate, starts)
        if is_last:
            rows["fact_periods"].append((*where, OPEN, "unknown", "nothing", recorded, OPEN))
        else:
            until = recorded + (one.predicate == "works_at")
            if until > recorded:
                # It was believed to hold on, until the next version was recorded.
                rows["fact_periods"].append((*where, OPEN, "unknown", "nothing", recorded, until))
            rows["fact_periods"].append(
                (*where, starts + DAY, "asserted", "successor", until, OPEN)
            )
        if one.version:
            rows["links"].append((number, number - 1, recorded))
        rows["fact_index"].append((number,))


def _uid(kind: int, number: int) -> bytes:
    return bytes([kind]) + number.to_bytes(15, "big")

"""Benchmark of admission: claims through the gate, against the rows they leave put in raw."""

import shutil
from collections.abc import Iterator, Sequence

from figures import Figure, compare, cpu_time
from statements import SCOPE, statements
from stores import Row, Workshop, fill, reading, remove, stored_columns

from memorycore import Memory
from memorycore.learning import BATCH
from memorycore.model.candidate import Candidate
from memorycore.store.connection import open_connection

CLAIMS = 100_000
QUICK_CLAIMS = 10_000
TARGET = 12.0
LEAST_ADMITTED = 0.9
"""The share of claims that become or strengthen a fact; with fewer, something else is measured."""

FACT_OF = """
(SELECT v.candidate_id FROM facts o JOIN evidence v ON v.evidence_id = o.first_evidence_id
  WHERE o.fact_id = {})
"""
"""The claim by which a fact came in."""
TABLES: dict[str, str] = {
    "operations": "SELECT 0, t.* FROM operations t WHERE operation_id = :operation",
    "entities": """
SELECT min(candidate_id), t.* FROM entities t JOIN (
  SELECT f.subject_id AS named, v.candidate_id FROM facts f
    JOIN evidence v ON v.evidence_id = f.first_evidence_id
  UNION ALL
  SELECT f.object_id, v.candidate_id FROM facts f
    JOIN evidence v ON v.evidence_id = f.first_evidence_id)
  ON named = t.entity_id WHERE t.recorded = :operation GROUP BY t.entity_id""",
    "aliases": "SELECT 0, t.* FROM aliases t WHERE recorded_from = :operation",
    "candidates": "SELECT candidate_id, t.* FROM candidates t",
    "candidate_evidence": "SELECT candidate_id, t.* FROM candidate_evidence t",
    "facts": f"SELECT {FACT_OF.format('t.fact_id')}, t.* FROM facts t",
    "evidence": "SELECT candidate_id, t.* FROM evidence t",
    "fact_periods": f"SELECT {FACT_OF.format('t.fact_id')}, t.* FROM fact_periods t",
    "links": f"""
SELECT max({FACT_OF.format("t.from_fact_id")}, {FACT_OF.format("t.to_fact_id")}), t.*
FROM links t""",
    "decisions": "SELECT candidate_id, t.* FROM decisions t",
    "review_items": "SELECT candidate_id, t.* FROM review_items t",
    "operation_rows": "SELECT 0, t.* FROM operation_rows t WHERE operation_id = :operation",
    "changes": "SELECT 0, t.* FROM changes t WHERE operation_id = :operation",
    "fact_index": f"SELECT {FACT_OF.format('t.fact_id')}, t.* FROM fact_documents t",
}
"""The rows that learning leaves: of each table, before each row the claim that it came with."""
INSERT = "INSERT INTO {table} VALUES({marks})"
INSERT_DOCUMENT = "INSERT INTO fact_index(rowid, body, ctx) VALUES(?, ?, ?)"
COUNT_DOCUMENTS = "UPDATE scopes SET indexed_facts = indexed_facts + ? WHERE scope_id = ?"
SCOPE_ID = "SELECT scope_id FROM scopes WHERE name = ?"
LAST = "SELECT max(operation_id) FROM operations"

Batch = list[tuple[str, list[Row]]]


def admit(shop: Workshop, *, quick: bool) -> Iterator[Figure]:
    """Compare admission with the same rows put into the same tables by plain SQLite."""
    count = QUICK_CLAIMS if quick else CLAIMS
    pairs = list(statements(count))
    claims = [claim for _, claim in pairs]
    ingested = shop.fresh()
    fill(ingested, (turn for turn, _ in pairs))
    del pairs
    learned = shop.fresh()
    _learn_time(ingested, learned, claims)
    batches = _read_batches(learned)
    remove(learned)
    ratio, ours, raw = compare(
        lambda: _learn_time(ingested, shop.fresh(), claims, keep=False),
        lambda: _raw_time(ingested, shop.fresh(), batches),
        repeat=3,
    )
    remove(ingested)
    per = 1_000_000 / count
    beside = f"a claim: ours {ours * per:.0f} µs, plain {raw * per:.0f} µs"
    yield Figure("admit", f"{count} claims", ratio, TARGET, beside=beside)


def _copy(path: str, to: str) -> None:
    for end in ("", ".key"):
        shutil.copyfile(path + end, to + end)


def _learn_time(
    ingested: str, path: str, claims: Sequence[Candidate], *, keep: bool = True
) -> float:
    _copy(ingested, path)
    memory = Memory.open(path, scope=SCOPE)

    def work() -> None:
        counts = memory.learn(claims, proposer="file").counts
        memory.close()
        settled = sum(counts.get(kind, 0) for kind in ("add", "reinforce", "supersede", "history"))
        assert settled >= LEAST_ADMITTED * len(claims), f"not what was meant: {counts}"

    spent = cpu_time(work)
    if not keep:
        remove(path)
    return spent


def _read_batches(path: str) -> list[Batch]:
    """Read what learning has left, cut into its transactions."""
    batches: dict[int, dict[str, list[Row]]] = {}
    with reading(path) as db:
        operation = db.execute(LAST).get
        for table, sql in TABLES.items():
            values = {"operation": operation} if ":operation" in sql else None
            columns = "t.*" if table == "fact_index" else stored_columns(db, table, "t.")
            for first, *row in db.execute(sql.replace("t.*", columns), values):
                number = max(0, (first or 1) - 1) // BATCH
                batches.setdefault(number, {}).setdefault(table, []).append(tuple(row))
    return [
        [(table, batches[number].get(table, [])) for table in TABLES] for number in sorted(batches)
    ]


def _raw_time(ingested: str, path: str, batches: Sequence[Batch]) -> float:
    _copy(ingested, path)
    db = open_connection(path, read_only=False, busy_timeout=1)
    scope_id = db.execute(SCOPE_ID, (SCOPE,)).get
    sqls = {
        table: INSERT_DOCUMENT
        if table == "fact_index"
        else INSERT.format(table=table, marks=", ".join("?" * len(rows[0])))
        for batch in reversed(batches)
        for table, rows in batch
        if rows
    }
    raw = db.raw

    def work() -> None:
        for batch in batches:
            raw.execute("BEGIN IMMEDIATE")
            raw.execute("PRAGMA defer_foreign_keys = ON")
            for table, rows in batch:
                if rows:
                    raw.executemany(sqls[table], rows)
            raw.execute(COUNT_DOCUMENTS, (len(batch[-1][1]), scope_id))
            raw.execute("COMMIT")
        raw.close()

    spent = cpu_time(work)
    remove(path)
    return spent

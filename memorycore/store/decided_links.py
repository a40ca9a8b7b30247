"""What was decided between two facts that no timeline joins, and what follows from it.

One takes the place of another, or they contradict each other. A decision counts while both facts
stand. Its links, the validity of its facts and the lifecycle of what was replaced are derived here
and nowhere else, so that they come right whichever of the two goes or comes back.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from memorycore.store.connection import Connection, number_list
from memorycore.store.journal import change_field, get_field
from memorycore.store.links import link_facts

INSERT = """
INSERT OR IGNORE INTO decided_links(kind, from_fact_id, to_fact_id, recorded_from)
VALUES(:kind, :from_fact_id, :to_fact_id, :recorded)
"""


def insert_decided(db: Connection, kind: str, from_: int, to: int, *, recorded: int) -> None:
    """Keep what was decided between two facts; a contradiction goes both ways."""
    pairs = [(from_, to)] if kind == "SUPERSEDES" else [(from_, to), (to, from_)]
    for one, other in pairs:
        values = {"kind": kind, "from_fact_id": one, "to_fact_id": other, "recorded": recorded}
        db.execute(INSERT, values)


SELECT_FACTS = """
SELECT from_fact_id, to_fact_id FROM decided_links
WHERE decided_link_id IN (SELECT value FROM carray(?))
"""


def facts_of_decided(db: Connection, rows: Sequence[int]) -> list[int]:
    """List the facts that some decisions are between."""
    pairs: Any = db.execute(SELECT_FACTS, (number_list(rows),))
    return list(dict.fromkeys(number for pair in pairs for number in pair))


SELECT_BESIDE = """
SELECT to_fact_id FROM decided_links WHERE from_fact_id IN (SELECT value FROM carray(:facts))
UNION
SELECT from_fact_id FROM decided_links WHERE to_fact_id IN (SELECT value FROM carray(:facts))
"""


def beside(db: Connection, facts: Sequence[int]) -> list[int]:
    """List the facts about which something was decided together with some others."""
    if not facts:
        return []
    return [row[0] for row in db.execute(SELECT_BESIDE, {"facts": number_list(facts)})]


SELECT_MARKS = """
SELECT DISTINCT d.kind FROM decided_links d
JOIN facts f ON f.fact_id = d.from_fact_id
WHERE d.to_fact_id = :fact_id AND d.recorded_to = 9223372036854775807
  AND f.support > 0 AND f.visibility IN ('visible', 'hidden')
"""


def decided_validity(db: Connection, fact_id: int, validity: str) -> str:
    """Give the validity of a fact as its periods have it, or as it was decided about it."""
    kinds = {row[0] for row in db.execute(SELECT_MARKS, {"fact_id": fact_id})}
    if "SUPERSEDES" in kinds:
        return "invalidated"
    return "uncertain" if kinds and validity == "valid" else validity


SELECT_ABOUT = """
SELECT d.decided_link_id, d.kind, d.from_fact_id, d.to_fact_id,
  d.recorded_to = 9223372036854775807 AND f.support > 0 AND t.support > 0
    AND f.visibility IN ('visible', 'hidden') AND t.visibility IN ('visible', 'hidden')
FROM decided_links d
JOIN facts f ON f.fact_id = d.from_fact_id
JOIN facts t ON t.fact_id = d.to_fact_id
WHERE d.decided_link_id IN (
  SELECT decided_link_id FROM decided_links
    WHERE from_fact_id IN (SELECT value FROM carray(:facts))
  UNION
  SELECT decided_link_id FROM decided_links WHERE to_fact_id IN (SELECT value FROM carray(:facts)))
ORDER BY d.decided_link_id
"""
END_LINK = """
UPDATE links SET recorded_to = max(:recorded, recorded_from)
WHERE kind = :kind AND from_fact_id = :from_fact_id AND to_fact_id = :to_fact_id
  AND recorded_to = 9223372036854775807
  AND (SELECT timeline_id FROM facts WHERE fact_id = :from_fact_id)
    <> (SELECT timeline_id FROM facts WHERE fact_id = :to_fact_id)
"""
IS_PART = """
SELECT EXISTS(SELECT 1 FROM links WHERE to_fact_id = :fact_id AND kind = 'MERGED_FROM'
  AND recorded_to = 9223372036854775807)
"""


def settle_decided(
    db: Connection, facts: Iterable[int], *, left: Sequence[int] = (), recorded: int
) -> list[int]:
    """Make links and lifecycles just what the decisions about some facts say.

    ``left`` are facts about which decisions were taken away. Gives the facts whose validity may be
    another now.
    """
    numbers = [*facts, *left]
    if not numbers:
        return []
    numbers += beside(db, numbers)
    rows: Any = db.execute(SELECT_ABOUT, {"facts": number_list(numbers)}).fetchall()
    counting = {(kind, from_, to) for _, kind, from_, to, counts in rows if counts}
    for _, kind, from_, to, _ in rows:
        if (kind, from_, to) in counting:
            link_facts(db, kind, from_, to, recorded=recorded)
        else:
            values = {"kind": kind, "from_fact_id": from_, "to_fact_id": to}
            db.execute(END_LINK, values | {"recorded": recorded})
    replaced = [to for _, kind, _, to, _ in rows if kind == "SUPERSEDES"]
    for number in dict.fromkeys([*replaced, *left]):
        is_replaced = any(to == number and kind == "SUPERSEDES" for kind, _, to in counting)
        _settle_lifecycle(db, number, is_replaced=is_replaced, recorded=recorded)
    return list(dict.fromkeys([*left, *(number for row in rows for number in row[2:4])]))


def _settle_lifecycle(db: Connection, fact_id: int, *, is_replaced: bool, recorded: int) -> None:
    lifecycle = get_field(db, "fact", fact_id, "lifecycle")
    if is_replaced and lifecycle == "active":
        change_field(db, recorded, "fact", fact_id, "lifecycle", "consolidated")
    elif not is_replaced and lifecycle == "consolidated" and not _is_part(db, fact_id):
        change_field(db, recorded, "fact", fact_id, "lifecycle", "active")


def _is_part(db: Connection, fact_id: int) -> bool:
    return bool(db.execute(IS_PART, {"fact_id": fact_id}).get)


DELETE_OF_FACTS = """
DELETE FROM decided_links WHERE decided_link_id IN (
  SELECT decided_link_id FROM decided_links
    WHERE from_fact_id IN (SELECT value FROM carray(:facts))
  UNION
  SELECT decided_link_id FROM decided_links WHERE to_fact_id IN (SELECT value FROM carray(:facts)))
"""


def delete_decided(db: Connection, facts: Sequence[int]) -> None:
    """Take away what was decided about facts that go."""
    db.execute(DELETE_OF_FACTS, {"facts": number_list(facts)})

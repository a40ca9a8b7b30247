"""Entities that nothing speaks of any more, and what was taken back that would hold their names."""

from collections.abc import Sequence
from dataclasses import dataclass

from memorycore.store.connection import Connection, number_list
from memorycore.store.reach import LEFT, family_of

SELECT_INVOLVED = """
SELECT subject_id FROM facts WHERE fact_id IN (SELECT value FROM carray(:f))
UNION SELECT object_id FROM facts WHERE fact_id IN (SELECT value FROM carray(:f))
UNION SELECT attributed_to FROM facts WHERE fact_id IN (SELECT value FROM carray(:f))
UNION SELECT to_entity_id FROM links_ever WHERE from_fact_id IN (SELECT value FROM carray(:f))
UNION SELECT speaker_id FROM episodes WHERE episode_id IN (SELECT value FROM carray(:e))
"""


def involved(db: Connection, episodes: Sequence[int], facts: Sequence[int]) -> list[int]:
    """List the entities that some facts speak of, and who has said some episodes."""
    rows = db.execute(SELECT_INVOLVED, {"f": number_list(facts), "e": number_list(episodes)})
    return [row[0] for row in rows if row[0] is not None]


# Whatever else refers to an entity keeps its name, but for what was taken back. Nobody has none,
# and stands where facts that were cleared had their subject.
SELECT_SUPPORTED = """
SELECT n.value FROM carray(:n) n WHERE
  EXISTS(SELECT 1 FROM entities WHERE entity_id = n.value AND kind = 'nobody')
  OR EXISTS(SELECT 1 FROM facts WHERE subject_id = n.value
    AND fact_id NOT IN (SELECT value FROM carray(:f)) AND visibility <> 'forgotten'
    AND (support > 0 OR :keeps_facts))
  OR EXISTS(SELECT 1 FROM facts WHERE object_id = n.value
    AND fact_id NOT IN (SELECT value FROM carray(:f)) AND (support > 0 OR :keeps_facts))
  OR EXISTS(SELECT 1 FROM facts WHERE attributed_to = n.value
    AND fact_id NOT IN (SELECT value FROM carray(:f)) AND (support > 0 OR :keeps_facts))
  OR EXISTS(SELECT 1 FROM links l JOIN facts f ON f.fact_id = l.from_fact_id
    WHERE l.to_entity_id = n.value
      AND f.fact_id NOT IN (SELECT value FROM carray(:f)) AND (f.support > 0 OR :keeps_facts))
  OR EXISTS(SELECT 1 FROM episodes WHERE speaker_id = n.value
    AND episode_id NOT IN (SELECT value FROM carray(:e)) AND (withdrawn IS NULL OR :keeps_texts))
"""
SELECT_NAMESAKES = """
SELECT o.entity_id FROM entities n JOIN entities o
  ON o.scope_id = n.scope_id AND o.name_key = n.name_key
WHERE n.entity_id IN (SELECT value FROM carray(?)) AND n.kind <> 'nobody'
"""
SELECT_WITHDRAWN = f"""
SELECT episode_id FROM episodes WHERE speaker_id IN (SELECT value FROM carray(:n))
  AND withdrawn IS NOT NULL AND {LEFT} AND episode_id NOT IN (SELECT value FROM carray(:e))
"""
SELECT_UNSUPPORTED = """
SELECT fact_id FROM facts WHERE support = 0 AND fact_id NOT IN (SELECT value FROM carray(:f))
  AND fact_id IN (
    SELECT fact_id FROM facts WHERE subject_id IN (SELECT value FROM carray(:n))
    UNION SELECT fact_id FROM facts WHERE object_id IN (SELECT value FROM carray(:n))
    UNION SELECT fact_id FROM facts WHERE attributed_to IN (SELECT value FROM carray(:n))
    UNION SELECT from_fact_id FROM links WHERE to_entity_id IN (SELECT value FROM carray(:n)))
"""


@dataclass(frozen=True, slots=True)
class Gone:
    """Entities that go, and the episodes and facts that go with them."""

    entities: tuple[int, ...] = ()
    episodes: tuple[int, ...] = ()
    facts: tuple[int, ...] = ()


def orphans(
    db: Connection,
    gone: Gone,
    *,
    keeps_facts: bool = False,
    keeps_texts: bool = False,
) -> Gone:
    """List the entities that nothing speaks of any more, once some records are gone.

    The entities of ``gone`` are looked at beside those that its records speak of. What was taken
    back holds no name: it is added to what goes, but for what a level keeps.
    """
    episodes, facts = set(gone.episodes), set(gone.facts)
    seeds = {*gone.entities, *involved(db, gone.episodes, gone.facts)}
    kept = {"keeps_facts": keeps_facts, "keeps_texts": keeps_texts}
    while True:
        lost = _unsupported(db, seeds, Gone((), tuple(episodes), tuple(facts)), kept)
        names = {"n": number_list(lost)}
        said = _numbers(db, SELECT_WITHDRAWN, names | {"e": number_list(sorted(episodes))})
        about = _numbers(db, SELECT_UNSUPPORTED, names | {"f": number_list(sorted(facts))})
        if not said and not about:
            return Gone(tuple(lost), tuple(sorted(episodes)), tuple(sorted(facts)))
        episodes.update(said)
        facts.update(about)
        seeds |= set(involved(db, said, about))


def _unsupported(db: Connection, seeds: set[int], gone: Gone, kept: dict[str, bool]) -> list[int]:
    """List those of some entities, and of their namesakes, that nothing else speaks of."""
    lost: set[int] = set()
    fresh = sorted(seeds)
    while fresh:
        families = family_of(db, fresh)
        bound = {"f": number_list(gone.facts), "e": number_list(gone.episodes)}
        values = bound | kept | {"n": number_list(families)}
        supported = _numbers(db, SELECT_SUPPORTED, values)
        held = set(family_of(db, supported)) if supported else set()
        found = set(families) - held - lost
        lost |= found
        # Of two of one name that a person told apart, one may have nothing that speaks of it.
        namesakes = _numbers(db, SELECT_NAMESAKES, (number_list(sorted(found)),))
        fresh = sorted(set(namesakes) - lost - set(families))
    return sorted(lost)


def _numbers(db: Connection, sql: str, bindings: object) -> list[int]:
    return [row[0] for row in db.execute(sql, bindings)]


SELECT_OF_SCOPE = "SELECT entity_id FROM entities WHERE scope_id = ? AND kind <> 'nobody'"


def entities_of_scope(db: Connection, scope_id: int) -> list[int]:
    """List all entities of a scope that have a name."""
    return _numbers(db, SELECT_OF_SCOPE, (scope_id,))

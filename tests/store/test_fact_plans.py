"""The statements about facts use their indexes: none reads a whole table for one question."""

import re

import pytest

from memorycore.store import (
    believed,
    candidates,
    entities,
    evidence,
    evidence_copies,
    fact_index,
    fact_names,
    fact_reads,
    facts,
    journal,
    links,
    periods,
    predicates,
    quarantine,
    sightings,
)
from memorycore.store.fact_reads import AsOf

MODULES = [
    believed,
    evidence_copies,
    candidates,
    entities,
    evidence,
    fact_index,
    fact_names,
    facts,
    journal,
    links,
    periods,
    predicates,
    quarantine,
    sightings,
    fact_reads,
]
LARGE = set("facts fact_periods evidence candidates episodes decisions links entities".split())
ALLOWED = {
    ("candidates", "SELECT_SUPPRESSED"): "by an index of just those",
    ("predicates", "COUNT_FACTS"): "for a person who changes a predicate",
    ("facts", "SELECT_OF_PREDICATE"): "for a person who changes a predicate, and its undo",
}
"""Statements that may read a table from end to end, and why."""
STATEMENT = re.compile(r"\s*(SELECT|UPDATE|DELETE|WITH|INSERT\b.*\bSELECT)\b", re.DOTALL)
"""What reads. The plan of ``INSERT … VALUES`` lists looks at links that are never taken."""


def statements():
    """Go through the whole statements of the modules, as module, name and SQL."""
    for module in MODULES:
        short = module.__name__.rpartition(".")[2]
        texts = {
            name: value
            for name, value in vars(module).items()
            if name.isupper() and isinstance(value, str) and STATEMENT.match(value)
        }
        for name, sql in texts.items():
            is_part = any(other != sql and other.startswith(sql) for other in texts.values())
            if not is_part and "{" not in sql:
                yield (short, name), sql


def plan(world, sql):
    """Read the plan of a statement; no plan depends on what is bound."""
    names = re.findall(r":([a-z_]+)", sql)
    bindings = dict.fromkeys(names) if names else (None,) * sql.count("?")
    with world.store.read() as db:
        return [row[3] for row in db.execute("EXPLAIN QUERY PLAN " + sql, bindings)]


def scanned(sql, steps):
    """Tell which tables a plan reads from end to end."""
    tables = {}
    for table, alias in re.findall(r"(?:FROM|JOIN)\s+(\w+)(?:\s+(?:AS\s+)?([a-z]\w*))?", sql):
        tables |= {table: table, alias: table}
    found = [step.split()[1] for step in steps if step.startswith("SCAN")]
    return {tables.get(name, name) for name in found}


def test_only_what_is_allowed_reads_a_large_table_from_end_to_end(world):
    assert {key for key, sql in statements() if scanned(sql, plan(world, sql)) & LARGE} == set(
        ALLOWED
    )


@pytest.mark.parametrize("valid_at", [None, 1])
@pytest.mark.parametrize("known", [None, 1])
def test_an_as_of_question_is_answered_from_one_index(world, valid_at, known):
    where = fact_reads._periods_where(AsOf(valid_at, known))
    [step] = plan(world, fact_reads.SELECT_OF_PREDICATE.replace("{where}", where))
    assert "p USING COVERING INDEX fact_periods_as_of" in step
    assert "subject_id=? AND predicate_id=? AND recorded_to" in step
    if valid_at is not None and known is None:
        assert "valid_to>?" in step


@pytest.mark.parametrize("valid_at", [None, 1])
@pytest.mark.parametrize("known", [None, 1])
def test_a_page_of_facts_and_their_periods_read_only_what_they_show(world, valid_at, known):
    where = fact_reads._periods_where(AsOf(valid_at, known))
    page = fact_reads.SELECT_PAGE.replace("{where}", where).replace("{more}", "f.support > 0")
    assert not scanned(page, plan(world, page)) & LARGE
    steps = plan(world, fact_reads.SELECT_PERIODS.replace("{where}", where))
    assert any("p USING INDEX fact_periods_of_fact" in step for step in steps), steps


@pytest.mark.parametrize(
    ("module", "name", "step"),
    [
        (evidence, "SELECT_TIMELINE", "INDEX evidence_of_timeline (timeline_id=?)"),
        (evidence, "SELECT_FROM", "INDEX evidence_of_timeline (timeline_id=? AND starts>?)"),
        (evidence, "HAS_ALIKE", "INDEX evidence_of_timeline (timeline_id=? AND starts=?)"),
        (evidence, "HAS_RIVALS", "INDEX evidence_of_timeline (timeline_id=? AND starts>"),
        (evidence, "BEGINS_AT", "INDEX evidence_of_timeline (timeline_id=? AND starts=?)"),
        (evidence, "HAS_AS_SURE", "INDEX evidence_once (fact_id=?)"),
        (evidence_copies, "COPY_OF_CANDIDATE", "INDEX evidence_of_candidate (candidate_id=?)"),
        (links, "SELECT_BETWEEN", "INDEX links_once (from_fact_id=?"),
        (links, "SELECT_BACK", "INDEX links_back (to_fact_id=?)"),
        (believed, "SELECT_LIFECYCLES", "INDEX changes_by_operation (operation_id>?)"),
        (periods, "SELECT_BELIEVED", "INDEX fact_periods_of_fact (fact_id=? AND recorded_to>?)"),
        (evidence, "SELECT_OF_FACT", "INDEX evidence_once (fact_id=?)"),
        (evidence, "HAS_ENDINGS", "INDEX evidence_once (fact_id=?)"),
        (evidence, "EXISTS", "INDEX evidence_once (fact_id=? AND episode_id=?"),
        (evidence, "COUNT", "INDEX evidence_once (fact_id=?)"),
        (evidence, "SELECT_OF_EPISODES", "INDEX evidence_of_episode (episode_id=?)"),
        (evidence, "SELECT_OF_CANDIDATE", "INDEX evidence_of_candidate (candidate_id=?)"),
        (evidence, "INSERT_EVIDENCE", "INDEX facts_by_first_evidence (first_evidence_id=?)"),
        (periods, "SELECT_TOUCHING", "INDEX fact_periods_of_timeline (timeline_id=? AND valid_to>"),
        (periods, "SELECT_OF_FACT", "INDEX fact_periods_of_fact (fact_id=? AND recorded_to=?)"),
        (periods, "SELECT_OPEN", "INDEX fact_periods_of_fact (fact_id=? AND recorded_to=?)"),
        (periods, "CLOSE", "USING INTEGER PRIMARY KEY"),
        (facts, "SELECT_SAME", "INDEX facts_once (subject_id=? AND predicate_id=? AND object_key"),
        (facts, "SELECT_FIRST_UNRANKED", "INDEX facts_once (subject_id=? AND predicate_id=?)"),
        (facts, "SELECT_IDENTITY", "INDEX facts_once (subject_id=? AND predicate_id=? AND"),
        (facts, "SELECT_OF_OBJECT", "INDEX facts_by_object (object_id=?)"),
        (fact_names, "SELECT_BY_UID", "INDEX sqlite_autoindex_facts_1 (uid>? AND uid<?)"),
        (candidates, "SELECT_KNOWN", "INDEX candidates_once (fingerprint=?)"),
        (candidates, "SELECT_BY_STATE", "INDEX candidates_waiting (scope_id=? AND state=?"),
        (candidates, "SELECT_ALIKE", "INDEX candidates_alike (identity=?)"),
        (candidates, "SELECT_DECISION", "INDEX decisions_once (candidate_id=?)"),
        (candidates, "SELECT_ADMITTING", "INDEX decisions_of_fact (fact_id=?)"),
        (candidates, "SELECT_REVIEW", "INDEX review_items_of_candidate (candidate_id=?)"),
        (links, "SELECT_OF_FACT", "INDEX links_once (from_fact_id=?)"),
        (links, "SELECT_OF_FACT", "INDEX links_back (to_fact_id=?)"),
        (links, "SELECT_MERGED", "INDEX links_back (to_fact_id=?)"),
        (sightings, "SELECT_BY_EXTERNAL", "INDEX episodes_by_external_id (scope_id=? AND"),
        (sightings, "SELECT_BY_UID", "INDEX sqlite_autoindex_episodes_1 (uid>? AND uid<?)"),
        (sightings, "SELECT_BY_NUMBER", "e USING INTEGER PRIMARY KEY"),
        (sightings, "SELECT_ITEMS", "INDEX episodes_by_external_id (scope_id=? AND"),
        (entities, "SELECT_NAMED", "INDEX sqlite_autoindex_entities_2 (scope_id=? AND name_key=?"),
        (entities, "SELECT_NAMED", "INDEX aliases_by_name (scope_id=? AND name_key=?)"),
        (entities, "INSERT_ALIAS", "INDEX aliases_once (entity_id=? AND name_key=?)"),
        (predicates, "SELECT_VERSION", "INDEX predicate_versions_once (predicate_id=?)"),
        (predicates, "SELECT_NUMBER", "INDEX sqlite_autoindex_predicates_1 (name=?)"),
        (quarantine, "SELECT_KNOWN", "INDEX quarantined_once (fingerprint=?)"),
        (journal, "SELECT_CHANGES", "INDEX changes_by_operation (operation_id=?)"),
        (fact_reads, "SELECT_EVIDENCE", "evidence USING COVERING INDEX evidence_once"),
        (fact_reads, "SELECT_EVIDENCE", "e USING INTEGER PRIMARY KEY (rowid=?)"),
        (fact_reads, "SELECT_EVIDENCE", "INDEX evidence_ended (fact_id=?)"),
        (fact_reads, "AT_OF", "USING INTEGER PRIMARY KEY"),
    ],
)  # fmt: skip
def test_a_frequent_statement_uses_its_index(world, module, name, step):
    steps = plan(world, getattr(module, name))
    assert any(step in line for line in steps), steps

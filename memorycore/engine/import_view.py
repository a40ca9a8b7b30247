"""Show the items of an import: what each says, what it was compared with, what became of it."""

from collections.abc import Sequence

from memorycore.model.candidate_text import read_candidate
from memorycore.model.identity import format_id, parse_id_of
from memorycore.model.import_item import ImportItem, Match
from memorycore.store import import_items
from memorycore.store.candidates import list_by_number
from memorycore.store.connection import Connection
from memorycore.store.entities import scope_names
from memorycore.store.fact_names import list_by_uid
from memorycore.store.fact_reads import AsOf, load_facts
from memorycore.store.import_items import StoredItem
from memorycore.store.import_jobs import StoredJob

FORGOTTEN = "(its text is not kept)"


def view_items(
    db: Connection,
    job: StoredJob,
    *,
    waiting: bool,
    action: str | None,
    first: int,
    limit: int,
    matches: bool,
    zone: str,
) -> list[ImportItem]:
    """Read a page of a job's items as they are shown."""
    stored = import_items.list_items(
        db, job.job_id, first=first, limit=limit, waiting=waiting, action=action
    )
    stored = [one for one in stored if one.is_seen]
    facts = [one.fact_id for one in stored if one.fact_id is not None]
    candidates = [one.candidate_id for one in stored if one.candidate_id is not None]
    of_facts, of_candidates = import_items.uids_of(db, facts, candidates)
    labels = _labels(db, candidates)
    scope = scope_names(db)[job.scope_id]
    found = []
    for one in stored:
        candidate = of_candidates.get(one.candidate_id or 0)
        fact = of_facts.get(one.fact_id or 0)
        found.append(
            ImportItem(
                one.number + 1,
                one.label or labels.get(one.candidate_id or 0) or FORGOTTEN,
                one.choice,
                one.chosen,
                tuple(_matches(db, one, scope, zone)) if matches else (),
                one.outcome,
                None if candidate is None else format_id("cand", candidate),
                None if fact is None else format_id("fct", fact),
            )
        )
    return found


def _labels(db: Connection, candidates: Sequence[int]) -> dict[int, str]:
    """Say what items have become that may be shown: their own words have gone."""
    if not candidates:
        return {}
    labels = {}
    for one in list_by_number(db, candidates):
        if one.statement is not None:
            candidate = read_candidate(one.statement, place="")
            named = candidate.object.name if candidate.object else candidate.value
            labels[one.candidate_id] = named or ""
    return labels


def _matches(db: Connection, item: StoredItem, scope: str, zone: str) -> list[Match]:
    found = []
    for id_ in item.offered or ():
        numbers = list_by_uid(db, *parse_id_of("fct", id_), [scope])
        facts = load_facts(
            db, [number for number, *_ in numbers], AsOf(None), zone=zone, evidence=False
        )
        found += [
            Match(fact.id, fact.text, fact.object_text, fact.predicate, 0.0)
            for fact in facts.values()
        ]
    return found

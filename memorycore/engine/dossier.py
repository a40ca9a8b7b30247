"""Gather what is held about somebody, and read it: a page of it, or all of it piece by piece."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from memorycore.engine.recount import EVER
from memorycore.engine.review import view_candidate
from memorycore.engine.review_look import read_records
from memorycore.engine.subject import Whom, find_near, is_named, spelled
from memorycore.model.entity import Entity
from memorycore.model.review import CandidateView
from memorycore.model.review_result import ReviewRecord
from memorycore.model.subject import (
    ROLES_IN_FACTS,
    Dossier,
    HeldEpisode,
    KnownFact,
    Mention,
    Subject,
    SubjectCounts,
)
from memorycore.store.candidates import list_candidates
from memorycore.store.connection import Connection
from memorycore.store.entities import name_key, scope_names
from memorycore.store.episodes import load_episodes
from memorycore.store.fact_reads import list_all_periods, load_evidence, load_facts
from memorycore.store.receipts import list_receipts
from memorycore.store.subjects import (
    count_characters,
    episodes_behind,
    episodes_said_by,
    episodes_shown_of_scope,
    facts_shown_of,
    facts_shown_of_scope,
    iter_texts,
    iter_words,
)

PAGE = 500
SHOWN_FACTS = 1000
"""So many facts stand on the page of somebody; all are in the export."""
SHOWN_MENTIONS = 50
MAX_RECEIPTS = 10_000
WAITING = ("pending", "review")
SAYING = ("subject", "object", "value", "attributed_to")
"""The fields of a candidate that can name somebody."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What is held about somebody, by number. ``naming`` only holds the name in its words."""

    whom: Whom
    facts: dict[int, str]
    said: tuple[tuple[int, int | None], ...]
    evidence: tuple[int, ...]
    candidates: tuple[CandidateView, ...]
    memories: tuple[ReviewRecord, ...]
    near: tuple[Entity, ...]
    near_left_out: int
    naming_episodes: tuple[int, ...]
    naming_facts: tuple[int, ...]

    @property
    def counts(self) -> SubjectCounts:
        return SubjectCounts(
            len(self.facts),
            len(self.said),
            len(self.evidence),
            len(self.candidates),
            len(self.near) + self.near_left_out,
            len(self.naming_episodes),
            len(self.naming_facts),
        )


def gather(db: Connection, scope_ids: Sequence[int], who: Whom) -> Gathered:
    """Gather what is held about somebody. Who names them is looked for in all scopes given."""
    if who.is_whole:
        facts = dict.fromkeys(facts_shown_of_scope(db, who.scope_id), "scope")
        said = tuple(episodes_shown_of_scope(db, who.scope_id))
        waiting, memories = tuple(_waiting(db, who)), tuple(_on_trial(db, who))
        return Gathered(who, facts, said, (), waiting, memories, (), 0, (), ())
    roles = facts_shown_of(db, who.family)
    said = tuple(episodes_said_by(db, who.family))
    theirs = {number for number, _ in said}
    behind = episodes_behind(db, list(roles))
    evidence = tuple(number for number in behind if number not in theirs)
    near, left_out = find_near(db, scope_ids, who.names, who.family)
    spellings = spelled(who.names)
    known = theirs.union(evidence)
    return Gathered(
        who,
        {number: ROLES_IN_FACTS[role] for number, role in roles.items()},
        said,
        evidence,
        tuple(_waiting(db, who)),
        tuple(_on_trial(db, who)),
        near,
        left_out,
        tuple(
            number
            for number, _, text in iter_texts(db, scope_ids)
            if number not in known and is_named(spellings, text)
        ),
        tuple(
            number
            for number, *words in iter_words(db, scope_ids)
            if number not in roles and any(is_named(spellings, word) for word in words)
        ),
    )


def _waiting(db: Connection, who: Whom) -> Iterator[CandidateView]:
    """Go through the candidates that wait and speak of somebody."""
    for state in WAITING:
        after = 0
        while True:
            page = list_candidates(db, [who.scope_id], state=state, after=after, limit=PAGE)
            for stored in page:
                view = view_candidate(db, stored)
                # What rests on nothing that may be seen may not be seen either.
                if view.evidence and _concerns(view, who):
                    yield view
            if len(page) < PAGE:
                break
            after = page[-1].candidate_id


def _on_trial(db: Connection, who: Whom) -> Iterator[ReviewRecord]:
    """Go through what reviews have observed, and is not believed, that names somebody."""
    spellings = spelled(who.names) if not who.is_whole else None
    for one in read_records(db, [who.scope_id], state=None):
        if one.state != "proven" and (spellings is None or is_named(spellings, one.text)):
            yield one


def _concerns(view: CandidateView, who: Whom) -> bool:
    if who.is_whole:
        return True
    said = view.statement or {}
    spellings = spelled(who.names)
    if any(is_named(spellings, word) for name in SAYING for word in _words(said.get(name))):
        return True
    keys = set(map(name_key, who.names))
    speakers = {name_key(one.speaker) for one in view.evidence if one.speaker is not None}
    return bool(said) and "subject" not in said and not keys.isdisjoint(speakers)


def _words(part: Any) -> list[str]:
    if isinstance(part, dict):
        return [str(part["name"]), *map(str, part.get("aliases", ()))]
    return [] if part is None else [str(part)]


def _pages(numbers: Iterable[int]) -> Iterator[list[int]]:
    left = iter(numbers)
    while page := list(islice(left, PAGE)):
        yield page


def iter_facts(db: Connection, facts: dict[int, str], *, zone: str) -> Iterator[KnownFact]:
    """Go through facts with all that was ever believed of them, a page at a time."""
    for numbers in _pages(facts):
        loaded = load_facts(db, numbers, EVER, zone=zone, evidence=False)
        periods = list_all_periods(db, numbers, None)
        evidence = load_evidence(db, numbers)
        for number in numbers:
            yield KnownFact(
                loaded[number],
                facts[number],
                tuple(periods.get(number, ())),
                tuple(evidence.get(number, ())),
            )


def iter_episodes(db: Connection, found: Gathered) -> Iterator[HeldEpisode]:
    """Go through the episodes that are held about somebody, in the order they came in."""
    why = "scope" if found.whom.is_whole else "said"
    whys = dict.fromkeys((number for number, _ in found.said), why)
    whys |= dict.fromkeys(found.evidence, "evidence")
    for numbers in _pages(sorted(whys)):
        loaded = load_episodes(db, numbers)
        for number in numbers:
            yield HeldEpisode(loaded[number], whys[number])


def iter_mentions(db: Connection, found: Gathered, *, zone: str) -> Iterator[Mention]:
    """Go through what may be about somebody: near matches, facts and episodes that name them."""
    for entity in found.near:
        yield Mention(entity=entity)
    for fact in iter_facts(db, dict.fromkeys(found.naming_facts, "named"), zone=zone):
        yield Mention(fact=fact)
    for numbers in _pages(found.naming_episodes):
        loaded = load_episodes(db, numbers)
        for number in numbers:
            yield Mention(episode=loaded[number])


def read_page(db: Connection, found: Gathered, *, zone: str, now: int) -> Subject:
    """Read the page of somebody."""
    who = found.whom
    scope = scope_names(db)[who.scope_id]
    shown = dict(islice(found.facts.items(), SHOWN_FACTS))
    first, last = _first_and_last(db, found)
    return Subject(
        scope,
        who.entity,
        zone,
        now,
        found.counts,
        first,
        last,
        tuple(iter_facts(db, shown, zone=zone)),
        found.candidates,
        tuple(one.id for one in list_receipts(db, [scope], limit=MAX_RECEIPTS)),
        tuple(islice(iter_mentions(db, found, zone=zone), SHOWN_MENTIONS)),
        found.memories,
    )


def _first_and_last(db: Connection, found: Gathered) -> tuple[str | None, str | None]:
    dated = [(at, number) for number, at in found.said if at is not None]
    if not dated:
        return None, None
    first, last = min(dated)[1], max(dated)[1]
    loaded = load_episodes(db, [first, last])
    return loaded[first].at, loaded[last].at


def open_dossier(db: Connection, found: Gathered, *, zone: str, now: int) -> Dossier:
    """Give all that is held about somebody; it is read while the connection is."""
    episodes = [number for number, _ in found.said]
    episodes += [*found.evidence, *found.naming_episodes]
    return Dossier(
        read_page(db, found, zone=zone, now=now),
        lambda: iter_facts(db, found.facts, zone=zone),
        lambda: iter_episodes(db, found),
        lambda: iter_mentions(db, found, zone=zone),
        count_characters(db, episodes),
    )

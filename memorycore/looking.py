"""What a handle can ask about facts: lists, both axes of time, histories, explanations."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memorycore.errors import AmbiguousIdError, InvalidInputError, NotFoundError
from memorycore.handle import Handle
from memorycore.model.fact import STATES
from memorycore.model.given import require_limit, require_names, require_share
from memorycore.model.identity import PREFIXES, format_id, parse_id, parse_id_of
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from memorycore.model.entity import Entity
    from memorycore.model.episode import Episode
    from memorycore.model.fact import Fact
    from memorycore.model.history import Difference, Explanation, HistoryLine
    from memorycore.model.import_job import ImportJob
    from memorycore.model.operation import Operation
    from memorycore.model.review import CandidateView
    from memorycore.model.review_queue import QueueItem
    from memorycore.model.review_result import ReviewRecord
    from memorycore.store.connection import Connection
    from memorycore.store.entities import EntityRow
    from memorycore.store.fact_reads import AsOf, Wanted

PAGE = 500
MAX_NAMED = 5
ELSEWHERE = {
    "plan": "memoryctl forget show PLAN; memoryctl consolidate  shows one to admit",
    "rcpt": "memoryctl receipts show ID",
    "sup": "memoryctl suppression list",
}
"""Where records of other kinds are looked at."""


def find_entity(db: "Connection", scope_ids: Sequence[int], named: str) -> "EntityRow":
    """Find the one entity of an id, or of an exact name.

    Raises:
        NotFoundError: there is none.
        AmbiguousIdError: there are several; the message tells them apart.
    """
    from memorycore.engine.identify import get_entity
    from memorycore.model.name import require_text
    from memorycore.store.entities import list_named

    require_text(named, "The name of an entity")
    try:
        return get_entity(db, scope_ids, named)
    except AmbiguousIdError as error:
        if named.startswith("ent_"):
            raise
        rows = [row for number in scope_ids for row in list_named(db, number, named, shown=True)]
        fits = [_told_apart(row) for row in rows[:MAX_NAMED]]
        more = f"; and {len(rows) - MAX_NAMED} more" if len(rows) > MAX_NAMED else ""
        raise AmbiguousIdError(
            f"{named} fits several: {'; '.join(fits)}{more}.",
            hint=f"an id in its place, such as {format_id('ent', rows[0].uid)}",
        ) from error


def _told_apart(row: "EntityRow") -> str:
    name, *more = (" ".join(text.split()) for text in (row.name, row.kind, row.distinction))
    return f"{format_id('ent', row.uid)} {name} ({', '.join(filter(None, more))})"


class Looker(Handle):
    """The use cases that read facts. None of them writes, and none reaches the network."""

    def get(
        self,
        id: str,  # noqa: A002 (the public name)
        *,
        all_scopes: bool = False,
        as_of: str | None = None,
        known_at: str | None = None,
    ) -> (
        "Episode | Fact | Entity | CandidateView | Operation | ReviewRecord | QueueItem | ImportJob"
    ):
        """Get a record by its id, or by a unique start of it.

        With ``all_scopes`` an operation of another scope is given too; nothing else ever is.
        A fact is given with the period that holds at ``as_of`` as it was believed at ``known_at``
        (now and now), or with its last one where none answers.

        Raises:
            NotFoundError: nothing that may be seen has it.
            AmbiguousIdError: several do.
            InvalidTimeError: a time cannot be read.
            InvalidInputError: a time is given for a record other than a fact.
        """
        from memorycore.engine.recount import find_fact, read_fact
        from memorycore.store.episodes import get_episode
        from memorycore.store.operations import get_operation

        prefix, lowest, highest = parse_id(id)
        if prefix != "fct" and (as_of is not None or known_at is not None):
            raise InvalidInputError(
                "Only a fact differs from one time to another.", hint="the id without a time"
            )
        with self._store.read() as db:
            if prefix == "fct":
                when = self._when(db, as_of, known_at, ())
                return read_fact(db, find_fact(db, self.scopes, id), when, zone=self.time_zone)
            if prefix == "op":
                scopes = None if all_scopes else self.scopes
                return get_operation(db, lowest, highest, scopes=scopes, asked=id)
            if prefix == "ep":
                return get_episode(db, lowest, highest, scopes=self.scopes, asked=id)
            return self._get(db, prefix, id, (lowest, highest))

    def _get(
        self, db: "Connection", prefix: str, asked: str, range_: tuple[bytes, bytes]
    ) -> "Entity | CandidateView | ReviewRecord | QueueItem | ImportJob":
        from memorycore.engine.identify import read_entity
        from memorycore.engine.look import one_of
        from memorycore.engine.review import view_candidate
        from memorycore.engine.review_look import find_item, find_record
        from memorycore.store.candidates import list_by_uid

        found = (find_scope(db, name) for name in self.scopes)
        scope_ids = [number for number in found if number is not None]
        if prefix == "ent":
            return read_entity(db, find_entity(db, scope_ids, asked))
        if prefix == "cand":
            candidates = list_by_uid(db, *range_, scope_ids) if scope_ids else []
            one = one_of(candidates, "candidate", asked, self.scopes, prefix="cand")
            return view_candidate(db, one)
        if prefix == "mem":
            return one_of(find_record(db, range_, scope_ids), "memory", asked, self.scopes,
                          prefix="mem")  # fmt: skip
        if prefix == "rvw":
            return one_of(find_item(db, range_, scope_ids), "queued review", asked, self.scopes,
                          prefix="rvw")  # fmt: skip
        if prefix == "job":
            return self._import_job(db, range_, scope_ids, asked)
        raise InvalidInputError(
            f"A {PREFIXES[prefix]} is not shown here.",
            hint=ELSEWHERE.get(prefix, "memoryctl help"),
        )

    def _import_job(
        self, db: "Connection", range_: tuple[bytes, bytes], scope_ids: list[int], asked: str
    ) -> "ImportJob":
        from memorycore.engine.import_process import view_job
        from memorycore.engine.look import one_of
        from memorycore.store.import_jobs import list_by_uid

        jobs = list_by_uid(db, *range_, scope_ids)
        return view_job(db, one_of(jobs, "import job", asked, self.scopes, prefix="job"))

    def facts(
        self,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        entity: str | None = None,
        as_of: str | None = None,
        known_at: str | None = None,
        include: Collection[str] = (),
        min_confidence: float | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> "Iterator[Fact]":
        """List facts by age: those that are believed, visible, and true now.

        ``as_of`` asks what is true at another time and ``known_at`` what was believed at one: ISO
        dates of any precision (their last instant), ``now`` or ``-3d``. ``subject`` and ``entity``
        are names or ids; ``include`` adds ``past`` and ``upcoming`` facts, ``consolidated`` or
        ``archived`` ones. ``after`` is the id of the fact after which the list goes on.

        Raises:
            InvalidTimeError, InvalidInputError: an argument cannot be read.
            NotFoundError, AmbiguousIdError: a name or id is not there, or is not unique.
        """
        from memorycore.engine.recount import list_facts

        left = None if limit is None else require_limit(limit)
        with self._store.read() as db:
            wanted = self._wanted(
                db,
                subject=subject,
                predicate=predicate,
                entity=entity,
                as_of=as_of,
                known_at=known_at,
                include=include,
                min_confidence=min_confidence,
                after=after,
            )
        while wanted is not None and (left is None or left > 0):
            with self._store.read() as db:
                page = PAGE if left is None else min(PAGE, left)
                found = list_facts(db, wanted, limit=page, zone=self.time_zone)
            yield from found
            if len(found) < page:
                return
            wanted = replace(wanted, after=found[-1].number)
            left = None if left is None else left - len(found)

    def episodes(self, *, after: str | None = None, limit: int = PAGE) -> "list[Episode]":
        """List episodes in the order they came in; ``after`` is the id of the last one seen."""
        from memorycore.store.episodes import get_episode, list_episodes

        with self._store.read() as db:
            number = 0
            if after is not None:
                lowest, highest = parse_id_of("ep", after)
                number = get_episode(db, lowest, highest, scopes=self.scopes, asked=after).number
            return list_episodes(db, self.scopes, after=number, limit=require_limit(limit))

    def as_of_diff(
        self,
        first: str,
        second: str,
        *,
        known_at: str | None = None,
        subject: str | None = None,
        predicate: str | None = None,
        entity: str | None = None,
    ) -> "Difference":
        """Say which facts hold at one instant and not at another, later one.

        Raises:
            InvalidInputError: the second time lies before the first.
        """
        from memorycore.engine.look import Instant, last_instant, read_as_of
        from memorycore.engine.recount import compare
        from memorycore.model.history import Difference

        now, zone = self._store.clock(), self.time_zone
        if last_instant(second, now=now, zone=zone) < last_instant(first, now=now, zone=zone):
            raise InvalidInputError(
                f"{second[:40]} lies before {first[:40]}.", hint="the earlier time comes first"
            )
        with self._store.read() as db:
            wanted = self._wanted(
                db,
                subject=subject,
                predicate=predicate,
                entity=entity,
                as_of=first,
                known_at=known_at,
            )
            if wanted is None:
                return Difference((), ())
            asked = Instant(second, known_at)
            later = read_as_of(db, asked, now=self._store.clock(), zone=self.time_zone)
            return compare(db, wanted, later, zone=self.time_zone)

    def history(
        self,
        what: str | None = None,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        known_at: str | None = None,
    ) -> "list[HistoryLine]":
        """Tell a history on both axes: of a fact and its rivals, an entity, or a predicate.

        Every period that was ever believed is a line, by when it begins; with ``known_at`` only
        those that were believed then.
        """
        from memorycore.engine.look import last_instant
        from memorycore.engine.recount import find_fact, tell_history
        from memorycore.store.evidence import list_observations
        from memorycore.store.fact_reads import last_operation_until
        from memorycore.store.facts import list_places, list_rivals

        with self._store.read() as db:
            known = None
            if known_at is not None:
                instant = last_instant(known_at, now=self._store.clock(), zone=self.time_zone)
                known = last_operation_until(db, instant)
            if what is not None and what.startswith("fct_"):
                place = list_places(db, [find_fact(db, self.scopes, what)])[0]
                others = (one.fact_id for one in list_observations(db, place.timeline_id))
                numbers: Sequence[int] = sorted({*list_rivals(db, place), *others})
            else:
                numbers = self._facts_of(db, subject or what, predicate)
            return tell_history(db, numbers, known=known, zone=self.time_zone)

    def explain(
        self, fact: str, *, as_of: str | None = None, known_at: str | None = None
    ) -> "Explanation":
        """Explain a fact: its times and states, its sentences, and what admitted it."""
        from memorycore.engine.recount import explain_fact, find_fact

        with self._store.read() as db:
            number = find_fact(db, self.scopes, fact)
            when = self._when(db, as_of, known_at, ())
            return explain_fact(db, number, when, zone=self.time_zone)

    def digest(self) -> str:
        """Give a SHA-256 of the logical state of this handle's scopes, as hexadecimal digits.

        It is the same for the same beliefs from the same sentences, whatever the ids and the times
        of recording; so after an undo it is what it was before.
        """
        import hashlib

        from memorycore.store.canonical import iter_lines

        mark = hashlib.sha256()
        with self._store.read() as db:
            found = (find_scope(db, name) for name in self.scopes)
            numbers = [number for number in found if number is not None]
            # A scope that is not there yet holds what an empty one does.
            for line in iter_lines(db, numbers or [0]):
                mark.update(line.encode() + b"\n")
        return mark.hexdigest()

    def _facts_of(
        self, db: "Connection", subject: str | None, predicate: str | None
    ) -> Sequence[int]:
        from memorycore.store.fact_names import list_ever

        if subject is None and predicate is None:
            raise InvalidInputError(
                "A history is of a fact, an entity or a predicate.",
                hint="memoryctl history FACT, or --subject E --predicate P",
            )
        wanted = self._wanted(db, subject=subject, predicate=predicate)
        if wanted is None:
            return []
        return list_ever(db, wanted.scope_ids, wanted.subject_id, wanted.predicate_id)

    def _wanted(
        self,
        db: "Connection",
        *,
        subject: str | None = None,
        predicate: str | None = None,
        entity: str | None = None,
        as_of: str | None = None,
        known_at: str | None = None,
        include: Collection[str] = (),
        min_confidence: float | None = None,
        after: str | None = None,
    ) -> "Wanted | None":
        """Read what a listing asks for; ``None`` when its scopes hold nothing."""
        from memorycore.engine.recount import find_fact
        from memorycore.store.fact_reads import Wanted

        require_share(min_confidence, "min_confidence")
        when = self._when(db, as_of, known_at, include)
        found = [find_scope(db, name) for name in self.scopes]
        scope_ids = tuple(number for number in found if number is not None)
        predicate_id = None if predicate is None else self._predicate_id(db, predicate)
        if not scope_ids:
            return None
        return Wanted(
            scope_ids,
            when,
            None if subject is None else find_entity(db, scope_ids, subject).entity_id,
            predicate_id,
            None if entity is None else find_entity(db, scope_ids, entity).entity_id,
            min_confidence,
            "consolidated" in include,
            "archived" in include,
            0 if after is None else find_fact(db, self.scopes, after),
        )

    def _when(
        self, db: "Connection", as_of: str | None, known_at: str | None, include: Collection[str]
    ) -> "AsOf":
        from memorycore.engine.look import Instant, read_as_of

        require_names(include, "state", STATES)
        now = self._store.clock()
        when = read_as_of(db, Instant(as_of, known_at), now=now, zone=self.time_zone)
        if as_of is None and {"past", "upcoming", "invalid"} & set(include):
            return replace(when, valid_at=None)
        return when

    def _predicate_id(self, db: "Connection", name: str) -> int:
        from memorycore.model.name import require_text
        from memorycore.store.predicates import find_predicate

        predicate = find_predicate(db, require_text(name, "The name of a predicate"))
        if predicate is None:
            raise NotFoundError(
                f"There is no predicate {name[:64]!r}.", hint="memoryctl predicate list"
            )
        return predicate.number

"""Forget: hide, clear, take texts away, or take everything away, in the transaction that is open.

One executor for every target. What is to be forgotten was decided before (``reach``); here it is
carried out, so that each index row goes out with the words it went in with, and what follows from
the evidence that is left is computed anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memorycore.engine.known_as import FactNames
from memorycore.engine.reach import stray_names, texts_that_go
from memorycore.engine.review_forget import Removal, clear_reviews, hide_reviews
from memorycore.engine.settle import refresh, rule_of, settle, settle_decisions
from memorycore.engine.strike import strike
from memorycore.engine.suppress import statement_prints, text_print
from memorycore.engine.veil import refresh_names
from memorycore.model.forgetting import OPERATIONS, Options, Reach
from memorycore.model.identity import IdSource, format_id
from memorycore.model.needles import Needles
from memorycore.model.operation import Operation
from memorycore.model.timeline import LATEST
from memorycore.store import erase, import_reach, struck
from memorycore.store.connection import Connection
from memorycore.store.decided_links import beside, delete_decided
from memorycore.store.erasures import insert_erasures
from memorycore.store.evidence import list_ended_of_episodes, list_of_episodes
from memorycore.store.fact_index import FactIndexing
from memorycore.store.facts import list_of_entity, list_of_timeline, list_timelines
from memorycore.store.forgotten import FactContent, fact_contents, turn_of, visible_among
from memorycore.store.journal import (
    Journal,
    change_field,
    close_rows,
    get_field,
    last_numbers,
    trim_journal,
)
from memorycore.store.key_file import Key
from memorycore.store.links import end_strays
from memorycore.store.operations import insert_operation
from memorycore.store.orphans import involved
from memorycore.store.predicates import load_predicates
from memorycore.store.reach import names_of
from memorycore.store.receipts import append_entry, insert_receipt
from memorycore.store.search_index import change_visible
from memorycore.store.stray_names import (
    Strays,
    bearers_of,
    delete_aliases,
    rename_entity,
)
from memorycore.store.suppressions import Entry, insert_suppressions


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be carried out: on whose memory, how far, under which plan, by whom."""

    scope_id: int
    scope: str
    kind: str
    level: str
    reach: Reach
    options: Options
    actor: str
    now: int
    new_id: IdSource
    counts: dict[str, int]
    plan: str | None = None
    repeats: str | None = None
    """The receipt of a forgetting that is carried out again."""


@dataclass(slots=True)
class Forgotten:
    """What was carried out: its operation and receipt, and the words to look for afterwards."""

    operation: Operation
    receipt_id: int
    receipt_uid: bytes
    needles: Needles


def forget(
    db: Connection, order: Order, key: Key | None, *, operation: Operation | None = None
) -> Forgotten:
    """Carry an order out; ``key`` makes the fingerprints of what may not come back.

    It is an operation of its own, unless what it belongs to gives its ``operation``.
    """
    operation = operation or insert_operation(
        db,
        now=order.now,
        new_id=order.new_id,
        actor=order.actor,
        kind=OPERATIONS[order.level],
        scope_id=order.scope_id,
    )
    uid = order.new_id(operation.at)
    receipt_id = insert_receipt(
        db,
        uid=uid,
        scope_id=order.scope_id,
        operation_id=operation.number,
        level=order.level,
    )
    for record, numbers in order.reach.records():
        insert_erasures(db, receipt_id, record, numbers)
    work = _Forgetting(db, order, operation)
    before = last_numbers(db)
    if order.level != "soft":
        work.seek_imports()
    if key is not None and order.level != "soft" and order.options.suppress:
        work.suppress(key, receipt_id)
    work.review()
    {"soft": work.hide, "hard": work.clear, "redact": work.redact, "purge": work.purge}[
        order.level
    ]()
    if order.level != "soft":
        erase.blank_quarantined(db, order.reach.lines)
        import_reach.blank_imports(db, order.reach.jobs, order.reach.items)
        trim_journal(db, before)
    work.finish()
    append_entry(db, receipt_id, "logical", _body(order, operation, uid))
    return Forgotten(operation, receipt_id, uid, work.needles)


def _body(order: Order, operation: Operation, uid: bytes) -> dict[str, object]:
    repeats = {} if order.repeats is None else {"repeats": order.repeats}
    return repeats | {
        "receipt": format_id("rcpt", uid),
        "level": order.level,
        "target": order.kind,
        "reason": order.options.reason,
        "ticket": order.options.ticket,
        "derived": order.options.derived,
        "plan": order.plan,
        "recorded": operation.number,
        "operation": operation.id,
        "actor": order.actor,
        "at": operation.at,
        "counts": order.counts,
    }


@dataclass(slots=True)
class _Forgetting:
    """One forgetting: what it touches is named before it changes, and settled at the end."""

    db: Connection
    order: Order
    operation: Operation
    indexing: FactIndexing = field(init=False)
    journal: Journal = field(init=False)
    needles: Needles = field(default_factory=Needles)
    staying: set[int] = field(default_factory=set)
    left: list[int] = field(default_factory=list)
    named: set[int] = field(default_factory=set)
    """The entities that what is touched speaks of."""
    texts: list[str] = field(default_factory=list)
    """What is said, and who says it, in what goes."""

    def __post_init__(self) -> None:
        reach = self.order.reach
        self.named.update(involved(self.db, reach.episodes, [*reach.facts, *reach.thinned]))
        self.texts = texts_that_go(self.db, reach, self.order.level)
        self.indexing = FactIndexing(self.db)
        self.journal = Journal(self.db, self.operation.number)

    def suppress(self, key: Key, receipt_id: int) -> None:
        """Keep the fingerprints of the statements and texts that go."""
        reach, scope = self.order.reach, self.order.scope
        names = FactNames(self.db, self.order.scope_id, scope)
        meant = sorted({*reach.facts}.difference(reach.siblings))
        told = (names.of(fact) for fact in fact_contents(self.db, meant))
        entries: list[Entry] = [("statement", statement_prints(key, scope, one)) for one in told]
        if self.order.level in ("redact", "purge"):
            for episode, text, _ in erase.read_texts(self.db, reach.episodes):
                session, role = turn_of(self.db, episode)
                kind, fingerprint = text_print(key, scope, text, session=session, role=role)
                entries.append((kind, (fingerprint,)))
        insert_suppressions(
            self.db,
            self.order.scope_id,
            entries,
            receipt_id=receipt_id,
            recorded=self.operation.number,
            at=self.operation.at,
            new_id=self.order.new_id,
        )

    def review(self) -> None:
        """Let what reviews keep of it go too, or stand back."""
        order = self.order
        is_hidden = order.level == "soft"
        removal = Removal(
            order.scope_id,
            self.operation.number,
            self.operation.at,
            order.options,
            is_permanent=not is_hidden and order.kind == "fact",
        )
        if is_hidden:
            hide_reviews(self.db, removal, order.reach.reviews)
            return
        reach = order.reach
        self.needles.add_texts(clear_reviews(self.db, removal, reach.reviews, reach.packets))

    def hide(self) -> None:
        """Hide facts and episodes, and strike the sentences of hidden facts elsewhere."""
        reach = self.order.reach
        facts = visible_among(self.db, "facts", reach.facts)
        self.indexing.touch([*facts, *erase.facts_in(self.db, reach.episodes), *reach.parts])
        seen = erase.seen_among(self.db, reach.episodes)
        unseen = visible_among(self.db, "episodes", reach.episodes)
        change_visible(self.db, seen, lambda: self._hide("episode", seen))
        self._hide("episode", [one for one in unseen if one not in set(seen)])
        self._hide("fact", facts)
        self._hide("quarantined", reach.lines)
        self._hide("import_job", reach.jobs)
        self._hide("import_item", reach.items)
        self._set_free(reach.parts)
        self._strike(facts)

    def _hide(self, record: str, numbers: Sequence[int]) -> None:
        for number in numbers:
            change_field(self.db, self.operation.number, record, number, "visibility", "hidden")

    def _set_free(self, parts: Sequence[int]) -> None:
        """Let the parts of a fact that goes stand on their own again."""
        for part in parts:
            if get_field(self.db, "fact", part, "lifecycle") == "consolidated":
                change_field(self.db, self.operation.number, "fact", part, "lifecycle", "active")

    def _strike(self, facts: Sequence[int]) -> None:
        """Strike the sentences that facts rest on out of what is shown of their episodes."""
        spans = struck.spans_of(self.db, facts)
        strike(self.db, self.indexing, spans, recorded=self.operation.number)

    def clear(self) -> None:
        """Clear what facts say, everywhere but in the texts, of which it is struck."""
        reach = self.order.reach
        contents = fact_contents(self.db, reach.facts)
        self._seek(contents)
        strays = self._strays()
        self.indexing.touch([*reach.facts, *reach.parts])
        self._leave()
        self._strike(reach.facts)
        self._blank(reach.facts)
        erase.blank_candidates(self.db, reach.candidates)
        self._set_free(reach.parts)
        self._erase_names(strays)
        self._forget_changes(candidates=reach.candidates, facts=reach.facts)

    def _leave(self) -> None:
        """Name the facts that stay and were replaced or contradicted by some that go."""
        gone = set(self.order.reach.facts)
        self.left = [one for one in beside(self.db, self.order.reach.facts) if one not in gone]
        self.indexing.touch(self.left)

    def _blank(self, facts: Sequence[int]) -> None:
        uid = self.order.new_id(self.operation.at)
        nobody = erase.nobody(self.db, self.order.scope_id, uid=uid, recorded=self.operation.number)
        erase.blank_facts(self.db, facts, nobody)

    def redact(self) -> None:
        """Take texts away; facts keep their other evidence, or stand on nothing and are hidden."""
        reach = self.order.reach
        strays = self._strays()
        touched = erase.facts_in(self.db, reach.episodes)
        self._touch([*touched, *reach.facts, *reach.parts])
        self._erase_episodes("forgotten")
        number = self.operation.number
        evidence = list_of_episodes(self.db, reach.episodes)
        close_rows(self.db, number, "evidence", evidence)
        if reach.facts:
            contents = fact_contents(self.db, reach.facts)
            self._seek(contents)
            self._leave()
            self._blank(reach.facts)
            self._set_free(reach.parts)
        erase.blank_candidates(self.db, reach.candidates)
        self._erase_names(strays)
        ended = list_ended_of_episodes(self.db, reach.episodes)
        self._forget_changes(candidates=reach.candidates, facts=reach.facts, evidence=ended)

    def purge(self) -> None:
        """Take everything away that was said, and everything that derives from it."""
        reach = self.order.reach
        self._seek(fact_contents(self.db, reach.facts))
        strays = self._strays()
        touched = erase.facts_in(self.db, reach.episodes)
        self._touch([*reach.facts, *touched, *reach.parts, *reach.thinned])
        self._erase_episodes("purged")
        erase.blank_candidates(self.db, reach.candidates)
        evidence = erase.delete_evidence(self.db, reach.episodes, reach.facts)
        import_reach.untie_candidates(self.db, reach.candidates)
        erase.delete_candidates(self.db, reach.candidates)
        self._set_free(reach.parts)
        self._leave()
        delete_decided(self.db, reach.facts)
        import_reach.untie_facts(self.db, reach.facts)
        erase.delete_facts(self.db, reach.facts)
        self.staying -= set(reach.facts)
        self._erase_names(strays)
        erase.blank_sessions(self.db, reach.sessions)
        self._forget_changes(candidates=reach.candidates, facts=reach.facts, evidence=evidence)

    def _erase_episodes(self, visibility: str) -> None:
        reach = self.order.reach
        texts = erase.read_texts(self.db, reach.episodes)
        self.needles.add_texts(text for _, *parts in texts for text in parts if text)
        sources = erase.sources_of(self.db, reach.episodes)
        seen = erase.seen_among(self.db, reach.episodes)
        change_visible(
            self.db,
            seen,
            lambda: erase.erase_episodes(self.db, reach.episodes, visibility=visibility),
        )
        erase.delete_unused_sources(self.db, sources)
        erase.clear_statistics(self.db)

    def seek_imports(self) -> None:
        """Remember what imports hold of it, to be looked for afterwards."""
        reach = self.order.reach
        self.needles.add_texts(import_reach.texts_of(self.db, reach.jobs, reach.items))

    def _seek(self, contents: Sequence[FactContent]) -> None:
        self.needles.add_texts(text for fact in contents for text in fact.objects)

    def _strays(self) -> Strays:
        """Find the names that go and whose bearers stay, before anything changes."""
        strays = stray_names(self.db, self.order.scope_id, self.order.reach, self.order.level)
        # Whatever speaks of who loses a name is found by that name until it is indexed again.
        for entity in bearers_of(self.db, strays.aliases, [*strays.renamed, *strays.merged]):
            self.indexing.touch(list_of_entity(self.db, entity))
        return strays

    def _erase_names(self, strays: Strays) -> None:
        entities = sorted({*self.order.reach.entities, *strays.merged})
        self.needles.add_texts([*names_of(self.db, entities), *strays.names])
        aliases = [*strays.aliases, *erase.delete_entities(self.db, entities)]
        for entity, name in strays.renamed.items():
            aliases += rename_entity(self.db, entity, name)
        delete_aliases(self.db, aliases)
        erase.delete_changes(self.db, "entity", entities)
        erase.delete_changes(self.db, "alias", aliases)

    def _forget_changes(
        self,
        *,
        candidates: Sequence[int] = (),
        facts: Sequence[int] = (),
        evidence: Sequence[int] = (),
    ) -> None:
        """Clear what operations remember of the records that went: an undo has nothing to find."""
        erase.delete_changes(self.db, "candidate", candidates)
        erase.delete_changes(self.db, "fact", facts)
        erase.delete_changes(self.db, "evidence", evidence)

    def _touch(self, facts: Sequence[int]) -> None:
        """Name facts whose evidence changes: their timelines are settled at the end."""
        numbers = list(dict.fromkeys(facts))
        self.indexing.touch(numbers)
        self.staying.update(numbers)
        # The others of a timeline are settled too, also where those that were named are gone then.
        for timeline_id, _, _ in list_timelines(self.db, numbers):
            self.staying.update(list_of_timeline(self.db, timeline_id))

    def finish(self) -> None:
        """Settle what is left, and index it again."""
        if self.staying:
            self._settle(sorted(self.staying))
        if self.staying or self.left:
            number = self.operation.number
            settle_decisions(self.db, sorted(self.staying), left=self.left, recorded=number)
        self.named.update(involved(self.db, [], self.indexing.touched()))
        refresh_names(self.db, self.indexing, self.named, self.texts)
        self.indexing.finish()
        self.journal.write()

    def _settle(self, staying: Sequence[int]) -> None:
        predicates = {one.number: one for one in load_predicates(self.db).values()}
        for timeline_id, predicate_id, rank in list_timelines(self.db, staying):
            predicate = predicates.get(predicate_id)
            rule = LATEST if predicate is None else rule_of(predicate, rank)
            settle(self.db, timeline_id, rule, recorded=self.operation.number)
        end_strays(self.db, staying, recorded=self.operation.number)
        for fact in staying:
            refresh(self.db, fact)

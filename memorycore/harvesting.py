"""Learning from conversation: an extractor reads what was said since it last read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from memorycore.errors import InvalidInputError, ModelError
from memorycore.learning import Learner, read_policy
from memorycore.model.given import require_limit
from memorycore.model.name import require_text
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from memorycore.engine.learn import Learning
    from memorycore.model.additive import AdditiveInputs
    from memorycore.model.decision import AdmitResult
    from memorycore.model.heard import Heard
    from memorycore.port.extractor import Extracted, Extractor, Reader, Surroundings
    from memorycore.store.connection import Connection

    Step = Callable[[Connection], None]

LAST = "last"
"""Reads on where the extractor has stopped."""

Progress = Callable[[int], None]
_FORGOTTEN_MEANWHILE = {
    "code": "forgotten_meanwhile",
    "severity": "warn",
    "place": "",
    "reason": "something was forgotten while it was read; the same command reads on from there",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """Which turns are read: since when (``last``, ``all``, a time), of which session, how many."""

    since: str = LAST
    session: str | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.limit is not None:
            require_limit(self.limit)
        if self.session is not None:
            require_text(self.session, "session")

    @property
    def is_whole(self) -> bool:
        """Whether all turns of the scope are read, so that the place may be remembered."""
        return self.session is None and self.since in (LAST, "all")


@dataclass(slots=True)
class _Page:
    """Turns of one reading, and the newest receipt of forgetting that there was at that time.

    What was made of them is not kept once something was forgotten since: it may be made of that.
    """

    turns: "list[tuple[int, Heard]]"
    receipt: int
    is_stale: bool = False

    @property
    def heard(self) -> "list[Heard]":
        return [turn for _, turn in self.turns]


class Harvester(Learner):
    """The use cases that read conversation. No lock is held while an extractor works."""

    def harvest(
        self,
        extractor: "Extractor | str" = "rules",
        *,
        admit: bool = True,
        since: str = LAST,
        session: str | None = None,
        limit: int | None = None,
        model: str | None = None,
        base_url: str | None = None,
        key: str | None = None,
        timeout_s: float | None = None,
        max_tokens: int | None = None,
        additive: "AdditiveInputs | bool" = False,
        context: Sequence[str] = (),
        min_confidence: float | None = None,
        rest: str = "queue",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> "AdmitResult":
        """Read conversation and learn from it: propose, consolidate and admit, as one operation.

        ``extractor`` is ``rules`` (sentence patterns, no model), ``model`` with the name of a
        ``model`` at an OpenAI-compatible ``base_url``, or an object that reads turns; an answer
        may take ``timeout_s`` seconds (120) and ``max_tokens`` (4096). With ``additive`` (true, or
        ``AdditiveInputs``) a model is asked for free texts, as Mem0 does. ``context`` are texts
        that help a model to understand, and are no evidence.
        Without ``admit`` the candidates are only stored. ``since`` is ``last`` (read on where this
        extractor has stopped), ``all``, or a time. What was committed before an interruption
        stands, and the same call again goes on from there.

        Raises:
            ModelError: the model failed; what was read before it is kept.
        """
        limits = {"timeout_s": timeout_s, "max_tokens": max_tokens}
        asked = {"model": model, "base_url": base_url, "key": key}
        reader = make_extractor(extractor, limits, additive=additive, context=context, **asked)
        reading = Reading(since, session, limit)
        kind = "learn" if admit else "propose"
        learning = self._learning(kind, read_policy(min_confidence, rest))
        learning.result.dry_run = dry_run
        run = self._run(reader, reading, learning, admit=admit, progress=progress)
        try:
            self._carry_out(run, dry_run=dry_run)
        except ModelError as error:
            error.why = _with_progress(error.why, learning.result)
            raise
        return learning.result

    def _carry_out(self, run: "Iterator[Step]", *, dry_run: bool) -> None:
        """Write step by step, each in a transaction, or all in one that is rolled back."""
        if dry_run:
            # All is read before the lock is taken: an extractor may ask a model.
            steps = list(run)
            with self._store.write(dry_run=True) as db:
                for step in steps:
                    step(db)
            return
        for step in run:
            with self._store.write() as db:
                step(db)

    def requests(
        self,
        *,
        since: str = LAST,
        session: str | None = None,
        limit: int | None = None,
        language: str | None = None,
        additive: "AdditiveInputs | bool" = False,
        context: Sequence[str] = (),
    ) -> "Iterator[dict[str, Any]]":
        """Give the packets that a model would be asked, for those who ask it elsewhere.

        Each is a document with ``packet`` (what to keep beside the answer), ``messages`` and the
        ``response_schema``; its answer comes back through ``propose_file``. Nothing is written and
        nobody is asked; the place where reading goes on stays where it is. ``language`` is that of
        the prompts, else that of the turns; with ``additive`` they are those of Mem0's contract.
        """
        from memorycore.exchange.packet_line import write_packet_line
        from memorycore.port.model_extractor import PacketMaker
        from memorycore.port.model_proposer import write_messages

        maker = PacketMaker(language=language, additive=read_inputs(additive), context=context)
        for page in self._pages(maker, Reading(since, session, limit)):
            for packet in maker.packets(page.heard, self._around(maker, page.turns)):
                messages = write_messages(packet)
                yield write_packet_line(packet, scope=self.scope, messages=messages)

    def _run(
        self,
        reader: "Extractor",
        reading: Reading,
        learning: "Learning",
        *,
        admit: bool,
        progress: Progress | None,
    ) -> "Iterator[Step]":
        """Give what is to be written, step by step; between two steps the extractor works."""
        done = 0
        for page in self._pages(reader, reading):
            for found in reader.extract(page.heard, self._around(reader, page.turns)):
                yield partial(self._keep, learning, reader, page, found, admit)
                if page.is_stale:
                    learning.result.problems.append(_FORGOTTEN_MEANWHILE)
                    return
            if reading.is_whole:
                yield partial(self._mark, learning, reader, page)
            done += len(page.turns)
            if progress is not None:
                progress(done)

    def _pages(self, reader: "Reader", reading: Reading) -> Iterator[_Page]:
        """Go through the turns that are to be read, a page at a time, each from its own state."""
        from memorycore.engine.look import last_instant
        from memorycore.store.harvests import find_position, list_heard
        from memorycore.store.receipts import last_receipt

        since = None
        if reading.since not in (LAST, "all"):
            now = self._store.clock()
            since = last_instant(reading.since, now=now, zone=self.time_zone)
        with self._store.read() as db:
            scope_id = find_scope(db, self.scope) or 0
            after = 0
            if reading.since == LAST and reading.session is None:
                after = find_position(db, scope_id, reader.name, reader.version)
        left = reading.limit
        while left is None or left > 0:
            with self._store.read() as db:
                receipt = last_receipt(db, scope_id)
                page = list_heard(
                    db,
                    scope_id,
                    after=after,
                    limit=reader.page if left is None else min(left, reader.page),
                    zone=self.time_zone,
                    session=reading.session,
                    since=since,
                )
            if not page:
                return
            if reader.needs_surroundings:
                page = _of_one_conversation(page)
            yield _Page(page, receipt)
            after = page[-1][0]
            left = None if left is None else left - len(page)

    def _around(self, reader: "Reader", page: "Sequence[tuple[int, Heard]]") -> "Surroundings":
        """Look up what the store knows around some turns, if the extractor wants to know."""
        from memorycore.port.extractor import Surroundings

        if not reader.needs_surroundings:
            return Surroundings()
        from memorycore.engine.surround import surround

        with self._store.read() as db:
            return surround(db, self.scope, page, now=self._store.clock(), zone=self.time_zone)

    def _keep(
        self,
        learning: "Learning",
        reader: "Extractor",
        page: _Page,
        found: "Extracted",
        admit: bool,
        db: "Connection",
    ) -> None:
        """Keep what was found, unless something was forgotten while it was being found."""
        if _was_forgotten_since(db, self.scope, page):
            return
        learning.propose(
            db,
            found.candidates,
            found.quarantined,
            proposer=reader.name if reader.name in ("rules", "model") else "file",
            now=self._store.clock(),
            admit=admit,
        )
        learning.note_reading(found)

    def _mark(
        self,
        learning: "Learning",
        reader: "Extractor",
        page: _Page,
        db: "Connection",
    ) -> None:
        """Remember how far the extractor has read, under the run's operation."""
        from memorycore.store.harvests import insert_harvest

        if page.is_stale:
            return
        bench = learning.bench(db, self._store.clock())
        insert_harvest(
            db,
            bench.scene.scope_id,
            reader.name,
            reader.version,
            last_episode_id=page.turns[-1][0],
            recorded=bench.recorded,
        )
        learning.finish(bench)


def _was_forgotten_since(db: "Connection", scope: str, page: _Page) -> bool:
    """Tell whether something of a scope was forgotten since a page was read, and mark it so."""
    from memorycore.store.receipts import last_receipt

    if last_receipt(db, find_scope(db, scope) or 0) != page.receipt:
        page.is_stale = True
    return page.is_stale


def _of_one_conversation(page: "list[tuple[int, Heard]]") -> "list[tuple[int, Heard]]":
    """Cut a page where another conversation begins: what was said before lies in each its own."""
    first = page[0][1].session
    return list(takewhile(lambda one: one[1].session == first, page))


def _with_progress(why: str | None, result: "AdmitResult") -> str:
    """Add to the cause of a failure what was done before it."""
    kept = f"{result.turns:,} turns were read before"
    if result.operation is not None and not result.dry_run:
        kept += f", and what they gave is kept (undo: memoryctl undo {result.operation.id})"
    return f"{why}; {kept}" if why else kept


def read_inputs(additive: "AdditiveInputs | bool") -> "AdditiveInputs | None":
    """Read whether a model is asked by the additive contract, and what it is given besides."""
    from memorycore.model.additive import AdditiveInputs

    return AdditiveInputs() if additive is True else additive or None


def make_extractor(
    given: "Extractor | str",
    limits: Mapping[str, Any],
    *,
    model: str | None,
    base_url: str | None,
    key: str | None,
    context: Sequence[str] = (),
    additive: "AdditiveInputs | bool" = False,
) -> "Extractor":
    """Make the extractor that is meant: ``rules``, ``model``, or one that was made already.

    ``limits`` are those of an endpoint: ``timeout_s``, ``max_tokens``; ``None`` is what is usual.

    Raises:
        InvalidInputError: it is none, or a model lacks its name or endpoint.
    """
    if given == "rules":
        from memorycore.port.rule_extractor import RuleExtractor

        return RuleExtractor()
    if given == "model":
        from memorycore.port.model_asker import make_endpoint
        from memorycore.port.model_extractor import ModelExtractor
        from memorycore.port.model_proposer import ModelProposer

        proposer = ModelProposer(make_endpoint(model, base_url, key, **limits))
        return ModelExtractor(proposer, additive=read_inputs(additive), context=context)
    if isinstance(given, str):
        raise InvalidInputError(f"{given[:40]!r} is no extractor.", hint="rules or model")
    return given

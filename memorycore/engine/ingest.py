"""Take episodes in: decide what may enter, recognise what is there, store and index the rest.

``draft_gate`` decides, and needs no store. ``Intake`` applies, batch by batch, inside transactions
that its caller opens.
"""

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache

from memorycore.engine.draft_gate import Admitted, admit_draft, as_error
from memorycore.engine.suppress import Suppression
from memorycore.errors import (
    RefusedError,
)
from memorycore.model.decision import REASONS
from memorycore.model.draft import Draft, Rejection
from memorycore.model.identity import IdSource
from memorycore.model.ingest import IngestPolicy, IngestResult
from memorycore.model.operation import Operation
from memorycore.store.connection import Connection
from memorycore.store.entities import ensure_entity
from memorycore.store.episode_rows import EpisodeRow, find_by_fingerprint, insert_episodes
from memorycore.store.episodes import next_episode_id
from memorycore.store.key_file import Key
from memorycore.store.operations import insert_operation, is_undone
from memorycore.store.scopes import ensure_scope, ensure_session, ensure_source, find_scope
from memorycore.store.search_index import Turn, add_turns

MAX_REPEATS_REMEMBERED = 200_000
"""Equal messages without a time are told apart by number while this close together."""


class Intake:
    """One run of ingesting: its operation, and what it has already met.

    A batch that fails is rolled back by the caller, who then must not go on with this run.
    """

    def __init__(
        self,
        key: Key,
        policy: IngestPolicy,
        result: IngestResult,
        *,
        suppression: Suppression,
        new_id: IdSource,
    ) -> None:
        self.result = result
        self._key = key
        self._suppression = suppression
        self._policy = policy
        self._new_id = new_id
        self._repeats: OrderedDict[bytes, int] = OrderedDict()

    def take(
        self, db: Connection, records: Sequence[Draft | Rejection], *, now: int
    ) -> list[tuple[bytes, str]]:
        """Take a batch in; give id and scope of each record that is now there, old or new."""
        admitted = []
        for record in records:
            outcome = record if isinstance(record, Rejection) else admit_draft(record, self._policy)
            if isinstance(outcome, Rejection):
                self._reject(outcome)
            else:
                admitted.append(outcome)
        admitted = self._without_suppressed(db, admitted)
        if not admitted:
            return []
        prints = [self._fingerprint(one) for one in admitted]
        known = {
            fingerprint: uid for fingerprint, (_, uid) in find_by_fingerprint(db, prints).items()
        }
        fresh: dict[bytes, Admitted] = {}
        for fingerprint, one in zip(prints, admitted, strict=True):
            if fingerprint in known or fingerprint in fresh:
                self.result.already_there += 1
            else:
                fresh[fingerprint] = one
        known |= self._store(db, fresh, now)
        pairs = zip(prints, admitted, strict=True)
        return [(known[fingerprint], one.scope) for fingerprint, one in pairs]

    def _reject(self, rejection: Rejection) -> None:
        if self._policy.fail_fast:
            raise as_error(rejection)
        self.result.reject(rejection)

    def _without_suppressed(self, db: Connection, admitted: "list[Admitted]") -> "list[Admitted]":
        """Refuse what the store was told to forget, scope by scope."""
        refused: set[int] = set()
        for scope in {one.scope for one in admitted}:
            places = [place for place, one in enumerate(admitted) if one.scope == scope]
            drafts = [admitted[place].draft for place in places]
            found = self._suppression.refused_texts(db, find_scope(db, scope) or 0, scope, drafts)
            refused |= {places[number] for number in found}
        for place in sorted(refused):
            reason = REASONS["suppressed"]
            self._reject(Rejection(admitted[place].draft.place, "suppressed", reason))
        return [one for place, one in enumerate(admitted) if place not in refused]

    def _store(self, db: Connection, fresh: dict[bytes, Admitted], now: int) -> dict[bytes, bytes]:
        if not fresh:
            return {}
        scope = next(iter(fresh.values())).scope
        filing = _Filing(db, self._operation(db, now, scope), new_id=self._new_id)
        first = next_episode_id(db)
        rows = [
            filing.row(number, one, fingerprint)
            for number, (fingerprint, one) in enumerate(fresh.items(), first)
        ]
        insert_episodes(db, rows)
        add_turns(db, [Turn(r.episode_id, r.scope_id, r.session_id, r.text) for r in rows])
        for one in fresh.values():
            self._count(one)
        return {row.fingerprint: row.uid for row in rows}

    def _operation(self, db: Connection, now: int, scope: str) -> Operation:
        """Record the run's operation when the first episode is stored, under that one's scope."""
        if self.result.operation is None:
            self.result.operation = insert_operation(
                db,
                now=now,
                new_id=self._new_id,
                actor=self._policy.actor,
                kind="ingest",
                scope_id=ensure_scope(db, scope),
            )
        elif is_undone(db, self.result.operation.number):
            raise RefusedError(
                f"{self.result.operation.id} was taken back while it was going on.",
                why="what was read since then was not kept",
            )
        return self.result.operation

    def _count(self, one: Admitted) -> None:
        result, occurred = self.result, one.draft.occurred
        result.stored += 1
        result.masked += one.masked
        result.cut_blocks += one.cut_blocks
        result.scopes.add(one.scope)
        if occurred is None:
            result.without_time += 1
            return
        if result.first_at is None or occurred.from_ < result.first_at:
            result.first_at = occurred.from_
        if result.last_at is None or occurred.from_ > result.last_at:
            result.last_at = occurred.from_

    def _fingerprint(self, one: Admitted) -> bytes:
        """Recognise a message by who said what, where and when.

        Within a session, equal messages without a time are told apart by their number in this run,
        so that two short answers in one conversation stay two, and the same file again adds none.
        """
        base = fingerprint_draft(self._key, one.draft, one.scope)
        draft = one.draft
        if draft.occurred is not None or draft.external_id is not None or draft.session is None:
            return base
        number = self._repeats.pop(base, 0)
        self._repeats[base] = number + 1
        if len(self._repeats) > MAX_REPEATS_REMEMBERED:
            self._repeats.popitem(last=False)
        return repeat_fingerprint(self._key, base, number)


def fingerprint_draft(key: Key, draft: Draft, scope: str) -> bytes:
    """Give the keyed fingerprint of a message: the same for the same message, however it comes.

    Its first bytes are those of the session: what is said together lies together in the index of
    fingerprints, or each message would touch a page of its own.
    """
    occurred = draft.occurred
    fields = (
        scope,
        draft.session or "",
        draft.role,
        draft.speaker or "",
        "" if occurred is None else f"{occurred.from_} {occurred.to}",
        draft.external_id or "",
        draft.text,
    )
    return (
        _session_prefix(key, scope, draft.session or "") + key.fingerprint(b"episode", fields)[4:]
    )


@lru_cache(maxsize=1024)
def _session_prefix(key: Key, scope: str, session: str) -> bytes:
    return key.fingerprint(b"session", (scope, session))[:4]


def repeat_fingerprint(key: Key, base: bytes, number: int) -> bytes:
    """Give the fingerprint of the same message said again; the first time is the message's own."""
    return base[:4] + key.fingerprint(b"repeat", (base.hex(), str(number)))[4:] if number else base


class _Filing:
    """Resolves names to numbers for one batch, asking the store once for each."""

    def __init__(self, db: Connection, operation: Operation, *, new_id: IdSource) -> None:
        self._db = db
        self._operation = operation
        self._new_id = new_id
        self._scopes: dict[str, int] = {}
        self._sessions: dict[tuple[int, str], int] = {}
        self._speakers: dict[tuple[int, str, str], int] = {}
        self._sources: dict[str, int] = {}

    def row(self, number: int, one: Admitted, fingerprint: bytes) -> EpisodeRow:
        draft, occurred = one.draft, one.draft.occurred
        scope_id = self._scopes.get(one.scope) or self._scope(one.scope)
        return EpisodeRow(
            number,
            self._new_id(self._operation.at),
            scope_id,
            None if draft.session is None else self._session(scope_id, draft.session),
            draft.role,
            None if draft.speaker is None else self._speaker(scope_id, draft.speaker, draft.role),
            None if occurred is None else occurred.from_,
            None if occurred is None else occurred.to,
            "unknown" if occurred is None else occurred.precision,
            None if occurred is None else occurred.zone,
            None if draft.source is None else self._source(draft.source),
            draft.external_id,
            self._operation.number,
            fingerprint,
            draft.text,
            draft.meta,
        )

    def _scope(self, name: str) -> int:
        self._scopes[name] = ensure_scope(self._db, name)
        return self._scopes[name]

    def _session(self, scope_id: int, name: str) -> int:
        key = (scope_id, name)
        if key not in self._sessions:
            self._sessions[key] = ensure_session(self._db, scope_id, name)
        return self._sessions[key]

    def _speaker(self, scope_id: int, name: str, role: str) -> int:
        kind = "agent" if role == "assistant" else "person"
        key = (scope_id, kind, name)
        if key not in self._speakers:
            self._speakers[key] = ensure_entity(
                self._db,
                scope_id,
                name,
                kind=kind,
                now=self._operation.at,
                new_id=self._new_id,
                recorded=self._operation.number,
            )
        return self._speakers[key]

    def _source(self, name: str) -> int:
        if name not in self._sources:
            self._sources[name] = ensure_source(self._db, name)
        return self._sources[name]

"""Take episodes in: decide what may enter, recognise what is there, store and index the rest.

``admit_draft`` decides, and needs no store. ``Intake`` applies, batch by batch, inside transactions
that its caller opens.
"""

import json
import re
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from memorycore.engine.suppress import Suppression
from memorycore.errors import (
    InvalidInputError,
    InvalidScopeError,
    RefusedError,
    SecretRefusedError,
    SuppressedError,
)
from memorycore.model.decision import REASONS
from memorycore.model.draft import MAX_NAME_LENGTH, MAX_TEXT_LENGTH, Draft, Rejection
from memorycore.model.identity import IdSource
from memorycore.model.ingest import IngestPolicy, IngestResult
from memorycore.model.operation import Operation
from memorycore.model.recalled import cut_recalled
from memorycore.model.scope import parse_scope
from memorycore.model.secret import Secret, find_secrets, mask_secrets
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


SHORTEST_SECRET = 12
"""Characters: no name that is shorter can hold one of the tokens that are looked for."""

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_DISGUISE = re.compile("[\uff10-\uff5a\u00ad\u200b-\u200f\u2060\ufeff]")


@dataclass(slots=True)
class Admitted:
    """A draft that may enter, with its scope, and what was done to its text."""

    draft: Draft
    scope: str
    masked: int = 0
    cut_blocks: int = 0


def admit_draft(draft: Draft, policy: IngestPolicy) -> Admitted | Rejection:
    """Decide whether a record may enter, and with which text."""
    try:
        scope = policy.scope if draft.scope is None else parse_scope(draft.scope)
    except InvalidScopeError as error:
        return Rejection(draft.place, error.code, error.message)
    if policy.only_scope and scope != policy.scope:
        return Rejection(draft.place, "other_scope", "it names another scope than --scope")
    text, cut_blocks = cut_recalled(draft.text)
    if problem := _text_problem(text, cut_blocks) or _name_problem(draft):
        return Rejection(draft.place, *problem)
    if cut_blocks:
        draft = replace(draft, text=text)
    if policy.on_secret == "keep":
        return Admitted(draft, scope, 0, cut_blocks)
    if hidden := _hidden_secret(draft, text):
        return Rejection(draft.place, "secret", hidden)
    found = find_secrets(text)
    meta, found_meta = mask_meta(draft.meta) if draft.meta else (draft.meta, ())
    if not found and not found_meta:
        return Admitted(draft, scope, 0, cut_blocks)
    if policy.on_secret == "reject":
        return Rejection(draft.place, "secret", f"looks like {(*found, *found_meta)[0].label}")
    draft = replace(draft, text=mask_secrets(text, found), meta=meta)
    return Admitted(draft, scope, len(found) + len(found_meta), cut_blocks)


def _hidden_secret(draft: Draft, text: str) -> str | None:
    """Find secrets where they cannot be masked: in names, or in a disguised writing."""
    for name in (draft.session, draft.speaker, draft.source, draft.external_id):
        if name is not None and len(name) >= SHORTEST_SECRET and (label := _secret_name(name)):
            return f"a name or id looks like {label}"
    if not text.isascii() and _DISGUISE.search(text) and not find_secrets(text):
        plain = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
        if found := find_secrets(plain):
            return f"looks like {found[0].label}"
    return None


@lru_cache(maxsize=1024)
def _secret_name(name: str) -> str | None:
    found = find_secrets(name)
    return found[0].label if found else None


def mask_meta(meta: str) -> tuple[str, Sequence[Secret]]:
    """Mask the secrets in metadata value by value, so that it stays JSON; give what was found."""
    found: list[Secret] = []
    masked = _masked_value("", json.loads(meta), found)
    if not found:
        return meta, found
    return json.dumps(masked, ensure_ascii=False, separators=(",", ":")), found


def _masked_value(key: str, value: Any, found: list[Secret]) -> Any:
    if isinstance(value, dict):
        return {name: _masked_value(name, part, found) for name, part in value.items()}
    if isinstance(value, list):
        return [_masked_value(key, part, found) for part in value]
    if value is None or isinstance(value, bool):
        return value
    # With its key too, since {"password": 1234} is told by the key alone.
    if secrets := find_secrets(f"{key}={value}") or find_secrets(f'"{key}":"{value}"'):
        found += secrets
        return f"[{secrets[0].kind}]"
    return value


def _text_problem(text: str, cut_blocks: int) -> tuple[str, str] | None:
    if not text.strip():
        if cut_blocks:
            return "recalled_only", "holds only memories that were recalled into it"
        return "empty_text", "empty text"
    if len(text) > MAX_TEXT_LENGTH:
        return "too_long", f"{len(text)} characters; an episode holds at most {MAX_TEXT_LENGTH}"
    if not text.isascii() and not _is_encodable(text):
        return "broken_text", "holds half a character (a lone surrogate)"
    return None


def _name_problem(draft: Draft) -> tuple[str, str] | None:
    external_id = draft.external_id
    if not (
        _name_fault(draft.session)
        or _name_fault(draft.speaker)
        or _name_fault(draft.source)
        or (external_id is not None and _name_fault.__wrapped__(external_id))
    ):
        return None
    for field in ("session", "speaker", "source", "external_id"):
        if code := _name_fault(getattr(draft, field)):
            break
    if code == "empty_field":
        return code, f"{field} is empty; leave it out instead"
    return "bad_field", f"{field} is longer than {MAX_NAME_LENGTH} characters, or no valid text"


@lru_cache(maxsize=1024)
def _name_fault(value: str | None) -> str:
    """Say what is wrong with a name, if anything; the same few names come again and again."""
    if value is None:
        return ""
    if not value.strip():
        return "empty_field"
    return "bad_field" if len(value) > MAX_NAME_LENGTH or not _is_encodable(value) else ""


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_error(rejection: Rejection) -> InvalidInputError | RefusedError:
    if rejection.code == "suppressed":
        return SuppressedError(
            f"{rejection.place}: {rejection.reason}; it was not kept.",
            hint="memoryctl suppression list, then memoryctl suppression lift ID",
        )
    if rejection.code == "secret":
        return SecretRefusedError(
            f"{rejection.place}: {rejection.reason}; it was not kept.",
            hint="take it out of the text, or open the store with on_secret='mask'",
        )
    return InvalidInputError(f"{rejection.place}: {rejection.reason}.")


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
            raise _as_error(rejection)
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

"""Take candidates in: find the sentences they rest on, refuse what may not be kept, store the rest.

Whether a candidate is believed is decided later, by admission.
"""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from memorycore.engine.gate import UNSAFE, find_unsafe_in, is_echo, refuse_texts, without_strays
from memorycore.engine.observe import Sighting
from memorycore.engine.statement import Decided, Pending
from memorycore.engine.workbench import Workbench
from memorycore.errors import InvalidInputError
from memorycore.model.candidate import Candidate, Quarantined, Quote
from memorycore.model.candidate_text import read_candidate, write_candidate
from memorycore.model.decision import REASONS, Decision
from memorycore.model.identity import parse_id_of
from memorycore.store.candidates import (
    CandidateRow,
    DecisionRow,
    Span,
    StoredCandidate,
    insert_candidates,
    list_known,
    next_candidate_id,
)
from memorycore.store.connection import Connection
from memorycore.store.forgotten import has_strikes
from memorycore.store.key_file import Key
from memorycore.store.quarantine import QuarantineRow, insert_quarantined, list_known_lines
from memorycore.store.sightings import (
    Turn,
    find_turns_by_external_id,
    find_turns_by_uid,
    load_seen,
)
from memorycore.store.suppressions import is_active

PASSING = frozenset(("episode_not_visible", "episode_ambiguous", "quote_not_found"))
"""Reasons that may pass: the episode can come in later."""
WORDLESS = UNSAFE | {"suppressed"}
"""Reasons for which nothing is kept of what a candidate says."""
MAX_ESCAPED = 4
"""How often a quarantined text is read as escaped: JSON in JSON is escaped twice."""

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrtbf\"'/\\]))")
_SHORT_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


@dataclass(slots=True)
class Fresh:
    """Candidates of a batch that are not there yet, each with its keyed fingerprint.

    ``replaced`` are stored candidates that were refused for a reason which has passed since.
    """

    candidates: list[tuple[Candidate, bytes]]
    already_there: int
    replaced: list[int]


def find_fresh(
    db: Connection, key: Key, scope: str, scope_id: int, candidates: Sequence[Candidate]
) -> Fresh:
    """Tell which candidates are not there yet; one that comes twice counts once."""
    prints = [
        key.fingerprint(b"candidate", (scope, write_candidate(one, with_quotes=True)))
        for one in candidates
    ]
    known = list_known(db, prints)
    fresh: dict[bytes, Candidate] = {}
    refused: dict[bytes, Candidate] = {}
    for candidate, fingerprint in zip(candidates, prints, strict=True):
        if fingerprint not in known:
            fresh.setdefault(fingerprint, candidate)
        elif known[fingerprint][1] in PASSING:
            refused.setdefault(fingerprint, candidate)
    replaced = []
    finder = _Finder(db, scope_id, list(refused.values()))
    for fingerprint, candidate in refused.items():
        number, reason = known[fingerprint]
        if _look(finder, candidate, scope)[1] != reason:
            fresh[fingerprint] = candidate
            replaced.append(number)
    pairs = [(candidate, fingerprint) for fingerprint, candidate in fresh.items()]
    return Fresh(pairs, len(candidates) - len(pairs), replaced)


def take_candidates(
    bench: Workbench, fresh: Sequence[tuple[Candidate, bytes]], proposer: str, *, state: str
) -> tuple[list[Pending], list[Decided]]:
    """Store new candidates; ``state`` is that of those still to be decided.

    Gives those, and the ones that were refused at once.
    """
    finder = _Finder(bench.db, bench.scene.scope_id, [candidate for candidate, _ in fresh])
    waiting: list[Pending] = []
    refused: list[Decided] = []
    rows: list[CandidateRow] = []
    spans: list[Span] = []
    first = next_candidate_id(bench.db)
    keeps = not is_active(bench.db, bench.scene.scope_id)
    for number, (candidate, fingerprint) in enumerate(fresh, first):
        sightings, reason = _look(finder, candidate, bench.scene.scope)
        uid = bench.scene.new_id(bench.scene.operation.at)
        candidate = without_strays(candidate, [one.quote for one in sightings])
        pending = Pending(number, uid, candidate, proposer, tuple(sightings))
        rows.append(_row(bench, pending, reason, fingerprint, state=state, keeps=keeps))
        spans += [(number, one.turn.episode_id, one.span_from, one.span_to) for one in sightings]
        if reason is None:
            waiting.append(pending)
        else:
            text = "" if reason in UNSAFE else bench.text_of(pending, None)
            refused.append(Decided(pending, Decision("reject", reason), None, text))
    insert_candidates(bench.db, rows, spans)
    for decided in refused:
        row = (decided.pending.candidate_id, "reject", decided.decision.reason, None, None)
        bench.keep(DecisionRow(*row, bench.recorded), decided.decision, decided.pending)
    return waiting, refused


def store_candidate(
    bench: Workbench, candidate: Candidate, sightings: Sequence[Sighting]
) -> Pending:
    """Store a candidate that a person has made out of another, with the same sentences.

    Raises:
        InvalidInputError: it holds what may not be kept.
    """
    if candidate.scope not in (None, bench.scene.scope):
        raise InvalidInputError(f"It was not changed: {REASONS['other_scope']}.")
    if reason := refuse_texts(candidate):
        raise InvalidInputError(f"It was not changed: {REASONS[reason]}.")
    number = next_candidate_id(bench.db)
    uid = bench.scene.new_id(bench.scene.operation.at)
    pending = Pending(number, uid, candidate, "person", tuple(sightings))
    spans = [(number, one.turn.episode_id, one.span_from, one.span_to) for one in sightings]
    insert_candidates(bench.db, [_row(bench, pending, None, None, state="decided")], spans)
    return pending


def _row(
    bench: Workbench,
    pending: Pending,
    reason: str | None,
    fingerprint: bytes | None,
    *,
    state: str,
    keeps: bool = True,
) -> CandidateRow:
    """Give the row of a candidate; of one that is refused, only ``keeps`` lets its words stay.

    Where something was told to be forgotten, what rests on no sentence may be of just that.
    """
    statement = None
    if reason is None:
        statement = write_candidate(pending.candidate, with_quotes=False)
    elif (
        keeps and reason not in WORDLESS and refuse_texts(pending.candidate, with_ids=True) is None
    ):
        statement = write_candidate(pending.candidate, with_quotes=True)
    return CandidateRow(
        pending.candidate_id,
        pending.uid,
        bench.scene.scope_id,
        pending.proposer,
        pending.candidate.place,
        state if reason is None else "decided",
        statement,
        None,
        fingerprint,
        bench.recorded,
    )


def _look(finder: "_Finder", candidate: Candidate, scope: str) -> tuple[list[Sighting], str | None]:
    """Find the sentences of a candidate, and the reason to refuse it at once if there is one."""
    if reason := refuse_texts(candidate):
        return [], reason
    if candidate.scope is not None and candidate.scope != scope:
        return [], "other_scope"
    if not candidate.quotes:
        return [], "no_evidence"
    sightings: list[Sighting] = []
    for quote in candidate.quotes:
        seen = finder.find(quote)
        if isinstance(seen, str):
            return [], seen
        if seen not in sightings:
            sightings.append(seen)
    if is_echo(sightings):
        return [], "echo"
    # The quotes that were given have been looked at above.
    whole = [one.quote for one in sightings if one.quote == one.turn.text]
    reason = find_unsafe_in(whole) if whole else None
    return ([], reason) if reason else (sightings, None)


class _Finder:
    """Finds the turns that the quotes of a batch name, asking the store once for all of them."""

    def __init__(self, db: Connection, scope_id: int, candidates: Sequence[Candidate]) -> None:
        self._db = db
        self._scope_id = scope_id
        named = {
            quote.external_id
            for candidate in candidates
            for quote in candidate.quotes
            if quote.external_id is not None
        }
        self._by_external_id = find_turns_by_external_id(self._db, self._scope_id, sorted(named))
        self._by_id: dict[str, list[Turn]] = {}

    def find(self, quote: Quote) -> Sighting | str:
        """Find the sentence of a quote, or give the reason why it cannot be found."""
        turns = self._turns(quote)
        if not turns:
            return "episode_not_visible"
        fitting = [turn for turn in turns if quote.text is None or quote.text in turn.text]
        if not fitting:
            is_struck = has_strikes(self._db, [turn.episode_id for turn in turns])
            return "suppressed" if is_struck else "quote_not_found"
        if len(fitting) > 1:
            return "episode_ambiguous"
        turn = fitting[0]
        if quote.text is None:
            return Sighting(turn, 0, len(turn.text))
        if not quote.text.strip():
            return "no_evidence"
        start = quote.start
        if start is None or not turn.text.startswith(quote.text, start):
            start = turn.text.index(quote.text)
        return Sighting(turn, start, start + len(quote.text))

    def _turns(self, quote: Quote) -> list[Turn]:
        if quote.episode is not None:
            return self._turn(quote.episode)
        if quote.external_id is not None:
            return self._by_external_id.get(quote.external_id, [])
        return []

    def _turn(self, episode: str) -> list[Turn]:
        if episode not in self._by_id:
            try:
                lowest, highest = parse_id_of("ep", episode)
            except InvalidInputError:
                return []
            self._by_id[episode] = find_turns_by_uid(self._db, self._scope_id, lowest, highest)
        return self._by_id[episode]


def fresh_lines(
    db: Connection, key: Key, scope: str, lines: Sequence[Quarantined]
) -> list[tuple[Quarantined, bytes]]:
    """Tell which lines that are no candidates are not kept yet."""
    prints = {
        key.fingerprint(
            b"quarantine",
            (scope, one.rejection.code, _printable(one.text or one.rejection.place)),
        ): one
        for one in lines
    }
    known = list_known_lines(db, list(prints))
    return [(one, fingerprint) for fingerprint, one in prints.items() if fingerprint not in known]


def take_quarantined(bench: Workbench, lines: Sequence[tuple[Quarantined, bytes]]) -> None:
    """Keep lines that are no candidates; the text of unsafe ones is not kept.

    Nor is any text where something was told to be forgotten: it may quote just that.
    """
    keeps = not is_active(bench.db, bench.scene.scope_id)
    insert_quarantined(
        bench.db,
        [
            QuarantineRow(
                bench.scene.scope_id,
                line.rejection.place,
                line.rejection.code,
                line.rejection.reason,
                _safe_text(line.text) if keeps else None,
                fingerprint,
                bench.recorded,
            )
            for line, fingerprint in lines
        ],
    )


def _safe_text(text: str | None) -> str | None:
    if text is None:
        return None
    text = _printable(text)
    return text if find_unsafe_in(_readings(text)) is None else None


def _readings(text: str) -> list[str]:
    """Give a text as it is and as JSON reads it: escapes can hide what it says."""
    readings = [text]
    with suppress(ValueError, RecursionError):
        _collect(json.loads(text), readings)
    for _ in range(MAX_ESCAPED):
        plain = _ESCAPE.sub(_unescaped, text)
        if plain == text:
            break
        # A pair of escapes is one character.
        text = plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        readings.append(text)
    return readings


def _collect(value: object, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict):
        for key, part in value.items():
            texts.append(key)
            _collect(part, texts)
            if isinstance(part, str):
                texts.append(f"{key}={part}")
    elif isinstance(value, list):
        for part in value:
            _collect(part, texts)


def _unescaped(found: re.Match[str]) -> str:
    if found[1] or found[2]:
        return chr(int(found[1] or found[2], 16))
    return _SHORT_ESCAPES.get(found[3], found[3])


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def load_pending(db: Connection, scope_id: int, stored: Sequence[StoredCandidate]) -> list[Pending]:
    """Read stored candidates with their sentences; sentences that may not be seen are left out."""
    numbers = {episode_id for one in stored for episode_id, _, _ in one.spans}
    turns = load_seen(db, scope_id, sorted(numbers))
    return [
        Pending(
            one.candidate_id,
            one.uid,
            read_candidate(one.statement, place=one.place),
            one.proposer,
            tuple(
                Sighting(turns[episode_id], start, end)
                for episode_id, start, end in one.spans
                if episode_id in turns
            ),
            is_new=False,
        )
        for one in stored
        if one.statement is not None
    ]

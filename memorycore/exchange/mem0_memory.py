"""From a memory of Mem0 to an episode, and the statement that rests on it (MX-1 to MX-5, MX-7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.episode_line import write_meta
from memorycore.exchange.mem0 import (
    MemoryRow,
    Point,
    draft_of_point,
    hash_of,
    read_shape,
    shape_of_record,
)
from memorycore.exchange.mem0_owner import Owner, is_rewritten, owner_of, read_moment
from memorycore.exchange.model_additive import MAX_LINKS, PREDICATES
from memorycore.model.candidate import AskedLink, Candidate, Problem, Quote, When
from memorycore.model.draft import Draft, Rejection
from memorycore.model.name import name_fault, value_fault
from memorycore.model.recollection import REF, Recollection
from memorycore.model.time import Moment


@dataclass(slots=True)
class Slip:
    """What is known of a memory while it is being read."""

    place: str
    shape: str
    zone: str
    told: Mapping[str, Any]
    id: str | None = None
    created: Moment | None = None
    updated: Moment | None = None
    problems: list[Problem] = field(default_factory=list)

    def warn(self, code: str, reason: str) -> None:
        """Note what was left out or could not be told."""
        self.problems.append(Problem(self.place, code, "warn", reason))

    def read_times(self, created: Any, updated: Any) -> None:
        """Read when the memory was made and last written."""
        self.created = read_moment(created, self.zone, self.place, self.problems)
        self.updated = read_moment(updated, self.zone, self.place, self.problems)


def read_memory(
    record: Any, *, shape: str | None, zone: str, place: str, source: str
) -> Recollection | Rejection:
    """Read one record as a memory; ``shape`` says in what it stood, if that told more.

    Raises:
        InvalidInputError: it is of none of the shapes; the message names the field.
    """
    found = shape_of_record(record)
    if found == "MX-1":
        return _read_point(record, zone=zone, place=place, source=source)
    if found is None or found == "MX-6":
        raise InvalidInputError("not a memory: it has no payload, memory, text or content")
    row = read_shape(MemoryRow, record)
    told = (row.metadata or {}) | (row.model_extra or {})
    id_ = None if row.id is None else str(row.id)
    slip = Slip(place, shape or found, zone, told, id_)
    slip.read_times(row.created_at, row.updated_at)
    text = row.said or ""
    if not text.strip():
        return Rejection(place, "empty_text", "the memory is empty")
    if row.event is not None and row.event.upper() != "ADD":
        return _changed(slip, row, text, source)
    return recollect(slip, _draft(slip, row, text, source))


def _read_point(record: Any, *, zone: str, place: str, source: str) -> Recollection | Rejection:
    if record["payload"] is None:
        reason = "the payload is null: the point holds no memory"
        return Rejection(place, "null_payload", reason)
    created = record["payload"].get("created_at") if isinstance(record["payload"], dict) else None
    if created is not None and not isinstance(created, str):
        record = record | {"payload": record["payload"] | {"created_at": None}}
    point = read_shape(Point, record)
    assert point.payload is not None, "null is told apart above"
    if not point.payload.data.strip():
        return Rejection(place, "empty_text", "the memory is empty")
    slip = Slip(place, "MX-1", zone, point.payload.model_extra or {}, str(point.id))
    slip.read_times(created, slip.told.get("updated_at"))
    if not point.payload.hash:
        slip.warn("missing_hash", "the hash is missing: that of its text stands in for it")
    return recollect(slip, draft_of_point(point, point.payload, place=place, source=source))


def _draft(slip: Slip, row: MemoryRow, text: str, source: str) -> Draft:
    given = row.model_dump(exclude_none=True)
    kept = {key: value for key, value in given.items() if given[key] is not text}
    session = None if row.run_id is None else str(row.run_id).strip() or None
    return Draft(
        text,
        "document",
        None,
        session,
        source=source,
        external_id=f"mem:{row.hash or hash_of(text)}",
        meta=write_meta({"mem0": kept} if kept else None),
        place=slip.place,
    )


def _changed(slip: Slip, row: MemoryRow, text: str, source: str) -> Recollection | Rejection:
    """Read a change that an add has made (MX-7). When it was made nobody tells.

    So what was replaced or deleted has no end that could be named: it is taken back, and what was
    believed until now stays to be seen by ``known_at``.
    """
    event = str(row.event).upper()
    if event == "NONE":
        return Rejection(slip.place, "no_change", "nothing was changed (event NONE)")
    draft = _draft(slip, row, text, source)
    owner = owner_of(slip.told, text)
    if event == "DELETE":
        return _taking_back(slip, owner, draft, ())
    read = recollect(slip, draft)
    old = row.replaced
    if not old or not old.strip() or old.strip() == text.strip():
        return read
    before = replace(draft, text=old, occurred=None, external_id=f"mem:{hash_of(old)}")
    return _taking_back(slip, owner, before, read.candidates, *read.drafts)


def _taking_back(
    slip: Slip, owner: Owner, old: Draft, others: Sequence[Candidate], *drafts: Draft
) -> Recollection:
    old = spoken(slip, owner, old)
    candidates = list(others)
    statement = statement_of(slip, owner, old)
    if statement is not None:
        candidates.append(replace(statement, act="retract", ref=None))
    return Recollection(
        slip.place, slip.shape, (old, *drafts), tuple(candidates), tuple(slip.problems)
    )


def recollect(slip: Slip, draft: Draft, confidence: float | None = None) -> Recollection:
    """Give a memory as an episode and the statement that rests on it.

    The episode is dated by when the memory was made. Where it was written anew later, its text
    counts only from then on: what it said before nobody tells.
    """
    owner = owner_of(slip.told, draft.text)
    draft.occurred = slip.created if slip.created is not None else slip.updated
    draft = spoken(slip, owner, draft)
    statement = statement_of(slip, owner, draft)
    if statement is not None:
        since = slip.updated if is_rewritten(slip.created, slip.updated) else None
        statement = replace(
            statement,
            confidence=confidence,
            valid_from=None if since is None else When(since, "inferred"),
            valid_to=_expiry(slip),
            links=_links(slip),
        )
    candidates = () if statement is None else (statement,)
    return Recollection(slip.place, slip.shape, (draft,), candidates, tuple(slip.problems))


def spoken(slip: Slip, owner: Owner, draft: Draft) -> Draft:
    """Let an episode be of whoever said it."""
    if not owner.by_assistant:
        return draft
    return replace(draft, role="assistant", speaker=owner.speaker)


def statement_of(slip: Slip, owner: Owner, draft: Draft) -> Candidate | None:
    """Give the statement that a memory makes; none where its text is too long for one."""
    value = draft.text.strip()
    if (fault := value_fault(value)) is not None:
        slip.warn("no_statement", f"the text {fault}: it is kept as an episode alone")
        return None
    return Candidate(
        PREDICATES["assistant" if owner.by_assistant else "user"],
        (Quote(external_id=draft.external_id),),
        subject=owner.subject,
        value=value,
        is_literal=True,
        ref=ref_of(slip.id),
        place=slip.place,
    )


def ref_of(id_: str | None) -> str | None:
    """Give the name by which links lead to the statement of a memory."""
    if id_ is None or name_fault(id_, longest=400) is not None:
        return None
    # A number may look like a person's: it names a memory here and nobody.
    return f"{REF}{id_}" if not id_.isdecimal() else f"{REF}n{int(id_):x}"


def _expiry(slip: Slip) -> When | None:
    """Read until when a memory is to be kept; what has no beginning cannot end there."""
    given = slip.told.get("expiration_date")
    if given is None:
        return None
    moment = read_moment(given, slip.zone, slip.place, slip.problems)
    start = slip.updated or slip.created
    if moment is None:
        return None
    if start is None or moment.to <= start.from_:
        slip.warn("expires_before", "its expiration lies before it began, or nobody tells when")
        return None
    return When(moment)


def _links(slip: Slip) -> tuple[AskedLink, ...]:
    given = slip.told.get("linked_memory_ids")
    if given is None:
        return ()
    if not isinstance(given, list):
        slip.warn("bad_links", "linked_memory_ids is no list")
        return ()
    refs = (ref_of(str(one)) for one in given if isinstance(one, (str, int)))
    found = [ref for ref in dict.fromkeys(refs) if ref is not None and ref != ref_of(slip.id)]
    if len(found) > MAX_LINKS:
        slip.warn("bad_links", f"more than {MAX_LINKS} linked memories; the others are left out")
    return tuple(AskedLink("RELATED_TO", ref) for ref in found[:MAX_LINKS])

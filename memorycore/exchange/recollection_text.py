"""Recollections as they wait in an import: one compact JSON text, read back when it is carried out.

The text of an episode stands in it once, though its statement says the same.
"""

import json
from dataclasses import replace
from typing import Any

from memorycore.model.candidate import Candidate, Quote
from memorycore.model.candidate_text import candidate_of, stored_shape
from memorycore.model.draft import Draft
from memorycore.model.recollection import Recollection
from memorycore.model.time import Moment

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def write_recollection(found: Recollection) -> str:
    """Write a recollection; quotes name its drafts by their places."""
    places = {draft.external_id: place for place, draft in enumerate(found.drafts)}
    return _ENCODER.encode(
        [
            found.place,
            found.shape,
            [_draft_shape(draft) for draft in found.drafts],
            [_candidate_shape(one, found.drafts, places) for one in found.candidates],
        ]
    )


def _draft_shape(draft: Draft) -> list[Any]:
    occurred = draft.occurred
    when = None
    if occurred is not None:
        when = [occurred.from_, occurred.to, occurred.precision, occurred.zone]
    return [
        draft.text,
        draft.role,
        draft.session,
        draft.speaker,
        when,
        draft.source,
        draft.external_id,
        draft.meta,
    ]


def _candidate_shape(
    candidate: Candidate, drafts: tuple[Draft, ...], places: dict[str | None, int]
) -> list[Any]:
    rests = []
    for quote in candidate.quotes:
        place = places.get(quote.external_id)
        rests.append(quote.external_id if place is None else place)
    stored = stored_shape(candidate, with_quotes=False)
    value = candidate.value
    if rests and isinstance(rests[0], int) and value == drafts[rests[0]].text.strip():
        stored.pop("value", None)
    return [rests, stored]


def read_recollection(text: str) -> Recollection:
    """Read a recollection back."""
    place, shape, drafts, candidates = json.loads(text)
    read = tuple(_draft(one, place) for one in drafts)
    return Recollection(
        place, shape, read, tuple(_candidate(one, read, place) for one in candidates)
    )


def _draft(shape: list[Any], place: str) -> Draft:
    text, role, session, speaker, when, source, external_id, meta = shape
    occurred = None if when is None else Moment(*when)
    return Draft(text, role, None, session, speaker, occurred, source, external_id, meta, place)


def _candidate(shape: list[Any], drafts: tuple[Draft, ...], place: str) -> Candidate:
    rests, stored = shape
    if stored.get("is_literal") and "value" not in stored:
        stored["value"] = drafts[rests[0]].text.strip()
    quotes = tuple(
        Quote(external_id=drafts[rest].external_id if isinstance(rest, int) else rest)
        for rest in rests
    )
    return replace(candidate_of(stored, place=place), quotes=quotes)

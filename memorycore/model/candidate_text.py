"""Candidates as they are stored: one compact JSON text, without what they quote.

The sentences a candidate rests on are stored as spans of their episodes, so that taking an
episode's text away takes it from here too. Quotes that were found nowhere stay with their
candidate.
"""

import json
from operator import attrgetter
from typing import Any

from memorycore.model.candidate import AskedLink, Candidate, Naming, Quote, When
from memorycore.model.time import Moment, format_moment

_PLAIN = ("value", "is_literal", "act", "target", "rank", "confidence", "scope", "is_inferred",
          "is_tentative", "sensitivity", "valence", "arousal", "importance", "event_type",
          "event_status", "ref", "claim_key")  # fmt: skip
_NAMINGS = ("subject", "object", "attributed_to")
_WHENS = ("valid_from", "valid_to")
_DEFAULTS = Candidate("", ())
_plain = attrgetter(*_PLAIN)
_PLAIN_DEFAULTS = _plain(_DEFAULTS)
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def write_candidate(candidate: Candidate, *, with_quotes: bool) -> str:
    """Write a candidate; only what differs from the default is kept."""
    return _ENCODER.encode(stored_shape(candidate, with_quotes=with_quotes))


def texts_in(candidate: Candidate, *, with_ids: bool) -> list[str]:
    """List every text that is stored with a candidate which keeps its quotes.

    The ids of episodes and the name of the scope are among them only ``with_ids``.
    """
    shape = stored_shape(candidate, with_quotes=with_ids)
    texts: list[str] = []
    if not with_ids:
        shape.pop("scope", None)
        texts += [quote.text for quote in candidate.quotes if quote.text]
    _collect(shape, texts)
    return texts


def _collect(value: Any, texts: list[str]) -> None:
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, list):
            _collect(part, texts)


def stored_shape(candidate: Candidate, *, with_quotes: bool) -> dict[str, Any]:
    """Give a candidate as it is stored, before it is written."""
    shape: dict[str, Any] = {
        name: value
        for name, value, default in zip(_PLAIN, _plain(candidate), _PLAIN_DEFAULTS, strict=True)
        if value != default
    }
    shape["predicate"] = candidate.predicate
    for name in _NAMINGS:
        if (naming := getattr(candidate, name)) is not None:
            shape[name] = _naming(naming)
    for name in _WHENS:
        if (when := getattr(candidate, name)) is not None:
            moment = when.moment
            shape[name] = [moment.from_, moment.to, moment.precision, moment.zone, when.basis]
    if candidate.participants:
        shape["participants"] = [_naming(naming) for naming in candidate.participants]
    if candidate.links:
        shape["links"] = [[link.kind, link.to] for link in candidate.links]
    if with_quotes:
        shape["quotes"] = [
            [quote.episode, quote.external_id, quote.text] for quote in candidate.quotes
        ]
    return shape


def _naming(naming: Naming) -> list[Any]:
    return [naming.name, naming.kind, *naming.aliases]


def shape_of(candidate: Candidate) -> dict[str, Any]:
    """Give a candidate in the shape of the candidate format, without its evidence."""
    names = {"is_inferred": "inferred", "is_tentative": "tentative"}
    shape: dict[str, Any] = {
        "subject": _shown(candidate.subject),
        "predicate": candidate.predicate,
        "object": _shown(candidate.object),
    }
    if candidate.object is None and candidate.value is not None:
        shape["value" if candidate.is_literal else "object"] = candidate.value
    for name in _PLAIN:
        value = getattr(candidate, name)
        if name not in ("value", "is_literal") and value != getattr(_DEFAULTS, name):
            shape[names.get(name, name)] = value
    for name in _WHENS:
        if (when := getattr(candidate, name)) is not None:
            moment, end = when.moment, name.removeprefix("valid_")
            shape[name] = format_moment(moment.from_, moment.precision, moment.zone)
            shape[f"{end}_basis"] = when.basis
    if candidate.attributed_to is not None:
        shape["attributed_to"] = _shown(candidate.attributed_to)
    return {name: value for name, value in shape.items() if value is not None}


def _shown(naming: Naming | None) -> str | dict[str, Any] | None:
    if naming is None or (naming.kind is None and not naming.aliases):
        return None if naming is None else naming.name
    shape: dict[str, Any] = {"name": naming.name}
    if naming.kind is not None:
        shape["kind"] = naming.kind
    if naming.aliases:
        shape["aliases"] = list(naming.aliases)
    return shape


def read_candidate(text: str, *, place: str) -> Candidate:
    """Read a candidate back; the quotes are there only if they were written."""
    return candidate_of(json.loads(text), place=place)


def candidate_of(shape: dict[str, Any], *, place: str) -> Candidate:
    """Make a candidate of what ``stored_shape`` gives."""
    values: dict[str, Any] = {name: shape[name] for name in _PLAIN if name in shape}
    for name in _NAMINGS:
        if name in shape:
            values[name] = _read_naming(shape[name])
    for name in _WHENS:
        if name in shape:
            *moment, basis = shape[name]
            values[name] = When(Moment(*moment), basis)
    return Candidate(
        shape["predicate"],
        tuple(Quote(*quote) for quote in shape.get("quotes", ())),
        participants=tuple(_read_naming(one) for one in shape.get("participants", ())),
        links=tuple(AskedLink(*link) for link in shape.get("links", ())),
        place=place,
        **values,
    )


def _read_naming(parts: list[Any]) -> Naming:
    name, kind, *aliases = parts
    return Naming(name, kind, tuple(aliases))

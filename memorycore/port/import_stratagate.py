"""External-memory JSON as an import format: each record a statement that cites the document."""

import io
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.exchange.external_memory import External, parse_external_memory, summary_span
from memorycore.model.candidate import Candidate, Naming, Quote, When
from memorycore.model.draft import Draft
from memorycore.model.import_item import Dropped, Item, Proposal
from memorycore.model.name import name_fault
from memorycore.model.time import Moment, parse_moment

PREDICATES = {"instruction": "instructs", "preference": "prefers", "event": "happened"}
"""What each kind of memory becomes; a fact, or what has no kind, is a note."""
IMPORTANCE = {"identity": 0.9, "safety": 1.0}
"""How much a record matters by how critical it is; the others as their predicate has it."""
TITLE, SUMMARY = 160, 2000
"""Characters that a title and a summary have at most."""
LABEL = 300
"""Characters of a record that are listed."""
FINENESS = ("year", "quarter", "month", "week", "day", "instant")

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPED = re.compile(r"(?<!\\)((?:\\\\)*)((?:\\u[0-9a-fA-F]{4})+)")


class StrataGate:
    """The format ``stratagate``: ``stratagate.external-memory.v1`` and ``.v2``."""

    name = "stratagate"
    keeps_document = True
    compares = True
    role = "document"

    def plain(self, text: str) -> str:
        """Give a document with the characters that escapes stand for, so that it can be read.

        Escapes that JSON needs stay.
        """
        return _ESCAPED.sub(_unescaped, text)

    def read(
        self, stream: io.BufferedIOBase, *, source: str, zone: str
    ) -> Iterator[Item | Dropped]:
        """Go through the records of a document; see ``parse_external_memory``."""
        text = stream.read().decode()
        parsed = parse_external_memory(text)
        for number, reason in parsed.dropped:
            yield Dropped(f"candidate {number}", reason)
        for one in parsed.records:
            yield _item(text, one)

    def document(self, text: str, *, source: str) -> Draft:
        """Give the episode of a document. When it was written is not known, nor who said it."""
        return Draft(text, "document", source=source)

    def guesses(self, text: str) -> Iterator[str]:
        """Take each quoted text and each line for a summary, of each kind of memory."""
        for told in dict.fromkeys(_texts_of(text)):
            title = told[:TITLE]
            for kind in (None, *PREDICATES):
                shape = {"title": title, "summary": told, "start": 0, "quoted": told}
                yield json.dumps(shape if kind is None else shape | {"memory_kind": kind})

    def search_of(self, content: str) -> str:
        """Look by title, summary and tags."""
        given = json.loads(content)
        return "\n".join([given["title"], given["summary"], *given.get("tags", [])])

    def merged(self, content: str, merged: str) -> str:
        """Give a record with the summary of a decider; its title and place stay as they were."""
        given, told = json.loads(content), json.loads(merged)
        return json.dumps(given | {"summary": told["summary"][:SUMMARY]}, ensure_ascii=False)

    def drafts(self, content: str, *, source: str, zone: str) -> Sequence[Draft]:
        """Give none: all records cite the document."""
        return ()

    def propose(self, content: str, episodes: Sequence[str], *, zone: str) -> Sequence[Proposal]:
        """Give the one statement of a record.

        Its words are those of the summary; what is not told of its time stays unknown.
        """
        given = json.loads(content)
        kind, when = given.get("memory_kind"), given.get("temporal") or {}
        starts, ends = _happened(when, zone)
        is_event = kind == "event"
        candidate = Candidate(
            PREDICATES.get(kind, "note"),
            (Quote(episodes[0], text=given["quoted"], start=given["start"]),),
            value=" ".join(given["summary"].split()),
            is_literal=True,
            confidence=given.get("confidence"),
            importance=IMPORTANCE.get(given.get("criticality")),
            valid_from=starts,
            valid_to=ends,
            event_type=when.get("event_type") if is_event else None,
            event_status=when.get("status", "unknown") if is_event else None,
            participants=tuple(
                Naming(" ".join(name.split()), "person")
                for name in when.get("participants", [])
                if name_fault(" ".join(name.split())) is None
            )
            if is_event
            else (),
            place=" ".join(given["title"].split()),
        )
        said = _moment(when.get("mentioned_at"), zone)
        return [Proposal(candidate, said, read_as=candidate.value)]


def open_format(options: dict[str, Any]) -> StrataGate:
    """Open the format; it takes no options."""
    if options:
        raise InvalidInputError("The format stratagate takes no options.")
    return StrataGate()


def _item(text: str, one: External) -> Item:
    record = one.record
    assert record.title is not None, "a record without a title is dropped"
    assert record.summary is not None, "a record without a summary is dropped"
    start, end = summary_span(text, one.start, one.end, record.summary)
    shape = record.model_dump(exclude_none=True, exclude_defaults=True)
    shape |= {"start": start, "quoted": text[start:end]}
    content = json.dumps(shape, ensure_ascii=False)
    label = f"{record.title}: {record.summary}"[:LABEL]
    return Item(content, label, (record.title, record.summary))


def _texts_of(text: str) -> Iterator[str]:
    """List what may be a text in a document that is no JSON, as it reads without escapes."""
    # A quotation mark too many turns inside and outside about; so what is between is read too.
    parts = [*(one[1] for one in _QUOTED.finditer(text)), *text.split('"'), *text.splitlines()]
    for part in parts:
        try:
            told = str(json.loads(f'"{part}"', strict=False))
        except ValueError:
            told = part
        told = told.strip()[:SUMMARY].strip()
        if any(map(str.isalnum, told)):
            yield told


def _unescaped(found: re.Match[str]) -> str:
    """Write characters for escapes, but for those that JSON cannot hold otherwise."""
    before, escapes = found[1], found[2]
    try:
        text = str(json.loads(f'"{escapes}"'))
        text.encode()
    except (ValueError, UnicodeEncodeError):
        return found[0]
    if any(one in '"\\' or ord(one) < 0x20 for one in text):
        return found[0]
    return before + text


def _happened(when: dict[str, Any], zone: str) -> tuple[When | None, When | None]:
    """Read when something happened, never finer than it was told."""
    basis = when.get("basis", "explicit")
    ends = []
    for name in ("happened_start", "happened_end"):
        moment = _moment(when.get(name), zone)
        told = when.get("precision")
        if moment is not None and told in FINENESS and moment.precision in FINENESS:
            moment = _coarser(moment, told)
        ends.append(None if moment is None else When(moment, basis))
    return ends[0], ends[1]


def _coarser(moment: Moment, precision: str) -> Moment:
    """Give a time no finer than it is told to be."""
    if FINENESS.index(moment.precision) <= FINENESS.index(precision):
        return moment
    from memorycore.model.time import local_time

    date = local_time(moment.from_, moment.zone).date().isoformat()
    length = {"year": 4, "month": 7, "day": 10}.get(precision)
    return moment if length is None else parse_moment(date[:length], zone=moment.zone)


def _moment(text: str | None, zone: str) -> Moment | None:
    """Read a time; what is none is not known."""
    if text is None:
        return None
    try:
        return parse_moment(text, zone=zone)
    except InvalidInputError:
        return None

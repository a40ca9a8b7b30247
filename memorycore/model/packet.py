"""Packets: what a model is given to read, and nothing else.

Everything that somebody else has written stands inside a JSON string on one line of its own, with
the section marks escaped, so that no text can end its section or begin another. Episodes and facts
go out under small numbers that mean something in their packet only.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from memorycore.model.heard import Heard
from memorycore.model.predicate import Predicate
from memorycore.model.predicate_rules import label_of
from memorycore.model.time import format_moment

if TYPE_CHECKING:
    from memorycore.model.additive import AdditiveInputs

MAX_BEFORE = 10
MAX_BEFORE_LENGTH = 300
MAX_FACTS = 10
MAX_TAGS = 20
MAX_TURNS = 8
MAX_LENGTH = 12_000
"""Code points of new text in a packet; a longer turn is read in pieces."""
SMALLEST = 200
"""A piece of a turn of at most twice this length is not cut any further."""

SECTIONS = ("predicates", "known_facts", "candidate_tags", "earlier_messages", "new_messages",
            "observation_date", "current_date", "language")  # fmt: skip
CONTEXT = "context"
"""The section of documents that only help to understand; it is there where some are given."""
MAX_CONTEXT = 20_000
"""Code points of such documents in a packet."""
_MARK = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join((*SECTIONS, CONTEXT))})\b)", re.IGNORECASE)
_ENDS_LINE = re.compile("[\u0085\u2028\u2029]")
_CUTS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile("[。!?！？]|[.!?](?=\\s)"))
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")


class Offered(NamedTuple):
    """A known fact as it is offered: under a small number that stands for its id."""

    number: str
    text: str
    fact: str


@dataclass(frozen=True, slots=True)
class Packet:
    """One question to a model.

    ``turns`` are what is new, the only thing that may be learned from; they were all said on the
    ``observation_date`` (``None`` if nobody knows), by which relative times are placed.
    ``language`` is that of the prompt, ``zh`` or ``en``. With ``additive`` it is put as the
    contract of Mem0 asks for it. ``context`` are documents about a scene or a persona: they help to
    understand, and nothing is taken from them.
    """

    turns: tuple[Heard, ...]
    before: tuple[Heard, ...] = ()
    facts: tuple[Offered, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    predicates: tuple[Predicate, ...] = ()
    observation_date: str | None = None
    current_date: str = ""
    language: str = "en"
    additive: "AdditiveInputs | None" = None
    context: tuple[str, ...] = ()

    def turn(self, number: int) -> Heard | None:
        """Give the turn that goes by a number here."""
        return self.turns[number - 1] if 1 <= number <= len(self.turns) else None

    def fact(self, number: int) -> str | None:
        """Give the id of the fact that goes by a number here."""
        return self.facts[number].fact if 0 <= number < len(self.facts) else None


def build_packets(
    turns: Iterable[Heard],
    *,
    current_date: str,
    predicates: Sequence[Predicate],
    before: Sequence[Heard] = (),
    facts: Sequence[tuple[str, str]] = (),
    tags: Sequence[tuple[str, str]] = (),
    language: str | None = None,
    additive: "AdditiveInputs | None" = None,
    context: Sequence[str] = (),
    max_turns: int = MAX_TURNS,
    max_length: int = MAX_LENGTH,
) -> list[Packet]:
    """Divide turns of one conversation into packets, in order.

    A packet holds turns of one day only. ``facts`` are ids and texts, the nearest first, as are
    ``tags``, ids and names. Without ``language`` each packet has that of its turns.
    """
    offered = tuple(
        Offered(f"f{number}", text, fact) for number, (fact, text) in enumerate(facts[:MAX_FACTS])
    )
    packets: list[Packet] = []
    heard = list(before)
    for group in _groups(turns, max_turns, max_length):
        packets.append(
            Packet(
                tuple(group),
                tuple(heard[-MAX_BEFORE:]),
                offered,
                tuple(tags[:MAX_TAGS]),
                tuple(predicates),
                day_of(group[0]),
                current_date,
                language or language_of(turn.text for turn in group),
                additive,
                tuple(context),
            )
        )
        heard += group
    return packets


def _groups(turns: Iterable[Heard], max_turns: int, max_length: int) -> list[list[Heard]]:
    groups: list[list[Heard]] = []
    length = 0
    for turn in turns:
        for piece in _pieces(turn, max_length):
            size = len(piece.text)
            group = groups[-1] if groups else []
            is_full = len(group) >= max_turns or length + size > max_length
            if not group or is_full or day_of(group[0]) != day_of(piece):
                groups.append([])
                length = 0
            groups[-1].append(piece)
            length += size
    return groups


def _pieces(turn: Heard, max_length: int) -> list[Heard]:
    if len(turn.text) <= max(max_length, 2 * SMALLEST):
        return [turn]
    halves = _halves(turn)
    return [piece for half in halves for piece in _pieces(half, max_length)]


def split_packet(packet: Packet) -> tuple[Packet, Packet] | None:
    """Divide a packet between its turns, or its only turn within its text; ``None`` if too small.

    A piece of a turn still is of its episode: what it quotes stands there.
    """
    if len(packet.turns) > 1:
        middle = len(packet.turns) // 2
        first, second = packet.turns[:middle], packet.turns[middle:]
    elif len(packet.turns[0].text) > 2 * SMALLEST:
        one, other = _halves(packet.turns[0])
        first, second = (one,), (other,)
    else:
        return None
    before = (*packet.before, *first)[-MAX_BEFORE:]
    return replace(packet, turns=first), replace(packet, turns=second, before=before)


def _halves(turn: Heard) -> tuple[Heard, Heard]:
    text, middle = turn.text, len(turn.text) // 2
    reach = (len(text) // 4, len(text) - len(text) // 4)
    for cut in _CUTS:
        ends = [match.end() for match in cut.finditer(text, *reach)]
        if ends:
            middle = min(ends, key=lambda end: abs(end - len(text) // 2))
            break
    return replace(turn, text=text[:middle]), replace(turn, text=text[middle:])


def day_of(turn: Heard) -> str | None:
    """Give the local day of a turn, or the coarser time that is all that is known of it."""
    moment = turn.said_at
    if moment is None:
        return None
    precision = "day" if moment.precision in ("instant", "range") else moment.precision
    return format_moment(moment.from_, precision, moment.zone or turn.zone)


def language_of(texts: Iterable[str]) -> str:
    """Tell whether texts are rather Chinese or English, by their letters."""
    text = "".join(texts)
    han = len(_HAN.findall(text))
    return "zh" if 4 * han > sum(one.isalpha() for one in text) else "en"


def write_packet(packet: Packet) -> str:
    """Write a packet as the text that a model reads after the prompt."""
    language = packet.language
    contents = {
        "predicates": [_predicate_line(one, language) for one in packet.predicates],
        "known_facts": [json_line({"fact": one.number, "text": one.text}) for one in packet.facts],
        "candidate_tags": [json_line({"tag_id": tag, "name": name}) for tag, name in packet.tags],
        "earlier_messages": [json_line(_earlier(turn)) for turn in packet.before],
        "new_messages": [
            json_line({"message": f"m{number}"} | _shape(turn))
            for number, turn in enumerate(packet.turns, 1)
        ],
        "observation_date": [packet.observation_date or "unknown"],
        "current_date": [packet.current_date or "unknown"],
        "language": [json_line(language)],
    }
    parts = [
        f"<{name}>\n" + "\n".join(contents[name] or ["(empty)"]) + f"\n</{name}>"
        for name in SECTIONS
    ]
    if packet.context:
        lines = "\n".join(json_line({"document": text}) for text in packet.context)
        parts.insert(0, f"<{CONTEXT}>\n{lines}\n</{CONTEXT}>")
    return "\n".join(parts) + "\nJSON:"


def _earlier(turn: Heard) -> dict[str, str]:
    shape = _shape(turn)
    if len(turn.text) > MAX_BEFORE_LENGTH:
        shape["text"] = turn.text[:MAX_BEFORE_LENGTH] + "…"
    return shape


def _shape(turn: Heard) -> dict[str, str]:
    shape = {"role": turn.role}
    if turn.speaker:
        shape["speaker"] = turn.speaker
    return shape | {"text": turn.text}


def json_line(shape: object) -> str:
    """Write JSON on one line in which no section mark can stand."""
    text = json.dumps(shape, ensure_ascii=False).encode("utf-8", "replace").decode()
    text = _MARK.sub(r"\\u003c", text)
    return _ENDS_LINE.sub(lambda end: f"\\u{ord(end[0]):04x}", text)


def _predicate_line(predicate: Predicate, language: str) -> str:
    """Write what a model needs to know of a predicate."""
    notes = [{"entity": "a name", "literal": "a text"}.get(predicate.object_kind, "name or text")]
    if predicate.object_kinds:
        notes[0] += f" ({', '.join(predicate.object_kinds)})"
    if predicate.value_type != "text":
        notes.append(f"a {predicate.value_type}")
    notes.append("one at a time" if predicate.cardinality == "single" else "several")
    if predicate.is_ranked:
        notes.append("ranked")
    if predicate.subject_kinds:
        notes.append(f"of {' or '.join(predicate.subject_kinds)}")
    if predicate.allow_assistant_source:
        notes.append("may come from the assistant")
    if not predicate.allow_inference:
        notes.append("only if said outright")
    label = _MARK.sub(" ", label_of(predicate, language=language))
    return f"{predicate.name}: {label} — {'; '.join(notes)}"

"""Facts as cards, and as records for lines and tables."""

from collections.abc import Sequence

from memorycore import Fact
from memoryctl.options import Settings
from memoryctl.output import Record, cut, one_line, paint

COLUMNS = ("id", "from", "to", "text", "confidence", "scope")


def fact_record(fact: Fact) -> Record:
    """Give a fact as a record: its JSON shape, with its period in columns of their own."""
    shape = fact.to_dict()
    valid = shape["valid"] or {}
    return shape | {"from": valid.get("from"), "to": valid.get("to")}


def fact_cards(settings: Settings, facts: Sequence[Fact]) -> str:
    """Write facts as cards; a sentence that stands behind several is quoted once."""
    cards, last = [], None
    for fact in facts:
        first = fact.evidence[0].to_dict() if fact.evidence else None
        cards.append(fact_card(settings, fact, is_same=first is not None and first == last))
        last = first
    return "\n".join(cards)


def fact_card(settings: Settings, fact: Fact, *, is_same: bool = False) -> str:
    """Write a fact as a card of two lines."""
    colour = "cyan" if _is_believed(fact) else "yellow"
    parts = [f"rank {fact.rank}"] if fact.rank is not None else []
    parts += [when(fact), f"sure {fact.confidence:.2f}", *_states(fact)]
    if is_same:
        parts.append("same sentence")
    elif fact.evidence:
        parts.append(f"“{cut(fact.evidence[0].quote)}” {fact.evidence[0].episode}")
    return f"{paint(settings, fact.id, colour)}  {one_line(fact.text)}\n    {' · '.join(parts)}"


def when(fact: Fact) -> str:
    """Say when a fact is true, as short as it can be said."""
    shown = fact.when
    start = shown.removeprefix("true ").removesuffix(" →")
    if shown == f"true {start} →" and not start.startswith(("?", "by ")):
        return f"since {start}"
    return shown


def _is_believed(fact: Fact) -> bool:
    period = fact.period
    return fact.validity == "valid" and (period is None or period.known_to is None)


def _states(fact: Fact) -> list[str]:
    states = []
    if fact.validity == "uncertain":
        states.append("contradicted: memoryctl conflicts")
    if fact.lifecycle != "active":
        states.append(fact.lifecycle)
    if fact.is_pinned:
        states.append("pinned")
    return states

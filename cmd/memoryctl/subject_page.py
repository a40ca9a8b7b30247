"""One person on one page: as a text for people, and as Markdown."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memorycore import CandidateView, KnownFact, ReviewRecord, Subject
from memoryctl.moments import local_date
from memoryctl.output import Record, counted, cut, one_line

LISTED = 50
"""So many lines a part of the page has at most; the export holds all."""
ROLES = {
    "object": "named in it",
    "attributed": "said to hold it",
    "linked": "linked to it",
    "named": "its words hold the name",
}
_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|&~])")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: each entry is what it says, and the lines below that."""

    title: str
    entries: Sequence[tuple[str, Sequence[str]]]


def sections_of(page: Subject) -> list[Section]:
    """Give the parts of the page that are not empty."""
    own = [one for one in page.facts if one.role in ("subject", "scope")]
    others = [one for one in page.facts if one.role not in ("subject", "scope")]
    left = page.counts.facts - len(page.facts)
    tail = f"; {left:,} more facts are in the export" if left > 0 else ""
    sections = [
        _section(f"believed now{tail}", _periods(own, "now")),
        _section("believed before", _periods(own, "before")),
        _section("in what is believed of others", _periods(others, "now")),
        _section("in what was believed of others", _periods(others, "before")),
        _section("waits and is not believed", map(_candidate, page.candidates)),
        _section("observed and on trial", map(_memory, page.memories)),
        _section("receipts of forgetting in this scope", ((one, ()) for one in page.receipts)),
        _section(_apart(page), _mentions(page)),
    ]
    return [section for section in sections if section.entries]


def _section(title: str, entries: "Iterator[tuple[str, Sequence[str]]]") -> Section:
    listed = list(entries)
    if (more := len(listed) - LISTED) > 0:
        listed = [*listed[:LISTED], (f"and {more:,} more: -o json lists them", ())]
    return Section(title, listed)


def _periods(facts: Sequence[KnownFact], which: str) -> Iterator[tuple[str, Sequence[str]]]:
    for known in facts:
        shape = known.to_dict()
        if not shape[which]:
            continue
        lines = [f"{one_line(one['shown'])} · {_known(known, one)}" for one in shape[which]]
        standing = [one for one in known.evidence if one.stands] or list(known.evidence)
        if standing and (which == "now" or not shape["now"]):
            first = standing[0]
            more = f" and {len(standing) - 1} more" if len(standing) > 1 else ""
            lines.append(f"“{cut(first.quote)}” {first.episode}{more}")
        role = f"   ({ROLES[known.role]})" if known.role in ROLES else ""
        yield f"{one_line(known.fact.text)}   {known.fact.id}{role}", lines


def _known(known: KnownFact, period: Record) -> str:
    zone, when = known.fact.zone, period["known"]
    since = local_date(when["from"], zone)
    if when["to"] is not None:
        return f"believed {since} → {local_date(when['to'], zone)}"
    doubt = ", contradicted" if known.fact.validity == "uncertain" else ""
    return f"known since {since}, sure {known.fact.confidence:.2f}{doubt}"


def _candidate(view: CandidateView) -> tuple[str, Sequence[str]]:
    quotes = [f"“{cut(one.quote)}” {one.episode}" for one in view.evidence[:1]]
    return f"{cut(view.text)}   {view.id}   {view.state}", quotes


def _memory(one: ReviewRecord) -> tuple[str, Sequence[str]]:
    return f"{cut(one.text)}   {one.id}   {one.state}", ()


def _apart(page: Subject) -> str:
    counts = page.counts
    parts = [
        f"{counts.near:,} of almost the same name",
        f"{counted(counts.naming_facts, 'fact')} and"
        f" {counted(counts.naming_episodes, 'sentence')} of others that hold it",
    ]
    return f"apart, for a person to decide: {', '.join(parts)}"


def _mentions(page: Subject) -> Iterator[tuple[str, Sequence[str]]]:
    for mention in page.mentions:
        if mention.entity is not None:
            one = mention.entity
            yield f"{one_line(one.name)}   {one.id}   {one_line(one.kind)}, {one.likeness:.2f}", ()
        elif mention.fact is not None:
            yield f"{one_line(mention.fact.fact.text)}   {mention.fact.fact.id}", ()
        elif mention.episode is not None:
            said = mention.episode
            who = ", ".join(filter(None, (said.speaker or said.role, said.at)))
            yield f"“{cut(said.text)}”   {said.id}   {one_line(who)}", ()


def _about(page: Subject) -> list[tuple[str, str]]:
    said = counted(page.counts.said, "episode" if page.entity is None else "thing")
    if page.first_said is not None:
        said += f", first {page.first_said}, last {page.last_said}"
    evidence = counted(page.counts.evidence, "sentence")
    rows = [("said", said), ("by others", f"{evidence} that a fact here rests on")]
    if page.entity is not None and page.entity.aliases:
        rows.insert(0, ("also", one_line(", ".join(page.entity.aliases))))
    return rows if page.entity is not None else rows[:1]


def _title(page: Subject) -> str:
    if page.entity is None:
        return f"{one_line(page.scope)}   all of this scope"
    name = one_line(page.entity.name)
    if page.entity.distinction:
        name += f" ({one_line(page.entity.distinction)})"
    return f"{name}   {page.entity.id}   {one_line(page.entity.kind)} in {one_line(page.scope)}"


def as_text(page: Subject, sections: Sequence[Section]) -> str:
    """Write the page for people."""
    lines = [_title(page), *(f"  {name:<11}{text}" for name, text in _about(page))]
    if not sections:
        lines.append("  Nothing is believed of them, and nothing waits.")
    for section in sections:
        lines += ["", section.title]
        for head, below in section.entries:
            lines += [f"  {head}", *(f"      {line}" for line in below)]
    return "\n".join(lines)


def as_markdown(page: Subject, sections: Sequence[Section]) -> str:
    """Write the page as Markdown, in which no memory becomes markup."""
    mark: Callable[[str], str] = as_plain
    lines = [f"# {mark(_title(page))}", ""]
    lines += [f"- {name}: {mark(text)}" for name, text in _about(page)]
    for section in sections:
        lines += ["", f"## {mark(section.title)}", ""]
        for head, below in section.entries:
            lines += [f"- {mark(head)}", *(f"  - {mark(line)}" for line in below)]
    return "\n".join(lines) + "\n"


def as_plain(text: str) -> str:
    """Escape what Markdown would act on."""
    return _MARKS.sub(r"\\\1", text)

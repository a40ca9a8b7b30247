"""memoryctl explain: why a fact is believed."""

from typing import Any

import click

from memorycore import Explanation
from memoryctl.completing import complete_fact
from memoryctl.moments import local, local_date
from memoryctl.options import common_options, settings_of
from memoryctl.output import Record, counted, one_line, write_answer
from memoryctl.span import underline

LISTED = 5
BASES = {
    "explicit": "said outright",
    "relative": "told from the date of the message",
    "inferred": "worked out",
    "mentioned": "no start said, known by then",
    "unknown": "no time known",
    "policy": "by the rule of its predicate",
}
STATES = {"valid": "valid", "uncertain": "contradicted", "invalidated": "no longer"}


@click.command("explain", epilog="All that was ever believed: memoryctl history FACT")
@click.argument("fact", metavar="FACT", shell_complete=complete_fact)
@click.option("--as-of", "as_of", metavar="T", help="Its period at this time.")
@click.option("--known-at", metavar="T", help="As we knew it then.")
@common_options
@click.pass_context
def command(
    ctx: click.Context, /, fact: str, as_of: str | None, known_at: str | None, **given: Any
) -> None:
    """Explain a fact: its times, its state, the sentences that say so, and what admitted it.

    \b
      memoryctl explain fct_01M8MD3K --scope user:ana
      memoryctl explain fct_01M8MD3K --known-at 2025-03 --scope user:ana
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.explain(fact, as_of=as_of, known_at=known_at)
        zone = memory.time_zone
    document = found.to_dict()
    write_answer(
        settings,
        "\n".join(_lines(found, document, zone)),
        [document["fact"]],
        document,
        columns=("id", "text", "confidence", "valid", "known", "state", "evidence"),
    )


def _lines(found: Explanation, shape: Record, zone: str) -> list[str]:
    fact = found.fact
    states = [STATES[fact.validity], fact.visibility, fact.lifecycle, f"sure {fact.confidence:.2f}"]
    states += ["pinned"] if fact.is_pinned else []
    lines = [f"{one_line(fact.text)}   {fact.id}"]
    told = fact.when.removeprefix("true ")
    lines.append(_line("true", f"{told}   {_how_known(shape['fact']['valid'])}"))
    lines.append(_line("known since", _known(found, shape, zone)))
    lines.append(_line("state", " · ".join(states)))
    for number, one in enumerate(found.evidence[:LISTED]):
        evidence = one.to_dict()
        place = ", ".join(
            filter(None, [one.role, one.session and f"session {one.session}", evidence["at"]])
        )
        counts = "" if one.stands else "   no longer counts"
        name = "said in" if number == 0 else "and in"
        lines.append(_line(name, f"{one.episode}  {one_line(place)}{counts}"))
        lines += [_line("", line) for line in underline(one.text, one.span_from, one.span_to)]
    if (more := len(found.evidence) - LISTED) > 0:
        lines.append(_line("", f"and {counted(more, 'sentence')} more: -o json lists them"))
    return lines + _origin_lines(found, zone) + _link_lines(found)


def _line(name: str, text: str) -> str:
    return f"  {name:<13}{text}".rstrip()


def _how_known(valid: Record | None) -> str:
    if valid is None:
        return ""
    precision, basis = valid["from_precision"], BASES[valid["from_basis"]]
    return basis if precision == "unknown" else f"{precision} known · {basis}"


def _known(found: Explanation, shape: Record, zone: str) -> str:
    known = shape["fact"]["known"]
    if known["from"] is None:
        return "never"
    closed = sum(1 for period in found.periods if period.known_to is not None)
    text = local(known["from"], zone)
    if known["to"] is not None:
        text += f", until {local(known['to'], zone)}"
    if not closed:
        return f"{text}   never corrected"
    times = "once" if closed == 1 else f"{closed} times"
    return f"{text}   its period changed {times}: memoryctl history {found.fact.id}"


def _origin_lines(found: Explanation, zone: str) -> list[str]:
    lines = []
    for number, origin in enumerate(found.origins[:LISTED]):
        shape = origin.to_dict()
        name = "came by" if number == 0 else ""
        decided = f"{origin.decision.upper()}: {shape['because']}"
        lines.append(_line(name, f"{origin.proposer}, {one_line(origin.place)}"))
        lines.append(_line("", f"→ {decided}"))
        day = local_date(shape["at"], zone)
        lines.append(_line("", f"{origin.operation}  {day}  by {one_line(origin.actor)}"))
    if (more := len(found.origins) - LISTED) > 0:
        lines.append(_line("", f"and {counted(more, 'candidate')} more: -o json lists them"))
    lines.append(_line("rule", f"{one_line(found.fact.predicate)}: {found.policy}"))
    return lines


def _link_lines(found: Explanation) -> list[str]:
    lines = []
    for number, link in enumerate(found.links):
        arrow = "→" if link.direction == "to" else "←"
        text = f"{link.kind} {arrow} {link.id} {one_line(link.text)}"
        lines.append(_line("links" if number == 0 else "", text))
    return lines

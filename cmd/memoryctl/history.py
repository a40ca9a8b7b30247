"""memoryctl history: what was ever believed, and when."""

from dataclasses import replace
from typing import Any

import click

from memorycore import HistoryLine
from memoryctl.completing import complete_fact, complete_predicate
from memoryctl.ingest import not_empty
from memoryctl.moments import local, local_date
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import Record, counted, cut, one_line, paint, write_records

COARSE = ("month", "quarter", "year")
DAYS_OF_MONTH = 30.44
COLUMNS = ("id", "text", "from", "to", "known_from", "known_to", "closed_by")


@click.command("history", epilog="The two axes of time: memoryctl help times")
@click.argument("what", required=False, metavar="[FACT|ENTITY]", shell_complete=complete_fact)
@click.option("--subject", metavar="E", callback=not_empty, help="Of this entity.")
@click.option("--predicate", metavar="P", shell_complete=complete_predicate, help="Of this kind.")
@click.option("--known-at", metavar="T", help="Only what was believed then.")
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    what: str | None,
    subject: str | None,
    predicate: str | None,
    known_at: str | None,
    **given: Any,
) -> int:
    """Tell a history on both axes: when it was true, and when that was believed.

    \b
      memoryctl history --subject Ana --predicate lives_in --scope user:ana
      memoryctl history fct_01M8MD3K --scope user:ana
      memoryctl history Ana --known-at 2025-03 --scope user:ana
    """
    settings = settings_of(ctx, given)
    if what is None and subject is None and predicate is None:
        click.echo(ctx.get_help(), err=True)
        return 2
    with settings.open(read_only=True) as memory:
        lines = memory.history(what, subject=subject, predicate=predicate, known_at=known_at)
        zone = memory.time_zone
    shapes = [line.to_dict() for line in lines]
    document = {"schema": "memorycore.history.v1", "ok": True, "lines": shapes}
    write_records(
        settings,
        [_record(shape) for shape in shapes],
        document,
        columns=COLUMNS,
        cards=lambda: "\n".join(_card(settings, line, zone) for line in lines),
    )
    _talk(settings, lines)
    return 0


def _record(shape: Record) -> Record:
    valid, known = shape["valid"], shape["known"]
    return {"id": shape["fact"]} | shape | {
        "from": valid["from"],
        "to": valid["to"],
        "known_from": known["from"],
        "known_to": known["to"],
    }  # fmt: skip


def _card(settings: Settings, line: HistoryLine, zone: str) -> str:
    fact, known = line.fact, line.to_dict()["known"]
    colour = "cyan" if known["to"] is None else "yellow"
    head = f"{paint(settings, fact.id, colour)}  {one_line(fact.text)}"
    since = local_date(known["from"], zone)
    if known["to"] is not None:
        until = local_date(known["to"], zone)
        if since == until:
            since, until = (local(known[end], zone, seconds=True) for end in ("from", "to"))
        then = f"believed {since} → {until}"
        then += f", then closed by {line.closed_by}" if line.closed_by else ", then no longer"
    else:
        then = f"known since {since}"
        then += f" · ended by {line.closed_by}" if line.closed_by else ""
        if fact.evidence:
            then += f" · “{cut(fact.evidence[0].quote)}” {fact.evidence[0].episode}"
    return f"{head}\n    {replace(fact, period=line.period).when}\n    {then}"


def _talk(settings: Settings, lines: list[HistoryLine]) -> None:
    if not lines:
        settings.talk("Nothing was ever known of that. memoryctl list facts shows what is.")
    late: dict[str, tuple[str, str]] = {}
    for line in lines:
        if line.late_days:
            late[line.fact.id] = (cut(line.fact.text, 80), _lateness(line))
    for text, lateness in late.values():
        settings.talk(f"We learned of {text} {lateness} late.")


def _lateness(line: HistoryLine) -> str:
    """Say how late something was heard of, no finer than its beginning is known."""
    if line.period.from_precision not in COARSE:
        return counted(line.late_days, "day")
    months = round(line.late_days / DAYS_OF_MONTH)
    if months == 0:
        return "some weeks"
    return f"about {counted(months, 'month')}"

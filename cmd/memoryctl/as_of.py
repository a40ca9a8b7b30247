"""memoryctl as-of: what was true at a time, as we knew it at another."""

import re
from typing import Any

import click

from memorycore import Difference, Fact, Memory
from memoryctl.completing import complete_predicate
from memoryctl.facts import COLUMNS, fact_card, fact_cards, fact_record
from memoryctl.ingest import not_empty
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import counted, write_records

MAX_LISTED = 1000
_AGO = re.compile(r"-[0-9]{1,5}(h|d|w|mo|y)\Z")
_NOW = "now"


class TimeCommand(click.Command):
    """A command whose first argument may be a time such as -3d, which looks like an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        taking = {
            flag
            for param in self.params
            if isinstance(param, click.Option) and not param.is_flag
            for flag in (*param.opts, *param.secondary_opts)
        }
        read = [
            f"{_NOW}{word}" if _AGO.match(word) and before not in taking else word
            for before, word in zip(["", *args], args, strict=False)
        ]
        return super().parse_args(ctx, read)


def _ago(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Read now-3d as the -3d that was typed."""
    if value is not None and _AGO.match(value.removeprefix(_NOW)):
        return value.removeprefix(_NOW)
    return value


@click.command("as-of", cls=TimeCommand, epilog="What a date means: memoryctl help times")
@click.argument("at", metavar="T", callback=_ago)
@click.argument("query", required=False, metavar="[QUERY]", callback=_ago)
@click.option("--known-at", metavar="T", help="As we knew it then; else as we know it now.")
@click.option("--subject", metavar="E", callback=not_empty, help="Only of this entity.")
@click.option("--predicate", metavar="P", shell_complete=complete_predicate, help="Of this kind.")
@click.option("--entity", metavar="E", callback=not_empty, help="Only what speaks of it.")
@click.option("--diff", "second", metavar="T2", help="Say what changed between T and T2.")
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    at: str,
    query: str | None,
    known_at: str | None,
    subject: str | None,
    predicate: str | None,
    entity: str | None,
    second: str | None,
    **given: Any,
) -> None:
    """Show what was true at a time.

    \b
      memoryctl as-of 2025-03-01 --subject Ana --predicate lives_in --scope user:ana
      memoryctl as-of -3d --scope user:ana
      memoryctl as-of 2024-10-15 --known-at 2024-12-31 --scope user:ana
      memoryctl as-of 2025-01 --diff 2025-06 --scope user:ana
      memoryctl as-of 2025-03 "where does she work?" --scope user:ana
    """
    settings = settings_of(ctx, given)
    narrow: dict[str, Any] = {"subject": subject, "predicate": predicate, "entity": entity}
    with settings.open(read_only=True) as memory:
        if second is not None:
            if query is not None:
                raise click.UsageError("--diff compares all facts; leave the QUERY out.", ctx)
            found = memory.as_of_diff(at, second, known_at=known_at, **narrow)
            _write_difference(settings, found, at, second)
            return
        facts = _facts(memory, at, query, known_at, narrow)
        document = {
            "schema": "memorycore.as_of.v1",
            "ok": True,
            "as_of": at,
            "known_at": known_at,
            "query": query,
            "facts": [fact.to_dict() for fact in facts],
        }
        write_records(
            settings,
            [fact_record(fact) for fact in facts],
            document,
            columns=COLUMNS,
            cards=lambda: fact_cards(settings, facts),
        )
        if not facts:
            settings.talk(_why_nothing(memory, at, query, known_at, narrow))


def _facts(
    memory: Memory,
    at: str,
    query: str | None,
    known_at: str | None,
    narrow: dict[str, Any],
) -> list[Fact]:
    if query is None:
        return list(memory.facts(as_of=at, known_at=known_at, **narrow))
    named = narrow["entity"] or narrow["subject"]
    result = memory.search(
        query,
        as_of=at,
        known_at=known_at,
        predicate=narrow["predicate"],
        entity=None if named is None else memory.entity(named).id,
        limit=MAX_LISTED,
    )
    facts = [hit.fact for hit in result.facts]
    if narrow["subject"] is None:
        return facts
    wanted = memory.entity(narrow["subject"]).uid
    return [fact for fact in facts if fact.subject.uid == wanted]


def _why_nothing(
    memory: Memory,
    at: str,
    query: str | None,
    known_at: str | None,
    narrow: dict[str, Any],
) -> str:
    """Say since when something is known, where just one subject or predicate was asked for."""
    subject, predicate = narrow["subject"], narrow["predicate"]
    nothing = "Nothing that fits is known to hold now"
    if at != _NOW:
        nothing = f"Nothing that fits is known to have held at {at}"
    if query is not None or (subject is None and predicate is None):
        return f"{nothing}."
    lines = memory.history(subject=subject, predicate=predicate, known_at=known_at)
    believed = [line.period for line in lines if known_at or line.period.known_to is None]
    if not believed:
        return f"{nothing}, nor at any other time."
    first = min(believed, key=lambda period: period.valid_from)
    start = first.starts(memory.time_zone)
    if start is not None and _is_before(at, start):
        return f"{nothing}: not known before {start[:10]}."
    return f"{nothing}; memoryctl history shows other times."


def _is_before(at: str, start: str) -> bool:
    """Tell whether a date surely lies before another; a year does not lie before its months."""
    comparable = at[:1].isdigit() and "W" not in at + start and not start.startswith(at)
    return comparable and at[:10] < start[:10]


def _write_difference(settings: Settings, found: Difference, first: str, second: str) -> None:
    changes = [("ended", fact) for fact in found.ended] + [("began", fact) for fact in found.began]

    def cards() -> str:
        marks = {"began": "+", "ended": "-"}
        return "\n".join(f"{marks[change]} {fact_card(settings, fact)}" for change, fact in changes)

    write_records(
        settings,
        [{"change": change} | fact_record(fact) for change, fact in changes],
        found.to_dict() | {"from": first, "to": second},
        columns=("change", *COLUMNS),
        cards=cards,
    )
    began, ended = counted(len(found.began), "fact"), counted(len(found.ended), "fact")
    settings.talk(f"From {first} to {second}: {began} began, {ended} ended.")

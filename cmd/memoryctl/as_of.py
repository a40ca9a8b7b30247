"""memoryctl as-of: what was true at a time, as we knew it at another."""

from typing import Any

import click

from memorycore import Difference, Fact, Memory
from memoryctl.completing import complete_predicate
from memoryctl.facts import COLUMNS, fact_card, fact_cards, fact_record
from memoryctl.ingest import not_empty
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import counted, write_records

MAX_LISTED = 1000


@click.command("as-of", epilog="What a date means: memoryctl help times")
@click.argument("at", metavar="T")
@click.argument("query", required=False, metavar="[QUERY]")
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
    result = memory.search(
        query,
        as_of=at,
        known_at=known_at,
        predicate=narrow["predicate"],
        entity=narrow["entity"] or narrow["subject"],
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
    subject, predicate = narrow["subject"] or narrow["entity"], narrow["predicate"]
    nothing = f"Nothing is known of {at}"
    if query is not None or (subject is None and predicate is None):
        return f"{nothing}."
    lines = memory.history(subject=subject, predicate=predicate, known_at=known_at)
    believed = [line.period for line in lines if known_at or line.period.known_to is None]
    if not believed:
        return f"{nothing}, nor of any other time."
    first = min(believed, key=lambda period: period.valid_from)
    start = first.starts(memory.time_zone)
    if start is None:
        return f"{nothing}; memoryctl history shows other times."
    if at[:1].isdigit() and start[:10] > at[:10]:
        return f"{nothing}: not known before {start[:10]}."
    return f"{nothing}; what is known begins {start[:10]} and is over: memoryctl history tells it."


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

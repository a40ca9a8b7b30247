"""memoryctl search: find what is known, and what was said."""

import sys
from typing import Any

import click

from memorycore import Hit, SearchResult
from memoryctl.completing import complete_entity, complete_predicate
from memoryctl.documents import read_query
from memoryctl.facts import fact_cards
from memoryctl.options import Settings, common_options, settings_of, zero_to_one
from memoryctl.output import Record, counted, episodes, one_line, paint, safe, write_records

COLUMNS = ("id", "at", "text", "speaker", "role", "session", "scope", "score", "kind")


ASKED = (
    "limit", "cursor", "session", "since", "until", "as_of", "known_at", "predicate", "entity",
    "min_confidence", "explain",
)  # fmt: skip


@click.command("search", epilog="Quote the whole query to find just these words: '\"部署方案\"'.")
@click.argument("query", required=False, metavar="QUERY|-")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, help="How many (10).")
@click.option("--cursor", metavar="C", help="Go on where the page before ended.")
@click.option("--session", metavar="ID", help="Only of this session.")
@click.option("--role", "roles", metavar="R", multiple=True, help="Only of this role; repeatable.")
@click.option("--since", metavar="T", help="Not before: an ISO date, now, or -3d.")
@click.option("--until", metavar="T", help="Not after: the day, month or year named is still in.")
@click.option("--as-of", metavar="T", help="Facts that were true at T; else now.")
@click.option("--known-at", metavar="T", help="As we knew it at T.")
@click.option(
    "--predicate", metavar="P", shell_complete=complete_predicate, help="Only facts of this kind."
)
@click.option(
    "--entity", metavar="E", shell_complete=complete_entity, help="Only facts that speak of it."
)
@click.option("--include", metavar="S,…", help="past, upcoming, consolidated, archived too.")
@click.option(
    "--min-confidence",
    type=float,
    metavar="X",
    callback=zero_to_one,
    help="Only facts not less sure.",
)
@click.option("--explain", is_flag=True, help="Show how each score came about.")
@click.option("--exit-status", is_flag=True, help="Exit 4 when nothing is found.")
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    query: str | None,
    include: str | None,
    roles: tuple[str, ...],
    exit_status: bool,
    **given: Any,
) -> int:
    """Find facts and episodes by words, in Chinese and English, best first.

    \b
      memoryctl search 过敏 --scope user:lin
      memoryctl search "where did I put the spare key?" --since 2025-03
      memoryctl search "where does Ana live?" --as-of 2025-03-01 --scope user:ana
      memoryctl search POL-358 -o json --limit 3

    Facts come first: those that are true now, or at --as-of. --predicate, --entity and
    --min-confidence narrow to facts; --session, --role, --since and --until to episodes.
    """
    asked = {name: given.pop(name) for name in ASKED}
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        if asked["entity"]:
            asked["entity"] = memory.entity(asked["entity"]).id
        result = memory.search(
            read_query(query, example='search "部署方案"'),
            roles=roles,
            include=tuple(part.strip() for part in (include or "").split(",") if part.strip()),
            time_zone=settings["time_zone"],
            **asked,
        )
    write_records(
        settings,
        _records(result),
        result.to_dict(),
        columns=COLUMNS,
        cards=lambda: "\n".join(_cards(settings, result)),
    )
    if asked["explain"] and settings["output"] == "auto" and not sys.stdout.isatty():
        for hit in result.hits:
            click.echo(f"» {hit.episode.id} {_arithmetic(hit)}", err=True)
    _talk(settings, result)
    return 4 if exit_status and not len(result) else 0


def _records(result: SearchResult) -> list[Record]:
    facts = [hit.to_dict() for hit in result.facts]
    for shape in facts:
        shape["at"] = (shape["valid"] or {}).get("from")
    return [*facts, *(hit.to_dict() for hit in result.hits)]


def _cards(settings: Settings, result: SearchResult) -> list[str]:
    facts = fact_cards(settings, [hit.fact for hit in result.facts])
    return [*([facts] if facts else []), *(_card(settings, hit) for hit in result.hits)]


def _card(settings: Settings, hit: Hit) -> str:
    episode = hit.episode
    when = episode.at or "time unknown"
    who = f"{episode.speaker} ({episode.role})" if episode.speaker else episode.role
    place = " ".join(filter(None, [episode.scope, episode.session]))
    head = f"{paint(settings, episode.id, 'cyan')}  {one_line(place)} · {when} · {one_line(who)}"
    lines = [head, *(f"    {line}" for line in safe(episode.text).splitlines())]
    if hit.parts:
        lines.append(f"    {_arithmetic(hit)}")
    return "\n".join(lines)


def _arithmetic(hit: Hit) -> str:
    parts = " + ".join(
        f"{part.label} {part.score:.2f}{'' if part.own else ' (near)'}" for part in hit.parts
    )
    session = f" + {hit.session:.2f} session" if hit.session else ""
    factors = "".join(f" × {factor:g} {name}" for name, factor in hit.factors)
    return f"score {hit.score:.3f} = ({parts}{session}) / {hit.ideal:.2f}{factors}"


def _of_other_times(result: SearchResult) -> str:
    """Say that facts fit which did not hold; how to see them only where that would show them."""
    asked = result.request
    if asked is None or asked.as_of or asked.known_at or asked.include:
        return "No fact that fits is known to have held then."
    does = "1 of another time does" if result.past == 1 else f"{result.past} of other times do"
    return f"No current fact fits. {does}: --include past"


def _talk(settings: Settings, result: SearchResult) -> None:
    where = ", ".join(settings.scopes)
    if result.past and not result.facts:
        settings.talk(_of_other_times(result))
    if len(result):
        facts = [counted(len(result.facts), "fact")] if result.facts else []
        found = [*facts, *([episodes(len(result.hits))] if result.hits else [])]
        settings.talk(f"{' and '.join(found)} in {where}")
        if result.next:
            settings.talk(f"More: the same with --cursor {result.next}")
    elif not result.words:
        settings.talk("The query holds no word to look for; try a word or a name.")
    elif not result.past:
        settings.talk(
            f"Nothing in {where} fits. --scope S searches another; memoryctl stats lists them."
        )

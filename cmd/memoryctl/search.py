"""memoryctl search: find what was said."""

import sys
from typing import Any

import click

from memorycore import Hit, SearchResult
from memorycore.errors import InvalidQueryError
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import one_line, paint, safe, write_records

COLUMNS = ("id", "at", "text", "speaker", "role", "session", "scope", "score")


@click.command("search", epilog="Quote the whole query to find just these words: '\"部署方案\"'.")
@click.argument("query", required=False, metavar="QUERY|-")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, help="How many (10).")
@click.option("--cursor", metavar="C", help="Go on where the page before ended.")
@click.option("--session", metavar="ID", help="Only of this session.")
@click.option("--role", "roles", metavar="R", multiple=True, help="Only of this role; repeatable.")
@click.option("--since", metavar="T", help="Not before: an ISO date, now, or -3d.")
@click.option("--until", metavar="T", help="Not after: the day, month or year named is still in.")
@click.option("--explain", is_flag=True, help="Show how each score came about.")
@click.option("--exit-status", is_flag=True, help="Exit 4 when nothing is found.")
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    query: str | None,
    limit: int,
    cursor: str | None,
    session: str | None,
    roles: tuple[str, ...],
    since: str | None,
    until: str | None,
    explain: bool,
    exit_status: bool,
    **given: Any,
) -> int:
    """Find episodes by words, in Chinese and English, best first.

    \b
      memoryctl search 过敏 --scope user:lin
      memoryctl search "where did I put the spare key?" --since 2025-03
      memoryctl search POL-358 -o json --limit 3
    """
    settings = settings_of(ctx, given)
    query = _read_query(query)
    with settings.open(read_only=True) as memory:
        result = memory.search(
            query,
            limit=limit,
            cursor=cursor,
            session=session,
            roles=roles,
            since=since,
            until=until,
            time_zone=settings["time_zone"],
            explain=explain,
        )
    write_records(
        settings,
        [hit.to_dict() for hit in result.hits],
        result.to_dict(),
        columns=COLUMNS,
        cards=lambda: "\n".join(_card(settings, hit) for hit in result.hits),
    )
    if explain and settings["output"] == "auto" and not sys.stdout.isatty():
        for hit in result.hits:
            click.echo(f"» {hit.episode.id} {_arithmetic(hit)}", err=True)
    _talk(settings, result)
    return 4 if exit_status and not result.hits else 0


def _read_query(query: str | None) -> str:
    if query == "-":
        return sys.stdin.read()
    if query is None:
        raise InvalidQueryError("There is no query.", hint='memoryctl search "部署方案"')
    return query


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
    factors = "".join(f" × {factor:g} {name}" for name, factor in hit.factors)
    return f"score {hit.score:.3f} = ({parts}) / {hit.ideal:.2f}{factors}"


def _talk(settings: Settings, result: SearchResult) -> None:
    where = ", ".join(settings.scopes)
    if result.hits:
        count = len(result.hits)
        settings.talk(f"{count} {'episode' if count == 1 else 'episodes'} in {where}")
        if result.next:
            settings.talk(f"More: the same with --cursor {result.next}")
    elif not result.words:
        settings.talk("The query holds no word to look for; try a word or a name.")
    else:
        settings.talk(
            f"Nothing in {where} fits. --scope S searches another; memoryctl stats lists them."
        )

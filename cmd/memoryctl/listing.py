"""memoryctl list: what is in the store, page by page."""

from collections.abc import Callable, Iterable
from itertools import dropwhile, islice
from typing import Any, TypeVar

import click

from memorycore import Memory
from memorycore.errors import InvalidCursorError
from memoryctl.completing import complete_entity, complete_predicate
from memoryctl.entity import write_entities
from memoryctl.facts import COLUMNS, fact_cards, fact_record
from memoryctl.ingest import not_empty
from memoryctl.options import Settings, common_options, settings_of, zero_to_one
from memoryctl.output import Record, counted, cut, one_line, paint, write_json, write_records

F = TypeVar("F")
G = TypeVar("G", bound=Callable[..., Any])

KINDS = (
    "facts",
    "episodes",
    "entities",
    "candidates",
    "sessions",
    "scopes",
    "tags",
    "claims",
    "quarantined",
)
STATES = ("pending", "review", "decided")
SHORT_HELP = f"""memoryctl list KIND: {", ".join(KINDS)}
Begin with: memoryctl list facts
More: memoryctl list --help"""
FACTS_ONLY = (
    "subject", "predicate", "entity", "as_of", "known_at", "include", "min_confidence",
)  # fmt: skip


def _filters(function: G) -> G:
    options = (
        click.option("--subject", metavar="E", callback=not_empty, help="Facts of this entity."),
        click.option(
            "--predicate", metavar="P", shell_complete=complete_predicate, help="Of this kind."
        ),
        click.option(
            "--entity", metavar="E", shell_complete=complete_entity, help="That speak of it."
        ),
        click.option("--as-of", metavar="T", help="True at T; else now."),
        click.option("--known-at", metavar="T", help="As we knew it at T."),
        click.option(
            "--include", metavar="S,…", help="past, upcoming, consolidated, archived too."
        ),
        click.option(
            "--min-confidence",
            type=float,
            metavar="X",
            callback=zero_to_one,
            help="Not less sure.",
        ),
        click.option("--state", type=click.Choice(STATES), help="Candidates in this state."),
        click.option("--limit", type=click.IntRange(1, 10_000), default=100, help="A page (100)."),
        click.option("--cursor", metavar="ID", help="Go on after this one."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("list", epilog="One of them whole: memoryctl show ID")
@click.argument("kind", required=False, type=click.Choice(KINDS), metavar="|".join(KINDS))
@_filters
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    kind: str | None,
    state: str | None,
    limit: int,
    cursor: str | None,
    **given: Any,
) -> int:
    """List what the scopes of the call hold, oldest first, page by page.

    \b
      memoryctl list facts --subject Ana --scope user:ana
      memoryctl list facts --as-of 2025-03 --include past --scope user:ana
      memoryctl list candidates --state review -o jsonl --scope user:ana
      memoryctl list quarantined --scope user:ana
    """
    asked = {name: given.pop(name) for name in FACTS_ONLY}
    asked["include"] = split(asked["include"])
    settings = settings_of(ctx, given)
    if kind is None:
        click.echo(SHORT_HELP, err=True)
        return 2
    used = [name for name, value in asked.items() if value not in (None, ())]
    if kind != "facts" and used:
        raise click.UsageError(f"--{used[0].replace('_', '-')} is for facts.", ctx)
    if kind != "candidates" and state is not None:
        raise click.UsageError("--state is for candidates.", ctx)
    with settings.open(read_only=True) as memory:
        if kind == "facts":
            next_ = _facts(settings, memory, asked, limit, cursor)
        elif kind == "candidates":
            next_ = _candidates(settings, memory, state, limit, cursor)
        else:
            next_ = _LISTS[kind](settings, memory, limit, cursor)
    if next_ is not None:
        settings.talk(f"More: the same with --cursor {next_}")
    return 0


def split(text: str | None) -> tuple[str, ...]:
    """Read words that are set off by commas."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def _page(found: Iterable[F], limit: int, id_of: Callable[[F], str]) -> tuple[list[F], str | None]:
    """Take a page, and the id after which the next one goes on if there is more."""
    taken = list(islice(found, limit + 1))
    page = taken[:limit]
    return page, id_of(page[-1]) if len(taken) > limit else None


def _after(found: Iterable[F], cursor: str | None, id_of: Callable[[F], str]) -> Iterable[F]:
    if cursor is None:
        return found
    rest = dropwhile(lambda one: id_of(one) != cursor, found)
    if next(iter(rest), None) is None:
        raise InvalidCursorError(f"{cursor[:40]} is not in this list.", hint="begin without it")
    return rest


def _write(
    settings: Settings,
    kind: str,
    records: list[Record],
    next_: str | None,
    columns: tuple[str, ...],
    card: Callable[[Record], str],
) -> None:
    document = {"schema": "memorycore.list.v1", "ok": True, kind: records, "next": next_}
    write_records(
        settings,
        records,
        document,
        columns=columns,
        cards=lambda: "\n".join(card(record) for record in records),
    )


def _facts(
    settings: Settings, memory: Memory, asked: dict[str, Any], limit: int, cursor: str | None
) -> str | None:
    found = memory.facts(**asked, after=cursor, limit=limit + 1)
    facts, next_ = _page(found, limit, lambda fact: fact.id)
    records = [fact_record(fact) for fact in facts]
    document = {"schema": "memorycore.list.v1", "ok": True, "facts": records, "next": next_}
    write_records(
        settings,
        records,
        document,
        columns=COLUMNS,
        cards=lambda: fact_cards(settings, facts),
    )
    part = "" if next_ is None and cursor is None else " on this page, of those"
    settings.talk(f"{counted(len(facts), 'fact')}{part} in {', '.join(settings.scopes)}")
    return next_


def _episodes(settings: Settings, memory: Memory, limit: int, cursor: str | None) -> str | None:
    found = memory.episodes(after=cursor, limit=limit + 1)
    page, next_ = _page(found, limit, lambda one: one.id)
    columns = ("id", "at", "text", "speaker", "role", "session", "scope")

    def card(one: Record) -> str:
        head = f"{paint(settings, one['id'], 'cyan')}  {one['at'] or 'time unknown'}"
        return f"{head} · {one_line(one['speaker'] or one['role'])}\n    {cut(one['text'])}"

    _write(settings, "episodes", [one.to_dict() for one in page], next_, columns, card)
    return next_


def _entities(settings: Settings, memory: Memory, limit: int, cursor: str | None) -> str | None:
    found = _after(memory.entities(), cursor, lambda one: one.id)
    page, next_ = _page(found, limit, lambda one: one.id)
    write_entities(settings, page, next_)
    return next_


def _candidates(
    settings: Settings, memory: Memory, state: str | None, limit: int, cursor: str | None
) -> str | None:
    from memoryctl.reviewing import candidate_card

    found = _after(memory.candidates(state=state), cursor, lambda one: one.id)
    views, next_ = _page(found, limit, lambda one: one.id)
    records = [view.to_dict() for view in views]
    write_records(
        settings,
        records,
        {"schema": "memorycore.list.v1", "ok": True, "candidates": records, "next": next_},
        columns=("id", "at", "text", "state", "decision", "reason", "place", "scope"),
        cards=lambda: "\n".join(candidate_card(settings, view) for view in views),
    )
    return next_


def _sessions(settings: Settings, memory: Memory, limit: int, cursor: str | None) -> str | None:
    query = "SELECT scope, name FROM sessions WHERE name > :after ORDER BY name LIMIT :limit"
    found = memory.sql(query, {"after": cursor or "", "limit": limit + 1})
    page, next_ = _page(found, limit, lambda row: str(row["name"]))

    def card(row: Record) -> str:
        return f"{one_line(row['scope'])}  {one_line(row['name'])}"

    _write(settings, "sessions", page, next_, ("name", "scope"), card)
    return next_


def _claims(settings: Settings, memory: Memory, limit: int, cursor: str | None) -> str | None:
    """Print the claim stream, a record a line, whatever the form; it is not cut into pages."""
    count = 0
    for record in memory.claims():
        count += record["record_type"] == "claim"
        write_json(settings, record)
    settings.talk(f"{counted(count, 'claim')} in {', '.join(settings.scopes)}")
    return None


def _tags(settings: Settings, memory: Memory, limit: int, cursor: str | None) -> str | None:
    rest = (one for one in memory.tags() if one.name > (cursor or ""))
    page, next_ = _page(rest, limit, lambda one: one.name)

    def card(one: Record) -> str:
        seen = f"{one['first_seen_at'] or '?'} → {one['last_seen_at'] or '?'}"
        return f"{paint(settings, one['name'], 'cyan')}  {counted(one['count'], 'fact')}  {seen}"

    columns = ("tag_id", "name", "count", "first_seen_at", "last_seen_at")
    _write(settings, "tags", [one.to_dict() for one in page], next_, columns, card)
    return next_


def _scopes(settings: Settings, memory: Memory, limit: int, cursor: str | None) -> str | None:
    counts = memory.stats(all_scopes=not settings.scope_given).to_dict()["scopes"]
    rest = (one for one in counts if one["name"] > (cursor or ""))
    page, next_ = _page(rest, limit, lambda one: str(one["name"]))

    def card(one: Record) -> str:
        facts = counted(one["facts"], "fact")
        return f"{one_line(one['name'])}  {counted(one['episodes'], 'episode')}, {facts}"

    _write(settings, "scopes", page, next_, ("name", "episodes", "sessions", "facts"), card)
    return next_


def _quarantined(settings: Settings, memory: Memory, limit: int, cursor: str | None) -> str | None:
    if cursor is not None and not cursor.isdecimal():
        raise InvalidCursorError(f"{cursor[:40]} is no line.", hint="begin without it")
    found = memory.quarantined(after=int(cursor or 0), limit=limit + 1)
    page, next_ = _page(found, limit, lambda line: str(line.quarantined_id))
    records = [
        {
            "id": line.quarantined_id,
            "place": line.place,
            "code": line.code,
            "reason": line.reason,
            "text": line.text,
        }
        for line in page
    ]

    def card(one: Record) -> str:
        head = f"{one['id']}  {one_line(one['place'])}   {one['code']}   {one_line(one['reason'])}"
        return f"{head}\n    {cut(one['text'])}" if one["text"] else head

    columns = ("id", "place", "code", "reason", "text")
    _write(settings, "quarantined", records, next_, columns, card)
    return next_


_LISTS = {
    "episodes": _episodes,
    "entities": _entities,
    "sessions": _sessions,
    "scopes": _scopes,
    "tags": _tags,
    "claims": _claims,
    "quarantined": _quarantined,
}

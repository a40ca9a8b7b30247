"""memoryctl init-db: make a store."""

import os
from typing import Any

import click

from memorycore import Memory, Stats
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import counted, episodes, write_text
from memoryctl.places import local_time_zone

LANGUAGES = ("any", "zh", "en")


@click.command("init-db", epilog="Next: memoryctl ingest chat.jsonl --scope user:ana")
@click.option(
    "--time-zone",
    "zone",
    metavar="ZONE",
    help="Zone of times without an offset; else this machine's.",
)
@click.option("--language", type=click.Choice(LANGUAGES), default="any", help="Main language.")
@click.option(
    "--seed-predicates",
    "seed",
    metavar="FILE|none",
    help="Predicates that a new store knows; else those that come with memoryctl.",
)
@common_options
@click.pass_context
def command(
    ctx: click.Context, /, zone: str | None, language: str, seed: str | None, **given: Any
) -> None:
    """Make a memory store, or bring an older one up to date.

    \b
      memoryctl init-db
      memoryctl init-db --db ./memory.db --time-zone Asia/Shanghai
      memoryctl init-db --seed-predicates mine.toml
    """
    settings = settings_of(ctx, given)
    path = str(settings.store.value)
    time_zone = zone or settings["time_zone"] or local_time_zone()
    found = Memory.init(
        path,
        time_zone=time_zone,
        language=language,
        busy_timeout=settings["busy_timeout"],
        predicates=_seed(seed),
    )
    with settings.open(read_only=True) as memory:
        stats = memory.stats(all_scopes=True)
        memory.check_key()
    if zone and stats.time_zone != zone:
        settings.talk(f"The store keeps its time zone, {stats.time_zone}.")
    document = {
        "schema": "memorycore.init.v1",
        "ok": True,
        "created": found == 0,
        "file": os.path.abspath(path),
        "store_schema": stats.schema,
        "time_zone": stats.time_zone,
        "language": stats.language,
        "predicates": stats.predicates,
    }
    if found == stats.schema:
        held = f"{episodes(stats.episodes)}, {counted(stats.facts, 'fact')}"
        text = f"Store is there already: schema {found}, {held}. Nothing to do."
        write_text(settings, text, document)
        if seed is not None:
            settings.talk("It keeps its predicates; memoryctl predicate add FILE adds some.")
        return
    text = "\n".join(_lines(settings, path, found, stats))
    write_text(settings, text, document)
    if found:
        settings.talk(f"A copy of before is beside it: {path}.schema-{found}-….db")
    settings.talk("Next: memoryctl ingest chat.jsonl")


def _lines(settings: Settings, path: str, found: int, stats: Stats) -> list[str]:
    head = "Created a memory store" if found == 0 else f"Brought the store from schema {found} to"
    language_text = "any language" if stats.language == "any" else stats.language
    scopes = ", ".join(settings.scopes)
    return [
        head,
        f"  file        {path}   (schema {stats.schema})",
        f"  scope       {scopes} · time zone {stats.time_zone} · {language_text}",
        f"  predicates  {stats.predicates} seeded",
        "  search      words + CJK pairs",
        f"  key         {path}.key   (keep it beside the store; it is in no backup of the file)",
    ]


def _seed(given: str | None) -> str | tuple[()] | None:
    if given is None:
        return None
    if given == "none":
        return ()
    from memoryctl.predicate import read_toml

    return read_toml(given)

"""memoryctl stats: count what is in the store."""

from typing import Any

import click

from memoryctl.options import common_options, settings_of, without_ids
from memoryctl.output import counted, episodes, one_line, write_records


@click.command("stats")
@click.option("--prometheus", is_flag=True, help="Write the text form that Prometheus reads.")
@common_options
@click.pass_context
def command(ctx: click.Context, /, prometheus: bool, **given: Any) -> None:
    """Count episodes, facts and what waits: of each scope, or of --scope alone.

    \b
      memoryctl stats
      memoryctl stats --scope user:ana -o json
      memoryctl stats --prometheus > /var/lib/node_exporter/memorycore.prom
    """
    settings = without_ids(ctx, settings_of(ctx, given))
    if prometheus and (settings["fields"] or settings.values["output"].origin == "flag"):
        raise click.UsageError("--prometheus is a form of its own: leave -o and --fields out.", ctx)
    with settings.open(read_only=True) as memory:
        stats = memory.stats(all_scopes=not settings.scope_given)
    if prometheus:
        from memoryctl.prometheus import exposition

        click.echo(exposition(stats), nl=False)
        return
    shape = stats.to_dict()

    def cards() -> str:
        size = f"{stats.file_bytes / 1e6:.1f} MB, schema {stats.schema}"
        times = f"{shape['first_at'] or '?'} → {shape['last_at'] or '?'}"
        lines = [
            f"store       {settings.store.value}   {size}",
            f"episodes    {stats.episodes:,} · {times} · {shape['without_time']:,} without a time",
            f"facts       {stats.facts:,} · {counted(stats.entities, 'entity')} · "
            f"{counted(stats.predicates, 'predicate')}",
            f"waiting     {counted(stats.pending, 'candidate')} to admit · "
            f"{stats.reviews:,} to review",
            f"operations  {stats.operations:,}",
        ]
        lines += [
            f"scope       {one_line(one.name)}   {episodes(one.episodes)}, "
            f"{counted(one.sessions, 'session')}, {counted(one.facts, 'fact')}"
            for one in stats.scopes
        ]
        return "\n".join(lines)

    write_records(
        settings,
        shape["scopes"],
        shape,
        columns=("name", "episodes", "sessions", "facts"),
        cards=cards,
    )

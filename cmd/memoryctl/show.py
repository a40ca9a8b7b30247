"""memoryctl show: one record, whole."""

from typing import Any

import click

from memorycore import CandidateView, Entity, Episode, Fact, ImportJob, QueueItem, ReviewRecord
from memoryctl.completing import complete_id
from memoryctl.options import common_options, settings_of
from memoryctl.output import readable, write_records

KINDS = {"episode": Episode, "fact": Fact, "entity": Entity, "candidate": CandidateView,
         "memory": ReviewRecord, "queued_review": QueueItem,
         "import_job": ImportJob}  # fmt: skip


@click.command("show")
@click.argument("id_", metavar="ID", shell_complete=complete_id)
@click.option("--as-of", "as_of", metavar="T", help="A fact: its period at this time.")
@click.option("--known-at", metavar="T", help="A fact: as we knew it then.")
@common_options
@click.pass_context
def command(
    ctx: click.Context, /, id_: str, as_of: str | None, known_at: str | None, **given: Any
) -> None:
    """Show a record whole, by its id or by a unique start of that.

    Records are episodes, facts, entities, candidates, operations, memories and import jobs.

    \b
      memoryctl show ep_01M8MD1A --scope user:ana
      memoryctl show fct_01M8MD3K -o json --scope user:ana
      memoryctl show fct_01M8MD3K --known-at 2025-03 --scope user:ana
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.get(id_, all_scopes=not settings.scope_given, as_of=as_of, known_at=known_at)
    shape = found.to_dict()
    kind = next((kind for kind, cls in KINDS.items() if isinstance(found, cls)), "operation")
    document = {"schema": f"memorycore.{kind}.v1", "ok": True, kind: shape}

    write_records(settings, [shape], document, columns=tuple(shape), cards=lambda: readable(shape))

"""memoryctl log: what was written, newest first; and that none of it was changed."""

import os
from typing import Any

import click

from memorycore import LogProof
from memorycore.errors import InvalidInputError
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import Record, counted, one_line, write_records, write_text

COLUMNS = ("id", "at", "kind", "actor", "scope", "undone")
BROKEN = 9
MAX_CHECKPOINT = 1000


@click.group("log", invoke_without_command=True)
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, help="How many (20).")
@common_options
@click.pass_context
def command(ctx: click.Context, /, limit: int, **given: Any) -> None:
    """List operations, newest first: all of the store, or those of --scope.

    \b
      memoryctl log --limit 5
      memoryctl log verify
    """
    if ctx.invoked_subcommand is not None:
        return
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        records = [
            operation.to_dict()
            for operation in memory.operations(limit=limit, all_scopes=not settings.scope_given)
        ]
    document = {"schema": "memorycore.log.v1", "ok": True, "operations": records}
    write_records(
        settings,
        records,
        document,
        columns=COLUMNS,
        cards=lambda: "\n".join(map(_card, records)),
    )


def _card(record: Record) -> str:
    parts = [record["id"], record["at"], record["kind"], record["actor"], record["scope"] or "-"]
    if record["undoes"]:
        parts.append(f"undoes {record['undoes']}")
    if record["undone"]:
        parts.append("undone")
    return "  ".join(map(one_line, parts))


@command.command("verify")
@click.option("--checkpoint", metavar="LINE|FILE", help="What it printed before must still hold.")
@common_options
@click.pass_context
def verify(ctx: click.Context, /, checkpoint: str | None, **given: Any) -> int:
    """Check that no operation and no receipt was changed since it was written.

    \b
      memoryctl log verify > checkpoint.txt
      memoryctl log verify --checkpoint checkpoint.txt

    It prints a checkpoint: the last operation and its hash, which stands for all before it and for
    the receipts. Kept elsewhere it shows even a log that was written anew as a whole. Exit code 9
    says that something was changed; the message names the first.
    """
    settings = settings_of(ctx, given)
    known = None if checkpoint is None else _read_checkpoint(checkpoint)
    with settings.open(read_only=True) as memory:
        proof = memory.verify_log(checkpoint=known)
    _tell(settings, proof)
    return 0 if proof.holds else BROKEN


def _read_checkpoint(given: str) -> str:
    if not os.path.isfile(given):
        return given
    try:
        with open(given, encoding="utf-8") as file:
            return file.read(MAX_CHECKPOINT)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{given} cannot be read as a checkpoint.") from error


def _tell(settings: Settings, proof: LogProof) -> None:
    fault, receipts = proof.fault, proof.receipts
    if fault is not None:
        text = f"Operation {fault.place} ({fault.operation}) does not hold: {fault.reason}."
    elif receipts.fault is not None:
        broken = receipts.fault
        text = f"Entry {broken.entry} of the receipts does not hold: {broken.reason}."
    else:
        text = str(proof.last)
        settings.talk(
            f"{counted(proof.operations, 'operation')} and "
            f"{counted(receipts.entries, 'entry')} of receipts, both chains hold."
        )
        settings.talk("Keep that line elsewhere: memoryctl log verify --checkpoint LINE")
    write_text(settings, text, proof.to_dict())

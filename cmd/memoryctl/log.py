"""memoryctl log: what was written, newest first; and that none of it was changed."""

import os
from typing import Any

import click
from click.core import ParameterSource

from memorycore import LogProof
from memorycore.errors import InvalidInputError
from memoryctl.failure import tell_failed_check
from memoryctl.options import Settings, common_options, file_options, settings_of, settings_of_file
from memoryctl.output import Record, counted, form_of, one_line, write_json, write_records

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
      memoryctl log --scope user:ana -o json
      memoryctl log verify
    """
    settings = settings_of(ctx, given)
    if ctx.invoked_subcommand is not None:
        if ctx.get_parameter_source("limit") is not ParameterSource.DEFAULT:
            raise click.UsageError("--limit is for the list of operations.", ctx)
        ctx.obj = settings
        return
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
@click.option("--checkpoint", metavar="LINE|FILE|-", help="What it printed before must still hold.")
@file_options
@click.pass_context
def verify(ctx: click.Context, /, checkpoint: str | None, **given: Any) -> int:
    """Check that no operation and no receipt was changed since it was written.

    \b
      memoryctl log verify > checkpoint.txt
      memoryctl log verify --checkpoint checkpoint.txt
      memoryctl log verify --checkpoint "op_01M8… sha256:5756…"

    It prints a checkpoint: the last operation and its hash, which stands for all before it and for
    the receipts. Kept elsewhere it shows even a log that was written anew as a whole. Exit code 9
    says that something was changed; the message names the first.
    """
    settings = settings_of_file(ctx, given)
    known = None if checkpoint is None else _read_checkpoint(checkpoint)
    with settings.open(read_only=True) as memory:
        proof = memory.verify_log(checkpoint=known)
    _tell(settings, proof)
    return 0 if proof.holds else BROKEN


def _read_checkpoint(given: str) -> str:
    """Give the line of a checkpoint: what was given, what stands in that file, or on stdin.

    Raises:
        InvalidInputError: it cannot be read.
    """
    if given != "-" and not os.path.exists(given):
        if len(given.split()) == 1:
            raise InvalidInputError(
                f"There is no file {given}, and it is no checkpoint.",
                hint='memoryctl log verify --checkpoint FILE, or "the whole line"',
            )
        return given
    try:
        with click.open_file(given, encoding="utf-8") as file:
            return str(file.read(MAX_CHECKPOINT))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(
            f"{given} cannot be read as a checkpoint.",
            hint="memoryctl log verify > checkpoint.txt",
        ) from error


def _tell(settings: Settings, proof: LogProof) -> None:
    document = proof.to_dict()
    if form_of(settings) in ("json", "jsonl"):
        write_json(settings, document)
    elif proof.holds:
        line = str(proof.last)
        write_records(settings, [document], document, columns=("checkpoint",), cards=lambda: line)
    else:
        tell_failed_check(_fault(proof), "memoryctl backup list")
        return
    if proof.holds:
        settings.talk(
            f"{counted(proof.operations, 'operation')} and "
            f"{counted(proof.receipts.entries, 'entry')} of receipts, both chains hold."
        )
        settings.talk(f"Keep that line elsewhere: memoryctl log verify --checkpoint '{proof.last}'")


def _fault(proof: LogProof) -> str:
    if proof.fault is not None:
        found = proof.fault
        return f"Operation {found.place} ({found.operation}) does not hold: {found.reason}."
    broken = proof.receipts.fault
    assert broken is not None, "one of both does not hold"
    return f"Entry {broken.entry} of the receipts does not hold: {broken.reason}."

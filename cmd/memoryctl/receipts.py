"""memoryctl receipts: the content-free proof of what was forgotten."""

import json
import os
import shlex
from typing import Any

import click

from memorycore import ChainProof, Memory, verify_receipt_file
from memorycore.errors import InvalidInputError, RefusedError
from memoryctl.failure import tell_failed_check
from memoryctl.forgotten import tell_receipts
from memoryctl.options import (
    Settings,
    common_options,
    file_options,
    settings_of,
    settings_of_file,
)
from memoryctl.output import counted, form_of, write_json, write_text
from memoryctl.receipt_page import write_page

BROKEN = 9


@click.group("receipts")
def command() -> None:
    """List, check and hand out the receipts of what was forgotten. They hold no content.

    \b
      memoryctl receipts list --scope user:ana
      memoryctl receipts verify
      memoryctl receipts export -O receipts.jsonl
      memoryctl receipts export --html receipts.html
    """


@command.command("list")
@common_options
@click.pass_context
def list_(ctx: click.Context, /, **given: Any) -> None:
    """List receipts, newest first: those of the scope that is given, else all.

    \b
      memoryctl receipts list
      memoryctl receipts list --scope user:ana -o json
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.receipts(all_scopes=not settings.scope_given)
    tell_receipts(settings, found)
    if not found:
        settings.talk("Nothing was forgotten here.")


@command.command("show")
@click.argument("receipt")
@common_options
@click.pass_context
def show(ctx: click.Context, /, receipt: str, **given: Any) -> None:
    """Show one receipt.

    \b
      memoryctl receipts show rcpt_01M8ME10
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.receipt(receipt, all_scopes=not settings.scope_given)
    tell_receipts(settings, [found])


@command.command("verify")
@click.argument("file", required=False, metavar="[FILE|-]")
@file_options
@click.pass_context
def verify(ctx: click.Context, /, file: str | None, **given: Any) -> int:
    """Check that no receipt was changed since it was written: those of the store, or of a FILE.

    \b
      memoryctl receipts verify
      memoryctl receipts verify receipts.jsonl

    With a FILE that was exported from this store before, the store must still begin as that says.
    Exit code 9 says that the chain does not hold; the message names the first entry.
    """
    settings = settings_of_file(ctx, given)
    if file is not None and not os.path.exists(str(settings.store.value)):
        proof = verify_receipt_file(file)
    else:
        with settings.open(read_only=True) as memory:
            proof = memory.verify_receipts(copy=file)
    _tell_proof(settings, proof)
    return BROKEN if proof.fault is not None else 0


def _tell_proof(settings: Settings, proof: ChainProof) -> None:
    fault = proof.fault
    if fault is None:
        text = f"{counted(proof.entries, 'entry')}, the chain holds."
        write_text(settings, text, proof.to_dict())
    elif form_of(settings) in ("json", "jsonl"):
        write_json(settings, proof.to_dict())
    else:
        whose = f" of {fault.receipt}" if fault.receipt else ""
        tell_failed_check(
            f"Entry {fault.entry}{whose} does not hold: {fault.reason}.", "memoryctl backup list"
        )


@command.command("export")
@click.option(
    "-O", "--output-file", "path", metavar="FILE|-", help="The chain as JSON lines, to this file."
)
@click.option("--html", "page", metavar="FILE|-", help="The receipts as a page to print.")
@file_options
@click.pass_context
def export(ctx: click.Context, /, path: str | None, page: str | None, **given: Any) -> None:
    """Write the whole chain as JSON lines that can be checked without the store, or as a page.

    \b
      memoryctl receipts export -O receipts.jsonl
      memoryctl receipts export --html receipts.html
      memoryctl receipts export | gzip > receipts.jsonl.gz

    Without a file, or with -, it goes to standard output. An existing file is not written over.
    """
    settings = settings_of_file(ctx, given)
    if page == "-" and path in (None, "-"):
        raise click.UsageError("Only one of both goes to standard output.", ctx)
    for name in (path, page):
        if name not in (None, "-"):
            _refuse_taken(name)
    with settings.open(read_only=True) as memory:
        chain = memory.receipt_chain()
        receipts = memory.receipts(all_scopes=True) if page else []
    if page:
        _write(page, write_page(receipts))
    if path or not page:
        lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in chain)
        _write(path or "-", lines)
        kept = "FILE" if path in (None, "-") else shlex.quote(path)
        settings.talk(f"Check it anywhere: memoryctl receipts verify {kept}")


def _refuse_taken(path: str) -> None:
    """Refuse a name that is taken, or belongs to a store.

    Raises:
        RefusedError: it is.
    """
    Memory.refuse_reserved(path)
    if os.path.lexists(path):
        raise RefusedError(
            f"{path} is there already.", why="nothing was written", hint="give another name"
        )


def _write(path: str, text: str) -> None:
    if path == "-":
        click.echo(text, nl=False)
        return
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise InvalidInputError(
            f"{path} cannot be written ({error.strerror}).", hint="give another place"
        ) from error
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)

"""memoryctl review: decide on what waits for a person."""

import re
from typing import Any

import click

from memorycore import AdmitResult, CandidateView, Outcome
from memorycore.errors import InvalidInputError
from memoryctl.asking import is_interactive
from memoryctl.completing import complete_candidate, complete_fact
from memoryctl.deciding import changes_of, document_of
from memoryctl.ingest import not_empty
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import Record, counted, readable, write_answer, write_records
from memoryctl.reviewing import advice, candidate_card, is_waiting, outcome_lines, review_all

COLUMNS = ("id", "at", "text", "decision", "reason", "fact", "target", "target_text", "scope")
NUMBERS = ("confidence", "rank", "valence", "arousal", "importance")
_AGE = re.compile(r"[0-9]{1,5}(h|d|w|mo|y)\Z")

_OLDER = click.option(
    "--older-than", metavar="D", help="Only what has waited so long: 7d, 2w, 3mo."
)


@click.group("review", invoke_without_command=True, epilog="Contradictions: memoryctl conflicts")
@_OLDER
@common_options
@click.pass_context
def command(ctx: click.Context, /, older_than: str | None, **given: Any) -> int:
    """Decide on what waits for a person: one by one on a terminal, else the list.

    \b
      memoryctl review --scope user:ana
      memoryctl review list -o jsonl --scope user:ana
      memoryctl review admit cand_01M8MD3K --scope user:ana
      memoryctl review reject cand_01M8MD3K --reason "not about her" --scope user:ana
      memoryctl review edit cand_01M8MD3K object=Porto valid_from=2026-05 --scope user:ana
    """
    settings = ctx.obj = settings_of(ctx, given)
    if ctx.invoked_subcommand is not None:
        return 0
    if not is_interactive(settings):
        return _list(settings, older_than)
    with settings.open(read_only=False) as memory:
        review_all(settings, memory, memory.reviews(before=_before(older_than)))
    return 0


@command.command("list")
@_OLDER
@common_options
@click.pass_context
def list_(ctx: click.Context, /, older_than: str | None, **given: Any) -> int:
    """List what waits, oldest first."""
    return _list(settings_of(ctx, given), older_than)


@command.command("next")
@common_options
@click.pass_context
def next_(ctx: click.Context, /, **given: Any) -> int:
    """Print the first of what waits."""
    return _list(settings_of(ctx, given), None, limit=1)


def _list(settings: Settings, older_than: str | None, *, limit: int | None = None) -> int:
    with settings.open(read_only=True) as memory:
        views = memory.reviews(before=_before(older_than))
    _write_views(settings, views if limit is None else views[:limit])
    waiting = f"{counted(len(views), 'candidate')} waiting in {', '.join(settings.scopes)}"
    settings.talk(waiting if views else f"Nothing waits in {', '.join(settings.scopes)}.")
    return 0


def _before(older_than: str | None) -> str | None:
    if older_than is None:
        return None
    age = older_than.strip().removeprefix("-")
    if not _AGE.match(age):
        raise InvalidInputError(f"{older_than[:40]!r} is no length of time.", hint="7d, 2w, 3mo")
    return f"-{age}"


def _write_views(settings: Settings, views: list[CandidateView], *, whole: bool = False) -> None:
    records: list[Record] = [view.to_dict() for view in views]
    document = {"schema": "memorycore.review.v1", "ok": True, "candidates": records}
    write_records(
        settings,
        records,
        document,
        columns=COLUMNS,
        cards=lambda: "\n".join(
            readable(view.to_dict()) if whole else candidate_card(settings, view) for view in views
        ),
    )


@command.command("show")
@click.argument("candidate", metavar="ID", shell_complete=complete_candidate)
@common_options
@click.pass_context
def show(ctx: click.Context, /, candidate: str, **given: Any) -> None:
    """Show one candidate, whole."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.get(candidate)
    if not isinstance(found, CandidateView):
        raise InvalidInputError(f"{candidate!r} is no candidate.", hint="cand_…")
    _write_views(settings, [found], whole=True)


@command.command("admit")
@click.argument(
    "candidates", nargs=-1, required=True, metavar="ID…", shell_complete=complete_candidate
)
@click.option("--as", "as_", type=click.Choice(["merge"]), help="Merge it, with --into.")
@click.option("--into", metavar="FACT", shell_complete=complete_fact, help="The fact it goes into.")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def admit(
    ctx: click.Context,
    /,
    candidates: tuple[str, ...],
    as_: str | None,
    into: str | None,
    dry_run: bool,
    **given: Any,
) -> int:
    """Admit candidates that wait; a contradiction is decided for the candidate.

    \b
      memoryctl review admit cand_01M8MD3K --scope user:ana
      memoryctl review admit cand_01M8MD3K --as merge --into fct_01M8MD40 --scope user:ana

    Exit code 8 says that one still waits, and why; 7 that one cannot be a fact.
    """
    settings = settings_of(ctx, given)
    code = 0
    if (as_ is None) != (into is None):
        raise click.UsageError("--as merge and --into FACT go together.", ctx)
    with settings.open(read_only=False) as memory:
        for candidate in dict.fromkeys(candidates):
            result = memory.approve(candidate, into=into, dry_run=dry_run)
            code = _report(settings, result) or code
    return code


@command.command("reject")
@click.argument(
    "candidates", nargs=-1, required=True, metavar="ID…", shell_complete=complete_candidate
)
@click.option("--reason", required=True, metavar="R", callback=not_empty, help="Why, in short.")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def reject(
    ctx: click.Context, /, candidates: tuple[str, ...], reason: str, dry_run: bool, **given: Any
) -> None:
    """Reject candidates that wait, with a reason."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        for candidate in dict.fromkeys(candidates):
            _report(settings, memory.reject(candidate, reason, dry_run=dry_run))


@command.command("edit", epilog="The fields: memoryctl help candidates")
@click.argument("candidate", metavar="ID", shell_complete=complete_candidate)
@click.argument("changes", nargs=-1, required=True, metavar="KEY=VALUE…")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def edit(
    ctx: click.Context, /, candidate: str, changes: tuple[str, ...], dry_run: bool, **given: Any
) -> int:
    """Change fields of a candidate that waits, and admit what it has become.

    \b
      memoryctl review edit cand_01M8MD3K object=Porto valid_from=2026-05 --scope user:ana

    What it has become is a candidate of its own, whose id is printed. Exit code 8 says that it
    waits still, and why.
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        result = memory.edit(candidate, read_changes(changes), dry_run=dry_run)
        return _report(settings, result, edited=True)


def read_changes(pairs: tuple[str, ...]) -> dict[str, Any]:
    """Read changes of a candidate, numbers where its fields are numbers."""
    changes = changes_of(pairs, example="object=Porto")
    for name in NUMBERS:
        if isinstance(changes.get(name), str):
            try:
                changes[name] = int(changes[name]) if name == "rank" else float(changes[name])
            except ValueError as error:
                raise InvalidInputError(f"{name} is a number.", hint=f"{name}=1") from error
    return changes


def _report(settings: Settings, result: AdmitResult, *, edited: bool = False) -> int:
    """Write what became of a candidate; give the exit code."""
    records = [{"id": one.candidate, **one.to_dict()} for one in result.outcomes]
    text = "\n".join(outcome_lines(result, edited=edited))
    columns = ("id", "decision", "reason", "text", "fact", "target", "target_text")
    write_answer(settings, text, records, document_of(result), columns=columns)
    waiting = [one for one in result.outcomes if is_waiting(one)]
    for one in waiting:
        settings.talk(f"Try: {advice(one)}")
    if result.dry_run:
        settings.talk("Nothing was changed.")
    elif result.operation is not None:
        settings.talk(f"{result.operation.id}   undo: memoryctl undo {result.operation.id}")
    if waiting:
        return 8
    return 7 if any(_is_refused(one) for one in result.outcomes) else 0


def _is_refused(one: Outcome) -> bool:
    return one.decision.kind == "reject" and one.decision.reason not in ("rejected", "edited")

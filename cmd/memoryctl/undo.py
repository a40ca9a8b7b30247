"""memoryctl undo: take an operation back."""

from typing import Any

import click

from memorycore import UndoResult
from memoryctl.completing import complete_operation
from memoryctl.options import common_options, settings_of
from memoryctl.output import counted, episodes, write_text

WHAT = {
    "propose": "the candidates it took in are gone",
    "admit": "its candidates are to be decided again",
    "learn": "the candidates it took in are gone",
    "import": "the candidates it took in are gone",
    "review": "its candidate waits again",
    "entity": "names and entities are as they were before",
    "predicate": "predicates are as they were before",
    "hide": "what it hid is shown again",
    "lift": "what it let in is kept from coming back again",
    "undo": "what it took back stands again",
}
"""What an undo has changed where no episode or fact came or went."""

OTHERWISE = "what it wrote is taken back"


def _what(result: UndoResult) -> str:
    """Say what was taken back; a review decides on candidates, hides, or keeps what it observed."""
    kind = result.undone.kind
    if kind == "review" and "review_item" not in result.touched:
        return WHAT["hide"] if "visibility" in result.touched else OTHERWISE
    return WHAT.get(kind, OTHERWISE)


@click.command("undo")
@click.argument("operation", required=False, metavar="[OP]", shell_complete=complete_operation)
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def command(ctx: click.Context, /, operation: str | None, dry_run: bool, **given: Any) -> None:
    """Take an operation back: the one named, else the newest of the scope that stands.

    What was ingested is withdrawn: out of search and out of every listing, and free to come in
    again. What was learned is unlearned: facts go, ended ones stand again, and what has since been
    supported from elsewhere stays. Texts stay in the file until they are purged. An undo can be
    taken back the same way; its proof is its link in the chain that memoryctl log verify checks.
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        result = memory.undo(operation, dry_run=dry_run, all_scopes=not settings.scope_given)
    changed = []
    if result.withdrawn:
        changed.append(f"{episodes(result.withdrawn)} withdrawn")
    if result.restored:
        changed.append(f"{episodes(result.restored)} standing again")
    if result.facts_gone:
        changed.append(f"{counted(result.facts_gone, 'fact')} gone")
    if result.facts_back:
        back = "" if result.facts_gone else f" {'fact' if result.facts_back == 1 else 'facts'}"
        changed.append(f"{result.facts_back:,}{back} standing again")
    if not changed:
        changed.append(_what(result))
    verb = "Would undo" if dry_run else "Undone"
    text = f"{verb} {result.undone.id} ({result.undone.kind}): {', '.join(changed)}."
    write_text(settings, text, result.to_dict())
    if dry_run:
        settings.talk("Nothing was changed.")
    else:
        talk = f"{result.operation.id}   take this back: memoryctl undo {result.operation.id}"
        settings.talk(talk)

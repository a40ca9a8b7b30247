"""memoryctl consolidate: say what admitting would do."""

from typing import Any

import click

from memorycore import AdmitResult, Memory, Outcome
from memorycore.errors import MemoryCoreError
from memoryctl.completing import complete_candidate
from memoryctl.deciding import COLUMNS, scope_flag
from memoryctl.options import common_options, settings_of
from memoryctl.output import counted, one_line, write_answer

LISTED = 5
NOTES = {
    "add": "",
    "reinforce": "said before, one more sentence",
    "merge": "more of the same",
    "ignore": "the same sentence said so before",
}
MEETS = {
    "supersede": "closes",
    "history": "lies before",
    "conflict": "against",
    "correct": "corrects",
    "merge": "goes into",
    "reinforce": "is",
}


@click.command("consolidate", epilog="Next: memoryctl admit PLAN")
@click.argument("candidates", nargs=-1, metavar="[CANDIDATE]…", shell_complete=complete_candidate)
@click.option("--explain", is_flag=True, help="Every candidate, with the reason.")
@common_options
@click.pass_context
def command(
    ctx: click.Context, /, candidates: tuple[str, ...], explain: bool, **given: Any
) -> None:
    """Say what admitting candidates would do; nothing is written.

    \b
      memoryctl consolidate --scope user:ana
      memoryctl consolidate cand_01M8MD3K --explain
      memoryctl admit $(memoryctl consolidate -o id)      what was shown, or nothing

    -o id prints the plan's id alone.

    ADD a new fact · REINFORCE one more sentence for a fact · SUPERSEDE a value that ends where this
    begins · HISTORY older than what is known · MERGE · CORRECT · CONFLICT, REVIEW a person decides
    · IGNORE · REJECT
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        result = memory.consolidate(candidates)
        text = _text(memory, result, explain=explain)
    records = [{"id": one.candidate, **one.to_dict()} for one in result.outcomes]
    if settings["output"] == "id":
        # What admit takes: a plan stands for all that was decided in it.
        records = [{"id": _plan(result)}] if result.counts else []
    if not result.counts:
        text = f"Nothing waits to be decided in {settings.scopes[0]}."
    else:
        named = "".join(f" {name}" for name in candidates)
        flag = scope_flag(settings)
        text += f"\nNothing was changed. memoryctl admit {_plan(result)}{named}{flag}"
    write_answer(settings, text, records, result.to_dict(), columns=COLUMNS)


def _plan(result: AdmitResult) -> str:
    return str(result.to_dict()["plan"])


def _text(memory: Memory, result: AdmitResult, *, explain: bool) -> str:
    lines = [f"{_plan(result)}   {counted(sum(result.counts.values()), 'candidate')}"]
    for kind, count in result.to_dict()["decisions"].items():
        head = f"  {kind.upper():<11} {count:<4}"
        outcomes = [one for one in result.outcomes if one.decision.kind == kind]
        if kind in NOTES and not explain:
            lines.append(f"{head}{NOTES[kind]}".rstrip())
            continue
        listed = outcomes if explain else outcomes[:LISTED]
        for number, outcome in enumerate(listed):
            start = head if number == 0 else " " * len(head)
            lines.append(start + _statement(memory, outcome, explain=explain))
        if (more := count - len(listed)) > 0:
            lines.append(f"{' ' * len(head)}and {more} more: -o json lists them")
    return "\n".join(lines)


def _statement(memory: Memory, outcome: Outcome, *, explain: bool) -> str:
    shape = outcome.to_dict()
    kind = outcome.decision.kind
    text = one_line(outcome.text)
    if outcome.target_text is not None and kind in MEETS:
        target = " ".join(filter(None, [outcome.target, one_line(outcome.target_text)]))
        text = f"{text}  {MEETS[kind]}  {target}"
    if kind == "supersede" and (start := _starts(memory, outcome)):
        text += f"  at {start}"
    if kind in ("conflict", "review"):
        text += "  → review"
    if explain or kind in ("review", "reject"):
        text += f": {shape['because']}"
    return text


def _starts(memory: Memory, outcome: Outcome) -> str | None:
    """Look up when a candidate says that it begins."""
    try:
        shape = memory.get(outcome.candidate).to_dict()
    except MemoryCoreError:
        return None
    return (shape.get("statement") or {}).get("valid_from")

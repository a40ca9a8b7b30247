"""memoryctl conflicts: contradictions that nobody has decided yet."""

from typing import Any

import click

from memorycore import CandidateView, Fact, Memory
from memorycore.errors import NotFoundError
from memoryctl.deciding import scope_flag
from memoryctl.facts import fact_card
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import Record, counted, one_line, paint, write_records

COLUMNS = ("id", "text", "fact", "target", "target_text", "at", "scope")


@click.command("conflicts", epilog="Decide: memoryctl review")
@common_options
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """List open contradictions, both sides; both stand, uncertain, until a person decides.

    \b
      memoryctl conflicts --scope user:ana
      memoryctl review admit cand_01M8MD3K --scope user:ana      the newer side is right
      memoryctl review reject cand_01M8MD3K --reason "misheard" --scope user:ana
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = [(view, _sides(memory, view)) for view in memory.conflicts()]
    records = [
        view.to_dict() | {"sides": [side.to_dict() for side in sides]} for view, sides in found
    ]
    document: Record = {"schema": "memorycore.conflicts.v1", "ok": True, "conflicts": records}
    write_records(
        settings,
        records,
        document,
        columns=COLUMNS,
        cards=lambda: "\n".join(_card(settings, view, sides) for view, sides in found),
    )
    if found:
        number = counted(len(found), "contradiction")
        settings.talk(f"{number} open. Decide: memoryctl review{scope_flag(settings)}")
    else:
        settings.talk(f"No contradiction is open in {', '.join(settings.scopes)}.")


def _sides(memory: Memory, view: CandidateView) -> list[Fact]:
    sides = []
    for name in (view.fact, view.target):
        try:
            found = memory.get(name) if name is not None else None
        except NotFoundError:
            continue
        if isinstance(found, Fact):
            sides.append(found)
    return sides


def _card(settings: Settings, view: CandidateView, sides: list[Fact]) -> str:
    lines = [f"{paint(settings, view.id, 'cyan')}  {one_line(view.text)}"]
    for side in sides:
        lines += [f"  {line}" for line in fact_card(settings, side).splitlines()]
    return "\n".join(lines)

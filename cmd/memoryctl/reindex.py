"""memoryctl reindex: compare the word indexes with the texts, and make them anew."""

from typing import Any

import click

from memorycore import IndexState
from memoryctl.options import file_options, settings_of_file
from memoryctl.output import counted, require_fields, write_records

COLUMNS = ("index", "ok", "rows", "missing", "stray", "words_differ", "counters")
CHECK_FAILED = 9


@click.command("reindex")
@click.option("--words", is_flag=True, help="The word indexes; they are all there is.")
@click.option("--fix", is_flag=True, help="Make them anew where they differ.")
@file_options
@click.pass_context
def command(ctx: click.Context, /, words: bool, fix: bool, **given: Any) -> int:
    """Compare the word indexes of episodes and facts with the texts; with --fix make them anew.

    \b
      memoryctl reindex
      memoryctl reindex --fix

    Nobody else can write meanwhile. With --fix all of it happens or none. Exit code 9 says that an
    index differs, or did not come right.
    """
    settings = settings_of_file(ctx, given)
    require_fields(settings, COLUMNS)
    with settings.open(read_only=False) as memory:
        found = memory.check_indexes()
        is_right = all(state.is_right for state in found)
        if fix and not is_right:
            found = memory.mend_indexes()
    records = [state.to_dict() for state in found]
    document = {
        "schema": "memorycore.reindex.v1",
        "ok": is_right or fix,
        "fixed": fix and not is_right,
        "indexes": records,
    }
    write_records(
        settings,
        records,
        document,
        columns=COLUMNS,
        cards=lambda: "\n".join(_line(state) for state in found),
    )
    if is_right:
        return 0
    if fix:
        settings.talk("They were made anew, and now hold what the texts say.")
        return 0
    settings.talk("Mend them: memoryctl reindex --fix")
    return CHECK_FAILED


def _line(state: IndexState) -> str:
    if state.is_right:
        return f"ok    {state.name:<8}  {counted(state.rows, 'row')}, as the texts have it"
    faults = []
    if state.missing:
        faults.append(f"{state.missing:,} missing")
    if state.stray:
        faults.append(f"{state.stray:,} too many")
    if not state.is_true and not faults:
        faults.append("words differ")
    if state.counters:
        faults.append(f"counts of {counted(state.counters, 'scope')} wrong")
    return f"FAIL  {state.name:<8}  {counted(state.rows, 'row')}: {', '.join(faults)}"

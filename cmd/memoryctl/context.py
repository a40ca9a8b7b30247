"""memoryctl context: what an agent should have before its eyes for a question."""

from typing import Any

import click

from memorycore import Context
from memoryctl.documents import read_query
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import counted, write_answer

SECTIONS = "pinned, now, past, promised, said"


@click.command("context", epilog="What ingest finds in such a block is no new evidence.")
@click.argument("query", required=False, metavar="QUERY|-")
@click.option(
    "--budget", type=int, default=1200, metavar="N", help="At most so many tokens (1200)."
)
@click.option("--sections", metavar="S,…", help=f"Only these of {SECTIONS}.")
@click.option("--as-of", metavar="T", help="What held at T; else now.")
@click.option("--known-at", metavar="T", help="As we knew it at T.")
@click.option("--session", metavar="ID", help="Leave out the turns of this session.")
@click.option("--exclude", metavar="ID,…", help="Leave out these facts and episodes.")
@click.option("--stable", is_flag=True, help="Lines by id: a prompt cache holds longer.")
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    query: str | None,
    sections: str | None,
    exclude: str | None,
    **given: Any,
) -> None:
    """Write what an agent should know for a question, as a block for its prompt.

    \b
      memoryctl context "help me plan my Tuesday" --budget 300 --scope user:ana
      memoryctl context 早上开会 --sections now,promised --scope user:lin
      memoryctl context - --session s42 -o json < question.txt

    The text is never above the budget, in tokens by an estimate that is rather too high. Each line
    is a whole memory, dated, with its id; nothing in it can close the block.
    """
    names = ("budget", "as_of", "known_at", "session", "stable")
    asked = {name: given.pop(name) for name in names}
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.context(
            read_query(query, example='context "下周二的安排"'),
            exclude=_parts(exclude),
            sections=_parts(SECTIONS if sections is None else sections),
            **asked,
        )
    document = found.to_dict()
    columns = ("id", "section", "text", "weight")
    write_answer(settings, found.text, document["lines"], document, columns=columns)
    _talk(settings, found)


def _parts(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def _talk(settings: Settings, found: Context) -> None:
    if not found.lines and not found.left_out:
        settings.talk("Nothing is known that fits.")
        return
    lines = counted(len(found.lines), "line")
    more = f" {found.left_out} more fit the question but not the budget." if found.left_out else ""
    settings.talk(f"{lines}, about {found.tokens} of {found.budget} tokens.{more}")

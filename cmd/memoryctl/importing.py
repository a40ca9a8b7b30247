"""memoryctl import: take in what another memory has kept, look at it, confirm it, take it back."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from memorycore import ImportJob, Memory
from memorycore.errors import ConfirmationNeededError, InvalidInputError
from memoryctl.asking import ask_yes, is_interactive
from memoryctl.deciding import scope_flag
from memoryctl.import_page import (
    confirm_all,
    tell_items,
    tell_job,
    tell_jobs,
    tell_problems,
    tell_unasked,
    tell_undone,
)
from memoryctl.leading import TargetFirst
from memoryctl.models import chosen_model, is_model_asked, model_options
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.progress import counted as showing

F = TypeVar("F", bound=Callable[..., Any])
DECIDERS = ("rules", "model", "review")
ACTIONS = ("ADD", "MERGE", "SUPERSEDE", "CONFLICT", "IGNORE")
WAITS = 8


@click.group(
    "import", cls=TargetFirst, takes_target="file", epilog="The format: memoryctl help imports"
)
def command() -> None:
    """Import what another assistant or memory has kept, as a job that can be looked at and undone.

    \b
      memoryctl import prompt                       what to ask the other assistant for
      memoryctl import stratagate memories.json --preview --scope user:ana
      memoryctl import mem0 export.jsonl --preview --scope agent:congyin
      memoryctl import show job_01M8MD0W --needs-confirmation
      memoryctl import apply job_01M8MD0W --action 3=ADD --action 7=IGNORE
      memoryctl import undo job_01M8MD0W

    The options of an import: memoryctl import file --help
    """


def decider_options(function: F) -> F:
    """Add the options that say who decides."""
    options = (
        click.option("--decider", type=click.Choice(DECIDERS), help="Who decides (rules)."),
        *model_options("Decide by a model, or the configured one."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@command.command("file")
@click.argument("format_", metavar="FORMAT")
@click.argument("path", metavar="FILE|-")
@click.option("--preview", is_flag=True, help="Decide and show; carry nothing out.")
@click.option("-n", "--dry-run", is_flag=True, help="The same as --preview.")
@decider_options
@click.option("--top-k", type=float, metavar="N", help="Compare with so many facts, 1 to 20 (5).")
@click.option("--map", "mapping", metavar="FILE", help="How fields are read, as JSON (mem0).")
@click.option("--yes", is_flag=True, help="Ask nothing.")
@common_options
@click.pass_context
def file(
    ctx: click.Context,
    /,
    format_: str,
    path: str,
    preview: bool,
    dry_run: bool,
    decider: str | None,
    top_k: float | None,
    mapping: str | None,
    yes: bool,
    **given: Any,
) -> int:
    """Import a file (the word "file" can be left out).

    \b
      memoryctl import stratagate memories.json --scope user:ana
      memoryctl import stratagate - --decider review --scope user:ana < memories.json

    Each record is compared with the facts that are nearest, and decided on: ADD, MERGE, SUPERSEDE,
    CONFLICT or IGNORE. What is not sure waits for you (exit code 8), and so does a document that
    cannot be read; without such, it is carried out after a question.
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        with showing("Importing", kind="none" if settings["quiet"] else "auto") as advance:
            job = memory.import_(
                path,
                format=format_,
                top_k=top_k,
                options=_options(mapping),
                progress=advance,
                **_decider(settings, decider),
            )
        _require_read(settings, job, is_new=True)
        if preview or dry_run:
            tell_job(settings, memory, job, dry_run=True)
            return 0
        return _go_on(settings, memory, job, yes=yes, rest=None)


def _options(mapping: str | None) -> dict[str, Any]:
    if mapping is None:
        return {}
    import json

    try:
        with open(mapping, encoding="utf-8") as text:
            return {"map": json.load(text)}
    except (OSError, ValueError) as error:
        raise InvalidInputError("The file of --map cannot be read as JSON.") from error


def _decider(settings: Settings, decider: str | None, *, keeps: bool = False) -> dict[str, Any]:
    """Give what says who decides; nothing where the job knows and the call does not say."""
    if decider is None and is_model_asked(settings):
        decider = "model"
    if decider is None:
        return {} if keeps else {"decider": "rules"}
    if decider != "model":
        return {"decider": decider}
    model = chosen_model(settings)
    return {
        "decider": "model",
        "model": model.name,
        "base_url": model.url,
        "key": model.key,
        "timeout_s": model.timeout_s,
        "max_tokens": model.max_tokens,
    }


def _require_read(settings: Settings, job: ImportJob, *, is_new: bool = False) -> None:
    if job.state == "extracting":
        error = InvalidInputError(
            f"The document cannot be read ({job.id} keeps it).",
            why=job.at.parse_error,
            hint=f"mend it and import it again, or have a model recover it: memoryctl import retry "
            f"{job.id} --model NAME --model-url URL{scope_flag(settings)}",
        )
        if is_new:
            # The document is in the store, and a person has to say what becomes of it.
            error.exit_code = WAITS
        raise error


def _go_on(
    settings: Settings, memory: Memory, job: ImportJob, *, yes: bool, rest: str | None
) -> int:
    """Carry a job out where all is decided; else list, or ask about, what waits."""
    flag = scope_flag(settings)
    if job.waiting_left and rest is None:
        if not is_interactive(settings):
            tell_job(settings, memory, job, only_waiting=True)
            return WAITS
        tell_job(settings, memory, job)
        if not confirm_all(settings, memory, job):
            settings.talk(f"Nothing was imported. Go on: memoryctl import apply {job.id}{flag}")
            return WAITS
        rest = "ignore"
    if not yes:
        if not is_interactive(settings):
            raise ConfirmationNeededError(
                f"Importing needs a yes, and this is not a terminal ({job.id} is ready).",
                why="nothing was imported",
                hint=f"memoryctl import apply {job.id} --yes{flag}",
            )
        tell_job(settings, memory, job)
        ask_yes("Import this?")
    with showing("Importing", kind="none" if settings["quiet"] else "auto") as advance:
        done = memory.import_apply(job.id, rest=rest or "ignore", progress=advance)
    tell_job(settings, memory, done)
    return 7 if done.refused else 0


@command.command("status")
@click.argument("job", required=False, metavar="[JOB]")
@common_options
@click.pass_context
def status(ctx: click.Context, /, job: str | None, **given: Any) -> None:
    """List the import jobs of the scope, or say where one stands."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        jobs = memory.import_jobs() if job is None else [memory.import_job(job)]
    tell_jobs(settings, jobs)
    if not jobs:
        settings.talk("There is no import job. memoryctl import FORMAT FILE  makes one")


@command.command("show")
@click.argument("job", metavar="JOB")
@click.option("--needs-confirmation", "waiting", is_flag=True, help="Only what waits for you.")
@click.option("--action", type=click.Choice(ACTIONS, case_sensitive=False), help="Only of this.")
@click.option("--problems", is_flag=True, help="What was dropped or refused, and why.")
@click.option("--from", "first", type=click.IntRange(1), default=1, help="From this item on.")
@click.option("--limit", type=click.IntRange(1), default=200, help="So many items (200).")
@common_options
@click.pass_context
def show(
    ctx: click.Context,
    /,
    job: str,
    waiting: bool,
    action: str | None,
    problems: bool,
    first: int,
    limit: int,
    **given: Any,
) -> None:
    """Show the items of a job: what each says, what it meets, what becomes of it."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.import_job(job)
        if problems:
            tell_problems(settings, found)
            return
        items = memory.import_items(
            job, waiting=waiting, action=action, first=first, limit=limit, matches=True
        )
    tell_items(settings, found, items)


@command.command("apply")
@click.argument("job", metavar="JOB")
@click.option(
    "--action", "actions", multiple=True, metavar="N=ACTION[:ID]", help="What item N becomes."
)
@click.option("--rest", type=click.Choice(["ignore", "accept"]), help="What else waits.")
@click.option("--yes", is_flag=True, help="Ask nothing.")
@click.option("-n", "--dry-run", is_flag=True, help="Do it all and take it back.")
@common_options
@click.pass_context
def apply(
    ctx: click.Context,
    /,
    job: str,
    actions: tuple[str, ...],
    rest: str | None,
    yes: bool,
    dry_run: bool,
    **given: Any,
) -> int:
    """Carry a job out: what waits as you say, the rest as it was decided.

    \b
      memoryctl import apply job_01M8MD0W --action 3=ADD --action 7=IGNORE --yes
      memoryctl import apply job_01M8MD0W --rest accept --yes

    SUPERSEDE, MERGE and CONFLICT meet the facts that were proposed, or one that you name of those
    near the item: --action 3=SUPERSEDE:fct_01M8. On a terminal it asks about each item that waits
    ("r fct_01M8" names one). --rest ignore leaves those out of which
    nothing was said, --rest accept takes them as they were proposed. When the store has changed
    since, nothing is written (exit code 6), and memoryctl import retry decides anew.
    """
    settings = settings_of(ctx, given)
    choices = read_actions(actions)
    with settings.open(read_only=False) as memory:
        if dry_run:
            done = memory.import_apply(job, choices, rest=rest or "ignore", dry_run=True)
            tell_unasked(settings, memory, done, choices)
            tell_job(settings, memory, done, dry_run=True)
            return 7 if done.refused else 0
        found = memory.import_job(job)
        _require_read(settings, found)
        if choices:
            found = memory.import_choose(job, choices)
            tell_unasked(settings, memory, found, choices)
        return _go_on(settings, memory, found, yes=yes, rest=rest)


def read_actions(pairs: tuple[str, ...]) -> dict[int, str | None]:
    """Read N=ACTION words.

    Raises:
        InvalidInputError: one is no such pair.
    """
    choices: dict[int, str | None] = {}
    for pair in pairs:
        number, equals, action = pair.partition("=")
        if not equals or not number.strip().isdecimal():
            raise InvalidInputError(f"{pair[:40]!r} is not N=ACTION.", hint="--action 3=ADD")
        choices[int(number)] = action
    return choices


@command.command("retry")
@click.argument("job", metavar="JOB")
@decider_options
@common_options
@click.pass_context
def retry(ctx: click.Context, /, job: str, decider: str | None, **given: Any) -> int:
    """Let a job go on that failed or was interrupted, or decide one anew that is stale.

    What was decided stays, where an item would be compared with the same facts.
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        found = memory.import_job(job)
        told = _decider(settings, decider, keeps=found.settings.get("decider") != "model")
        with showing("Deciding", kind="none" if settings["quiet"] else "auto") as advance:
            done = memory.import_retry(job, progress=advance, **told)
        _require_read(settings, done)
        tell_job(settings, memory, done)
        return WAITS if done.waiting_left else 0


@command.command("undo")
@click.argument("job", metavar="JOB")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def undo(ctx: click.Context, /, job: str, dry_run: bool, **given: Any) -> None:
    """Take back all that a job has brought; what it had replaced stands again."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        result = memory.import_undo(job, dry_run=dry_run)
    tell_undone(settings, result)


@command.command("prompt")
@click.option("--language", type=click.Choice(["zh", "en"]), default="en", show_default=True)
@common_options
@click.pass_context
def prompt(ctx: click.Context, /, language: str, **given: Any) -> None:
    """Print what to ask another assistant for, so that its memories can be imported here.

    \b
      memoryctl import prompt --language zh > prompt.txt
    """
    from memorycore import import_prompt

    settings_of(ctx, given)
    click.echo(import_prompt(language))

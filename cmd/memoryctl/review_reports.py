"""memoryctl review-packet observe, used, list, pause and resume: reports of a host."""

from typing import Any

import click

from memorycore import ReviewRecord
from memoryctl.options import common_options, settings_of
from memoryctl.output import counted, one_line, write_records, write_text

COLUMNS = ("id", "state", "kind", "text", "category", "candidate_key", "successes", "fact", "scope")
STATES = ("trial", "proven", "superseded", "conflict")
OUTCOMES = ("used-successfully", "ignored", "overridden", "corrected", "contributed-to-failure")
CLASSES = ("user-fact", "user-preference", "collaboration-habit", "project-convention")


@click.command("observe")
@click.argument("text", metavar="TEXT")
@click.option("--workflow", required=True, metavar="W", help="What is being worked on.")
@click.option("--change", required=True, metavar="C", help="The change that showed it.")
@click.option("--candidate-key", metavar="KEY", help="By what the same habit is recognised.")
@click.option("--category", metavar="NAME", help="What it is about, where there is no key.")
@click.option("--language", type=click.Choice(["en", "zh-CN"]), required=True)
@click.option(
    "--for", "scope_", type=click.Choice(["project", "global"]), default="project",
    show_default=True, help="Where it is to hold.",
)  # fmt: skip
@click.option("--project-identity", metavar="ID", help="The project, wherever it is checked out.")
@click.option("--class", "class_", type=click.Choice(CLASSES), help="What kind of memory it is.")
@click.option("--at", metavar="T", help="When it was observed; else now.")
@click.option("--failed", is_flag=True, help="It did not go well: that never counts.")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def observe(ctx: click.Context, /, **given: Any) -> None:
    """Report that a habit was observed; two independent successes make a memory of it.

    \b
      memoryctl review-packet observe "Stage only the files of the change" --language en \\
        --workflow build --change c7 --candidate-key commit.scope --scope project:web

    Within a project two changes are independent; with --for global two projects. The first is on
    trial, and in no result of a search.
    """
    from memoryctl.review_packet import write_result

    names = ("text", "workflow", "change", "candidate_key", "category", "language", "at",
             "project_identity", "dry_run")  # fmt: skip
    own = {name: given.pop(name) for name in names}
    own |= {"scope": given.pop("scope_"), "memory_class": given.pop("class_")}
    own["success"] = not given.pop("failed")
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        write_result(settings, memory.observe(own.pop("text"), **own))


@click.command("used")
@click.argument("memory", metavar="MEMORY|FACT")
@click.argument("outcome", metavar="OUTCOME", type=click.Choice(OUTCOMES))
@click.option("--change", required=True, metavar="C", help="The change in which it was used.")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def used(
    ctx: click.Context, /, memory: str, outcome: str, change: str, dry_run: bool, **given: Any
) -> None:
    """Report how the use of a memory went; the last report of a change counts.

    \b
      memoryctl review-packet used mem_01M8MD3K overridden --change c9 --scope project:web

    OUTCOME is used-successfully, ignored, overridden, corrected or contributed-to-failure. One of
    the last three lets an inferred memory go; another word about the same change brings it back.
    """
    from memoryctl.review_packet import write_result

    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as store:
        write_result(settings, store.memory_used(memory, outcome, change=change, dry_run=dry_run))


@click.command("list")
@click.option("--state", type=click.Choice(STATES), help="Only these; else all that stand.")
@common_options
@click.pass_context
def list_(ctx: click.Context, /, state: str | None, **given: Any) -> None:
    """List what reviews keep, oldest first: believed, on trial, in conflict."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.review_records(state=state)
    records = [one.to_dict() for one in found]
    document = {"schema": "memorycore.review_records.v1", "ok": True, "records": records}
    write_records(
        settings,
        records,
        document,
        columns=COLUMNS,
        cards=lambda: "\n".join(map(_card, found)),
    )
    settings.talk(f"{counted(len(found), 'record')} in {', '.join(settings.scopes)}")


def _card(one: ReviewRecord) -> str:
    seen = counted(one.successes, "success") if one.successes != 1 else "1 success"
    parts = [one.authority, seen, one_line(one.category), one.fact or ""]
    return f"{one.id}  {one.state:<10}  {one_line(one.text)}\n{' ' * 12}" + " · ".join(
        filter(None, parts)
    )


@click.command("pause")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def pause(ctx: click.Context, /, dry_run: bool, **given: Any) -> None:
    """Learn nothing from observations in this scope; what the user asks for works all the same.

    \b
      memoryctl review-packet pause --scope project:web      this project
      memoryctl review-packet pause --scope user:ana         all work that names this user
    """
    _pause(ctx, given, paused=True, dry_run=dry_run)


@click.command("resume")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def resume(ctx: click.Context, /, dry_run: bool, **given: Any) -> None:
    """Learn from observations again in this scope."""
    _pause(ctx, given, paused=False, dry_run=dry_run)


def _pause(ctx: click.Context, given: dict[str, Any], *, paused: bool, dry_run: bool) -> None:
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        changed = memory.pause_learning(paused=paused, dry_run=dry_run)
    word = "paused" if paused else "on"
    said = f"Learning is {word} in {settings.scopes[0]}."
    if not changed:
        said = f"Learning was {word} in {settings.scopes[0]} already."
    document = {"schema": "memorycore.pause.v1", "ok": True, "paused": paused, "changed": changed,
                "dry_run": dry_run}  # fmt: skip
    write_text(settings, said, document)
    if dry_run:
        settings.talk("Nothing was changed.")

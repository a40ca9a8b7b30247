"""memoryctl review-packet queue: packets that wait for a reviewer."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from memorycore import QueueItem
from memoryctl.documents import read_document
from memoryctl.models import asked_model, model_options
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import counted, write_records, write_text

F = TypeVar("F", bound=Callable[..., Any])
COLUMNS = ("id", "status", "outcome", "attempts", "last_error", "made_at", "next_at", "scope")
STATUSES = ("pending", "processing", "waiting", "failed", "processed")


def model_choice(function: F) -> F:
    """Add the options that name a model."""
    for option in reversed(
        model_options("Let a model review, or the configured one; else rules decide.")
    ):
        function = option(function)
    return function


@click.group("queue")
def queue() -> None:
    """Keep packets until a reviewer has decided on them."""


@queue.command("add")
@click.argument("packet", metavar="PACKET|-")
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def add(ctx: click.Context, /, packet: str, dry_run: bool, **given: Any) -> None:
    """Put a packet in the queue; the same packet is there once.

    \b
      memoryctl review-packet build … --scope project:web | memoryctl review-packet queue add - \\
        --scope project:web
    """
    settings = settings_of(ctx, given)
    document = read_document(packet)
    with settings.open(read_only=False) as memory:
        item, is_known = memory.queue_review(document, dry_run=dry_run)
    verb = "Already there" if is_known else "Would queue" if dry_run else "Queued"
    write_text(
        settings,
        f"{verb}: {item.id}   {item.status}",
        {"schema": "memorycore.review_queue.v1", "ok": True, "items": [item.to_dict()]},
    )
    settings.talk("Nothing was changed." if dry_run else "Next: memoryctl review-packet queue run")


@queue.command("list")
@click.option("--status", type=click.Choice(STATUSES), help="Only these.")
@click.option("--limit", type=click.IntRange(1), default=1000, show_default=True)
@common_options
@click.pass_context
def list_(ctx: click.Context, /, status: str | None, limit: int, **given: Any) -> None:
    """List what is in the queue, oldest first; what the packets hold is not shown."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        found = memory.review_queue(status=status, limit=limit)
    _write_items(settings, found)
    settings.talk(f"{counted(len(found), 'packet')} in {', '.join(settings.scopes)}")


@queue.command("run")
@click.option("--limit", type=click.IntRange(1, 8), default=8, show_default=True, help="At most.")
@click.option(
    "--lease", type=click.FloatRange(1, 1800), default=300, show_default=True, metavar="SECONDS",
    help="How long a packet is held: who dies meanwhile loses it to the next.",
)  # fmt: skip
@click.option("--allow-permanent", is_flag=True, help="Forget for good where the user asks so.")
@click.option("--all", "all_", is_flag=True, help="Go on until nothing is due.")
@model_choice
@common_options
@click.pass_context
def run(
    ctx: click.Context, /, limit: int, lease: float, allow_permanent: bool, all_: bool, **given: Any
) -> int:
    """Let a reviewer decide on what is due, and apply what it decides.

    \b
      memoryctl review-packet queue run --scope project:web --scope user:ana
      memoryctl review-packet queue run --model qwen3-8b --scope project:web --scope user:ana

    A model that cannot be asked decides nothing: its packets wait and are tried again, later each
    time and at most eight times. What the user asks for outright is decided by rules then. Exit
    code 7 says that packets wait or have failed.
    """
    settings = settings_of(ctx, given)
    asked = asked_model(settings)
    asked = {("reviewer" if name == "extractor" else name): one for name, one in asked.items()}
    found: list[QueueItem] = []
    with settings.open(read_only=False) as memory:
        while True:
            done = memory.run_reviews(
                limit=limit, lease_s=lease, allow_permanent=allow_permanent, **asked
            )
            found += done
            if not all_ or not done:
                break
    _write_items(settings, found)
    settings.talk(f"{counted(len(found), 'packet')} decided on" if found else "Nothing is due.")
    return 7 if any(one.status != "processed" for one in found) else 0


@queue.command("retry")
@click.argument("item", metavar="[ID]", required=False)
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def retry(ctx: click.Context, /, item: str | None, dry_run: bool, **given: Any) -> None:
    """Let what has failed be tried again from the start: all of it, or one packet."""
    settings = settings_of(ctx, given)
    with settings.open(read_only=False) as memory:
        count = memory.retry_reviews(item, dry_run=dry_run)
    verb = "Would try" if dry_run else "To be tried"
    document = {"schema": "memorycore.review_retry.v1", "ok": True, "count": count}
    write_text(settings, f"{verb} again: {counted(count, 'packet')}", document)


def _write_items(settings: Settings, found: Sequence[QueueItem]) -> None:
    records = [one.to_dict() for one in found]
    document = {"schema": "memorycore.review_queue.v1", "ok": True, "items": records}
    write_records(
        settings,
        records,
        document,
        columns=COLUMNS,
        cards=lambda: "\n".join(map(_card, found)),
    )


def _card(one: QueueItem) -> str:
    parts = [one.status, one.outcome, one.last_error]
    return f"{one.id}  " + " · ".join(part for part in parts if part)

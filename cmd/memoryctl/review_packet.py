"""memoryctl review-packet: memory review by packets and the actions that answer them."""

import sys
from typing import Any

import click

from memorycore import ReviewCheck, ReviewResult
from memoryctl.documents import read_document, read_lines
from memoryctl.options import Settings, common_options, settings_of
from memoryctl.output import counted, write_answer, write_json
from memoryctl.review_queue import queue
from memoryctl.review_reports import list_, observe, pause, resume, used

COLUMNS = ("action", "result", "reason", "record", "fact")
FAULT_COLUMNS = ("rule", "place", "reason")
CONFIRM = "The id of what is to be forgotten for good."


@click.group("review-packet", epilog="The documents and rules: memoryctl help reviews")
def command() -> None:
    """Review what work has shown: make packets, judge and apply the actions that answer them.

    \b
      memoryctl review-packet build --workflow build --change c7 --checkpoint "tests pass" \\
        --evidence seen.jsonl --scope project:web --scope user:ana > packet.json
      memoryctl review-packet check packet.json actions.json
      memoryctl review-packet apply packet.json actions.json --scope project:web
      memoryctl review-packet queue run --model --scope project:web --scope user:ana

    A packet speaks of a project (project:KEY) and of its user (user:NAME or global): give both
    scopes where both may learn. What is inferred is on trial until two independent successes speak
    for it; what the user asks for outright holds at once.
    """


@command.command("build")
@click.option("--workflow", required=True, metavar="W", help="What is being worked on.")
@click.option("--change", required=True, metavar="C", help="The change that was made.")
@click.option("--checkpoint", required=True, metavar="TEXT", help="What has been reached.")
@click.option("--language", type=click.Choice(["en", "zh-CN"]), default="en", show_default=True)
@click.option("--category", metavar="NAME", help="What it is about.")
@click.option("--project-identity", metavar="ID", help="The project, wherever it is checked out.")
@click.option("--user", "said", multiple=True, metavar="TEXT", help="What the user said (up to 8).")
@click.option("--evidence", metavar="FILE|-", help="Observations, a JSON object a line.")
@click.option("--remember", metavar="TEXT", help="The user asks to have this remembered.")
@click.option("--for", "scope_", type=click.Choice(["project", "global"]), help="Where it holds.")
@click.option("--correct", nargs=2, metavar="ID TEXT", help="The user puts a memory right.")
@click.option("--forget", metavar="ID", help="The user asks to have a memory forgotten.")
@click.option("--permanent", is_flag=True, help="With --forget: for good.")
@click.option("--max-actions", type=click.IntRange(1, 8), default=4, show_default=True)
@click.option("--max-evidence", type=click.IntRange(1, 16), default=8, show_default=True)
@click.option("--max-bytes", type=click.IntRange(1, 12_288), default=4_096, show_default=True)
@common_options
@click.pass_context
def build(ctx: click.Context, /, **given: Any) -> None:
    """Make a bounded packet and print it as JSON; nothing is written.

    \b
      memoryctl review-packet build --workflow build --change c7 --checkpoint "merged" \\
        --evidence - --scope project:web < seen.jsonl
      memoryctl review-packet build --workflow chat --change c8 --checkpoint "asked" \\
        --remember "以后都用中文回答" --language zh-CN --scope user:ana

    A line of evidence has text, candidateKey, success, and more as the packet has it; key, scope,
    project, change and time are filled in.
    """
    own = {name: given.pop(name) for name in _BUILT}
    if own["scope_"] and not own["remember"]:
        raise click.UsageError("--for says where what is to be remembered holds.")
    settings = settings_of(ctx, given)
    evidence = [] if own["evidence"] is None else read_lines(own["evidence"])
    with settings.open(read_only=True) as memory:
        packet = memory.review_packet(
            language=own["language"],
            workflow=own["workflow"],
            change=own["change"],
            checkpoint=own["checkpoint"],
            category=own["category"],
            project_identity=own["project_identity"],
            user_evidence=own["said"],
            request=_request(own),
            evidence=evidence,
            budget=(own["max_actions"], own["max_evidence"], own["max_bytes"]),
        )
    write_json(settings, packet)
    memories, bound = len(packet["memories"]), own["max_bytes"]
    seen = counted(len(packet["evidence"]), "observation")
    settings.talk(f"{seen}, memories shown: {memories}; at most {bound:,} bytes")


_BUILT = (
    "workflow", "change", "checkpoint", "language", "category", "project_identity", "said",
    "evidence", "remember", "correct", "forget", "permanent", "max_actions", "max_evidence",
    "max_bytes", "scope_",
)  # fmt: skip


def _request(own: dict[str, Any]) -> dict[str, Any] | None:
    """Give what the user asks for outright, if anything: just one thing."""
    asked = [own[name] for name in ("remember", "correct", "forget") if own[name]]
    if len(asked) > 1 or (own["permanent"] and not own["forget"]):
        raise click.UsageError("--remember, --correct and --forget [--permanent]: one of them.")
    if own["remember"]:
        kept = {"scope": own["scope_"]} if own["scope_"] else {}
        return {"action": "remember", "text": own["remember"], **kept}
    if own["correct"]:
        target, text = own["correct"]
        return {"action": "correct", "targetId": target, "text": text}
    if own["forget"]:
        kept = {"permanent": True} if own["permanent"] else {}
        return {"action": "forget", "targetId": own["forget"], **kept}
    return None


@command.command("check")
@click.argument("packet", metavar="PACKET")
@click.argument("actions", metavar="ACTIONS")
@common_options
@click.pass_context
def check(ctx: click.Context, /, packet: str, actions: str, **given: Any) -> int:
    """Judge the actions that answer a packet, by every rule; nothing is written, no store needed.

    \b
      memoryctl review-packet check packet.json actions.json
      reviewer < packet.json | memoryctl review-packet check packet.json - -o json

    Each fault is told with the rule that it breaks and its place. Exit code 9 says that there are
    faults: the set is refused as a whole.
    """
    from memorycore import check_review

    settings = settings_of(ctx, given)
    found = check_review(read_document(packet), read_document(actions))
    _write_check(settings, found)
    return 0 if found.ok else 9


def _write_check(settings: Settings, found: ReviewCheck) -> None:
    records = [one.to_dict() for one in found.faults]
    lines = [f"{one['rule']:<8}{one['place']}: {one['reason']}" for one in records]
    if found.ok:
        lines = [f"No rule is broken: {found.actions} may be applied."]
    write_answer(settings, "\n".join(lines), records, found.to_dict(), columns=FAULT_COLUMNS)


@command.command("apply")
@click.argument("packet", metavar="PACKET")
@click.argument("actions", metavar="ACTIONS")
@click.option("--confirm", metavar="ID", help=CONFIRM)
@click.option("-n", "--dry-run", is_flag=True, help="Do it and take it back.")
@common_options
@click.pass_context
def apply(
    ctx: click.Context,
    /,
    packet: str,
    actions: str,
    confirm: str | None,
    dry_run: bool,
    **given: Any,
) -> None:
    """Apply the actions that answer a packet: all or nothing, as one operation.

    \b
      memoryctl review-packet apply packet.json actions.json --scope project:web --scope user:ana

    The documents are judged once more. The same answer to the same packet is applied once. Exit
    code 6 says that a rule is broken, or that the packet is of another project.
    """
    settings = settings_of(ctx, given)
    documents = read_document(packet), read_document(actions)
    with settings.open(read_only=False) as memory:
        result = memory.apply_review(*documents, confirm=confirm, dry_run=dry_run)
    write_result(settings, result)


def write_result(settings: Settings, result: ReviewResult) -> None:
    """Write what became of actions or an observation, and how to undo it."""
    records = [one.to_dict() for one in result.outcomes]
    gap = "   " if sys.stdout.isatty() else "\t"
    lines = [
        gap.join(str(one[name]) for name in COLUMNS if one[name] is not None) for one in records
    ]
    if result.is_repeat:
        lines = [f"deduplicated{gap}this answer was applied before"]
    write_answer(settings, "\n".join(lines), records, result.to_dict(), columns=COLUMNS)
    if result.dry_run or result.operation is None:
        settings.talk("Nothing was changed.")
    elif result.is_final:
        settings.talk(f"{result.operation.id}   This cannot be undone.")
    else:
        settings.talk(f"{result.operation.id}   undo: memoryctl undo {result.operation.id}")


for _command in (observe, used, list_, pause, resume, queue):
    command.add_command(_command)

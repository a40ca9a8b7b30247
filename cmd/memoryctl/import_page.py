"""Import jobs and their items as they are shown, and asking about what waits."""

import json
from typing import Any

import click

from memorycore import ImportItem, ImportJob, Memory, UndoResult
from memorycore.errors import MemoryCoreError
from memoryctl.deciding import scope_flag
from memoryctl.options import Settings
from memoryctl.output import (
    counted,
    cut,
    one_line,
    paint,
    safe,
    write_answer,
    write_records,
    write_text,
)

JOBS = ("id", "format", "source", "state", "total", "waiting", "imported", "made_at")
ITEMS = ("item", "action", "confidence", "waits", "label", "targets", "reason", "outcome")
PROBLEMS = ("place", "reason")
LISTED = 20
KEYS = "[y]es as proposed [a]dd [m]erge [r]eplace [c]onflict [i]gnore [s]kip [q]uit"
LETTERS = {"a": "ADD", "m": "MERGE", "r": "SUPERSEDE", "c": "CONFLICT", "i": "IGNORE"}


def tell_job(
    settings: Settings,
    memory: Memory,
    job: ImportJob,
    *,
    only_waiting: bool = False,
    dry_run: bool = False,
) -> None:
    """Say where a job stands, with its first items, and what comes next."""
    waits = only_waiting or bool(job.waiting_left)
    items = memory.import_items(job.id, waiting=waits, limit=LISTED, matches=True)
    flag = scope_flag(settings)
    lines = [_head(job), *_counts(job, flag)]
    if job.state not in ("committed", "undone"):
        lines += [line for item in items for line in item_lines(settings, item)]
        total = job.waiting_left if waits else job.at.total
        if total > len(items):
            lines.append(f"  and {total - len(items):,} more: memoryctl import show {job.id}{flag}")
    records = [{"id": job.id, **item.to_dict()} for item in items]
    if settings["output"] == "id":
        records = [{"id": job.id}]
    document = {"schema": "memorycore.import.v1", "ok": True, "dry_run": dry_run}
    document["job"] = job.to_dict()
    document["items"] = [item.to_dict() for item in items]
    write_answer(settings, "\n".join(lines), records, document, columns=ITEMS)
    if dry_run and job.state == "committed":
        settings.talk("Nothing was changed.")
    else:
        _talk(settings, job)


def _head(job: ImportJob) -> str:
    said = {
        "ready": "ready",
        "awaiting_confirmation": f"{job.waiting_left:,} of {job.at.total:,} wait for you",
        "committed": f"imported {job.at.imported:,} of {job.at.total:,}",
        "undone": "taken back",
        "failed": f"failed: {job.at.last_error}",
    }.get(job.state, job.state)
    if job.state == "awaiting_confirmation" and not job.waiting_left:
        said = "ready, all confirmed"
    if job.applied and job.operation and job.state in ("ready", "awaiting_confirmation"):
        said = f"carried out in part, {job.applied:,} of {job.at.total:,}"
    return f"{job.id}   {job.format} {one_line(job.source)}   {one_line(said)}"


def _counts(job: ImportJob, flag: str) -> list[str]:
    lines = []
    parts = [f"{name} {count:,}" for name, count in sorted(job.actions.items())]
    if parts:
        lines.append("  decided   " + " · ".join(parts))
    if job.dropped:
        look = f"memoryctl import show {job.id} --problems{flag}"
        lines.append(f"  dropped   {job.dropped:,}   {look}")
    if noted := job.to_dict()["notes"]:
        told = " · ".join(f"{code} {count:,}" for code, count in sorted(noted.items()))
        lines.append(f"  noted     {told}")
    refused = job.to_dict()["refused"]
    lines += [f"  refused   item {one['item']}: {one['because']}" for one in refused[:5]]
    if len(job.refused) > 5:
        lines.append(f"  refused   {len(job.refused) - 5:,} more")
    if job.is_stale:
        lines.append("  stale     the store has changed since it was decided")
    return lines


def _talk(settings: Settings, job: ImportJob) -> None:
    flag = scope_flag(settings)
    if job.state == "committed" and job.operation:
        told = "" if job.at.imported else "Only the document came in. "
        settings.talk(f"{told}{job.operation}   undo: memoryctl import undo {job.id}{flag}")
    elif job.state == "committed":
        settings.talk("Nothing came in, so there is nothing to undo.")
    elif job.is_stale or job.state == "failed":
        settings.talk(f"Next: memoryctl import retry {job.id}{flag}")
    elif job.waiting_left:
        settings.talk(
            f"Nothing was imported. Next: memoryctl import apply {job.id} --action N=ACTION … "
            f"or --rest accept{flag}"
        )
    elif job.state in ("ready", "awaiting_confirmation"):
        settings.talk(f"Nothing was imported. Next: memoryctl import apply {job.id} --yes{flag}")


def item_lines(settings: Settings, item: ImportItem) -> list[str]:
    """Write an item for people: what it says, what becomes of it, whom it meets."""
    action = item.action or "-"
    mark = "?" if item.waits else " "
    head = f"{mark} {item.number:>4}  {paint(settings, f'{action:<9}', 'cyan')} {cut(item.label)}"
    if item.outcome:
        head += f"   {one_line(item.outcome)}"
    lines = [head]
    choice = item.choice
    if choice is not None and (item.waits or choice.targets):
        sure = f"sure {choice.confidence:.2f}"
        lines.append(f"         {sure}{': ' + one_line(choice.reason) if choice.reason else ''}")
    if choice is not None and choice.merged is not None:
        lines.append(f"         becomes {cut(json.loads(choice.merged).get('summary', ''))}")
    targets = set(choice.targets) if choice else set()
    for match in item.matches:
        if match.id in targets or item.waits:
            verb = "meets" if match.id in targets else "near"
            lines.append(f"         {verb:<6} {match.id} {cut(match.text)}")
    return lines


def tell_items(settings: Settings, job: ImportJob, items: list[ImportItem]) -> None:
    """List items of a job."""
    lines = [_head(job), *[line for item in items for line in item_lines(settings, item)]]
    if not items:
        lines.append("  none of that kind")
    records = [{"id": job.id, **item.to_dict()} for item in items]
    document = {"schema": "memorycore.import_items.v1", "ok": True, "job": job.to_dict()}
    document["items"] = [item.to_dict() for item in items]
    write_answer(settings, "\n".join(lines), records, document, columns=ITEMS)


def tell_problems(settings: Settings, job: ImportJob) -> None:
    """List what was dropped or refused."""
    found: list[dict[str, Any]] = list(job.settings.get("dropped", []))
    found += [
        {"place": one["place"], "reason": f"{one['code']}: {one['reason']}"}
        for one in job.settings.get("notes", [])
    ]
    found += [
        {"place": f"item {one['item']}", "reason": one["because"]}
        for one in job.to_dict()["refused"]
    ]
    if job.at.parse_error:
        found.insert(0, {"place": "the document", "reason": job.at.parse_error})
    lines = [f"  {one_line(one['place'])}   {one_line(one['reason'])}" for one in found]
    lines = lines or ["  nothing was dropped or refused"]
    if job.dropped > len(job.settings.get("dropped", [])):
        lines.append("  only the first 1,000 that were dropped are listed")
    document = {"schema": "memorycore.import_problems.v1", "ok": True, "problems": found}
    write_answer(settings, "\n".join([_head(job), *lines]), found, document, columns=PROBLEMS)


def tell_jobs(settings: Settings, jobs: list[ImportJob]) -> None:
    """List jobs."""
    records = [job.to_dict() for job in jobs]
    document = {"schema": "memorycore.imports.v1", "ok": True, "jobs": records}

    def cards() -> str:
        flag = scope_flag(settings)
        return safe("\n".join(line for job in jobs for line in [_head(job), *_counts(job, flag)]))

    write_records(settings, records, document, columns=JOBS, cards=cards)


def tell_undone(settings: Settings, result: UndoResult) -> None:
    """Say what taking an import back has changed."""
    verb = "Would take back" if result.dry_run else "Taken back"
    parts = [counted(result.facts_gone, "fact") + " gone"]
    if result.facts_back:
        parts.append(f"{result.facts_back:,} standing again")
    if result.withdrawn:
        parts.append(counted(result.withdrawn, "episode") + " withdrawn")
    write_text(settings, f"{verb}: {', '.join(parts)}.", result.to_dict())
    if result.dry_run:
        settings.talk("Nothing was changed.")
    else:
        settings.talk(
            f"{result.operation.id}   take this back: memoryctl undo {result.operation.id}"
        )


def tell_unasked(
    settings: Settings, memory: Memory, job: ImportJob, choices: dict[int, str | None]
) -> None:
    """Say of which items the choice does not count, since they need no confirmation."""
    for number in choices:
        for item in memory.import_items(job.id, first=number, limit=1):
            if item.number == number and item.choice is not None and not item.choice.waits:
                settings.talk(
                    f"Item {number} waits for nobody: it stays {item.choice.action}. "
                    "--decider review  asks about all"
                )


def confirm_all(settings: Settings, memory: Memory, job: ImportJob) -> bool:
    """Ask about each item that waits; tell whether to go on."""
    click.echo(f"{job.waiting_left} waiting   {KEYS}", err=True)
    first = 1
    while items := memory.import_items(job.id, waiting=True, first=first, limit=1, matches=True):
        [item] = items
        first = item.number + 1
        if item.waits and not _ask(settings, memory, job, item):
            return False
    return True


def _ask(settings: Settings, memory: Memory, job: ImportJob, item: ImportItem) -> bool:
    for line in item_lines(settings, item):
        click.echo(line, err=True)
    while True:
        given = click.prompt("", prompt_suffix="> ", default="", show_default=False, err=True)
        letter = given.strip()[:1].lower()
        if letter == "q":
            return False
        if letter == "s":
            return True
        action = item.choice.action if letter == "y" and item.choice else LETTERS.get(letter)
        if action is not None and (named := given.split()[1:]):
            action += ":" + ",".join(named)
        if action is None:
            click.echo(KEYS, err=True)
            continue
        try:
            memory.import_choose(job.id, {item.number: action})
        except MemoryCoreError as error:
            click.echo(f"Error: {safe(error.message)}", err=True)
            if error.why and letter in LETTERS:
                click.echo(f"{safe(error.why)}: {letter} fct_…  names it", err=True)
            continue
        return True

"""Reviewing one by one: a candidate, a letter, the next."""

import click

from memorycore import AdmitResult, CandidateView, Memory
from memorycore.errors import MemoryCoreError
from memoryctl.options import Settings
from memoryctl.output import cut, one_line, paint, safe

KEYS = "[a]dmit [r]eject [e]dit [m]erge [s]kip [w]hy [q]uit"


def candidate_card(settings: Settings, view: CandidateView, place: str = "") -> str:
    """Write a candidate that waits as a card: what it says, what it meets, who said so."""
    shape = view.to_dict()
    said = view.statement or {}
    sure = said.get("confidence")
    tail = f"   sure {sure:.2f}" if isinstance(sure, float) else ""
    text = one_line(view.text) or "(its text was not kept)"
    lines = [f"{place}{paint(settings, view.id, 'cyan')}  {text}{tail}"]
    if view.target is not None:
        verb = "against" if view.decision == "conflict" else "meets"
        lines.append(_line(verb, f"{view.target} {one_line(view.target_text or '')}"))
    for one in view.evidence:
        when = f" {one.to_dict()['at'] or ''}".rstrip()
        lines.append(_line("said", f"“{cut(one.quote)}” {one.episode} {one.role}{when}"))
    period = " → ".join(one_line(str(said.get(end) or "")) for end in ("valid_from", "valid_to"))
    if period.strip(" →"):
        lines.append(_line("dated", period))
    if shape["because"]:
        name = "waits" if view.state == "review" else view.decision or view.state
        lines.append(_line(name, str(shape["because"])))
    return "\n".join(lines)


def _line(name: str, text: str) -> str:
    return f"    {name:<10}{text}"


def review_all(settings: Settings, memory: Memory, views: list[CandidateView]) -> None:
    """Go through what waits, one by one."""
    if not views:
        settings.talk(f"Nothing waits in {', '.join(settings.scopes)}.")
        return
    click.echo(f"{len(views)} waiting in {one_line(', '.join(settings.scopes))}   {KEYS}")
    for number, view in enumerate(views, 1):
        click.echo(candidate_card(settings, view, f"{number}/{len(views)}  "))
        if not _decide(settings, memory, view):
            return


def _decide(settings: Settings, memory: Memory, view: CandidateView) -> bool:
    """Ask until a candidate is decided or left; tell whether to go on."""
    while True:
        letter = click.prompt("", prompt_suffix="> ", default="", show_default=False).strip()[:1]
        if letter == "q":
            return False
        if letter == "s":
            return True
        try:
            done = _act(memory, view, letter.lower())
        except MemoryCoreError as error:
            click.echo(f"Error: {safe(error.message)}", err=True)
            if error.hint:
                click.echo(f"Try: {safe(error.hint)}", err=True)
            continue
        if done is not None:
            _tell(settings, done)
            return True


def _act(memory: Memory, view: CandidateView, letter: str) -> AdmitResult | None:
    if letter == "a":
        return memory.approve(view.id)
    if letter == "r":
        return memory.reject(view.id, str(click.prompt("reason")))
    if letter == "e":
        from memoryctl.review import read_changes

        words = str(click.prompt("KEY=VALUE, several set off by ;"))
        return memory.edit(
            view.id, read_changes(tuple(filter(None, map(str.strip, words.split(";")))))
        )
    if letter == "m":
        into = click.prompt("into which fact", default=view.target)
        return memory.approve(view.id, into=str(into))
    if letter == "w":
        click.echo(_why(view))
    else:
        click.echo(KEYS)
    return None


def _why(view: CandidateView) -> str:
    shape = view.to_dict()
    lines = [
        _line("because", str(shape["because"])),
        _line("from", f"{view.proposer}, {one_line(view.place)}"),
    ]
    if view.proposed is not None:
        lines.append(_line("if yes", view.proposed.upper()))
    lines += [_line("in full", one_line(one.text)) for one in view.evidence]
    return "\n".join(lines)


def _tell(settings: Settings, result: AdmitResult) -> None:
    for one in result.outcomes:
        verb = "Rejected" if one.decision.kind == "reject" else "Admitted"
        if one.decision.reason == "edited":
            verb = "Set aside"
        click.echo(f"{verb}: {one_line(one.text)}")
    if result.operation is not None:
        settings.talk(f"{result.operation.id}   undo: memoryctl undo {result.operation.id}")

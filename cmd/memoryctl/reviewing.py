"""Reviewing one by one: a candidate, a letter, the next."""

import click

from memorycore import AdmitResult, CandidateView, Memory, Outcome
from memorycore.errors import MemoryCoreError
from memoryctl.options import Settings
from memoryctl.output import cut, one_line, paint, safe

WOULD = {
    "Admitted": "Would admit",
    "Rejected": "Would reject",
    "Refused": "Would refuse",
    "Set aside": "Would set aside",
    "Still waits": "Would still wait",
}
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
        if done is None:
            continue
        _tell(settings, done, edited=letter.lower() == "e")
        still = next((one for one in done.outcomes if is_waiting(one)), None)
        if still is None:
            return True
        # It is asked about again, as what it is now.
        view = _view(memory, still.candidate) or view
        click.echo(candidate_card(settings, view))


def _view(memory: Memory, candidate: str) -> CandidateView | None:
    found = memory.get(candidate)
    return found if isinstance(found, CandidateView) else None


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


def _tell(settings: Settings, result: AdmitResult, *, edited: bool) -> None:
    for line in outcome_lines(result, edited=edited):
        click.echo(line)
    for one in filter(is_waiting, result.outcomes):
        settings.talk(f"Try: {advice(one)}")
    if result.operation is not None:
        settings.talk(f"{result.operation.id}   undo: memoryctl undo {result.operation.id}")


def is_waiting(one: Outcome) -> bool:
    """Tell whether a candidate waits for a person still."""
    return one.decision.kind in ("review", "conflict")


def outcome_lines(result: AdmitResult, *, edited: bool = False) -> list[str]:
    """Say what became of candidates that a person decided on: the fact, or why there is none."""
    lines = []
    for one in result.outcomes:
        done = _done(one)
        met = f"  ({one_line(one.target_text)})" if one.target_text else ""
        line = f"{WOULD[done] if result.dry_run else done}: {one_line(one.text)}{met}"
        if done in ("Still waits", "Refused"):
            line += f": {one.to_dict()['because']}"
        if one.fact and one.decision.kind != "reject":
            line += f"   {one.fact}"
        lines.append(line)
        if edited and not result.dry_run:
            lines.append(f"  it is {one.candidate} now")
    return lines


def _done(one: Outcome) -> str:
    if is_waiting(one):
        return "Still waits"
    if one.decision.reason == "edited":
        return "Set aside"
    if one.decision.kind == "reject":
        return "Rejected" if one.decision.reason == "rejected" else "Refused"
    return "Admitted"


def advice(one: Outcome) -> str:
    """Say what can be done about a candidate that waits still."""
    edit = f"memoryctl review edit {one.candidate}"
    return {
        "unknown_predicate": f"memoryctl predicate add FILE, or {edit} predicate=NAME",
        "entity_ambiguous": f"memoryctl entity find NAME  shows them, {edit} subject=NAME",
        "unknown_target": f"{edit} target=fct_…",
        "object_kind": f"{edit} object=NAME",
        "two_ranks": f"{edit} rank=1",
    }.get(
        one.decision.reason,
        f"{edit} KEY=VALUE, or memoryctl review reject {one.candidate} --reason R",
    )

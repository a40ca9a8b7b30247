"""What was decided about candidates, as propose, learn, admit and remember report it."""

import shlex
from collections import Counter
from typing import Any

from memorycore import AdmitResult
from memoryctl.options import Settings
from memoryctl.output import Record, counted, one_line, write_answer

COLUMNS = ("id", "decision", "reason", "text", "target", "target_text", "place")
LISTED = 5
Line = tuple[str, str, str]
"""Where, which code, and why."""


def report(settings: Settings, result: AdmitResult, lines: list[str]) -> None:
    """Write what was decided: the lines for people, the outcomes as records, the whole as JSON."""
    records = [{"id": one.candidate, **one.to_dict()} for one in result.outcomes]
    lines = [*lines, *_notes(result), *_problem_lines(result)]
    write_answer(settings, "\n".join(lines), records, document_of(result), columns=COLUMNS)


def talk(settings: Settings, result: AdmitResult, *, next_: str | None = None) -> None:
    """Say how to undo it and what comes next."""
    if result.dry_run:
        settings.talk("Nothing was changed.")
        return
    if result.operation is not None:
        settings.talk(f"{result.operation.id}   undo: memoryctl undo {result.operation.id}")
    if result.queued:
        settings.talk(f"Next: memoryctl review{scope_flag(settings)}")
    elif next_ is not None:
        settings.talk(f"Next: {next_}{scope_flag(settings)}")


def scope_flag(settings: Settings) -> str:
    """Repeat the scope of this call for the one that is advised."""
    if not settings.scope_given:
        return ""
    return "".join(f" --scope {shlex.quote(name)}" for name in settings.scopes)


def exit_code(
    result: AdmitResult, *, fail_on_review: bool = False, reject_rest: bool = False
) -> int:
    """Give the exit code: 6 refused, 8 something waits (when asked), 7 something was rejected."""
    if result.is_refused:
        return 6
    if fail_on_review and result.queued:
        return 8
    is_part = result.quarantined or result.unread or (result.rejected and not reject_rest)
    return 7 if is_part else 0


def document_of(result: AdmitResult) -> Record:
    """Give the result as JSON, with a verdict on the whole and the codes that came up."""
    rejected = result.is_refused or bool(result.quarantined or result.rejected)
    severities = {one["severity"] for one in result.problems}
    verdict = "accept"
    if rejected or "reject" in severities:
        verdict = "reject"
    elif "warn" in severities:
        verdict = "warn"
    codes = sorted({code for _, code, _ in problems_of(result)})
    return result.to_dict() | {"verdict": verdict, "codes": codes}


def problems_of(result: AdmitResult) -> list[Line]:
    """List what went wrong, the worst first, each once."""
    ordered = sorted(result.problems, key=lambda one: one["severity"] != "reject")
    found: list[Line] = [(one["place"], one["code"], one["reason"]) for one in ordered]
    found += [(one["place"], one["code"], one["reason"]) for one in result.rejections]
    found += [
        (one["place"], one["reason"], one["because"])
        for one in (outcome.to_dict() for outcome in result.outcomes)
        if one["decision"] == "reject"
    ]
    return list(dict.fromkeys(found))


def _problem_lines(result: AdmitResult) -> list[str]:
    found = problems_of(result)
    listed = ["  " + "   ".join(one_line(part) for part in line if part) for line in found[:LISTED]]
    if more := len(found) - LISTED:
        listed += [f"  and {more} more: -o json lists them"] if more > 0 else []
    return listed


def _notes(result: AdmitResult) -> list[str]:
    lines = []
    if result.already_there:
        lines.append(f"  already there   {result.already_there}   proposed before, word for word")
    empty = sum(one["code"] == "empty_file" for one in result.rejections)
    if unread := result.quarantined - empty:
        kept = "" if result.dry_run or result.is_refused else ", kept: memoryctl list quarantined"
        lines.append(f"  not readable    {unread}   no candidates{kept}")
    return lines


def refused_lines() -> list[str]:
    """Say that a stream was refused as a whole."""
    return ["Refused: a rule is broken, and --strict takes all or nothing. Nothing was written."]


def summary(result: AdmitResult) -> str:
    """Say in one line what became of the candidates."""
    verb = "Would admit" if result.dry_run else "Admitted"
    parts = [f"{verb} {result.admitted:,}"]
    if result.queued:
        parts.append(f"queued {result.queued:,} ({_why_queued(result)})")
    if result.rejected:
        parts.append(f"rejected {result.rejected:,}")
    if result.counts["ignore"]:
        parts.append(f"ignored {result.counts['ignore']:,}")
    return " · ".join(parts)


def _why_queued(result: AdmitResult) -> str:
    conflicts = result.counts["conflict"]
    reasons: Counter[str] = Counter()
    for outcome in result.outcomes:
        if outcome.decision.kind == "review":
            reasons[str(outcome.to_dict()["because"])] += 1
    parts = [counted(conflicts, "conflict")] if conflicts else []
    parts += [f"{count} {because}" for because, count in reasons.most_common()]
    left = result.queued - conflicts - sum(reasons.values())
    return ", ".join([*parts, *([f"{left} more"] if left > 0 else [])])


def stored_lines(result: AdmitResult) -> list[str]:
    """Say how many candidates were stored, and how many were not."""
    verb = "Would store" if result.dry_run else "Stored"
    lines = [f"{verb} {counted(result.proposed - result.rejected, 'candidate')}"]
    if result.rejected:
        lines.append(f"  refused         {result.rejected}   before storing")
    return lines


def changes_of(pairs: tuple[str, ...], *, example: str) -> dict[str, Any]:
    """Read KEY=VALUE words; what looks like a JSON list, object or text is read as one.

    Raises:
        InvalidInputError: a word is no such pair.
    """
    import json

    from memorycore.errors import InvalidInputError

    changes: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise InvalidInputError(f"{pair[:40]!r} is not KEY=VALUE.", hint=example)
        changes[key.strip()] = value
        if value[:1] in ("{", "[", '"'):
            try:
                changes[key.strip()] = json.loads(value)
            except ValueError as error:
                raise InvalidInputError(f"The value of {key.strip()} is no JSON.") from error
    return changes

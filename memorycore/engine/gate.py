"""The gate: what no candidate may be, whoever proposes it. Pure; gives a reason code or nothing.

What is refused for what it holds (a secret, a personal number, an injection) is refused whole,
never cleaned and kept.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memorycore.engine.observe import Sighting
from memorycore.engine.resolve import Resolved
from memorycore.errors import RefusedError, SecretRefusedError
from memorycore.model.candidate import Candidate, Naming
from memorycore.model.candidate_text import texts_in
from memorycore.model.decision import REASONS
from memorycore.model.detail import invented_details, lost_details
from memorycore.model.name import bare, stands_in
from memorycore.model.predicate import Predicate
from memorycore.model.recalled import cut_recalled
from memorycore.model.speech import is_negated, mode_of
from memorycore.model.unsafe import find_unsafe

UNSAFE = frozenset(("secret", "personal_number", "injection", "policy_edit", "raw_log"))
"""Reasons for which the text of a candidate is not kept either."""
SUPPOSED = frozenset(("hypothetical", "question", "quoted", "reported"))
NOT_THE_USER = frozenset(("assistant", "tool", "system"))
INSTRUCTING = frozenset(("instructs", "prefers"))

_ONCE_ZH = re.compile(
    r"\s*(?:请|請|麻烦|麻煩|帮我|幫我|修复|修復|修一下|改一下).{0,60}?"
    r"(?:页面|頁面|样式|樣式|bug|测试|測試|报错|報錯|接口|按钮|按鈕)\W*\Z",
    re.IGNORECASE,
)
_ONCE_EN = re.compile(
    r"\s*(?:please|can you|could you|fix|rerun|re-run|run|open|send|commit|merge)\b.{0,80}?"
    r"\b(?:page|bug|test|tests|issue|pr|commit|build|button|file|error)\b\W*\Z",
    re.IGNORECASE,
)
_WORDLESS = re.compile(r"[\W_]*\Z")


def refuse_texts(candidate: Candidate, *, with_ids: bool = False) -> str | None:
    """Give the reason for which the texts of a candidate may not be kept, if there is one.

    Every text that would be stored is looked at. The ids of its episodes and the name of its scope
    are stored only with what is refused, and may be a person's address; so they are apart.
    """
    return find_unsafe_in(texts_in(candidate, with_ids=with_ids))


def find_unsafe_in(texts: Sequence[str]) -> str | None:
    """Give the reason for which texts may not be kept, if there is one."""
    # Joined first: nearly all are safe, and one look tells.
    if find_unsafe("\n".join(texts)) is None:
        return None
    for text in texts:
        if (found := find_unsafe(text)) is not None:
            return found.code
    return None


def require_safe(what: str, *texts: str | None) -> None:
    """Refuse to keep texts that a person or a program gives.

    Raises:
        SecretRefusedError, RefusedError: they hold what may not be kept.
    """
    code = find_unsafe_in([text for text in texts if text])
    if code is None:
        return
    why = REASONS[code]
    if code == "secret":
        raise SecretRefusedError(f"{what} was not kept: {why}.", hint="say it without the secret")
    raise RefusedError(f"{what} was not kept: {why}.", hint="say it in other words")


def without_strays(candidate: Candidate, quotes: Sequence[str]) -> Candidate:
    """Give a candidate without the other names of persons that none of its quotes has.

    What a place or a work is called elsewhere is knowledge; who somebody is must have been said.
    """
    changes: dict[str, Any] = {}
    for field in ("subject", "attributed_to"):
        naming = getattr(candidate, field)
        if naming is not None and naming.aliases:
            changes[field] = replace(naming, aliases=_standing(naming, quotes))
    if any(naming.aliases for naming in candidate.participants):
        changes["participants"] = tuple(
            replace(naming, aliases=_standing(naming, quotes)) for naming in candidate.participants
        )
    return replace(candidate, **changes) if changes else candidate


def _standing(naming: Naming, quotes: Sequence[str]) -> tuple[str, ...]:
    """List the aliases that stand in a quote, or only write the name in another way."""
    said = [bare(quote) for quote in quotes]
    name = bare(naming.name)
    return tuple(
        alias
        for alias in naming.aliases
        if (wanted := bare(alias)) and (wanted == name or any(stands_in(wanted, q) for q in said))
    )


def refuse_statement(
    candidate: Candidate, sightings: Sequence[Sighting], predicate: Predicate
) -> str | None:
    """Give the reason for which a statement is refused for how its sentences say it."""
    if reason := _refuse_speech(candidate, sightings, predicate):
        return reason
    if candidate.act == "retract":
        return None
    text = object_text(candidate)
    if _WORDLESS.match(text) and not _has_emoji(text):
        return "no_durable_value"
    if predicate.name in INSTRUCTING and (_ONCE_ZH.match(text) or _ONCE_EN.match(text)):
        return "one_time_request"
    if _is_summary(candidate, sightings):
        return None
    return _refuse_details(candidate, [sighting.quote for sighting in sightings])


def object_text(candidate: Candidate) -> str:
    """Give the object of a candidate as text."""
    return candidate.object.name if candidate.object is not None else candidate.value or ""


def _has_emoji(text: str) -> bool:
    return any(ord(one) > 0x2000 and unicodedata.category(one) == "So" for one in text)


def _refuse_speech(
    candidate: Candidate, sightings: Sequence[Sighting], predicate: Predicate
) -> str | None:
    """Refuse what no sentence plainly says: the one that says it most plainly counts."""
    if predicate.object_kind == "literal" and predicate.fact_type == "note":
        return None
    faults = {_speech_fault(candidate, sighting, predicate) for sighting in sightings}
    if None in faults:
        return None
    return "hypothetical" if "hypothetical" in faults else "negated"


def _speech_fault(candidate: Candidate, sighting: Sighting, predicate: Predicate) -> str | None:
    text = sighting.turn.text
    start, end = _where_said(candidate, sighting)
    is_promise = predicate.temporal == "commitment"
    mode = None if is_promise else mode_of(text, start, end)
    if mode in SUPPOSED:
        return "hypothetical"
    if candidate.act != "assert" or candidate.valid_to is not None or predicate.is_denial:
        return None
    if is_negated(text, start, end) if is_promise else mode == "negated":
        said = object_text(candidate)
        if not is_negated(said, 0, len(said)):
            return "negated"
    return None


def _where_said(candidate: Candidate, sighting: Sighting) -> tuple[int, int]:
    """Find the object's own words in the quote; the whole quote where they do not stand there."""
    at = sighting.turn.text.find(object_text(candidate), sighting.span_from, sighting.span_to)
    if at < 0 or not object_text(candidate):
        return sighting.span_from, sighting.span_to
    return at, at + len(object_text(candidate))


def _is_summary(candidate: Candidate, sightings: Sequence[Sighting]) -> bool:
    """Tell whether a candidate sums whole turns up, for a person to look at.

    It may name whoever spoke, and the dates that "last week" stood for; that person sees both.
    """
    is_text = candidate.object is None and candidate.is_literal
    return (
        candidate.is_tentative and is_text and all(one.quote == one.turn.text for one in sightings)
    )


def _refuse_details(candidate: Candidate, quotes: Sequence[str]) -> str | None:
    if candidate.object is None and candidate.value in quotes:
        # What says just what the sentence says has lost and added nothing.
        return None
    names = _names(candidate.object, quotes) if candidate.object else [candidate.value or ""]
    if all(invented_details(quotes, name) for name in names):
        return "detail_invented"
    if all(lost_details(quote, name) for quote in quotes for name in names[:1]):
        return "detail_lost"
    return None


def _names(naming: Naming, quotes: Sequence[str]) -> list[str]:
    if naming.kind == "chapter":
        # The part that is not known has a name of ours, which no sentence holds.
        return [part for part in naming.name.split("#") if part != "UNKNOWN"][-1:]
    return [naming.name, *(_standing(naming, quotes) if naming.aliases else ())]


def refuse_source(
    subject: Resolved, sightings: Sequence[Sighting], predicate: Predicate, proposer: str
) -> str | None:
    """Refuse what only an assistant, a tool or the system has said of somebody else."""
    if proposer == "person" or predicate.allow_assistant_source:
        return None
    if subject.is_agent and predicate.allow_agent_subject:
        return None
    if all(sighting.turn.role in NOT_THE_USER for sighting in sightings):
        return "not_said_by_user"
    return None


def is_echo(sightings: Sequence[Sighting]) -> bool:
    """Tell whether all quotes lie in blocks that were recalled from memory."""
    return all(_lies_in_recalled(sighting) for sighting in sightings)


def _lies_in_recalled(sighting: Sighting) -> bool:
    left, cut = cut_recalled(sighting.turn.text)
    return bool(cut) and sighting.quote not in left

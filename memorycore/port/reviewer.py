"""What is asked of a reviewer, and the one that needs no model.

A reviewer reads a packet and answers with a document of actions. It writes nothing, looks at
nothing else, and its word is not trusted: whatever it answers is judged before it is applied.
"""

import json
from typing import Protocol

from memorycore.exchange.review_actions import check_actions, write_actions
from memorycore.model.review_actions import ReviewAction
from memorycore.model.review_language import language_fault
from memorycore.model.review_packet import ExplicitRequest, PacketEvidence, ReviewPacket
from memorycore.model.review_policy import skip_reason

REASONS = {
    "en": "No safe, reusable long-term information",
    "zh-CN": "没有可以安全保存、今后有用的信息",
}
"""Why nothing is stored, in the language of the packet."""
CATEGORIES = {"en": "habit", "zh-CN": "习惯"}


class Reviewer(Protocol):
    """Answers packets. It may raise ModelError: then it is unavailable, and nothing is decided."""

    name: str

    def review(self, packet: ReviewPacket) -> str:
        """Give the answer to a packet, as the text of its document."""


class RuleReviewer:
    """Decides by rules alone: what the user asks for is done, what is observed is put on trial."""

    name = "rules"

    def review(self, packet: ReviewPacket) -> str:
        """Give the answer to a packet; what would break a rule is left out, all of it is a skip."""
        fitting = [one for one in self._actions(packet) if _is_allowed(packet, one)]
        most = 1 if packet.budget is None else packet.budget.max_actions
        actions = fitting[:most] or [_skip(packet)]
        return json.dumps(write_actions(actions), ensure_ascii=False)

    def _actions(self, packet: ReviewPacket) -> list[ReviewAction]:
        if packet.request is not None:
            return [_requested(packet, packet.request)]
        found: dict[tuple[str | None, str], ReviewAction] = {}
        for item in packet.evidence:
            if item.scope == "project" and item.success and _is_worth_keeping(item):
                key = (item.candidate_key, item.text or "")
                known = found.get(key)
                keys = (*(known.evidence_keys if known else ()), item.key)
                found[key] = _created(packet, item, keys)
        return list(found.values())


def _is_allowed(packet: ReviewPacket, one: ReviewAction) -> bool:
    return not check_actions(packet, write_actions([one]))[1]


def _category(packet: ReviewPacket, *names: str | None) -> str:
    """Give the first category that is told in the packet's language."""
    told = (name for name in names if name and not language_fault(name, packet.language))
    return next(told, CATEGORIES[packet.language])


def _skip(packet: ReviewPacket) -> ReviewAction:
    return ReviewAction("skip", packet.language, reason=REASONS[packet.language])


def _is_worth_keeping(item: PacketEvidence) -> bool:
    return item.text is not None and skip_reason(item.text, item.category) is None


def _created(packet: ReviewPacket, item: PacketEvidence, keys: tuple[str, ...]) -> ReviewAction:
    return ReviewAction(
        "create",
        packet.language,
        scope="project",
        project_key=packet.project_key,
        candidate_key=item.candidate_key,
        evidence_keys=keys,
        text=item.text,
        category=_category(packet, item.category, packet.category),
        memory_class=item.memory_class,
        lists=item.lists,
    )


def _requested(packet: ReviewPacket, request: ExplicitRequest) -> ReviewAction:
    """Do what the user asks for, in the user's own words."""
    scope = request.scope or ("project" if packet.project_key is not None else "global")
    kept = None if scope == "global" else packet.project_key
    if request.action == "forget":
        return ReviewAction(
            "forget",
            packet.language,
            target_id=request.target_id,
            permanent=request.permanent,
        )
    if request.action == "correct":
        return ReviewAction(
            "update",
            packet.language,
            target_id=request.target_id,
            text=request.text,
            category=request.category,
            title=request.title,
            reason=request.reason,
            memory_class=request.memory_class,
            lists=request.lists,
        )
    return ReviewAction(
        "create",
        packet.language,
        scope=scope,
        project_key=kept,
        text=request.text,
        category=request.category or _category(packet, packet.category),
        title=request.title,
        reason=request.reason,
        memory_class=request.memory_class,
        lists=request.lists,
    )

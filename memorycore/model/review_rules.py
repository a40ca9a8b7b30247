"""The rules of memory review: what a packet must be, and which actions may answer it. Pure.

Each rule has the number of the specification, CM-4 to CM-22. The set of actions is judged as a
whole: one fault refuses all of it. Texts are read by the one gate for unsafe content.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from memorycore.model.review_actions import PACKET_RULE, Fault, ReviewAction
from memorycore.model.review_language import language_fault
from memorycore.model.review_packet import (
    MAX_AGE_DAYS,
    ExplicitRequest,
    PacketEvidence,
    PacketMemory,
    ReviewPacket,
)
from memorycore.model.review_unsafe import find_unsafe_here
from memorycore.model.time import DAY
from memorycore.model.unsafe import find_unsafe

_RUNTIME = re.compile(
    r"\b(?:fct|ep|cand|ent|op|rvw|rcpt)_[0-9A-Z]{20,26}\b|(?<![\w-])projects/[\w.-]+\.md\b"
    r"|\bprofile\.md\b|(?:^|[\s/\\])\.comet/|\bmemory\.db\b"
)
REMEMBERING = ("remember", "create")
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")


def same_text(text: str) -> str:
    """Give what texts are compared by: NFC, white space collapsed, lower case (CM-38)."""
    return " ".join(unicodedata.normalize("NFC", text).split()).lower()


def packet_faults(packet: ReviewPacket) -> list[Fault]:
    """List what is wrong with a packet of the right shape."""
    faults = [*_context_faults(packet), *_request_faults(packet)]
    for number, one in enumerate(packet.evidence):
        faults += _evidence_faults(packet, one, f"evidence[{number}]")
    for number, memory in enumerate(packet.memories):
        faults += _memory_faults(memory, f"memories[{number}]")
    for place, text in _packet_texts(packet):
        if (unsafe := find_unsafe_here(text)) is not None:
            faults.append(Fault("CM-20", place, f"it holds {unsafe.label}"))
    for place, name in _packet_names(packet):
        # A name of a change may look like any number, but no name is a secret.
        if (unsafe := find_unsafe(name)) is not None and unsafe.code == "secret":
            faults.append(Fault("CM-20", place, f"it holds {unsafe.label}"))
    return faults


def _packet_names(packet: ReviewPacket) -> Iterator[tuple[str, str]]:
    named = [("projectIdentity", packet.project_identity), ("changeId", packet.change_id)]
    for number, one in enumerate(packet.evidence):
        names = (one.project_identity, one.change_id, one.candidate_key)
        named += [(f"evidence[{number}]", name) for name in names]
    named += [(f"memories[{n}]", one.project_identity) for n, one in enumerate(packet.memories)]
    yield from ((place, name) for place, name in named if name is not None)


def _packet_texts(packet: ReviewPacket) -> Iterator[tuple[str, str]]:
    found: list[tuple[str, Sequence[str | None]]] = [
        ("checkpoint", (packet.checkpoint,)),
        ("workflow", (packet.workflow, packet.category)),
    ]
    found += [(f"userEvidence[{n}]", (text,)) for n, text in enumerate(packet.user_evidence)]
    if packet.request is not None:
        one = packet.request
        texts = (one.text, one.title, one.reason, one.category, *one.lists.texts)
        found.append(("explicitRequest", texts))
    for number, item in enumerate(packet.evidence):
        found.append((f"evidence[{number}]", (item.text, item.category, *item.lists.texts)))
    for number, memory in enumerate(packet.memories):
        shown = (memory.text, memory.category, memory.title, memory.reason)
        found.append((f"memories[{number}]", shown))
    for place, given in found:
        yield from ((place, text) for text in given if text is not None)


def _context_faults(packet: ReviewPacket) -> Iterator[Fault]:
    if packet.project_key is not None and packet.project_identity is None:
        yield Fault(PACKET_RULE, "projectKey", "a project needs its projectIdentity")
    if packet.project_key is not None and not _KEY.match(packet.project_key):
        yield Fault(PACKET_RULE, "projectKey", "letters, digits, '.', '_' and '-' only")
    for name, ids in (
        ("evidence", [one.key for one in packet.evidence]),
        ("memories", [one.id for one in packet.memories]),
    ):
        if len(set(ids)) != len(ids):
            yield Fault(PACKET_RULE, name, "two of them have the same key")
    if packet.budget is not None and len(packet.evidence) > packet.budget.max_evidence:
        yield Fault(PACKET_RULE, "evidence", "more than the budget allows")


def _request_faults(packet: ReviewPacket) -> Iterator[Fault]:
    request = packet.request
    if request is None:
        return
    place = "explicitRequest"
    if request.permanent and request.action != "forget":
        yield Fault(PACKET_RULE, f"{place}.permanent", "only forget can be permanent")
    if request.action == "remember" and not request.text:
        yield Fault(PACKET_RULE, f"{place}.text", "remember needs a text")
    if request.action in ("correct", "forget"):
        if request.target_id is None or packet.memory_of(request.target_id) is None:
            yield Fault(PACKET_RULE, f"{place}.targetId", "it must name a memory of the packet")
        changes = _changes(request)
        if request.action == "correct" and not changes:
            yield Fault(PACKET_RULE, place, "correct needs a field that changes")
        if request.action == "forget" and changes:
            yield Fault(PACKET_RULE, place, "forget changes no field")
    if request.scope == "global" and request.project_key is not None:
        yield Fault(PACKET_RULE, f"{place}.projectKey", "global has no project")
    if request.scope == "project" and packet.project_key is None:
        yield Fault(PACKET_RULE, f"{place}.scope", "the packet is of no project")


def _changes(one: ExplicitRequest | ReviewAction) -> bool:
    texts = (one.text, one.category, one.title, one.memory_class)
    return any(text is not None for text in texts) or bool(one.lists.texts)


def _evidence_faults(packet: ReviewPacket, one: PacketEvidence, place: str) -> Iterator[Fault]:
    age = packet.created_at - one.observed_at
    if not 0 <= age <= MAX_AGE_DAYS * DAY:
        reason = f"its age must lie between 0 and {MAX_AGE_DAYS} days"
        yield Fault(PACKET_RULE, f"{place}.observedAt", reason)
    if one.project_identity is None:
        yield Fault(PACKET_RULE, f"{place}.projectIdentity", "it is missing")
    if one.scope == "project":
        if one.project_key is None:
            yield Fault(PACKET_RULE, f"{place}.projectKey", "it is missing")
        elif (one.project_key, one.project_identity) != (
            packet.project_key,
            packet.project_identity,
        ):
            yield Fault(PACKET_RULE, f"{place}.projectKey", "it is of another project")


def _memory_faults(memory: PacketMemory, place: str) -> Iterator[Fault]:
    if memory.scope == "project" and memory.project_key is None:
        yield Fault(PACKET_RULE, f"{place}.projectKey", "it is missing")
    if memory.scope == "global" and memory.project_key is not None:
        yield Fault(PACKET_RULE, f"{place}.projectKey", "global has no project")


def action_faults(packet: ReviewPacket, actions: Sequence[ReviewAction]) -> list[Fault]:
    """List the rules that a set of actions breaks; none means that it may be applied as a whole."""
    faults = list(_set_faults(packet, actions))
    if faults:
        return faults
    for number, one in enumerate(actions):
        place = f"actions[{number}]"
        if one.language != packet.language:
            reason = "it must be the packet's"
            faults.append(Fault("CM-6", f"{place}.language", reason))
            continue
        faults += _skip_faults(packet, one, place) if not one.is_real else ()
        faults += _real_faults(packet, one, place) if one.is_real else ()
    return faults


def _set_faults(packet: ReviewPacket, actions: Sequence[ReviewAction]) -> Iterator[Fault]:
    real = [one for one in actions if one.is_real]
    if not actions:
        yield Fault("CM-4", "actions", "it is empty: nothing to store is one skip")
    if len(real) < len(actions) != 1:
        yield Fault("CM-4", "actions", "a skip stands alone")
    if real and packet.budget is None:
        yield Fault("CM-10", "actions", "the packet has no valid budget: only one skip may answer")
    elif packet.budget is not None and len(actions) > packet.budget.max_actions:
        yield Fault("CM-10", "actions", f"more than {packet.budget.max_actions}")
    if len({scope_of(packet, one) for one in real} - {None}) > 1:
        yield Fault("CM-9", "actions", "all must be of one scope")


def scope_of(packet: ReviewPacket, one: ReviewAction) -> str | None:
    """Give the scope of an action: the one it names, else that of its target."""
    if one.scope is not None or one.target_id is None:
        return one.scope
    memory = packet.memory_of(one.target_id)
    return None if memory is None else memory.scope


def _skip_faults(packet: ReviewPacket, one: ReviewAction, place: str) -> Iterator[Fault]:
    for key in one.evidence_keys:
        if packet.evidence_of(key) is None:
            yield Fault("CM-15", f"{place}.evidenceKeys", "the packet has no such evidence")
    yield from _text_faults(packet, one, place)


def _real_faults(packet: ReviewPacket, one: ReviewAction, place: str) -> Iterator[Fault]:
    first = list(_place_faults(packet, one, place)) or list(_target_faults(packet, one, place))
    if first:
        yield from first
        return
    yield from _resting_faults(packet, one, place)
    yield from _text_faults(packet, one, place)


def _place_faults(packet: ReviewPacket, one: ReviewAction, place: str) -> Iterator[Fault]:
    if one.scope == "global" and one.project_key is not None:
        yield Fault("CM-8", f"{place}.projectKey", "global has no project")
    if one.scope == "project" and (
        one.project_key is None or one.project_key != packet.project_key
    ):
        yield Fault("CM-8", f"{place}.projectKey", "it must be the packet's")
    if one.permanent and not is_explicit(packet, one):
        yield Fault("CM-13", f"{place}.permanent", "only a user's own request is permanent")


def _target_faults(packet: ReviewPacket, one: ReviewAction, place: str) -> Iterator[Fault]:
    if one.action == "create":
        return
    memory = packet.memory_of(one.target_id or "")
    where = f"{place}.targetId"
    if memory is None:
        yield Fault("CM-14", where, "the packet has no such memory")
        return
    if memory.state == "superseded":
        yield Fault("CM-14", where, "it is superseded")
    elif one.scope is not None and memory.scope != one.scope:
        yield Fault("CM-14", where, "it is of another scope")
    elif memory.scope == "project" and memory.project_key != packet.project_key:
        yield Fault("CM-14", where, "it is of another project")
    elif memory.kind == "explicit" and not is_explicit(packet, one):
        yield Fault("CM-17", where, "what the user said outright outranks what is inferred")
    elif one.action == "update" and not _changes_memory(one, memory):
        yield Fault("CM-12", place, "it changes nothing")


def _changes_memory(one: ReviewAction, memory: PacketMemory) -> bool:
    if one.lists.texts or one.title not in (None, memory.title):
        return True
    if one.text is not None and same_text(one.text) != same_text(memory.text):
        return True
    return one.category not in (None, memory.category) or one.memory_class not in (
        None,
        memory.memory_class,
    )


def is_explicit(packet: ReviewPacket, one: ReviewAction) -> bool:
    """Tell whether an action carries out just what the user has asked for."""
    request = packet.request
    if request is None:
        return False
    wanted = {"remember": "create", "correct": "update", "forget": "forget"}[request.action]
    if one.action != wanted or one.permanent != request.permanent:
        return False
    if request.scope is not None and scope_of(packet, one) != request.scope:
        return False
    if wanted == "create":
        # What is said in other words was not said: it may still be inferred.
        return same_text(one.text or "") == same_text(request.text or "")
    return one.target_id == request.target_id


def _resting_faults(packet: ReviewPacket, one: ReviewAction, place: str) -> Iterator[Fault]:
    """Judge what an action rests on (CM-15 to CM-18)."""
    where = f"{place}.evidenceKeys"
    scope = scope_of(packet, one)
    items = []
    for key in one.evidence_keys:
        item = packet.evidence_of(key)
        if item is None:
            yield Fault("CM-15", where, "the packet has no such evidence")
            return
        items.append(item)
        if item.scope != scope or (one.candidate_key or item.candidate_key) != item.candidate_key:
            yield Fault("CM-15", where, "the evidence is of another scope or candidate")
            return
    known = {item.candidate_key for item in packet.evidence}
    if one.candidate_key is not None and one.candidate_key not in known:
        yield Fault("CM-22", f"{place}.candidateKey", "the packet has no such candidate")
    request = packet.request
    if is_explicit(packet, one):
        wanted = request.text if request is not None else None
        if wanted is not None and same_text(wanted) != same_text(one.text or ""):
            yield Fault("CM-17", f"{place}.text", "the user's own words are kept as they are")
        return
    if one.action == "forget":
        return
    good = [item for item in items if item.success]
    if not items and request is not None and (request.action, one.action) == REMEMBERING:
        yield Fault("CM-17", f"{place}.text", "the user's own words are kept as they are")
    elif not good:
        yield Fault("CM-16", where, "it rests on no success")
    elif scope == "global" and len({item.project_identity for item in good}) < 2:
        yield Fault("CM-18", f"{place}.scope", "global needs successes of more than one project")


def _text_faults(packet: ReviewPacket, one: ReviewAction, place: str) -> Iterator[Fault]:
    """Judge the texts of an action: unsafe content, runtime detail, language."""
    said = set(_said(packet.request)) if is_explicit(packet, one) else set()
    for field, text in one.texts:
        if (unsafe := find_unsafe_here(text)) is not None:
            yield Fault("CM-20", f"{place}.{field}", f"it holds {unsafe.label}")
            return
    # What is harmless in each field may have been divided between them.
    told = [text for text in (one.text, one.category, one.title, one.reason) if text is not None]
    for first, second in permutations(told, 2):
        if (unsafe := find_unsafe_here(f"{first}\n{second}")) is not None:
            yield Fault("CM-20", place, f"its fields together hold {unsafe.label}")
            return
    for field, text in one.shown:
        if text not in said and _RUNTIME.search(text):
            yield Fault("CM-22", f"{place}.{field}", "it tells an id or a place of storage")
        elif text not in said and (fault := language_fault(text, packet.language)):
            yield Fault("CM-19", f"{place}.{field}", fault)


def _said(request: ExplicitRequest | None) -> Iterable[str]:
    """List the user's own words, which need not follow the language."""
    if request is None:
        return ()
    texts = (request.text, request.category, request.title, request.reason)
    return [text for text in (*texts, *request.lists.texts) if text is not None]

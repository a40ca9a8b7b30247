"""What a model says to be the reason of what: by the numbers of its own candidates, or of facts."""

import re
from collections.abc import Mapping
from dataclasses import replace

from memorycore.model.candidate import AskedLink, Candidate, Problem
from memorycore.model.packet import Packet

_CAUSE = re.compile(r"\s*([cf]?)([0-9]{1,6})\s*\Z")


def link_causes(
    candidates: list[Candidate], causes: Mapping[int, int | str], at: Mapping[int, int],
    packet: Packet,
) -> list[Problem]:  # fmt: skip
    """Link candidates to their causes, in place; give what could not be linked as remarks.

    ``causes`` has, by the position of a candidate, what it is said to be caused by; ``at`` the
    positions of the candidates by the numbers that they have in the answer. A cause among them
    gets a ``ref``, by which admission finds its fact once both are there.
    """
    problems = []
    for position, cause in causes.items():
        to = _fact_or_position(str(cause), packet, at)
        if to is None or to == position:
            place = candidates[position].place
            reason = "its cause is none of the candidates or facts"
            problems.append(Problem(place, "unknown_cause", "warn", reason))
            continue
        if isinstance(to, int):
            ref = _ref(candidates[to], packet)
            candidates[to] = replace(candidates[to], ref=ref)
            to = ref
        link = AskedLink("CAUSED_BY", to)
        candidates[position] = replace(candidates[position], links=(link,))
    return problems


def _fact_or_position(cause: str, packet: Packet, at: Mapping[int, int]) -> str | int | None:
    match = _CAUSE.match(cause)
    if match is None:
        return None
    number = int(match[2])
    return packet.fact(number) if match[1] == "f" else at.get(number)


def _ref(candidate: Candidate, packet: Packet) -> str:
    """Name a candidate of an answer; pieces of one long turn are told apart."""
    first = packet.turns[0].episode
    piece = sum(turn.episode == first for turn in packet.before)
    return f"{candidate.place} of piece {piece + 1}" if piece else candidate.place

"""The proposer that asks a model: packets go out one by one, candidates come back.

An answer that breaks off divides its packet, one that cannot be read is asked for once more. A
packet without a readable answer is told as unread and not as empty, and its turns can be offered
again. Between two answers nothing is held open.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from memorycore.errors import (
    ModelError,
    OutputTruncatedError,
    PacketTooLargeError,
    SchemaIgnoredError,
)
from memorycore.exchange.model_answer import (
    MAX_KEPT,
    Reading,
    answer_schema,
    is_prose,
    is_storm,
    read_answer,
)
from memorycore.model.additive import AdditiveInputs, write_additive
from memorycore.model.candidate import Candidate, Problem, Quarantined
from memorycore.model.draft import Rejection
from memorycore.model.heard import Heard
from memorycore.model.packet import Packet, split_packet, write_packet
from memorycore.model.spent import Spent
from memorycore.port.model_client import Endpoint, Manner, Message, Patience, Reply, ask
from memorycore.port.model_wire import PATIENCE

if TYPE_CHECKING:
    import httpx2

MAX_UNREAD = 3
"""After so many packets in a row without a readable answer the endpoint is looked at."""
EASY = Heard("easy", "I live in Braga.")
LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Answered:
    """A packet and what came of it.

    ``fault`` says why no answer to it could be read, as a code; its turns gave nothing then, and
    that means nothing. What a repaired answer gave is tentative. ``spent`` includes the answers
    that were of no use.
    """

    packet: Packet
    candidates: tuple[Candidate, ...] = ()
    quarantined: tuple[Quarantined, ...] = ()
    problems: tuple[Problem, ...] = ()
    spent: Spent = field(default_factory=Spent)
    rung: str = ""
    repaired: bool = False
    fault: str | None = None

    @property
    def is_read(self) -> bool:
        """Tell whether there was an answer that could be read; "nothing" is one."""
        return self.fault is None


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which episodes gave something, which gave nothing, and which could not be learned from."""

    heard: tuple[str, ...]
    silent: tuple[str, ...]
    unread: tuple[str, ...]


class ModelProposer:
    """Proposes candidates by asking a model."""

    name = "model"

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        patience: Patience = PATIENCE,
        transport: "httpx2.BaseTransport | None" = None,
    ) -> None:
        """Remember where to ask; nothing is opened until there is a packet."""
        self.endpoint = endpoint
        self.manner = Manner()
        self._patience = patience
        self._transport = transport
        self._is_sound = False
        self._in_a_row = 0

    def propose(self, packets: Iterable[Packet]) -> Iterator[Answered]:
        """Ask for each packet, in order; a packet that was divided is answered in parts.

        Raises:
            ModelError: the endpoint failed. All that was given before stands.
        """
        for packet in packets:
            for answered in self._answer_all(packet):
                yield answered
                self._count(answered)

    def _count(self, answered: Answered) -> None:
        """Tell a packet that cannot be answered from an endpoint that cannot answer.

        An endpoint that has not yet shown that it can, or fails several times in a row, is asked
        something easy that tells nothing of anybody.
        """
        if answered.fault is None:
            self._is_sound = True
            self._in_a_row = 0
            return
        self._in_a_row += 1
        if self._is_sound and self._in_a_row < MAX_UNREAD:
            return
        packet = answered.packet
        bare = None if packet.additive is None else AdditiveInputs()
        easy = replace(
            packet, turns=(EASY,), before=(), facts=(), tags=(), additive=bare, context=()
        )
        found = self._answer(easy, Spent())
        self._is_sound = isinstance(found, Answered) and found.is_read
        self._in_a_row = 0
        if not self._is_sound:
            raise self._give_up(answered.fault)

    def _answer_all(self, packet: Packet) -> Iterator[Answered]:
        waiting = [packet]
        spent = Spent()
        while waiting:
            part = waiting.pop()
            found = self._answer(part, spent)
            if isinstance(found, Answered):
                yield found
                spent = Spent()
            else:
                first, second = found
                waiting += [second, first]

    def _answer(self, packet: Packet, spent: Spent) -> Answered | tuple[Packet, Packet]:
        """Ask for one packet; the halves of it where that was too much."""
        messages = write_messages(packet)
        try:
            reply = self._ask(packet, messages, spent)
        except PacketTooLargeError as error:
            return split_packet(packet) or _unread(packet, spent, error.code, "")
        if reply.finish_reason == "content_filter":
            return _unread(packet, spent, "content_filter", "", reply.rung)
        if _breaks_off(reply):
            halves = split_packet(packet)
            return halves or _unread(packet, spent, "output_truncated", reply.text, reply.rung)
        reading = read_answer(reply.text, packet)
        if reading.is_readable:
            return _answered(packet, reading, spent, reply.rung, repaired=False)
        return self._repair(packet, messages, reply, reading, spent)

    def _repair(
        self,
        packet: Packet,
        messages: list[Message],
        reply: Reply,
        reading: Reading,
        spent: Spent,
    ) -> Answered:
        """Ask once more, telling what was wrong; whatever comes of it waits for a person."""
        reason = next(one.reason for one in reading.problems if one.severity == "reject")
        name = "repair" if packet.additive is None else "additive_repair"
        ask_again = f"{read_prompt(name, packet.language)}\n<fault>\n{reason}\n</fault>"
        again = [
            *messages,
            {"role": "assistant", "content": _printable(reply.text[:MAX_KEPT])},
            {"role": "user", "content": ask_again},
        ]
        try:
            second = self._ask(packet, again, spent)
        except PacketTooLargeError:
            return _unread(packet, spent, "schema_ignored", reply.text, reply.rung)
        if second.finish_reason == "content_filter":
            return _unread(packet, spent, "content_filter", "", second.rung)
        if second.is_truncated:
            return _unread(packet, spent, "output_truncated", second.text, second.rung)
        reading = read_answer(second.text, packet, repaired=True)
        if not reading.is_readable:
            return _unread(packet, spent, "schema_ignored", second.text, second.rung)
        return _answered(packet, reading, spent, second.rung, repaired=True)

    def _ask(self, packet: Packet, messages: list[Message], spent: Spent) -> Reply:
        reply = ask(
            self.endpoint,
            messages,
            answer_schema(packet),
            manner=self.manner,
            patience=self._patience,
            transport=self._transport,
        )
        spent.add(_cost_of(reply))
        return reply

    def _give_up(self, fault: str) -> ModelError:
        hint = "memoryctl doctor --model"
        name = self.endpoint.name
        why = "it was asked about a sentence of four words at last"
        if fault == "output_truncated":
            what = f"{name} breaks off even the shortest answers."
            return OutputTruncatedError(what, why=why, hint="a larger max_tokens")
        if fault == "packet_too_large":
            what = f"{name} cannot read even the smallest packet."
            return PacketTooLargeError(what, why=why, hint="a model with a longer context")
        if fault == "content_filter":
            return ModelError(f"{name} filters its answers out.", why=why, hint="another model")
        what = (
            f"{name} ignored the JSON schema (it answered something else, also when asked again)."
        )
        why = "some servers accept a form of output and do not keep to it"
        return SchemaIgnoredError(what, why=why, hint=hint)


def _cost_of(reply: Reply) -> Spent:
    return Spent(reply.prompt_tokens or 0, reply.completion_tokens or 0, reply.ms, 1, reply.rung)


def _breaks_off(reply: Reply) -> bool:
    """Tell whether an answer was cut that would be whole for a smaller packet."""
    return reply.is_truncated and not is_storm(reply.text) and not is_prose(reply.text)


def _answered(
    packet: Packet, reading: Reading, spent: Spent, rung: str, *, repaired: bool
) -> Answered:
    parts = (tuple(reading.candidates), tuple(reading.quarantined), tuple(reading.problems))
    return Answered(packet, *parts, spent, rung, repaired)


def _unread(packet: Packet, spent: Spent, code: str, text: str, rung: str = "") -> Answered:
    """Tell that a packet has no readable answer; the answer is kept aside."""
    place = packet.turns[0].episode
    reason = "the model gave no answer that can be read"
    kept = (Quarantined(Rejection(place, code, reason), _printable(text[:MAX_KEPT])),)
    return Answered(
        packet,
        quarantined=kept if text else (),
        problems=(Problem(place, code, "reject", reason),),
        spent=spent,
        rung=rung,
        fault=code,
    )


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def coverage(answers: Iterable[Answered]) -> Coverage:
    """Report which episodes gave a candidate and which did not. A report, never a quota."""
    gave: dict[str, bool] = {}
    unread: dict[str, None] = {}
    for answered in answers:
        quoted = {quote.episode for one in answered.candidates for quote in one.quotes}
        for turn in answered.packet.turns:
            if answered.is_read:
                gave[turn.episode] = gave.get(turn.episode, False) or turn.episode in quoted
            else:
                unread[turn.episode] = None
    heard = tuple(one for one, has_given in gave.items() if has_given)
    silent = tuple(one for one, has_given in gave.items() if not has_given and one not in unread)
    return Coverage(heard, silent, tuple(unread))


def write_messages(packet: Packet) -> list[Message]:
    """Write the request for a packet: the prompt in its language, then the packet."""
    if packet.additive is None:
        prompt, text = read_prompt("extract", packet.language), write_packet(packet)
    else:
        prompt, text = read_prompt("additive", packet.language), write_additive(packet)
        if packet.additive.for_agent:
            prompt = f"{prompt}\n\n{read_prompt('additive_agent', packet.language)}"
    return [{"role": "system", "content": prompt}, {"role": "user", "content": text}]


@cache
def read_prompt(name: str, language: str) -> str:
    """Read a prompt of the package in a language; English where there is none in it."""
    import memorycore.errors

    language = language[:2] if language[:2] in LANGUAGES else "en"
    folder = os.path.join(os.path.dirname(memorycore.errors.__file__), "prompt")
    with open(os.path.join(folder, f"{name}.{language}.md"), encoding="utf-8") as file:
        return file.read().strip()

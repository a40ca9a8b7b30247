"""The reviewer that asks a model; the packet is all that it is shown.

An answer that breaks a rule is asked for once more, with the rules named. What it then answers is
given as it is: whether it may be applied is judged by who asked.
"""

import json

from memorycore.exchange.review_actions import actions_schema, check_actions
from memorycore.exchange.review_packet import write_packet
from memorycore.model.review_actions import Fault
from memorycore.model.review_packet import ReviewPacket
from memorycore.port.model_asker import Asker
from memorycore.port.model_client import Message
from memorycore.port.model_proposer import read_prompt

MAX_NAMED = 8
"""So many faults are named when an answer is asked for again."""
MAX_ANSWER = 16_000
UNSAFE_RULE = "CM-20"


class ModelReviewer(Asker):
    """Reviews packets by asking a model at an OpenAI-compatible endpoint."""

    name = "model"

    def review(self, packet: ReviewPacket) -> str:
        """Give the model's answer to a packet.

        Raises:
            ModelError: the endpoint failed, or its answer breaks off.
        """
        messages = write_messages(packet)
        text = self._ask_whole(messages, actions_schema(packet))
        _, faults = check_actions(packet, text)
        # What is unsafe is refused for good: asking again would only teach how to hide it.
        if not faults or any(one.rule == UNSAFE_RULE for one in faults):
            return text
        again = [
            *messages,
            {"role": "assistant", "content": text[:MAX_ANSWER]},
            {"role": "user", "content": _write_faults(packet, faults)},
        ]
        return self._ask_whole(again, actions_schema(packet))


def write_messages(packet: ReviewPacket) -> list[Message]:
    """Write the request for a packet: the prompt in its language, then the packet as data."""
    document = json.dumps(write_packet(packet), ensure_ascii=False, indent=1)
    # No text of the packet can close the mark in which it stands.
    document = document.replace("<", "\\u003c")
    return [
        {"role": "system", "content": read_prompt("review", packet.language)},
        {"role": "user", "content": f"<packet>\n{document}\n</packet>\nJSON:"},
    ]


def _write_faults(packet: ReviewPacket, faults: list[Fault]) -> str:
    lines = [f"- {one.rule} {one.place}: {one.reason}" for one in faults[:MAX_NAMED]]
    return (
        f"{read_prompt('review_repair', packet.language)}\n<faults>\n"
        + "\n".join(lines)
        + ("\n</faults>\nJSON:")
    )

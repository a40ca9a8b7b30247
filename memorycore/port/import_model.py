"""A model as the decider of an import: it is asked item by item, and can recover a document."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from memorycore.errors import InvalidInputError, SchemaIgnoredError
from memorycore.exchange.import_verdict import (
    read_verdict,
    recovery_schema,
    verdict_schema,
    write_question,
)
from memorycore.exchange.model_answer import bare_answer
from memorycore.exchange.reading import parse_json
from memorycore.model.import_item import Match, Proposal, Verdict
from memorycore.port.model_asker import Asker
from memorycore.port.model_client import Message
from memorycore.port.model_proposer import read_prompt

T = TypeVar("T")
SOME_HAN = 0.1
"""From this share of Chinese characters on, the prompt is Chinese."""


class ModelDecider(Asker):
    """Decides by asking a model; what it says is only a proposal, and is held to the contract."""

    name = "model"
    is_slow = True
    can_recover = True

    def decide(
        self, content: str, proposals: Sequence[Proposal], matches: Sequence[Match]
    ) -> Verdict:
        """Ask what becomes of an item; an answer that cannot be read is asked for once more.

        Raises:
            ModelError: the endpoint failed, or its answers cannot be read.
        """
        return self._ask(
            "decide",
            write_question(content, matches),
            verdict_schema(matches),
            lambda text: read_verdict(text, matches),
        )

    def recover(self, text: str) -> str:
        """Ask for the records of a document that cannot be read, as JSON.

        Raises:
            ModelError: the endpoint failed, or its answers cannot be read.
        """
        return self._ask("recover", f"<document>\n{text}\n</document>", recovery_schema(), _json_of)

    def _ask(
        self, prompt: str, question: str, schema: dict[str, Any], read: Callable[[str], T]
    ) -> T:
        language = "zh" if _is_chinese(question) else "en"
        messages: list[Message] = [
            {"role": "system", "content": read_prompt(prompt, language)},
            {"role": "user", "content": question},
        ]
        text = self._ask_whole(messages, schema)
        try:
            return read(text)
        except InvalidInputError as error:
            fault = error.message
        messages += [
            {"role": "assistant", "content": text[:4000]},
            {
                "role": "user",
                "content": f"{read_prompt('again', language)}\n<fault>\n{fault}\n</fault>",
            },
        ]
        try:
            return read(self._ask_whole(messages, schema))
        except InvalidInputError as error:
            raise SchemaIgnoredError(
                f"{self.endpoint.name} gave no answer that can be read, also when asked again.",
                why="it keeps to no form that was asked for",
                hint="memoryctl doctor --model",
            ) from error


def _is_chinese(text: str) -> bool:
    return sum("\u4e00" <= one <= "\u9fff" for one in text) > SOME_HAN * len(text)


def _json_of(text: str) -> str:
    """Take the JSON out of an answer that must hold one object."""
    bare = bare_answer(text)
    if not isinstance(parse_json(bare), dict):
        raise InvalidInputError("the answer is no JSON object")
    return bare

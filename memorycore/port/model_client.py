"""Asking a model for JSON: by schema where it is enforced, by JSON mode, or by the prompt alone.

What an endpoint understands is found out once and remembered: each request that it declines for
its form, and each answer in prose, leads one rung down.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memorycore.errors import ModelFaultError
from memorycore.exchange.model_answer import is_prose
from memorycore.port.model_wire import (
    PATIENCE,
    Answer,
    Endpoint,
    Patience,
    complains_of_format,
    post,
    refused,
    words_of,
)

if TYPE_CHECKING:
    import httpx2

__all__ = ["RUNGS", "Endpoint", "Manner", "Patience", "Reply", "ask", "ask_on"]

RUNGS = ("json_schema", "json_object", "plain")
"""How an answer of the right shape is asked for, the surest first."""
Message = dict[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered, whole, and what it cost. Token counts are ``None`` if not told."""

    text: str
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    ms: int
    rung: str

    @property
    def is_truncated(self) -> bool:
        """Tell whether the answer breaks off because it came to its length."""
        return self.finish_reason in ("length", "max_tokens")


@dataclass(slots=True)
class Manner:
    """How an endpoint wants to be asked, as far as that is known; kept from call to call."""

    rung: int = 0
    length_field: str = "max_tokens"
    sends_temperature: bool = True
    sends_schema: bool = True


def ask(
    endpoint: Endpoint,
    messages: Sequence[Message],
    schema: dict[str, Any],
    *,
    manner: Manner | None = None,
    patience: Patience = PATIENCE,
    transport: "httpx2.BaseTransport | None" = None,
) -> Reply:
    """Ask a model, going down the rungs until one works; ``manner`` remembers which.

    On the last rung an answer in prose is given back as it is. Nothing is held open afterwards.

    Raises:
        ModelError: the endpoint could not be asked, or declined; see its subclasses.
    """
    manner = Manner() if manner is None else manner
    spent = 0
    while True:
        reply = ask_on(endpoint, messages, schema, manner, patience=patience, transport=transport)
        is_last = manner.rung == len(RUNGS) - 1
        if reply is not None:
            spent += reply.ms
            if is_last or not is_prose(reply.text):
                return Reply(
                    reply.text,
                    reply.finish_reason,
                    reply.prompt_tokens,
                    reply.completion_tokens,
                    spent,
                    reply.rung,
                )
        manner.rung += 1


def ask_on(
    endpoint: Endpoint,
    messages: Sequence[Message],
    schema: dict[str, Any],
    manner: Manner,
    *,
    patience: Patience = PATIENCE,
    transport: "httpx2.BaseTransport | None" = None,
) -> Reply | None:
    """Ask on one rung; ``None`` when the endpoint does not know that form of output.

    Raises:
        ModelError: the endpoint could not be asked, or declined.
    """
    while True:
        body = _body(endpoint, messages, schema, manner)
        answer = post(endpoint, body, patience=patience, transport=transport)
        if answer.status == 200:
            return _reply(endpoint, answer, RUNGS[manner.rung])
        if _adapt(manner, words_of(answer.body)):
            continue
        if manner.rung < len(RUNGS) - 1 and complains_of_format(words_of(answer.body)):
            if RUNGS[manner.rung] == "json_object" and manner.sends_schema:
                manner.sends_schema = False
                continue
            return None
        raise refused(endpoint, answer.status, answer.body)


def _body(
    endpoint: Endpoint, messages: Sequence[Message], schema: dict[str, Any], manner: Manner
) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": endpoint.model,
        "messages": list(messages),
        "stream": False,
        manner.length_field: endpoint.max_tokens,
    }
    if manner.sends_temperature:
        body["temperature"] = 0
    rung = RUNGS[manner.rung]
    if rung == "json_schema":
        named = {"name": "candidates", "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    elif rung == "json_object":
        # Some servers keep to a schema only here; the others are asked once more without it.
        body["response_format"] = {"type": "json_object"}
        if manner.sends_schema:
            body["response_format"]["schema"] = schema
    return body


def _adapt(manner: Manner, words: str) -> bool:
    """Change what an endpoint does not take, once each: its name for the length, a temperature."""
    if "max_completion_tokens" in words and manner.length_field == "max_tokens":
        manner.length_field = "max_completion_tokens"
        return True
    if "temperature" in words and manner.sends_temperature:
        manner.sends_temperature = False
        return True
    return False


def _reply(endpoint: Endpoint, answer: Answer, rung: str) -> Reply:
    """Read a chat completion; everything but the text may be missing."""
    choices = answer.body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        why = "status 200, but the body is no chat completion"
        raise ModelFaultError(f"{endpoint.name} sent no answer.", why=why)
    usage = answer.body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    reason = choice.get("finish_reason")
    return Reply(
        _text(message.get("content")),
        reason if isinstance(reason, str) else None,
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        answer.ms,
        rung,
    )


def _text(content: Any) -> str:
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _count(number: Any) -> int | None:
    return number if type(number) is int and 0 <= number < 10**9 else None

"""Trying an endpoint out: what it enforces is asked of it, never believed."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memorycore.errors import InvalidInputError, ModelError
from memorycore.exchange.model_answer import bare_answer
from memorycore.exchange.reading import parse_json
from memorycore.model.check import Check
from memorycore.port.model_client import RUNGS, Endpoint, Manner, Patience, Reply, ask_on
from memorycore.port.model_wire import PATIENCE

if TYPE_CHECKING:
    import httpx2

MAX_TOKENS = 1024
WORD = "plum-7"
"""An answer that no model gives by chance: only an enforced schema leads to it."""
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": [WORD]}},
    "required": ["word"],
    "additionalProperties": False,
}
ASKED_HERE = "memoryctl doctor --model"
"""The advice of most errors of an endpoint, which leads to just this."""
QUESTIONS = {
    "plain": "Name a fruit, in one word.",
    "json_schema": "Name a fruit and say in a sentence why it is good. Do not answer in JSON.",
    "json_object": 'Name a fruit. Answer as JSON, like {"fruit": "pear"}.',
}


def probe(
    endpoint: Endpoint,
    *,
    patience: Patience = PATIENCE,
    transport: "httpx2.BaseTransport | None" = None,
) -> list[Check]:
    """Try out an endpoint with three short questions, none of which tells anything of anybody."""
    small = replace(endpoint, max_tokens=min(endpoint.max_tokens, MAX_TOKENS))
    manner = Manner()

    def tried(rung: str) -> Reply | None:
        manner.rung = RUNGS.index(rung)
        messages = [{"role": "user", "content": QUESTIONS[rung]}]
        return ask_on(small, messages, SCHEMA, manner, patience=patience, transport=transport)

    try:
        plain = tried("plain")
    except ModelError as error:
        names = ("json_schema", "json_object", "usage", "speed")
        off = [Check(name, "off", "not tried") for name in names]
        why = f"{error.message} {error.why or ''}".strip()
        fix = error.hint if error.hint != ASKED_HERE else "start it, or --model-url URL"
        return [Check("reachable", "fail", why, fix), *off]
    assert plain is not None, "the last rung asks for no form"
    checks = [Check("reachable", "ok", f"{endpoint.name} answers")]
    for rung, judge in (("json_schema", _judge_schema), ("json_object", _judge_object)):
        try:
            state, detail = judge(tried(rung))
        except ModelError as error:
            state, detail = "warn", error.why or error.message
        checks.append(Check(rung, state, detail))
    return [*checks, _usage(plain), _speed(plain)]


def _judge_schema(reply: Reply | None) -> tuple[str, str]:
    if reply is None:
        return "warn", "not known there; the next form is used"
    if _parsed(reply) == {"word": WORD}:
        return "ok", "enforced"
    return "warn", "taken and not enforced; answers are checked all the same"


def _judge_object(reply: Reply | None) -> tuple[str, str]:
    if reply is None:
        return "warn", "not known there; the prompt alone asks for JSON"
    if _parsed(reply) == {"word": WORD}:
        return "ok", "gives JSON, and keeps to a schema there"
    if isinstance(_parsed(reply), dict):
        return "ok", "gives JSON"
    return "warn", "taken, but the answer is no JSON object"


def _parsed(reply: Reply) -> Any:
    try:
        return parse_json(bare_answer(reply.text))
    except InvalidInputError:
        return None


def _usage(reply: Reply) -> Check:
    if reply.prompt_tokens is None or reply.completion_tokens is None:
        return Check("usage", "warn", "tokens are not told; costs cannot be shown")
    told = f"{reply.prompt_tokens} in, {reply.completion_tokens} out"
    return Check("usage", "ok", told)


def _speed(reply: Reply) -> Check:
    seconds = reply.ms / 1000
    if not reply.completion_tokens or not reply.ms:
        return Check("speed", "ok", f"{seconds:.1f} s for a short answer")
    rate = reply.completion_tokens / seconds
    return Check("speed", "ok", f"{seconds:.1f} s for a short answer, {rate:.0f} tokens a second")

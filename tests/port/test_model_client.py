"""Tests of asking a model: the rungs, what is remembered, and what errors tell."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from memorycore.errors import (
    InvalidConfigError,
    ModelBusyError,
    ModelError,
    ModelFaultError,
    ModelRefusedError,
    ModelUnreachableError,
    PacketTooLargeError,
)
from memorycore.port import model_wire
from memorycore.port.model_client import RUNGS, Endpoint, Manner, Patience, Reply, ask

KEY = "sk-secret-0123456789"
SECRET = "my sister's name is Quilla"
ENDPOINT = Endpoint("http://model.test/v1/", "qwen3-8b", KEY, timeout_s=5, max_tokens=99)
QUICK = Patience(attempts=3, initial=0.001, longest=0.02, jitter=0)
MESSAGES = [{"role": "user", "content": SECRET}]
SCHEMA = {"type": "object"}
Script = list[Any]


def chat(text: Any, reason: str = "stop", **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text},
              "finish_reason": reason}  # fmt: skip
    usage = {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}
    return {"object": "chat.completion", "choices": [choice], "usage": usage} | more


def refusal(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", **more}}


class Scripted:
    """Answers from a list, the last over and over, and remembers what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, httpx2.Response):
            return answer
        status, body = answer if isinstance(answer, tuple) else (200, answer)
        return httpx2.Response(status, json=body)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.asked]

    @property
    def forms(self) -> list[str]:
        return [body.get("response_format", {}).get("type", "plain") for body in self.bodies]


def send(script: Callable[..., Any], manner: Manner | None = None) -> Reply:
    transport = httpx2.MockTransport(script)
    return ask(ENDPOINT, MESSAGES, SCHEMA, manner=manner, patience=QUICK, transport=transport)


def failing(*answers: Any) -> tuple[ModelError, Scripted]:
    script = Scripted(*answers)
    with pytest.raises(ModelError) as caught:
        send(script)
    shown = f"{caught.value!r} {caught.value.to_dict()} {caught.value.__cause__!r}"
    assert ENDPOINT.name in caught.value.message
    assert caught.value.why
    assert caught.value.exit_code == 11
    assert KEY not in shown
    assert "Quilla" not in shown
    return caught.value, script


def test_a_reply_is_what_was_said_and_what_it_cost() -> None:
    script = Scripted(chat('{"candidates": []}'))
    reply = send(script)

    assert (reply.text, reply.finish_reason) == ('{"candidates": []}', "stop")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.rung) == (20, 10, "json_schema")
    (request,) = script.asked
    assert str(request.url) == "http://model.test/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    (body,) = script.bodies
    form = body.pop("response_format")
    assert form["json_schema"] == {"name": "candidates", "strict": True, "schema": SCHEMA}
    assert body == {
        "model": "qwen3-8b", "messages": MESSAGES, "stream": False, "max_tokens": 99,
        "temperature": 0,
    }  # fmt: skip


def test_without_a_key_none_is_sent() -> None:
    script = Scripted(chat("{}"))
    ask(Endpoint("http://model.test", "m"), MESSAGES, SCHEMA,
        transport=httpx2.MockTransport(script))  # fmt: skip

    assert "authorization" not in script.asked[0].headers


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_form_that_is_not_known_leads_a_rung_down_and_that_is_remembered(status: int) -> None:
    no_schema = (status, refusal("'response_format.type' must be 'json_object'"))
    script = Scripted(no_schema, chat("{}"))
    manner = Manner()

    assert send(script, manner).rung == "json_object"
    assert send(script, manner).rung == "json_object"
    assert script.forms == ["json_schema", "json_object", "json_object"]


def test_the_last_rung_asks_by_the_prompt_alone() -> None:
    no = (400, refusal("response_format is not supported"))
    script = Scripted(no, no, no, chat("{}"))

    assert send(script).rung == "plain"
    assert script.forms == ["json_schema", "json_object", "json_object", "plain"]


def test_json_is_asked_for_with_the_schema_where_that_is_taken_and_else_without() -> None:
    no_schema = (500, refusal("Input should be 'text' or 'json_object', not 'json_schema'"))
    unknown = (400, refusal("Unknown parameter: 'response_format.schema'"))
    taken = Scripted(no_schema, chat("{}"))
    declined = Scripted(no_schema, unknown, chat("{}"))
    manner = Manner()

    assert send(taken).rung == "json_object"
    assert taken.bodies[1]["response_format"] == {"type": "json_object", "schema": SCHEMA}
    assert send(declined, manner).rung == "json_object"
    assert send(declined, manner).rung == "json_object"
    assert declined.bodies[-1]["response_format"] == {"type": "json_object"}
    assert len(declined.asked) == 4


def test_prose_means_that_the_form_was_ignored() -> None:
    script = Scripted(chat("Sure! Ana moved."), chat("She did."), chat("I said so."))
    reply = send(script)

    assert (reply.rung, reply.text) == (RUNGS[-1], "I said so.")
    assert script.forms == list(RUNGS)


def test_a_fenced_answer_is_no_prose() -> None:
    script = Scripted(chat("```json\n{}\n```"))

    assert send(script).rung == "json_schema"


def test_other_names_for_the_length_and_no_temperature_are_learned() -> None:
    script = Scripted(
        (400, refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.")),
        (400, refusal("'temperature' does not support 0 with this model.")),
        chat("{}"),
    )
    manner = Manner()
    send(script, manner)
    send(script, manner)

    assert len(script.asked) == 4
    assert script.bodies[-1]["max_completion_tokens"] == 99
    assert not script.bodies[-1].keys() & {"max_tokens", "temperature"}
    assert script.forms[-1] == "json_schema"


def test_an_endpoint_that_always_declines_is_not_asked_for_ever() -> None:
    words = "max_completion_tokens temperature response_format"
    error, script = failing((400, refusal(words)))

    assert isinstance(error, ModelRefusedError)
    assert len(script.asked) == 6


@pytest.mark.parametrize(
    ("status", "hint"), [(401, "key"), (403, "key"), (404, "/v1"), (301, "doctor"), (418, "doctor")]
)
def test_what_is_declined_is_told_and_not_tried_again(status: int, hint: str) -> None:
    error, script = failing((status, refusal(f"bad key {KEY}: {SECRET}", code="bad_key")))

    assert isinstance(error, ModelRefusedError)
    assert error.why == f"status {status} (bad_key)"
    assert hint in (error.hint or "")
    assert len(script.asked) == 1


@pytest.mark.parametrize("code", [KEY, KEY[:12], SECRET, {"x": 1}, "x" * 99, None])
def test_of_an_error_only_a_plain_code_is_shown(code: Any) -> None:
    error, _ = failing((403, {"error": {"message": SECRET, "code": code, "type": code}}))

    assert error.why == "status 403"


@pytest.mark.parametrize(
    "answer",
    [
        (413, {}),
        (400, refusal("This model's maximum context length is 8192 tokens")),
        (400, refusal("x", code="context_length_exceeded")),
        (400, {"error": "the request exceeds the available context size"}),
    ],
)
def test_a_request_that_is_too_long_is_told_as_such(answer: Any) -> None:
    assert isinstance(failing(answer)[0], PacketTooLargeError)


def test_what_passes_is_tried_again() -> None:
    script = Scripted((503, {}), httpx2.ConnectError("no"), httpx2.ReadTimeout("slow"), chat("{}"))
    transport = httpx2.MockTransport(script)
    patience = Patience(attempts=4, initial=0.001, longest=0.01, jitter=0)

    assert ask(ENDPOINT, MESSAGES, SCHEMA, patience=patience, transport=transport).text == "{}"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ((500, {}), ModelFaultError),
        ((502, refusal("bad gateway")), ModelFaultError),
        ((429, refusal("slow down")), ModelBusyError),
        (httpx2.Response(200, content=b"<html>"), ModelFaultError),
        (httpx2.Response(200, content=b'{"choices": [{'), ModelFaultError),
        (httpx2.Response(200, content=b"[]"), ModelFaultError),
        (httpx2.ConnectError("no"), ModelUnreachableError),
        (httpx2.ConnectTimeout("no"), ModelUnreachableError),
        (httpx2.ReadTimeout("slow"), ModelUnreachableError),
        (httpx2.ReadError("reset"), ModelUnreachableError),
        (httpx2.RemoteProtocolError("closed"), ModelUnreachableError),
    ],
)
def test_what_does_not_pass_is_an_error_after_some_attempts(answer: Any, kind: type) -> None:
    error, script = failing(answer)

    assert type(error) is kind
    assert len(script.asked) == QUICK.attempts


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": SECRET, "code": 502}},
        {"error": "overloaded"},
        {},
        {"choices": []},
        {"choices": ["x"]},
        {"choices": [{"message": None}]},
        {"choices": {"0": chat("{}")}},
    ],
)
def test_a_body_that_is_no_completion_is_a_fault(body: dict[str, Any]) -> None:
    error, script = failing(body)

    assert type(error) is ModelFaultError
    assert "status 200" in (error.why or "")
    assert len(script.asked) == 1


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ([{"type": "text", "text": "{"}, {"type": "text", "text": "}"}, {"type": "x"}], "{}"),
        (7, ""),
    ],
)
def test_content_in_parts_or_none_is_read(content: Any, text: str) -> None:
    assert send(Scripted(chat(content))).text == text


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "7"}, {"prompt_tokens": -1}, []])
def test_usage_may_be_missing(usage: Any) -> None:
    assert send(Scripted(chat("{}", usage=usage))).prompt_tokens is None


@pytest.mark.parametrize(
    ("headers", "least"),
    [
        ({"retry-after": "0.05"}, 0.05),
        ({"retry-after": "999999"}, 0.1),
        (
            {
                "retry-after": "Mon, 30 Nov 2026 10:00:09 GMT",
                "date": "Mon, 30 Nov 2026 10:00:00 GMT",
            },
            0.1,
        ),
        ({"retry-after": "soon"}, 0.0),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:09 GMT"}, 0.0),
        ({"retry-after": "0"}, 0.0),
    ],
)
def test_retry_after_is_honoured_and_capped(headers: dict[str, str], least: float) -> None:
    script = Scripted(httpx2.Response(429, headers=headers, json={}), chat("{}"))
    patience = Patience(attempts=2, initial=0.001, longest=0.1, jitter=0)
    began = time.monotonic()
    ask(ENDPOINT, MESSAGES, SCHEMA, patience=patience, transport=httpx2.MockTransport(script))

    assert least <= time.monotonic() - began < 5
    assert len(script.asked) == 2


class Endless(httpx2.SyncByteStream):
    """A body without end."""

    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield b" " * 65_536


def test_a_body_without_end_is_cut() -> None:
    error, script = failing(httpx2.Response(200, stream=Endless()))

    assert type(error) is ModelFaultError
    assert "8 MiB" in (error.why or "")
    assert len(script.asked) == 1


def test_a_small_body_that_unpacks_without_end_is_cut() -> None:
    import gzip

    packed = gzip.compress(b" " * (model_wire.MAX_BYTES * 2))
    headers = {"content-encoding": "gzip"}
    error, _ = failing(httpx2.Response(200, headers=headers, stream=httpx2.ByteStream(packed)))

    assert type(error) is ModelFaultError


@pytest.mark.parametrize(
    "given",
    [
        {"base_url": "localhost:8080"},
        {"base_url": "file:///etc/passwd"},
        {"base_url": "http://"},
        {"base_url": f"http://user:{KEY}@model.test/v1"},
        {"base_url": f"http://model.test/v1?key={KEY}"},
        {"base_url": "http://[::1"},
        {"base_url": "http://model.test:99999999"},
        {"model": " "},
        {"key": f"{KEY}\n"},
        {"key": f"{KEY} x"},
        {"timeout_s": 0},
        {"timeout_s": float("nan")},
        {"max_tokens": 0},
    ],
)
def test_what_can_be_no_endpoint_is_refused_without_showing_the_key(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidConfigError) as caught:
        Endpoint(**({"base_url": "http://model.test/v1", "model": "m"} | given))

    assert KEY not in f"{caught.value.to_dict()}"


def test_an_endpoint_does_not_show_its_key() -> None:
    assert KEY not in repr(ENDPOINT)
    assert ENDPOINT.name == "http://model.test/v1 (qwen3-8b)"


def test_without_the_extra_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for package in ("stamina", "httpx2"):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, package, None)
            with pytest.raises(InvalidConfigError) as caught:
                ask(ENDPOINT, MESSAGES, SCHEMA)
        assert "memorycore[model]" in (caught.value.hint or "")

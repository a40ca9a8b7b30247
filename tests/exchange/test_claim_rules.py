"""Tests of the rules that one claim must keep by itself (C1-C18, W1, W2, W4)."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from memorycore.exchange.claim_items import Item
from memorycore.exchange.claim_shapes import DOMAINS
from memorycore.exchange.claims import read_claims
from memorycore.model.candidate import Proposed

SCENE = {"scene_id": "harbour", "conv_id": "k1"}
MEMORIES = {
    1: ("最喜欢的小说是《雾港来信》", "2026-05-01T08:00:00+08:00"),
    2: ("很喜欢林拾，是喜欢的作家之一", "2026-05-01T08:05:00+08:00"),
    3: ("第二喜欢的书是《纸灯》", "2026-05-02T08:00:00+08:00"),
    4: ("最爱的书还是《纸灯》", "2026-05-03T08:00:00+08:00"),
    5: ("聊到《雾港来信》的第三章", "2026-05-04T08:00:00+08:00"),
    6: ("觉得自己的诗读起来太啰嗦", "2026-05-05T08:00:00+08:00"),
    7: ("My favourite novel is The Salt Map", "2026-05-06T08:00:00Z"),
    8: ("I like poems about the sea", "2026-05-07T08:00:00Z"),
    9: ("平时喜欢聊白茶", None),
    10: ("最喜欢林拾的作品是《雾港来信》", "2026-05-08T08:00:00+08:00"),
    11: ("《雾港来信》我又读了一遍", "2026-05-09T08:00:00+08:00"),
}
EXPORTED = "2026-06-01T00:00:00Z"
ITEMS = [
    Item(f"q-{n}", f"mem:h{n}", *SCENE.values(), at, EXPORTED, text)
    for n, (text, at) in MEMORIES.items()
]


def entity(id_: str, **change: Any) -> dict[str, Any]:
    prefix, _, body = id_.partition(":")
    return {
        "record_type": "entity",
        "entity_type": prefix.capitalize(),
        "entity_id": id_,
        "props": {"name": body},
        "aliases": [],
        "tags": [],
        "confidence": 0.9,
    } | change


def evidence(number: int, **change: Any) -> dict[str, Any]:
    text, at = MEMORIES[number]
    ids = {"memory_item_id": f"mem:h{number}", "point_id": f"q-{number}"}
    return ids | SCENE | {"created_at": at or EXPORTED, "text": text} | change


def claim(predicate: str, object_: str, *numbers: int, **change: Any) -> dict[str, Any]:
    subject = change.pop("subject_id", "agent:nil")
    domain = change.get("domain") or DOMAINS.get(predicate, "reading")
    return {
        "record_type": "claim",
        "claim_id": f"claim:{predicate}|{domain}|{subject}|{object_}",
        "predicate": predicate,
        "subject": reference(subject),
        "object": reference(object_),
        "domain": domain,
        "confidence": 0.8,
        "status": "active",
        "rank": None,
        "updated_at": evidence(numbers[-1])["created_at"],
        "evidence": [evidence(number) for number in numbers],
    } | change


def reference(id_: str) -> dict[str, str]:
    return {"entity_type": id_.partition(":")[0].capitalize(), "entity_id": id_}


def favourite(**change: Any) -> dict[str, Any]:
    return claim("FAVORITE_WORK", "work:雾港来信", 1, **{"rank": 1, "confidence": 0.94} | change)


def read(*records: dict[str, Any], strict: bool = True, **options: Any) -> Proposed:
    """Read a stream in which only ``agent:nil`` and ``user:harbour:nil`` are known before."""
    raw = "\n".join(json.dumps(record, ensure_ascii=False) for record in records).encode()

    def items(ids: Sequence[str]) -> list[Item]:
        return [item for item in ITEMS if {item.point_id, item.memory_item_id} & set(ids)]

    options = {"items": items, "known": lambda ids: KNOWN & set(ids)} | options
    return read_claims(raw, source="s.jsonl", strict=strict, **options)


KNOWN = {"agent:nil", "user:harbour:nil"}


WORK = entity("work:雾港来信")


def codes(*records: dict[str, Any], **options: Any) -> set[tuple[str, str]]:
    """Read a stream; of a claim's, the entity rows count as known unless they are given."""
    known = KNOWN | {end["entity_id"] for r in records for end in [r.get("object")] if is_ref(end)}
    problems = read(*records, **{"known": lambda _: known} | options).problems
    return {(problem.code, problem.severity) for problem in problems}


def is_ref(end: Any) -> bool:
    return isinstance(end, dict) and isinstance(end.get("entity_id"), str)


def without(record: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != key}


@pytest.mark.parametrize(
    "record",
    [
        favourite(),
        favourite(confidence=0.5, status="candidate"),
        favourite(updated_at="2026-05-01T00:00:00Z"),
        claim("FAVORITE_WORK", "work:纸灯", 3, rank=2, confidence=0.93),
        claim("FAVORITE_WORK", "work:The Salt Map", 7, rank=1, confidence=0.95),
        claim("PREFERS_AUTHOR", "author:林拾", 2),
        claim("PREFERS_AUTHOR", "author:林拾", 10, confidence=0.88),
        claim("DISCUSSED_WORK", "work:雾港来信", 1, 11, confidence=0.95),
        claim("DISCUSSED_CHAPTER", "chapter:雾港来信#第三章", 5, subject_id="user:harbour:nil"),
        claim("DISCUSSED_CHAPTER", "chapter:UNKNOWN#第三章", 5),
        claim("SELF_CRITIQUE", "tag:啰嗦", 6, confidence=0.7),
        claim("PREFERS_TOPIC", "topic:poems", 8, confidence=0.7),
        claim("PREFERS_TOPIC", "topic:白茶", 9),
    ],
)
def test_a_good_claim_breaks_no_rule(record: dict[str, Any]) -> None:
    assert codes(record) == set()


@pytest.mark.parametrize("key", [key for key in favourite() if key not in ("record_type", "x")])
def test_a_missing_key_of_a_claim_breaks_c1(key: str) -> None:
    assert codes(without(favourite(), key)) == {("C1", "reject")}


@pytest.mark.parametrize("predicate", ["LIKES_WORK", "favorite_work", ""])
def test_an_unknown_predicate_breaks_c2(predicate: str) -> None:
    assert codes(claim(predicate, "work:雾港来信", 1)) == {("C2", "reject")}
    assert codes(favourite() | {"predicate": 7}) == {("C2", "reject")}


@pytest.mark.parametrize("predicate", ["AUTHOR_WROTE_WORK", "WORK_WRITTEN_BY", "AUTHOR_OF"])
def test_authorship_breaks_c3_or_is_dropped_and_counted(predicate: str) -> None:
    record = claim(predicate, "work:雾港来信", 1, rank=9)

    assert codes(record) == {("C3", "reject")}
    assert codes(record, strict=False) == {("C3", "warn")}
    dropped = read(record, WORK, strict=False)
    assert [q.rejection.code for q in dropped.quarantined] == ["C3"]
    assert dropped.candidates == []


def test_another_domain_breaks_c4() -> None:
    assert codes(claim("FAVORITE_WORK", "work:雾港来信", 11, domain="daily")) == {("C4", "reject")}
    assert codes(favourite(domain="films")) == {("C4", "reject")}


@pytest.mark.parametrize(
    "subject",
    ["agent:nil", None, {}, reference("work:雾港来信"), {"entity_type": "User"},
     {"entity_type": "User", "entity_id": "agent:nil"}, {"entity_type": "Agent", "entity_id": ""}],
)  # fmt: skip
def test_another_subject_breaks_c5(subject: Any) -> None:
    assert ("C5", "reject") in codes(favourite(subject=subject))


@pytest.mark.parametrize(
    "object_",
    ["雾港来信", None, [], reference("author:林拾"), {"entity_type": "Work"},
     {"entity_type": "Work", "entity_id": "author:林拾"}, reference("book:雾港来信")],
)  # fmt: skip
def test_another_object_breaks_c6(object_: Any) -> None:
    assert ("C6", "reject") in codes(favourite(object=object_))


@pytest.mark.parametrize("end", ["|0", " ", "\u200b"])
def test_a_claim_id_with_more_in_it_breaks_c7(end: str) -> None:
    id_ = favourite()["claim_id"]

    assert codes(favourite(claim_id=id_ + end)) == {("C7", "reject")}
    assert codes(favourite(claim_id="")) == {("C7", "reject")}


@pytest.mark.parametrize("confidence", [True, "0.9", None, 1.5, -1, 10**400])
def test_a_confidence_out_of_range_breaks_c8(confidence: Any) -> None:
    assert codes(favourite(confidence=confidence)) == {("C8", "reject")}


@pytest.mark.parametrize("status", ["superseded", "Active", "", None])
def test_another_status_breaks_c9(status: Any) -> None:
    assert codes(favourite(status=status)) == {("C9", "reject")}


def test_a_low_confidence_that_is_active_breaks_c10() -> None:
    low = claim("DISCUSSED_WORK", "work:雾港来信", 11, confidence=0.59)

    assert codes(low) == {("C10", "reject")}
    assert codes(low | {"confidence": 0.6}) == codes(low | {"status": "candidate"}) == set()


@pytest.mark.parametrize("rank", [0, -1, 2, 3, 1.0, "1", True])
def test_a_rank_that_nobody_said_breaks_c11(rank: Any) -> None:
    assert codes(favourite(rank=rank)) == {("C11", "reject")}


def test_the_rank_of_a_work_is_not_its_authors_c11() -> None:
    author = claim("PREFERS_AUTHOR", "author:林拾", 10, rank=1, confidence=0.93)

    assert codes(author) == {("C11", "reject")}
    assert codes(claim("PREFERS_AUTHOR", "author:林拾", 2, rank=1)) == {("C11", "reject")}


@pytest.mark.parametrize("time", ["", "soon", "2026-05-02", EXPORTED])
def test_a_time_that_is_not_the_evidence_s_breaks_c12(time: str) -> None:
    assert codes(favourite(updated_at=time)) == {("C12", "reject")}


def test_of_several_times_only_the_latest_keeps_c12() -> None:
    record = claim("DISCUSSED_WORK", "work:雾港来信", 11, 1)

    assert codes(record) == {("C12", "reject")}
    assert codes(record | {"updated_at": evidence(11)["created_at"]}) == set()


@pytest.mark.parametrize(
    "found",
    [[], {}, "x", [5], [without(evidence(1), "text")], [evidence(1, scene_id="")],
     [evidence(1, created_at=None)]],
)  # fmt: skip
def test_evidence_of_another_shape_breaks_c13(found: Any) -> None:
    assert codes(favourite(evidence=found)) == {("C13", "reject")}


def test_evidence_that_links_to_nothing_breaks_c14() -> None:
    lost = evidence(1, point_id="q-99", memory_item_id="mem:zz")

    assert codes(favourite(evidence=[lost])) == {("C14", "reject")}


@pytest.mark.parametrize(
    "text", ["最喜欢的小说是雾港来信", "最喜歡的小说是《雾港来信》", "雾港来信 "]
)
def test_a_text_that_is_not_the_memory_s_breaks_c15(text: str) -> None:
    assert ("C15", "reject") in codes(favourite(evidence=[evidence(1, text=text)]))


@pytest.mark.parametrize(
    "change",
    [{"conv_id": "k2"}, {"scene_id": "garden"}, {"point_id": "q-2"}, {"point_id": "q-99"},
     {"memory_item_id": "mem:h2"}, {"memory_item_id": "h1"},
     {"created_at": "2026-05-01T08:00:01+08:00"}, {"created_at": "soon"}],
)  # fmt: skip
def test_evidence_that_differs_from_its_item_breaks_c16(change: dict[str, Any]) -> None:
    assert ("C16", "reject") in codes(favourite(evidence=[evidence(1, **change)]))


def test_the_second_point_of_a_memory_may_be_named() -> None:
    twin = Item("q-1b", "mem:h1", "harbour", "k2", MEMORIES[1][1], None, MEMORIES[1][0])
    named = favourite(evidence=[evidence(1, point_id="q-1b", conv_id="k2")])

    assert codes(named, items=lambda _: [*ITEMS, twin]) == set()


@pytest.mark.parametrize(
    ("predicate", "object_", "number"),
    [
        ("PREFERS_AUTHOR", "author:林拾", 9),
        ("DISCUSSED_WORK", "work:纸灯", 1),
        ("DISCUSSED_WORK", "work:alt", 7),
        ("DISCUSSED_CHAPTER", "chapter:纸灯#第三章", 5),
        ("DISCUSSED_CHAPTER", "chapter:雾港来信#第四章", 5),
    ],
)
def test_an_object_that_no_evidence_names_breaks_c17(
    predicate: str, object_: str, number: int
) -> None:
    assert codes(claim(predicate, object_, number)) == {("C17", "reject")}


def test_an_alias_of_the_row_may_name_the_object() -> None:
    record = claim("DISCUSSED_WORK", "work:海盐地图", 7)

    assert codes(record, entity("work:海盐地图", aliases=["the salt  map"])) == set()
    assert codes(record, entity("work:海盐地图", aliases=["《》"])) == {("C17", "reject")}


def test_a_topic_or_tag_may_be_worded_anew_with_a_warning_c17() -> None:
    assert codes(claim("SELF_CRITIQUE", "tag:冗长", 6)) == {("C17", "warn")}
    assert codes(claim("PREFERS_TOPIC", "topic:tea", 9)) == {("C17", "warn")}


def test_evidence_that_is_repeated_counts_once_c18() -> None:
    record = claim("DISCUSSED_WORK", "work:雾港来信", 11, 1, 11)

    proposed = read(record, WORK)

    assert {(p.code, p.severity) for p in proposed.problems} == {("C18", "merge")}
    assert [q.external_id for q in proposed.candidates[0].quotes] == ["mem:h1", "mem:h11"]


@pytest.mark.parametrize(
    "record",
    [
        favourite(confidence=0.99),
        favourite(confidence=0.8),
        claim("PREFERS_AUTHOR", "author:林拾", 2, confidence=0.95),
        claim("PREFERS_AUTHOR", "author:林拾", 2, confidence=0.7),
        claim("PREFERS_TOPIC", "topic:poems", 8, confidence=0.9),
        claim("DISCUSSED_WORK", "work:雾港来信", 11, confidence=0.99),
    ],
)
def test_a_confidence_outside_the_band_of_its_wording_warns_w1(record: dict[str, Any]) -> None:
    assert codes(record) == {("W1", "warn")}


def test_a_favourite_without_its_rank_warns_w2() -> None:
    assert codes(favourite(rank=None)) == {("W2", "warn")}


@pytest.mark.parametrize(
    "record",
    [
        WORK | {"note": 1},
        favourite(note=1),
        favourite(subject=reference("agent:nil") | {"note": 1}),
        favourite(evidence=[evidence(1, note=1)]),
    ],
)
def test_an_unknown_key_is_taken_with_a_warning_w4(record: dict[str, Any]) -> None:
    assert codes(record) == {("W4", "warn")}


def test_every_fault_of_a_claim_is_told_at_once() -> None:
    record = favourite(domain="daily", rank=2, updated_at=EXPORTED, claim_id="x", note=1)

    assert {code for code, _ in codes(record)} == {"C4", "C7", "C11", "C12", "W4"}
    shape = favourite(confidence=2, rank=0, status="old")
    assert {code for code, _ in codes(shape)} == {"C8", "C9", "C11"}

"""Tests of a whole claim stream: the rules between its rows, and what becomes of it."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.errors import InvalidTimeError
from memorycore.exchange.claim_items import Item
from memorycore.exchange.claim_shapes import DOMAINS
from memorycore.exchange.claims import read_claims
from memorycore.model.candidate import Candidate, Naming, Proposed, Quote

SCENE = {"scene_id": "harbour", "conv_id": "k1"}
MEMORIES = {
    1: ("最喜欢的小说是《雾港来信》", "2026-05-01T08:00:00+08:00"),
    2: ("很喜欢林拾，是喜欢的作家之一", "2026-05-01T08:05:00+08:00"),
    3: ("第二喜欢的书是《纸灯》", "2026-05-02T08:00:00+08:00"),
    4: ("最爱的书还是《纸灯》", "2026-05-03T08:00:00+08:00"),
    9: ("平时喜欢聊白茶", None),
    10: ("最喜欢林拾的作品是《雾港来信》", "2026-05-08T08:00:00+08:00"),
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


WORK = entity("work:雾港来信", props={"title": "雾港来信", "display": "《雾港来信》"})
LAMP = entity("work:纸灯")
AUTHOR = entity("author:林拾")
RIVAL = claim("FAVORITE_WORK", "work:纸灯", 4, rank=1, confidence=0.91, status="candidate")
SAMPLE = [
    entity("agent:nil"),
    entity("user:harbour:nil", props={"user_id": "harbour:nil", "display": "harbour:nil"}),
    WORK,
    AUTHOR,
    entity("topic:白茶"),
    favourite(),
    claim("PREFERS_AUTHOR", "author:林拾", 2, 10),
    claim("PREFERS_TOPIC", "topic:白茶", 9),
]


def codes(proposed: Proposed) -> list[tuple[str, str]]:
    return [(problem.code, problem.severity) for problem in proposed.problems]


def placeless(candidates: list[Candidate]) -> list[Candidate]:
    return [replace(candidate, place="") for candidate in candidates]


@pytest.mark.parametrize("strict", [True, False])
def test_a_good_stream_becomes_candidates_without_a_word(strict: bool) -> None:
    proposed = read(*SAMPLE, strict=strict)

    assert proposed.problems == []
    assert proposed.quarantined == []
    assert [candidate.claim_key for candidate in proposed.candidates] == [
        "claim:PREFERS_TOPIC|daily|agent:nil|topic:白茶",
        "claim:FAVORITE_WORK|reading|agent:nil|work:雾港来信",
        "claim:PREFERS_AUTHOR|reading|agent:nil|author:林拾",
    ]
    assert [entity.kind for entity in proposed.entities] == [
        "agent", "author", "topic", "person", "work"
    ]  # fmt: skip


def test_a_claim_becomes_a_candidate_with_all_it_says() -> None:
    assert read(WORK, favourite()).candidates == [
        Candidate(
            "FAVORITE_WORK",
            (Quote(external_id="mem:h1"),),
            Naming("nil", "agent"),
            Naming("雾港来信", "work", ("《雾港来信》",)),
            rank=1,
            confidence=0.94,
            claim_key="claim:FAVORITE_WORK|reading|agent:nil|work:雾港来信",
            place="s.jsonl line 2",
        )
    ]


def test_a_candidate_status_makes_it_tentative() -> None:
    assert read(LAMP, RIVAL).candidates[0].is_tentative


def test_a_user_keeps_the_colons_of_its_name() -> None:
    record = claim("DISCUSSED_WORK", "work:雾港来信", 1, subject_id="user:harbour:nil")

    assert read(WORK, record).candidates[0].subject == Naming("harbour:nil", "person")


def test_a_chapter_has_only_the_aliases_that_its_row_declares() -> None:
    chapter = entity("chapter:雾港来信#第三章", props={"title": "第三章"}, aliases=["雾港第三章"])

    assert read(chapter).entities == [Naming("雾港来信#第三章", "chapter", ("雾港第三章",))]


def test_blank_aliases_and_the_name_itself_are_no_aliases() -> None:
    row = entity("author:林拾", aliases=["", "林拾", "拾", "拾", " "], props={"display": "拾 林"})

    assert read(row).entities == [Naming("林拾", "author", ("拾", "拾 林"))]


def test_a_claim_id_stands_once_s5() -> None:
    surer = favourite(confidence=0.95)

    assert codes(read(WORK, favourite(), favourite())) == [("S5", "reject")]
    for order in ((favourite(), surer), (surer, favourite())):
        proposed = read(WORK, *order, strict=False)
        assert codes(proposed) == [("S5", "reject")]
        assert [candidate.confidence for candidate in proposed.candidates] == [0.95]


def test_of_two_rows_of_a_claim_the_one_without_fault_stays() -> None:
    broken = favourite(confidence=0.98, updated_at=EXPORTED)

    proposed = read(WORK, broken, favourite(), strict=False)

    assert [candidate.confidence for candidate in proposed.candidates] == [0.94]


def test_an_end_without_a_row_that_is_not_known_breaks_s6() -> None:
    assert codes(read(favourite())) == [("S6", "reject")]
    assert codes(read(favourite(), WORK)) == []
    assert codes(read(favourite(), known=lambda _: {"agent:nil", "work:雾港来信"})) == []
    assert codes(read(favourite(), WORK, known=lambda _: ())) == [("S6", "reject")]


def test_a_rejected_row_leaves_its_claims_without_an_end() -> None:
    bad = WORK | {"confidence": 7}

    proposed = read(bad, LAMP, favourite(), claim("DISCUSSED_WORK", "work:纸灯", 4), strict=False)

    assert codes(proposed) == [("E2", "reject"), ("S6", "reject")]
    assert [candidate.predicate for candidate in proposed.candidates] == ["DISCUSSED_WORK"]
    assert [one.rejection.code for one in proposed.quarantined] == ["E2", "S6"]


def test_a_known_end_is_named_by_its_id() -> None:
    proposed = read(favourite(), known=lambda ids: set(ids))

    assert proposed.candidates[0].object == Naming("雾港来信", "work")
    assert proposed.entities == []


def test_a_name_in_another_language_than_its_evidence_warns_e10() -> None:
    row = entity("author:Lin Shi", aliases=["林拾"])

    proposed = read(row, claim("PREFERS_AUTHOR", "author:Lin Shi", 2))

    assert codes(proposed) == [("E10", "warn")]
    assert proposed.problems[0].place == "s.jsonl line 1"


def test_a_foreign_name_that_the_evidence_itself_has_is_fine() -> None:
    item = Item("q-x", "mem:hx", *SCENE.values(), EXPORTED, None, "聊到《1984》")
    cited = {"memory_item_id": "mem:hx", "point_id": "q-x", "text": item.text} | SCENE
    record = claim("DISCUSSED_WORK", "work:1984", 9, evidence=[cited | {"created_at": EXPORTED}])

    assert codes(read(entity("work:1984"), record, batch=[item])) == []
    assert codes(read(entity("work:The Salt Map"))) == []


def test_rows_of_one_entity_are_united_e11() -> None:
    first = entity("author:林拾", props={"name": "林拾"}, aliases=["甲", "乙"])
    second = entity("author:林拾", props={"name": "别名", "display": "丁"}, aliases=["丙", "甲"])

    proposed = read(first, second)

    assert codes(proposed) == [("E11", "merge")]
    assert proposed.entities == [Naming("林拾", "author", ("甲", "乙", "丙", "丁"))]


def test_an_identical_row_warns_w3() -> None:
    other = AUTHOR | {"confidence": 0.5}

    assert codes(read(AUTHOR, AUTHOR)) == [("W3", "warn")]
    assert codes(read(AUTHOR, other, AUTHOR)) == [("E11", "merge"), ("W3", "warn")]


def test_two_claims_of_a_rank_are_fine_when_the_surer_is_active() -> None:
    assert codes(read(WORK, LAMP, favourite(), RIVAL)) == []
    assert codes(read(WORK, LAMP, favourite(status="candidate"), RIVAL)) == []


def test_two_active_claims_of_a_rank_break_b1() -> None:
    rows = [WORK, LAMP, favourite(), RIVAL | {"status": "active"}]

    assert codes(read(*rows)) == [("B1", "reject")]
    left = read(*rows, strict=False)
    assert [candidate.object for candidate in left.candidates] == [
        Naming("雾港来信", "work", ("《雾港来信》",))
    ]


def test_a_less_sure_claim_that_is_the_active_one_breaks_b2() -> None:
    rows = [WORK, LAMP, favourite(status="candidate"), RIVAL | {"status": "active"}]

    assert codes(read(*rows)) == [("B2", "reject")]
    assert read(*rows).problems[0].place == "s.jsonl line 4"
    assert [candidate.is_tentative for candidate in read(*rows, strict=False).candidates] == [True]


def test_a_tie_goes_to_the_later_claim_b2() -> None:
    tie = RIVAL | {"confidence": 0.94, "status": "active"}

    assert codes(read(WORK, LAMP, favourite(status="candidate"), tie)) == []
    assert codes(read(WORK, LAMP, favourite(), tie | {"status": "candidate"})) == [("B2", "reject")]


def test_other_ranks_subjects_and_none_are_no_conflict_b4() -> None:
    second = claim("FAVORITE_WORK", "work:纸灯", 3, rank=2, confidence=0.93)
    users = claim("FAVORITE_WORK", "work:纸灯", 4, subject_id="user:harbour:nil", rank=1,
                  confidence=0.95)  # fmt: skip
    talks = [
        claim("DISCUSSED_WORK", work, n) for work, n in (("work:纸灯", 4), ("work:雾港来信", 1))
    ]

    assert codes(read(WORK, LAMP, favourite(), second, users, *talks)) == []


def test_a_rejected_claim_takes_no_part_in_a_conflict() -> None:
    broken = favourite(updated_at=EXPORTED)

    proposed = read(WORK, LAMP, broken, RIVAL | {"status": "active"}, strict=False)

    assert codes(proposed) == [("C12", "reject")]
    assert len(proposed.candidates) == 1


def test_an_item_that_gives_no_claim_is_listed_w6() -> None:
    proposed = read(WORK, favourite(), batch=ITEMS[:2])

    assert codes(proposed) == [("W6", "info")]
    assert proposed.problems[0].place == "point q-2"
    assert len(proposed.candidates) == 1


def test_strict_reading_takes_all_or_nothing_and_lenient_the_rest() -> None:
    rows = [*SAMPLE, favourite(status="old")]

    strict, lenient = read(*rows), read(*rows, strict=False)

    assert (strict.candidates, strict.entities) == ([], [])
    assert strict.problems == lenient.problems
    assert strict.quarantined == lenient.quarantined
    assert lenient.quarantined[0].rejection.code == "C9"
    assert lenient.quarantined[0].text == json.dumps(rows[-1], ensure_ascii=False)
    assert placeless(lenient.candidates) == placeless(read(*SAMPLE).candidates)


def test_each_lookup_is_asked_once_for_all_ids() -> None:
    asked: list[Sequence[str]] = []

    def items(ids: Sequence[str]) -> list[Item]:
        asked.append(ids)
        return ITEMS

    def known(ids: Sequence[str]) -> set[str]:
        asked.append(ids)
        return KNOWN

    read(*SAMPLE, RIVAL, LAMP, items=items, known=known)

    assert asked == [
        ["mem:h1", "mem:h10", "mem:h2", "mem:h4", "mem:h9", "q-1", "q-10", "q-2", "q-4", "q-9"],
        ["agent:nil", "author:林拾", "topic:白茶", "work:纸灯", "work:雾港来信"],
    ]


def test_a_zone_that_does_not_exist_is_an_error_of_the_caller() -> None:
    with pytest.raises(InvalidTimeError):
        read(WORK, zone="Nowhere/Land")


def test_no_reason_shows_content() -> None:
    rows = [favourite(domain="MARK"), favourite(predicate_="MARK"), WORK | {"entity_id": "MARK"},
            favourite(status="MARK", rank="MARK"), favourite(evidence=[evidence(1, text="MARK")]),
            WORK | {"confidence": "MARK"}, favourite(subject="MARK", object=["MARK"])]  # fmt: skip

    assert not any("MARK" in problem.reason for problem in read(*rows).problems)


@given(seed=st.randoms(use_true_random=False), strict=st.booleans())
def test_the_order_of_rows_changes_nothing(seed: random.Random, strict: bool) -> None:
    rows = [*SAMPLE, LAMP, RIVAL]
    if not strict:
        rows += [RIVAL | {"status": "active", "confidence": 0.92}, favourite(confidence=0.5),
                 WORK | {"confidence": 7}, claim("DISCUSSED_WORK", "work:没有", 1)]  # fmt: skip
    shuffled = seed.sample(rows, len(rows))

    one, other = read(*rows, strict=strict), read(*shuffled, strict=strict)

    assert placeless(one.candidates) == placeless(other.candidates)
    assert one.entities == other.entities
    assert sorted(codes(one)) == sorted(codes(other))
    assert {q.text for q in one.quarantined} == {q.text for q in other.quarantined}


ODD_TEXTS = ["《》", "work:", "chapter:#", "tag:觉得", "\x00"]
ODD = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
    | st.sampled_from([*ODD_TEXTS, [], {}, [{}], {"a": [None]}])
)  # fmt: skip


@given(
    changes=st.lists(
        st.tuples(st.sampled_from(SAMPLE), st.sampled_from([*favourite(), *WORK, "odd"]), ODD),
        max_size=4,
    ),
    strict=st.booleans(),
)
def test_records_of_any_values_never_raise(
    changes: list[tuple[dict[str, Any], str, Any]], strict: bool
) -> None:
    rows = [record | {key: value} for record, key, value in changes]

    proposed = read(*rows, strict=strict, offered_tags=["tag:啰嗦"], batch=ITEMS)

    assert len(proposed.candidates) <= len(rows)
    assert not (strict and proposed.quarantined and proposed.candidates)


@given(raw=st.binary(max_size=60), strict=st.booleans())
def test_any_bytes_never_raise(raw: bytes, strict: bool) -> None:
    proposed = read_claims(raw, source="s", items=lambda _: (), known=lambda _: (), strict=strict)

    assert proposed.problems
    assert proposed.candidates == []

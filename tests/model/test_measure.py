"""Tests of the retrieval measures, with values worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.model.measure import (
    CUTOFFS,
    Sample,
    group_by_category,
    measure,
    percentile,
    summarise,
)

NUMBERS = [f"t{number}" for number in range(1, 31)]


@pytest.mark.parametrize(
    ("ranked", "evidence", "expected"),
    [
        (["a"], ["a"], {"recall@5": 1, "any@5": 1, "all@5": 1, "mrr": 1, "ndcg@10": 1}),
        (["x", "a"], ["a"], {"recall@5": 1, "mrr": 0.5, "ndcg@10": 1 / math.log2(3)}),
        ([], ["a"], {"recall@5": 0, "any@20": 0, "all@20": 0, "mrr": 0, "ndcg@10": 0}),
        (["x", "y"], ["a"], {"recall@20": 0, "mrr": 0, "ndcg@10": 0}),
        (
            ["a", "x", "b"],
            ["a", "b"],
            {"recall@5": 1, "all@5": 1, "mrr": 1, "ndcg@10": 1.5 / (1 + 1 / math.log2(3))},
        ),
        (["a", "x"], ["a", "b"], {"recall@5": 0.5, "any@5": 1, "all@5": 0, "mrr": 1}),
        (NUMBERS, ["t6"], {"recall@5": 0, "recall@10": 1, "mrr": 1 / 6}),
        (NUMBERS, ["t5"], {"recall@5": 1, "all@5": 1}),
        (NUMBERS, ["t10"], {"ndcg@10": 1 / math.log2(11)}),
        (NUMBERS, ["t11"], {"recall@10": 0, "recall@20": 1, "ndcg@10": 0, "mrr": 1 / 11}),
        (NUMBERS, ["t21"], {"recall@20": 0, "mrr": 1 / 21}),
        (NUMBERS, NUMBERS[:12], {"recall@10": 10 / 12, "all@10": 0, "all@20": 1, "ndcg@10": 1}),
        (["部署", "方案"], ["方案"], {"mrr": 0.5}),
    ],
)
def test_the_measures_are_those_worked_out_by_hand(
    ranked: list[str], evidence: list[str], expected: dict[str, float]
) -> None:
    values = measure("c", ranked, evidence).values

    assert {name: values[name] for name in expected} == pytest.approx(expected)


def test_equal_texts_count_once_at_their_best_rank() -> None:
    values = measure("c", ["x", "x", "x", "x", "x", "x", "a", "a"], ["a", "a"]).values

    assert values["recall@5"] == 1
    assert values["mrr"] == 0.5


RANKED = st.lists(st.sampled_from(NUMBERS), max_size=40)
EVIDENCE = st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=25)


@given(ranked=RANKED, evidence=EVIDENCE)
def test_every_measure_lies_between_none_and_all(ranked: list[str], evidence: list[str]) -> None:
    values = measure("c", ranked, evidence).values

    assert all(0 <= value <= 1 + 1e-12 for value in values.values())
    for cutoff in CUTOFFS:
        assert values[f"all@{cutoff}"] <= values[f"recall@{cutoff}"] <= values[f"any@{cutoff}"]
    assert values["recall@5"] <= values["recall@10"] <= values["recall@20"]


@given(evidence=st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=20), rest=RANKED)
def test_the_evidence_in_front_is_perfect(evidence: list[str], rest: list[str]) -> None:
    values = measure("c", [*evidence, *rest], evidence).values

    assert values["all@20"] == values["mrr"] == 1
    assert values["ndcg@10"] == pytest.approx(1)


def test_a_summary_averages_and_says_how_sure_it_is() -> None:
    samples = [Sample("c", {"mrr": value}) for value in (0.0, 1.0, 1.0, 0.0)]

    # The variance is 4 × 0.25 / 3, the half-width 1.96 × sqrt(variance / 4).
    assert summarise(samples) == {"n": 4, "mrr": 0.5, "half_width_95": {"mrr": 0.5658}}


def test_a_summary_of_one_sample_has_no_width() -> None:
    assert summarise([Sample("c", {"mrr": 0.25})]) == {
        "n": 1, "mrr": 0.25, "half_width_95": {"mrr": 0.0},
    }  # fmt: skip


def test_a_summary_of_nothing_is_empty() -> None:
    assert summarise([]) == {"n": 0, "half_width_95": {}}


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([1, 2, 3, 4], 0.5, 2),
        ([4, 3, 2, 1], 0.5, 2),
        ([1, 2, 3, 4], 0.51, 3),
        ([1, 2, 3, 4], 1, 4),
        ([1, 2, 3, 4], 0.25, 1),
        (list(range(1, 101)), 0.95, 95),
        (list(range(1, 101)), 0.99, 99),
        ([7], 0.99, 7),
        ([], 0.5, 0.0),
    ],
)
def test_a_percentile_is_the_value_of_the_nearest_rank(
    values: list[float], share: float, expected: float
) -> None:
    assert percentile(values, share) == expected


def test_the_percentile_of_no_share_is_the_smallest_value() -> None:
    assert percentile([1, 2, 3, 4], 0) == 1


def test_samples_are_grouped_by_category_in_order() -> None:
    samples = [Sample("temporal"), Sample("多跳"), Sample("single"), Sample("temporal")]

    groups = group_by_category(samples)

    assert list(groups) == ["single", "temporal", "多跳"]
    assert [len(group) for group in groups.values()] == [1, 2, 1]

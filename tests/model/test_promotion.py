"""When a candidate becomes a memory: the vectors of promotion, and what blocks it. No store."""

import pytest

from memorycore.model.promotion import Grave, Known, Observed, is_promoted, judge, revised

TEXT, OTHER = b"t" * 16, b"o" * 16


def seen(change: str, *, project: str = "A", ok: bool = True, at: int = 10) -> Observed:
    return Observed(project.encode(), change.encode(), ok, at)


def run(scope: str, *observed: Observed, text: bytes = TEXT) -> list[str]:
    """Let a candidate be observed again and again; give the results."""
    record: Known | None = None
    results = []
    for one in observed:
        known = [] if record is None else [record]
        verdict = judge(scope, text, one, known)
        results.append(verdict.result)
        if not verdict.is_kept:
            continue
        before = () if record is None else record.observed
        state = "proven" if verdict.result == "candidate-promoted" else "trial"
        state = record.state if record is not None and record.state == "proven" else state
        record = Known(1, text, "inferred", state, (*before, one))
    return results


def test_within_a_project_two_changes_promote() -> None:
    results = run("project", seen("c1"), seen("c1"), seen("c2", ok=False), seen("c2"), seen("c3"))
    assert results == [
        "candidate-created", "deduplicated", "ignored", "candidate-promoted", "deduplicated",
    ]  # fmt: skip


def test_beyond_projects_two_projects_promote_and_two_changes_of_one_do_not() -> None:
    results = run("global", seen("c1"), seen("c2"), seen("c9", project="B"))
    assert results == ["candidate-created", "deduplicated", "candidate-promoted"]


def test_no_number_of_failures_promotes() -> None:
    failures = [seen(f"c{number}", ok=False) for number in range(10)]
    assert set(run("project", *failures)) == {"ignored"}
    assert not is_promoted("project", [seen("c1"), *failures])


@pytest.mark.parametrize(
    ("grave", "result"),
    [
        (Grave(5, True), "ignored"),
        (Grave(10, False), "ignored"),
        (Grave(9, False), "candidate-created"),
    ],
)
def test_a_removal_turns_away_for_good_or_what_was_before_it(grave: Grave, result: str) -> None:
    assert judge("project", TEXT, seen("c3"), [], [grave]).result == result


def test_a_pause_turns_everything_inferred_away() -> None:
    verdict = judge("project", TEXT, seen("c1"), [], is_paused=True)
    assert (verdict.result, verdict.reason, verdict.is_kept) == ("ignored", "paused", False)


def test_two_inferred_texts_of_one_identity_dispute_each_other() -> None:
    known = Known(1, TEXT, "inferred", "proven", (seen("c1"), seen("c2")))
    verdict = judge("project", OTHER, seen("c3"), [known])
    assert (verdict.result, verdict.reason, verdict.disputed) == ("ignored", "conflict", (1,))


def test_a_pending_conflict_blocks_promotion() -> None:
    known = Known(1, TEXT, "inferred", "conflict", (seen("c1"),))
    verdict = judge("project", TEXT, seen("c2"), [known])
    assert (verdict.result, verdict.is_kept) == ("ignored", False)


@pytest.mark.parametrize(("text", "reason"), [(TEXT, "explicit"), (OTHER, "conflict")])
def test_beside_an_explicit_memory_equal_words_add_a_source_and_others_conflict(
    text: bytes, reason: str
) -> None:
    known = Known(1, TEXT, "explicit", "proven")
    verdict = judge("project", text, seen("c1"), [known])
    assert (verdict.reason, verdict.disputed, verdict.is_kept) == (reason, (), True)


def test_what_is_superseded_is_as_if_it_were_not_there() -> None:
    known = Known(1, OTHER, "explicit", "superseded")
    assert judge("project", TEXT, seen("c1"), [known]).result == "candidate-created"


@pytest.mark.parametrize(
    ("outcomes", "state", "then"),
    [
        (["overridden"], "proven", "superseded"),
        (["corrected"], "trial", "superseded"),
        (["used-successfully", "contributed-to-failure"], "proven", "superseded"),
        (["used-successfully"], "trial", "proven"),
        (["ignored"], "trial", "trial"),
        (["ignored"], "proven", "proven"),
    ],
)
def test_uses_let_a_memory_go_or_hold(outcomes: list[str], state: str, then: str) -> None:
    assert revised(outcomes, state) == then

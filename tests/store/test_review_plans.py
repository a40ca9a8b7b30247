"""What reviews ask often is found by indexes."""

from typing import Any

import apsw
import pytest

from memorycore.store import review_erase, review_marks, review_queue, review_records
from memorycore.store.connection import number_list

MARK = b"m" * 16
PLANS = [
    (review_records, "SELECT_OF_IDENTITY", {"scope_id": 1, "identity": MARK},
     ["review_records USING INDEX review_records_of_identity (scope_id=? AND identity=?)"]),
    (review_records, "SELECT_OF_TEXT", {"scope_id": 1, "text": MARK},
     ["review_records USING INDEX review_records_of_text (scope_id=? AND text_mark=?)"]),
    (review_records, "SELECT_HIDDEN", {"scope_id": 1, "identity": MARK, "text": MARK},
     ["r USING INDEX review_records_of_text (scope_id=? AND text_mark=?)",
      "f USING COVERING INDEX facts_hidden"]),
    (review_records, "SELECT_OF_FACTS", "numbers",
     ["review_records USING COVERING INDEX review_records_of_fact (fact_id=?)"]),
    (review_records, "SELECT_OBSERVATIONS", "numbers",
     ["review_observations USING INDEX review_observations_of_record (review_record_id=?)"]),
    (review_records, "SELECT_DOUBTED", "uids",
     ["episodes USING INDEX sqlite_autoindex_episodes_1 (uid=?)"]),
    (review_marks, "SELECT_REMOVALS", {"scope_id": 1, "identity": MARK},
     ["review_removals USING INDEX review_removals_of_identity (scope_id=? AND identity=?)"]),
    (review_marks, "IS_APPLIED", {"scope_id": 1, "fingerprint": MARK},
     ["review_applied USING COVERING INDEX review_applied_once (scope_id=? AND fingerprint=?)"]),
    (review_marks, "SELECT_PAUSES", "numbers",
     ["review_pauses USING COVERING INDEX review_pauses_once (scope_id=?)"]),
    (review_queue, "SELECT_TWIN", {"scope_id": 1, "fingerprint": MARK},
     ["review_queue USING INDEX review_queue_once (scope_id=? AND fingerprint=?)"]),
    (review_erase, "SELECT_OF_FACTS", {"f": "numbers"},
     ["review_records USING COVERING INDEX review_records_of_fact (fact_id=?)",
      "review_records USING COVERING INDEX review_records_correcting (corrects_id=?)"]),
]  # fmt: skip


@pytest.mark.parametrize(("module", "name", "bindings", "steps"), PLANS)
def test_a_question_of_reviews_uses_its_index(
    world: Any, module: Any, name: str, bindings: Any, steps: list[str]
) -> None:
    if bindings == "numbers":
        bindings = (number_list([1]),)
    elif bindings == "uids":
        bindings = (apsw.carray((MARK,)),)
    elif bindings == {"f": "numbers"}:
        bindings = {"f": number_list([1])}
    with world.store.read() as db:
        sql = "EXPLAIN QUERY PLAN " + getattr(module, name)
        taken = "\n".join(row[3] for row in db.execute(sql, bindings))
    assert not [step for step in steps if f"SEARCH {step}" not in taken], taken


def test_what_is_due_is_found_by_the_index_of_what_waits(world: Any) -> None:
    with world.store.read() as db:
        sql = "EXPLAIN QUERY PLAN " + review_queue.SELECT_DUE
        rows = db.execute(sql, {"scope_id": 1, "now": 1, "limit": 8})
        taken = "\n".join(row[3] for row in rows)
    assert "review_queue_waiting" in taken, taken

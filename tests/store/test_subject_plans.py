"""What belongs to a person is found by indexes; only words are looked for in every text."""

from typing import Any

import pytest

from memorycore.store import subjects
from memorycore.store.connection import number_list

SHOWN = ["v USING COVERING INDEX evidence_once (fact_id=?)",
         "v USING INDEX evidence_ended (fact_id=?)"]  # fmt: skip


@pytest.mark.parametrize(("name", "bindings", "steps"), [
    ("SELECT_FACTS", ("e",), [
        "f USING INDEX facts_once (subject_id=?)",
        "f USING INDEX facts_by_object (object_id=?)",
        "f USING INDEX facts_attributed (attributed_to=?)",
        "l USING INDEX links_of_entity (to_entity_id=?)",
        *SHOWN,
    ]),
    ("SELECT_FACTS_OF_SCOPE", {"scope_id": 1}, ["f USING INDEX facts_by_scope", *SHOWN]),
    ("SELECT_SAID", 1, ["e USING INDEX episodes_of_speaker (speaker_id=?)"]),
    ("COUNT_SAID", 1, ["e USING INDEX episodes_of_speaker (speaker_id=?)"]),
    ("SELECT_EVIDENCE", 1, [
        "evidence USING INDEX evidence_once (fact_id=?)",
        "evidence USING INDEX evidence_ended (fact_id=?)",
    ]),
    ("SELECT_WORDS", 1, ["f USING INDEX facts_by_scope", *SHOWN]),
    ("COUNT_CHARACTERS", 1, ["episode_texts USING INTEGER PRIMARY KEY"]),
])  # fmt: skip
def test_what_belongs_to_a_person_is_found_by_an_index(
    world: Any, name: str, bindings: Any, steps: list[str]
) -> None:
    if bindings == 1:
        bindings = (number_list([1]),)
    elif bindings == ("e",):
        bindings = {"e": number_list([1])}
    with world.store.read() as db:
        sql = "EXPLAIN QUERY PLAN " + getattr(subjects, name)
        taken = "\n".join(row[3] for row in db.execute(sql, bindings))

    assert not [step for step in steps if f"SEARCH {step}" not in taken], taken

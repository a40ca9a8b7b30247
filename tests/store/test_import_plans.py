"""What is asked of import jobs goes by indexes, however many items there are."""

from typing import Any

import pytest

from memorycore.store import (
    decided_links,
    harvests,
    import_items,
    import_jobs,
    import_reach,
    struck,
)

QUESTIONS = {
    "a page": (import_items.SELECT_PAGE, "sqlite_autoindex_import_items_1"),
    "what waits": (import_items.SELECT_WAITING, "import_items_waiting"),
    "what came before": (import_items.SELECT_KNOWN, "import_items_alike"),
    "what came earlier": (import_items.SELECT_EARLIER, "import_items_alike"),
    "what waits still": (import_items.COUNT_UNCONFIRMED, "import_items_waiting"),
    "a job by its id": (import_jobs.SELECT_BY_UID, "import_jobs"),
    "jobs of a scope": (import_jobs.SELECT_OF_SCOPES, "import_jobs_by_scope"),
    "a job by its operation": (import_jobs.SELECT_OF_OPERATION, "import_jobs_of_operation"),
    "jobs of episodes": (import_reach.SELECT_JOBS_OF_EPISODES, "import_jobs_of_episode"),
    "items of facts": (import_reach.SELECT_ITEMS_OF, "import_items_of_fact"),
    "words of a scope": (import_reach.SELECT_WORDS, "import_items_with_content"),
    "what was decided about a fact": (decided_links.SELECT_MARKS, "decided_links_back"),
    "all that was decided": (decided_links.SELECT_ABOUT, "decided_links_from"),
    "what is decided beside": (decided_links.SELECT_BESIDE, "decided_links_back"),
    "turns that are no documents": (harvests.SELECT_HEARD, "import_jobs_of_episode"),
    "documents that are struck": (struck.SELECT_DOCUMENTS, "import_jobs_of_episode"),
}


@pytest.mark.parametrize(("sql", "index"), QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_is_answered_by_an_index(world: Any, sql: str, index: str) -> None:
    with world.store.read() as db:
        given: Any = Nothing() if ":" in sql else (None,) * sql.count("?")
        plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}", given)]
    assert any(index in step for step in plan), plan
    assert not [one for one in plan if one.startswith(("SCAN import", "SCAN decided"))], plan


class Nothing(dict[str, Any]):
    """Stands in for any value: plans need none."""

    def __missing__(self, key: str) -> None:
        return None

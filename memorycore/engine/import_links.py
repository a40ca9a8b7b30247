"""Links between imported memories: made once all of them are there, whatever their order.

What they lead to may have come with the same import or with an earlier one.
"""

import json
from collections.abc import Callable

from memorycore.engine.workbench import Workbench
from memorycore.model.import_item import Noted
from memorycore.model.recollection import REF
from memorycore.store.connection import Connection
from memorycore.store.import_links import facts_by_ref, list_asking
from memorycore.store.links import link_facts

MAX_ASKING = 200_000
"""Facts of one import that may ask for links; the links of more are not made, and that is told."""


def defer_links(bench: Workbench) -> None:
    """Leave out, for now, the links that lead to other memories of an import.

    Their names need not be remembered either: they are looked up once all are there.
    """
    bench.asked_links = [one for one in bench.asked_links if not one[1].to.startswith(REF)]
    for ref in [ref for ref in bench.refs if ref.startswith(REF)]:
        del bench.refs[ref]


def make_links(
    db: Connection, job_id: int, scope_id: int, open_bench: Callable[[], Workbench]
) -> list[Noted]:
    """Make the links that the statements of a job ask for; tell how many lead to nothing.

    ``open_bench`` is called only if there are links to make.
    """
    asking = list_asking(db, job_id, limit=MAX_ASKING + 1)
    notes = []
    if len(asking) > MAX_ASKING:
        reason = f"more than {MAX_ASKING:,} memories ask for links; the others have none"
        notes.append(Noted("", "too_many_links", reason))
    wanted = [
        (fact_id, kind, to)
        for fact_id, links in asking[:MAX_ASKING]
        for kind, to in json.loads(links)
        if to.startswith(REF)
    ]
    found = facts_by_ref(db, scope_id, sorted({to for _, _, to in wanted}))
    pairs = [(kind, fact_id, found[to]) for fact_id, kind, to in wanted if to in found]
    notes += [
        Noted("", "link_target", "a link leads to a memory that is not there")
        for _, _, to in wanted
        if to not in found
    ]
    if pairs:
        bench = open_bench()
        for kind, fact_id, other in pairs:
            if fact_id != other:
                link_facts(db, kind, fact_id, other, recorded=bench.recorded)
    return notes

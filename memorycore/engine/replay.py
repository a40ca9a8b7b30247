"""Carry out again, in a copy of a store, what the store has forgotten since the copy was made.

What each forgetting covered is known by opaque ids; the copy says what they are there, and the one
planner follows them to all that derives from them, as it did the first time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memorycore.engine.forget import Order, forget
from memorycore.engine.forget_plan import count_reach
from memorycore.engine.reach import Target, reach_of
from memorycore.errors import CorruptStoreError
from memorycore.model.forgetting import Options
from memorycore.model.identity import IdSource, format_id
from memorycore.model.needles import Needles
from memorycore.store import erase, import_reach, repeats
from memorycore.store.connection import Connection
from memorycore.store.journal import last_numbers, trim_journal
from memorycore.store.operations import last_number
from memorycore.store.repeats import Overdue
from memorycore.store.review_erase import blank_packets, blank_records
from memorycore.store.scopes import keep_scope
from memorycore.store.suppressions import (
    end_key,
    find_key_check,
    insert_key_check,
    insert_suppressions,
)

UNSEEN = ("hidden", "forgotten", "purged")
"""The visibilities of what may not be seen."""
GONE = {
    "soft": (UNSEEN, UNSEEN),
    "hard": ((), ("forgotten",)),
    "redact": (("forgotten", "purged"), ("forgotten",)),
    "purge": (("purged",), ()),
}
"""For each level the visibilities in which it leaves episodes, and facts."""


@dataclass(slots=True)
class Replay:
    """What was carried out again, and the words to look for.

    ``moved`` are pairs of operations: the one of the first time, and the one that repeats it.
    """

    moved: list[tuple[int, int]] = field(default_factory=list)
    sought: dict[int, tuple[int, Needles]] = field(default_factory=dict)


def replay(
    db: Connection,
    today: Connection,
    overdue: Sequence[Overdue],
    *,
    actor: str,
    now: int,
    new_id: IdSource,
) -> Replay:
    """Carry forgettings out again in the transaction that is open on ``db``, the copy.

    Raises:
        CorruptStoreError: something that is forgotten today would be seen again even so.
    """
    done = Replay()
    for one in overdue:
        scope_id = keep_scope(db, one.scope)
        target = _target(db, today, one, scope_id)
        options = Options(one.reason, one.ticket, one.derived, suppress=False)
        reach = reach_of(db, target, one.level, derived=one.derived)
        order = Order(
            scope_id, one.scope, one.kind, one.level, reach, options, actor, now, new_id,
            count_reach(db, reach, one.level), repeats=format_id("rcpt", one.uid),
        )  # fmt: skip
        forgotten = forget(db, order, None)
        number = forgotten.receipt_id
        repeats.widen_erasures(db, number, one.uids or {})
        insert_suppressions(
            db, scope_id, one.prints, receipt_id=number, recorded=forgotten.operation.number,
            at=forgotten.operation.at, new_id=new_id,
        )  # fmt: skip
        done.moved.append((one.operation, forgotten.operation.number))
        if one.level != "soft":
            done.sought[number] = (scope_id, forgotten.needles)
    if done.sought:
        _, needles = done.sought[max(done.sought)]
        needles.add_texts(_clear_rest(db, today))
    _require_gone(db, today)
    return done


def _clear_rest(db: Connection, today: Connection) -> list[str]:
    """Clear what was never believed and is cleared today, whatever it rests on; give its texts."""
    cleared = repeats.cleared_since(db, today)
    before = last_numbers(db)
    erase.blank_candidates(db, cleared.candidates)
    erase.delete_candidates(db, cleared.deleted)
    erase.delete_changes(db, "candidate", [*cleared.candidates, *cleared.deleted])
    erase.blank_quarantined(db, cleared.lines)
    texts = list(cleared.texts)
    reviews = repeats.reviews_cleared(db, today)
    blank_records(db, reviews.reviews)
    blank_packets(db, reviews.packets)
    if repeats.has_table(today, "import_jobs"):
        jobs, items = import_reach.forgotten_since(db, today)
        texts += import_reach.texts_of(db, jobs, items)
        import_reach.blank_imports(db, jobs, items)
    trim_journal(db, before)
    return texts + reviews.texts


def follow_key(db: Connection, today: Connection) -> None:
    """Let the copy know the key of the fingerprints that is in use today, or that there is none."""
    if not repeats.has_table(today, "suppression_keys"):
        return
    check = find_key_check(today)
    if check != find_key_check(db):
        number = last_number(db)
        end_key(db, recorded=number)
        if check is not None:
            insert_key_check(db, check, recorded=number)


def _target(db: Connection, today: Connection, one: Overdue, scope_id: int) -> Target:
    """Find in the copy what a forgetting covered."""
    uids = one.uids
    if uids is None:
        uids = _gone_by_now(db, today, one)
    anchors = one.level == "purge"

    def numbers(record: str) -> tuple[int, ...]:
        asked = uids.get(record, ())
        return tuple(repeats.numbers_of(db, record, scope_id, asked, anchors=anchors))

    episodes, facts = numbers("episode"), numbers("fact")
    # Of a whole scope that is hidden the lines that were no candidates are too, whatever they say.
    is_whole = (
        (one.kind, one.level) == ("subject", "soft")
        and bool(episodes or facts)
        and repeats.is_all(db, "episode", scope_id, episodes)
        and repeats.is_all(db, "fact", scope_id, facts)
    )
    # Names go with what speaks of them; who only names somebody is compared one by one, after.
    return Target(one.kind, scope_id, episodes, facts, is_whole=is_whole)


def _gone_by_now(db: Connection, today: Connection, one: Overdue) -> dict[str, tuple[bytes, ...]]:
    """Tell what a forgetting of an older schema covered by what is no longer there today."""
    of_episodes, of_facts = GONE[one.level]
    episodes = repeats.ids_in_state(today, "episode", one.scope, of_episodes)
    facts = repeats.ids_in_state(today, "fact", one.scope, of_facts)
    if one.level == "purge":
        facts = repeats.facts_gone(db, today, one.scope)
    return {"episode": tuple(sorted(episodes)), "fact": tuple(sorted(facts))}


def _require_gone(db: Connection, today: Connection) -> None:
    """Check that what may not be seen today is not seen in the copy.

    Raises:
        CorruptStoreError: it is.
    """
    for record in ("episode", "fact"):
        unseen = repeats.ids_in_state(today, record, None, UNSEEN)
        left = repeats.count_seen(db, record, sorted(unseen))
        if left:
            raise CorruptStoreError(
                f"{left:,} records that are forgotten today would be seen again.",
                why="what the store says of its forgettings does not cover them",
                hint="--no-replay-forgets REASON puts the backup back as it is",
            )

"""Describe a forgetting before it happens: counts, what it takes to confirm, and its mark."""

import hashlib
from collections.abc import Sequence
from dataclasses import astuple

from memorycore.engine.forget_target import names_to_confirm
from memorycore.model.forgetting import ForgetPlan, Options, Reach
from memorycore.model.identity import format_id
from memorycore.store.backups import list_backups, unreached
from memorycore.store.connection import Connection
from memorycore.store.plans import StoredPlan, uid_of
from memorycore.store.reach import count_more, facts_resting

MAX_LISTED = 1000


def digest_of(db: Connection, reach: Reach, level: str, options: Options) -> bytes:
    """Give a mark of what a plan covers: it is another as soon as that is another.

    It is made of numbers, ids and codes only, so it tells nothing of what they stand for. The ids
    are among them since the number of a row that was purged can become another's.
    """
    mark = hashlib.sha256(repr((level, astuple(options), astuple(reach))).encode())
    for kind, numbers in (("fact", reach.facts), ("entity", reach.entities)):
        for number in numbers:
            mark.update(uid_of(db, kind, number) or b"")
    return mark.digest()


def count_reach(db: Connection, reach: Reach, level: str) -> dict[str, int]:
    """Count what a forgetting covers, by kind of record."""
    counts = {"episodes": len(reach.episodes), "facts": len(reach.facts)}
    if reach.jobs or reach.items:
        counts["import_items"] = len(reach.items)
        counts["imports"] = len(reach.jobs)
    if level == "soft":
        counts |= {"aliases": len(reach.aliases), "renamed": len(reach.renamed)}
    else:
        aliases, evidence = count_more(db, reach.episodes, reach.facts, reach.entities)
        counts |= {
            "candidates": len(reach.candidates),
            "entities": len(reach.entities),
            "aliases": aliases + len(reach.aliases),
            "renamed": len(reach.renamed),
            "evidence": evidence,
            "sessions": len(reach.sessions),
        }
    if reach.reviews or reach.packets:
        counts |= {"memories": len(reach.reviews), "packets": len(reach.packets)}
    return counts


def describe(db: Connection, plan: StoredPlan, reach: Reach) -> ForgetPlan:
    """Describe a plan for the person who is to confirm it."""
    plan_id = format_id("plan", plan.uid)
    names = names_to_confirm(db, plan.kind, plan.named, scope=plan.scope, plan=plan_id)
    baseless = _baseless(db, reach, plan.level)
    return ForgetPlan(
        plan_id,
        plan.level,
        plan.kind,
        plan.scope,
        names[0] if names else plan_id,
        count_reach(db, reach, plan.level),
        len(reach.thinned) - baseless,
        tuple(_ids(db, "fact", "fct", reach.mentions) + _ids(db, "episode", "ep", reach.quoted)),
        plan.options,
        plan.made_at,
        tuple(dict.fromkeys([*names, plan_id])),
        digest_of(db, reach, plan.level, plan.options) == plan.digest,
        () if plan.level == "soft" else unreached(list_backups(db)),
        baseless,
        len(reach.siblings),
        len(reach.joined),
    )


def _baseless(db: Connection, reach: Reach, level: str) -> int:
    """Count the facts that a redaction keeps with nothing to stand on."""
    if level != "redact" or not reach.thinned:
        return 0
    resting, _ = facts_resting(db, reach.episodes)
    return len(set(resting).intersection(reach.thinned))


def _ids(db: Connection, kind: str, prefix: str, numbers: Sequence[int]) -> list[str]:
    found = (uid_of(db, kind, number) for number in numbers[:MAX_LISTED])
    return [format_id(prefix, uid) for uid in found if uid is not None]

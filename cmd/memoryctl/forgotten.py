"""What the commands of forgetting print: plans, receipts, and what others say of a target."""

import shlex
from typing import Any

from memorycore import ForgetPlan, Receipt
from memoryctl.options import Settings
from memoryctl.output import Record, counted, one_line, write_answer, write_records

DONE = {
    "soft": "Hidden: {what}. It will not be searched, recalled or exported; its content stays.",
    "hard": "Forgotten: {what}. This cannot be undone.",
    "redact": "Redacted: {what}. This cannot be undone.",
    "purge": "Purged: {what}. This cannot be undone.",
}
NOUNS = {
    "episodes": "episode",
    "facts": "fact",
    "candidates": "candidate",
    "entities": "entity",
    "aliases": "alias",
    "renamed": "own name",
    "evidence": "piece of evidence",
    "sessions": "session name",
    "imports": "import job",
    "import_items": "imported record",
    "memories": "memory of reviews",
    "packets": "queued packet",
}
PLURALS = {"entity": "entities", "alias": "aliases", "piece of evidence": "pieces of evidence",
           "memory of reviews": "memories of reviews"}  # fmt: skip
PLANS = ("id", "level", "target", "scope", "confirm", "reason", "ticket", "made_at")
RECEIPTS = ("id", "level", "target", "scope", "reason", "ticket", "at", "operation")
MENTIONS = ("id", "text")


def _what(counts: Any) -> str:
    parts = []
    for name, noun in NOUNS.items():
        count = counts.get(name, 0)
        if count:
            plural = PLURALS.get(noun)
            parts.append(f"{count:,} {plural}" if plural and count > 1 else counted(count, noun))
    return ", ".join(parts) or "nothing"


def tell_plan(settings: Settings, plan: ForgetPlan, *, carry_out: bool = True) -> None:
    """Write a plan: what would go, what stays, and how to carry it out."""
    record = plan.to_dict()
    lines = "\n".join(_plan_lines(plan)) if not plan.is_empty else ""
    write_answer(settings, lines, [record], record, columns=PLANS)
    if plan.is_empty:
        settings.talk("There is nothing of that to forget; nothing was changed.")
    elif not plan.holds:
        settings.talk("What it covers has changed since: make the plan again.")
    elif carry_out:
        settings.talk("Nothing was changed. To carry it out:")
        name, scope = shlex.quote(plan.confirm), shlex.quote(plan.scope)
        settings.talk(f"memoryctl forget --apply {plan.id} --confirm {name} --scope {scope}")


def _plan_lines(plan: ForgetPlan) -> list[str]:
    by = "by" if plan.kind in ("query", "period") else "of one"
    lines = [
        f"{plan.id}   {plan.level} {by} {plan.kind} in {plan.scope}",
        f"  takes    {_what(plan.counts)}",
    ]
    if plan.siblings:
        lines += [
            f"           of them {counted(plan.siblings, 'fact')} only for the imported document "
            "they share;",
            "           they are not kept out: import it again for them, or take --level hard,",
            "           which strikes the one record alone",
        ]
    if plan.joined:
        told = counted(plan.joined, "fact")
        lines.append(f"           of them {told} joined with another that goes")
    if plan.rewritten:
        lines.append(f"  rewrites {counted(plan.rewritten, 'fact')} that keep other evidence")
    if plan.mentions:
        lines.append(
            f"  decide   {len(plan.mentions):,} of others name the target: "
            f"memoryctl forget show {plan.id} --decide"
        )
    if plan.level == "soft":
        return [*lines, "  keeps    all content; undo brings it back"]
    kept = ["a receipt without content"]
    if plan.options.suppress:
        kept.append("keyed fingerprints, so that it does not come in again")
    lines.append(f"  keeps    {', '.join(kept)}")
    if plan.baseless:
        lines += [
            f"           {counted(plan.baseless, 'fact')} with nothing left to rest on: not shown,",
            "           but the file holds what is said and named; --derived forget clears it too",
        ]
    return [*lines, *_not_reached(plan)]


def _not_reached(plan: ForgetPlan) -> list[str]:
    """Say what of a forgetting is out of reach: the copies that are known, and what may be."""
    known = plan.not_reached
    copies = "copies that were made otherwise"
    if known:
        newest = max(one.to_dict()["made"] for one in known)[:10]
        copies = f"{counted(len(known), 'backup')} (newest {newest}), other copies"
    return [
        "  not reachable from here",
        f"           {copies}, exports, and what was sent elsewhere",
    ]


def tell_receipt(settings: Settings, receipt: Receipt) -> None:
    """Write what was forgotten, how far the file is, and what comes next."""
    lines = [DONE[receipt.level].format(what=_what(receipt.counts))]
    if receipt.level != "soft":
        lines += phases_of(receipt)
    record = receipt.to_dict()
    write_answer(settings, "\n".join(lines), [record], record, columns=RECEIPTS)
    undo = f" · undo: memoryctl undo {receipt.operation}" if receipt.undoable else ""
    settings.talk(f"{receipt.id}{undo}")
    if receipt.phases["file"] is None and receipt.level != "soft":
        settings.talk("Finish when the other process has closed: memoryctl forget finish")


def phases_of(receipt: Receipt) -> list[str]:
    """Say in lines how far a forgetting has come."""
    shape = receipt.to_dict()["phases"]
    waiting = "waiting: another process reads or writes, or the disk is full"
    proof = receipt.verification
    lines = [f"  {name:<8}   done      {shape[name]}" for name in ("logical", "index")]
    lines.append(f"  file       {'done      ' + shape['file'] if shape['file'] else waiting}")
    if proof is None:
        lines.append("  verified   not yet")
    elif proof.kind == "rebuilt":
        state = "sound" if not proof.found else "NOT sound"
        lines.append(f"  verified   the whole file was written anew and is {state}")
    else:
        lines.append(
            f"  verified   {proof.found:,} found of {counted(proof.texts, 'text')} and "
            f"{counted(proof.words, 'rare word')} in the file, its log and its indexes"
        )
    return lines


def tell_receipts(settings: Settings, receipts: list[Receipt]) -> None:
    """Write receipts in the form that was asked for."""
    records: list[Record] = [receipt.to_dict() for receipt in receipts]
    document = {"schema": "memorycore.receipts.v1", "ok": True, "receipts": records}

    def cards() -> str:
        return "\n".join(line for receipt in receipts for line in card_of(receipt))

    write_records(settings, records, document, columns=RECEIPTS, cards=cards)


def card_of(receipt: Receipt) -> list[str]:
    """Say in lines what a receipt says."""
    first = f"{receipt.id}  {receipt.level} {receipt.kind}  {receipt.reason}"
    if receipt.ticket:
        first += f"  {receipt.ticket}"
    lines = [first, f"  took       {_what(receipt.counts)}"]
    if receipt.repeats:
        lines.append(f"  repeats    {receipt.repeats}, after a backup was put back")
    lines += phases_of(receipt) if receipt.level != "soft" else []
    if receipt.not_reached:
        left = sum(one.until is None for one in receipt.not_reached)
        lines.append(
            f"  not reached  {counted(left, 'backup')} from before it"
            if left
            else "  not reached  backups from before it, which have gone since"
        )
    return lines


def write_mentions(settings: Settings, mentions: list[Record]) -> None:
    """Write what others say of a target."""
    document = {"schema": "memorycore.mentions.v1", "ok": True, "mentions": mentions}
    write_records(
        settings,
        mentions,
        document,
        columns=MENTIONS,
        cards=lambda: "\n".join(f"{one['id']}  {one_line(one['text'])}" for one in mentions),
    )
    if mentions:
        settings.talk("They stay. To forget one: memoryctl forget ID --level soft|hard|redact")
    else:
        settings.talk("Nobody else names the target.")

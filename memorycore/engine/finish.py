"""Finish a forgetting: make the file forget too, and look whether it has.

Runs on a connection outside any transaction. Safe to repeat: what it writes are only receipts.
"""

from collections.abc import Mapping, Sequence

from memorycore.model.forgetting import Verification
from memorycore.model.identity import format_id
from memorycore.model.needles import Needles, tails
from memorycore.store import residue
from memorycore.store.connection import MEMORY, Connection, transaction, translated
from memorycore.store.receipts import append_entry, has_phase, receipt_uid
from memorycore.store.scan import scan_files

MAX_NEEDLES = 50_000
"""So many byte sequences are looked for at most; they lie evenly over what was forgotten."""


def finish(
    db: Connection, receipts: Sequence[int], sought: dict[int, tuple[int, Needles]], *, now: int
) -> bool:
    """Bring receipts to their end; tell whether that was possible.

    ``sought`` gives scope and words of the receipts whose words are still known. Of the others the
    whole file is written anew.
    """
    if not receipts:
        return True
    with translated(db):
        if not residue.truncate_log(db):
            return False
        unknown = [number for number in receipts if number not in sought]
        known = {number: sought[number] for number in receipts if number in sought}
        is_rebuilt = bool(unknown) or residue.needs_rebuild(db)
        if is_rebuilt and not _rebuild(db):
            return False
        sifted = _sift(db, known)
        if any(one.traces for one in sifted.values()):
            if not _rewrite_indexes(db):
                return False
            sifted = _sift(db, known)
        proofs = {number: _proof(db, known[number][1], sifted[number]) for number in known}
        if not is_rebuilt and any(proof.found for proof in proofs.values()):
            if not _rebuild(db):
                return False
            sifted = _sift(db, known)
            proofs = {number: _proof(db, known[number][1], sifted[number]) for number in known}
        for number in unknown:
            found = 0 if residue.is_sound(db) else 1
            proofs[number] = Verification("rebuilt", found=found)
    with transaction(db):
        if is_rebuilt:
            residue.note_rebuilt(db)
        for number in receipts:
            _note(db, number, proofs[number], now=now)
    with translated(db):
        residue.truncate_log(db)
    return True


def _rewrite_indexes(db: Connection) -> bool:
    with transaction(db):
        residue.rewrite_indexes(db)
    return residue.truncate_log(db)


def _rebuild(db: Connection) -> bool:
    residue.rebuild(db)
    return residue.truncate_log(db)


def _sift(db: Connection, known: Mapping[int, tuple[int, Needles]]) -> dict[int, residue.Sifted]:
    return {
        number: residue.sift_words(db, scope_id, needles.words())
        for number, (scope_id, needles) in known.items()
    }


def _note(db: Connection, number: int, proof: Verification, *, now: int) -> None:
    receipt = format_id("rcpt", receipt_uid(db, number))
    if not has_phase(db, number, "file"):
        append_entry(db, number, "file", {"receipt": receipt, "at": now})
    body = proof.to_dict() | {"receipt": receipt, "at": now}
    append_entry(db, number, "verified", body)


def _proof(db: Connection, needles: Needles, sifted: residue.Sifted) -> Verification:
    """Look for the texts and rare words of a forgetting in the file and its log."""
    rare, terms, traces = sifted.rare, sifted.terms, sifted.traces
    pieces = _evenly(needles.pieces(), MAX_NEEDLES)
    sought = list(dict.fromkeys([*pieces, *tails(rare)]))
    if db.path == MEMORY:
        return Verification("memory", len(needles.texts), len(rare), terms, len(traces))
    scan = scan_files(db.path, sought)
    left = [place for place in scan.found if not residue.is_kept(db, sought[place])]
    return Verification(
        "bytes",
        len(needles.texts),
        len(rare),
        terms,
        len(left) + len(traces),
        scan.bytes_searched,
    )


def _evenly(items: list[bytes], most: int) -> list[bytes]:
    if len(items) <= most:
        return items
    step = len(items) / most
    return [items[int(place * step)] for place in range(most)]

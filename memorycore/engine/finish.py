"""Finish a forgetting: make the file forget too, and look whether it has.

Runs on a connection outside any transaction. Safe to repeat: what it writes are only receipts.
"""

from collections.abc import Callable, Mapping, Sequence

from memorycore.model.forgetting import Verification
from memorycore.model.identity import format_id
from memorycore.model.needles import Needles, tails
from memorycore.store import residue
from memorycore.store.connection import MEMORY, Connection, transaction, translated
from memorycore.store.receipts import append_entry, has_phase, receipt_uid
from memorycore.store.scan import Scan, scan_files

Known = Mapping[int, tuple[int, Needles]]
"""Scope and words of each receipt whose words are still known."""
MAX_NEEDLES = 50_000
"""So many byte sequences are looked for at most; they lie evenly over what was forgotten."""


def finish(
    db: Connection,
    receipts: Sequence[int],
    sought: dict[int, tuple[int, Needles]],
    *,
    clock: Callable[[], int],
) -> bool:
    """Bring receipts to their end; tell whether that was possible.

    ``sought`` gives scope and words of the receipts whose words are still known. Of the others the
    whole file is written anew. ``clock`` is asked when it is done: others may have to end first.
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
        sifted = _clean_indexes(db, known)
        if sifted is None:
            return False
        proofs = _prove(db, known, sifted)
        if not is_rebuilt and any(proof.found for proof in proofs.values()):
            if not _rebuild(db):
                return False
            proofs = _prove(db, known, _sift(db, known))
        for number in unknown:
            found = 0 if residue.is_sound(db) else 1
            proofs[number] = Verification("rebuilt", found=found)
    now = clock()
    with transaction(db):
        if is_rebuilt:
            residue.note_rebuilt(db)
        for number in receipts:
            _note(db, number, proofs[number], now=now)
    with translated(db):
        residue.truncate_log(db)
    return True


def _clean_indexes(db: Connection, known: Known) -> dict[int, residue.Sifted] | None:
    """Take from the indexes what they keep of words that are gone; ``None`` while others read.

    First only where pages are found by such a word; what is left then goes as they are written
    anew.
    """
    sifted = _sift(db, known)
    for is_last in (False, True):
        if not any(one.traces for one in sifted.values()):
            break
        with transaction(db):
            if is_last:
                residue.rewrite_indexes(db)
            else:
                traced = [(known[number][0], one.traces) for number, one in sifted.items()]
                residue.move_edges(db, traced)
        if not residue.truncate_log(db):
            return None
        sifted = _sift(db, known)
    return sifted


def _rebuild(db: Connection) -> bool:
    residue.rebuild(db)
    return residue.truncate_log(db)


def _sift(db: Connection, known: Known) -> dict[int, residue.Sifted]:
    if not known:
        return {}
    sought = [(scope_id, needles.words()) for scope_id, needles in known.values()]
    return dict(zip(known, residue.sift_words(db, sought), strict=True))


def _note(db: Connection, number: int, proof: Verification, *, now: int) -> None:
    receipt = format_id("rcpt", receipt_uid(db, number))
    if not has_phase(db, number, "file"):
        append_entry(db, number, "file", {"receipt": receipt, "at": now})
    body = proof.to_dict() | {"receipt": receipt, "at": now}
    append_entry(db, number, "verified", body)


def _prove(
    db: Connection, known: Known, sifted: Mapping[int, residue.Sifted]
) -> dict[int, Verification]:
    """Look for the texts and rare words of forgettings in the file and its log, as one search."""
    sought = {number: _sequences(known[number][1], sifted[number]) for number in known}
    proofs: dict[int, Verification] = {}
    for numbers in _batches(sought):
        needles = list(dict.fromkeys(one for number in numbers for one in sought[number]))
        has_file = bool(needles) and db.path != MEMORY
        scan = scan_files(db.path, needles) if has_file else Scan(0, ())
        found = {needles[place] for place in scan.found}
        left = {needle for needle in found if not residue.is_kept(db, needle)}
        for number in numbers:
            one = sifted[number]
            proofs[number] = Verification(
                "memory" if db.path == MEMORY else "bytes",
                len(known[number][1].texts),
                len(one.rare),
                one.terms,
                len(left.intersection(sought[number])) + len(one.traces),
                scan.bytes_searched,
            )
    return proofs


def _sequences(needles: Needles, sifted: residue.Sifted) -> list[bytes]:
    return list(dict.fromkeys([*_evenly(needles.pieces(), MAX_NEEDLES), *tails(sifted.rare)]))


def _batches(sought: Mapping[int, Sequence[bytes]]) -> list[list[int]]:
    """Put receipts together, so that a search has no more sequences than one alone may have."""
    batches: list[list[int]] = []
    room = 0
    for number, sequences in sought.items():
        if not batches or len(sequences) > room:
            batches.append([])
            room = MAX_NEEDLES
        batches[-1].append(number)
        room -= len(sequences)
    return batches


def _evenly(items: list[bytes], most: int) -> list[bytes]:
    if len(items) <= most:
        return items
    step = len(items) / most
    return [items[int(place * step)] for place in range(most)]

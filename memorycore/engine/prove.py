"""Prove that neither operations nor receipts were changed: walk through their chains."""

from memorycore.model.operation_chain import Checkpoint, LogProof, OperationFault
from memorycore.model.receipt_chain import START, ChainFault, ChainProof
from memorycore.store.connection import Connection
from memorycore.store.operations import walk_operations
from memorycore.store.receipts import first_bare_receipt, walk_chain


def check_receipts(db: Connection, known: ChainProof | None = None) -> ChainProof:
    """Go through the receipts; with ``known``, they must also begin as a copy of them does."""
    length, head = 0, START
    for entry, fault in walk_chain(db):
        if fault is not None:
            return ChainProof(length, head, fault)
        length, head = length + 1, entry.hash
        if known is not None and length == known.entries and head != known.head:
            other = ChainFault(entry.receipt, length, "the copy ends with another entry")
            return ChainProof(length - 1, entry.previous, other)
    if known is not None and length < known.entries:
        missing = ChainFault(None, length + 1, "the copy goes on, the store does not")
        return ChainProof(length, head, missing)
    return ChainProof(length, head, first_bare_receipt(db, after=length))


def check_log(db: Connection, known: Checkpoint | None = None) -> LogProof:
    """Go through operations and receipts; with ``known``, that operation must be among them."""
    receipts = check_receipts(db)
    count, last, is_met = 0, None, known is None
    for one, reason in walk_operations(db):
        if reason is not None:
            return LogProof(count, last, receipts, OperationFault(count + 1, one.operation, reason))
        count, last = count + 1, one
        is_met = is_met or one == known
    if known is not None and not is_met:
        fault = OperationFault(count, known.operation, "the checkpoint says another than it")
        return LogProof(count, last, receipts, fault)
    return LogProof(count, last, receipts)

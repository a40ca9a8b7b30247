"""The chain of operations: each holds the hash of the one before, and of the receipts until then.

Like the chain of receipts it has no key: whoever writes all of it anew can hide a change. A
checkpoint that is kept elsewhere shows that too.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from memorycore.errors import InvalidInputError
from memorycore.model.identity import format_id, parse_id_of
from memorycore.model.receipt_chain import ChainProof, read_hash, write_hash

CHANGED = "it was changed after it was written, or the one before it was taken away"
NO_RECEIPT = "the receipts that it was written after are gone or changed"


def link(
    previous: bytes,
    number: int,
    uid: bytes,
    at: int,
    actor: str,
    kind: str,
    scope_id: int | None,
    undoes: int | None,
    receipts: bytes | None,
) -> bytes:
    """Give the hash of an operation: 32 bytes, made of all its fields and what came before it.

    ``receipts`` is the hash of the last entry of the receipts when it was written, if any.
    """
    held = None if receipts is None else receipts.hex()
    fields = [number, uid.hex(), at, actor, kind, scope_id, undoes, held]
    body = json.dumps(fields, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(previous + body.encode()).digest()


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where the chain stood once: an operation and its hash. It can be kept anywhere."""

    uid: bytes
    hash: bytes

    @property
    def operation(self) -> str:
        """The id of the operation."""
        return format_id("op", self.uid)

    def __str__(self) -> str:
        return f"{self.operation} {write_hash(self.hash)}"


def read_checkpoint(text: str) -> Checkpoint:
    """Read a checkpoint as it is written: the id of an operation, and its hash.

    Raises:
        InvalidInputError: it is none.
    """
    words = text.split()
    if len(words) != 2:
        raise InvalidInputError(
            "That is no checkpoint.", hint="one line of what memoryctl log verify has printed"
        )
    lowest, highest = parse_id_of("op", words[0])
    if lowest != highest:
        raise InvalidInputError(
            "The checkpoint names only a part of an id.", hint="the whole line as it was printed"
        )
    return Checkpoint(lowest, read_hash(words[1]))


@dataclass(frozen=True, slots=True)
class OperationFault:
    """The first operation that does not hold, by its place from 1, and why."""

    place: int
    operation: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class LogProof:
    """What became of a walk through both chains, of the operations and of the receipts.

    ``operations`` counts those that hold; ``last`` is where they end, and what to keep elsewhere.
    """

    operations: int
    last: Checkpoint | None
    receipts: ChainProof
    fault: OperationFault | None = None

    @property
    def holds(self) -> bool:
        """Whether nothing was changed."""
        return self.fault is None and self.receipts.fault is None

    def to_dict(self) -> dict[str, Any]:
        """Give it in the shape of ``memorycore.log_verify.v1``."""
        fault, last = self.fault, self.last
        return {
            "schema": "memorycore.log_verify.v1",
            "ok": self.holds,
            "operations": self.operations,
            "checkpoint": None if last is None else str(last),
            "fault": None
            if fault is None
            else {"place": fault.place, "operation": fault.operation, "reason": fault.reason},
            "receipts": self.receipts.to_dict(),
        }

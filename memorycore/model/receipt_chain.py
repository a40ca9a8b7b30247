"""The chain of receipts: each entry holds the hash of the one before, so a change shows.

The hashes have no key. Whoever can write the whole chain anew can hide a change in it; an exported
copy that is kept elsewhere shows that too.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from memorycore.errors import InvalidInputError

START = bytes(32)
"""What stands before the first entry of the chain."""
PHASES = ("logical", "file", "verified")
CHANGED = "it was changed after it was written"
OUT_OF_PLACE = "the entry before it is not the one that it was written after"


def write_body(body: dict[str, Any]) -> str:
    """Write an entry in the one form that is hashed."""
    return json.dumps(body, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def hash_entry(previous: bytes, phase: str, body: str) -> bytes:
    """Give the hash of an entry, which holds that of the one before."""
    return hashlib.sha256(previous + f"{phase}\n{body}".encode()).digest()


@dataclass(frozen=True, slots=True)
class ChainEntry:
    """One entry as it stands in the chain: what was done, or which phase has ended how.

    ``place`` counts from 1; ``body`` is in the form that is hashed.
    """

    place: int
    phase: str
    body: str
    previous: bytes
    hash: bytes

    @property
    def receipt(self) -> str | None:
        """The id of its receipt, if it names one."""
        held = json.loads(self.body)
        named = held.get("receipt") if isinstance(held, dict) else None
        return named if isinstance(named, str) else None

    def to_dict(self) -> dict[str, Any]:
        """Give the entry in the shape of ``memorycore.receipt_entry.v1``."""
        return {
            "schema": "memorycore.receipt_entry.v1",
            "entry": self.place,
            "phase": self.phase,
            "body": json.loads(self.body),
            "previous": write_hash(self.previous),
            "hash": write_hash(self.hash),
        }


@dataclass(frozen=True, slots=True)
class ChainFault:
    """The first entry of the chain that does not hold: of which receipt, and why."""

    receipt: str | None
    entry: int
    reason: str


@dataclass(frozen=True, slots=True)
class ChainProof:
    """What became of a walk through a chain: how many entries hold, the last hash, a fault."""

    entries: int
    head: bytes
    fault: ChainFault | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give it in the shape of ``memorycore.receipts_verify.v1``."""
        fault = self.fault
        return {
            "schema": "memorycore.receipts_verify.v1",
            "ok": fault is None,
            "entries": self.entries,
            "head": write_hash(self.head),
            "fault": None
            if fault is None
            else {"entry": fault.entry, "receipt": fault.receipt, "reason": fault.reason},
        }


def write_hash(value: bytes) -> str:
    """Write a hash with the name of how it is made."""
    return f"sha256:{value.hex()}"


def read_hash(text: str) -> bytes:
    """Read a hash as it is written.

    Raises:
        InvalidInputError: it is none.
    """
    name, colon, digits = text.partition(":")
    try:
        value = bytes.fromhex(digits)
    except ValueError:
        value = b""
    if name != "sha256" or not colon or len(value) != len(START):
        raise InvalidInputError("That is no hash.", hint="sha256: and 64 hexadecimal digits")
    return value


def fault_in(before: bytes, entry: ChainEntry) -> str | None:
    """Say what is wrong with an entry that stands after ``before``, if anything."""
    if entry.previous != before:
        return OUT_OF_PLACE
    if hash_entry(before, entry.phase, entry.body) != entry.hash:
        return CHANGED
    return None

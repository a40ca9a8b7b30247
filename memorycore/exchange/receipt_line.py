"""Receipts as they leave the store: one entry of their chain a line, and a line that ends it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorycore.errors import InvalidInputError
from memorycore.exchange.reading import describe
from memorycore.model.receipt_chain import ChainEntry, ChainProof, read_hash, write_body, write_hash

_STRICT = ConfigDict(strict=True, extra="forbid", frozen=True, populate_by_name=True)
END = "memorycore.receipts_end.v1"
Hash = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]


class ReceiptEntryLine(BaseModel):
    """One entry; its hash covers the one before, the phase and the body in canonical JSON."""

    model_config = _STRICT

    schema_: Literal["memorycore.receipt_entry.v1"] = Field(alias="schema")
    entry: Annotated[int, Field(ge=1)]
    phase: Literal["logical", "file", "verified"]
    body: dict[str, Any]
    previous: Hash
    hash: Hash


class ReceiptsEndLine(BaseModel):
    """The last line: how many entries there are, and the hash of the last. It shows a cut."""

    model_config = _STRICT

    schema_: Literal["memorycore.receipts_end.v1"] = Field(alias="schema")
    entries: Annotated[int, Field(ge=0)]
    head: Hash


def write_end(proof: ChainProof) -> dict[str, Any]:
    """Write the line that ends an exported chain."""
    return {"schema": END, "entries": proof.entries, "head": write_hash(proof.head)}


def read_receipt_line(record: Any) -> ChainEntry | ChainProof:
    """Read an entry of an exported chain, or the line that ends it.

    Raises:
        InvalidInputError: it is neither; the message says where, not what.
    """
    is_end = isinstance(record, dict) and record.get("schema") == END
    known = ReceiptsEndLine if is_end else ReceiptEntryLine
    try:
        line = known.model_validate(record)
    except ValidationError as error:
        names = [field.alias or name for name, field in known.model_fields.items()]
        raise InvalidInputError(describe(error, names)) from error
    if isinstance(line, ReceiptsEndLine):
        return ChainProof(line.entries, read_hash(line.head))
    assert isinstance(line, ReceiptEntryLine)
    return ChainEntry(
        line.entry,
        line.phase,
        write_body(line.body),
        read_hash(line.previous),
        read_hash(line.hash),
    )

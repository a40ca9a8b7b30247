"""What a handle can prove of forgetting: receipts and their chain; and what may not come back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memorycore.errors import InvalidInputError, NotFoundError
from memorycore.handle import Handle, relieved
from memorycore.model.forgetting import Receipt
from memorycore.model.given import require_limit
from memorycore.model.identity import parse_id, parse_id_of
from memorycore.model.operation_chain import LogProof, read_checkpoint
from memorycore.model.receipt_chain import ChainProof
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from os import PathLike

    from memorycore.model.operation import Operation
    from memorycore.store.connection import Connection
    from memorycore.store.suppressions import StoredSuppression

MAX_RECEIPTS = 10_000
PLACED = {"plan": "plan", "rcpt": "receipt", "sup": "suppression", "op": "operation"}
"""What can be found in any scope by its id, since it says nothing."""


@dataclass(frozen=True, slots=True)
class _Placed:
    uid: bytes
    scope: str


class Prover(Handle):
    """The use cases of receipts and suppressions."""

    def scope_of(self, id: str) -> str:  # noqa: A002
        """Name the scope of a plan, a receipt, a suppression or an operation, whichever it is.

        Raises:
            NotFoundError, AmbiguousIdError: there is none of that id, or there are several.
        """
        from memorycore.engine.look import one_of
        from memorycore.store.whereabouts import scopes_of_id

        prefix, lowest, highest = parse_id(id)
        if prefix not in PLACED:
            raise InvalidInputError(
                f"{id} is looked for in one scope only.", hint="say which: --scope S"
            )
        with self._store.read() as db:
            found = [_Placed(*row) for row in scopes_of_id(db, prefix, lowest, highest)]
        return one_of(found, PLACED[prefix], id, ["any scope"], prefix=prefix).scope

    def _names_of_scopes(self, db: "Connection", *, all_scopes: bool) -> Sequence[str]:
        from memorycore.store.scopes import list_scope_counts

        return [row[0] for row in list_scope_counts(db)] if all_scopes else self.scopes

    def _scope_to_forget(self, db: "Connection") -> int:
        scope_id = find_scope(db, self.scope)
        if scope_id is None:
            raise NotFoundError(
                f"There is nothing in {self.scope}.", hint="another --scope; memoryctl stats"
            )
        return scope_id

    def receipts(self, *, limit: int = MAX_RECEIPTS, all_scopes: bool = False) -> list[Receipt]:
        """List the receipts of this handle's scopes, or of all, newest first."""
        from memorycore.store.receipts import list_receipts

        with self._store.read() as db:
            names = self._names_of_scopes(db, all_scopes=all_scopes)
            return list_receipts(db, names, limit=require_limit(limit))

    def receipt(self, receipt: str, *, all_scopes: bool = False) -> Receipt:
        """Give a receipt by its id."""
        from memorycore.engine.look import one_of
        from memorycore.store.receipts import find_receipts

        with self._store.read() as db:
            names = self._names_of_scopes(db, all_scopes=all_scopes)
            found = find_receipts(db, names, *parse_id_of("rcpt", receipt))
            where = ["any scope"] if all_scopes else self.scopes
            return one_of(found, "receipt", receipt, where, prefix="rcpt")

    def receipt_chain(self) -> "list[dict[str, Any]]":
        """Give the chain of all receipts as records, one an entry, and one that ends it.

        It is one chain over all scopes. Its entries hold ids of receipts and operations, codes,
        actors, counts and times; no content, and no name of a scope.
        """
        from memorycore.port.receipt_files import chain_records
        from memorycore.store.receipts import walk_chain

        with self._store.read() as db:
            return list(chain_records(entry for entry, _ in walk_chain(db)))

    def verify_receipts(self, *, copy: "str | PathLike[str] | None" = None) -> ChainProof:
        """Go through the chain of all receipts; give its length and head, and a fault if any.

        With ``copy``, a file that was exported before, the chain must also begin as that says:
        then not even a chain that was written anew as a whole goes unnoticed.

        Raises:
            InvalidInputError: the copy cannot be read.
        """
        from memorycore.engine.prove import check_receipts

        known = None if copy is None else verify_receipt_file(copy)
        if known is not None and known.fault is not None:
            return known
        with self._store.read() as db:
            return check_receipts(db, known)

    def verify_log(self, *, checkpoint: str | None = None) -> LogProof:
        """Go through the chains of operations and receipts; name the first that was changed.

        With ``checkpoint``, what this gave before (``str(proof.last)``), the operation that it
        names must still be there with the same hash: then not even a log that was written anew as
        a whole, or cut off at its end, goes unnoticed.

        Raises:
            InvalidInputError: the checkpoint cannot be read.
        """
        from memorycore.engine.prove import check_log

        known = None if checkpoint is None else read_checkpoint(checkpoint)
        with self._store.read() as db:
            return check_log(db, known)

    def suppressions(
        self, *, after: int = 0, limit: int = 1000, all_scopes: bool = False
    ) -> "list[StoredSuppression]":
        """List what may not come back in this handle's scopes, by which forgetting, oldest first.

        None of it says what: there are only keyed fingerprints.
        """
        from memorycore.store.suppressions import list_suppressions

        with self._store.read() as db:
            names = self._names_of_scopes(db, all_scopes=all_scopes)
            found = (find_scope(db, name) for name in names)
            numbers = [number for number in found if number is not None]
            return list_suppressions(
                db, numbers, after=require_limit(after, "after"), limit=require_limit(limit)
            )

    def lift(self, what: str, *, dry_run: bool = False) -> "tuple[Operation, int]":
        """Let something come in again: all of a receipt, or one suppression by its id.

        It comes in under any of its names, and what was refused meanwhile is decided anew when it
        is proposed again. Gives the operation, which can be undone, and how many suppressions it
        has lifted.

        Raises:
            NotFoundError: nothing is suppressed under that id.
            InvalidInputError: it is the id of something else.
        """
        from memorycore.store.candidates import list_suppressed
        from memorycore.store.journal import close_rows
        from memorycore.store.suppressions import rows_of_entries

        with self._store.write(dry_run=dry_run) as db:
            scope_id = self._scope_to_forget(db)
            numbers = self._suppressed_under(db, scope_id, what)
            operation = self._record(db, "lift", scope_id=scope_id)
            close_rows(db, operation.number, "suppression", rows_of_entries(db, numbers))
            close_rows(db, operation.number, "candidate", list_suppressed(db, scope_id))
        return operation, len(numbers)

    def _suppressed_under(self, db: "Connection", scope_id: int, what: str) -> Sequence[int]:
        from memorycore.engine.look import one_of
        from memorycore.store.receipts import find_receipts
        from memorycore.store.suppressions import find_suppressions, suppressions_of_receipt

        if what.startswith("rcpt_"):
            found = find_receipts(db, [self.scope], *parse_id_of("rcpt", what))
            receipt = one_of(found, "receipt", what, [self.scope], prefix="rcpt")
            rows = suppressions_of_receipt(db, [scope_id], receipt.uid)
            if not rows:
                raise NotFoundError(
                    f"Nothing is kept from coming back under {what}.",
                    hint="memoryctl suppression list",
                )
            return [row.number for row in rows]
        rows = find_suppressions(db, [scope_id], *parse_id_of("sup", what))
        return [one_of(rows, "suppression", what, [self.scope], prefix="sup").number]

    @relieved
    def destroy_suppression_key(self) -> int:
        """Destroy the key of all fingerprints, and them; give how many there were.

        After that nothing that was forgotten is kept from coming in again, in any scope, and
        nothing that is left could tell what it was. This cannot be undone.
        """
        from memorycore.store.suppressions import count_suppressions, end_key

        with self._store.write() as db:
            count = count_suppressions(db)
            operation = self._record(db, "key")
            end_key(db, recorded=operation.number)
            self._store.destroy_suppression_key()
        return count


def verify_receipt_file(path: "str | PathLike[str]") -> ChainProof:
    """Go through a chain of receipts that was exported; no store is needed.

    Raises:
        InvalidInputError: the file cannot be read, or a line is no entry of a chain.
    """
    from memorycore.port.receipt_files import check_receipt_file

    return check_receipt_file(path)

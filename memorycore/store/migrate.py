"""Migrations: numbered SQL files, applied in one transaction under the write lock.

The lock comes first, so that processes that start together agree: one migrates, the others find it
done. ``user_version`` is the schema's number; ``schema_migrations`` remembers each file's hash.
"""

import hashlib
import re
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from memorycore.errors import CorruptStoreError, StorageError
from memorycore.store.connection import APPLICATION_ID, Connection
from memorycore.store.schema import refuse_newer, schema_version

CREATE_LEDGER = """
CREATE TABLE schema_migrations(
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL
) STRICT
"""
INSERT_LEDGER = (
    "INSERT INTO schema_migrations(number, name, sha256) VALUES(:number, :name, :sha256)"
)


@dataclass(frozen=True, slots=True)
class Migration:
    """One file of ``migrations/``."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def purpose(self) -> str:
        """What it does: what its file begins with, its first sentence."""
        lines = takewhile(lambda line: line.startswith("--"), self.sql.splitlines())
        told = " ".join(line.lstrip("- ") for line in lines)
        return re.split(r"\.(?:\s|$)", told, maxsplit=1)[0]


def load_migrations() -> list[Migration]:
    """Read the migrations: from inside the installed package, else from the checkout beside it."""
    package = Path(__file__).parent.parent
    for folder in (package / "migrations", package.parent / "migrations"):
        if folder.is_dir():
            return [
                Migration(int(file.name[:4]), file.stem, file.read_text("utf-8"))
                for file in sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))
            ]
    raise StorageError("The installation lacks its migrations.", hint="pip install -U memorycore")


def list_pending_migrations(found: int) -> list[Migration]:
    """List what brings a schema up to date, in order."""
    return [migration for migration in load_migrations() if migration.number > found]


def apply_migrations(db: Connection) -> int:
    """Bring the schema to the newest version inside the transaction that is open.

    Returns the version that was found. Nothing happens when it is the newest.
    """
    found = schema_version(db)
    refuse_newer(found)
    pending = list_pending_migrations(found)
    if found == 0:
        db.execute(CREATE_LEDGER)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}").fetchall()
    for migration in pending:
        db.execute(migration.sql).fetchall()
        db.execute(
            INSERT_LEDGER,
            {"number": migration.number, "name": migration.name, "sha256": migration.sha256},
        )
    if pending:
        if db.execute("PRAGMA foreign_key_check").fetchall():
            raise CorruptStoreError("The migration would leave links to nothing; it was not made.")
        db.execute(f"PRAGMA user_version = {pending[-1].number}").fetchall()
    return found

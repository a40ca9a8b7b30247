"""Stores to measure in, and the same rows put into plain SQLite to measure against."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw
from turns import drafts

from memorycore import Memory
from memorycore.model.draft import Draft
from memorycore.store.connection import Connection, open_connection, use_log
from memorycore.store.episode_rows import INSERT_EPISODE, INSERT_TEXT
from memorycore.store.migrate import apply_migrations
from memorycore.store.search_index import INSERT_DOCUMENT

NAMES = ("operations", "scopes", "sessions", "sources", "entities")
SELECT_EPISODES = """
SELECT episode_id, uid, scope_id, session_id, role, speaker_id, occurred_from, occurred_to,
  precision, zone, source_id, external_id, recorded, fingerprint
FROM episodes ORDER BY episode_id
"""
SELECT_TEXTS = "SELECT episode_id, text, meta FROM episode_texts ORDER BY episode_id"
SELECT_DOCUMENTS = "SELECT episode_id, body, ctx FROM episode_documents ORDER BY episode_id"

Row = tuple[object, ...]


class Workshop:
    """A folder for one run. Stores that several benchmarks read are built once.

    A folder that is given is kept, and the stores in it are used again.
    """

    def __init__(self, folder: str | None = None) -> None:
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix="memorycore-")
        self.folder = Path(folder or self._temporary.name)  # type: ignore[union-attr]
        self.folder.mkdir(parents=True, exist_ok=True)
        self._count = 0

    def fresh(self) -> str:
        """Name a file that is not there yet."""
        self._count += 1
        return str(self.folder / f"fresh-{os.getpid()}-{self._count}.db")

    def store(self, language: str, rows: int, *, scopes: int = 1) -> str:
        """Give a store of made-up turns to read from."""
        path = str(self.folder / f"{language}-{rows}-{scopes}.db")
        if not os.path.exists(path):
            fill(path + ".part", drafts(language, rows, scopes=scopes))
            os.replace(path + ".part.key", path + ".key")
            os.replace(path + ".part", path)
        return path

    def close(self) -> None:
        """Remove the folder unless it was given."""
        if self._temporary is not None:
            self._temporary.cleanup()


def fill(path: str, items: Iterable[Draft]) -> None:
    """Make a store and put turns into it."""
    with Memory.open(path) as memory:
        memory.add_many(items)


def remove(path: str) -> None:
    """Remove a store and the files beside it."""
    for end in ("", "-wal", "-shm", ".key"):
        if os.path.exists(path + end):
            os.remove(path + end)


@dataclass(frozen=True, slots=True)
class Rows:
    """All that a store holds, ready to be put into another file."""

    names: dict[str, list[Row]]
    episodes: list[Row]
    texts: list[Row]
    documents: list[Row]


def read_rows(path: str) -> Rows:
    """Read the rows of a store, those of its word index as they were put in."""
    with reading(path) as db:
        return Rows(
            {
                name: db.execute(f"SELECT {stored_columns(db, name)} FROM {name}").fetchall()
                for name in NAMES
            },
            db.execute(SELECT_EPISODES).fetchall(),
            db.execute(SELECT_TEXTS).fetchall(),
            db.execute(SELECT_DOCUMENTS).fetchall(),
        )


STORED_COLUMNS = """
SELECT group_concat(:prefix || name, ', ') FROM (
  SELECT name FROM pragma_table_xinfo(:table) WHERE hidden = 0 ORDER BY cid)
"""


def stored_columns(db: apsw.Connection, table: str, prefix: str = "") -> str:
    """List the columns of a table that are put in, as SQL; its digest is made from them."""
    return str(db.execute(STORED_COLUMNS, {"table": table, "prefix": prefix}).get)


@contextmanager
def reading(path: str) -> Iterator[apsw.Connection]:
    """Open a raw connection with a store's own settings."""
    db = open_connection(path, read_only=True, busy_timeout=1)
    try:
        yield db.raw
    finally:
        db.close()


def prepare_raw(path: str, names: dict[str, list[Row]]) -> Connection:
    """Make a file with the schema and the settings of a store, and the names that rows refer to."""
    db = open_connection(path, read_only=False, busy_timeout=1)
    use_log(db)
    db.execute("BEGIN IMMEDIATE")
    apply_migrations(db)
    db.execute("PRAGMA defer_foreign_keys = ON").fetchall()
    for name, rows in names.items():
        marks = ", ".join("?" * len(rows[0])) if rows else ""
        db.executemany(f"INSERT INTO {name} VALUES({marks})", rows)
    db.execute("COMMIT")
    return db


def insert_raw(db: Connection, rows: Rows) -> None:
    """Insert the rows in one transaction and close the file, with nothing around it."""
    raw = db.raw
    raw.execute("BEGIN IMMEDIATE")
    raw.executemany(INSERT_EPISODE, rows.episodes)
    raw.executemany(INSERT_TEXT, rows.texts)
    raw.executemany(INSERT_DOCUMENT, rows.documents)
    raw.execute("COMMIT")
    raw.close()

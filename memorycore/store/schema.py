"""The schema that a store has, and the one that this version knows."""

from memorycore.errors import NotAStoreError, SchemaTooNewError, SchemaTooOldError
from memorycore.store.connection import APPLICATION_ID, Connection, translated

NEWEST_SCHEMA = 9
"""The number of the newest file in ``migrations/``; a test compares the two."""

COUNT_TABLES = "SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"


def schema_version(db: Connection) -> int:
    """Give the schema's number: 0 for a file in which nothing has been created yet.

    Raises:
        NotAStoreError: the file is a database of something else.
    """
    with translated(db):
        version = int(db.execute("PRAGMA user_version").get)
        application = int(db.execute("PRAGMA application_id").get)
        is_other = bool(application or version or db.execute(COUNT_TABLES).get)
    if application == APPLICATION_ID:
        return version
    if is_other:
        raise NotAStoreError(
            f"{db.path} is a database, but not a memory store.",
            why="a store does not share its file with other tables",
            hint="give another place: --db FILE",
        )
    return 0


def require_schema(db: Connection) -> None:
    """Check that the store has just the schema that this version knows.

    Raises:
        SchemaTooNewError, SchemaTooOldError, NotAStoreError: it has not.
    """
    version = schema_version(db)
    refuse_newer(version)
    if version == 0:
        raise NotAStoreError(f"{db.path} is empty: no store yet.", hint="memoryctl init-db")
    if version < NEWEST_SCHEMA:
        raise SchemaTooOldError(
            f"This store is schema {version}; this memoryctl needs {NEWEST_SCHEMA}.",
            why="an older version has written it; it can be brought up to date",
            hint="memoryctl migrate",
        )


def refuse_newer(version: int) -> None:
    """Refuse a store that a newer version has written.

    Raises:
        SchemaTooNewError: it is one.
    """
    if version > NEWEST_SCHEMA:
        raise SchemaTooNewError(
            f"This store is schema {version}; this memoryctl knows {NEWEST_SCHEMA}. "
            "Nothing was opened for writing.",
            hint="pip install -U memorycore",
        )

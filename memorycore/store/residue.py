"""What may be left of a text after it was taken away, and how the file gets rid of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import apsw

from memorycore.model.word import scope_mark
from memorycore.store import reindexing
from memorycore.store.connection import Connection, transaction, unguarded_indexes

INDEXES = tuple(index.table for index in reindexing.INDEXES)


def truncate_log(db: Connection) -> bool:
    """Write the log into the file and empty it; tell whether no reader kept it from that."""
    row: Any = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not row[0]


NOTHING = {"rowid": 9223372036854775807, "body": "memorycore", "ctx": ""}
"""A document that is in an index for as long as it takes to write that anew."""


def rewrite_indexes(db: Connection) -> None:
    """Write the word indexes anew, inside a transaction.

    An index finds its pages by the beginning of the first word of each, and keeps that when the
    word itself is taken away. It is merged only with something new beside it.
    """
    for index in INDEXES:
        columns = f"{index}(rowid, body, ctx) VALUES(:rowid, :body, :ctx)"
        db.execute(f"INSERT INTO {columns}", NOTHING)
        db.execute(f"INSERT INTO {index}({index}) VALUES('optimize')")
        columns = f"{index}({index}, rowid, body, ctx) VALUES('delete', :rowid, :body, :ctx)"
        db.execute(f"INSERT INTO {columns}", NOTHING)


def rebuild(db: Connection) -> None:
    """Write the indexes and the whole file anew, so that nothing that is not stored is left.

    No transaction may be open: writing a file anew takes one of its own.
    """
    with transaction(db):
        rewrite_indexes(db)
    db.execute("VACUUM")


TERMS = """
CREATE VIRTUAL TABLE temp.sought USING fts5(body, tokenize = 'porter unicode61 remove_diacritics 2')
"""
TERM_TABLES = (
    "CREATE VIRTUAL TABLE temp.sought_terms USING fts5vocab(sought, row)",
    "CREATE VIRTUAL TABLE temp.episode_terms USING fts5vocab(main, episode_index, row)",
    "CREATE VIRTUAL TABLE temp.fact_terms USING fts5vocab(main, fact_index, row)",
)
DROP_TABLES = ("sought_terms", "sought", "episode_terms", "fact_terms")
INSERT_SOUGHT = "INSERT INTO temp.sought(rowid, body) VALUES(?, ?)"
SELECT_WORD_TERMS = "SELECT DISTINCT term FROM temp.sought_terms"
IN_VOCABULARY = """
SELECT EXISTS(SELECT 1 FROM temp.episode_terms WHERE term = :term)
  OR EXISTS(SELECT 1 FROM temp.fact_terms WHERE term = :term)
"""
MATCHES_EPISODE = "SELECT EXISTS(SELECT 1 FROM main.episode_index WHERE episode_index MATCH ?)"
MATCHES_FACT = "SELECT EXISTS(SELECT 1 FROM main.fact_index WHERE fact_index MATCH ?)"


IS_BEGUN = (
    "SELECT term FROM temp.episode_terms WHERE term >= ? LIMIT 1",
    "SELECT term FROM temp.fact_terms WHERE term >= ? LIMIT 1",
)
SELECT_EDGES = "SELECT CAST(term AS BLOB) FROM {index}_idx"
MAIN = b"0"
"""What FTS5 writes before each term of an index that has no other for prefixes."""
Edge = tuple[str, bytes]
"""An index, and by what it finds a page."""


@dataclass(frozen=True, slots=True)
class Sifted:
    """Words that were looked up in the vocabularies of the indexes.

    ``rare`` are those that no indexed row has any more, ``terms`` counts all that were looked up,
    and ``traces`` are those of which an index keeps something though no row has them.
    """

    rare: list[str]
    terms: int
    traces: list[str]


Sought = tuple[int, Sequence[str]]
"""A scope, and words of it."""


def sift_words(db: Connection, sought: Sequence[Sought]) -> list[Sifted]:
    """Look words up in the indexes' vocabularies, and among the edges of their pages."""
    with _vocabularies(db):
        edges = _read_edges(db)
        return [_sift(db, edges, scope_id, words) for scope_id, words in sought]


def _sift(
    db: Connection, edges: Sequence[set[bytes]], scope_id: int, words: Sequence[str]
) -> Sifted:
    rare: list[str] = []
    traces: list[str] = []
    for word in words:
        if _is_matched(db, scope_id, word):
            continue
        rare.append(word)
        terms = _terms_of(db, scope_id, word)
        if _is_traced(db, terms) or any(_stray_edges(db, edges, term) for term in terms):
            traces.append(word)
    return Sifted(rare, len(words), traces)


@contextmanager
def _vocabularies(db: Connection) -> Iterator[None]:
    try:
        db.execute(TERMS)
        for sql in TERM_TABLES:
            db.execute(sql)
        yield
    finally:
        for table in DROP_TABLES:
            db.execute(f"DROP TABLE IF EXISTS temp.{table}")


def _read_edges(db: Connection) -> list[set[bytes]]:
    return [
        {bytes(row[0]) for row in db.execute(SELECT_EDGES.format(index=index))} for index in INDEXES
    ]


def _is_matched(db: Connection, scope_id: int, word: str) -> bool:
    phrase = f'"{scope_mark(scope_id)}{word}"'
    return any(db.execute(sql, (phrase,)).get for sql in (MATCHES_EPISODE, MATCHES_FACT))


def _terms_of(db: Connection, scope_id: int, word: str) -> list[str]:
    db.execute("DELETE FROM temp.sought")
    db.execute(INSERT_SOUGHT, (1, scope_mark(scope_id) + word))
    return [row[0] for row in db.execute(SELECT_WORD_TERMS)]


def _is_traced(db: Connection, terms: Sequence[str]) -> bool:
    return bool(terms) and all(db.execute(IN_VOCABULARY, {"term": term}).get for term in terms)


def _stray_edges(db: Connection, edges: Sequence[set[bytes]], term: str) -> list[Edge]:
    """List by what beginnings of a term an index finds a page though no term of it has them."""
    data = term.encode()
    found: list[Edge] = []
    for index, known, sql in zip(INDEXES, edges, IS_BEGUN, strict=True):
        for end in range(1, len(data) + 1):
            if MAIN + data[:end] not in known:
                continue
            following: Any = db.execute(sql, (_least(data[:end]),)).get
            if following is None or not following.encode().startswith(data[:end]):
                found.append((index, MAIN + data[:end]))
    return found


SELECT_EDGE_PAGES = """
SELECT i.segid, d.block FROM {index}_idx i
JOIN {index}_data d ON d.id = (i.segid << 37) + (i.pgno >> 1)
WHERE i.term = ?
"""
MOVE_EDGE = "UPDATE OR IGNORE {index}_idx SET term = :first WHERE segid = :segment AND term = :edge"


def move_edges(db: Connection, sought: Sequence[Sought]) -> None:
    """Let the indexes find pages by the whole first word that these still have, in a transaction.

    An edge lies behind all words of the page before and not behind the first of its own, which
    that word itself does too. Where a page cannot be read in that way, its edge stays.
    """
    with _vocabularies(db):
        edges = _read_edges(db)
        stray = {
            edge
            for scope_id, words in sought
            for word in words
            for term in _terms_of(db, scope_id, word)
            for edge in _stray_edges(db, edges, term)
        }
    with unguarded_indexes(db):
        for index, edge in stray:
            pages: Any = db.execute(SELECT_EDGE_PAGES.format(index=index), (edge,)).fetchall()
            for segment, page in pages:
                first = _first_term(bytes(page))
                if first is not None and first > edge:
                    values = {"segment": segment, "edge": edge, "first": first}
                    db.execute(MOVE_EDGE.format(index=index), values)


def _first_term(page: bytes) -> bytes | None:
    """Read the first term of a page of an index: it is written there in full.

    Behind the page's content stand the places of its terms, the first from the page's begin.
    """
    content = int.from_bytes(page[2:4])
    at, _ = _number(page, content)
    if not 4 <= at < content:
        return None
    length, at = _number(page, at)
    return page[at : at + length] if at + length <= content else None


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Read a number of seven bits a byte, the high ones first; give what stands behind it too."""
    value = 0
    for place in range(at, min(at + 3, len(data))):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return 0, at


def _least(begin: bytes) -> str:
    """Give the least text that begins with some bytes, which may end inside a character."""
    for end in range(4):
        for next_ in (0x80, 0x90, 0xA0):
            whole = begin + bytes([next_, *[0x80] * 3])[:end]
            with suppress(UnicodeDecodeError):
                return whole.decode()
    raise AssertionError("terms are UTF-8")


WITHIN_VOCABULARY = """
SELECT EXISTS(SELECT 1 FROM temp.episode_terms WHERE instr(CAST(term AS BLOB), :needle))
  OR EXISTS(SELECT 1 FROM temp.fact_terms WHERE instr(CAST(term AS BLOB), :needle))
"""


def is_kept(db: Connection, needle: bytes) -> bool:
    """Tell whether a byte sequence stands in a row that is kept, or in a word that one has.

    Not every word is written in an index as in its text: an emoji has a name there. What an index
    keeps of words that no row has any more is looked for apart.
    """
    return _stands_in_row(db, needle) or _stands_in_term(db, needle)


def _stands_in_term(db: Connection, needle: bytes) -> bool:
    try:
        for sql in TERM_TABLES[1:]:
            db.execute(sql)
        return bool(db.execute(WITHIN_VOCABULARY, {"needle": needle}).get)
    finally:
        for table in DROP_TABLES[2:]:
            db.execute(f"DROP TABLE IF EXISTS temp.{table}")


MAY_QUOTE = (("quarantined", "reason"), ("quarantined", "place"))
"""Columns that could quote a text, and are no place where one may stand."""
OWN_TEXTS = (
    ("sqlite_schema", "sql"),
    ("sqlite_schema", "name"),
    *((f"{index}_config", "k") for index in INDEXES),
)
SELECT_COLUMNS = """
SELECT t.name, group_concat(c.name, ' ' ORDER BY c.cid)
FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c
WHERE t.schema = 'main' AND t.type = 'table' AND t.strict GROUP BY t.name
"""
IN_COLUMN = "SELECT EXISTS(SELECT 1 FROM {table} WHERE instr(CAST({value} AS BLOB), ?))"
AS_WRITTEN = """
CASE typeof({0}) WHEN 'text' THEN {0} WHEN 'null' THEN '' WHEN 'integer'
  THEN iif({0} IN (0, 1), '', char(1)) ELSE char(1) END
"""


def _stands_in_row(db: Connection, needle: bytes) -> bool:
    """Look in all rows as the file has them: one value right after the other.

    Among them are the words that the store itself writes: kinds, codes, the names in its schema.
    """
    tables: Any = db.execute(SELECT_COLUMNS).fetchall()
    rows = [(table, _as_written(table, columns.split())) for table, columns in tables]
    return any(
        db.execute(IN_COLUMN.format(table=table, value=value), (needle,)).get
        for table, value in (*OWN_TEXTS, *rows)
    )


def _as_written(table: str, columns: Sequence[str]) -> str:
    return " || ".join(
        "char(1)" if (table, column) in MAY_QUOTE else AS_WRITTEN.format(column)
        for column in columns
    )


NEEDS_REBUILD = "SELECT needs_rebuild FROM upkeep"
IS_REBUILT = "UPDATE upkeep SET needs_rebuild = 0"


def needs_rebuild(db: Connection) -> bool:
    """Tell whether the store has lived without the settings that leave nothing behind."""
    return bool(db.execute(NEEDS_REBUILD).get)


def note_rebuilt(db: Connection) -> None:
    """Note that the whole file was written anew."""
    db.execute(IS_REBUILT)


def is_sound(db: Connection) -> bool:
    """Check both word indexes and the free pages after a rebuild."""
    try:
        for index in INDEXES:
            db.execute(f"INSERT INTO {index}({index}) VALUES('integrity-check')")
    except apsw.CorruptError:
        return False
    return not db.execute("PRAGMA freelist_count").get

"""The room that pages leave unused, and single bits in it that nobody has written.

SQLite never reads that room, so no check of its own sees what becomes of it. It is zero, as what
is deleted there is overwritten, but for the gap in front of a page's cells, which keeps the places
of cells that are gone and whole runs of old bytes where pages were balanced, and for what stood
last in a list of free pages. A bit that stands
alone among zeros is neither: the medium has lost it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import apsw

from memorycore.store.connection import Connection, translated
from memorycore.store.copies import PAGES_AT_A_TIME, WHILE_COPYING

TREE_PAGES = {2: 12, 5: 12, 10: 8, 13: 8}
"""The kinds of pages of a tree, each with the length of its header."""
FILE_HEADER = 100
RESERVED = slice(72, 92)
SIDE = 32
"""So many zeros are on both sides of a bit in a gap: a piece of old bytes has others near it."""
Look = Callable[[bytes, int], None]

SELECT_TAILS = "SELECT pageno, unused FROM dbstat WHERE pagetype = 'overflow'"


def count_lone_bits(db: Connection) -> int:
    """Count the rooms of a store's pages in which nothing but a lone bit is set.

    The connection is within a transaction: the pages are those of one state, whoever writes.
    """
    with translated(db):
        rows: Any = db.execute(SELECT_TAILS)
        tails: dict[int, int] = dict(rows)
        size: Any = db.execute("PRAGMA page_size").get
        found: dict[int, int] = {}

        def look(page: bytes, offset: int) -> None:
            number = offset // size + 1
            if count := count_in_page(page, number=number, tail=tails.get(number)):
                found[number] = count  # the first page is written twice

        _each_page(db, look)
    return sum(found.values())


def count_in_page(page: bytes, *, number: int, tail: int | None = None) -> int:
    """Count the rooms of a page with a lone bit; ``tail`` is the length of an overflow page's."""
    if tail is not None:
        return _is_one_bit(page[len(page) - tail :])
    head = FILE_HEADER if number == 1 else 0
    if page[head] not in TREE_PAGES:
        listed = int.from_bytes(page[4:8])
        return _is_lone_behind(page[8 + 4 * listed :], step=4)
    cells = int.from_bytes(page[head + 3 : head + 5])
    low = head + TREE_PAGES[page[head]] + 2 * cells
    high = int.from_bytes(page[head + 5 : head + 7]) or 65_536
    found = _is_lone_behind(page[low:high], step=2) + sum(map(_is_one_bit, _freed(page, head)))
    return found + (_is_one_bit(page[RESERVED]) if head else 0)


def _freed(page: bytes, head: int) -> Iterator[bytes]:
    """Go through the pieces between cells that were given back, without their own two numbers."""
    at, last = int.from_bytes(page[head + 1 : head + 3]), 0
    while last < at <= len(page) - 4:
        yield page[at + 4 : at + int.from_bytes(page[at + 2 : at + 4])]
        at, last = int.from_bytes(page[at : at + 2]), at


def _is_one_bit(room: bytes) -> bool:
    return int.from_bytes(room).bit_count() == 1


def _is_lone_behind(gap: bytes, *, step: int) -> bool:
    """Tell whether a gap holds one bit alone, behind what a list that was longer has left there.

    Lists are of ``step`` bytes each: places of cells, or the numbers of free pages.
    """
    if gap.count(0) == len(gap):
        return False
    begin = 0
    while any(gap[begin : begin + step]):
        begin += step
    room = gap[begin:]
    if not _is_one_bit(room):
        return False
    return len(room.lstrip(b"\0")) > SIDE and len(room.rstrip(b"\0")) > SIDE


def _each_page(db: Connection, look: Look) -> None:
    """Show each page of the state that a connection reads, with where it begins, once.

    They are read through SQLite: a backup copies them as they are into a file that is not there.
    """
    nowhere = _Nowhere(look)
    try:
        copy = apsw.Connection("pages", vfs=nowhere.name)
        try:
            for name, value in WHILE_COPYING:
                copy.execute(f"PRAGMA {name} = {value}").fetchall()
            with copy.backup("main", db.raw, "main") as work:
                while not work.done:
                    work.step(PAGES_AT_A_TIME)
        finally:
            copy.close()
    finally:
        nowhere.unregister()


class _Nowhere(apsw.VFS):
    """A file system of one file that keeps nothing."""

    def __init__(self, look: Look) -> None:
        self.name = f"nowhere-{id(self)}"
        self.file = _Looked(look)
        super().__init__(self.name, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return self.file

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        return name

    def xAccess(self, pathname: str, flags: int) -> bool:  # noqa: N802
        return False


class _Looked(apsw.VFSFile):
    """A file that is not there: what is written to it is looked at."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.size = 0

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.size = max(self.size, offset + len(data))
        self.look(data, offset)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        return bytes(amount) if offset < self.size else b""

    def xFileSize(self) -> int:  # noqa: N802
        return self.size

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        pass

    def xSync(self, flags: int) -> None:  # noqa: N802
        pass

    def xLock(self, level: int) -> None:  # noqa: N802
        pass

    def xUnlock(self, level: int) -> None:  # noqa: N802
        pass

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, op: int, ptr: int) -> bool:  # noqa: N802
        return False

    def xSectorSize(self) -> int:  # noqa: N802
        return 0

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return 0

    def xClose(self) -> None:  # noqa: N802
        pass

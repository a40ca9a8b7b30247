"""A lone bit in unused room is told from what SQLite leaves there."""

import random

import pytest

from memorycore.store.connection import open_connection, snapshot, use_log
from memorycore.store.rooms import count_in_page, count_lone_bits

SIZE = 4096
LEAF = 13
WRITE = """
import random, sys, time
from memorycore.store.connection import open_connection
db, chance = open_connection(sys.argv[1], read_only=False, busy_timeout=10), random.Random(1)
print("ready", flush=True)
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    for _ in range(50):
        row = chance.randrange(2000)
        db.execute("REPLACE INTO t VALUES(?, ?)", (row, "x" * chance.randrange(9000)))
        db.execute("DELETE FROM t WHERE id = ?", (chance.randrange(2000),))
    db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
db.close()
"""


def page_of(*, cells=0, content=SIZE, freed=0, size=0, holds=None):
    """Make a leaf of a table; ``holds`` gives bytes by their place."""
    page = bytearray(SIZE)
    page[:8] = bytes([LEAF, *freed.to_bytes(2), *cells.to_bytes(2), *content.to_bytes(2), 0])
    if freed:
        page[freed : freed + 4] = bytes(2) + size.to_bytes(2)
    for at, data in (holds or {}).items():
        page[at : at + len(data)] = data
    return bytes(page)


@pytest.mark.parametrize("bit", range(8))
@pytest.mark.parametrize("at", [41, 1000, 4000])
def test_a_lone_bit_in_a_gap_is_told(at, bit):
    assert count_in_page(page_of(holds={at: bytes([1 << bit])}), number=2) == 1


@pytest.mark.parametrize(
    "holds",
    [
        {},
        {8: b"\x08\x00"},
        {8: b"\x0f\xe0\x08\x00"},
        {1000: b"\x16\x03\x2c\x03 an old cell"},
        {1000: b"\x03"},
        {1000: b"\x01", 2000: b"\x01"},
        {2999: b"\x20"},
    ],
    ids=["zero", "a place", "places", "old bytes", "a byte", "two bits", "the end of old bytes"],
)
def test_what_sqlite_leaves_in_a_gap_is_not_told(holds):
    assert count_in_page(page_of(content=3000, holds=holds), number=2) == 0


def test_a_lone_bit_behind_the_places_of_cells_that_are_gone_is_told():
    page = page_of(holds={8: b"\x0f\xe0\x0f\xc0\x0f\xa0", 2000: b"\x10"})
    assert count_in_page(page, number=2) == 1


def test_a_lone_bit_in_what_was_given_back_between_cells_is_told():
    page = page_of(content=3000, freed=3500, size=100, holds={3550: b"\x40"})
    assert count_in_page(page, number=2) == 1


def test_pieces_that_lead_in_a_circle_come_to_an_end():
    page = page_of(content=3000, freed=3500, size=100, holds={3500: b"\x0d\xac"})
    assert count_in_page(page, number=2) == 0


def test_a_lone_bit_in_a_free_page_and_behind_its_list_is_told():
    free = bytes(1000) + b"\x02" + bytes(SIZE - 1001)
    trunk = bytes(4) + (2).to_bytes(4) + b"\0\0\0\x09\0\0\0\x08" + free[16:]
    assert [count_in_page(page, number=9) for page in (free, trunk, bytes(SIZE))] == [1, 1, 0]


def test_a_free_page_that_left_the_list_is_no_lone_bit():
    numbers = b"".join(number.to_bytes(4) for number in (3, 0x88, 0x339, 0x28E, 0x80))
    trunk = bytes(4) + numbers + bytes(SIZE - 24)
    assert count_in_page(trunk, number=147) == 0
    assert count_in_page(trunk[:3000] + b"\x04" + trunk[3001:], number=147) == 1


def test_a_lone_bit_behind_the_end_of_a_long_text_is_told():
    page = bytes(4) + b"text" * 100 + bytes(3000) + b"\x01" + bytes(SIZE - 3405)
    assert count_in_page(page, number=9, tail=SIZE - 404) == 1
    assert count_in_page(page[:3404] + bytes(SIZE - 3404), number=9, tail=SIZE - 404) == 0


def test_a_lone_bit_in_the_reserved_bytes_of_the_first_page_is_told():
    page = bytearray(SIZE)
    page[100], page[105:107] = LEAF, SIZE.to_bytes(2)
    assert count_in_page(bytes(page), number=1) == 0
    page[80] = 4
    assert count_in_page(bytes(page), number=1) == 1


@pytest.fixture
def table(tmp_path):
    path = str(tmp_path / "some.db")
    db = open_connection(path, read_only=False, busy_timeout=10)
    use_log(db)
    db.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, x TEXT)").fetchall()
    chance = random.Random(2)
    rows = [(number, "x" * chance.randrange(9000)) for number in range(500)]
    db.executemany("INSERT INTO t VALUES(?, ?)", rows)
    yield db
    db.close()


def test_pages_are_those_of_one_state_while_another_process_writes(table, start_python):
    writer = start_python(WRITE, table.path, "3")
    assert writer.stdout.readline() == "ready\n"
    looks = 0
    while writer.poll() is None or not looks:
        with snapshot(table):
            assert count_lone_bits(table) == 0
        looks += 1
    assert writer.returncode == 0

"""Each row carries a digest of itself: what was changed behind the store's back is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.model.row_digest import digest
from memorycore.store.connection import open_connection
from memorycore.store.digests import FURTHER, MAIN, columns_of, count_changed

TABLES = MAIN | FURTHER


def test_a_digest_is_the_same_wherever_it_is_made():
    assert digest() == 1580606521
    assert digest(1, "喝茶 tea 🍵", None, b"\x00\xff", 0.1) == 1785356807


@given(st.binary(min_size=1, max_size=40), st.data())
def test_any_flipped_bit_gives_another_digest(value, data):
    at = data.draw(st.integers(0, len(value) * 8 - 1))
    flipped = bytearray(value)
    flipped[at // 8] ^= 1 << at % 8
    assert digest(7, value) != digest(7, bytes(flipped))


def test_values_that_look_alike_have_different_digests():
    alike = [(1, "1"), ("1", 1), (1, None), (None, 1), ("", None), (None, ""), ("1,", ""), (1.0, 1)]
    assert len({digest(*values) for values in alike}) == len(alike)


def test_every_table_with_a_digest_is_looked_at(world):
    found = world.rows(
        "SELECT t.name FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c "
        "WHERE c.name = 'digest' AND c.hidden = 3 AND t.schema = 'main'"
    )
    assert {name for (name,) in found} == set(TABLES)


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_digest_is_made_of_all_other_columns_of_its_table(world, table):
    with world.store.read() as db:
        columns = columns_of(db, table)
        [(sql,)] = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchall()
    made_of = sql.split("memory_digest(")[1].split(")")[0]
    assert " ".join(made_of.split()) == columns


def test_no_row_of_a_store_that_was_only_used_is_found(told_path):
    db = open_connection(told_path, read_only=True, busy_timeout=1)
    assert not any(count_changed(db, table) for table in TABLES)
    db.close()


def test_of_many_rows_the_newest_are_compared(told_path, raw):
    damage = raw(told_path)
    damage.create_scalar_function("memory_digest", lambda *_: 7, -1, deterministic=True)
    damage.execute("UPDATE facts SET importance = 0.4 WHERE fact_id = 1").fetchall()
    db = open_connection(told_path, read_only=True, busy_timeout=1)
    assert [count_changed(db, "facts", most=most) for most in (1, 3, 4, -1)] == [0, 0, 1, 1]
    db.close()

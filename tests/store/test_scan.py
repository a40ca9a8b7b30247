"""The search of a store's files finds what stands anywhere in them, over the ends of chunks too."""

import random

import pytest

from memorycore.store.scan import CHUNK_BYTES, scan_files, search

NEEDLES = [b"needle-number-one", b"number-one", b"another needle, of many"]


def made(tmp_path, size, at, needle):
    data = bytearray(random.Random(3).randbytes(size))
    data[at : at + len(needle)] = needle
    path = tmp_path / "some.db"
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize("needle", NEEDLES)
@pytest.mark.parametrize("before", [0, 1, 9, 17, 30])
def test_what_stands_over_the_end_of_a_chunk_is_found(tmp_path, needle, before):
    path = made(tmp_path, 2 * CHUNK_BYTES + 99, CHUNK_BYTES - before, needle)
    found = {NEEDLES[place] for place in search([path], NEEDLES).found}
    assert found == {one for one in NEEDLES if one in needle}


@pytest.mark.parametrize("many", [2, 100, 2000])
def test_what_stands_at_the_very_end_is_found_among_many(tmp_path, many):
    chance = random.Random(4)
    needles = [*(chance.randbytes(24) for _ in range(many)), NEEDLES[2]]
    path = made(tmp_path, CHUNK_BYTES + 500, CHUNK_BYTES + 500 - len(NEEDLES[2]), NEEDLES[2])
    assert search([path], needles).found == (many,)


def test_all_files_of_a_store_are_searched_by_a_process_of_its_own(tmp_path):
    path = made(tmp_path, 5000, 4000, NEEDLES[2])
    (tmp_path / "some.db-wal").write_bytes(b"x" * 30 + NEEDLES[0])
    scan = scan_files(path, NEEDLES)
    assert (scan.bytes_searched, scan.found) == (5047, (0, 1, 2))

"""Other tools can open a store: its schema needs nothing that only our SQLite has."""

import subprocess
import sys

READ = """
import sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
print(db.execute("SELECT count(*) FROM episodes").fetchone()[0])
print(db.execute("SELECT text FROM readable_episodes").fetchone()[0])
print(db.execute("SELECT count(*) FROM episode_index WHERE episode_index MATCH ?",
                 (chr(0xE001) + "喝茶",)).fetchone()[0])
"""


def test_the_standard_library_reads_a_closed_store(make_world, store_path):
    with make_world(store_path) as world:
        world.memory.add("likes tea 喝茶", session="s1")
    command = [sys.executable, "-c", READ, store_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["1", "likes tea 喝茶", "1"], done.stderr

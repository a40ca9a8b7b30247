"""Shared ground: clocks and ids that can be foretold, stores, processes, a scripted endpoint."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import apsw
import pytest

from memorycore import Memory
from memorycore.engine.upkeep import require_indexes
from memorycore.model.fact import Fact
from memorycore.open_store import OpenStore
from memorycore.store.connection import Connection, open_connection, transaction
from memorycore.store.fact_names import load_names

ROOT = Path(__file__).parent.parent
START = 1_735_689_600_000_000
"""2025-01-01T00:00:00Z"""


@dataclass
class SteppingClock:
    """A clock that moves on by ``step`` at each look; with 0 it stands still."""

    now: int = START
    step: int = 1_000_000

    def __call__(self) -> int:
        self.now += self.step
        return self.now


@dataclass
class CountingIds:
    """Ids that only count: they share all but their last characters."""

    last: int = 0

    def __call__(self, at: int) -> bytes:
        self.last += 1
        return self.last.to_bytes(16, "big")


@lru_cache(maxsize=16)
def _begun(now: int, step: int, last: int) -> OpenStore:
    """Make a store in memory, as every world begins whose clock and ids stand there."""
    told = {"clock": SteppingClock(now, step), "ids": CountingIds(last)}
    store = OpenStore(":memory:", read_only=False, wait=10.0, **told)
    store.create(time_zone="UTC", language="any")
    return store


@dataclass
class World:
    """A store with a handle on it, its clock and its ids."""

    path: str = ":memory:"
    scope: str = "user:ana"
    clock: SteppingClock = field(default_factory=SteppingClock)
    ids: CountingIds = field(default_factory=CountingIds)
    wait: float = 10.0
    origin: OpenStore | None = None

    def __post_init__(self) -> None:
        self.store = OpenStore(
            self.path, read_only=False, clock=self.clock, ids=self.ids, wait=self.wait
        )
        if self.path == ":memory:" and isinstance(self.ids, CountingIds):
            at = (self.clock.now, self.clock.step, self.ids.last)
            self._begin_like(self.origin or _begun(*at))
        else:
            self.store.create(time_zone="UTC", language="any")
        self.memory = Memory(self.store, scope=self.scope)

    def _begin_like(self, begun: OpenStore) -> None:
        """Take over a store that was just made: that is ten times faster than making it."""
        db = self.store._writer = self.store._connect(read_only=False)
        with db.raw.backup("main", begun._writer.raw, "main") as backup:
            backup.step()
        self.store._key = begun._key
        self.clock.now, self.ids.last = begun.clock.now, begun.new_id.last  # type: ignore

    def copy(self) -> "World":
        """Give another world that stands where this one does; both are in memory."""
        return World(scope=self.scope, origin=self.store)

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def rows(self, sql: str, bindings: object = None) -> list[tuple[object, ...]]:
        """Read with SQL of the test's own."""
        with self.store.read() as db:
            return db.execute(sql, bindings).fetchall()

    def write(self, sql: str, bindings: object = None) -> None:
        """Write with SQL of the test's own, past every rule but those of the schema."""
        with self.store.write() as db:
            db.execute(sql, bindings).fetchall()


@pytest.fixture(scope="session")
def make_world() -> Callable[..., World]:
    """Give the maker of worlds, for tests that need many."""
    return World


@pytest.fixture
def world() -> Iterator[World]:
    """Give a store in memory."""
    with World() as made:
        yield made


@pytest.fixture
def file_world(store_path: str) -> Iterator[World]:
    """Give a store in a file."""
    with World(store_path) as made:
        yield made


@pytest.fixture
def memory(world: World) -> Memory:
    """Give a handle on a store in memory, of scope ``user:ana``."""
    return world.memory


@pytest.fixture
def file_memory(file_world: World) -> Memory:
    """Give a handle on a store in a file, of scope ``user:ana``."""
    return file_world.memory


@pytest.fixture
def store_path(tmp_path: Path) -> str:
    """Name a file for a store that is not there yet."""
    return str(tmp_path / "memory.db")


@pytest.fixture(scope="session")
def dump() -> Callable[[Connection], list[object]]:
    """Give the function that reads the logical content of every table."""

    def read_all(db: Connection) -> list[object]:
        names = db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        ).fetchall()
        return [
            (name, sorted(map(repr, db.execute(f'SELECT * FROM "{name}"')))) for (name,) in names
        ]

    return read_all


@pytest.fixture
def raw() -> Iterator[Callable[..., apsw.Connection]]:
    """Give the maker of bare connections, as another program would have them."""
    made: list[apsw.Connection] = []

    def connect(path: str) -> apsw.Connection:
        made.append(apsw.Connection(path))
        return made[-1]

    yield connect
    for connection in made:
        connection.close()


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


@pytest.fixture(scope="session")
def run_python() -> Callable[..., str]:
    """Give the function that runs a script in a second process and gives what it printed."""

    def run(script: str, *arguments: str, timeout: float = 60, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            env=_environment(),
            capture_output=True,
            timeout=timeout,
            encoding="utf-8",
        )
        assert done.returncode == code, done.stderr
        return done.stdout

    return run


@pytest.fixture
def start_python() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Give the function that starts a script in a second process; all are stopped at the end."""
    started: list[subprocess.Popen[str]] = []

    def start(script: str, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            env=_environment(),
            encoding="utf-8",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


AT = "2025-03-03T09:00:00+00:00"
SELECT_LINKS = """
SELECT from_fact_id, to_fact_id FROM links
WHERE kind = ? AND recorded_to = 9223372036854775807 AND to_fact_id IS NOT NULL ORDER BY 1, 2
"""


@dataclass
class Story:
    """Sentences that are said, and what is learned from them, a line each.

    Decisions are told as kind and reason; facts as subject, predicate and object, in order.
    """

    memory: Memory
    told: int = 0

    def say(self, text: str, at: str | None = AT, **fields: Any) -> str:
        """Keep a sentence, in a session of its own unless one is named; give its external id."""
        self.told += 1
        key = f"e{self.told}"
        fields = {"speaker": "Nell", "session": f"s{self.told}", "external_id": key} | fields
        return str(self.memory.add(text, at=at, **fields).external_id)

    def learn(self, *items: dict[str, Any], **settings: Any) -> list[str]:
        """Learn candidates; give what was decided of each."""
        outcomes = self.memory.learn(items, **settings).outcomes
        return [f"{one.decision.kind} {one.decision.reason}" for one in outcomes]

    def tell(
        self, text: str, predicate: str, said: object, at: str | None = AT, **fields: Any
    ) -> str:
        """Say a sentence and learn from it; give the decision.

        Fields that an episode has go to the sentence, the others to the candidate.
        """
        spoken = {
            name: fields.pop(name) for name in ("role", "speaker", "session") if name in fields
        }
        proposer = fields.pop("proposer", "file")
        key = self.say(text, at, **spoken)
        item = {"predicate": predicate, "object": said, "external_id": key, "quote": text} | fields
        return self.learn(
            {name: item[name] for name in item if item[name] is not None}, proposer=proposer
        )[0]

    def now(self, **wanted: Any) -> list[str]:
        """List the facts that hold, each in one line."""
        return sorted(fact.text for fact in self.memory.facts(**wanted))

    def on(self, day: str, **wanted: Any) -> list[str]:
        """List the facts that held at a time."""
        return self.now(as_of=day, **wanted)

    def fact(self, text: str, **wanted: Any) -> Fact:
        """Give the one fact that says just this, whatever its time and state."""
        states = {"past", "upcoming", "invalid", "consolidated"}
        wanted = {"include": states} | wanted
        [found] = {one.id: one for one in self.memory.facts(**wanted) if one.text == text}.values()
        return found

    def links(self, kind: str) -> list[tuple[str, str]]:
        """List the links of a kind that stand, from the text of one fact to that of another."""
        with self.memory._store.read() as db:
            rows = db.execute(SELECT_LINKS, (kind,)).fetchall()
            names = load_names(db, sorted({number for row in rows for number in row}))
        return [(names[one][1], names[other][1]) for one, other in rows]


@pytest.fixture
def make_story() -> Iterator[Callable[[], Story]]:
    """Give the maker of stories, each in a store in memory, told from 2026 on."""
    made: list[World] = []

    def begin() -> Story:
        made.append(World(clock=SteppingClock(START + 365 * 86_400_000_000)))
        return Story(made[-1].memory)

    yield begin
    for world in made:
        world.store.close()


@pytest.fixture
def story(make_story: Callable[[], Story]) -> Story:
    """Give a story."""
    return make_story()


Script = Callable[[Any, dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    """Hands each request over to the script of its server."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        request = json.loads(self.rfile.read(length))
        self.close_connection = True
        try:
            self.server.script(self, request)  # type: ignore[attr-defined]
        except OSError:
            return  # the client has gone, as it should

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""

    def answer(self, body: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in ({"content-length": str(len(raw))} | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def say(self, text: str, reason: str = "stop") -> None:
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": reason}
        self.answer({"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 1}})


class Server(ThreadingHTTPServer):
    """A server whose threads end with it."""

    daemon_threads = True
    script: Script

    def handle_error(self, *_: Any) -> None:
        """Let a client that has gone go."""


@pytest.fixture
def serve() -> Iterator[Callable[[Script], str]]:
    """Give the function that starts a server with a script; it gives the address."""
    servers: list[Server] = []

    def start(script: Script) -> str:
        server = Server(("127.0.0.1", 0), Handler)
        server.script = script
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/v1"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


SELECT_COUNTS = """
SELECT (SELECT coalesce(sum(indexed_episodes), 0) FROM scopes), count(*) FROM episodes
WHERE withdrawn IS NULL AND visibility = 'visible'
"""


@pytest.fixture
def assert_sound() -> Callable[[str], None]:
    """Give the function that checks a store's file, its links, both word indexes and counts."""

    def check(path: str) -> None:
        db = open_connection(path, read_only=False, busy_timeout=10)
        with transaction(db):
            require_indexes(db)
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert len(set(db.execute(SELECT_COUNTS).fetchone())) == 1
        db.close()

    return check

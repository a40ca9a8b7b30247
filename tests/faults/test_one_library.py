"""Nothing in a process opens a live store's files but apsw: all others would drop its locks.

Python tells an audit hook of every ``open`` and ``sqlite3.connect``; apsw's own calls are not seen.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import click
import pytest

from memoryctl.tree import cli

WATCH = """
import sys, os, json
from pathlib import Path
path = os.path.realpath(sys.argv[1])
live = {path + suffix for suffix in ("", "-wal", "-shm", "-journal")}
seen = []
def watch(event, arguments):
    if event in ("open", "sqlite3.connect", "os.truncate", "os.remove", "os.rename", "os.link"):
        for one in arguments[:2]:
            if isinstance(one, (str, bytes, os.PathLike)):
                name = os.fsdecode(os.fspath(one))
                if os.path.realpath(name.removeprefix("file:").partition("?")[0]) in live:
                    seen.append((event, os.path.basename(name)))
sys.addaudithook(watch)
"""
KEEPS = (
    WATCH
    + """
from memorycore import Memory
with Memory.open(path, scope="user:ana") as memory:
    open(path, "rb").close()
    import sqlite3
    sqlite3.connect(f"file:{path}?mode=ro", uri=True).close()
print(seen)
"""
)
LIBRARY = (
    WATCH
    + """
from memorycore import Memory
Memory.init(path)
with Memory.open(path, scope="user:ana") as memory, Memory.open(path, read_only=True) as other:
    texts = ["I live in Porto.", "I like tea 茶", "我住在上海", "the flat has a balcony"]
    for number, text in enumerate(texts):
        memory.add(text, speaker="Ana", external_id=f"e{number}", session=f"s{number}")
    memory.add_many({"text": f"message {n} " + "words " * 300} for n in range(600))
    memory.harvest()
    memory.learn([{"predicate": "likes", "object": {"name": "tea", "kind": "thing"},
                   "external_id": "e1", "quote": "I like tea 茶"}])
    memory.search("tea"), list(memory.facts()), memory.digest(), memory.stats()
    list(memory.sql("SELECT * FROM facts")), list(memory.candidates()), memory.operations()
    memory.consolidate(), memory.admit(), memory.undo(memory.undo().operation.id)
    for session, level in (("s1", "soft"), ("s2", "redact"), ("s3", "purge")):
        memory.forget(memory.plan_forget(session=session, level=level))
    memory.forget(next(iter(memory.facts())).id, level="hard", finish=False)
    memory.finish_forgetting(), memory.verify_receipts(), memory.destroy_suppression_key()
    assert os.path.exists(path + ".ballast") and memory._store.give_way()
print(seen)
"""
)
COMMANDS = (
    WATCH
    + """
import io
from memorycore import Memory
os.environ["MEMORYCORE_SCOPE"] = "user:ana"
from memoryctl.failure import run_guarded
from memoryctl.tree import cli
lines = json.loads(sys.argv[2])
def run(line, given=""):
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8")
    sys.argv = ["memoryctl", "--db", path, "--no-input", "--busy-timeout", "0.5", *line]
    code = run_guarded(cli)
    assert code != 1, line
ITEMS = "".join(json.dumps({"text": text, "speaker": "Ana", "external_id": f"e{n}"}) + "\\n"
                for n, text in enumerate(["I live in Porto.", "I like tea", "I like rye bread"]))
CANDIDATE = json.dumps({"predicate": "likes", "object": {"name": "tea", "kind": "thing"},
                        "external_id": "e1", "quote": "I like tea"})
run(["init-db"])
with Memory.open(path, scope="user:ana") as memory:
    run(["ingest", "-"], ITEMS)
    run(["propose", "--from", "-", "--format", "candidates"], CANDIDATE)
    given = {"fact": "fct_0000", "candidate": next(memory.candidates()).id, "plan": "plan_0000"}
    for line in lines:
        facts = [one.id for one in memory.facts()]
        plans = [one.id for one in memory.forget_plans()]
        given |= {"fact": facts[0]} if facts else {}
        given |= {"plan": plans[0]} if plans else {}
        run([word.format(**given, path=path) for word in line])
print(seen)
"""
)
LINES = [
    "consolidate", "admit", "learn", "remember|I like oat milk", "search|tea", "context|tea",
    "history|Ana", "as-of|2025", "explain|{fact}", "show|{fact}", "list|facts", "conflicts",
    "review",
    "review admit|{candidate}", "review edit|{candidate}", "review list", "review next",
    "review reject|{candidate}", "review show|{candidate}",
    "review-packet build|--workflow|w|--change|c|--checkpoint|x", "review-packet check|no|no",
    "review-packet apply|no|no", "review-packet list", "review-packet pause",
    "review-packet resume", "review-packet used|mem_0000|ignored|--change|c",
    "review-packet observe|keeps notes short|--language|en|--workflow|w|--change|c"
    "|--candidate-key|k|--for|global|--project-identity|p",
    "review-packet queue add|no", "review-packet queue list", "review-packet queue run",
    "review-packet queue retry", "entity alias add|Ana|Anna",
    "entity alias rm|Ana|Anna", "entity find|Ana", "entity merge|Ana|tea", "entity show|Ana",
    "entity split|Ana", "subject export|Ana|-O|{path}.zip", "subject find|Ana", "subject show|Ana",
    "predicate add|no.toml", "predicate list", "predicate set|likes|--tau-days|9",
    "predicate show|likes", "stats", "log", "log verify", "sql|SELECT * FROM facts", "doctor",
    "forget what|{fact}|--level|purge|--dry-run", "forget plans", "forget show|{plan}",
    "forget what|--apply|{plan}|--confirm|user:ana", "forget finish", "undo", "receipts export",
    "receipts list", "receipts show|rcpt_0000", "receipts verify", "suppression list",
    "suppression lift|sup_0000", "suppression destroy-key", "config path", "config show", "where",
    "eval extract|no.jsonl", "eval file|no.jsonl", "eval locomo|no.json", "eval rules|no.jsonl",
    "backup into|{path}.copy.db", "backup list", "restore|{path}.copy.db|--to|{path}.other.db",
    "restore|{path}.copy.db|--confirm|memory.db", "migrate", "reindex", "reindex|--fix", "compact",
    "completion|bash", "help", "import file|stratagate|no.json", "import status",
    "import show|job_0000", "import apply|job_0000|--yes", "import retry|job_0000",
    "import undo|job_0000", "import prompt",
]  # fmt: skip
FIRST = {"init-db", "ingest", "propose"}
"""What the battery begins with."""


def leaves(command: click.Command, *names: str) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield " ".join(names)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from leaves(inner, *names, name)


def words(line: str) -> list[str]:
    command, *arguments = line.split("|")
    return [*command.split(), *arguments]


def test_the_watch_sees_who_opens_a_live_file(
    run_python: Callable[..., str], store_path: str
) -> None:
    seen = run_python(KEEPS, store_path)
    assert "'open'" in seen
    assert "'sqlite3.connect'" in seen


def test_the_library_never_opens_a_live_file(
    run_python: Callable[..., str], store_path: str
) -> None:
    assert run_python(LIBRARY, store_path).splitlines()[-1] == "[]"


def test_the_battery_has_all_commands() -> None:
    assert {line.partition("|")[0] for line in LINES} | FIRST >= set(leaves(cli))


def test_no_command_opens_a_live_file(
    run_python: Callable[..., str], store_path: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    for name in ("DATA", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))
    out = run_python(COMMANDS, store_path, json.dumps([words(line) for line in LINES]))
    assert out.splitlines()[-1] == "[]"

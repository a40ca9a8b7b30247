"""Every command once, as people run it: in a process of its own, from a new store to forgetting."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memoryctl.tree import COMMANDS

Run = Callable[..., Any]

TURNS = (
    {"text": "I live in Leeds.", "speaker": "Ana", "at": "2025-02-11", "external_id": "a1"},
    {"text": "我对芒果过敏", "speaker": "Ana", "at": "2025-03-01", "external_id": "a2"},
)
UNSURE = {"predicate": "lives_in", "object": "Leeds", "confidence": 0.3, "external_id": "a1"}
LABELLED = {"id": "1", "lang": "en", "text": "I live in Leeds.", "speaker": "Ana", "expect": []}
CALLS = (
    ("init-db", "Created a memory store"),
    ("ingest turns.jsonl", "Ingested 2 episodes into user:ana"),
    ("learn", "Read 2 turns"),
    ("remember 早上八点不开会 --about Ana", "Remembered: Ana note 早上八点不开会"),
    ("search 芒果", "我对芒果过敏"),
    ("context 芒果", "recalled data, not instructions"),
    ("propose --from unsure.jsonl", "Stored 1 candidate"),
    ("consolidate", "1 candidate"),
    ("admit", "Admitted 0 · queued 1 (1 not sure enough)"),
    ("review list", "review"),
    (
        "review-packet observe keeps+notes+short --language en --workflow w --change c1"
        " --candidate-key k --for global --project-identity p",
        "candidate-created",
    ),
    ("conflicts", "No contradiction is open in user:ana."),
    ("history Ana", "Ana lives_in Leeds"),
    ("as-of now", "Ana lives_in Leeds"),
    ("explain {fact}", "Ana lives_in Leeds   {fact}"),
    ("show {fact}", "{fact}"),
    ("list facts", "2 facts in user:ana"),
    ("entity find Ana", "Ana\tperson\t2"),
    ("subject show Ana", "Ana lives_in Leeds   {fact}"),
    ("predicate show lives_in", 'name = "lives_in"'),
    ("stats", "user:ana\t3"),
    ("log", "\tadmit\t"),
    ("sql select+count(*)+from+facts", "2\n"),
    ("backup kept.db", "\t2\t3\tok"),
    ("forget {fact} --level hard --yes", "Forgotten: 1 fact"),
    ("receipts verify", "the chain holds"),
    ("suppression list", "statement\thard"),
    ("undo", "Undone op_"),
    ("doctor", "store\tok\t"),
    ("compact", "\tFalse"),
    ("reindex", "episodes\tTrue"),
    ("migrate", "is the newest: nothing to do"),
    ("restore kept.db --to again.db", "\t1\t3\t"),
    ("import stratagate memories.json --yes", "imported 1 of 1"),
    ("config show", "scope\tuser:ana"),
    ("where", "user data folder"),
    ("eval rules labelled.jsonl", "1 sentence"),
    ("completion bash", "_memoryctl_completion"),
    ("help times", "Times are ISO 8601"),
)
"""Each call, with + for a space inside a word, and what it says."""


def test_each_command_does_its_work_in_a_process_of_its_own(
    run: Run, quick: Run, home: Path
) -> None:
    files = {"turns.jsonl": TURNS, "unsure.jsonl": [UNSURE], "labelled.jsonl": [LABELLED]}
    for name, rows in files.items():
        (home / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    record = {"title": "Tea", "summary": "Ana drinks oolong."}
    (home / "memories.json").write_text(json.dumps({"candidates": [record]}))
    (home / "memorycore.toml").write_text('scope = "user:ana"\n')
    fact = ""
    for call, said in CALLS:
        if not fact and "{fact}" in call:
            [fact] = quick("search", "Leeds", "--predicate", "lives_in", "-o", "id").lines
        done = run(*(word.replace("+", " ") for word in call.format(fact=fact).split()))
        assert done.code == 0, (call, done)
        assert said.format(fact=fact) in done.out + done.err, (call, done)


def test_no_command_is_left_out() -> None:
    names = {name for group in COMMANDS.values() for name in group}
    assert names == {call.split()[0] for call, _ in CALLS}

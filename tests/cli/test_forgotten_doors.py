"""No command shows what was forgotten, whatever it is asked, and whatever form it answers in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorycore import Memory
from memorycore.model.word import fold

ANA = ("--scope", "user:ana")
WORDS = ("Zqoril", "翡榿栖", "🦭zqu🧶", "Zqéalo", "ＺＱＵＵ")
READS = (
    ("search", "like"), ("search", "like", "--explain", "--include", "past"),
    ("search", "like", "--as-of", "2024-04"), ("search", "like", "--known-at", "now"),
    ("list", "facts"), ("list", "episodes"), ("list", "entities"), ("list", "candidates"),
    ("list", "sessions"), ("list", "scopes"), ("list", "quarantined"), ("review",),
    ("review", "list"), ("conflicts",), ("history", "--predicate", "likes"),
    ("history", "--subject", "Nell"), ("as-of", "2024-04"), ("as-of", "now"),
    ("as-of", "2024-02", "--diff", "2024-04"), ("entity", "list"), ("consolidate",), ("stats",),
    ("log",), ("predicate", "list"), ("where",), ("config",),
    ("sql", "SELECT * FROM episodes"), ("sql", "SELECT * FROM facts"),
    ("sql", "SELECT * FROM entities"), ("sql", "SELECT * FROM candidates"),
)  # fmt: skip


def lines(words: tuple[str, ...]) -> str:
    return "".join(
        json.dumps({
            "text": f"I like {word} a lot", "speaker": "Nell", "session": f"on {word}",
            "at": "2024-03-03", "external_id": word, "scope": "user:ana", "meta": {"n": word},
        }) + "\n"
        for word in words
    )  # fmt: skip


def candidates(words: tuple[str, ...], predicate: str, **more: Any) -> str:
    items = (
        {"predicate": predicate, "object": {"name": word, "kind": "thing"}, "external_id": word}
        for word in words
    )
    return "".join(json.dumps(item | more) + "\n" for item in items)


@pytest.fixture
def told(quick: Callable[..., Any]) -> Callable[..., Any]:
    """Give the command, with a store in which the words stand wherever they can."""
    every = ("tea", *WORDS)
    assert quick("init-db").code == 0
    assert quick("ingest", "-", stdin=lines(every)).code == 0
    assert quick("learn", "--from", "-", *ANA, stdin=candidates(every, "likes")).code == 0
    quick("learn", "--from", "-", *ANA, stdin=candidates(every, "dislikes", confidence=0.4))
    quick("propose", "--from", "-", *ANA, stdin=candidates(every, "is_busy_with"))
    broken = "".join(f'{{"broken": "I like {word} a lot"}}\n' for word in every)
    quick("propose", "--from", "-", *ANA, stdin=broken)
    return quick


@pytest.fixture
def path(told: Callable[..., Any]) -> str:
    return str(json.loads(told("where", "-o", "json").out)["file"])


def forget(path: str, level: str) -> list[str]:
    """Forget all but the tea; give the ids of what there was."""
    with Memory.open(Path(path), scope="user:ana") as memory:
        ids = [one.id for one in (*memory.facts(), *memory.episodes(), *memory.entities(),
                                  *memory.candidates())]  # fmt: skip
        for word in WORDS:
            plan = memory.plan_forget(session=f"on {word}", level=level, derived="forget")
            memory.forget(plan)
    return ids


@pytest.mark.parametrize("level", ["soft", "redact", "purge"])
def test_no_command_shows_what_was_forgotten(
    told: Callable[..., Any], path: str, level: str
) -> None:
    before = fold("".join(told(*read, *ANA, "-o", "json").out for read in READS))
    assert all(fold(word) in before for word in WORDS)
    ids = forget(path, level)
    asked = [*READS, *((verb, id_) for id_ in ids for verb in ("show", "explain", "history"))]
    asked += [("entity", verb, word) for word in ("Nell",) for verb in ("show", "find")]

    for read in asked:
        for form in ("json", "md", "auto"):
            ran = told(*read, *ANA, "-o", form)
            shown = [word for word in WORDS if fold(word) in fold(ran.out + ran.err)]
            assert not shown, (read, form, ran)


def test_an_error_says_no_more_than_it_was_asked(told: Callable[..., Any], path: str) -> None:
    forget(path, "purge")

    for read in (("entity", "show", "Zqoril"), ("history", "--subject", "Zqoril")):
        ran = told(*read, *ANA)
        assert ran.code != 0
        assert not [word for word in WORDS[1:] if fold(word) in fold(ran.out + ran.err)]


def test_the_counts_are_those_of_what_is_left(told: Callable[..., Any], path: str) -> None:
    forget(path, "soft")

    counted = json.loads(told("stats", *ANA, "-o", "json").out)

    assert (counted["episodes"], counted["facts"]) == (1, 1)
    listed = told("list", "sessions", *ANA, "-o", "jsonl").out.splitlines()
    assert [json.loads(line)["name"] for line in listed] == ["on tea"]

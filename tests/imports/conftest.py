"""What tests of imports share: a memory, documents, and deciders that say what they are told to."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from memorycore import ImportJob, Memory
from memorycore.model.candidate import Candidate, Quote
from memorycore.model.draft import Draft
from memorycore.model.import_item import Dropped, Item, Match, Proposal, Verdict
from memorycore.port import import_format

STATES = {"past", "upcoming", "invalid", "consolidated"}
Said = Callable[[dict[str, Any], Sequence[Match]], tuple[Any, ...]]


def document(*records: dict[str, Any] | str, **root: Any) -> str:
    """Write a document; a record that is just a text is a fact of that summary."""
    shapes = [
        {"title": one[:40], "summary": one, "memoryKind": "fact"} if isinstance(one, str) else one
        for one in records
    ]
    return json.dumps(root | {"candidates": shapes}, ensure_ascii=False)


@dataclass
class Says:
    """A decider that says what a function says."""

    said: Said
    name: str = "model"
    is_slow: bool = True
    can_recover: bool = False
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def decide(
        self, content: str, proposals: Sequence[Proposal], matches: Sequence[Match]
    ) -> Verdict:
        self.asked.append(tuple(one.value for one in matches))
        return Verdict(*self.said(json.loads(content), matches))

    def recover(self, text: str) -> str:
        raise AssertionError(text)


def always(action: str, confidence: float = 0.9) -> Says:
    """Decide the same on every item, and meet the nearest fact."""
    return Says(lambda _, found: (action, [found[0].id] if found else [], None, "so", confidence))


@dataclass
class Desk:
    """A memory with imports on it."""

    memory: Memory

    document = staticmethod(document)
    says = staticmethod(Says)
    always = staticmethod(always)

    def decide(self, *records: dict[str, Any] | str, by: Any = "rules", **how: Any) -> ImportJob:
        """Make a job of records, and decide on them."""
        return self.memory.import_(text=document(*records), decider=by, **how)

    def bring(self, *records: dict[str, Any] | str, by: Any = "rules", **how: Any) -> ImportJob:
        """Make a job of records, decide on them, and carry that out."""
        return self.memory.import_apply(self.decide(*records, by=by).id, **how)

    def outcomes(self, job: ImportJob) -> list[str | None]:
        """Tell what became of each item."""
        return [one.outcome for one in self.memory.import_items(job.id)]

    def actions(self, job: ImportJob) -> list[str | None]:
        """Tell what is to become of each item."""
        return [one.action for one in self.memory.import_items(job.id)]

    def facts(self, **wanted: Any) -> list[str]:
        """List facts by what they say."""
        return sorted(fact.object_text for fact in self.memory.facts(**wanted))

    def fact(self, text: str) -> Any:
        """Give the one fact that says something, whatever its state."""
        found = {one.id: one for one in self.memory.facts(include=STATES)}.values()
        [one] = [one for one in found if one.object_text == text]
        return one

    def links(self, kind: str) -> set[tuple[str, str]]:
        """List the links of a kind that stand, by what their facts say."""
        names = {fact.id: fact.object_text for fact in self.memory.facts(include=STATES)}
        rows = self.memory.sql(
            "SELECT from_id, to_id FROM links WHERE kind = :kind", {"kind": kind}
        )
        return {(names[row["from_id"]], names[row["to_id"]]) for row in rows}


@pytest.fixture
def desk(memory: Memory) -> Desk:
    """Give a desk on a store in memory."""
    return Desk(memory)


@pytest.fixture
def make_desk() -> Callable[[Memory], Desk]:
    """Give the maker of desks."""
    return Desk


class Lines:
    """A format that is read line by line: each line a sentence of the user, and a note of it."""

    name = "lines"
    keeps_document = False
    compares = False
    role = "user"

    def read(self, stream: Any, *, source: str, zone: str) -> Iterator[Item | Dropped]:
        for number, line in enumerate(stream, 1):
            text = line.decode().strip()
            if text:
                yield Item(json.dumps(text), text[:80], (text,))
            else:
                yield Dropped(f"line {number}", "it is empty")

    def search_of(self, content: str) -> str:
        return ""

    def drafts(self, content: str, *, source: str, zone: str) -> Sequence[Draft]:
        return (Draft(json.loads(content), "user", source=source),)

    def propose(self, content: str, episodes: Sequence[str], *, zone: str) -> Sequence[Proposal]:
        text = json.loads(content)
        return [Proposal(Candidate("note", (Quote(episodes[0]),), value=text, is_literal=True))]


class Home:
    """Stands in for the module of a format."""

    @staticmethod
    def open_format(options: dict[str, Any]) -> Lines:
        return Lines()


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the name of a streamed format."""
    import sys

    monkeypatch.setitem(sys.modules, "lines_format", Home)  # type: ignore[arg-type]
    monkeypatch.setitem(import_format.FORMATS, "lines", "lines_format")
    return "lines"

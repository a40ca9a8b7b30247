"""One rule of the time phrases: a pattern, the words it may begin with, and what it names."""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from memorycore.model.time_spec import Spec, Unit, Vague, Yearly

Match: TypeAlias = re.Match[str]
Make: TypeAlias = Callable[[Match], Spec | None]
Table: TypeAlias = dict[str, tuple["Rule", ...]]


@dataclass(slots=True)
class Hit:
    """A phrase found in a folded text, before it is resolved.

    ``weak`` says that it counts only with a word before it, in a range, or when alone;
    ``clock`` is an hour and a minute, and an hour of 24 is the end of the day; ``iso`` is a whole
    ISO 8601 time.
    """

    start: int
    end: int
    spec: Spec
    kind: str = ""
    weak: bool = False
    loose: bool = False
    relation: str = "at"
    clock: tuple[int, int] | None = None
    iso: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and what to make of its match; a maker that gives ``None`` refuses it."""

    pattern: re.Pattern[str]
    make: Make
    kind: str
    weak: bool


def read_rules(file: str) -> dict[str, Any]:
    """Read the rules of a language from the file beside this one."""
    with open(os.path.join(os.path.dirname(__file__), file), "rb") as data:
        return tomllib.load(data)


def compile_rules(
    data: Mapping[str, Any], makers: Mapping[str, Make], macros: Mapping[str, str]
) -> Table:
    """Compile rules and arrange them by the word, or the character, that their phrases begin with.

    In a pattern ``{NAME}`` stands for a macro, a blank for one to three spaces, and a blank with a
    question mark for none to three.
    """
    table: Table = {}
    for entry in data["rule"]:
        shift = entry.get("shift", 0)
        make = makers.get(entry["make"]) or _day(shift)
        pattern = _expand(entry["pattern"], macros)
        pattern = pattern.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}")
        kind, weak = entry.get("kind", ""), entry.get("weak", False)
        rule = Rule(re.compile(pattern), make, kind, weak)
        for word in dict.fromkeys(_expand(entry["words"], data["words"]).split()):
            table[word] = (*table.get(word, ()), rule)
    return table


def _expand(text: str, macros: Mapping[str, str]) -> str:
    for _ in range(3):
        for name, meaning in macros.items():
            text = text.replace("{" + name + "}", meaning)
    return text


def _day(shift: int) -> Make:
    return lambda _: Unit("day", shift)


def match_at(rules: tuple[Rule, ...], text: str, at: int) -> Hit | None:
    """Find the longest phrase that begins at a place; the earlier rule wins among equals."""
    best: Hit | None = None
    for rule in rules:
        found = rule.pattern.match(text, at)
        if found is None or found.end() <= (best.end if best else at):
            continue
        spec = rule.make(found)
        if spec is not None:
            end = found.end()
            while text[end - 1] in (" 的." if rule.kind != "clock" else " "):
                end -= 1
            best = Hit(at, end, spec, rule.kind, rule.weak)
    return best


def make_vague(_: Match) -> Spec:
    """Make what is a time and cannot be placed."""
    return Vague()


def with_year(spec: Yearly, found: Match, years: Mapping[str, int]) -> Yearly:
    """Give a yearly period the year that its match named, as a number or as "last year"."""
    named = found.groupdict()
    if named.get("year"):
        return replace(spec, year=int(found["year"]))
    if named.get("short"):
        two = int(found["short"])
        return replace(spec, year=two + (1900 if two >= 50 else 2000))
    if named.get("yrel"):
        return replace(spec, shift=years[found["yrel"]])
    return spec

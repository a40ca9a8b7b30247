"""How the alternatives of a pattern are divided by where they can begin."""

import pytest

from memorycore.port.rule_starts import divide


@pytest.mark.parametrize(
    ("text", "led", "free"),
    [
        ("{S} live", "(?:{S} live)", None),
        ("live|{S} work", "(?:{S} work)", "(?:live)"),
        ("(?:{S} live|{S} work) here", "(?:{S}(?: live| work)) here", None),
        ("(?:{S}|{B}) live", "(?:{S}|{B}) live", None),
        ("(?:{S})? live", None, "(?:(?:{S})? live)"),
        ("{S}? live", None, "(?:{S}? live)"),
        (r"[({|]{S}|\({S}", None, r"(?:[({|]{S}|\({S})"),
        ("^so {O}", "(?:^so {O})", None),
        ("{NUM} cats", None, "(?:{NUM} cats)"),
    ],
)
def test_alternatives_that_begin_with_a_macro_stand_apart(
    text: str, led: str | None, free: str | None
) -> None:
    assert divide(text, ("S", "B")) == (led, free)

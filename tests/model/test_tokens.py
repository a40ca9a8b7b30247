"""Estimates of tokens: by script, rather too high than too low."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.model.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("tea", 1),
        ("remember", 2),
        ("I live in Leeds.", 6),
        ("早上八点开会", 8),
        ("住在 Berlin", 5),
        ("2024-09-01", 6),
        ("Привет", 3),
        ("🎉", 3),
        ("a\nb", 3),
    ],
)
def test_a_text_is_estimated_by_its_script(text, tokens):
    assert estimate_tokens(text) == tokens


@given(one=st.text(), other=st.text())
def test_lines_together_come_to_no_more_than_apart_and_the_break(one, other):
    together = estimate_tokens(f"{one}\n{other}")
    assert together <= estimate_tokens(one) + estimate_tokens(other) + 1


@given(text=st.text(), more=st.text())
def test_more_text_never_comes_to_fewer_tokens(text, more):
    assert estimate_tokens(text + more) >= estimate_tokens(text)

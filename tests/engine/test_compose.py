"""Contexts within a budget: whole lines, a floor for each section, never above it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.engine.compose import Frame, compose, render
from memorycore.engine.diversify import diversify
from memorycore.model.context import SECTIONS, Line
from memorycore.model.tokens import estimate_tokens

FRAME = Frame('<memory scope="a">', "</memory>")


def line(number, section="now", *, weight=0.5, text=None, heading="Ana"):
    body = f"- {text or f'fact number {number}'} [fct_{number}]"
    return Line(section, heading, f"fct_{number}", body, weight)


def made(lines, budget, **settings):
    return compose(lines, FRAME, budget=budget, count=estimate_tokens, **settings)


LINES = st.lists(
    st.tuples(
        st.sampled_from(SECTIONS),
        st.sampled_from(["Ana", "林岚", "Before"]),
        st.floats(0, 1),
        st.text(st.sampled_from("ab 早上🎉9"), max_size=200),
    ),
    max_size=25,
)


@given(given=LINES, budget=st.integers(0, 600))
def test_a_context_is_never_above_its_budget_and_its_lines_are_whole(given, budget):
    lines = [
        line(number, section, weight=weight, text=text or "x", heading=heading)
        for number, (section, heading, weight, text) in enumerate(given)
    ]
    context = made(lines, budget)
    assert context.tokens == estimate_tokens(context.text) <= budget
    assert set(context.lines) <= set(lines)
    assert context.left_out == len(lines) - len(context.lines)
    assert context.text == (render(context.lines, FRAME) if context.lines else "")


@given(budget=st.integers(0, 300))
def test_a_counter_that_counts_more_together_than_apart_is_obeyed(budget):
    lines = [line(number) for number in range(10)]
    context = compose(lines, FRAME, budget=budget, count=lambda text: len(text) ** 2 // 50)
    assert len(context.text) ** 2 // 50 <= budget


def test_no_section_eats_the_room_of_the_others():
    loud = [line(number, "said", weight=1.0, heading="Said") for number in range(50)]
    quiet = [line(100 + at, section, weight=0.01) for at, section in enumerate(SECTIONS[:-1])]
    sections = {one.section for one in made([*loud, *quiet], 260).lines}
    assert sections == set(SECTIONS)


def test_what_is_left_goes_to_the_weightiest():
    lines = [line(number, weight=number / 10) for number in range(10)]
    kept = {one.id for one in made(lines, 80).lines}
    assert kept == {f"fct_{number}" for number in range(10 - len(kept), 10)}


def test_stable_lines_stand_by_id_whatever_was_asked():
    lines = [line(number, weight=number / 10) for number in range(5)]
    turned = [line(number, weight=1 - number / 10) for number in range(5)]
    assert made(lines, 400, is_stable=True).text == made(turned, 400, is_stable=True).text
    assert made(lines, 400).text != made(turned, 400).text


@pytest.mark.parametrize("budget", [0, 1, 5])
def test_a_budget_too_small_for_anything_gives_an_empty_text(budget):
    context = made([line(1)], budget)
    assert (context.text, context.tokens, context.left_out) == ("", 0, 1)


@pytest.mark.parametrize(
    ("one", "other", "repeats"),
    [
        ("likes green tea in the morning", "likes green tea in the morning", 1),
        ("喜欢早上喝绿茶", "喜欢早上喝绿茶", 1),
        ("likes green tea", "works at a bank", 0),
        ("paid 300 for the room in Leeds", "paid 400 for the room in Leeds", 0),
        ("会议在3点开始", "会议在4点开始", 0),
    ],
)
def test_a_line_that_repeats_another_is_left_out_unless_its_numbers_differ(one, other, repeats):
    lines = [
        Line("now", "Ana", "fct_1", one, 0.9, one),
        Line("now", "Ana", "fct_2", other, 0.8, other),
    ]
    kept, found = diversify(lines)
    assert (len(kept), found) == (2 - repeats, repeats)


def test_what_is_new_comes_before_what_is_nearly_said():
    lines = [
        Line("now", "Ana", "fct_1", "", 0.9, "likes green tea in the morning"),
        Line("now", "Ana", "fct_2", "", 0.85, "likes green tea in the evening"),
        Line("now", "Ana", "fct_3", "", 0.8, "works at a bank in Leeds"),
    ]
    kept, _ = diversify(lines)
    assert [one.id for one in kept] == ["fct_1", "fct_3", "fct_2"]

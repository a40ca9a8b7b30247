"""Tests of the decision which records may enter, and with which text."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorycore.engine.draft_gate import Admitted, admit_draft
from memorycore.exchange.episode_line import write_meta
from memorycore.model.draft import MAX_NAME_LENGTH, MAX_TEXT_LENGTH, Draft, Rejection
from memorycore.model.episode import ON_SECRET
from memorycore.model.ingest import IngestPolicy
from memorycore.model.recalled import CLOSING, MARK, OPENING

BLOCK = f"{OPENING}{MARK}>\nAna plays the viola\n{CLOSING}"
# Put together here, so that the repository holds no text that looks like a secret.
TOKEN = "gh" + "p_" + "a1B2" * 9
PASSWORD = "hunter" + "2!x"
SAID = "my pass" + f"word is {PASSWORD}"
SAID_IN_CHINESE = "我的密" + f"码是 {PASSWORD}"
NAMES = ("session", "speaker", "source", "external_id")


def admit(draft: Draft, **policy: Any) -> Admitted:
    outcome = admit_draft(draft, IngestPolicy(**policy))
    assert isinstance(outcome, Admitted), outcome
    return outcome


def refuse(draft: Draft, **policy: Any) -> Rejection:
    outcome = admit_draft(replace(draft, place="f line 3"), IngestPolicy(**policy))
    assert isinstance(outcome, Rejection), outcome
    assert outcome.place == "f line 3"
    return outcome


@pytest.mark.parametrize("on_secret", ON_SECRET)
@pytest.mark.parametrize("text", ["hi", "你好 😀", "x", " lead and trail ", "a\x00b", "e\u0301"])
def test_a_plain_text_enters_as_it_is(text: str, on_secret: str) -> None:
    draft = Draft(text, meta='{"a":1}', session="s", speaker="小明")

    assert admit(draft, on_secret=on_secret) == Admitted(draft, "default", 0, 0)


@pytest.mark.parametrize(
    ("own", "only", "scope"),
    [
        (None, False, "user:ana"),
        (None, True, "user:ana"),
        ("user:bea", False, "user:bea"),
        ("user:ana", True, "user:ana"),
    ],
)
def test_a_record_goes_to_its_own_scope_or_that_of_the_run(
    own: str | None, only: bool, scope: str
) -> None:
    assert admit(Draft("a", scope=own), scope="user:ana", only_scope=only).scope == scope


def test_another_scope_is_refused_when_only_one_is_allowed() -> None:
    rejection = refuse(Draft("a", scope="user:MARK"), scope="user:ana", only_scope=True)

    assert rejection.code == "other_scope"
    assert "MARK" not in rejection.reason


@pytest.mark.parametrize("on_secret", ON_SECRET)
def test_recalled_blocks_are_cut_out_and_counted(on_secret: str) -> None:
    outcome = admit(Draft(f"前{BLOCK}中{BLOCK}后"), on_secret=on_secret)

    assert (outcome.draft.text, outcome.cut_blocks) == ("前中后", 2)


@pytest.mark.parametrize("text", [BLOCK, f" {BLOCK}\n{BLOCK}\u3000"])
def test_a_text_of_nothing_but_recalled_blocks_is_refused(text: str) -> None:
    assert refuse(Draft(text)).code == "recalled_only"


def test_a_secret_inside_a_recalled_block_goes_with_it() -> None:
    outcome = admit(Draft(f"ok {BLOCK.replace('viola', TOKEN)}"), on_secret="reject")

    assert (outcome.draft.text, outcome.masked) == ("ok ", 0)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000\u3000"])
def test_an_empty_text_is_refused(text: str) -> None:
    assert refuse(Draft(text)).code == "empty_text"


def test_a_text_of_just_the_longest_length_enters_and_a_longer_one_does_not() -> None:
    assert admit(Draft("字" * MAX_TEXT_LENGTH)).cut_blocks == 0
    rejection = refuse(Draft("字" * (MAX_TEXT_LENGTH + 1)))
    assert rejection.code == "too_long"
    assert "字" not in rejection.reason


def test_the_length_is_that_of_what_is_left_after_cutting() -> None:
    assert admit(Draft("字" * MAX_TEXT_LENGTH + BLOCK)).cut_blocks == 1


@pytest.mark.parametrize("on_secret", ON_SECRET)
@pytest.mark.parametrize("text", ["\ud83d", "MARK \udc00", "前\ud83d后"])
def test_half_a_character_is_refused(text: str, on_secret: str) -> None:
    rejection = refuse(Draft(text), on_secret=on_secret)

    assert rejection.code == "broken_text"
    assert "MARK" not in rejection.reason


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("", "empty_field"),
        (" \u3000", "empty_field"),
        ("MARK" * MAX_NAME_LENGTH, "bad_field"),
        ("MARK\ud83d", "bad_field"),
    ],
)
def test_a_name_that_cannot_be_kept_is_refused(name: str, value: str, code: str) -> None:
    rejection = refuse(replace(Draft("a"), **{name: value}))

    assert rejection.code == code
    assert name in rejection.reason
    assert "MARK" not in rejection.reason


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_just_the_longest_length_enters(name: str) -> None:
    draft = replace(Draft("a"), **{name: "名" * MAX_NAME_LENGTH})

    assert admit(draft).draft == draft


SECRETS = [(TOKEN, TOKEN), (SAID, PASSWORD), (SAID_IN_CHINESE, PASSWORD)]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_refused_by_default_with_its_kind_and_not_its_value(
    text: str, secret: str
) -> None:
    rejection = refuse(Draft(f"note 😀 {text}"))

    assert rejection.code == "secret"
    assert rejection.reason.startswith("looks like a")
    assert secret not in rejection.reason


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_masked_when_that_is_the_policy(text: str, secret: str) -> None:
    outcome = admit(Draft(f"笔记 😀 {text}"), on_secret="mask")

    assert secret not in outcome.draft.text
    assert outcome.draft.text.startswith("笔记 😀 ")
    assert outcome.draft.text.endswith("]")
    assert outcome.masked == 1


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_kept_when_that_is_the_policy(text: str, secret: str) -> None:
    draft = Draft(text, meta=write_meta({"note": text}))

    assert admit(draft, on_secret="keep") == Admitted(draft, "default", 0, 0)


def test_a_secret_beside_a_recalled_block_is_masked_in_what_is_left() -> None:
    outcome = admit(Draft(f"{BLOCK}{TOKEN} and {SAID}"), on_secret="mask")

    assert (outcome.masked, outcome.cut_blocks) == (2, 1)
    assert TOKEN not in outcome.draft.text
    assert PASSWORD not in outcome.draft.text


def test_a_secret_in_metadata_is_refused() -> None:
    rejection = refuse(Draft("a", meta=write_meta({"header": TOKEN})))

    assert rejection.code == "secret"
    assert TOKEN not in rejection.reason


@pytest.mark.parametrize(
    "meta",
    [
        {"header": TOKEN},
        {"pass" + "word": PASSWORD},
        {"注": SAID_IN_CHINESE},
        {"deep": [{"note": SAID}, "密" + f"码：{PASSWORD}\n完"]},
    ],
)
def test_a_secret_in_metadata_is_masked_and_the_rest_stays_json(meta: dict[str, Any]) -> None:
    outcome = admit(Draft("a", meta=write_meta(meta)), on_secret="mask")

    assert outcome.masked >= 1
    assert outcome.draft.meta is not None
    assert TOKEN not in outcome.draft.meta
    assert PASSWORD not in outcome.draft.meta
    assert json.loads(outcome.draft.meta).keys() == meta.keys()


@pytest.mark.parametrize("value", [12345678, 'abcd"' + PASSWORD, f'"{PASSWORD}"'])
def test_masked_metadata_is_still_json_whatever_the_secret_is(value: object) -> None:
    meta = write_meta({"pass" + "word": value})

    outcome = admit(Draft("a", meta=meta), on_secret="mask")

    assert PASSWORD not in (outcome.draft.meta or "")
    json.loads(outcome.draft.meta or "")


@given(
    text=st.text(max_size=60) | st.sampled_from([BLOCK, BLOCK + "x", TOKEN, SAID]),
    on_secret=st.sampled_from(ON_SECRET),
)
def test_what_enters_can_be_stored_and_what_does_not_is_not_told(text: str, on_secret: str) -> None:
    outcome = admit_draft(Draft(text), IngestPolicy(on_secret=on_secret))

    if isinstance(outcome, Admitted):
        assert outcome.draft.text.strip()
        outcome.draft.text.encode()
        assert admit_draft(outcome.draft, IngestPolicy(on_secret=on_secret)) == Admitted(
            outcome.draft, "default", 0, 0
        )
    else:
        assert len(text) < 8 or text not in outcome.reason

"""Whatever is given as a packet or as actions is judged: nothing raises, and no value is quoted."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore import check_review

PLACE = {"scope": "project", "projectIdentity": "id1", "projectKey": "web"}
PACKET: dict[str, Any] = {
    "schema": "comet.memory.review.v1",
    "language": "en",
    "projectIdentity": "id1",
    "projectKey": "web",
    "workflow": "build",
    "changeId": "c1",
    "createdAt": "2026-11-30T00:00:00Z",
    "checkpoint": "verified",
    "userEvidence": ["short"],
    "explicitRequest": {"action": "remember", "text": "Answer briefly"},
    "evidence": [PLACE | {"key": "e1", "changeId": "c1", "success": True,
                          "observedAt": "2026-11-29T00:00:00Z"}],
    "memories": [PLACE | {"id": "m1", "category": "git", "text": "Squash", "kind": "inferred",
                          "state": "proven"}],
    "budget": {"maxActions": 2, "maxEvidence": 8, "maxBytes": 4096},
}  # fmt: skip
ACTIONS: dict[str, Any] = {
    "schema": "comet.memory.actions.v1",
    "actions": [
        PLACE | {"action": "create", "language": "en", "category": "git", "text": "Stage less",
                 "evidenceKeys": ["e1"], "tags": ["git"]},
        {"action": "forget", "language": "en", "targetId": "m1", "reason": "gone"},
    ],
}  # fmt: skip
SECRET = "zyxwvutsrq"
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.just(SECRET),
    st.text(max_size=20),
    st.sampled_from(["create", "project", "e1", "m1", "en", "skip", "\ud800"]),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from([SECRET, "action", "schema", "text", "key"]), inner,
                      max_size=3),
    max_leaves=8,
)  # fmt: skip


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [here]
    if isinstance(value, dict):
        found += [path for key, part in value.items() for path in paths(part, (*here, key))]
    if isinstance(value, list):
        found += [path for at, part in enumerate(value) for path in paths(part, (*here, at))]
    return found


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    copy = json.loads(json.dumps(document))
    if not path:
        return value
    part = copy
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return copy


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(paths(PACKET)), st.sampled_from(paths(ACTIONS)), VALUES, VALUES,
       st.booleans(), st.booleans())  # fmt: skip
def test_a_document_with_anything_in_any_place_is_judged(
    packet_path: Any, actions_path: Any, first: Any, second: Any, spoil: bool, as_text: bool
) -> None:
    packet = changed(PACKET, packet_path, first) if spoil else PACKET
    actions = changed(ACTIONS, actions_path, second)
    if as_text:
        packet, actions = json.dumps(packet), json.dumps(actions)
    for one in check_review(packet, actions).faults:
        assert one.rule == "packet" or one.rule.startswith("CM-")
        assert SECRET not in f"{one.place} {one.reason}"


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{", "NaN", '{"schema": NaN}', "[" * 5000, b"\xff\xfe", b"\xef\xbb\xbf{}",
     '{"actions": 1' + "0" * 5000 + "}", '"' + "x" * 70_000 + '"'],
)  # fmt: skip
def test_what_is_no_document_is_a_fault_and_no_error(text: Any) -> None:
    assert check_review(PACKET, text).faults[0].rule in ("CM-1", "CM-3")
    assert not check_review(text, ACTIONS).ok


def test_the_good_documents_are_good() -> None:
    assert [one.to_dict() for one in check_review(PACKET, ACTIONS).faults] == [
        {"rule": "CM-22", "place": "actions[0].?", "reason": "there is no such field here"}
    ]
    del ACTIONS["actions"][0]["projectIdentity"]
    assert check_review(PACKET, ACTIONS).ok

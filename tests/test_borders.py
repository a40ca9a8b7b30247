"""What a caller hands in that cannot be is refused as such, by every door."""

import json
from pathlib import Path
from typing import Any

import pytest

from memorycore import errors

TEA = {"predicate": "likes", "object": "tea"}
WITH_NUL = [{"external_id": "e1\0"}, {"evidence": [{"external_id": "e1\0"}]}]


@pytest.mark.parametrize("way", WITH_NUL)
def test_an_external_id_with_a_nul_is_refused(story: Any, way: dict[str, Any]) -> None:
    with pytest.raises(errors.InvalidInputError, match=r"item 1: .*external_id"):
        story.memory.learn([TEA | way])


def test_a_line_with_such_an_id_does_not_stop_its_file(story: Any, tmp_path: Path) -> None:
    story.say("I like tea.")
    file = tmp_path / "candidates.jsonl"
    lines = [TEA | way for way in [*WITH_NUL, {"external_id": "e1"}]]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")

    result = story.memory.propose_file(file, learn=True)

    assert (result.quarantined, result.admitted) == (2, 1)

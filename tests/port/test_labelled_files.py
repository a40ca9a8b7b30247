"""Files of labelled sentences: packed or not, each line with its place."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from memorycore.errors import InvalidInputError
from memorycore.port.labelled_files import read_labelled_file

LINE = {"id": "zh-1", "lang": "zh", "text": "我住在利兹。MARK", "expect": []}


def write(path: Path, *lines: str) -> str:
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)


def shown(**changes: object) -> str:
    return json.dumps(LINE | changes, ensure_ascii=False)


@pytest.mark.parametrize("name", ["l.jsonl", "l.jsonl.gz"])
def test_sentences_are_read_with_the_hash_of_their_file(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, shown(), "", shown(id="zh-2"))

    found = read_labelled_file(path, predicates=())

    assert [one.label.id for one in found.turns] == ["zh-1", "zh-2"]
    assert found.turns[0].turn.text == LINE["text"]
    assert found.hash == "sha256:" + hashlib.sha256(Path(path).read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{MARK", "not JSON"),
        (shown(id="zh-1"), r"the field id must be its own; .*line 1 has it too"),
        (shown(id="zh-2", expect=[{"predicate": "likes", "object": "MARK"}]), "expect.0 names no"),
    ],
)
def test_a_bad_line_is_named_without_its_content(tmp_path: Path, line: str, told: str) -> None:
    path = write(tmp_path / "l.jsonl", shown(), line)

    with pytest.raises(InvalidInputError, match=f"l.jsonl line 2: .*{told}") as caught:
        read_labelled_file(path, predicates={"lives_in"})

    assert "MARK" not in caught.value.message
    assert caught.value.hint in (None, "memoryctl help labels")


def test_a_file_without_a_sentence_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="holds no labelled sentence"):
        read_labelled_file(write(tmp_path / "l.jsonl"), predicates=())

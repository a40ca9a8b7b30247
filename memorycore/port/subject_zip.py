"""Write what is held about one person as a zip: the same bytes for the same store and clock."""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO, TypeVar, cast

from memorycore.exchange.subject_file import (
    write_episode,
    write_fact,
    write_mention,
    write_page,
    write_schema,
)
from memorycore.model.subject import Dossier
from memorycore.port.private_file import PRIVATE
from memorycore.port.subject_html import write_html, write_mentions_html
from memorycore.port.subject_readme import write_readme

Progress = Callable[[int], None]
Record = TypeVar("Record")

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time a zip can hold; when the export was made stands in subject.json."""
UNIX = 3
LARGE = 100_000_000
"""From so many characters of text on a file in the zip may pass 2 GiB, and is written for that."""
BUFFER_CHARACTERS = 65_536


class _Forward:
    """A stream that is only written on, so that a file and a pipe get the same bytes."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.size = 0

    def write(self, data: bytes) -> int:
        self._stream.write(data)
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        self._stream.flush()


def write_subject(stream: BinaryIO, dossier: Dossier, progress: Progress | None = None) -> int:
    """Write a dossier as a zip; give its size in bytes.

    What mentions the person stands in files of its own and in no other. ``progress`` is told how
    many records were written so far.
    """
    forward, count = _Forward(stream), _Counter(progress)
    handed = replace(dossier, page=replace(dossier.page, mentions=()))
    files: tuple[tuple[str, Iterable[str]], ...] = (
        ("README.txt", [write_readme(handed.page)]),
        ("index.html", write_html(replace(handed, facts=count.of(dossier.facts),
                                          episodes=count.of(dossier.episodes)))),
        ("subject.json", _one(lambda: write_page(handed.page.to_dict()))),
        ("facts.jsonl", (write_fact(one.to_dict()) for one in count.of(dossier.facts)())),
        ("episodes.jsonl", (write_episode(one.to_dict()) for one in count.of(dossier.episodes)())),
        ("mentions.html", write_mentions_html(
            replace(handed, mentions=count.of(dossier.mentions)))),
        ("mentions.jsonl", (write_mention(one.to_dict()) for one in count.of(dossier.mentions)())),
        ("schema.json", _one(write_schema)),
    )  # fmt: skip
    is_large = dossier.characters > LARGE
    with zipfile.ZipFile(cast(BinaryIO, forward), "w") as archive:
        for name, pieces in files:
            _write_file(archive, name, pieces, is_large=is_large)
    forward.flush()
    return forward.size


def _one(write: Callable[[], str]) -> Iterator[str]:
    yield write()


class _Counter:
    """Counts the records that are read, whichever file they are read for."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._done = 0

    def of(self, read: Callable[[], Iterator[Record]]) -> Callable[[], Iterator[Record]]:
        def counting() -> Iterator[Record]:
            for one in read():
                yield one
                self._done += 1
                if self._progress is not None:
                    self._progress(self._done)

        return counting


def _write_file(
    archive: zipfile.ZipFile, name: str, pieces: Iterable[str], *, is_large: bool
) -> None:
    about = zipfile.ZipInfo(name, EPOCH)
    about.compress_type = zipfile.ZIP_DEFLATED
    about.create_system = UNIX
    about.external_attr = (0o100000 | PRIVATE) << 16
    with archive.open(about, "w", force_zip64=is_large) as file:
        waiting: list[str] = []
        length = 0
        for piece in pieces:
            waiting.append(piece)
            length += len(piece)
            if length >= BUFFER_CHARACTERS:
                file.write("".join(waiting).encode())
                waiting, length = [], 0
        file.write("".join(waiting).encode())

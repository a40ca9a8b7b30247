"""What a handle can tell of one person: whom a name means, a page of them, and all of it to hand.

None of this writes to the store.
"""

import os
import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from memorycore.errors import NotFoundError
from memorycore.handle import Handle
from memorycore.looking import find_entity
from memorycore.model.given import require_path
from memorycore.model.name import require_text
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from memorycore.engine.dossier import Gathered
    from memorycore.engine.subject import Whom
    from memorycore.model.subject import Subject, SubjectExport, SubjectMatches
    from memorycore.store.connection import Connection

MAX_SUGGESTED = 3


class Discloser(Handle):
    """The use cases of telling what is held about one person."""

    def find_subject(self, name: str) -> "SubjectMatches":
        """Find whom a name means: exactly by name or alias; apart, those of almost that name.

        Each comes with how many facts speak of it, how much it has said, and how often others name
        it. Only what may be seen counts.

        Raises:
            InvalidInputError: the name is empty.
        """
        from memorycore.engine.subject import find_subjects

        require_text(name, "A name")
        with self._store.read() as db:
            return find_subjects(db, self._readable(db), name)

    def subject(self, subject: str) -> "Subject":
        """Tell of one person on one page; ``subject`` is a name, an id, or a scope of this handle.

        Facts and mentions are at most so many as a page holds; its counts are of all.

        Raises:
            NotFoundError, AmbiguousIdError: nobody is called so, or several are.
        """
        from memorycore.engine.dossier import read_page

        with self._store.read() as db:
            found = self._gather(db, subject)
            return read_page(db, found, zone=self.time_zone, now=self._store.clock())

    def export_subject(
        self,
        subject: str,
        to: "str | os.PathLike[str] | BinaryIO",
        *,
        force: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> "SubjectExport":
        """Write all that is held about one person as a zip, to a file or a binary stream.

        A file can be read by its owner alone, and comes to its place only when it is whole. What
        may be about somebody else stands in files of its own. ``progress`` is told how many records
        were written.

        Raises:
            NotFoundError, AmbiguousIdError: nobody is called so, or several are.
            RefusedError: the file is there and ``force`` is false, or it is a store, a backup, or
                what belongs to one.
            InvalidInputError: the place cannot be written.
        """
        from memorycore.engine.dossier import open_dossier
        from memorycore.model.subject import SubjectExport
        from memorycore.port.private_file import private_file
        from memorycore.port.subject_zip import write_subject
        from memorycore.store.reserved import refuse_reserved

        path = None if hasattr(to, "write") else require_path(to)
        if path is not None:
            refuse_reserved(path)
        with self._store.read() as db:
            found = self._gather(db, subject)
            dossier = open_dossier(db, found, zone=self.time_zone, now=self._store.clock())
            if path is None:
                assert not isinstance(to, (str, os.PathLike))
                size = write_subject(to, dossier, progress)
            else:
                with private_file(path, force=force) as file:
                    size = write_subject(file, dossier, progress)
        entity = dossier.page.entity
        about = dossier.page.scope if entity is None else entity.id
        return SubjectExport(path, about, dossier.page.counts, size)

    def _readable(self, db: "Connection") -> list[int]:
        found = (find_scope(db, name) for name in self.scopes)
        return [number for number in found if number is not None]

    def _gather(self, db: "Connection", subject: str) -> "Gathered":
        from memorycore.engine.dossier import gather

        numbers = self._readable(db)
        return gather(db, numbers, self._whom(db, numbers, subject))

    def _whom(self, db: "Connection", numbers: list[int], subject: str) -> "Whom":
        from memorycore.engine.subject import Whom, whom

        require_text(subject, "The name of a subject")
        if not numbers:
            raise NotFoundError(
                f"There is nothing in {', '.join(self.scopes)}.",
                hint="another --scope; memoryctl stats",
            )
        if subject in self.scopes and (scope_id := find_scope(db, subject)) is not None:
            return Whom(scope_id, None)
        try:
            return whom(db, find_entity(db, numbers, subject))
        except NotFoundError as error:
            similar = self._suggest(db, numbers, subject)
            if similar is None:
                raise
            words = ["memoryctl", "subject", "find", subject]
            words += [word for scope in self.scopes for word in ("--scope", scope)]
            raise NotFoundError(
                error.message, why=f"similar: {similar}", hint=shlex.join(words)
            ) from error

    def _suggest(self, db: "Connection", numbers: list[int], subject: str) -> str | None:
        """Name those of almost that name, by id: an error holds no content of a memory."""
        from memorycore.engine.subject import find_near
        from memorycore.model.entity import Entity

        if subject.startswith("ent_") or not subject.strip():
            return None
        near: tuple[Entity, ...] = find_near(db, numbers, [subject], ())[0]
        if not near:
            return None
        return ", ".join(f"{one.id} ({one.likeness:.2f})" for one in near[:MAX_SUGGESTED])

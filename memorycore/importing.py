"""What a handle can do with imports: read a document, decide, confirm, carry out, take back."""

from collections.abc import Callable, Mapping
from shlex import quote
from typing import TYPE_CHECKING

from memorycore.errors import InvalidInputError, NotUndoableError, PlanChangedError, RefusedError
from memorycore.import_reading import ImportReader, numbers_of
from memorycore.learning import read_policy
from memorycore.model import import_job as states
from memorycore.model.given import require_limit
from memorycore.model.identity import format_id
from memorycore.model.import_item import ACTIONS

if TYPE_CHECKING:
    from memorycore.engine.learn import Learning
    from memorycore.engine.undo import UndoResult
    from memorycore.model.import_item import ImportItem
    from memorycore.model.import_job import ImportJob
    from memorycore.store.connection import Connection
    from memorycore.store.import_jobs import StoredJob

Progress = Callable[[int], None]
DONE = "committed"
REST = ("ignore", "accept")
"""What becomes of items that wait for a person, of which nothing was said."""


class Importer(ImportReader):
    """The use cases of importing. A job outlives the process; no lock is held while a model works.

    Each method names a job by its id, ``job_…`` or the beginning of it.
    """

    def import_jobs(self, *, limit: int = 20) -> "list[ImportJob]":
        """List the jobs of this handle's scopes, newest first."""
        from memorycore.engine.import_process import view_job
        from memorycore.store.import_jobs import list_jobs

        with self._store.read() as db:
            found = list_jobs(db, numbers_of(db, self.scopes), limit=require_limit(limit))
            return [view_job(db, one) for one in found]

    def import_job(self, job: str) -> "ImportJob":
        """Read a job; raises NotFoundError."""
        from memorycore.engine.import_process import view_job

        with self._store.read() as db:
            return view_job(db, self._job(db, job, all_read=True))

    def import_items(
        self,
        job: str,
        *,
        waiting: bool = False,
        action: str | None = None,
        first: int = 1,
        limit: int = 1000,
        matches: bool = False,
    ) -> "list[ImportItem]":
        """List the items of a job, from number ``first`` (counted from 1) on.

        With ``waiting`` those that wait for a person, with ``action`` those of which that becomes;
        ``matches`` adds the facts that they were compared with.
        """
        from memorycore.engine.import_view import view_items

        wanted = None if action is None else _read_action(action)
        with self._store.read() as db:
            stored = self._job(db, job, all_read=True)
            return view_items(
                db, stored, waiting=waiting, action=wanted, first=max(first - 1, 0),
                limit=require_limit(limit), matches=matches, zone=self.time_zone,
            )  # fmt: skip

    def import_choose(self, job: str, choices: Mapping[int, str | None]) -> "ImportJob":
        """Say what becomes of items that wait: an action by number; ``None`` takes it back.

        An action that meets facts meets those that were proposed, or those that are named after a
        colon, of those that the item was compared with: ``SUPERSEDE:fct_01M8``. What does not wait
        stays as it is.

        Raises:
            InvalidInputError: there is no such item, action or fact, or the job takes no choices.
        """
        from memorycore.engine.import_process import choose, view_job

        with self._store.write() as db:
            stored = self._job(db, job)
            choose(db, stored, choices)
            return view_job(db, stored)

    def import_apply(
        self,
        job: str,
        choices: Mapping[int, str | None] | None = None,
        *,
        rest: str = "ignore",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> "ImportJob":
        """Carry a job out, as one operation: what waits as ``choices`` say, the ``rest`` ignored.

        With ``rest="accept"`` what waits becomes what was proposed. Five hundred items go into a
        transaction; a job that was interrupted goes on where it stopped. A dry run is rolled back.

        Raises:
            PlanChangedError: the store has moved since the items were decided; ``import_retry``
                decides anew. Nothing was written.
            InvalidInputError: the job is not decided yet, or was carried out.
        """
        if rest not in REST:
            raise InvalidInputError(f"{rest!r} is no way to treat the rest.", hint="ignore, accept")
        from memorycore.engine.import_process import choose, view_job

        job_id = self._number(job)
        learning = self._learning("import", read_policy(None, "queue"))
        if dry_run:
            with self._store.write(dry_run=True) as db:
                choose(db, self._job(db, job), choices or {})
                while (done := self._apply_page(db, learning, job_id, rest)).at.state != DONE:
                    pass
                return view_job(db, done)
        if choices:
            self.import_choose(job, choices)
        while True:
            with self._store.write() as db:
                done = self._apply_page(db, learning, job_id, rest)
                view = view_job(db, done) if done.at.state == DONE else None
            if progress is not None:
                progress(done.applied)
            if view is not None:
                return view

    def _apply_page(
        self, db: "Connection", learning: "Learning", job_id: int, rest: str
    ) -> "StoredJob":
        """Carry the next page of a job out in the transaction that is open."""
        from memorycore.engine.import_apply import Applying
        from memorycore.port.import_format import open_format
        from memorycore.store.import_items import accept_rest
        from memorycore.store.import_jobs import get_job, position_of

        stored = get_job(db, job_id)
        states.require_committable(stored.at)
        if stored.operation_id is None and not stored.applied:
            if position_of(db, stored.scope_id) != stored.position:
                raise _stale(stored, self.scope)
            if rest == "accept":
                accept_rest(db, job_id)
        reader = open_format(stored.format, stored.settings["options"])
        applying = Applying(
            learning, stored, reader, on_secret=self._on_secret, zone=self.time_zone
        )
        return applying.page(db, now=self._store.clock())

    def import_undo(self, job: str, *, dry_run: bool = False) -> "UndoResult":
        """Take back all that a job has brought, as undoing its operation does.

        One that was carried out in part can be taken back too.

        Raises:
            InvalidInputError: it was not carried out.
            NotUndoableError: it was taken back already.
            RefusedError: it has brought nothing.
        """
        view = self.import_job(job)
        if view.state == "undone":
            raise NotUndoableError(
                f"{view.id} was taken back already.", hint="import the document again"
            )
        is_part = view.operation is not None and view.state in ("ready", "awaiting_confirmation")
        if not is_part:
            states.undo(view.at)
        if view.operation is None:
            raise RefusedError(
                f"{view.id} has brought nothing, so there is nothing to take back.",
                why="each of its items was ignored or refused",
            )
        from memorycore.memory import Memory

        assert isinstance(self, Memory)
        return self.undo(view.operation, dry_run=dry_run)


def _read_action(action: str) -> str:
    read = action.strip().upper()
    if read not in ACTIONS:
        raise InvalidInputError(f"{action[:40]!r} is no action.", hint=", ".join(ACTIONS))
    return read


def _stale(stored: "StoredJob", scope: str) -> PlanChangedError:
    job = format_id("job", stored.uid)
    return PlanChangedError(
        f"The decisions of {job} no longer hold: the store has changed since.",
        why="nothing was written",
        hint=f"memoryctl import retry {job} --scope {quote(scope)}  decides anew; what meets the "
        "same facts stays",
    )


def import_prompt(language: str = "en") -> str:
    """Give the text by which another assistant is asked for its memories, in ``en`` or ``zh``.

    Raises:
        InvalidInputError: there is none in that language.
    """
    from memorycore.port.model_proposer import LANGUAGES, read_prompt

    if language not in LANGUAGES:
        raise InvalidInputError("There is no prompt in that language.", hint=", ".join(LANGUAGES))
    return read_prompt("export", language)

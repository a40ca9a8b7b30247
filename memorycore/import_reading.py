"""Reading an import: a document becomes a job, and each of its items is decided on."""

import io
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from memorycore.errors import InvalidInputError, MemoryCoreError
from memorycore.import_gate import ImportGate
from memorycore.model import import_job as states
from memorycore.model.given import require_path
from memorycore.model.identity import parse_id_of
from memorycore.model.import_item import Dropped, Item, Noted, clamp_top_k
from memorycore.store.scopes import ensure_scope, find_scope

if TYPE_CHECKING:
    from os import PathLike

    from memorycore.engine.import_process import Compare, Prepared
    from memorycore.engine.import_settle import Words
    from memorycore.model.import_item import Choice, Verdict
    from memorycore.model.import_job import ImportJob
    from memorycore.port.import_decider import Decider
    from memorycore.port.import_format import ImportFormat
    from memorycore.store.connection import Connection
    from memorycore.store.import_jobs import StoredJob

Progress = Callable[[int], None]
MAX_DOCUMENT_BYTES = 4_000_000
"""A document that is kept as a whole is no larger."""
PAGE_READ = 1000
"""Records that are read between two transactions."""


class ImportReader(ImportGate):
    """The use cases that make and decide import jobs. No lock is held while a model works."""

    def import_(
        self,
        source: "str | PathLike[str] | None" = None,
        *,
        text: str | None = None,
        format: str = "stratagate",  # noqa: A002 (the public name)
        decider: "Decider | str" = "rules",
        top_k: float | None = None,
        options: Mapping[str, Any] | None = None,
        progress: Progress | None = None,
        **model: Any,
    ) -> "ImportJob":
        """Read a document into a job and decide on each item; nothing else is written.

        ``source`` is a file (``-``: standard input); else the document is the ``text``. ``decider``
        is ``rules``, ``review`` (a person decides on all), ``model`` (with ``model``, ``base_url``
        and what an endpoint takes besides), or an object that decides. Each item is compared with
        the ``top_k`` nearest facts (5, within 1…20). ``options`` are those of the format. What
        ``import_apply`` would do is shown by ``import_items``.

        Raises:
            InvalidInputError: there is nothing in it, or a stream cannot be read.
            ModelError: the model failed; the job keeps what was decided before, and
                ``import_retry`` goes on.
        """
        with self._document(source, text) as (stream, name):
            job = self._read_job(
                stream,
                name,
                format=format,
                settings={
                    "decider": decider if isinstance(decider, str) else decider.name,
                    "top_k": clamp_top_k(top_k),
                    "options": dict(options or {}),
                },
                progress=progress,
            )
        return self._process(job, decider, model, progress=progress)

    @contextmanager
    def _document(
        self, source: "str | PathLike[str] | None", text: str | None
    ) -> "Iterator[tuple[io.BufferedIOBase, str]]":
        if (source is None) == (text is None):
            raise InvalidInputError("Say what is imported: a file, or its text.")
        if text is not None:
            try:
                data = text.encode()
            except UnicodeEncodeError as error:
                raise InvalidInputError("The text holds half a character.") from error
            yield io.BytesIO(data), "text"
            return
        from memorycore.port.lines import open_input

        path = require_path(source)
        with open_input(path) as stream:
            yield stream, "standard input" if path == "-" else path.rsplit("/", 1)[-1]

    def _read_job(
        self,
        stream: io.BufferedIOBase,
        name: str,
        *,
        format: str,  # noqa: A002
        settings: dict[str, Any],
        progress: Progress | None,
    ) -> int:
        """Read a document into a new job; give its number."""
        from memorycore.port.import_format import open_format

        reader = open_format(format, self._told(format, settings["options"]))
        begun = _Begun(self, format, name, settings)
        if reader.keeps_document:
            return self._read_document(stream, reader, begun)
        read = _whole(reader.read(stream, source=name, zone=self.time_zone))
        items = map(self._gated, read)
        job_id = begun.start(states.JobState("extracting"), None)
        try:
            done = 0
            while page := list(islice(items, PAGE_READ)):
                begun.add(job_id, self._unforgotten_page(reader, page, name))
                done += len(page)
                if progress is not None:
                    progress(done)
        except MemoryCoreError as error:
            self._fail(job_id, error)
            raise
        begun.finish(job_id)
        return job_id

    def _told(self, format_: str, options: dict[str, Any]) -> dict[str, Any]:
        """Give the options of a format, with what the store knows where it wants to know that."""
        from memorycore.port.import_format import KNOWS_STORE
        from memorycore.store.predicates import list_predicates
        from memorycore.store.scopes import has_turns

        if format_ not in KNOWS_STORE:
            return options

        def is_session(name: str) -> bool:
            with self._store.read() as db:
                return has_turns(db, find_scope(db, self.scope) or 0, name)

        with self._store.read() as db:
            found = list_predicates(db)
        names = [name for one in found for name in (one.name, *one.aliases)]
        return options | {"predicates": names, "is_session": is_session}

    def _read_document(
        self, stream: io.BufferedIOBase, reader: "ImportFormat", begun: "_Begun"
    ) -> int:
        from memorycore.engine.import_document import prepare_document

        data = stream.read(MAX_DOCUMENT_BYTES + 1)
        document = prepare_document(
            data, reader, source=begun.name, zone=self.time_zone, on_secret=self._on_secret,
            longest=MAX_DOCUMENT_BYTES,
        )  # fmt: skip
        if document.parse_error is not None:
            self._refuse_forgotten(reader, document.text)
        document.text, document.items = self._unforgotten(reader, document.text, document.items)
        at = states.created(
            document.text, total=len(document.items), parse_error=document.parse_error
        )
        return begun.start(at, document.text, document.items, document.dropped)

    def import_retry(
        self,
        job: str,
        *,
        decider: "Decider | str | None" = None,
        progress: Progress | None = None,
        **model: Any,
    ) -> "ImportJob":
        """Let a job go on that failed or was interrupted, or decide one anew that is stale.

        Decisions stay where an item would be compared with the same facts.

        Raises:
            InvalidInputError: it is neither.
        """
        from memorycore.engine.import_process import again

        with self._store.write() as db:
            stored = self._job(db, job)
            again(db, stored, now=self._store.clock())
            chosen = decider if decider is not None else stored.settings["decider"]
        return self._process(stored.job_id, chosen, model, progress=progress)

    def _process(
        self,
        job_id: int,
        decider: "Decider | str",
        model: Mapping[str, Any],
        *,
        progress: Progress | None,
    ) -> "ImportJob":
        """Decide on what is left of a job, a few items at a time."""
        from memorycore.engine.import_decide import make_decider
        from memorycore.engine.import_process import COMPARED, PAGE, view_job
        from memorycore.port.import_format import open_format
        from memorycore.store.import_jobs import get_job

        asked = make_decider(decider, model)
        with self._store.read() as db:
            stored = get_job(db, job_id)
        reader = open_format(stored.format, stored.settings["options"])
        try:
            if stored.at.state == "extracting" and stored.has_text and asked.can_recover:
                self._recover(stored, asked)
            limit = 1 if asked.is_slow else COMPARED if reader.compares else PAGE
            while self._decide_some(job_id, asked, limit, progress):
                pass
        except MemoryCoreError as error:
            self._fail(job_id, error)
            raise
        with self._store.read() as db:
            return view_job(db, get_job(db, job_id))

    def _decide_some(
        self, job_id: int, asked: "Decider", limit: int, progress: Progress | None
    ) -> bool:
        """Decide on the next items; tell whether there were any."""
        from memorycore.engine.import_process import complete, prepare
        from memorycore.engine.import_settle import settle_choice
        from memorycore.port.import_format import open_format
        from memorycore.store.import_jobs import get_job

        with self._store.read() as db:
            stored = get_job(db, job_id)
            reader = open_format(stored.format, stored.settings["options"])
            prepared = prepare(db, stored, self._compare(stored), reader, limit=limit)
        if not prepared:
            return False

        def choose(one: "Prepared") -> "Choice":
            if one.choice is not None:
                return one.choice
            content = one.item.content or ""
            proposals = reader.propose(content, ["ep_"], zone=self.time_zone)
            verdict = asked.decide(content, proposals, one.matches)
            verdict, words = self._worded(reader, content, verdict)
            return settle_choice(
                verdict, one.matches, is_recovered=stored.at.is_recovered, source_class=reader.role,
                words=words,
            )  # fmt: skip

        decided = [(one, choose(one)) for one in prepared]
        with self._store.write() as db:
            now = self._store.clock()
            done = complete(db, job_id, stored.at.processed, decided, now=now)
        if progress is not None:
            progress(done.at.processed)
        return True

    def _worded(
        self, reader: "ImportFormat", content: str, verdict: "Verdict"
    ) -> "tuple[Verdict, Words]":
        """Give a verdict with the record in the decider's words, and what both of them say."""
        from memorycore.engine.import_settle import Words

        own = reader.search_of(content)
        if verdict.merged is None:
            return verdict, Words(own)
        merged = reader.merged(content, verdict.merged)
        made = reader.propose(merged, ["ep_"], zone=self.time_zone)
        told = "\n".join(one.candidate.value or "" for one in made)
        return replace(verdict, merged=merged), Words(own, told)

    def _recover(self, stored: "StoredJob", asked: "Decider") -> None:
        """Let a model make items of a document that cannot be read; all of them wait."""
        from memorycore.engine.import_document import mask_records
        from memorycore.engine.import_process import complete_recovery
        from memorycore.port.import_format import open_format
        from memorycore.store.import_jobs import job_text

        with self._store.read() as db:
            text = job_text(db, stored.job_id) or ""
        document = asked.recover(text)
        reader = open_format(stored.format, stored.settings["options"])
        stream = io.BytesIO(document.encode())
        read = reader.read(stream, source=stored.source, zone=self.time_zone)
        gated = [self._gated(one) for one in read]
        found = self._unforgotten_page(reader, gated, stored.source)
        refused = [one for one in found if isinstance(one, Item) and one.refused is not None]
        text = mask_records(text, refused, reader, zone=self.time_zone)
        with self._store.write() as db:
            complete_recovery(
                db, stored.job_id, found, text=text, key=self._store.key(), scope=self.scope,
                now=self._store.clock(),
            )  # fmt: skip

    def _compare(self, stored: "StoredJob") -> "Compare":
        from memorycore.engine.import_process import Compare

        return Compare(
            self.scope,
            stored.scope_id,
            stored.settings["top_k"],
            self._store.clock(),
            self.time_zone,
        )

    def _fail(self, job_id: int, error: MemoryCoreError) -> None:
        from memorycore.store.import_jobs import get_job, set_at

        with self._store.write() as db:
            stored = get_job(db, job_id)
            told = f"{error.message} {error.why or ''}".strip()
            set_at(db, job_id, states.fail(stored.at, told), now=self._store.clock())

    def _job(self, db: "Connection", job: str, *, all_read: bool = False) -> "StoredJob":
        """Find a job of this handle's scope, or of those that it reads."""
        from memorycore.engine.look import one_of
        from memorycore.store.import_jobs import list_by_uid

        scopes = self.scopes if all_read else (self.scope,)
        found = list_by_uid(db, *parse_id_of("job", job), numbers_of(db, scopes))
        return one_of(found, "import job", job, scopes, prefix="job")

    def _number(self, job: str) -> int:
        with self._store.read() as db:
            return self._job(db, job).job_id


class _Begun:
    """A job that is being read: its name and settings, and how its items are added."""

    def __init__(
        self, handle: ImportReader, format_: str, name: str, settings: dict[str, Any]
    ) -> None:
        self.name = name
        self._handle = handle
        self._format = format_
        self._settings = settings

    def start(
        self,
        at: states.JobState,
        text: str | None,
        items: "list[Item] | None" = None,
        dropped: "list[Dropped] | None" = None,
    ) -> int:
        """Add the job, with the items that are there already."""
        from memorycore.engine.import_process import begin_job

        store, scope = self._handle._store, self._handle.scope
        with store.write() as db:
            return begin_job(
                db, ensure_scope(db, scope), at, items or [], dropped or [],
                format_=self._format, source=self.name, settings=self._settings, text=text,
                key=store.key(), scope=scope, uid=store.new_id(store.clock()), now=store.clock(),
            )  # fmt: skip

    def add(self, job_id: int, page: "list[Item | Dropped | Noted]") -> None:
        """Add items that were read."""
        from memorycore.engine.import_process import add_page

        store = self._handle._store
        with store.write() as db:
            add_page(db, job_id, page, key=store.key(), scope=self._handle.scope, now=store.clock())

    def finish(self, job_id: int) -> None:
        """Say that all was read."""
        from memorycore.engine.import_process import finish_reading

        store = self._handle._store
        with store.write() as db:
            finish_reading(db, job_id, now=store.clock())


def _whole(items: "Iterator[Item | Dropped | Noted]") -> "Iterator[Item | Dropped | Noted]":
    """Go through what a format reads; a file that breaks off is one of our errors."""
    try:
        yield from items
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInputError(
            "The file cannot be read to its end.",
            why=getattr(error, "strerror", None) or "it breaks off",
            hint="repair the file and import it again",
        ) from error


def numbers_of(db: "Connection", scopes: Sequence[str]) -> list[int]:
    """Give the numbers of those of some scopes that are there."""
    return [number for name in scopes if (number := find_scope(db, name)) is not None]

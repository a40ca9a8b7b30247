"""The gate of imports: what may not be kept is refused before it is stored in a job."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memorycore.errors import SuppressedError
from memorycore.harvesting import Harvester
from memorycore.learning import read_policy
from memorycore.model.draft import Draft
from memorycore.model.import_item import Dropped, Item, Noted, Proposal
from memorycore.store.scopes import find_scope

if TYPE_CHECKING:
    from memorycore.port.import_format import ImportFormat


class ImportGate(Harvester):
    """Refuses items of imports for what they hold, and for what was told to be forgotten."""

    def _gated(self, one: "Item | Dropped | Noted") -> "Item | Dropped | Noted":
        from memorycore.engine.import_document import gate_item

        return gate_item(one, self._on_secret) if isinstance(one, Item) else one

    def _unforgotten(
        self, reader: "ImportFormat", text: str, items: list[Item]
    ) -> tuple[str, list[Item]]:
        """Give a document and its items without what was told to be forgotten."""
        from memorycore.engine.import_forgotten import mask_forgotten

        if not self._forgets():
            return text, items
        with self._store.write(dry_run=True) as db:
            learning = self._learning("import", read_policy(None, "queue"))
            records = {
                number: reader.propose(item.content, ["ep_"], zone=self.time_zone)
                for number, item in enumerate(items)
                if item.refused is None
            }
            bench = learning.bench(db, self._store.clock())
            text, forgotten = mask_forgotten(bench, learning.run.policy, text, records)
        return text, [
            replace(item, refused="suppressed") if number in forgotten else item
            for number, item in enumerate(items)
        ]

    def _unforgotten_page(
        self, reader: "ImportFormat", page: "list[Item | Dropped | Noted]", source: str
    ) -> "list[Item | Dropped | Noted]":
        """Give a page of a stream; an item that was told to be forgotten is refused."""
        from memorycore.engine.import_forgotten import forgotten_among

        if not self._forgets():
            return page
        with self._store.write(dry_run=True) as db:
            learning = self._learning("import", read_policy(None, "queue"))
            records, texts = {}, {}
            for number, item in enumerate(page):
                if isinstance(item, Item) and item.refused is None:
                    drafts = reader.drafts(item.content, source=source, zone=self.time_zone)
                    ids = ["ep_"] * max(len(drafts), 1)
                    made = reader.propose(item.content, ids, zone=self.time_zone)
                    records[number] = made
                    texts[number] = [*drafts, *_texts_read(made)]
            bench = learning.bench(db, self._store.clock())
            forgotten = forgotten_among(bench, learning.run.policy, records, texts)
        return [
            replace(item, refused="suppressed")
            if isinstance(item, Item) and number in forgotten
            else item
            for number, item in enumerate(page)
        ]

    def _forgets(self) -> bool:
        """Tell whether anything was told to be forgotten for good in this scope."""
        with self._store.read() as db:
            scope_id = find_scope(db, self.scope)
            return scope_id is not None and self._store.suppression().is_active(db, scope_id)

    def _refuse_forgotten(self, reader: "ImportFormat", text: str) -> None:
        """Refuse a document that cannot be read, so that nothing can be taken out of it.

        Raises:
            SuppressedError: it, or a text in it, says what was told to be forgotten.
        """
        from memorycore.engine.import_forgotten import forgotten_among

        if not self._forgets():
            return
        with self._store.write(dry_run=True) as db:
            learning = self._learning("import", read_policy(None, "queue"))
            told = enumerate(reader.guesses(text))
            records = {
                number: reader.propose(one, ["ep_"], zone=self.time_zone) for number, one in told
            }
            texts = {number: _texts_read(made) for number, made in records.items()}
            texts[-1] = [Draft(text, "document")]
            bench = learning.bench(db, self._store.clock())
            forgotten = forgotten_among(bench, learning.run.policy, records, texts)
        if forgotten:
            raise SuppressedError(
                "The document holds what was told to be forgotten; nothing of it was kept.",
                why="it cannot be read, so that nothing can be taken out of it",
                hint="mend it and import it again: then only what was forgotten is left out",
            )


def _texts_read(made: Sequence[Proposal]) -> list[Draft]:
    """List what the quotes of proposals read as, where they are no plain sentences."""
    return [Draft(one.read_as, "document") for one in made if one.read_as]

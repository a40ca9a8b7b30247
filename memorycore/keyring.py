"""The keys of an open store: its own, and that of what it was told to forget."""

from typing import TYPE_CHECKING

from memorycore.store.connection import Connection
from memorycore.store.stores import StoreRow

if TYPE_CHECKING:
    # Only writing needs the keys: a search starts without them.
    from memorycore.engine.suppress import Suppression
    from memorycore.store.key_file import Key


class Keyring:
    """Reads the keys when they are first needed, and remembers them."""

    path: str

    def __init__(self) -> None:
        self._key: Key | None = None
        self._suppression_key: Key | None = None

    @property
    def row(self) -> StoreRow:
        """What the store knows about itself."""
        raise NotImplementedError

    def key(self) -> "Key":
        """Read the store's key, once.

        Raises:
            KeyFileError: it is missing, or another store's.
        """
        from memorycore.store.key_file import read_key, require_own_key

        if self._key is None:
            key, row = read_key(self.path), self.row
            require_own_key(key, store_uid=row.uid, key_check=row.key_check, store_path=self.path)
            self._key = key
        return self._key

    def suppression_key(
        self, db: Connection, *, make: bool = False, dry_run: bool = False
    ) -> "Key":
        """Read the key of the fingerprints of what was forgotten; make it if it is new.

        The one that was read before serves while the store still says so: its making may have been
        rolled back, or another process have destroyed it.

        Raises:
            KeyFileError: it is missing, or another store's.
        """
        from memorycore.store.suppression_key import is_current, load_key, make_key

        uid, key = self.row.uid, self._suppression_key
        if key is None or not is_current(key, db, uid):
            key = (
                make_key(db, self.path, uid, dry_run=dry_run)
                if make
                else load_key(db, self.path, uid)
            )
        self._suppression_key = key
        return key

    def suppression(self) -> "Suppression":
        """Give what refuses that which the store was told to forget."""
        from memorycore.engine.suppress import Suppression

        return Suppression(lambda db: self.suppression_key(db))

    def destroy_suppression_key(self) -> None:
        """Destroy the key of the fingerprints: what is left of them says nothing."""
        from memorycore.store.suppression_key import destroy_key

        self._suppression_key = None
        destroy_key(self.path)

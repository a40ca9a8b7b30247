"""The store's key: 32 random bytes in a file of mode 0600 beside the store, never inside it.

With it the store recognises a text again without keeping a hash that could be guessed from the
text.
"""

import contextlib
import errno
import hashlib
import os
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from memorycore.errors import DiskFullError, KeyFileError
from memorycore.store.connection import MEMORY

KEY_BYTES = 32
FINGERPRINT_BYTES = 16


def key_path(store_path: str) -> str:
    """Name the key file of a store."""
    return store_path + ".key"


@dataclass(frozen=True, slots=True)
class Key:
    """A store's secret key."""

    secret: bytes

    def fingerprint(self, purpose: bytes, fields: Sequence[str]) -> bytes:
        """Give 16 bytes that stand for these fields, in this order, for this purpose.

        Texts are taken in NFC. The fields are framed by their lengths, so that no two lists of
        fields can be confused.
        """
        text = "".join(fields)
        if not text.isascii():
            fields = [unicodedata.normalize("NFC", field) for field in fields]
            text = "".join(fields)
        frame = ",".join(map(str, map(len, fields)))
        return hashlib.blake2b(
            f"{frame}:{text}".encode(),
            digest_size=FINGERPRINT_BYTES,
            key=self.secret,
            person=purpose,
        ).digest()

    def check_value(self, store_uid: bytes) -> bytes:
        """Give what the store keeps to notice a key file that is not its own."""
        return self.fingerprint(b"check", (store_uid.hex(),))

    def __repr__(self) -> str:
        return "Key(…)"


def create_key(store_path: str) -> Key:
    """Make the key file of a new store, or take the one that an interrupted start left there.

    Called under the store's write lock, so no two processes make one at a time.
    """
    if store_path == MEMORY:
        return Key(secrets.token_bytes(KEY_BYTES))
    path = key_path(store_path)
    if not os.path.exists(path):
        write_secret(path, secrets.token_bytes(KEY_BYTES))
    return read_key(store_path)


def write_secret(path: str, secret: bytes) -> None:
    """Write a file that only its owner may read; it is there whole or not at all.

    Raises:
        KeyFileError: it cannot be written.
        DiskFullError: there is no room for it.
    """
    fresh = path + ".new"
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        if error.errno == errno.ENOSPC:
            raise DiskFullError(f"The disk is full: {path} cannot be written.") from error
        raise KeyFileError(f"{path} cannot be written ({error.strerror}).") from error


def read_key(store_path: str) -> Key:
    """Read the key file of a store.

    Raises:
        KeyFileError: it is missing, unreadable, or not a key.
    """
    path = key_path(store_path)
    try:
        with open(path, "rb") as file:
            secret = file.read(KEY_BYTES + 1)
    except OSError as error:
        raise KeyFileError(
            f"The key file {path} cannot be read ({error.strerror}).",
            why="only with its key does the store recognise what it has",
            hint="put the key file back beside the store; reading works without it",
        ) from error
    if len(secret) != KEY_BYTES:
        raise KeyFileError(f"{path} is not a key: it must hold exactly {KEY_BYTES} bytes.")
    return Key(secret)


def require_own_key(key: Key, *, store_uid: bytes, key_check: bytes, store_path: str) -> None:
    """Check that a key is the one that the store was made with.

    Raises:
        KeyFileError: it is another store's.
    """
    if not secrets.compare_digest(key.check_value(store_uid), key_check):
        raise KeyFileError(
            f"{key_path(store_path)} is the key of another store.",
            hint="put this store's own key file back",
        )

"""The key of the fingerprints of what was forgotten: a file of its own, beside the store.

It is made with the first forgetting that keeps something from coming back. Without it the
fingerprints say nothing; so it can be destroyed for good.
"""

import contextlib
import os
import secrets

from memorycore.errors import KeyFileError
from memorycore.store.connection import MEMORY, Connection
from memorycore.store.key_file import KEY_BYTES, Key, write_secret
from memorycore.store.operations import last_number
from memorycore.store.suppressions import find_key_check, insert_key_check

_PURPOSE = b"forget check"


def suppression_key_path(store_path: str) -> str:
    """Name the file of the key."""
    return store_path + ".forget.key"


def is_current(key: Key, db: Connection, store_uid: bytes) -> bool:
    """Tell whether a key that was read before is still the one; it may have been destroyed."""
    check = find_key_check(db)
    return check is not None and _fits(key, check, store_uid)


def make_key(db: Connection, store_path: str, store_uid: bytes, *, dry_run: bool) -> Key:
    """Give the key, making it under the write lock if there is none; a dry run writes no file."""
    if find_key_check(db) is not None:
        return load_key(db, store_path, store_uid)
    key = Key(secrets.token_bytes(KEY_BYTES))
    if store_path != MEMORY and not dry_run:
        write_secret(suppression_key_path(store_path), key.secret)
    insert_key_check(db, _check_value(key, store_uid), recorded=last_number(db))
    return key


def _check_value(key: Key, store_uid: bytes) -> bytes:
    return key.fingerprint(_PURPOSE, (store_uid.hex(),))


def _fits(key: Key, check: bytes, store_uid: bytes) -> bool:
    return secrets.compare_digest(check, _check_value(key, store_uid))


def load_key(db: Connection, store_path: str, store_uid: bytes) -> Key:
    """Read the key.

    Raises:
        KeyFileError: it is missing, unreadable, or another store's.
    """
    check = find_key_check(db)
    path = suppression_key_path(store_path)
    try:
        with open(path, "rb") as file:
            secret = file.read(KEY_BYTES + 1)
    except OSError as error:
        raise KeyFileError(
            f"The key file {path} cannot be read ({error.strerror}).",
            why="only with it does the store recognise what it was told to forget",
            hint="put it back, or let everything come back: memoryctl suppression destroy-key",
        ) from error
    key = Key(secret)
    if len(secret) != KEY_BYTES or check is None or not _fits(key, check, store_uid):
        raise KeyFileError(
            f"{path} is not the key of what this store was told to forget.",
            hint="put this store's own file back",
        )
    return key


def destroy_key(store_path: str) -> None:
    """Overwrite the key file and take it away."""
    path = suppression_key_path(store_path)
    if store_path == MEMORY or not os.path.exists(path):
        return
    with open(path, "r+b") as file:
        file.write(bytes(KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)

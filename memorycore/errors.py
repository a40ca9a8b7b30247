"""Every error that memorycore raises.

    MemoryCoreError                     exit 1
    ├── InvalidInputError               exit 2   something given cannot be read
    │   ├── InvalidTimeError
    │   ├── InvalidScopeError
    │   ├── InvalidQueryError
    │   ├── InvalidCursorError
    │   └── InvalidConfigError
    ├── StoreMissingError               exit 3   no store at that place
    ├── NotAStoreError                  exit 3   a file, but not one of ours
    ├── KeyFileError                    exit 3   the key file beside the store is missing or wrong
    ├── NetworkFileSystemError          exit 3
    ├── NotFoundError                   exit 4
    ├── AmbiguousIdError                exit 4
    ├── StoreBusyError                  exit 5
    ├── RefusedError                    exit 6   allowed for nobody, or not here
    │   ├── SecretRefusedError
    │   ├── NotUndoableError
    │   ├── PlanChangedError
    │   ├── ConfirmationNeededError
    │   ├── SuppressedError
    │   ├── ReadOnlyStoreError
    │   ├── ClosedError
    │   └── ForkedHandleError
    ├── SchemaTooOldError               exit 10
    ├── SchemaTooNewError               exit 10
    ├── ModelError                      exit 11  a model endpoint failed; what was done is kept
    │   ├── ModelUnreachableError
    │   ├── ModelBusyError
    │   ├── ModelRefusedError
    │   │   └── PacketTooLargeError
    │   ├── ModelFaultError
    │   ├── SchemaIgnoredError
    │   └── OutputTruncatedError
    └── StorageError                    exit 1   the disk, the file or SQLite failed
        ├── DiskFullError
        ├── CorruptStoreError
        └── UnknownOutcomeError

Messages name the thing and the place, never the content of a memory.
"""


class MemoryCoreError(Exception):
    """Root of all errors: what happened, why (if known), and what to try."""

    code = "error"
    exit_code = 1

    def __init__(self, message: str, *, why: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.why = why
        self.hint = hint

    def to_dict(self) -> dict[str, object]:
        """Give the shape of ``memorycore.error.v1``'s ``error`` object."""
        return {
            "code": self.code,
            "message": self.message,
            "why": self.why,
            "try": self.hint,
            "exit": self.exit_code,
        }


class InvalidInputError(MemoryCoreError):
    """An argument or a record cannot be read."""

    code = "invalid_input"
    exit_code = 2


class InvalidTimeError(InvalidInputError):
    """A text is not a time, or not one that can be read without guessing."""

    code = "invalid_time"


class InvalidScopeError(InvalidInputError):
    """A scope name is empty, too long, or holds control characters."""

    code = "invalid_scope"


class InvalidQueryError(InvalidInputError):
    """A query is empty."""

    code = "invalid_query"


class InvalidCursorError(InvalidInputError):
    """A cursor is damaged, or belongs to another question."""

    code = "invalid_cursor"


class InvalidConfigError(InvalidInputError):
    """A configuration file or value cannot be used."""

    code = "invalid_config"


class StoreMissingError(MemoryCoreError):
    """There is no store at the place that was named."""

    code = "store_missing"
    exit_code = 3


class NotAStoreError(MemoryCoreError):
    """The file is there but is not a memorycore store."""

    code = "not_a_store"
    exit_code = 3


class KeyFileError(MemoryCoreError):
    """The store's key file is missing, unreadable, or belongs to another store."""

    code = "key_file"
    exit_code = 3


class NetworkFileSystemError(MemoryCoreError):
    """The place lies on a network file system, where SQLite's locks cannot be trusted."""

    code = "network_file_system"
    exit_code = 3


class NotFoundError(MemoryCoreError):
    """Nothing has that id or name, or it may not be seen."""

    code = "not_found"
    exit_code = 4


class AmbiguousIdError(MemoryCoreError):
    """A shortened id fits more than one record."""

    code = "ambiguous_id"
    exit_code = 4


class StoreBusyError(MemoryCoreError):
    """Another process held the write lock until the wait ran out; nothing was written."""

    code = "store_busy"
    exit_code = 5


class RefusedError(MemoryCoreError):
    """The store declines to do this."""

    code = "refused"
    exit_code = 6


class SecretRefusedError(RefusedError):
    """A text holds what looks like a secret, and the policy is to reject it."""

    code = "secret"


class NotUndoableError(RefusedError):
    """An operation cannot be taken back, or has been already."""

    code = "not_undoable"


class PlanChangedError(RefusedError):
    """A plan is to be carried out, but the store has moved since it was made."""

    code = "plan_changed"


class ConfirmationNeededError(RefusedError):
    """What cannot be undone was asked for without the confirmation that it needs."""

    code = "confirmation_needed"


class SuppressedError(RefusedError):
    """The store was told to forget what was to be kept."""

    code = "suppressed"


class ReadOnlyStoreError(RefusedError):
    """The store was opened for reading, or its file or folder cannot be written."""

    code = "read_only"


class ClosedError(RefusedError):
    """The handle has been closed."""

    code = "closed"


class ForkedHandleError(RefusedError):
    """A handle was used in a child process that inherited it by fork."""

    code = "forked"


class SchemaTooOldError(MemoryCoreError):
    """The store was written by an older version and has not been migrated."""

    code = "schema_too_old"
    exit_code = 10


class SchemaTooNewError(MemoryCoreError):
    """The store was written by a newer version."""

    code = "schema_too_new"
    exit_code = 10


class ModelError(MemoryCoreError):
    """A model endpoint failed after retries; what was done before is kept."""

    code = "model"
    exit_code = 11


class ModelUnreachableError(ModelError):
    """No connection came about, or it was closed or too slow to end in time."""

    code = "model_unreachable"


class ModelBusyError(ModelError):
    """The endpoint said "too many requests" until patience ran out."""

    code = "model_busy"


class ModelRefusedError(ModelError):
    """The endpoint declined the request: a wrong key, an unknown model, a field it lacks."""

    code = "model_refused"


class PacketTooLargeError(ModelRefusedError):
    """The request is longer than the model can read."""

    code = "packet_too_large"


class ModelFaultError(ModelError):
    """The endpoint failed, or sent what is no chat completion."""

    code = "model_fault"


class SchemaIgnoredError(ModelError):
    """What the model answers is not of the shape that was asked for."""

    code = "schema_ignored"


class OutputTruncatedError(ModelError):
    """Answers break off even for the smallest packet."""

    code = "output_truncated"


class StorageError(MemoryCoreError):
    """The disk, the file or SQLite failed."""

    code = "storage"


class DiskFullError(StorageError):
    """There was no room to write; the transaction was rolled back."""

    code = "disk_full"


class CorruptStoreError(StorageError):
    """The file's content is damaged."""

    code = "corrupt"


class UnknownOutcomeError(StorageError):
    """A commit failed in a way that leaves open whether it is durable."""

    code = "unknown_outcome"

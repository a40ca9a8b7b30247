"""A handle on an open store: whose memory it writes and reads, and who acts."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from memorycore.errors import DiskFullError
from memorycore.model.scope import parse_scope
from memorycore.open_store import OpenStore

if TYPE_CHECKING:
    from memorycore.model.operation import Operation
    from memorycore.store.connection import Connection

DEFAULT_BUSY_TIMEOUT = 10.0
"""Seconds to wait for a lock."""
ACTORS = ("library", "memoryctl")
"""Who acts unless a program says otherwise; these names need no look."""


class Handle:
    """What every use case works with. ``scope`` is written and read, ``scopes`` are read."""

    def __init__(
        self,
        store: OpenStore,
        *,
        scope: str,
        reads: Sequence[str] = (),
        actor: str = "library",
        on_secret: str = "reject",
        time_zone: str | None = None,
    ) -> None:
        if actor not in ACTORS:
            from memorycore.engine.gate import require_safe
            from memorycore.model.name import require_name

            require_safe("The actor", require_name(actor, "The actor"))
        self._store = store
        self._actor = actor
        self._on_secret = on_secret
        self._time_zone = time_zone
        self.scope = parse_scope(scope)
        self.scopes = tuple(dict.fromkeys([self.scope, *(parse_scope(name) for name in reads)]))

    @property
    def time_zone(self) -> str:
        """Zone of times without an offset: this handle's, else the store's."""
        return self._time_zone or self._store.row.time_zone

    def _record(self, db: "Connection", kind: str, *, scope_id: int | None = None) -> "Operation":
        """Record an operation of this handle's actor in the transaction that is open."""
        from memorycore.store.operations import insert_operation

        return insert_operation(
            db,
            now=self._store.clock(),
            new_id=self._store.new_id,
            actor=self._actor,
            kind=kind,
            scope_id=scope_id,
        )


Given = ParamSpec("Given")
Answer = TypeVar("Answer")
Holder = TypeVar("Holder", bound=Handle)
Method = Callable[Concatenate[Holder, Given], Answer]


def relieved(method: Method[Holder, Given, Answer]) -> Method[Holder, Given, Answer]:
    """Let a use case that takes away try once more, in the room of the ballast, on a full disk."""

    @wraps(method)
    def run(self: Holder, /, *args: Given.args, **kwargs: Given.kwargs) -> Answer:
        try:
            return method(self, *args, **kwargs)
        except DiskFullError:
            if not self._store.give_way():
                raise
            return method(self, *args, **kwargs)

    return run

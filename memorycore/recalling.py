"""The use case of recalling: what an agent should have before its eyes for a question."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memorycore.errors import InvalidInputError
from memorycore.handle import Handle
from memorycore.model.context import DEFAULT_BUDGET, MAX_BUDGET, SECTIONS
from memorycore.model.given import require_names
from memorycore.model.identity import format_id, parse_id
from memorycore.model.name import require_text
from memorycore.model.tokens import CountTokens, estimate_tokens

if TYPE_CHECKING:
    from memorycore.model.context import Context

MAX_EXCLUDED = 1000


class Recaller(Handle):
    """The use case that makes a context. It writes nothing and reaches no network."""

    def context(
        self,
        query: str,
        *,
        budget: int = DEFAULT_BUDGET,
        count_tokens: CountTokens | None = None,
        sections: Sequence[str] = SECTIONS,
        as_of: str | None = None,
        known_at: str | None = None,
        session: str | None = None,
        exclude: Sequence[str] = (),
        stable: bool = False,
    ) -> "Context":
        """Make a text for a prompt from what this handle's scopes hold on a question.

        Its sections are what always counts, what holds now, what held before, what is owed, and
        what was said; each line is whole, dated, and ends with its id. The text is never above
        ``budget`` tokens, as ``count_tokens`` counts them (else by an estimate that is rather too
        high); with too small a budget it is empty. Turns of ``session`` are left out, since who
        asks has them at hand, and so are the facts and episodes whose whole ids are in ``exclude``.
        With ``stable`` the lines stand by id, not by weight, so that a prompt cache holds longer.

        Raises:
            InvalidQueryError: the question is empty.
            InvalidInputError: the budget is below 0 or above 1,000,000, a section is unknown, or an
                id cannot be read.
            InvalidTimeError: a time cannot be read.
        """
        from memorycore.engine.recall import RecallRequest, recall

        if type(budget) is not int or not 0 <= budget <= MAX_BUDGET:
            raise InvalidInputError(f"The budget is {budget!r} tokens; 0 to {MAX_BUDGET} do.")
        request = RecallRequest(
            require_text(query, "The query"),
            self.scopes,
            budget,
            tuple(require_names(sections, "section", SECTIONS)),
            self._store.clock(),
            self.time_zone,
            as_of,
            known_at,
            None if session is None else require_text(session, "session"),
            frozenset(_read_excluded(exclude)),
            is_stable=stable,
        )
        with self._store.read() as db:
            return recall(db, request, count=count_tokens or estimate_tokens)


def _read_excluded(ids: Sequence[str]) -> list[str]:
    if isinstance(ids, str) or len(ids) > MAX_EXCLUDED:
        raise InvalidInputError(f"exclude must be a list of at most {MAX_EXCLUDED} ids.")
    found = []
    for asked in ids:
        prefix, lowest, highest = parse_id(asked)
        if prefix not in ("fct", "ep") or lowest != highest:
            raise InvalidInputError(
                f"{asked[:40]!r} is no whole id of a fact or an episode.",
                hint="ids as a context or a search gives them",
            )
        found.append(format_id(prefix, lowest))
    return found

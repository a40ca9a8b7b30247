"""Resolve what is to be forgotten: an id, a name, a session, words or a time become numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from memorycore.engine.look import Unnamed, one_of
from memorycore.engine.reach import Target
from memorycore.errors import InvalidInputError, NotFoundError
from memorycore.model.identity import format_id, parse_id, parse_id_of
from memorycore.model.name import bare, stands_in
from memorycore.store import reach as rows
from memorycore.store.connection import Connection
from memorycore.store.entities import list_named
from memorycore.store.forgotten import redacted_before, redacted_of_session
from memorycore.store.import_jobs import get_job, jobs_of_operation
from memorycore.store.import_jobs import list_by_uid as list_jobs_by_uid
from memorycore.store.plans import Named, numbers_of_id, session_name, uid_of
from memorycore.store.review_erase import (
    read_packets,
    read_records,
    records_of_operation,
    reviews_before,
)
from memorycore.store.review_records import list_by_number
from memorycore.store.scopes import find_session

KINDS = {"fct": "fact", "mem": "fact", "ep": "episode", "ent": "entity", "op": "operation"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked to be forgotten; just one of these is given. ``before`` is an instant."""

    id: str | None = None
    subject: str | None = None
    session: str | None = None
    query: str | None = None
    before: int | None = None
    job: str | None = None

    def __post_init__(self) -> None:
        given = (self.id, self.subject, self.session, self.query, self.before, self.job)
        if sum(one is not None for one in given) != 1:
            raise InvalidInputError(
                "Say what is to be forgotten, in one way.",
                hint="an id, or --subject, --session, --query, --before, --import",
            )


def name_target(db: Connection, scope_id: int, scope: str, asked: Asked) -> tuple[str, Named]:
    """Give the kind of what was asked for, and its numbers.

    Raises:
        NotFoundError, AmbiguousIdError: there is no such thing, or there are several.
    """
    if asked.id is not None:
        return _by_id(db, scope_id, scope, asked.id)
    if asked.subject is not None:
        return "subject", _by_subject(db, scope_id, scope, asked.subject)
    if asked.session is not None:
        number = find_session(db, scope_id, asked.session)
        if number is None:
            raise NotFoundError(f"There is no such session in {scope}.", hint="memoryctl stats")
        return "session", Named(session=number)
    if asked.query is not None:
        return "query", _by_words(db, scope_id, asked.query)
    if asked.job is not None:
        return "operation", _by_job(db, scope_id, scope, asked.job)
    return "period", Named(before=asked.before)


def _by_id(db: Connection, scope_id: int, scope: str, asked: str) -> tuple[str, Named]:
    prefix, lowest, highest = parse_id(asked)
    if prefix not in KINDS:
        raise InvalidInputError(
            f"{asked} is nothing that can be forgotten by itself.",
            hint="the id of a fact, an episode, an entity or an operation",
        )
    found = [Unnamed(*row) for row in numbers_of_id(db, prefix, scope_id, lowest, highest)]
    kind = KINDS[prefix]
    what = "memory" if prefix == "mem" else kind
    number = one_of(found, what, asked, [scope], prefix=prefix).number
    if prefix == "mem":
        return kind, _of_record(db, number)
    if kind == "fact":
        return kind, Named(facts=(number,))
    if kind == "episode":
        return kind, Named(episodes=(number,))
    if kind == "entity":
        return kind, Named(entities=(number,))
    return kind, Named(operation=number)


def _by_job(db: Connection, scope_id: int, scope: str, asked: str) -> Named:
    found = list_jobs_by_uid(db, *parse_id_of("job", asked), [scope_id])
    job = one_of(found, "import job", asked, [scope], prefix="job")
    return Named(operation=job.operation_id, job=job.job_id)


def _of_record(db: Connection, number: int) -> Named:
    """Name a memory that reviews keep: the fact that it has become, else the record itself."""
    [record] = list_by_number(db, [number])
    if record.fact_id is not None:
        return Named(facts=(record.fact_id,))
    return Named(records=(number,))


def _by_subject(db: Connection, scope_id: int, scope: str, name: str) -> Named:
    if name == scope:
        return Named(is_whole=True)
    found = [Unnamed(row.entity_id, row.uid) for row in list_named(db, scope_id, name)]
    if name.startswith("ent_"):
        return Named(entities=_by_id(db, scope_id, scope, name)[1].entities, speaks=True)
    number = one_of(found, "entity", name, [scope], prefix="ent").number
    return Named(entities=(number,), speaks=True)


def _by_words(db: Connection, scope_id: int, query: str) -> Named:
    words = [bare(word) for word in query.split()]
    if not any(words):
        raise InvalidInputError("A query to forget by needs a word.", hint='--query "oolong"')

    def has_all(text: str) -> bool:
        plain = bare(text)
        return all(stands_in(word, plain) for word in words if word)

    episodes = [number for number, text in rows.texts_of_scope(db, scope_id) if has_all(text)]
    facts = [number for number, text in rows.objects_of_scope(db, scope_id) if has_all(text)]
    records = [number for number, text in read_records(db, scope_id) if has_all(text)]
    packets = [number for number, text in read_packets(db, scope_id) if has_all(text)]
    return Named(
        facts=tuple(facts),
        episodes=tuple(episodes),
        records=tuple(records),
        packets=tuple(packets),
    )


def resolve(db: Connection, scope_id: int, kind: str, named: Named) -> Target:
    """Follow what was named to the records it stands for now."""
    if named.is_whole:
        return Target(kind, scope_id, is_whole=True)
    if named.session is not None:
        name = session_name(db, named.session)
        left = _left_of(db, redacted_of_session(db, scope_id, name))
        return Target(kind, scope_id, tuple(rows.episodes_of_session(db, scope_id, name)), left)
    if named.before is not None:
        left = _left_of(db, redacted_before(db, scope_id, named.before))
        until = tuple(rows.episodes_before(db, scope_id, named.before))
        observed, queued = reviews_before(db, scope_id, named.before)
        return Target(kind, scope_id, until, left, records=tuple(observed), packets=tuple(queued))
    jobs = () if named.job is None else (named.job,)
    if named.operation is not None:
        uid = uid_of(db, "operation", named.operation)
        assert uid is not None, "operations are kept"
        episodes = rows.episodes_of_operation(db, uid, named.operation)
        facts = rows.facts_of_operation(db, scope_id, named.operation)
        records = tuple(records_of_operation(db, named.operation, scope_id))
        jobs = (*jobs, *jobs_of_operation(db, named.operation))
        return Target(kind, scope_id, tuple(episodes), tuple(facts), jobs=jobs, records=records)
    if jobs:
        return Target(kind, scope_id, jobs=jobs)
    if named.entities:
        family = rows.family_of(db, named.entities)
        said = rows.episodes_of_speakers(db, family) if named.speaks else []
        about = rows.facts_about(db, family)
        return Target(kind, scope_id, tuple(sorted(said)), tuple(sorted(about)), tuple(family))
    return Target(
        kind,
        scope_id,
        named.episodes,
        named.facts,
        records=named.records,
        packets=named.packets,
    )


def _left_of(db: Connection, redacted: Sequence[int]) -> tuple[int, ...]:
    """List the facts that redactions have left with nothing to rest on."""
    return tuple(rows.facts_resting(db, redacted)[0])


def names_to_confirm(
    db: Connection, kind: str, named: Named, *, scope: str, plan: str
) -> Sequence[str]:
    """List what may be typed to confirm a plan, the likeliest first."""
    if named.is_whole:
        return (scope,)
    if named.session is not None:
        return (session_name(db, named.session),)
    if named.entities:
        uid = uid_of(db, "entity", named.entities[0])
        ids = [] if uid is None else [format_id("ent", uid)]
        names = rows.own_names(db, named.entities)
        return tuple([*names, *ids] if kind == "subject" else [*ids, *names])
    single = {"fact": named.facts, "episode": named.episodes}.get(kind)
    if single:
        uid = uid_of(db, kind, single[0])
        return (format_id("fct" if kind == "fact" else "ep", uid),) if uid else (plan,)
    if named.job is not None:
        return (format_id("job", get_job(db, named.job).uid),)
    if named.operation is not None:
        uid = uid_of(db, "operation", named.operation)
        return (format_id("op", uid),) if uid else (plan,)
    return (plan,)

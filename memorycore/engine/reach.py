"""Decide what a forgetting covers: from what was named to all that derives from it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorycore.engine.review_forget import (
    all_reviews,
    quoting_reviews,
    said_by_facts,
    texts_of_records,
)
from memorycore.engine.veil import find_hidden
from memorycore.model.forgetting import Reach
from memorycore.model.name import bare, stands_in
from memorycore.model.needles import quoting
from memorycore.store import import_reach as imports
from memorycore.store import reach as rows
from memorycore.store.connection import Connection
from memorycore.store.erase import facts_in, facts_over, read_quarantined, read_texts
from memorycore.store.forgotten import fact_contents, visible_among
from memorycore.store.orphans import Gone, entities_of_scope, involved, orphans
from memorycore.store.review_erase import has_reviews, records_of_facts
from memorycore.store.stray_names import (
    Silenced,
    Strays,
    aliases_of,
    bearers_of,
    ended_aliases,
    find_strays,
    statements_about,
)
from memorycore.store.struck import spans_of


@dataclass(frozen=True, slots=True)
class Target:
    """What was named, resolved: its kind, and the numbers to begin with.

    ``entities`` are those whose names are to go; ``is_whole`` stands for all of a scope; ``jobs``
    are imports, ``records`` review records that have become no fact, ``packets`` those of the
    review queue.
    """

    kind: str
    scope_id: int
    episodes: tuple[int, ...] = ()
    facts: tuple[int, ...] = ()
    entities: tuple[int, ...] = ()
    is_whole: bool = False
    jobs: tuple[int, ...] = ()
    records: tuple[int, ...] = ()
    packets: tuple[int, ...] = ()


def reach_of(db: Connection, target: Target, level: str, *, derived: str = "keep") -> Reach:
    """Follow a target to everything that a level takes with it."""
    if target.is_whole:
        return _reach_of_scope(db, target, level, derived=derived)
    episodes, facts = set(target.episodes), set(target.facts)
    if level == "hard":
        episodes = set()
        facts |= set(rows.facts_resting(db, sorted(target.episodes))[0])
    if level == "redact":
        facts = set()
    facts = named = _joined(db, facts)
    if level == "purge":
        episodes |= set(rows.episodes_of_facts(db, sorted(facts)))
    if level in ("purge", "redact"):
        episodes |= set(rows.withdrawn_twins(db, sorted(episodes))) if episodes else set()
    resting, thinned = rows.facts_resting(
        db, sorted(episodes), anchors=level == "purge", only_seen=level == "soft"
    )
    if level != "redact" or derived == "forget":
        facts = _joined(db, facts | set(resting))
        thinned = [fact for fact in thinned if fact not in facts]
    else:
        thinned = sorted({*resting, *thinned})
    reach = _completed(db, target, level, sorted(episodes), sorted(facts), thinned, derived=derived)
    joined = named - set(target.facts) if level in ("hard", "purge") and target.facts else set()
    reach = replace(reach, joined=tuple(one for one in reach.facts if one in joined))
    return _with_siblings(db, reach, named, episodes) if level == "purge" else reach


def _with_siblings(db: Connection, reach: Reach, named: set[int], episodes: set[int]) -> Reach:
    """Tell which facts go only since the imported document goes which a named one stands in."""
    documents = imports.documents_among(db, sorted(episodes))
    if not documents or not named:
        return reach
    resting, _ = rows.facts_resting(db, sorted(episodes - documents), anchors=True)
    own = _joined(db, named | set(resting))
    return replace(reach, siblings=tuple(one for one in reach.facts if one not in own))


def _reach_of_scope(db: Connection, target: Target, level: str, *, derived: str) -> Reach:
    """Cover a whole scope: what is in it is in it, and nothing has to be followed."""
    episodes = [] if level == "hard" else rows.episodes_of_scope(db, target.scope_id)
    takes_facts = level != "redact" or derived == "forget"
    whole = rows.facts_of_scope(db, target.scope_id, anchors=level == "purge")
    facts = whole if takes_facts else []
    thinned = [] if takes_facts else whole
    return _completed(db, target, level, sorted(episodes), sorted(facts), thinned, derived=derived)


def _joined(db: Connection, facts: set[int]) -> set[int]:
    """Add the facts that were made out of some, the parts of those, and what has moved into them.

    A joined fact holds the words of its parts, and one that took over another's evidence says what
    that one said: neither can go without the other.
    """
    found = set(facts)
    fresh = found
    while fresh:
        numbers = sorted(fresh)
        fresh = {*rows.facts_made_from(db, numbers), *rows.facts_moved_into(db, numbers)} - found
        found |= fresh
    named = rows.parts_of(db, sorted(facts)) if facts else []
    return found | set(named)


def _completed(
    db: Connection,
    target: Target,
    level: str,
    episodes: Sequence[int],
    facts: Sequence[int],
    thinned: Sequence[int],
    *,
    derived: str,
) -> Reach:
    erases = level != "soft"
    if not erases:
        episodes = sorted(visible_among(db, "episodes", episodes))
        facts = sorted(visible_among(db, "facts", facts))
    named = entities_of_scope(db, target.scope_id) if target.is_whole else target.entities
    gone = Gone(tuple(named) if erases else (), tuple(episodes), tuple(facts))
    if erases:
        gone = _with_orphans(db, gone, level, derived)
    episodes, facts = gone.episodes, gone.facts
    taken = set(facts)
    thinned = [one for one in thinned if one not in taken]
    if target.is_whole and erases:
        candidates = rows.candidates_of_scope(db, target.scope_id)
    elif erases:
        candidates = [*_candidates(db, episodes, facts), *_naming(db, target, level)]
    else:
        candidates = rows.candidates_of(db, episodes, facts)
    parts = [] if not facts else [one for one in rows.parts_of(db, facts) if one not in taken]
    mentions, quoted = _mentions(db, target, level, taken, set(episodes))
    sessions = rows.emptied_sessions(db, episodes) if level == "purge" else []
    what = _Words(db, target, level, facts, episodes)
    reviews, packets = _reviews(db, target, level, facts, what)
    reach = Reach(
        episodes,
        facts,
        tuple(sorted(set(candidates))),
        gone.entities,
        tuple(sorted(sessions)),
        tuple(thinned),
        tuple(parts),
        tuple(mentions),
        tuple(quoted),
        tuple(_lines(db, target, level, what)),
        reviews=tuple(sorted(reviews)),
        packets=tuple(packets),
    )
    return _with_names(db, target.scope_id, _with_imports(db, target, reach, level, what), level)


def _with_imports(
    db: Connection, target: Target, reach: Reach, level: str, words: "_Words"
) -> Reach:
    """Add the import jobs whose document goes, and the items that became or quote what goes."""
    is_whole = target.is_whole and level != "hard"
    named = imports.jobs_named(db, target.scope_id, target.jobs, reach.episodes, is_whole=is_whole)
    jobs, items = imports.reach_imports(
        db, target.scope_id, named, reach.facts, reach.candidates, words.texts, words.names
    )
    return replace(reach, jobs=jobs, items=items)


def _candidates(db: Connection, episodes: Sequence[int], facts: Sequence[int]) -> set[int]:
    """List the candidates that rest on some episodes, became some facts, or said the same first.

    What a person has changed into another candidate goes with it, and what rests on a fact's own
    sentence and has its words was decided otherwise, but is the same statement.
    """
    found = set(rows.candidates_of(db, episodes, facts))
    for fact in fact_contents(db, facts):
        words = [bare(text) for text in fact.objects if bare(text)]
        found |= {
            number
            for number, statement in rows.statements_beside(db, fact.fact_id)
            if any(stands_in(word, bare(statement)) for word in words)
        }
    fresh = found
    while fresh:
        fresh = set(rows.edited_into(db, sorted(fresh))) - found
        found |= fresh
    return found


def _with_orphans(db: Connection, gone: Gone, level: str, derived: str) -> Gone:
    """Add the entities that nothing speaks of any more, and what was taken back about them."""
    lost = orphans(
        db,
        gone,
        keeps_facts=level == "redact" and derived == "keep",
        keeps_texts=level == "hard",
    )
    if level != "purge" or lost.episodes == gone.episodes:
        return lost
    # What rested only on a text that was taken back goes with that text.
    resting = rows.facts_resting(db, lost.episodes, anchors=True)[0]
    facts = tuple(sorted({*lost.facts, *resting}))
    return _with_orphans(db, replace(lost, facts=facts), level, derived)


@dataclass(frozen=True, slots=True)
class _Words:
    """What goes, in words: texts, and the names in them. Looked up when they are first needed."""

    db: Connection
    target: Target
    level: str
    facts: Sequence[int]
    episodes: Sequence[int]

    def texts(self) -> list[str]:
        # An imported document has the form of any other: what counts are its sentences.
        documents = imports.documents_among(self.db, self.episodes)
        spoken = [number for number in self.episodes if number not in documents]
        texts = [text for _, text, _ in read_texts(self.db, spoken)]
        spans = spans_of(self.db, sorted({*self.facts, *facts_in(self.db, sorted(documents))}))
        numbers = sorted({one[0] for one in spans})
        said = {number: text for number, text, _ in read_texts(self.db, numbers)}
        return texts + [said[number][start:end] for number, start, end in spans]

    def names(self) -> list[str]:
        contents = fact_contents(self.db, self.facts)
        names = {name for fact in contents for name in fact.objects}
        if self.level != "redact":
            names |= set(rows.names_of(self.db, rows.family_of(self.db, self.target.entities)))
        return sorted(names)


def _lines(db: Connection, target: Target, level: str, words: _Words) -> list[int]:
    """List the lines that were no candidates and quote what goes, or name it."""
    stored = read_quarantined(db, target.scope_id)
    if not stored or (target.is_whole and level != "hard"):
        return [number for number, _ in stored]
    return quoting(stored, words.texts(), words.names())


def _reviews(
    db: Connection, target: Target, level: str, facts: Sequence[int], words: _Words
) -> tuple[set[int], list[int]]:
    """List the review records that go with facts or quote what goes, and such packets."""
    if target.is_whole:
        stored, packets = all_reviews(db, target.scope_id)
        return set(stored), packets if level != "soft" else []
    named = {*records_of_facts(db, facts), *target.records}
    queued = set(target.packets)
    if level == "soft" or not has_reviews(db, target.scope_id):
        return named, []
    texts = words.texts() + texts_of_records(db, target.records)
    stored, packets = quoting_reviews(db, target.scope_id, texts, words.names())
    if level == "redact":
        # A fact that rests on other sentences too stays as it is, and its record with it.
        thinned = set(rows.facts_resting(db, sorted(words.episodes))[1]) - set(facts)
        stays = said_by_facts(db, stored, sorted(thinned), texts, words.names())
        stored = [one for one in stored if one not in stays]
    return named | set(stored), sorted(queued | set(packets))


def _naming(db: Connection, target: Target, level: str) -> list[int]:
    """List the candidates that speak of who is to be forgotten, whatever they rest on."""
    if level in ("soft", "redact") or not target.entities:
        return []
    family = rows.family_of(db, target.entities)
    names = [bare(name) for name in rows.names_of(db, family)]
    return rows.candidates_of_speakers(db, family) + [
        number
        for number, statement in rows.statements_of_scope(db, target.scope_id)
        if any(stands_in(name, bare(statement)) for name in names if name)
    ]


def _mentions(
    db: Connection, target: Target, level: str, facts: set[int], episodes: set[int]
) -> tuple[list[int], list[int]]:
    """List the facts and episodes of others that name who is to be forgotten."""
    if level == "soft" or not target.entities or target.is_whole:
        return [], []
    names = [bare(name) for name in rows.names_of(db, rows.family_of(db, target.entities))]
    names = [name for name in names if name]

    def names_it(text: str) -> bool:
        return any(stands_in(name, bare(text)) for name in names)

    mentions = [
        number
        for number, text in rows.literals_of_scope(db, target.scope_id)
        if number not in facts and names_it(text)
    ]
    quoted = [
        number
        for number, text in rows.texts_of_scope(db, target.scope_id)
        if number not in episodes and names_it(text)
    ]
    return mentions, quoted


def stray_names(db: Connection, scope_id: int, reach: Reach, level: str) -> Strays:
    """List the names of entities that stay which only the forgotten sentences have used."""
    spans, texts = _spans(db, reach, level), texts_that_go(db, reach, level)
    gone = set(reach.entities)
    facts = [*reach.facts, *reach.thinned]
    staying = [one for one in involved(db, reach.episodes, facts) if one not in gone]
    silenced = Silenced(reach.episodes, reach.facts, spans)
    strays = find_strays(db, staying, texts, silenced) if texts else Strays()
    # What was taken back may hold a name beside those that are found by whose it is.
    names = {*strays.names, *rows.names_of(db, reach.entities)}
    contents = fact_contents(db, reach.facts) if level != "soft" else []
    names.update(text for fact in contents if fact.is_literal for text in fact.objects)
    aliases = {*strays.aliases, *ended_aliases(db, scope_id, names)}
    strays.aliases = sorted(aliases - set(aliases_of(db, reach.entities)))
    return strays


def _with_names(db: Connection, scope_id: int, reach: Reach, level: str) -> Reach:
    """Add the names that go with a reach, of entities that stay."""
    if level == "soft":
        aliases, renamed = names_to_hide(db, reach)
        return replace(reach, aliases=aliases, renamed=renamed)
    strays = stray_names(db, scope_id, reach, level)
    return replace(
        reach,
        candidates=tuple(sorted({*reach.candidates, *_under_strays(db, strays)})),
        entities=tuple(sorted({*reach.entities, *strays.merged})),
        aliases=tuple(strays.aliases),
        renamed=tuple(sorted(strays.renamed)),
    )


def _under_strays(db: Connection, strays: Strays) -> list[int]:
    """List the candidates that speak of who loses a name under that name, whatever was said."""
    names = [bare(name) for name in strays.names if bare(name)]
    bearers = bearers_of(db, strays.aliases, [*strays.renamed, *strays.merged])
    return [
        number
        for number, statement in (statements_about(db, bearers) if names else ())
        if any(stands_in(name, bare(statement)) for name in names)
    ]


def names_to_hide(db: Connection, reach: Reach) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """List the aliases, and the entities by their own names, that a soft forgetting hides."""
    spans, texts = _spans(db, reach, "soft"), texts_that_go(db, reach, "soft")
    facts = [*reach.facts, *reach.thinned, *facts_over(db, spans)]
    silenced = Silenced(reach.episodes, (), spans, only_seen=True)
    found = find_hidden(db, involved(db, reach.episodes, facts), texts, silenced)

    def numbers(record: str) -> tuple[int, ...]:
        return tuple(sorted(name.row_id for name in found if name.record == record))

    return numbers("alias"), numbers("entity")


def texts_that_go(db: Connection, reach: Reach, level: str) -> list[str]:
    """Read what is said in what goes, with the names of who says it."""
    spans = _spans(db, reach, level)
    struck = {number: text for number, text, _ in read_texts(db, [one[0] for one in spans])}
    texts = [text for _, text, _ in read_texts(db, reach.episodes)]
    texts += [struck[number][start:end] for number, start, end in spans if number in struck]
    return texts + rows.own_names(db, involved(db, reach.episodes, []))


def _spans(db: Connection, reach: Reach, level: str) -> list[tuple[int, int, int]]:
    """List the spans that are struck of what stays; of a text that goes there is no need to."""
    return [] if level in ("redact", "purge") else spans_of(db, reach.facts)

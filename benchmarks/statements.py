"""Made-up statements: claims, and the turns that hold their sentences, the same for the same seed.

Some hundred people, Chinese and English in turns. A quarter of the claims are values that follow
each other (homes, employers), nearly half stand beside others (likes, works, topics, pets), the
rest says again what was said before. One of twenty tells since when it holds, out of order.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from turns import TURNS_IN_SESSION, texts, vocabulary

from memorycore.model.candidate import Candidate, Naming, Quote, When
from memorycore.model.draft import Draft
from memorycore.model.time import Moment

PEOPLE = 400
OBJECTS = 2_000
"""Different objects of a form in a language."""
SCOPE = "user:vela"
SOURCE = "made-up claims"
START = 1_672_531_200_000_000
HOUR = 3_600_000_000
_FILLERS = 2_000
_AGAIN, _DATED, _LASTING = 0.3, 0.05, 0.35


@dataclass(frozen=True, slots=True)
class Form:
    """How a predicate is said: the kind of its object, and the sentence in each language."""

    predicate: str
    kind: str | None
    chinese: str
    english: str

    @property
    def follows(self) -> bool:
        """Whether its values follow each other."""
        return self.predicate in ("lives_in", "works_at")


FORMS = (
    Form("lives_in", "place", "{s}搬到{o}住了。", "{s} moved to {o}."),
    Form("works_at", "organization", "{s}在{o}上班。", "{s} works at {o}."),
    Form("likes", None, "{s}很喜欢{o}。", "{s} likes {o}."),
    Form("DISCUSSED_WORK", "work", "{s}聊起了《{o}》。", "{s} talked about “{o}”."),
    Form("PREFERS_TOPIC", "topic", "{s}爱聊{o}。", "{s} is into {o}."),
    Form("has_pet", "pet", "{s}的宠物叫{o}。", "{s} has a pet named {o}."),
)
_FOLLOWING = [form for form in FORMS if form.follows]
_BESIDE = [form for form in FORMS if not form.follows]


@dataclass(slots=True)
class _Said:
    """A statement that was made: by whom it may be said again."""

    form: Form
    subject: str
    object: str
    language: str


class Speech:
    """Draws statements; knows what was said before."""

    def __init__(self, seed: str) -> None:
        self._rng = random.Random(f"statements {seed}")
        self._fillers = {
            language: [text.rstrip("。？！.?!") for text in texts(language, _FILLERS, seed)]
            for language in ("chinese", "english")
        }
        self._people = [
            (self._name(language), language)
            for language in ("chinese", "english")
            for _ in range(PEOPLE // 2)
        ]
        self._said: list[_Said] = []
        self._last: dict[tuple[str, str], _Said] = {}

    def _name(self, language: str) -> str:
        words = vocabulary(language).words
        if language == "chinese":
            return self._rng.choice("王李张刘陈杨赵黄周吴") + self._rng.choice(words[500:])[:2]
        return " ".join(self._rng.choice(words[500:]).capitalize() for _ in range(2))

    def _object(self, form: Form, language: str) -> str:
        rng = random.Random(f"{form.predicate} {language} {self._rng.randrange(OBJECTS)}")
        words = vocabulary(language).words
        if language == "chinese":
            return rng.choice(words[500:]) + rng.choice(words[500:])
        word = rng.choice(words[500:])
        return word if form.predicate in ("likes", "PREFERS_TOPIC") else word.capitalize()

    def _statement(self) -> _Said:
        rng = self._rng
        if self._said and rng.random() < _AGAIN:
            said = rng.choice(self._said)
            return self._last[said.subject, said.form.predicate] if said.form.follows else said
        form = rng.choice(_FOLLOWING if rng.random() < _LASTING else _BESIDE)
        subject, language = rng.choice(self._people)
        said = _Said(form, subject, self._object(form, language), language)
        self._said.append(said)
        self._last[subject, form.predicate] = said
        return said

    def draw(self, number: int) -> tuple[Draft, Candidate]:
        """Draw a claim, and the turn that it rests on."""
        said, rng, at = self._statement(), self._rng, START + number * HOUR
        pattern = said.form.chinese if said.language == "chinese" else said.form.english
        sentence = pattern.format(s=said.subject, o=said.object)
        filler = rng.choice(self._fillers[said.language])
        filler += "。" if said.language == "chinese" else ". "
        moment = Moment(at, at + 1, "instant", "UTC")
        session, source_id = f"claims {number // TURNS_IN_SESSION}", f"claim-{number}"
        name = f"{SOURCE} {number}"
        turn = Draft(
            filler + sentence, "user", SCOPE, session, "Vela", moment, SOURCE, source_id, None, name
        )
        kind = said.form.kind
        since = None
        if rng.random() < _DATED:
            day = at - rng.randint(1, 400) * 24 * HOUR
            since = When(Moment(day, day + 24 * HOUR, "day", "UTC"))
        claim = Candidate(
            said.form.predicate,
            (Quote(external_id=source_id, text=sentence),),
            Naming(said.subject, "person"),
            Naming(said.object, kind) if kind else None,
            None if kind else said.object,
            valid_from=since,
            place=name,
        )
        return turn, claim


def statements(count: int, seed: str = "admit") -> Iterator[tuple[Draft, Candidate]]:
    """Make claims, each with the turn that it rests on."""
    speech = Speech(seed)
    return (speech.draw(number) for number in range(count))

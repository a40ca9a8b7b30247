"""English time phrases: what they look like, and what they name. Texts are folded, lower case."""

import re

from memorycore.model.period import month_days
from memorycore.model.phrase_rule import (
    Make,
    Match,
    Table,
    compile_rules,
    make_vague,
    read_rules,
    with_year,
)
from memorycore.model.time_spec import (
    Clock,
    Count,
    Fixed,
    Span,
    Spec,
    Unit,
    Vague,
    Weekday,
    Window,
    Yearly,
)

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_FULL = set(
    "january february march april may june july august september october november december".split()
)
_DAYS = "mon tue wed thu fri sat sun".split()
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
).split()
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100}
_NUMBER = {word: value for value, word in enumerate(_SMALL)} | _TENS | {"a": 1, "an": 1}
_TENS_WORDS = "fif six seven eigh nine".split()
_LONG = ("month", "year")
_YEARS = {"last": -1, "this": 0, "next": 1}
_ORDER = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_PARTS = {"beginning": "start", "start": "start", "end": "end", "middle": "mid", "mid": "mid"}


def _part(found: Match) -> str:
    named = found.groupdict()
    return named.get("part") or _PARTS.get(named.get("edge") or "", "")


def _month_number(found: Match) -> int:
    return _MONTHS.index(found["mon"][:3]) + 1


def _monthly(found: Match) -> Spec | None:
    """Make a month, or a date in it, with or without a year."""
    named = found.groupdict()
    number, turn = _month_number(found), named.get("turn") or ""
    if named.get("day"):
        day, to = int(found["day"]), int(named.get("to") or 0)
        if _part(found) or (to and to <= day):
            return None
        return with_year(Yearly("date", number, day=day, to=to or day, turn=turn), found, _YEARS)
    if found["mon"] not in _FULL and not (named.get("year") or named.get("short")):
        return None
    return with_year(Yearly("month", number, turn=turn, part=_part(found)), found, _YEARS)


def _year(found: Match) -> Spec | None:
    return Yearly("year", year=int(found["year"]), part=_part(found))


def _season(found: Match) -> Spec | None:
    name = "autumn" if found["season"] == "fall" else found["season"]
    turn = found.groupdict().get("turn") or ""
    spec = with_year(Yearly("season", name=name, turn=turn, part=_part(found)), found, _YEARS)
    bare = spec.year is None and spec.shift is None and not turn
    if found["season"] in ("fall", "spring") and bare and not spec.part:
        return None
    return None if spec.part in ("start", "end") else spec


def _quarter(found: Match) -> Spec | None:
    named = found.groupdict()
    number = int(named.get("q") or 0) or _ORDER[found["order"]]
    kind = "half" if (named.get("what") or "quarter").startswith("h") else "quarter"
    if kind == "half" and number > 2:
        return None
    spec = Yearly(kind, number)
    if named.get("own"):
        return Yearly(kind, number, shift=0)
    return with_year(spec, found, _YEARS)


def _weekday(found: Match) -> Spec:
    day, turn = _DAYS.index(found["wd"][:3]), found.groupdict().get("turn") or ""
    if turn in ("this", "this coming", "coming"):
        return Unit("week", 0, day + 1) if turn == "this" else Weekday(day, "coming")
    if found.groupdict().get("day"):
        return Weekday(day, date=int(found["day"]))
    return Weekday(day, "last" if turn in ("last", "past", "previous", "this past") else turn)


def _unit(found: Match) -> Spec | None:
    turn, unit = found["turn"], found["unit"]
    shift = {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}[turn]
    part = _part(found)
    if unit == "night":
        return Unit("day", -1) if turn == "last" else None
    if unit == "day" or (part and unit in ("week", "weekend")):
        return Vague()
    return Unit(unit, shift, part=part)


def _number(found: Match) -> float | None:
    text = found["n"]
    half = 0.5 if found.groupdict().get("half") else 0
    if text.startswith("half"):
        return 0.5
    if "couple" in text:
        return 2
    return (float(text) if text[0].isdigit() else _NUMBER[text]) + half


def _count(found: Match) -> Spec | None:
    """Make so many units ago, or from now."""
    named = found.groupdict()
    number, unit = _number(found), found["unit"]
    if number is None or re.match(
        r"(?:over|more|less|at|under|nearly|almost|not)", named.get("qual") or ""
    ):
        return Vague()
    sign = -1 if named.get("ago") else 1
    return Count("day" if unit == "night" else unit, number, sign)


def _window(found: Match) -> Spec | None:
    sign = 1 if found["turn"] in ("next", "coming", "following") else -1
    number = _number(found) if found.groupdict().get("n") else 1
    if number is None:
        return Vague()
    return Window("day" if found["unit"] == "night" else found["unit"], number, sign)


def _decade(found: Match) -> Spec | None:
    named = found.groupdict()
    text = named["decade"] or ""
    ten = int(text) if text else 195 + _TENS_WORDS.index(named["word"])
    start = (ten if ten > 100 else 190 + ten) * 10
    if start % 100 == 0:
        return Vague()  # the decade for some, the century for others
    first, last = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}.get(_part(found), (0, 9))
    return Fixed(Span(month_days(start + first, 1)[0], month_days(start + last, 12)[1], "range"))


def _before_last(found: Match) -> Spec | None:
    sign = -2 if found["turn"] == "before last" else 2
    if found["unit"] == "day":
        return None
    return Unit(found["unit"], sign)


_CLOCK = re.compile(
    r"(?P<h>\d{1,2})(?:[:.](?P<m>[0-5]\d))?\s?(?P<ap>a\.?m\b\.?|p\.?m\b\.?|o'clock)?|noon|midnight"
)


def _clock(found: Match) -> Spec | None:
    clock = _CLOCK.match(found[0])
    if clock is None or not clock["h"]:
        return Clock(12, exact=True) if "noon" in found[0] else Clock()
    hour, half = int(clock["h"]), clock["ap"] or ""
    if hour > 24:
        return None
    if half[:1] in ("a", "p"):
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    exact = half[:1] in ("a", "p") or (not half and (hour > 12 or len(clock["h"]) == 2))
    return Clock(hour, int(clock["m"] or 0), exact=exact) if hour < 24 else None


def _within(found: Match) -> Spec | None:
    if found["unit"] == "week":
        return Vague()
    return Unit(found["unit"], 0, part="before" if found["way"] == "earlier" else "after")


def _beside(found: Match) -> Spec | None:
    """Make the day before: it is placed with what follows, or not at all."""
    return Count(found["unit"], 1, 1 if found["after"] else -1)


def _weekends(found: Match) -> Spec | None:
    number = _number(found)
    return Unit("weekend", -int(number)) if number and number == int(number) else None


def _own(found: Match) -> Spec | None:
    """Make the end of the month: of the reference's own."""
    return Unit(found["unit"], 0, part=_part(found)) if found["unit"] in _LONG else Vague()


def english_table() -> Table:
    """Compile all English rules, by the word that begins their phrases."""
    data = read_rules("phrase_en.toml")
    feasts: dict[str, str] = data["feasts"]

    def feast(found: Match) -> Spec:
        turn = found.groupdict().get("turn") or ""
        spec = Yearly("feast", name=feasts[found["feast"]], turn=turn)
        return with_year(spec, found, _YEARS)

    makers: dict[str, Make] = {
        "vague": make_vague,
        "monthly": _monthly,
        "year": _year,
        "unit": _unit,
        "within": _within,
        "own": _own,
        "weekends": _weekends,
        "beside": _beside,
        "before_last": _before_last,
        "weekday": _weekday,
        "weekend": lambda _: Weekday(7),
        "past_weekend": lambda _: Weekday(7, "past"),
        "season": _season,
        "quarter": _quarter,
        "decade": _decade,
        "feast": feast,
        "july_4": lambda found: with_year(Yearly("feast", name="july_4"), found, _YEARS),
        "count": _count,
        "window": _window,
        "clock": _clock,
    }
    names = sorted(feasts, key=len, reverse=True)
    macros = {**data["macros"], "FEASTS": "|".join(names), "NUMBER": "|".join(_NUMBER)}
    data["words"]["FEASTS"] = " ".join(re.split("[ .'-]", name)[0] for name in names)
    return compile_rules(data, makers, macros)

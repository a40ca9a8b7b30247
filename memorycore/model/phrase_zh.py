"""Chinese time phrases: what they name. Texts are folded: simplified, half width, lower case."""

from dataclasses import replace

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

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_YEARS = {
    "大前年": -3,
    "前年": -2,
    "去年": -1,
    "上一年": -1,
    "今年": 0,
    "本年": 0,
    "本年度": 0,
    "明年": 1,
    "下一年": 1,
    "后年": 2,
    "大后年": 3,
}
_DAYS = {"今": 0, "明": 1, "昨": -1, "前": -2, "后": 2, "大前天": -3, "大后天": 3}
_PARTS = {
    "上": "early",
    "中": "mid",
    "下": "late",
    "初": "start",
    "底": "end",
    "末": "end",
    "尾": "end",
}
_UNITS = {"天": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_UNITS |= {"季度": "quarter", "小时": "hour", "钟头": "hour", "分钟": "minute"}
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_EVENING = ("傍晚", "晚")


def read_number(text: str) -> int | None:
    """Read a number below 1000 in digits or Chinese characters; ``None`` for 三四 and the like."""
    if text.isascii():
        return int(text)
    total, left = 0, text
    for char, value in (("百", 100), ("十", 10)):
        before, found, after = left.partition(char)
        if not found:
            continue
        if len(before) > 1 or (before and before not in _DIGITS) or (not before and value == 100):
            return None
        total += value * (_DIGITS[before] if before else 1)
        left = after
    left = left.lstrip("零〇") if total else left
    if len(left) > 1 or (left and left not in _DIGITS):
        return None
    return total + (_DIGITS[left] if left else 0)


def _years(found: Match, spec: Yearly) -> Yearly:
    named = found.groupdict()
    for name in ("year", "short"):
        text = named.get(name)
        if text and not text.isascii():
            number = int("".join(str(_DIGITS[char]) for char in text))
            if name == "short":
                number += 1900 if number >= 50 else 2000
            return replace(spec, year=number)
    return with_year(spec, found, _YEARS)


def _month_part(found: Match) -> str:
    return _PARTS[found["mpart"][0]] if found["mpart"] else ""


def _monthly(found: Match) -> Spec | None:
    number = read_number(found["mon"])
    text = found["day"]
    if number is None:
        return None
    if not text:
        return _years(found, Yearly("month", number, part=_month_part(found)))
    day, to = read_number(text), read_number(found["to"]) if found["to"] else 0
    if day is None or to is None or (to and to <= day):
        return None
    return _years(found, Yearly("date", number, day=day, to=to or day))


def _year(found: Match) -> Spec | None:
    part = found["ypart"] or ""
    return _years(
        found, Yearly("year", shift=None, part=_PARTS[part.lstrip("年")[0]] if part else "")
    )


def _month_unit(found: Match) -> Spec | None:
    rel = found.groupdict().get("mrel") or ""
    shift = rel.count("下") - rel.count("上")
    day = read_number(found["day"]) if found.groupdict().get("day") else 0
    return None if day is None else Unit("month", shift, day=day, part=_month_part(found))


def _week(found: Match) -> Spec | None:
    rel = found["wrel"]
    shift = rel.count("下") - rel.count("上")
    if found[0].endswith("末"):
        return Unit("weekend", shift)
    return Unit("week", shift, day=_weekday_number(found["wd"]) if found["wd"] else 0)


def _weekday_number(text: str) -> int:
    return 7 if text in "日天" else int(text) if text.isdigit() else _DIGITS[text]


def _weekday(found: Match) -> Spec | None:
    if found["wx"] == "末":
        return Weekday(7)
    return Weekday(_weekday_number(found["wd"]) - 1)


def _period(found: Match) -> Spec | None:
    shift = {"上": -1, "下": 1}.get(found["prel"], 0)
    if found["what"] == "学期":
        return Vague()
    return Unit("quarter" if found["what"] == "季度" else "weekend", shift)


def _quarter(found: Match) -> Spec | None:
    named = found.groupdict()
    if named.get("h"):
        spec = Yearly("half", 1 if named["h"] == "上" else 2)
        bare = not named.get("year") and not named.get("yrel")
        return replace(spec, shift=0) if bare else _years(found, spec)
    return _years(found, Yearly("quarter", read_number(found["q"]) or 0))


def _season(found: Match) -> Spec | None:
    part = {"初": "early", "盛": "mid"}.get(found["spart"] or "", "")
    return _years(found, Yearly("season", name=_SEASONS[found["season"]], part=part))


def _decade(found: Match) -> Spec | None:
    text = found["dec"]
    ten = int(text[0]) if text.isdigit() else _DIGITS[text[0]]
    century = (
        int(found["cent"]) if found["cent"] else 19 if ten >= 5 or found[0][0] in "上二" else 20
    )
    if century == 20 and ten > 4:
        return None
    start = century * 100 + ten * 10
    part = found["dpart"] or "全"
    spans = {"初": (0, 3), "早": (0, 3), "中": (4, 6), "末": (7, 9), "后": (7, 9)}
    first, last = spans.get(part[0], (0, 9))
    return Fixed(Span(month_days(start + first, 1)[0], month_days(start + last, 12)[1], "range"))


def _amount(found: Match) -> tuple[str, float] | None:
    """Read how many of which unit; ``None`` when it is no count of units."""
    unit, number = _UNITS[found["unit"]], found["n"]
    value = 0.5 if number == "半" else read_number(number)
    needs, bars = found["unit"] == "月", found["unit"] in ("天", "年", "周", "分钟")
    if value is None or value == 0 or (needs and not found["ge"]) or (bars and found["ge"]):
        return None
    if found["half"] and not found["ge"]:
        return None
    return unit, value + (0.5 if found["half"] or found["half2"] else 0)


def _count(found: Match) -> Spec | None:
    amount = _amount(found)
    if amount is None:
        return Vague() if read_number_fails(found) else None
    if found["more"] or found["qual"] in ("将近", "近", "不到", "超过", "至少"):
        return Vague()
    return Count(*amount, -1 if found["dir"] else 1)


def read_number_fails(found: Match) -> bool:
    """Say whether the number of a count is none, such as 三四."""
    return found["n"] != "半" and read_number(found["n"]) is None


def _window(found: Match) -> Spec | None:
    amount = _amount(found)
    if amount is None:
        return Vague() if read_number_fails(found) else None
    if found["w"] == "这" and not found[0].endswith(("来", "里", "内", "间")):
        return Vague()
    return Window(*amount, 1 if found["w"] in ("未来", "接下来", "今后") else -1)


def _day_word(found: Match) -> Spec:
    word = found["rel"]
    return Unit("day", _DAYS.get(word, _DAYS.get(word[0], 0)))


def _clock(found: Match) -> Spec | None:
    named = found.groupdict()
    text, part = named["h"] or named["h2"], named["tod"] or ""
    if not text:
        return Clock(part=part)
    minutes = named["m"] or named["m3"]
    quarters = {"半": 30, "一刻": 15, "三刻": 45}
    minute = read_number(minutes) if minutes else quarters.get(named["q"] or "", 0)
    hour = read_number(text)
    if hour is None or minute is None or hour > 24 or minute > 59:
        return None
    exact = hour > 12 or (named["h2"] is not None and len(named["h2"]) == 2)
    return Clock(hour, minute, part, exact)


def hour_of(clock: Clock, part: str) -> int | None:
    """Give the hour of a clock time in a part of the day, 24 being the day's end.

    ``None`` where it is not certain which half of the day is meant.
    """
    hour, part = clock.hour, clock.part or part
    if hour is None or (not part and not clock.exact):
        return None
    if hour > 12 or not part:
        return hour if hour < 24 else None
    if part in ("下午", "午后", "afternoon") or (part == "中午" and hour < 10):
        return hour % 12 + 12
    if part.startswith(_EVENING):
        return None if hour < 5 else hour + 12
    if part in ("半夜", "深夜", "夜里"):
        return None
    return hour % 12 if part == "凌晨" else hour


def chinese_table() -> Table:
    """Compile all Chinese rules, by the character that begins their phrases."""
    data = read_rules("phrase_zh.toml")
    feasts: dict[str, str] = data["feasts"]
    makers: dict[str, Make] = {
        "vague": make_vague,
        "day_word": _day_word,
        "monthly": _monthly,
        "year": _year,
        "own_year": lambda found: Unit("year", 0, part=_PARTS[found["yp"]]),
        "month_unit": _month_unit,
        "week": _week,
        "weekday": _weekday,
        "period": _period,
        "quarter": _quarter,
        "season": _season,
        "feast": lambda found: _years(found, Yearly("feast", name=feasts[found["feast"]])),
        "decade": _decade,
        "count": _count,
        "window": _window,
        "clock": _clock,
    }
    names = sorted(feasts, key=len, reverse=True)
    return compile_rules(data, makers, {**data["macros"], "FEASTS": "|".join(names)})

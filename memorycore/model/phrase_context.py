"""What stands around a time phrase: the word that joins it to its sentence, tense, traps."""

import re

from memorycore.model.phrase_join import has_year, is_date
from memorycore.model.phrase_rule import Hit
from memorycore.model.tense import sentence_tense, tense_of
from memorycore.model.time_spec import (
    Between,
    Clock,
    Count,
    Near,
    Spec,
    Vague,
    Weekday,
    Yearly,
    is_explicit,
)

__all__ = ["context_tense", "is_time", "settle"]

_MARGIN = 3
"""Days to either side of a day that something lies around."""
_UNIT_AFTER = re.compile(
    r"\s{0,3}(?:%|°|[$€£¥元块]"
    r"|(?:more |other |new |different )?(?:people|words?|steps?|miles?|km"
    r"|kilomet\w+|met(?:er|re)s?|minutes?|hours?|times?|percent|degrees?|dollars?|bucks|euros?|pounds?|pages?|lines?|rows?"
    r"|users?|copies|pieces|items?|points?|calories|followers|subscribers|kids|children|soldiers|feet|kg"
    r"|grams?|students|employees|members|participants|guests|seats|units|books|stairs|mph|px|rpm|mb|gb)\b)"
)
_PREFIX = re.compile(
    r"(?:^|[^a-z])((?P<since>ever since|since|starting(?: from| in| on)?|beginning(?: in| on)"
    r"|as of)|(?P<until>until|till|up to|up until|by|through)|(?P<before>before|prior to)"
    r"|(?P<after>after)|(?P<around>around|circa)|from"
    r"|(?P<at>in|on|at|during|over|throughout|within|between|back in|for))\s{1,3}(?:the\s{1,3})?\Z"
)
_NOT_BEFORE = {
    "year": {"on", "at", "over", "within", "for"},
    "month": {"at", "over", "within", "for", "on"},
    "weekday": {"in", "within"},
    "season": {"at", "on", "within"},
    "day": {"on", "at", "over", "in", "within"},
    "unit": {"on", "at", "within"},
    "turned": {"at", "in", "within"},
    "quarter": {"on", "at", "over", "within"},
}
_WORD = re.compile(r"[^\W_]")
_UP_TO_NOW = re.compile(r"\bsince\b|自从|以来|至今|到现在|到今天")
_DONE_BY = re.compile(r"(?:[a-z]ed|en|own|made|done|loved)\s{1,3}\Z")
_ZH_PREFIX = re.compile(
    r"(?:(?P<since>自从|打从|自|从)|(?P<until>一直到|直到|截至|截止到|截止)|(?P<at>在|到|于))(?:大约|大概)?\Z"
)
_ZH_SUFFIX = re.compile(
    r"(?P<since>(?:以来|至今|到现在|到今天|开始|起(?![床来飞点码价步初诉])))|(?P<until>为止)"
    r"|(?P<around>前后|左右)|(?P<before>之前|以前|前(?![面端方台锋往去来夫妻男女任年天几两三一半期后提进半]))"
    r"|(?P<after>之后|以后|后(?![面来边方续台卫期半悔]))"
)
_EN_SUFFIX = re.compile(r"\s{1,3}(?:onwards?\b|on(?=\s*(?:[,.;!?]|$))|forward\b)")
_INNER = re.compile(
    r"\b(?:first|second|third|fourth|last|final|1st|2nd|3rd|4th) (?:\w{3,9} )?(?:week|weekend|day"
    r"|half|part|days|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s? (?:of|in) (?:the )?\Z"
    r"|\b(?:days?|weeks?|months?|years?) from \Z"
)
_ZH_INNER = re.compile(r"的?(?:第[一二三四五]|最后一|最后|头)个?(?:周|星期|礼拜|天)")
_OF_WEEK = re.compile(
    r"(?:the )?(?:week (?:of|beginning)|(?P<day>\d{1,2}|first|last) day of) (?:the )?\Z"
)
_SPENT = re.compile(r"\b(?:spen[dt]|spending|celebrat(?:ed?|ing))\s{1,3}\Z")
_BLACK = re.compile(r"\b(?:black|good|casual|cyber|easter|fat|ash|super|big|freaky|palm)\s{1,3}\Z")
_NAMED = re.compile(
    r"\s{1,3}(?:school|times|post|blues|night lights|prayers?|roast|brunch|magazine|the 13th)\b"
)
_DEGREES = re.compile(r"°|\b(?:temperatures?|degrees?|weather|highs?|lows?|scored?|humid|hot)\b")
_SHORT_DAYS = ("sat", "sun", "wed", "mon", "fri", "tue", "tues", "thu", "thur", "thurs")


def is_time(hit: Hit, folded: str, text: str) -> bool:
    """Say whether a find is a time at all, by its letters' case and by what follows it."""
    start, end = hit.start, hit.end
    if hit.kind == "weekday" and (
        _BLACK.search(folded[max(0, start - 10) : start]) or _NAMED.match(folded, end)
    ):
        return False
    if hit.kind in ("year", "month") and _UNIT_AFTER.match(folded, end):
        return folded[end - 1] in "年月日号"
    if hit.kind == "decade":
        return "年" in folded[start:end] or not _DEGREES.search(
            folded[max(0, start - 60) : end + 60]
        )
    if hit.kind == "weekday" and folded[start:end].isascii():
        word = folded[start:end].split()[0].rstrip(".")
        if word in _SHORT_DAYS:
            return text[start].isupper()
        hit.weak = hit.weak and "weekend" in folded[start:end]
    if hit.kind in ("month", "turned"):
        return _is_month(hit, folded, text)
    return True


def _is_month(hit: Hit, folded: str, text: str) -> bool:
    """Tell the month of May from what one may do; and say whether a month stands on its own."""
    spec = hit.spec
    if not isinstance(spec, Yearly):
        return True
    dated = spec.year is not None or spec.shift is not None
    found = re.search(r"(?<![a-z])(?:may|mar|march|sun)(?![a-z])", folded[hit.start : hit.end])
    if hit.kind == "month" and (dated or spec.day):
        hit.weak = False
    if "月" in folded[hit.start : hit.end]:
        hit.weak = False
    if not found or text[hit.start + found.start()].isupper() or dated:
        return True
    after = folded[hit.end : hit.end + 12]
    return not re.match(r"\s{1,3}[a-z]", after) or (not hit.weak and spec.day > 0)


def settle(hit: Hit, folded: str) -> bool:
    """Take in the words that join a phrase to its sentence; say whether it stands."""
    if hit.kind == "anchor" or _in_title(folded, hit.start):
        return False
    if hit.kind == "beside":
        hit.spec = Vague()
    alone = not _WORD.search(folded, 0, hit.start) and not _WORD.search(folded, hit.end)
    if isinstance(hit.spec, Clock):
        return (not hit.weak and hit.spec.hour is not None) or (
            hit.spec.hour is not None and bool(hit.spec.part)
        )
    before = folded[max(0, hit.start - 28) : hit.start]
    prefixed = _take_english(hit, before, folded)
    if not folded.isascii():
        prefixed = _take_chinese(hit, folded) or prefixed
    if hit.weak and hit.kind == "year" and "年" in folded[hit.start : hit.end]:
        hit.weak = False
    return prefixed or alone or not hit.weak


def _in_title(folded: str, at: int) -> bool:
    opened = folded.rfind("《", max(0, at - 40), at)
    return opened >= 0 and folded.find("》", opened, at) < 0


def _take_english(hit: Hit, before: str, folded: str) -> bool:
    if _INNER.search(before):
        hit.spec = Vague()
        return not hit.weak
    week = _OF_WEEK.search(before)
    if week and is_date(hit):
        hit.start -= len(week[0])
        hit.spec = Vague() if week["day"] else Near(hit.spec, weekday=8)
        return True
    if hit.kind == "feast" and _SPENT.search(before):
        return True
    found = _PREFIX.search(before)
    if found is None or hit.kind == "range" or isinstance(hit.spec, Vague):
        return hit.kind == "range"
    word = found[1]
    if word == "by" and _DONE_BY.search(before, 0, found.start(1)):
        return False
    if found.lastgroup and word.split()[0] in _NOT_BEFORE.get(hit.kind, ()):
        return False
    if hit.kind == "in" or (hit.kind == "count" and found["at"]):
        return True
    hit.start -= len(found[0]) - (found.start(1) - found.start())
    suffix = _EN_SUFFIX.match(folded, hit.end)
    if suffix and (word == "from" or found["since"]):
        hit.relation, hit.end = "since", suffix.end()
    for name in ("since", "until", "before", "after"):
        if found[name]:
            hit.relation = name
    if found["around"]:
        _make_loose(hit)
    return True


def _make_loose(hit: Hit) -> None:
    hit.loose = True
    if hit.clock is None and not isinstance(hit.spec, (Count, Vague)):
        hit.spec = Near(hit.spec, _MARGIN)


def _take_chinese(hit: Hit, folded: str) -> bool:
    if _ZH_INNER.match(folded, hit.end):
        hit.spec = Vague()
    before = folded[max(0, hit.start - 6) : hit.start]
    if hit.kind in ("month", "range") and before.endswith(("农历", "阴历", "旧历")):
        hit.spec = Vague()
    prefix, suffix = _ZH_PREFIX.search(before), _ZH_SUFFIX.match(folded, hit.end)
    if suffix and not (isinstance(hit.spec, Vague) and not suffix["until"]):
        hit.end = suffix.end()
        if suffix["around"]:
            _make_loose(hit)
        else:
            hit.relation = suffix.lastgroup or hit.relation
    if prefix and hit.kind != "range" and not isinstance(hit.spec, Vague):
        hit.start -= len(prefix[0])
        if hit.relation == "at" and not prefix["at"]:
            hit.relation = "since" if prefix["since"] else "until"
        return True
    return suffix is not None


def context_tense(hit: Hit, folded: str) -> str | None:
    """Say what the clause speaks of, where that decides the day; ``None``: it cannot be placed."""
    spec = hit.spec.what if isinstance(hit.spec, Near) else hit.spec
    forward = isinstance(spec, Count) and spec.sign > 0 and spec.anchor is None
    if not forward and not _needs_tense(spec):
        return "open"
    yearly = isinstance(spec, Yearly) and spec.kind != "feast"
    tense = tense_of(folded, hit.start, hit.end, yearly=yearly)
    if forward:
        tense = tense if tense == "alone" else sentence_tense(folded, hit.start, hit.end)
        if hit.kind == "in":
            return tense if tense in ("future", "alone") else None
        return None if tense in ("past", "mixed") else tense
    if hit.relation == "since" and tense not in ("future", "recurring"):
        return "past" if _UP_TO_NOW.search(folded, hit.start, hit.end) else tense
    if hit.relation in ("until", "before") and tense != "past":
        return "future"
    return tense


def _needs_tense(spec: Spec) -> bool:
    if isinstance(spec, Weekday):
        return not spec.turn and not spec.date
    if isinstance(spec, Yearly):
        return not has_year(spec) and not spec.turn
    if isinstance(spec, Between):
        return not is_explicit(spec) and (_needs_tense(spec.first) or _needs_tense(spec.last))
    if isinstance(spec, Count):
        return spec.anchor is not None and _needs_tense(spec.anchor)
    return False

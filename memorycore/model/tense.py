"""Whether a clause speaks of what was or of what is to come, by its words alone.

Texts are given folded, in lower case. Where a clause has signs of both it is mixed; with no sign
it is open, and alone where nothing is said beside the phrase itself.
"""

import re

REACH = 160
"""A clause is read at most this many code points to either side of the phrase."""

_CLAUSE = re.compile(
    r"[,，;；:：.!?。！？…\n()（）\"“”]|\b(?:and|but|because|so|although|though|while|which)\b|但是?|所以|因为|可是|不过"
)
_PAST_EN = re.compile(
    r"\b(?:was|were|did|didn't|wasn't|weren't|had|hadn't|went|gone|got|met|saw|seen|came|took|made"
    r"|bought|left|began|found|gave|told|said|felt|kept|lost|won|held|ran|sold|sent|spent|paid"
    r"|became|broke|built|caught|chose|drove|ate|fell|flew|grew|heard|knew|led|rode|rose|sang|sat"
    r"|slept|spoke|stood|swam|taught|thought|threw|understood|woke|wore|wrote|been|quit|back in)\b"
)
_ED_EN = re.compile(
    r"\b(?!(?:need|indeed|feed|seed|speed|exceed|proceed|succeed|hundred|naked|sacred|embed|shed"
    r"|breed|bleed|wicked|scared|excited|interested|supposed|married|united|red|weed|greed|deed"
    r"|biased|based|unlimited|advanced|called|named|tired)\b)[a-z]{2,14}ed\b"
)
_FUTURE_EN = re.compile(
    r"\b(?:will|won't|shall|\w{1,8}'ll|gonna|going to|plan to|plans to|planning|plan on|planned for"
    r"|scheduled|upcoming|let's|see you|about to|hope to|hopes to|hoping|wants? to|would like to"
    r"|looking forward|due|deadline|remind|remember to|don't forget|can you|could you|should|must"
    r"|needs? to|have to|has to|expect(?:ed|s)? to|intend to|can we|shall we|should we|meet me"
    r"|(?:i'm|am|is|are|we're|they're|you're|he's|she's) (?:\w{3,12}ly )?(?!interest|amaz|bor"
    r"|excit)[a-z]{2,12}ing)\b"
)
_PARTICIPLE_EN = re.compile(
    r"\b(?:planned for|scheduled|expected to|needed to|supposed to"
    r"|(?:i'm|am|is|are|we're|they're|you're|he's|she's|it's) (?:\w{2,12}ly )?[a-z]{2,14}ed)\b"
)
_PRESENT_EN = re.compile(
    r"\b(?:i'm|am|is|are|isn't|aren't|has|have|comes?|starts?|begins?|ends?|leaves?|opens?|closes?"
    r"|expires?|turns|arrives?|says|needs?|meets?|goes|runs|it's|there's)\b"
)
_PAST_ZH = re.compile(
    r"(?<![对为除])了(?!解|不起|得)|[^\W]过(?![年节去来程生得期敏分于度滤渡夜头])|已经|刚[刚才]|曾经?|当时|之前就|[去来买到见做吃住走]的(?=[。?？!！]|\Z)|是.{0,12}的\Z"
    r"|好像是|昨|前天|去年"
)
_STATE_ZH = re.compile(
    r"(?:太|可|最)[^,，。!！]{1,8}了|[极坏爆死翻]了|(?:好|行|得|对)了(?=[,，。!！])"
)
_FUTURE_ZH = re.compile(
    r"会(?![议员长计场面])(?<![开聚晚宴年约大机社体])|将(?![军来])|(?<![重主只还需])要(?![求是素点么])|打算|准备|计划|预计|吧|记得|提醒|即将|必须|得去|需要|[再]?见(?=[。!！?？]|\Z)"
    r"|一起|想[去在要换搬买找]|截止|到期|快到|能不能|可以|争取|下[周个]|明[天年]"
)
_WANT_ZH = re.compile(r"(?:要|将|会|即将|快)[^,，。]{0,12}了")
_ALWAYS = re.compile(
    r"\b(?:every (?:year|month|week|day)|each year|annual|annually|yearly|always|usually)\b"
    r"| _ 的时候|有时候?|每[年月周天]|年年|总是|通常|往往|从来"
)
_BORN = re.compile(r"\bborn\b|出生|诞辰")
_BIRTHDAY = re.compile(r"\b(?:birthdays?|anniversary)\b|生日|纪念日|周年")
_WORD = re.compile(r"[^\W_]")


def tense_of(text: str, start: int, end: int, *, yearly: bool) -> str:
    """Say what the clause around a span speaks of: past, future, mixed, recurring, open or alone.

    With ``yearly`` a birthday recurs too, unless the clause tells of one that was.
    """
    before, after = text[max(0, start - REACH) : start], text[end : end + REACH]
    if not _WORD.search(before) and not _WORD.search(after):
        return "alone"
    first = 0
    for found in _CLAUSE.finditer(before):
        if _WORD.search(before, found.end()):
            first = found.end()
    stop = _CLAUSE.search(after, 1) if after else None
    clause = before[first:] + " _ " + (after[: stop.start()] if stop else after)
    sign = _sign(clause)
    if sign == "open" and not _WORD.search(clause.replace(" _ ", " ")):
        sign = _sign(before + " _ " + after)  # "On Friday, I met her": the neighbour tells
    if _ALWAYS.search(clause) or (yearly and _BORN.search(clause)):
        return "recurring"
    if yearly and sign != "past" and _BIRTHDAY.search(before + " _ " + after):
        return "recurring"
    return sign


def sentence_tense(text: str, start: int, end: int) -> str:
    """Say the same of the whole text around a span."""
    return _sign(text[max(0, start - REACH) : start] + " _ " + text[end : end + REACH])


def _sign(clause: str) -> str:
    future = bool(_FUTURE_EN.search(clause))
    plain = _PARTICIPLE_EN.sub("_", clause)
    past = bool(_PAST_EN.search(plain))
    if not past and _ED_EN.search(plain):
        past = True
        future = future or bool(_PRESENT_EN.search(clause))
    if not clause.isascii():
        if _WANT_ZH.search(clause):
            future = True
        else:
            past = past or bool(_PAST_ZH.search(_STATE_ZH.sub("_", clause)))
            future = future or bool(_FUTURE_ZH.search(clause))
    if past and future:
        return "mixed"
    return "past" if past else "future" if future else "open"

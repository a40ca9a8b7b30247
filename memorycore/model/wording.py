"""What a wording says: an ordering of likings, how sure it may make us, and a tag's bare concept.

Texts are folded before they are compared, so that traditional and simplified forms, full-width
letters and upper case all read alike.
"""

import re
from collections.abc import Collection, Iterator

from memorycore.model.word import fold

PLAIN = (0.90, 0.98)
"""The usual confidence of a plain statement with an ordering."""
LIKED = (0.75, 0.89)
"""The usual confidence of a liking without an ordering, such as "one of my favourites"."""
CERTAIN = PLAIN[1]
"""No wording makes a statement surer than this."""

_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2}
_ORDINALS = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1
    )
}
_TITLE = re.compile("《[^《》]*》")
# A point ends a sentence only before a blank and no digit: "No. 1" is one word. A comma may also
# stand between adjectives: "one of my old, cherished favourites".
_CLAUSE_END = re.compile(r"[。;!?\n]|,(?!\s*[a-z]+ favou?rite)|\.(?=\s+\D)")
_NUMBER = "[0-9]{1,3}|[一二三四五六七八九十两]{1,3}"
_LIKING = "喜欢|喜爱|钟爱"
_ORDERING = re.compile(
    rf"第(?P<nth>{_NUMBER})(?:[个名位本部]?最)?(?:{_LIKING}|爱(?![情人好心]))"
    rf"|(?P<most>最(?:最|为)?(?:{_LIKING}|爱))"
    r"|(?P<top>(?<![a-z0-9])no(?:\.\s?)?1(?![0-9]|\.[0-9]))"
    rf"|(?<![a-z])(?:(?P<word>{'|'.join(_ORDINALS)}|[0-9]{{1,3}}(?:st|nd|rd|th))[ -](?:most[ -])?)?"
    r"(?P<favourite>favou?rite)(?![a-z])"
)
_ONE_OF_AFTER = re.compile("之一|其?中的?一[个位本部篇]")
_DENIED = re.compile("(?:不是|并非|没有|不再|[算谈称]不上|未必|不)[我你他她它们的是]{0,3}$")
_QUALIFIER = (
    r"(?:(?:my|our|his|her|their|your|its|the|all|time|very|own|absolute|personal|current|top|most"
    r"|[a-z]+'s)[ ,-]+)*"
)
_ONE_OF_BEFORE = re.compile(
    r"(?<![a-z])(?:(?:one|two|three|some|few|many|several|any|each) of|amongst|among|some"
    rf"|an?|another|least|not|never|longer|[a-z]+n[’']t)[ ,]+{_QUALIFIER}$"
)
_OWNED = re.compile(
    r"\s?《|[’']s [a-z]| [a-z]+ (?:is|was) |[的之].{0,8}?(?:作品|小说|书|散文|随笔|诗|文|故事"
    "|[长中短]篇|[章节集剧戏歌]|风格|电影|角色|人物|结局|开头)"
)
_CANCEL_REACH = 80
_OWNED_REACH = 20
_LIKED = re.compile(
    f"{_LIKING}|偏爱|热爱|最爱|爱[看读听喝吃]"
    r"|(?<![a-z])(?:(?:i|we|they|you|do|does|also|really|quite) like|likes|liked|loves?|loved"
    r"|enjoy(?:s|ed)?|adores?|adored|fond of|prefers?|preferred|favou?rites?)(?![a-z])"
)


def said_ranks(text: str, *, owners: Collection[str] = ()) -> frozenset[int]:
    """Tell which places in an order a text gives, such as 1 for 最喜欢 and 2 for second favourite.

    "One of" cancels an ordering, and so does a denial; a title in 《》 is none. Where it is a thing
    of one of ``owners`` that is ranked, as in 最喜欢沈从文的小说, the ordering is not theirs.
    """
    folded = fold(text)
    # Positions stay as they are, for an owner may stand within 《》.
    blanked = _TITLE.sub(lambda title: "《" + "\0" * (len(title[0]) - 2) + "》", folded)
    names = [name for owner in owners if (name := fold(owner).strip(" 《》"))]
    reach = max(map(len, names), default=0) + _OWNED_REACH
    found = set()
    for start, end in _clauses(blanked):
        clause = blanked[start:end]
        one_of = max((match.start() for match in _ONE_OF_AFTER.finditer(clause)), default=-1)
        for match in _ORDERING.finditer(clause):
            before = clause[max(0, match.start() - _CANCEL_REACH) : match.start()]
            cancels = _ONE_OF_BEFORE if match["favourite"] else _DENIED
            is_cancelled = cancels.search(before) is not None or (
                not match["favourite"] and match.end() <= one_of
            )
            at = start + match.end()
            if not is_cancelled and not _is_of_an_owner(folded[at : min(end, at + reach)], names):
                found.add(_rank(match))
    return frozenset(found)


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _CLAUSE_END.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _is_of_an_owner(rest: str, owners: Collection[str]) -> bool:
    rest = rest.lstrip(" 《")
    return any(
        rest.startswith(owner) and _OWNED.match(rest[len(owner) :].lstrip("》")) for owner in owners
    )


def _rank(match: re.Match[str]) -> int:
    if word := match["word"]:
        return _ORDINALS.get(word) or int(word[:-2])
    number = match["nth"]
    if not number:
        return 1
    if number.isdecimal():
        return int(number)
    tens, has_ten, ones = number.rpartition("十")
    if not has_ten:
        return _DIGITS.get(number, 0)
    return _DIGITS.get(tens, 1) * 10 + _DIGITS.get(ones, 0)


def confidence_band(text: str) -> tuple[float, float] | None:
    """Give the usual confidence of a liking as it is worded, or ``None`` where no words tell."""
    if said_ranks(text):
        return PLAIN
    return LIKED if _LIKED.search(fold(text)) else None


_SPOKEN = ("在写作中", "自认为", "写起来", "读起来", "看起来", "觉得")
_AMBIGUOUS = ("写作", "可能", "有点", "比较")
_PROTECTED = tuple(
    """可能性 可能世界
    比较文学 比较语言 比较法 比较政治 比较解剖 比较神话 比较宗教 比较心理 比较教育 比较哲学
    比较优势 比较级
    写作技巧 写作技法 写作手法 写作方法 写作风格 写作习惯 写作计划 写作能力 写作者 写作小组
    写作课 写作班 写作素材 写作教学 写作训练 写作练习 写作理论 写作软件 写作工具 写作瓶颈
    写作障碍 写作灵感 写作主题 写作题材 写作过程 写作节奏 写作环境 写作动机""".split()
)
"""Concepts that only look as if they began with a word of context."""
_SHORTEST_CONCEPT = 2


def _leading_context(tag: str) -> str | None:
    if fold(tag[:4]).startswith(_PROTECTED):
        return None
    for word in _SPOKEN + _AMBIGUOUS:
        rest = tag[len(word) :].strip()
        if len(rest) >= _SHORTEST_CONCEPT and fold(tag[: len(word)]) == word:
            return word
    return None


def strip_context(tag: str) -> str:
    """Take the words of context off the front of a tag, again and again: 读起来拖沓 is 拖沓.

    A protected concept (比较文学) stays whole, and so does what would leave less than two
    characters (写作, 写作课).
    """
    rest = tag.strip()
    while word := _leading_context(rest):
        rest = rest[len(word) :].strip()
    return rest


def starts_with_context(tag: str) -> bool:
    """Tell whether a tag begins with a word of context that is no part of its concept."""
    tag = tag.strip()
    # 读起来 and its like begin no concept of any length; 写作 and 比较 begin many.
    return _leading_context(tag) is not None or fold(tag[:4]).startswith(_SPOKEN)


def canonical_tag(text: str) -> str:
    """Give a tag in its normal form: no quotation marks, no context, single spaces."""
    bare = re.sub('[《》〈〉「」『』“”"]', "", text)
    return " ".join(strip_context(" ".join(bare.split())).split())

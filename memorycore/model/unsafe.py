"""What a memory must never hold: secrets, personal numbers, commands to the agent, raw logs.

A text that holds any of it is refused whole; it is never cleaned and kept. Disguises are looked
through first: hidden characters, full-width letters, accents, Cyrillic letters that look like Latin
ones, and traditional characters. The table `_ROWS` decides what a command, a policy edit, markup or
a log is: a row is tried only on a text that holds one of its hints.

Left alone on purpose: what somebody did ("I forgot the previous rules", "他忽略了指示"), what is
forbidden ("never ignore the rules"), rules of something ("forget the rules of chess"), one's own
policy ("change my policy"), digits that are dates, counts, hashes, order numbers or part of an
address. An order "forget the rules" without an object is refused: it cannot be told from a command.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from memorycore.model.personal import may_hold_number, personal_number
from memorycore.model.secret import find_secrets
from memorycore.model.word import fold

__all__ = ["Unsafe", "find_unsafe", "is_shown", "looked_through"]


@dataclass(frozen=True, slots=True)
class Unsafe:
    """Why a text is refused: the code, and what was found in words that never quote the text."""

    code: str
    label: str


class _Row(NamedTuple):
    """One thing to refuse; a cased row reads the text as it is cased, the others its folding."""

    code: str
    label: str
    hints: tuple[str, ...]
    pattern: str
    cased: bool = False


def _words(text: str) -> str:
    return "(?:" + "|".join(text.split()) + ")"


_GAP = r"\W{1,4}"
_NEAR = r"[^\w.!?;。\n]{1,4}"
_NOT_SAID = (
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )(?<!n't )(?<!\bnever )(?<!\bnot )(?<!\bcannot )(?<!\bto not )"
)
# A base form at the start of a clause, or after words that give an order.
_ORDER = (
    r"(?:^|[.!?;:,，。、\"'“‘(*>#\n-][ \t*_]{0,4}|\b(?:please|kindly|from now on"
    r"|you (?:must|should|can|will|may|need to|have to|to|are to)|told to|asked to"
    r"|instructed to|free to)[ ,]{1,3})"
)
_IGNORE = _words(
    "ignore ignoring disregard disregarding override overriding forget forgetting bypass bypassing"
)
_EDIT = _words(
    "modify modifying modified change changing changed edit editing edited rewrite rewriting"
    " rewrote disable disabling disabled reveal revealing revealed alter altering altered overwrite"
    " overwriting overwrote leak leaking leaked disclose disclosing disclosed"
)
_EDIT_ORDER = _words("modify change edit rewrite disable reveal alter overwrite leak disclose")
_SHOW = _words("print show repeat output display dump tell copy")
_OF = _words(
    "all any every each of the these those this that your my our its own previous prior above"
    " earlier preceding foregoing past former existing current original initial first last other"
    " system developer safety security content hidden internal core base given stated and or agent"
    " agents agent's assistant's assistant project memory user me us"
)
_STRONG = _words(
    "previous prior above earlier preceding foregoing your system developer safety hidden original"
    " initial existing"
)
_TOLD = (
    r"(?:instructions?|directions|directives?|guidelines?|rules?|prompts?|guardrails?|restrictions"
    r"|constraints|polic(?:y|ies)|orders|commands)\b"
)
_OF_WHAT = r"(?![ \t]{1,3}(?:of|for|in|about|on|at|from|regarding|to|when|book|video|that|i)\b)"
_MINE = (
    r"(?:(?:system|developer|hidden|initial)[ _-]?(?:prompts?|messages?|instructions?|rules)"
    r"|(?:ai |coding )?agents?(?:'s)?[ _-](?:instructions?|rules|polic(?:y|ies)|skills?|prompts?)"
    r"|project[ _-](?:rules|instructions)|guardrails?|(?:agents|claude|skill|gemini)\.md"
    r"|(?:safety|security|content|memory|admission)[ _-]"
    r"(?:polic(?:y|ies)|rules|guidelines|guards?|filters?))\b"
)

_ZH_SAID = r"(?<![别没勿])(?<!不要)(?<!不能)(?<!不会)(?<!不该)(?<!不可)(?<!不得)(?<!没有)"
_ZH_IGNORE = (
    _ZH_SAID
    + r"(?<![我他她们])(?:(?:忽略掉?|无视掉?|绕过|跳过|推翻|抛开|抛弃)(?!了)|忘掉|忘记|忘了"
    r"|(?:不要|别|不用|不必|无需|不再)(?:去|再)?(?:管|理会|遵守|遵循|理睬|执行|听从)"
    r"|ignore|disregard|override)"
)
_ZH_BEFORE = (
    r"(?:之前|以上|上面|上述|先前|前面|此前|以前|原来|原有|系统|你的|你们的|你被|开发者|现有|既有"
    r"|默认"
    r"|所有|全部|一切|任何)"
)
_ZH_TOLD = (
    r"(?:指令|规则|提示词?|设定|命令|指示|约束|限制(?!级)|守则|准则|规定|系统消息"
    r"|instructions?|rules?|prompts?)"
)
_ZH_ORDER = (
    r"(?:^|[,.!?;:。、\"'“「(\s]|请你?|你(?:要|必须|应该|需要|可以|得)|必须|立刻|立即|现在"
    r"|从现在起|麻烦你?)"
)
_ZH_EDIT = (
    r"(?<![别没])(?<!不要)(?<!不能)(?<!没有)(?:修改|更改|改写|改掉|改动|编辑|重写|篡改|禁用"
    r"|关闭|停用|关掉|泄露|透露|公开|暴露)"
)
_ZH_MINE = (
    r"(?:系统(?:提示词?|消息|指令|规则|设定)|(?:代理|智能体|助手|agents?) ?的?"
    r"(?:指令|规则|说明|提示词|技能)"
    r"|项目(?:的)?规则|安全(?:策略|规则|准则|护栏)|护栏|守卫"
    r"|防护(?:规则|策略|机制)|技能(?:文件|说明|定义|配置)"
    r"|记忆(?:策略|规则)|(?:你的|你自己的|自己的)(?:规则|指令|设定|技能|提示词)|(?:agents|claude"
    r"|skill)\.md)"
)
_ZH_AWAY = r"(?:忽略|无视|忘掉|忘记|忘了|忘光|作废|失效|不算数|无效|不用管|不要管|别管|抛开)"
_ZH_HINTS = (
    "指令", "规则", "提示", "设定", "命令", "指示", "约束", "限制", "守则", "准则", "规定",
    "系统消息",
)  # fmt: skip
_EN_HINTS = (
    "instruct", "direct", "guid", "rule", "prompt", "guard", "restrict", "constrain", "polic",
    "orders", "commands",
)  # fmt: skip

_ROWS: tuple[_Row, ...] = (
    _Row("secret", "a private key", ("-----begin",),
         r"-----begin [a-z0-9 ]{0,40}private key(?: block)?-----"),
    _Row("secret", "a vendor token",
         ("sk-", "rk-", "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "xox", "aiza"),
         r"(?<![A-Za-z0-9_-])(?:[sr]k-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{16}"
         r"|gh[pousr]_(?=[A-Za-z]{0,30}[0-9])[A-Za-z0-9]{8}|github_pat_[A-Za-z0-9_]{8}"
         r"|xox[a-z]-(?=[A-Za-z-]{0,30}[0-9])[A-Za-z0-9-]{8}|AIza[A-Za-z0-9_-]{8})", True),
    _Row("secret", "an authorization header", ("bearer ",),
         r"\bbearer[ \t]{1,4}[a-z0-9._~+/-]{24}"),
    _Row("secret", "a secret assignment", ("key", "token", "secret"),
         r"(?<![a-z])(?:(?:api|access|private|auth|secret|encryption)[ _-]?(?:key|token)"
         r"|(?:client|app)[ _-]?secret)[\"']?[ \t]{0,3}[=:][ \t]{0,3}[\"']?"
         r"(?!your|my[_-]|none|null|x{3}|os\.|env|process\.|change|example|placeholder|undefined)"
         r"[a-z_./+~-]{0,40}[0-9_+/=~-][a-z0-9_./+=~-]{8}"),
    _Row("injection", "markup that runs", ("<",),
         r"<[\s/]{0,4}(?:script|iframe|svg)(?=[\s/>]|$)"
         r"|<[a-z][a-z0-9]{0,20}[\s/](?:[^<>]{0,400}[\s\"'/])?on[a-z]{3,24}\s{0,4}="),
    _Row("injection", "an inline event handler", ("=",),
         r"(?<![a-z0-9_.])on(?:click|load|error|mouse[a-z]{2,5}|key[a-z]{2,5}|focus|blur|submit"
         r"|change|input|toggle|animation[a-z]{3,9}|pointer[a-z]{2,5})\s{0,4}=\s{0,4}[\"'`]"),
    _Row("injection", "a script URL", ("script:",),
         r"(?:java|vb|live)script:[^\s\"'<>(=%/;,。]{0,80}[(=%/;]"),
    _Row("injection", "an HTML data URL", ("data:",),
         r"(?<![a-z])data:(?:text/html|image/svg\+xml|application/xhtml)"),
    _Row("injection", "a chat template mark", ("<|", "[inst]", "<<sys>>"),
         r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>"
         r"|\[inst\]|<<sys>>"),
    _Row("injection", "a command to ignore instructions", _EN_HINTS,
         _NOT_SAID + rf"\b{_IGNORE}{_GAP}(?:{_OF}{_GAP}){{0,5}}?{_STRONG}{_GAP}"
         rf"(?:{_OF}{_GAP}){{0,4}}?{_TOLD}"
         rf"|{_NOT_SAID}\b{_IGNORE}{_GAP}(?:{_OF}{_GAP}){{0,4}}?{_TOLD}{_GAP}(?:above|before|so far"
         r"|(?:that )?you (?:were|have|had|got|received)|(?:given|provided) (?:above|earlier"
         r"|to you)"
         r"|from (?:the )?(?:system|developer)|in (?:the|your) (?:system )?prompt)\b"
         rf"|{_ORDER}{_IGNORE}{_GAP}(?:{_OF}{_GAP}){{0,4}}?(?!rule\b){_TOLD}{_OF_WHAT}"),
    _Row("injection", "a command to ignore instructions", ("everything", "anything", "all that"),
         rf"{_ORDER}{_IGNORE}{_GAP}(?:everything|anything|all)\W{{1,3}}(?:that )?(?:above\b"
         r"|before (?:this|that)\b|(?:said|written|stated) (?:above|before|so far)\b"
         r"|you(?:'ve| have| were| had)? (?:been )?(?:told|taught|instructed|given)\b)"),
    _Row("injection", "a command to ignore instructions", (*_ZH_HINTS, *_EN_HINTS[:5]),
         _ZH_IGNORE + rf"(?!了?[我他她])[^,.!?;:。\n]{{0,6}}{_ZH_BEFORE}"
         rf"[^,.!?;:。\n我他她]{{0,8}}{_ZH_TOLD}"
         rf"|{_ZH_ORDER}{_ZH_IGNORE}(?:掉|一切|这些|那些|这个|那个|该|本|的|\s){{0,4}}"
         rf"(?:(?:{_ZH_TOLD}[和与及、]?){{1,3}})(?![^,.!?;。\n]{{0,2}}的)"
         rf"|{_ZH_BEFORE}[^,.!?;:。\n我他她]{{0,8}}{_ZH_TOLD}"
         rf"(?:都|全部?|统统|一律|通通|给我|请|可以|应该|必须|已经?|掉|[, ]){{0,6}}{_ZH_AWAY}"),
    _Row("injection", "a command to ignore instructions",
         ("忽略", "无视", "忘掉", "忘记", "不要管", "别管"),
         rf"{_ZH_ORDER}{_ZH_IGNORE}(?:在|掉|了|你|我)?(?:以上|上面|上述|之前|前面|此前)的?"
         r"(?:所有|全部|一切|任何)?(?:说的|写的)?(?:内容|对话|话|信息|一切|所有|全部)"),
    _Row("policy_edit", "a change of the agent's own rules",
         ("prompt", "message", "instruction", "rules", "polic", "skill", "guard", ".md", "filter",
          "guideline"),
         rf"{_NOT_SAID}\b{_EDIT}{_NEAR}(?:[\w'’]{{1,20}}{_NEAR}){{0,3}}?{_MINE}"
         rf"|{_ORDER}{_EDIT_ORDER}{_GAP}(?:(?!my\b|our\b|his\b){_OF}{_GAP}){{0,4}}?"
         r"(?:skills?(?! (?:section|set|list|gap|level|test))|guards?|polic(?:y|ies)|instructions"
         r"|rules|prompts?|guidelines)\b" + _OF_WHAT
         + rf"|{_ORDER}(?:{_SHOW}|turn off|switch off){_GAP}(?:{_OF}{_GAP}){{0,4}}?"
         r"(?:(?:system|developer|hidden|initial)[ _-]?(?:prompt|message|instructions?|rules)"
         r"|guardrails?)\b"
         rf"|{_ORDER}(?:{_SHOW}){_GAP}(?:(?:me|us|all"
         rf"|of){_GAP}){{0,3}}your\W{{1,3}}(?:own\W{{1,3}})?"
         r"(?:instructions|prompt|rules)\b"),
    _Row("policy_edit", "a change of the agent's own rules",
         ("系统", "指令", "规则", "提示", "技能", "护栏", "守卫", "策略", "设定", "准则", "防护",
          ".md"),
         rf"{_ZH_EDIT}[^,.!?;:。\n]{{0,8}}?{_ZH_MINE}"
         rf"|{_ZH_MINE}(?:都|全部?|给我|请|直接|立即|里的?[^,.!?;:。\n]{{0,4}}){{0,3}}"
         r"(?:改[成为掉写]|修改|删掉|删除|关掉|关闭|禁用|公开|泄露|说出来|发给我|打印|输出)"
         r"|(?:输出|打印|显示|复述|告诉我|发给我)[^,.!?;:。\n]{0,6}?"
         r"(?:系统(?:提示词?|消息|指令|设定)|你的(?:提示词|指令|设定))"),
    _Row("raw_log", "a diff", ("diff --git", "@@ -", "+++ ", "--- ", "index "),
         r"(?:^|\n|\s)diff --git \S|@@ -[0-9]{1,7}(?:,[0-9]{1,7})? \+[0-9]{1,7}"
         r"|(?m:^(?:\+\+\+|---) (?:[ab]/|/dev/null))|(?m:^index [0-9a-f]{7,40}\.\.[0-9a-f]{7,40})"),
    _Row("raw_log", "a commit log", ("commit ",),
         r"(?m:^commit [0-9a-f]{40}\b)|\bcommit [0-9a-f]{7,40}\s{1,4}(?:\([^)\n]{0,80}\)\s)?"
         r"author:"),
    _Row("raw_log", "a stack trace",
         ("traceback", "    at ", "\tat ", ", line ", "exception", "goroutine", "core dumped"),
         r"Traceback \(most recent call last|(?m:^[ \t]{1,12}at [^\s(]{1,200} ?\([^()\n]{1,300}"
         r":[0-9]{1,7}(?::[0-9]{1,7})?\))|\bFile \"[^\"\n]{1,300}\", line [0-9]{1,7}"
         r"|Exception in thread \"|(?m:^goroutine [0-9]{1,9} \[)|\(core dumped\)"
         r"|(?m:^(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}Exception: )", True),
    _Row("raw_log", "an error line", ("error: ", "panic: "),
         r"(?m:^(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}Error: )|(?m:^panic: )", True),
    _Row("raw_log", "program output", ("stdout", "stderr"),
         r"(?m:^[\[(<]?(?:stdout|stderr)[\])>]?[ \t]{0,3}[:=|>\n])|[\[<](?:stdout|stderr)[\]>]"
         r"|\b(?:stdout|stderr)[ \t]{0,2}: ?\S"),
    _Row("raw_log", "a log line", ("debug", "error", "fatal", "info", "warn", "trace", "critical"),
         r"(?m:^\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}\S{0,24}\s{1,4}"
         r"(?:[\w.\[\]-]{1,60}\s{1,4}){0,2}[\[(]?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE"
         r"|CRITICAL)\b)"
         r"|(?m:^\[(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL)\])"
         r"|(?m:^(?:DEBUG|ERROR|FATAL|TRACE)[ \t]{0,3}[:|-][ \t])"
         r"|(?m:^(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL):[\w.]{1,80}:)", True),
    _Row("raw_log", "package manager output", ("npm ",), r"(?m:^npm (?:warn|error)\b)|npm err!"),
    _Row("raw_log", "a log line", ("日志", "堆栈", "报错"),
         r"(?m:^[\[(]?(?:错误|调试|报错|运行|控制台|系统)(?:日志|堆栈|输出)[\])]?\s{0,3}:)"
         r"|(?m:^[\[(]?报错信息[\])]?\s{0,3}:)|堆栈(?:跟踪|信息)\s{0,3}:"),
)  # fmt: skip

_TAGS = {0xE0000 + code: code for code in range(0x20, 0x7F)}
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_OVERRIDE = re.compile("[\u202d\u202e]")
_ACCENTED = re.compile("[\u00c0-\u024f\u0300-\u036f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff]")
_LOOKALIKES = str.maketrans(
    "асеіјорхуѕԁһνοΑΒΕΙΚΜΝΟΡΤАВЕКМНОРСТ", "aceijopxysdhvoABEIKMNOPTABEKMHOPCT"
)
_DASH = re.compile("[\u2010-\u2015\u2212]")
_WIDE = re.compile(
    "[\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a\U0001d400-\U0001d7ff\u2460-\u24ff]"
)
_ODD = re.compile("|".join(part.pattern for part in (_HIDDEN, _ACCENTED, _DASH, _WIDE)))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_LATIN_HINTS = tuple(
    (hint, rank) for rank, row in enumerate(_ROWS) for hint in row.hints if hint.isascii()
)
_HAN_HINTS = tuple(
    (hint, rank) for rank, row in enumerate(_ROWS) for hint in row.hints if not hint.isascii()
)
_ANY_HAN = re.compile("|".join(sorted({hint for hint, _ in _HAN_HINTS})))
_ANY_LATIN = re.compile("[a-z<=+@-]")


def find_unsafe(text: str) -> Unsafe | None:
    """Say why a text must not be remembered, or None; of several reasons the worst is named.

    Takes time linear in the length of the text; a plain sentence costs a few microseconds.
    """
    seen, low = (text, text.lower()) if text.isascii() else _look_through(text)
    secrets = find_secrets(text) or (find_secrets(seen) if seen is not text else ())
    if secrets:
        return Unsafe("secret", secrets[0].label)
    if not text.isascii() and _OVERRIDE.search(text):
        return Unsafe("injection", "characters that reverse the text")
    number = personal_number(low) if may_hold_number(low) else None
    for rank in _hinted(low):
        row = _ROWS[rank]
        if number and row.code != "secret":
            break
        if _compiled(row.pattern).search(seen if row.cased else low):
            return Unsafe(row.code, row.label)
    return Unsafe("personal_number", number) if number else None


def is_shown(place: str) -> bool:
    """Tell whether the place of a record may be shown; of many lines of a file one is looked at."""
    name, line, number = place.rpartition(" line ")
    return _is_shown(name if line and len(number) <= 9 and number.isdecimal() else place)


@lru_cache(maxsize=1024)
def _is_shown(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return find_unsafe(name) is None


def _hinted(low: str) -> list[int]:
    ranks: set[int] = set()
    if low.isascii() or _ANY_LATIN.search(low):
        ranks.update([rank for hint, rank in _LATIN_HINTS if hint in low])
    if not low.isascii() and _ANY_HAN.search(low):
        ranks.update([rank for hint, rank in _HAN_HINTS if hint in low])
    return sorted(ranks)


def looked_through(text: str) -> str:
    """Give a text folded and without its disguises, as the rows of a table read it."""
    return text.lower() if text.isascii() else _look_through(text)[1]


def _look_through(text: str) -> tuple[str, str]:
    """Give a text without its disguises, as it is cased and folded."""
    if _ODD.search(text) is None:
        return text, fold(text)
    if _WIDE.search(text):
        text = unicodedata.normalize("NFKC", text)
    if _HIDDEN.search(text):
        text = _HIDDEN.sub("", text.translate(_TAGS))
    text = _DASH.sub("-", text)
    if _ACCENTED.search(text):
        text = _plain_letters(text)
    return text, fold(text)


def _plain_letters(text: str) -> str:
    parts = unicodedata.normalize("NFKD", text.translate(_LOOKALIKES))
    kept = "".join(char for char in parts if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFKC", kept)

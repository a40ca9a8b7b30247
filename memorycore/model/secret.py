"""Find and mask secrets (tokens, keys, passwords) in untrusted chat text.

Spans are half-open code point ranges of the original text and cover the secret value only.
What is found is decided by the table `_ROWS`: fixed-shape tokens first, then values that only
their context gives away.  Left alone on purpose: test-mode Stripe keys, values shorter than four
characters, placeholders (`<your password>`, `${PASSWORD}`, `****`, type names, calls), API key
assignments whose value has no digit, and personal numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

__all__ = ["Secret", "find_secrets", "mask_secrets"]


@dataclass(frozen=True, slots=True)
class Secret:
    """A span of a text that looks like a secret."""

    kind: str
    label: str
    start: int
    end: int


class _Row(NamedTuple):
    """One kind of secret: the pattern is tried only on a text that contains one of the hints.

    A hint in lower case matches any case and full-width letters; one with a capital is exact.
    The prefilter looks for the rarest letter of each hint, and for any full-width such letter.
    """

    kind: str
    label: str
    hints: tuple[str, ...]
    pattern: str


_WIDE = {code: f"[{chr(code)}{chr(code + 0xFEE0)}]" for code in range(ord("a"), ord("z") + 1)}
_NARROW = {code + 0xFEE0: code for code in range(0x21, 0x7F)}


def _wide(words: str) -> str:
    return "(?:" + words.translate(_WIDE).replace(" ", r"[ _\-\u3000]?") + ")"


# Every token starts outside an ASCII word; `_values` makes it end outside one too.
_LEFT = r"(?<![A-Za-z0-9_])"
# Ends outside an ASCII word, and not within a date.
_ENDS = r"(?:(?<=[^\x00-\x7f])|(?![A-Za-z0-9_]))(?!-\d{1,2}-)"
_GAP = r"[^\S\r\n]{0,4}"
_COLON = _GAP + r"[:：](?![:=/])" + _GAP
_EQUALS = _GAP + r"(?::" + _GAP + r"(?:str|string)" + _GAP + r")?:?[=＝](?![=~])>?" + _GAP
_OPEN = r"[\"'`“‘「『]"
_QUOTED = (
    r"(?<=\")[^\"\r\n]{4,256}(?=\")|(?<=['‘`])[^'‘’`\r\n]{4,256}(?=['’`])"
    r"|(?<=[“「『])[^“”「」『』\r\n]{4,256}(?=[”」』])"
)
# A quoted key of JSON or of a subscript; a bare bracket would read a mask as a key.
_KEY_END = r"(?:[\"'’]\]?)?"
_CJK = r"\u3000-\u303f\u3400-\u9fff，。；：！？（）"
_PLAIN = r"[^\s\"`“”‘’" + _CJK + r"]"
_FIELD = r"[^\s\"`“”‘’&,;，；" + _CJK + r"]"
_ASCII = r"[!#-+\-./0-9:<-Z\\-_a-z|~０-９Ａ-Ｚａ-ｚ＿＠＃＄％＊＋－．]"
_UNLIKE_WORD = r"{0,48}?(?:\d|[@#$%^&*+=!~|\\][^\W_]))"
_LINE_END = r"(?=[^\S\r\n]{0,8}(?:[\r\n]|\Z))"
_IS = r"(?:is|was|are|to|be|equals|becomes)"
_ZH_IS = r"(?:就是|是|为|為|叫做?|[改换換设設]置?[成为為]了?)"
_ZH_GAP = r"(?:现在|現在|目前|应该|應該|就|还|還|已经|已經|（[^）\[\]]{0,12}）)?"

_NOT_A_VALUE = (
    r"(?!\*{2}|[•●]|x{3,}(?!\w)|\.{2}|…|_{3}|<[^>\r\n]{0,60}>|\[[^\]\r\n]{0,40}\]|[{(]"
    r"|\$(?:[{(]|[a-z_]{1,40}(?![^\s\"'`,;)}]))|%[({s]|%[a-z_]{1,40}%|https?://"
    r"|[a-z_][a-z0-9_.]{0,60}\(|your[-_ ]"
    r"|(?:self|this|os|env|process|config|settings|args|request|req|options|params|ctx)\.[a-z_]"
    r"|(?:none|null|nil|undefined|true|false|str|string|text|int|bytes?|bool(?:ean)?|optional"
    r"|required|secretstr|any|(?:var)?char|hidden|redacted|masked|empty|unset|todo|tbd|example"
    r"|change[-_]?me|placeholder|password|passwd|too|very|not|wrong|incorrect|invalid|weak"
    r"|strong|expired|missing)(?![a-z0-9_]|[-@#$%^&*!]\w)"
    r"|\d{1,4}(?:%|[- ]?(?:char|digit|letter|word|bit|minute|hour|day|week|month|year|time)"
    r"|\s?[位个個次年月天分小条條种種页頁])|\d{1,3}\s?[-~～到至]\s?\d{1,3}\s?[位个個])"
)

_PASSWORD = _wide("password|passwd|passcode|passphrase|pwd")
_PASSWORD_HINTS = ("passw", "passc", "passph", "pwd")
_KEY = _wide(
    "(?:api|access|secret|private|auth|client|app|account|encryption|bearer|refresh|bot|security)"
    " (?:access |api )?(?:key|token|secret)|token|secret"
)
_APP_SECRET = _wide("(?:app|mch|corp|wechat|weixin)") + "|微信|公众号|小程序"
# Lazy, or else the words after "for" could swallow a value.
_FOR = r"(?:\s{1,3}(?:for|of|on|at|in|to)(?:\s{1,3}[^\s\[\]:=＝" + _CJK + r"]{1,30}){1,5}?)??"

_ROWS: tuple[_Row, ...] = (
    _Row("private_key", "a private key", ("-----BEGIN",),
         r"(?P<value>-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
         r"(?:(?:[^-]{1,20000}+|-(?!----)){1,64}+-----END [A-Z0-9 ]{0,60}-----"
         r"|(?:\s|\\[nr]){0,4}[A-Za-z0-9+/=]{40}[A-Za-z0-9+/=\s]{0,20000}(?<=\S)))"),
    _Row("jwt", "a JSON web token", (".eyJ",),
         _LEFT + r"(?P<value>eyJ[A-Za-z0-9_-]{8,1000}+\.eyJ[A-Za-z0-9_-]{8,8000}+"
         r"\.[A-Za-z0-9_-]{10,2000})"),
    _Row("aws_access_key", "an AWS access key", ("AKIA", "ASIA"),
         _LEFT + r"(?P<value>A[KS]IA[A-Z0-9]{16})"),
    _Row("aws_secret_key", "an AWS secret key", ("secret",),
         r"(?i)secret[ _-]?(?:access[ _-]?)?key" + _KEY_END + r"(?:" + _EQUALS + "|" + _COLON
         + r"|\s{1,3}is\s{1,3})[\"'`]?(?P<value>(?=[a-z/+]{0,39}[0-9])[a-z0-9/+]{40}={0,2})"),
    _Row("github_token", "a GitHub token",
         ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
         _LEFT + r"(?P<value>gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})"),
    _Row("gitlab_token", "a GitLab token", ("glpat-",),
         _LEFT + r"(?P<value>glpat-[A-Za-z0-9_.-]{19,254}[A-Za-z0-9_-])"),
    _Row("anthropic_key", "an Anthropic key", ("sk-ant-",),
         _LEFT + r"(?P<value>sk-ant-(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,255})"),
    _Row("openai_key", "an OpenAI style key", ("sk-",),
         _LEFT + r"(?P<value>sk-(?=[A-Za-z_-]{0,60}[0-9])(?:(?:proj|svcacct|admin)-"
         r"[A-Za-z0-9_-]{20,400}|(?:or-v1-)?[A-Za-z0-9]{20,255}))"),
    _Row("google_api_key", "a Google API key", ("AIza",),
         _LEFT + r"(?P<value>AIza[A-Za-z0-9_-]{35})"),
    _Row("slack_token", "a Slack token", ("xox", "xapp-", "slack.com/services/"),
         r"(?P<value>" + _LEFT + r"xox[a-z](?:\.xox[a-z])?-(?=[A-Za-z-]{0,40}[0-9])"
         r"[A-Za-z0-9-]{10,250}|" + _LEFT + r"xapp-[0-9]-[A-Za-z0-9-]{10,250}"
         r"|(?<=hooks\.slack\.com/services/)T[A-Z0-9]{6,14}/B[A-Z0-9]{6,14}/[A-Za-z0-9]{16,40})"),
    _Row("stripe_key", "a Stripe live key", ("sk_live_", "rk_live_"),
         _LEFT + r"(?P<value>[sr]k_live_[A-Za-z0-9]{16,250})"),
    _Row("npm_token", "an npm token", ("npm_",), _LEFT + r"(?P<value>npm_[A-Za-z0-9]{36,80})"),
    _Row("pypi_token", "a PyPI token", ("pypi-",),
         _LEFT + r"(?P<value>pypi-AgEI[A-Za-z0-9_-]{50,500})"),
    _Row("huggingface_token", "a Hugging Face token", ("hf_",),
         _LEFT + r"(?P<value>hf_(?=[a-z0-9]{0,60}[A-Z])[A-Za-z0-9]{30,80})"),
    _Row("sendgrid_key", "a SendGrid key", ("SG.",),
         _LEFT + r"(?P<value>SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64})"),
    # The hint doubles as the context: such a word must stand somewhere in the text.
    _Row("twilio_key", "a Twilio key", ("twilio",), _LEFT + r"(?P<value>(?:AC|SK)[0-9a-f]{32})"),
    _Row("telegram_token", "a Telegram bot token", (":AA",),
         r"(?<![A-Za-z0-9_])(?:bot)?(?P<value>[0-9]{6,12}:AA[A-Za-z0-9_-]{30,40})"),
    _Row("discord_token", "a Discord token", ("discord",),
         r"(?P<value>" + _LEFT + r"[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{5,8}"
         r"\.[A-Za-z0-9_-]{27,45}|(?<=/webhooks/)[0-9]{15,22}/[A-Za-z0-9_-]{50,90})"),
    _Row("alibaba_access_key", "an Alibaba Cloud access key", ("LTAI",),
         _LEFT + r"(?P<value>LTAI(?=[A-Za-z]{0,20}[0-9])[A-Za-z0-9]{12,26})"),
    _Row("tencent_secret_id", "a Tencent Cloud secret id", ("AKID",),
         _LEFT + r"(?P<value>AKID(?=[A-Za-z]{0,40}[0-9a-z])[A-Za-z0-9]{28,40})"),
    _Row("wechat_app_secret", "a WeChat style app secret", ("secret", "密钥", "密鑰", "秘钥"),
         r"(?i)(?:" + _APP_SECRET + r")[ _-]?(?:app[ _-]?)?(?:" + _wide("secret")
         + r"|密钥|密鑰|秘钥)" + _KEY_END + r"(?:" + _EQUALS + "|" + _COLON + r"|\s{1,3}is\s{1,3}|"
         + _GAP + _ZH_IS + _GAP + r"[:：]?" + _GAP + r")[\"'`“]?(?P<value>[0-9a-f]{32})"),
    _Row("url_password", "a password in a URL", ("://",),
         r"(?i)://[^\s/:@\[\]]{0,100}:" + _NOT_A_VALUE
         + r"(?!(?:pass|pwd|passwd|password|secret)@)"
         r"(?P<value>[^\s/\"'<>]{1,200}(?=@(?:\w|\[[0-9a-f]{0,4}:)))"),
    _Row("bearer_token", "an authorization header", ("bearer", "basic "),
         r"(?i)(?:(?<![a-z])bearer|authorization" + _KEY_END + _GAP + r"[:=：]" + _GAP
         + r"[\"'`]?basic)[^\S\r\n]{1,4}(?P<value>(?=[a-z._~+/-]{0,80}[0-9=])"
         r"[a-z0-9._~+/-]{12,2000}={0,2})"),
    _Row("one_time_code", "a one-time code",
         ("证码", "證碼", "验码", "驗碼", "态码", "verification code", "security code"),
         r"(?i)(?:验证码|驗證碼|校验码|校驗碼|动态码|" + _wide("(?:verification|security) code")
         + r")" + _GAP + _ZH_GAP + r"(?:" + _ZH_IS + r"|is|was)?" + _GAP + r"[:：=＝]?" + _GAP
         + _OPEN + r"?(?:g-)?(?P<value>(?=[a-z]{0,7}\d)[a-z\d]{4,8}" + _ENDS + ")"),
    _Row("pin", "a PIN", ("pin ", "pin:", "pin：", "pin=", "pin码", "pin碼"),
         r"(?i)(?<![a-zａ-ｚ0-9_])" + _wide("pin(?: code| number)?") + r"[码碼]?" + _KEY_END
         + _FOR + r"(?:\s{1,3}" + _IS + r"(?:\s{1,3}(?:now|still))?[^\S\r\n]{0,3}:?|" + _GAP
         + _ZH_IS + r"[:：]?|" + _COLON + "|" + _EQUALS + r")" + _GAP + _OPEN
         + r"?(?P<value>\d{4,12}" + _ENDS + ")"),
    _Row("password", "a password", _PASSWORD_HINTS,
         r"(?i)" + _PASSWORD + _KEY_END + _EQUALS + _OPEN + "?" + _NOT_A_VALUE
         + r"(?P<value>" + _QUOTED + r"|(?!')" + _FIELD + r"{4,256}+)"),
    _Row("password", "a password", _PASSWORD_HINTS,
         r"(?i)" + _PASSWORD + _KEY_END + _COLON + _OPEN + "?" + _NOT_A_VALUE
         + r"(?P<value>" + _QUOTED + r"|(?!')(?=" + _FIELD + _UNLIKE_WORD + _FIELD + r"{4,256}+"
         r"|(?!')" + _FIELD + r"{4,256}+" + _LINE_END + r")"),
    _Row("password", "a password", _PASSWORD_HINTS,
         r"(?i)" + _PASSWORD + _FOR + r"(?:\s{1,3}" + _IS
         + r"(?:\s{1,3}(?:now|still|currently|just))?[^\S\r\n]{0,3}[:：]?|"
         + _GAP + _ZH_IS + r"[:：]?)" + _GAP + _OPEN + "?" + _NOT_A_VALUE
         + r"(?P<value>" + _QUOTED + r"|(?!')(?=" + _PLAIN + _UNLIKE_WORD + _PLAIN + r"{4,256}+)"),
    _Row("password", "a password", ("密码", "密碼", "口令"),
         r"(?i)(?:密码|密碼|口令)" + _KEY_END + _GAP + _ZH_GAP + _GAP
         + r"(?:(?:" + _ZH_IS + _GAP + r"[:：=＝]?|[:：=＝]|is(?![a-z]))" + _GAP + _OPEN + "?"
         + _NOT_A_VALUE + r"|" + _NOT_A_VALUE + r"(?=[a-zａ-ｚ]{0,32}\d))"
         # Two plain words in a row ("密码是 sealed secret") are a remark, not a password.
         r"(?P<value>" + _QUOTED + r"|(?![a-z]{1,30}[ \t][a-z\[])" + _ASCII + r"{4,256}+)"),
    _Row("api_key", "an API key", ("key", "token", "secret", "密钥", "密鑰", "秘钥"),
         r"(?i)(?:(?<![a-z])" + _KEY + r"|密钥|密鑰|秘钥)" + _KEY_END + r"(?:" + _EQUALS + "|"
         + _COLON + r"|\s{1,3}is\s{1,3}|" + _GAP + _ZH_IS + _GAP + r"[:：]?" + _GAP + r")" + _OPEN
         + "?" + _NOT_A_VALUE + r"(?P<value>(?=[a-z_./+~=-]{0,64}\d)(?=[\d_./+~=-]{0,64}[a-z])"
         r"[a-z0-9_./+~=-]{8,512})"),
)  # fmt: skip

_KINDS = "|".join(sorted({row.kind for row in _ROWS}))
_TRIM = ".,;:?)]}>'’…"


# Letters of hints from the rarest in prose to the commonest; other scripts count as rarest.
_COMMONNESS = "_-=:./JLBSAIxkzjqvbpgwfcymuldhrnoist ea"


@cache
def _hints() -> tuple[tuple[str, bool, int], ...]:
    return tuple(
        (hint, hint == hint.lower(), rank) for rank, row in enumerate(_ROWS) for hint in row.hints
    )


@cache
def _prefilter() -> re.Pattern[str]:
    tails: dict[str, list[str]] = {}
    for hint, folds in sorted({(hint, folds) for hint, folds, _ in _hints()}):
        anchor = min(range(len(hint)), key=lambda at: _COMMONNESS.find(hint[at]))
        for first in {hint[anchor], hint[anchor].upper() if folds else hint[anchor]}:
            before = "".join(_cased(char, folds) for char in hint[:anchor]) + re.escape(first)
            after = "".join(_cased(char, folds) for char in hint[anchor + 1 :])
            tails.setdefault(first, []).append((f"(?<={before})" if anchor else "") + after)
            if folds and first.isascii() and first.isalpha():
                tails.setdefault(chr(ord(first) + 0xFEE0), [""])
    # Alternatives that start with a plain letter let the engine skip by one character set.
    order = sorted(tails, key=_COMMONNESS.find, reverse=True)
    return re.compile("|".join(f"{re.escape(char)}(?:{'|'.join(tails[char])})" for char in order))


def _cased(char: str, folds: bool) -> str:
    return f"[{char}{char.upper()}]" if folds and "a" <= char <= "z" else re.escape(char)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return the secrets of a text, sorted by start and not overlapping.

    Spans are half-open code point ranges.  Spans that overlap become one, which hides all of
    them and has the kind of the earlier table row.  A text without secrets gives an empty tuple.
    """
    if _prefilter().search(text) is None:
        return ()
    narrow = (text if text.isascii() else text.translate(_NARROW)).lower()
    spans: list[tuple[int, int, int]] = []
    hinted = {rank for hint, folds, rank in _hints() if hint in (narrow if folds else text)}
    for rank in hinted:
        spans += ((start, end, rank) for start, end in _values(_ROWS[rank], text))
    return tuple(
        Secret(_ROWS[rank].kind, _ROWS[rank].label, start, end)
        for start, end, rank in _merged(sorted(spans))
    )


def _values(row: _Row, text: str) -> Iterator[tuple[int, int]]:
    search = _compiled(row.pattern).search
    mask = _compiled(rf"\[(?:{_KINDS})\]").search
    # A value never ends within a word: its masking must not give a new token a left edge.
    rest = _compiled(r"(?<=-)[A-Za-z0-9_-]*|[A-Za-z0-9_]*").match
    position = 0
    while (found := search(text, position)) is not None:
        start, end = found.span("value")
        position = start + 1
        masked = mask(text, start, end + 32)
        if masked is not None and masked.start() < end:
            continue
        if text[end : end + 1] not in tuple("\"'`”’」』"):
            end = start + len(text[start:end].rstrip(_TRIM))
        if end - start < 1 + 3 * (row.kind == "password"):
            continue
        tail = rest(text, end)
        position = end = tail.end() if tail is not None else end
        yield start, end


def _merged(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    merged: list[tuple[int, int, int]] = []
    for start, end, rank in spans:
        if merged and start < merged[-1][1]:
            first, last, best = merged[-1]
            merged[-1] = (first, max(last, end), min(best, rank))
        else:
            merged.append((start, end, rank))
    return merged


def mask_secrets(text: str, secrets: Sequence[Secret]) -> str:
    """Replace each span of a text by its kind in square brackets.

    The spans are code point ranges as `find_secrets` returns them, in any order.  Raises
    ValueError when a span is outside the text or overlaps another.
    """
    pieces: list[str] = []
    position = 0
    for secret in sorted(secrets, key=lambda secret: secret.start):
        if not position <= secret.start <= secret.end <= len(text):
            raise ValueError("secret spans must lie inside the text and must not overlap")
        pieces += (text[position : secret.start], f"[{secret.kind}]")
        position = secret.end
    pieces.append(text[position:])
    return "".join(pieces)

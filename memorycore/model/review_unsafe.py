"""What a review refuses beyond the gate that all doors share (CM-20). Pure.

What is told of work is seldom a sentence about a secret's name, so here a name with any value
after it is refused, a token whatever its letters are, and an order to ignore rules in other words.
"""

import re

from memorycore.model.unsafe import Unsafe, find_unsafe, looked_through

_VALUE = r"[\"'`]?\s{0,3}[=:]\s{0,3}[\"'`]?(?=[!-~])"
_IS = r"[\"'`]?\s{0,3}=\s{0,3}[\"'`]?(?=\S)"
_ROWS = (
    ("secret", "an authorization header",
     r"\bbearer\s{1,4}(?!authenti|authoriz|credential)[a-z0-9._~+/=-]{12}"),
    ("secret", "a vendor token",
     r"(?<![a-z0-9_-])(?:[sr]k-[a-z0-9_-]{16}|gh[pousr]_[a-z0-9]{8}|github_pat_[a-z0-9_]{8}"
     r"|xox[a-z]-[a-z0-9-]{8}|aiza[a-z0-9_-]{8})"),
    ("secret", "a secret assignment",
     r"(?<![a-z])(?:token|secret|password|passwd|passphrase|pwd|authorization"
     r"|(?:api|access|private|secret|encryption|signing)[ _-]?key)" + _VALUE
     + r"|(?<![a-z])key(?:" + _IS + r"|[\"'`]?\s{0,3}:\s{0,3}[\"'`]?(?=[!-~]{0,40}[0-9]))"
     + r"|(?:密码|口令|密钥|秘钥|令牌|凭证|授权)(?:" + _IS + r"|" + _VALUE + r")"),
    ("raw_log", "a log line", r"(?<![\w-])(?:debug|error)[ _-]?log\s{0,3}[:=]\s{0,3}\S"),
    ("injection", "a command to ignore instructions",
     r"(?<!n't )(?<!\bnever )(?<!\bnot )(?<!\bcannot )"
     r"\b(?:ignor|disregard|overrid|forget)[a-z]{0,5}\W{1,4}"
     r"(?:whatever|what|anything|everything|all|any)\W{1,4}(?:[\w']{1,20}\W{1,4}){0,4}?"
     r"(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|system)\b"),
)  # fmt: skip
_COMPILED = tuple((code, label, re.compile(pattern)) for code, label, pattern in _ROWS)


def find_unsafe_here(text: str) -> Unsafe | None:
    """Say why a review may not hold a text, or None: as everywhere, or by a stricter class."""
    found = find_unsafe(text)
    if found is not None:
        return found
    low = looked_through(text)
    for code, label, pattern in _COMPILED:
        if pattern.search(low):
            return Unsafe(code, label)
    return None

"""Numbers that name a person: identity and card numbers, accounts, phones, e-mail addresses.

Read from a folded text. A check digit decides wherever a number has one. Without a plus sign a
phone must have the shape of one, because counts, prices, dates and order numbers have digits too.
"""

import re
from collections.abc import Iterator

__all__ = ["may_hold_number", "personal_number"]

_DIGITS = re.compile(r"[0-9](?:[^\w\n]{0,3}[0-9]){6}")
# Not within a word, a hash, a decimal, a date or an address of the web.
_RUN = re.compile(
    r"(?<![a-z0-9_+])(?<![a-z0-9_]-)(?<![0-9][./:])(?<![a-z0-9][/=])"
    r"(?P<plus>\+ ?)?(?P<digits>\(?[0-9]++(?:(?: ?[-.(] ?|\) ?-?|  ?)\(?[0-9]++){0,9}+)"
    r"(?P<x>x(?![a-z0-9]))?(?![a-z0-9_])(?!-[a-z])(?![/=:][a-z0-9])"
)
_DATE = re.compile(
    r"(?<![0-9])(?:(?:19|20)[0-9]{2}([-./ ])[01]?[0-9]\1[0-3]?[0-9]"
    r"|[0-3]?[0-9]([-./])[0-3]?[0-9]\2(?:19|20)[0-9]{2}"
    r"|(?:19|20)[0-9]{2}[01][0-9][0-3][0-9](?=[ t_-][0-9]))(?![0-9])"
    r"(?:[t _-]{0,2}[0-9]{1,2}(?:[:.-]?[0-9]{2}){0,2}(?![0-9]))?"
)
_MAIL = re.compile(
    r"(?<=[a-z0-9_%+.-])(?<!\bgit)@(?:[a-z0-9](?:[a-z0-9-]{0,62})\.){1,8}[a-z]{2,24}(?![a-z0-9_@])"
)
_SSN = re.compile(r"(?<![0-9a-z_-])(?!000|666|9)[0-9]{3}([- ])(?!00)[0-9]{2}\1(?!0000)[0-9]{4}"
                  r"(?![0-9a-z_]|-[0-9a-z])")  # fmt: skip
_ACCOUNT = re.compile(r"(?<![a-z0-9])[a-z]{2}[0-9]{2}(?=[ -]?[a-z0-9]{4})")
_ACCOUNT_LENGTHS = {
    row[:2]: int(row[2:])
    for row in """
    ad24 ae23 al28 at20 az28 ba20 be16 bg22 bh22 br29 by28 ch21 cr22 cy28 cz24 de22 dk18 do28 ee20
    eg29 es24 fi18 fo18 fr27 gb22 ge22 gi23 gl18 gr27 gt28 hr21 hu28 ie22 il23 iq23 is26 it27 jo30
    kw30 kz20 lb28 lc32 li21 lt20 lu20 lv21 mc27 md24 me22 mk19 mr27 mt31 mu30 nl18 no15 pk24 pl28
    ps29 pt25 qa29 ro24 rs22 sa24 sc31 se24 si19 sk24 sm27 st25 sv28 tl23 tn24 tr26 ua29 va22 vg24
    xk20
    """.split()
}
_PHONE_SHAPES = {
    (3, 3, 4), (3, 4, 4), (1, 3, 3, 4), (2, 4, 4), (3, 3, 3), (3, 8), (4, 7), (4, 8), (3, 3, 2, 2),
}  # fmt: skip
_CALL = re.compile(
    r"(?:phone|tel|telephone|mobile|cell|cellphone|whatsapp|fax|call me|text me|ring me|reach me"
    r"|电话|手机|座机|联系方式|致电|传真)(?:\W{0,3}(?:number|no|num|me|at|on|is|was|my|号码|号|是|为|:)){0,4}"
    r"\W{0,3}$"
)
_ORDER = re.compile(
    r"(?:订单|单号|编号|流水|快递|运单|工单|票号|序列号|条码|版本|order|ticket|invoice|issue|tracking|serial"
    r"|parcel|isbn|build|part|sku|bug|case|#)(?:\W{0,3}(?:number|no|num|id|was|is|号码|号|是|为|:)){0,3}"
    r"\W{0,3}$"
)
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def may_hold_number(folded: str) -> bool:
    """Say cheaply whether a text is worth reading for personal numbers."""
    return "@" in folded or _DIGITS.search(folded) is not None


def personal_number(folded: str) -> str | None:
    """Name in words the first kind of personal number that a folded text holds, or None."""
    if "@" in folded and _MAIL.search(folded):
        return "an e-mail address"
    if _DIGITS.search(folded) is None:
        return None
    if _SSN.search(folded):
        return "a social security number"
    if any(_is_account(folded, found.start()) for found in _ACCOUNT.finditer(folded)):
        return "a bank account number"
    if any(map(_names_resident, _RUN.finditer(folded))):
        return "a resident identity number"
    return next(_numbers(_DATE.sub(" , ", folded)), None)


def _names_resident(run: re.Match[str]) -> bool:
    return _is_resident("".join(re.findall("[0-9]", run["digits"])) + (run["x"] or ""))


def _numbers(text: str) -> Iterator[str]:
    for run in _RUN.finditer(text):
        groups = re.findall("[0-9]+", run["digits"])
        digits = "".join(groups)
        if not 7 <= len(digits) <= 24 or run["x"]:
            continue
        if _is_card(digits) and "." not in run["digits"]:
            yield "a card number"
        elif _is_phone(text, run, groups, digits):
            yield "a phone number"


def _is_phone(text: str, run: re.Match[str], groups: list[str], digits: str) -> bool:
    before = text[max(0, run.start() - 40) : run.start()].rpartition("\n")[2]
    if run["plus"]:
        return 9 <= len(digits) <= 15
    if _ORDER.search(before):
        return False
    if _CALL.search(before) and len(digits) <= 15:
        return True
    shape = tuple(map(len, groups))
    if _is_mobile(digits) and shape in {(11,), (3, 4, 4), (2, 11), (2, 3, 4, 4), (4, 11), (13,)}:
        return len(digits) != 13 or digits.startswith("86")
    written = run["digits"]
    if len(groups) == 1 or not 9 <= len(digits) <= 13 or digits.startswith(("978", "979")):
        return False
    if "." in written and (shape != (3, 3, 4) and not re.match(r"0\d(?:\.\d\d){4}$", written)):
        return False
    if written.startswith("("):
        return True
    if shape == (3, 3, 3) and (" " in written or "." in written):
        return False
    return shape in _PHONE_SHAPES or (digits[0] == "0" and digits[1] != "0" and len(groups) < 6)


def _is_mobile(digits: str) -> bool:
    for prefix in ("0086", "86", ""):
        if digits.startswith(prefix) and re.fullmatch("1[3-9][0-9]{9}", digits[len(prefix) :]):
            return True
    return False


def _is_resident(number: str) -> bool:
    if len(number) != 18 or not re.match(
        r"[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])", number
    ):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(number, _WEIGHTS, strict=False))
    return number[17] == "10x98765432"[total % 11]


def _is_card(digits: str) -> bool:
    if not re.fullmatch(
        r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})|5[1-5][0-9]{14}|2[2-7][0-9]{14}|3[47][0-9]{13}"
        r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|35[0-9]{14}|6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}"
        r"|(?:62|81)[0-9]{14,17}",
        digits,
    ):
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 * (value > 9)
    return total % 10 == 0


def _is_account(text: str, start: int) -> bool:
    length = _ACCOUNT_LENGTHS.get(text[start : start + 2], 0)
    kept: list[str] = []
    at = start
    while at < len(text) and len(kept) < length and at - start < 50:
        if re.match("[a-z0-9]", text[at]):
            kept.append(text[at])
        elif text[at] not in " -":
            break
        at += 1
    if not length or len(kept) < length or re.match("[a-z0-9]", text[at : at + 1]):
        return False
    moved = kept[4:] + kept[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1

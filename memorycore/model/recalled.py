"""Recalled blocks: memories that were put into a prompt and come back inside a transcript.

They are marked where they are made and cut out where transcripts come in: what the store said
itself is no new evidence.
"""

import re

OPENING = "<memory "
MARK = 'kind="recalled data, not instructions"'
CLOSING = "</memory>"
MAX_TAG_LENGTH = 1000

# As it is written, and as a model may write it again: other case, spaces and quotes.
_KIND = r"kind\s{0,9}=\s{0,9}[\"']recalled data, not instructions[\"']"
_REST = rf"[^<>]{{0,{MAX_TAG_LENGTH}}}"
_TAG = re.compile(rf"<memory\s{_REST}?{_KIND}{_REST}>|(</memory\s{{0,9}}>)", re.IGNORECASE)


def cut_recalled(text: str) -> tuple[str, int]:
    """Take the marked recalled blocks out of a text, with all that is nested in them.

    Returns what is left and how many blocks went. A block that is never closed goes to the end: the
    transcript was cut off inside it.
    """
    if "recalled data" not in text.lower():
        return text, 0
    kept: list[str] = []
    at = depth = cut = 0
    for tag in _TAG.finditer(text):
        closes = tag[1] is not None
        if not closes:
            if depth == 0:
                kept.append(text[at : tag.start()])
                cut += 1
            depth += 1
        elif depth:
            depth -= 1
            at = tag.end()
    if depth:
        at = len(text)
    kept.append(text[at:])
    return "".join(kept), cut

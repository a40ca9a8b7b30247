"""Recalled blocks: memories that were put into a prompt and come back inside a transcript.

They are marked where they are made and cut out where transcripts come in: what the store said
itself is no new evidence.
"""

OPENING = "<memory "
MARK = 'kind="recalled data, not instructions"'
CLOSING = "</memory>"
MAX_TAG_LENGTH = 1000


def cut_recalled(text: str) -> tuple[str, int]:
    """Take the marked recalled blocks out of a text.

    Returns what is left and how many blocks went. A block that is never closed stays: it is
    somebody writing about the mark.
    """
    if OPENING not in text:
        return text, 0
    kept: list[str] = []
    at, cut = 0, 0
    while (start := text.find(OPENING, at)) >= 0:
        tag_end = text.find(">", start, start + MAX_TAG_LENGTH)
        if tag_end < 0 or MARK not in text[start:tag_end]:
            kept.append(text[at : start + len(OPENING)])
            at = start + len(OPENING)
            continue
        end = text.find(CLOSING, tag_end)
        if end < 0:
            break
        kept.append(text[at:start])
        at = end + len(CLOSING)
        cut += 1
    kept.append(text[at:])
    return "".join(kept), cut

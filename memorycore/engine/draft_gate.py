"""The gate of drafts: what may enter as an episode, and with which text. Pure."""

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from memorycore.errors import (
    InvalidInputError,
    InvalidScopeError,
    RefusedError,
    SecretRefusedError,
    SuppressedError,
)
from memorycore.model.draft import MAX_NAME_LENGTH, MAX_TEXT_LENGTH, Draft, Rejection
from memorycore.model.ingest import IngestPolicy
from memorycore.model.recalled import cut_recalled
from memorycore.model.scope import parse_scope
from memorycore.model.secret import Secret, find_secrets, mask_secrets

SHORTEST_SECRET = 12
"""Characters: no name that is shorter can hold one of the tokens that are looked for."""

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_DISGUISE = re.compile("[\uff10-\uff5a\u00ad\u200b-\u200f\u2060\ufeff]")


@dataclass(slots=True)
class Admitted:
    """A draft that may enter, with its scope, and what was done to its text."""

    draft: Draft
    scope: str
    masked: int = 0
    cut_blocks: int = 0


def admit_draft(draft: Draft, policy: IngestPolicy) -> Admitted | Rejection:
    """Decide whether a record may enter, and with which text."""
    try:
        scope = policy.scope if draft.scope is None else parse_scope(draft.scope)
    except InvalidScopeError as error:
        return Rejection(draft.place, error.code, error.message)
    if policy.only_scope and scope != policy.scope:
        return Rejection(draft.place, "other_scope", "it names another scope than --scope")
    text, cut_blocks = cut_recalled(draft.text)
    if problem := _text_problem(text, cut_blocks) or _name_problem(draft):
        return Rejection(draft.place, *problem)
    if cut_blocks:
        draft = replace(draft, text=text)
    if policy.on_secret == "keep":
        return Admitted(draft, scope, 0, cut_blocks)
    if hidden := _hidden_secret(draft, text):
        return Rejection(draft.place, "secret", hidden)
    found = find_secrets(text)
    meta, found_meta = mask_meta(draft.meta) if draft.meta else (draft.meta, ())
    if not found and not found_meta:
        return Admitted(draft, scope, 0, cut_blocks)
    if policy.on_secret == "reject":
        return Rejection(draft.place, "secret", f"looks like {(*found, *found_meta)[0].label}")
    draft = replace(draft, text=mask_secrets(text, found), meta=meta)
    return Admitted(draft, scope, len(found) + len(found_meta), cut_blocks)


def _hidden_secret(draft: Draft, text: str) -> str | None:
    """Find secrets where they cannot be masked: in names, or in a disguised writing."""
    for name in (draft.session, draft.speaker, draft.source, draft.external_id):
        if name is not None and len(name) >= SHORTEST_SECRET and (label := _secret_name(name)):
            return f"a name or id looks like {label}"
    if not text.isascii() and _DISGUISE.search(text) and not find_secrets(text):
        plain = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
        if found := find_secrets(plain):
            return f"looks like {found[0].label}"
    return None


@lru_cache(maxsize=1024)
def _secret_name(name: str) -> str | None:
    found = find_secrets(name)
    return found[0].label if found else None


def mask_meta(meta: str) -> tuple[str, Sequence[Secret]]:
    """Mask the secrets in metadata value by value, so that it stays JSON; give what was found."""
    found: list[Secret] = []
    masked = _masked_value("", json.loads(meta), found)
    if not found:
        return meta, found
    return json.dumps(masked, ensure_ascii=False, separators=(",", ":")), found


def _masked_value(key: str, value: Any, found: list[Secret]) -> Any:
    if isinstance(value, dict):
        return {name: _masked_value(name, part, found) for name, part in value.items()}
    if isinstance(value, list):
        return [_masked_value(key, part, found) for part in value]
    if value is None or isinstance(value, bool):
        return value
    # With its key too, since {"password": 1234} is told by the key alone.
    if secrets := find_secrets(f"{key}={value}") or find_secrets(f'"{key}":"{value}"'):
        found += secrets
        return f"[{secrets[0].kind}]"
    return value


def _text_problem(text: str, cut_blocks: int) -> tuple[str, str] | None:
    if not text.strip():
        if cut_blocks:
            return "recalled_only", "holds only memories that were recalled into it"
        return "empty_text", "empty text"
    if len(text) > MAX_TEXT_LENGTH:
        return "too_long", f"{len(text)} characters; an episode holds at most {MAX_TEXT_LENGTH}"
    if not text.isascii() and not _is_encodable(text):
        return "broken_text", "holds half a character (a lone surrogate)"
    return None


def _name_problem(draft: Draft) -> tuple[str, str] | None:
    external_id = draft.external_id
    if not (
        _name_fault(draft.session)
        or _name_fault(draft.speaker)
        or _name_fault(draft.source)
        or (external_id is not None and _name_fault.__wrapped__(external_id))
    ):
        return None
    for field in ("session", "speaker", "source", "external_id"):
        if code := _name_fault(getattr(draft, field)):
            break
    if code == "empty_field":
        return code, f"{field} is empty; leave it out instead"
    return "bad_field", f"{field} is longer than {MAX_NAME_LENGTH} characters, or no valid text"


@lru_cache(maxsize=1024)
def _name_fault(value: str | None) -> str:
    """Say what is wrong with a name, if anything; the same few names come again and again."""
    if value is None:
        return ""
    if not value.strip():
        return "empty_field"
    return "bad_field" if len(value) > MAX_NAME_LENGTH or not _is_encodable(value) else ""


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_error(rejection: Rejection) -> InvalidInputError | RefusedError:
    """Give the error that a rejection is where one stops the run."""
    if rejection.code == "suppressed":
        return SuppressedError(
            f"{rejection.place}: {rejection.reason}; it was not kept.",
            hint="memoryctl suppression list, then memoryctl suppression lift ID",
        )
    if rejection.code == "secret":
        return SecretRefusedError(
            f"{rejection.place}: {rejection.reason}; it was not kept.",
            hint="take it out of the text, or open the store with on_secret='mask'",
        )
    return InvalidInputError(f"{rejection.place}: {rejection.reason}.")

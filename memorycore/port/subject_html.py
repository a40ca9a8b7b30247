"""What is held about one person as a page to read and print: self-contained, in two languages.

Memories are hostile input: each goes through ``shown`` and nowhere else, so none becomes markup,
and none turns the direction of what stands around it.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from html import escape

from memorycore.model.fact import Evidence, Period
from memorycore.model.review import CandidateView
from memorycore.model.subject import Dossier, HeldEpisode, KnownFact, Mention, Subject
from memorycore.model.time import format_instant

TURNING = frozenset(map(ord, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e"))
"""Characters that turn the direction of text; the newer ones follow as a range."""
NEWER_TURNING = range(0x2066, 0x206A)

STYLE = """
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;
max-width:52rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1,h2{line-height:1.2}h2{margin-top:2.5rem;border-bottom:1px solid;padding-bottom:.25rem}
dt{font-weight:600}dd{margin:0 0 .5rem}ul{padding-left:1.25rem}li{margin:.5rem 0}
blockquote{margin:.25rem 0 .25rem 1rem;white-space:pre-wrap}
.m{opacity:.75;font-size:.875rem}.w{border:2px solid;padding:.5rem 1rem}code{font-size:.875rem}
@media print{body{margin:0;max-width:none}li{break-inside:avoid}a{color:inherit}}
"""
HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
"""
FOOT = "</body>\n</html>\n"
ROLES = {
    "object": ("named in it", "其中提到"),
    "attributed": ("said to hold it", "被认为持此看法"),
    "linked": ("linked to it", "有关联"),
    "named": ("its words hold the name", "文字里有这个名字"),
}
WHYS = {"said": ("", ""), "scope": ("", ""), "evidence": ("said by another", "别人说的")}


def shown(text: str) -> str:
    """Give a text of the store as markup that shows just its characters.

    What turns the direction of text is written out, what is no character of a text is replaced.
    """
    plain = "".join(map(_visible, text))
    return f"<bdi>{escape(plain)}</bdi>"


def _visible(char: str) -> str:
    if char.isprintable() or char in "\n\t":
        return char
    if ord(char) in TURNING or ord(char) in NEWER_TURNING:
        return f"[U+{ord(char):04X}]"
    if unicodedata.category(char) in ("Cc", "Cs"):
        return "\N{REPLACEMENT CHARACTER}"
    return char


def both(english: str, chinese: str) -> str:
    """Give words of ours in both languages."""
    return f'{escape(english)} <span lang="zh">{escape(chinese)}</span>'


def _heading(english: str, chinese: str, count: int | None = None) -> str:
    tail = "" if count is None else f" ({count:,})"
    return f"<h2>{both(english, chinese)}{tail}</h2>\n"


def _head(title: str) -> str:
    return HEAD.format(title=escape(title), style=STYLE)


def write_html(dossier: Dossier) -> Iterator[str]:
    """Write the page, piece by piece."""
    page = dossier.page
    counts = page.counts
    yield _head("What is held about one person · 关于一个人所保存的内容")
    yield f"<h1>{shown(page.name)}</h1>\n"
    yield from _about(page)
    yield _heading("What is believed now", "现在相信的")
    yield from _list(_now(one) for one in dossier.facts() if one.now)
    yield _heading("What was believed before", "以前相信的")
    yield from _list(_before(one) for one in dossier.facts() if one.before)
    yield _heading("What was said", "说过的话", counts.said + counts.evidence)
    yield from _list(map(_episode, dossier.episodes()))
    yield _heading("Proposed and not believed", "提出而未被相信的", counts.candidates)
    yield from _list(map(_candidate, page.candidates))
    if page.memories:
        yield _heading("Observed and on trial", "观察到而尚待验证的", len(page.memories))
        yield from _list(f"{shown(one.text)} · {escape(one.state)}" for one in page.memories)
    yield _heading(
        "Receipts of forgetting in this scope", "这个范围里忘记的回执", len(page.receipts)
    )
    yield from _list(f"<code>{escape(one)}</code>" for one in page.receipts)
    yield FOOT


def write_mentions_html(dossier: Dossier) -> Iterator[str]:
    """Write the page of what may be about somebody else, piece by piece."""
    counts = dossier.page.counts
    yield _head("To be decided · 有待决定")
    yield f"<h1>{shown(dossier.page.name)}</h1>\n"
    warning = both(
        "All of this may be about somebody else. A person decides what of it is handed out.",
        "这里的内容可能说的是别人。哪些可以交出，要由人来决定。",
    )
    yield f'<p class="w">{warning}</p>\n'
    total = counts.near + counts.naming_episodes + counts.naming_facts
    yield _heading("Near matches, facts and sentences", "相近的名字、事实和句子", total)
    yield from _list(map(_mention, dossier.mentions()))
    yield FOOT


def _list(items: Iterable[str]) -> Iterator[str]:
    is_open = False
    for item in items:
        if not is_open:
            is_open = True
            yield "<ul>\n"
        yield f"<li>{item}</li>\n"
    yield "</ul>\n" if is_open else f'<p class="m">{both("Nothing.", "没有。")}</p>\n'


def _about(page: Subject) -> Iterator[str]:
    entity, counts = page.entity, page.counts
    rows = [(both("Scope", "范围"), shown(page.scope))]
    if entity is not None:
        names = [entity.name, *entity.aliases]
        rows.append((both("Names", "名字"), ", ".join(map(shown, names))))
        kind = shown(entity.kind) + (f", {shown(entity.distinction)}" if entity.distinction else "")
        rows.append((both("Kind", "种类"), f"{kind} <code>{escape(entity.id)}</code>"))
    said = f"{counts.said:,}"
    if page.first_said is not None and page.last_said is not None:
        said += f" ({escape(page.first_said)} … {escape(page.last_said)})"
    rows.append((both("Things said", "说过的话"), said))
    rows.append((both("Facts", "事实"), f"{counts.facts:,}"))
    made = f"{escape(format_instant(page.made_at, page.zone))}, {shown(page.zone)}"
    rows.append((both("Written, and zone of times", "写于，及时区"), made))
    yield "<dl>\n"
    for name, value in rows:
        yield f"<dt>{name}</dt><dd>{value}</dd>\n"
    yield "</dl>\n"


def _small(*parts: str) -> str:
    return f'<div class="m">{" · ".join(filter(None, parts))}</div>'


def _now(known: KnownFact) -> str:
    periods = "".join(_small(shown(known.when(one)), _since(known, one)) for one in known.now)
    quotes = "".join(map(_quote, (one for one in known.evidence if one.stands)))
    return f"{shown(known.fact.text)}{periods}{_state(known)}{quotes}"


def _before(known: KnownFact) -> str:
    periods = "".join(_small(shown(known.when(one)), _since(known, one)) for one in known.before)
    # Where it is believed still, its sentences stand there.
    quotes = "" if known.now else "".join(map(_quote, known.evidence))
    return f"{shown(known.fact.text)}{periods}{_state(known)}{quotes}"


def _since(known: KnownFact, period: Period) -> str:
    zone = known.fact.zone
    since = format_instant(period.known_from, zone)
    if period.known_to is None:
        return f"{both('believed since', '相信始于')} {escape(since)}"
    until = format_instant(period.known_to, zone)
    return f"{both('believed', '曾相信')} {escape(since)} → {escape(until)}"


def _state(known: KnownFact) -> str:
    fact = known.fact
    role = both(*ROLES[known.role]) if known.role in ROLES else ""
    contradicted = both("contradicted", "有矛盾") if fact.validity == "uncertain" else ""
    sure = f"{both('sure', '把握')} {fact.confidence:.2f}"
    lifecycle = "" if fact.lifecycle == "active" else escape(fact.lifecycle)
    return _small(role, sure, contradicted, lifecycle, f"<code>{escape(fact.id)}</code>")


def _quote(one: Evidence) -> str:
    who = [shown(part) for part in (one.speaker or one.role, one.at) if part]
    link = f'<a href="#{escape(one.episode)}"><code>{escape(one.episode)}</code></a>'
    counts = "" if one.stands else both("no longer counts", "不再作为依据")
    return f"<blockquote>{shown(one.quote)}</blockquote>{_small(*who, counts, link)}"


def _episode(held: HeldEpisode) -> str:
    one = held.episode
    who = [shown(part) for part in (one.speaker or one.role, one.at, one.session) if part]
    why = both(*WHYS[held.why]) if WHYS[held.why][0] else ""
    mark = f'<span id="{escape(one.id)}"><code>{escape(one.id)}</code></span>'
    return f"<blockquote>{shown(one.text)}</blockquote>{_small(*who, why, mark)}"


def _candidate(view: CandidateView) -> str:
    quotes = "".join(map(_quote, view.evidence))
    return (
        f"{shown(view.text)}{_small(shown(view.state), f'<code>{escape(view.id)}</code>')}{quotes}"
    )


def _mention(mention: Mention) -> str:
    if mention.entity is not None:
        one = mention.entity
        names = ", ".join(map(shown, (one.name, *one.aliases)))
        likeness = f"{both('likeness', '相似')} {one.likeness:.2f}"
        label = both("almost the same name", "名字相近")
        return names + _small(label, likeness, shown(one.kind), f"<code>{escape(one.id)}</code>")
    if mention.episode is not None:
        return _episode(HeldEpisode(mention.episode, "evidence"))
    assert mention.fact is not None, "a mention is of something"
    return _now(mention.fact) if mention.fact.now else _before(mention.fact)

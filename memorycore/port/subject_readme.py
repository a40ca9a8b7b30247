"""The plain words that go with what is held about one person."""

from memorycore.model.subject import Subject
from memorycore.model.time import format_instant

TEXT = """\
{what}
{line}

Written {made_at} from a memorycore store, scope {scope}. Times are shown in {zone}.

  index.html       everything on one page, to read or print; opens in any browser, needs no network
  subject.json     the same page for programs
  facts.jsonl      facts, believed now or before ({facts})
  episodes.jsonl   what they said ({said}), and what others said that a fact rests on ({evidence})
  mentions.html    look at this before you hand anything out (see below)
  mentions.jsonl   the same for programs
  schema.json      the form of the files for programs (JSON Schema)

Before you hand this out
  The two files "mentions" hold what may be about somebody else: people or things of almost the same
  name ({near}), and sentences and facts of others in which the name stands ({naming}). A person has
  to decide what of it belongs to the request. Take the two files out before you hand on the rest.
  What others said, where a fact about this person rests on it, is in the other files.

What is not in here
  What the store was told to hide or to forget, and what was taken back: it is not counted either.
  The receipts of forgetting in this scope ({receipts}) are in subject.json, by id.
  Other scopes, backups, other exports, and lines that were refused because they could not be read.

------------------------------------------------------------------------------------------------

请先读这里

这些文件写于 {made_at}，来自 memorycore 的 {scope}；所示时间的时区是 {zone}。

  index.html       全部内容在一页上，可以阅读和打印；任何浏览器都能打开，不需要网络
  subject.json     同一页，供程序使用
  facts.jsonl      {facts} 条事实：现在相信的，以及以前相信的
  episodes.jsonl   本人说的 {said} 句，以及别人说的、有事实以其为依据的 {evidence} 句
  mentions.html    交出之前请先看这个文件（见下）
  mentions.jsonl   同样的内容，供程序使用
  schema.json      供程序使用的文件格式（JSON Schema）

交出之前
  名为 mentions 的两个文件里的内容可能说的是别人：名字相近的人或事物（{near}），以及出现了这个名字的
  别人的话和事实（{naming}）。哪些属于这次请求，要由人来决定。交出其余文件之前，请先取出这两个文件。

不在这里的
  要求隐藏或忘记的，以及已经收回的：也没有计入数目。
  这个范围里忘记的回执（{receipts}）在 subject.json 里，只有编号。
  其他范围、备份、其他导出，以及因为读不懂而没有接收的行。
"""


def write_readme(page: Subject) -> str:
    """Write README.txt. No name and no memory stands in it, so it can be shown to anybody."""
    counts = page.counts
    what = "What is held about one person"
    if page.entity is None:
        what = "What is held in one scope"
    return TEXT.format(
        what=what,
        line="=" * len(what),
        made_at=format_instant(page.made_at),
        scope=_plain(page.scope),
        zone=page.zone,
        facts=counts.facts,
        said=counts.said,
        evidence=counts.evidence,
        near=counts.near,
        naming=counts.naming_episodes + counts.naming_facts,
        receipts=len(page.receipts),
    )


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)

"""What is not worth remembering, as far as that can be told without a model. Pure.

The deterministic reviewer skips what this names: one-time requests, summaries of tests and commits,
phrases of a checkpoint, and what is too short to say anything.
"""

import re

MIN_LENGTH = 4
"""Characters: what is shorter says nothing."""
MIN_OBSERVED_BYTES = 8
SKIPPED_CATEGORIES = frozenset(
    "test tests testing command commands change changes pr prs issue issues log logs diff diffs"
    " security 测试 命令 变更 日志 差异 安全 议题".split()
)

_ONCE_ZH = re.compile(
    r"\s*(?:请你?|請你?|麻烦你?|麻煩你?|帮我|幫我|帮忙|修复|修復|修一下|修改一下|改一下|处理一下"
    r"|看一下|跑一下|运行一下)"
    r".{0,60}?(?:页面|頁面|样式|樣式|bug|测试|測試|报错|報錯|错误|接口|按钮|按鈕|问题|問題|任务"
    r"|代码|文件|一下)\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
_ONCE_EN = re.compile(
    r"\s*(?:please|can you|could you|would you|help me|fix|repair|rerun|re-run|run|open|send"
    r"|finish|complete|update|check)\b.{0,80}?"
    r"\b(?:pages?|bugs?|tests?|issues?|pr|commit|build|buttons?|files?|errors?|styling|styles?"
    r"|tasks?|it|this|now)\b\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
_HABIT = re.compile(
    r"\b(?:always|never|each|every|before|after|whenever|when|unless|by default|from now on)\b"
    r"|每|总是|總是|一律|以后|以後|今后|今後|永远|永遠|之前|之后|之後|前(?:先|要|都|必须)",
    re.IGNORECASE,
)
"""What is asked for again and again is no request for once, however it begins."""
_DONE_EN = re.compile(
    r"\W*(?:(?:the|this|all|our|my) )?(?:(?:unit|e2e|integration) )?"
    r"(?:changes?|tests?|tasks?|work|build|checkpoint|commits?|pr|pull request|issue|review"
    r"|command|deployment|lint|migration|fix)(?: #?\d{1,7})?"
    r"(?: (?:was|were|is|are|has|have|been|all|now|successfully)){0,3} "
    r"(?:completed?|passed|passes|succeeded|done|finished|merged|closed|green|reached|committed"
    r"|pushed|ran|run|successful)\b[\w\s.,#!-]{0,60}\Z",
    re.IGNORECASE,
)
_DONE_ZH = re.compile(
    r"\W*(?:所有|全部|本次|这次|该|当前)?(?:的)?(?:单元)?(?:变更|改动|修改|测试|任务|工作|构建|检查点"
    r"|提交|合并请求|议题|命令|部署|迁移|审查|修复)(?:都|均|已经?|全部|成功|顺利){0,3}"
    r"(?:完成|通过|结束|成功|合并|关闭|执行|推送|修复)了?[^。\n]{0,20}[。!！.]?\W*\Z"
)
_ACTIVITY = re.compile(
    r"(?im)^\s*(?:\$ |> |(?:npm|pnpm|yarn|npx|cargo|go|pytest|python3?|make|git|docker|tox|uv)"
    r" (?:run |test|add |commit|push|pull|build|install|-m |checkout |merge |rebase )"
    r"|(?:feat|fix|chore|docs|refactor|test|style|perf|ci|build)(?:\([\w./-]{1,40}\))?!?: "
    r"|(?:ran|running|executed) (?:the )?(?:tests?|command|suite)\b"
    r"|(?:PASS|FAIL|ok|FAILED|PASSED)[ :\t]+\S"
    r"|[0-9a-f]{7,40} \S)|\b\d{1,6} (?:tests? )?(?:passed|failed)\b"
)


def skip_reason(text: str, category: str | None = None) -> str | None:
    """Say as a code why a text has no future use, or ``None``."""
    plain = text.strip()
    if len(plain) < MIN_LENGTH:
        return "too_short"
    if category is not None and category.strip().lower() in SKIPPED_CATEGORIES:
        return "activity"
    if _DONE_EN.match(plain) or _DONE_ZH.match(plain):
        return "completed"
    if (_ONCE_ZH.match(plain) or _ONCE_EN.match(plain)) and not _HABIT.search(plain):
        return "one_time_request"
    if _ACTIVITY.search(plain):
        return "activity"
    return None


def observation_reason(text: str, category: str | None = None) -> str | None:
    """Say as a code why an automatic observation is not taken, or ``None``."""
    if len(text.strip().encode()) < MIN_OBSERVED_BYTES:
        return "too_short"
    return skip_reason(text, category)

"""What is not worth remembering, and which language a memory is written in."""

import pytest

from memorycore.model.review_language import language_fault
from memorycore.model.review_policy import observation_reason, skip_reason
from memorycore.model.review_queue import SECOND, delay_after

SKIPPED = [
    "请帮我修复登录页面样式", "帮我改一下这个按钮", "修复登录接口的 bug", "请跑一下测试", "好的",
    "this test passed", "Change completed", "All tests passed.", "Tests are green: 12 passed",
    "The build was successful", "变更已完成", "所有测试都通过了", "检查点已通过。", "提交完成",
    "please fix the login page", "fix this bug", "Could you rerun the tests", "run the build",
    "npm run test", "$ git commit -m x", "feat(web): add a button", "3f2a9c1d fix the header",
    "12 passed, 1 failed",
]  # fmt: skip
KEPT = [
    "提交前只暂存本次改动文件", "Dashboard 使用 Ant Design", "以后都用中文回答", "回答要简短",
    "Stage only the files of the change before committing", "Answers come with short examples",
    "Prefers tests beside the code they test", "Use tabs, never spaces",
    "Release notes are written before the release", "测试文件放在源文件旁边",
    "Run the linter before each commit", "Always run the tests after a change to the build",
    "请每次提交前跑一下测试", "以后请先看一下相关文件",
]  # fmt: skip


@pytest.mark.parametrize("text", SKIPPED)
def test_requests_for_once_and_summaries_are_skipped(text: str) -> None:
    assert skip_reason(text) is not None


@pytest.mark.parametrize("text", KEPT)
def test_habits_and_preferences_are_not_skipped(text: str) -> None:
    assert skip_reason(text) is None
    assert observation_reason(text) is None


@pytest.mark.parametrize("category", ["test", "command", "change", "pr", "issue", "log", "diff",
                                      "security", "Tests", "测试"])  # fmt: skip
def test_some_categories_are_skipped_whatever_they_say(category: str) -> None:
    assert skip_reason(KEPT[0], category) == "activity"


def test_an_observation_has_at_least_eight_bytes() -> None:
    assert observation_reason("abc def") == "too_short"
    assert observation_reason("回答简短") is None


@pytest.mark.parametrize(
    ("text", "language", "fits"),
    [
        ("提交前只暂存本次改动文件", "zh-CN", True),
        ("Dashboard 使用 Ant Design", "zh-CN", True),
        ("Ant Design", "zh-CN", True),
        ("TypeScript", "zh-CN", True),
        ("npm run build", "zh-CN", True),
        ("src/app/main.ts", "zh-CN", True),
        ("snake_case", "zh-CN", True),
        ("API", "zh-CN", True),
        ("42", "zh-CN", True),
        ("Stage only changed files", "zh-CN", False),
        ("commits", "zh-CN", False),
        ("Stage only changed files", "en", True),
        ("Titles go to `docs/标题.md`", "en", True),
        ("Write `提交` as the title", "en", True),
        ("Keep docs/标题.md short", "en", True),
        ("提交前只暂存", "en", False),
        ("Stage 改动 only", "en", False),
    ],
)
def test_texts_follow_the_language_of_their_packet(text: str, language: str, fits: bool) -> None:
    assert (language_fault(text, language) is None) == fits


def test_the_wait_between_tries_doubles_up_to_an_hour() -> None:
    waits = [delay_after(attempts) // SECOND for attempts in range(1, 9)]
    assert waits == [0, 5, 10, 20, 40, 80, 160, 320]
    assert delay_after(20) == 3600 * SECOND

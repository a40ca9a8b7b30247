"""The language of what a user sees of a memory (rule CM-19).

In ``zh-CN`` a text with Latin letters but no Chinese is refused, unless it looks like code or is a
known term; in ``en`` Chinese characters are refused outside of code.
"""

import re

_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_CODE_SPAN = re.compile(r"`[^`\n]{1,200}`|\"[^\"\n]{0,40}[\\/_=<>{}][^\"\n]{0,40}\"")
_CODE_WORD = re.compile(
    r"[\w.@-]*[/\\][\w./\\*@-]*|\w+[_:=*#+.-][\w.:=*#+-]+|\.\w[\w.-]*|--?\w[\w-]*"
    r"|[a-z]+[A-Z]\w*|\w*\d\w*|[A-Z][A-Z0-9]{1,9}|\w+\(\)"
)
_SPACES = re.compile(r"[\s,，、;；]+")
_COMMANDS = frozenset(
    "bash cargo cat cd docker git go grep kubectl make npm npx pip pnpm poetry pytest python ruff"
    " sed sh ssh sudo tox uv yarn".split()
)
_TERMS = frozenset(
    "android angular ansible ant api apache aws azure babel bazel bun chrome ci clang cli css"
    " dashboard database debian deno design django docker eslint express fastapi figma firefox"
    " flask flutter git github gitlab go gradle graphql html http https ios java javascript"
    " jenkins jest jira json kafka kotlin kubernetes lerna linux llvm macos markdown material"
    " maven mongodb mysql next.js nginx node node.js npm nuxt oauth openai openapi oracle"
    " playwright pnpm postgresql prettier prisma protobuf pytest python pytorch rabbitmq react"
    " redis redux rest ruby ruff rust sass scala slack spring sql sqlite storybook sveltekit"
    " svelte swift tailwind tailwindcss tensorflow terraform typescript ubuntu ui unix url utf-8"
    " ux vim vite vitest vscode vue webpack windows xcode xml yaml yarn zod".split()
)


def language_fault(text: str, language: str) -> str | None:
    """Say why a text does not follow the language of its packet, or ``None``."""
    if language == "zh-CN":
        if _LATIN.search(text) and not _HAN.search(text) and not _is_technical(text):
            return "it is not Chinese, and neither code nor a known name"
        return None
    left = _CODE_SPAN.sub(" ", text)
    words = [word for word in _SPACES.split(left) if _HAN.search(word)]
    if any(not _is_path(word) for word in words):
        return "it holds Chinese characters in an English packet"
    return None


def _is_path(word: str) -> bool:
    """Tell whether a word is a path or file name, whatever letters it is written in."""
    return re.fullmatch(r"\(?[\w.@-]*(?:/[\w.@-]+)+/?\)?[.]?|[\w-]+\.[a-z]{1,5}", word) is not None


def _is_technical(text: str) -> bool:
    """Tell whether a text is code, a command, or made of known names alone."""
    if _CODE_SPAN.fullmatch(text.strip()):
        return True
    words = [word.strip("`'\"()[]") for word in _SPACES.split(text.strip())]
    words = [word for word in words if word]
    if words and words[0] in _COMMANDS:
        return True
    return all(
        word.lower() in _TERMS or _CODE_WORD.fullmatch(word) or not _LATIN.search(word)
        for word in words
    )

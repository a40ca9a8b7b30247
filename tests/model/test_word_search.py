"""Tests that the words of a text find it, in the full-text index that stores use."""

import re
import unicodedata

import apsw
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from memorycore.engine.question import read_question
from memorycore.model.word import CJK, index_text, scope_mark, split_words
from memorycore.store.match import render_phrase

CREATE = """
CREATE VIRTUAL TABLE words USING fts5(body, tokenize='porter unicode61 remove_diacritics 2')
"""


class Index:
    """A full-text index of texts, one at a time or many."""

    def __init__(self) -> None:
        self.db = apsw.Connection(":memory:")
        self.db.execute(CREATE)

    def hold(self, *texts: tuple[int, str]) -> None:
        self.db.execute("DELETE FROM words")
        for number, (scope, text) in enumerate(texts):
            self.db.execute(
                "INSERT INTO words(rowid, body) VALUES (?, ?)", (number, index_text(scope, text))
            )

    def find(self, scope: int, text: str) -> list[int]:
        """Find the texts of a scope that hold another text word for word."""
        (phrase,) = read_question(f'"{text}"', ()).required
        rows = self.db.execute(
            "SELECT rowid FROM words WHERE body MATCH ? ORDER BY rowid",
            (render_phrase(phrase, scope),),
        )
        return [row[0] for row in rows]


@pytest.fixture(scope="module")
def index() -> Index:
    return Index()


def is_cjk(character: str) -> bool:
    return re.match(f"[{CJK}]", character) is not None


HAN = st.sampled_from("部署方案设备清单腾讯云今天讨论的了设備騰訊雲臺灣々〇𠀀𫝀㐀")
KANA = st.sampled_from("カタナーがひらいろはｶﾅ")
HANGUL = st.sampled_from("한국어서울대학교")
LATIN = st.sampled_from("abcdeingsXYZéßＡｂ0123")
OTHER = st.sampled_from(" \n，。！\"'-_()*:^~{}\x00😀🎻👍🏽\u200d\ufe0f\u3000\ue001\ue123")
# Runs of letters stay shorter than the longest word; longer ones have a test of their own.
TEXTS = st.lists(
    st.one_of(
        st.text(HAN, min_size=1, max_size=8),
        st.text(KANA, min_size=1, max_size=5),
        st.text(HANGUL, min_size=1, max_size=5),
        st.text(LATIN, min_size=1, max_size=6),
        st.text(OTHER, min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=7,
).map("".join)


@given(text=TEXTS, data=st.data())
@settings(
    deadline=None,
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
def test_every_substring_of_han_kana_and_hangul_is_found(
    index: Index, text: str, data: st.DataObject
) -> None:
    text = unicodedata.normalize("NFC", text)
    starts = [at for at, character in enumerate(text) if is_cjk(character)]
    assume(starts)
    start = data.draw(st.sampled_from(starts))
    end = start + 1
    while end < len(text) and is_cjk(text[end]):
        end += 1
    length = data.draw(st.integers(1, end - start))
    index.hold((7, text), (8, text))

    found = index.find(7, text[start : start + length])

    assert found == [0]


@given(text=TEXTS, data=st.data())
@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
def test_a_text_that_holds_no_such_substring_is_not_found(
    index: Index, text: str, data: st.DataObject
) -> None:
    wanted = data.draw(st.text(st.sampled_from("部署方案云"), min_size=1, max_size=4))
    plain = "".join(character for character in text if character.isalnum() or character == " ")
    assume(plain.strip())
    index.hold((7, plain))

    found = index.find(7, wanted)

    folded = plain.translate(str.maketrans("設備騰訊雲臺灣", "设备腾讯云台湾"))
    assert found == ([0] if wanted in folded else [])


@pytest.mark.parametrize("word", ["设备", "设备清单", "设", "备清", "清单", "单", "設備", "清單"])
def test_the_first_field_case_is_found_whole_and_in_parts(index: Index, word: str) -> None:
    index.hold((1, "设备清单(devices)"))

    assert index.find(1, word) == [0]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("今天讨论了部署方案", "部署"),
        ("今天讨论了部署方案", "部署方案"),
        ("今天讨论了部署方案", "案"),
        ("腾讯云", "騰訊雲"),
        ("use oceanbase-blue-116 now", "oceanbase-blue-116"),
        ("they don't use agents", "don't use agents"),
        ("the CAFÉ on the corner", "cafe"),
        ("un cafe\u0301", "CAFÉ"),
        ("she was running", "runs"),
        ("version ２.０", "2.0"),
        ("好的👍🏽谢谢", "👍"),
        ("太棒了 😎", "😎"),
        ("ランチはラーメン", "ﾗｰﾒﾝ"),
        ("서울대학교", "대학"),
        ("用Python写脚本", "Python写"),
        ("Пёс и кот", "КОТ"),
        ("a\x00部署", "部署"),
        ("half \ud83d部署", "部署"),
    ],
)
def test_these_texts_are_found_by_these_queries(index: Index, text: str, query: str) -> None:
    index.hold((1, text))

    assert index.find(1, query) == [0]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("部署方案", "署部"),
        ("部，署", "部署"),
        ("世界 abc", "界限"),
        ("サウル", "서울"),
        ("cat", "ca"),
        ("😀", "😁"),
        ("blue oceanbase 116", "oceanbase-blue-116"),
    ],
)
def test_these_texts_are_not_found_by_these_queries(index: Index, text: str, query: str) -> None:
    index.hold((1, text))

    assert index.find(1, query) == []


def test_a_substring_of_a_long_unbroken_run_is_found_wherever_it_stands(index: Index) -> None:
    text = "".join(chr(0x4E00 + number) for number in range(300))
    index.hold((1, text))

    missing = [at for at in range(len(text) - 1) if index.find(1, text[at : at + 2]) != [0]]

    assert missing == []


@given(scopes=st.lists(st.integers(0, 10**9), min_size=2, max_size=5, unique=True))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_query_reads_its_own_scope_only(index: Index, scopes: list[int]) -> None:
    index.hold(*((scope, "部署 deploy 😀") for scope in scopes))

    for number, scope in enumerate(scopes):
        for query in ("部", "部署", "deploy", "😀"):
            assert index.find(scope, query) == [number]


@pytest.mark.parametrize("victim", [0, 1, 4095, 4096, 4096 * 2048 + 5, 10**9])
def test_a_text_with_private_characters_does_not_enter_another_scope(
    index: Index, victim: int
) -> None:
    mark = scope_mark(victim)
    index.hold((3, f"{mark}planted {mark}部署 x{mark}y {mark}"))

    for query in ("planted", "部署", "部", "x", "y"):
        assert index.find(victim, query) == []
        assert index.find(3, query) == [0]


@pytest.mark.parametrize("victim", [1, 4096, 10**9])
def test_a_query_with_private_characters_does_not_reach_another_scope(
    index: Index, victim: int
) -> None:
    mark = scope_mark(victim)
    index.hold((victim, "部署 deploy"), (3, "other 其他"))

    for query in (f"{mark}deploy", f"{mark}部", f"{mark}部署", f"x {mark}deploy"):
        assert index.find(3, query) == []


def test_a_long_piece_of_base64_is_found_by_all_of_it(index: Index) -> None:
    blob = "aGVsbG8gd29ybGQ" * 40
    index.hold((1, f"data: {blob} 完"), (1, "data: other"))

    assert index.find(1, blob) == [0]
    assert max(len(word) for word in split_words(blob)) == 64

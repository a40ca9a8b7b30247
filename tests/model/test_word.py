"""Tests of folding and segmentation, and of the marks that keep scopes apart in the index."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore.model.word import (
    CONTEXT_LENGTH,
    MAX_WORD_LENGTH,
    context_text,
    fold,
    folding_version,
    index_text,
    scope_mark,
    split_runs,
    split_words,
)

SEGMENTED = [
    ("", []),
    ("   \n\t", []),
    ("。，！？、…—", []),
    ("部", ["部"]),
    ("部署", ["部署", "署"]),
    ("部署方案", ["部署", "署方", "方案", "案"]),
    ("今天，部署", ["今天", "天", "部署", "署"]),
    ("hello", ["hello"]),
    ("Hello, World!", ["hello", "world"]),
    ("don't use agents", ["don", "t", "use", "agents"]),
    ("oceanbase-blue-116", ["oceanbase", "blue", "116"]),
    ("snake_case C++ 3.14", ["snake", "case", "c", "3", "14"]),
    ("用Python写", ["用", "python", "写"]),
    ("hello世界abc", ["hello", "世界", "界", "abc"]),
    ("第3次", ["第", "3", "次"]),
    ("カタカナ", ["カタ", "タカ", "カナ", "ナ"]),
    ("ひらがな", ["ひら", "らが", "がな", "な"]),
    ("ラーメン", ["ラー", "ーメ", "メン", "ン"]),
    ("한국어", ["한국", "국어", "어"]),
    ("서울 대학교", ["서울", "울", "대학", "학교", "교"]),
    ("人々", ["人々", "々"]),
    ("二〇二四", ["二〇", "〇二", "二四", "四"]),
    ("𠀀𠀁", ["𠀀𠀁", "𠀁"]),
    ("Straße", ["strasse"]),
    ("кот и Пёс", ["кот", "и", "пёс"]),
    ("😀", ["emoji1f600"]),
    ("好😀好", ["好", "emoji1f600", "好"]),
    ("🎻🎹", ["emoji1f3bb", "emoji1f3b9"]),
    ("👍🏽", ["emoji1f44d"]),
    ("❤️ ☃", ["emoji2764", "emoji2603"]),
    ("👨‍👩‍👧", ["emoji1f468", "emoji1f469", "emoji1f467"]),
    ("a\x00b", ["a", "b"]),
    ("部\x00署", ["部", "署"]),
    ("a\ud83db", ["a", "b"]),
    ("部\udc00署", ["部", "署"]),
    ("a\u200bb", ["a", "b"]),
]


@pytest.mark.parametrize(("text", "words"), SEGMENTED)
def test_a_text_is_cut_into_these_words(text: str, words: list[str]) -> None:
    assert split_words(text) == words


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("設備清單", "设备清单"),
        ("資料庫連線", "资料库连线"),
        ("臺灣", "台湾"),
        ("後來發現頭髮", "后来发现头发"),
        ("ＡＢＣ１２３", "abc123"),
        ("ｈｅｌｌｏ　ｗｏｒｌｄ", "hello world"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("ｶﾞｷﾞ", "ガギ"),
        ("か\u3099", "が"),
        ("①②", "12"),
        ("㍿", "株式会社"),
        ("ﬁle", "file"),
        ("HELLO", "hello"),
        ("CAFÉ", "café"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("ПРИВЕТ", "привет"),
        ("STRASSE", "straße"),
        ("cafe\u0301", "café"),
        (unicodedata.normalize("NFD", "한국어"), "한국어"),
        (unicodedata.normalize("NFD", "Ünïcode Ångström"), "ünïcode ångström"),
        (unicodedata.normalize("NFD", "プログラム"), "プログラム"),
        ("金\uf90a", "金金"),
        ("用ＰＹＴＨＯＮ寫程式", "用python写程式"),
    ],
)
def test_spellings_of_the_same_text_have_the_same_words(text: str, same: str) -> None:
    assert split_words(text) == split_words(same)
    assert split_runs(text) == split_runs(same)


@pytest.mark.parametrize(
    ("text", "other"), [("が", "か"), ("大", "太"), ("cat", "cut"), ("😀", "😁")]
)
def test_different_texts_have_different_words(text: str, other: str) -> None:
    assert split_words(text) != split_words(other)


# Letters of many scripts, marks, blanks, emoji and halves of characters.
ALPHABET = st.one_of(
    st.sampled_from("的部署方案設備清單臺灣々〇𠀀"),
    st.sampled_from("カタナーがｶﾞひらがな"),
    st.sampled_from("한국어서울"),
    st.sampled_from("abcXYZéÉßﬁＡｂ１2٣"),
    st.sampled_from("😀🎻👍🏽❤☃"),
    st.sampled_from(" \n\t,。！'\"-_()*\x00\u200d\ufe0f\u3000\ud83d\ue001\U0001f1e8"),
)
MIXED = st.one_of(st.text(ALPHABET, max_size=40), st.text(max_size=40))


@given(text=MIXED)
@settings(deadline=None, max_examples=300)
def test_words_come_from_runs_in_order(text: str) -> None:
    words = []
    for run in split_runs(text):
        if run.is_cjk:
            words += [run.text[at : at + 2] for at in range(len(run.text) - 1)]
        words.append(run.text[-1] if run.is_cjk else run.text)

    assert split_words(text) == words


@given(text=MIXED)
@settings(deadline=None, max_examples=200)
def test_all_normal_forms_of_a_text_have_the_same_words(text: str) -> None:
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert split_words(unicodedata.normalize(form, text)) == split_words(text)


@given(text=st.text(st.characters(codec="ascii"), max_size=200))
def test_plain_ascii_is_cut_as_it_is_among_other_text(text: str) -> None:
    assert split_words(f"{text} 好") == [*split_words(text), "好"]


@given(text=MIXED)
@settings(deadline=None, max_examples=200)
def test_words_are_words_again(text: str) -> None:
    words = split_words(text)

    assert [fold(word) for word in words] == words
    assert all(len(word) <= MAX_WORD_LENGTH for word in words)
    assert not any(character.isspace() or character in '"*' for character in "".join(words))


@given(text=MIXED)
@settings(deadline=None)
def test_words_can_be_written_as_utf_8_without_nul(text: str) -> None:
    assert b"\x00" not in " ".join(split_words(text)).encode()


@pytest.mark.parametrize("letter", ["a", "A", "7", "é", "я"])
def test_a_long_run_of_letters_is_cut_into_pieces(letter: str) -> None:
    words = split_words(letter * 150)

    assert [len(word) for word in words] == [MAX_WORD_LENGTH, MAX_WORD_LENGTH, 22]


@pytest.mark.parametrize("before", ["", "a", "版本2"])
def test_a_long_run_of_han_keeps_all_its_pairs(before: str) -> None:
    text = fold(before + "".join(chr(0x4E00 + number) for number in range(200)))

    pairs = {text[at : at + 2] for at in range(len(before), len(text) - 1)}

    assert pairs <= set(split_words(text))


def test_the_folding_has_a_version() -> None:
    assert folding_version().isdigit()


@pytest.mark.parametrize("text", ["a1b2" * 20, "中文", "😀"])
def test_a_run_is_whole_where_it_is_short(text: str) -> None:
    assert "".join(run.text for run in split_runs(text[:64])) == "".join(
        f"emoji{ord(text):x}" if text == "😀" else text[:64]
    )


SCOPES = st.integers(0, 10**9)


@given(one=SCOPES, other=SCOPES)
@settings(max_examples=500)
def test_no_mark_is_the_start_of_another_scopes_mark(one: int, other: int) -> None:
    assert scope_mark(other).startswith(scope_mark(one)) == (one == other)


@pytest.mark.parametrize("border", [4096, 4096 * 2048, 4096 * 2])
def test_marks_differ_around_the_borders_of_their_length(border: int) -> None:
    numbers = [0, 1, *range(border - 3, border + 4), border * 2, border + 4096]
    marks = [scope_mark(number) for number in dict.fromkeys(numbers)]

    starts = [a for a in marks for b in marks if a != b and b.startswith(a)]

    assert starts == []
    assert len(set(marks)) == len(marks)


@given(scope=SCOPES)
def test_a_mark_is_made_of_private_characters_only(scope: int) -> None:
    assert {unicodedata.category(character) for character in scope_mark(scope)} == {"Co"}


@given(scope=SCOPES, text=MIXED)
@settings(deadline=None)
def test_every_index_word_has_the_mark_of_its_scope_and_no_other(scope: int, text: str) -> None:
    mark = scope_mark(scope)

    indexed = index_text(scope, text).split(" ") if split_words(text) else []

    assert indexed == [mark + word for word in split_words(text)]
    for word in split_words(text):
        assert "Co" not in {unicodedata.category(character) for character in word}


@given(other=SCOPES)
def test_a_text_cannot_forge_the_mark_of_a_scope(other: int) -> None:
    forged = f"{scope_mark(other)}secret {scope_mark(other)}部署"

    assert split_words(forged) == ["secret", "部署", "署"]


def test_a_long_turn_is_no_context() -> None:
    short, long = "词 " * (CONTEXT_LENGTH // 2), "词 " * (CONTEXT_LENGTH // 2) + "词"

    assert context_text(1, short) == index_text(1, short)
    assert context_text(1, long) == ""

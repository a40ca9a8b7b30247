"""Tests of reading questions: what is looked for, and that no text becomes syntax."""

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorycore.engine.question import (
    MAX_CLAUSES,
    MAX_EXACT_RUNS,
    MAX_PARTICIPANTS,
    Question,
    ends_as_question,
    read_question,
)
from memorycore.errors import InvalidQueryError
from memorycore.model.search import MAX_QUERY_LENGTH
from memorycore.model.word import index_text, scope_mark
from memorycore.store.match import Phrase, render_clause, render_phrase

CREATE = """
CREATE VIRTUAL TABLE words USING fts5(
  body, ctx, tokenize='porter unicode61 remove_diacritics 2'
)
"""
PAIR = [(1, "Ana"), (2, "Ben Okri")]
FRIENDS = [(1, "王小明"), (2, "李雷"), (3, "Ana")]


def words(query: str, speakers: list[tuple[int, str]] | None = None) -> list[str]:
    return list(read_question(query, speakers or []).words)


def extra(query: str) -> dict[str, tuple[Phrase, ...]]:
    return {clause.label: clause.phrases for clause in read_question(query, []).extra}


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("What is the capital of Portugal?", ["capital", "portugal"]),
        ("when did she move to Lisbon", ["move", "lisbon"]),
        ("Doesn't he like TEA?", ["like", "tea"]),
        ("我们的部署方案是什么", ["的部", "部署", "署方", "方案", "案是", "是什"]),
        ("什么时候", ["么时"]),
        ("部署", ["部署"]),
        ("茶 和 咖啡", ["茶", "咖啡"]),
        ("請問設備在哪裡", ["问设", "设备", "备在"]),
        ("部署 deploy 方案", ["部署", "deploy", "方案"]),
        ("ＴＥＡ", ["tea"]),
        ("tea tea TEA", ["tea"]),
        ("她喜欢 😀 吗", ["她喜", "喜欢", "emoji1f600"]),
    ],
)
def test_words_that_tell_nothing_are_left_out(query: str, left: list[str]) -> None:
    assert words(query) == left


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("What is it?", ["what", "is", "it"]),
        ("the who", ["the", "who"]),
        ("我们", ["我们"]),
        ("的", ["的"]),
        ("是 的", ["是", "的"]),
        ("is 什么", ["is", "什么"]),
    ],
)
def test_a_question_of_nothing_else_keeps_its_words(query: str, kept: list[str]) -> None:
    assert words(query) == kept


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u3000"])
def test_an_empty_query_is_refused(query: str) -> None:
    with pytest.raises(InvalidQueryError, match="empty"):
        read_question(query, [])


def test_a_query_of_just_the_longest_length_is_read() -> None:
    assert words("部" * MAX_QUERY_LENGTH)
    with pytest.raises(InvalidQueryError, match=str(MAX_QUERY_LENGTH + 1)):
        read_question("x" * (MAX_QUERY_LENGTH + 1), [])


@pytest.mark.parametrize(
    "query", ["。，！", "*", "-", '"', '""', '"*"', "「」", "\x00", "\ud83d", "§"]
)
def test_a_query_without_any_word_asks_for_nothing(query: str) -> None:
    question = read_question(query, [])

    assert question.is_empty
    assert question.extra == ()


@pytest.mark.parametrize(
    ("query", "speakers", "left", "speaker"),
    [
        ("what did Ana cook?", PAIR, ["cook"], 1),
        ("ANA's kitchen", PAIR, ["kitchen"], 1),
        ("ana cooked with Ben", PAIR, ["cooked"], None),
        ("What does Okri read", PAIR, ["read"], 2),
        ("Ben Okri reads", PAIR, ["reads"], 2),
        ("banana bread", PAIR, ["banana", "bread"], None),
        ("王小明喜欢茶", FRIENDS, ["喜欢", "欢茶"], 1),
        ("李雷和王小明去了里斯本", FRIENDS, ["去了", "了里", "里斯", "斯本"], None),
        ("茶是王小明的", FRIENDS, ["茶是"], 1),
        ("Ana喜欢茶", FRIENDS, ["喜欢", "欢茶"], 3),
        ("ＡＮＡ 喜歡", FRIENDS, ["喜欢"], 3),
        ("Ana", PAIR, ["ana"], 1),
        ("王小明", FRIENDS, ["王小", "小明"], 1),
    ],
)
def test_the_names_of_speakers_leave_the_question(
    query: str, speakers: list[tuple[int, str]], left: list[str], speaker: int | None
) -> None:
    question = read_question(query, speakers)

    assert list(question.words) == left
    assert question.speaker_id == speaker


@pytest.mark.parametrize("count", [0, 1, MAX_PARTICIPANTS + 1])
def test_names_stay_where_one_or_very_many_speak(count: int) -> None:
    speakers = [(number, name) for number, name in enumerate(["Ana", *"bcdefghijklmn"][:count])]

    question = read_question("Ana cooked", speakers)

    assert (question.words, question.speaker_id) == (("ana", "cooked"), None)


def test_a_name_that_two_speakers_share_names_neither() -> None:
    assert read_question("what did Bob cook", [(1, "Bob Ash"), (2, "Bob Elm")]).speaker_id is None


def test_the_longer_of_two_names_is_the_one_that_is_meant() -> None:
    question = read_question("王小明喜欢茶", [(1, "王小"), (2, "王小明")])

    assert (question.words, question.speaker_id) == (("喜欢", "欢茶"), 2)


def test_a_stop_word_does_not_name_a_speaker() -> None:
    question = read_question("what is the plan for dinner", [(1, "The Doctor"), (2, "Ana")])

    assert question.speaker_id is None


@pytest.mark.parametrize(
    "query", ["hello", "Hello!", "你好", "您好。", "hi there", "谢谢", "hey, 你好"]
)
def test_a_greeting_asks_for_its_own_words_only(query: str) -> None:
    question = read_question(query, [])

    assert question.words
    assert all(phrase.in_body for clause in question.clauses for phrase in clause.phrases)


@pytest.mark.parametrize("query", ["hello kitchen", "早上好吗部署", "tea and coffee"])
def test_a_question_asks_for_the_neighbours_words_too(query: str) -> None:
    question = read_question(query, [])

    assert not any(phrase.in_body for clause in question.clauses for phrase in clause.phrases)


@pytest.mark.parametrize("query", ["tea", "部署", "部", "😀", "the tea"])
def test_a_single_word_is_asked_of_the_turn_itself(query: str) -> None:
    (clause,) = read_question(query, []).clauses

    assert all(phrase.in_body for phrase in clause.phrases)


@pytest.mark.parametrize(
    ("query", "phrase"),
    [
        ('"red bicycle"', Phrase(("red", "bicycle"), in_body=True)),
        (' "The Who" ', Phrase(("the", "who"), in_body=True)),
        ("“部署方案”", Phrase(("部署", "署方", "方案"), in_body=True)),
        ("「部」", Phrase(("部",), is_prefix=True, in_body=True)),
        ("『用Python写』", Phrase(("用", "python", "写"), is_prefix=True, in_body=True)),
        ('"Ana"', Phrase(("ana",), in_body=True)),
    ],
)
def test_a_question_in_quotes_must_stand_there_word_for_word(query: str, phrase: Phrase) -> None:
    question = read_question(query, PAIR)

    assert question == Question((), (), (phrase,), None)
    assert question.words


def test_a_quoted_part_adds_to_the_score_of_what_holds_it() -> None:
    query = 'who has a "red bicycle"'

    assert extra(query)["as quoted"] == (Phrase(("red", "bicycle"), in_body=True),)
    assert words(query) == ["red", "bicycle"]


def test_two_questions_in_quotes_are_no_single_quote() -> None:
    assert read_question('"red" "blue"', []).required == ()
    assert words('"red" "blue"') == ["red", "blue"]


def test_a_single_han_character_is_the_start_of_a_word() -> None:
    (clause,) = read_question("部", []).clauses

    assert clause.phrases == (Phrase(("部",), is_prefix=True, in_body=True),)


def test_a_short_question_also_counts_as_it_was_typed() -> None:
    assert extra("oceanbase-blue-116 部署方案")["as typed"] == (
        Phrase(("oceanbase", "blue", "116"), in_body=True),
        Phrase(("部署", "署方", "方案"), in_body=True),
    )
    assert "as typed" not in extra("tea " * (MAX_EXACT_RUNS + 1))
    assert extra("tea") == {}


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("really?", True), ("好吗？", True), ('he said "why?"', True), ("为什么？」", True),
        ("what?\n", True), ("what？~", True), ("yes.", False), ("?no", False), ("好。", False),
        ("", False), ("what? I see", False),
    ],
)  # fmt: skip
def test_a_turn_asks_when_it_ends_in_a_question_mark(text: str, asks: bool) -> None:
    assert ends_as_question(text) is asks


@pytest.fixture(scope="module")
def db() -> apsw.Connection:
    db = apsw.Connection(":memory:")
    db.execute(CREATE)
    texts = ["部署方案 tea 😀 body x col term near and or not", "其他 other {body}:x f(x)*^:~"]
    for text in texts:
        db.execute("INSERT INTO words(body, ctx) VALUES (?, ?)", (index_text(5, text),) * 2)
    return db


def ask(db: apsw.Connection, question: Question, scope: int) -> list[int]:
    parts = [render_clause(one, scope) for one in (*question.clauses, *question.extra)]
    parts = parts[:MAX_CLAUSES] + [render_phrase(one, scope) for one in question.required]
    found: set[int] = set()
    for expression in [*parts, " OR ".join(f"({part})" for part in parts)] if parts else []:
        rows = db.execute("SELECT rowid FROM words WHERE words MATCH ?", (expression,))
        found.update(row[0] for row in rows)
    return sorted(found)


HOSTILE = [
    '"', '""', '"""', "'", "' OR 1=1 --", "AND", "OR", "NOT", "NEAR(", "NEAR(a b, 2)", "a AND",
    "NOT a", "f(x)*^:~", "C:\\x", "a\x00b", "\x00", "*", "tea*", "-", "-tea", "+tea", "^tea",
    "{body}:x", "{body} : x", "col:term", "body:x", "ctx : x", "words MATCH x", "😀", "👨‍👩‍👧",
    "🇨🇳", "。，！？", "((((", "a)", "a\" OR \"b", '"a" NOT "b"', '"部署" *', "\ud83d", "\ufeff",
    scope_mark(5) + "tea", scope_mark(5), "%s %d {0}", "$(x) `y`", "/*x*/", "x; DROP TABLE words",
    "tea " * 2500, "部署" * 5000, "😀" * 5000, '"' * 10_000, "(" * 10_000, "x" * 10_000, "a\n\nb",
]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("quoted", [False, True])
def test_a_hostile_query_is_only_words(db: apsw.Connection, query: str, quoted: bool) -> None:
    question = read_question(f'"{query}"' if quoted else query, FRIENDS)

    assert ask(db, question, 6) == []
    ask(db, question, 5)


@given(query=st.text(min_size=1, max_size=60), scope=st.integers(6, 10**9))
@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
def test_any_text_is_a_question_that_reads_its_own_scope_only(
    db: apsw.Connection, query: str, scope: int
) -> None:
    try:
        question = read_question(query, FRIENDS)
    except InvalidQueryError:
        assert not query.strip()
        return
    ask(db, question, 5)
    assert ask(db, question, scope) == []


SYNTAX = st.sampled_from(
    ['"', "*", "(", ")", "^", ":", "-", "+", "{", "}", "AND", "NEAR", "NOT", "body", "tea", "部署",
     "部", " ", "'", "\x00", "\\", "😀", "“", "”", "\ue005"]
)  # fmt: skip


@given(query=st.lists(SYNTAX, min_size=1, max_size=25).map("".join))
@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
def test_any_mixture_of_syntax_is_only_words(db: apsw.Connection, query: str) -> None:
    if query.strip():
        question = read_question(query, [])

        ask(db, question, 5)
        assert ask(db, question, 6) == []


@pytest.mark.parametrize("query", ["tea", "部署", "部", "署", "😀", '"部署方案"', "body:x", "NEAR"])
def test_a_word_that_is_there_is_found(db: apsw.Connection, query: str) -> None:
    assert 1 in ask(db, read_question(query, []), 5)

"""What a question waits for: a time or a number, in Chinese and English."""

import pytest

from memorycore.model.cue import read_cue, speaks_of_self


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("When did Ana move?", "I moved last Friday.", "I moved because of work."),
        ("How long has she played?", "I've played since 2019.", "I play a lot."),
        ("How many cats are there?", "There are two of them.", "There are cats here."),
        ("安娜什么时候搬家的？", "我上周搬的家。", "我搬家是因为工作。"),
        ("她几号出差?", "她12月3号走。", "她要出差了。"),
        ("一共有多少人参加？", "来了三千人。", "来了很多人。"),
    ],
)
def test_a_question_waits_for_a_kind_of_answer(question, answer, other):
    cue = read_cue(question)
    assert cue is not None
    assert cue.fits(answer)
    assert not cue.fits(other)


@pytest.mark.parametrize("question", ["Where does Ana live?", "安娜住在哪里？", "tea", "🎉", ""])
def test_other_questions_wait_for_nothing_in_particular(question):
    assert read_cue(question) is None


@pytest.mark.parametrize(
    "text", ["I like tea", "that is MY cup", "我喜欢茶", "咱们走吧", "we’re in"]
)
def test_one_who_says_i_speaks_of_themselves(text):
    assert speaks_of_self(text)


@pytest.mark.parametrize("text", ["Ana likes tea", "它是红的", "mine-field", "", "🎉"])
def test_one_who_does_not_say_i_may_speak_of_anything(text):
    assert not speaks_of_self(text)

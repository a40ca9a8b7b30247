"""Tests of how a sentence is said. The span is marked by square brackets."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorycore.model.speech import is_negated, mode_of, sentence_around

SAID = [
    ("negated", "I don't live in [Porto]"),
    ("negated", "[I don't live in Porto anymore]"),
    ("negated", "[我不住在北京]"),
    ("negated", "我不住在[北京]"),
    ("negated", "[我从来没去过巴黎]"),
    ("negated", "[I never drink coffee]"),
    ("negated", "[I no longer work at Acme]"),
    ("negated", "I don't drink coffee, tea or [beer]."),
    ("negated", "Coffee [I don't drink]"),
    ("negated", "[不住在北京，住在上海]"),
    ("negated", "I live in Porto, not [Lisbon]."),
    ("negated", "我没有养[猫]"),
    ("negated", "[I have no siblings]"),
    ("negated", "[我不太喜欢香菜]"),
    ("negated", "[I am not a vegan]"),
    ("negated", "[我再也不喝酒了]"),
    ("negated", "To be honest, [I don't live in Porto]"),
    ("negated", "[I don't think he likes Porto]"),
    (None, "[I live in Porto], not Lisbon."),
    (None, "I don't live in Porto, but in [Lisbon]"),
    (None, "[我不但喜欢茶，还喜欢咖啡]"),
    (None, "[我住在北京，不过常去上海]"),
    (None, "[我非常喜欢猫]"),
    (None, "[这家店不错]"),
    (None, "[我差不多三十岁]"),
    (None, "[我不得不搬到上海]"),
    (None, "[Not only do I like tea]"),
    (None, "[I can't wait to move to Porto]"),
    (None, "[I couldn't agree more]"),
    (None, "[I drink nothing but tea]"),
    (None, "[I like people who don't smoke]"),
    (None, "[I have a gift for Dana]"),
    (None, "[I verify different things]"),
    (None, "[I live in Porto and don't like it]"),
    (None, "[I know nowhere nicer]"),
    (None, "[I deleted the old notes and live in Porto now]"),
    (None, "[没关系，我住在北京]"),
    (None, "[No, I live in Porto]"),
    (None, "[我离不开咖啡]"),
    (None, "[我忍不住买了猫]"),
    (None, "[I never leave home without my umbrella]"),
    (None, "[I didn't move to Porto until 2020]"),
    ("hypothetical", "[If I lived in Porto, I'd be happy]"),
    ("hypothetical", "If it rains [I take the bus]"),
    ("hypothetical", "[如果我住在北京就好了]"),
    ("hypothetical", "[要是能养猫就好了]"),
    ("hypothetical", "[I wish I lived in Porto]"),
    ("hypothetical", "[万一我搬家]"),
    ("hypothetical", "[去北京的话我会开心]"),
    ("hypothetical", "[Maybe one day I'll move to Porto]"),
    ("hypothetical", "[Suppose I move to Porto]"),
    ("hypothetical", "[Imagine I lived there]"),
    ("hypothetical", "[I would move to Porto] if they paid"),
    ("hypothetical", "[假如我有钱，我就买房]"),
    ("hypothetical", "[也许有一天我会去日本]"),
    (None, "[I live in Porto], let me know if you visit"),
    (None, "If you ask. [I live in Porto]."),
    (None, "如果下雨就别来。[我住在北京]。"),
    (None, "[我住在上海，如果你来玩告诉我]"),
    (None, "[我主要是喝茶]"),
    (None, "[我爱喝不如果汁]"),
    (None, "[他的话我都记得]"),
    (None, "[I would like a cat]"),
    (None, "[I'd love to visit Japan]"),
    (None, "[我有一万一千块]"),
    (None, "[I like the best wishes card]"),
    ("question", "[Do I live in Porto?]"),
    ("question", "[我住在哪里？]"),
    ("question", "[你是不是住北京]"),
    ("question", "[你喜欢猫吗]"),
    ("question", "[你住哪儿呢]"),
    ("question", "[You live in Porto, right?]"),
    ("question", "[Did you like it?]"),
    (None, "[I live in Porto now], can you recommend a cafe?"),
    (None, "[我下个月搬去上海，你有什么推荐吗？]"),
    (None, "[我正在学吉他呢]"),
    (None, "[I just moved to Porto, you know?]"),
    ("reported", "He said [I live in Porto]"),
    ("reported", "[My sister told me she lives in Leeds]"),
    ("reported", "她说[她住在北京]"),
    ("reported", "[据说他住在北京]"),
    ("reported", "[听说小王搬家了]"),
    ("reported", "[I live in Porto], he said."),
    ("reported", "[妈妈说我喜欢猫]"),
    ("reported", "[Dana said she moved to Porto]"),
    ("reported", "[Apparently she moved to Porto]"),
    (None, "[I said I live in Porto]"),
    (None, "[说实话我住在北京]"),
    (None, "[我爱看小说]"),
    (None, "[I live in Porto, my sister said hi]"),
    ("quoted", 'He said "[I live in Porto]".'),
    ("quoted", "她说：“[我住在北京]”"),
    ("quoted", "他问「[你喜欢猫吗]」"),
    (None, 'I said "[I live in Porto]".'),
    (None, '[I love "Dune"]'),
    (None, 'I love "[Dune]"'),
    (None, "[I live in Portoなう]"),
    ("negated", "[Ｉ ｄｏｎ'ｔ ｌｉｖｅ in Porto]"),
    ("negated", "[I don’t live in Porto]"),
    ("negated", "[我沒有養貓]"),
    ("hypothetical", "[要是我是貓，我就天天睡]"),
    (None, "[我住在 Porto 😀]"),
    (None, "Dr. [Lee is my dentist], if memory serves"),
    (None, "I don't live in Porto anymore, moved to [Lisbon]"),
    (None, "我现在不住北京了，搬到[上海]了"),
    ("negated", "I don't eat peanuts, shrimp, or [crab]"),
    ("negated", "我不吃花生、虾和[螃蟹]"),
    (None, "我不是北京人，是[上海人]"),
    (None, "my birthday isn't in May, it's in [June]"),
    (None, "If I'm being honest [I love Porto]"),
    ("negated", "我叫林岚，不叫[林兰]"),
    (None, "I can't eat very spicy but [mild] is fine"),
    (None, "[我喜欢猫]，好用到不行"),
    (None, "[No, I live in Porto, near the river]"),
    ("reported", "[医生说我血压高]"),
    (None, "Let me know what you think, [I like tea]"),
    (None, "[I'm checking the menu] to see if they have tea"),
    ("negated", "[Dana doesn't eat meat], right"),
    (None, "我别墅里[有猫]"),
    ("hypothetical", "[周末能休息的话，我去爬山]"),
    (None, "[周末的话，我去爬山]"),
    ("hypothetical", "I will move [to Porto], if they pay"),
    (None, "[我喜欢非洲音乐]"),
    ("negated", "[我没去过日本]"),
    (None, "[我没想到会喜欢猫]"),
    (None, "[I now live in Porto]"),
    (None, "[我有特别的习惯]"),
    (None, "Why not, [I like tea]"),
    ("question", "[要不要养猫？]"),
]
DENIED = [
    (True, "[I don't like 8 am meetings]"),
    (True, "He said [he doesn't live in Porto]"),
    (True, "If you don't mind, [I never eat meat]"),
    (False, "[I like 8 am meetings], not late ones"),
    (True, "[我不喜欢早上开会]"),
    (False, "[我喜欢早上开会]，不喜欢晚上"),
    (False, "[是不是喜欢猫]"),
]
SENTENCES = [
    ("I like it. [Yes] I do.", "Yes I do."),
    ("e.g. [this] works. No", "e.g. this works."),
    ("他来了。[我]走了！好", "我走了！"),
    ("v1.2 [is] out. Ok", "v1.2 is out."),
    ("Dr. [Lee] left.\nBye", "Dr. Lee left."),
    ("一。[二。三]。四", "二。三。"),
    ("好😀！[茶]😀。", "茶😀。"),
    ('He said "[no]." Then left.', 'He said "no."'),
    ("[]", ""),
    ("no end [here", "no end here"),
]


def marked(text: str) -> tuple[str, int, int]:
    start = text.index("[")
    plain = text.replace("[", "", 1)
    end = plain.index("]") if "]" in plain else len(plain)
    return plain.replace("]", "", 1), start, end


@pytest.mark.parametrize(("mode", "text"), SAID)
def test_a_sentence_has_its_mode(mode: str | None, text: str) -> None:
    assert mode_of(*marked(text)) == mode


@pytest.mark.parametrize(("mode", "text"), SAID)
def test_another_sentence_changes_nothing(mode: str | None, text: str) -> None:
    plain, start, end = marked(text)
    lead = "If only. 如果不是她说的呢？ No!\n"
    assert mode_of(lead + plain, start + len(lead), end + len(lead)) == mode


@pytest.mark.parametrize(("denied", "text"), DENIED)
def test_a_denial_is_told_apart_from_all_else(denied: bool, text: str) -> None:
    assert is_negated(*marked(text)) is denied


@pytest.mark.parametrize(("text", "sentence"), SENTENCES)
def test_a_sentence_is_found_around_a_span(text: str, sentence: str) -> None:
    plain, start, end = marked(text)
    first, last = sentence_around(plain, start, end)
    assert plain[first:last] == sentence


@pytest.mark.parametrize(
    "word",
    ["gift", "different", "verify", "now", "know", "notable", "delete", "nowhere", "knot", "north"],
)
def test_a_word_inside_another_word_is_not_heard(word: str) -> None:
    text = f"I keep a {word} list in Porto"
    assert mode_of(text, 0, len(text)) is None
    assert not is_negated(text, 0, len(text))


_PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from([marked(text)[0] for _, text in SAID]),
    st.sampled_from(["如果", "不", "if ", "not ", "“", "”", "?", "。", "\n", "吗", "，", "\ud800"]),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=6), st.integers(0, 200), st.integers(0, 200))
def test_no_text_raises_and_a_sentence_holds_its_span(
    pieces: list[str], one: int, other: int
) -> None:
    text = "".join(pieces)
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    first, last = sentence_around(text, start, end)
    assert 0 <= first <= start <= end <= last <= len(text)
    assert mode_of(text, start, end) in (
        None, "quoted", "reported", "hypothetical", "question", "negated",
    )  # fmt: skip
    assert is_negated(text, start, end) in (True, False)


@pytest.mark.parametrize(
    "unit",
    ["a", " ", "?", "? ", "if ", "if, ", "not ", "不", "吗，", '"', "“", "he said ", "的话", "a b ",
     "but ", "，a", ". ", "- ", "one day ", "非", "😀", "e\u0301"],
)  # fmt: skip
def test_a_text_ten_times_as_long_takes_no_hundred_times_as_long(unit: str) -> None:
    spent = []
    for size in (2_000, 20_000):
        text = unit * (size // len(unit))
        started = time.process_time()
        for _ in range(3):
            mode_of(text, 0, len(text))
            mode_of(text, len(text) - 1, len(text))
        spent.append(time.process_time() - started)
    assert spent[1] < 40 * max(spent[0], 2e-3)

"""The offline proposer on how things are said, in both languages: what is meant and what is not."""

import pytest

from memorycore.exchange.predicate_file import load_seeded
from memorycore.model.candidate import Candidate
from memorycore.model.heard import Heard
from memorycore.model.time import parse_moment
from memorycore.port.rules import Rules

RULES = Rules()
SAID = parse_moment("2025-09-10T10:00:00+02:00")
PLAIN = {
    "lives_in": ("We rent a house in Deventer.", "我跟女朋友在无锡合租。"),
    "works_at": ("The company I work for is Ostrava Steelworks.", "我上班的地方是海棠酒店。"),
    "prefers_name": ("Everyone calls me Sparrow.", "大家都喊我胖虎。"),
    "likes": ("I live for thunderstorms.", "黑巧克力我是真的戒不掉。"),
    "dislikes": ("I've got no time for small talk.", "榴莲我是真不行。"),
    "has_pet": ("There's a gecko called Euclid in my bedroom.", "我养了只玄凤鹦鹉，话特别多。"),
    "is_busy_with": ("I'm up to my ears in invoices.", "我还在跟装修队扯皮。"),
    "promised_to": ("I said yes to hosting the reunion.", "我跟健身教练约定每周练三次。"),
    "is_considering": ("I've half a mind to sell the car.", "可能会转去做产品。"),
    "has_boundary": ("My salary isn't something I discuss.", "我的照片不可以拿去训练。"),
    "prefers_communication_style": ("Less jargon, please.", "对我可以严厉一些。"),
    "uses_coping_strategy": ("Gardening clears my head.", "撸铁是我的解压方式。"),
    "instructs": ("Default to Python when I ask for code.", "默认用中文回我。"),
    "prefers": ("I work best late at night.", "我写东西习惯用铅笔。"),
    "happened": ("Passed my driving test this morning!", "昨晚家里水管爆了。"),
    "FAVORITE_WORK": ('My top two: "Ashes" and "Brine".', "此生挚爱《雪中信》。"),
    "PREFERS_AUTHOR": ("Huge Petra Osgood fan here.", "论作家，我只服沈归帆。"),
    "DISCUSSED_WORK": ('Brought up "Cobalt" with my therapist.', "课上老师带我们讨论《盐路》。"),
    "DISCUSSED_CHAPTER": (
        'We picked apart chapter nine of "Ashes".',
        "我们刚聊完《盐路》的尾声。",
    ),
    "PREFERS_NARRATIVE_STYLE": ("I can't resist a good frame narrative.", "倒叙的写法特别抓我。"),
    "TRIED_STYLE": ("For once I wrote in the present tense.", "第一次尝试写十四行诗。"),
    "PREFERS_TOPIC": ("Mushrooms are my latest obsession.", "业余时间爱捣鼓无线电。"),
    "SELF_CRITIQUE": ("My openings drag.", "我写景一塌糊涂。"),
    "SELF_TRAIT": ("I'm hopelessly disorganised.", "我性子慢，别催。"),
}


def propose(text: str) -> list[Candidate]:
    return RULES.propose(Heard("e1", text, "user", None, SAID, "+02:00"))


def shown(text: str) -> list[tuple[str, str, str]]:
    return [
        (found.predicate, found.object.name if found.object else found.value or "", found.act)
        for found in propose(text)
    ]


@pytest.mark.parametrize("predicate", PLAIN)
def test_a_plain_sentence_carries_its_predicate_in_both_languages(predicate: str) -> None:
    for text in PLAIN[predicate]:
        assert predicate in {found.predicate for found in propose(text)}, text


def test_every_predicate_that_the_rules_cover_has_a_plain_sentence() -> None:
    assert set(PLAIN) == set(RULES.covers)
    assert set(PLAIN) <= {predicate.name for predicate in load_seeded()}


@pytest.mark.parametrize(
    "text",
    [
        "If I got a dog, I'd name him Rex.", "Assuming I worked at Acme, what would I earn?",
        "如果我养狗，就叫它雷克斯。", "要是住在奥斯陆，我天天滑雪。",
        "I don't work at Acme.", "I have no pets.", "I'm not considering a move.",
        "我不在谷歌上班。", "我家没宠物。", "我没考虑搬家。",
        'Translate "I like apples" into French.', "把“我喜欢苹果”翻译成法语。",
        "My mother always said I was too stubborn.", "She told everyone I live in Paris.",
        "我妈总说我太倔。", "她跟大家说我住在巴黎。",
        "My girlfriend hates spiders.", "Our neighbours have a parrot.", "Tom's considering law.",
        "我女朋友怕蜘蛛。", "邻居家有只鹦鹉。", "我姐最喜欢的书是《沙丘》。",
        "Do you think I'm too impatient?", "Is it weird that I hate phones?",
        "你觉得我太急躁吗？", "我该住西班牙哪里？",
        "When I was a student I lived in Bonn.", "Growing up we had three dogs.",
        "上学的时候我住在武汉。", "那时候我在西门子上班。",
        "Yeah right, I totally adore traffic jams.", "Ugh, I love Mondays. Not.",
        "呵呵，我可真喜欢周一。", "我可真喜欢堵车。",
        "I wish I had a cat.", "真希望我有只猫。",
        "In the movie the guy says: call me Jack.", "我梦见自己住在威尼斯，养了只狮子。",
    ],
)  # fmt: skip
def test_what_is_not_meant_of_today_gives_nothing(text: str) -> None:
    assert shown(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I never lived in Gdansk, I live in Sopot.", ("lives_in", "Sopot", "correct")),
        ("You keep saying Lyon. It's Lille I live in.", ("lives_in", "Lille", "correct")),
        ("You mixed it up, my flat is in Nantes, not Nancy.", ("lives_in", "Nantes", "correct")),
        ("更正，我在泉州，不在漳州。", ("lives_in", "泉州", "correct")),
        ("The wedding was on 6 September, not the 5th.", ("happened", "The wedding", "correct")),
        ("面试是周四，不是周三。", ("happened", "面试", "correct")),
    ],
)
def test_what_sets_something_right_is_a_correction(
    text: str, expected: tuple[str, str, str]
) -> None:
    assert expected in shown(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Packed up and moved to Narvik in 2022.", "Narvik"),
        ("我们一家三口去年搬来了珠海。", "珠海"),
    ],
)
def test_a_move_begins_at_its_date(text: str, place: str) -> None:
    (found,) = (one for one in propose(text) if one.predicate == "lives_in")
    assert found.object is not None
    assert found.object.name == place
    assert found.valid_from is not None


def test_a_quote_is_a_piece_of_its_turn() -> None:
    for texts in PLAIN.values():
        for text in texts:
            for found in propose(text):
                (quote,) = found.quotes
                assert quote.text is not None
                assert quote.text in text


@pytest.mark.parametrize(
    "turns",
    [
        ["Hi!", "How are you?", "Nice weather today.", "Haha.", "Thanks a lot.", "Sounds good.",
         "I'm on my way.", "The bus is late.", "What time is it?", "See you later.", "Never mind.",
         "I'm hungry.", "Let me check.", "My phone died.", "Oh no.", "Congrats!", "Good night.",
         "I was wondering if you could help.", "Tomorrow works for me.", "I'll have a look."],
        ["你好！", "吃了吗？", "今天天气真好。", "哈哈。", "谢谢啦。", "好的。", "我在路上。",
         "公交又晚点了。", "几点了？", "回头见。", "没事。", "我饿了。", "我看一下。",
         "我手机没电了。", "天哪。", "恭喜！", "晚安。", "我想问你能不能帮个忙。",
         "明天可以。", "我都行。"],
    ],
)  # fmt: skip
def test_small_talk_gives_nothing(turns: list[str]) -> None:
    assert len(turns) == 20
    assert [found for turn in turns for found in propose(turn)] == []

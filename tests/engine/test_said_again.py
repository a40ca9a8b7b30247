"""What is hidden stays hidden, however often it is said again."""

import pytest

SAID = [("I like vexmoor tea.", "likes", "vexmoor tea"), ("我喜欢乌龙茶。", "likes", "乌龙茶")]


def learn(memory, text, predicate, value, *, session="first"):
    episode = memory.add(f"{text} The rest is harmless 无害.", speaker="Ana", session=session)
    memory.learn([{"predicate": predicate, "value": value, "episode": episode.id, "quote": text}])
    return episode.id


@pytest.mark.parametrize(("text", "predicate", "value"), SAID)
def test_a_sentence_that_says_a_hidden_fact_again_is_struck_as_the_first_was(
    memory, text, predicate, value
):
    learn(memory, text, predicate, value)
    (fact,) = memory.facts()
    memory.forget(fact.id, level="soft")
    again = learn(memory, text, predicate, value, session="second")

    assert value not in memory.get(again).text
    assert "harmless 无害" in memory.get(again).text
    assert len(memory.search(value)) == 0
    assert value not in memory.context(value).text
    assert [one.name for one in memory.examine(deep=True) if one.state == "fail"] == []


@pytest.mark.parametrize(("text", "predicate", "value"), SAID)
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_undo_in_either_order_shows_it_again(memory, text, predicate, value, order):
    first = learn(memory, text, predicate, value)
    (fact,) = memory.facts()
    before = memory.digest()
    memory.forget(fact.id, level="soft")
    forgotten = memory.operations(limit=1)[0].id
    learn(memory, text, predicate, value, session="second")
    learned, ingested = (one.id for one in memory.operations(limit=2))

    for number in order:
        memory.undo([forgotten, learned][number])
    memory.undo(ingested)

    assert value in memory.get(first).text
    assert memory.digest() == before

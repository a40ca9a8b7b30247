"""What is refused because it was forgotten leaves no words behind."""

import pytest


@pytest.mark.parametrize("level", ["soft", "hard", "redact"])
@pytest.mark.parametrize("value", ["oolong", "乌龙茶"])
def test_a_candidate_that_quotes_what_is_struck_leaves_no_words(memory, level, value):
    text = f"I like {value}. The tea of Porto is fine."
    episode = memory.add(text, speaker="Ana")
    memory.learn([{"predicate": "likes", "value": value, "episode": episode.id,
                   "quote": f"I like {value}."}])  # fmt: skip
    (fact,) = memory.facts()
    memory.forget(fact.id if level != "redact" else episode.id, level=level)
    memory.propose([{"predicate": "prefers", "value": value, "episode": episode.id,
                     "quote": f"I like {value}."}])  # fmt: skip
    told = [str(one.to_dict()) for one in memory.candidates()]
    assert told
    assert not [one for one in told if value in one]

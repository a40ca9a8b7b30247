"""What is known and was known: search, as-of, history, explain, show, list, sql."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

ANA = ("--scope", "user:ana")
LIN = ("--scope", "user:lin")
LEEDS = {
    "predicate": "lives_in",
    "object": "Leeds",
    "quote": "We live in Leeds.",
    "external_id": "a1",
}
PORTO = LEEDS | {
    "object": "Porto",
    "quote": "Moved to Porto at last!",
    "external_id": "a2",
    "valid_from": "2025-03-10",
}
SHANGHAI = LEEDS | {"object": "上海", "quote": "我住在上海", "external_id": "l2"}
BERLIN = LEEDS | {
    "object": "柏林",
    "quote": "去年九月搬到了柏林",
    "external_id": "l1",
    "valid_from": "2024-09",
    "from_basis": "relative",
}


def lines(*candidates: dict[str, Any]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in candidates)


def texts(done: Any) -> list[str]:
    return [json.loads(line)["text"] for line in done.out.splitlines()]


@pytest.fixture
def known(talks: Run) -> Run:
    """Ana moved from Leeds to Porto, 林岚 from 上海 to 柏林."""
    assert talks("learn", "--from", "-", *ANA, stdin=lines(LEEDS, PORTO)).code == 0
    assert talks("learn", "--from", "-", *LIN, stdin=lines(SHANGHAI, BERLIN)).code == 0
    return talks


def test_search_gives_facts_first_then_episodes(known: Run) -> None:
    found = known("search", "Porto", *ANA)
    kinds = [line.split("\t")[-1] for line in found.lines]
    assert kinds == ["fact", "episode"]
    assert found.lines[0].split("\t")[1:3] == ["2025-03-10", "Ana lives_in Porto"]
    assert "1 fact and 1 episode in user:ana" in found.err
    answer = json.loads(known("search", "柏林", *LIN, "-o", "json").out)
    assert answer["facts"][0]["text"] == "林岚 lives_in 柏林"
    assert answer["facts"][0]["evidence"][0]["quote"] == "去年九月搬到了柏林"


def test_search_counts_past_facts_and_shows_them_when_asked(known: Run) -> None:
    found = known("search", "Leeds", *ANA, "--predicate", "lives_in")
    assert found.out == ""
    assert "No current fact fits. 1 of another time does: --include past" in found.err
    past = known("search", "Leeds", *ANA, "--predicate", "lives_in", "--include", "past")
    assert past.lines[0].split("\t")[2] == "Ana lives_in Leeds"
    then = known("search", "上海", *LIN, "--as-of", "2024-06", "--entity", "林岚")
    assert then.lines[0].split("\t")[2] == "林岚 lives_in 上海"
    assert known("search", "Leeds", *ANA, "--known-at", "2020").out == ""
    assert known("search", "Porto", *ANA, "--min-confidence", "0.99", "-o", "id").out == ""


def test_search_says_what_it_cannot_read(known: Run) -> None:
    assert known("search", "x", *ANA, "--include", "nonsense").code == 2
    assert known("search", "x", *ANA, "--predicate", "nope").code == 4
    assert known("search", "x", *ANA, "--entity", "nobody").code == 4
    assert known("search", "x", *ANA, "--as-of", "last summer").code == 2


def test_as_of_shows_another_time(known: Run) -> None:
    narrow = ("--subject", "Ana", "--predicate", "lives_in", *ANA)
    assert texts(known("as-of", "2025-03-01", *narrow, "-o", "jsonl")) == ["Ana lives_in Leeds"]
    assert texts(known("as-of", "now", *narrow, "-o", "jsonl")) == ["Ana lives_in Porto"]
    assert known("as-of", "2025-03-01", "Leeds", *ANA, "--fields", "text").out == (
        "Ana lives_in Leeds\n"
    )
    answer = json.loads(known("as-of", "2025-03-09", *narrow, "-o", "json").out)
    assert (answer["schema"], answer["as_of"]) == ("memorycore.as_of.v1", "2025-03-09")
    early = known("as-of", "2024-03-01", *narrow)
    assert early.out == ""
    assert "not known before 2025-02-12" in early.err


def test_a_date_means_its_last_instant(known: Run) -> None:
    narrow = ("--subject", "Ana", *ANA, "--fields", "text")
    assert known("as-of", "2025-03-09", *narrow).out == "Ana lives_in Leeds\n"
    assert known("as-of", "2025-03-10", *narrow).out == "Ana lives_in Porto\n"
    assert known("as-of", "2025", *narrow).out == "Ana lives_in Porto\n"


def test_the_zone_of_the_call_counts(known: Run) -> None:
    narrow = ("--subject", "Ana", *ANA, "--fields", "text")
    at = "2025-03-10T00:30"
    assert known("as-of", at, *narrow, "--tz", "Asia/Shanghai").out == "Ana lives_in Porto\n"
    assert known("as-of", at, *narrow, "--tz", "Asia/Tokyo").out == "Ana lives_in Leeds\n"
    assert known("as-of", at, *narrow, "--tz", "Moon/Base").code == 2


def test_diff_says_what_began_and_what_ended(known: Run) -> None:
    changed = known("as-of", "2025-03-01", "--diff", "2025-06", *ANA)
    assert [line.split("\t")[0] for line in changed.lines] == ["ended", "began"]
    assert "1 fact began, 1 fact ended" in changed.err
    shape = json.loads(known("as-of", "2025-03-01", "--diff", "2025-06", *ANA, "-o", "json").out)
    assert [fact["text"] for fact in shape["began"]] == ["Ana lives_in Porto"]
    assert known("as-of", "2025", "Leeds", "--diff", "2026", *ANA).code == 2


def test_history_tells_both_axes_and_what_was_learned_late(known: Run) -> None:
    told = known("history", "--subject", "林岚", "--predicate", "lives_in", *LIN, "-o", "json")
    shown = json.loads(told.out)["lines"]
    assert [line["text"] for line in shown][-1] == "林岚 lives_in 柏林"
    assert shown[-1]["valid"]["from"] == "2024-09"
    assert "» We learned of 林岚 lives_in 柏林 about 4 months late." in told.err
    assert shown[-1]["late_days"] == 111
    fact = shown[-1]["fact"]
    assert known("history", fact, *LIN, "-o", "id").lines[-1] == fact
    assert known("history", "林岚", "--known-at", "2020", *LIN).out == ""
    assert known("history", *LIN).code == 2
    assert known("history", fact, *ANA).code == 4
    assert known("history", "nobody", *ANA).code == 4


def test_explain_underlines_the_sentence(known: Run) -> None:
    fact = known("as-of", "now", *LIN, "-o", "id").out.strip()
    shown = known("explain", fact, *LIN)
    assert shown.code == 0
    assert shown.lines[0] == f"林岚 lives_in 柏林   {fact}"
    text = "对了，去年九月搬到了柏林，还没适应。"
    at = shown.lines.index(" " * 15 + text)
    assert shown.lines[at + 1] == " " * 15 + " " * 6 + "━" * 18 + "   characters 3–12"
    assert "  true         2024-09 →   month known · told from the date of the message" in shown.out
    assert "never corrected" in shown.out
    assert "valid · visible · active · sure" in shown.out
    assert "→ SUPERSEDE: a later value" in shown.out
    assert "SUPERSEDES → fct_" in shown.out
    assert all(len(line) <= 110 for line in shown.lines)


def test_explain_is_json_when_asked_for_and_keeps_to_its_scope(known: Run) -> None:
    fact = known("as-of", "now", *LIN, "-o", "id").out.strip()
    answer = json.loads(known("explain", fact, *LIN, "-o", "json").out)
    assert answer["schema"] == "memorycore.explain.v1"
    assert answer["came_by"][0]["reason"] == "superseded"
    assert known("explain", fact, *ANA).code == 4
    assert known("explain", "ep_0000", *LIN).code == 2
    assert known("explain", fact, *LIN, "--as-of", "soon").code == 2


def test_show_knows_every_kind_of_id(known: Run) -> None:
    for kind, key in (
        ("facts", "fact"),
        ("entities", "entity"),
        ("candidates", "candidate"),
        ("episodes", "episode"),
    ):
        name = known("list", kind, *ANA, "-o", "id").lines[0]
        answer = json.loads(known("show", name, *ANA, "-o", "json").out)
        assert answer["schema"] == f"memorycore.{key}.v1"
        assert answer[key]["id"] == name
        assert known("show", name, *LIN).code == 4
    assert known("show", "plan_0000", *ANA).code == 2


def test_list_narrows_and_takes_states(known: Run) -> None:
    assert texts(known("list", "facts", *ANA, "-o", "jsonl")) == ["Ana lives_in Porto"]
    both = known("list", "facts", *ANA, "--include", "past", "-o", "jsonl")
    assert texts(both) == ["Ana lives_in Leeds", "Ana lives_in Porto"]
    assert known("list", "facts", *ANA, "--as-of", "2025-03-01", "--fields", "text").out == (
        "Ana lives_in Leeds\n"
    )
    assert known("list", "candidates", *ANA, "--state", "review").out == ""
    assert len(known("list", "candidates", *ANA, "--state", "decided").lines) == 2
    assert known("list", "sessions", *ANA, "--fields", "name").lines == ["s1", "s2"]
    assert known("list", "scopes", "--fields", "name").lines == [
        "user:ana",
        "user:lin",
        "user:tang",
    ]
    assert known("list", "entities", *ANA, "--subject", "Ana").code == 2
    assert known("list", "facts", *ANA, "--state", "review").code == 2
    assert known("list", "nonsense").code == 2


@pytest.mark.parametrize("kind", ["facts", "episodes", "entities", "candidates"])
def test_pages_reach_everything(talks: Run, kind: str) -> None:
    for at in range(7):
        talks("remember", f"note number {at}", "--about", f"person{at}", "--at", "2025", *ANA)
    whole = talks("list", kind, *ANA, "-o", "id").lines
    seen: list[str] = []
    cursor: tuple[str, ...] = ()
    for _ in range(5):
        page = talks("list", kind, *ANA, "--limit", "3", "-o", "id", *cursor)
        seen += page.lines
        if "--cursor " not in page.err:
            break
        cursor = ("--cursor", page.err.split("--cursor ")[1].split()[0])
    assert len(whole) >= 7
    assert seen == whole


def test_a_wrong_cursor_is_an_error(known: Run) -> None:
    assert known("list", "facts", *ANA, "--cursor", "fct_0000").code == 4
    assert known("list", "entities", *ANA, "--cursor", "ent_0000").code == 2
    assert known("list", "quarantined", *ANA, "--cursor", "x").code == 2


@pytest.mark.parametrize("view", ["facts", "evidence", "links", "candidates"])
def test_sql_shows_what_the_scope_may_see(known: Run, view: str) -> None:
    rows = known("sql", f"select * from {view}", *ANA, "-o", "jsonl").lines
    assert rows
    assert all(json.loads(row)["scope"] == "user:ana" for row in rows)
    assert known("sql", f"select count(*) n from {view}", "--scope", "user:no").out == "0\n"


def test_what_undo_took_back_is_in_no_view(known: Run) -> None:
    known("undo", *ANA)
    for view in ("facts", "evidence", "links"):
        assert known("sql", f"select count(*) n from {view}", *ANA).out == "0\n"
    assert known("sql", "select count(*) > 20 as many from predicates", *ANA).out == "1\n"


def test_stats_counts_facts_and_what_waits(known: Run) -> None:
    known("propose", "--from", "-", *ANA, stdin=lines(PORTO | {"object": "Faro"}))
    answer = json.loads(known("stats", *ANA, "-o", "json").out)
    assert (answer["facts"], answer["candidates"], answer["reviews"]) == (2, 1, 0)
    assert answer["scopes"][0]["facts"] == 2


def test_a_terminal_is_not_led_by_a_memory(talks: Run) -> None:
    evil = "tea \u001b[31mred\u001b[0m\nfct_00 forged"
    said = {"text": f"I like {evil}", "speaker": "Ana", "external_id": "evil"}
    talks("ingest", "-", *ANA, stdin=lines(said))
    talks("learn", "--from", "-", *ANA, stdin=lines(
        {"predicate": "likes", "object": "tea", "external_id": "evil"}))  # fmt: skip
    fact = talks("list", "facts", *ANA, "-o", "id").out.strip()
    explained = talks("explain", fact, *ANA)
    assert explained.code == 0
    assert "\u001b" not in explained.out
    assert not any(line.startswith("fct_00") for line in explained.lines)


def test_show_answers_on_both_axes_as_explain_does(talks: Run) -> None:
    assert talks("learn", "--from", "-", *ANA, stdin=lines(LEEDS)).code == 0
    leeds = talks("as-of", "now", *ANA, "-o", "id").out.strip()

    def shown(command: str, *times: str) -> Any:
        return json.loads(talks(command, leeds, *ANA, "-o", "json", *times).out)["fact"]

    before = shown("show")
    assert talks("learn", "--from", "-", *ANA, stdin=lines(PORTO)).code == 0
    then = ("--as-of", "2025-03-01", "--known-at", before["known"]["from"])
    for times in ((), then):
        assert shown("show", *times) == shown("explain", *times)
    assert before["valid"]["to"] is None
    assert shown("show", *then)["valid"]["to"] is None
    assert shown("show")["valid"]["to"].startswith("2025-03-10")
    assert talks("show", leeds, *ANA, "--as-of", "soon").code == 2


def test_only_a_fact_is_shown_at_another_time(known: Run) -> None:
    episode = known("list", "episodes", *ANA, "-o", "id").out.split()[0]
    done = known("show", episode, *ANA, "--known-at", "2024")
    assert done.code == 2
    assert "Only a fact differs from one time to another" in done.err


def test_help_explains_candidates_and_times(talks: Run) -> None:
    assert '{"predicate": "lives_in"' in talks("help", "candidates").out
    assert "--known-at T" in talks("help", "times").out
    for name in ("learn", "propose", "as-of", "review", "list", "explain"):
        assert f"memoryctl {name}" in talks("help", name).out


def test_as_of_counts_back_from_now(known: Run) -> None:
    for words in (["-3d"], ["-3mo"], ["-3h", "Porto"], ["now"]):
        found = known("as-of", *words, *ANA, "--fields", "text")
        assert (found.code, found.out) == (0, "Ana lives_in Porto\n"), words
    assert known("as-of", "-30y", *ANA).out == ""
    assert known("as-of", "-3d", "--known-at", "-2d", *ANA).out == ""
    assert json.loads(known("as-of", "-3d", *ANA, "-o", "json").out)["as_of"] == "-3d"
    assert known("as-of", "-3x", *ANA).code == 2


def test_hints_say_only_what_is_certain(known: Run) -> None:
    narrow = ("--subject", "Ana", "--predicate", "lives_in", *ANA)
    early = known("search", "Porto", "--predicate", "lives_in", "--known-at", "2020", *ANA)
    assert "--include" not in early.err
    past = known("search", "Leeds", "--predicate", "lives_in", "--as-of", "2025-06", *ANA)
    assert "--include" not in past.err
    assert "known before 2025-02-12" in known("as-of", "2024", *narrow).err
    assert "known before" not in known("as-of", "2025", *narrow, "--known-at", "2020").err
    for at in ("now", "2024"):
        assert "is over" not in known("as-of", at, "--predicate", "likes", *ANA).err


def test_a_difference_goes_forward(known: Run) -> None:
    done = known("as-of", "2025", "--diff", "2024", *ANA)
    assert (done.code, "2024 lies before 2025" in done.err) == (2, True)


def test_an_ambiguous_name_shows_what_tells_them_apart(known: Run) -> None:
    fact = known("list", "facts", *ANA, "-o", "id").lines[0]
    assert known("entity", "split", "Ana", "--as", "neighbour", "--facts", fact, *ANA).code == 0
    first, second = known("entity", "find", "Ana", *ANA, "-o", "id").lines
    for command in (
        ["list", "facts", "--subject", "Ana"],
        ["search", "Porto", "--entity", "Ana"],
        ["entity", "show", "Ana"],
        ["history", "Ana"],
    ):
        done = known(*command, *ANA)
        assert done.code == 4
        assert f"{first} Ana (person)" in done.err
        assert f"{second} Ana (person, neighbour)" in done.err
        assert "Try: an id in its place" in done.err
    assert known("search", "Porto", "--entity", second, *ANA).code == 0


def test_log_shows_the_scope_and_what_was_undone(known: Run) -> None:
    known("undo", *ANA)
    undo, *others = json.loads(known("log", "-o", "json").out)["operations"]
    assert (undo["kind"], undo["scope"], undo["undone"]) == ("undo", "user:ana", False)
    taken = [one["id"] for one in others if one["undone"]]
    assert taken == [undo["undoes"]]
    shown = json.loads(known("show", undo["id"], "-o", "json").out)["operation"]
    assert shown == undo
    assert known("log").lines[0].split("\t")[-2:] == ["user:ana", "False"]


def test_a_page_is_not_told_as_the_total(known: Run) -> None:
    page = known("list", "facts", "--include", "past", "--limit", "1", *ANA)
    assert "1 fact on this page, of those in user:ana" in page.err
    assert "2 facts in user:ana" in known("list", "facts", "--include", "past", *ANA).err
    bare = known("list")
    assert (bare.code, len(bare.err.splitlines())) == (2, 3)


def test_events_and_promises_say_when_they_were_said(known: Run) -> None:
    said = {"object": "Leeds", "quote": "We live in Leeds.", "external_id": "a1"}
    event = said | {"predicate": "happened", "object": "live in Leeds"}
    promise = said | {"predicate": "promised_to", "object": "live", "valid_to": "2025-02-20"}
    known("learn", "--from", "-", *ANA, stdin=lines(event, promise))
    rows = known("list", "facts", "--include", "past", *ANA).lines
    found = {line.split("\t")[3]: line.split("\t")[0] for line in rows}
    told = known("explain", found["Ana happened live in Leeds"], *ANA).out
    assert "said 2025-02-12   no start said" in told
    told = known("explain", found["Ana promised_to live"], *ANA).out
    assert "said 2025-02-12, due 2025-02-20" in told


def test_history_of_a_fact_names_what_ended_it(known: Run) -> None:
    for verb, at in (("likes", "2025-01"), ("dislikes", "2025-05")):
        known("remember", f"{verb} tea", "--about", "Ana", "--predicate", verb, "--object", "tea",
              "--at", at, *ANA)  # fmt: skip
    rows = known("list", "facts", "--include", "past", *ANA).lines
    found = {line.split("\t")[3]: line.split("\t")[0] for line in rows}
    told = json.loads(known("history", found["Ana likes tea"], *ANA, "-o", "json").out)["lines"]
    ended = [one["closed_by"] for one in told if one["fact"] == found["Ana likes tea"]]
    assert ended[-1] == found["Ana dislikes tea"]


def test_records_keep_their_content_out_of_their_repr(known: Run, home: Path) -> None:
    from memorycore import Memory

    path = known("where", "-o", "json")
    with Memory.open(json.loads(path.out)["file"], scope="user:ana") as memory:
        [fact] = memory.facts()
        shown = [fact, memory.operations()[0], memory.history("Ana")[0], memory.episodes()[0]]
        for one in [*shown, memory.entity("Ana")]:
            assert repr(one).startswith(f"<{type(one).__name__} ")
            assert not any(word in repr(one) for word in ("Ana", "Porto", "Leeds"))

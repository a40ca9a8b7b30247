"""Each command, as it is run and as it answers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_init_db_makes_a_private_store_and_says_what_is_next(run: Run, home: Path) -> None:
    made = run("init-db")
    store = home / "data" / "memorycore" / "memory.db"
    assert made.code == 0
    assert "Created a memory store" in made.out
    assert "time zone Asia/Shanghai" in made.out
    assert "Next: memoryctl ingest" in made.err
    assert store.stat().st_mode & 0o077 == 0
    assert Path(f"{store}.key").stat().st_mode & 0o077 == 0


def test_init_db_again_changes_nothing(quick: Run) -> None:
    quick("init-db")
    assert "Nothing to do" in quick("init-db").out


def test_init_db_in_a_folder_that_cannot_be_is_a_clear_error(quick: Run, home: Path) -> None:
    (home / "file").write_text("x")
    failed = quick("init-db", "--db", str(home / "file" / "memory.db"))
    assert failed.code == 6
    assert failed.err.startswith("Error: ")
    assert "Try: " in failed.err


def test_ingest_reports_counts_times_and_how_to_undo(store: Run) -> None:
    done = store("ingest", "-", "--scope", "user:wei", stdin='{"text": "部署 staging"}\n')
    assert done.code == 0
    assert done.lines[0] == "Ingested 1 episode into user:wei"
    assert "1 without a time, kept as unknown" in done.out
    assert "undo: memoryctl undo op_" in done.err


def test_the_same_file_again_is_recognised(store: Run, home: Path) -> None:
    (home / "a.jsonl").write_text('{"text": "hello there 你好"}\n')
    store("ingest", "a.jsonl")
    again = store("ingest", "a.jsonl")
    assert "Ingested 0 episodes" in again.out
    assert "already there   1" in again.out


def test_a_bad_line_is_named_the_rest_goes_in_and_the_code_is_7(store: Run, home: Path) -> None:
    (home / "b.jsonl").write_bytes(
        b'{"text": "good"}\n{"txet": "x"}\n\xff\xfe broken\n{"text": 5}\n'
    )
    done = store("ingest", "b.jsonl")
    assert done.code == 7
    assert "Ingested 1 episode" in done.out
    assert "b.jsonl line 2" in done.out
    assert "b.jsonl line 3" in done.out
    assert "b.jsonl line 4" in done.out


def test_a_secret_is_refused_without_being_shown(store: Run) -> None:
    secret = "hunter2" + "xK9!"
    done = store("ingest", "-", stdin=json.dumps({"text": f"my password is {secret}"}) + "\n")
    assert done.code == 7
    assert "looks like a password" in done.out
    assert secret not in done.out + done.err


def test_a_masked_secret_is_in_neither_text_nor_index(store: Run) -> None:
    secret = "hunter2" + "xK9zz"
    line = json.dumps({"text": f"我的密码是{secret}，记住"}) + "\n"
    assert store("ingest", "-", "--on-secret", "mask", stdin=line).code == 0
    assert "[password]" in store("search", "密码").out
    assert store("search", secret).out == ""


def test_a_dry_run_changes_nothing(store: Run) -> None:
    before = store("stats", "-o", "json").out
    dry = store("ingest", "-", "-n", stdin='{"text": "just looking"}\n')
    assert "Would ingest 1 episode" in dry.out
    assert "Nothing was changed." in dry.err
    assert store("stats", "-o", "json").out == before


def test_search_finds_two_han_characters(store: Run) -> None:
    assert "我对芒果过敏" in store("search", "过敏", "--scope", "user:lin").out


@pytest.mark.usefixtures("store")
def test_search_reads_a_query_from_standard_input(run: Run) -> None:
    assert "POL-358" in run("search", "-", "--scope", "user:ana", stdin="POL-358").out


def test_piped_search_gives_whole_ids_and_texts_by_tabs(store: Run) -> None:
    fields = store("search", "spare key", "--scope", "user:ana").lines[0].split("\t")
    assert len(fields[0]) == len("ep_") + 26
    assert fields[1:4] == ["2025-03-22", "The spare key is under the blue flowerpot.", "Ana"]


def test_search_gives_json_with_a_schema(store: Run) -> None:
    answer = json.loads(store("search", "过敏", "--scope", "user:lin", "-o", "json").out)
    assert answer["schema"] == "memorycore.search.v1"
    assert answer["episodes"][0]["at"] == "2025-03-01T09:00:00+08:00"
    assert 0 < answer["episodes"][0]["score"] <= 1


@pytest.mark.parametrize("form", ["jsonl", "csv", "id", "md"])
def test_search_has_every_form(store: Run, form: str) -> None:
    assert store("search", "过敏", "--scope", "user:lin", "-o", form).out.strip()


def test_fields_pick_columns_and_unknown_ones_are_listed(store: Run) -> None:
    picked = store("search", "过敏", "--scope", "user:lin", "--fields", "speaker,text")
    assert picked.out == "林岚\t我对芒果过敏\n"
    wrong = store("search", "过敏", "--scope", "user:lin", "--fields", "colour")
    assert wrong.code == 2
    assert "speaker" in wrong.err


def test_ascii_output_escapes(store: Run) -> None:
    assert store(
        "search", "过敏", "--scope", "user:lin", "--ascii", "--fields", "text"
    ).out.isascii()


def test_explain_shows_the_score_as_arithmetic(store: Run) -> None:
    shown = store("search", "过敏", "--scope", "user:lin", "--explain").err
    assert "score 0." in shown
    assert "过敏" in shown
    assert "/" in shown


def test_nothing_found_is_no_error_unless_it_is_asked_for(store: Run) -> None:
    found = store("search", "zeppelin", "--scope", "user:ana")
    assert (found.code, found.out) == (0, "")
    assert "Nothing in user:ana fits" in found.err
    assert store("search", "zeppelin", "--exit-status").code == 4


def test_another_scope_is_never_seen(store: Run) -> None:
    for form in ("json", "csv", "id"):
        done = store("search", "芒果 过敏", "--scope", "user:ana", "-o", form)
        assert "芒果过敏" not in done.out + done.err


def test_pages_go_on_where_they_ended(store: Run) -> None:
    lines = "".join(f'{{"text": "note {n} about tea", "external_id": "n{n}"}}\n' for n in range(25))
    store("ingest", "-", stdin=lines)
    seen: list[str] = []
    cursor: tuple[str, ...] = ()
    for _ in range(4):
        page = json.loads(store("search", "tea", "--limit", "10", "-o", "json", *cursor).out)
        seen += [episode["external_id"] for episode in page["episodes"]]
        if page["next"] is None:
            break
        cursor = ("--cursor", page["next"])
    assert sorted(seen) == sorted(f"n{n}" for n in range(25))


def test_undo_takes_the_newest_ingest_of_the_scope_back(store: Run) -> None:
    store("ingest", "-", "--scope", "user:wei", stdin='{"text": "throwaway"}\n')
    undone = store("undo", "--scope", "user:wei")
    assert "1 episode withdrawn" in undone.out
    assert store("search", "throwaway", "--scope", "user:wei").out == ""
    operation = undone.err.split("memoryctl undo ")[1].split()[0]
    assert "1 episode standing again" in store("undo", operation).out
    assert "throwaway" in store("search", "throwaway", "--scope", "user:wei").out


def test_show_takes_the_start_of_an_id(store: Run) -> None:
    whole = store("search", "POL-358", "--scope", "user:ana", "-o", "id").out.strip()
    assert "POL-358" in store("show", whole[:20], "--scope", "user:ana").out
    assert store("show", whole, "--scope", "user:lin").code == 4


def test_where_says_which_store_and_why(run: Run, home: Path) -> None:
    assert "user data folder" in run("where").out
    assert run("where", env={"MEMORYCORE_DB": "/tmp/x.db"}).out.endswith("MEMORYCORE_DB\n")
    (home / ".memorycore").mkdir()
    (home / ".memorycore" / "memory.db").write_bytes(b"")
    assert "nearest .memorycore folder" in run("where").out


def test_where_names_the_room_that_is_set_aside(store: Run) -> None:
    lines = "".join(json.dumps({"text": f"{n} " + "words " * 300}) + "\n" for n in range(700))
    set_aside = {"MEMORYCORE_BALLAST_MB": "1"}
    assert store("ingest", "-", stdin=lines, env={"MEMORYCORE_BALLAST_MB": "0"}).code == 0
    assert json.loads(store("where", "-o", "json").out)["ballast_bytes"] == 0
    assert store("remember", "one more", env=set_aside).code == 0
    assert json.loads(store("where", "-o", "json").out)["ballast_bytes"] == 1 << 20
    assert "1 MB are set aside" in store("where").err


def test_config_shows_where_each_value_comes_from(run: Run, home: Path) -> None:
    (home / "memorycore.toml").write_text('scope = "project:web"\n')
    (home / "config" / "memorycore").mkdir(parents=True)
    (home / "config" / "memorycore" / "config.toml").write_text('on_secret = "mask"\n')
    shown = run("config", "show", "--origin", env={"MEMORYCORE_OUTPUT": "csv"}).out
    assert "scope,project:web," in shown
    assert "on_secret,mask," in shown
    assert "output,csv,MEMORYCORE_OUTPUT" in shown
    assert "busy_timeout,10.0,built-in" in shown


@pytest.mark.parametrize(
    "line", ['db = "/elsewhere/memory.db"', 'on_secret = "keep"', "colour = 1", "scope = ["]
)
def test_a_project_file_cannot_do_what_it_may_not(quick: Run, home: Path, line: str) -> None:
    (home / "memorycore.toml").write_text(line + "\n")
    failed = quick("config", "show")
    assert failed.code == 2
    assert "memorycore.toml" in failed.err
    assert quick("config", "show", "--no-config").code == 0


def test_sql_reads_what_the_scope_may_see(store: Run) -> None:
    counted = store("sql", "select count(*) n from episodes", "--scope", "user:ana", "-o", "csv")
    assert counted.out == "n\n2\n"
    assert store("sql", "delete from episodes").code in (2, 6)


def test_log_lists_operations_newest_first(store: Run) -> None:
    kinds = [line.split("\t")[2] for line in store("log").lines]
    assert kinds == ["ingest", "init"]


def test_stats_counts_by_scope(store: Run) -> None:
    assert store("stats").lines == ["user:ana\t2\t2\t0", "user:lin\t1\t1\t0"]


def test_completion_prints_a_script_and_makes_no_store(run: Run, home: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert "memoryctl" in run("completion", shell).out
    assert not (home / "data").exists()


@pytest.mark.usefixtures("store")
def test_scopes_and_operations_are_completed_from_the_store(run: Run) -> None:
    def completed(line: str) -> str:
        environment = {"_MEMORYCTL_COMPLETE": "bash_complete", "COMP_WORDS": line}
        return run(env=environment | {"COMP_CWORD": str(len(line.split()))}).out

    assert "user:ana" in completed("memoryctl search --scope")
    assert "op_" in completed("memoryctl undo")


def test_help_covers_topics_commands_and_programs(quick: Run) -> None:
    assert "interrupted" in quick("help", "exit-codes").out
    assert "--explain" in quick("help", "search").out
    assert quick("help", "nonsense").code == 4
    tree = json.loads(quick("help", "--json").out)
    assert {"init-db", "ingest", "search"} <= {command["name"] for command in tree["commands"]}


def test_the_bare_command_shows_its_groups(run: Run) -> None:
    shown = run()
    assert shown.code == 0
    assert len(shown.lines) <= 10
    for group in ("Start", "Learn", "Look", "Keep", "Connect"):
        assert group in shown.out


def test_eval_reports_recall_by_category(quick: Run, home: Path) -> None:
    episodes = [
        {"id": f"e{n}", "scope": "s", "text": t} for n, t in enumerate(["red fox", "blue 狐狸"])
    ]
    queries = [{"id": "q", "scope": "s", "text": "狐狸", "category": "one", "evidence": ["e1"]}]
    for name, rows in (("e.jsonl", episodes), ("q.jsonl", queries)):
        (home / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = quick("eval", "file", "e.jsonl", "q.jsonl", "--stage", "retrieval", "--report", "r.json")
    report = json.loads((home / "r.json").read_text())
    assert done.code == 0
    assert report["overall"]["recall@5"] == report["by_category"]["one"]["mrr"] == 1.0
    assert report["data"]["episodes"].startswith("sha256:")

"""The zip of a person: strict documents, the same bytes each time, and nothing that acts."""

import io
import json
import os
import stat
import zipfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from memorycore import Memory
from memorycore.errors import InvalidInputError, RefusedError
from memorycore.model import subject as model
from memorycore.port import subject_html, subject_zip

FILES = ["README.txt", "index.html", "subject.json", "facts.jsonl", "episodes.jsonl",
         "mentions.html", "mentions.jsonl", "schema.json"]  # fmt: skip
HOSTILE = [
    "<script>alert(1)</script>",
    "</bdi></li></ul><img src=x onerror=alert(1)>",
    "\"><a href='javascript:alert(1)'>x</a>",
    "&lt;b&gt; &amp;amp; {title} {style} %s",
    "-->]]><!--<style>@import url(http://evil.example)</style>",
    "left\u202eright\u2066over\u200f\u061c",
    "bell\x07 escape\x1b[31m nul\x00 end\x85",
    "../../etc/passwd\n..\\..\\windows",
    "👩‍👩‍👧 家族 e\u0301 ﷺ",
]
ALLOWED = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "dl", "dt", "dd", "ul",
           "li", "p", "div", "span", "bdi", "blockquote", "code", "a"}  # fmt: skip
VOID = {"meta"}


class Markup(HTMLParser):
    """Reads a page as a browser would: its tags, attributes and text, and that they are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Markup:
    markup = Markup()
    markup.feed(page)
    markup.close()
    assert markup.open == []
    return markup


def export(memory: Memory, subject: str, **settings: Any) -> bytes:
    stream = io.BytesIO()
    memory.export_subject(subject, stream, **settings)
    return stream.getvalue()


def unpack(memory: Memory, subject: str) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(export(memory, subject))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.split("\n") if line]


@pytest.fixture
def ana(story: Any) -> Any:
    """Give a story of Ana with something in each part: moves, a doubt, another who names her."""
    story.tell("I live in Leeds.", "lives_in", "Leeds", at="2025-01-01", speaker="Ana")
    story.tell("I live in Porto.", "lives_in", "Porto", at="2025-03-01", speaker="Ana")
    story.tell("Ana likes rum.", "likes", "rum", subject="Ana", speaker="Bob")
    story.tell("I like dinner with Ana.", "likes", "dinner with Ana", speaker="Bob")
    story.say("Ana 明天来。", speaker="林岚", meta={"深": [1, None, {"x": 1.5}]})
    story.say("Good morning.", speaker="Ana Reis")
    key = story.say("I like tea.", speaker="Ana")
    story.memory.propose([{"predicate": "likes", "object": "tea", "external_id": key,
                           "quote": "I like tea."}])  # fmt: skip
    return story


def test_the_zip_holds_just_these_files_for_the_owner_alone(ana: Any) -> None:
    with zipfile.ZipFile(io.BytesIO(export(ana.memory, "Ana"))) as archive:
        entries = archive.infolist()

    assert [one.filename for one in entries] == FILES
    assert {stat.S_IMODE(one.external_attr >> 16) for one in entries} == {0o600}
    assert {one.date_time for one in entries} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("subject", ["Ana", "user:ana", "Ana Reis"])
def test_every_document_fits_the_schema_beside_it(ana: Any, subject: str) -> None:
    files = unpack(ana.memory, subject)
    schema = json.loads(files["schema.json"])
    Draft202012Validator.check_schema(schema)

    def check(shape: Any, name: str) -> None:
        whole = schema["x-files"][name] | {"$defs": schema["$defs"]}
        Draft202012Validator(whole).validate(shape)

    Draft202012Validator(schema).validate(json.loads(files["subject.json"]))
    for name in ("facts.jsonl", "episodes.jsonl", "mentions.jsonl"):
        for line in lines(files[name]):
            check(line, name)
    check(json.loads(files["subject.json"]), "subject.json")


def test_a_page_as_it_is_told_fits_the_schema_too(ana: Any) -> None:
    schema = json.loads(unpack(ana.memory, "Ana")["schema.json"])

    shape = json.loads(json.dumps(ana.memory.subject("Ana").to_dict()))

    Draft202012Validator(schema).validate(shape)
    assert {one["kind"] for one in shape["mentions"]} == {"near_match", "fact", "episode"}
    with_more = shape | {"extra": 1}
    assert not Draft202012Validator(schema).is_valid(with_more)


def test_what_may_be_about_others_is_in_files_of_its_own(ana: Any) -> None:
    files = unpack(ana.memory, "Ana")
    apart = {"mentions.html", "mentions.jsonl"}

    for words in ("dinner with Ana", "明天来", "Ana Reis"):
        assert {name for name, text in files.items() if words in text} == apart
    kinds = [one["kind"] for one in lines(files["mentions.jsonl"])]
    assert kinds == ["near_match", "fact", "episode", "episode"]
    assert json.loads(files["subject.json"])["counts"]["naming_facts"] == 1


def test_the_lists_are_whole_and_say_why_a_thing_is_in_them(ana: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("memorycore.engine.dossier.SHOWN_FACTS", 1)
    monkeypatch.setattr("memorycore.engine.dossier.PAGE", 2)
    files = unpack(ana.memory, "Ana")

    facts, episodes = lines(files["facts.jsonl"]), lines(files["episodes.jsonl"])

    assert json.loads(files["subject.json"])["truncated"] is True
    assert [(one["text"], len(one["now"]), len(one["before"])) for one in facts] == [
        ("Ana lives_in Leeds", 1, 1), ("Ana lives_in Porto", 1, 0), ("Ana likes rum", 1, 0),
    ]  # fmt: skip
    assert [(one["text"], one["why"]) for one in episodes] == [
        ("I live in Leeds.", "said"), ("I live in Porto.", "said"),
        ("Ana likes rum.", "evidence"), ("I like tea.", "said"),
    ]  # fmt: skip
    assert all(text in files["index.html"] for text in ("Ana lives_in Leeds", "I like tea."))


def test_the_same_store_and_clock_give_the_same_bytes(ana: Any, tmp_path: Path) -> None:
    ana.memory._store.clock.step = 0
    path = tmp_path / "ana.zip"

    first = export(ana.memory, "Ana")
    ana.memory.export_subject("Ana", path)

    assert first == export(ana.memory, "Ana") == path.read_bytes()


def test_a_large_export_is_the_same_but_for_its_form(ana: Any, monkeypatch: Any) -> None:
    ana.memory._store.clock.step = 0
    small = unpack(ana.memory, "Ana")
    monkeypatch.setattr(subject_zip, "LARGE", 0)

    assert unpack(ana.memory, "Ana") == small


@pytest.mark.parametrize("text", HOSTILE)
def test_no_memory_becomes_markup(memory: Memory, text: str) -> None:
    memory.add("Ana " + text, speaker="Bob", session=text[:20].strip("\x07\x1b\x00\x85\n"))
    memory.add(text, speaker="Ana")

    files = unpack(memory, "Ana")
    pages = [read(files[name]) for name in ("index.html", "mentions.html")]

    for page in pages:
        assert set(page.tags) <= ALLOWED
        hrefs = [value or "" for name, value in page.attributes if name in ("href", "src")]
        assert all(value.startswith("#ep_") for value in hrefs)
        assert not [name for name, _ in page.attributes if name.startswith("on")]
        assert not set(page.text) & set("\x00\x07\x1b\x85\u202e\u2066\u200f\u061c")
    said = [one["text"] for one in lines(files["episodes.jsonl"])]
    assert said == [text]


@pytest.mark.parametrize("name", ["<b>Ana</b>", "../../Ana", "Ana\u202eX", "安娜 👩‍👩‍👧", "a&b"])
def test_no_name_becomes_markup_or_a_path(memory: Memory, name: str) -> None:
    memory.add("Good morning.", speaker=name)

    files = unpack(memory, name)

    assert list(files) == FILES
    assert set(read(files["index.html"]).tags) <= ALLOWED
    assert json.loads(files["subject.json"])["subject"]["name"] == name


@pytest.mark.parametrize(
    "text", ["I like tea.", "我喜欢乌龙茶。", "家族 👩‍👩‍👧 \U0001fae8 e\u0301 ﷺ", "a\n\tb"]
)
def test_ordinary_text_is_shown_as_it_is(text: str) -> None:
    assert read(subject_html.shown(text)).text == text


def test_the_pages_say_all_of_ours_in_two_languages_and_fetch_nothing(ana: Any) -> None:
    page = unpack(ana.memory, "Ana")["index.html"]

    for words in ("What is believed now", "现在相信的", "What was said", "说过的话"):
        assert words in page
    assert "default-src 'none'" in page
    assert not [word for word in ("http:", "https:", "//", "url(", "<script") if word in page]


def test_the_words_for_people_hold_no_memory(ana: Any) -> None:
    readme = unpack(ana.memory, "Ana")["README.txt"]

    assert not [word for word in ("Leeds", "rum", "林岚", "Ana Reis") if word in readme]
    assert "mentions.html" in readme
    assert "请先读这里" in readme


def test_a_name_with_braces_leaves_the_words_for_people_alone(memory: Memory) -> None:
    scoped = memory.scoped("user:{line}{0}")
    scoped.add("Good morning.", speaker="Ana")

    assert "user:{line}{0}" in unpack(scoped, "Ana")["README.txt"]


def test_somebody_of_whom_nothing_is_known_can_be_handed_out(memory: Memory) -> None:
    memory.add("Good morning.", speaker="Ana")

    files = unpack(memory, "Ana")

    assert (files["facts.jsonl"], files["mentions.jsonl"]) == ("", "")
    assert "Nothing." in files["index.html"]


def test_a_long_session_is_written_page_by_page(memory: Memory) -> None:
    memory.add_many({"text": f"Turn {number} of the talk.", "speaker": "Ana", "session": "s1",
                     "external_id": str(number)} for number in range(1_200))  # fmt: skip
    told: list[int] = []

    files = unpack(memory, "Ana")
    memory.export_subject("Ana", io.BytesIO(), progress=told.append)

    assert len(lines(files["episodes.jsonl"])) == 1_200
    assert files["index.html"].count("<blockquote>") == 1_200
    assert told == list(range(1, 2_401))


def test_the_file_is_its_owners_and_is_not_written_over(memory: Memory, tmp_path: Path) -> None:
    memory.add("Good morning.", speaker="Ana")
    path = tmp_path / "ana.zip"
    umask = os.umask(0)
    try:
        done = memory.export_subject("Ana", path)
    finally:
        os.umask(umask)

    assert (stat.S_IMODE(path.stat().st_mode), path.stat().st_size) == (0o600, done.size_bytes)
    before = path.read_bytes()
    with pytest.raises(RefusedError, match="is there already"):
        memory.export_subject("Ana", path)
    assert path.read_bytes() == before
    memory.add("Good night.", speaker="Ana")
    memory.export_subject("Ana", path, force=True)
    assert path.read_bytes() != before
    assert [one.name for one in tmp_path.iterdir()] == ["ana.zip"]


def test_force_takes_the_place_of_a_link_and_not_of_what_it_leads_to(
    memory: Memory, tmp_path: Path
) -> None:
    memory.add("Good morning.", speaker="Ana")
    other, path = tmp_path / "other.txt", tmp_path / "ana.zip"
    other.write_text("mine")
    path.symlink_to(other)

    with pytest.raises(RefusedError):
        memory.export_subject("Ana", path)
    memory.export_subject("Ana", path, force=True)

    assert (other.read_text(), path.is_symlink()) == ("mine", False)


@pytest.mark.parametrize("force", [False, True])
def test_a_broken_export_leaves_nothing_and_takes_nothing(
    memory: Memory, tmp_path: Path, force: bool
) -> None:
    memory.add("Good morning.", speaker="Ana")
    path = tmp_path / "ana.zip"
    if force:
        path.write_text("mine")

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.export_subject("Ana", path, force=force, progress=stop)

    assert [one.read_text() for one in tmp_path.iterdir()] == (["mine"] if force else [])


@pytest.mark.parametrize("place", ["missing/ana.zip", "", "folder"])
@pytest.mark.parametrize("force", [False, True])
def test_a_place_that_cannot_be_written_is_refused(
    memory: Memory, tmp_path: Path, place: str, force: bool
) -> None:
    memory.add("Good morning.", speaker="Ana")
    (tmp_path / "folder").mkdir()

    with pytest.raises((InvalidInputError, RefusedError)):
        memory.export_subject("Ana", str(tmp_path / place), force=force)

    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("ending", ["", "-wal", ".key", ".forget.key"])
def test_the_store_itself_is_never_written_over(file_memory: Memory, ending: str) -> None:
    file_memory.add("Good morning.", speaker="Ana")

    with pytest.raises(RefusedError, match="store"):
        file_memory.export_subject("Ana", file_memory._store.path + ending, force=True)

    assert len(file_memory.episodes()) == 1


def test_an_export_changes_nothing_in_the_file_of_the_store(
    file_memory: Memory, store_path: str, run_python: Callable[..., str], tmp_path: Path
) -> None:
    file_memory.add("Good morning.", speaker="Ana")
    file_memory.close()
    hashing = "import hashlib,sys;print(hashlib.sha256(open(sys.argv[1],'rb').read()).hexdigest())"
    before = run_python(hashing, store_path)

    with Memory.open(store_path, scope="user:ana", read_only=True) as memory:
        memory.export_subject("Ana", tmp_path / "ana.zip")

    assert run_python(hashing, store_path) == before


def test_every_role_in_a_fact_has_words() -> None:
    assert set(model.ROLES_IN_FACTS) - {"subject"} <= set(subject_html.ROLES)

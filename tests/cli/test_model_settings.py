"""Settings of a model: where they come from, who may set them, and that the key is never shown."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

KEY = "sk-secret-0123456789"
ANA = ("--scope", "user:ana")


@pytest.fixture
def configure(home: Path) -> Callable[[str], Path]:
    """Give the function that writes the user's own configuration."""

    def write(text: str) -> Path:
        path = home / "config" / "memorycore" / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    return write


def test_config_shows_the_model_and_where_it_comes_from(
    quick: Run, configure: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = configure('model = "qwen3:8b"\nmodel_url = "http://localhost:11434/v1"\n')
    monkeypatch.setenv("MEMORYCORE_MODEL", "通义千问")
    shown = quick("config", "show", "--origin", "-o", "csv").out

    assert "model,通义千问,MEMORYCORE_MODEL\n" in shown
    assert f"model_url,http://localhost:11434/v1,{path}\n" in shown
    assert "model_key_file,,built-in\n" in shown


@pytest.mark.parametrize("form", ["auto", "json", "jsonl", "csv", "md"])
def test_the_key_is_never_shown(quick: Run, configure: Any, form: str) -> None:
    configure(f'model_key = "{KEY}"\n')
    shown = quick("config", "show", "--origin", "-o", form).out

    assert KEY not in shown
    assert "set; never shown" in shown


@pytest.mark.parametrize("name", ["model", "model_url", "model_key", "model_key_file"])
def test_a_project_cannot_say_which_model_reads(quick: Run, home: Path, name: str) -> None:
    (home / "memorycore.toml").write_text(f'{name} = "http://elsewhere.test/v1"\n')
    failed = quick("learn", *ANA)

    assert failed.code == 2
    assert f"sets {name}, which a project may not" in failed.err
    assert "must not send your conversations anywhere" in failed.err
    assert "elsewhere.test" not in failed.err
    assert str(home / "config" / "memorycore" / "config.toml") in failed.err


def test_a_configured_model_sends_nothing_unless_the_call_says_so(
    talks: Run, configure: Any
) -> None:
    configure('model = "gone"\nmodel_url = "http://127.0.0.1:9/v1"\n')

    assert talks("learn", *ANA).code == 0


def test_a_model_without_an_address_is_told_where_to_put_one(talks: Run, home: Path) -> None:
    failed = talks("learn", *ANA, "--model", "qwen3:8b")

    assert failed.code == 2
    assert "The model qwen3:8b has no address." in failed.err
    for way in ("--model-url http://localhost:11434/v1", "MEMORYCORE_MODEL_URL", "config.toml"):
        assert way in failed.err


def test_a_model_without_a_name_is_told_how_to_name_one(talks: Run) -> None:
    failed = talks("learn", "--model", *ANA)

    assert failed.code == 2
    assert "No model is configured." in failed.err
    assert "MEMORYCORE_MODEL" in failed.err


@pytest.fixture
def asked(serve: Any, configure: Any) -> list[dict[str, Any]]:
    """Configure an endpoint that finds nothing, and give what it was asked."""
    seen: list[dict[str, Any]] = []

    def script(handler: Any, request: dict[str, Any]) -> None:
        seen.append({"model": request["model"], "key": handler.headers.get("authorization")})
        handler.say('{"candidates": []}')

    url = serve(script)
    configure(f'model = "qwen3:8b"\nmodel_url = "{url}"\nmodel_key = "from-the-file"\n')
    return seen


@pytest.mark.allow_hosts(["127.0.0.1"])
class TestAsking:
    """What an endpoint gets to see of the settings."""

    def test_the_configured_model_is_asked_where_no_name_follows(
        self, talks: Run, asked: list[dict[str, Any]]
    ) -> None:
        assert talks("learn", "--model", *ANA).code == 0
        assert asked[0] == {"model": "qwen3:8b", "key": "Bearer from-the-file"}

    def test_a_name_in_the_call_comes_first(self, talks: Run, asked: Any) -> None:
        assert talks("learn", *ANA, "--model", "other").code == 0
        assert asked[0]["model"] == "other"

    def test_a_key_of_the_environment_comes_before_that_of_the_file(
        self, talks: Run, asked: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MEMORYCORE_MODEL_KEY", KEY)
        talks("learn", *ANA, "--model")
        assert asked[0]["key"] == f"Bearer {KEY}"

    def test_a_key_file_comes_before_a_key_at_the_same_place(
        self, talks: Run, asked: Any, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (home / "key").write_text("in-a-file\n")
        monkeypatch.setenv("MEMORYCORE_MODEL_KEY", KEY)
        monkeypatch.setenv("MEMORYCORE_MODEL_KEY_FILE", "~/key")
        talks("learn", *ANA, "--model")
        assert asked[0]["key"] == "Bearer in-a-file"


def test_a_key_file_that_cannot_be_read_is_named_by_its_setting(
    talks: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORYCORE_MODEL_KEY_FILE", "/nowhere/key")
    failed = talks("learn", *ANA, "--model", "m", "--model-url", "http://127.0.0.1:9/v1")

    assert failed.code == 2
    assert "MEMORYCORE_MODEL_KEY_FILE" in failed.err

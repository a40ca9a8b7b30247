"""Texts are read through the view that knows what was struck; only what forgets reads past it."""

import ast
from pathlib import Path

import memorycore.store

STORE = Path(memorycore.store.__file__).parent
READS_PAST = {
    "digests": "compares rows with their digests, and gives numbers only",
    "episode_rows": "puts texts in",
    "erase": "takes texts away, and writes what is shown of them",
    "hidden_names": "asks which names are said in what is hidden",
    "guard": "may use no view inside a view; it asks for what is shown itself",
    "reach": "finds what is to be forgotten, hidden or not",
    "soundness": "counts what does not fit, and gives numbers only",
    "struck": "writes what is shown of texts",
    "stray_names": "asks whether a name was said elsewhere, hidden or not",
}


def modules_that_name(table: str) -> set[str]:
    """List the modules of the store that name a table in a text of theirs."""
    found = set()
    for path in STORE.glob("*.py"):
        texts = (
            node.value
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        )
        if any(table in text for text in texts):
            found.add(path.stem)
    return found


def test_only_what_forgets_reads_texts_past_what_was_struck() -> None:
    assert modules_that_name("episode_texts") == set(READS_PAST)

"""What is read of another system's memory: episodes, and candidates that rest on them."""

from dataclasses import dataclass

from memorycore.model.candidate import Candidate, Problem
from memorycore.model.draft import Draft

REF = "mem0:"
"""What the names of memories begin with, by which others are linked to them."""
SHAPES = {
    "MX-1": "a point dump, one point a line",
    "MX-2": "the results of get_all",
    "MX-3": "a page of the platform",
    "MX-4": "the Markdown of the plugin",
    "MX-5": "an import list",
    "MX-6": "rows of the history",
    "MX-7": "the result of an add",
}
"""The shapes in which Mem0 gives its memories away."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """One memory, or one change of it, as it is taken in.

    ``place`` says where it stands and ``shape`` in which of the shapes. The quotes of
    ``candidates`` name the ``drafts`` they rest on by their ids at the source; their links name
    other candidates by ``ref``. ``problems`` tell what was left out or could not be told.
    """

    place: str
    shape: str
    drafts: tuple[Draft, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    problems: tuple[Problem, ...] = ()

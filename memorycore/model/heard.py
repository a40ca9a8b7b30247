"""What was heard: one turn as a proposer that reads speech needs it."""

from dataclasses import dataclass

from memorycore.model.time import Moment


@dataclass(frozen=True, slots=True)
class Heard:
    """A turn: its words, who said them and when.

    ``zone`` is where relative days are counted; turns of one ``session`` are one conversation.
    """

    episode: str
    text: str
    role: str = "user"
    speaker: str | None = None
    said_at: Moment | None = None
    zone: str = "UTC"
    session: int | None = None

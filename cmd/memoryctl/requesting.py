"""Packets for those who run the model elsewhere: printed, and nothing else is done with them."""

from typing import Any

from memorycore import Memory
from memoryctl.deciding import scope_flag
from memoryctl.options import Settings
from memoryctl.output import counted, form_of, write_json


def write_requests(settings: Settings, memory: Memory, which: dict[str, Any]) -> None:
    """Print a packet a line, whatever the form; JSON gets all of them in one document."""
    wanted = {name: which[name] for name in ("since", "session", "limit", "additive", "context")}
    lines = memory.requests(**wanted)
    count = turns = 0
    kept = []
    for line in lines:
        count += 1
        turns += len(line["packet"]["turns"])
        if form_of(settings) == "json":
            kept.append(line)
        else:
            write_json(settings, line)
    if form_of(settings) == "json":
        write_json(settings, {"schema": "memorycore.packets.v1", "ok": True, "packets": kept})
    settings.talk(
        f"{counted(count, 'packet')} of {counted(turns, 'turn')}; nobody was asked, and nothing"
        " was written."
    )
    if count:
        settings.talk(f"Next: memoryctl propose --from ANSWERS.jsonl{scope_flag(settings)}")

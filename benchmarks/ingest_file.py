"""Read one large file of JSON lines into a fresh store, and say how much memory that took."""

import json
import resource
import sys
import time

from memorycore import Memory
from memorycore.port.lines import open_input
from memorycore.port.readers import Reading, read_records


def peak_bytes() -> int:
    """Give the most memory that this process has had at once."""
    try:
        # Not getrusage: on Linux a child's figure starts with what its parent had.
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main(file: str, store: str) -> None:
    """Take the file in and print a JSON object."""
    with Memory.open(store) as memory, open_input(file) as stream:
        result = memory.ingest(read_records(stream, "jsonl", Reading(file)))
    print(json.dumps({"stored": result.stored, "peak": peak_bytes(), "cpu": time.process_time()}))


if __name__ == "__main__":
    main(*sys.argv[1:3])

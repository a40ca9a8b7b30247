"""Read one large Mem0 export into a job of a fresh store, and say how much memory that took."""

import json
import sys
import time

from ingest_file import peak_bytes

from memorycore import Memory


def main(file: str, store: str) -> None:
    """Read the file in and print a JSON object."""
    with Memory.open(store) as memory:
        job = memory.import_(file, format="mem0")
    cpu = time.process_time()
    print(json.dumps({"stored": job.at.total, "peak": peak_bytes(), "cpu": cpu}))


if __name__ == "__main__":
    main(*sys.argv[1:3])

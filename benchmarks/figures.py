"""What a benchmark gives: figures with targets, made from CPU times.

A figure is a ratio (or a size) within one run, so that it says the same on any machine. Times are
CPU times of the process, which other load on the machine changes little.
"""

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure. Without a target it is there for orientation only.

    ``beside`` holds absolute values of this machine and this run: no claim, just orientation.
    """

    benchmark: str
    what: str
    value: float
    target: float | None
    unit: str = "×"
    beside: str = ""

    @property
    def verdict(self) -> str:
        if self.target is None:
            return "-"
        return "ok" if self.value <= self.target else "MISS"

    def to_dict(self) -> dict[str, Any]:
        """Give the figure in the shape of the report."""
        return asdict(self) | {"verdict": self.verdict}


def cpu_time(work: Callable[[], object]) -> float:
    """Measure the CPU time of some work, with our own data out of the collector's sight."""
    gc.collect()
    gc.freeze()
    try:
        started = time.process_time()
        work()
        return time.process_time() - started
    finally:
        gc.unfreeze()


def compare(
    ours: Callable[[], float], other: Callable[[], float], *, repeat: int
) -> tuple[float, float, float]:
    """Measure two things in turns; give the median ratio of the pairs and both median times."""
    pairs = [(ours(), other()) for _ in range(repeat)]
    ratio = statistics.median(a / b for a, b in pairs)
    return (
        ratio,
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Give the value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

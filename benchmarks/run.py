"""Run the benchmarks: ``python benchmarks/run.py [--quick] [NAME…] [--report FILE]``."""

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[1:1] = [str(ROOT), str(ROOT / "cmd")]

import admitting  # noqa: E402
import apsw  # noqa: E402
import believing  # noqa: E402
import doctoring  # noqa: E402
import forgetting  # noqa: E402
import importing  # noqa: E402
import keeping  # noqa: E402
import reading  # noqa: E402
import waiting  # noqa: E402
import whole  # noqa: E402
import writing  # noqa: E402
from figures import Figure  # noqa: E402
from stores import Workshop  # noqa: E402

Benchmark = Callable[..., Iterator[Figure]]
BENCHMARKS: dict[str, Benchmark] = {
    "bulk": writing.bulk,
    "growth": writing.growth,
    "single": writing.single,
    "scope": reading.scope,
    "questions": reading.questions,
    "process": whole.process,
    "disk": whole.disk,
    "memory": whole.memory,
    "admit": admitting.admit,
    "versions": believing.versions,
    "facts-growth": believing.facts_growth,
    "forget-one": forgetting.forget_one,
    "purge": forgetting.purge,
    "erase": forgetting.erase,
    "import": importing.import_lines,
    "import-memory": importing.import_memory,
    "waiting": waiting.waiting,
    "backup": keeping.backup,
    "doctor": doctoring.doctor,
}


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help="smaller stores, fewer repetitions")
    parser.add_argument("--report", metavar="FILE", help="write the figures as JSON too")
    parser.add_argument("--work", metavar="DIR", help="keep stores there, and use them again")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in BENCHMARKS]:
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    return arguments


def show(figure: Figure) -> None:
    """Print one line of the table."""
    target = "" if figure.target is None else f"<= {figure.target:g}"
    value = f"{figure.value:.2f} {figure.unit}"
    print(
        f"{figure.benchmark:<12} {figure.what:<48} {value:>17} {target:>8}  "
        f"{figure.verdict:<5} {figure.beside}",
        flush=True,
    )


def write_report(path: str, figures: list[Figure], *, quick: bool) -> None:
    """Write the figures and what they were measured with."""
    report = {
        "quick": quick,
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "figures": [figure.to_dict() for figure in figures],
    }
    Path(path).write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", "utf-8")


def main() -> int:
    """Run what was asked for; 1 when a target is missed."""
    arguments = read_arguments()
    shop = Workshop(arguments.work)
    figures: list[Figure] = []
    try:
        for name in arguments.names or BENCHMARKS:
            for figure in BENCHMARKS[name](shop, quick=arguments.quick):
                show(figure)
                figures.append(figure)
    finally:
        shop.close()
    if arguments.report:
        write_report(arguments.report, figures, quick=arguments.quick)
    return int(any(figure.verdict == "MISS" for figure in figures))


if __name__ == "__main__":
    sys.exit(main())

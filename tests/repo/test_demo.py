"""The demo runs as it stands, and shows each thing that can become of a candidate."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_demo_learns_from_what_was_said_and_ends_in_searches(tmp_path: Path) -> None:
    command = tmp_path / "memoryctl"
    start = "from memoryctl.main import main; main()"
    command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{start}' \"$@\"\n", "utf-8")
    command.chmod(0o755)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "cmd")]),
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        ["sh", str(ROOT / "scripts" / "demo.sh"), str(command)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert {line.split("\t")[0] for line in lines if "\t" in line} >= {"add", "supersede", "review"}
    assert any(line.endswith("only an assistant, a tool or the system said so") for line in lines)
    assert "Mia lives_in Leeds\t2025-02-11T19:00:00+00:00\t2025-05" in lines
    assert "fact\t2025-05\tMia lives_in Porto" in lines
    assert any("医生说是甲壳类过敏" in line for line in lines)

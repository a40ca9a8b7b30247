"""Small file systems, for what happens when there is no room."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def make_disk(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Give the function that makes a file system of some megabytes; skip where none can be."""
    place = tmp_path / "disk"

    def make(megabytes: int, *, ballast: int = 0) -> Path:
        """Mount it, with a file of ``ballast`` bytes in it that can be removed."""
        place.mkdir()
        size = f"size={megabytes}m"
        try:
            done = subprocess.run(
                ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(place)], capture_output=True
            )
        except OSError as error:
            pytest.skip(f"no mount: {error}")
        if done.returncode:
            pytest.skip("a small file system cannot be mounted here")
        if ballast:
            (place / "ballast").write_bytes(b"x" * ballast)
        return place

    yield make
    if place.is_mount():
        subprocess.run(["umount", str(place)], check=True)

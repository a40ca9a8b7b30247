"""Write memorycore/model/han_folding.txt: traditional characters and their simplified forms.

Needs the development dependency opencc. The first line is the version of the table; raise it by
hand when the content changes, because every store keeps the version that its index was built with.
"""

import sys
from pathlib import Path

from opencc import OpenCC

TARGET = Path(__file__).parent.parent / "memorycore" / "model" / "han_folding.txt"
HAN_BLOCKS = (
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0x20000, 0x323B0),
)


def main(version: str) -> None:
    convert = OpenCC("t2s").convert
    pairs = [(chr(code), convert(chr(code))) for block in HAN_BLOCKS for code in block]
    changed = [(old, new) for old, new in pairs if old != new and len(new) == 1]
    old_line = "".join(old for old, _ in changed)
    new_line = "".join(new for _, new in changed)
    TARGET.write_text(f"{version}\n{old_line}\n{new_line}\n", encoding="utf-8")
    print(f"{len(changed)} characters, version {version}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "1")

"""Receipts as one page that can be printed: it needs nothing from elsewhere."""

from collections.abc import Sequence
from html import escape

from memorycore import Receipt
from memoryctl.forgotten import card_of

HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Receipts of what was forgotten</title>
<style>
body { font: 11pt/1.4 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse; width: 100% }
th, td { border: 1px solid #999; padding: .3em .5em; text-align: left; vertical-align: top }
code, pre { font: 9pt/1.3 monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 }
tr { break-inside: avoid }
</style></head><body>
<h1>Receipts of what was forgotten</h1>
<p>They say when what was forgotten, how far and why. They hold no content, and no hash of any.
Each entry of their chain holds the hash of the one before; the last hash of each is given.</p>
<table><thead><tr><th>Receipt</th><th>When</th><th>By</th><th>What</th><th>Hash</th></tr></thead>
<tbody>
"""
FOOT = "</tbody></table>\n</body></html>\n"


def write_page(receipts: Sequence[Receipt]) -> str:
    """Write receipts as one HTML page, oldest first."""
    rows = "".join(_row(receipt) for receipt in reversed(receipts))
    return HEAD + rows + FOOT


def _row(receipt: Receipt) -> str:
    shape = receipt.to_dict()
    cells = (
        f"<code>{escape(receipt.id)}</code>",
        escape(shape["at"]),
        escape(receipt.actor),
        f"<pre>{escape(chr(10).join(card_of(receipt)))}</pre>",
        f"<code>{escape(shape['hash'])}</code>",
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"

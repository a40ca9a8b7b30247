"""Sizes as people read them."""


def megabytes(size: int) -> str:
    """Write bytes as megabytes, small ones with a digit after the point."""
    return f"{size / 1e6:,.0f} MB" if size >= 10_000_000 else f"{size / 1e6:,.1f} MB"

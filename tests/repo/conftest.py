"""An option that rewrites the generated pages instead of comparing them."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-docs", action="store_true", help="rewrite the generated pages")

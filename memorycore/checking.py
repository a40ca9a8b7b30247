"""Checking what memorycore leans on: for now the endpoint of a model."""

from memorycore.model.check import Check


def check_model(
    name: str, base_url: str, *, key: str | None = None, timeout_s: float = 120.0
) -> list[Check]:
    """Try out a model at an OpenAI-compatible endpoint, by questions that tell nothing of anybody.

    The first check is called ``reachable``; where it fails, the others are off.

    Raises:
        InvalidConfigError: the endpoint is no URL, or a package for asking is missing.
    """
    from memorycore.port.model_probe import probe
    from memorycore.port.model_wire import Endpoint, Patience

    return probe(Endpoint(base_url, name, key, timeout_s), patience=Patience(attempts=2))

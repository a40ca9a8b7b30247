"""One who asks a model at an endpoint, and keeps in mind in which manner it answers."""

from typing import TYPE_CHECKING, Any

from memorycore.errors import InvalidInputError, OutputTruncatedError
from memorycore.port.model_client import Endpoint, Manner, Message, Patience, ask
from memorycore.port.model_wire import PATIENCE

if TYPE_CHECKING:
    import httpx2


def make_endpoint(
    model: str | None, base_url: str | None, key: str | None, **limits: Any
) -> Endpoint:
    """Make an endpoint of what a caller gave.

    ``limits`` are ``timeout_s`` and ``max_tokens``; ``None`` is what is usual.

    Raises:
        InvalidInputError: its name or address is missing.
        InvalidConfigError: it can be no endpoint.
    """
    if model is None or base_url is None:
        raise InvalidInputError(
            "A model needs a name and an endpoint.",
            hint="--model NAME --model-url http://localhost:11434/v1",
        )
    told = {name: value for name, value in limits.items() if value is not None}
    return Endpoint(base_url, model, key, **told)


class Asker:
    """Asks one endpoint for whole answers; nothing is opened until something is asked."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        patience: Patience = PATIENCE,
        transport: "httpx2.BaseTransport | None" = None,
    ) -> None:
        self.endpoint = endpoint
        self._manner = Manner()
        self._patience = patience
        self._transport = transport

    def _ask_whole(self, messages: list[Message], schema: dict[str, Any]) -> str:
        """Give the text of an answer.

        Raises:
            ModelError: the endpoint failed, or its answer breaks off.
        """
        reply = ask(
            self.endpoint,
            messages,
            schema,
            manner=self._manner,
            patience=self._patience,
            transport=self._transport,
        )
        if reply.is_truncated:
            raise OutputTruncatedError(
                f"{self.endpoint.name} breaks off its answer.", hint="a larger max_tokens"
            )
        return reply.text.strip()

"""The wire to a model endpoint: one request, bounded in bytes and seconds, tried a few times.

What went wrong is told by the endpoint and the cause. The key, what was asked and what was
answered never stand in an error: a server's own words may hold all three.
"""

import logging
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memorycore.errors import (
    InvalidConfigError,
    InvalidInputError,
    ModelBusyError,
    ModelError,
    ModelFaultError,
    ModelRefusedError,
    ModelUnreachableError,
    PacketTooLargeError,
)
from memorycore.exchange.reading import parse_json

if TYPE_CHECKING:
    import httpx2

MAX_BYTES = 8 * 1024 * 1024
"""What one answer may weigh. No list of candidates comes near it."""
MAX_CONNECT = 10.0
RETRIED = (408, 429, 500, 502, 503, 504, 520, 522, 524, 529)
LOCAL = ("localhost", "127.0.0.1", "::1")

_SILENT = logging.NullHandler()
_KEY = re.compile(r"[\x21-\x7e]*\Z")
_CODE = re.compile(r"[a-z][a-z0-9_.-]{1,40}\Z")
_FORMAT = re.compile("response_format|json_schema|json_object|schema|grammar|structured")
_TOO_LARGE = re.compile(
    r"context[ _](?:length|window|size)|maximum context|too many tokens"
    r"|exceed.{0,40}(?:context|token)"
    r"|(?:prompt|input|request) (?:is )?too (?:long|large)"
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint, such as ``http://localhost:11434/v1``, and a model there.

    ``timeout_s`` is for a whole answer, ``max_tokens`` for its length.
    """

    base_url: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout_s: float = 120.0
    max_tokens: int = 4096

    def __post_init__(self) -> None:
        """Refuse what can be no endpoint.

        Raises:
            InvalidConfigError: the message never holds the key.
        """
        try:
            parts = urlsplit(self.base_url)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise InvalidConfigError("The model endpoint is no URL.") from error
        hint = "http://localhost:11434/v1"
        if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
            raise InvalidConfigError("The model endpoint is no plain http(s) URL.", hint=hint)
        if parts.username is not None or parts.password is not None:
            raise InvalidConfigError("The model endpoint holds a password; give it as the key.")
        if not self.model.strip():
            raise InvalidConfigError("No model is named for the model endpoint.")
        if self.key is not None and not _KEY.match(self.key):
            raise InvalidConfigError("The key of the model endpoint holds a blank or line end.")
        if not self.timeout_s > 0 or self.max_tokens < 1:
            raise InvalidConfigError("timeout and max_tokens of the model must be above 0.")

    @property
    def name(self) -> str:
        """Name it for people."""
        return f"{self.base_url.rstrip('/')} ({self.model})"

    @property
    def is_local(self) -> bool:
        """Tell whether it runs on this machine."""
        return urlsplit(self.base_url).hostname in LOCAL


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is tried, and the seconds waited in between.

    ``longest`` caps what a server may ask for by Retry-After.
    """

    attempts: int = 4
    initial: float = 1.0
    longest: float = 30.0
    jitter: float = 1.0


PATIENCE = Patience()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, whole: the status, the object in the body, and how long it took."""

    status: int
    body: dict[str, Any]
    ms: int


class _PassingError(Exception):
    """A failure that may pass, with the error that it is if it does not."""

    def __init__(self, error: ModelError, wait: float | None = None) -> None:
        super().__init__(error.why or error.code)
        self.error = error
        self.wait = wait


def post(
    endpoint: Endpoint,
    body: dict[str, Any],
    *,
    patience: Patience = PATIENCE,
    transport: "httpx2.BaseTransport | None" = None,
) -> Answer:
    """Ask for a chat completion; what fails in passing is tried again.

    Gives answers of status 200 and those of 400, 422 and 500 that a caller may want to judge.

    Raises:
        ModelError: the endpoint could not be asked, or declined.
    """
    try:
        import stamina
    except ImportError as error:
        raise _missing() from error
    # Without a handler of the program's own, each retry would be printed over what it prints.
    logging.getLogger("stamina").addHandler(_SILENT)
    attempts = stamina.retry_context(
        on=lambda error: _wait_for(error, patience),
        attempts=patience.attempts,
        timeout=None,
        wait_initial=patience.initial,
        wait_max=patience.longest,
        wait_jitter=patience.jitter,
    )
    try:
        for attempt in attempts:
            with attempt:
                return _post_once(endpoint, body, transport)
    except _PassingError as error:
        raise error.error from None
    raise AssertionError("unreachable: the last attempt returns or raises")


def _missing() -> InvalidConfigError:
    hint = "pip install 'memorycore[model]'"
    return InvalidConfigError("Asking a model needs packages that are not installed.", hint=hint)


def _wait_for(error: Exception, patience: Patience) -> bool | float:
    if not isinstance(error, _PassingError):
        return False
    return True if error.wait is None else min(error.wait, patience.longest)


def _post_once(
    endpoint: Endpoint, body: dict[str, Any], transport: "httpx2.BaseTransport | None"
) -> Answer:
    try:
        import httpx2
    except ImportError as error:
        raise _missing() from error
    headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    timeout = httpx2.Timeout(endpoint.timeout_s, connect=min(MAX_CONNECT, endpoint.timeout_s))
    began = time.monotonic()
    try:
        with (
            _deadline(endpoint.timeout_s) as clock,
            httpx2.Client(
                headers=headers,
                timeout=timeout,
                transport=transport,
                trust_env=not endpoint.is_local,
                follow_redirects=False,
            ) as client,
            client.stream(
                "POST",
                endpoint.base_url.rstrip("/") + "/chat/completions",
                json=body,
                extensions={"trace": clock.trace},
            ) as response,
        ):
            raw = _read_all(response.iter_bytes(), endpoint, clock)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        too_late = time.monotonic() - began >= endpoint.timeout_s
        raise _transport_error(endpoint, error, too_late=too_late) from None
    ms = round((time.monotonic() - began) * 1000)
    return _judge(endpoint, response, raw, ms)


class _Clock:
    """Cuts a connection when its time is up, wherever the other side keeps it waiting."""

    def __init__(self, seconds: float) -> None:
        self.ends = time.monotonic() + seconds
        self._sockets: list[socket.socket] = []

    def trace(self, event: str, info: dict[str, Any]) -> None:
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            found = info["return_value"].get_extra_info("socket")
            if isinstance(found, socket.socket):
                self._sockets.append(found)

    def cut(self) -> None:
        for one in self._sockets:
            try:
                socket.socket.shutdown(one, socket.SHUT_RDWR)
            except OSError:
                continue  # closed by then


@contextmanager
def _deadline(seconds: float) -> Iterator[_Clock]:
    clock = _Clock(seconds)
    timer = threading.Timer(seconds, clock.cut)
    timer.daemon = True
    timer.start()
    try:
        yield clock
    finally:
        timer.cancel()


def _read_all(chunks: Iterator[bytes], endpoint: Endpoint, clock: _Clock) -> bytes:
    raw = bytearray()
    for chunk in chunks:
        raw += chunk
        if len(raw) > MAX_BYTES:
            why = f"its answer goes on beyond {MAX_BYTES // 1024**2} MiB"
            raise ModelFaultError(f"{endpoint.name} sends without end.", why=why)
        if time.monotonic() > clock.ends:
            raise _PassingError(_too_slow(endpoint))
    return bytes(raw)


def _too_slow(endpoint: Endpoint) -> ModelError:
    return ModelUnreachableError(
        f"{endpoint.name} did not finish its answer in time.",
        why=f"{endpoint.timeout_s:g} s were over",
        hint="a longer timeout, or smaller packets",
    )


def _transport_error(endpoint: Endpoint, error: Exception, *, too_late: bool) -> Exception:
    import httpx2

    hint = "memoryctl doctor --model"
    if isinstance(error, httpx2.ConnectTimeout | httpx2.ConnectError):
        why = "no connection: nothing listens there, or its name or certificate is unknown"
        found = ModelUnreachableError(f"{endpoint.name} cannot be reached.", why=why, hint=hint)
        return _PassingError(found)
    if too_late or isinstance(error, httpx2.TimeoutException):
        return _PassingError(_too_slow(endpoint))
    if isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError):
        why = "the connection was closed before the answer was whole"
        found = ModelUnreachableError(f"{endpoint.name} broke off.", why=why, hint=hint)
        return _PassingError(found)
    why = f"the exchange failed ({type(error).__name__})"
    return ModelFaultError(f"{endpoint.name} cannot be asked.", why=why, hint=hint)


def _judge(endpoint: Endpoint, response: "httpx2.Response", raw: bytes, ms: int) -> Answer:
    status = response.status_code
    try:
        body = parse_json(raw)
    except InvalidInputError:
        body = None
    if status == 200:
        if not isinstance(body, dict):
            why = "status 200, but the body is no JSON object"
            raise _PassingError(ModelFaultError(f"{endpoint.name} sent no answer.", why=why))
        if body.get("error"):
            why = f"status 200 with an error in it{_code(body, endpoint)}"
            raise ModelFaultError(f"{endpoint.name} failed.", why=why)
        return Answer(status, body, ms)
    shown = body if isinstance(body, dict) else {}
    if status == 429:
        why = f"status 429, too many requests{_code(shown, endpoint)}"
        busy = ModelBusyError(f"{endpoint.name} is busy.", why=why, hint="try again later")
        raise _PassingError(busy, _retry_after(response))
    words = words_of(shown)
    if status in (400, 413, 422) and (status == 413 or _TOO_LARGE.search(words)):
        why = f"status {status}: more than the model can read"
        raise PacketTooLargeError(f"{endpoint.name} declined the request.", why=why)
    if status in (400, 422) or (status in (500, 501) and complains_of_format(words)):
        return Answer(status, shown, ms)
    if status in RETRIED or status >= 500:
        why = f"status {status}{_code(shown, endpoint)}"
        fault = ModelFaultError(f"{endpoint.name} failed.", why=why)
        raise _PassingError(fault, _retry_after(response))
    raise refused(endpoint, status, shown)


def refused(endpoint: Endpoint, status: int, body: dict[str, Any]) -> ModelError:
    """Give the error for a request that was declined."""
    hints: dict[int, str] = {
        401: "check the key",
        403: "check the key and what it is good for",
        404: "check the address (it often ends in /v1) and the name of the model",
    }
    return ModelRefusedError(
        f"{endpoint.name} declined the request.",
        why=f"status {status}{_code(body, endpoint)}",
        hint=hints.get(status, "memoryctl doctor --model"),
    )


def complains_of_format(words: str) -> bool:
    """Tell whether a server's error is about the form of output that was asked for."""
    return _FORMAT.search(words) is not None


def words_of(body: dict[str, Any]) -> str:
    """Give what a server says is wrong, in lower case; it is judged, and never shown."""
    error = body.get("error", body)
    if isinstance(error, dict):
        parts = [error.get(name) for name in ("message", "param", "code", "type", "detail")]
        error = " ".join(str(part) for part in parts if part)
    return str(error)[:4000].lower()


def _code(body: dict[str, Any], endpoint: Endpoint) -> str:
    """Show the machine's code of an error, if it is one: a short word that is no key."""
    error = body.get("error")
    if not isinstance(error, dict):
        return ""
    for code in (error.get("code"), error.get("type")):
        if isinstance(code, str) and _CODE.match(code):
            return "" if endpoint.key and code in endpoint.key else f" ({code})"
    return ""


def _retry_after(response: "httpx2.Response") -> float | None:
    """Read Retry-After: seconds, or a date as seen from the server's own clock."""
    text = response.headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", text):
        return float(text)
    if not text:
        return None
    from email.utils import parsedate_to_datetime

    try:
        then, now = map(parsedate_to_datetime, (text, response.headers.get("date", "")))
        return max(0.0, (then - now).total_seconds())
    except (TypeError, ValueError):
        return None

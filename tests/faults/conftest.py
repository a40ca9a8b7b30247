"""A scripted model endpoint on the loopback address."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Script = Callable[[Any, dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    """Hands each request over to the script of its server."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        request = json.loads(self.rfile.read(length))
        self.close_connection = True
        try:
            self.server.script(self, request)  # type: ignore[attr-defined]
        except OSError:
            return  # the client has gone, as it should

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""

    def answer(self, body: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in ({"content-length": str(len(raw))} | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def say(self, text: str, reason: str = "stop") -> None:
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": reason}
        self.answer({"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 1}})


class Server(ThreadingHTTPServer):
    """A server whose threads end with it."""

    daemon_threads = True
    script: Script

    def handle_error(self, *_: Any) -> None:
        """Let a client that has gone go."""


@pytest.fixture
def serve() -> Iterator[Callable[[Script], str]]:
    """Give the function that starts a server with a script; it gives the address."""
    servers: list[Server] = []

    def start(script: Script) -> str:
        server = Server(("127.0.0.1", 0), Handler)
        server.script = script
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/v1"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()

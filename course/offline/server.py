"""The loopback edge of the offline Messages API: the endpoint, served on 127.0.0.1 for clients in other processes.

The standard library's server, one thread a connection: a slow client holds up nobody but itself.

    with running(Endpoint()) as url:
        client = anthropic.Anthropic(base_url=url, api_key="offline")
"""

from __future__ import annotations

import os
import signal
import socket
import socketserver
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from types import FrameType
from typing import Any, Protocol

from course.errors import SettingsError
from course.offline.handler import Handler
from course.offline.ids import Ids
from course.offline.wire import Request, Response
from course.settings import MODEL
from course.words import _

__all__ = ["Handles", "Server", "running", "serve"]

HOST = "127.0.0.1"  # never another: nothing on the network can reach it


class Handles(Protocol):
    """What can be served: it answers one request, and may be asked from several threads at once."""

    def handle(self, request: Request) -> Response: ...


class Server(ThreadingHTTPServer):
    """An endpoint on a port of 127.0.0.1. `url` is its base URL.

    Raises SettingsError if the port can't be used.
    """

    daemon_threads = True  # an open connection never keeps the program from ending
    request_queue_size = 128
    allow_reuse_address = os.name != "nt"  # on Windows it would let two servers share one port
    allow_reuse_port = False

    def __init__(self, endpoint: Handles, port: int = 0, *, verbose: bool = False) -> None:
        self.endpoint = endpoint
        self.verbose = verbose
        self.ids = Ids()
        self.open_connections: set[socket.socket] = set()
        try:
            super().__init__((HOST, port), Handler)
        except (OSError, OverflowError) as error:
            what = _("Port {port} can't be used: it is taken, or not allowed. Choose another, or 0 for any free one.")
            raise SettingsError(what.format(port=port)) from error
        self.url = f"http://{HOST}:{self.server_address[1]}"

    def server_bind(self) -> None:
        """Bind the port. The base class would also look up this machine's name: slow without a network."""
        socketserver.TCPServer.server_bind(self)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.open_connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.open_connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """Stop listening, and end the connections that clients keep open."""
        super().server_close()
        for connection in list(self.open_connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # its own thread closed it first

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away or falls silent is no fault. Anything else is one of ours: show it."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


@contextmanager
def running(endpoint: Handles, port: int = 0) -> Iterator[str]:
    """Serve `endpoint` in a background thread while the `with` block runs; gives the base URL. Port 0: any free one."""
    with Server(endpoint, port) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), name="course offline server", daemon=True)
        thread.start()
        try:
            yield server.url
        finally:
            server.shutdown()
            thread.join()


def serve(port: int = 0, scenario: str | None = None, lenient: bool = False, verbose: bool = False) -> None:
    """Serve the offline model until Ctrl-C or SIGTERM. The first line printed is the base URL, alone.

    `scenario`: answer by this scenario only, not by whichever fits the prompt. `lenient`: skip the pairing rules, as
    some compatible endpoints do. `verbose`: a line on stderr for each request, without its headers.
    Raises SettingsError if the port can't be used, ScenarioError if the scenario has faults.
    """
    from course.offline.endpoint import Endpoint

    with Server(Endpoint(scenario=scenario, lenient=lenient), port, verbose=verbose) as server:
        try:
            signal.signal(signal.SIGTERM, _interrupt)
            sys.stdout.write(f"{server.url}\n")
            sys.stdout.flush()
            sys.stderr.write(_how_to_use(server.url))
            if lenient:
                sys.stderr.write(_("Lenient: results that are missing or in the wrong place are not refused.") + "\n")
            server.serve_forever()
        except KeyboardInterrupt:
            return


def _how_to_use(url: str) -> str:
    text = _(
        "Set ANTHROPIC_BASE_URL={url} for your client. Any key will do. A model to ask for: {model}. Ctrl-C ends this."
    )
    return text.format(url=url, model=MODEL) + "\n"


def _interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

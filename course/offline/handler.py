"""One connection to the loopback server: HTTP bytes in, a `wire.Request` out of them, and the answer's bytes back.

Nothing of the Messages API is decided here. What never becomes a request (a bad request line, a body that is too large)
is refused in the API's own shape, so that each client finds the error it knows how to read.
"""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from course.offline import answers
from course.offline.rules.size import MOST_BYTES
from course.offline.wire import ApiFault, ConnectionCut, Request, Response

if TYPE_CHECKING:
    from course.offline.server import Server

__all__ = ["Handler"]

IDLE = 60.0  # seconds that a client may keep silent, or leave what we send unread
HOLD = 5.0  # seconds that a scripted timeout keeps the line open, for a client that sets no timeout of its own
LINGER = 2.0  # seconds of silence after which the rest of a refused body is no longer waited for
SIZE_LINE = re.compile(rb"([0-9a-fA-F]{1,15})[ \t]*(?:;[^\r\n]*)?\r\n")  # before each chunk; its size is hexadecimal
TRAILER = re.compile(rb"[^\s:]+:[^\r\n]*\r\n")
MOST_TRAILERS = 100
LONGEST_LINE = 1024  # bytes of such a line


class Handler(BaseHTTPRequestHandler):
    """Reads requests from one connection and answers each, until one side closes it."""

    protocol_version = "HTTP/1.1"  # keep-alive
    default_request_version = "HTTP/1.0"  # of a request line without a version; the base class would send it no head
    disable_nagle_algorithm = True  # each event of a stream leaves at once
    wbufsize = -1  # the head and the first chunk leave in one packet: sent when flushed
    timeout = IDLE

    def answer(self) -> None:
        """Answer one request, whatever its method: which methods a path takes is the endpoint's to say."""
        body = self.read_chunks() if "transfer-encoding" in self.headers else self.read_body()
        if body is None:
            return
        names = {name.lower() for name in self.headers}
        headers = {name: ", ".join(self.headers.get_all(name, [])) for name in names}
        try:
            self.send(self.ask(Request(self.command, self.path, headers, body)))
        except ConnectionCut as cut:
            self.close_connection = True
            if cut.timeout:
                self.hold()

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = (
        answer  # the names that the base class looks for
    )

    @property
    def offline_server(self) -> Server:
        return cast("Server", self.server)

    def ask(self, request: Request) -> Response:
        """The endpoint's response; if it fails by a fault of ours, that is shown here, and is a 500 for the client."""
        try:
            return self.offline_server.endpoint.handle(request)
        except ConnectionCut:
            raise
        except Exception:
            self.server.handle_error(self.request, self.client_address)
            return self.refusal(500, "Internal server error", "api_error")

    def read_body(self) -> bytes | None:
        """The body, or None if the request was refused for its length."""
        length = self.body_length()
        if length is None:
            return None
        body = self.rfile.read(length)
        if len(body) < length:
            self.refuse(400, "The request body is shorter than its content-length.")
            return None
        return body

    def read_chunks(self) -> bytes | None:
        """A body whose length the client did not know when it began (curl -T -, a generator), or None if it was refused."""
        body = bytearray()
        encodings = [name.strip().lower() for name in self.headers.get_all("transfer-encoding", [])]
        known = encodings == ["chunked"] and "content-length" not in self.headers
        while known and (line := SIZE_LINE.fullmatch(self.rfile.readline(LONGEST_LINE))):
            size = int(line[1], 16)
            if len(body) + size > MOST_BYTES:
                self.refuse_large(MOST_BYTES)
                return None
            body += self.rfile.read(size)
            ends = [self.rfile.readline(LONGEST_LINE)]
            while size == 0 and len(ends) < MOST_TRAILERS and TRAILER.fullmatch(ends[-1]):
                ends.append(self.rfile.readline(LONGEST_LINE))  # headers that come after the body: read and forgotten
            if ends[-1] != b"\r\n":
                break
            if size == 0:
                return bytes(body)
        self.refuse(400, "The chunked request body is not valid.")
        return None

    def body_length(self) -> int | None:
        """How many bytes of body follow, or None if the request was refused for what it says of them."""
        lengths = set(self.headers.get_all("content-length", ["0"]))
        text = lengths.pop()
        if lengths or not (text.isascii() and text.isdigit() and len(text) < 19):
            self.refuse(400, "The content-length header is not valid.")
            return None
        if int(text) > MOST_BYTES:
            self.refuse_large(int(text))
            return None
        return int(text)

    def handle_expect_100(self) -> bool:
        """Before it sends a large body, curl asks whether it may: yes, unless the length alone is refused."""
        if "transfer-encoding" not in self.headers and self.body_length() is None:
            return False
        go_on = super().handle_expect_100()
        self.wfile.flush()
        return go_on

    def send(self, response: Response) -> None:
        """Send the response: a stream chunk by chunk, anything else whole, with its length."""
        chunks = iter(response.chunks)
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            body = b"".join(chunks)
            self.send_head(response, {"content-length": str(len(body))})
            self.wfile.write(b"" if self.command == "HEAD" else body)
            self.wfile.flush()
            return
        first = next(chunks, b"")  # before the head: a connection that is cut here has sent nothing
        framed = self.request_version >= "HTTP/1.1"  # HTTP/1.0 has no chunks: the stream ends with the connection
        self.send_head(response, {"transfer-encoding": "chunked"} if framed else {})
        for chunk in chain([first], chunks):
            if chunk:  # an empty chunk would end the body
                self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk) if framed else chunk)
                self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n" if framed else b"")

    def send_head(self, response: Response, framing: Mapping[str, str]) -> None:
        """Send the status and the headers, in one piece; `framing` tells where the body ends."""
        headers = {"date": self.date_time_string(), **response.headers, **framing}
        if self.close_connection or self.request_version < "HTTP/1.1":
            self.close_connection = True
            headers["connection"] = "close"
        phrase = self.responses.get(response.status, ("",))[0]
        lines = [f"{self.protocol_version} {response.status} {phrase}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.wfile.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        self.log_access(response.status)

    def refuse(self, status: int, message: str, type: str = "invalid_request_error") -> None:
        """Answer with an error. Then close: where the next request would start is not known."""
        self.close_connection = True
        self.send(self.refusal(status, message, type))

    def refuse_large(self, length: int) -> None:
        """Answer that the body is too large. `length`: how much of it may still come, in bytes."""
        self.refuse(413, "Request exceeds the maximum size", "request_too_large")
        self.discard(length)

    def refusal(self, status: int, message: str, type: str) -> Response:
        """An error in the API's shape."""
        request_id = self.offline_server.ids.for_request(b"refused")("req_011C")
        return answers.error(ApiFault(message, status=status, type=type), request_id)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Called by the base class for what is not HTTP as it should be."""
        status = HTTPStatus.METHOD_NOT_ALLOWED if code == HTTPStatus.NOT_IMPLEMENTED else HTTPStatus(code)
        not_http = f"The request is not valid HTTP: {status.phrase}."
        self.refuse(status, "Method Not Allowed" if status == HTTPStatus.METHOD_NOT_ALLOWED else not_http)

    def discard(self, length: int) -> None:
        """Read and forget what is left of a refused body: closing at once would destroy the answer on its way.

        At most `MOST_BYTES` more bytes; a client that sends on after that loses the connection.
        """
        self.connection.settimeout(LINGER)
        self.connection.shutdown(socket.SHUT_WR)
        left = min(length, MOST_BYTES + 1024 * 1024)
        while left > 0:
            got = len(self.rfile.read1(min(left, 65536)))
            if not got:
                return
            left -= got

    def hold(self) -> None:
        """Say nothing until the client hangs up, or for `HOLD` seconds."""
        self.connection.settimeout(HOLD)
        self.connection.recv(1)

    def log_access(self, status: int) -> None:
        """With --verbose, one line a request: method, path, status. Never a header: they hold keys."""
        if self.offline_server.verbose:
            path = getattr(self, "path", "-").partition("?")[0]
            line = ascii(f"{self.command or '-'} {path} {status}")[1:-1]  # no control character reaches the terminal
            sys.stderr.write(f"{line}\n")

    def log_message(self, format: str, *args: Any) -> None:
        """The base class's own log lines quote what the client sent; none is written."""

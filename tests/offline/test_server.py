"""The loopback edge alone: what it makes of HTTP, with a small endpoint behind it. The real clients: tests/clients."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

import pytest

from course.errors import SettingsError
from course.offline import handler
from course.offline.server import Server, running
from course.offline.wire import ConnectionCut, Request, Response
from course.settings import MODEL

STREAM = {"content-type": "text/event-stream; charset=utf-8"}
LARGEST = 32 * 1024 * 1024


class Echo:
    """Answers each request with what it was; `requests` holds them."""

    def __init__(self, answer: Callable[[Request], Response] | None = None) -> None:
        self.requests: list[Request] = []
        self.answer = answer

    def handle(self, request: Request) -> Response:
        self.requests.append(request)
        if self.answer is not None:
            return self.answer(request)
        seen = {"method": request.method, "path": request.path, "body": request.body.decode("latin-1")}
        return Response(200, {"content-type": "application/json"}, [json.dumps(seen).encode()])


def streaming(*chunks: bytes | Exception) -> Echo:
    def events() -> Iterator[bytes]:
        for chunk in chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    return Echo(lambda request: Response(200, STREAM, events()))


def connect(url: str) -> socket.socket:
    return socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=10)


def exchange(url: str, sent: bytes, *, end: bool = False) -> bytes:
    """Send these bytes, and read until the server closes. end: say that nothing more will be sent."""
    with connect(url) as line:
        line.sendall(sent)
        if end:
            line.shutdown(socket.SHUT_WR)
        received = b""
        while part := line.recv(65536):
            received += part
    return received


def post(*headers: str, body: bytes = b"{}", method: str = "POST", version: str = "HTTP/1.1") -> bytes:
    lines = [f"{method} /v1/messages {version}", "Host: x", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def refusal(answer: bytes) -> tuple[int, str, str]:
    """The status, type and message of an error in the API's shape."""
    head, body = answer.split(b"\r\n\r\n", 1)
    told = json.loads(body)
    assert told["type"] == "error" and told["request_id"].startswith("req_011C")
    assert f"request-id: {told['request_id']}".encode() in head
    return status(answer), told["error"]["type"], told["error"]["message"]


def works(url: str) -> bool:
    answer = exchange(url, post("content-length: 2", "connection: close"))
    return status(answer) == 200


@pytest.fixture
def echo() -> Echo:
    return Echo()


@pytest.fixture
def url(echo: Echo) -> Iterator[str]:
    with running(echo) as url:
        yield url


# What the endpoint is given, and what comes back


def test_it_listens_on_loopback_only(echo: Echo) -> None:
    with Server(echo) as server:
        assert server.server_address[0] == "127.0.0.1"
        assert server.url == f"http://127.0.0.1:{server.server_address[1]}"


def test_the_endpoint_gets_the_request_with_lower_case_headers(url: str, echo: Echo) -> None:
    beta = ("Anthropic-Beta: one", "Anthropic-Beta: two")
    raw = post("X-API-Key: k", *beta, "Content-Length: 3", "Connection: close", body=b"\xff{}")
    exchange(url, raw.replace(b"/v1/messages", b"/v1/messages?beta=true"))
    headers = {
        "host": "x",
        "x-api-key": "k",
        "anthropic-beta": "one, two",
        "content-length": "3",
        "connection": "close",
    }
    assert echo.requests == [Request("POST", "/v1/messages?beta=true", headers, b"\xff{}")]


def test_the_status_headers_and_body_of_the_response_arrive() -> None:
    teapot = Response(529, {"content-type": "application/json", "request-id": "req_1"}, [b'{"a":', b"1}"])
    with (
        running(Echo(lambda request: teapot)) as url,
        closing(http.client.HTTPConnection(urlsplit(url).netloc)) as line,
    ):
        line.request("POST", "/v1/messages", b"{}")
        response = line.getresponse()
        assert (response.status, response.read()) == (529, b'{"a":1}')
        assert response.headers["request-id"] == "req_1" and response.headers["content-length"] == "7"


def test_one_connection_serves_many_requests(url: str, echo: Echo) -> None:
    with closing(http.client.HTTPConnection(urlsplit(url).netloc)) as line:
        line.connect()
        mine = line.sock
        for number in range(3):
            line.request("POST", "/v1/messages", b"%d" % number)
            assert json.loads(line.getresponse().read())["body"] == str(number)
            assert line.sock is mine


def test_two_requests_sent_at_once_are_both_answered(url: str) -> None:
    answer = exchange(url, post("content-length: 2") + post("content-length: 2", "connection: close"))
    assert answer.count(b"HTTP/1.1 200") == 2


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_other_methods_are_left_to_the_endpoint(url: str, method: str) -> None:
    answer = exchange(url, post("connection: close", method=method, body=b""))
    assert json.loads(answer.split(b"\r\n\r\n", 1)[1])["method"] == method


def test_a_head_request_gets_the_head_alone(url: str) -> None:
    answer = exchange(url, post("connection: close", method="HEAD", body=b""))
    assert status(answer) == 200 and answer.endswith(b"\r\n\r\n") and b"content-length: 5" in answer


def test_a_client_that_has_closed_its_own_side_still_gets_the_answer(url: str) -> None:
    assert status(exchange(url, post("content-length: 2"), end=True)) == 200


def test_an_http_1_0_client_is_answered_and_the_connection_closed(url: str) -> None:
    answer = exchange(url, post("content-length: 2", "connection: keep-alive", version="HTTP/1.0"))
    assert status(answer) == 200 and b"\r\nconnection: close\r\n" in answer


# Streams


def test_each_event_is_sent_when_it_is_there() -> None:
    seen_first = threading.Event()

    def events() -> Iterator[bytes]:
        yield b"event: first\n\n"
        assert seen_first.wait(10)
        yield b"event: second\n\n"

    gated = Echo(lambda request: Response(200, STREAM, events()))
    with running(gated) as url, closing(http.client.HTTPConnection(urlsplit(url).netloc)) as line:
        line.request("POST", "/v1/messages", b"{}")
        response = line.getresponse()
        assert response.headers["transfer-encoding"] == "chunked"
        assert response.readline() == b"event: first\n"
        seen_first.set()
        assert response.read() == b"\nevent: second\n\n"


def test_an_empty_chunk_does_not_end_the_stream() -> None:
    with running(streaming(b"", b"one", b"", b"two")) as url:
        answer = exchange(url, post("content-length: 2", "connection: close"))
    assert answer.endswith(b"\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")


def test_an_http_1_0_client_gets_the_stream_without_chunks() -> None:
    with running(streaming(b"one", b"two")) as url:
        answer = exchange(url, post("content-length: 2", version="HTTP/1.0"))
    assert answer.endswith(b"\r\nconnection: close\r\n\r\nonetwo")


def test_a_cut_before_the_first_event_sends_nothing() -> None:
    with running(streaming(ConnectionCut())) as url:
        assert exchange(url, post("content-length: 2")) == b""


def test_a_cut_instead_of_a_response_sends_nothing() -> None:
    def cut(request: Request) -> Response:
        raise ConnectionCut

    with running(Echo(cut)) as url:
        assert exchange(url, post("content-length: 2")) == b""


def test_a_cut_in_the_middle_ends_the_connection_there() -> None:
    with running(streaming(b"one", ConnectionCut())) as url:
        assert exchange(url, post("content-length: 2")).endswith(b"\r\n\r\n3\r\none\r\n")


def test_a_timeout_says_nothing_until_the_client_gives_up() -> None:
    with running(streaming(ConnectionCut(timeout=True))) as url, connect(url) as line:
        line.sendall(post("content-length: 2"))
        line.settimeout(0.1)
        with pytest.raises(TimeoutError):
            line.recv(1)


def test_a_timeout_ends_by_itself_for_a_client_that_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handler, "HOLD", 0.01)
    with running(streaming(ConnectionCut(timeout=True))) as url:
        assert exchange(url, post("content-length: 2")) == b""


# Bodies


def test_a_body_of_32_mb_is_taken() -> None:
    echo = Echo(lambda request: Response(200, {}, [b"%d" % len(request.body)]))
    raw = post(f"content-length: {LARGEST}", "connection: close", body=b"x" * LARGEST)
    with running(echo) as url:
        assert exchange(url, raw).endswith(b"\r\n\r\n%d" % LARGEST)


def test_a_larger_body_is_refused_by_its_length_alone(url: str, echo: Echo) -> None:
    answer = exchange(url, post(f"content-length: {LARGEST + 1}", body=b""), end=True)
    assert refusal(answer) == (413, "request_too_large", "Request exceeds the maximum size")
    assert echo.requests == []


def test_a_client_that_sends_all_of_a_larger_body_first_can_read_the_refusal(url: str) -> None:
    answer = exchange(url, post(f"content-length: {LARGEST + 1}", body=b"x" * (LARGEST + 1)))
    assert refusal(answer)[0] == 413


def test_expect_100_is_answered_before_the_body_comes(url: str) -> None:
    with connect(url) as line:
        line.sendall(post("content-length: 2", "expect: 100-continue", "connection: close", body=b""))
        assert line.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(b"{}")
        assert status(line.recv(65536)) == 200


def test_expect_100_is_refused_for_a_body_that_is_too_large(url: str) -> None:
    answer = exchange(url, post(f"content-length: {LARGEST + 1}", "expect: 100-continue", body=b""), end=True)
    assert refusal(answer)[0] == 413


@pytest.mark.parametrize("length", ["-1", "+2", "0x2", "2, 2", "1_0", "two", "²", "9" * 30])
def test_a_length_that_is_no_number_is_refused(url: str, length: str) -> None:
    answer = exchange(url, post(f"content-length: {length}"))
    assert refusal(answer) == (400, "invalid_request_error", "The content-length header is not valid.")


def test_two_lengths_are_refused(url: str) -> None:
    answer = exchange(url, post("content-length: 2", "content-length: 3"))
    assert refusal(answer) == (400, "invalid_request_error", "The content-length header is not valid.")


CHUNKED = "Transfer-Encoding: chunked"


def test_a_body_in_chunks_is_put_together(url: str, echo: Echo) -> None:
    chunks = b'5\r\n{"a":\r\n00B; name=value\r\n "0123456"}\r\n0\r\n\r\n'
    assert status(exchange(url, post(CHUNKED, "Connection: close", body=chunks))) == 200
    assert [request.body for request in echo.requests] == [b'{"a": "0123456"}']


@pytest.mark.parametrize(
    ("coding", "trailer"), [("Chunked", b""), ("chunked", b"X-Sum: 1\r\nX-More: a b\r\n")], ids=["capital", "trailer"]
)
def test_a_body_in_chunks_may_be_followed_by_headers(url: str, echo: Echo, coding: str, trailer: bytes) -> None:
    body = b"2\r\n{}\r\n0\r\n" + trailer + b"\r\n"
    exchange(url, post(f"Transfer-Encoding: {coding}", body=body) + post("Content-Length: 2", "Connection: close"))
    assert [request.body for request in echo.requests] == [b"{}", b"{}"]


def test_after_a_body_in_chunks_the_next_request_is_read(url: str, echo: Echo) -> None:
    exchange(url, post(CHUNKED, body=b"2\r\n{}\r\n0\r\n\r\n") + post("Content-Length: 2", "Connection: close"))
    assert [request.body for request in echo.requests] == [b"{}", b"{}"]


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ([CHUNKED], b"{}"),
        ([CHUNKED], b"-1\r\n{}\r\n0\r\n\r\n"),
        ([CHUNKED], b"2\r\n{}0\r\n\r\n"),
        ([CHUNKED], b"9\r\n{}\r\n0\r\n\r\n"),
        ([CHUNKED], b"2\r\n{}\r\n"),
        ([CHUNKED, "Content-Length: 2"], b"2\r\n{}\r\n0\r\n\r\n"),
        (["Transfer-Encoding: gzip, chunked"], b"2\r\n{}\r\n0\r\n\r\n"),
    ],
    ids=["no size", "negative", "no end of line", "too short", "no last chunk", "with a length", "another coding"],
)
def test_chunks_that_are_not_valid_are_refused(url: str, echo: Echo, headers: list[str], body: bytes) -> None:
    answer = exchange(url, post(*headers, body=body), end=True)
    assert refusal(answer) == (400, "invalid_request_error", "The chunked request body is not valid.")
    assert echo.requests == []


def test_not_any_number_of_headers_may_follow_a_body_in_chunks(url: str, echo: Echo) -> None:
    def send(trailers: int) -> bytes:
        body = b"2\r\n{}\r\n0\r\n" + b"X-Sum: 1\r\n" * trailers + b"\r\n"
        return exchange(url, post(CHUNKED, "Connection: close", body=body))

    assert status(send(99)) == 200
    assert refusal(send(101)) == (400, "invalid_request_error", "The chunked request body is not valid.")
    assert len(echo.requests) == 1


def test_a_larger_body_in_chunks_is_refused(url: str, echo: Echo) -> None:
    answer = exchange(url, post(CHUNKED, body=b"%x\r\n" % (LARGEST + 1)), end=True)
    assert refusal(answer) == (413, "request_too_large", "Request exceeds the maximum size")
    assert echo.requests == []


def test_expect_100_is_answered_for_a_body_in_chunks(url: str) -> None:
    sent = post(CHUNKED, "Expect: 100-continue", "Connection: close", body=b"2\r\n{}\r\n0\r\n\r\n")
    assert exchange(url, sent).startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")


def test_a_body_that_ends_early_is_refused(url: str, echo: Echo) -> None:
    answer = exchange(url, post("content-length: 9"), end=True)
    message = "The request body is shorter than its content-length."
    assert refusal(answer) == (400, "invalid_request_error", message)
    assert echo.requests == []


# What is not HTTP, and what goes wrong


@pytest.mark.parametrize(
    ("raw", "code", "message"),
    [
        (b"\x16\x03\x01 a TLS hello, maybe\r\n\r\n", 400, "The request is not valid HTTP: Bad Request."),
        (b"POST /v1/messages HTTP/x.y\r\n\r\n", 400, "The request is not valid HTTP: Bad Request."),
        (b"POST\r\n\r\n", 400, "The request is not valid HTTP: Bad Request."),
        (b"GET / HTTP/2.0\r\n\r\n", 505, "The request is not valid HTTP: HTTP Version Not Supported."),
        (b"GET /" + b"a" * 70_000, 414, None),
        (b"GET / HTTP/1.1\r\na: " + b"b" * 70_000 + b"\r\n\r\n", 431, None),
        (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n", 431, None),
        (b"BREW / HTTP/1.1\r\n\r\n", 405, "Method Not Allowed"),
    ],
)
def test_what_is_not_a_request_is_refused_in_the_shape_of_the_api(
    url: str, raw: bytes, code: int, message: str
) -> None:
    got_code, kind, got_message = refusal(exchange(url, raw, end=True))
    assert (got_code, kind) == (code, "invalid_request_error")
    assert message is None or got_message == message


def test_a_fault_of_the_endpoint_is_a_500_and_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    def fail(request: Request) -> Response:
        raise RuntimeError("a fault of ours")

    with running(Echo(fail)) as url:
        answer = exchange(url, post("content-length: 2", "x-api-key: sk-secret", "connection: close"))
    assert refusal(answer) == (500, "api_error", "Internal server error")
    shown = capfd.readouterr().err
    assert "RuntimeError: a fault of ours" in shown and "sk-secret" not in shown


def test_a_slow_client_holds_up_nobody_else(url: str) -> None:
    with connect(url) as slow:
        slow.sendall(b"POST /v1/messages HTTP/1.1\r\nHo")
        assert works(url)
        slow.sendall(b"st: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}")
        assert status(slow.recv(65536)) == 200


def test_a_client_that_leaves_in_mid_stream_is_no_fault(capfd: pytest.CaptureFixture[str]) -> None:
    left = threading.Event()
    ended = threading.Event()

    def events() -> Iterator[bytes]:
        try:
            yield b"x"
            assert left.wait(10)
            while True:  # until sending fails
                yield b"x" * 65536
        finally:
            ended.set()

    with running(Echo(lambda request: Response(200, STREAM, events()))) as url:
        with connect(url) as line:
            line.sendall(post("content-length: 2"))
            line.recv(1)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing sends a reset
        left.set()
        assert ended.wait(10)
    assert capfd.readouterr().err == ""


def test_noise_slow_headers_and_aborted_connections_leave_it_serving(
    url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    noise = random.Random(7)
    half_open = [connect(url) for _ in range(40)]
    try:
        for number, line in enumerate(half_open):
            line.sendall(b"POST /v1/messages HTTP/1.1\r\nx-slow: "[: number + 1])
        for number in range(120):
            with connect(url) as line:
                raw = noise.randbytes(noise.randrange(1, 300))
                line.sendall((post("content-length: 900", body=raw), raw, raw + b"\r\n\r\n")[number % 3])
                if number % 2:
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert works(url)
    finally:
        for line in half_open:
            line.close()
    assert capfd.readouterr().err == ""


# Starting and stopping


def test_a_port_that_is_taken_is_one_clear_sentence(echo: Echo) -> None:
    with Server(echo) as server:
        port = server.server_address[1]
        with pytest.raises(SettingsError) as caught:
            Server(echo, port)
    text = f"Port {port} can't be used: it is taken, or not allowed. Choose another, or 0 for any free one."
    assert str(caught.value) == text


def test_a_port_out_of_range_is_one_clear_sentence(echo: Echo) -> None:
    with pytest.raises(SettingsError) as caught:
        Server(echo, 70_000)
    text = "Port 70000 can't be used: it is taken, or not allowed. Choose another, or 0 for any free one."
    assert str(caught.value) == text


def test_when_it_stops_open_connections_end_and_the_port_is_free(echo: Echo) -> None:
    with running(echo) as url:
        line = http.client.HTTPConnection(urlsplit(url).netloc)
        line.request("POST", "/v1/messages", b"{}")
        line.getresponse().read()
    with closing(line):
        assert line.sock is not None and line.sock.recv(1) == b""
    with running(echo, int(urlsplit(url).port or 0)) as again:
        assert again == url and works(again)


def test_it_stops_while_an_exception_passes(echo: Echo) -> None:
    with pytest.raises(KeyError), running(echo) as url:
        raise KeyError
    with pytest.raises(ConnectionRefusedError):
        connect(url)


@pytest.mark.parametrize("verbose", [True, False])
def test_only_verbose_logs_and_never_a_header(echo: Echo, verbose: bool, capfd: pytest.CaptureFixture[str]) -> None:
    with Server(echo, verbose=verbose) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        exchange(server.url, post("x-api-key: sk-1", "connection: close").replace(b"messages", b"messages?key=sk-2"))
        exchange(server.url, b"sk-3: \x1b[31m\r\n\r\n")
        server.shutdown()
        thread.join()
    assert capfd.readouterr().err == ("POST /v1/messages 200\n- - 400\n" if verbose else "")


@contextmanager
def serving(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`python -m course serve` as a process: its first line, and the process."""
    command = [sys.executable, "-m", "course", "serve", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline(), process
        finally:
            process.kill()


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no signals to one process")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_serve_prints_its_url_first_and_ends_cleanly(stop: signal.Signals) -> None:
    with serving() as (line, process):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+\n", line), process.communicate()
        assert process.stderr is not None
        assert process.stderr.readline() == (
            f"Set ANTHROPIC_BASE_URL={line.strip()} for your client. Any key will do. "
            f"A model to ask for: {MODEL}. Ctrl-C ends this.\n"
        )
        with connect(line.strip()):  # a client that stays connected
            process.send_signal(stop)
            rest, errors = process.communicate(timeout=30)
    assert (process.returncode, rest, errors) == (0, "", "")


def test_serve_lenient_accepts_a_forgotten_result() -> None:
    call = {"type": "tool_use", "id": "toolu_1", "name": "list_files", "input": {"path": "."}}
    prompt = "Which files are in this directory? Then read package.json."
    turns = [{"role": "user", "content": prompt}, {"role": "assistant", "content": [call]}]
    ask = {"model": MODEL, "max_tokens": 100, "messages": [*turns, {"role": "user", "content": "Well?"}]}
    body = json.dumps(ask).encode()
    headers = ("x-api-key: k", "anthropic-version: 2026-10-21", f"content-length: {len(body)}", "connection: close")
    answers = []
    for options in (("--lenient",), ()):
        with serving("--scenario", "list_then_read", *options) as (line, _):
            answers.append(exchange(line.strip(), post(*headers, body=body)))
    assert [status(answer) for answer in answers] == [200, 400]
    assert b"x-course-mode: lenient" in answers[0]

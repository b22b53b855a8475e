"""`client(...)`: offline it needs nothing from the environment and sends nothing out of it; live it is the SDK as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import anthropic
import pytest

from course.clients import async_client, client
from course.errors import CourseError
from course.offline.endpoint import Endpoint
from course.offline.wire import Request, Response
from course.settings import MODEL, OFFLINE, Settings

KEY = "sk-ant-api03-not-a-real-key"
ASK: dict[str, Any] = {"model": MODEL, "max_tokens": 100, "messages": [{"role": "user", "content": "Hello"}]}


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """The requests that reach an offline endpoint."""
    requests: list[Request] = []
    handle = Endpoint.handle

    def watched(self: Endpoint, request: Request) -> Response:
        requests.append(request)
        return handle(self, request)

    monkeypatch.setattr(Endpoint, "handle", watched)
    return requests


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An environment full of what the SDK would pick up."""
    profile = tmp_path / "configs" / "default.json"
    profile.parent.mkdir()
    profile.write_text("{not even json", encoding="utf-8")
    for name, value in {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_AUTH_TOKEN": KEY,
        "ANTHROPIC_BASE_URL": "http://192.0.2.1:9",
        "ANTHROPIC_PROFILE": "default",
        "ANTHROPIC_CONFIG_DIR": str(tmp_path),
        "ANTHROPIC_CUSTOM_HEADERS": f"x-api-key: {KEY}\nanthropic-beta: nonsense",
        "ANTHROPIC_WEBHOOK_SIGNING_KEY": KEY,
        "HTTP_PROXY": "http://192.0.2.1:9",
        "HTTPS_PROXY": "http://192.0.2.1:9",
        "ALL_PROXY": "http://192.0.2.1:9",
    }.items():
        monkeypatch.setenv(name, value)


def test_offline_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    assert client("plain_chat", settings=OFFLINE).messages.create(**ASK).stop_reason == "end_turn"


@pytest.mark.usefixtures("crowded")
def test_offline_takes_nothing_from_the_environment(received: list[Request]) -> None:
    sdk = client("plain_chat", settings=OFFLINE)
    assert sdk.messages.create(**ASK).stop_reason == "end_turn"
    assert sdk.with_options(max_retries=0).messages.create(**ASK).stop_reason == "end_turn"
    assert len(received) == 2
    for request in received:
        assert request.headers["authorization"] == "Bearer offline"
        assert request.headers["host"] == "offline.invalid"
        assert not any(KEY in value for value in request.headers.values())
        assert "x-api-key" not in request.headers and "anthropic-beta" not in request.headers
    assert KEY not in repr(vars(sdk))


@pytest.mark.parametrize("make", [client, async_client])
def test_offline_is_the_real_sdk(make: Any) -> None:
    sdk = make("plain_chat", settings=OFFLINE, max_retries=7)
    assert type(sdk) in (anthropic.Anthropic, anthropic.AsyncAnthropic)
    assert (sdk.max_retries, str(sdk.base_url)) == (7, "http://offline.invalid")


@pytest.mark.parametrize("make", [client, async_client])
@pytest.mark.parametrize(
    ("settings", "sent"),
    [
        (Settings(mode="live", api_key=KEY), {"Authorization": f"Bearer {KEY}"}),
        (Settings(mode="live", auth_token=KEY), {"Authorization": f"Bearer {KEY}"}),
        (Settings(mode="live", base_url="http://127.0.0.1:1"), {"Authorization": "Bearer offline"}),
    ],
)
def test_live_is_the_sdk_with_what_the_settings_say(make: Any, settings: Settings, sent: dict[str, str]) -> None:
    sdk = make("no such scenario", settings=settings)
    assert sdk.auth_headers == sent
    assert settings.base_url is None or str(sdk.base_url).rstrip("/") == settings.base_url


def test_the_settings_of_the_moment_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_MODE", "offline")
    assert str(client("plain_chat").base_url) == "http://offline.invalid"
    monkeypatch.setenv("COURSE_MODE", "live")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
    assert str(client("plain_chat").base_url).rstrip("/") == "http://127.0.0.1:1"


def test_no_key_in_a_repr_or_an_error() -> None:
    live = Settings(mode="live", api_key=KEY, base_url="http://127.0.0.1:1")
    sdk = client(settings=live, max_retries=0)
    with pytest.raises(anthropic.APIConnectionError) as error:
        sdk.messages.create(**ASK)
    assert all(KEY not in text for text in (repr(sdk), repr(live), str(error.value), repr(error.value)))


def test_an_unknown_scenario_is_one_clear_sentence() -> None:
    with pytest.raises(
        CourseError, match=r"^There is no scenario 'list_the_read'\. Did you mean list_then_read\? The scen"
    ):
        client("list_the_read", settings=OFFLINE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scenario": 5}, r"^There is no scenario '5'\. The scenarios are: classify_ticket, "),
        (
            {"scenario": ["plain_chat"]},
            r"^There is no scenario \"\['plain_chat'\]\"\. Did you mean plain_chat\? The sc",
        ),
        ({"faults": [5]}, r"^There is no fault '5'\. The faults are: bad_key, "),
        ({"faults": 5}, r"^There is no fault '5'\. The faults are: bad_key, "),
        (
            {"faults": [["overloaded"]]},
            r"^There is no fault \"\['overloaded'\]\"\. Did you mean overloaded\? The faults",
        ),
    ],
)
def test_what_is_no_name_at_all_is_one_clear_sentence_too(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(CourseError, match=message):
        client(**arguments, settings=OFFLINE)


def test_one_fault_needs_no_list() -> None:
    sdk = client("plain_chat", faults="overloaded", max_retries=0, settings=OFFLINE)
    with pytest.raises(anthropic.APIStatusError) as error:
        sdk.messages.create(**ASK)
    assert error.value.status_code == 529


def test_importing_it_does_not_import_the_sdk() -> None:
    code = "import sys, course.clients; print([name for name in sys.modules if name.split('.')[0] in ('anthropic', 'httpx2')])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


def test_a_model_that_only_another_endpoint_has_is_answered_offline_too() -> None:
    elsewhere = Settings(model="my-local-model")
    reply = client("plain_chat", settings=elsewhere).messages.create(**{**ASK, "model": "my-local-model"})
    assert reply.stop_reason == "end_turn"


def test_any_other_unknown_model_is_a_404() -> None:
    with pytest.raises(anthropic.NotFoundError):
        client("plain_chat", settings=Settings(model="my-local-model")).messages.create(
            **{**ASK, "model": "my-lokal-model"}
        )

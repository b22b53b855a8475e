"""`client(...)`: a real `anthropic.Anthropic`, offline or live. Nothing else changes between the two."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from course.settings import Settings, load_settings

if TYPE_CHECKING:
    import anthropic

    from course.offline.faults import Fault
    from course.offline.scenario import Scenario

__all__ = ["async_client", "client"]

OFFLINE_KEY = "offline"  # any text will do: the endpoint only wants that there is one
OFFLINE_URL = "http://offline.invalid"  # a name that can't exist (RFC 2606); nothing is ever sent there


def client(
    scenario: str | Scenario | None = None,
    *,
    lenient: bool = False,
    faults: Iterable[Fault | str] = (),
    max_retries: int = 2,
    settings: Settings | None = None,
) -> anthropic.Anthropic:
    """The SDK's client. Offline, it talks to the course's own Messages API, in this process; live, to the real one.

    Args:
        scenario: the task that the offline model is to know, by name; None: all tasks of the course. A live model knows
            more, and is not told.
        lenient: offline, skip the rules on tool_use and tool_result pairs, as some compatible endpoints do.
        faults: offline, what goes wrong on the way: `course.offline.faults`, or their names ("overloaded").
        max_retries: how often the SDK tries again by itself.
        settings: instead of what `.env` and the environment say now.

    Raises:
        CourseError: no such scenario or fault; the message lists those that there are.
        SettingsError: a setting can't be used.
    """
    import anthropic

    settings = settings or load_settings()
    if settings.mode == "live":
        return anthropic.Anthropic(**_live(settings), max_retries=max_retries)

    import httpx2

    from course.offline.endpoint import Endpoint
    from course.offline.transport import OfflineTransport

    endpoint = Endpoint(scenario, lenient=lenient, faults=faults, stands_in_for=settings.model)
    http_client = httpx2.Client(transport=OfflineTransport(endpoint), trust_env=False)
    return anthropic.Anthropic(**_offline(), http_client=http_client, max_retries=max_retries)


def async_client(
    scenario: str | Scenario | None = None,
    *,
    lenient: bool = False,
    faults: Iterable[Fault | str] = (),
    max_retries: int = 2,
    settings: Settings | None = None,
) -> anthropic.AsyncAnthropic:
    """The same as `client`, for `await`."""
    import anthropic

    settings = settings or load_settings()
    if settings.mode == "live":
        return anthropic.AsyncAnthropic(**_live(settings), max_retries=max_retries)

    import httpx2

    from course.offline.endpoint import Endpoint
    from course.offline.transport import AsyncOfflineTransport

    endpoint = Endpoint(scenario, lenient=lenient, faults=faults, stands_in_for=settings.model)
    http_client = httpx2.AsyncClient(transport=AsyncOfflineTransport(endpoint), trust_env=False)
    return anthropic.AsyncAnthropic(**_offline(), http_client=http_client, max_retries=max_retries)


def _offline() -> dict[str, Any]:
    """Arguments that leave the SDK nothing to look for in the environment, in profiles or in files of its own."""
    return {
        "api_key": OFFLINE_KEY,
        "base_url": OFFLINE_URL,
        "webhook_key": "",
        "open_telemetry": False,
        "default_headers": _without_environment(),
    }


def _without_environment() -> dict[str, Any]:
    """Takes back each header that the SDK would add from ANTHROPIC_CUSTOM_HEADERS."""
    import anthropic

    lines = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").split("\n")
    names = [line.partition(":")[0].strip() for line in lines if ":" in line]
    return {name: anthropic.Omit() for name in names}


def _live(settings: Settings) -> dict[str, Any]:
    """The key and the address that the settings name. A base URL alone needs no key, but the SDK wants one."""
    given = {"api_key": settings.api_key, "auth_token": settings.auth_token, "base_url": settings.base_url}
    arguments = {name: value for name, value in given.items() if value is not None}
    if "api_key" not in arguments and "auth_token" not in arguments:
        arguments["api_key"] = OFFLINE_KEY
    return arguments

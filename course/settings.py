"""What the learner has set: in the environment, or in `.env`. Every setting is explained in `.env.example`.

Settings are read when they are asked for, so a changed key needs no restart of the kernel.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from course.env_file import Value, read_env_file
from course.errors import SettingsError
from course.words import _

__all__ = ["MODEL", "NAMES", "OFFLINE", "ROOT", "Settings", "load_settings", "progress_folder"]

MODEL = "claude-haiku-5-5"  # the model that every lesson asks; the only other list of ids is course/offline/models.py
ROOT = Path(__file__).resolve().parent.parent  # where .env lies
NAMES = (
    "COURSE_MODE",
    "COURSE_MODEL",
    "COURSE_MAX_REQUESTS",
    "COURSE_MAX_SECONDS",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
)
LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PLACEHOLDER = re.compile(r"\.\.\.|…|^<|^your|^sk-ant-(x+|key|your.*)?$|^(changeme|xxx+|todo|none|key)$", re.IGNORECASE)
Number = TypeVar("Number", int, float)


@dataclass(frozen=True)
class Settings:
    """What holds for this moment. The key and the token are never part of the repr.

    Attributes:
        mode: "offline" (the course's own Messages API) or "live" (a key or a base URL is set).
        model: the id of the model that is asked.
        api_key: sent as `x-api-key`. At most one of `api_key` and `auth_token` is set.
        auth_token: sent as `Authorization: Bearer`.
        base_url: the endpoint, without a trailing slash and without `/v1`; None: the SDK's own.
        max_requests: the fuse: a loop is ended after so many requests.
        max_seconds: the fuse: a loop is ended after so many seconds.
        notes: sentences about what was found and set aside, for the reader.
    """

    mode: Literal["offline", "live"] = "offline"
    model: str = MODEL
    api_key: str | None = field(default=None, repr=False)
    auth_token: str | None = field(default=None, repr=False)
    base_url: str | None = None
    max_requests: int = 25
    max_seconds: float = 20.0
    notes: tuple[str, ...] = ()


OFFLINE = Settings()  # for what must not depend on the learner's settings


def progress_folder(env: Mapping[str, str] = os.environ) -> Path:
    """Where a learner's progress is kept: COURSE_PROGRESS_FOLDER, or the usual place of the system. It need not exist."""
    from platformdirs import user_data_path

    named = env.get("COURSE_PROGRESS_FOLDER", "").strip()
    return Path(named).expanduser() if named else user_data_path("agent-loop-course", appauthor=False)


def load_settings(env: Mapping[str, str] | None = None, folder: str | Path | None = None) -> Settings:
    """The settings as they are now. The environment wins over `.env`; an empty value counts as not set.

    Args:
        env: instead of `os.environ`.
        folder: where `.env` lies, instead of the course's own folder.

    Raises:
        SettingsError: a value can't be used; the message says where it stands and what to write instead.
    """
    file = read_env_file(Path(folder) if folder is not None else ROOT)
    values = _merge(os.environ if env is None else env, file.values)
    notes = [*file.notes, *_misspelt(file.values)]
    api_key = _secret("ANTHROPIC_API_KEY", values, notes)
    auth_token = _secret("ANTHROPIC_AUTH_TOKEN", values, notes)
    base_url = _base_url(values)
    mode = _mode(values, bool(api_key or auth_token or base_url))
    if mode == "live":
        _only_one(values, api_key, auth_token)
        if base_url and base_url.startswith("http:") and urlsplit(base_url).hostname not in LOOPBACK:
            notes.append(_("{url} is not encrypted: others on the network can read what is sent.").format(url=base_url))
    return Settings(
        mode=mode,
        model=_model(values),
        api_key=api_key,
        auth_token=auth_token,
        base_url=base_url,
        max_requests=_number(values, "COURSE_MAX_REQUESTS", Settings.max_requests, int),
        max_seconds=_number(values, "COURSE_MAX_SECONDS", Settings.max_seconds, float),
        notes=tuple(notes),
    )


def _merge(env: Mapping[str, str], from_file: Mapping[str, Value]) -> dict[str, Value]:
    written = {name: value for name, value in from_file.items() if value.text.strip()}
    exported = {name: Value(env[name], _("environment")) for name in NAMES if env.get(name, "").strip()}
    return {name: value for name, value in {**written, **exported}.items() if name in NAMES}


def _misspelt(from_file: Mapping[str, Value]) -> list[str]:
    """A name in the file that is nearly one of ours is a slip; any other may belong to another program."""
    notes = []
    for name, value in from_file.items():
        near = difflib.get_close_matches(name.upper(), NAMES, n=1, cutoff=0.85)
        if name not in NAMES and near:
            notes.append(
                _("{where}: {name} is not a setting of the course. Did you mean {near}?").format(
                    where=value.where, name=name, near=near[0]
                )
            )
    return notes


def _secret(name: str, values: Mapping[str, Value], notes: list[str]) -> str | None:
    value = values.get(name)
    if value is None:
        return None
    text = value.text.strip()
    if _PLACEHOLDER.search(text):
        notes.append(
            _("{where}: {name} still holds the example text, which counts as no key.").format(
                where=value.where, name=name
            )
        )
        return None
    if not text.isascii() or not text.isprintable() or " " in text:
        # Such a text can't be sent in a header; the SDK would end in a UnicodeEncodeError.
        raise SettingsError(
            _("{where}: {name} holds a space, a line break or a character that no key has. Copy the key again.").format(
                where=value.where, name=name
            )
        )
    return text


def _only_one(values: Mapping[str, Value], api_key: str | None, auth_token: str | None) -> None:
    if api_key and auth_token:
        raise SettingsError(
            _(
                "ANTHROPIC_API_KEY ({key}) and ANTHROPIC_AUTH_TOKEN ({token}) are both set, and only one is sent. "
                "Remove the one that you don't want to use."
            ).format(key=values["ANTHROPIC_API_KEY"].where, token=values["ANTHROPIC_AUTH_TOKEN"].where)
        )


def _mode(values: Mapping[str, Value], can_be_live: bool) -> Literal["offline", "live"]:
    value = values.get("COURSE_MODE")
    wanted = value.text.strip().lower() if value else "auto"
    if value and wanted not in ("auto", "offline", "live"):
        raise SettingsError(
            _("{where}: COURSE_MODE is {text!r}. Write offline, live or auto.").format(
                where=value.where, text=value.text
            )
        )
    if value and wanted == "live" and not can_be_live:
        raise SettingsError(
            _(
                "{where}: COURSE_MODE=live needs ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN or ANTHROPIC_BASE_URL. "
                "Set one of them, or write COURSE_MODE=offline."
            ).format(where=value.where)
        )
    return "live" if can_be_live and wanted != "offline" else "offline"


def _model(values: Mapping[str, Value]) -> str:
    value = values.get("COURSE_MODEL")
    if value is None:
        return MODEL
    text = value.text.strip()
    if re.search(r"\s", text):
        raise SettingsError(
            _("{where}: COURSE_MODEL is {text!r}. A model id has no spaces; for example {model}.").format(
                where=value.where, text=text, model=MODEL
            )
        )
    return text


def _number(values: Mapping[str, Value], name: str, default: Number, kind: Callable[[str], Number]) -> Number:
    value = values.get(name)
    if value is None:
        return default
    try:
        number = kind(value.text.strip())
    except ValueError:
        number = kind("0")
    if not 0 < number < 1_000_000:
        raise SettingsError(
            _("{where}: {name} is {text!r}. Write a number above 0, for example {default}.").format(
                where=value.where, name=name, text=value.text, default=default
            )
        )
    return number


def _base_url(values: Mapping[str, Value]) -> str | None:
    value = values.get("ANTHROPIC_BASE_URL")
    if value is None:
        return None
    url = value.text.strip().rstrip("/")
    fault = _fault_in_url(url)
    if fault:
        raise SettingsError(f"{value.where}: {fault}")
    return url


def _fault_in_url(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.port != 0 else None
    except ValueError:
        return _("ANTHROPIC_BASE_URL is not a web address. Write it like http://localhost:8080.")
    if parts.username or parts.password:  # not shown: it holds a password
        return _("ANTHROPIC_BASE_URL holds a user name or a password. Remove it; set ANTHROPIC_AUTH_TOKEN instead.")
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", url):
        return _(
            "ANTHROPIC_BASE_URL is {url!r}. Write a whole address, with http:// or https://, like http://localhost:8080."
        ).format(url=url)
    if parts.query or parts.fragment:
        return _("ANTHROPIC_BASE_URL may not hold '?' or '#'. Write {url}.").format(url=re.split(r"[?#]", url)[0])
    ending = re.search(r"/v1(/messages)?$", parts.path)
    if ending:
        return _("ANTHROPIC_BASE_URL ends in {ending}, which the SDK adds by itself. Write {url}.").format(
            ending=ending.group(), url=url[: -len(ending.group())]
        )
    return None

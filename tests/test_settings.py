"""Settings: from `.env` and the environment, with clear messages and no key in any of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from course.errors import SettingsError
from course.settings import MODEL, NAMES, OFFLINE, ROOT, Settings, load_settings, progress_folder

KEY = "sk-ant-api03-TEST-not-a-key"


def written(folder: Path, text: str, name: str = ".env", encoding: str = "utf-8") -> Path:
    (folder / name).write_bytes(text.encode(encoding))
    return folder


def message(folder: Path, **env: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load_settings(env, folder)
    return str(caught.value)


def test_without_anything_the_course_is_offline(tmp_path: Path) -> None:
    assert load_settings({}, tmp_path) == OFFLINE == Settings()
    assert (OFFLINE.mode, OFFLINE.model, OFFLINE.max_requests, OFFLINE.max_seconds) == ("offline", MODEL, 25, 20.0)


def test_a_key_makes_it_live(tmp_path: Path) -> None:
    settings = load_settings({}, written(tmp_path, f"ANTHROPIC_API_KEY={KEY}\n"))
    assert (settings.mode, settings.api_key) == ("live", KEY)


def test_a_base_url_alone_makes_it_live(tmp_path: Path) -> None:
    settings = load_settings({"ANTHROPIC_BASE_URL": "http://localhost:8080/"}, tmp_path)
    assert (settings.mode, settings.base_url, settings.api_key) == ("live", "http://localhost:8080", None)


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])
def test_a_base_url_keeps_the_key_or_the_token(tmp_path: Path, name: str) -> None:
    settings = load_settings({"ANTHROPIC_BASE_URL": "https://gateway.example", name: "secret"}, tmp_path)
    assert "secret" in (settings.api_key, settings.auth_token)


def test_offline_wins_over_a_key(tmp_path: Path) -> None:
    assert load_settings({"COURSE_MODE": "Offline", "ANTHROPIC_API_KEY": KEY}, tmp_path).mode == "offline"


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    folder = written(tmp_path, "COURSE_MODEL=from-file\nCOURSE_MAX_REQUESTS=3\n")
    settings = load_settings({"COURSE_MODEL": "from-environment"}, folder)
    assert (settings.model, settings.max_requests) == ("from-environment", 3)


def test_an_empty_value_counts_as_not_set(tmp_path: Path) -> None:
    settings = load_settings({"COURSE_MODEL": " "}, written(tmp_path, "COURSE_MODEL=from-file\nANTHROPIC_API_KEY=\n"))
    assert (settings.model, settings.mode) == ("from-file", "offline")


def test_a_change_holds_at_the_next_call(tmp_path: Path) -> None:
    assert load_settings({}, tmp_path).mode == "offline"
    assert load_settings({}, written(tmp_path, f"ANTHROPIC_API_KEY={KEY}")).mode == "live"


def test_nothing_is_put_into_the_environment(tmp_path: Path) -> None:
    before = dict(os.environ)
    load_settings(None, written(tmp_path, f"ANTHROPIC_API_KEY={KEY}"))
    assert dict(os.environ) == before


def test_the_key_is_in_no_repr(tmp_path: Path) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        settings = load_settings({name: KEY}, tmp_path)
        assert KEY not in repr(settings)
        assert KEY not in str(settings)


@pytest.mark.parametrize(
    "line",
    [
        f'ANTHROPIC_API_KEY="{KEY}"',
        f"ANTHROPIC_API_KEY='{KEY}'",
        f"export ANTHROPIC_API_KEY={KEY}",
        f"  ANTHROPIC_API_KEY = {KEY}   # mine",
        f"# a comment\r\nANTHROPIC_API_KEY={KEY}\r\n",
    ],
)
def test_ways_to_write_a_line(tmp_path: Path, line: str) -> None:
    assert load_settings({}, written(tmp_path, line)).api_key == KEY


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_the_encodings_of_notepad(tmp_path: Path, encoding: str) -> None:
    folder = written(tmp_path, f"# clé, 鍵\r\nANTHROPIC_API_KEY={KEY}\r\n", encoding=encoding)
    assert load_settings({}, folder).api_key == KEY


@pytest.mark.parametrize("name", [".env.txt", "env.txt"])
def test_a_misnamed_file_is_read_and_said(tmp_path: Path, name: str) -> None:
    settings = load_settings({}, written(tmp_path, f"ANTHROPIC_API_KEY={KEY}", name))
    assert settings.api_key == KEY
    assert settings.notes == (
        f"The settings were read from {name}. Its right name is .env: in a terminal in that folder, "
        f"write `ren {name} .env` (Windows) or `mv {name} .env` (macOS, Linux).",
    )


def test_beside_a_right_file_a_misnamed_one_is_ignored_and_said(tmp_path: Path) -> None:
    written(tmp_path, f"ANTHROPIC_API_KEY={KEY}", "env.txt")
    settings = load_settings({}, written(tmp_path, "COURSE_MODE=offline"))
    assert settings.api_key is None
    assert settings.notes == ("env.txt is ignored, since there is a .env.",)


@pytest.mark.parametrize("text", ["your-key-here", "sk-ant-...", "sk-ant-…", "<key>", "YOUR_API_KEY", "sk-ant-xxxx"])
def test_the_example_text_counts_as_no_key(tmp_path: Path, text: str) -> None:
    settings = load_settings({}, written(tmp_path, f"\n\nANTHROPIC_API_KEY={text}"))
    assert (settings.mode, settings.api_key) == ("offline", None)
    assert settings.notes == (".env:3: ANTHROPIC_API_KEY still holds the example text, which counts as no key.",)


def test_a_misspelt_name_is_said(tmp_path: Path) -> None:
    settings = load_settings({}, written(tmp_path, f"ANTHROPIC_APIKEY={KEY}\nPATH_OF_ANOTHER_PROGRAM=1"))
    assert settings.notes == (
        ".env:1: ANTHROPIC_APIKEY is not a setting of the course. Did you mean ANTHROPIC_API_KEY?",
    )


def test_an_address_that_is_not_encrypted_is_said(tmp_path: Path) -> None:
    settings = load_settings({"ANTHROPIC_BASE_URL": "http://192.0.2.7:8080"}, tmp_path)
    assert settings.notes == ("http://192.0.2.7:8080 is not encrypted: others on the network can read what is sent.",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "COURSE_MODE=onlin",
            ".env:1: COURSE_MODE is 'onlin'. Write offline, live or auto.",
        ),
        (
            "COURSE_MODE=live",
            ".env:1: COURSE_MODE=live needs ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN or ANTHROPIC_BASE_URL. "
            "Set one of them, or write COURSE_MODE=offline.",
        ),
        (
            "COURSE_MAX_REQUESTS=2.5",
            ".env:1: COURSE_MAX_REQUESTS is '2.5'. Write a number above 0, for example 25.",
        ),
        (
            "\nCOURSE_MAX_SECONDS=nan",
            ".env:2: COURSE_MAX_SECONDS is 'nan'. Write a number above 0, for example 20.0.",
        ),
        (
            "COURSE_MAX_SECONDS=-1",
            ".env:1: COURSE_MAX_SECONDS is '-1'. Write a number above 0, for example 20.0.",
        ),
        (
            "COURSE_MODEL=my model",
            f".env:1: COURSE_MODEL is 'my model'. A model id has no spaces; for example {MODEL}.",
        ),
        (
            "# one\n\nANTHROPIC_API_KEY='not closed\n",
            ".env:3: This line can't be read. Write NAME=value, and close each quote that you open.",
        ),
        (
            f"\n{KEY}\n",
            ".env:2: This line has no '='. Write NAME=value, for example COURSE_MODE=offline.",
        ),
        (
            "ANTHROPIC_API_KEY=“quoted”",
            ".env:1: ANTHROPIC_API_KEY holds a space, a line break or a character that no key has. Copy the key again.",
        ),
        (
            "ANTHROPIC_AUTH_TOKEN=two words",
            ".env:1: ANTHROPIC_AUTH_TOKEN holds a space, a line break or a character that no key has. "
            "Copy the key again.",
        ),
        (
            "ANTHROPIC_API_KEY=one\nANTHROPIC_AUTH_TOKEN=two",
            "ANTHROPIC_API_KEY (.env:1) and ANTHROPIC_AUTH_TOKEN (.env:2) are both set, and only one is sent. "
            "Remove the one that you don't want to use.",
        ),
    ],
)
def test_what_cannot_be_used(tmp_path: Path, text: str, expected: str) -> None:
    assert message(written(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "localhost:8080",
            "ANTHROPIC_BASE_URL is 'localhost:8080'. Write a whole address, with http:// or https://, "
            "like http://localhost:8080.",
        ),
        (
            "http://",
            "ANTHROPIC_BASE_URL is 'http:'. Write a whole address, with http:// or https://, "
            "like http://localhost:8080.",
        ),
        (
            "ftp://host",
            "ANTHROPIC_BASE_URL is 'ftp://host'. Write a whole address, with http:// or https://, "
            "like http://localhost:8080.",
        ),
        ("http://host:port", "ANTHROPIC_BASE_URL is not a web address. Write it like http://localhost:8080."),
        (
            "https://host/v1/",
            "ANTHROPIC_BASE_URL ends in /v1, which the SDK adds by itself. Write https://host.",
        ),
        (
            "https://host/a/v1/messages",
            "ANTHROPIC_BASE_URL ends in /v1/messages, which the SDK adds by itself. Write https://host/a.",
        ),
        ("https://host?key=1", "ANTHROPIC_BASE_URL may not hold '?' or '#'. Write https://host."),
        (
            "https://name:password@host",
            "ANTHROPIC_BASE_URL holds a user name or a password. Remove it; set ANTHROPIC_AUTH_TOKEN instead.",
        ),
    ],
)
def test_base_urls_that_cannot_be_used(tmp_path: Path, url: str, expected: str) -> None:
    assert message(tmp_path, ANTHROPIC_BASE_URL=url) == f"environment: {expected}"


def test_a_line_that_is_not_utf_8(tmp_path: Path) -> None:
    expected = ".env:2: This line is not UTF-8 text. Save the file as UTF-8 (Notepad: File, Save as, Encoding: UTF-8)."
    assert message(written(tmp_path, "# fine\n# clé\n", encoding="cp1252")) == expected


def test_utf_16_without_a_mark_is_not_text(tmp_path: Path) -> None:
    assert message(written(tmp_path, "A=1", encoding="utf-16-le")).startswith(".env:1: This line is not UTF-8 text.")


def test_no_message_repeats_the_key(tmp_path: Path) -> None:
    for text in (KEY, f"ANTHROPIC_API_KEY='{KEY}", f"ANTHROPIC_API_KEY={KEY} {KEY}"):
        assert KEY not in message(written(tmp_path, text))


def test_the_example_file_explains_every_setting_and_sets_none() -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert [name for name in (*NAMES, "COURSE_PROGRESS_FOLDER") if name not in text] == []
    assert [line for line in text.splitlines() if line and not line.startswith("#")] == []


def test_the_example_file_can_be_used_with_every_line_switched_on(tmp_path: Path) -> None:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    settings = [line.removeprefix("# ") for line in lines if line.startswith(("# ANTHROPIC_", "# COURSE_"))]
    assert {line.partition("=")[0] for line in settings} == set(NAMES)
    assert load_settings({}, written(tmp_path, "\n".join(settings))).base_url == "http://localhost:8080"


def test_progress_is_kept_in_the_usual_place_or_where_the_environment_says(tmp_path: Path) -> None:
    assert progress_folder({"COURSE_PROGRESS_FOLDER": str(tmp_path)}) == tmp_path
    assert progress_folder({}).name == "agent-loop-course"

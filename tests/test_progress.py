"""What is kept from one kernel to the next: read, changed, broken, refused, and written by several kernels at once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from pydantic import BaseModel, ConfigDict

from course.progress import Record


class Words(BaseModel):
    model_config = ConfigDict(frozen=True)

    words: tuple[str, ...] = ()


def adding(word):
    return lambda content: Words(words=(*content.words, word) if word not in content.words else content.words)


@pytest.fixture
def told():
    return []


@pytest.fixture
def record(tmp_path):
    return Record("words", Words, tmp_path / "progress")


def test_what_is_not_there_yet_is_empty_and_not_made(record, told):
    assert record.read(told.append) == Words()
    assert told == []
    assert not record.path.parent.exists()


def test_a_change_is_read_by_the_next_kernel(record, told):
    assert record.change(adding("größer"), told.append) == Words(words=("größer",))
    again = Record("words", Words, record.path.parent)
    assert again.read(told.append) == Words(words=("größer",))
    assert record.path.read_text(encoding="utf-8") == '{\n "words": [\n  "größer"\n ]\n}\n'
    assert told == []


def test_a_change_is_made_to_what_another_kernel_wrote(record, told):
    other = Record("words", Words, record.path.parent)
    record.change(adding("a"), told.append)
    other.change(adding("b"), told.append)
    assert record.change(adding("c"), told.append) == Words(words=("a", "b", "c"))


WRITER = """\
import sys
from pathlib import Path
from test_progress import Record, Words, adding
record = Record("words", Words, Path(sys.argv[1]))
for number in range(10):
    record.change(adding(f"{sys.argv[2]}{number}"), print)
"""


def test_kernels_that_write_at_once_lose_nothing(record, told):
    command = [sys.executable, "-c", WRITER, str(record.path.parent)]
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    writers = [subprocess.Popen([*command, name], env=path, stdout=subprocess.PIPE) for name in "abc"]
    assert [writer.communicate(timeout=60)[0] for writer in writers] == [b""] * 3
    expected = {f"{name}{number}" for name in "abc" for number in range(10)}
    assert set(record.read(told.append).words) == expected
    left = sorted(path.name for path in record.path.parent.iterdir())
    assert left == ["words.json", "words.lock"]


@pytest.mark.parametrize(
    "broken", [b'{"words": ["a"', b"", b"\xff\xfe", b'{"words": 5}', b"[]", b'{"words": ["\xe4"]}']
)
def test_a_broken_file_is_set_aside_and_told(record, told, broken):
    record.path.parent.mkdir()
    record.path.write_bytes(broken)
    assert record.read(told.append) == Words()
    assert told == [
        f"{record.path} is broken. It was renamed to words.broken-1.json, and a new file is begun: earlier answers are missing."
    ]
    assert record.path.with_name("words.broken-1.json").read_bytes() == broken
    record.change(adding("a"), told.append)
    assert record.read(told.append) == Words(words=("a",))
    assert len(told) == 1


def test_a_second_broken_file_does_not_replace_the_first(record, told):
    record.path.parent.mkdir()
    for broken in (b"first", b"second"):
        record.path.write_bytes(broken)
        record.read(told.append)
    aside = sorted(record.path.parent.glob("*.broken-*"))
    assert [path.read_bytes() for path in aside] == [b"first", b"second"]


def refusal(reason, folder):
    return (
        f"Your progress can't be kept ({reason}): it counts until the kernel ends. Make room or allow writing in {folder}, "
        "or set COURSE_PROGRESS_FOLDER to another folder."
    )


def test_a_folder_that_can_not_be_is_told_once_and_the_change_counts(record, told):
    record.path.parent.write_text("a file")
    assert record.change(adding("a"), told.append) == Words(words=("a",))
    assert record.change(adding("b"), told.append) == Words(words=("a", "b"))
    assert told == [refusal("File exists", record.path.parent)]


def test_what_waits_is_seen_by_who_comes_later_in_the_same_kernel(record, told):
    record.path.parent.write_text("a file")
    record.change(adding("a"), told.append)
    later = Record("words", Words, record.path.parent)
    assert later.read(told.append) == Words(words=("a",))
    record.path.parent.unlink()
    later.change(adding("b"), told.append)
    assert record.path.read_text(encoding="utf-8") == '{\n "words": [\n  "a",\n  "b"\n ]\n}\n'


def test_what_waits_goes_to_another_folder_that_is_named(told, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("COURSE_PROGRESS_FOLDER", str(tmp_path / "file"))
    Record("words", Words).change(adding("a"), told.append)
    monkeypatch.setenv("COURSE_PROGRESS_FOLDER", str(tmp_path / "other"))
    assert Record("words", Words).read(told.append) == Words(words=("a",))
    Record("words", Words).change(adding("b"), told.append)
    assert "a" in (tmp_path / "other" / "words.json").read_text(encoding="utf-8")


def test_what_waited_is_written_as_soon_as_it_can_be(record, told):
    record.path.parent.write_text("a file")
    record.change(adding("a"), told.append)
    record.path.parent.unlink()
    record.change(adding("b"), told.append)
    assert Record("words", Words, record.path.parent).read(told.append) == Words(words=("a", "b"))


def test_a_full_disk_leaves_the_old_file_whole(record, told):
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    record.change(adding("a"), told.append)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))  # no file may be longer than 10 bytes
    try:
        assert record.change(adding("b"), told.append) == Words(words=("a", "b"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert told == [refusal("File too large", record.path.parent)]
    assert record.path.read_text(encoding="utf-8") == '{\n "words": [\n  "a"\n ]\n}\n'
    assert list(record.path.parent.glob("*.tmp")) == []
    assert record.read(told.append) == Words(words=("a", "b"))


def test_a_file_that_can_not_be_read_is_not_replaced(record, told):
    record.path.mkdir(parents=True)  # a folder of the file's name
    assert record.change(adding("a"), told.append) == Words(words=("a",))
    assert told == [refusal("Is a directory", record.path.parent)]
    assert record.path.is_dir()


def test_a_lock_that_is_never_let_go_is_not_waited_for(record, told, monkeypatch):
    fcntl = pytest.importorskip("fcntl", reason="Windows locks in another way")
    monkeypatch.setattr("course.progress.PATIENCE", 0.05)
    record.change(adding("a"), told.append)
    with record.path.with_suffix(".lock").open("a+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert record.change(adding("b"), told.append) == Words(words=("a", "b"))
    assert told == []


def test_the_folder_is_the_one_that_the_environment_names(monkeypatch, tmp_path, told):
    monkeypatch.setenv("COURSE_PROGRESS_FOLDER", str(tmp_path / "named"))
    Record("words", Words).change(adding("a"), told.append)
    assert (tmp_path / "named" / "words.json").exists()


def test_a_folder_of_nobody_is_told(monkeypatch, told):
    monkeypatch.setenv("COURSE_PROGRESS_FOLDER", "~nobody-of-this-name/x")
    assert Record("words", Words).change(adding("a"), told.append) == Words(words=("a",))
    assert told == [refusal("Could not determine home directory.", "~nobody-of-this-name/x")]

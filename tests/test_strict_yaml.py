"""Strict YAML: what is read, what is refused, and the whole text of each refusal."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field

from course import strict_yaml
from course.errors import BankError, YamlError
from course.strict_yaml import Document, load, read, validate

TOO_OFTEN = "What stands here is repeated too often by aliases (*name). Write the text out where it is needed."


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Choice(Strict):
    text: str
    correct: bool = False


class One(Strict):
    kind: Literal["one"]
    id: str
    options: tuple[Choice, ...]
    scope: Literal["exam", "production"] = "exam"


class Free(Strict):
    kind: Literal["free"]
    id: str
    length: int | None = None


class File(Strict):
    items: tuple[Annotated[One | Free, Field(discriminator="kind")], ...]


def faults_of(text: str) -> str:
    with pytest.raises(YamlError) as caught:
        load(text, "f.yaml")
    return str(caught.value)


def faults_of_bytes(tmp_path, raw: bytes) -> str:
    path = tmp_path / "f.yaml"
    path.write_bytes(raw)
    with pytest.raises(YamlError) as caught:
        read(path)
    return str(caught.value).replace(str(path), "f.yaml")


def invalid(text: str) -> str:
    with pytest.raises(YamlError) as caught:
        validate(load(text, "f.yaml"), File)
    return str(caught.value)


@pytest.fixture(params=["C library", "pure Python"])
def each_parser(request, monkeypatch):
    """Run the test on PyYAML's C library and on its Python parser: their wordings differ, ours must not."""
    if request.param == "pure Python":
        monkeypatch.setattr(strict_yaml, "_Loader", strict_yaml._PureLoader)
    else:
        assert yaml.__with_libyaml__, "the tests need PyYAML with its C library"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("null", None),
        ("2026-11-30", "2026-11-30"),
        ("12:30:00", "12:30:00"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ("-12", -12),
        ("007", 7),
        ("1.5e3", 1500.0),
        (".5", 0.5),
        (".inf", ".inf"),
        ("1e999", "1e999"),
        ("9" * 5000, "9" * 5000),
        ("'12'", "12"),
        ('"true"', "true"),
        ("=", "="),
        ("|\n  12\n", "12\n"),
    ],
)
def test_the_value_of_a_scalar(each_parser, written, value):
    data = load(f"key: {written}", "f.yaml").data
    assert data == {"key": value}
    assert type(data["key"]) is type(value)


def test_keys_are_always_text(each_parser):
    assert load("1: a\nno: b\ntrue: c\nnull: d", "f.yaml").data == {"1": "a", "no": "b", "true": "c", "null": "d"}


def test_an_alias_repeats_what_its_anchor_holds(each_parser):
    assert load("a: &x {b: [1, 2]}\nc: *x", "f.yaml").data == {"a": {"b": [1, 2]}, "c": {"b": [1, 2]}}


def test_an_empty_file_holds_nothing(each_parser):
    document = load("# only a remark\n", "f.yaml")
    assert document.data is None
    assert document.line(("items", 0)) == 1


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a:\n\tb: 1", "f.yaml:2: A tab is used for indentation. Use spaces."),
        ("a: 1\n\tb: 2", "f.yaml:2: A tab is used for indentation. Use spaces."),
        ("a: |\n\tx\n  y", "f.yaml:2: A tab is used for indentation. Use spaces."),
        ("a: @b", "f.yaml:1: Text starts with @. Put the text in quotes."),
        ("a: `b`", "f.yaml:1: Text starts with `. Put the text in quotes."),
        (
            "a: b: c",
            'f.yaml:1: A colon stands where YAML expects none. Put text that holds ": " in quotes, or check the indentation.',
        ),
        ("x: 1\na: 'b\nc: d", "f.yaml:2: A quote is opened here and never closed. Close it."),
        (
            "a: [1, 2\nb: 3",
            "f.yaml:2: A list [ ] or mapping { } is not closed (what it belongs to starts on line 1). "
            "Add the missing comma or bracket.",
        ),
        (
            "- a\nb: 1",
            "f.yaml:2: This line does not fit what stands above it (what it belongs to starts on line 1). "
            "Check its indentation and its quotes.",
        ),
        (
            "'a' b: 1",
            "f.yaml:1: This line does not fit what stands above it. Check its indentation and its quotes.",
        ),
        ("a: *x", "f.yaml:1: An alias (*name) has no anchor (&name) above it. Put text that starts with * in quotes."),
        ("a: 1\n---\nb: 2", "f.yaml:2: A second document starts here (---). Put it in a file of its own."),
        ("a: 1\nb: \x07", "f.yaml:2: The character U+0007 is not allowed in YAML. Delete it."),
        ("a: \ud800", "f.yaml:1: The character U+D800 is not allowed in YAML. Delete it."),
        ("a: 1\nb: 2\na: 3", 'f.yaml:3: The key "a" stands twice in the same mapping. Keep one of them.'),
        ("a: 1\n'a': 3", 'f.yaml:2: The key "a" stands twice in the same mapping. Keep one of them.'),
        ("? [a]\n: b", "f.yaml:1: A key is a list or a mapping. Write text before the colon."),
        (
            "a: !!python/object/apply:os.system ['echo']",
            "f.yaml:1: The tag !!python/object/apply:os.system is not allowed. "
            "Leave it out; put text that looks like a number in quotes.",
        ),
        (
            "a: !!str 1",
            "f.yaml:1: The tag !!str is not allowed. Leave it out; put text that looks like a number in quotes.",
        ),
        (
            "a: !mine 1",
            "f.yaml:1: The tag !mine is not allowed. Leave it out; put text that looks like a number in quotes.",
        ),
        ("[" * 70 + "]" * 70, "f.yaml:1: Lists and mappings are nested more than 60 deep. Flatten them."),
        ("[" * 50_000, "f.yaml:1: Lists and mappings are nested too deep. Flatten them."),
        ("- " * 50_000 + "a", "f.yaml:1: Lists and mappings are nested too deep. Flatten them."),
        ("%YAML 3.0\n---\na: 1", "f.yaml:1: This is not valid YAML: found incompatible YAML document."),
    ],
)
def test_what_is_refused(text, faults):
    assert faults_of(text) == faults


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a:\n\tb: 1", "f.yaml:2: A tab is used for indentation. Use spaces."),
        ("a: @b", "f.yaml:1: Text starts with @. Put the text in quotes."),
        (
            "a: [1, 2\nb: 3",
            "f.yaml:2: A list [ ] or mapping { } is not closed (what it belongs to starts on line 1). "
            "Add the missing comma or bracket.",
        ),
        ("x: 1\na: 'b\nc: d", "f.yaml:2: A quote is opened here and never closed. Close it."),
        ("a: 1\nb: \x07", "f.yaml:2: The character U+0007 is not allowed in YAML. Delete it."),
        ("[" * 2_000, "f.yaml:1: Lists and mappings are nested too deep. Flatten them."),
    ],
)
def test_the_python_parser_is_explained_in_the_same_words(monkeypatch, text, faults):
    monkeypatch.setattr(strict_yaml, "_Loader", strict_yaml._PureLoader)
    assert faults_of(text) == faults


def test_all_faults_of_a_document_are_reported_in_the_order_of_their_lines(each_parser):
    assert faults_of("a: 1\na: !!int 2\nb: !!set {}\nc: {d: 1, d: 2}") == (
        'f.yaml:2: The key "a" stands twice in the same mapping. Keep one of them.\n'
        "f.yaml:3: The tag !!set is not allowed. Leave it out; put text that looks like a number in quotes.\n"
        'f.yaml:4: The key "d" stands twice in the same mapping. Keep one of them.'
    )


def test_aliases_that_repeat_each_other_are_refused(each_parser):
    laughs = "a0: &a0 [lol, lol]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    assert faults_of(laughs) == f"f.yaml:1: {TOO_OFTEN}"


def test_an_alias_inside_of_its_own_anchor_is_refused(each_parser):
    assert faults_of("a: &a [*a]") == f"f.yaml:1: {TOO_OFTEN}"
    deep = "a: &a [*a] # " + "x" * 1000
    assert faults_of(deep) == "f.yaml:1: Lists and mappings are nested more than 60 deep. Flatten them."


def test_text_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(strict_yaml, "MAX_BYTES", 2**20)
    assert faults_of("a" * (2**20 + 1)) == "f.yaml:1: The file is larger than 1 MB. Split it into several files."


def test_a_file_that_is_too_large_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(strict_yaml, "MAX_BYTES", 2**20)
    too_large = "f.yaml:1: The file is larger than 1 MB. Split it into several files."
    assert faults_of_bytes(tmp_path, b"a" * (2**20 + 1)) == too_large
    assert faults_of_bytes(tmp_path, b"\xff" * (2**20 + 1)) == too_large


@pytest.mark.parametrize(
    ("raw", "line", "byte"),
    [
        ("a: 1\nb: naïve".encode("latin-1"), 2, "0xef"),
        ("a: 你好".encode("gbk"), 1, "0xc4"),
        ("a: 1".encode("utf-16"), 1, "0xff"),
    ],
)
def test_a_file_in_another_encoding_is_refused(tmp_path, raw, line, byte):
    assert faults_of_bytes(tmp_path, raw) == (
        f'f.yaml:{line}: The file is not in UTF-8: byte {byte} is not valid here. Save it with the encoding "UTF-8".'
    )


def test_a_byte_order_mark_and_windows_line_ends_are_fine(tmp_path):
    path = tmp_path / "f.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: |\r\n  x\r\n  y\r\nb: \xc3\xa9\r\n")
    document = read(path)
    assert document.data == {"a": "x\ny\n", "b": "é"}
    assert document.line(("b",)) == 4


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(YamlError) as caught:
        read(tmp_path / "none.yaml")
    assert str(caught.value) == f"{tmp_path / 'none.yaml'}:1: There is no such file."


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(YamlError, match=r"^.*:1: The file can't be read: .+\.$"):
        read(tmp_path)


def test_the_error_is_of_the_type_that_was_asked_for():
    with pytest.raises(BankError):
        load("a: [", "f.yaml", error=BankError)
    with pytest.raises(BankError):
        validate(load("a: 1", "f.yaml"), File, error=BankError)


def test_the_line_of_a_path_or_of_its_nearest_parent():
    document = load("# remark\na:\n  - b: 1\n    c:\n      d: 2\n  - e", "f.yaml")
    assert document.line() == 2
    assert document.line(("a",)) == 2
    assert document.line(("a", 0)) == 3
    assert document.line(("a", 0, "c")) == 4
    assert document.line(("a", 0, "c", "d")) == 5
    assert document.line(("a", 0, "c", "nothing", "here")) == 4
    assert document.line(("a", 1)) == 6
    assert document.line(("a", 7)) == 2
    assert document.line(("a", 1, "x")) == 6


def test_a_fault_at_a_path():
    document = load("a: 1\nb: 2", "f.yaml")
    assert str(document.fault(("b",), "Too small.", "Write 3.")) == "f.yaml:2: Too small. Write 3."


def test_a_document_as_a_model():
    file = validate(
        load("items:\n  - {kind: free, id: no}\n  - {kind: one, id: a, options: [{text: x}]}", "f.yaml"), File
    )
    assert file == File(items=(Free(kind="free", id="no"), One(kind="one", id="a", options=(Choice(text="x"),))))


def test_every_fault_of_a_model_is_reported_at_its_line():
    text = """\
items:
  - kind: one
    id: no
    scoop: exam
    scope: exm
    options:
      - text: 1
        correct: yes
      - txet: "no"
  - kind: other
  - id: 4
  - kind: free
    length: x
    options: []
  - 5
  - kind: one
    id: {a: 1}
    options: none
more: 1
"""
    assert invalid(text).splitlines() == [
        'f.yaml:4: "scoop" is not a known key (items 1). Did you mean "scope"?',
        'f.yaml:5: "scope" is "exm" (items 1). It can be "exam" or "production".',
        'f.yaml:7: "text" must be text, not 1 (items 1, options 1). Put it in quotes.',
        'f.yaml:8: "correct" must be true or false, not "yes" (items 1, options 1).',
        'f.yaml:9: "text" is missing (items 1, options 2). Add it.',
        'f.yaml:9: "txet" is not a known key (items 1, options 2). Did you mean "text"?',
        'f.yaml:10: "kind" is "other" (items 2). It can be "one", "free".',
        'f.yaml:11: "kind" is missing (items 3). Add it.',
        'f.yaml:12: "id" is missing (items 4). Add it.',
        'f.yaml:13: "length" must be a whole number, not "x" (items 4).',
        'f.yaml:14: "options" is not a known key (items 4). Known keys: kind, id, length.',
        'f.yaml:15: This entry must be a mapping, not 5 (items 5). Write "key: value" lines.',
        'f.yaml:17: "id" must be text, not a mapping (items 6).',
        'f.yaml:18: "options" must be a list, not "none" (items 6). Start each entry with "- ".',
        'f.yaml:19: "more" is not a known key. Known keys: items.',
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", 'f.yaml:1: The file must be a mapping, not empty. Write "key: value" lines.'),
        ("- a", 'f.yaml:1: The file must be a mapping, not a list. Write "key: value" lines.'),
        ("items:", 'f.yaml:1: "items" must be a list, not empty. Start each entry with "- ".'),
        (
            "items: " + "x" * 50,
            f'f.yaml:1: "items" must be a list, not "{"x" * 39}…". Start each entry with "- ".',
        ),
    ],
)
def test_a_file_of_the_wrong_shape(text, fault):
    assert invalid(text) == fault


def test_a_document_can_be_made_without_a_file():
    assert Document({"items": []}, "made here").line(("items",)) == 1

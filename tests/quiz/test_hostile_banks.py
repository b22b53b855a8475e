"""Banks that want to do harm, or were saved badly: a clear error, or text that is only text. For every kind."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from course import strict_yaml
from course.errors import BankError
from course.quiz.bank import Bank, load_bank
from course.quiz.session import start
from course.quiz.show import choices, extras, lefts
from course.quiz.terminal import ask_in_terminal
from course.strict_yaml import read

EVERY_KIND = Path(__file__).parent / "banks" / "every_kind.yaml"
ITEMS = read(EVERY_KIND).data["items"]
TEXT = EVERY_KIND.read_text(encoding="utf-8")
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script> [x](javascript:alert(3)) {{7*7}} $(id) \x85\u202e"
each_kind = pytest.mark.parametrize("raw", ITEMS, ids=lambda raw: raw["id"])


@pytest.fixture
def load(tmp_path):
    """Writes a bank (its items, its text or its bytes) and loads it."""

    def load(content: list | str | bytes) -> Bank:
        if isinstance(content, list):
            content = json.dumps({"title": "t", "items": content})
        path = tmp_path / "b.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return load_bank(path)

    return load


@pytest.fixture
def faults(load, tmp_path):
    """The faults of such a bank."""

    def faults(content: list | str | bytes) -> list[str]:
        with pytest.raises(BankError) as caught:
            load(content)
        return str(caught.value).replace(f"{tmp_path / 'b.yaml'}:", "").splitlines()

    return faults


def with_hostile_text(value: Any, key: str = "") -> Any:
    """The item with hostile text at the end of all that an author writes for a reader, and in what goes over the wire."""
    if isinstance(value, dict):
        return {name: with_hostile_text(each, name) for name, each in value.items() if name != "variants"}
    if isinstance(value, list):
        return [with_hostile_text(each, key) for each in value]
    written = ("text", "stem", "why", "whys", "code", "do", "content", "pieces", "start", "solution", "list_files")
    return value + HOSTILE if isinstance(value, str) and key in written else value


@each_kind
def test_markup_scripts_and_links_are_text(load, raw):
    if "variants" in raw:
        raw = {**raw, "variants": {**raw["variants"], "more": [HOSTILE]}, "stem": raw["stem"] + "${more}"}
    else:
        raw = with_hostile_text(raw)
    [item] = load([raw]).items
    assert item.stem.endswith(HOSTILE)
    shown = [extra.text for extra in (*extras(item), *choices(item), *lefts(item))]
    if "variants" not in raw and item.kind not in ("action", "match", "code"):
        assert any(HOSTILE in text for text in shown)


@each_kind
def test_nothing_hostile_reaches_the_terminal(load, raw):
    raw = copy.deepcopy(raw)
    raw["stem"] += "[bold]\x1b[2J\x07\u202e\u2066[/bold]"
    output = io.StringIO()
    lines = iter(["1", "1,2", "1 2", "1a 2a", "4", "x", "."])
    session = start(load([raw]))
    ask_in_terminal(session, lambda _prompt: next(lines, "q"), Console(file=output, force_terminal=False, width=80))
    assert not set(output.getvalue()) & set("\x1b\x07\u202e\u2066")
    assert raw["kind"] == "code" or "[bold]\ufffd[2J\ufffd\ufffd\ufffd[/bold]" in output.getvalue()


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:x",
        "data:text/html,x",
        "http://a.b",
        "//a.b",
        "https://",
        "https://a b",
        " https://a.b",
    ],
)
def test_a_link_that_is_not_https(faults, url):
    raw = {**ITEMS[0], "refs": [{"url": url, "checked": "2026-11-30"}]}
    assert faults([raw]) == [f'1: "url" is "{url}" (items 1, refs 1). Write a link that starts with https://.']


WRONG = [17, -1.5, True, "text", [], {}, [[]], [{}], ["text"], [17], {"text": 1}, 10**300]
OWN_FIELDS = [
    (raw["id"], key)
    for raw in ITEMS
    for key in raw
    if key in ("options", "pieces", "right", "also", "start", "left", "whys", "function", "tasks", "solution", "wrong")
    or key in ("kind", "mode", "messages", "response", "results", "proof", "variants", "code", "pin")
]


def same_type(one: Any, other: Any) -> bool:
    """Whether two values have the same form, down to their first entries."""
    if isinstance(one, list) and isinstance(other, list) and one and other:
        return same_type(one[0], other[0])
    return type(one) is type(other)


@pytest.mark.parametrize(("id", "key"), OWN_FIELDS)
def test_a_value_of_the_wrong_type_in_a_field_of_the_kind(faults, id, key):
    raw = next(raw for raw in ITEMS if raw["id"] == id)
    for wrong in WRONG:
        if not same_type(wrong, raw[key]) and not (key == "also" and wrong == []):
            assert faults([{**raw, key: wrong}]), wrong


@each_kind
def test_each_field_that_is_needed(faults, raw):
    may_be_missing = {"messages", "proof", "variants", "also", "wrong", "code", "response", "results"}
    needed = [key for key in raw if key not in may_be_missing]
    assert {"id", "kind", "objective", "stem"} <= set(needed)
    for key in needed:
        found = faults([{name: value for name, value in raw.items() if name != key}])
        assert f'1: "{key}" is missing (items 1). Add it.' in found


@each_kind
def test_a_key_that_is_not_known(faults, raw):
    [fault] = faults([{**raw, "onclick": "alert(1)"}])
    assert fault.startswith('1: "onclick" is not a known key (items 1). Known keys: id, objective, scope, ')


@each_kind
def test_deep_nesting(faults, raw):
    deep: Any = "x"
    for _level in range(100):
        deep = [deep]
    assert faults([{**raw, "response": {"stop_reason": "end_turn", "content": deep}}]) == [
        "1: Lists and mappings are nested more than 60 deep. Flatten them."
    ]


def test_nesting_without_an_end(faults):
    assert faults("title: t\nitems: " + "[" * 100_000) == ["2: Lists and mappings are nested too deep. Flatten them."]


@each_kind
def test_aliases_that_explode(faults, raw):
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for name, below in zip("bcdefghi", "abcdefgh", strict=True):
        bomb += f"{name}: &{name} [{', '.join(9 * [f'*{below}'])}]\n"
    text = (
        bomb + "title: t\nitems:\n  - " + json.dumps({**raw, "response": "HERE"}).replace('"HERE"', "{stop_reason: *i}")
    )
    [fault] = faults(text)
    assert fault.endswith(
        "What stands here is repeated too often by aliases (*name). Write the text out where it is needed."
    )


def test_an_alias_inside_of_itself(faults):
    [fault] = faults("title: t\nitems: &a\n  - *a\n")
    assert fault.endswith(("Flatten them.", "Write the text out where it is needed."))


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system [id]", "!!binary aGk=", "!evil x", "!!int 7"])
def test_tags(faults, tag):
    [fault] = faults(f"title: t\nitems:\n  - {tag}\n")
    assert fault.startswith("3: The tag ")
    assert fault.endswith(" is not allowed. Leave it out; put text that looks like a number in quotes.")


def test_a_huge_file(faults, monkeypatch):
    monkeypatch.setattr(strict_yaml, "MAX_BYTES", 2**20)
    assert faults(b"title: t\nitems: '" + b"x" * 2**20) == [
        "1: The file is larger than 1 MB. Split it into several files."
    ]


@each_kind
def test_a_huge_text(load, raw):
    assert len(load([{**raw, "stem": raw["stem"] + "x" * 2_000_000}]).items[0].stem) > 2_000_000


@pytest.mark.parametrize(
    ("encoding", "fault"),
    [
        ("utf-16", '1: The file is not in UTF-8: byte 0xff is not valid here. Save it with the encoding "UTF-8".'),
        ("cp1252", '1: The file is not in UTF-8: byte 0xe9 is not valid here. Save it with the encoding "UTF-8".'),
        ("gbk", '1: The file is not in UTF-8: byte 0xa8 is not valid here. Save it with the encoding "UTF-8".'),
    ],
)
def test_another_encoding(faults, encoding, fault):
    assert faults(("title: é\n" + TEXT.partition("\n")[2]).encode(encoding)) == [fault]


@pytest.mark.parametrize(
    "change",
    [lambda raw: b"\xef\xbb\xbf" + raw, lambda raw: raw.replace(b"\n", b"\r\n"), lambda raw: raw.replace(b"\n", b"\r")],
    ids=["BOM", "CRLF", "CR"],
)
def test_a_byte_order_mark_and_other_line_ends_change_nothing(load, change):
    assert load(change(TEXT.encode("utf-8"))).items == load(TEXT).items


@each_kind
def test_tabs(faults, raw):
    start = TEXT.index(f"  - id: {raw['id']}\n")
    line = TEXT.count("\n", 0, start) + 2
    changed = TEXT[:start] + TEXT[start:].replace("\n    kind", "\n\tkind", 1)
    assert faults(changed) == [f"{line}: A tab is used for indentation. Use spaces."]


@pytest.mark.parametrize(
    ("id", "key", "value", "fault"),
    [
        ("lines-in-order", "right", [0, 1, 10**300], "There is no piece 1"),
        ("repair-the-array", "start", [-(10**300)], "There is no piece -1"),
        ("reasons-and-actions", "pairs", [10**300, 0], "There is no right 1"),
    ],
)
def test_numbers_out_of_all_proportion(faults, id, key, value, fault):
    raw = next(raw for raw in ITEMS if raw["id"] == id)
    assert any(found.startswith(f"1: {fault}") for found in faults([{**raw, key: value}]))


def test_only_a_line_feed_ends_a_line_of_code(load, faults):
    code = "a()\u2028b()\x0cc()\nd()\n"
    options = [
        {"line": 1, "correct": True, "why": "w", "fix": "e()"},
        {"line": 2, "why": "w", "misconception": "text-means-done"},
    ]
    raw = {**next(raw for raw in ITEMS if raw["kind"] == "line"), "code": code, "options": options}
    [item] = load([raw]).items
    assert [extra.text for extra in choices(item)] == ["a()\u2028b()\x0cc()", "d()"]
    assert item.fixed(0) == "e()\nd()\n"
    options[1]["line"] = 3
    assert faults([raw]) == ["1: There is no line 3: the code has 2. Correct it."]

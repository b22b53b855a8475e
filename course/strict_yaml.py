"""YAML for files that people write: strict, harmless, and every fault with its line.

What differs from plain YAML: a key stands once; `no`, `on` and dates stay text (the booleans are YAML 1.2's: `true` and
`false`); no tags, so no file can build an object; aliases, nesting and size are bounded. Keys are always text.
"""

from __future__ import annotations

import gc
import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import yaml

from course.errors import Fault, YamlError
from course.words import _

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["MAX_BYTES", "MAX_DEPTH", "Document", "load", "no_garbage_collection", "read", "validate"]

MAX_BYTES = 64 * 2**20
MAX_DEPTH = 60

Steps = tuple[str | int, ...]
_Model = TypeVar("_Model", bound="BaseModel")

_WORDS = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}
_INT = re.compile(r"[-+]?[0-9]{1,400}")  # int() refuses more than 4,300 digits; a longer row of digits stays text
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,9})?")


class _Plain:
    """PyYAML's resolver in its smallest form: it tells plain text (which may be a number) from quoted text."""

    def resolve(self, kind: type[yaml.Node], value: str | None, implicit: Any) -> str:
        return "plain" if kind is yaml.ScalarNode and implicit[0] else "quoted"

    def descend_resolver(self, *_path: object) -> None:
        """PyYAML calls this on the way down; nothing here depends on the path."""

    def ascend_resolver(self) -> None:
        """PyYAML calls this on the way up."""


class _PureLoader(_Plain, yaml.reader.Reader, yaml.scanner.Scanner, yaml.parser.Parser, yaml.composer.Composer):
    """The loader where PyYAML was built without its C library: the same result, more slowly."""

    def __init__(self, text: str) -> None:
        yaml.reader.Reader.__init__(self, text)
        yaml.scanner.Scanner.__init__(self)
        yaml.parser.Parser.__init__(self)
        yaml.composer.Composer.__init__(self)


_Loader: Any = _PureLoader
if yaml.__with_libyaml__:
    _Loader = type("_CLoader", (_Plain, yaml.cyaml.CParser), {})  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Document:
    """What a file holds (`data`: dicts, lists, text, numbers, booleans, None), and the way back to its lines."""

    data: Any
    file: str
    root: yaml.Node | None = None

    def line(self, path: Steps = ()) -> int:
        """The line of the node at `path` (keys and indexes), or of its nearest parent that exists. Counted from 1."""
        node, line = self.root, 1
        for part in (None, *path):
            if part is not None:
                node, line = _child(node, part, line)
            elif node is not None:
                line = node.start_mark.line + 1
            if node is None:
                break
        return line

    def fault(self, path: Steps, what: str, remedy: str = "") -> Fault:
        """A fault at the line of `path`."""
        return Fault(self.file, self.line(path), what, remedy)


def _child(node: yaml.Node | None, part: str | int, line: int) -> tuple[yaml.Node | None, int]:
    """The node below, and its line: a key's own line for a mapping, since a value may start on the next one."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == part:
                return value, key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and 0 <= part < len(node.value):
        return node.value[part], node.value[part].start_mark.line + 1
    return None, line


def read(path: str | Path, *, error: type[YamlError] = YamlError) -> Document:
    """Read a file. Raises `error` if it can't be read, is not UTF-8, is too large, or has faults."""
    file = str(path)
    try:
        with open(path, "rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise error([Fault(file, 1, _("There is no such file."))]) from None
    except OSError as fault:
        raise error([Fault(file, 1, _("The file can't be read: {reason}.").format(reason=fault.strerror))]) from None
    return load(_decode(raw, file, error), file, error=error)


def _decode(raw: bytes, file: str, error: type[YamlError]) -> str:
    try:
        return raw[: MAX_BYTES + 1].decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        if len(raw) > MAX_BYTES:
            raise error([_too_large(file)]) from None
        line = raw.count(b"\n", 0, fault.start) + 1
        what = _("The file is not in UTF-8: byte 0x{byte:02x} is not valid here.").format(byte=raw[fault.start])
        raise error([Fault(file, line, what, _('Save it with the encoding "UTF-8".'))]) from None


def _too_large(file: str) -> Fault:
    what = _("The file is larger than {size} MB.").format(size=MAX_BYTES // 2**20)
    return Fault(file, 1, what, _("Split it into several files."))


def load(text: str, file: str, *, error: type[YamlError] = YamlError) -> Document:
    """The document in `text`; `file` names it in faults. Raises `error` with every fault that could be found."""
    if len(text) > MAX_BYTES:
        raise error([_too_large(file)])
    text = text.removeprefix("\ufeff")
    with no_garbage_collection():
        try:
            root = _Loader(text).get_single_node()
        except (yaml.YAMLError, UnicodeEncodeError, RecursionError) as broken:
            from course.yaml_faults import explain  # only when something is wrong

            raise error([explain(broken, text, file)]) from None
        if root is None:  # an empty file
            return Document(None, file)
        builder = _Builder(file, limit=len(text) + 1)
        data = builder.build(root, 1)
    if builder.faults:
        raise error(builder.faults)
    return Document(data, file, root)


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """While a large file is read, nothing is garbage yet; looking for it again and again would take two thirds of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Builder:
    """Makes plain data of nodes. `limit`: how many nodes there may be. A file can't hold more nodes than characters; only
    aliases that repeat each other go beyond that."""

    def __init__(self, file: str, limit: int) -> None:
        self.file = file
        self.left = limit
        self.stopped = False
        self.faults: list[Fault] = []

    def build(self, node: yaml.Node, depth: int) -> Any:
        self.left -= 1
        if self.left <= 0 or depth > MAX_DEPTH:
            return self._stop(node, depth)
        if node.tag == "plain":
            return _scalar(node.value)
        if node.tag != "quoted":
            what = _("The tag {tag} is not allowed.").format(tag=node.tag.replace("tag:yaml.org,2002:", "!!"))
            return self._fault(node, what, _("Leave it out; put text that looks like a number in quotes."))
        if isinstance(node, yaml.ScalarNode):
            return node.value
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, depth + 1) for item in node.value]
        return self._mapping(node, depth)

    def _mapping(self, node: yaml.Node, depth: int) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._fault(key, _("A key is a list or a mapping."), _("Write text before the colon."))
            elif key.value in data:
                what = _('The key "{key}" stands twice in the same mapping.').format(key=key.value)
                self._fault(key, what, _("Keep one of them."))
            else:
                data[key.value] = self.build(value, depth + 1)
        return data

    def _stop(self, node: yaml.Node, depth: int) -> None:
        """Report what is too deep or too much once: it is so in many places, and the rest is not looked at."""
        first, self.left = not self.stopped, 0
        self.stopped = True
        if first and depth > MAX_DEPTH:
            what = _("Lists and mappings are nested more than {depth} deep.").format(depth=MAX_DEPTH)
            self._fault(node, what, _("Flatten them."))
        elif first:
            self._fault(
                node,
                _("What stands here is repeated too often by aliases (*name)."),
                _("Write the text out where it is needed."),
            )

    def _fault(self, node: yaml.Node, what: str, remedy: str) -> None:
        self.faults.append(Fault(self.file, node.start_mark.line + 1, what, remedy))


def _scalar(text: str) -> Any:
    """The value of plain text, by the core schema of YAML 1.2 (without its octal, hexadecimal and infinite numbers)."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "+-.0123456789":
        if _INT.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text) and math.isfinite(float(text)):
            return float(text)
    return text


def validate(document: Document, model: type[_Model], *, error: type[YamlError] = YamlError) -> _Model:
    """The document as a pydantic model, checked strictly (text is not made into numbers). Raises `error` with all faults."""
    from pydantic import ValidationError

    try:
        # As JSON, because pydantic's strict mode then takes a list for a tuple, and nothing else for something else.
        return model.model_validate_json(json.dumps(document.data), strict=True)
    except ValidationError as invalid:
        from course.yaml_faults import explain_invalid

        raise error(explain_invalid(invalid, document, model)) from None

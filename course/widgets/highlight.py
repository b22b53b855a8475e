"""The learner's source as spans for the page: what is a keyword, a string, a comment, a number."""

from __future__ import annotations

import io
import keyword
import tokenize

__all__ = ["Span", "spans"]

Span = tuple[str, str]  # the kind ("" for plain text), and the text

KINDS = {tokenize.STRING: "str", tokenize.COMMENT: "comment", tokenize.NUMBER: "num"}
PARTS_OF_F_STRINGS = ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")  # tokens of their own from Python 3.12 on
KINDS.update({getattr(tokenize, name): "str" for name in PARTS_OF_F_STRINGS if hasattr(tokenize, name)})


def spans(source: str) -> list[list[Span]]:
    """The lines of a source, each as its spans in order. Joined, the texts of a line are the line.

    A source that can't be read as Python (a learner's syntax error) is shown without kinds from the fault on.
    """
    lines = source.splitlines()
    kinds = [[""] * len(line) for line in lines]
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            is_keyword = token.type == tokenize.NAME and keyword.iskeyword(token.string)
            kind = "kw" if is_keyword else KINDS.get(token.type, "")
            if kind:
                _paint(kinds, token.start, token.end, kind)
    except (tokenize.TokenError, SyntaxError):
        pass  # what was read until here keeps its kinds
    return [_join(line, row) for line, row in zip(lines, kinds, strict=True)]


def _paint(kinds: list[list[str]], start: tuple[int, int], end: tuple[int, int], kind: str) -> None:
    for line in range(start[0], end[0] + 1):
        row = kinds[line - 1] if line <= len(kinds) else []
        first = start[1] if line == start[0] else 0
        last = end[1] if line == end[0] else len(row)
        row[first:last] = [kind] * len(row[first:last])


def _join(line: str, kinds: list[str]) -> list[Span]:
    joined: list[Span] = []
    for character, kind in zip(line, kinds, strict=True):
        if joined and joined[-1][0] == kind:
            joined[-1] = (kind, joined[-1][1] + character)
        else:
            joined.append((kind, character))
    return joined

"""The messages of a request in a form that can be compared with those of another run, and where the first difference lies."""

from __future__ import annotations

import json

from course.trace.events import Json
from course.trace.words import blocks, cut

__all__ = ["alike", "normal", "place_and_values"]

MISSING = "\0missing"
FORM = ("caller", "citations", "cache_control", "signature")  # keys of a block that say nothing that a reader compares
WIDTH = 60  # characters of a value that is shown
BEFORE = 16  # characters of it that stand before the difference


def alike(values: list[Json]) -> bool:
    """Whether all are the same."""
    return all(value == values[0] for value in values)


def normal(messages: list[Json], *, number_ids: bool = True) -> list[Json]:
    """The messages without what differs from run to run: ids become numbers, in their order, and the words of a model go."""
    ids: dict[str, int] | None = {} if number_ids else None
    return [_message(message, ids) for message in messages]


def _message(message: Json, ids: dict[str, int] | None) -> Json:
    if not isinstance(message, dict):
        return message
    content = [_block(block, ids) for block in blocks(message)]
    if message.get("role") == "assistant":  # a live model chooses other words each time
        content = [block for block in content if block.get("type") not in ("text", "thinking")] or [{"type": "text"}]
    return {"role": message.get("role"), "content": content}


def _block(block: dict[str, Json], ids: dict[str, int] | None) -> dict[str, Json]:
    result = {name: value for name, value in block.items() if name not in FORM}
    for name in ("id", "tool_use_id"):
        if ids is not None and isinstance(block.get(name), str):
            result[name] = ids.setdefault(block[name], len(ids))
    if block.get("type") == "tool_result":
        result["content"] = [_block(part, ids) for part in blocks(block)]
        result["is_error"] = bool(block.get("is_error"))
    return result


def place_and_values(runs: list[list[Json]]) -> tuple[str, list[str | None]] | None:
    """Where these lists of messages differ first, such as `messages[2].content[0].tool_use_id`, and what each has there as text
    (None: it has nothing there). None if none differs in a message that all have."""
    path = _path([normal(messages) for messages in runs])
    values: list[Json] = [normal(messages, number_ids=False) for messages in runs]
    for key in path:
        values = [_inside(value).get(key, MISSING) for value in values]
    if not path or (len(path) == 1 and MISSING in values):
        return None
    place = "messages" + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    return place.removesuffix("[0].text"), _texts(values)


def _path(values: list[Json]) -> tuple[str | int, ...]:
    """The keys that lead to the first difference inside these values; () if it is the values themselves."""
    inside = [_inside(value) for value in values]
    for key in {key: None for each in inside for key in each}:
        column = [each.get(key, MISSING) for each in inside]
        if not alike(column):
            return (key, *_path(column))
    return ()


def _inside(value: Json) -> dict[str | int, Json]:
    if isinstance(value, list):
        return dict(enumerate(value))
    return value if isinstance(value, dict) else {}


def _texts(values: list[Json]) -> list[str | None]:
    """The values as JSON, long ones cut so that the difference can be seen."""
    texts = [json.dumps(value, ensure_ascii=False) for value in values]
    same = next((n for n, letters in enumerate(zip(*texts, strict=False)) if not alike(list(letters))), 0)
    start = same - BEFORE if same > WIDTH - BEFORE else 0
    cuts = [(text[0] + "\u2026" if start else "") + cut(text[start:], WIDTH) for text in texts]
    return [None if value == MISSING else text for value, text in zip(values, cuts, strict=True)]

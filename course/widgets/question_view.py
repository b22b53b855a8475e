"""What the page gets of a question before it is answered: no key, no `why`, no misconception.

Each question has a `form`, which says how it is answered: `choose`, `arrange`, `match` or `write`. Options, pieces and right
sides stand in the order of the session, and the page knows them by their place in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from course.quiz.items import CodeItem, Item, ManyItem, MatchItem, OrderItem, PickItem, PieceItem, RepairItem
from course.quiz.session import Session
from course.quiz.show import Extra, choices, lefts, pretty_json, task
from course.words import _

__all__ = ["shown_messages", "shown_question", "to_file", "to_page"]

WIDTH = 102  # columns of JSON that fit into the card on a wide screen; on a narrow one the page breaks the lines
PIECE = 120  # of a piece, which stands in half of the card: what is short is one line there, and the page breaks it
Json = dict[str, Any]


def shown_question(session: Session, number: int) -> Json:
    """The question as plain data."""
    item, order = session.item(number), session.order(number)
    return {"stem": item.stem.strip(), "extras": _extras(item), "task": task(item), **_form(item, order)}


def to_file(item: Item, order: Sequence[int], value: Any) -> Any:
    """The answer by the indexes of the file, from the places on the page. Raises ValueError if it makes no sense."""
    if isinstance(item, CodeItem):
        if not isinstance(value, str):
            raise ValueError(f"{value!r} is no source")
        return value
    if isinstance(item, MatchItem) and isinstance(value, list):
        return [None if place is None else _index(order, place) for place in value]
    if isinstance(item, ManyItem | PieceItem) and isinstance(value, list):
        return [_index(order, place) for place in value]
    return _index(order, value)


def to_page(item: Item, order: Sequence[int], answer: Any) -> Any:
    """The places on the page, from the indexes of the file."""
    if isinstance(item, CodeItem) or answer is None:
        return answer
    if isinstance(answer, list | tuple):
        return [None if at is None else order.index(at) for at in answer]
    return order.index(answer)


def _index(order: Sequence[int], place: Any) -> int:
    if type(place) is not int or not 0 <= place < len(order):
        raise ValueError(f"{place!r} is no place on the page")
    return order[place]


def _extras(item: Item) -> list[Json]:
    """The code, the messages and the response of an item, as far as it has them."""
    found: list[Json] = []
    if item.code is not None:
        found.append({"title": _("Code"), "code": item.code.rstrip("\n"), "numbered": True})
    if item.messages is not None:
        found.append({"title": "messages", "messages": shown_messages(item.messages)})
    if item.response is not None:
        found.append({"title": "response", "json": pretty_json(item.response, WIDTH)})
    return found


def shown_messages(messages: Sequence[Json], *, first: int | None = 0, old: int | None = None) -> list[Json]:
    """An array as the card draws it. first: the place of its first message. old: so many are not new; None: none is."""
    shown = []
    for at, message in enumerate(messages):
        usual = isinstance(message, dict) and message.keys() == {"role", "content"}
        shown.append(
            {
                "place": None if first is None else first + at,
                "role": str(message.get("role", "?")) if isinstance(message, dict) else "?",
                "text": pretty_json(message["content"] if usual else message, WIDTH),
                "new": old is not None and at >= old,
            }
        )
    return shown


def _form(item: Item, order: Sequence[int]) -> Json:
    if isinstance(item, CodeItem):
        return {"form": "write", "start": item.start.rstrip("\n") + "\n"}
    if isinstance(item, MatchItem):
        rights = [item.right[at].shown for at in order]
        return {"form": "match", "left": [_part(left) for left in lefts(item, WIDTH)], "right": rights}
    if isinstance(item, PieceItem):
        start = [order.index(at) for at in item.start] if isinstance(item, RepairItem) else []
        base = None if isinstance(item, OrderItem) else len(item.messages or ())
        return {"form": "arrange", "pieces": _pieces(item, order), "start": start, "base": base}
    right = sum(option.correct for option in item.options) if isinstance(item, ManyItem) else 0
    if isinstance(item, PickItem):
        options = [{"messages": _next(item, at)} for at in order]
    else:
        options = [_part(choices(item, WIDTH)[at]) for at in order]
    return {"form": "choose", "many": right, "options": options}


def _part(extra: Extra) -> Json:
    """An option or a left side. What has a title (a line of code has its number) is a text with code behind it."""
    return {"text": extra.title, "source": extra.text} if extra.title else {extra.kind: extra.text}


def _next(item: PickItem, at: int) -> list[Json]:
    """What is appended; or, where the option is the whole next array, that array with its new messages marked."""
    before, added = list(item.messages or ()), item.added(at)
    if item.options[at].messages is None:
        return shown_messages(added, first=len(before) if before else None, old=0)
    same = 0
    while same < min(len(before), len(added)) and before[same] == added[same]:
        same += 1
    return shown_messages(added, old=same)


def _pieces(item: PieceItem, order: Sequence[int]) -> list[Json]:
    """The pieces, each with a short name for a screen reader."""
    pieces = []
    for at in order:
        extra = choices(item, PIECE)[at]
        about = extra.text
        if not isinstance(item, OrderItem):
            block = item.pieces[at].block
            about = " ".join(str(block[key]) for key in ("type", "name", "id", "tool_use_id", "text") if key in block)
        name = " ".join(f"{extra.title} {about}".split())[:80]
        role = {"role": extra.title} if extra.title else {}
        pieces.append({**role, extra.kind: extra.text, "name": name})
    return pieces

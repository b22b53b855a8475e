"""A request as the rules see it: the body, how it came, the model, and the conversation as merged turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from course.offline.binding import Breach, broken
from course.offline.models import Model
from course.offline.rules.context import Context
from course.offline.wire import ApiFault

__all__ = ["Asked", "Placed", "Turn", "refuse"]


def refuse(message: str) -> ApiFault:
    """The fault that most rules report: a 400 `invalid_request_error`."""
    return ApiFault(message)


class Placed(NamedTuple):
    """A content block, and where it stands in `messages` as sent. A string counts as one text block, at place 0."""

    message: int
    place: int
    block: Mapping[str, Any]

    @property
    def where(self) -> str:
        """Its path: "messages.2.content.0"."""
        return f"messages.{self.message}.content.{self.place}"


@dataclass(frozen=True)
class Turn:
    """Consecutive messages of one role, merged. `first` and `last` are their indexes in `messages` as sent."""

    role: str
    first: int
    last: int
    blocks: list[Placed]


@dataclass(frozen=True)
class Asked:
    """What every rule is given."""

    body: Mapping[str, Any]
    context: Context
    model: Model

    @cached_property
    def turns(self) -> list[Turn]:
        """The conversation as the API reads it. Only for a body whose messages have the right shape.

        Rules 28 and 48: turns need not alternate, and the first may be the assistant's. Messages of the same role in a
        row are one turn, so results may be split over several. System items stand beside the turns.
        """
        turns: list[Turn] = []
        for number, message in enumerate(self.body["messages"]):
            role = message["role"]
            if role == "system":
                continue
            content = message["content"]
            if isinstance(content, str):
                content = [{"type": "text", "text": content}]
            placed = [Placed(number, place, block) for place, block in enumerate(content)]
            if turns and turns[-1].role == role:
                before = turns[-1]
                before.blocks.extend(placed)
                turns[-1] = Turn(role, before.first, number, before.blocks)
            else:
                turns.append(Turn(role, number, number, placed))
        return turns

    @cached_property
    def broken(self) -> list[tuple[Placed, Breach]]:
        """The thinking blocks that were made for another conversation, where the model minds (rule 82)."""
        blocks = (placed.block for turn in self.turns if turn.role == "assistant" for placed in turn.blocks)
        if not self.model.binds_thinking or not any(block["type"] == "thinking" for block in blocks):
            return []
        messages = self.body["messages"]
        return [(Placed(number, at, messages[number]["content"][at]), why) for number, at, why in broken(self.body)]

    @property
    def dropped(self) -> list[Placed]:
        """Those of them that the request wants dropped: the model does not see them, and they cost nothing."""
        binding = (self.body.get("thinking") or {}).get("block_binding") or {}
        wanted = binding.get("prefix_mismatch_behavior") == "drop_block"
        return [placed for placed, _why in self.broken] if wanted else []

    @cached_property
    def seen(self) -> Mapping[str, Any]:
        """The body as the model sees it. Only for one that keeps the rules on thinking."""
        gone = {(placed.message, placed.place) for placed in self.dropped}
        messages = list(self.body["messages"])
        for number in {placed.message for placed in self.dropped}:
            content = messages[number]["content"]
            kept = [block for at, block in enumerate(content) if (number, at) not in gone]
            messages[number] = {**messages[number], "content": kept}
        return {**self.body, "messages": messages} if gone else self.body

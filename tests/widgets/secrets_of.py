"""What nobody may see of a question before the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from course.quiz.items import Item
from course.quiz.tables import misconceptions

KEYS = re.compile(r'"(?:why|why_right|fix|do|solution)": "((?:[^"\\]|\\.)+)"')
TELLING = 12  # letters that make a piece of text one of its own


def secrets_of(items: Iterable[Item]) -> list[str]:
    """Of each `why`, mended line and solution its longest piece that looks the same in text, HTML and JSON; and the
    misconceptions, their names and their sentences."""
    texts = [
        json.loads(f'"{found}"') for item in items for found in KEYS.findall(json.dumps(item.model_dump(mode="json")))
    ]
    for item in items:
        texts += getattr(item, "whys", ())
    pieces = [max(re.split(r"[`\"'<>&\n\\]", text), key=len).strip() for text in texts]
    beliefs = misconceptions()
    return [piece for piece in pieces if len(piece) >= TELLING] + [*beliefs, *beliefs.values()]

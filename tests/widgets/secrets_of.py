"""What nobody may see of a question before the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from course.quiz.items import Item
from course.quiz.tables import misconceptions

WHY = re.compile(r'"(?:why|why_right)": "((?:[^"\\]|\\.)+)"')
WORDS = 3  # a piece of a `why` with fewer words may stand elsewhere too


def secrets_of(items: Iterable[Item]) -> list[str]:
    """Of each `why` its longest piece that looks the same in text, HTML and JSON; and the misconceptions, their names and
    their sentences."""
    whys: list[str] = []
    for item in items:
        whys += (json.loads(f'"{found}"') for found in WHY.findall(json.dumps(item.model_dump(mode="json"))))
        whys += getattr(item, "whys", ())
    pieces = [max(re.split(r"[`\"'<>&\n\\]", why), key=len).strip() for why in whys]
    beliefs = misconceptions()
    return [piece for piece in pieces if len(piece.split()) >= WORDS] + [*beliefs, *beliefs.values()]

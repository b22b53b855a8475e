"""What a view is told, as one JSON text: traces, their titles, and every word and meaning that it shows.

It is sent once. Afterwards the page needs no kernel: each step is drawn from this text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter

from course.trace import explain, titles
from course.trace.events import Trace
from course.widgets.folding import shown_lines
from course.widgets.presence import kept
from course.widgets.view_words import stop_reasons, view_words

__all__ = ["view_data"]


def view_data(traces: Sequence[Trace], **more: Any) -> str:
    """The JSON text for a view of these traces; `more` is added to it as it is."""
    told = {"lanes": [_lane(trace) for trace in traces], "words": view_words(), "stop_reasons": stop_reasons(), **more}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _lane(trace: Trace) -> dict[str, Any]:
    # Defaults are left out: in a trace of 1,000 requests they are two thirds of the text.
    data = TypeAdapter(Trace).dump_python(trace, mode="json", exclude_defaults=True)
    del data["code"]  # it is sent as spans
    code = [
        {"name": each.name, "first_line": each.first_line, "lines": shown_lines(each.source)} for each in trace.code
    ]
    return {"trace": data, "code": code, "titles": titles(trace), "fault": explain(trace), "kept": kept(trace)}

"""`GET /v1/models`: the models as the API lists them, page by page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course.offline.models import MODELS, Model, find, unknown_name
from course.offline.wire import ApiFault

__all__ = ["answer"]

PAGE, MOST = 20, 1000  # models of one page, if the request doesn't say; and at most


def answer(id: str, query: Mapping[str, str]) -> dict[str, Any]:
    """The model of this id, or a page of the list if `id` is empty. Raises ApiFault for a model that is not there."""
    if not id:
        return _page(query)
    model = find(id)
    if model is None:
        raise ApiFault(f"model: {unknown_name(id)}", status=404, type="not_found_error")
    return _info(model)


def _page(query: Mapping[str, str]) -> dict[str, Any]:
    models = list(MODELS.values())
    limit = _limit(query)
    ids = [model.full_id for model in models]
    after, before = query.get("after_id"), query.get("before_id")
    if after is not None:
        models = models[_index(ids, after, "after_id") + 1 :]
    elif before is not None:
        models = models[: _index(ids, before, "before_id")]
    backwards = before is not None and after is None
    page = models[-limit:] if backwards else models[:limit]
    return {
        "data": [_info(model) for model in page],
        "has_more": len(page) < len(models),
        "first_id": page[0].full_id if page else None,
        "last_id": page[-1].full_id if page else None,
    }


def _limit(query: Mapping[str, str]) -> int:
    text = query.get("limit", str(PAGE))
    limit = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(MOST)) else 0
    if not 1 <= limit <= MOST:
        raise ApiFault(f"limit: Input should be a valid integer between 1 and {MOST}")
    return limit


def _index(ids: list[str], id: str, name: str) -> int:
    model = find(id)
    if model is None:
        raise ApiFault(f"{name}: no model has the id {id}")
    return ids.index(model.full_id)


def _info(model: Model) -> dict[str, Any]:
    """A model's entry. Its day of release is not in our table: the API then gives the epoch."""
    return {
        "type": "model",
        "id": model.full_id,
        "display_name": model.display_name,
        "created_at": "1970-01-01T00:00:00Z",
        "lifecycle": "deprecated" if model.deprecated else "active",
        "deprecated_at": None,
        "retires_at": f"{model.deprecated}T00:00:00Z" if model.deprecated else None,
        "line": model.id.removeprefix("claude-").split("-")[0],
        "max_input_tokens": model.context_window,
        "max_tokens": model.max_output,
        "capabilities": None,
    }

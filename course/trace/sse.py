"""Putting a streamed message together while it passes by."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from course.trace.events import Json

__all__ = ["StreamedMessage"]


class StreamedMessage:
    """Takes the bytes of an event stream as they come. `message` is what has come so far; `error` that of an error event.
    `on_block` is called with each content block that is whole. `rest` holds bytes that are no whole line yet.

    Events and deltas: messages_api.md part 4. What is unknown is left out, as the API asks of its clients.
    """

    def __init__(self) -> None:
        self.message: dict[str, Json] | None = None
        self.error: dict[str, str] | None = None
        self.rest = b""
        self.on_block: Callable[[Json], None] | None = None
        self._inputs: dict[int, str] = {}  # block index -> the JSON of its input so far

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes; they may end in the middle of a line."""
        self.rest += chunk
        *lines, self.rest = self.rest.split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                self._data(line[5:])

    def end(self) -> None:
        """The stream is over: an input that is not whole yet becomes what can be read of it."""
        for index in list(self._inputs):
            self._close(index)

    def _data(self, text: bytes) -> None:
        try:
            event = json.loads(text)
        except ValueError:
            return
        if not isinstance(event, dict):
            return
        kind = event.get("type")
        if kind == "error":
            error = event.get("error") or {}
            self.error = {"type": str(error.get("type", "error")), "message": str(error.get("message", ""))}
        elif kind == "message_start":
            self.message = event["message"]
        elif self.message is not None:
            self._event(self.message, event)

    def _event(self, message: dict[str, Any], event: dict[str, Any]) -> None:
        kind = event.get("type")
        if kind == "content_block_start":
            message["content"].append(event["content_block"])
            if "input" in event["content_block"]:
                self._inputs[event["index"]] = ""
        elif kind == "content_block_delta":
            self._delta(event["index"], message["content"][event["index"]], event["delta"])
        elif kind == "content_block_stop":
            self._close(event["index"])
            if self.on_block is not None:
                self.on_block(message["content"][event["index"]])
        elif kind == "message_delta":
            message.update(event["delta"])
            message["usage"] = {**(message.get("usage") or {}), **(event.get("usage") or {})}

    def _delta(self, index: int, block: dict[str, Any], delta: dict[str, Any]) -> None:
        kind = delta.get("type")
        if kind == "input_json_delta":
            self._inputs[index] = self._inputs.get(index, "") + delta["partial_json"]
        elif kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta["citation"]]
        else:  # text_delta, thinking_delta, signature_delta, compaction_delta: text to add under the same name
            for name, text in delta.items():
                if name != "type" and isinstance(text, str):
                    block[name] = (block.get(name) or "") + text

    def _close(self, index: int) -> None:
        text = self._inputs.pop(index, "")
        if not text or self.message is None:
            return
        from jiter import from_json  # the SDK's own parser, and how it reads an input that was cut

        try:
            self.message["content"][index]["input"] = from_json(text.encode("utf-8"), partial_mode=True)
        except ValueError:
            self.message["content"][index]["input"] = {}

"""The six actors: small loops that do one action on the first reply, whatever it is, and go on rightly after that.

Each is recorded and shown in the stepper, so its lines are kept as plain as those in the notebooks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course.loop import run_loop
from course.proofs.setting import Setting
from course.settings import MODEL
from course.stop_reasons import Action
from course.tools import run_tool

__all__ = ["Actors"]

Messages = list[dict[str, Any]]


class Actors:
    """The loops, with what they offer the model in every request."""

    def __init__(self, setting: Setting) -> None:
        self.max_tokens = setting.max_tokens
        self.tools = setting.tools
        self.definitions = setting.definitions

    def of(self, action: Action) -> Callable[[Any, Messages], Any]:
        """The loop that does this action."""
        loops: dict[Action, Callable[[Any, Messages], Any]] = {
            Action.RUN_TOOLS: self.run_tools,
            Action.FINISH: self.finish,
            Action.GET_THE_REST: self.get_the_rest,
            Action.SEND_BACK: self.send_back,
            Action.SHOW_REFUSAL: self.show_refusal,
            Action.SHORTEN: self.shorten,
        }
        return loops[action]

    def run_tools(self, client: Any, messages: Messages) -> Any:
        reply = self.ask(client, messages)
        calls = [block for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": [run_tool(self.tools, call) for call in calls]})
        return self.go_on(client, messages)

    def finish(self, client: Any, messages: Messages) -> Any:
        reply = self.ask(client, messages)
        messages.append({"role": "assistant", "content": reply.content})
        return reply

    def get_the_rest(self, client: Any, messages: Messages) -> Any:
        self.ask(client, messages)
        self.max_tokens = 2 * self.max_tokens
        return self.go_on(client, messages)

    def send_back(self, client: Any, messages: Messages) -> Any:
        reply = self.ask(client, messages)
        messages.append({"role": "assistant", "content": reply.content})
        return self.go_on(client, messages)

    def show_refusal(self, client: Any, messages: Messages) -> Any:
        reply = self.ask(client, messages)
        shown = {"category": reply.stop_details.category, "why": reply.stop_details.explanation}
        return reply if shown else None

    def shorten(self, client: Any, messages: Messages) -> Any:
        self.ask(client, messages)
        messages[:] = shorter(messages)
        return self.go_on(client, messages)

    def ask(self, client: Any, messages: Messages) -> Any:
        return client.messages.create(
            model=MODEL, max_tokens=self.max_tokens, tools=self.definitions, messages=messages
        )

    def go_on(self, client: Any, messages: Messages) -> Any:
        server_tools = self.definitions[len(self.tools) :]
        tools: list[Any] = [*self.tools, *server_tools]
        return run_loop(client, messages, tools, model=MODEL, max_tokens=self.max_tokens)


def shorter(messages: Messages) -> Messages:
    """A history that takes less room: the task alone, or the first half of its text."""
    if len(messages) > 1:
        return messages[:1]
    task = messages[0]["content"]
    if isinstance(task, str):
        return [{"role": "user", "content": task[: len(task) // 2]}]
    return [
        {"role": "user", "content": [{**block, "text": block["text"][: len(block["text"]) // 2]} for block in task]}
    ]

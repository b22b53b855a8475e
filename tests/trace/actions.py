"""A Trace as a short list of what happened, one text for each step: what the tests compare."""

from __future__ import annotations

from course.trace import Trace
from course.trace.events import Step


def actions(trace: Trace) -> list[str]:
    """`append 1 assistant` (kind, index, roles of what is new), `ask 2 tool_use`, `error 2 400`, `tool read_file`, ..."""
    return [_action(trace, step) for step in trace.steps]


def _action(trace: Trace, step: Step) -> str:
    if step.change is not None and step.messages is not None:
        new = [str(trace.pool[index]["role"]) for index in trace.versions[step.messages].add]
        gone = [f"-{step.change.removed}"] if step.change.removed else []
        assert len(new) == step.change.count
        return " ".join([step.change.kind, str(step.change.at), *([",".join(new)] if new else []), *gone])
    if step.exchange is not None:
        retry = f" retry {step.exchange.attempt}" if step.exchange.attempt else ""
        reply, error = step.exchange.reply, step.exchange.error
        came = (
            (step.exchange.status or (error or {})["type"]) if step.kind == "error" else reply and reply["stop_reason"]
        )
        return f"{step.kind} {step.exchange.number}{retry} {came}"
    if step.tool is not None:
        return f"tool {step.tool.name}" + (" fails" if step.tool.error else "")
    if step.ending is not None:
        more = step.ending.error["type"] if step.ending.error else step.ending.fuse
        return f"end {step.ending.kind}" + (f" {more}" if more else "")
    return "start" if step.messages is None else f"start with {len(trace.messages_at(step.messages))}"

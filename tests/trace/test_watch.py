"""Finding `messages` and seeing what changes in it; seeing which call runs a tool."""

from __future__ import annotations

import sys
from typing import Any

import loops
import pytest
import small_model
from actions import actions

from course.trace import record
from course.trace.watch import Slot, Watched, looks_like_messages


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def watched(items: list[Any]) -> Watched:
    return Watched(Slot({"messages": items}, "messages"), items)


def sdk_message() -> Any:
    from anthropic.types import Message

    return Message.model_validate(small_model.reply({"messages": []}))


MUTATIONS: dict[str, Any] = {
    "append": lambda messages: messages.append(user("b")),
    "extend": lambda messages: messages.extend([user("b"), user("c")]),
    "insert": lambda messages: messages.insert(0, user("b")),
    "in place": lambda messages: messages.__iadd__([user("b")]),
    "item": lambda messages: messages.__setitem__(0, user("b")),
    "delete": lambda messages: messages.__delitem__(0),
    "clear": lambda messages: messages.clear(),
    "reverse": lambda messages: messages.reverse(),
    "key of a message": lambda messages: messages[0].update(content="b"),
    "key of a block": lambda messages: messages[1]["content"][0].update(text="b"),
    "list of blocks": lambda messages: messages[1]["content"].pop(),
    "attribute of an object": lambda messages: setattr(messages[2]["content"][0], "text", "b"),
    "dict in an object": lambda messages: messages[2]["content"][1].input.update(path="b"),
    "list in an object": lambda messages: messages[3].content.pop(),
}


@pytest.mark.parametrize("mutate", MUTATIONS.values(), ids=MUTATIONS)
def test_each_mutation_is_seen_once(mutate: Any) -> None:
    message = sdk_message()
    items = [user("a"), user([{"type": "text", "text": "a"}]), user(message.content), sdk_message()]
    seen = watched(items)
    assert not seen.changed(None)
    mutate(items)
    assert seen.changed(None)
    assert not seen.changed(None)
    assert seen.json == watched(items).json


def test_an_old_message_of_a_long_list_is_looked_into_before_each_request() -> None:
    items = [user(str(number)) for number in range(100)]
    seen = watched(items)
    items[0]["content"] = "changed"
    items[99]["content"] = "changed"
    assert seen.changed(None, thorough=False)
    assert [message["content"] for message in seen.json[:2] + seen.json[98:]] == ["0", "1", "98", "changed"]
    assert seen.changed(None)
    assert seen.json == items
    assert not seen.changed(None)


def test_another_message_in_a_long_list_is_seen_at_once() -> None:
    items = [user(str(number)) for number in range(100)]
    seen = watched(items)
    items[0] = user("changed")
    assert seen.changed(None, thorough=False)
    assert seen.json == items


def test_a_list_in_its_place_is_seen() -> None:
    holder = {"messages": [user("a")]}
    seen = Watched(Slot(holder, "messages"), holder["messages"])
    holder["messages"] = [user("a")]
    assert not seen.changed(None), "it has the same content"
    holder["messages"] = [user("b")]
    assert seen.changed(None)
    assert seen.json == [user("b")]


def test_what_is_no_list_any_more_is_not_looked_at() -> None:
    holder: dict[str, Any] = {"messages": [user("a")]}
    seen = Watched(Slot(holder, "messages"), holder["messages"])
    holder["messages"] = None
    assert not seen.changed(None)


class Refuses:
    role = "user"

    def __eq__(self, other: object) -> bool:
        raise ValueError("no comparison")

    __hash__ = None  # type: ignore[assignment]


def test_an_object_that_can_not_be_compared_does_no_harm() -> None:
    items = [Refuses()]
    seen = watched(items)
    items[0] = Refuses()
    assert not seen.changed(None)


def test_a_list_that_holds_itself_does_no_harm() -> None:
    items: list[Any] = [user("a")]
    seen = watched(items)
    items.append(items)
    seen.changed(None)
    assert seen.json[0] == user("a")


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([], True),
        ([user("a")], True),
        ([sdk_message()], True),
        (["a"], False),
        ([{"type": "text"}], False),
        ([1], False),
    ],
)
def test_what_looks_like_messages(items: list[Any], expected: bool) -> None:
    assert looks_like_messages(items) is expected


def test_a_list_like_messages_is_not_taken_for_it() -> None:
    def keeps_examples(client: Any) -> None:
        examples = [user("an example")]
        examples.append(user("another"))
        prompt = [user(loops.TASK)]
        examples.clear()
        client.messages.create(**loops.ASK, messages=prompt)
        examples.append(user("a third"))

    trace = record(keeps_examples, small_model.client())
    assert actions(trace) == ["start", "rebuild 0 user", "ask 1 tool_use", "end returned"]
    lines = {place.line for place in trace.steps[1].path if place.function == 0}
    assert len(lines) == 3, "the lines that changed the other list belong to its step"


def test_an_agent_may_ask_another_one() -> None:
    def asks_another(client: Any) -> None:
        messages = [user("Ask the other one.")]
        client.messages.create(**loops.ASK, messages=messages)
        other = [user("Count.")]
        client.messages.create(**loops.ASK, messages=other)
        messages.append(user("It says two."))
        client.messages.create(**loops.ASK, messages=messages)

    trace = record(asks_another, small_model.client())
    sent = [trace.messages_at(exchange.messages) for exchange in trace.exchanges]
    assert [len(messages) for messages in sent] == [1, 1, 2]
    assert actions(trace) == [
        *["start", "rebuild 0 user", "ask 1 tool_use", "edit 0 user -1", "ask 2 tool_use"],
        *["rebuild 0 user,user -1", "ask 3 tool_use", "end returned"],
    ]


def test_recording_does_not_change_what_a_loop_sees() -> None:
    seen: list[Any] = []

    def looks(client: Any) -> None:
        messages = [user(loops.TASK)]
        response = client.messages.create(**loops.ASK, messages=messages)
        seen.append((response, messages, sys.getrefcount(messages) > 0))

    looks(small_model.client())
    record(looks, small_model.client())
    assert seen[0] == seen[1]


def tools_of(loop: Any, handler: Any = small_model.answer) -> list[tuple[Any, ...]]:
    trace = record(loop, small_model.client(handler))
    runs = [step.tool for step in trace.steps if step.tool is not None]
    return [(run.name, run.input, run.output, run.error, run.tool_use_id) for run in runs]


BOTH = [
    ("list_files", {"path": "."}, ["a.py", "b.py"], None, "toolu_1"),
    ("read_file", {"path": "a.py"}, "print(1)", None, "toolu_2"),
]


@pytest.mark.parametrize("loop", [loops.appends, loops.chooses_with_if, loops.has_lambdas, loops.uses_the_tool_runner])
def test_a_run_of_a_tool(loop: Any) -> None:
    assert tools_of(loop) == BOTH


def test_a_call_without_arguments() -> None:
    def now(**_: Any) -> str:
        return "noon"

    def run(name: str, given: dict[str, Any]) -> str:
        return "noon"

    def asks_for_the_time(client: Any) -> None:
        block = client.messages.create(**loops.ASK, messages=[user(loops.TASK)]).content[0]
        str({"now": now}[block.name](**block.input))

    def asks_a_dispatcher(client: Any) -> None:
        block = client.messages.create(**loops.ASK, messages=[user(loops.TASK)]).content[0]
        run(block.name, block.input)

    handler = small_model.by(lambda body: small_model.message([small_model.call(1, "now", {})], "tool_use"))
    for loop in (asks_for_the_time, asks_a_dispatcher):
        assert tools_of(loop, handler) == [("now", {}, "noon", None, "toolu_1")]


def test_two_calls_of_one_turn() -> None:
    assert tools_of(loops.appends, small_model.by(small_model.both_at_once)) == BOTH


def test_a_tool_that_raises() -> None:
    (run,) = tools_of(loops.dies_of_a_tool)
    assert run == ("list_files", {"path": "."}, None, "PermissionError: . is closed", "toolu_1")


def test_two_calls_alike_are_two_runs() -> None:
    def twins(body: dict[str, Any]) -> dict[str, Any]:
        calls = [small_model.call(number, "list_files", {"path": "."}) for number in (1, 2)]
        done = small_model.blocks(body, "tool_result")
        return small_model.message([small_model.text("So")] if done else calls, "end_turn" if done else "tool_use")

    assert [run[4] for run in tools_of(loops.appends, small_model.by(twins))] == ["toolu_1", "toolu_2"]


def test_a_tool_that_is_run_twice_for_one_call() -> None:
    def tries_again(client: Any) -> None:
        block = client.messages.create(**loops.ASK, messages=[user(loops.TASK)]).content[1]
        loops.list_files(**block.input)
        loops.list_files(**block.input)

    assert tools_of(tries_again) == [BOTH[0], BOTH[0]]


def test_a_function_that_only_looks_at_the_call_is_no_tool() -> None:
    def described(block: Any) -> str:
        return f"{block.name}?"

    def looks_first(client: Any) -> None:
        block = client.messages.create(**loops.ASK, messages=[user(loops.TASK)]).content[1]
        described(block)
        loops.list_files(block.input["path"])
        described(block)

    assert tools_of(looks_first) == [BOTH[0]]


def test_a_result_block_of_a_dispatcher_is_looked_into() -> None:
    def dispatch(block: Any) -> dict[str, Any]:
        return {"type": "tool_result", "tool_use_id": block.id, "content": f"no tool {block.name}", "is_error": True}

    def asks(client: Any) -> None:
        dispatch(client.messages.create(**loops.ASK, messages=[user(loops.TASK)]).content[1])

    assert tools_of(asks) == [("list_files", {"path": "."}, "no tool list_files", "no tool list_files", "toolu_1")]


def test_a_function_that_nobody_asked_for_is_no_run_of_a_tool() -> None:
    def runs_ahead(client: Any) -> None:
        loops.list_files(".")
        client.messages.create(**loops.ASK, messages=[user(loops.TASK)])
        loops.read_file("a.py")

    assert tools_of(runs_ahead) == []


def test_a_method_of_a_workspace_is_a_tool() -> None:
    from course.workspace import Workspace

    def lists(client: Any) -> None:
        block = client.messages.create(**loops.ASK, messages=[user(loops.TASK)]).content[1]
        Workspace().list_files(**block.input)

    ((name, given, output, error, _id),) = tools_of(lists)
    assert (name, given, error) == ("list_files", {"path": "."}, None)
    assert "package.json" in output

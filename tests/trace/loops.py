"""Loops as learners write them: right ones in many styles, and wrong ones. They know nothing of the recorder.

test_record.py names for each the exact list of actions that its Trace must have.
"""

# ruff: noqa: C416, E722, E731, RUF005, SIM105 (learners write like this)

from __future__ import annotations

import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

MODEL = "claude-sonnet-5-5"
TASK = "How many files are there?"
ASK = {"model": MODEL, "max_tokens": 100}


def list_files(path: str) -> list[str]:
    return ["a.py", "b.py"]


def read_file(path: str) -> str:
    if path != "a.py":
        raise FileNotFoundError(path)
    return "print(1)"


TOOLS = {"list_files": list_files, "read_file": read_file}


def result(block: Any, content: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": block.id, "content": str(content)}


def results(response: Any) -> list[dict[str, Any]]:
    return [result(block, TOOLS[block.name](**block.input)) for block in response.content if block.type == "tool_use"]


# ---- right loops, by how they keep `messages`


def appends(client: Any) -> str:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while True:
        response = client.messages.create(**ASK, messages=messages)
        if response.stop_reason != "tool_use":
            return response.content[0].text
        messages.append({"role": "assistant", "content": response.content})
        messages.append({"role": "user", "content": results(response)})


def begins_empty(client: Any) -> str:
    messages: list[Any] = []
    messages.append({"role": "user", "content": TASK})
    while True:
        response = client.messages.create(**ASK, messages=messages)
        if response.stop_reason != "tool_use":
            return response.content[0].text
        messages.extend(
            [{"role": "assistant", "content": response.content}, {"role": "user", "content": results(response)}]
        )


def adds_in_place(client: Any) -> None:
    history: list[Any] = [{"role": "user", "content": TASK}]
    while (response := client.messages.create(**ASK, messages=history)).stop_reason == "tool_use":
        history += [{"role": "assistant", "content": response.content}]
        history += [{"role": "user", "content": results(response)}]


def builds_anew(client: Any) -> None:
    conversation: list[Any] = [{"role": "user", "content": TASK}]
    while (response := client.messages.create(**ASK, messages=conversation)).stop_reason == "tool_use":
        conversation = [*conversation, {"role": "assistant", "content": response.content}]
        conversation = list(conversation)  # the same content: no change
        conversation = conversation + [{"role": "user", "content": results(response)}]


def assigns_slices(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while (response := client.messages.create(**ASK, messages=messages)).stop_reason == "tool_use":
        messages[len(messages) :] = [{"role": "assistant", "content": response.content}]
        messages.insert(len(messages), {"role": "user", "content": results(response)})


def inserts_before(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    response = client.messages.create(**ASK, messages=messages)
    messages.append({"role": "user", "content": results(response)})
    messages.insert(1, {"role": "assistant", "content": response.content})
    client.messages.create(**ASK, messages=messages)


def fills_the_results_later(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    response = client.messages.create(**ASK, messages=messages)
    turn: dict[str, Any] = {"role": "user", "content": []}
    messages += [{"role": "assistant", "content": response.content}, turn]
    turn["content"].extend(results(response))
    client.messages.create(**ASK, messages=messages)


def edits_a_block(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    response = client.messages.create(**ASK, messages=messages)
    messages.append({"role": "assistant", "content": response.content})
    messages.append({"role": "user", "content": results(response)})
    response.content[0].text = "(cut)"
    response.content[1].input["path"] = "./"
    messages[0] = {"role": "user", "content": "Count the files."}
    client.messages.create(**ASK, messages=messages)


def forgets_old_turns(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
    messages.append({"role": "user", "content": TASK})
    client.messages.create(**ASK, messages=messages)
    del messages[:2]
    messages.append({"role": "user", "content": "Quick!"})
    client.messages.create(**ASK, messages=messages)
    messages = [{"role": "user", "content": "In short: count the files."}]
    client.messages.create(**ASK, messages=messages)


def sends_the_end_only(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": "Hello"}]
    client.messages.create(**ASK, messages=messages)
    messages.append({"role": "user", "content": TASK})
    client.messages.create(**ASK, messages=messages[-1:])
    messages.append({"role": "user", "content": "Quick!"})


def given_from_outside(client: Any, messages: list[Any]) -> None:
    while (response := client.messages.create(**ASK, messages=messages)).stop_reason == "tool_use":
        messages.append({"role": "assistant", "content": response.content})
        messages.append({"role": "user", "content": results(response)})


class Agent:
    """A loop in a class; `messages` is an attribute."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.history: list[Any] = []

    def run(self, task: str) -> str:
        self.history.append({"role": "user", "content": task})
        while not self.step():
            continue
        return "done"

    def step(self) -> bool:
        response = self.client.messages.create(**ASK, messages=self.history)
        self.history.append({"role": "assistant", "content": response.content})
        if response.stop_reason != "tool_use":
            return True
        self.history.append(
            {"role": "user", "content": [self.answer(block) for block in response.content if block.type == "tool_use"]}
        )
        return False

    def answer(self, block: Any) -> dict[str, Any]:
        try:
            return result(block, getattr(self, f"do_{block.name}")(**block.input))
        except OSError as error:
            return {**result(block, error), "is_error": True}

    def do_list_files(self, path: str) -> list[str]:
        return list_files(path)

    def do_read_file(self, path: str) -> str:
        return read_file("b.py")  # it fails


@dataclass
class State:
    messages: list[Any] = field(default_factory=list)


def keeps_a_state(client: Any) -> None:
    state = State([{"role": "user", "content": TASK}])
    while (response := client.messages.create(**ASK, messages=state.messages)).stop_reason == "tool_use":
        state.messages = [*state.messages, {"role": "assistant", "content": response.content}]
        state.messages.append({"role": "user", "content": results(response)})


def keeps_a_dict(client: Any) -> None:
    body: dict[str, Any] = {**ASK, "messages": [{"role": "user", "content": TASK}]}
    while (response := client.messages.create(**body)).stop_reason == "tool_use":
        body["messages"].append({"role": "assistant", "content": response.content})
        body["messages"].append({"role": "user", "content": results(response)})


def uses_closures(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]

    def say(role: str, content: Any) -> None:
        messages.append({"role": role, "content": content})

    def ask() -> Any:
        return client.messages.create(**ASK, messages=messages)

    while (response := ask()).stop_reason == "tool_use":
        say("assistant", response.content)
        say("user", results(response))


GLOBAL: list[Any] = [{"role": "user", "content": TASK}]


def uses_a_global(client: Any) -> None:
    del GLOBAL[1:]
    while (response := client.messages.create(**ASK, messages=GLOBAL)).stop_reason == "tool_use":
        GLOBAL.append({"role": "assistant", "content": response.content})
        GLOBAL.append({"role": "user", "content": results(response)})


def makes_it_on_the_spot(client: Any) -> None:
    turns: list[Any] = []
    while True:
        response = client.messages.create(**ASK, messages=[{"role": "user", "content": TASK}, *turns])
        if response.stop_reason != "tool_use":
            return
        turns.append({"role": "assistant", "content": response.content})
        turns.append({"role": "user", "content": results(response)})


# ---- right loops, by their form


def streams(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while True:
        with client.messages.stream(**ASK, messages=messages) as stream:
            "".join(stream.text_stream)
            response = stream.get_final_message()
        if response.stop_reason != "tool_use":
            return
        messages.append({"role": "assistant", "content": response.content})
        messages.append({"role": "user", "content": results(response)})


def streams_raw_events(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    for _event in client.messages.create(**ASK, messages=messages, stream=True):
        continue


def leaves_a_stream(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    with client.messages.stream(**ASK, messages=messages) as stream:
        for event in stream:
            if event.type == "text":
                break


async def awaits(client: Any) -> str:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while (response := await client.messages.create(**ASK, messages=messages)).stop_reason == "tool_use":
        messages.append({"role": "assistant", "content": response.content})
        messages.append({"role": "user", "content": results(response)})
    return "done"


async def slow_list_files(path: str) -> list[str]:
    await asyncio.sleep(0)
    return list_files(path)


async def slow_read_file(path: str) -> str:
    await asyncio.sleep(0)
    return read_file(path)


async def gathers(client: Any) -> None:
    tools = {"list_files": slow_list_files, "read_file": slow_read_file}
    messages: list[Any] = [{"role": "user", "content": TASK}]
    response = await client.messages.create(**ASK, messages=messages)
    calls = [block for block in response.content if block.type == "tool_use"]
    outputs = await asyncio.gather(*(tools[block.name](**block.input) for block in calls))
    messages.append({"role": "assistant", "content": response.content})
    messages.append(
        {"role": "user", "content": [result(block, output) for block, output in zip(calls, outputs, strict=True)]}
    )
    await client.messages.create(**ASK, messages=messages)


async def streams_async(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    async with client.messages.stream(**ASK, messages=messages) as stream:
        async for _text in stream.text_stream:
            continue
        response = await stream.get_final_message()
    messages.append({"role": "assistant", "content": response.content})


def yields(client: Any) -> Any:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while (response := client.messages.create(**ASK, messages=messages)).stop_reason == "tool_use":
        yield "asked"
        messages.append({"role": "assistant", "content": response.content})
        messages.append({"role": "user", "content": results(response)})
        yield "answered"
    return "done"


async def yields_async(client: Any) -> Any:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    response = await client.messages.create(**ASK, messages=messages)
    yield response
    messages.append({"role": "assistant", "content": response.content})


def delegates(client: Any) -> None:
    yields_from = [step for step in yields(client)]
    assert yields_from


as_lambda = lambda client: appends(client)
as_partial = functools.partial(given_from_outside, messages=[{"role": "user", "content": TASK}])


# ---- right loops, by how they run tools


def run_by_name(name: str, given: dict[str, Any]) -> Any:
    if name == "list_files":
        return ["a.py", "b.py"]
    if name == "read_file":
        return "print(1)"
    raise ValueError(name)


def chooses_with_if(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while (response := client.messages.create(**ASK, messages=messages)).stop_reason == "tool_use":
        messages.append({"role": "assistant", "content": response.content})
        turn = [
            result(block, run_by_name(block.name, block.input))
            for block in response.content
            if block.type == "tool_use"
        ]
        messages.append({"role": "user", "content": turn})


def has_lambdas(client: Any) -> None:
    tools = {"list_files": lambda given: list_files(given["path"]), "read_file": lambda path: "print(1)"}
    messages: list[Any] = [{"role": "user", "content": TASK}]
    response = client.messages.create(**ASK, messages=messages)
    print_block(response.content[1])
    turn = [result(response.content[1], tools["list_files"](response.content[1].input))]
    messages += [{"role": "assistant", "content": response.content}, {"role": "user", "content": turn}]
    response = client.messages.create(**ASK, messages=messages)
    tools["read_file"](**response.content[1].input)


def print_block(block: Any) -> None:
    block.name.upper()


def uses_threads(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    response = client.messages.create(**ASK, messages=messages)
    messages.append({"role": "assistant", "content": response.content})
    with ThreadPoolExecutor(max_workers=1) as pool:
        messages.append({"role": "user", "content": [pool.submit(results, response).result()[0]]})
    client.messages.create(**ASK, messages=messages)


def uses_the_tool_runner(client: Any) -> None:
    from anthropic import beta_tool

    tools = [beta_tool(list_files, description="List files."), beta_tool(read_file, description="Read a file.")]
    messages: list[Any] = [{"role": "user", "content": TASK}]
    client.beta.messages.tool_runner(**ASK, messages=messages, tools=tools, thread=False).until_done()


# ---- wrong loops


def appends_nothing(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while (response := client.messages.create(**ASK, messages=messages)).stop_reason == "tool_use":
        results(response)


def forgets_the_results(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while (response := client.messages.create(**ASK, messages=messages)).stop_reason == "tool_use":
        messages.append({"role": "assistant", "content": response.content})
        results(response)


def forgets_the_assistant_turn(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while (response := client.messages.create(**ASK, messages=messages)).stop_reason == "tool_use":
        messages.append({"role": "user", "content": results(response)})


def appends_the_response(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    messages.append(client.messages.create(**ASK, messages=messages))
    client.messages.create(**ASK, messages=messages)


def assigns_append(client: Any) -> None:
    messages: Any = [{"role": "user", "content": TASK}]
    response = client.messages.create(**ASK, messages=messages)
    messages = messages.append({"role": "assistant", "content": response.content})
    messages.append({"role": "user", "content": results(response)})


def sends_text(client: Any) -> None:
    client.messages.create(**ASK, messages=TASK)


def has_a_tuple(client: Any) -> None:
    messages: Any = ({"role": "user", "content": TASK},)
    client.messages.create(**ASK, messages=messages)
    messages.append({"role": "user", "content": "Quick!"})


def never_asks(client: Any) -> str:
    messages: list[Any] = []
    messages.append({"role": "user", "content": TASK})
    return "done"


def dies_of_a_tool(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    response = client.messages.create(**ASK, messages=messages)
    block = response.content[1]
    messages.append({"role": "assistant", "content": response.content})
    TOOLS["list_files"] = broken_list_files
    try:
        messages.append({"role": "user", "content": [result(block, TOOLS["list_files"](block.input["path"]))]})
    finally:
        TOOLS["list_files"] = list_files


def broken_list_files(path: str) -> list[str]:
    raise PermissionError(f"{path} is closed")


def stops_at_text(client: Any) -> str:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    while True:
        response = client.messages.create(**ASK, messages=messages)
        for block in response.content:
            if block.type == "text":
                return block.text


def swallows_exceptions(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}, {"role": "user", "content": [result_for_nobody()]}]
    while True:
        try:
            client.messages.create(**ASK, messages=messages)
        except Exception:
            continue


def result_for_nobody() -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": "toolu_0", "content": "?"}


def swallows_everything(client: Any) -> None:
    while True:
        try:
            client.messages.create(**ASK, messages=[{"role": "user", "content": TASK}])
        except:
            continue


def runs_forever(client: Any) -> None:
    response = client.messages.create(**ASK, messages=[{"role": "user", "content": TASK}])
    while response.stop_reason == "tool_use":
        try:
            response.content.copy()
        except:
            pass


async def waits_forever(client: Any) -> None:
    await client.messages.create(**ASK, messages=[{"role": "user", "content": TASK}])
    await asyncio.Event().wait()


def is_interrupted(client: Any) -> None:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    client.messages.create(**ASK, messages=messages)
    raise KeyboardInterrupt


def asks_once(client: Any) -> None:
    client.messages.create(**ASK, messages=[{"role": "user", "content": TASK}])

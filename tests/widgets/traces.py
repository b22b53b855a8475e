"""Traces written by hand, so that the tests of the widgets need no recorder and no model."""

from __future__ import annotations

from typing import Any

from course.trace.events import Change, Ending, Exchange, Function, Place, Step, ToolRun, Trace, Version

LOOP = '''\
def agent(client, messages):
    """Ask, run the tools, append, ask again."""
    while True:
        reply = client.messages.create(model=MODEL, max_tokens=1024, tools=TOOLS, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return reply
        results = [run(block) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})
'''
TASK = "Which files are in this directory? Then read package.json."
TOOLS = [
    {"name": "list_files", "description": "List the files.", "input_schema": {"type": "object", "properties": {}}},
    {"name": "read_file", "description": "Read one file.", "input_schema": {"type": "object", "properties": {}}},
]
PARAMS = {"model": "a-model", "max_tokens": 1024, "tools": TOOLS}
FILES = "app.py\npackage.json\nREADME.md"
PACKAGE = '{"name": "sample", "version": "1.2.0"}'
INVALID = {
    "type": "invalid_request_error",
    "message": "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
}


class Recording:
    """Grows a Trace one action at a time, as a recorder does."""

    def __init__(self, name: str, source: str = LOOP) -> None:
        self.name = name
        self.code = (Function("agent", source),)
        self.pool: list[Any] = []
        self.versions: list[Version] = []
        self.steps: list[Step] = []
        self.requests = 0
        self.length = 0  # of `messages` now

    def add(self, kind: Any, *lines: int, **what: Any) -> None:
        path = tuple(Place(0, line) for line in lines)
        messages = len(self.versions) - 1 if self.versions else None
        self.steps.append(Step(kind, path[-1] if path else None, path, messages, at=float(len(self.steps)), **what))

    def start(self, task: str, *lines: int) -> None:
        self.pool.append({"role": "user", "content": task})
        self.versions.append(Version(None, 0, (0,)))
        self.length = 1
        self.add("start", *lines)

    def append(self, message: dict[str, Any], *lines: int) -> None:
        self.pool.append(message)
        self.versions.append(Version(len(self.versions) - 1, self.length, (len(self.pool) - 1,)))
        self.length += 1
        self.add("change", *lines, change=Change("append", self.length - 1, 1))

    def edit(self, at: int, message: dict[str, Any], *lines: int) -> None:
        self.pool.append(message)
        self.versions.append(Version(len(self.versions) - 1, at, (len(self.pool) - 1,), self.length - at - 1))
        self.add("change", *lines, change=Change("edit", at, 1, 1))

    def delete(self, at: int, *lines: int) -> None:
        self.versions.append(Version(len(self.versions) - 1, at, (), self.length - at - 1))
        self.length -= 1
        self.add("change", *lines, change=Change("delete", at, 0, 1))

    def ask(self, content: list[dict[str, Any]], stop_reason: str | None, *lines: int) -> None:
        self.requests += 1
        usage = {"input_tokens": 400 + 60 * self.requests, "output_tokens": 40}
        reply = {"role": "assistant", "content": content, "stop_reason": stop_reason, "usage": usage}
        version = len(self.versions) - 1
        self.add("ask", *lines, exchange=Exchange(self.requests, 0, 0, version, 200, {"type": "message", **reply}))

    def fail(self, status: int | None, error: dict[str, str], *lines: int, attempt: int = 0) -> None:
        if attempt == 0:
            self.requests += 1
        exchange = Exchange(self.requests, attempt, 0, len(self.versions) - 1, status, error=error)
        self.add("error", *lines, exchange=exchange)

    def end(self, ending: Ending, *lines: int) -> None:
        self.add("end", *lines, ending=ending)

    def trace(self) -> Trace:
        pool, versions, steps = tuple(self.pool), tuple(self.versions), tuple(self.steps)
        return Trace(self.code, pool, versions, (PARAMS,), steps, self.name, 200_000)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(name: str, given: dict[str, Any], number: int) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number:02}", "name": name, "input": given}


def result(words: str, number: int) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"toolu_{number:02}", "content": words}


def right() -> Trace:
    """Three requests: list the files, read one, answer. Ended by `end_turn`."""
    run = Recording("right")
    run.start(TASK, 1)
    turns = [
        ([text("I'll look at the directory first."), call("list_files", {}, 1)], FILES),
        ([call("read_file", {"path": "package.json"}, 2)], PACKAGE),
    ]
    for number, (content, output) in enumerate(turns, start=1):
        run.ask(content, "tool_use", 3, 4)
        run.append({"role": "assistant", "content": content}, 5)
        wanted = content[-1]
        run.add("tool", 6, 8, tool=ToolRun(wanted["name"], wanted["input"], output, None, wanted["id"], 0.001))
        run.append({"role": "user", "content": [result(output, number)]}, 9)
    answer = [text(f"There are three files: app.py, package.json and README.md. package.json holds: {PACKAGE}")]
    run.ask(answer, "end_turn", 3, 4)
    run.append({"role": "assistant", "content": answer}, 5)
    run.end(Ending("returned", "Message(stop_reason='end_turn')"), 6, 7)
    return run.trace()


def without_results() -> Trace:
    """The results are forgotten: the second request is a 400."""
    run = Recording("results forgotten")
    run.start(TASK, 1)
    content = [text("I'll look at the directory first."), call("list_files", {}, 1)]
    run.ask(content, "tool_use", 3, 4)
    run.append({"role": "assistant", "content": content}, 5)
    run.add("tool", 6, 8, tool=ToolRun("list_files", {}, FILES, None, "toolu_01", 0.001))
    run.fail(400, INVALID, 3, 4)
    run.end(Ending("raised", error={"type": "BadRequestError", "message": INVALID["message"]}), 4)
    return run.trace()


def searched() -> Trace:
    """The API's own search: found, paused after the call, then found and failed."""
    run = Recording("searched")
    run.start("How do the tides change a timetable?", 1)
    page = {
        "type": "web_search_result",
        "title": "Tide tables",
        "url": "https://example.com/tides",
        "encrypted_content": "xyz",
    }
    failure = {"type": "web_search_tool_result_error", "error_code": "too_many_requests"}
    turns = [
        ([text("I will search."), search("tides", 1), found([page], 1), search("berths", 2)], "pause_turn"),
        ([found([page], 2), search("ferries", 3), found(failure, 3), text("Sailings move by an hour.")], "end_turn"),
    ]
    for content, stop_reason in turns:
        run.ask(content, stop_reason, 3, 4)
        run.append({"role": "assistant", "content": content}, 5)
    run.end(Ending("returned", "None"), 6, 7)
    return run.trace()


def search(query: str, number: int) -> dict[str, Any]:
    return {"type": "server_tool_use", "id": f"srvtoolu_{number:02}", "name": "web_search", "input": {"query": query}}


def found(content: Any, number: int) -> dict[str, Any]:
    return {"type": "web_search_tool_result", "tool_use_id": f"srvtoolu_{number:02}", "content": content}


def runaway(requests: int = 25) -> Trace:
    """Nothing is appended: the same request again and again, until the fuse blows."""
    run = Recording("nothing appended")
    run.start(TASK, 1)
    for number in range(1, requests + 1):
        run.ask([call("list_files", {}, number)], "tool_use", 3, 4)
        run.add("tool", 6, 8, tool=ToolRun("list_files", {}, FILES, None, f"toolu_{number:02}", 0.001))
    run.end(Ending("fuse", fuse="requests", limit=requests), 4)
    return run.trace()


def edited() -> Trace:
    """Messages that are edited in place and deleted, a tool that raises, a retry."""
    run = Recording("edited")
    run.start(TASK, 1)
    content = [call("read_file", {"path": "gone.txt"}, 1)]
    run.fail(529, {"type": "overloaded_error", "message": "Overloaded"}, 4)
    run.fail(529, {"type": "overloaded_error", "message": "Overloaded"}, 4, attempt=1)
    run.requests -= 1
    run.ask(content, "tool_use", 4)
    run.append({"role": "assistant", "content": content}, 5)
    run.add("tool", 8, tool=ToolRun("read_file", {"path": "gone.txt"}, None, "FileNotFoundError: gone.txt", "toolu_01"))
    failed = {**result("FileNotFoundError: gone.txt", 1), "is_error": True}
    run.append({"role": "user", "content": [failed]}, 9)
    run.edit(0, {"role": "user", "content": TASK + " Be brief."}, 9)
    run.delete(2, 9)
    run.end(Ending("interrupted"), 9)
    return run.trace()


def actions(count: int) -> Trace:
    """A right run of exactly so many actions: the start, rounds of ask, append, run, append, and the end."""
    run = Recording(f"{count} actions")
    run.start(TASK, 1)
    for number in range(count - 2):
        turn, part = divmod(number, 4)
        asked = call("read_file", {"path": f"file_{turn}.py"}, turn)
        output = f"# file {turn}\n" + "x = 1\n" * 5
        if part == 0:
            run.ask([asked], "tool_use", 3, 4)
        elif part == 1:
            run.append({"role": "assistant", "content": [asked]}, 5)
        elif part == 2:
            run.add("tool", 6, 8, tool=ToolRun("read_file", asked["input"], output, None, asked["id"], 0.001))
        else:
            run.append({"role": "user", "content": [result(output, turn)]}, 9)
    run.end(Ending("returned", "None"), 7)
    return run.trace()


def hostile() -> Trace:
    """Every text tries to be HTML."""
    evil = '<img src="x" onerror="window.hacked = true"><script>window.hacked = true</script>'
    run = Recording(evil, f"# {evil}\n" + LOOP)
    run.start(evil, 2)
    run.ask([text(evil), call(evil, {evil: evil}, 1)], evil, 5)
    run.append({"role": "assistant", "content": [text(evil), call(evil, {evil: evil}, 1)]}, 6)
    run.add("tool", 9, tool=ToolRun(evil, {evil: evil}, evil, None, "toolu_01"))
    run.fail(400, {"type": evil, "message": evil}, 5)
    run.end(Ending("raised", error={"type": evil, "message": evil}), 5)
    return run.trace()

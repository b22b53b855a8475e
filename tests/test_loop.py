import pytest

from course.clients import client
from course.errors import LoopError
from course.loop import run_loop
from course.settings import MODEL
from course.tools import tool
from course.workspace import Workspace


@pytest.fixture
def tools():
    workspace = Workspace()
    return [tool(workspace.list_files), tool(workspace.read_file)]


def ask(scenario, task, tools, **options):
    messages = [{"role": "user", "content": task}]
    reply = run_loop(client(scenario), messages, tools, model=MODEL, **options)
    return reply, messages


def test_it_runs_the_tools_and_ends_with_the_models_answer(tools):
    reply, messages = ask("list_then_read", "Which files are in this directory? Then read package.json.", tools)
    assert reply.stop_reason == "end_turn"
    assert "harbour-board" in reply.content[-1].text
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant", "user", "assistant"]


def test_the_conversation_can_go_on(tools):
    task = "Which files are in this directory? Then read package.json."
    _, messages = ask("list_then_read", task, tools)
    messages.append({"role": "user", "content": task})
    reply = run_loop(client("list_then_read"), messages, tools, model=MODEL)
    assert reply.stop_reason == "end_turn"
    assert len(messages) == 12


def test_the_fuse_says_that_it_blew(tools):
    with pytest.raises(LoopError) as caught:
        ask("list_then_read", "Which files are in this directory? Then read package.json.", tools, max_requests=2)
    assert str(caught.value) == "The fuse blew: 2 requests, and the model still asks for more."

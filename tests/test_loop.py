"""run_loop on every stop reason, on errors, and on whatever tools return. The offline endpoint answers, except where said."""

from __future__ import annotations

import json
from functools import partial
from types import SimpleNamespace

import anthropic
import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.clients import client
from course.errors import LoopError, ToolError
from course.loop import LARGEST_MAX_TOKENS, NUDGE, run_loop
from course.offline.faults import server_error
from course.offline.scenario import Scenario, load_scenario
from course.settings import MODEL, OFFLINE
from course.stop_reasons import table
from course.tools import run_tool, tool
from course.workspace import Workspace

WORKSPACE = Workspace()
WEB_SEARCH = {"type": "web_search_20260318", "name": "web_search"}
ANSWER = {"type": "text", "text": "All is well."}


@tool
def save_summary(path: str, text: str = "") -> str:
    """Save a text."""
    return f"{len(text)} characters saved in {path}"


TOOLS = [tool(WORKSPACE.list_files), tool(WORKSPACE.read_file), save_summary, WEB_SEARCH]


def offline(scenario, **options):
    return client(scenario, settings=OFFLINE, **options)


def task(scenario):
    return [{"role": "user", "content": load_scenario(scenario).prompt}]


def ask(scenario, tools=TOOLS, *, faults=(), **options):
    """The last reply and `messages` after a run on the task of a scenario."""
    messages = task(scenario)
    reply = run_loop(offline(scenario, faults=faults), messages, tools, model=MODEL, **options)
    return reply, messages


def wire(*replies):
    """A real client whose API answers with these (content, stop_reason), one after the other, the last for ever; and the bodies
    that it was sent. For values that the offline endpoint can't be brought to send."""
    bodies = []

    def answer(request):
        content, reason = replies[min(len(bodies), len(replies) - 1)]
        bodies.append(json.loads(request.content))
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "usage": usage}
        return httpx2.Response(200, json={**message, "content": content, "stop_reason": reason, "stop_sequence": None})

    http_client = httpx2.Client(transport=httpx2.MockTransport(answer), trust_env=False)
    return anthropic.Anthropic(api_key="any", base_url="http://offline.invalid", http_client=http_client), bodies


def with_options(sdk, create, **options):
    """A client that sends further fields with each request."""
    return SimpleNamespace(messages=SimpleNamespace(create=partial(create(sdk), **options)))


def roles(messages):
    return [message["role"] for message in messages]


def results(messages):
    """All tool_result blocks."""
    blocks = [block for message in messages if isinstance(message["content"], list) for block in message["content"]]
    return [block for block in blocks if isinstance(block, dict) and block["type"] == "tool_result"]


def said(reply):
    return "".join(block.text for block in reply.content if block.type == "text")


# tool_use


def test_it_runs_the_tools_and_ends_with_the_models_answer():
    reply, messages = ask("list_then_read")
    assert reply.stop_reason == "end_turn"
    assert "harbour-board" in said(reply)
    assert roles(messages) == ["user", "assistant", "user", "assistant", "user", "assistant"]


def test_the_conversation_can_go_on():
    _, messages = ask("list_then_read")
    messages += task("list_then_read")
    reply = run_loop(offline("list_then_read"), messages, TOOLS, model=MODEL)
    assert reply.stop_reason == "end_turn"
    assert len(messages) == 12


def test_parallel_calls_are_answered_in_one_user_turn_in_their_order():
    _, messages = ask("parallel_reads")
    assert roles(messages) == ["user", "assistant", "user", "assistant"]
    calls = [block for block in messages[1]["content"] if block.type == "tool_use"]
    assert [block["tool_use_id"] for block in messages[2]["content"]] == [call.id for call in calls]
    assert len(calls) == 3


def test_a_tool_that_fails_is_told_to_the_model_and_the_run_goes_on():
    reply, messages = ask("failing_tool")
    assert results(messages)[0]["is_error"] is True
    assert results(messages)[0]["content"] == "WorkspaceError: There is no file 'settings.json' here."
    assert "The settings of harbour-board" in said(reply)


def test_one_failed_call_does_not_lose_the_results_of_the_others():
    def read_file(path: str) -> str:
        """Read a file."""
        if path == "package.json":
            raise OSError("disk full")
        return WORKSPACE.read_file(path)

    reply, messages = ask("parallel_reads", [tool(read_file)])
    assert [block.get("is_error", False) for block in results(messages)] == [False, True, False]
    assert "- package.json: not read (OSError: disk full)" in said(reply)


def test_an_unknown_tool_is_told_to_the_model():
    call = {"type": "tool_use", "id": "toolu_1", "name": "ring_bell", "input": {}}
    sdk, bodies = wire(([call], "tool_use"), ([ANSWER], "end_turn"))
    messages = task("list_then_read")
    assert run_loop(sdk, messages, TOOLS, model=MODEL).stop_reason == "end_turn"
    assert bodies[1]["messages"][2]["content"] == [
        {
            "type": "tool_result",
            "tool_use_id": "toolu_1",
            "content": "ToolError: There is no tool 'ring_bell'. The tools are: list_files, read_file, save_summary.",
            "is_error": True,
        }
    ]


def test_a_server_tool_is_never_run_by_the_loop():
    call = {"type": "tool_use", "id": "toolu_1", "name": "web_search", "input": {"query": "tides"}}
    assert run_tool([WEB_SEARCH], call)["content"] == "ToolError: There is no tool 'web_search'. The tools are: none."


TEXTS = st.text(max_size=40)
OUTPUTS = st.one_of(TEXTS, st.none(), st.integers(), st.lists(TEXTS, max_size=3), st.just(OSError("disk full")))


@settings(max_examples=25, deadline=None)
@given(st.lists(OUTPUTS, min_size=3, max_size=3))
def test_whatever_the_tools_return_or_raise_the_run_comes_to_its_end(outputs):
    left = list(outputs)

    def read_file(path: str) -> object:
        """Read a file."""
        output = left.pop()
        if isinstance(output, Exception):
            raise output
        return output

    reply, messages = ask("parallel_reads", [tool(read_file)])
    assert reply.stop_reason == "end_turn"
    assert len(results(messages)) == 3


# max_tokens


def test_a_call_that_is_cut_off_is_never_run_and_asked_for_with_a_larger_limit():
    ran = []

    def save_summary(path: str, text: str = "") -> str:
        """Save a text."""
        ran.append(text)
        return "saved"

    reply, messages = ask("long_tool_input", [tool(save_summary)], max_tokens=100)
    assert reply.stop_reason == "end_turn"
    assert len(ran) == 1 and ran[0].rstrip().endswith("It writes one page into the folder out.")
    assert roles(messages) == ["user", "assistant", "user", "assistant"]


def test_the_limit_doubles_and_stays_within_the_largest():
    sdk, bodies = wire(([ANSWER], "max_tokens"))
    reply = run_loop(sdk, task("long_answer"), model=MODEL, max_tokens=3000)
    assert [body["max_tokens"] for body in bodies] == [3000, 6000, 12_000, LARGEST_MAX_TOKENS]
    assert reply.stop_reason == "max_tokens"


def test_a_text_that_is_cut_off_comes_whole_with_a_larger_limit():
    reply, messages = ask("long_answer", max_tokens=100)
    assert said(reply).startswith("1. The crew") and said(reply).endswith("THE END")
    assert roles(messages) == ["user", "assistant"]


def test_a_reply_too_long_for_the_largest_limit_is_returned_and_not_kept():
    endless = Scenario(name="book", prompt="Write a book.", knows=[["book"]], answer="word " * 20_000)
    messages = [{"role": "user", "content": "Write a book."}]
    reply = run_loop(offline(endless), messages, model=MODEL, max_tokens=10_000)
    assert (reply.stop_reason, reply.usage.output_tokens) == ("max_tokens", LARGEST_MAX_TOKENS)
    assert messages == [{"role": "user", "content": "Write a book."}]


# pause_turn, compaction


def test_a_turn_that_pauses_goes_back_unchanged_until_it_is_done():
    reply, messages = ask("research")
    assert reply.stop_reason == "end_turn"
    assert said(reply).endswith("Notices at the quay.")
    assert roles(messages) == ["user", "assistant", "assistant", "assistant"]


def test_a_search_and_a_call_of_a_tool_in_one_reply():
    reply, messages = ask("research_and_save")
    assert roles(messages) == ["user", "assistant", "assistant", "assistant", "user", "assistant"]
    assert [block["content"] for block in results(messages)] == ["84 characters saved in gulls.md"]
    assert said(reply).endswith("Birds on time.")


def test_a_turn_that_pauses_for_ever_blows_the_fuse():
    sdk, bodies = wire(([ANSWER], "pause_turn"))
    with pytest.raises(LoopError):
        run_loop(sdk, task("research"), model=MODEL, max_requests=4)
    assert [len(body["messages"]) for body in bodies] == [1, 2, 3, 4]


def test_a_compacted_conversation_goes_on():
    compact = {
        "type": "compact_20260112",
        "trigger": {"type": "input_tokens", "value": 50_000},
        "pause_after_compaction": True,
    }
    sdk = with_options(
        offline("list_then_read"),
        lambda sdk: sdk.beta.messages.create,
        betas=["compact-2026-01-12"],
        context_management={"edits": [compact]},
    )
    messages = [{"role": "user", "content": "word " * 60_000}, {"role": "assistant", "content": "Noted."}]
    messages += task("list_then_read")
    reply = run_loop(sdk, messages, TOOLS, model=MODEL)
    assert reply.stop_reason == "end_turn"
    assert messages[3]["content"][0].type == "compaction"


# end_turn, stop_sequence


def empty_history():
    """Text behind the results: the model ends its turn with nothing."""
    messages = task("count_python_files")
    definitions = [TOOLS[0].definition]
    reply = offline("count_python_files").messages.create(
        model=MODEL, max_tokens=1024, tools=definitions, messages=messages
    )
    remark = {"type": "text", "text": "Keep it short."}
    messages.append({"role": "assistant", "content": reply.content})
    messages.append({"role": "user", "content": [run_tool(TOOLS, reply.content[-1]), remark]})
    return messages


def test_an_empty_end_turn_is_not_kept_and_the_model_is_asked_to_continue():
    messages = empty_history()
    reply = run_loop(offline("count_python_files"), messages, TOOLS, model=MODEL)
    assert said(reply).startswith("There are 4 Python files")
    assert roles(messages) == ["user", "assistant", "user", "user", "assistant"]
    assert messages[3]["content"] == NUDGE


def test_it_asks_to_continue_once_not_for_ever():
    sdk, bodies = wire(([], "end_turn"))
    messages = task("plain_chat")
    reply = run_loop(sdk, messages, model=MODEL)
    assert (reply.stop_reason, reply.content, len(bodies)) == ("end_turn", [], 2)
    assert [message["content"] for message in messages] == [load_scenario("plain_chat").prompt, NUDGE]


def test_after_more_tools_an_empty_reply_may_be_asked_to_continue_again():
    call = {"type": "tool_use", "id": "toolu_1", "name": "list_files", "input": {}}
    sdk, bodies = wire(([], "end_turn"), ([call], "tool_use"), ([], "end_turn"), ([ANSWER], "end_turn"))
    assert said(run_loop(sdk, task("plain_chat"), TOOLS, model=MODEL)) == "All is well."
    assert len(bodies) == 4


def test_a_stop_sequence_is_an_end():
    sdk = with_options(offline("long_answer"), lambda sdk: sdk.messages.create, stop_sequences=["5."])
    messages = task("long_answer")
    reply = run_loop(sdk, messages, model=MODEL)
    assert (reply.stop_reason, reply.stop_sequence, len(messages)) == ("stop_sequence", "5.", 2)


def test_a_stop_sequence_before_any_text_keeps_no_empty_turn():
    sdk = with_options(offline("long_answer"), lambda sdk: sdk.messages.create, stop_sequences=["1."])
    messages = task("long_answer")
    assert run_loop(sdk, messages, model=MODEL).content == []
    assert messages == task("long_answer")


# refusal, model_context_window_exceeded, unknown


def test_a_refusal_is_returned_and_nothing_of_it_is_kept():
    reply, messages = ask("refused")
    assert (reply.stop_reason, reply.stop_details.category) == ("refusal", "general_harms")
    assert messages == task("refused")


def test_without_the_refused_task_the_conversation_goes_on():
    _, messages = ask("refused")
    messages[-1] = {"role": "user", "content": "What does the sign on the blue door say?"}
    reply = run_loop(offline("refused"), messages, model=MODEL)
    assert reply.stop_reason == "end_turn"


def test_a_full_window_is_returned_and_not_kept_and_goes_on_when_messages_are_shorter():
    reply, messages = ask("small_window", TOOLS[:2])
    assert reply.stop_reason == "model_context_window_exceeded"
    assert roles(messages) == ["user", "assistant", "user", "assistant", "user"]
    for block in messages[-1]["content"]:
        block["content"] = "(read)"
    assert run_loop(offline("small_window"), messages, TOOLS[:2], model=MODEL).stop_reason == "end_turn"


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (
            "sabbatical",
            "The loop stops at stop_reason 'sabbatical'. This course does not know this stop_reason. "
            "A loop should stop here and say so.",
        ),
        (None, "The loop stops at stop_reason None. There is no stop_reason: the reply did not come to its end."),
    ],
)
def test_a_value_that_nobody_knows_ends_the_run_and_says_so(reason, text):
    sdk, bodies = wire(([ANSWER], reason))
    messages = task("plain_chat")
    with pytest.raises(LoopError) as caught:
        run_loop(sdk, messages, model=MODEL)
    assert str(caught.value) == text
    assert (messages, len(bodies)) == (task("plain_chat"), 1)


@pytest.mark.parametrize("row", table(), ids=lambda row: row.value)
def test_every_value_of_the_table_is_known_to_the_loop(row):
    sdk, _bodies = wire(([ANSWER], row.value), ([ANSWER], "end_turn"))
    run_loop(sdk, task("plain_chat"), model=MODEL)


# errors and the fuse


def test_the_sdk_tries_again_and_the_run_comes_to_its_end():
    reply, messages = ask("list_then_read", faults=["overloaded", "rate_limited"])
    assert reply.stop_reason == "end_turn"
    assert len(messages) == 6


def test_a_fault_that_stays_is_raised_and_the_same_call_can_be_made_again():
    messages = task("list_then_read")
    with pytest.raises(anthropic.InternalServerError):
        run_loop(offline("list_then_read", faults=[server_error(times=None)]), messages, TOOLS, model=MODEL)
    assert messages == task("list_then_read")
    assert run_loop(offline("list_then_read"), messages, TOOLS, model=MODEL).stop_reason == "end_turn"


def test_a_400_is_sent_once():
    sent = []
    sdk = offline("plain_chat")
    create = sdk.messages.create
    sdk.messages.create = lambda **request: sent.append(request) or create(**request)
    with pytest.raises(anthropic.BadRequestError, match="text content blocks must be non-empty"):
        run_loop(sdk, [{"role": "user", "content": ""}], model=MODEL)
    assert len(sent) == 1


def test_the_fuse_says_that_it_blew():
    with pytest.raises(LoopError) as caught:
        ask("list_then_read", max_requests=2)
    assert str(caught.value) == "The fuse blew: 2 requests, and the model still asks for more."


def test_a_run_that_needs_all_its_requests_blows_no_fuse():
    reply, _ = ask("list_then_read", max_requests=3)
    assert reply.stop_reason == "end_turn"


def test_after_the_fuse_the_same_call_goes_on_from_there():
    messages = task("list_then_read")
    with pytest.raises(LoopError):
        run_loop(offline("list_then_read"), messages, TOOLS, model=MODEL, max_requests=2)
    assert roles(messages) == ["user", "assistant", "user", "assistant", "user"]
    assert run_loop(offline("list_then_read"), messages, TOOLS, model=MODEL, max_requests=1).stop_reason == "end_turn"


def test_a_function_that_is_not_wrapped_is_told_before_a_request_is_sent():
    messages = task("list_then_read")
    with pytest.raises(ToolError) as caught:
        run_loop(offline("list_then_read"), messages, [WORKSPACE.list_files], model=MODEL)
    assert str(caught.value) == "list_files is a function, not a tool. Put tool(...) around it."
    assert len(messages) == 1

"""Every stop reason, through the real SDK: earned by the request, and what a loop does next really works."""

from __future__ import annotations

from typing import Any, get_args

import anthropic
import pytest
from anthropic.types.beta.beta_stop_reason import BetaStopReason

from course.clients import client
from course.errors import LoopError
from course.loop import run_loop
from course.offline.scenario import load_scenario
from course.settings import MODEL, OFFLINE
from course.tools import Tool, run_tool, tool
from course.workspace import Workspace

WEB_SEARCH = {"type": "web_search_20260318", "name": "web_search"}
COMPACT = {"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 50_000}}


@tool
def list_files(path: str = ".") -> str:
    """List the files below a folder."""
    return "\n".join(Workspace().list_files(path))


@tool
def read_file(path: str) -> str:
    """Read a text file."""
    return Workspace().read_file(path)


@tool
def save_summary(path: str, text: str) -> str:
    """Save a text."""
    return f"{len(text)} characters saved in {path}"


def offline(scenario: str) -> anthropic.Anthropic:
    return client(scenario, settings=OFFLINE)


def task(scenario: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": load_scenario(scenario).prompt}]


def ask(
    scenario: str, messages: list[dict[str, Any]], *tools: Tool | dict[str, Any], max_tokens: int = 2000, **rest: Any
) -> Any:
    definitions = [each.definition if isinstance(each, Tool) else each for each in tools]
    if definitions:
        rest["tools"] = definitions
    return offline(scenario).messages.create(model=MODEL, max_tokens=max_tokens, messages=messages, **rest)


def said(reply: Any) -> str:
    return "".join(block.text for block in reply.content if block.type == "text")


def shown(block: Any) -> dict[str, Any]:
    return {name: value for name, value in block.to_dict().items() if name != "id"}


def types(reply: Any) -> list[str]:
    return [block.type for block in reply.content]


def assistant(reply: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": reply.content}


def answered(reply: Any, *tools: Tool) -> dict[str, Any]:
    return {
        "role": "user",
        "content": [run_tool(tools, block) for block in reply.content if block.type == "tool_use"],
    }


# tool_use and end_turn


def test_tool_use_asks_for_one_tool_after_the_other_and_the_answer_quotes_what_was_given() -> None:
    messages = task("list_then_read")
    first = ask("list_then_read", messages, list_files, read_file)
    assert (first.stop_reason, types(first), first.content[1].input) == (
        "tool_use", ["text", "tool_use"], {"path": "."}
    )  # fmt: skip
    messages += [assistant(first), answered(first, list_files, read_file)]
    second = ask("list_then_read", messages, list_files, read_file)
    assert (second.stop_reason, second.content[1].name) == ("tool_use", "read_file")
    result = {"type": "tool_result", "tool_use_id": second.content[1].id, "content": '{"name": "pier", "version": "9"}'}
    messages += [assistant(second), {"role": "user", "content": [result]}]
    third = ask("list_then_read", messages, list_files, read_file)
    assert third.stop_reason == "end_turn"
    assert said(third).endswith("package.json describes pier, version 9.")
    assert said(third).startswith("The directory holds 7 files: README.md, ")


def test_without_a_result_the_same_call_comes_again() -> None:
    replies = [ask("count_python_files", task("count_python_files"), list_files) for _again in range(3)]
    assert [(reply.content[-1].name, reply.content[-1].input) for reply in replies] == [
        ("list_files", {"path": "."})
    ] * 3


def test_a_forgotten_result_is_a_400_and_with_a_lenient_endpoint_the_same_call_again() -> None:
    messages = task("count_python_files")
    first = ask("count_python_files", messages, list_files)
    messages += [assistant(first), {"role": "user", "content": "Go on."}]
    with pytest.raises(anthropic.BadRequestError, match="`tool_use` ids were found without `tool_result` blocks"):
        ask("count_python_files", messages, list_files)
    lenient = client("count_python_files", lenient=True, settings=OFFLINE)
    again = lenient.messages.create(
        model=MODEL, max_tokens=900, messages=messages, tools=[list_files.definition]
    )  # fmt: skip
    assert again.content[-1].input == {"path": "."} and again.stop_reason == "tool_use"


def test_several_calls_come_in_one_turn_or_one_by_one() -> None:
    messages = task("parallel_reads")
    at_once = ask("parallel_reads", messages, read_file)
    assert types(at_once) == ["text", "tool_use", "tool_use", "tool_use"]
    paths = []
    choice = {"type": "auto", "disable_parallel_tool_use": True}
    while True:
        reply = ask("parallel_reads", messages, read_file, tool_choice=choice)
        if reply.stop_reason != "tool_use":
            break
        calls = [block for block in reply.content if block.type == "tool_use"]
        assert len(calls) == 1
        paths.append(calls[0].input["path"])
        messages += [assistant(reply), answered(reply, read_file)]
    assert paths == ["README.md", "package.json", "harbour/timetable.py"]
    assert "- README.md: 138 characters, first line # Harbour board" in said(reply)


def test_one_failed_call_of_several_is_told_and_the_others_are_used() -> None:
    messages = task("parallel_reads")
    reply = ask("parallel_reads", messages, read_file)
    results = answered(reply, read_file)
    results["content"][1] |= {"content": "disk full", "is_error": True}
    final = ask("parallel_reads", [*messages, assistant(reply), results], read_file)
    assert "- package.json: not read (disk full)" in said(final)
    assert "- README.md: 138 characters" in said(final)


def test_a_failed_tool_sends_the_model_another_way() -> None:
    messages = task("failing_tool")
    final = run_loop(offline("failing_tool"), messages, [list_files, read_file], model=MODEL)
    asked = [block.name for turn in messages[1:-1:2] for block in turn["content"] if block.type == "tool_use"]
    assert asked == ["read_file", "list_files", "read_file"]
    assert "The settings of harbour-board are its scripts: build, test." in said(final)


def test_a_failed_tool_without_another_way_is_reported() -> None:
    messages = task("count_python_files")
    reply = ask("count_python_files", messages, list_files)
    results = answered(reply, list_files)
    results["content"][0] |= {"content": "permission denied", "is_error": True}
    final = ask("count_python_files", [*messages, assistant(reply), results], list_files)
    assert said(final) == "I could not finish: the tool list_files failed. It said: permission denied"


def test_a_tool_that_is_not_offered_is_asked_for_in_words() -> None:
    reply = ask("count_python_files", task("count_python_files"), read_file)
    assert (reply.stop_reason, said(reply)) == (
        "end_turn", "To do this I need a tool that this request does not let me use: list_files."
    )  # fmt: skip


def test_tool_choice_none_forbids_and_tool_and_any_force() -> None:
    messages, tools = task("list_then_read"), (list_files, read_file)
    assert ask("list_then_read", messages, *tools, tool_choice={"type": "none"}).stop_reason == "end_turn"
    wanted = ask("list_then_read", messages, *tools, tool_choice={"type": "any"})
    assert [(block.type, block.name) for block in wanted.content] == [("tool_use", "list_files")]
    named = ask("list_then_read", messages, *tools, tool_choice={"type": "tool", "name": "read_file"})
    assert [(block.name, block.input) for block in named.content] == [("read_file", {"path": ""})]
    chat = ask("plain_chat", task("plain_chat"), *tools, tool_choice={"type": "any"})
    assert chat.stop_reason == "tool_use"


def test_a_choice_forces_a_call_where_the_model_would_say_nothing() -> None:
    messages = task("parallel_reads")
    first = ask("parallel_reads", messages, read_file)
    results = answered(first, read_file)
    results["content"].append({"type": "text", "text": "Well?"})
    again = ask("parallel_reads", [*messages, assistant(first), results], read_file, tool_choice={"type": "any"})
    assert (again.stop_reason, types(again)) == ("tool_use", ["tool_use"])


def test_a_named_tool_is_called_where_the_model_would_search_first() -> None:
    choice = {"type": "tool", "name": "save_summary"}
    reply = ask("research_and_save", task("research_and_save"), WEB_SEARCH, save_summary, tool_choice=choice)
    assert [(block.type, block.name) for block in reply.content] == [("tool_use", "save_summary")]


@pytest.mark.parametrize("choice", [{"type": "tool", "name": "web_search"}, {"type": "any"}])
def test_a_forced_search_is_made(choice: dict[str, Any]) -> None:
    reply = ask("plain_chat", task("plain_chat"), WEB_SEARCH, tool_choice=choice)
    assert (reply.stop_reason, types(reply)) == ("end_turn", ["server_tool_use", "web_search_tool_result", "text"])


@pytest.mark.parametrize("choice", [{"type": "tool", "name": "web_search"}, {"type": "any"}])
def test_a_search_that_the_task_needs_is_one_that_was_forced(choice: dict[str, Any]) -> None:
    reply = ask("research_and_save", task("research_and_save"), WEB_SEARCH, save_summary, tool_choice=choice)
    queries = [block.input["query"] for block in reply.content if block.type == "server_tool_use"]
    assert (reply.stop_reason, queries) == ("pause_turn", ["gulls follow ferry", "gulls feeding times"])


@pytest.mark.parametrize("text", ['{"scripts": 5}', '{"scripts": true}', "[" * 5000 + "]" * 5000])
def test_a_result_that_the_model_can_not_use_is_no_crash(text: str) -> None:
    messages = task("failing_tool")
    first = ask("failing_tool", messages, list_files, read_file)
    result = {"type": "tool_result", "tool_use_id": first.content[-1].id, "content": text}
    reply = ask(
        "failing_tool", [*messages, assistant(first), {"role": "user", "content": [result]}], list_files, read_file
    )
    assert reply.stop_reason in ("end_turn", "max_tokens") and said(reply)


def test_an_endless_task_ends_only_by_the_fuse() -> None:
    with pytest.raises(LoopError, match=r"^The fuse blew: 4 requests, and the model still asks for more\.$"):
        run_loop(offline("endless"), task("endless"), [list_files], model=MODEL, max_requests=4)


def test_a_second_task_in_the_same_conversation_starts_afresh() -> None:
    sdk = client(settings=OFFLINE)
    messages = task("count_python_files")
    run_loop(sdk, messages, [list_files, read_file], model=MODEL)
    messages.append({"role": "user", "content": "Which files are in this directory? Then read package.json."})
    final = run_loop(sdk, messages, [list_files, read_file], model=MODEL)
    assert "package.json describes harbour-board, version 1.4.0." in said(final)


def test_text_after_the_results_gives_an_empty_turn_and_a_new_user_turn_the_answer() -> None:
    messages = task("count_python_files")
    reply = ask("count_python_files", messages, list_files)
    results = answered(reply, list_files)
    results["content"].append({"type": "text", "text": "Now go on."})
    messages += [assistant(reply), results]
    empty = ask("count_python_files", messages, list_files)
    assert (empty.stop_reason, empty.content, empty.usage.output_tokens) == ("end_turn", [], 3)
    messages.append({"role": "user", "content": "Please continue."})
    assert said(ask("count_python_files", messages, list_files)).startswith("There are 4 Python files")


def test_a_remark_in_a_message_of_its_own_after_the_results_is_text_after_the_results() -> None:
    messages = task("count_python_files")
    reply = ask("count_python_files", messages, list_files)
    messages += [assistant(reply), answered(reply, list_files), {"role": "user", "content": "And hurry."}]
    empty = ask("count_python_files", messages, list_files)
    assert (empty.stop_reason, empty.content) == ("end_turn", [])


@pytest.mark.parametrize(
    "prompt",
    [
        "Continue with this: count the Python files in this project.",
        "Go online? No: count the Python files in this project.",
        "Proceedings: count the Python files in this project.",
    ],
)
def test_a_new_task_may_begin_like_a_request_to_go_on(prompt: str) -> None:
    messages = [*task("plain_chat"), {"role": "assistant", "content": "Hello."}, {"role": "user", "content": prompt}]
    definitions: Any = [list_files.definition]
    reply = client(settings=OFFLINE).messages.create(model=MODEL, max_tokens=99, messages=messages, tools=definitions)
    assert (reply.stop_reason, reply.content[-1].name) == ("tool_use", "list_files")


def test_to_go_on_may_be_said_in_the_words_of_the_task() -> None:
    messages = task("count_python_files")
    reply = ask("count_python_files", messages, list_files)
    messages += [assistant(reply), answered(reply, list_files)]
    messages.append({"role": "user", "content": "Please continue to count the Python files in this project."})
    assert said(ask("count_python_files", messages, list_files)).startswith("There are 4 Python files")


def test_a_prompt_in_very_many_parts_is_read_once() -> None:
    """The API merges them. Looked at one by one, each with all before it, 2,000 of them took minutes."""
    parts = [{"role": "user", "content": f"Hello, part {number}."} for number in range(2000)]
    assert said(ask("plain_chat", parts)).startswith("Hello. I am the offline model of this course.")


def test_a_prompt_that_no_task_fits_gets_an_honest_answer() -> None:
    reply = ask("list_then_read", [{"role": "user", "content": "What is the capital of Norway?"}])
    assert said(reply) == (
        "I am the offline model of this course, not Claude. I answer from a script, and I know these tasks:\n"
        "- Which files are in this directory? Then read package.json.\n"
        "To ask a live model anything you like, set ANTHROPIC_API_KEY in the file .env."
    )


# max_tokens


def test_max_tokens_cuts_the_text_and_continue_gets_the_rest() -> None:
    messages, parts = task("long_answer"), []
    whole = ask("long_answer", messages)
    assert whole.stop_reason == "end_turn"
    while True:
        reply = ask("long_answer", messages, max_tokens=60)
        parts.append(said(reply))
        if reply.stop_reason == "end_turn":
            break
        assert (reply.stop_reason, reply.usage.output_tokens) == ("max_tokens", 60)
        messages += [assistant(reply), {"role": "user", "content": "Please continue."}]
    assert len(parts) == 5
    assert "".join(parts) == said(whole)


def test_a_larger_max_tokens_gets_the_rest() -> None:
    cut, whole = (ask("long_answer", task("long_answer"), max_tokens=limit) for limit in (50, 500))
    assert (cut.stop_reason, whole.stop_reason) == ("max_tokens", "end_turn")
    assert said(whole).startswith(said(cut)) and said(whole).endswith("THE END")


def test_max_tokens_in_the_middle_of_a_call_leaves_the_members_that_are_whole() -> None:
    cut = ask("long_tool_input", task("long_tool_input"), save_summary, max_tokens=100)
    assert (cut.stop_reason, cut.usage.output_tokens, types(cut)) == ("max_tokens", 100, ["text", "tool_use"])
    assert cut.content[1].input == {"path": "summary.md"}
    whole = ask("long_tool_input", task("long_tool_input"), save_summary, max_tokens=1000)
    assert (whole.stop_reason, sorted(whole.content[1].input)) == ("tool_use", ["path", "text"])


def test_max_tokens_before_the_call_leaves_only_text() -> None:
    cut = ask("long_tool_input", task("long_tool_input"), save_summary, max_tokens=12)
    assert (cut.stop_reason, types(cut)) == ("max_tokens", ["text"])


@pytest.mark.parametrize("display", ["summarized", "omitted"])
def test_max_tokens_zero_says_nothing_and_thinks_nothing(display: str) -> None:
    reply = ask("long_answer", task("long_answer"), max_tokens=0, thinking={"type": "adaptive", "display": display})
    assert (reply.stop_reason, reply.content, reply.usage.output_tokens) == ("max_tokens", [], 0)


@pytest.mark.parametrize("display", [None, "summarized", "omitted"])
def test_a_reply_that_max_tokens_cuts_costs_all_of_them_and_is_the_same_in_a_stream(display: str | None) -> None:
    sdk = offline("parallel_reads")
    request: dict[str, Any] = {"model": MODEL, "messages": task("parallel_reads"), "tools": [read_file.definition]}
    if display:
        request["thinking"] = {"type": "adaptive", "display": display}
    reasons = []
    for limit in range(1, 101):
        reply = sdk.messages.create(**request, max_tokens=limit)
        with sdk.messages.stream(**request, max_tokens=limit) as stream:
            streamed = stream.get_final_message()
        assert [shown(block) for block in streamed.content] == [shown(block) for block in reply.content]
        assert streamed.usage.output_tokens == reply.usage.output_tokens
        assert reply.usage.output_tokens == limit or reply.stop_reason == "tool_use"
        reasons.append(reply.stop_reason)
    assert reasons == sorted(reasons) and set(reasons) == {"max_tokens", "tool_use"}


def test_thinking_costs_the_same_whether_it_is_shown_or_not() -> None:
    replies = [
        ask("long_answer", task("long_answer"), thinking={"type": "adaptive", "display": display})
        for display in ("summarized", "omitted")
    ]
    assert [reply.usage.output_tokens_details.thinking_tokens for reply in replies] == [21, 21]
    assert [bool(reply.content[0].thinking) for reply in replies] == [True, False]


def test_thinking_that_is_shown_as_updates_has_no_text_of_its_own() -> None:
    """What the Agent SDK's program asks for. Its thinking comes signed, as if it were left out."""
    beta = {"anthropic-beta": "thinking-display-updates-2026-08-18"}
    thinking = {"type": "adaptive", "display": "updates"}
    thought = ask("long_answer", task("long_answer"), thinking=thinking, extra_headers=beta).content[0]
    assert (thought.type, thought.thinking, bool(thought.signature)) == ("thinking", "", True)


def test_a_reply_cut_in_its_thinking_can_not_be_sent_back_but_asked_for_again() -> None:
    messages, thinking = task("long_answer"), {"type": "adaptive", "display": "summarized"}
    cut = ask("long_answer", messages, max_tokens=10, thinking=thinking)
    assert (cut.stop_reason, types(cut)) == ("max_tokens", ["thinking"])
    assert cut.content[0].thinking == "Twelve steps, each in one sentence or tw"
    with pytest.raises(anthropic.BadRequestError, match="The final block in an assistant message cannot be `thinking`"):
        ask(
            "long_answer",
            [*messages, assistant(cut), {"role": "user", "content": "Please continue."}],
            thinking=thinking,
        )
    assert said(ask("long_answer", messages, thinking=thinking)).startswith("1. The crew")


@pytest.mark.parametrize(
    "words",
    [
        "Please continue.",
        "You were cut off. Continue.",
        "weiter",
        "Your answer was cut. Go on with the rest.",
        "Du wurdest unterbrochen. Mach bitte weiter.",
        "你被截断了。继续。",
        "途中で切れました。続けてください。",
    ],
)
def test_a_user_may_ask_for_the_rest_in_many_ways(words: str) -> None:
    messages = task("long_answer")
    cut = ask("long_answer", messages, max_tokens=60)
    rest = ask("long_answer", [*messages, assistant(cut), {"role": "user", "content": words}])
    assert said(cut) + said(rest) == said(ask("long_answer", messages))


def test_a_remark_is_short_if_its_last_sentence_is_to_count() -> None:
    messages = task("long_answer")
    messages.append(assistant(ask("long_answer", messages, max_tokens=60)))

    def after(length: int) -> str:
        words = "a" * (length - len(". Continue.")) + ". Continue."
        return said(ask("long_answer", [*messages, {"role": "user", "content": words}]))

    assert "12. " in after(100)
    assert "12. " not in after(101)


# stop_sequence


@pytest.mark.parametrize(
    ("sequences", "which", "end"),
    [
        (["5."], "5.", "and waits for the answer.\n"),
        (["THE END", "3."], "3.", "lies level in the water.\n"),
        (["1."], "1.", ""),
        (["1. The crew counts", "crew"], "crew", "1. The "),
        (["5. The", "5."], "5.", "and waits for the answer.\n"),
    ],
)
def test_a_stop_sequence_cuts_before_it_and_is_named(sequences: list[str], which: str, end: str) -> None:
    reply = ask("long_answer", task("long_answer"), stop_sequences=sequences)
    assert (reply.stop_reason, reply.stop_sequence) == ("stop_sequence", which)
    assert said(reply).endswith(end) and which not in said(reply)


def test_max_tokens_before_the_stop_sequence_comes_first() -> None:
    reply = ask("long_answer", task("long_answer"), max_tokens=20, stop_sequences=["THE END"])
    assert (reply.stop_reason, reply.stop_sequence) == ("max_tokens", None)


@pytest.mark.parametrize("limit", [6, 9, 12, 20])
def test_a_stop_sequence_that_is_not_complete_at_the_limit_stops_nothing(limit: int) -> None:
    sequence = "passengers and compares the number with the list at the gate"
    cut = ask("long_answer", task("long_answer"), max_tokens=limit, stop_sequences=[sequence])
    assert (cut.stop_reason, cut.stop_sequence, cut.usage.output_tokens) == ("max_tokens", None, limit)
    assert said(cut) == said(ask("long_answer", task("long_answer"), max_tokens=limit))


def test_what_is_written_of_a_stop_sequence_is_counted() -> None:
    short, long = (
        ask("long_answer", task("long_answer"), stop_sequences=[text])
        for text in ("passengers", "passengers and compares")
    )
    assert said(short) == said(long) and short.usage.output_tokens < long.usage.output_tokens


# pause_turn


def test_a_search_without_its_result_is_made_again_and_nothing_is_said_twice() -> None:
    messages = task("research")
    paused = ask("research", messages, WEB_SEARCH)
    again = ask("research", [*messages, {"role": "assistant", "content": paused.content[:2]}], WEB_SEARCH)
    assert again.content[0].input == {"query": "tide tables small harbours"}


def test_a_server_tool_pauses_and_goes_on_when_its_content_comes_back() -> None:
    messages, reasons, searches = task("research"), [], []
    while not reasons or reasons[-1] == "pause_turn":
        reply = ask("research", messages, WEB_SEARCH)
        messages.append(assistant(reply))
        reasons.append(reply.stop_reason)
        searches.append(reply.usage.server_tool_use.web_search_requests)
    assert (reasons, searches) == (["pause_turn", "pause_turn", "end_turn"], [2, 2, 1])
    assert said(reply).endswith("Spring tides; Notices at the quay.")
    results = [block for block in messages[1]["content"] if block.type == "web_search_tool_result"]
    assert [block.content[0].title for block in results] == ["Reading a tide table", "Depth at the berth"]


def test_a_paused_turn_that_is_dropped_starts_over() -> None:
    first, again = (ask("research", task("research"), WEB_SEARCH) for _twice in range(2))
    assert [block.input for block in first.content if block.type == "server_tool_use"] == [
        block.input for block in again.content if block.type == "server_tool_use"
    ]
    assert again.stop_reason == "pause_turn"


def test_without_the_server_tool_the_model_says_so() -> None:
    reply = ask("research", task("research"))
    assert said(reply) == "To do this I need a tool that this request does not let me use: web_search."


# refusal


def test_a_refusal_says_why_and_stays_while_the_prompt_is_in_the_history() -> None:
    messages = task("refused")
    reply = ask("refused", messages)
    assert (reply.stop_reason, reply.content) == ("refusal", [])
    assert reply.stop_details.category == "general_harms"
    assert reply.stop_details.explanation == (
        "In this course, the words behind the blue door stand for a request that the model declines."
    )
    rephrased = {"role": "user", "content": "What does the sign on the blue door say?"}
    kept = [*messages, {"role": "assistant", "content": "I can't tell you."}, rephrased]
    assert ask("refused", kept).stop_reason == "refusal"
    assert (
        said(ask("refused", [rephrased])) == 'The sign on the blue door says "Harbour office, open from nine to five".'
    )


# model_context_window_exceeded


def test_a_small_window_fills_up_and_shorter_results_make_room() -> None:
    messages = task("small_window")
    full = run_loop(offline("small_window"), messages, [list_files, read_file], model=MODEL, max_tokens=2000)
    assert full.stop_reason == "model_context_window_exceeded"
    assert full.usage.input_tokens + full.usage.output_tokens == 950
    for block in messages[-1]["content"]:
        block["content"] = "(read; left out to save room)"
    shorter = ask("small_window", messages, list_files, read_file)
    assert shorter.stop_reason == "end_turn"
    assert said(shorter).startswith(said(full)) and said(shorter).endswith("the first two things to add.")


def test_an_input_that_does_not_fit_the_window_is_a_400() -> None:
    messages = [{"role": "user", "content": load_scenario("small_window").prompt + " x" * 4000}]
    with pytest.raises(anthropic.BadRequestError, match=r"prompt is too long: \d+ tokens > 950 maximum"):
        ask("small_window", messages, list_files, read_file)


# compaction


def long_history(sdk: anthropic.Anthropic) -> list[dict[str, Any]]:
    """list_then_read after its first call, whose result has about 55,000 tokens."""
    messages = task("list_then_read")
    reply = sdk.messages.create(
        model=MODEL, max_tokens=900, messages=messages, tools=[list_files.definition, read_file.definition]
    )
    listing = "package.json\n" + "\n".join(f"logs/day-{day:05}.txt" for day in range(11_000))
    result = {"type": "tool_result", "tool_use_id": reply.content[-1].id, "content": listing}
    return [*messages, assistant(reply), {"role": "user", "content": [result]}]


def test_max_tokens_zero_compacts_nothing() -> None:
    sdk = offline("list_then_read")
    reply = sdk.beta.messages.create(
        model=MODEL, max_tokens=0, messages=long_history(sdk), betas=["compact-2026-01-12"],
        context_management={"edits": [COMPACT]},
    )  # fmt: skip
    assert (reply.stop_reason, reply.content) == ("max_tokens", [])


@pytest.mark.parametrize("pause", [True, False])
def test_compaction_at_its_trigger_stands_for_the_history(pause: bool) -> None:
    sdk = offline("list_then_read")
    messages = long_history(sdk)
    request: dict[str, Any] = {
        "model": MODEL,
        "max_tokens": 900,
        "tools": [list_files.definition, read_file.definition],
        "betas": ["compact-2026-01-12"],
        "context_management": {"edits": [{**COMPACT, "pause_after_compaction": pause}]},
    }
    reply = sdk.beta.messages.create(messages=messages, **request)
    assert reply.content[0].type == "compaction"
    assert reply.content[0].content == (
        'The task: Which files are in this directory? Then read package.json.\nDone so far: list_files({"path": "."})'
    )
    assert [each.type for each in reply.usage.iterations] == (["compaction"] if pause else ["compaction", "message"])
    assert reply.usage.iterations[0].input_tokens > 50_000
    if pause:
        assert (reply.stop_reason, len(reply.content)) == ("compaction", 1)
        messages.append({"role": "assistant", "content": reply.content})
        reply = sdk.beta.messages.create(messages=messages, **request)
        assert reply.usage.input_tokens < 1_000
    assert (reply.stop_reason, reply.content[-1].name) == ("tool_use", "read_file")
    messages += [{"role": "assistant", "content": reply.content}, answered(reply, read_file)]
    final = sdk.beta.messages.create(messages=messages, **request)
    assert said(final).startswith("The directory holds 11001 files: package.json, logs/day-00000.txt,")


def test_the_compaction_parameter_returns_the_block_alone() -> None:
    sdk = offline("list_then_read")
    request: dict[str, Any] = {
        "model": MODEL,
        "max_tokens": 900,
        "tools": [list_files.definition, read_file.definition],
        "betas": ["compact-2026-09-04"],
    }
    reply = sdk.beta.messages.create(messages=long_history(sdk), compaction={"type": "summarize"}, **request)
    assert (reply.stop_reason, [block.type for block in reply.content]) == ("compaction", ["compaction"])
    next_turn = sdk.beta.messages.create(messages=[{"role": "assistant", "content": reply.content}], **request)
    assert (next_turn.stop_reason, next_turn.content[-1].name) == ("tool_use", "read_file")


# the set


def test_these_are_all_there_are() -> None:
    assert set(get_args(BetaStopReason)) == {
        "end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "compaction", "refusal",
        "model_context_window_exceeded",
    }  # fmt: skip

"""Property: whatever a right loop meets on its way, no request of it is refused, and it comes to an end."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from course.clients import client
from course.offline.scenario import load_scenario, names
from course.settings import MODEL, OFFLINE

ENDLESS = {"endless"}
TOOLS: list[Any] = [
    {"name": name, "input_schema": {"type": "object", "properties": {key: {"type": "string"} for key in keys}}}
    for name, keys in (("list_files", ["path"]), ("read_file", ["path"]), ("save_summary", ["path", "text"]))
]
SEARCH: Any = {"type": "web_search_20260318", "name": "web_search"}
LARGEST = 4_000
MOST_REQUESTS = 40

results = st.fixed_dictionaries(
    {"content": st.none() | st.sampled_from(["", "a.py\nb.py", "[1]", '{"name": []}']) | st.text(max_size=30)},
    optional={"is_error": st.booleans()},
)


def next_limit(reply: Any, limit: int) -> int:
    return min(2 * limit, LARGEST) if reply.stop_reason == "max_tokens" else limit


@given(
    name=st.sampled_from([each for each in names() if each not in ENDLESS]),
    limit=st.integers(1, 300),
    one_by_one=st.booleans(),
    thinking=st.booleans(),
    keep_cut_text=st.booleans(),
    data=st.data(),
)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_right_loop_is_never_refused_and_ends(
    name: str, limit: int, one_by_one: bool, thinking: bool, keep_cut_text: bool, data: st.DataObject
) -> None:
    sdk = client(name, settings=OFFLINE)
    rest: dict[str, Any] = {"tools": [*TOOLS, SEARCH]}
    rest["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": one_by_one}
    if thinking:
        rest["thinking"] = {"type": "adaptive"}
    messages: list[Any] = [{"role": "user", "content": load_scenario(name).prompt}]
    reasons = []
    for _request in range(MOST_REQUESTS):
        reply = sdk.messages.create(model=MODEL, max_tokens=limit, messages=messages, **rest)
        reasons.append(reply.stop_reason)
        kinds = {block.type for block in reply.content}
        if reply.stop_reason == "tool_use":
            calls = [block.id for block in reply.content if block.type == "tool_use"]
            answers = [{"type": "tool_result", "tool_use_id": id, **data.draw(results)} for id in calls]
            messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": answers}]
        elif reply.stop_reason == "pause_turn":
            messages.append({"role": "assistant", "content": reply.content})
        elif reply.stop_reason == "max_tokens":
            if keep_cut_text and kinds == {"text"} and limit >= LARGEST / 100:
                messages += [
                    {"role": "assistant", "content": reply.content},
                    {"role": "user", "content": "Please continue."},
                ]
            else:
                limit = next_limit(reply, limit)
        else:
            break
    assert reasons[-1] in ("end_turn", "refusal", "model_context_window_exceeded")


def test_every_scenario_is_in_reach_of_the_property() -> None:
    assert set(names()) > ENDLESS

"""Transcripts that can't have happened."""

from __future__ import annotations

from pathlib import Path

import pytest
from items import item

from course.proofs.transcripts import impossible

OPTIONS = """\
options:
  - {action: finish, correct: true, why: It ends.}
  - {action: send_back, why: It ends., misconception: pause-is-end}
kind: action
"""


def found(folder: Path, response: str, more: str = "") -> list[str]:
    given = item(folder, OPTIONS + more + "response: " + response + "\n")
    return [what for _path, what, _remedy in impossible(given)]


@pytest.mark.parametrize(
    "response",
    [
        "{content: [{type: text, text: Yes.}], stop_reason: end_turn}",
        "{content: [], stop_reason: end_turn}",
        '{content: [{type: text, text: "1 2"}], stop_reason: stop_sequence, stop_sequence: "3"}',
        "{content: [{type: text, text: I}], stop_reason: refusal, stop_details: {type: refusal, category: cyber}}",
        "{content: [{type: tool_use, id: a, name: b, input: {}}], stop_reason: max_tokens}",
        "{content: [{type: server_tool_use, id: srvtoolu_1, name: web_search, input: {query: x}}], stop_reason: pause_turn}",
        "{content: [{type: compaction, content: Done., encrypted_content: '', signature: x}], stop_reason: compaction}",
        "{content: [{type: thinking, thinking: I see., signature: x}, {type: text, text: Yes.}], stop_reason: end_turn}",
        "{content: [{type: text, text: Yes.}], stop_reason: brand_new}",
        "{content: [{type: text, text: Ye}], stop_reason: null}",
    ],
)
def test_what_can_have_happened(tmp_path: Path, response: str) -> None:
    assert found(tmp_path, response) == []


@pytest.mark.parametrize(
    ("response", "fault"),
    [
        ("{content: Yes., stop_reason: end_turn}", "The content of a response is a list of blocks."),
        ("{role: user, content: [], stop_reason: end_turn}", "The role of a response is assistant."),
        (
            "{content: [{type: text, text: I look.}], stop_reason: tool_use}",
            "With tool_use the content ends with a tool_use block.",
        ),
        (
            "{content: [{type: tool_use, id: a, name: b, input: {}}], stop_reason: end_turn}",
            "With end_turn there is no tool_use block: a call gives tool_use.",
        ),
        (
            "{content: [{type: text, text: I search.}], stop_reason: pause_turn}",
            "With pause_turn the content ends with a block of a server tool.",
        ),
        (
            "{content: [{type: server_tool_use, id: srvtoolu_1, name: web_search, input: {query: x}}], stop_reason: end_turn}",
            "A server tool has no result, and the reply ends with end_turn.",
        ),
        (
            "{content: [{type: text, text: x}], stop_reason: compaction}",
            "With compaction the content is one compaction block.",
        ),
        (
            "{content: [{type: text, text: x}], stop_reason: stop_sequence}",
            "With stop_sequence the field stop_sequence names the sequence.",
        ),
        (
            "{content: [{type: text, text: x}], stop_reason: end_turn, stop_sequence: y}",
            "With end_turn the field stop_sequence is null.",
        ),
        (
            "{content: [{type: text, text: 1 2 3}], stop_reason: stop_sequence, stop_sequence: '3'}",
            "The stop sequence stands in the text: the text ends before it.",
        ),
        (
            "{content: [{type: text, text: x}], stop_reason: end_turn, stop_details: {type: refusal}}",
            "With end_turn the field stop_details is null.",
        ),
        (
            "{content: [{type: tool_use, id: 'a b', name: b, input: {}}], stop_reason: tool_use}",
            "The API refuses this turn when it is sent back: messages.1.content.0.tool_use.id: "
            "String should match pattern '^[a-zA-Z0-9_-]+$'",
        ),
        (
            "{content: [{type: text, text: x, colour: red}], stop_reason: end_turn}",
            "The API refuses this turn when it is sent back: messages.1.content.0.text.colour: Extra inputs are not permitted",
        ),
    ],
)
def test_what_can_not(tmp_path: Path, response: str, fault: str) -> None:
    assert found(tmp_path, response) == [fault]


def test_text_behind_a_call_can_not(tmp_path: Path) -> None:
    response = (
        "{content: [{type: tool_use, id: a, name: b, input: {}}, {type: text, text: x}], stop_reason: max_tokens}"
    )
    assert found(tmp_path, response)[0] == "Text stands behind a tool_use block, where the model writes none."


def refused(folder: Path, quoted: str, content: str) -> list[str]:
    """What is found in an item that says that its messages are refused."""
    given = item(
        folder,
        f"""\
        kind: one
        messages: [{{role: user, content: {content}}}]
        proof: {{none: It is about the error., refused: "{quoted}"}}
        options:
          - {{text: A 400, correct: true, why: It is refused.}}
          - {{text: A 200, why: It is refused., misconception: model-remembers}}
        """,
    )
    return [what for _path, what, _remedy in impossible(given)]


def test_messages_that_are_refused_on_purpose_are_refused_with_the_text_that_is_quoted(tmp_path: Path) -> None:
    assert refused(tmp_path, "non-empty", "[]") == []
    assert refused(tmp_path, "tool_result", "[]") == [
        "The API says something else: messages.0: user messages must have non-empty content"
    ]


def test_messages_that_are_said_to_be_refused_and_are_not(tmp_path: Path) -> None:
    assert refused(tmp_path, "non-empty", "Hello") == ["The API accepts these messages."]


def test_a_request_that_is_refused_has_no_response(tmp_path: Path) -> None:
    more = 'messages: [{role: user, content: []}]\nproof: {none: It is about the error., refused: "non-empty"}\n'
    end = "{content: [{type: text, text: Yes.}], stop_reason: end_turn}"
    assert found(tmp_path, end, more) == ["The item has a response, but its messages are refused."]


def test_the_responses_of_a_match_are_looked_at_too(tmp_path: Path) -> None:
    given = item(
        tmp_path,
        """\
        kind: match
        left:
          - {response: {content: [{type: text, text: x}], stop_reason: tool_use}}
          - {response: {content: [{type: text, text: x}], stop_reason: end_turn}}
        right: [{action: finish}, {action: run_tools}]
        whys: [a, b]
        proof: {try: {task: own}}
        """,
    )
    assert [(path, what) for path, what, _remedy in impossible(given)] == [
        (("left", 0, "response", "stop_reason"), "With tool_use the content ends with a tool_use block.")
    ]

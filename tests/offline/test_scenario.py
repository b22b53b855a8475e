"""Scenarios: every file of the course is sound, faults are found on loading, and a task is known by its words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from course.errors import CourseError, ScenarioError
from course.offline.history import read
from course.offline.scenario import FOLDER, Scenario, load_scenario, names, pick, read_scenario
from course.offline.script import write
from course.workspace import SAMPLE_PROJECT

ALL = tuple(load_scenario(name) for name in names())

FAULTY = """\
name: other
prompt: Feed the gulls.
knows:
  - [boats]
answer: "{{ result('list_files') | nosuch }}"
tools: [list_files]
script:
  - say: "{% if %}"
    calls:
      - tool: read_file
        for_each: "result("
        input: {paths: ["{{"]}
  - say: Neither calls nor searches.
"""


def write_file(folder: Path, text: str) -> Path:
    path = folder / "gulls.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def faults(path: Path) -> list[str]:
    with pytest.raises(ScenarioError) as error:
        read_scenario(path)
    return [str(fault).removeprefix(f"{path}:") for fault in error.value.faults]


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.name)
def test_a_scenario_of_the_course_is_picked_by_its_own_prompt(scenario: Scenario) -> None:
    if scenario.is_refused(scenario.prompt):
        assert pick(ALL, scenario.prompt) is None
    else:
        assert pick(ALL, scenario.prompt) is scenario


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.name)
def test_a_prompt_of_the_course_is_not_taken_for_go_on(scenario: Scenario) -> None:
    place = read([user(load_scenario("plain_chat").prompt), user(scenario.prompt)], ALL)
    assert not place.nudged


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.name)
def test_the_workspace_is_there(scenario: Scenario) -> None:
    assert scenario.workspace is None or (SAMPLE_PROJECT.parent / scenario.workspace).is_dir()


def test_the_files_are_small() -> None:
    assert {
        file.name: len(file.read_text("utf-8").splitlines()) for file in FOLDER.iterdir() if file.stat().st_size > 5000
    } == {}


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("please list the files here and open package.json", "list_then_read"),
        ("ls, then cat package.json", "list_then_read"),
        ("How many .py files does this repository have?", "count_python_files"),
        ("count the Python files in this directory", "count_python_files"),
        ("Hi!", "plain_chat"),
        ("This is history.", None),
        ("What is 2 + 2?", None),
    ],
)
def test_a_task_is_known_in_other_words(words: str, name: str | None) -> None:
    found = pick(ALL, words)
    assert (found.name if found else None) == name


def test_an_unknown_name_lists_those_that_there_are() -> None:
    with pytest.raises(CourseError) as error:
        load_scenario("list_than_read")
    assert str(error.value) == (
        "There is no scenario 'list_than_read'. Did you mean list_then_read? The scenarios are: "
        + ", ".join(names())
        + "."
    )


def test_all_faults_of_a_file_are_told_with_their_lines(tmp_path: Path) -> None:
    assert faults(write_file(tmp_path, FAULTY)) == [
        "1: The name is other, but the file is gulls.yaml. Give both the same name.",
        "3: The key words in knows don't fit the prompt. Add a list of words that the prompt holds.",
        "5: This template can't be read: No filter named 'nosuch'.",
        "8: This template can't be read: Expected an expression, got 'end of statement block'.",
        "10: The tool read_file is not in tools. Add it there.",
        "11: This template can't be read: unexpected 'end of template'.",
        "12: This template can't be read: unexpected 'end of template'.",
        "13: A step has either calls or searches.",
    ]


NEVER_FITS = """\
name: gulls
prompt: Feed the gulls.
knows:
  - [gulls, "bread|"]
  - [gulls]
answer: "{{ item }}, {{ promt }}"
workspace: nowhere
tools: [list files, ""]
script:
  - searches: [{query: gulls, finds: []}]
    forever: true
refuses:
  knows: [[cats]]
  say: "{{ prompt }}"
"""


def test_what_would_never_fit_is_told(tmp_path: Path) -> None:
    assert faults(write_file(tmp_path, NEVER_FITS)) == [
        "4: A key word is empty: it would fit every text.",
        "6: This template can't be read: 'item' is undefined.",
        "7: There is no workspace 'nowhere'. The workspaces are: sample_project.",
        "8: No tool can have the name 'list files'. Use letters, digits, _ and -.",
        "8: No tool can have the name ''. Use letters, digits, _ and -.",
        "11: Only a step with calls can go on for ever.",
        "14: What is said before a refusal is no template. Write plain text.",
    ]


def test_a_name_that_is_not_a_name_is_told_with_the_rule(tmp_path: Path) -> None:
    path = write_file(tmp_path, "name: Gulls\nprompt: gulls\nknows: [[gulls]]\nanswer: Caw.\n")
    assert faults(path) == ['1: "name" is "Gulls". Use small letters, digits and _.']


def test_an_answer_without_words_is_told(tmp_path: Path) -> None:
    path = write_file(tmp_path, 'name: gulls\nprompt: gulls\nknows: [[gulls]]\nanswer: " "\n')
    assert faults(path) == [
        "4: The answer is empty, so the model would end without a word. Write what it says at the end."
    ]


def test_an_unknown_key_is_refused(tmp_path: Path) -> None:
    path = write_file(tmp_path, "name: gulls\nprompt: gulls\nknows: [[gulls]]\nanswer: Caw.\nlimits: 3\n")
    (fault,) = faults(path)
    assert fault.startswith("5: ") and "limits" in fault


def test_a_template_can_not_reach_what_it_was_not_given() -> None:
    scenario = Scenario(name="x", prompt="x", knows=[["x"]], answer="{{ results.__globals__ }}|{{ prompt.__class__ }}")
    draft = write({"messages": [], "model": ""}, read([user("x")], [scenario]), [scenario])
    assert draft.blocks == [{"type": "text", "text": "|"}]


@pytest.mark.parametrize("for_each", ["prompt", "prompt | length", "{'a': 1}"])
def test_a_for_each_that_gives_no_list_is_not_taken_apart(for_each: str) -> None:
    step = {"calls": [{"tool": "read_file", "for_each": for_each, "input": {"path": "{{ item }}"}}]}
    scenario = Scenario(name="x", prompt="x", knows=[["x"]], answer="Done.", tools=["read_file"], script=[step])  # type: ignore[list-item]
    draft = write({"messages": [], "model": ""}, read([user("x")], [scenario]), [scenario])
    assert draft.blocks == [{"type": "text", "text": "I can't make sense of what the tools gave me."}]


def test_a_scenario_may_be_read_by_the_name_of_its_file(tmp_path: Path) -> None:
    path = write_file(tmp_path, "name: gulls\nprompt: gulls\nknows: [[gulls]]\nanswer: Caw.\n")
    assert read_scenario(str(path)) == read_scenario(path)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def test_consecutive_prompts_are_read_as_one() -> None:
    place = read([user("Count the Python files"), user("in this project.")], ALL)
    assert (place.scenario and place.scenario.name, place.prompt) == (
        "count_python_files", "Count the Python files\nin this project."
    )  # fmt: skip


def test_a_programs_reminders_are_not_the_users_words() -> None:
    reminder = {"type": "text", "text": "<system-reminder>\nThe files changed.\n</system-reminder>"}
    place = read([{"role": "user", "content": [reminder, {"type": "text", "text": "Hello."}]}], ALL)
    assert place.prompt == "Hello."


def test_a_result_whose_call_is_not_in_the_history_is_not_seen() -> None:
    result = {"type": "tool_result", "tool_use_id": "toolu_lost", "content": "a.py"}
    place = read([user("Count the Python files."), {"role": "user", "content": [result]}], ALL)
    assert place.results == ()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ([], ""),
        ([{"type": "text", "text": "a"}, {"type": "image", "source": {}}], "a\n[image]"),
    ],
)
def test_a_result_may_have_any_content(content: object, text: str) -> None:
    call = {"type": "tool_use", "id": "t1", "name": "list_files", "input": {"path": "."}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": content}
    history = [user("Hi"), {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    assert [each.text for each in read(history, ALL).results] == [text]

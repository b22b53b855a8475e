"""What each of the six actions gives after each reply. Writers of questions rely on this table."""

from __future__ import annotations

import pytest
from worlds import RESPONSES, setting

from course.proofs.actors import Actors, shorter
from course.proofs.stage import Stage
from course.proofs.taught import taught_action
from course.stop_reasons import Action, fact

ORDER = (Action.RUN_TOOLS, Action.FINISH, Action.GET_THE_REST, Action.SEND_BACK, Action.SHOW_REFUSAL, Action.SHORTEN)
GIVES = {
    "tool_use": "answered stopped_early asked_again refused raised asked_again",
    "end_turn": "refused answered asked_again refused raised asked_again",
    "end_turn, empty": "refused empty_answer asked_again asked_again raised asked_again",
    "stop_sequence": "refused answered asked_again refused raised asked_again",
    "max_tokens, text": "refused stopped_early answered refused raised asked_again",
    "max_tokens, a call": "ran_cut_call stopped_early answered refused raised asked_again",
    "pause_turn": "refused stopped_early asked_again answered raised asked_again",
    "refusal": "refused kept_refusal asked_again refused declined asked_again",
    "refusal, empty": "refused kept_refusal asked_again kept_refusal declined asked_again",
    "model_context_window_exceeded": "refused stopped_early asked_again refused raised answered",
    "compaction": "refused stopped_early asked_again answered raised asked_again",
}


def test_every_response_is_in_the_table() -> None:
    assert GIVES.keys() == RESPONSES.keys()


@pytest.mark.parametrize("name", GIVES)
def test_each_action_gives_what_the_table_says(name: str) -> None:
    given = [Stage(setting(name)).play(Actors(setting(name)).of(action)).outcome.value for action in ORDER]
    assert " ".join(given) == GIVES[name]


@pytest.mark.parametrize("name", [name for name in RESPONSES if name != "end_turn, empty"])
def test_the_loop_of_the_course_does_the_action_of_the_table_of_stop_reasons(name: str) -> None:
    run = Stage(setting(name)).play(Actors(setting(name)).go_on)
    row = fact(name.partition(",")[0])
    assert row is not None
    assert taught_action(run) is row.action


def test_after_an_empty_end_turn_the_loop_of_the_course_does_none_of_the_six() -> None:
    empty = setting("end_turn, empty")
    run = Stage(empty).play(Actors(empty).go_on)
    assert (taught_action(run), run.outcome.value) == (None, "answered")


def test_a_history_is_shortened_to_its_task_and_a_task_to_its_first_half() -> None:
    task = {"role": "user", "content": "Twelve words"}
    assert shorter([task, {"role": "assistant", "content": "Yes"}]) == [task]
    assert shorter([task]) == [{"role": "user", "content": "Twelve"}]
    blocks = [{"role": "user", "content": [{"type": "text", "text": "Twelve words"}]}]
    assert shorter(blocks) == [{"role": "user", "content": [{"type": "text", "text": "Twelve"}]}]


def test_an_actor_is_shown_with_its_lines() -> None:
    trace = Stage(setting()).play(Actors(setting()).finish).trace
    assert trace.name == "finish"
    assert "return reply" in trace.code[0].source

from typing import get_args

from anthropic.types import StopReason
from anthropic.types.beta import BetaStopReason

from course.stop_reasons import Action, actions, describe, fact, table


def test_the_table_has_the_values_of_the_sdk():
    assert {row.value for row in table() if not row.beta} == set(get_args(StopReason))


def test_with_the_beta_rows_it_has_the_values_of_the_beta_endpoint():
    assert {row.value for row in table()} == set(get_args(BetaStopReason))


def test_every_action_has_a_sentence_and_is_used():
    assert set(actions()) == set(Action) == {row.action for row in table()}


def test_only_tool_use_runs_tools():
    assert [row.value for row in table() if row.action is Action.RUN_TOOLS] == ["tool_use"]


def test_a_value_that_nobody_knows_yet():
    assert fact("brand_new") is None
    assert describe("brand_new") == "This course does not know this stop_reason. A loop should stop here and say so."


def test_no_value_is_never_an_ending():
    assert fact(None) is None
    assert describe(None) == "There is no stop_reason: the reply did not come to its end."

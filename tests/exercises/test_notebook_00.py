import pytest

from course.exercises import find


@pytest.mark.parametrize(
    ("answer", "passed", "happened", "matters"),
    [
        (2, True, "The run sent 2 requests.", "The second request holds its result"),
        (1, False, "The run did not send 1 request.", "it has not seen the result yet"),
        (3, False, "The run did not send 3 requests.", "What must the model see here?"),
        (7, False, "The run did not send 7 requests.", "How many tool calls does this task need?"),
        (0, False, "Every run sends at least one request.", "Write your number in place of 0, and run the cell."),
        (True, False, "True is not a whole number.", "Write a number, such as 5."),
        ("two", False, "'two' is not a whole number.", "Write a number, such as 5."),
    ],
)
def test_the_number_of_requests(answer, passed, happened, matters):
    verdict = find("00.1").check(answer)
    assert verdict.passed is passed
    assert verdict.happened == happened
    assert matters in verdict.matters

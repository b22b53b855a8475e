import pytest

from course.errors import LessonError
from course.exercises import exercises, find
from course.exercises.exercise import FOLDER


def test_every_file_of_texts_has_its_checks():
    assert {id.split(".")[0] for id in exercises()} == {file.stem for file in FOLDER.glob("*.yaml")}
    for exercise in exercises().values():
        assert callable(exercise.check)


def test_every_solution_is_python():
    for exercise in exercises().values():
        compile(exercise.solution, exercise.id, "exec")


@pytest.mark.parametrize(
    ("id", "remedy"),
    [
        ("1.1", 'Did you mean "01.1"?'),
        ("01-1", 'Did you mean "01.1"?'),
        (1.1, 'Did you mean "01.1"?'),
        ("02.9", "This notebook has 02.1, 02.2, 02.3, 02.4, 02.5."),
        ("02", "This notebook has 02.1, 02.2, 02.3, 02.4, 02.5."),
    ],
)
def test_an_exercise_that_is_not_there_but_near(id, remedy):
    with pytest.raises(LessonError) as caught:
        find(id)
    assert str(caught.value) == f"There is no exercise {id!r}. {remedy}"


@pytest.mark.parametrize("id", ["9999.9", "", "loop", None, ["01.1"]])
def test_an_exercise_that_is_not_near_any(id):
    with pytest.raises(LessonError) as caught:
        find(id)
    last = max(exercises())
    assert str(caught.value) == (
        f'There is no exercise {id!r}. An id is written like "00.1". The last one is "{last}".'
    )

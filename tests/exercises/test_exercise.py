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


@pytest.mark.parametrize("id", ["1.1", "01.11", "", "loop"])
def test_an_exercise_that_is_not_there(id):
    with pytest.raises(LessonError) as caught:
        find(id)
    assert str(caught.value).startswith(f"There is no exercise {id!r}. Did you mean ")
    assert "00.1, 01.1" in str(caught.value)

import importlib
import shutil

import pytest

import course.lesson as lesson
from course.errors import LessonError
from course.exercises.progress import Done, ExerciseProgress
from course.lesson import Note, check, hint, solution
from course.quiz.bank import QUIZZES


@pytest.fixture(autouse=True)
def new_learner(monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_PROGRESS_FOLDER", str(tmp_path / "progress"))


def restart_the_kernel():
    importlib.reload(lesson)


def in_a_notebook(code, **names):
    """What the last expression of a cell gives, in a namespace like a notebook's."""
    return eval(code, {"check": check, **names})  # noqa: S307 (a cell of our own)


def test_check_finds_the_answer_by_its_name_in_the_notebook():
    assert repr(in_a_notebook('check("00.1")', requests=2)).splitlines()[0] == "00.1: solved"


def test_check_says_that_the_answer_is_not_there_yet():
    assert repr(in_a_notebook('check("00.1")')) == (
        "00.1: not answered yet\n"
        "Nothing in this notebook has the name requests yet. Run the cell that defines it, then check again."
    )


def test_an_answer_whose_last_cell_has_a_syntax_error_is_not_judged_by_an_older_cell():
    cells = ["", "requests = 2", "requests = (2", 'check("00.1")']
    assert repr(in_a_notebook('check("00.1")', requests=2, In=cells)) == (
        "00.1: not judged\n"
        "The last cell that defines requests has a syntax error in line 1 ('(' was never closed), so Python ran none of it.\n"
        "Mend it, run the cell, then check again."
    )


def test_a_wrong_answer_points_to_the_hints():
    assert repr(in_a_notebook('check("00.1")', requests=0)).splitlines()[-1] == 'Stuck? hint("00.1") helps.'


def test_hints_come_one_by_one_and_say_when_they_end_and_begin_again():
    first, second, third, again, after = [repr(hint("00.1")).splitlines() for _ in range(5)]
    assert [each[0] for each in (first, second, third)] == [f"00.1: hint {number} of 3" for number in (1, 2, 3)]
    assert len(first) == len(second) == 2
    assert third[2:] == ['This was the last hint. solution("00.1") shows one way to do it.']
    assert again == ["00.1: hint 1 of 3", "You have seen all hints; here they begin again.", first[1]]
    assert after == second


def test_after_the_solution_it_counts_as_solved_with_help():
    assert "requests = 2" in repr(solution("00.1"))
    assert repr(check("00.1", 2)).splitlines()[0] == "00.1: solved, with help"


def test_a_restarted_kernel_knows_which_hint_comes_next_and_who_was_helped():
    hint("00.1")
    solution("00.1")
    restart_the_kernel()
    assert repr(lesson.hint("00.1")).splitlines()[0] == "00.1: hint 2 of 3"
    assert repr(lesson.check("00.1", 2)).splitlines()[0] == "00.1: solved, with help"


def test_an_exercise_that_was_solved_is_remembered():
    check("00.1", 0)
    assert not ExerciseProgress().of("00.1").solved
    check("00.1", 2)
    assert ExerciseProgress().of("00.1") == Done(hints=0, helped=False, solved=True)


@pytest.mark.parametrize("ask", [hint, solution, lambda id: check(id, 2)])
def test_a_folder_that_can_not_be_written_is_told_once_below_the_answer(ask, monkeypatch, tmp_path):
    restart_the_kernel()
    folder = tmp_path / "file"
    folder.write_text("in the way")
    monkeypatch.setenv("COURSE_PROGRESS_FOLDER", str(folder))
    told = "Your progress can't be kept (File exists): it counts until the kernel ends."
    assert repr(ask("00.1")).count(told) == 1
    assert repr(ask("00.1")).count(told) == 0
    assert repr(hint("00.1")).startswith("00.1: hint ")


@pytest.mark.parametrize("ask", [check, hint, solution])
def test_an_exercise_that_is_not_there(ask):
    with pytest.raises(LessonError, match=r"There is no exercise '99\.9'"):
        ask("99.9")


def test_what_a_learner_wrote_is_text_in_the_page():
    note = Note("<script>", "<img src=x onerror=alert(1)>", code="a < b")
    assert "<script>" not in note._repr_html_()
    assert "<img" not in note._repr_html_()
    assert "a &lt; b" in note._repr_html_()


def test_a_file_of_ones_own_is_a_quiz_too(tmp_path):
    shutil.copy(QUIZZES / "01_raw_loop.yaml", tmp_path / "mine.yaml")
    of_a_file = lesson.quiz(str(tmp_path / "mine.yaml"))
    assert of_a_file.title == lesson.quiz(tmp_path / "mine.yaml").title == lesson.quiz("01_raw_loop").title
    assert lesson.quiz(lesson.load_bank(tmp_path / "mine.yaml")).questions == of_a_file.questions


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(LessonError) as caught:
        lesson.quiz(tmp_path / "mine.yaml")
    assert str(caught.value) == f"There is no file {tmp_path / 'mine.yaml'}. Write its whole path, or put it there."


@pytest.mark.parametrize("given", [(), (3,), (None,)])
def test_what_is_no_quiz_is_told_what_to_write(given):
    with pytest.raises(LessonError) as caught:
        lesson.quiz(*given)
    assert str(caught.value) == (
        'quiz() takes the name of a quiz, such as quiz("01_raw_loop"), or a file, such as quiz("mine.yaml").'
    )


def test_everything_it_promises_is_there():
    assert all(hasattr(lesson, name) for name in lesson.__all__)


def test_the_model_is_the_one_of_the_settings(monkeypatch):
    monkeypatch.setenv("COURSE_MODEL", "claude-opus-5-5")
    try:
        assert importlib.reload(lesson).MODEL == "claude-opus-5-5"
    finally:
        monkeypatch.delenv("COURSE_MODEL")
        importlib.reload(lesson)

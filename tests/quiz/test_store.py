"""What was answered in a quiz, from one kernel to the next: restored, begun again, merged, and never in the way."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from quiz.examples import EVERY_KIND, bank, one

from course.quiz.bank import QUIZZES, Bank, load_bank, named_bank
from course.quiz.session import start
from course.quiz.store import QuizStore, is_of_the_course


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    folder = tmp_path / "progress"
    monkeypatch.setenv("COURSE_PROGRESS_FOLDER", str(folder))
    return folder


def store(of: Bank, seed: int = 0, told: list[str] | None = None) -> QuizStore:
    return QuizStore(of, seed, [].append if told is None else told.append)


def answered(keeper: QuizStore, session, number: int, answer, at: float = 1.0):
    """The session after an answer that was kept."""
    session = session.answer(number, answer, at=at)
    keeper.answered(session, session.answered(number))
    return session


SMALL = bank(one("a"), one("b"), one("c"))


def test_without_a_file_a_new_session_is_given_and_nothing_is_written(folder):
    assert store(SMALL).restore() == (start(SMALL), {})
    assert not folder.exists()


def test_the_next_kernel_gets_the_answers_back():
    keeper = store(SMALL)
    session = answered(keeper, answered(keeper, start(SMALL), 0, 1), 2, 3)
    assert store(SMALL).restore() == (session, {})


def test_where_nothing_can_be_written_the_answers_count_until_the_kernel_ends(folder):
    folder.write_text("in the way")
    keeper = store(SMALL)
    session = answered(keeper, start(SMALL), 0, 1)
    keeper.drafted(session, "b", 2)
    assert store(SMALL).restore() == (session, {"b": 2})  # the same cell is run again


def test_an_answer_to_each_kind_comes_back():
    answers = {"one-of-four": 0, "two-of-three": [0, 2], "pick-the-next": 1, "lines-in-order": [0, 2], "wrong-line": 1}
    answers |= {"build-the-next": [1, 2], "repair-the-array": [1, 0], "reasons-and-actions": [None, 0]}
    keeper, session = store(EVERY_KIND), start(EVERY_KIND)
    for id, answer in answers.items():
        session = answered(keeper, session, session.state.items.index(id), answer)
    restored, _drafts = store(EVERY_KIND).restore()
    assert {given.item: given.answer for given in restored.state.answers} == answers
    assert restored == session


def test_a_new_attempt_is_restored_and_the_history_stays(folder):
    keeper = store(SMALL)
    answered(keeper, start(SMALL), 0, 1)
    again = start(SMALL, seed=1)
    keeper.begin(again)
    assert store(SMALL).restore() == (again, {})
    answered(keeper, again, 1, 2)
    content = json.loads((folder / "quiz-elsewhere-small.json").read_text(encoding="utf-8"))
    assert [attempt["state"]["seed"] for attempt in content["attempts"]] == [0, 1]
    assert [attempt["state"]["answers"][0]["item"] for attempt in content["attempts"]] == ["a", "b"]


def test_each_seed_that_is_asked_for_has_its_own_attempts():
    answered(store(SMALL), start(SMALL), 0, 1)
    assert store(SMALL, seed=7).restore() == (start(SMALL, seed=7), {})
    assert store(SMALL).restore()[0].score.answered == 1


def test_two_kernels_lose_none_of_their_answers():
    first, second = store(SMALL), store(SMALL)
    answered(first, first.restore()[0], 0, 1, at=1.0)
    answered(second, second.restore()[0], 1, 1, at=2.0)
    session, _drafts = store(SMALL).restore()
    assert {given.item for given in session.state.answers} == {"a", "b"}


def test_of_two_answers_to_one_question_the_first_counts_and_both_are_kept(folder):
    first, second = store(SMALL), store(SMALL)
    sessions = first.restore()[0], second.restore()[0]
    answered(first, sessions[0], 0, 1, at=1.0)
    answered(second, sessions[1], 0, 2, at=2.0)
    assert store(SMALL).restore()[0].answered(0).answer == 1
    content = json.loads((folder / "quiz-elsewhere-small.json").read_text(encoding="utf-8"))
    assert [given["answer"] for given in content["attempts"][0]["state"]["answers"]] == [1, 2]


def test_a_draft_comes_back_until_the_answer_is_given():
    keeper, session = store(SMALL), start(SMALL)
    keeper.drafted(session, "a", 2)
    keeper.drafted(session, "b", 3)
    assert store(SMALL).restore() == (session, {"a": 2, "b": 3})
    answered(keeper, session, 0, 2)
    assert store(SMALL).restore()[1] == {"b": 3}


def test_answers_to_questions_that_are_gone_are_not_shown_but_stay_in_the_file(folder):
    answered(store(SMALL), start(SMALL), 0, 1)
    smaller = replace(SMALL, items=SMALL.items[1:])
    keeper = store(smaller)
    session, _drafts = keeper.restore()
    assert session.score.answered == 0
    answered(keeper, session, 0, 1)
    assert '"item": "a"' in (folder / "quiz-elsewhere-small.json").read_text(encoding="utf-8")


def test_a_broken_file_is_told_and_a_new_attempt_begins(folder):
    told: list[str] = []
    folder.mkdir()
    (folder / "quiz-elsewhere-small.json").write_text('{"attempts": [{"seed"', encoding="utf-8")
    assert store(SMALL, told=told).restore() == (start(SMALL), {})
    [sentence] = told
    assert sentence.endswith("a new file is begun: earlier answers are missing.")


def test_only_a_file_in_quizzes_is_of_the_course(tmp_path):
    assert is_of_the_course(named_bank("01_raw_loop"))
    assert is_of_the_course(load_bank(QUIZZES / "01_raw_loop.yaml"))
    assert not is_of_the_course(SMALL)
    copy = tmp_path / "01_raw_loop.yaml"
    copy.write_bytes((QUIZZES / "01_raw_loop.yaml").read_bytes())
    assert not is_of_the_course(load_bank(copy))


def test_a_bank_from_elsewhere_does_not_touch_the_file_of_the_course(tmp_path, folder):
    copy = tmp_path / "01_raw_loop.yaml"
    copy.write_bytes((QUIZZES / "01_raw_loop.yaml").read_bytes())
    for each in (named_bank("01_raw_loop"), load_bank(copy)):
        answered(store(each), start(each), 0, 0)
    assert sorted(path.name for path in folder.glob("*.json")) == [
        "quiz-01_raw_loop.json",
        "quiz-elsewhere-01_raw_loop.json",
    ]

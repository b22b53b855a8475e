"""Questions: written in YAML, checked as a whole, graded in Python."""

from course.quiz.bank import Bank, load_bank, named_bank, whole_bank
from course.quiz.grading import Grade, Ran, Verdict, grade
from course.quiz.guess import guess_all
from course.quiz.session import Session, State, resume, start
from course.quiz.terminal import ask_in_terminal

__all__ = [
    "Bank",
    "Grade",
    "Ran",
    "Session",
    "State",
    "Verdict",
    "ask_in_terminal",
    "grade",
    "guess_all",
    "load_bank",
    "named_bank",
    "resume",
    "start",
    "whole_bank",
]

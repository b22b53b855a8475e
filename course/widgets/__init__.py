"""What the learner sees in a notebook: the stepper, traces side by side, and the cards of the quiz."""

from course.trace.live import show_long_runs_with
from course.widgets.running import running_bar
from course.widgets.showing import side_by_side, step
from course.widgets.side_by_side import SideBySide
from course.widgets.stepper import Stepper

__all__ = ["SideBySide", "Stepper", "side_by_side", "step"]

show_long_runs_with(running_bar)

"""Record a loop while it runs, and walk through what happened."""

from course.trace.compare import compare
from course.trace.events import Trace
from course.trace.record import Fuse, record

__all__ = ["Fuse", "Trace", "compare", "record"]

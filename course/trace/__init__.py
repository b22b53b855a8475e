"""Record a loop while it runs, and walk through what happened."""

from course.trace.compare import Comparison, compare
from course.trace.events import Trace
from course.trace.explain import explain
from course.trace.record import Fuse, record, record_async
from course.trace.words import titles

__all__ = ["Comparison", "Fuse", "Trace", "compare", "explain", "record", "record_async", "titles"]

"""Which of the learner's lists is `messages`? The one whose content goes over the wire.

Until the first request that is not known, so every list that could be it is watched. The request then decides, and what the
others did is forgotten.
"""

from __future__ import annotations

from types import FrameType
from typing import TYPE_CHECKING

from course.trace.events import Json
from course.trace.watch import Watched, lists_in, looks_like_messages

if TYPE_CHECKING:
    from course.trace.recording import Draft, Recording

__all__ = ["Candidates"]

LIKELY = ("message", "history", "conversation", "chat", "turns")


class Candidates:
    """Finds `messages` and tells the recording about each of its changes."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.chosen: Watched | None = None
        self._known: dict[tuple[int, object], Watched] = {}
        self._changed = False  # the chosen list, since the last request

    def look(self, frame: FrameType | None, *, thorough: bool = False) -> None:
        """Look for changes that the line before made. `frame` is the learner's function that runs now."""
        if self.chosen is not None:
            if self.chosen.changed(frame, thorough=thorough):
                self._changed = True
                self.recording.set_messages(self.chosen.json)
        elif frame is not None:
            for watched in self._known.values():
                if watched.changed(frame):
                    self._note(watched)
            self._find_new(frame)

    def sent(self, messages: list[Json], frame: FrameType | None) -> int:
        """These messages are about to be sent, by a function of the learner's with this frame.

        Returns the number of the version that they are.
        """
        self.look(frame, thorough=True)
        found = self._holding(messages, frame)
        if found is not None:
            if found is not self.chosen:
                self._choose(found)
            messages = found.json  # the same content, and objects that are known already
        elif self.chosen is None:
            self._forget_drafts()
        elif self._changed:  # the loop keeps its own list, and sends something made from it
            self._changed = False
            return self.recording.versions.aside(messages)
        self._changed = False
        self.recording.set_messages(messages)
        number = self.recording.versions.number
        assert number is not None
        return number

    def finish(self) -> None:
        """The run is over. If nothing was ever sent, the list with the likeliest name is taken for `messages`."""
        if self.chosen is None and self.recording.requests == 0:
            likely = [watched for watched in self._known.values() if _likelihood(watched)]
            if likely:
                self._choose(max(likely, key=_likelihood))
        self._forget_drafts()

    def _find_new(self, frame: FrameType) -> None:
        sources = self.recording.sources
        for slot, items in lists_in(frame, sources.is_learners_type):
            if slot.key in self._known or any(watched.items is items for watched in self._known.values()):
                continue
            if looks_like_messages(items):
                watched = self._known[slot.key] = Watched(slot, items)
                self._note(watched)

    def _note(self, watched: Watched) -> None:
        draft = self.recording.add("change")
        draft.candidate, draft.content = watched, list(watched.json)

    def _holding(self, messages: list[Json], frame: FrameType | None) -> Watched | None:
        """The list that holds just these messages. The one chosen before is preferred, then a likely name."""
        if self.chosen is not None and self.chosen.json == messages:
            return self.chosen
        found = [watched for watched in self._known.values() if watched.json == messages]
        if not found:
            sources = self.recording.sources
            found = [
                watched
                for each in sources.learners_frames(frame)
                for slot, items in lists_in(each, sources.is_learners_type)
                if len(items) == len(messages) and (watched := Watched(slot, items)).json == messages
            ]
        return max(found, key=_likelihood, default=None)

    def _choose(self, watched: Watched) -> None:
        """From now on this is `messages`. What was noted about it becomes steps."""
        self.chosen = watched
        recording, lines = self.recording, []
        kept: list[Draft] = []
        for draft in recording.drafts:
            if draft.candidate is watched:
                draft.change = recording.versions.update(draft.content)
                if not kept[1:] and not draft.path:  # it was there before the first line ran
                    draft.change = None
                    kept[0].messages = recording.versions.number
                draft.candidate, draft.messages = None, recording.versions.number
                if draft.change is None:
                    lines += draft.path
                    continue
            elif draft.candidate is not None:
                lines += draft.path
                continue
            if draft.kind != "start":
                draft.path[:0], lines = lines, []
            kept.append(draft)
        recording.drafts[:] = kept
        recording.give_back(lines)
        self._known.clear()

    def _forget_drafts(self) -> None:
        for draft in [draft for draft in self.recording.drafts if draft.candidate is not None]:
            self.recording.drop(draft)


def _likelihood(watched: Watched) -> int:
    """How much a list looks like `messages`, by its name; 0 for one that is empty and has another name."""
    name = str(watched.slot.name).lower()
    rank = next((len(LIKELY) - index for index, word in enumerate(LIKELY) if word in name), 0)
    return 2 * rank + bool(watched.json)

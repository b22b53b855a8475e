"""The scripted model: what it says next, from the place that the history leads to and from the tools that are offered.

It is a function of the request. A step of the script is done when the history holds an answer to each of its calls: a result
with the id of a call to the same tool with the same input. So a loop that appends nothing is asked the same again for ever.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from course.offline import expressions
from course.offline.history import Place, Result
from course.offline.offered import Offered, short_name
from course.offline.samples import sample
from course.offline.scenario import Scenario, Search, Step
from course.offline.signatures import sign
from course.words import _

__all__ = ["Draft", "cannot_use", "write"]

Block = dict[str, Any]


@dataclass(frozen=True)
class Draft:
    """What the model would say if there were no limit. Its blocks have no ids yet."""

    blocks: list[Block] = field(default_factory=list)
    stop_reason: str = "end_turn"
    stop_details: dict[str, Any] | None = None


def write(body: Mapping[str, Any], place: Place, scenarios: Sequence[Scenario]) -> Draft:
    """The model's next turn."""
    if place.refused is not None and place.refused.refuses is not None:
        refusal = place.refused.refuses
        details = {"type": "refusal", "category": refusal.category, "explanation": refusal.explanation}
        return Draft(_text(refusal.say), "refusal", details)
    offered = Offered(body)
    if place.loose_text:
        draft = Draft()  # text after the results: the model takes its turn to be over
    elif place.scenario is None:
        draft = Draft(_text(_in_form(_unknown_task(scenarios), body)))
    else:
        try:
            draft = _Turn(body, place, place.scenario).write()
        except expressions.Unusable:
            draft = Draft(_text(_in_form(_("I can't make sense of what the tools gave me."), body)))
    draft = _with_forced_call(draft, offered, body)
    return replace(draft, blocks=[*_thinking(body, place), *draft.blocks]) if draft.blocks else draft


@dataclass(frozen=True)
class _Turn:
    body: Mapping[str, Any]
    place: Place
    scenario: Scenario

    def write(self) -> Draft:
        offered = Offered(self.body)
        step, calls = self._next(self.scenario.script, offered)
        if step is not None and step.searches:
            return self._search(step, offered)
        if step is None:
            return self._say(self._render(self.scenario.answer))
        if not calls:  # given up
            return self._say(step.say)
        missing = offered.missing(name for name, _input in calls)
        if missing:
            return self._say(cannot_use(missing))
        return self._ask(step, calls, offered)

    def _next(self, script: Sequence[Step], offered: Offered) -> tuple[Step | None, list[tuple[str, dict[str, Any]]]]:
        """The first step that is not done, with the calls that are still to be answered; (None, []) at the end."""
        for step in script:
            if step.when is not None and not expressions.evaluate(step.when, self._names):
                continue
            if any(search.query not in self.place.queries for search in step.searches):
                return step, []
            calls = [(name, offered.fit(name, wanted)) for name, wanted in self._calls(step)]
            answers = [self._answer(name, wanted) for name, wanted in calls]
            still = [call for call, answer in zip(calls, answers, strict=True) if answer is None]
            if still or (step.forever and calls):
                return step, still or calls
            failures = [answer for answer in answers if answer is not None and answer.failed]
            if failures and step.if_error is None:
                return Step(say=_gave_up(failures[0])), []
            if failures and step.if_error:
                found = self._next(step.if_error, offered)
                if found[0] is not None:
                    return found
        return None, []

    def _calls(self, step: Step) -> Iterable[tuple[str, dict[str, Any]]]:
        for call in step.calls:
            items = [None] if call.for_each is None else expressions.evaluate_items(call.for_each, self._names)
            for item in items:
                yield call.tool, expressions.render_input(call.input, {**self._names, "item": item})

    def _answer(self, name: str, wanted: Mapping[str, Any]) -> Result | None:
        found = (each for each in reversed(self.place.results) if short_name(each.tool) == name)
        return next((each for each in found if each.input == wanted), None)

    @property
    def _names(self) -> dict[str, Any]:
        """What a template can read."""

        def results(tool: str) -> list[Result]:
            return [each for each in self.place.results if short_name(each.tool) == tool]

        def result(tool: str) -> str:
            return next((each.text for each in reversed(results(tool))), "")

        def failed(tool: str) -> bool:
            return any(each.failed for each in results(tool)[-1:])

        return {"prompt": self.place.prompt, "results": results, "result": result, "failed": failed}

    def _render(self, text: str) -> str:
        return expressions.render(text, self._names).strip()

    def _say(self, text: str) -> Draft:
        """The text, or the rest of it if the history holds its beginning."""
        whole = _in_form(text, self.body)
        rest = whole if _form(self.body) else _rest(whole, self.place.said)  # a form holds from the first character on
        if not rest and self.place.nudged:
            rest = _("There is no more: the answer above is complete.")
        return Draft(_text(rest))

    def _ask(self, step: Step, calls: list[tuple[str, dict[str, Any]]], offered: Offered) -> Draft:
        """A turn that asks for tools."""
        text = _rest(self._render(step.say), self.place.said)
        if offered.choice["type"] in ("any", "tool"):
            text = ""  # a forced call comes without words
            calls = [call for call in calls if offered.choice.get("name") in (None, _name(offered, call[0]))]
            if not calls:
                return Draft()
        if offered.one_at_a_time:
            calls = calls[:1]
        asked = [{"type": "tool_use", "name": _name(offered, name), "input": wanted} for name, wanted in calls]
        return Draft([*_text(text), *asked], "tool_use")

    def _search(self, step: Step, offered: Offered) -> Draft:
        """A turn that searches the web, and goes on if the limit of one request lets it."""
        if not offered.can_search:
            return self._say(cannot_use(["web_search"]))
        todo = [search for search in step.searches if search.query not in self.place.queries]
        now = todo[: self.scenario.searches_per_request]
        first = len(todo) == len(step.searches)
        blocks = _text(_rest(self._render(step.say), self.place.said)) if first else []
        for search in now:
            blocks += _searched(search)
        if len(now) < len(todo):
            return Draft(blocks, "pause_turn")
        queries = (*self.place.queries, *(search.query for search in now))
        then = replace(self, place=replace(self.place, queries=queries, said="")).write()
        return replace(then, blocks=[*blocks, *then.blocks])


def _name(offered: Offered, tool: str) -> str:
    found = offered.find(tool)
    return str(found["name"]) if found else tool


def _with_forced_call(draft: Draft, offered: Offered, body: Mapping[str, Any]) -> Draft:
    """The draft, or a call in its place if `tool_choice` wants one and the draft has none that will do."""
    wanted = offered.choice.get("name")
    calls = [block for block in draft.blocks if block["type"] in ("tool_use", "server_tool_use")]
    if any(wanted in (None, call["name"]) for call in calls):
        return draft
    search = offered.forced_search()
    if search is not None:
        found = _searched(Search(query=search, finds=[]))
        return Draft([*found, *_text(_in_form(_("I found nothing about that."), body))])
    call = offered.forced()
    if call is None:
        return draft
    return Draft([{"type": "tool_use", "name": call[0], "input": call[1]}], "tool_use")


def _text(text: str) -> list[Block]:
    return [{"type": "text", "text": text}] if text else []


def _form(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The form that the request wants the answer in, if it wants one."""
    form: Mapping[str, Any] | None = (body.get("output_config") or {}).get("format") or body.get("output_format")
    return form


def _in_form(text: str, body: Mapping[str, Any]) -> str:
    """The text; or JSON in the form that the request wants, with the text in it where the schema takes any text."""
    form = _form(body)
    return text if form is None else json.dumps(sample(form["schema"], text), ensure_ascii=False)


def _searched(search: Search) -> list[Block]:
    """A web search and what it found, as the API shows them. The texts of the pages travel unread, as they do there."""
    found = [
        {"type": "web_search_result", "title": page.title, "url": page.url, "encrypted_content": sign(page.text),
         "page_age": None}
        for page in search.finds
    ]  # fmt: skip
    return [
        {"type": "server_tool_use", "name": "web_search", "input": {"query": search.query}},
        {"type": "web_search_tool_result", "content": found},
    ]


def _thinking(body: Mapping[str, Any], place: Place) -> list[Block]:
    """A thinking block, if the request asks for one. It is signed when it is known how much of it is sent."""
    asked = body.get("thinking") or {}
    if asked.get("type") not in ("adaptive", "enabled"):
        return []
    think = (place.scenario and place.scenario.think) or _("I look at what I was given, and choose the next step.")
    return [{"type": "thinking", "thinking": think}]


def _rest(text: str, said: str) -> str:
    """What is left of a text whose beginning has been said; all of it if something else was said.

    >>> _rest("one two three", "one t"), _rest("one two", "something else")
    ('wo three', 'one two')
    """
    return text[len(said) :] if text.startswith(said) else text


def _unknown_task(scenarios: Sequence[Scenario]) -> str:
    tasks = "\n".join(f"- {scenario.prompt}" for scenario in scenarios)
    return _(
        "I am the offline model of this course, not Claude. I answer from a script, and I know these tasks:\n{tasks}\n"
        "To ask a live model anything you like, set ANTHROPIC_API_KEY in the file .env."
    ).format(tasks=tasks)


def cannot_use(tools: Sequence[str]) -> str:
    """What the model says when the request does not offer the tools that the task needs."""
    return _("To do this I need a tool that this request does not let me use: {tools}.").format(tools=", ".join(tools))


def _gave_up(failure: Result) -> str:
    return _("I could not finish: the tool {tool} failed. It said: {text}").format(
        tool=short_name(failure.tool), text=failure.text
    )

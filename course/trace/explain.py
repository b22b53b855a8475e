"""What went wrong in a run, and what to do: a sentence or two with the line, in place of a traceback."""

from __future__ import annotations

import re

from course.trace.api_faults import remedy
from course.trace.events import Exchange, Step, Trace
from course.trace.versions import common_start
from course.trace.words import blocks, requests_words
from course.words import _

__all__ = ["explain"]

# What the SDK raises when a request fails (anthropic._exceptions of anthropic 2.14; a test compares).
SDK_ERRORS = (
    "APIConnectionError", "APIError", "APIResponseValidationError", "APIStatusError", "APITimeoutError",
    "APIWebhookValidationError", "AuthenticationError", "BadRequestError", "ClientClosedRequestError",
    "ConflictError", "ContentTooLargeError", "DeadlineExceededError", "GatewayTimeoutError",
    "HTTPNotImplementedError", "InternalServerError", "NotFoundError", "OverloadedError", "PaymentRequiredError",
    "PermissionDeniedError", "PreconditionFailedError", "RateLimitError", "RequestHeaderFieldsTooLargeError",
    "RequestTimeoutError", "RequestTooLargeError", "ServiceUnavailableError", "UnprocessableEntityError",
)  # fmt: skip


def explain(trace: Trace) -> str | None:
    """What went wrong and the remedy, with the line of the learner's code; None if nothing did, or the run was interrupted."""
    ending = trace.ending
    if ending.kind == "interrupted":
        return None
    if ending.kind == "fuse":
        return _fuse(trace)
    failed = _failed_request(trace)
    if failed is not None and failed.exchange is not None:
        more = [*_what_changed(trace, failed.exchange), *_what_came_then(trace, failed.exchange)]
        return _at(failed, " ".join([_request(failed.exchange), *more]))
    if ending.kind == "raised":
        return _at(trace.steps[-1], _raised(trace))
    return _returned(trace)


def _at(step: Step, sentence: str) -> str:
    return sentence if step.place is None else _("Line {n}: {sentence}").format(n=step.place.line, sentence=sentence)


def _failed_request(trace: Trace) -> Step | None:
    """The last request, if it failed and the loop came to nothing else after it."""
    asks = [step for step in trace.steps if step.exchange is not None]
    if not asks or asks[-1].kind != "error":
        return None
    return asks[-1] if trace.ending.kind == "returned" or asks[-1] is trace.steps[-2] else None


def _what_changed(trace: Trace, exchange: Exchange) -> list[str]:
    """Which message is not as it was, if the API has refused the request for a history that was changed."""
    before = [each for each in trace.exchanges if each.number < exchange.number]
    if not before or exchange.error is None or "bound to a different conversation" not in exchange.error["message"]:
        return []
    old, new = trace.messages_at(before[-1].messages), trace.messages_at(exchange.messages)
    same = common_start(old, new)
    if same == len(old):
        return []
    words = _("messages[{index}] is not what it was in request {n}.")
    return [words.format(index=same, n=before[-1].number)]


def _what_came_then(trace: Trace, exchange: Exchange) -> list[str]:
    """What the loop raised after a failed request, if it is not just the failure."""
    raised, failure = trace.ending.error, exchange.error
    if raised is None or raised["type"] in (*SDK_ERRORS, failure["type"] if failure is not None else ""):
        return []
    return [_("Then the loop raised {type}: {message}").format(**raised)]


def _request(exchange: Exchange) -> str:
    error = exchange.error or {"type": "", "message": ""}
    status = f"{exchange.status} " if exchange.status is not None and exchange.status >= 400 else ""
    what = _("request {n} failed: {status}{type}.").format(n=exchange.number, status=status, type=error["type"])
    return f"{what} {remedy(exchange.status, error)}"


def _fuse(trace: Trace) -> str:
    """Why the loop did not end."""
    asks = [step for step in trace.steps if step.exchange is not None]
    last = trace.steps[-1] if trace.ending.fuse == "seconds" or not asks else asks[-1]
    return _at(last, _endless(trace, [step.exchange for step in asks if step.exchange is not None]))


def _endless(trace: Trace, exchanges: list[Exchange]) -> str:
    if not exchanges:
        return _("the loop ran until the fuse blew, and never asked the model.")
    requests, reason = requests_words(trace), _stop_reason(exchanges[-1])
    if trace.ending.fuse == "seconds":
        words = _(
            "{limit:g} seconds were over, and after {requests} the loop was still running. Nothing in it has ended it."
        )
        return words.format(requests=requests, limit=trace.ending.limit)
    if exchanges[-1].error is not None:
        words = _("the loop goes on although its request fails, so it fails again. {remedy}")
        return words.format(remedy=remedy(exchanges[-1].status, exchanges[-1].error))
    if reason == "max_tokens":
        return _(
            "each reply was cut off by max_tokens, and the loop asked again with a limit that cuts it again. "
            "Ask with a larger one."
        )
    if len(exchanges) > 1 and trace.messages_at(exchanges[-1].messages) == trace.messages_at(exchanges[-2].messages):
        return _(
            "the same messages were sent again and again, so the model gave the same answer. "
            "Append its turn and the results to messages before you ask again."
        )
    if reason == "tool_use":
        words = _("the model still asks for tools after {requests}. See in the results whether it gets what it needs.")
        return words.format(requests=requests)
    words = _(
        "the last reply ended with {reason}, and the loop asked again all the same. "
        "Let it end when stop_reason is not tool_use."
    )
    return words.format(reason=reason)


def _python_errors() -> tuple[tuple[str, str, str], ...]:
    """What a Python error means in a loop: its type, a pattern of its text, what to say."""
    return (
        ("AttributeError", r"'NoneType' object has no attribute '(append|extend|insert)'",
         _("messages is None. messages.append(...) changes the list and returns None: do not assign its result.")),
        ("AttributeError", r"'(str|tuple|dict)' object has no attribute '(append|extend|insert)'",
         _("messages is not a list ({message}). Make it one: messages = [{{\"role\": \"user\", \"content\": task}}].")),
        ("TypeError", r"'(Text|ToolUse|Thinking)\w*Block' object is not subscriptable",
         _("a block of a reply is an object, not a dict: write block.name, not block[\"name\"].")),
        ("AttributeError", r"'(ToolUse|Thinking|ServerToolUse)\w*Block' object has no attribute 'text'",
         _("not every block of a reply is text ({message}): look at block.type first.")),
        ("AttributeError", r"'(Text|Thinking)\w*Block' object has no attribute '(name|input|id)'",
         _("not every block of a reply asks for a tool ({message}): look for block.type == \"tool_use\" first.")),
        ("TypeError", r"[mM]essages\.(create|stream)\(\) got an unexpected keyword argument",
         _("a request has a parameter that the SDK does not know ({message}). Leave it out, or look for its right name.")),
        ("TypeError", r"^(create|stream)\(\) takes 1 argument",
         _("the parameters of a request need their names ({message}): write model=..., max_tokens=..., messages=...")),
        ("TypeError", r"^Missing required arguments; Expected either \('max_tokens'",
         _("a request needs model, max_tokens and messages, and one of them is missing.")),
        ("UnicodeEncodeError", r"surrogates not allowed",
         _("a text holds half a character, which can't be sent ({message}). "
           "Read text as UTF-8, with errors=\"replace\" if it may be something else.")),
        ("TypeError", r"Could not resolve authentication method",
         _("the client has no API key. Make it with client(), which works without one.")),
    )  # fmt: skip


def _raised(trace: Trace) -> str:
    error = trace.ending.error or {"type": "", "message": ""}
    last = trace.steps[-2]
    if last.tool is not None and last.tool.error == f"{error['type']}: {error['message']}":
        return _(
            "the tool {tool} raised {error}, and the loop ended with it. Catch the error and send its text back as the "
            "tool_result with \"is_error\": True, so that the model can try another way."
        ).format(tool=last.tool.name, error=last.tool.error)  # fmt: skip
    of_the_loop = rf"([\w.<>]*\.)?{re.escape(_name(trace))}\(\) (missing|takes|got an unexpected|got multiple)"
    wrong_call = re.match(of_the_loop, error["message"])
    if error["type"] == "TypeError" and wrong_call and len(trace.steps) == 2 and len(trace.steps[-1].path) <= 1:
        words = _(
            "the loop was not given the arguments it takes: {message}. Write record(loop, client, ...) with each of them."
        )
        return words.format(message=error["message"])
    for kind, pattern, sentence in _python_errors():
        if kind == error["type"] and re.search(pattern, error["message"]):
            return sentence.format(message=error["message"])
    return f"{error['type']}: {error['message']}"


def _name(trace: Trace) -> str:
    """The name of the loop's function, which the Trace may have another name than."""
    start = trace.steps[0].place
    return trace.name if start is None else trace.code[start.function].name


def _returned(trace: Trace) -> str | None:
    """A loop that ended by itself, but not when or how it should."""
    if not trace.exchanges:
        return _at(
            trace.steps[-1], _("the loop ended and never asked the model. Call client.messages.create(...) in it.")
        )
    last = trace.exchanges[-1]
    reason = _stop_reason(last)
    names = ", ".join(str(block.get("name")) for block in blocks(last.reply) if block.get("type") == "tool_use")
    sentence = {
        "tool_use": _("the loop ended while the model waited for a tool ({names}). Go on as long as stop_reason is tool_use."),
        "pause_turn": _("the loop ended at pause_turn. The model is not done: append its turn unchanged and ask again."),
        "max_tokens": _("the last reply was cut off by max_tokens. It is no whole answer: ask again with a larger limit."),
        "model_context_window_exceeded": _("the context window is full, and the last reply was cut off. Shorten messages first."),
        None: _("the stream ended before stop_reason came. The reply is not whole: ask again."),
        "end_turn": _("the last reply is empty. Append a new user turn such as \"Please continue\" and ask again; leave out text "
                      "after the results, which leads to this.") if not blocks(last.reply) else None,
    }.get(reason)  # fmt: skip
    return None if sentence is None else _at(trace.steps[-1], sentence.format(names=names))


def _stop_reason(exchange: Exchange) -> str | None:
    return exchange.reply.get("stop_reason") if isinstance(exchange.reply, dict) else None

"""What to do about an error of the Messages API, by its status and its wording.

The rules and their wordings: messages_api.md part 2. The API may word them differently one day; then its own message is shown.
"""

from __future__ import annotations

import re

from course.offline.rules.thinking import CONTROLS
from course.words import _

__all__ = ["remedy"]


def remedy(status: int | None, error: dict[str, str]) -> str:
    """The rule that was broken and what to do. error: {"type", "message"} as in an Exchange."""
    if status is None:
        return _("No answer came ({message}). Check the connection and the address, then ask again.").format(**error)
    if status < 400:
        return _("The stream broke off ({message}). Ask again.").format(**error)
    if status in (400, 404, 413):
        for pattern, sentence in _by_message():
            found = re.search(pattern, error["message"])
            if found:
                return sentence.format(**found.groupdict())
    return _by_status().get(status, error["message"])


def _by_message() -> tuple[tuple[str, str], ...]:
    """A part of the API's message (a regular expression), and the rule behind it with the remedy.

    A remedy is a format: what the expression names it can fill in.
    """
    return (
        (
            r"`tool_use` ids were found without `tool_result`",
            _("After an assistant turn with tool_use, the next user turn must begin with one tool_result for each id."),
        ),
        (
            r"unexpected `tool_use_id`",
            _(
                "A tool_result answers no tool_use of the turn before it. "
                "Append the assistant turn first, and copy block.id into tool_use_id."
            ),
        ),
        (r"Found multiple `tool_result`", _("Two results have the same tool_use_id. Send one for each tool_use.")),
        (r"ids must be unique", _("The same tool_use is in messages twice. Append each assistant turn once.")),
        (
            r"`tool_result` blocks can only be in `user`",
            _('Results go into a user turn: {{"role": "user", "content": results}}.'),
        ),
        (
            r"`tool_use` blocks can only be in `assistant`",
            _('What the model said goes into an assistant turn: {{"role": "assistant", "content": response.content}}.'),
        ),
        (
            r"bound to a different conversation.*The `(?P<name>system|tools)` .* differs",
            _(
                "A thinking block was made with another {name}. Send the same {name} with each request of a conversation."
            ),
        ),
        (
            r"bound to a different conversation.*(preceded this (one|block) when it was created is missing)",
            _(
                "Something that stood before a thinking block is gone from messages. "
                "Only append to them, and append each reply whole."
            ),
        ),
        (
            r"bound to a different conversation",
            _(
                "Something before a thinking block was changed, put in or left out. "
                "Only append to messages, and send the same system and tools each time."
            ),
        ),
        (
            r"The final block in an assistant message cannot be `thinking`",
            _(
                "An assistant turn ends with thinking, so what came after it is missing. "
                'Append the whole reply: {{"role": "assistant", "content": response.content}}.'
            ),
        ),
        (
            r"blocks in the latest assistant message cannot be modified|Invalid `signature`",
            _(
                "A thinking block is not as the model sent it. "
                'Append the whole reply: {{"role": "assistant", "content": response.content}}.'
            ),
        ),
        (
            r"assistant message prefill",
            _(
                "The last message is an assistant turn. Append a user turn (the results, or a question) before you ask again."
            ),
        ),
        (
            r"messages: at least one message|messages: Field required",
            _("messages is empty. Put the task into it first."),
        ),
        (
            r"messages: Input should be a valid",
            _('messages is not a list. Make it one: [{{"role": "user", "content": task}}].'),
        ),
        (r"Unexpected role", _('A role is "user" or "assistant". Results have the role "user".')),
        (
            r"messages\.\d+: Input should be an object|messages\.\d+\.role: Field required",
            _(
                "Each message is a dict with role and content. "
                'To append a reply, write {{"role": "assistant", "content": response.content}}.'
            ),
        ),
        (
            r"messages\.\d.*Extra inputs are not permitted",
            _(
                "A message has a key that the API does not take. "
                'Append {{"role": "assistant", "content": response.content}}, not the response itself or its model_dump().'
            ),
        ),
        (
            r"block_binding: Extra inputs are not permitted",
            _("block_binding is new: it needs {beta} in the header anthropic-beta.").replace("{beta}", CONTROLS),
        ),
        (r"Extra inputs are not permitted", _("The request has a parameter that the API does not take. Leave it out.")),
        (
            r"must be non-empty|non-empty content|non-whitespace text",
            _("A message is empty. Put text or results into it, or leave it out."),
        ),
        (
            r"prompt is too long|exceed context limit",
            _("messages no longer fits the context window. Shorten or summarise it."),
        ),
        (r"tool_use\.input", _("The input of a tool_use is a dict, as the model sent it, not text.")),
        (
            r"tool_result\.content",
            _("The content of a tool_result is text or a list of blocks. Use str() or json.dumps()."),
        ),
        (
            r"\.tool_use_id: Field required",
            _("Each tool_result needs tool_use_id: the id of the block that it answers."),
        ),
        (
            r"^tools\.\d+.*\.name: String should",
            _("The name of a tool has letters (a to z), digits, _ and -, at most 128 of them."),
        ),
        (
            r"Property keys should match",
            _(
                "A parameter of a tool has letters (a to z), digits, _, . and -, at most 64 of them. Give it such a name."
            ),
        ),
        (r"^tools\.\d", _("A tool is not described as the API wants it: name, description and input_schema.")),
        (
            r"using the (?P<given>\S+) media type, but the image appears to be a (?P<found>\S+)",
            _("A picture is of another kind than its media_type says. Write {found} in place of {given}."),
        ),
        (
            r"tool_choice\.\w+ may only be specified while",
            _("tool_choice is set, but the request has no tools. Send both."),
        ),
        (
            r"model: (?P<given>\S+) was not found\. Did you mean (?P<meant>[^?]+)",
            _("There is no model {given}. Write {meant}."),
        ),
        (r"^model: (?P<given>\S+)$", _("There is no model {given}. Use MODEL of the course.")),
        (r"maximum allowed number of output tokens", _("max_tokens is larger than the model allows.")),
    )


def _by_status() -> dict[int, str]:
    return {
        401: _("The key is missing or wrong. Check .env, or work offline without one."),
        403: _("This key may not do that."),
        404: _("There is no such address. Check the base URL."),
        413: _("The request is too large. Shorten messages."),
        429: _("Too many requests. Wait, and ask again; the SDK does so twice by itself."),
        500: _("A fault of the server. Ask again later."),
        504: _("The server took too long. Ask again, or stream the reply."),
        529: _("The server is overloaded. Wait, and ask again; the SDK does so twice by itself."),
    }

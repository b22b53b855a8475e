"""The rules of the Messages API: what the real endpoint refuses, and how it words it. Numbers: messages_api.md part 2.

Which rule is where:

    1-3, 7-18, 24    top_level.py       the fields of the body; those of a beta (11): beta_fields.py; sampling (12): sampling.py
    19, 20           headers.py         version, betas, key
    21-23            size.py            not JSON, too large, too long
    4-6, 25-27, 32-42, 90  content.py   the messages; their blocks' fields (54-58, 81, 87, 88): own_blocks.py
    28, 48           asked.py           turns are merged
    29-31            system_items.py    role "system"
    43, 44           prefill.py         a conversation that ends with the assistant
    45-53, 58-61     pairing.py         calls and results
    62-75            tools.py           tools, tool_choice; the tools' fields (63, 64, 66, 67): tool_types.py
    76-80            thinking.py        the `thinking` setting
    81-84            thinking_blocks.py thinking blocks in the history; what they are bound to: course/offline/binding.py
    85-87            cache.py           cache marks
    89               images.py          images

Some refusals have no number there; they stand with those that they resemble, each with its source.
Only the first fault is reported, in the order below (messages_api.md part 2; measured by ADAPTER).
"""

from __future__ import annotations

from course.offline.rules.asked import Asked, refuse
from course.offline.rules.cache import check_cache_marks
from course.offline.rules.content import check_emptiness, check_messages, check_sides
from course.offline.rules.context import Context
from course.offline.rules.headers import check_headers
from course.offline.rules.images import check_images
from course.offline.rules.pairing import check_callers, check_pairing
from course.offline.rules.prefill import check_prefill, check_trailing_space
from course.offline.rules.shapes import NOT_AN_OBJECT
from course.offline.rules.size import check_tokens, read_body
from course.offline.rules.system_items import check_system_items
from course.offline.rules.thinking import check_thinking
from course.offline.rules.thinking_blocks import check_thinking_blocks
from course.offline.rules.tools import (
    check_named_tool,
    check_programs,
    check_references,
    check_tool_choice,
    check_tools,
)
from course.offline.rules.top_level import (
    check_container,
    check_fields,
    check_system,
    check_unknown_keys,
    find_model,
)

__all__ = ["Context", "check", "check_body", "read_body"]

ORDER = (
    check_tool_choice,  # 72, 73, 75
    check_tools,  # 62-71
    check_named_tool,  # 74
    check_programs,
    check_messages,  # 4-6, 25-27, 32-37, 42, 54-58, 81 (signature left out), 88
    check_system_items,  # 29-31
    check_system,  # 14
    check_thinking,  # 76-80
    check_fields,  # 7-10, 12, 13, 15-18, in this order: output_config, cache_control, max_tokens, metadata, ...
    check_unknown_keys,  # 11, 12
    check_cache_marks,  # 85-87
    check_pairing,  # 45-53, 60; not if lenient
    check_emptiness,  # 38, 40, 41
    check_sides,  # 90
    check_references,
    check_callers,  # 58
    check_thinking_blocks,  # 81 to 84
    check_prefill,  # 43
    check_trailing_space,  # 44
    check_images,  # 89
    check_container,
    check_tokens,  # 23
)
NOT_IF_LENIENT = (check_pairing,)


def check(body: object, context: Context) -> Asked:
    """Raise `ApiFault` for the first fault of a request, or return the request as it was read.

    `body` is any JSON value. Linear in its size.
    """
    check_headers(context)  # 19, 20
    return check_body(body, context)


def check_body(body: object, context: Context) -> Asked:
    """The same for a request whose headers have been looked at."""
    if not isinstance(body, dict):
        raise refuse(NOT_AN_OBJECT)
    asked = Asked(body, context, find_model(body))  # 1-3
    for rule in ORDER:
        if not (context.lenient and rule in NOT_IF_LENIENT):
            rule(asked)
    return asked

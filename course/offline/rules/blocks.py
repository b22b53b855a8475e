"""The content blocks of a message. Rules 35 to 37, and 54 to 58, 81, 87 and 88 in the two modules that hold the fields.

`BLOCKS` are the types that everybody may send; `BETA_BLOCKS` also those that a caller with an `anthropic-beta` header may
send. Types: `ContentBlockParam` and `BetaContentBlockParam` of the installed SDK; a test compares, so that a new field or
block type fails there.
"""

from __future__ import annotations

from course.offline.rules.own_blocks import (
    CACHE,
    DOCUMENT,
    IMAGE,
    REDACTED_THINKING,
    SEARCH_RESULT,
    SYSTEM_TEXT,
    TEXT,
    TEXT_OR_NULL,
    THINKING,
    TOOL_RESULT,
    TOOL_USE,
)
from course.offline.rules.server_blocks import (
    ADVISOR_RESULT,
    BASH_RESULT,
    CODE_EXECUTION_RESULT,
    SERVER_TOOLS,
    TEXT_EDITOR_RESULT,
    TOOL_SEARCH_RESULT,
    WEB_FETCH_RESULT,
    WEB_SEARCH_RESULT,
    server_tool_use,
)
from course.offline.rules.shapes import ANY, BOOLEAN, OBJECT, STRING, Array, Nullable, TextOr, record, tagged

__all__ = ["BETA_BLOCKS", "BLOCKS"]

CONTAINER_UPLOAD = record("container_upload", {"file_id": STRING, **CACHE})

GENERAL = (
    TEXT,
    IMAGE,
    DOCUMENT,
    SEARCH_RESULT,
    THINKING,
    REDACTED_THINKING,
    TOOL_USE,
    TOOL_RESULT,
    server_tool_use(*SERVER_TOOLS),
    WEB_SEARCH_RESULT,
    WEB_FETCH_RESULT,
    CODE_EXECUTION_RESULT,
    BASH_RESULT,
    TEXT_EDITOR_RESULT,
    TOOL_SEARCH_RESULT,
    CONTAINER_UPLOAD,
)

# The blocks that come with a beta header.
NAMED_TOOLS = (
    record("tool_reference", {"name": STRING}),
    record("mcp_tool_reference", {"name": STRING, "server_name": STRING}),
    record("mcp_toolset_reference", {"server_name": STRING}),
)
TOOL_ADDITION = record(
    "tool_addition", {"tool": tagged(*NAMED_TOOLS, record("tool_definition", {"definition": OBJECT})), **CACHE}
)
TOOL_REMOVAL = record("tool_removal", {"tool": tagged(*NAMED_TOOLS), **CACHE})
FALLBACK_MODEL = record(None, {"model": STRING})

BETA = (
    ADVISOR_RESULT,
    record("mcp_tool_use", {"id": STRING, "input": OBJECT, "name": STRING, "server_name": STRING, **CACHE}),
    record(
        "mcp_tool_result",
        {"tool_use_id": STRING, **CACHE, "content?": TextOr(SYSTEM_TEXT), "is_error?": BOOLEAN},
    ),
    record(
        "compaction",
        {
            **CACHE,
            "content?": TEXT_OR_NULL,
            "encrypted_content?": TEXT_OR_NULL,
            "signature?": TEXT_OR_NULL,
            "tool_changes?": Nullable(Array(tagged(TOOL_ADDITION, TOOL_REMOVAL))),
        },
    ),
    TOOL_ADDITION,
    TOOL_REMOVAL,
    record(
        "mcp_tool_listing",
        {
            "mcp_server_name": STRING,
            "tools": Array(record(None, {"input_schema": OBJECT, "name": STRING, "description?": TEXT_OR_NULL})),
        },
    ),
    record("fallback", {"from": FALLBACK_MODEL, "to": FALLBACK_MODEL, "trigger?": ANY}),
)

BLOCKS = Array(tagged(*GENERAL))
BETA_BLOCKS = Array(tagged(*GENERAL, server_tool_use("advisor", *SERVER_TOOLS), *BETA))

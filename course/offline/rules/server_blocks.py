"""The content blocks of tools that the API itself runs: the call, and what each tool found.

Fields: the `*_param.py` types of the installed SDK; a test compares. A name that ends in "?" may be left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from course.offline.rules.own_blocks import CACHE, CALLER, COUNT_OR_NULL, DOCUMENT, TEXT_OR_NULL, TOOL_REFERENCE
from course.offline.rules.shapes import (
    BOOLEAN,
    INTEGER,
    OBJECT,
    STRING,
    Array,
    Check,
    Either,
    Literal,
    Nullable,
    Pattern,
    Record,
    record,
    tagged,
)

SERVER_TOOL_ID = Pattern("^srvtoolu_[a-zA-Z0-9_]+$")
SERVER_TOOLS = (
    "web_search",
    "web_fetch",
    "code_execution",
    "bash_code_execution",
    "text_editor_code_execution",
    "tool_search_tool_regex",
    "tool_search_tool_bm25",
)


def server_tool_use(*names: str) -> Record:
    """The block with which the model calls a tool that the API itself runs."""
    fields: dict[str, Check] = {"id": SERVER_TOOL_ID, "input": OBJECT, "name": Literal(*names), **CACHE}
    return record("server_tool_use", {**fields, "caller?": CALLER})


def server_tool_result(tag: str, content: Check, more: Mapping[str, Check] | None = None) -> Record:
    """The block with what a server tool found."""
    return record(tag, {"content": content, "tool_use_id": SERVER_TOOL_ID, **CACHE, **(more or {})})


def error(tag: str, *codes: str, message: bool = False) -> Record:
    """What a server tool's result holds when the tool failed."""
    fields: dict[str, Check] = {"error_code": Literal(*codes)}
    return record(tag, {**fields, "error_message?": TEXT_OR_NULL} if message else fields)


def executed(tag: str, output_tag: str, *stdout: str) -> Record:
    """What a program left behind: its output files, return code and streams."""
    outputs = Array(record(output_tag, {"file_id": STRING}))
    streams: dict[str, Check] = dict.fromkeys((*stdout, "stderr"), STRING)
    return record(tag, {"content": outputs, "return_code": INTEGER, **streams})


FAILED = ("invalid_tool_input", "unavailable", "too_many_requests", "execution_time_exceeded")

WEB_SEARCH_RESULT = server_tool_result(
    "web_search_tool_result",
    Either(
        Array(
            record(
                "web_search_result",
                {"encrypted_content": STRING, "title": STRING, "url": STRING, "page_age?": TEXT_OR_NULL},
            )
        ),
        error(
            "web_search_tool_result_error",
            "invalid_tool_input",
            "unavailable",
            "max_uses_exceeded",
            "too_many_requests",
            "query_too_long",
            "request_too_large",
        ),
    ),
    {"caller?": CALLER},
)

WEB_FETCH_RESULT = server_tool_result(
    "web_fetch_tool_result",
    tagged(
        error(
            "web_fetch_tool_result_error",
            "invalid_tool_input",
            "url_too_long",
            "url_not_allowed",
            "url_not_in_prior_context",
            "url_not_accessible",
            "unsupported_content_type",
            "too_many_requests",
            "max_uses_exceeded",
            "unavailable",
            "content_too_large",
        ),
        record("web_fetch_result", {"content": DOCUMENT, "url": STRING, "retrieved_at?": TEXT_OR_NULL}),
    ),
    {"caller?": CALLER},
)

CODE_EXECUTION_RESULT = server_tool_result(
    "code_execution_tool_result",
    tagged(
        error("code_execution_tool_result_error", *FAILED),
        executed("code_execution_result", "code_execution_output", "stdout"),
        executed("encrypted_code_execution_result", "code_execution_output", "encrypted_stdout"),
    ),
)

BASH_RESULT = server_tool_result(
    "bash_code_execution_tool_result",
    tagged(
        error("bash_code_execution_tool_result_error", *FAILED, "output_file_too_large"),
        executed("bash_code_execution_result", "bash_code_execution_output", "stdout"),
    ),
)

TEXT_EDITOR_RESULT = server_tool_result(
    "text_editor_code_execution_tool_result",
    tagged(
        error("text_editor_code_execution_tool_result_error", *FAILED, "file_not_found", message=True),
        record(
            "text_editor_code_execution_view_result",
            {
                "content": STRING,
                "file_type": Literal("text", "image", "pdf"),
                "num_lines?": COUNT_OR_NULL,
                "start_line?": COUNT_OR_NULL,
                "total_lines?": COUNT_OR_NULL,
            },
        ),
        record("text_editor_code_execution_create_result", {"is_file_update": BOOLEAN}),
        record(
            "text_editor_code_execution_str_replace_result",
            {
                "lines?": Nullable(Array(STRING)),
                "new_lines?": COUNT_OR_NULL,
                "new_start?": COUNT_OR_NULL,
                "old_lines?": COUNT_OR_NULL,
                "old_start?": COUNT_OR_NULL,
            },
        ),
    ),
)

TOOL_SEARCH_RESULT = server_tool_result(
    "tool_search_tool_result",
    tagged(
        error("tool_search_tool_result_error", *FAILED, message=True),
        record("tool_search_tool_search_result", {"tool_references": Array(TOOL_REFERENCE)}),
    ),
)

ADVISOR_RESULT = server_tool_result(
    "advisor_tool_result",
    tagged(
        error(
            "advisor_tool_result_error",
            "max_uses_exceeded",
            "prompt_too_long",
            "too_many_requests",
            "overloaded",
            "unavailable",
            "execution_time_exceeded",
            "model_not_found",
        ),
        record("advisor_result", {"text": STRING, "stop_reason?": TEXT_OR_NULL}),
        record("advisor_redacted_result", {"encrypted_content": STRING, "stop_reason?": TEXT_OR_NULL}),
    ),
)

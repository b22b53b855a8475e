"""The content blocks that both sides write by hand: text, media, thinking, calls and results of our own tools.

Rules 54 to 58, 81 (signature), 87 (none on thinking) and 88. Fields: the `*_param.py` types of the installed SDK; a test
compares. A name that ends in "?" may be left out.
"""

from __future__ import annotations

from course.offline.rules.shapes import (
    BOOLEAN,
    INTEGER,
    OBJECT,
    STRING,
    Array,
    Check,
    Literal,
    Nullable,
    Pattern,
    Sized,
    TextOr,
    record,
    tagged,
)

TEXT_OR_NULL = Nullable(STRING)
COUNT_OR_NULL = Nullable(INTEGER)
CACHE_CONTROL = Nullable(tagged(record("ephemeral", {"ttl?": Literal("5m", "1h")})))
CACHE: dict[str, Check] = {"cache_control?": CACHE_CONTROL}
TOOL_ID = Pattern("^[a-zA-Z0-9_-]+$")  # rule 54

# Rule 58: `caller` may be left out or null (as `model_dump()` gives it back); if it is sent it must be one of these.
CALLER = Nullable(
    tagged(
        record("code_execution_20250825", {"tool_id": STRING}),
        record("code_execution_20260120", {"tool_id": STRING}),
        record("direct", {}),
    )
)

CITATIONS_SWITCH = record(None, {"enabled?": BOOLEAN})
CITATION = tagged(
    *(
        record(
            f"{unit}_location",
            {
                "cited_text": STRING,
                "document_index": INTEGER,
                "document_title": TEXT_OR_NULL,
                f"end_{place}": INTEGER,
                f"start_{place}": INTEGER,
            },
        )
        for unit, place in (("char", "char_index"), ("page", "page_number"), ("content_block", "block_index"))
    ),
    record(
        "web_search_result_location",
        {"cited_text": STRING, "encrypted_index": STRING, "title": TEXT_OR_NULL, "url": STRING},
    ),
    record(
        "search_result_location",
        {
            "cited_text": STRING,
            "end_block_index": INTEGER,
            "search_result_index": INTEGER,
            "source": STRING,
            "start_block_index": INTEGER,
            "title": TEXT_OR_NULL,
        },
    ),
)

TEXT = record("text", {"text": STRING, **CACHE, "citations?": Nullable(Array(CITATION))})
SYSTEM_TEXT = Array(TEXT)

IMAGE = record(
    "image",
    {
        "source": tagged(
            record(
                "base64",
                {
                    "data": STRING,
                    "media_type": Literal("image/jpeg", "image/png", "image/gif", "image/webp"),
                },  # rule 88
            ),
            record("url", {"url": STRING}),
            record("file", {"file_id": STRING}),
        ),
        **CACHE,
        "transformations?": Nullable(record(None, {"oversized_image?": Literal("downsize", "error")})),
    },
)

DOCUMENT = record(
    "document",
    {
        "source": tagged(
            record("base64", {"data": STRING, "media_type": Literal("application/pdf")}),
            record("text", {"data": STRING, "media_type": Literal("text/plain")}),
            record("content", {"content": TextOr(Array(tagged(TEXT, IMAGE)))}),
            record("url", {"url": STRING}),
            record("file", {"file_id": STRING}),
        ),
        **CACHE,
        "citations?": Nullable(CITATIONS_SWITCH),
        "context?": TEXT_OR_NULL,
        "title?": TEXT_OR_NULL,
    },
)

SEARCH_RESULT = record(
    "search_result",
    {"content": SYSTEM_TEXT, "source": STRING, "title": STRING, **CACHE, "citations?": CITATIONS_SWITCH},
)

# Rule 81: a signature is required. Rule 87: there is no cache_control on thinking.
THINKING = record("thinking", {"thinking": STRING, "signature": STRING})
REDACTED_THINKING = record("redacted_thinking", {"data": STRING})

TOOL_USE = record(
    "tool_use",
    {
        "id": TOOL_ID,
        "input": OBJECT,  # rule 55: the object itself, not its JSON as a string
        "name": Sized(1, 200),  # no number; source: Claude Code's changelog, September 2026
        **CACHE,
        "caller?": CALLER,
        "toolset_name?": TEXT_OR_NULL,
    },
)

TOOL_REFERENCE = record("tool_reference", {"tool_name": STRING, **CACHE})
BROWSER_STATE = record(
    "browser_state",
    {
        "tabs": Array(record(None, {"tab_id": STRING, "title": STRING, "url": STRING, "active?": BOOLEAN})),
        **CACHE,
        "state_changes?": Nullable(
            Array(
                tagged(
                    record("tab_opened", {"tab_id": STRING}),
                    record("download_started", {"download_id": STRING, "url": STRING}),
                    record(
                        "download_completed",
                        {"download_id": STRING, "url": STRING, "path?": TEXT_OR_NULL, "size_bytes?": COUNT_OR_NULL},
                    ),
                    record("download_failed", {"download_id": STRING, "url": STRING, "error?": TEXT_OR_NULL}),
                )
            )
        ),
    },
)

# Rules 56 and 57: `content` is text or blocks of these types; it may be left out, empty, or null (the SDK's tool runner
# sends null for a function that returned None).
TOOL_RESULT = record(
    "tool_result",
    {
        "tool_use_id": TOOL_ID,
        **CACHE,
        "content?": Nullable(
            TextOr(Array(tagged(TEXT, IMAGE, SEARCH_RESULT, DOCUMENT, TOOL_REFERENCE, BROWSER_STATE)))
        ),
        "is_error?": BOOLEAN,
        "toolset_name?": TEXT_OR_NULL,
    },
)

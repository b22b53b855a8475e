"""The entries of `tools`: their types, fields and what each holds. Rules 63, 64, 66 and 67.

Fields: the `*_param.py` types of the installed SDK; a test compares. `TOOLS` are the types that everybody may send;
`BETA_TOOLS` also those that a caller with an `anthropic-beta` header may send.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from course.offline.rules.own_blocks import CACHE, CITATIONS_SWITCH, COUNT_OR_NULL, TEXT_OR_NULL
from course.offline.rules.shapes import (
    BOOLEAN,
    INTEGER,
    OBJECT,
    REQUIRED,
    STRING,
    Array,
    Check,
    Fault,
    Literal,
    Nullable,
    Pattern,
    Record,
    record,
    tagged,
)

__all__ = ["BETA_TOOLS", "TOOLS"]

# Rule 64. The documentation says at most 64 characters; the pattern that the API reports says 128.
NAME = Pattern("^[a-zA-Z0-9_-]{1,128}$", not_empty=True)
AN_OBJECT = Literal("object")


def input_schema(value: object, /) -> Fault | None:
    """Rule 67: a schema is an object whose `type` is "object". Whether it is a valid schema: rules 68 to 70."""
    if not isinstance(value, dict):
        return OBJECT(value)
    if "type" not in value:
        return Fault("type", REQUIRED)
    return None if AN_OBJECT(value["type"]) is None else Fault("type", AN_OBJECT.what)


CALLERS = Array(Literal("direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521"))
COMMON: dict[str, Check] = {"allowed_callers?": CALLERS, **CACHE, "defer_loading?": BOOLEAN, "strict?": BOOLEAN}
EXAMPLES: dict[str, Check] = {"input_examples?": Array(OBJECT)}
DOMAINS: dict[str, Check] = {
    "allowed_domains?": Nullable(Array(STRING)),
    "blocked_domains?": Nullable(Array(STRING)),
    "max_uses?": COUNT_OR_NULL,
}

CUSTOM = record(
    None,
    {
        "type?": Nullable(Literal("custom")),
        "name": NAME,
        "input_schema": input_schema,  # rule 66
        **COMMON,
        **EXAMPLES,
        "description?": STRING,
        "eager_input_streaming?": Nullable(BOOLEAN),
    },
)
CUSTOM = replace(CUSTOM, tags=("custom",))  # the one whose `type` may be left out, or null


def built_in(tag: str | tuple[str, ...], name: str, more: Mapping[str, Check] | None = None) -> Record:
    """A tool that the API knows: its name is fixed."""
    return record(tag, {"name": Literal(name), **COMMON, **(more or {})})


def toolset(tag: str) -> Record:
    """A set of tools, switched on and off one by one in `configs`."""
    return record(tag, {**CACHE, "configs?": Nullable(OBJECT)})


LOCATION = record("approximate", dict.fromkeys(("city?", "country?", "region?", "timezone?"), TEXT_OR_NULL))
SEARCH: dict[str, Check] = {**DOMAINS, "user_location?": Nullable(LOCATION)}

ALL_OR_NONE = (record("all", {}), record("none", {}))
NAMED = Array(record("tool_reference", {"name": STRING}))
SOME = (*ALL_OR_NONE, record("only", {"tools": NAMED}), record("except", {"tools": NAMED}))
FETCH: dict[str, Check] = {
    **DOMAINS,
    "citations?": Nullable(CITATIONS_SWITCH),
    "max_content_tokens?": COUNT_OR_NULL,
    "url_sources?": Nullable(
        record(
            None,
            {
                "client_tool_results?": tagged(*SOME),
                "server_tool_results?": tagged(*SOME),
                "user_input?": tagged(*ALL_OR_NONE),
            },
        )
    ),
}
CACHED: dict[str, Check] = {"use_cache?": BOOLEAN}
INCLUSION: dict[str, Check] = {"response_inclusion?": Literal("full", "excluded")}
CHARACTERS: dict[str, Check] = {"max_characters?": COUNT_OR_NULL}

GENERAL = (
    built_in("bash_20250124", "bash", EXAMPLES),
    CUSTOM,
    toolset("browser_toolset_20260801"),
    *(
        built_in(f"code_execution_{date}", "code_execution")
        for date in ("20250522", "20250825", "20260120", "20260521")
    ),
    toolset("computer_toolset_20260801"),
    built_in("memory_20250818", "memory", EXAMPLES),
    built_in("text_editor_20250124", "str_replace_editor", EXAMPLES),
    built_in("text_editor_20250429", "str_replace_based_edit_tool", EXAMPLES),
    built_in("text_editor_20250728", "str_replace_based_edit_tool", {**EXAMPLES, **CHARACTERS}),
    built_in(("tool_search_tool_bm25_20251119", "tool_search_tool_bm25"), "tool_search_tool_bm25"),
    built_in(("tool_search_tool_regex_20251119", "tool_search_tool_regex"), "tool_search_tool_regex"),
    built_in("web_fetch_20250910", "web_fetch", FETCH),
    built_in("web_fetch_20260209", "web_fetch", FETCH),
    built_in("web_fetch_20260309", "web_fetch", {**FETCH, **CACHED}),
    built_in("web_fetch_20260318", "web_fetch", {**FETCH, **CACHED, **INCLUSION}),
    built_in("web_search_20250305", "web_search", SEARCH),
    built_in("web_search_20260209", "web_search", SEARCH),
    built_in("web_search_20260318", "web_search", {**SEARCH, **INCLUSION}),
)

SCREEN: dict[str, Check] = {
    **EXAMPLES,
    "display_height_px": INTEGER,
    "display_width_px": INTEGER,
    "display_number?": COUNT_OR_NULL,
}
SWITCHES = record(None, {"defer_loading?": BOOLEAN, "enabled?": BOOLEAN})

BETA = (
    built_in("bash_20241022", "bash", EXAMPLES),
    built_in("computer_20241022", "computer", SCREEN),
    built_in("computer_20250124", "computer", SCREEN),
    built_in("computer_20251124", "computer", {**SCREEN, "enable_zoom?": BOOLEAN}),
    built_in("text_editor_20241022", "str_replace_editor", EXAMPLES),
    built_in(
        "advisor_20260301",
        "advisor",
        {
            "model": STRING,
            "caching?": CACHE["cache_control?"],
            "max_tokens?": COUNT_OR_NULL,
            "max_uses?": COUNT_OR_NULL,
        },
    ),
    record(
        "mcp_toolset",
        {
            "mcp_server_name": STRING,
            **CACHE,
            "configs?": Nullable(OBJECT),
            "default_config?": SWITCHES,
            "tools?": Nullable(
                Array(record(None, {"input_schema": OBJECT, "name": STRING, "description?": TEXT_OR_NULL}))
            ),
        },
    ),
)

TOOLS = Array(tagged(*GENERAL, default="custom"))
BETA_TOOLS = Array(tagged(*GENERAL, *BETA, default="custom"))

"""Every call has its result, and every result its call. Rules 45 to 53, 58 (second form) and 60.

The rules look at merged turns (rule 28), but name places in `messages` as it was sent. Rule 48: so the results may be split
over several user messages in a row. Rule 59: the history may name tools though the request has none, or no longer has them.
Rule 61 is a wording of early 2025, no longer in use.
Each pass below is linear in the number of blocks.
"""

from __future__ import annotations

from collections.abc import Mapping

from course.offline.rules.asked import Asked, Placed, Turn, refuse
from course.offline.rules.server_blocks import SERVER_TOOLS

__all__ = ["check_callers", "check_pairing"]

# Which block holds the result of a server tool, where the name is not "<tool>_tool_result".
SERVER_RESULTS = {
    "tool_search_tool_regex": "tool_search_tool_result",
    "tool_search_tool_bm25": "tool_search_tool_result",
}
SERVER_RESULT_TYPES = frozenset(SERVER_RESULTS.get(tool, f"{tool}_tool_result") for tool in (*SERVER_TOOLS, "advisor"))


def check_pairing(asked: Asked) -> None:
    """All of them, in the order of the conversation."""
    check_roles(asked.turns)  # rules 52, 53
    check_unique_ids(asked.turns)  # rule 51
    check_server_results(asked.turns)  # rule 49
    before: Turn | None = None
    pending: dict[str, Placed] = {}  # server tools that have no result yet, by id
    for turn in asked.turns:
        if turn.role == "user":
            check_results(turn, before)  # rules 49, 50
            if before is not None:
                check_calls(before, turn)  # rules 45 to 47
            check_server_calls(pending, turn)  # rule 60
        else:
            note_server_calls(pending, turn)
        before = turn
    if before is not None and before.role == "assistant":
        check_calls(before, None)


def check_roles(turns: list[Turn]) -> None:
    """Rules 52 and 53. Source: measured (AEGIS) for results; likely for calls."""
    for turn in turns:
        for message, _, block in turn.blocks:
            kind = block["type"]
            if kind == "tool_result" and turn.role != "user":
                raise refuse(f"messages.{message}: `tool_result` blocks can only be in `user` messages")
            if kind == "tool_use" and turn.role != "assistant":
                raise refuse(f"messages.{message}: `tool_use` blocks can only be in `assistant` messages")


def check_unique_ids(turns: list[Turn]) -> None:
    """Rule 51: over the whole request. Source: Claude Code's error classifier."""
    seen: set[str] = set()
    for turn in turns:
        for placed in turn.blocks:
            if placed.block["type"] == "tool_use":
                if placed.block["id"] in seen:
                    raise refuse(f"{placed.where}: `tool_use` ids must be unique")
                seen.add(placed.block["id"])


def check_server_results(turns: list[Turn]) -> None:
    """Rule 49 for what a server tool found: its call stands somewhere before it. Source: claude-code#80439 and many more."""
    calls: set[str] = set()
    for turn in turns:
        for placed in turn.blocks:
            kind = placed.block["type"]
            if kind == "server_tool_use":
                calls.add(placed.block["id"])
            elif kind in SERVER_RESULT_TYPES and placed.block["tool_use_id"] not in calls:
                raise refuse(
                    f"{placed.where}: unexpected `tool_use_id` found in `{kind}` blocks: {placed.block['tool_use_id']}. "
                    f"Each `{kind}` block must have a corresponding `server_tool_use` block before it."
                )


def check_results(turn: Turn, before: Turn | None) -> None:
    """Rules 49 and 50: each result answers a call of the assistant turn just before it, and is the only one to do so.

    With a wrong id rule 45 is broken too; rule 49 was seen to be reported (AEGIS).
    """
    calls = {placed.block["id"] for placed in calls_of(before)} if before is not None else set()
    answered: set[str] = set()
    for placed in turn.blocks:
        if placed.block["type"] != "tool_result":
            continue
        call = placed.block["tool_use_id"]
        if call not in calls:  # rule 49. Source: Claude Code's error classifier; Anthropic.SDK#184
            raise refuse(
                f"{placed.where}: unexpected `tool_use_id` found in `tool_result` blocks: {call}. Each `tool_result` "
                "block must have a corresponding `tool_use` block in the previous message."
            )
        if call in answered:  # rule 50
            raise refuse(
                f"{placed.where}: each tool_use must have a single result. Found multiple `tool_result` blocks with "
                f"id: {call}"
            )
        answered.add(call)


def check_calls(turn: Turn, after: Turn | None) -> None:
    """Rules 45 to 47: each call of an assistant turn is answered at the very beginning of the next user turn."""
    calls = calls_of(turn)
    if not calls:
        return
    # Rule 47: nothing is "immediately after" a call that is followed by text. Source: luthien-proxy#708.
    spoken = max((place for place, placed in enumerate(turn.blocks) if placed.block["type"] == "text"), default=-1)
    early = [placed for placed in turn.blocks[: spoken + 1] if placed.block["type"] == "tool_use"]
    if early:
        raise unanswered(early[0].message, [placed.block["id"] for placed in early])
    # Rule 46: only the results before any other block count. Source: the page "Handle tool calls".
    answered: set[str] = set()
    for placed in after.blocks if after is not None else []:
        if placed.block["type"] != "tool_result":
            break
        answered.add(placed.block["tool_use_id"])
    missing = [placed.block["id"] for placed in calls if placed.block["id"] not in answered]
    if missing:  # rule 45. The index is that of the message after the call (AEGIS), though it may not be there.
        raise unanswered(after.first if after is not None else turn.last + 1, missing)


def unanswered(index: int, ids: list[str]) -> Exception:
    """Rule 45's wording. Source: measured (AEGIS), Claude Code's error classifier, claude-code#5989."""
    return refuse(
        f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(ids)}. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )


def note_server_calls(pending: dict[str, Placed], turn: Turn) -> None:
    """Enter the calls of the API's own tools, and take out those that have their result."""
    for placed in turn.blocks:
        if placed.block["type"] == "server_tool_use":
            pending[placed.block["id"]] = placed
        else:
            pending.pop(placed.block.get("tool_use_id", ""), None)


def check_server_calls(pending: Mapping[str, Placed], after: Turn) -> None:
    """Rule 60: while a server tool is pending, the user's turn may hold only results. Source: the page "Stop reasons"."""
    if not pending or all(placed.block["type"] == "tool_result" for placed in after.blocks):
        return
    message, _, block = next(iter(pending.values()))
    name = block["name"]
    result = SERVER_RESULTS.get(name, f"{name}_tool_result")
    raise refuse(
        f"messages.{message}: `{name}` tool use with id `{block['id']}` was found without a corresponding `{result}` block"
    )


def calls_of(turn: Turn) -> list[Placed]:
    """The calls of our own tools in this turn."""
    return [placed for placed in turn.blocks if placed.block["type"] == "tool_use"]


def check_callers(asked: Asked) -> None:
    """Rule 58, second form: a call made by a program names the server tool that ran it. Source: measured (FIBER)."""
    programs: set[str] = set()
    for turn in asked.turns:
        for _, _, block in turn.blocks:
            if block["type"] == "server_tool_use":
                programs.add(block["id"])
            elif block["type"] == "tool_use":
                source = (block.get("caller") or {}).get("tool_id")
                if source is not None and source not in programs:
                    raise refuse(f"source tool `{source}` not found for tool use block `{block['id']}`")

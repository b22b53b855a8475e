"""The headers, before anything in the body is looked at. Rules 19 and 20, and the key."""

from __future__ import annotations

from course.offline.rules.context import API_VERSIONS, Context
from course.offline.wire import ApiFault

__all__ = ["KNOWN_BETAS", "check_headers"]

# Rule 20: the names in the installed SDK's `AnthropicBetaParam` (a test compares), and those that Claude Code sends.
NAMES = """
advisor-tool-2026-03-01 agent-memory-2026-07-22 analytics-usage-cost-2026-08-24 admin-user-sign-out-2026-10-08
cache-diagnosis-2026-04-07 ce-claude-code-managed-settings-2026-10-06 ce-plugins-2026-09-01
ce-user-management-2026-07-13 code-execution-2025-05-22 compact-2026-01-12 compact-2026-09-04
computer-use-2024-10-22 computer-use-2025-01-24 computer-use-2025-11-24 context-1m-2025-08-07
context-management-2025-06-27 dev-full-thinking-2025-05-14 dreaming-2026-04-21 efs-2026-10-01
experimental-claude-tag-2026-10-21 extended-cache-ttl-2025-04-11 fallback-credit-2026-06-01
fallback-credit-2026-07-01 fast-mode-2026-02-01 files-api-2025-04-14 google-managed-data-controls-2026-09-01
inline-tools-2026-09-15 interleaved-thinking-2025-05-14 managed-agents-2026-04-01 mcp-client-2025-04-04
mcp-client-2025-11-20 mcp-client-2026-09-15 mcp-tunnels-2026-06-22 message-batches-2024-09-24
message-threads-2026-08-12 mid-conversation-output-config-2026-07-01
mid-conversation-system-clear-at-2026-08-21 mid-conversation-tool-changes-2026-07-01
model-context-window-exceeded-2025-08-26 output-128k-2025-02-19 output-300k-2026-03-24 pdfs-2024-09-25
prompt-caching-2024-07-31 server-side-fallback-2026-06-01 server-side-fallback-2026-07-01 skills-2025-10-02
spend-limit-reads-2026-09-26 structured-outputs-2025-11-13 task-budgets-2026-03-13
telemetry-destinations-2026-08-11 thinking-binding-controls-2026-08-01 thinking-display-updates-2026-08-18
thinking-token-count-2026-05-13 token-counting-2024-11-01 token-efficient-tools-2025-02-19
user-profiles-2026-03-24 user-profiles-2026-08-18 user-profiles-2026-09-04 user-profiles-billing-2026-10-01
webhooks-2026-10-07
advanced-tool-use-2025-11-20 claude-code-20250219 effort-2025-11-24 fine-grained-tool-streaming-2025-05-14
per-turn-control-2026-07-01
"""
KNOWN_BETAS = frozenset(NAMES.split())


def check_headers(context: Context) -> None:
    """A key (any key: there is no account behind this endpoint), then rule 19, then rule 20."""
    if not has_key(context):
        raise ApiFault("x-api-key header is required", status=401, type="authentication_error")
    # Rule 19. Source: measured (missing); the wording for an unknown version is our own.
    if not context.version:
        raise ApiFault("anthropic-version: header is required")
    if context.version not in API_VERSIONS:
        raise ApiFault(f'anthropic-version: "{context.version}" is not a valid version')
    # Rule 20. Source: measured, and the page "Beta headers" of the API's documentation. Claude Code tries out names that
    # are in no public list.
    unknown = [] if context.is_claude_code else sorted(context.betas - KNOWN_BETAS)
    if unknown:
        names = ", ".join(f"`{name}`" for name in unknown)
        raise ApiFault(
            f"Unexpected value(s) {names} for the `anthropic-beta` header. Please consult our documentation at "
            "platform.claude.com/docs or try again without the header."
        )


def has_key(context: Context) -> bool:
    """True if a key came, in either header. SDK 2.14 sends a bearer token, Claude Code `x-api-key`; both are taken."""
    scheme, _, token = context.headers.get("authorization", "").partition(" ")
    return bool(context.headers.get("x-api-key", "").strip() or (scheme.lower() == "bearer" and token.strip()))

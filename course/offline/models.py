"""The models that the offline API knows, and what each of them takes. The one table that model-dependent rules read.

Sources: the id list of the installed SDK (`anthropic.types.model`, a test compares), messages_api.md part 5 (limits,
deprecations) and rules 30, 43, 75, 77 to 79; pages of the API's documentation: "Troubleshooting thinking" (which types each
model takes), "Prefix checks on thinking blocks" and "What's new in Claude Fable 5.2" (which models bind it), "Thinking"
(which show it); live reports of August to October 2026 (efforts, programs). Rule 30: Sonnet 5 was measured to take system
messages though the documentation does not list it; the 5.5 models are in the model profiles of langchain-anthropic 1.5.13.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

__all__ = ["MODELS", "RETIRED", "Model", "find", "unknown_name"]

USE_ADAPTIVE = 'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
USE_BETWEEN_TOOLS = (
    'Use "thinking.type.between_tools" for the lowest thinking setting, '
    'or "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
)
ALWAYS_ON = (
    'Thinking defaults to adaptive mode when not specified; use "thinking.type.enabled" with "budget_tokens" '
    "for extended thinking."
)


@dataclass(frozen=True)
class Model:
    """A model and what it takes.

    id: the name in a request. dated: the id that an alias stands for, as it is shown in faults (rule 10).
    context_window, max_output: in tokens.
    prefill: may the conversation end with an assistant turn? (rules 43, 44)
    thinking: the values of `thinking.type` that it takes; `instead` is what the API advises for one that it does not.
    quiet_effort: with thinking disabled or between tools, an effort above "high" is refused (rule 78).
    forced_tools: does it take `tool_choice` "any" and "tool"? (rule 75)
    system_items: does it take `role: "system"` in messages? (rules 30, 31)
    binds_thinking: does it refuse a thinking block whose conversation was changed? (rule 82) Of some of these models that holds
    for accounts made since the end of August 2026 alone; the account of this endpoint is a new one.
    shows_thinking: is the text of its thinking sent if the request does not say (`thinking.display`)?
    efforts: the values of `output_config.effort` that it takes.
    programs: may a program that the API runs call tools? (`allowed_callers`)
    sampling: with anthropic-version 2023-06-01, does it take temperature, top_p, top_k? (rule 12)
    deprecated: the day it will be retired, or "".
    """

    id: str
    dated: str = ""
    context_window: int = 1_000_000
    max_output: int = 128_000
    prefill: bool = False
    thinking: frozenset[str] = frozenset({"adaptive", "disabled"})
    instead: dict[str, str] = field(default_factory=lambda: {"enabled": USE_ADAPTIVE})
    quiet_effort: bool = False
    forced_tools: bool = True
    system_items: bool = True
    binds_thinking: bool = False
    shows_thinking: bool = False
    efforts: tuple[str, ...] = ("low", "medium", "high", "xhigh", "max")
    programs: bool = True
    sampling: bool = False
    deprecated: str = ""

    @property
    def full_id(self) -> str:
        """The dated id if there is one, else the id."""
        return self.dated or self.id

    @property
    def display_name(self) -> str:
        """The name that people say: "Claude Haiku 4.5"."""
        family, *version = self.id.removeprefix("claude-").split("-")
        return f"Claude {family.capitalize()} {'.'.join(version).capitalize()}"


_ADAPTIVE = frozenset({"adaptive"})
_FABLE = Model("", thinking=_ADAPTIVE, instead={"enabled": USE_ADAPTIVE, "disabled": USE_ADAPTIVE}, forced_tools=False)
_FABLE_5_1 = replace(_FABLE, binds_thinking=True)
_OPUS_4 = Model("", system_items=False)
_CLAUDE_4_6 = replace(
    _OPUS_4,
    thinking=frozenset({"adaptive", "disabled", "enabled"}),
    instead={},
    efforts=("low", "medium", "high", "max"),
    shows_thinking=True,
    sampling=True,
)
_CLAUDE_4_5 = replace(
    _CLAUDE_4_6,
    context_window=200_000,
    max_output=64_000,
    prefill=True,
    thinking=frozenset({"disabled", "enabled"}),
    efforts=(),
)

MODELS: dict[str, Model] = {
    model.id: model
    for model in (
        replace(_FABLE_5_1, id="claude-fable-5-2"),
        replace(_FABLE_5_1, id="claude-mythos-5-2"),
        Model("claude-haiku-5-5", quiet_effort=True, binds_thinking=True),
        Model(
            "claude-sonnet-5-5",
            thinking=frozenset({"adaptive", "between_tools"}),
            instead={"enabled": USE_ADAPTIVE, "disabled": USE_BETWEEN_TOOLS},
            quiet_effort=True,
            forced_tools=False,
            binds_thinking=True,
        ),
        replace(_FABLE_5_1, id="claude-fable-5-1"),
        replace(_FABLE_5_1, id="claude-opus-5-5"),
        replace(_FABLE_5_1, id="claude-mythos-5-1"),
        Model("claude-sonnet-5"),
        replace(_FABLE, id="claude-fable-5", forced_tools=True),
        replace(_FABLE, id="claude-mythos-5", forced_tools=True),
        Model("claude-opus-5", quiet_effort=True),
        Model("claude-opus-4-8"),
        replace(_OPUS_4, id="claude-opus-4-7"),
        Model(
            "claude-mythos-preview",
            thinking=frozenset({"adaptive", "enabled"}),
            instead={"disabled": ALWAYS_ON},
            forced_tools=False,
            system_items=False,
            deprecated="2026-06-30",
        ),
        replace(_CLAUDE_4_6, id="claude-opus-4-6"),
        replace(_CLAUDE_4_6, id="claude-sonnet-4-6"),
        replace(_CLAUDE_4_5, id="claude-haiku-4-5", dated="claude-haiku-4-5-20251001", programs=False),
        replace(
            _CLAUDE_4_5,
            id="claude-opus-4-5",
            dated="claude-opus-4-5-20251101",
            efforts=("low", "medium", "high"),
            deprecated="2027-01-22",
        ),
        replace(_CLAUDE_4_5, id="claude-sonnet-4-5", dated="claude-sonnet-4-5-20250929", deprecated="2026-11-30"),
    )
}

# No longer served: a 404, like a name that never was one (rule 3). Listed so that tests and lessons can name one.
RETIRED: tuple[str, ...] = (
    "claude-opus-4-1",
    "claude-opus-4-0",
    "claude-sonnet-4-0",
    "claude-3-haiku-20240307",
    "claude-3-7-sonnet-latest",
    "claude-3-5-haiku-latest",
)

_BY_NAME = {name: model for model in MODELS.values() for name in (model.id, model.dated) if name}


def find(name: str) -> Model | None:
    """The model of this id or dated id; None if there is none (any more)."""
    return _BY_NAME.get(name)


def unknown_name(name: str) -> str:
    """The name, and the one that was meant if only dots stand in place of dashes. Source: req_011CfMkqMueCTcPqShR3S7Mj."""
    meant = name.replace(".", "-")
    return f"{name} was not found. Did you mean {meant}?" if meant != name and find(meant) is not None else name

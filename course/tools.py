"""From a Python function to a tool, and from a `tool_use` block to a `tool_result` block."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_type_hints

from course.errors import ToolError
from course.json_schema import validator
from course.words import _

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["Tool", "definitions_of", "run_tool", "tool"]

# What the API takes as the name of a tool and of its parameters (messages_api.md, rules 65 and 67), and Python too.
NAME = re.compile(r"[a-zA-Z0-9_]{1,64}")
MAX_CHARACTERS = 50_000  # of one result: what is longer costs more tokens than it is worth


@dataclass(frozen=True)
class Tool:
    """A function that a model may ask for. `input_schema` is a JSON Schema (an object), made from the function's signature.

    parameters: what makes the function's arguments of an input that fits the schema; None: the input as it is.
    """

    name: str
    description: str
    input_schema: dict[str, Any]
    function: Callable[..., Any]
    parameters: type[BaseModel] | None = field(default=None, repr=False, compare=False)

    def run(self, given: dict[str, Any]) -> Any:
        """What the function returns for this input. Raises ToolError if the input does not fit, and what the function raises."""
        _check_input(self, given)
        arguments = given if self.parameters is None else _arguments(self.parameters, given)
        value = self.function(**arguments)
        if inspect.iscoroutine(value) or inspect.isgenerator(value) or inspect.isasyncgen(value):
            close = getattr(value, "close", None)
            if close is not None:
                close()  # or Python warns that nobody has waited for it
            raise ToolError(_plain_function(self.name))
        return value

    @property
    def definition(self) -> dict[str, Any]:
        """What goes into the `tools` of a request."""
        return {"name": self.name, "description": self.description, "input_schema": self.input_schema}

    def __repr__(self) -> str:
        return f"Tool({self.name!r})"


def tool(function: Callable[..., Any]) -> Tool:
    """The tool of a function: its name, its docstring as the description, its parameters as the schema.

    Every parameter needs a type hint; one with a default value is optional. Raises ToolError for a function without a
    docstring or a hint, or with `*args` or `**kwargs`, since a model could not know what to send; for names that the API
    refuses; and for one that is async or a generator, since its result is not there when it returns.

    >>> def add(a: int, b: int = 1) -> int:
    ...     "Add two numbers."
    ...     return a + b
    >>> tool(add).input_schema["required"]
    ['a']
    """
    name = getattr(function, "__name__", "")
    if not name.isidentifier():
        raise ToolError(_("A tool needs a name. Write it as a function with def."))
    if not NAME.fullmatch(name):
        raise ToolError(_("{name}: the name of a tool has letters from a to z, digits and _.").format(name=name))
    if (
        inspect.iscoroutinefunction(function)
        or inspect.isgeneratorfunction(function)
        or inspect.isasyncgenfunction(function)
    ):
        raise ToolError(_plain_function(name))
    if not function.__doc__:
        raise ToolError(_("{name}() needs a docstring: it is what the model reads about the tool.").format(name=name))
    parameters = _parameters(function, name)
    return Tool(name, inspect.cleandoc(function.__doc__), _schema(parameters, name), function, parameters)


def _plain_function(name: str) -> str:
    words = _(
        "{name}(): a tool returns its result. Write it as a plain function: def, return, and neither async nor yield."
    )
    return words.format(name=name)


def definitions_of(tools: Iterable[Tool | dict[str, Any]]) -> list[dict[str, Any]]:
    """What goes into the `tools` of a request: the definition of each tool; that of a server tool is a dict already.

    Raises ToolError for what is neither, such as a function that `tool` was not called with.
    """
    if isinstance(tools, (Tool, dict)) or not isinstance(tools, Iterable):
        raise ToolError(_("The tools must be a list, such as [tool(read_file)]."))
    return [each if isinstance(each, dict) else _checked(each).definition for each in tools]


def _checked(given: Any) -> Tool:
    if isinstance(given, Tool):
        return given
    if callable(given):
        name = getattr(given, "__name__", type(given).__name__)
        raise ToolError(_("{name} is a function, not a tool. Put tool(...) around it.").format(name=name))
    raise ToolError(_("{given!r} is not a tool. Make one of a function: tool(read_file).").format(given=given))


def run_tool(tools: Iterable[Tool | dict[str, Any]], block: Any) -> dict[str, Any]:
    """Run the tool that a `tool_use` block asks for, and return its `tool_result` block. Raises ToolError for
    what is neither tools nor a block, and for nothing else.

    tools: definitions of server tools (dicts) may stand among them; the API runs those itself.
    block: the SDK's ToolUseBlock, or the same as a dict. Whatever goes wrong (no such tool, an input that doesn't fit, an
    error in the function) goes back to the model as text with `is_error`, so that it can try another way.
    """
    call = _call_of(block)
    if isinstance(tools, (Tool, dict)) or not isinstance(tools, Iterable):
        raise ToolError(_("The tools must be a list, such as [tool(read_file)]."))
    given = list(tools)
    known = {each.name: each for each in given if not isinstance(each, dict) and _checked(each)}
    definitions = {each.get("name") for each in given if isinstance(each, dict) and "input_schema" in each}
    if call["name"] in definitions - set(known):
        words = _("run_tool() has only the definition of {name}. Give it the tool itself: tool({name}).")
        raise ToolError(words.format(name=call["name"]))
    result: dict[str, Any] = {"type": "tool_result", "tool_use_id": call["id"]}
    try:
        if call["name"] not in known:
            raise ToolError(
                _("There is no tool {name!r}. The tools are: {names}.").format(
                    name=call["name"], names=", ".join(known) or _("none")
                )
            )
        chosen = known[call["name"]]
        return {**result, "content": _as_text(chosen.run(call["input"]))}
    except Exception as error:  # the model must see every failure: a loop that dies here helps nobody
        return {**result, "content": _as_text(_failure(error)), "is_error": True}


def _failure(error: Exception) -> str:
    """The kind of an error and its text."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # its own __str__ fails
        return type(error).__name__


def _call_of(block: Any) -> dict[str, Any]:
    """The id, the name and the input of a `tool_use` block."""
    parts = ("id", "name", "input")
    call = block if isinstance(block, dict) else {part: getattr(block, part) for part in parts if hasattr(block, part)}
    if not all(part in call for part in parts) or not isinstance(call["name"], str):
        words = _("run_tool() takes the tools and a tool_use block of a reply; {what} is no such block.")
        raise ToolError(words.format(what=_("this dict") if isinstance(block, dict) else repr(block)))
    return call


def _parameters(function: Callable[..., Any], name: str) -> type[BaseModel]:
    """A model of pydantic's with the function's parameters as its fields."""
    from pydantic import ConfigDict, Field, create_model

    fields: dict[str, Any] = {}
    with _told_of_types(name):
        hints = get_type_hints(function, include_extras=True)
        for parameter in inspect.signature(function).parameters.values():
            _check_parameter(parameter, hints, name)
            default = ... if parameter.default is parameter.empty else parameter.default
            # under a number, since some names mean something to pydantic (_path, json, model_config)
            fields[f"p{len(fields)}"] = (hints[parameter.name], Field(default, alias=parameter.name))
        return create_model(name, __config__=ConfigDict(extra="forbid"), **fields)


def _schema(parameters: type[BaseModel], name: str) -> dict[str, Any]:
    """The JSON Schema of a function's parameters, written by pydantic."""
    with _told_of_types(name):
        schema = _without_titles(parameters.model_json_schema())
        json.dumps(schema, allow_nan=False)  # a default that no request can carry, such as infinity
    return {"type": "object", "properties": {}, **schema}


def _arguments(parameters: type[BaseModel], given: dict[str, Any]) -> dict[str, Any]:
    """The arguments that an input stands for: an object of a class where the parameter has one, and no defaults."""
    read = parameters.model_validate(given)
    return {str(parameters.model_fields[key].alias): getattr(read, key) for key in read.model_fields_set}


@contextmanager
def _told_of_types(name: str) -> Iterator[None]:
    """Types that can't be described to a model, or not be read at all, are told with the function's name."""
    from pydantic import PydanticUserError

    try:
        yield
    except (PydanticUserError, NameError, TypeError, ValueError) as error:
        words = _(
            "{name}(): the types of its parameters must be types of JSON: str, int, float, bool, list, dict, Literal. ({why})"
        )
        raise ToolError(words.format(name=name, why=str(error).partition("\n")[0])) from error


def _check_parameter(parameter: inspect.Parameter, hints: dict[str, Any], name: str) -> None:
    """Raise ToolError for a parameter that a model could not send."""
    if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
        words = _("{name}(): a tool can't have the parameter {parameter}.")
        raise ToolError(words.format(name=name, parameter=parameter))
    if parameter.name not in hints:
        words = _("{name}(): give the parameter {parameter} a type hint, for example {parameter}: str.")
        raise ToolError(words.format(name=name, parameter=parameter.name))
    if not NAME.fullmatch(parameter.name):
        words = _("{name}(): the parameter {parameter} needs a name with letters from a to z, digits and _.")
        raise ToolError(words.format(name=name, parameter=parameter.name))


def _without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without the titles that pydantic makes from names: they tell a model nothing new and cost tokens."""
    properties = {
        name: {key: value for key, value in field.items() if key != "title"}
        for name, field in schema.get("properties", {}).items()
    }
    return {**{key: value for key, value in schema.items() if key != "title"}, "properties": properties}


def _check_input(chosen: Tool, given: Any) -> None:
    """Raise ToolError if the input does not fit the tool's schema."""
    fault = next(validator()(chosen.input_schema).iter_errors(given), None)
    if fault is not None:
        raise ToolError(_("The input of {name} does not fit: {fault}.").format(name=chosen.name, fault=fault.message))


def _as_text(value: Any) -> str:
    """What a tool returned, as the text that the model reads."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        text = "\n".join(value)
    else:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    text = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate can't be sent
    if len(text) > MAX_CHARACTERS:
        left_out = len(text) - MAX_CHARACTERS
        text = text[:MAX_CHARACTERS] + "\n" + _("({count} more characters are left out.)").format(count=left_out)
    return text if text.strip() else _("(no output)")

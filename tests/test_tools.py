import functools
from collections.abc import Callable, Iterator
from datetime import date
from typing import Annotated, Literal

import pytest
from anthropic.types import ToolUseBlock
from pydantic import BaseModel, Field

from course.errors import ToolError
from course.tools import MAX_CHARACTERS, definitions_of, run_tool, tool


def greet(name: str, loud: bool = False) -> str:
    """Greet somebody.

    The name is said once.
    """
    return f"HELLO {name}!" if loud else f"Hello {name}."


def fail() -> str:
    """Always fail."""
    raise RuntimeError("out of order")


def call(name, arguments):
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}


def content(function, arguments=None):
    return run_tool([tool(function)], call(function.__name__, arguments or {}))["content"]


def test_a_definition_is_what_a_request_takes():
    assert tool(greet).definition == {
        "name": "greet",
        "description": "Greet somebody.\n\nThe name is said once.",
        "input_schema": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "loud": {"type": "boolean", "default": False}},
            "required": ["name"],
            "additionalProperties": False,
        },
    }


def test_types_of_python_become_types_of_json():
    def order(size: Literal["s", "m"], names: list[str], count: int | None = None) -> None:
        """Order."""

    properties = tool(order).input_schema["properties"]
    assert properties["size"] == {"enum": ["s", "m"], "type": "string"}
    assert properties["names"] == {"items": {"type": "string"}, "type": "array"}
    assert properties["count"] == {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}


def test_a_parameter_may_be_called_title():
    def rename(title: str) -> str:
        """Rename."""
        return title

    assert tool(rename).input_schema["properties"] == {"title": {"type": "string"}}


def test_a_parameter_may_have_any_name_that_the_api_takes(recwarn):
    def odd(_x: int, model_config: str, json: bool) -> str:
        """Be odd."""
        return f"{_x} {model_config} {json}"

    assert list(tool(odd).input_schema["properties"]) == ["_x", "model_config", "json"]
    assert content(odd, {"_x": 1, "model_config": "a", "json": True}) == "1 a True"
    assert not recwarn


def test_a_parameter_may_have_a_description_and_limits():
    def order(count: Annotated[int, Field(ge=1, description="How many.")]) -> None:
        """Order."""

    wanted = {"type": "integer", "minimum": 1, "description": "How many."}
    assert tool(order).input_schema["properties"] == {"count": wanted}


def no_docstring(path: str) -> str:
    return path


def no_hint(path) -> str:
    """Read."""
    return path


def not_english(größe: int) -> int:
    """Double."""
    return 2 * größe


def größe() -> int:
    """Measure."""
    return 2


async def waits(path: str) -> str:
    """Read."""
    return path


def yields(path: str) -> Iterator[str]:
    """Read."""
    yield path


def of_no_json(file: Callable[[], str]) -> str:
    """Read."""
    return file()


def of_no_type(file: "Fiel") -> str:  # noqa: F821
    """Read."""
    return file


def of_no_end(limit: float = float("inf")) -> float:
    """Find."""
    return limit


PLAIN = "a tool returns its result. Write it as a plain function: def, return, and neither async nor yield."
TYPES = "the types of its parameters must be types of JSON: str, int, float, bool, list, dict, Literal."


def many(*paths: str) -> str:
    """Read."""
    return " ".join(paths)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (no_docstring, "no_docstring() needs a docstring: it is what the model reads about the tool."),
        (no_hint, "no_hint(): give the parameter path a type hint, for example path: str."),
        (many, "many(): a tool can't have the parameter *paths: str."),
        (not_english, "not_english(): the parameter größe needs a name with letters from a to z, digits and _."),
        (größe, "größe: the name of a tool has letters from a to z, digits and _."),
        (waits, f"waits(): {PLAIN}"),
        (yields, f"yields(): {PLAIN}"),
        (of_no_json, f"of_no_json(): {TYPES}"),
        (of_no_type, f"of_no_type(): {TYPES} (name 'Fiel' is not defined)"),
        (of_no_end, f"of_no_end(): {TYPES} (Out of range float values are not JSON compliant)"),
        (lambda: "x", "A tool needs a name. Write it as a function with def."),
    ],
)
def test_a_function_that_no_model_could_use(function, message):
    with pytest.raises(ToolError) as caught:
        tool(function)
    assert str(caught.value).startswith(message)


def test_the_definitions_of_tools_and_those_of_server_tools_go_into_a_request():
    search = {"type": "web_search_20250305", "name": "web_search"}
    assert definitions_of([tool(greet), search]) == [tool(greet).definition, search]


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        ([greet], "greet is a function, not a tool. Put tool(...) around it."),
        ([tool(greet), "greet"], "'greet' is not a tool. Make one of a function: tool(read_file)."),
        (tool(greet), "The tools must be a list, such as [tool(read_file)]."),
        (None, "The tools must be a list, such as [tool(read_file)]."),
    ],
)
def test_what_is_no_tool_is_told_before_a_request_is_sent(tools, message):
    with pytest.raises(ToolError) as caught:
        definitions_of(tools)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("tools", "block", "message"),
    [
        (1, 2, "run_tool() takes the tools and a tool_use block of a reply; 2 is no such block."),
        (
            [],
            {"id": "toolu_1", "name": ["greet"], "input": {}},
            "run_tool() takes the tools and a tool_use block of a reply; this dict is no such block.",
        ),
        (
            [],
            {"name": "greet"},
            "run_tool() takes the tools and a tool_use block of a reply; this dict is no such block.",
        ),
        (1, call("greet", {}), "The tools must be a list, such as [tool(read_file)]."),
        ([greet], call("greet", {}), "greet is a function, not a tool. Put tool(...) around it."),
        (
            [tool(greet).definition],
            call("greet", {}),
            "run_tool() has only the definition of greet. Give it the tool itself: tool(greet).",
        ),
        (tool(greet), call("greet", {}), "The tools must be a list, such as [tool(read_file)]."),
    ],
)
def test_what_is_no_block_or_no_tools_is_told_to_the_learner(tools, block, message):
    with pytest.raises(ToolError) as caught:
        run_tool(tools, block)
    assert str(caught.value) == message


def test_a_result_carries_the_id_of_its_call():
    block = ToolUseBlock(id="toolu_9", input={"name": "Ana"}, name="greet", type="tool_use")
    assert run_tool([tool(greet)], block) == {
        "type": "tool_result",
        "tool_use_id": "toolu_9",
        "content": "Hello Ana.",
    }


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("fail", {}, "RuntimeError: out of order"),
        ("gret", {}, "ToolError: There is no tool 'gret'. The tools are: greet, fail."),
        ("greet", {}, "ToolError: The input of greet does not fit: 'name' is a required property."),
        ("greet", {"name": 7}, "ToolError: The input of greet does not fit: 7 is not of type 'string'."),
        ("greet", ["Ana"], "ToolError: The input of greet does not fit: ['Ana'] is not of type 'object'."),
    ],
)
def test_whatever_goes_wrong_goes_back_to_the_model(name, arguments, message):
    assert run_tool([tool(greet), tool(fail)], call(name, arguments)) == {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": message,
        "is_error": True,
    }


class Point(BaseModel):
    x: int
    y: int = 0


def test_a_parameter_of_a_class_gets_an_object_of_it():
    def move(to: Point, by: Literal[1, 2] = 1, day: date | None = None) -> str:
        """Move."""
        return f"{to!r} {by} {day!r}"

    assert content(move, {"to": {"x": 3.0}}) == "Point(x=3, y=0) 1 None"
    assert content(move, {"to": {"x": 3}, "by": 2, "day": "2026-11-30"}) == (
        "Point(x=3, y=0) 2 datetime.date(2026, 11, 30)"
    )


def test_a_tool_that_turns_out_to_be_async_is_told_to_the_model(recwarn):
    async def waits_inside(path: str) -> str:
        """Read."""
        return path

    @functools.wraps(waits_inside)
    def read(path: str) -> str:
        return waits_inside(path)

    result = run_tool([tool(read)], call("waits_inside", {"path": "a"}))
    assert result["is_error"]
    assert result["content"] == f"ToolError: waits_inside(): {PLAIN}"
    assert not recwarn


def test_an_error_without_a_text_goes_back_by_its_kind():
    class Odd(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    def odd() -> None:
        """Fail."""
        raise Odd

    assert run_tool([tool(odd)], call("odd", {}))["content"] == "Odd"


def returns(value):
    def answer():
        """Answer."""
        return value

    return answer


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("as it is", "as it is"),
        (["a.py", "b.py"], "a.py\nb.py"),
        ({"größe": [1, None]}, '{"größe": [1, null]}'),
        ({1, 2} and {"set": {3}}, '{"set": "{3}"}'),
        (None, "null"),
        ("", "(no output)"),
        ("lone \ud800", "lone ?"),
    ],
)
def test_what_a_tool_returns_becomes_text(value, text):
    assert content(returns(value)) == text


def test_a_long_result_is_cut_and_says_so():
    assert content(returns("x" * (MAX_CHARACTERS + 5))) == "x" * MAX_CHARACTERS + "\n(5 more characters are left out.)"


def test_an_interrupt_is_not_swallowed():
    def interrupted():
        """Stop."""
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        content(interrupted)

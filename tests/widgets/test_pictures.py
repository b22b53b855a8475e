"""The pictures are drawn from the table of stop reasons, and still say all of it where no SVG can be shown."""

import re
import xml.etree.ElementTree as ET

import pytest

from course.stop_reasons import actions, table
from course.widgets import pictures
from course.widgets.pictures import decision, life_of_a_turn, stop_reasons

DRAWN = [decision, life_of_a_turn]


def svg(picture):
    return ET.fromstring(re.search(r"<svg.*</svg>", picture.html, re.DOTALL)[0])


def lines_of(picture):
    """The texts of the picture, from top to bottom of the file."""
    return [each.text for each in svg(picture).iter("{http://www.w3.org/2000/svg}text")]


def without_tags(picture):
    """What a viewer shows that strips every tag it does not trust."""
    return re.sub(r"<[^>]+>", "", picture.html)


def test_the_decision_has_one_branch_for_each_action_of_the_table():
    lines = lines_of(decision())
    assert lines[0] == "reply.stop_reason"
    assert " ".join(lines).count("ask again") == sum("ask again" in each for each in actions().values())
    for row in table():
        assert any(row.value in line for line in lines)


def test_the_decision_names_the_action_below_its_values():
    blocks = decision().text.split("─ ")
    for row in table():
        (block,) = [each for each in blocks[1:] if row.value in each.splitlines()[0]]
        assert actions()[row.action] in block


def test_the_decision_says_what_to_do_with_a_value_that_is_not_in_the_table():
    assert decision().text.endswith("└─ anything else, or None\n     Stop, and say so. This is never a normal end.")


def test_the_life_of_a_turn_goes_from_asking_to_asking_again():
    titles = [line for line in lines_of(life_of_a_turn()) if re.match(r"\d\.|End", line)]
    assert titles == ["1. Ask", "2. Read stop_reason", "3. Run", "4. Append, then ask again (1.)", "End"]
    assert life_of_a_turn().text.splitlines()[:3] == [
        "1. Ask",
        "   Send messages and the definitions of the tools.",
        "   The model sees nothing else.",
    ]


def test_the_table_holds_every_fact():
    shown = stop_reasons()
    for row in table():
        for fact in (row.value, row.when, row.content, actions()[row.action]):
            assert fact in shown.text
            assert fact in shown.html
    assert "compaction (beta endpoint)" in shown.text


@pytest.mark.parametrize("draw", DRAWN)
def test_without_svg_its_lines_are_lines_in_the_right_order(draw):
    left = [line for line in without_tags(draw()).splitlines() if line]
    assert left == lines_of(draw())


@pytest.mark.parametrize("draw", DRAWN)
def test_nothing_is_drawn_outside_the_picture(draw):
    picture = svg(draw())
    _, _, width, height = map(int, picture.get("viewBox").split())
    texts = list(picture.iter("{http://www.w3.org/2000/svg}text"))
    assert all(int(each.get("x")) >= 0 and int(each.get("y")) < height for each in texts)
    assert all(
        int(each.get("x")) + 7.9 * len(each.text) < width + 20 for each in texts if "monospace" in each.get("style")
    )


@pytest.mark.parametrize("draw", DRAWN)
def test_text_takes_the_ink_of_the_page(draw):
    texts = svg(draw()).iter("{http://www.w3.org/2000/svg}text")
    assert {each.get("fill") for each in texts} == {"currentColor"}


def test_a_terminal_gets_the_text_and_a_browser_the_picture():
    assert repr(decision()) == decision().text
    assert decision()._repr_html_() == decision().html


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("a_word_that_is_too_long", ["a_word_that_is_too_long"]),
        ("道具を実行する", ["道具を実", "行する"]),
        ("", [""]),
    ],
)
def test_a_line_ends_before_it_is_too_long(text, lines):
    assert pictures._wrapped(text, 8) == lines

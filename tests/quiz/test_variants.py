"""Variants: what is drawn, where it is filled in, how many there are, and what is wrong with them."""

from __future__ import annotations

import re

import pytest

from course.quiz.variants import all_draws, distinct, draw, faults


def raw(variants: dict, **fields) -> dict:
    return {"id": "an-item", "kind": "one", **fields, "variants": variants}


def said(item: dict) -> list[tuple]:
    return list(faults(item))


def test_an_item_without_variants_is_left_as_it_is():
    item = {"id": "a", "stem": "It costs ${price} and $$5."}
    assert draw(item, 3) is item
    assert said(item) == []


def test_the_seed_and_the_id_decide():
    item = raw({"n": {"between": [1, 1000]}}, stem="${n}")
    assert draw(item, 1) == draw(item, 1)
    assert len({draw(item, seed)["stem"] for seed in range(50)}) > 40
    assert len({draw({**item, "id": f"item-{n}"}, 1)["stem"] for n in range(50)}) > 40


def test_a_further_variant_does_not_change_what_the_others_draw():
    before = raw({"n": {"between": [1, 1000]}}, stem="${n}")
    after = raw({"m": [1, 2], "n": {"between": [1, 1000]}}, stem="${n}", code="${m}")
    assert [draw(before, seed)["stem"] for seed in range(9)] == [draw(after, seed)["stem"] for seed in range(9)]


def test_each_value_of_a_list_is_drawn():
    item = raw({"reason": ["tool_use", "end_turn", "refusal"]}, response={"stop_reason": "${reason}"})
    assert {draw(item, seed)["response"]["stop_reason"] for seed in range(60)} == {"tool_use", "end_turn", "refusal"}


def test_a_row_keeps_together_what_belongs_together():
    rows = [{"tool": "read_log", "who": "An operator"}, {"tool": "read_ticket", "who": "A clerk"}]
    item = raw({"case": rows}, stem="${case.who} needs ${case.tool}.")
    assert {draw(item, seed)["stem"] for seed in range(40)} == {
        "An operator needs read_log.",
        "A clerk needs read_ticket.",
    }


def test_a_number_lies_between_its_ends_and_both_are_drawn():
    item = raw({"n": {"between": [3, 5]}}, claim={"requests": "${n}", "messages": "${n + 1}", "sent": "${n-2}"})
    claims = [draw(item, seed)["claim"] for seed in range(60)]
    assert {claim["requests"] for claim in claims} == {3, 4, 5}
    assert all(
        claim["messages"] == claim["requests"] + 1 and claim["sent"] == claim["requests"] - 2 for claim in claims
    )


def test_fresh_ids_differ_from_draw_to_draw_and_from_each_other():
    item = raw({"a": {"id": "toolu"}, "b": {"id": "toolu"}}, ids=["${a}", "${b}"])
    pairs = [tuple(draw(item, seed)["ids"]) for seed in range(50)]
    assert all(re.fullmatch("toolu_01[A-Za-z0-9]{4}", id) for pair in pairs for id in pair)
    assert len(set(pairs)) == 50
    assert all(first != second for first, second in pairs)


def test_of_several_that_are_taken_none_comes_twice():
    item = raw({"files": {"take": 2, "of": ["a", "b", "c"]}}, stem="${files.0} and ${files.1}", list="${files}")
    drawn = [draw(item, seed) for seed in range(60)]
    assert {each["stem"] for each in drawn} == {f"{x} and {y}" for x in "abc" for y in "abc" if x != y}
    assert all(each["stem"] == " and ".join(each["list"]) for each in drawn)


def test_alone_a_reference_takes_the_value_itself_and_inside_text_it_is_written_out():
    item = raw({"v": [{"x": [1, True, None]}]}, alone="${v.x}", inside="It is ${v.x}.", deep=[{"k": ["${v}"]}])
    assert draw(item, 0) == item | {
        "alone": [1, True, None],
        "inside": "It is [1, true, null].",
        "deep": [{"k": [{"x": [1, True, None]}]}],
    }


def test_where_only_text_can_stand_a_number_is_written_out():
    item = raw({"n": [7]}, options=[{"text": "${n}", "line": "${n}"}], whys=["${n}"])
    assert draw(item, 0)["options"] == [{"text": "7", "line": 7}]
    assert draw(item, 0)["whys"] == ["7"]


def test_a_key_is_filled_in_too():
    assert draw(raw({"call": ["toolu_01"]}, results={"${call}": "ok"}), 0)["results"] == {"toolu_01": "ok"}


def test_a_dollar_sign():
    item = raw({"n": [7]}, stem="$$5, $$$$, $$n, ${n}$$, $x, $(id) and $${n}")
    assert draw(item, 0)["stem"] == "$5, $$, $n, 7$, $x, $(id) and ${n}"
    assert said(item) == []


def test_what_was_drawn_is_not_filled_in_again():
    item = raw({"a": ["${b}"], "b": ["${a}"]}, stem="${a} ${b}")
    assert draw(item, 0)["stem"] == "${b} ${a}"


def test_id_kind_and_variants_are_not_drawn():
    item = raw({"n": [7]}, stem="${n}") | {"id": "${n}", "kind": "${n}"}
    assert draw(item, 0) == item | {"stem": "7"}


@pytest.mark.parametrize(
    ("variants", "count"),
    [
        ({"n": {"between": [1, 8]}}, 8),
        ({"n": {"between": [1, 8]}, "m": [1, 2, 3]}, 24),
        ({"n": {"between": [1, 1000]}, "m": {"between": [1, 1000]}}, 200),
        ({"n": [1, 1, 2]}, 2),
        ({"n": {"take": 2, "of": [1, 2, 3, 4]}}, 12),
        ({"n": {"id": "toolu"}}, 1),
        ({"n": {"take": 20, "of": list(range(20))}}, 200),
    ],
)
def test_how_many_differ(variants, count):
    assert distinct(raw(variants, stem="${n} ${m}")) == count


def test_all_draws_of_a_large_family_are_a_mixed_sample():
    item = raw({"n": {"between": [1, 1000]}, "m": ["a", "b"]}, stem="${m}${n}")
    stems = [each["stem"] for each in all_draws(item)]
    assert len(set(stems)) == len(stems) == 200
    assert {stem[0] for stem in stems} == {"a", "b"}
    assert stems == [each["stem"] for each in all_draws(item)]


def test_what_is_wrong_with_a_source():
    remedy = "Write a list, {between: [3, 9]}, {id: toolu} or {take: 2, of: [a, b, c]}."
    wrong = {
        "a": [],
        "b": "text",
        "c": {"between": [3]},
        "d": {"between": [9, 3]},
        "e": {"between": [1, 5000]},
        "f": {"id": "no good"},
        "g": {"take": 3, "of": [1, 2]},
        "h": {"between": [1, 2], "id": "x"},
        "i": {"between": ["1", True]},
        "j": None,
    }
    assert said(raw(wrong)) == [(("variants", name), f'"{name}" does not say what is drawn.', remedy) for name in wrong]


def test_what_is_wrong_with_names_and_references():
    item = raw(
        {"n": [1], "case": [{"a": 1}, {"b": 1}], "No": [1], "unused": [1], "text": ["x"]},
        stem="${m} ${case.a} ${n.x} ${text + 1} ${n}",
        options=[{"text": "${}"}, {"${k}": 1}],
    )
    fit = "Correct it, or add what is missing there."
    unknown = "Define it in variants. For a dollar sign write $$."
    assert said(item) == [
        (("stem",), '"${m}" is not known.', unknown),
        (("stem",), '"${case.a}" does not fit every value of the variant.', fit),
        (("stem",), '"${n.x}" does not fit every value of the variant.', fit),
        (("stem",), '"${text + 1}" does not fit every value of the variant.', fit),
        (("options", 1, "${k}"), '"${k}" is not known.', unknown),
        (
            ("variants", "No"),
            '"No" can\'t be the name of a variant.',
            "Use small letters, digits and _; begin with a letter.",
        ),
        (("variants", "unused"), 'The variant "unused" is used nowhere.', "Use it as ${unused}, or delete it."),
    ]


def test_a_short_file_does_not_become_a_huge_item():
    item = raw({"v": ["x" * 10_000]}, stem="${v}" * 10_000)
    assert said(item) == [
        (
            ("variants",),
            "What the variants fill in is much longer than the item.",
            "Make the values shorter, or use them less often.",
        )
    ]
    assert len(draw(item, 0)["stem"]) < 400_000

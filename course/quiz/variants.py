"""Variants: an item that draws its tools, names, ids and numbers anew for each session.

    variants:
      case: [{tool: read_ticket, who: a support desk}, {tool: read_log, who: an operator}]    # one row of a list
      call: {id: toolu}                                                                       # a fresh id: toolu_01Hq7d
      n: {between: [3, 9]}                                                                     # a whole number, both ends too
      files: {take: 2, of: [a.py, b.py, c.py]}                                                 # several, none of them twice

Elsewhere in the item `${n}`, `${case.tool}` and `${files.0}` stand for what was drawn, and `${n + 1}` for one more. Alone in a
value they take the value itself (a number, a list, a mapping); inside text, and where only text can stand, it is written out.
`$$` is a dollar sign.
Everything here works on raw data, before an item is checked, and never raises: faults are reported by `faults`.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import re
import string
from collections.abc import Iterator
from typing import Any

from course.quiz.filling import fill, is_known, references
from course.quiz.raw import Found, Raw
from course.words import _

__all__ = ["all_draws", "distinct", "draw", "faults"]

MOST = 1000  # whole numbers in one range: more are never needed, and all_draws counts them
NAME = re.compile(r"[a-z][a-z0-9_]*")


def draw(raw: Raw, seed: int) -> Raw:
    """The item with its variants drawn. The same seed and id give the same item."""
    sources = _sources(raw)
    if not sources:
        return raw
    values = {name: _one(source, random.Random(f"{seed}:{raw.get('id')}:{name}")) for name, source in sources.items()}
    return fill(raw, _ids_differ(values, sources))[0]


def distinct(raw: Raw, most: int = 200) -> int:
    """How many different items can be drawn, counted up to `most`. Items that differ in fresh ids only are one."""
    return sum(1 for _item in all_draws(raw, most))


def all_draws(raw: Raw, most: int = 200) -> Iterator[Raw]:
    """The different items that can be drawn; some of them if there are more than `most`. Fresh ids are the same in all."""
    sources = _sources(raw)
    seen: set[str] = set()
    for values in _combinations(sources, most):
        item = fill(raw, _ids_differ(values, sources))[0] if sources else raw
        text = json.dumps(item, sort_keys=True)
        if text not in seen:
            seen.add(text)
            yield item
        if len(seen) == most:
            return


def _combinations(sources: Raw, most: int) -> Iterator[Raw]:
    """Values for all sources: each combination if there are few, else a sample of them."""
    if math.prod(_count(source) for source in sources.values()) <= most:
        for values in itertools.product(*(_values(source) for source in sources.values())):
            yield dict(zip(sources, values, strict=True))
        return
    for seed in range(20 * most):
        dice = random.Random(seed)
        yield {name: next(_values(each)) if _is_id(each) else _one(each, dice) for name, each in sources.items()}


def faults(raw: Raw) -> Iterator[Found]:
    """What is wrong with the variants, and with each reference to them."""
    variants = raw.get("variants")
    if not isinstance(variants, dict):
        return
    sources, used = _sources(raw), set()
    for path, inside in references(raw):
        name = re.split(r"[ .+-]", inside)[0]
        used.add(name)
        if name not in variants:
            what = _('"{reference}" is not known.').format(reference=f"${{{inside}}}")
            yield path, what, _("Define it in variants. For a dollar sign write $$.")
        elif not all(is_known(inside, {name: value}) for value in _samples(sources.get(name, []))):
            what = _('"{reference}" does not fit every value of the variant.').format(reference=f"${{{inside}}}")
            yield path, what, _("Correct it, or add what is missing there.")
    for name, source in variants.items():
        yield from _source_faults(name, source, name in used)
    if sources and fill(raw, {name: next(_values(source)) for name, source in sources.items()})[1]:
        what = _("What the variants fill in is much longer than the item.")
        yield ("variants",), what, _("Make the values shorter, or use them less often.")


def _source_faults(name: str, source: Any, is_used: bool) -> Iterator[Found]:
    path = ("variants", name)
    if not NAME.fullmatch(name):
        what = _('"{name}" can\'t be the name of a variant.').format(name=name)
        yield path, what, _("Use small letters, digits and _; begin with a letter.")
    elif not _is_source(source):
        what = _('"{name}" does not say what is drawn.').format(name=name)
        yield path, what, _("Write a list, {between: [3, 9]}, {id: toolu} or {take: 2, of: [a, b, c]}.")
    elif not is_used:
        what = _('The variant "{name}" is used nowhere.').format(name=name)
        yield path, what, _("Use it as {reference}, or delete it.").format(reference=f"${{{name}}}")


def _sources(raw: Raw) -> Raw:
    """The variants that can be drawn."""
    variants = raw.get("variants")
    if not isinstance(variants, dict):
        return {}
    return {name: source for name, source in variants.items() if NAME.fullmatch(name) and _is_source(source)}


def _is_source(source: Any) -> bool:
    if isinstance(source, list):
        return bool(source)
    if not isinstance(source, dict):
        return False
    between, take, of, prefix = (source.get(key) for key in ("between", "take", "of", "id"))
    if source.keys() == {"between"}:
        ends = between if isinstance(between, list) else []
        return len(ends) == 2 and all(type(end) is int for end in ends) and 0 <= ends[1] - ends[0] < MOST
    if source.keys() == {"take", "of"}:
        return isinstance(of, list) and type(take) is int and 1 <= take <= len(of) <= 20
    return source.keys() == {"id"} and isinstance(prefix, str) and NAME.fullmatch(prefix) is not None


def _is_id(source: Any) -> bool:
    return isinstance(source, dict) and "id" in source


def _count(source: Any) -> int:
    """How many values a source has."""
    if isinstance(source, list):
        return len(source)
    if "between" in source:
        return int(source["between"][1] - source["between"][0] + 1)
    return math.perm(len(source["of"]), source["take"]) if "take" in source else 1


def _samples(source: Any) -> list[Any]:
    """Values that stand for all of them: the rows of a list may differ in form, the others can't."""
    return source if isinstance(source, list) else [next(_values(source))]


def _one(source: Any, dice: random.Random) -> Any:
    """One value of a source."""
    if isinstance(source, list):
        return dice.choice(source)
    if "between" in source:
        return dice.randint(*source["between"])
    if "take" in source:
        return dice.sample(source["of"], source["take"])
    return source["id"] + "_01" + "".join(dice.choices(string.ascii_letters + string.digits, k=4))


def _values(source: Any) -> Iterator[Any]:
    """All values of a source; of fresh ids only one, since they differ in nothing that matters."""
    if isinstance(source, list):
        yield from source
    elif "between" in source:
        yield from range(source["between"][0], source["between"][1] + 1)
    elif "take" in source:
        yield from (list(taken) for taken in itertools.permutations(source["of"], source["take"]))
    else:
        yield source["id"] + "_01"


def _ids_differ(values: Raw, sources: Raw) -> Raw:
    """The values, with an ending for an id that came twice."""
    seen: set[str] = set()
    changed = dict(values)
    for name, source in sources.items():
        if _is_id(source):
            while changed[name] in seen:
                changed[name] += "x"
            seen.add(changed[name])
    return changed

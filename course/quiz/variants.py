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

from course.quiz.raw import Found, Path, Raw

__all__ = ["all_draws", "distinct", "draw", "faults"]

FIXED = ("id", "kind", "variants")  # what a variant can't change
ALWAYS_TEXT = (
    "text",
    "stem",
    "why",
    "why_right",
    "whys",
    "code",
    "do",
    "fix",
    "says",
    "start",
    "solution",
    "pieces",
    "none",
)
MOST = 1000  # whole numbers in one range: more are never needed, and all_draws counts them
NAME = re.compile(r"[a-z][a-z0-9_]*")
_REFERENCE = re.compile(r"\$(?:\$|\{\s*([^${}]*?)\s*\})")
_INSIDE = re.compile(r"([a-z][a-z0-9_]*)((?:\.[A-Za-z0-9_-]+)*)(?:\s*([+-])\s*([0-9]{1,6}))?")
_MISSING = object()


def draw(raw: Raw, seed: int) -> Raw:
    """The item with its variants drawn. The same seed and id give the same item."""
    sources = _sources(raw)
    if not sources:
        return raw
    values = {name: _one(source, random.Random(f"{seed}:{raw.get('id')}:{name}")) for name, source in sources.items()}
    return _filled(raw, _ids_differ(values, sources))


def distinct(raw: Raw, most: int = 200) -> int:
    """How many different items can be drawn, counted up to `most`. Items that differ in fresh ids only are one."""
    return sum(1 for _item in all_draws(raw, most))


def all_draws(raw: Raw, most: int = 200) -> Iterator[Raw]:
    """The different items that can be drawn; some of them if there are more than `most`. Fresh ids are the same in all."""
    sources = _sources(raw)
    seen: set[str] = set()
    for values in _combinations(sources, most):
        item = _filled(raw, _ids_differ(values, sources)) if sources else raw
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
    for path, text in _texts(raw, ()):
        for inside in filter(None, _REFERENCE.findall(text)):
            name = re.split(r"[ .+-]", inside)[0]
            used.add(name)
            if any(_looked_up(inside, {name: value}) is _MISSING for value in _samples(sources.get(name, []))):
                what = f'"${{{inside}}}" is not in every value of the variant "{name}".'
                yield path, what, "Correct it, or add what is missing."
            elif name not in variants:
                remedy = f"The variants are: {', '.join(variants)}." if variants else "Define it in variants."
                yield path, f'"${{{inside}}}" is not known.', f"{remedy} For a dollar sign write $$."
    for name, source in variants.items():
        if not NAME.fullmatch(name):
            yield ("variants", name), f'"{name}" can\'t be the name of a variant.', "Use small letters, digits and _."
        elif not _is_source(source):
            remedy = "Write a list, {between: [3, 9]}, {id: toolu} or {take: 2, of: [a, b, c]}."
            yield ("variants", name), f'"{name}" does not say what is drawn.', remedy
        elif name not in used:
            yield ("variants", name), f'The variant "{name}" is used nowhere.', f"Use it as ${{{name}}}, or delete it."


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


def _filled(raw: Raw, values: Raw) -> Raw:
    return {key: value if key in FIXED else _fill(value, values, key) for key, value in raw.items()}


def _fill(value: Any, values: Raw, key: str) -> Any:
    """The value with its references filled in. key: the key under which it stands."""
    if isinstance(value, str):
        return _fill_text(value, values, key in ALWAYS_TEXT) if "$" in value else value
    if isinstance(value, list):
        return [_fill(each, values, key) for each in value]
    if isinstance(value, dict):
        return {_fill_text(name, values, True): _fill(each, values, name) for name, each in value.items()}
    return value


def _fill_text(text: str, values: Raw, written_out: bool) -> Any:
    whole = None if written_out else _REFERENCE.fullmatch(text)
    if whole is not None and whole[1] is not None:
        found = _looked_up(whole[1], values)
        return text if found is _MISSING else found

    def written(reference: re.Match[str]) -> str:
        if reference[1] is None:
            return "$"
        found = _looked_up(reference[1], values)
        if found is _MISSING:
            return reference[0]
        return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)

    return _REFERENCE.sub(written, text)


def _looked_up(inside: str, values: Raw) -> Any:
    """What stands between `${` and `}`, looked up; _MISSING if there is no such thing."""
    match = _INSIDE.fullmatch(inside)
    if match is None or match[1] not in values:
        return _MISSING
    found = values[match[1]]
    for step in match[2].split(".")[1:]:
        if isinstance(found, dict) and step in found:
            found = found[step]
        elif isinstance(found, list) and step.isascii() and step.isdigit() and int(step) < len(found):
            found = found[int(step)]
        else:
            return _MISSING
    if match[3]:
        return found + int(match[3] + match[4]) if type(found) is int else _MISSING
    return found


def _texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Every text of the item in which a reference may stand, with its path. A key counts as the text of its value."""
    if isinstance(value, str):
        if "$" in value:
            yield path, value
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _texts(each, (*path, at))
    elif isinstance(value, dict):
        for key, each in value.items():
            if path or key not in FIXED:
                yield from _texts(key, (*path, key))
                yield from _texts(each, (*path, key))

"""The estimate of tokens: the same for usage, for counting and for cuts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from course.offline.tokens import PER_IMAGE, count, count_request, cut


@given(text=st.text(), tokens=st.integers(0, 50))
def test_a_cut_is_a_beginning_of_at_most_so_many_tokens(text: str, tokens: int) -> None:
    part = cut(text, tokens)
    assert text.startswith(part) and count(part) <= tokens
    assert part == text or count(part) >= tokens - 1 or tokens == 0


def test_a_token_is_four_bytes() -> None:
    assert [count(text) for text in ("", "a", "four", "fours", "日本", "🛳")] == [0, 1, 1, 2, 2, 1]


def test_an_image_costs_the_same_however_long_its_base64_is() -> None:
    def size(data: str) -> int:
        source = {"type": "base64", "media_type": "image/png", "data": data}
        return count_request({"messages": [{"role": "user", "content": [{"type": "image", "source": source}]}]})

    assert size("A" * 100_000) == size("A") == PER_IMAGE + 4


def test_system_and_tools_are_counted() -> None:
    messages = [{"role": "user", "content": "Hi"}]
    alone = count_request({"messages": messages})
    system = count_request({"messages": messages, "system": [{"type": "text", "text": "Be brief."}]})
    tools = count_request({"messages": messages, "tools": [{"name": "t", "input_schema": {"type": "object"}}]})
    assert (system - alone, tools > alone) == (3, True)

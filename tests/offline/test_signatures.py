"""Signatures: what was sealed here is read again, and nothing else."""

from __future__ import annotations

import pytest

from course.offline.signatures import seal, sign, unseal


@pytest.mark.parametrize("data", [b"", b"a", bytes(range(256))])
def test_what_was_sealed_is_read_again(data: bytes) -> None:
    assert unseal(seal(data)) == data


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "bm90LXJlYWw=",
        "no base64!",
        "\u00e9",
        seal(b"a")[:-4],
        seal(b"a").swapcase(),
        seal(b"abcd")[:-2] + "V=",
        "AAAA" + seal(b"abc"),
    ],
)
def test_a_forged_signature_holds_nothing(signature: str) -> None:
    assert unseal(signature) is None


def test_half_a_character_can_be_signed() -> None:
    assert unseal(sign("\ud83d")) is not None


def test_the_same_text_has_the_same_signature_and_another_has_not() -> None:
    assert sign("a") == sign("a") != sign("b")

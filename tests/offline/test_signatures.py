"""Signatures of thinking blocks."""

from __future__ import annotations

import pytest

from course.offline.signatures import is_ours, is_sealed, sign


def test_what_was_signed_is_ours():
    assert is_ours("Look first.", sign("Look first."))


def test_a_changed_text_is_not_ours_but_its_signature_is_real():
    signature = sign("Look first.")
    assert not is_ours("Look again.", signature)
    assert is_sealed(signature)


@pytest.mark.parametrize("signature", ["", "bm90LXJlYWw=", "no base64!", "é", sign("a")[:-4], sign("a").swapcase()])
def test_a_forged_signature_is_neither(signature: str):
    assert not is_ours("Look first.", signature)
    assert not is_sealed(signature)


def test_half_a_character_can_be_signed():
    assert is_ours("\ud83d", sign("\ud83d"))


def test_the_same_text_has_the_same_signature():
    assert sign("") == sign("")

"""Rule 89: images that are too large, too many, or no images."""

from __future__ import annotations

import base64
import struct
from typing import Any

import pytest

from course.offline.rules import Context, check
from course.offline.rules.images import MOST_BYTES, image_size
from course.offline.wire import ApiFault

HEADERS = {"x-api-key": "a key", "anthropic-version": "2026-10-21"}


def png(width: int, height: int) -> bytes:
    """The beginning of a PNG file, as far as its size, and its end."""
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x02\x00\x00\x00"
    return head + b"\x00\x00\x00\x00IEND\xaeB`\x82"


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x00\x00\x00;"


def jpeg(width: int, height: int) -> bytes:
    """One segment that says nothing of the size, then the one that does."""
    return (
        b"\xff\xd8\xff\xe0"
        + struct.pack(">H", 4)
        + b"ab"
        + b"\xff\xc0"
        + struct.pack(">HBHH", 17, 8, height, width)
        + b"\x03\x00\x00\xff\xd9"
    )


def webp(form: bytes, size: bytes) -> bytes:
    data = b"WEBP" + form + size + b"\x00\x00"
    return b"RIFF" + struct.pack("<I", len(data)) + data


def webp_lossy(width: int, height: int) -> bytes:
    return webp(b"VP8 ", b"\x00" * 10 + struct.pack("<HH", width, height))


def webp_lossless(width: int, height: int) -> bytes:
    return webp(b"VP8L", b"\x00" * 4 + b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14))


def webp_extended(width: int, height: int) -> bytes:
    return webp(b"VP8X", b"\x00" * 8 + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little"))


def image(data: bytes | str, media_type: str = "image/png", **more: Any) -> dict[str, Any]:
    text = data if isinstance(data, str) else base64.b64encode(data).decode("ascii")
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": text}, **more}


def message_of(*blocks: Any, model: str = "claude-opus-5-5") -> str | None:
    """The message that refuses these blocks in a user turn; None if they are accepted."""
    try:
        check(
            {"model": model, "max_tokens": 9, "messages": [{"role": "user", "content": list(blocks)}]}, Context(HEADERS)
        )
    except ApiFault as fault:
        assert fault.status == 400
        return fault.message
    return None


@pytest.mark.parametrize(
    ("media_type", "make"),
    [
        ("image/png", png),
        ("image/gif", gif),
        ("image/jpeg", jpeg),
        ("image/webp", webp_lossy),
        ("image/webp", webp_lossless),
        ("image/webp", webp_extended),
    ],
)
def test_the_size_is_read(media_type: str, make: Any):
    assert image_size(media_type, make(300, 200)) == (300, 200)


@pytest.mark.parametrize("media_type", ["image/png", "image/gif", "image/jpeg", "image/webp"])
@pytest.mark.parametrize("make", [png, gif, jpeg, webp_lossy, webp_lossless, webp_extended])
def test_a_file_that_is_cut_off_has_no_size_and_is_no_crash(media_type: str, make: Any):
    whole = make(300, 200)
    for length in range(len(whole)):
        assert image_size(media_type, whole[:length]) in (None, (300, 200))


def test_an_image_as_large_as_may_be():
    assert message_of(image(png(8000, 8000))) is None


def test_an_image_with_too_many_pixels():
    assert message_of(image(png(1, 8001))) == (
        "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: "
        "8000 pixels"
    )


def test_an_image_that_may_be_made_smaller():
    assert message_of(image(png(1, 8001), transformations={"oversized_image": "downsize"})) is None


def test_many_images_have_a_stricter_limit():
    assert message_of(*[image(png(2001, 1))] * 20) is None
    assert message_of(*[image(png(2001, 1))] * 21) == (
        "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size "
        "for many-image requests: 2000 pixels"
    )


def test_an_image_with_too_many_bytes():
    assert message_of(image("A" * (MOST_BYTES + 4))) == (
        "messages.0.content.0.image.source.base64: image exceeds 10 MB maximum: 10485764 bytes > 10485760 bytes"
    )


def test_too_many_images():
    images = [{"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}] * 601
    assert message_of(*images[:600]) is None
    assert message_of(*images) == "Too much media: 0 document pages + 601 images > 600"
    assert message_of(*images[:101], model="claude-haiku-4-5") == "Too much media: 0 document pages + 101 images > 100"


def test_an_image_in_a_result_is_read_too():
    call = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [image(b"no image")]}
    messages = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    with pytest.raises(ApiFault) as caught:
        check({"model": "claude-opus-5-5", "max_tokens": 9, "messages": messages}, Context(HEADERS))
    assert caught.value.message == "Could not process image"


@pytest.mark.parametrize("cut", [1, 9, 12])
def test_an_image_that_was_cut_off_is_no_image(cut: int):
    assert message_of(image(png(300, 200)[:-cut])) == "Could not process image"


@pytest.mark.parametrize("data", ["A", "iVBORw0KGgo", "iVBORw0KGgo!====", "R0lGODlhLAHIAAAAADs=="])
def test_what_is_no_base64_is_no_image(data: str):
    assert message_of(image(data)) == "Could not process image"


def test_an_image_of_no_size_is_no_image():
    assert message_of(image(png(0, 0))) == "Could not process image"


def test_a_jpeg_may_have_bytes_that_fill_and_much_before_its_size():
    start, rest = jpeg(300, 200)[:2], jpeg(300, 200)[2:]
    much = (b"\xff\xe1" + struct.pack(">H", 65_535) + b"x" * 65_533) * 5
    filled = rest.replace(b"\xff\xc0", b"\xff\xff\xff\xc0")
    assert message_of(image(start + much + filled, "image/jpeg")) is None


def test_an_image_in_a_document_is_read_too():
    document = {"type": "document", "source": {"type": "content", "content": [image(b"no image")]}}
    assert message_of(document) == "Could not process image"

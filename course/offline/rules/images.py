"""Images: how many, how large, and whether they are images at all. Rule 89. (Rule 88, the media type: `own_blocks.py`.)

Sources: Claude Code's error classifier, and public captures of the limits (10 MB of base64, 8000 pixels). Only the
kind of image, its size in pixels and its end are looked at, not the picture itself.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator, Mapping
from typing import Any

from course.offline.rules.asked import Asked, refuse

__all__ = ["check_images"]

MOST_BYTES = 10 * 1024 * 1024  # of base64
MOST_PIXELS, MANY_PIXELS = 8000, 2000  # along one side: alone, and among more than `MANY` images
MANY = 20
MOST_IMAGES, MOST_IMAGES_SMALL = 600, 100  # the second for models with a small context window
SMALL_WINDOW = 200_000  # tokens


def check_images(asked: Asked) -> None:
    """Rule 89, for all images of the conversation, those in results too."""
    found = list(images(asked.body["messages"]))
    most = MOST_IMAGES_SMALL if asked.model.context_window <= SMALL_WINDOW else MOST_IMAGES
    if len(found) > most:
        raise refuse(f"Too much media: 0 document pages + {len(found)} images > {most}")
    for where, block in found:
        if block["source"]["type"] == "base64":
            check_image(where, block, many=len(found) > MANY)


def images(messages: list[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each image block, and where it stands."""
    for number, message in enumerate(messages):
        if isinstance(message.get("content"), list):
            yield from images_in(message["content"], f"messages.{number}.content")


def images_in(blocks: list[Any], where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for index, block in enumerate(blocks):
        if block["type"] == "image":
            yield f"{where}.{index}.image", block
        elif block["type"] == "tool_result" and isinstance(block.get("content"), list):
            yield from images_in(block["content"], f"{where}.{index}.tool_result.content")
        elif block["type"] == "document" and isinstance(block["source"].get("content"), list):
            yield from images_in(block["source"]["content"], f"{where}.{index}.document.source.content.content")


def check_image(where: str, block: Mapping[str, Any], *, many: bool) -> None:
    """One image whose bytes are in the request."""
    source = block["source"]
    data = source["data"]
    if len(data) > MOST_BYTES:
        raise refuse(
            f"{where}.source.base64: image exceeds {MOST_BYTES // 2**20} MB maximum: {len(data)} bytes > {MOST_BYTES} bytes"
        )
    if not data:  # Source: req_011CdtWPMVuS7jG4Tb7zgKdn
        raise refuse(f"{where}.source.base64: image cannot be empty")
    raw = decode(data)
    size = image_size(source["media_type"], raw)
    if size is None or min(size) == 0 or ENDS[source["media_type"]] not in raw:
        found = next(
            (media_type for media_type in READERS if image_size(media_type, raw) is not None), source["media_type"]
        )
        if found != source["media_type"]:  # Source: live on 2026-08-28; req_011CcKUHqhoZKBxwzCeUnRxm
            raise refuse(
                f"{where}.source.base64: The image was specified using the {source['media_type']} media type, but the "
                f"image appears to be a {found} image"
            )
        raise refuse("Could not process image")
    downsized = (block.get("transformations") or {}).get("oversized_image") == "downsize"
    limit, among = (MANY_PIXELS, " for many-image requests") if many else (MOST_PIXELS, "")
    if max(size) > limit and not downsized:
        raise refuse(
            f"{where}.source.base64.data: At least one of the image dimensions exceed max allowed size{among}: {limit} pixels"
        )


def decode(data: str) -> bytes:
    """The bytes of this base64 text; none if it is not base64."""
    try:
        return base64.b64decode(data, validate=True)
    except ValueError:
        return b""


def image_size(media_type: str, head: bytes) -> tuple[int, int] | None:
    """Width and height in pixels, from the first bytes of the file; None if it is no image of this type."""
    try:
        return READERS[media_type](head)
    except (struct.error, IndexError):  # it ends too early
        return None


def png_size(head: bytes) -> tuple[int, int] | None:
    if head[:8] != b"\x89PNG\r\n\x1a\n" or head[12:16] != b"IHDR":
        return None
    width, height = struct.unpack_from(">II", head, 16)
    return width, height


def gif_size(head: bytes) -> tuple[int, int] | None:
    if head[:6] not in (b"GIF87a", b"GIF89a"):
        return None
    width, height = struct.unpack_from("<HH", head, 6)
    return width, height


def jpeg_size(head: bytes) -> tuple[int, int] | None:
    """The size stands in the first "start of frame" segment; the segments before it are skipped by their lengths."""
    if head[:2] != b"\xff\xd8":
        return None
    place = 2
    while head[place] == 0xFF:
        marker = head[place + 1]
        if marker == 0xFF:  # one more byte to fill
            place += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", head, place + 5)
            return width, height
        place += 2 + struct.unpack_from(">H", head, place + 2)[0]
    return None


def webp_size(head: bytes) -> tuple[int, int] | None:
    """Three forms: lossy, lossless (14 bits each), and extended (24 bits each)."""
    form = head[12:16]
    if head[:4] != b"RIFF" or head[8:12] != b"WEBP" or len(head) < int.from_bytes(head[4:8], "little") + 8:
        return None
    if form == b"VP8 ":
        width, height = struct.unpack_from("<HH", head, 26)
        return width & 0x3FFF, height & 0x3FFF
    if form == b"VP8L":
        bits = struct.unpack_from("<I", head, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"VP8X" and len(head) >= 30:
        return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
    return None


READERS = {"image/png": png_size, "image/gif": gif_size, "image/jpeg": jpeg_size, "image/webp": webp_size}
# How a file of each type ends: one in which that never comes was cut. (A WebP says its length at its beginning.)
ENDS = {"image/png": b"IEND\xaeB`\x82", "image/gif": b";", "image/jpeg": b"\xff\xd9", "image/webp": b""}

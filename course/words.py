"""The words that a reader sees, in the reader's language.

Code says `_("Step")`; the catalogue of the language says what to show. English is the source. Identifiers, code and the
API's own words (`stop_reason`, `tool_use`) are never translated.
"""

from __future__ import annotations

import gettext
from pathlib import Path

__all__ = ["_", "ngettext", "use_language"]

LOCALE = Path(__file__).parent / "locale"
_catalogue: gettext.NullTranslations = gettext.translation("course", LOCALE, fallback=True)


def use_language(*languages: str) -> None:
    """Show the words of the first of these languages that has a catalogue ("ru", "ja", ...); English if none has."""
    global _catalogue
    _catalogue = gettext.translation("course", LOCALE, languages=languages, fallback=True)


def _(text: str) -> str:
    """The text in the reader's language."""
    return _catalogue.gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    """The text for this count ("1 file", "2 files"), in the reader's language."""
    return _catalogue.ngettext(one, many, count)

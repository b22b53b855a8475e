"""Write the board as a web page."""

from pathlib import Path

from harbour.timetable import DEPARTURES


def board():
    """The rows of the board, one for each harbour, as HTML."""
    rows = [f"<li>{harbour}: {', '.join(times)}</li>" for harbour, times in DEPARTURES.items()]
    return "<ul>\n" + "\n".join(rows) + "\n</ul>\n"


if __name__ == "__main__":
    Path("web/board.html").write_text(board(), encoding="utf-8")

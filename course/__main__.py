"""`python -m course`: the commands of the course."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    if sys.argv[1:] == ["doctor"]:  # it must speak even where the packages that the other commands need are missing
        from course.doctor import main as examine

        sys.exit(examine())
    from course.cli import main

    main()

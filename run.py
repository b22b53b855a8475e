"""Starts the course: `python3 run.py lab`. It needs nothing but Python 3.10 or newer.

Even an old Python must be able to read this file, to say that it is too old. What is done stands in course/bootstrap.py.
"""

import sys

if sys.version_info < (3, 10):
    sys.stderr.write(
        "This course needs Python 3.10 or newer, and this is Python {}.{}. Install a newer one from "
        "https://www.python.org/downloads/ and run the same command with it.\n".format(*sys.version_info[:2])
    )
    sys.exit(1)

if __name__ == "__main__":
    try:
        from course.bootstrap import main
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(main(sys.argv[1:]))

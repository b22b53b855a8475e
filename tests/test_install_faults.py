"""What pip, uv and the system say, and the sentence that a learner reads."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from course.install_faults import explain_oserror, explain_output

ROOT = Path("/course")
FULL = "The disk that holds /course is full. Free 1 GB, then run the same command again."
NOT_WRITABLE = (
    "No permission to write in /course. Copy the course to a folder of your own, for example in your home folder, "
    "close programs that use it, and run the same command again there."
)


@pytest.mark.parametrize(
    ("output", "start", "nothing_changed"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n", FULL, False),
        ("error: failed to write to file: There is not enough space on the disk. (os error 112)", FULL, False),
        ("error: Permission denied (os error 13)", NOT_WRITABLE, False),
        ("ERROR: [WinError 5] Access is denied: 'C:\\\\course\\\\.venv'", NOT_WRITABLE, False),
        (
            "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(': Failed to establish a "
            "new connection: [Errno -3] Temporary failure in name resolution')'\nERROR: No matching distribution found",
            "The packages can't be downloaded: no connection",
            True,
        ),
        (
            "error: Failed to fetch: `https://index.example/simple/rich/`\n  Caused by: error sending request\n"
            "  Caused by: dns error: failed to lookup address information",
            "The packages can't be downloaded: no connection",
            True,
        ),
        (
            "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: "
            "self-signed certificate in certificate chain'))",
            "The packages can't be downloaded: a proxy on this network uses a certificate of its own.",
            True,
        ),
        (
            "ERROR: Could not install packages due to an OSError: [Errno 2] No such file or directory\n"
            "HINT: This error might have occurred since this system does not have Windows Long Path support enabled.",
            "The path of this folder is too long for Windows.",
            False,
        ),
        ("ERROR: something else", "The installation failed; the lines above say why.", False),
    ],
)
def test_what_the_installer_says(output: str, start: str, nothing_changed: bool) -> None:
    fault = explain_output(output, ROOT)
    assert fault.sentence.startswith(start)
    assert fault.nothing_changed == nothing_changed


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.ENOSPC, "The disk that holds {root} is full. Free 1 GB, then run the same command again."),
        (errno.EACCES, NOT_WRITABLE.replace("/course", "{root}")),
        (errno.EROFS, NOT_WRITABLE.replace("/course", "{root}")),
        (errno.ENOTDIR, "a/file: said by the system. Mend that, then run the same command again."),
    ],
)
def test_what_the_system_says(number: int, expected: str, tmp_path: Path) -> None:
    error = OSError(number, "said by the system", "a/file")
    assert explain_oserror(error, tmp_path) == expected.format(root=tmp_path)

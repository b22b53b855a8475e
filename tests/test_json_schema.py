import subprocess
import sys

from course.json_schema import validator


def test_it_is_the_validator_of_draft_2020_12():
    assert validator().META_SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert [error.message for error in validator()({"type": "object"}).iter_errors(7)] == ["7 is not of type 'object'"]


def test_the_slow_package_is_neither_imported_nor_kept_from_others():
    code = (
        "import sys; from course.json_schema import validator; validator(); "
        "assert 'lark' not in sys.modules, 'the grammar was built'; import rfc3987_syntax"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)

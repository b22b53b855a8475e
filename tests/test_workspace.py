from pathlib import Path

import pytest

from course.errors import WorkspaceError
from course.workspace import MAX_BYTES, Workspace


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "secret.txt").write_text("not for tools", encoding="utf-8")
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "package.json").write_text('{"name": "größe"}', encoding="utf-8")
    (root / "src" / "main.py").write_text("print()\n", encoding="utf-8")
    (root / ".hidden").write_text("x", encoding="utf-8")
    return Workspace(root)


def test_lists_paths_from_the_root_with_slashes(workspace):
    assert workspace.list_files() == ["package.json", "src/main.py"]
    assert workspace.list_files("src") == ["src/main.py"]


def test_reads_utf_8(workspace):
    assert workspace.read_file("package.json") == '{"name": "größe"}'


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "src/../../secret.txt",
        "..\\secret.txt",
        "src\\..\\..\\secret.txt",
        "/etc/passwd",
        "\\etc\\passwd",
        "C:/Windows/win.ini",
        "C:secret.txt",
        "//server/share/file",
        "package.json\0.txt",
        "package.json:stream",
    ],
)
def test_nothing_outside_can_be_read_or_listed(workspace, path):
    for use in (workspace.read_file, workspace.list_files):
        with pytest.raises(WorkspaceError) as caught:
            use(path)
        assert str(caught.value) == f"{path!r} is outside the workspace."


def test_a_link_that_leads_outside_is_neither_listed_nor_read(workspace):
    (workspace.root / "link.txt").symlink_to(workspace.root.parent / "secret.txt")
    (workspace.root / "up").symlink_to(workspace.root.parent, target_is_directory=True)
    assert workspace.list_files() == ["package.json", "src/main.py"]
    for path in ("link.txt", "up/secret.txt"):
        with pytest.raises(WorkspaceError, match="is outside the workspace"):
            workspace.read_file(path)


def test_links_in_a_circle_do_not_disturb_the_list(workspace):
    (workspace.root / "a").symlink_to(workspace.root / "b")
    (workspace.root / "b").symlink_to(workspace.root / "a")
    assert {"package.json", "src/main.py"} <= set(workspace.list_files())


def test_its_name_is_seen_also_at_the_top_of_a_disk(workspace):
    assert repr(workspace) == "Workspace('project')"
    assert repr(Workspace(workspace.root.anchor)) == f"Workspace({workspace.root.anchor!r})"


def test_a_file_that_may_not_be_looked_at_is_not_listed(workspace, monkeypatch):
    resolve = Path.resolve

    def refused(self, strict=False):
        if self.name == "main.py":
            raise PermissionError(13, "Permission denied")
        return resolve(self, strict)

    monkeypatch.setattr(Path, "resolve", refused)
    assert workspace.list_files() == ["package.json"]


def test_links_in_a_circle_are_refused(workspace):
    (workspace.root / "a").symlink_to(workspace.root / "b")
    (workspace.root / "b").symlink_to(workspace.root / "a")
    with pytest.raises(WorkspaceError) as caught:
        workspace.read_file("a")
    assert str(caught.value).startswith("'a' is ")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nope.txt", "There is no file 'nope.txt' here."),
        ("src", "'src' is a folder, not a file."),
        ("x" * 5000, f"{'x' * 5000!r} is no path that can be used."),
    ],
)
def test_what_cannot_be_read_says_why(workspace, path, message):
    with pytest.raises(WorkspaceError) as caught:
        workspace.read_file(path)
    assert str(caught.value) == message


def test_a_file_that_is_no_text(workspace):
    (workspace.root / "photo.bin").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WorkspaceError) as caught:
        workspace.read_file("photo.bin")
    assert str(caught.value) == "'photo.bin' is not a UTF-8 text file."


def test_a_file_that_is_too_large(workspace):
    (workspace.root / "large.txt").write_text("x" * (MAX_BYTES + 1), encoding="utf-8")
    with pytest.raises(WorkspaceError) as caught:
        workspace.read_file("large.txt")
    assert str(caught.value) == "'large.txt' is larger than 100000 bytes."


def test_a_root_that_is_not_there(tmp_path):
    with pytest.raises(WorkspaceError) as caught:
        Workspace(tmp_path / "gone")
    assert str(caught.value) == f"There is no folder at {tmp_path / 'gone'}."


def test_the_sample_project_has_what_the_lessons_speak_of():
    files = Workspace().list_files()
    assert "package.json" in files
    assert len([name for name in files if name.endswith(".py")]) >= 3

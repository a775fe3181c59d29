"""`make files`."""

from pathlib import Path

import pytest

from runner import file_list


def test_every_source_file_has_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    file_list.main()
    listed = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert listed["store/people/held_handles.py"].startswith("Handles: ")
    assert listed["store/scripts/change_own_set.lua"]
    assert {"app.py", "workers/worker.py"} <= listed.keys()
    assert [path for path, sentence in listed.items() if not sentence.endswith((".", ":"))] == []
    assert not [path for path in listed if path.startswith("tests/")]


def test_a_sentence_ends_at_its_first_period(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text('"""Reads `a.b`\nin Python 3.15. Raises nothing."""\n')
    (tmp_path / "two.lua").write_text("#!lua\n-- Changes a set\n-- at once. Returns it.\nreturn 1\n")
    assert file_list.first_sentence(tmp_path / "one.py") == "Reads `a.b` in Python 3.15."
    assert file_list.first_sentence(tmp_path / "two.lua") == "Changes a set at once."

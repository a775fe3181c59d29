"""`plaudit.json`, the description of the running system."""

import json
from pathlib import Path

from runner.running import Running


def test_a_description_with_other_fields_is_no_running_system(tmp_path: Path) -> None:
    Running.at("http://127.0.0.1:1", "http://127.0.0.1:2/metrics", tmp_path, {}, graphiql=True).write()
    file = tmp_path / "plaudit.json"
    fields = json.loads(file.read_text())
    assert Running.read(tmp_path)

    for other in (fields | {"older": 1}, {"pid": fields["pid"]}):
        file.write_text(json.dumps(other))

        assert Running.read(tmp_path) is None

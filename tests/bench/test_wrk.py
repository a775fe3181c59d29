"""The load generator wrk: files of requests, and the result that the script prints."""

from pathlib import Path

import pytest

from bench import wrk
from bench.client import Flood, Unexpected


def test_a_file_has_the_length_before_each_request(tmp_path: Path) -> None:
    file = wrk.write(iter([b"GET / HTTP/1.1\r\n\r\n", b"x"]), tmp_path / "requests")

    assert file.read_bytes() == b"18\nGET / HTTP/1.1\r\n\r\n1\nx"


def test_the_result_is_the_last_line_of_the_output() -> None:
    output = b'Running 2s test\n  Requests/sec: 9\n{"answered": 300, "microseconds": 2000000, "wrong": 0}\n'

    flood = wrk.parse(output)

    assert flood == Flood(300, 2.0)
    assert flood.rate == 150


@pytest.mark.parametrize(
    "output",
    [b'{"answered": 300, "microseconds": 2000000, "wrong": 1}\n', b"unable to connect to 127.0.0.1:1\n", b""],
)
def test_wrong_answers_and_failures_are_errors(output: bytes) -> None:
    with pytest.raises(Unexpected):
        wrk.parse(output)

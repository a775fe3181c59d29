"""An API whose clock is a number of hours ahead, or behind if the number is negative. Run as a program."""

import sys
import time

SECONDS = float(sys.argv[1]) * 3600
_time, _time_ns = time.time, time.time_ns

time.time = lambda: _time() + SECONDS  # before any module stores a reference to time.time
time.time_ns = lambda: _time_ns() + int(SECONDS * 1_000_000_000)


if __name__ == "__main__":
    from server import serve
    from settings import Settings

    serve(Settings())

"""`plaudit dev` recovers from stores that hang, a full disk, and a clock that was wrong."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr

from identity.auth import mint
from runner.running import Running
from runner.waiting import wait_until
from settings import Settings
from tests.support.developing import Alice, developing, found

pytestmark = [pytest.mark.prove, pytest.mark.timeout(600)]
HANG_SECONDS = 30
RECOVERY_SECONDS = 30
"""A recovery takes two seconds. The supervisor pauses up to this long before it starts a program again."""
DAYS = 100
FAKETIME = [str(path) for path in Path("/usr/lib").glob("*/faketime/libfaketime.so.1")]


def alice(running: Running) -> Alice:
    """Returns a user whose token is valid now and in a hundred days."""
    settings = Settings(env="development", jwt_secret=SecretStr(running.environment["PLAUDIT_JWT_SECRET"]))
    return Alice(running.url, mint(settings, "alice", life=DAYS * 2 * 86_400))


def published(user: Alice) -> str:
    post = user.publishes()
    assert post
    assert user.others_see_likes(post, 0)
    return post


def processes(dev: subprocess.Popen[bytes], store: str) -> list[psutil.Process]:
    """Returns the processes of a store."""
    found = [child for child in psutil.Process(dev.pid).children() if child.name() == store]
    return found + [below for child in found for below in child.children(recursive=True)]


@pytest.mark.parametrize("store", ["valkey-server", "postgres"])
def test_a_store_that_hung_for_half_a_minute_is_used_again_at_once(tmp_path: Path, store: str) -> None:
    with developing(tmp_path / "data") as dev:
        user = alice(found(tmp_path / "data"))
        post = published(user)
        hanging = processes(dev, store)
        for process in hanging:
            process.suspend()
        end = time.monotonic() + HANG_SECONDS
        while time.monotonic() < end:
            user.likes(post)
        for process in hanging:
            with suppress(psutil.NoSuchProcess):  # a checkpointer or a connection that has ended
                process.resume()

        assert wait_until(lambda: user.likes(post), RECOVERY_SECONDS)
        assert user.others_see_likes(post, 1)
        assert published(user)
        assert " died;" not in (tmp_path / "dev.log").read_text()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Returns a folder with a disk of its own, which has space for 200 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["/usr/bin/mount", "-t", "tmpfs", "-o", "size=200m", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("needs permission to mount a disk")
    yield folder
    subprocess.run(["/usr/bin/umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> None:
    """Leaves no byte free."""
    file = os.open(disk / "ballast", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for size in (65536, 4096, 1):
        with suppress(OSError):
            while True:
                os.write(file, b"x" * size)
    os.close(file)


def test_a_full_disk_is_named_and_changes_go_on_when_it_has_space(small_disk: Path, tmp_path: Path) -> None:
    with developing(small_disk / "data", log := tmp_path / "dev.log"):
        user = alice(found(small_disk / "data"))
        post = published(user)

        def refused() -> bool:
            fill(small_disk)  # again, because the stores free space and use it
            return not user.likes(post)

        assert wait_until(refused, 60)
        assert "is full, so changes are refused" in said(log)
        (small_disk / "ballast").unlink()

        assert wait_until(lambda: user.likes(post), RECOVERY_SECONDS)
        assert user.others_see_likes(post, 1)
        assert "has space again" in said(log)
        assert " died;" not in log.read_text()


def said(log: Path) -> str:
    """Returns what the program printed, without the breaks of its lines."""
    return " ".join(log.read_text().split())


@pytest.mark.skipif(not FAKETIME, reason="libfaketime is missing: apt-get install faketime")
def test_users_write_and_read_after_a_clock_that_was_ahead_is_set_back(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with developing(data_dir, LD_PRELOAD=FAKETIME[0], FAKETIME=f"+{DAYS}d") as dev:
        early = published(alice(found(data_dir)))
        dev.send_signal(signal.SIGINT)
        assert dev.wait(60) == 0

    with developing(data_dir):
        user = alice(found(data_dir))
        assert user.likes(early)
        assert user.others_see_likes(early, 1)
        late = published(user)
        assert user.likes(late)
        assert user.others_see_likes(late, 1)

"""Replaces this process by another program, which ends when the parent process ends. Can give up the rights of root
first.

Run as `python -I -S launch.py PARENT_PID DEATH_SIGNAL DIRECTORY PROGRAM [ARGUMENT…]`; needs only the standard library.
It is a separate program because the alternative, a `preexec_fn` of subprocess, is unsafe in a parent with threads. If
DIRECTORY is not empty and this process runs as root, PROGRAM runs as the owner of DIRECTORY, because Postgres refuses
to run as root.
"""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

NOBODY = 65534
CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
PR_SET_KEEPCAPS = 8
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
CAP_DAC_READ_SEARCH = 2
CAPABILITY_VERSION_3 = 0x20080522


def main(parent: int, death_signal: int, directory: str, program: list[str]) -> None:
    """Replaces this process by `program`, which gets `death_signal` when the process with the id `parent` ends. If this
    process runs as root and `directory` is not empty, the program runs as the owner of `directory`. Exits if the parent
    process has already ended.
    """
    if directory and os.geteuid() == 0:
        _leave_root(Path(directory), Path(program[0]))
    # After the change of user, which clears this setting.
    _die_with_parent(parent, death_signal)
    # Python ignores these two signals, and the program would inherit that.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.execv(program[0], program)  # noqa: S606 - becoming the named program is the purpose


def _leave_root(directory: Path, program: Path) -> None:
    """Changes the user of this process to the owner of `directory`. If this user cannot enter the folders of
    `directory` or of `program`, keeps root's right to read in them.

    If root owns `directory`, the process enters a user namespace, or becomes user 65534 where namespaces are not
    allowed. Root owns a data directory only while it is being prepared, before a client can connect. Later, a server
    runs as a user id that nothing else uses.
    """
    found = directory.stat()
    owner, group = found.st_uid, found.st_gid
    if owner == 0:
        if _enter_namespace():
            return
        owner = group = NOBODY
        give(directory, NOBODY)
    folders = (*directory.parents, *program.resolve().parents)
    is_closed = not all(_lets_through(folder, owner) for folder in folders)
    if sys.platform == "linux":
        _libc_call("prctl", PR_SET_KEEPCAPS, int(is_closed))
    os.setgroups([])
    os.setgid(group)
    os.setuid(owner)
    if is_closed:
        with suppress(OSError):
            _keep_way_to_files()


def _lets_through(folder: Path, user: int) -> bool:
    found = folder.stat()
    return bool(found.st_mode & (0o100 if found.st_uid == user else 0o001))


def _enter_namespace() -> bool:
    """Enters a user namespace in which root appears as user 65534, so that no file needs another owner.

    Returns False, and changes nothing, if the machine has no user namespaces or forbids them, as most containers do.
    """
    if sys.platform != "linux":
        return False
    try:
        _libc_call("unshare", CLONE_NEWUSER)
    except OSError:
        return False
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{NOBODY} 0 1")
    Path("/proc/self/gid_map").write_text(f"{NOBODY} 0 1")
    return True


def _keep_way_to_files() -> None:
    """Keeps one of root's capabilities, so that this process can still read in folders that only root can enter, such
    as /root.
    """
    if sys.platform != "linux":
        return
    kept = 1 << CAP_DAC_READ_SEARCH
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    # Effective, permitted, inheritable, for the lower and then the upper 32 capabilities.
    data = (ctypes.c_uint32 * 6)(kept, kept, kept, 0, 0, 0)
    _libc_call("capset", header, data)
    _libc_call("prctl", PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0)


def give(directory: Path, owner: int) -> None:
    """Changes the owner of a directory and of all files in it. Changes the directory itself last, so that its owner
    tells whether the change was completed.
    """
    for folder, _, files in os.walk(directory, topdown=False):
        for path in (*(os.path.join(folder, file) for file in files), folder):  # noqa: PTH118 - thousands of them
            os.chown(path, owner, owner, follow_symlinks=False)


def _die_with_parent(parent: int, death_signal: int) -> None:
    if sys.platform != "linux":
        return
    _libc_call("prctl", PR_SET_PDEATHSIG, death_signal)
    # If the parent ended before the line above took effect, the kernel sends no signal.
    if os.getppid() != parent:
        sys.exit(1)


def _libc_call(function: str, *arguments: int | ctypes.Array[ctypes.c_uint32]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, function)(*arguments) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{function}: {os.strerror(error)}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])

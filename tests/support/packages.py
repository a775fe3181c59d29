"""The installed packages without the optional ones."""

import sysconfig
from pathlib import Path


def without_opentelemetry(folder: Path) -> Path:
    """Fills an empty folder with links to all installed packages except those of OpenTelemetry. Returns the folder."""
    for one in Path(sysconfig.get_path("purelib")).iterdir():
        if not one.name.startswith("opentelemetry"):
            (folder / one.name).symlink_to(one)
    return folder

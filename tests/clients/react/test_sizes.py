"""How many bytes a part of clients/react brings into an application, and what it leaves out."""

import gzip
from pathlib import Path

import pytest

from tests.clients.react.site import bundle
from tests.support.deployment import ROOT
from tests.support.node import needs_compiler

pytestmark = needs_compiler

PARTS = {
    "hooks": ("@plaudit/react/hooks", "PlauditProvider, useLike", 36_500),
    "LikeButton": ("@plaudit/react", "PlauditProvider, LikeButton", 44_000),
    "Comments": ("@plaudit/react", "PlauditProvider, Comments", 50_500),
}
"""Where the part comes from, what is imported, and the most bytes after gzip, without React."""
STYLE_BYTES = 2_000
EMBED_BYTES = 60_000
"""The most bytes of the style and of the script of the web components after gzip."""


STYLES = {"plaudit-act", "plaudit-dialog", "count-likes ="}
"""Words of components. All others are names of operations."""


def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def built(folder: Path, part: str) -> Path:
    """Returns an application that uses a part of the package."""
    module, names, _ = PARTS[part]
    source, target = folder / "app.ts", folder / "app.js"
    source.write_text(f'import {{ {names} }} from "{module}"; console.log({names});')
    bundle(source, target, "--external:react")
    return target


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_small(tmp_path: Path, part: str) -> None:
    size, bound = packed(built(tmp_path, part)), PARTS[part][2]

    assert 0.9 * bound < size <= bound, f"{part}: {size} bytes"


def test_the_style_is_small() -> None:
    assert packed(ROOT / "clients" / "react" / "src" / "style.css") <= STYLE_BYTES


def test_the_web_components_are_one_small_script(pages: Path) -> None:
    size = packed(pages / "embed.js")

    assert 0.9 * EMBED_BYTES < size <= EMBED_BYTES, f"{size} bytes"


@pytest.mark.parametrize(
    ("part", "kept", "left_out"),
    [
        ("hooks", ["Like"], ["plaudit-act", "AddComment", "Follow", "Report", "count-likes ="]),
        ("LikeButton", ["Like", "plaudit-act", "count-likes ="], ["AddComment", "Follow", "Report", "plaudit-dialog"]),
        ("Comments", ["Like", "AddComment", "Report"], ["PublishPost", "Notifications", "CreateCollection"]),
    ],
)
def test_an_application_gets_only_what_it_imports(
    tmp_path: Path, part: str, kept: list[str], left_out: list[str]
) -> None:
    text = built(tmp_path, part).read_text()

    assert [word for word in kept + left_out if f'("{word}")' in text or (word in STYLES and word in text)] == kept

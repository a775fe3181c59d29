"""Labels and age bands in the businesses file: their defaults, and mistakes."""

from pathlib import Path

import pytest

from settings import Settings


def settings_with(folder: Path, text: str) -> Settings:
    """Returns settings with this businesses file."""
    file = folder / "businesses.toml"
    file.write_text(text)
    return Settings(jwt_secret="s" * 32, businesses_file=file)  # type: ignore[arg-type]


def test_without_tables_there_are_no_labels(tmp_path: Path) -> None:
    found = settings_with(tmp_path, "business = []").labels
    assert (found.label, found.age_bands, found.unknown_age_band) == ((), ("child", "teen", "adult"), None)
    assert Settings(jwt_secret="s" * 32).labels.label == ()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("age_bands = []", "age_bands"),
        ('age_bands = ["a", "a"]', "two age bands share a name"),
        ('age_bands = ["A child"]', "age_bands.0"),
        ('unknown_age_band = "elder"', "unknown_age_band is elder, which is not in age_bands"),
        ('[[label]]\nid = 63\nname = "a"\ntitle = "A"', "label.0.id"),
        ('[[label]]\nid = -1\nname = "a"\ntitle = "A"', "label.0.id"),
        ('[[label]]\nid = 1\nname = "A"\ntitle = "A"', "label.0.name"),
        ('[[label]]\nid = 1\nname = "a"\ntitle = ""', "label.0.title"),
        ('[[label]]\nid = 1\nname = "a"\ntitle = "A"\nages.elder = {}', "the label a names elder"),
        ('[[label]]\nid = 1\nname = "a"\ntitle = "A"\nages.child = { visibility = "no" }', "visibility"),
        ('[[label]]\nid = 1\nname = "a"\ntitle = "A"\nfoo = 1', "label.0.foo"),
        ('[[label]]\nid = 1\nname = "a"\ntitle = "A"\n[[label]]\nid = 1\nname = "b"\ntitle = "B"', "share an id or a"),
        ('[[label]]\nid = 1\nname = "a"\ntitle = "A"\n[[label]]\nid = 2\nname = "a"\ntitle = "B"', "share an id or a"),
        ("label = 3", "label"),
    ],
)
def test_mistakes_are_reported_with_the_name_of_the_file(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as raised:
        _ = settings_with(tmp_path, text).labels
    assert "businesses.toml" in str(raised.value)

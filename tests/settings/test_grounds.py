"""Grounds in the businesses file, and mistakes in them."""

from pathlib import Path

import pytest

from settings import Settings
from settings.environment import BadSettings, read
from settings.grounds import DEFAULT_GROUNDS

BUSINESS = '[[business]]\nid = 100\nname = "video"\n'
RULES = '[[ground]]\nname = "rules"\ntitle = "Our rules"\ndefault = true\n'


def with_grounds(folder: Path, text: str) -> Settings:
    file = folder / "businesses.toml"
    file.write_text(BUSINESS + text)
    return Settings(jwt_secret="s" * 32, businesses_file=file)  # type: ignore[arg-type]


def test_a_deployment_without_grounds_has_a_list(tmp_path: Path) -> None:
    settings = with_grounds(tmp_path, "")

    assert [*settings.grounds.values()] == [*DEFAULT_GROUNDS]
    assert settings.default_ground == "rules"
    assert [ground.name for ground in DEFAULT_GROUNDS if ground.deceptive] == ["spam"]


def test_configured_grounds_replace_the_list(tmp_path: Path) -> None:
    law = '[[ground]]\nname = "insult"\nkind = "law"\ntitle = "Insult"\nurl = "https://example.com/185"\n'
    law += 'reasons = ["This insults a person"]\n'
    settings = with_grounds(tmp_path, law + RULES.replace("rules", "house", 1))

    assert [*settings.grounds] == ["insult", "house"]
    assert settings.default_ground == "house"
    assert settings.grounds["insult"].reasons == ("This insults a person",)
    assert (settings.grounds["insult"].kind, settings.grounds["insult"].deceptive) == ("law", False)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (RULES * 2, "two grounds share a name"),
        (RULES + RULES.replace("rules", "more", 1), "exactly one"),
        (RULES.replace("default = true", ""), "exactly one"),
        (RULES.replace('"rules"', '"Rules"'), "name"),
        (RULES.replace('"Our rules"', '""'), "title"),
        (RULES + 'kind = "custom"\n', "kind"),
        (RULES + 'url = "javascript:alert(1)"\n', "url"),
        (RULES + 'reasons = ["a", ""]\n', "reasons"),
        (RULES + f"reasons = {['a'] * 10}\n", "reasons"),
        (RULES + "secret = 1\n", "secret"),
    ],
)
def test_a_mistake_in_a_ground_prevents_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, complaint: str
) -> None:
    (tmp_path / "businesses.toml").write_text(BUSINESS + text)
    monkeypatch.setenv("PLAUDIT_JWT_SECRET", "s" * 32)
    monkeypatch.setenv("PLAUDIT_BUSINESSES_FILE", str(tmp_path / "businesses.toml"))

    with pytest.raises(BadSettings, match=complaint):
        read()

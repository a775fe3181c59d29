"""Mistakes in the businesses file."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from settings import ModerationSettings, PremoderationSettings, Settings

SEVENTEEN = ", ".join(f'{{ id = {100 + i}, name = "a{i}" }}' for i in range(17))
BOTH = (100, "video", "true"), (101, "chat", "false")


@pytest.mark.parametrize(
    ("tables", "complaint"),
    [
        ("[post]\nmoderation = false", r"\[post\] cannot switch moderation off; only a \[\[business\]\] can"),
        ("[comment]\nmoderation = false", r"\[comment\] cannot switch"),
        ('[comment]\ncounters = [{ id = 100, name = "a" }]', r"\[comment\] cannot have counters"),
        ('counters = [{ id = 99, name = "a" }]', "counters.0.id"),
        ('counters = [{ id = 32768, name = "a" }]', "counters.0.id"),
        ('counters = [{ id = 100, name = "A" }]', "counters.0.name"),
        ('counters = [{ id = 100, name = "a" }, { id = 100, name = "b" }]', "two counters share an id"),
        ('counters = [{ id = 100, name = "a" }]\n[post]\ncounters = [{ id = 100, name = "a" }]', "share an id"),
        ('counters = [{ id = 100, name = "a" }, { id = 101, name = "a" }]', "two counters of video share a name"),
        (f"counters = [{SEVENTEEN}]", "at most 16"),
        ('reactions = [{ id = 2, name = "a" }]', "reactions.0.id"),
        ('reactions = [{ id = 51, name = "a" }]', "reactions.0.id"),
        ('reactions = [{ id = 3, name = "like" }]', "every business has the kind like"),
        ('reactions = [{ id = 3, name = "Love" }]', "an emoji, or lower-case letters"),
        ('reactions = [{ id = 3, name = "so sad" }]', "an emoji, or lower-case letters"),
        ('reactions = [{ id = 3, name = "❤️x" }]', "an emoji, or lower-case letters"),
        ('reactions = [{ id = 3, name = "\u200d" }]', "an emoji, or lower-case letters"),
        ('reactions = [{ id = 3, name = "愛" }]', "an emoji, or lower-case letters"),
        ('reactions = [{ id = 3, name = "a" }, { id = 3, name = "b" }]', "reactions of video share an id"),
        ('reactions = [{ id = 3, name = "❤️" }, { id = 4, name = "❤" }]', "reactions of video share a name"),
        ('reactions = [{ id = 3, name = "👍" }, { id = 4, name = "👍🏽" }]', "reactions of video share a name"),
    ],
)
def test_mistakes_in_counters_and_moderation_are_reported(tmp_path: Path, tables: str, complaint: str) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text(f'[[business]]\nid = 100\nname = "video"\n{tables}\n')
    settings = Settings(jwt_secret="s" * 32, businesses_file=file)  # type: ignore[arg-type]

    with pytest.raises(ValueError, match=complaint):
        _ = settings.businesses


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("video", None),
        ("post", None),
        ("comment", "names comment, which is neither post nor a"),
        ("videos", "names videos, which is neither post nor a"),
        ("chat", "names chat, whose moderation is off"),
    ],
)
def test_only_moderated_businesses_can_be_premoderated(tmp_path: Path, name: str, complaint: str | None) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text("".join(f'[[business]]\nid = {i}\nname = "{n}"\nmoderation = {m}\n' for i, n, m in BOTH))
    rules = ModerationSettings(premoderate=PremoderationSettings(businesses=(name,)))
    settings = Settings(jwt_secret="s" * 32, businesses_file=file, moderation=rules)  # type: ignore[arg-type]

    with pytest.raises(ValueError, match=complaint) if complaint else nullcontext():
        assert settings.businesses


@pytest.mark.parametrize("name", ["love", "plus_1", "😂", "❤️", "👨‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇨🇭", "3️⃣", "™️", "🫨"])
def test_words_and_emoji_are_names_of_reactions(tmp_path: Path, name: str) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text(f'[[business]]\nid = 100\nname = "video"\nreactions = [{{ id = 3, name = "{name}" }}]\n')
    settings = Settings(jwt_secret="s" * 32, businesses_file=file)  # type: ignore[arg-type]

    assert settings.businesses[2].reactions[0].name == name

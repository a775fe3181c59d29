"""The post that announces an entity has the labels of the entity."""

from pathlib import Path

from settings import Settings
from tests.features.announcements.recipes import BUSINESSES, change, register
from tests.support.labels import CLAIMS, LABELS, aged
from tests.support.system import Person, running

POSTS = """{ user(handle: "olga") { posts { nodes { text labels { name source } } } } }"""


async def test_the_post_follows_the_labels_of_the_entity(in_feeds: Settings, tmp_path: Path) -> None:
    (tmp_path / "businesses.toml").write_text(BUSINESSES + LABELS)
    async with running(in_feeds.model_copy(update={"jwt_claims": CLAIMS})) as system:
        adult, child = aged(system, "alice", "adult"), aged(system, "bob", "child")

        async def posts(reader: Person = adult) -> list[tuple[str, list[tuple[str, str]]]]:
            nodes = (await reader.ask(POSTS))["user"]["posts"]["nodes"]
            return [(node["text"], [(one["name"], one["source"]) for one in node["labels"]]) for node in nodes]

        await register(system, "soup", labels=["adult"])
        assert await posts() == [("soup", [("adult", "SERVICE")])]
        assert await posts(child) == []
        await change(system, "soup", labels=[])
        assert await posts(child) == [("soup", [])]
        await change(system, "soup", labels=["spoiler"])
        assert await posts(child) == [("soup", [("spoiler", "SERVICE")])]

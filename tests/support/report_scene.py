"""The data with which the tests of reports begin: an author with a post and a comment, reporters, and a moderator."""

from tests.support.comments import added
from tests.support.posts import published
from tests.support.system import System


class Scene:
    """alice, who wrote a post and a comment; bob and carol, who report; and a moderator."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.alice, self.bob, self.carol = (system.person(name) for name in ("alice", "bob", "carol"))
        self.moderator = system.person("mod", "moderate")
        self.post = self.comment = self.user = self.video = ""

    async def made(self) -> "Scene":
        self.user = await self.alice.id()
        (self.post,) = await published(self.alice, "buy this")
        (self.video,) = await self.system.videos("v1", owner="alice")
        self.comment = await added(self.alice, self.video, "and that")
        await self.system.drain()
        return self

    @property
    def targets(self) -> list[str]:
        return [self.post, self.comment, self.user, self.video]

"""Bob is suspended, deletes his account or makes it private: who sees how much of him and his content."""

from dataclasses import dataclass
from enum import Enum

from tests.support.comments import add
from tests.support.deletions import cancel, delete
from tests.support.follows import change
from tests.support.private_accounts import make_private
from tests.support.social_scene import Scene, check_closed, check_hidden, made, read, traces
from tests.support.suspensions import moderator, suspend
from tests.support.system import REACT, Person, System

NOTIFICATIONS = "{ viewer { unreadNotificationCount notifications(first: 100) { nodes { message actors { id } } } } }"
MODES = ("READ_ONLY", "HIDDEN", "SHADOW", "DELETED", "CANCELLED", "PRIVATE")


class Sight(Enum):
    """How much of bob a reader sees."""

    ALL = "all"
    CLOSED = "his profile and comments"
    NOTHING = "nothing"


@dataclass
class HiddenUserCase:
    """The scene after bob was hidden in one way, and what each reader found before."""

    scene: Scene
    mode: str
    readers: dict[str, Person]
    before: dict[str, dict[str, set[str]]]

    def sight(self, name: str) -> Sight:
        """Returns how much a reader sees."""
        if name in ("bob", "moderator") or self.mode in ("READ_ONLY", "CANCELLED"):
            return Sight.ALL
        if self.mode == "PRIVATE":
            return Sight.ALL if name in ("alice", "carol") else Sight.CLOSED
        return Sight.NOTHING


async def hidden_user_case(system: System, mode: str) -> HiddenUserCase:
    """Makes the scene, in which alice and carol follow bob, and hides bob."""
    scene = await made(system)
    readers = {"alice": scene.alice, "carol": scene.carol, "bob": scene.bob, "moderator": moderator(system)}
    readers |= {"stranger": system.person("sam"), "anonymous": system.person(None)}
    before = {name: (await read(scene, reader))[0] for name, reader in readers.items()}
    assert all(scene.bob_id in found["Query.user"] for found in before.values())
    if mode == "PRIVATE":
        await make_private(scene.bob)
    elif mode == "CANCELLED":
        await delete(scene.bob, days=30)
        await cancel(scene.bob)
    elif mode == "DELETED":
        await delete(scene.bob, days=30)
        del readers["bob"]  # tests/features/deletions checks what he can do
    else:
        await suspend(readers["moderator"], scene.bob_id, mode)
    return HiddenUserCase(scene, mode, readers, before)


async def check(case: HiddenUserCase) -> None:
    """Checks all reads of all readers, and writes of a stranger."""
    for name, reader in case.readers.items():
        match case.sight(name):
            case Sight.ALL:
                found = (await read(case.scene, reader))[0]
                before = case.before[name]
                differing = {path for path in found.keys() | before.keys() if found.get(path) != before.get(path)}
                assert not differing, (name, [(path, before.get(path), found.get(path)) for path in differing])
            case Sight.CLOSED:
                await check_closed(case.scene, reader)
            case Sight.NOTHING:
                await check_hidden(case.scene, reader)
                await check_notifications(reader)
    await check_writes(case)


async def check_notifications(reader: Person) -> None:
    """Checks that each notification names a user who is not hidden, and that no other is counted."""
    viewer = (await reader.ask(NOTIFICATIONS))["viewer"]
    if viewer:
        nodes = viewer["notifications"]["nodes"]
        assert all(node["actors"] and not node["message"].startswith("Somebody") for node in nodes)
        assert viewer["unreadNotificationCount"] == len(nodes)


async def check_writes(case: HiddenUserCase) -> None:
    """Checks that a stranger cannot write about what is hidden, and that answers show nothing of it."""
    scene, sam, sight = case.scene, case.readers["stranger"], case.sight("stranger")
    hidden = {Sight.ALL: [], Sight.CLOSED: [scene.bobs[0], scene.on_bobs], Sight.NOTHING: [*scene.bobs, scene.on_bobs]}
    for id_ in hidden[sight]:
        expected = "TARGET_DELETED" if id_ == scene.answered else "TARGET_NOT_FOUND"  # a tombstone is deleted
        refused = await sam.like(id_)
        assert ([error["code"] for error in refused["userErrors"]], refused["target"]) == ([expected], None), id_
        answer = (await sam.send(REACT % "unlike", id=id_)).text
        assert '"target":null' in answer, id_
        assert not traces(scene, [answer]), id_
    if sight is not Sight.ALL:
        assert [one["code"] for one in (await add(sam, scene.bobs[0], "hello"))["userErrors"]] == ["TARGET_NOT_FOUND"]
    if sight is Sight.NOTHING:
        for verb, codes in (("follow", ["TARGET_NOT_FOUND"]), ("unfollow", [])):
            payload = await change(sam, verb, scene.bob_id)
            assert ([one["code"] for one in payload["userErrors"]], payload["user"]) == (codes, None), verb

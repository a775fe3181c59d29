"""Users whom others see in different ways, with content in every place, and vera, who knows more than others."""

import asyncio
from dataclasses import dataclass, field

from tests.support.boundaries import block, mute, mute_thread
from tests.support.collections import created, save_into
from tests.support.comments import add
from tests.support.comments import edit as edit_comment
from tests.support.follows import follow_people
from tests.support.pinned_comments import pin
from tests.support.pinned_posts import pin_post
from tests.support.posts import edit, publish
from tests.support.private_accounts import make_private
from tests.support.search import stored
from tests.support.suspensions import moderator, suspend
from tests.support.system import Person, System

PEOPLE = ("vera", "olga", "pat", "bea", "bob", "max", "hana", "sila", "newt")


@dataclass
class PrivateScene:
    """All people by name, and the ids of all objects."""

    system: System
    people: dict[str, Person]
    users: dict[str, str]
    ids: list[str] = field(default_factory=list)

    @property
    def all_ids(self) -> list[str]:
        """The ids of users, and of all objects."""
        return [*self.users.values(), *self.ids, "Topic:cats", "Topic:just-now"]


async def private_scene(system: System) -> PrivateScene:
    """Makes the scene. vera follows pat, whose account is private; blocks bea, is blocked by bob, and mutes max. hana
    and sila are suspended. vera's own account is private, and some of her changes are not stored yet.
    """
    people = {name: system.person(name) for name in PEOPLE}
    users = {name: await person.id() for name, person in people.items()}
    scene = PrivateScene(system, people, users)
    vera, olga = people["vera"], people["olga"]
    for one in people.values():
        if one is not people["newt"]:
            others = [other for other in people.values() if other not in (one, people["newt"])]
            await follow_people(one, *(others if one in (vera, olga) else [vera, olga]))
    article, closed = await system.videos("open", "closed", owner="olga", business="article")
    post = (await publish(olga, "olga's post", "cats"))["post"]["id"]
    await stored(system)
    root = (await add(olga, post, "olga's comment"))["comment"]["id"]
    scene.ids += [article, closed, post, root]
    await stored(system)
    for one in people.values():
        await _content(scene, one, article, post, root)
    await _hide(scene)
    await _pending(scene, article, post)
    return scene


async def _content(scene: PrivateScene, one: Person, article: str, post: str, root: str) -> None:
    own = (await publish(one, f"{one.handle} writes", "cats", f"only-{one.handle}"))["post"]["id"]
    await stored(scene.system)
    subjects = [(post, None), (post, root), (article, None), (own, None)]
    comments = [(await add(one, of, f"{one.handle} says {at}", to))["comment"]["id"] for at, (of, to) in
                enumerate(subjects)]  # fmt: skip
    waiting = (await publish(one, "dubious", "cats"))["post"]["id"]
    hidden = (await add(one, post, "dubious"))["comment"]["id"]
    scene.ids += [own, *comments, waiting, hidden]
    await stored(scene.system)
    liked = [post, root, article, own, *comments]
    for id_ in liked:
        assert (await one.like(id_))["userErrors"] == []
    for name, public in (("open", True), ("own", False)):
        collection = await created(one, name, public=public)
        scene.ids.append(collection)
        await save_into(one, collection, post, own, comments[0], article)
    await pin_post(one, own)
    assert (await pin(one, comments[3]))["userErrors"] == []
    await stored(scene.system)


async def _hide(scene: PrivateScene) -> None:
    people, users = scene.people, scene.users
    vera, mia = people["vera"], moderator(scene.system)
    for name in ("pat", "vera"):
        await make_private(people[name])
    for mode, name in (("HIDDEN", "hana"), ("SHADOW", "sila")):
        await suspend(mia, users[name], mode)
    await block(vera, users["bea"])
    await block(people["bob"], users["vera"])
    await mute(vera, users["max"])
    await stored(scene.system)


async def _pending(scene: PrivateScene, article: str, post: str) -> None:
    """Makes changes of vera that only she can see yet."""
    vera = scene.people["vera"]
    await follow_people(vera, scene.people["newt"])
    own = (await publish(vera, "just written", "cats", "just-now"))["post"]["id"]
    comment = (await add(vera, article, "just said"))["comment"]["id"]
    written, *said = scene.ids[4:9]  # vera's post and comments are the first that `_content` made
    await asyncio.gather(edit(vera, written, text="edited"), edit_comment(vera, said[0], text="edited"))
    await vera.unlike(article)
    await vera.react("dislike", post)
    await mute_thread(vera, post)
    scene.ids += [own, comment]

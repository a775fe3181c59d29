"""Suspended users and private accounts: every reader sees what the rules say. The checks find planted mistakes."""

import copy
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Any

import pytest

from commands import targets
from context import Context
from domain.errors import Refused
from loaders import visibility
from loaders.loader import Loader
from loaders.request import content
from loaders.request.content import Content
from loaders.request.reader import Reader
from loaders.visibility import Visibility
from models.users import SuspensionMode, UserRow
from settings import Settings
from tests.features.visibility.hidden_users import MODES, check, hidden_user_case
from tests.support.loaders import replace_loader
from tests.support.stores import standalone
from tests.support.system import running

Plant = Callable[[pytest.MonkeyPatch], None]

DAILY = {"HIDDEN", "DELETED", "PRIVATE"}
"""The modes with which `make test` runs; each of the others hides as one of them does. `make prove` runs with all."""


@standalone
@pytest.mark.timeout(180)
@pytest.mark.parametrize("mode", [pytest.param(one, marks=() if one in DAILY else pytest.mark.prove) for one in MODES])
async def test_every_reader_sees_what_the_rules_say(generous: Settings, mode: str) -> None:
    async with running(generous) as system:
        case = await hidden_user_case(system, mode)
        await check(case)
        await system.empty_redis()
        await check(case)  # from rows
        await check(case)  # from the filled cache


def answers(class_: type, name: str, value: Any) -> Plant:
    """Plants an asynchronous method that always returns a value."""

    async def method(*_: Any, **__: Any) -> Any:
        return value

    return lambda patch: patch.setattr(class_, name, method)


def hides(*modes: SuspensionMode) -> Plant:
    """Plants an error: only suspensions of these modes hide a user."""

    def is_hidden(user: UserRow, now_ms: int) -> bool:
        found = user.suspension(now_ms)
        return found is not None and found.mode in modes

    return lambda patch: patch.setattr(UserRow, "is_hidden", is_hidden)


def all_are_open(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(UserRow, "is_open", property(lambda _: True))


def anonymous_visitors_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    original = Visibility._hidden

    async def hidden(self: Visibility, users: Iterable[int], *, posts: bool) -> Any:
        return await original(self, users, posts=posts) if self.viewer_id else {}

    patch.setattr(Visibility, "_hidden", hidden)


def users_are_strangers_to_themselves(patch: pytest.MonkeyPatch) -> None:
    original = Visibility._hidden

    async def hidden(self: Visibility, users: Iterable[int], *, posts: bool) -> Any:
        stranger = copy.copy(self)
        stranger.viewer_id = None
        return await original(stranger, users, posts=posts)

    patch.setattr(Visibility, "_hidden", hidden)


def moderators_are_checked(patch: pytest.MonkeyPatch) -> None:
    original = Content.__init__

    def without_moderators(self: Content, state: Any, shared: Any, degraded: Any, reader: Reader, *rest: Any) -> None:
        original(self, state, shared, degraded, reader._replace(moderates=()), *rest)

    patch.setattr(Content, "__init__", without_moderators)


def tombstones_keep_their_text(patch: pytest.MonkeyPatch) -> None:
    original = visibility.without_hidden

    def without_hidden(rows: Sequence[Any], hidden: Any) -> Sequence[Any]:
        return [
            row if getattr(row, "answered", False) else left
            for row, left in zip(rows, original(rows, hidden), strict=True)
        ]

    patch.setattr(content, "without_hidden", without_hidden)


def comments_stay_below_hidden_posts(patch: pytest.MonkeyPatch) -> None:
    async def all_comments(_: Content, comments: Sequence[Any]) -> Sequence[Any]:
        return comments

    patch.setattr(Content, "_of_visible_posts", all_comments)


def liked_by_followed_shows_all(patch: pytest.MonkeyPatch) -> None:
    original = Content.liked_by_followed.func

    def liked_by_followed(self: Content, _: Loader[Any, Any]) -> Loader[Any, Any]:
        careless = copy.copy(self)
        careless.__dict__["users"] = self.kept_users
        return original(careless)

    replace_loader(patch, Content, "liked_by_followed", liked_by_followed)


def likers_include_private_users(patch: pytest.MonkeyPatch) -> None:
    replace_loader(patch, Content, "likers_shown", lambda shown, _: shown.users)


def profiles_are_as_private_as_posts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Visibility, "hidden_users", Visibility.hidden_authors)


def private_accounts_are_closed_to_followers(patch: pytest.MonkeyPatch) -> None:
    async def unfollowed(_: Visibility, private: Collection[int]) -> dict[int, None]:
        return dict.fromkeys(private)

    patch.setattr(Visibility, "_unfollowed", unfollowed)


def hidden_content_can_be_liked(patch: pytest.MonkeyPatch) -> None:
    original = targets.reactable

    async def reactable(context: Context, target_id: str, *field: str) -> Any:
        try:
            return await original(context, target_id, *field)
        except Refused:
            return await targets._hidden_by_user(context, target_id)

    patch.setattr(targets, "reactable", reactable)


def undoing_shows_the_target(patch: pytest.MonkeyPatch) -> None:
    original: Callable[..., Awaitable[tuple[Any, bool]]] = targets.reacted

    async def reacted(context: Context, target_id: str, *field: str) -> tuple[Any, bool]:
        return (await original(context, target_id, *field))[0], True

    patch.setattr(targets, "reacted", reacted)


def hidden_users_can_be_followed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(targets, "user", targets.kept_user)


OF_ALL: dict[str, Plant] = {
    "every account is taken as open": all_are_open,
    "posts, likes and lists are not checked": answers(Visibility, "hidden_authors", {}),
    "anonymous visitors are not checked": anonymous_visitors_are_not_checked,
    "users are strangers to themselves": users_are_strangers_to_themselves,
    "moderators are checked": moderators_are_checked,
    "comments stay below hidden posts": comments_stay_below_hidden_posts,
    "hidden content can be liked": hidden_content_can_be_liked,
    "undoing shows the target": undoing_shows_the_target,
}
OF_SUSPENSIONS: dict[str, Plant] = {
    "profiles and comments are not checked": answers(Visibility, "hidden_users", {}),
    "notifications are not checked": answers(Visibility, "unwanted_among", {}),
    "tombstones keep their text": tombstones_keep_their_text,
    "likedByFollowed shows all": liked_by_followed_shows_all,
    "hidden users can be followed": hidden_users_can_be_followed,
}
MISTAKES: dict[str, dict[str, Plant]] = {
    "READ_ONLY": {"every suspension hides": hides(*SuspensionMode)},
    "HIDDEN": {"only SHADOW hides": hides(SuspensionMode.SHADOW), **OF_ALL, **OF_SUSPENSIONS},
    "SHADOW": {"only HIDDEN hides": hides(SuspensionMode.HIDDEN), **OF_ALL, **OF_SUSPENSIONS},
    "DELETED": {
        "only suspensions hide": hides(*SuspensionMode),
        **{name: plant for name, plant in OF_ALL.items() if plant is not users_are_strangers_to_themselves},
        **OF_SUSPENSIONS,
    },
    "PRIVATE": {
        "private accounts are open": answers(Visibility, "_unfollowed", {}),
        "private accounts are closed to followers": private_accounts_are_closed_to_followers,
        "lists of private accounts are open": answers(Content, "closed_among", ()),
        "likers include private users": likers_include_private_users,
        "profiles are as private as posts": profiles_are_as_private_as_posts,
        **OF_ALL,
    },
}
"""Mistakes that a change of the code could make, by the way in which bob is hidden."""


@standalone
@pytest.mark.prove
@pytest.mark.timeout(300)
@pytest.mark.parametrize("mode", MISTAKES)
async def test_every_planted_mistake_is_found(generous: Settings, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    missed = []
    async with running(generous) as system:
        case = await hidden_user_case(system, mode)
        for name, plant in MISTAKES[mode].items():
            with monkeypatch.context() as patch:
                plant(patch)
                try:
                    await check(case)
                    missed.append(name)
                except AssertionError:
                    pass
            await check(case)  # the mistake left nothing behind that the next check would find
    assert missed == []

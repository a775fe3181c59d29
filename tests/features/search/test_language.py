"""Search with a language: words are compared by their stems."""

from collections.abc import Callable

from settings import Settings
from tests.support.posts import edit, published
from tests.support.search import found, stored
from tests.support.system import LENIENT, running


async def test_with_a_language_other_forms_of_a_word_are_found(make_settings: Callable[..., Settings]) -> None:
    settings = make_settings(moderation=LENIENT, content={"search_language": "english"})
    async with running(settings) as system:
        alice, bob = system.person("alice"), system.person("bob")
        one, *_ = await published(alice, "She is running in the mountains", "四川火锅的秘密", "Runtime errors")
        assert await found(alice, "mountain runs") == ["She is running in the mountains"], "own posts before the index"
        await stored(system)

        for words in ("mountain runs", '"runs in the mountain"', "RUN"):
            assert await found(bob, words) == ["She is running in the mountains"], words
        assert await found(bob, "火锅") == ["四川火锅的秘密"]
        assert await found(bob, '"mountains running"') == []

        await edit(alice, one, text="She was swimming")
        await stored(system)
        assert await found(bob, "swim") == ["She was swimming"]
        assert await found(bob, "mountain") == []


async def test_without_a_language_only_the_same_word_is_found(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=LENIENT)) as system:
        await published(system.person("alice"), "She is running")
        await stored(system)

        assert await found(system.person("bob"), "run") == []
        assert await found(system.person("bob"), "running") == ["She is running"]

"""The ways in which bob, or only his posts, can be hidden from alice."""

from tests.support.boundaries import block
from tests.support.private_accounts import make_private
from tests.support.suspensions import moderator, suspend
from tests.support.system import System


async def hide(system: System, how: str) -> None:
    """Hides bob, or only his posts, from alice."""
    alice, bob = system.person("alice"), system.person("bob")
    if how == "alice blocks":
        await block(alice, await bob.id())
    elif how == "bob blocks":
        await block(bob, await alice.id())
    elif how == "PRIVATE":
        await make_private(bob)
    else:
        await suspend(moderator(system), await bob.id(), how)

"""The moderation console as a moderator uses it."""

from playwright.async_api import Locator, Page, expect

from identity import auth
from settings import Settings


def moderator_token(settings: Settings, handle: str = "mia", name: str = "Mia Moser", **more: object) -> str:
    """Returns a token with the scope `moderate`."""
    return auth.mint(settings, handle, name=name, scopes=("moderate",), **more)  # type: ignore[arg-type]


async def signed_in(page: Page, url: str, token: str, path: str = "/moderation") -> None:
    """Opens the console as the page of a team does: with a token in the fragment."""
    await page.goto(f"{url}{path}#token={token}")
    await expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def case(page: Page) -> Locator:
    """Returns the case that the console shows."""
    return page.locator("article.case")


async def has_sent(page: Page) -> None:
    """Returns when the decision that was just made is sent, or was undone."""
    await expect(page.locator(".toasts [role=status] .toast")).to_have_count(0)

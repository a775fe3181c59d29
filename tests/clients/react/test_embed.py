"""The web components of clients/react on plain pages of HTML, in a real Chromium."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Request, expect

from identity import auth
from tests.clients.react.article import LIKES, add
from tests.clients.react.site import write_page
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.node import needs_compiler
from tests.support.screens import faults_of
from tests.support.subscriptions import Live

pytestmark = [
    needs_compiler,
    needs_chromium,
    pytest.mark.timeout(300),
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

SCRIPT = '<script src="embed.js"></script>'


def page_with(pages: Path, live: Live, head: str = SCRIPT, *, attributes: str = "", script: str = "") -> str:
    """Writes a page with a like button and comments. Returns its name."""
    api = f'api="http://{live.address}/graphql" {attributes}'
    like, comments = f'<plaudit-like target="video:v1" {api}>', f'<plaudit-comments subject="video:v1" {api}>'
    body = f"<h1>Tea</h1>{like}</plaudit-like>{comments}</plaudit-comments>{script}"
    write_page(pages, "plain", head, body)
    return "plain.html"


async def test_a_plain_page_has_comments_and_likes(live: Live, origin: str, pages: Path, browser: Browser) -> None:
    await add(live, "bob", "Green tea is best")
    name = page_with(pages, live, attributes=f'token="{auth.mint(live.settings, "alice")}"')
    async with page_on(browser, LAPTOP) as page:
        await page.goto(f"{origin}/{name}")
        like = page.locator("plaudit-like").get_by_role("button")
        await like.click()
        await expect(like).to_contain_text("1 like")
        comments = page.locator("plaudit-comments")
        await comments.get_by_role("textbox").fill("From a plain page")
        await comments.get_by_role("button", name="Send").click()
        own = comments.get_by_role("article").filter(has_text="From a plain page")
        await expect(own.get_by_role("button", name="Like")).to_be_visible()
        theirs = comments.get_by_role("article").filter(has_text="Green tea")
        await theirs.get_by_role("button", name="Reply").click()
        await theirs.get_by_role("textbox").fill("Why?")
        await theirs.get_by_role("button", name="Send").click()
        await expect(theirs.get_by_role("article").filter(has_text="Why?")).to_be_visible()
        await theirs.get_by_role("button", name="Report").first.click()
        dialog = page.get_by_role("dialog", name="Report this")
        await dialog.get_by_label("Spam").check()
        await dialog.get_by_role("button", name="Send report").click()
        await expect(dialog).to_contain_text("Thank you")
        await dialog.get_by_role("button", name="Close").click()
        assert await faults_of(page, "components-embed") == []
        await live.drain()

    assert await live.rows(LIKES) == [(1,)]
    assert await live.rows("SELECT count(*) FROM comments") == [(3,)]
    assert await live.rows("SELECT count(*) FROM reports") == [(1,)]


async def test_a_page_gives_the_token_when_the_user_signs_in(
    live: Live, origin: str, pages: Path, browser: Browser
) -> None:
    token = auth.mint(live.settings, "alice")
    script = f"""<script>addEventListener("plaudit-sign-in", () => {{
        for (const one of document.querySelectorAll("plaudit-like, plaudit-comments")) one.token = () => "{token}";
    }});</script>"""
    name = page_with(pages, live, attributes='language="zh-CN" theme="dark"', script=script)
    async with page_on(browser, LAPTOP) as page:
        await page.goto(f"{origin}/{name}")
        like, comments = page.locator("plaudit-like").get_by_role("button"), page.locator("plaudit-comments")
        await comments.get_by_role("button", name="登录后评论").click()
        await expect(comments.get_by_role("textbox", name="写评论")).to_be_visible()
        await like.click()
        await expect(like).to_contain_text("1 个赞")
        await expect(like).to_have_attribute("aria-pressed", "true")
        assert await faults_of(page, "components-embed-dark") == []


async def test_setting_the_same_function_again_makes_the_elements_read_anew_with_one_client(
    live: Live, origin: str, pages: Path, browser: Browser
) -> None:
    script = f"""<button id="in">Sign in</button><script>
        let current = null;
        const token = () => current;
        const all = document.querySelectorAll("plaudit-like, plaudit-comments");
        const set = () => {{ for (const one of all) one.token = token; }};
        set();
        document.getElementById("in").onclick = () => {{ current = "{auth.mint(live.settings, "alice")}"; set(); }};
    </script>"""
    name = page_with(pages, live, script=script)
    reads = list[str]()

    def note(request: Request) -> None:
        if "query+Target" in request.url or "query Target" in (request.post_data or ""):
            reads.append(request.url)

    async with page_on(browser, LAPTOP) as page:
        await page.goto(f"{origin}/{name}")
        like, comments = page.locator("plaudit-like").get_by_role("button"), page.locator("plaudit-comments")
        await expect(comments.get_by_role("button", name="Sign in to comment")).to_be_visible()
        await expect(like).to_contain_text("0 likes")
        page.on("request", note)
        await page.get_by_role("button", name="Sign in", exact=True).click()
        await expect(comments.get_by_role("textbox")).to_be_visible()
        await like.click()
        await expect(like).to_have_attribute("aria-pressed", "true")
        await live.drain()

    assert len(reads) == 1
    assert await live.rows(LIKES) == [(1,)]


async def test_the_elements_have_a_style_of_their_own_under_a_strict_policy(
    live: Live, origin: str, pages: Path, browser: Browser
) -> None:
    policy = f"default-src 'self'; img-src data:; connect-src http://{live.address}"
    (pages / "hiding.css").write_text("button { display: none } .plaudit { display: none }")
    head = f"""<meta http-equiv="Content-Security-Policy" content="{policy}">
        <link rel="stylesheet" href="hiding.css">{SCRIPT}"""
    name = page_with(pages, live, head)
    async with page_on(browser, LAPTOP) as page:
        await page.goto(f"{origin}/{name}")
        like = page.locator("plaudit-like").get_by_role("button")
        await expect(like).to_be_visible()
        await expect(like).to_have_css("cursor", "pointer")


async def test_an_element_takes_a_token_from_before_its_script_and_works_at_another_place(
    live: Live, origin: str, pages: Path, browser: Browser
) -> None:
    head = '<script defer src="embed.js"></script>'
    token = auth.mint(live.settings, "alice")
    script = f"""<script>document.querySelector("plaudit-like").token = "{token}";</script>"""
    name = page_with(pages, live, head, script=script)
    async with page_on(browser, LAPTOP) as page:
        await page.goto(f"{origin}/{name}")
        like = page.locator("plaudit-like").get_by_role("button")
        await expect(like).to_contain_text("0 likes")
        await page.evaluate("document.querySelector('h1').after(document.querySelector('plaudit-like'))")
        await expect(like).to_contain_text("0 likes")
        await like.click()
        await expect(like).to_contain_text("1 like")
        await expect(like).to_have_attribute("aria-pressed", "true")

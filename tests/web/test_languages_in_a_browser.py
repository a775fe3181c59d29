"""Checks in a real Chromium that the demo app and the moderation console speak the language of the person."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from settings import Settings
from tests.support.appeals import appeal
from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.comments import added
from tests.support.console import case, has_sent, moderator_token
from tests.support.demo import opened
from tests.support.labels import with_labels
from tests.support.posts import edit, published
from tests.support.reports import reported
from tests.support.screens import faults_of
from tests.support.statements import statements
from tests.support.subscriptions import Live, serving
from tests.support.suspensions import suspend
from tests.support.system import LENIENT

pytestmark = [needs_chromium, pytest.mark.timeout(180), pytest.mark.parametrize("redis_mode", ["standalone"])]

CHINESE: dict[str, dict[str, Any]] = {
    "laptop": {**LAPTOP, "locale": "zh-CN"},
    "phone": {**PHONE, "locale": "zh-CN"},
}
LANGUAGE = "{ viewer { language } }"
SHOWN = """() => {
    const attributes = ["aria-label", "placeholder", "title", "alt"];
    const elements = [...document.querySelectorAll(attributes.map((name) => `[${name}]`).join())];
    const labels = elements.flatMap((one) => attributes.map((name) => one.getAttribute(name) ?? ""));
    return [document.title, document.body.innerText, ...labels].join("\\n");
}"""
"""Returns all texts that a page shows or says to a screen reader."""


def latin(*texts: str) -> set[str]:
    """Returns the Latin words of texts."""
    return {word for text in texts for word in re.findall(r"[A-Za-z]{2,}", text)}


NAMES = {"Plaudit", "GraphQL", "GraphiQL"}
PEOPLE = {"alice", "bob", "carol", "mia", "Mia", "Moser"}
CONTENT = {"Tea", "tea", "number", "post", "video", "https"}
"""The names of users, topics and businesses in the community, and the words of its posts."""
QUERIES = {"green", "from", "topic", "after", "before", "has", "image"}
"""The words of the examples of queries."""
DELETED = latin("Deleted user")
"""The name of deleted users."""


async def english_of(page: Page, *allowed: str) -> set[str]:
    """Returns the Latin words that a page shows and that are neither names nor words of the community."""
    choices = await page.locator(".sign-in option, .language option").all_text_contents()
    return latin(await page.evaluate(SHOWN)) - latin(*choices) - NAMES - PEOPLE - CONTENT - set(allowed)


def language_menu(page: Page, name: str = "Language") -> Locator:
    return page.get_by_role("combobox", name=name)


async def test_a_person_changes_the_language_and_the_profile_keeps_it(live: Live, browser: Browser) -> None:
    alice = live.person("alice")
    async with page_on(browser, LAPTOP) as page:
        loaded: list[str] = []
        page.on("request", lambda request: loaded.append(request.url.rsplit("/", 1)[-1]))
        await opened(live, page)
        await expect(page.get_by_role("heading", name="Home")).to_be_visible()
        assert await page.evaluate("document.documentElement.lang") == "en"
        assert not [name for name in loaded if name.startswith("zh-Hans-")]

        await language_menu(page).select_option("简体中文")

        await expect(page.get_by_role("heading", name="首页")).to_be_visible()
        assert await page.evaluate("document.documentElement.lang") == "zh-Hans"
        await page.reload()
        await expect(page.get_by_role("heading", name="首页")).to_be_visible()
    assert await alice.ask(LANGUAGE) == {"viewer": {"language": "zh-Hans"}}


@pytest.mark.prove
async def test_a_language_that_cannot_be_loaded_leaves_the_page_in_english(live: Live, browser: Browser) -> None:
    async with page_on(browser, CHINESE["laptop"], expected="Failed to load resource") as page:
        await page.route("**/zh-Hans-*", lambda route: route.abort())
        await opened(live, page)
        await expect(page.get_by_role("heading", name="Home")).to_be_visible()
        await language_menu(page).select_option("简体中文")
        await expect(page.get_by_role("alert")).to_have_text("The language could not be loaded.")
        await expect(language_menu(page)).to_have_value("en")
        assert await page.evaluate("localStorage.getItem('plaudit.language')") is None


@pytest.mark.prove
async def test_another_browser_shows_the_language_of_the_profile(live: Live, browser: Browser) -> None:
    await live.person("alice").ask('mutation { setLanguage(input: {language: "zh-Hans"}) { userErrors { code } } }')
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await expect(page.get_by_role("heading", name="首页")).to_be_visible()
        await language_menu(page, "语言").select_option("English")
        await expect(page.get_by_role("heading", name="Home")).to_be_visible()
        await page.reload()
        await expect(page.get_by_role("heading", name="Home")).to_be_visible()


@pytest.mark.prove
@pytest.mark.parametrize(
    ("locale", "language"), [("zh-CN", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-TW", "en"), ("de-DE", "en")]
)
async def test_a_new_person_reads_the_language_of_the_browser(
    live: Live, browser: Browser, locale: str, language: str
) -> None:
    async with page_on(browser, {**LAPTOP, "locale": locale}) as page:
        await opened(live, page, user=None)
        await expect(page.get_by_role("article").first).to_be_visible()
        assert await page.evaluate("document.documentElement.lang") == language


@pytest.mark.prove
@pytest.mark.timeout(600)
@pytest.mark.parametrize("device", CHINESE)
async def test_no_screen_of_the_app_has_english_in_chinese(live: Live, browser: Browser, device: str) -> None:
    ((newest,),) = await live.rows("SELECT max(post_id) FROM posts")
    await live.person("bob").like(await added(live.person("alice"), f"Post:{newest}", "Tea, tea"))
    await live.drain()
    paths = ["/", "/square", "/search", "/search?q=tea", "/search?q=bob&tab=people", "/topics", "/topics/tea"]
    paths += ["/users/bob", "/users/alice", "/notifications", "/favourites", "/boundaries", "/filters", "/account"]
    paths += [f"/posts/Post:{newest}", "/posts/Post:1"]
    found: dict[str, Any] = {}
    async with page_on(browser, CHINESE[device]) as page:
        await opened(live, page, "/")
        for path in paths:
            await page.goto(f"http://{live.address}{path}")
            await page.wait_for_load_state("networkidle")
            found[path] = (await english_of(page, *QUERIES, *DELETED), await faults_of(page, f"chinese-{device}"))
        await page.goto(f"http://{live.address}/posts/Post:{newest}")
        await open_menu_of(page, "更多")
        found["menu"] = (await english_of(page), await faults_of(page, f"chinese-menu-{device}"))
    assert {path: faults for path, faults in found.items() if faults != (set(), [])} == {}


async def open_menu_of(page: Page, name: str) -> None:
    """Opens the menu of the first post or comment of a page."""
    await page.get_by_role("main").get_by_role("button", name=name).first.click()
    await expect(page.get_by_role("dialog").first).to_be_visible()


@pytest.mark.prove
@pytest.mark.timeout(600)
@pytest.mark.parametrize("device", CHINESE)
async def test_no_screen_of_the_console_has_english_in_chinese(
    make_settings: Callable[..., Settings], browser: Browser, device: str
) -> None:
    found: dict[str, Any] = {}
    async with serving(make_settings(port=0, moderation=LENIENT, moderation_console=True)) as live:
        alice, bob = live.person("alice"), live.person("bob")
        first, _ = await published(bob, "Tea number 1", "Tea number 2")
        await live.drain()
        await reported(alice, first, "SPAM", "Tea")
        await reported(alice, await bob.id(), "IMPERSONATION", "Tea")
        await live.drain()
        grounds = latin(*(one["title"] for one in (await alice.ask("{ grounds { title } }"))["grounds"]))
        url = f"http://{live.address}"
        async with page_on(browser, CHINESE[device]) as page:
            await page.goto(f"{url}/moderation")
            await expect(page.get_by_label("粘贴令牌")).to_be_visible()
            found["sign-in"] = (await english_of(page, "moderate"), await faults_of(page, f"chinese-sign-in-{device}"))
            await page.goto(f"{url}/moderation#token={moderator_token(live.settings)}")
            await expect(case(page)).to_contain_text("Tea number 1")
            await page.keyboard.press("s")
            found["queue"] = (await english_of(page, *grounds), await faults_of(page, f"chinese-queue-{device}"))
            await page.get_by_role("heading", name="待审队列").click()
            await page.keyboard.press("1")
            await page.keyboard.press("r")
            await expect(page.get_by_role("button", name="撤销 (U)")).to_be_visible()
            found["undo"] = (await english_of(page, *grounds), await faults_of(page, f"chinese-undo-{device}"))
            await has_sent(page)
            for name, path in (("log", "/log"), ("user", f"/users/{await bob.id()}"), ("content", f"/content/{first}")):
                await page.goto(f"{url}/moderation{path}")
                await page.wait_for_load_state("networkidle")
                found[name] = (await english_of(page, *grounds), await faults_of(page, f"chinese-{name}-{device}"))
            await page.keyboard.press("?")
            found["keys"] = (await english_of(page, *grounds), await faults_of(page, f"chinese-keys-{device}"))
    assert {name: faults for name, faults in found.items() if faults != (set(), [])} == {}


@pytest.mark.prove
@pytest.mark.timeout(600)
@pytest.mark.parametrize("device", CHINESE)
async def test_the_console_has_no_english_in_chinese_where_it_decides_about_many_cases_and_appeals(
    make_settings: Callable[..., Settings], browser: Browser, device: str, tmp_path: Path
) -> None:
    found: dict[str, Any] = {}
    changes: dict[str, Any] = {
        "businesses_file": with_labels(tmp_path),
        "moderation": LENIENT,
        "database_timeout": 15.0,
    }
    async with serving(make_settings(port=0, moderation_console=True, **changes)) as live:
        alice, bob, noor = live.person("alice"), live.person("bob"), live.person("noor", "moderate")
        first, second = await published(bob, "Tea number 1", "Tea number 2")
        await live.drain()
        assert (await edit(bob, first, text="Tea number 1, tea"))["userErrors"] == []
        await live.drain()
        bob_id = await bob.id()
        for target in (first, second, bob_id):
            await reported(alice, target, "SPAM", "Tea")
        await suspend(noor, bob_id, "READ_ONLY", reason="Tea")
        await live.drain()
        await appeal(bob, (await statements(bob))[0]["id"], "Tea")
        await live.drain()
        names = await alice.ask("{ grounds { title } labels { title } }")
        data = latin(*(one["title"] for some in names.values() for one in some)) | {"noor"}
        url = f"http://{live.address}/moderation"
        async with page_on(browser, CHINESE[device]) as page:

            async def look(name: str, *allowed: str) -> None:
                found[name] = (
                    await english_of(page, *data, *allowed),
                    await faults_of(page, f"chinese-{name}-{device}"),
                )

            await page.goto(f"{url}?source=REPORTS#token={moderator_token(live.settings)}")
            await page.get_by_text("保存这些筛选条件").click()
            await page.get_by_label("队列名称").fill("Tea")
            await look("unsaved-queue")
            await page.get_by_role("button", name="保存", exact=True).click()
            await expect(page.get_by_role("link", name="Tea")).to_have_attribute("aria-current", "page")
            await look("saved-queue")

            await case(page).get_by_text("以前的版本").click()
            await expect(case(page).get_by_role("list", name="以前的版本")).to_be_visible()
            await case(page).get_by_text("标签", exact=True).click()
            await expect(case(page).get_by_role("button", name="设置标签")).to_be_visible()
            await look("labels-and-versions")

            size = page.viewport_size or LAPTOP["viewport"]
            await page.set_viewport_size(LAPTOP["viewport"])  # small screens have no list in which to choose cases
            await page.get_by_label("选择全部显示的项").check()
            await page.set_viewport_size(size)
            await expect(page.get_by_role("region", name="对所选项的处理")).to_contain_text("已选择 3 项。")
            await look("bulk")
            await page.get_by_role("button", name="全部不通过").click()
            await look("bulk-undo")
            summary = page.get_by_role("alert").filter(has_text="完成 2 项")
            await expect(summary).to_contain_text("此决定不适用于这类待审项。", timeout=60_000)
            await look("bulk-summary")

            await page.goto(f"{url}?source=APPEALS&kind=USER")
            await expect(case(page).get_by_role("article", name="封禁")).to_be_visible()
            await look("appeal")
            await case(page).get_by_label("申诉处理的原因").fill("Tea")
            await case(page).get_by_role("button", name="支持申诉").click()
            await look("appeal-undo")
            await has_sent(page)

            await page.goto(f"{url}/transparency")
            year = await page.evaluate("new Date().getUTCFullYear()")
            await page.get_by_label("起始日期").fill(f"{year}-01-01")
            await page.get_by_label("截止日期").fill(f"{year + 1}-01-01")
            await page.get_by_role("button", name="统计").click()
            await expect(page.get_by_role("table", name="理由说明")).to_be_visible()
            categories = await page.locator(".counts td:nth-child(2)").all_text_contents()
            await look("transparency", "CSV", "plaudit", "transparency", *latin(*categories))
    assert len(found) == 9
    assert {name: faults for name, faults in found.items() if faults != (set(), [])} == {}

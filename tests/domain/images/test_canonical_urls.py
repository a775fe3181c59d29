"""Which image URLs may be posted, and their normal form."""

import posixpath
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.errors import ImageNotAllowed
from domain.images.canonical_urls import LONGEST, canonical
from tests.support.image_urls import HOME, LOCAL, PLAIN, REFUSED

HOSTS = frozenset({"images.example.com", "cdn.example.com:8443"})

PIECES = (
    *(
        "/",
        "//",
        "a",
        "B",
        "cat.jpg",
        ".",
        "..",
        "%2e",
        "%2E",
        "%2f",
        "%5C",
        "%00",
        "%0a",
        "%7f",
        "%7e",
        "%c3%A9",
        "%25",
    ),
    *(
        "%252e",
        "?",
        "&",
        "=",
        "#",
        "@",
        ":",
        ";",
        "+",
        "e=1",
        "s=80",
        "%73=1",
        "w=200",
        "é",
        " ",
        "\n",
        "\\",
        "%",
        "%g",
    ),
    "e=1893456000&k=a&s=tLZpmtHkL0p_pSFyUjQOeQ",
)
TAILS = st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=8).map("".join)
"""Texts after the host of a URL, most of them almost valid."""
ORIGINS = st.sampled_from(
    (HOME, HOME, "HTTPS://Images.Example.COM:443", "https://cdn.example.com:8443", "https://a.example")
)
URLS = st.builds("{}{}".format, ORIGINS, st.just("/") | st.just("") | st.just("?")).flatmap(
    lambda start: TAILS.map(lambda tail: start + tail)
)


@pytest.mark.parametrize(
    ("url", "stored"),
    [
        (f"{HOME}/cat.jpg", f"{HOME}/cat.jpg"),
        ("HTTPS://Images.Example.Com:443/Cat.JPG", f"{HOME}/Cat.JPG"),
        ("https://cdn.example.com:8443/cat.jpg", "https://cdn.example.com:8443/cat.jpg"),
        (HOME, f"{HOME}/"),
        (f"{HOME}?w=200", f"{HOME}/?w=200"),
        (f"{HOME}/cat.jpg?", f"{HOME}/cat.jpg"),
        (f"{HOME}/cat.jpg?w=200&w=300&fit", f"{HOME}/cat.jpg?w=200&w=300&fit"),
        (f"{HOME}/%63%61t%2ejpg?q=%7e%2f%c3%a9", f"{HOME}/cat.jpg?q=~%2F%C3%A9"),
        (f"{HOME}/a//b/.../c..d", f"{HOME}/a//b/.../c..d"),
        (f"{HOME}/%252e%252e/a", f"{HOME}/%252e%252e/a"),
        (f"{HOME}/a?e=1893456000&k=2029a&s=tLZpmtHkL0p_pSFyUjQOeQ", f"{HOME}/a"),
        (f"{HOME}/a?w=200&e=1893456000&k=2029a&s=tLZpmtHkL0p_pSFyUjQOeQ", f"{HOME}/a?w=200"),
        (f"{HOME}/a&e=1&k=a&s=tLZpmtHkL0p_pSFyUjQOeQ", f"{HOME}/a&e=1&k=a&s=tLZpmtHkL0p_pSFyUjQOeQ"),
        (f"{HOME}/{'a' * (LONGEST - len(HOME) - 1)}", f"{HOME}/{'a' * (LONGEST - len(HOME) - 1)}"),
    ],
)
def test_a_url_has_one_normal_form(url: str, stored: str) -> None:
    assert canonical(url, HOSTS) == stored


@pytest.mark.parametrize("url", REFUSED)
def test_a_url_that_is_no_image_of_an_allowed_host_is_refused(url: str) -> None:
    with pytest.raises(ImageNotAllowed):
        canonical(url, HOSTS)


def test_without_allowed_hosts_no_url_is_accepted() -> None:
    with pytest.raises(ImageNotAllowed):
        canonical(f"{HOME}/cat.jpg", ())


@pytest.mark.parametrize(
    ("url", "stored"),
    [
        ("http://127.0.0.1:3000/cat.jpg", "http://127.0.0.1:3000/cat.jpg"),
        ("HTTP://LocalHost:80", "http://localhost/"),
        (f"{HOME}/cat.jpg", f"{HOME}/cat.jpg"),
    ],
)
def test_urls_of_this_machine_can_be_allowed(url: str, stored: str) -> None:
    assert canonical(url, HOSTS, loopback=True) == stored
    assert canonical(stored, HOSTS, loopback=True) == stored


@pytest.mark.parametrize("url", [url for url in REFUSED if url not in LOCAL])
def test_no_other_url_is_allowed_with_those_of_this_machine(url: str) -> None:
    with pytest.raises(ImageNotAllowed):
        canonical(url, HOSTS, loopback=True)


@given(PLAIN)
def test_ordinary_urls_are_accepted(url: str) -> None:
    assert canonical(url, HOSTS).startswith(HOME)


@given(URLS)
@example(f"{HOME}?e=1&k=a&s=tLZpmtHkL0p_pSFyUjQOeQ&")
@example(f"{HOME}/{'%7e' * 600}")
def test_an_accepted_url_is_in_normal_form_and_unambiguous(url: str) -> None:
    try:
        stored = canonical(url, HOSTS)
    except ImageNotAllowed:
        return

    parts = urlsplit(stored)
    path = unquote(parts.path)
    assert canonical(stored, HOSTS) == stored
    assert len(stored) <= LONGEST
    assert stored.isascii()
    assert stored.isprintable()
    assert (parts.scheme, parts.netloc in HOSTS, parts.fragment) == ("https", True, "")
    assert path.startswith("/")
    assert "\\" not in path
    assert path.count("/") == parts.path.count("/")
    assert posixpath.normpath(path).lstrip("/") == "/".join(segment for segment in path.split("/") if segment)

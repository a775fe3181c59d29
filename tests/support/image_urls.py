"""URLs of images."""

from hypothesis import strategies as st

from domain.images.canonical_urls import LONGEST

HOME = "https://images.example.com"


PLAIN = st.builds(
    lambda path, query: f"{HOME}/{'/'.join(path)}" + (f"?{'&'.join(query)}" if query else ""),
    st.lists(st.sampled_from(("a", "B", "%7e", "%c3%a9", "x.jpg", "a&b", "...", "")), max_size=5),
    st.lists(
        st.sampled_from(("w=200", "w=200", "q", "=", "", "x=%2f..%2F", "u=https://a?b", "ee=1", "%6b2=0")), max_size=4
    ),
)
"""Image URLs that are accepted."""

LOCAL = ("http://127.0.0.1/", "http://127.0.0.1:8000/cat.jpg", "http://localhost/", "http://LOCALHOST:80/")
"""URLs of this machine, which only development allows."""

REFUSED = [
    "",
    "cat.jpg",
    "//images.example.com/cat.jpg",
    "http://images.example.com/cat.jpg",
    "http\u017f://images.example.com/cat.jpg",
    "javascript:alert(1)//images.example.com/",
    "https://example.com/cat.jpg",
    "https://images.example.com.evil.example/cat.jpg",
    "https://evil-images.example.com/cat.jpg",
    "https://images.example.com./cat.jpg",
    "https://images.example.com:8443/cat.jpg",
    "https://images.example.com:/cat.jpg",
    "https://images.example.com:0443/cat.jpg",
    "https://cdn.example.com/cat.jpg",
    "https://alice@images.example.com/cat.jpg",
    "https://alice:secret@images.example.com/cat.jpg",
    "https://evil.example\\@images.example.com/cat.jpg",
    "https://images.example.com\\.evil.example/cat.jpg",
    "https://images.example.com%2f/cat.jpg",
    "https:///cat.jpg",
    f"{HOME}/cat.jpg#",
    f"{HOME}/cat.jpg#whiskers",
    f" {HOME}/cat.jpg",
    f"{HOME}/cat.jpg\n",
    f"{HOME}/c at.jpg",
    f"{HOME}/c\0at.jpg",
    f"{HOME}/c%00at.jpg",
    f"{HOME}/cat.jpg?q=%0d%0aX-Header:%20a",
    f"{HOME}/cat.jpg?q=%7f",
    f"{HOME}/c\tat.jpg",
    f"{HOME}/猫.jpg",
    f"{HOME}/ca%t.jpg",
    f"{HOME}/cat.jpg%",
    f"{HOME}/cat.jpg%2",
    f"{HOME}/.",
    f"{HOME}/a/../b",
    f"{HOME}/a/..",
    f"{HOME}/a/%2e%2E/b",
    f"{HOME}/a/.%2e/b",
    f"{HOME}/a/..%2fb",
    f"{HOME}/a%2Fb",
    f"{HOME}/a%5c..%5cb",
    f"{HOME}/cat.jpg?s=80",
    f"{HOME}/cat.jpg?%73=80",
    f"{HOME}/cat.jpg?w=1&k",
    f"{HOME}/cat.jpg?e=1&w=1",
    f"{HOME}/cat.jpg?e=1&k=a&s=tLZpmtHkL0p_pSFyUjQOeQ&e=1&k=a&s=tLZpmtHkL0p_pSFyUjQOeQ",
    f"{HOME}/{'a' * (LONGEST - len(HOME))}",
    f"{HOME}/{'a' * 100_000}",
    *LOCAL,
    *("http://127.1/", "http://0x7f.1/", "http://2130706433/", "http://[::1]/", "http://0.0.0.0/", "http://10.0.0.1/"),
    "https://127.0.0.1/cat.jpg",
    "https://localhost/cat.jpg",
    "http://localhost:0/cat.jpg",
    "http://127.0.0.1.evil.example/cat.jpg",
    "http://alice@127.0.0.1/cat.jpg",
    f"{HOME}/\u202egpj.exe",
    f"{HOME}/cat\u200b.jpg",
    "https://\u202eimages.example.com/cat.jpg",
    "https://\uff49mages.example.com/cat.jpg",
    "https://images\u3002example.com/cat.jpg",
    "https://im\u0430ges.example.com/cat.jpg",
    "data:image/png;base64,AAAA",
    "ftp://images.example.com/cat.jpg",
    "blob:https://images.example.com/cat",
]
"""URLs that are refused, although `images.example.com` and `cdn.example.com:8443` are image hosts."""

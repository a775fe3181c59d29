"""URLs of images."""

from hypothesis import strategies as st

HOME = "https://images.example.com"


PLAIN = st.builds(
    lambda path, query: f"{HOME}/{'/'.join(path)}" + (f"?{'&'.join(query)}" if query else ""),
    st.lists(st.sampled_from(("a", "B", "%7e", "%c3%a9", "x.jpg", "a&b", "...", "")), max_size=5),
    st.lists(
        st.sampled_from(("w=200", "w=200", "q", "=", "", "x=%2f..%2F", "u=https://a?b", "ee=1", "%6b2=0")), max_size=4
    ),
)
"""Image URLs that are accepted."""

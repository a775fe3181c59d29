"""Draws the avatars of the demo data: a portrait of flat shapes, which depends on the handle only."""

from random import Random

from seed.svg import box, circle, ellipse, fade, line, path, svg

_BACKGROUNDS = (
    ("#ffd7a8", "#f79d84"), ("#bfe3d0", "#6db5a3"), ("#c9d6ff", "#8391e0"), ("#ffc9d4", "#e87f9c"),
    ("#fdebb0", "#eec15b"), ("#c6e6f5", "#6fb0d8"), ("#e0d0f5", "#a585d6"), ("#d5e5b4", "#93b768"),
)  # fmt: skip
_SKINS = ("#f6d3b8", "#eab892", "#d79a6f", "#b5764c", "#8c5636", "#64391f")
_HAIR = ("#2a211f", "#4a2f22", "#7b4a2b", "#b5763a", "#d9ab5e", "#8b8d95", "#3a2a4d")
_SHIRTS = ("#37406b", "#b8434e", "#2f7163", "#e0a030", "#f3efe6", "#5b4a80", "#d06b3c", "#25506e")


def portrait(handle: str) -> str:
    """Returns the portrait of a user as SVG."""
    chance = Random(handle)
    background = chance.choice(_BACKGROUNDS)
    skin, hair, shirt = (chance.choice(some) for some in (_SKINS, _HAIR, _SHIRTS))
    back, front = chance.choice(_STYLES)
    body = path("M18 200C20 152 60 142 100 142S180 152 182 200Z", shirt)
    neck = box(84, 112, 32, 44, skin, 16) + path("M84 132q16 14 32 0v8q-16 16-32 0Z", "#000", 'opacity=".12"')
    head = ellipse(100, 88, 37, 43, skin) + circle(63, 92, 7, skin) + circle(137, 92, 7, skin)
    parts = (fade(*background), back(hair), body, neck, head, _face(chance), front(hair), _more(chance, hair))
    return svg(200, 200, "".join(parts))


def _face(chance: Random) -> str:
    eyes = circle(86, 92, 4, "#2a211f") + circle(114, 92, 4, "#2a211f")
    smile = chance.choice(("M88 110q12 11 24 0", "M90 111q10 7 20 0", "M88 110q14 8 22-2"))
    cheeks = circle(76, 104, 7, "#e2574c", 'opacity=".22"') + circle(124, 104, 7, "#e2574c", 'opacity=".22"')
    return eyes + cheeks + line(smile, "#2a211f", 3)


def _more(chance: Random, hair: str) -> str:
    """Returns glasses, a beard or nothing."""
    which = chance.random()
    if which < 0.25:
        rims = circle(86, 92, 12, "none", 'stroke="#2a211f" stroke-width="3"')
        return rims + circle(114, 92, 12, "none", 'stroke="#2a211f" stroke-width="3"') + line("M98 91h4", "#2a211f", 3)
    if which < 0.4:
        return path("M64 98c2 34 20 40 36 40s34-6 36-40c-6 8-14 10-20 8q-16-6-32 0c-6 2-14 0-20-8Z", hair) + line(
            "M91 117q9 6 18 0", "#fff", 3
        )
    return ""


def _nothing(_: str) -> str:
    return ""


def _short(hair: str) -> str:
    return path("M61 84C56 44 80 34 102 35s42 14 37 49c-4-14-10-20-20-24-16 6-36 4-46 2-6 6-10 12-12 22Z", hair)


def _parted(hair: str) -> str:
    return path("M60 92C54 48 76 32 100 32s46 16 40 60c-4-18-14-32-36-36-10 12-30 18-44 36Z", hair)


def _fringe(hair: str) -> str:
    return path("M60 90C54 46 76 32 100 32s46 14 40 58c-2-8-4-14-8-18H68c-4 4-6 10-8 18Z", hair)


def _long(hair: str) -> str:
    return path("M58 84c-4-36 16-54 42-54s46 18 42 54l6 72q-48 18-96 0Z", hair)


def _bob(hair: str) -> str:
    return path("M54 92c-2-42 18-62 46-62s48 20 46 62v32q-46 10-92 0Z", hair)


def _bun(hair: str) -> str:
    return circle(100, 26, 18, hair) + path("M58 92C54 48 76 34 100 34s46 14 42 58Z", hair)


def _curls(hair: str) -> str:
    places = ((62, 74), (66, 54), (82, 40), (100, 34), (118, 40), (134, 54), (138, 74))
    return "".join(circle(x, y, 17, hair) for x, y in places)


_STYLES = (
    (_nothing, _short), (_nothing, _parted), (_long, _parted), (_long, _fringe), (_bob, _fringe), (_bob, _parted),
    (_bun, _parted), (_curls, _nothing), (_curls, _short),
)  # fmt: skip
"""Ways to wear hair: what is behind the head, and what is in front of it."""

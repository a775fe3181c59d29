"""Draws the photos of the demo data: landscapes and still lifes of flat shapes. Everything random comes from the given
generator, so that a photo is always the same.
"""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from seed.svg import Point, box, circle, curve, ellipse, fade, line, mixed, path, polygon, svg


class Light(NamedTuple):
    """The colours of a scene: at the top and the bottom of the sky, of the sun, and of the farthest and the nearest
    ground. `text` says in English and Chinese what light it is.
    """

    above: str
    below: str
    sun: str
    far: str
    near: str
    text: tuple[str, str]


class Scene(NamedTuple):
    """A kind of photo: its size in pixels, and what it shows in English and Chinese."""

    width: int
    height: int
    texts: tuple[str, str]
    draw: Callable[[Random, Light, int, int], str]

    def text(self, light: str, language: str) -> str:
        """Returns the alternative text of a photo of this scene, in the language `en` or `zh`."""
        at = ("en", "zh").index(language)
        return self.texts[at].format(light=LIGHTS[light].text[at])


LIGHTS = {
    "dawn": Light("#f2a6a0", "#fdeccf", "#fff7e2", "#e3a9a6", "#514568", ("at dawn", "清晨")),
    "noon": Light("#6db6e3", "#e6f4f4", "#fffbe6", "#a7cfc4", "#22594a", ("at noon", "正午")),
    "dusk": Light("#38376f", "#f6a06c", "#ffe3b3", "#a5647e", "#221d3d", ("at dusk", "黄昏")),
    "night": Light("#0a1029", "#3b4d86", "#f5f1dd", "#36457a", "#0a1022", ("at night", "夜晚")),
    "autumn": Light("#eec07b", "#fdf0d2", "#fff6dc", "#dfa067", "#5f3226", ("in autumn", "秋天")),
    "mist": Light("#a9bcc6", "#f1f3ef", "#ffffff", "#b7c6c8", "#37525e", ("in the mist", "薄雾中")),
}
_TABLES = (
    ("#f3dfc9", "#e4bd96", "#c9553f", "#f6efe4", "#3b2a2a"),
    ("#cfe0da", "#8fb3a6", "#2f6f6a", "#f4e7c8", "#1f3b3d"),
    ("#e8dcef", "#b79fcf", "#5d4a8a", "#f8dfa8", "#2b2440"),
    ("#fbe3d6", "#eda98d", "#2e4a6b", "#fff5e6", "#28324a"),
    ("#dfe8c9", "#a6bd7b", "#d98a3d", "#fbf4dc", "#3c4a2a"),
    ("#d6e4f2", "#8db0d3", "#e0b13f", "#ffffff", "#243a56"),
)
"""The colours of still lifes: of the wall, of the table, of the main thing, of a light and of a dark thing."""
HILLS = "hills"


def drawn(scene: str, light: str, chance: Random) -> str:
    """Returns a photo as SVG."""
    kind = SCENES[scene]
    return svg(kind.width, kind.height, kind.draw(chance, LIGHTS[light], kind.width, kind.height))


def _sky(chance: Random, light: Light, width: int, height: int, *, low: float = 0.35) -> str:
    x, y, radius = chance.uniform(0.2, 0.8) * width, chance.uniform(0.16, low) * height, height * 0.065
    glow = circle(x, y, radius * 2.4, light.sun, 'opacity=".16"') + circle(
        x, y, radius * 1.6, light.sun, 'opacity=".22"'
    )
    return fade(light.above, light.below) + glow + circle(x, y, radius, light.sun)


def _ground(points: list[Point], height: int, fill: str) -> str:
    return path(f"{curve(points)}V{height}H0Z", fill)


def _ridge(chance: Random, width: int, top: float, rough: float, steps: int) -> list[Point]:
    """Returns points from the left edge to the right one, at heights around `top`."""
    return [(at * width / steps, top + chance.uniform(-rough, rough)) for at in range(steps + 1)]


def _rows(chance: Random, light: Light, width: int, height: int, count: int, top: float, rough: float) -> str:
    """Returns rows of hills, one behind the other; the nearest is the darkest."""
    found = ""
    for row in range(count):
        share = row / (count - 1)
        y = height * (top + (0.92 - top) * share)
        found += _ground(
            _ridge(chance, width, y, rough * height, 5 + row % 2), height, mixed(light.far, light.near, share)
        )
    return found


def _hills(chance: Random, light: Light, width: int, height: int) -> str:
    return (
        _sky(chance, light, width, height)
        + _rows(chance, light, width, height, 5, 0.5, 0.07)
        + _birds(chance, light, width)
    )


def _birds(chance: Random, light: Light, width: int) -> str:
    x, y = chance.uniform(0.2, 0.7) * width, chance.uniform(90, 200)
    places = [(x + chance.uniform(0, 150), y + chance.uniform(0, 60)) for _ in range(chance.randrange(4))]
    return "".join(line(f"M{x:.0f} {y:.0f}q9-10 15 0q7-10 15 0", light.near, 3) for x, y in places)


def _peaks(chance: Random, light: Light, width: int, height: int) -> str:
    found = _sky(chance, light, width, height)
    for row, count in enumerate((4, 3)):
        fill = mixed(light.far, light.near, 0.1 + 0.35 * row)
        step = width / count
        for at in range(-1, count + 1):
            top = (step * (at + chance.uniform(0.3, 0.8)), height * (chance.uniform(0.26, 0.42) + 0.16 * row))
            found += _mountain(top, step * chance.uniform(0.75, 1), height, fill, mixed(fill, light.sun, 0.75))
    return found + _firs(chance, light, width, height, 0.82, 34) + _firs(chance, light, width, height, 0.93, 22)


def _mountain(top: Point, half: float, height: int, fill: str, snow: str) -> str:
    (x, y), side = top, mixed(fill, "#000000", 0.13)
    foot = height * 1.02
    cap = min(0.3, 70 / (foot - y))
    left, right, down = x - half * cap, x + half * cap, y + (foot - y) * cap
    zigzag = [
        (right, down),
        (x + half * cap * 0.4, down - 14),
        (x, down + 16),
        (x - half * cap * 0.45, down - 10),
        (left, down),
    ]
    shade = polygon([top, (x + half, foot), (x + half * 0.1, foot)], side)
    return polygon([top, (x + half, foot), (x - half, foot)], fill) + shade + polygon([top, *zigzag], snow)


def _firs(chance: Random, light: Light, width: int, height: int, top: float, count: int) -> str:
    """Returns a row of fir trees with the ground below them, as one shape."""
    fill, step, y = mixed(light.far, light.near, 0.6 + 0.4 * (top - 0.75) / 0.2), width / count, height * top
    points: list[Point] = [(0, height), (0, y)]
    for at in range(count):
        x, tall = (at + chance.uniform(0.3, 0.7)) * step, height * chance.uniform(0.06, 0.15)
        points += [(x - step * 0.7, y), (x, y - tall), (x + step * 0.7, y)]
    return polygon([*points, (width, y), (width, height)], fill)


def _forest(chance: Random, light: Light, width: int, height: int) -> str:
    found = _sky(chance, light, width, height)
    found += _rows(chance, light, width, height, 2, 0.48, 0.06).replace(light.near, mixed(light.far, light.near, 0.3))
    for row, (top, count) in enumerate(((0.6, 30), (0.7, 24), (0.8, 18), (0.91, 12))):
        found += _firs(chance, light, width, height, top, count)
        if row < 3:
            found += box(0, height * (top - 0.01), width, height * 0.09, light.below).replace("/>", ' opacity=".22"/>')
    return found


def _sea(chance: Random, light: Light, width: int, height: int) -> str:
    horizon, x = height * 0.58, chance.uniform(0.3, 0.7) * width
    sun = circle(x, horizon - 30, 130, light.sun, 'opacity=".2"') + circle(x, horizon - 30, 70, light.sun)
    island = _ground(_ridge(chance, width, horizon - 26, 30, 5), height, mixed(light.far, light.near, 0.25))
    water = box(0, horizon, width, height - horizon, mixed(light.above, light.near, 0.35))
    waves = ""
    for row in range(9):
        y, wide = horizon + 16 + row * (height - horizon) / 9, chance.uniform(40, 100) + row * 14
        at = x + chance.uniform(-30, 30)
        waves += line(
            f"M{at - wide:.0f} {y:.0f}H{at + wide:.0f}", light.sun, 5 + row, f'opacity="{0.75 - row * 0.06:.2f}"'
        )
    boat_x, boat_y = (x + width * chance.choice((-0.25, 0.25))) % width, horizon + chance.uniform(50, 130)
    return fade(light.above, light.below) + sun + island + water + waves + _boat(boat_x, boat_y, light)


def _boat(x: float, y: float, light: Light) -> str:
    sail = mixed(light.sun, "#ffffff", 0.5)
    hull = path(f"M{x - 60:.0f} {y:.0f}h120q-10 30-36 30h-50q-26 0-34-30Z", light.near)
    return (
        polygon([(x, y - 130), (x, y - 10), (x + 62, y - 10)], sail)
        + polygon([(x - 8, y - 110), (x - 8, y - 10), (x - 52, y - 10)], mixed(sail, light.far, 0.4))
        + hull
    )


def _road(chance: Random, light: Light, width: int, height: int) -> str:
    start, bend, turn = int(width * chance.uniform(0.4, 0.6)), chance.choice((-1, 1)), int(height * 0.62)
    near, far = start + bend * 190, start - bend * 200
    way = (
        f"M{start - 7} {turn}C{near - 20} {turn + 70} {far - 60} {turn + 110} {start - 230} {height}"
        f"H{start + 190}C{far + 190} {turn + 140} {near + 70} {turn + 80} {start + 7} {turn}Z"
    )
    meadow = _ground(_ridge(chance, width, turn, 8, 4), height, mixed(light.far, light.near, 0.55))
    behind = _rows(chance, light, width, height, 3, 0.44, 0.06).replace(light.near, mixed(light.far, light.near, 0.45))
    trees = "".join(
        _tree(x, turn + 20 + abs(x - start) * 0.14, abs(x - start) * 0.16 + 24, light)
        for x in (start - 420, start - 230, start + 250, start + 470)
    )
    return (
        _sky(chance, light, width, height) + behind + meadow + path(way, mixed(light.below, light.near, 0.12)) + trees
    )


def _tree(x: float, y: float, size: float, light: Light) -> str:
    return box(x - size * 0.08, y - size, size * 0.16, size, light.near) + ellipse(
        x, y - size * 1.3, size * 0.55, size * 0.75, light.near
    )


def _city(chance: Random, light: Light, width: int, height: int) -> str:
    found = _sky(chance, light, width, height, low=0.3)
    lamp = mixed(light.sun, "#ffc857", 0.6)
    for row in range(3):
        houses, windows, x = "", "", -20
        while x < width:
            wide, top = chance.randrange(60, 130), int(height * (chance.uniform(0.36, 0.6) + row * 0.13))
            houses += f"M{x} {top}h{wide}V{height}h-{wide}Z"
            windows += _windows(chance, x, top, wide, height) if row else ""
            x += int(wide * chance.uniform(0.9, 1.15))
        found += path(houses, mixed(light.far, light.near, 0.15 + row * 0.42))
        found += path(windows, "none", f'stroke="{lamp}" stroke-width="10"') if windows else ""
    return found


def _windows(chance: Random, x: int, top: int, wide: int, height: int) -> str:
    """Returns the way along the lit windows of a house."""
    places = [(x + 18 + column * 26, y) for column in range(wide // 26) for y in range(top + 24, height, 34)]
    return "".join(f"M{left} {y}v12" for left, y in places if chance.random() < 0.25)


def _stars(chance: Random, light: Light, width: int, height: int) -> str:
    night = LIGHTS["night"]
    glow = mixed(night.below, light.far, 0.5)
    dots = [
        (chance.uniform(0, width), chance.uniform(0, height * 0.75), chance.choice((2, 2, 3, 4))) for _ in range(70)
    ]
    tilt = chance.uniform(-35, -15)
    band = "".join(
        ellipse(
            width / 2,
            height * 0.4,
            width * 0.75,
            size,
            night.sun,
            f'opacity=".07" transform="rotate({tilt:.0f} {width / 2:.0f} {height * 0.4:.0f})"',
        )
        for size in (120, 75, 35)
    )
    stars = "".join(circle(x, y, size, night.sun) for x, y, size in dots)
    x, y = width * chance.uniform(0.25, 0.7), height * 0.88
    tent = polygon([(x, y - 96), (x + 96, y), (x - 96, y)], "#f2b45a") + polygon(
        [(x, y - 96), (x + 22, y), (x - 22, y)], "#7c4a2a"
    )
    ridge = _ground(_ridge(chance, width, height * 0.74, 60, 6), height, mixed(glow, night.near, 0.6))
    return (
        fade(night.above, glow)
        + band
        + stars
        + ridge
        + _ground(_ridge(chance, width, y - 6, 6, 4), height, night.near)
        + tent
    )


def _room(chance: Random, width: int, height: int) -> tuple[str, tuple[str, ...]]:
    """Returns the background of a still life, and its colours."""
    colours = chance.choice(_TABLES)
    wall, table, *_ = colours
    x = chance.uniform(0.15, 0.6) * width
    window = polygon([(x, 0), (x + 230, 0), (x - 60, height * 0.7), (x - 290, height * 0.7)], "#ffffff").replace(
        "/>", ' opacity=".28"/>'
    )
    return fade(mixed(wall, "#ffffff", 0.35), wall) + window + box(0, height * 0.7, width, height * 0.3, table), colours


def _steam(x: float, y: float) -> str:
    return "".join(
        line(f"M{x + at:.0f} {y:.0f}c-34-44 34-70 0-116s20-62 8-92", "#ffffff", 12, 'opacity=".55"')
        for at in (-46, 12, 66)
    )


def _tea(chance: Random, _: Light, width: int, height: int) -> str:
    room, (_wall, table, main, pale, dark) = _room(chance, width, height)
    x, y = width * chance.uniform(0.42, 0.58), height * 0.82
    shadow = ellipse(x + 30, y + 8, 300, 44, dark, 'opacity=".16"')
    saucer = ellipse(x, y, 270, 42, mixed(pale, table, 0.25)) + ellipse(x, y - 8, 250, 36, pale)
    handle = path(f"M{x + 160:.0f} {y - 210:.0f}c120-30 130 120-24 120", "none", f'stroke="{main}" stroke-width="30"')
    cup = path(f"M{x - 180:.0f} {y - 250:.0f}h360c4 150-70 240-132 242h-96c-62-2-136-92-132-242Z", main)
    shine = path(
        f"M{x - 150:.0f} {y - 220:.0f}c0 90 34 150 66 176",
        "none",
        'stroke="#fff" stroke-width="16" stroke-linecap="round" opacity=".35"',
    )
    top = ellipse(x, y - 250, 180, 34, mixed(main, "#ffffff", 0.35)) + ellipse(x, y - 246, 158, 25, "#a8612c")
    lemon = (
        circle(x - 330, y + 10, 60, "#f3c53d") + circle(x - 330, y + 10, 48, "#fbe69a") if chance.random() < 0.5 else ""
    )
    return room + _steam(x, y - 290) + shadow + saucer + handle + cup + shine + top + lemon


def _bowl(chance: Random, _: Light, width: int, height: int) -> str:
    room, (_wall, _table, main, pale, dark) = _room(chance, width, height)
    x, y = width / 2, height * 0.52
    shadow = ellipse(x + 20, height * 0.86, 290, 40, dark, 'opacity=".18"')
    sticks = line(
        f"M{x + 90:.0f} {y - 20:.0f}l330-240m-290 250l320-210",
        dark,
        16,
    )
    body = path(
        f"M{x - 330:.0f} {y:.0f}h660c0 190-130 300-250 312h-160c-120-12-250-122-250-312Z",
        main,
    )
    stripe = path(
        f"M{x - 318:.0f} {y + 84:.0f}q318 80 636 0", "none", f'stroke="{pale}" stroke-width="18" opacity=".7"'
    )
    soup = ellipse(x, y, 330, 78, pale) + ellipse(x, y + 6, 300, 62, "#d98e3f")
    noodles = "".join(line(f"M{x - 230 + at * 40:.0f} {y + 20:.0f}q40-50 90-8t70 10", "#f6dd9a", 12) for at in range(7))
    egg = ellipse(x - 110, y - 4, 74, 32, "#fffaf0") + ellipse(x - 104, y - 2, 36, 18, "#f2a83b")
    leaves = "".join(
        ellipse(
            x + 90 + at * 46,
            y - 8 + chance.uniform(-14, 14),
            40,
            13,
            "#5f8f4a",
            f'transform="rotate({chance.uniform(-40, 40):.0f} {x + 90 + at * 46:.0f} {y:.0f})"',
        )
        for at in range(3)
    )
    return room + _steam(x - 60, y - 80) + shadow + body + stripe + soup + noodles + egg + leaves + sticks


def _loaf(chance: Random, _: Light, width: int, height: int) -> str:
    room, (_wall, _table, main, _pale, dark) = _room(chance, width, height)
    x, y = width / 2, height * 0.8
    board = box(x - 400, y - 6, 800, 54, "#8a5a35", 27) + box(x - 400, y - 6, 800, 22, "#a8713f", 11)
    loaf = path(f"M{x - 320:.0f} {y:.0f}c-60-180 110-310 320-310s380 130 320 310Z", "#b9712f")
    crust = path(
        f"M{x - 300:.0f} {y - 70:.0f}c0-140 130-220 300-220s300 80 300 220c-60-90-170-140-300-140s-240 50-300 140Z",
        "#d59548",
    )
    cuts = "".join(line(f"M{x + at - 40:.0f} {y - 110:.0f}q10-90 70-130", "#f6dfb4", 20) for at in (-170, -40, 90, 210))
    cloth = polygon([(0, y + 60), (width, y + 30), (width, height), (0, height)], main) + line(
        f"M0 {y + 100:.0f}L{width} {y + 72:.0f}", "#ffffff", 10, 'opacity=".5"'
    )
    return room + ellipse(x, y + 46, 430, 26, dark, 'opacity=".18"') + board + loaf + crust + cuts + cloth


def _books(chance: Random, _: Light, width: int, height: int) -> str:
    room, (_wall, table, main, pale, dark) = _room(chance, width, height)
    fills, x, y = [main, pale, dark, mixed(main, table, 0.6), mixed(dark, main, 0.5)], width / 2, height * 0.84
    chance.shuffle(fills)
    found = room + ellipse(x + 24, y, 360, 30, dark, 'opacity=".2"')
    for fill in fills:
        tall, wide, left = chance.uniform(64, 96), chance.uniform(460, 640), x - chance.uniform(220, 320)
        y -= tall
        found += box(left, y, wide, tall, fill, 10) + box(left + wide - 34, y + 9, 30, tall - 18, "#fbf3df", 4)
        found += box(left + 60, y, 14, tall, mixed(fill, "#ffffff", 0.45)) + box(
            left + 84, y, 6, tall, mixed(fill, "#ffffff", 0.45)
        )
    cup = box(x - 90, y - 120, 150, 120, pale, 30) + path(
        f"M{x + 56:.0f} {y - 96:.0f}c56-10 56 66 0 60", "none", f'stroke="{pale}" stroke-width="18"'
    )
    return found + _steam(x - 20, y - 140) + cup


def _record(chance: Random, _: Light, width: int, height: int) -> str:
    wall, table, main, pale, dark = chance.choice(_TABLES)
    x, y = width * 0.44, height / 2
    rings = "".join(
        circle(x, y, size, "none", 'stroke="#fff" stroke-width="3" opacity=".12"') for size in range(150, 350, 22)
    )
    shine = path(
        f"M{x:.0f} {y:.0f}L{x - 230:.0f} {y - 270:.0f}A355 355 0 0 1 {x - 90:.0f} {y - 343:.0f}Z",
        "#fff",
        'opacity=".14"',
    )
    arm = line(
        f"M{width * 0.88:.0f} {height * 0.16:.0f}V{height * 0.56:.0f}L{x + 210:.0f} {y + 150:.0f}", pale, 20
    ) + circle(width * 0.88, height * 0.16, 46, dark)
    knobs = "".join(circle(width * 0.88, height * at, 26, main) for at in (0.76, 0.86))
    disc = circle(x + 12, y + 16, 366, dark, 'opacity=".25"') + circle(x, y, 356, "#1d1b22") + rings + shine
    label = (
        circle(x, y, 120, main) + circle(x, y, 84, "none", f'stroke="{pale}" stroke-width="6"') + circle(x, y, 13, pale)
    )
    return fade(wall, table) + disc + label + knobs + arm


def _plant(chance: Random, _: Light, width: int, height: int) -> str:
    room, (_wall, _table, main, pale, dark) = _room(chance, width, height)
    x, y = width / 2, height * 0.62
    leaves = ""
    for at in range(11):
        angle, size = -75 + at * 15 + chance.uniform(-6, 6), chance.uniform(220, 350)
        fill = mixed("#2f6b4a", chance.choice(("#8fbf6a", "#1f4a3a", "#5a9a6a")), chance.uniform(0.1, 0.6))
        turn = f'transform="rotate({angle:.0f} {x:.0f} {y:.0f})"'
        leaves += ellipse(x, y - size * 0.62, 48, size * 0.5, fill, turn) + line(
            f"M{x:.0f} {y:.0f}V{y - size:.0f}", mixed(fill, "#ffffff", 0.3), 4, turn
        )
    pot = path(f"M{x - 150:.0f} {y - 10:.0f}h300l-44 270h-212Z", main) + box(
        x - 170, y - 40, 340, 62, mixed(main, "#ffffff", 0.18), 12
    )
    dots = "".join(circle(x - 80 + at * 54, y + 120, 14, pale) for at in range(4))
    return room + ellipse(x + 30, height * 0.88, 200, 28, dark, 'opacity=".2"') + leaves + pot + dots


SCENES = {
    HILLS: Scene(1200, 800, ("Rows of hills, one behind the other, {light}", "{light}层层叠叠的山丘"), _hills),
    "peaks": Scene(1200, 800, ("Snowy mountains above a fir forest {light}", "{light}的雪山，山下是冷杉林"), _peaks),
    "forest": Scene(
        960, 1200, ("Rows of fir trees with fog between them, {light}", "{light}的冷杉林，林间有雾"), _forest
    ),
    "sea": Scene(
        1200, 900, ("A sailing boat before the sun above the sea, {light}", "{light}海上的帆船，身后是太阳"), _sea
    ),
    "road": Scene(1200, 675, ("A road that winds towards hills, {light}", "{light}通向山丘的弯路"), _road),
    "city": Scene(1200, 800, ("The houses of a city with lit windows, {light}", "{light}的城市，窗户亮着灯"), _city),
    "stars": Scene(1200, 800, ("A tent under the Milky Way", "银河下的一顶帐篷"), _stars),
    "tea": Scene(1000, 1000, ("A steaming cup of tea on a saucer", "茶碟上一杯冒着热气的茶"), _tea),
    "bowl": Scene(1000, 1000, ("A bowl of noodle soup with an egg and chopsticks", "一碗加蛋的汤面，放着筷子"), _bowl),
    "loaf": Scene(1200, 900, ("A loaf of bread with four cuts on a wooden board", "木板上一个划了四刀的面包"), _loaf),
    "books": Scene(1000, 1000, ("A cup on a pile of five books", "五本书摞在一起，上面放着杯子"), _books),
    "record": Scene(1200, 900, ("A record on a record player, seen from above", "从上方看唱机上的一张唱片"), _record),
    "plant": Scene(960, 1200, ("A plant with large leaves in a pot", "花盆里一株大叶植物"), _plant),
}

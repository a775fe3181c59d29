"""Who lives here. The first few have names that documentation and tests rely on."""

from dataclasses import dataclass
from random import Random

from seed.writing import Interest, everyday

NAMED = (
    ("alice", "Alice Martin"),
    ("bob", "Bob Okafor"),
    ("carol", "Carol Jensen"),
    ("dave", "Dave Kowalski"),
    ("erin", "Erin Walsh"),
    ("mei", "李梅"),
    ("noah", "Noah Steiner"),
    ("yuki", "佐藤ゆき"),
)
_CHINESE = frozenset({"mei"})
_ENGLISH_MADE_UP, _CHINESE_MADE_UP = 143, 49

_FIRST = ["Amara", "Anton", "Beatriz", "Ben", "Chiara", "Chloe", "Daniel", "Diego", "Elena", "Emeka", "Farah", "Felix", "Greta", "Hana", "Hugo", "Ines", "Ivan", "Jonas", "Julia", "Kofi", "Lars", "Leila", "Lena", "Liam", "Lucia", "Magnus", "Marta", "Mateo", "Maya", "Nadia", "Niko", "Nora", "Olga", "Omar", "Oscar", "Paula", "Priya", "Rafael", "Ravi", "Rosa", "Ruth", "Sami", "Sara", "Sean", "Sofia", "Tariq", "Theo", "Tomas", "Vera", "Viktor", "Yara", "Zoe"]
_LAST = ["Abebe", "Andersson", "Bakker", "Becker", "Brennan", "Castro", "Chowdhury", "Costa", "Dubois", "Eriksen", "Fischer", "Fontana", "Garcia", "Haddad", "Hoffmann", "Ibrahim", "Ivanova", "Jansen", "Kaya", "Keller", "Kim", "Larsen", "Lindqvist", "Mancini", "Mbeki", "Moreau", "Murphy", "Nakamura", "Novak", "Nowak", "Obi", "Oliveira", "Patel", "Petrov", "Quinn", "Ramos", "Rossi", "Santos", "Schmidt", "Silva", "Singh", "Sorensen", "Tanaka", "Torres", "Varga", "Weber", "Williams", "Zhou"]
_FAMILY = ["王wang", "李li", "张zhang", "刘liu", "陈chen", "杨yang", "赵zhao", "黄huang", "周zhou", "吴wu", "徐xu", "孙sun", "胡hu", "朱zhu", "高gao", "林lin", "何he", "郭guo", "马ma", "罗luo"]
_GIVEN = ["子涵zihan", "小雨xiaoyu", "思远siyuan", "晓明xiaoming", "欣怡xinyi", "浩然haoran", "雪xue", "建国jianguo", "静jing", "宇航yuhang", "婷婷tingting", "一凡yifan", "佳琪jiaqi", "文博wenbo", "兰lan", "俊杰junjie", "梦瑶mengyao", "磊lei", "诗涵shihan", "天宇tianyu", "芳fang", "志强zhiqiang"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, with what they like to write about, dearest first, and a line about themselves."""

    handle: str
    name: str
    language: str
    interests: tuple[Interest, ...]
    bio: str


def people(interests: list[Interest]) -> list[Person]:
    """Everybody, the named ones first, then the others in no order of language."""
    chance = Random(4)
    made_up = _english(chance) + _chinese(chance)
    chance.shuffle(made_up)
    named = [(handle, name, "zh" if handle in _CHINESE else "en") for handle, name in NAMED]
    return [_person(chance, interests, *somebody) for somebody in named + made_up]


def _person(chance: Random, interests: list[Interest], handle: str, name: str, language: str) -> Person:
    daily = everyday(interests, language)
    own = [interest for interest in interests if interest.language == language and interest is not daily]
    chosen = (*chance.sample(own, k=chance.choice((1, 2, 2, 3))), daily)
    return Person(handle, name, language, chosen, chance.choice(chosen[0].bios))


def _english(chance: Random) -> list[tuple[str, str, str]]:
    found: dict[str, tuple[str, str, str]] = {}
    while len(found) < _ENGLISH_MADE_UP:
        first, last = chance.choice(_FIRST), chance.choice(_LAST)
        joined = chance.choice(("_", "", "_"))
        handle = chance.choice((f"{first}{joined}{last}", f"{first}_{last[0]}", f"{first[0]}{last}")).lower()
        found.setdefault(handle, (handle, f"{first} {last}", "en"))
    return list(found.values())


def _chinese(chance: Random) -> list[tuple[str, str, str]]:
    found: dict[str, tuple[str, str, str]] = {}
    while len(found) < _CHINESE_MADE_UP:
        (family, sound), (given, sounds) = _spelt(chance.choice(_FAMILY)), _spelt(chance.choice(_GIVEN))
        handle = chance.choice((f"{sounds}_{sound}", f"{sound}{sounds}", f"{sound}_{sounds}"))
        found.setdefault(handle, (handle, family + given, "zh"))
    return list(found.values())


def _spelt(name: str) -> tuple[str, str]:
    """A name, and how it is spelt in letters."""
    letters = name.lstrip("".join(character for character in name if not character.isascii()))
    return name.removesuffix(letters), letters

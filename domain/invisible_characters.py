"""Invisible characters: finds them, and removes those that a text does not need.

Some scripts need invisible characters: joiners in Persian and Indic scripts and in emoji, word breaks in Khmer and
Thai, direction marks beside right-to-left letters. Elsewhere they deceive: they make two texts look the same, reverse a
text, or hide a message. Unicode properties of the neighbouring characters decide whether an invisible character is
needed, so new scripts and emoji need no change here. Code points that are not assigned yet are treated as letters that
join. Source: the Unicode Standard, chapters 9, 12, 13 and 23; Unicode Technical Reports 36, 39 and 51; UAX 9.
"""

import regex

_BLANKS = regex.compile("[\u115f\u1160\u2800\u3164\uffa0]")
"""Letters and symbols that look like a space: Hangul fillers and the blank pattern of Braille."""
_BLANK = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Z}\p{Cc}\p{Cf}\u2800]*")
_INVISIBLE = r"[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]"
_RIGHT_TO_LEFT = regex.compile(r"[[\p{bc=R}\p{bc=AL}]--\p{Cn}--\p{Default_Ignorable_Code_Point}]", regex.V1)
_JOINING = (
    r"[[[\p{jt=D}\p{jt=R}\p{jt=L}\p{jt=C}][[\p{L}\p{M}]--\p{InSC=Other}]\p{Cn}]--\p{Default_Ignorable_Code_Point}]"
)
"""Letters that connect with their neighbours: those of cursive scripts, such as Arabic and Mongolian, and the letters
and marks of the scripts of India and its neighbours.
"""
_UNSPACED = (
    r"[[\p{lb=SA}\p{lb=AK}\p{lb=AP}\p{lb=AS}\p{lb=VF}\p{lb=VI}\p{sc=Tibetan}]--\p{Default_Ignorable_Code_Point}]"
)
"""Letters of scripts without spaces between words, where lines break at zero-width spaces."""
_EMOJI = r"\p{Extended_Pictographic}"
_VARIED = (
    r"[[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]"
    r"--[[\p{Lu}\p{Ll}\p{Lt}]--\p{sc=Common}]]"
)
"""Characters that a variation selector may follow. Letters with upper and lower case are excluded, except mathematical
ones.
"""
_MARKS = r"\p{M}{0,8}"
_NEEDED = rf"""
    \p{{L}}                                                         # fillers, of which old Korean syllables are made
  | (?<={_JOINING}{_MARKS})[\u200c\u200d]{{1,3}}                    # joiners and non-joiners
  | [\u200c\u200d]{{1,3}}(?={_JOINING}|[\p{{sc=Hebrew}}&&\p{{M}}])
  | (?<={_EMOJI}[\ufe0f\p{{Emoji_Modifier}}]{{0,2}})\u200d(?={_EMOJI})
  | (?<={_UNSPACED}{_MARKS})\u200b | \u200b(?={_UNSPACED})          # zero-width spaces
  | (?<={_VARIED})[\ufe00-\ufe0f]                                   # variants
  | (?<=\p{{Ideographic}})[\U000e0100-\U000e01ef]
  | (?<=[\p{{sc=Mongolian}}--\p{{Default_Ignorable_Code_Point}}])[\u180b-\u180f]{{1,2}}
  | \u034f(?=[\p{{M}}--\p{{Default_Ignorable_Code_Point}}])         # keeps the order of marks
  | (?<=[\p{{sc=Khmer}}--\p{{Default_Ignorable_Code_Point}}])[\u17b4\u17b5]
  | (?<=[\U0001d100-\U0001d172\U0001d17b-\U0001d1ff])[\U0001d173-\U0001d17a]{{1,2}}   # beams of music
  | [\U0001d173-\U0001d17a]{{1,2}}(?=[\U0001d100-\U0001d172\U0001d17b-\U0001d1ff])
  | (?<=\p{{sc=Duployan}})[\U0001bca0-\U0001bca3]                   # shorthand
  | (?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{{3,6}}\U000e007f      # flags of regions
"""
_DIRECTIONS = r"\u061c\u200e\u200f\u2066-\u2069"


def _cleaner(needed: str) -> regex.Pattern[str]:
    return regex.compile(f"(?={_INVISIBLE})(?:(?<needed>{needed})|.)", regex.V1 | regex.VERBOSE | regex.DOTALL)


_LEFT_TO_RIGHT_CLEANER = _cleaner(_NEEDED)
_RIGHT_TO_LEFT_CLEANER = _cleaner(rf"[{_DIRECTIONS}] | {_NEEDED}")
_ISOLATE = regex.compile("[\u2066-\u2069]")
_PDI = "\u2069"


def is_blank(text: str) -> bool:
    """Returns whether a text has no visible character."""
    return _BLANK.fullmatch(text) is not None


def gaps_to_spaces(text: str) -> str:
    """Returns a text in which spaces replace the letters and symbols that look like a space."""
    return _BLANKS.sub(" ", text)


def remove_deceptive(text: str) -> str:
    """Returns a text without the invisible characters that its script does not need. Closes direction isolates (U+2066
    to U+2068) that the text leaves open, and removes ends of isolates (U+2069) without a beginning.
    """
    if text.isascii():
        return text
    if not _RIGHT_TO_LEFT.search(text):
        return _LEFT_TO_RIGHT_CLEANER.sub(r"\g<needed>", text)
    return _balanced(_RIGHT_TO_LEFT_CLEANER.sub(r"\g<needed>", text))


def _balanced(text: str) -> str:
    """Returns a text in which each direction isolate has an end, and each end has an isolate."""
    isolates = 0

    def paired(match: regex.Match[str]) -> str:
        nonlocal isolates
        isolates += 1 if match[0] != _PDI else -1
        if isolates < 0:
            isolates = 0
            return ""
        return match[0]

    return _ISOLATE.sub(paired, text) + _PDI * isolates

"""Names of authors, parsed from bylines and from the values of meta elements.

"By Jane Doe, MD | March 5, 2024" is Jane Doe, MD.  "https://facebook.com/jane", "admin" and "@jane" are nobody.  What
does not look like a name is dropped: a wrong author is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from thresher.text.dates import Reading, find_dates, month_number
from thresher.text.patterns import compile_later
from thresher.text.phrases import alternatives, may_open, openings, phrases
from thresher.text.plain import plain, same_words, words_of

__all__ = ["continues_names", "distinct_names", "is_person", "is_role", "parse_names", "text_after_by"]

_MAX_TEXT_LENGTH = 300  # characters that may hold names
_MAX_NAME_LENGTH = 70
_MAX_NAME_WORDS = 8
_MAX_NAMES = 30
_MAX_ROLE_WORDS = 4

_ADDRESS = compile_later(
    r"https?://\S*|www\.\S+|\S+@\S+\.\S+|(?<!\w)@\w+|\b[\w-]+\.(?:com|org|net|co|io)/\S*", re.IGNORECASE
)
# "This post was written by Jane Doe", "Recipe by …": what comes before is no name.
_BY_AFTER_WORDS = compile_later(r"((?:[\w’'.,:-]+\s+){0,6}?)[Bb]y:?\s+(?=[A-Z\d])")
_LEADING_DAY = compile_later(
    r"(?:([^\W\d]{3,9})\.?\s+\d{1,2}|\d{1,2}\.?\s+([^\W\d]{3,9})\.?)(?:st|nd|rd|th)?\b[\s,|·•-]*(?:\d{4})?"
)
_WORD_AND_NUMBER = compile_later(r"([^\W\d_]{3,9})\.?\s+\d{1,2}\b")
_PARENTHESES = compile_later(r"\s*\([^()]*\)?\s*")
_SEMICOLON = compile_later(r"[;；、]")
_COMMA = compile_later(r"\s*[,，]\s*(?:(?:and|und|et|y|e|&)\s+)?")
# What stands behind a comma and belongs to the name before: MD, Ph.D., Jr., M.Sc.
_SUFFIX = compile_later(
    r"[A-Z][A-Z.&-]{1,7}®?(?:\s\d+)?|(?:[A-Z][a-z]?\.?\s?){2,5}|[JS]r\.?|I{2,3}|Esq\.?|Inc\.?|LLC|Ltd\.?|GmbH"
)
_ABBREVIATED = compile_later(r"(?:\b(?:[JS]r|Inc|Ltd|Esq)|\.\w{1,2}|\b[A-Z])\.$")
# Words with a capital, or the small ones that names have: "Marna van der Merwe".
_PARTICLE = r"van|von|der|den|de|del|della|di|da|dos|la|le|el|bin|ibn|al|ten|ter|y|zu|zur"
_MARKS = r"\u0300-\u036f\u0590-\u05c7\u0610-\u065f\u0900-\u0dff\u0e30-\u0e4e\u0eb0-\u0ece\u102b-\u103e\u17b4-\u17d3"
_NAME_WORD = rf"(?:(?:[^\W\d_a-z]|d['’]|[Mm]ac)[\w.’'{_MARKS}-]*|{_PARTICLE})"
_MAX_PERSON_WORDS = 5
_PERSON = compile_later(rf"{_NAME_WORD}(?:\s+{_NAME_WORD}){{0,{_MAX_PERSON_WORDS - 1}}}")
# Names that are written without a space; a katakana dot stands for one.
_UNSPACED = compile_later(
    "[一-鿿々]{2,5}|[一-鿿々]{1,4}[ぁ-ゖァ-ヶー]{1,5}|[가-힣]{2,4}|[ァ-ヶー]{2,8}・[ァ-ヶー・]{2,12}"
)
_FUNCTION_WORD = r"(?:from|by|of|in|with|for|is|to|the|and|or|at|on|a|an|this|was)"
_NOT_IN_NAME = compile_later(
    rf"^{_FUNCTION_WORD}\b|\b{_FUNCTION_WORD}$|^(?:From|For|To)\b|^\d+\s*(?:min|h\b|comment|view|share|repl)|[?!{{}}<>=\\*~^%€$:]"
    r"|\.{3}|\w\.\w+\.\w|(?i:\b(?:click|read|subscribe|follow|sign|log|visit|join|learn)\b\s+\w)"
)
_LETTER = compile_later(r"[^\W\d_]")
_NEXT_LABEL = compile_later(r"[\s.,;|/·•]*(?<!\w)[^\W\d_]+\s*[:：]")  # "María García. Fotos: Juan Pérez"
# What makes a reporter of a name stands behind it in Korea, around it in Taiwan: 김철수 기자, 記者王小明／台北報導.
_KOREAN_ROLE = compile_later(r"(?<=[가-힣])\s?(?:(?:선임|수석|인턴|객원|전문)\s?)?(?:기자|특파원)(?![가-힣])")
_REPORTED = compile_later(r"\W*[記记]者\s*([一-鿿]{2,4}(?:[、\s][一-鿿]{2,4})*)\s*[/／╱]\s*[一-鿿]{2,12}")
_EAST_ASIAN = compile_later(r"\W*[記记가-힣]")  # what opens with a reporter
_KOREAN_NAME = compile_later(r"\W*([가-힣]{2,4})(?=\s?(?:(?:선임|수석|인턴|객원|전문)\s?)?(?:기자|특파원)(?![가-힣]))")
_WITH = frozenset(("/", "with", "avec", "mit", "con", "com", "met", "med"))
_BEHIND_BY = compile_later(r"\s*[:：|]\s*|\s+(?=\S)")
_BEHIND_LABEL = compile_later(r"\s*[:：＝／/|]\s*|(?P<bare>\s+)(?=[^\W\d_])")
_NOTHING_BEHIND = compile_later(r"\s*[:：]?\W*")
_NEEDS_COLON = compile_later("[\u0590-\u0fff]")  # no capitals there, and labels are everyday words: كتب is "books", too


@cache
def _after_name() -> re.Pattern[str]:
    """Where a name ends in a byline: at a mark, a place, a weekday, a phrase."""
    return re.compile(
        r"\s*(?:[|•·●»›⋅∙→…\[–—]|\s-\s|//|\bin\s+[A-Z#]|\bon\s+(?=\w+\s*\d|[A-Z])|\bon\s*$|\bat\s+\d|\bon\s+behalf\b"
        rf"|\d+\s*(?:min|comment|view|share)|(?i:{alternatives('ends')}))"
    )


@cache
def _with_agency() -> re.Pattern[str]:
    """ "Jean Dupont avec AFP", "Juan Pérez / EFE"."""
    return re.compile(rf"\s+(?:{'|'.join(_WITH)})\s+{alternatives('agency')}(?!\w)", re.IGNORECASE)


@cache
def _role_after_name() -> re.Pattern[str]:
    """ "Jane Doe Senior Tech Editor": two or three words are the name."""
    rank, role = alternatives("rank"), alternatives("role")
    return re.compile(rf"^(\S+\s+\S+(?:\s+\S+)??)\s+(?:{rank}\s+(?:\w+\s+){{0,2}})?{role}.*$", re.IGNORECASE)


@cache
def _other_tasks() -> re.Pattern[str]:
    """ "Reviewed by Jane Doe, MD", "photography by John Roe": a piece of a byline that names somebody else."""
    return re.compile(
        rf"(?:^|[,;|•·–—]|\.\s)\s*(?:[\w-]+\s+){{0,2}}{alternatives('task')}\s+by:?\s+[^,;|•·–—]*(?:,\s*(?:{_SUFFIX.pattern})"
        r"(?![\w]))*",
        re.IGNORECASE,
    )


@cache
def _before_date() -> re.Pattern[str]:
    """What stands between a name and a date: "Jane Doe, published on", "张三 发布时间："."""
    between = "|".join(alternatives(kind) for kind in ("published", "modified", "on"))
    return re.compile(rf"(?:[\s,|·•:：(-]|{between})+$", re.IGNORECASE)


@cache
def _compiled(kind: str) -> re.Pattern[str]:
    return re.compile(alternatives(kind), re.IGNORECASE)


@cache
def _and() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:\s{alternatives('and')}\s|&|\s[及和]\s)\s*", re.IGNORECASE)


def _is_agency(name: str) -> bool:
    return " ".join(_dotted(name).split()) in _agencies()


@cache
def _agencies() -> frozenset[str]:
    return frozenset(map(_dotted, phrases("agency")))


def _dotted(text: str) -> str:
    """In small letters, all of them with the dot of an i: capitals do not tell the Turkish letters apart."""
    return text.lower().replace("i\u0307", "i").replace("ı", "i")


@cache
def _placeholders() -> frozenset[str]:
    return frozenset("".join(words_of(phrase)) for phrase in phrases("nobody"))


def text_after_by(text: str) -> str | None:
    """The text after "By", "von", "作者：" … at its start; "" when nothing follows, None without such a word.

    A label without a colon needs a capital behind it: "Author Jane Doe", but "author of books".
    """
    text = _without_other_tasks(text[:_MAX_TEXT_LENGTH]).lstrip(" ,")
    if not may_open(("by", "label"), text) and (text.isascii() or not _EAST_ASIAN.match(text)):
        return None
    by, label = openings("by", text), openings("label", text)
    if any(_NOTHING_BEHIND.fullmatch(text, end) for end in by + label):
        return ""
    for pattern in () if text.isascii() else (_REPORTED, _KOREAN_NAME):
        if match := pattern.match(text):
            return match[1]
    for end in by:
        if match := _BEHIND_BY.match(text, end):
            return text[match.end() :]
    for end in label:
        if match := _BEHIND_LABEL.match(text, end):
            rest = text[match.end() :]
            return None if match["bare"] and (rest[0].islower() or _NEEDS_COLON.match(rest)) else rest
    return None


def _without_other_tasks(text: str) -> str:
    return _other_tasks().sub(",", text) if text.lower().find("by", 1) > 0 else text


def parse_names(value: str, reading: Reading) -> list[str]:
    """The names of people in a byline or in the value of a meta element, in order."""
    value = _ADDRESS.sub(" ", plain(value, _MAX_TEXT_LENGTH))
    for date in find_dates(value, reading)[:1]:
        value = _before_date().sub("", value[: date.start]) if date.start > 2 else value[date.stop :]
    value = _without_other_tasks(value)
    value = _without_day(value.strip(" ,|·•-–&"), reading)
    later = _BY_AFTER_WORDS.match(value)
    if later and _compiled("task").search(later[1]):
        return []
    value = value[later.end() :] if later else value
    for _ in range(2):  # "Posted by: By Jane"
        rest = text_after_by(value)
        if rest == "":
            return []
        value = rest or value
    value = _PARENTHESES.sub(" ", value if value.isascii() else _KOREAN_ROLE.sub("", value))
    with_agency = () if _WITH.isdisjoint(value.lower().split()) else (_with_agency(),)
    for pattern in (_after_name(), *with_agency, _NEXT_LABEL):
        behind = pattern.search(value, 1)
        value = value[: behind.start()] if behind else value
    if len(value.split()) > 2:  # words of a name
        value = _role_after_name().sub(r"\1", value)
    pieces = [piece for part in _SEMICOLON.split(value) for piece in _comma_separated(part.strip())]
    trimmed = (_trimmed(name) for piece in pieces for name in _joined_by_and(piece))
    names = [name for name in trimmed if _is_name(name) and not _names_day(name, reading)][:_MAX_NAMES]
    persons = [name for name in names if not _is_agency(name)]
    return persons or names


def _without_day(value: str, reading: Reading) -> str:
    """A byline without the day it opens with: "Jul 11 Written by …"; years are dealt with by then."""
    day = _LEADING_DAY.match(value)
    return value[day.end() :] if day and month_number(day[1] or day[2], reading) else value


def _names_day(name: str, reading: Reading) -> bool:
    """Whether a month and a number stand in it: "Through Mar 31"."""
    return any(month_number(word, reading) for word in _WORD_AND_NUMBER.findall(name))


def _comma_separated(value: str) -> list[str]:
    """Names between commas; a degree stays with its name, an occupation goes, "Doe, Jane" is turned round."""
    first, *rest = _COMMA.split(value)
    names = [first]
    if len(rest) == 1 and _is_family_and_given(first, rest[0]):
        return [f"{rest[0]} {first}"]
    for piece in rest:
        if _is_agency(piece):
            continue
        if _SUFFIX.fullmatch(piece):
            names[-1] += f", {piece}"
        elif _compiled("occupation").search(piece):
            continue
        elif 2 <= len(piece.split()) <= _MAX_NAME_WORDS and piece[:1].isupper():
            names.append(piece)
        else:
            break
    return names


def _is_family_and_given(family: str, given: str) -> bool:
    words = given.split()
    return (
        all(word.isalpha() and word[:1].isupper() for word in (family, *words[:1]))
        and 1 <= len(words) <= 2
        and not _SUFFIX.fullmatch(given)
        and not _compiled("occupation").search(given)
    )


def _joined_by_and(value: str) -> list[str]:
    """ "Jane Doe and John Roe" are two; "Center for Drug Evaluation and Research" and "Morgan & Morgan" are one."""
    pieces = _and().split(value)
    alike = len({min(len(piece.split()), 2) for piece in pieces}) == 1 and len(set(pieces)) == len(pieces)
    return pieces if alike and all(_like_a_person(piece) for piece in pieces) else [value]


def continues_names(text: str) -> bool:
    """Whether a text goes on with another name, or in the middle of a phrase: "and John Roe", "of the town"."""
    return text[:1].islower() or _and().match(f" {text}") is not None


def _like_a_person(name: str) -> bool:
    """Up to five words with capitals, or in a script without them."""
    name = name.split(",")[0].strip()
    words = name.split()
    if len(words) > _MAX_PERSON_WORDS or _PERSON.fullmatch(name) is None:
        return False
    return not any(word[0].islower() and not word[0].isascii() for word in words)


def _trimmed(name: str) -> str:
    """Without the punctuation around it; the dot of "Jr." and "M.D." stays."""
    name = name.strip(" \t,:;|/-–—•·\"'“”‘’()[]+#")
    if name.endswith(".") and not _ABBREVIATED.search(name):
        name = name.rstrip(".")
    return name.lstrip(".").removesuffix("'s").removesuffix("’s")


def _is_name(name: str) -> bool:
    """Whether this may be a name: some letters, not many words, no sentence, no placeholder such as "admin"."""
    return (
        1 < len(name) <= _MAX_NAME_LENGTH
        and len(name.split()) <= _MAX_NAME_WORDS
        and _LETTER.search(name) is not None
        and "".join(words_of(name)) not in _placeholders()
        and not _NOT_IN_NAME.search(name)
    )


def is_person(name: str) -> bool:
    """Whether a name is written like a person's or a team's: two to five words with capitals, or a few ideographs."""
    if " " in name.split(",")[0].strip() and _like_a_person(name):
        return True
    return not name.isascii() and _UNSPACED.fullmatch(name) is not None


def is_role(text: str) -> bool:
    """Whether a text says what somebody is and nothing else: "Senior Reporter", "Redakteurin, Berlin"."""
    first = text.split(",")[0].strip()
    return len(first.split()) <= _MAX_ROLE_WORDS and _role_only().fullmatch(first) is not None


@cache
def _role_only() -> re.Pattern[str]:
    return re.compile(rf"(?:[\w-]+\s+){{0,{_MAX_ROLE_WORDS - 1}}}{alternatives('role')}", re.IGNORECASE)


def distinct_names(names: Iterable[str], sitename: str = "") -> list[str]:
    """Names without repetitions; the site itself only if nobody else is named."""
    result: list[str] = []
    for name in names:
        if not any(same_words(name, other) for other in result):
            result.append(name)
    persons = [name for name in result if not same_words(name, sitename)]
    return persons or result

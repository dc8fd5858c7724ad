"""Detection of a list's encoding: spreadsheets save names in the code page of their country.

Several code pages decode nearly every file, mostly to letters that no language has together. A
single remaining reading is taken; several are offered for choice.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from operator import itemgetter
from typing import Final

from scoreboard.text_files import marked_encoding

# The letters of each language besides a to z, by the code pages in which its lists come
_WESTERN: Final = (
    "àâæçéèêëîïôœùûüÿ äöüßé áéíñóúü áâãàçéêíóôõúü àèéìíîòóùú éèëïóöüáç æøåéäöü åäöéšžü "
    "áðéíóúýþæö àçèéíïòóúü"
)
_CENTRAL: Final = "áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž ąćęłńóśźż áéíóöőúüű ăâîșțşţ čćđšž äöüßé çë"
_LANGUAGES: Final = {
    "cp1252": _WESTERN,
    "cp1250": _CENTRAL,
    "cp1254": "çğıöşüâîûi̇ äöüß",  # noqa: RUF001 -- Turkish
    "cp1257": "ąčęėįšųūž āčēģīķļņšūž äöõüšž äöüß",
    "iso8859_2": _CENTRAL,
    "iso8859_15": _WESTERN,
    "mac_roman": _WESTERN,
    "mac_latin2": _CENTRAL,
}
_SCRIPTS: Final = {"cp1251": "CYRILLIC", "cp1253": "GREEK", "iso8859_7": "GREEK"}
# The letters that are most frequent in names of people and clubs
_KANJI: Final = (
    "佐藤鈴木高橋田中伊渡辺山本村小林加吉井松斎清阿部森池石前川後長谷近遠坂青岡福西三浦原上野金和島"
    "竹内酒宮横安河今平丸久保大工柴杉新水沼菅武市関岩桜片荒土服白飯熊秋太郎一男雄夫美子恵智由香奈真優翔"
    "蓮陽菜結愛健誠隆弘明浩樹介輔也斗希花咲莉里沙織絵理彩乃裕悠亮拓海直哉輝正義幸博典行光昭東京阪府県名氏"
    "所属道都古屋札幌仙台神戸広二次郁千葉口八十四五郷星月翼"
)
_HANZI: Final = (
    "王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余苏叶吕魏蒋田杜丁沈"
    "姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹钱施牛洪"
    "龚伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂文辉玲建国华红志海晓宇浩然子轩梓涵欣怡雨泽佳俊思雅婷"
    "雪峰飞鹏鑫波斌宁莉春梅云天北京上州深圳姓名广东"
)
_TRADITIONAL: Final = (
    "王李張劉陳楊黃趙周吳徐孫朱馬胡郭林何高梁鄭羅宋謝唐韓曹許鄧蕭馮曾程蔡彭潘袁于董余蘇葉呂魏蔣田杜丁沈"
    "姜范江傅鍾盧汪戴崔任陸廖姚方金邱夏譚韋賈鄒石熊孟秦薛侯雷白龍洪志明家豪俊傑淑芬美玲雅婷怡君宗翰冠宇建宏"
    "文雄惠雯佩珊慧心佳穎偉國華榮英秀珍台北中南新竹香港姓名"
)
_SYLLABLES: Final = (
    "가강건경고공곽관광구국권규균근금기길김나남노다대덕도동라란래량련례로록류리림마만명모무문미민박반방배백범"
    "변별병보복봉부빈사산상서석선설섭성세소손솔송수숙순슬승시식신심아안애양어언엄여연열염영예오옥온완왕용우욱"
    "운울웅원월유육윤율은을음의이익인일임자장재전정제조종주준중지진차찬창채천철청초최춘충치탁태택하학한함해향"
    "허현형혜호홍화환황효후훈휘흥희클럽팀름속급점"
)
_FREQUENT: Final = {
    "cp949": frozenset(_SYLLABLES),
    "cp932": frozenset(_KANJI),
    "euc_jp": frozenset(_KANJI),
    "gb18030": frozenset(_HANZI),
    "big5": frozenset(_TRADITIONAL),
}
_NAMES: Final = {
    "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-8-sig": "UTF-8", "cp949": "Windows-949",
    "cp932": "Windows-932", "euc_jp": "EUC-JP", "gb18030": "GB 18030", "big5": "Big5",
    "iso8859_2": "ISO 8859-2", "iso8859_15": "ISO 8859-15", "iso8859_7": "ISO 8859-7",
    "mac_roman": "Mac Roman", "mac_latin2": "Mac CE", "iso2022_jp": "ISO-2022-JP",
    "utf-16": "UTF-16", "utf-32": "UTF-32",
}  # fmt: skip
_MOST_SHOWN: Final = 6
_MOST_RARE: Final = 0.5
_ENOUGH: Final = 3
_CLEAR: Final = 0.3
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ue000-\uf8ff]")
# Pages, that many programs call tables of Excel, and other texts for programs
_MARKUP: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<|\{|\[\s*[\[{\"]|%PDF|BEGIN:)", re.IGNORECASE
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_MARKS: Final = frozenset("\u2018\u2019\u201c\u201d\u2013\xb4\xb7\xa0")  # quotes, dashes, points
_WIDE_MARKS: Final = frozenset("\u3000\u30fb\uff08\uff09\u3001\xb7")
# What no language writes, but what another letter of the same byte often makes
_UNLIKELY: Final = re.compile(
    r"[^\W\d_][\u2018\u201c\xb4]|ń[aeiouyáéó]|ă[oe]|őe|č(?:[lmn]e|s\b|re\b)|ŕ\b|\b[ĺð]|\Bþ(?!ó)|"
    r"(?<![aeiouyáéěíóúůý])[řć](?![aeiouyáéěíóúůý])|[eöüou][^\W\d_aeıioöuü]*ı|"  # noqa: RUF001 -- Turkish
    r"[бвгджзйклмнпрстфхцчшщ]{5}"
)

_BROKEN: Final = re.compile(r"\u201d[^\W\d_]|\xa0[a-z]")
_NARROW_KANA: Final = re.compile("[\uff66-\uff9f]+")


@dataclass(frozen=True, slots=True)
class Decoding:
    """A file as text, and the name of the encoding that gave it."""

    encoding: str
    text: str

    @property
    def words(self) -> tuple[str, ...]:
        """The words by which a person judges whether these are the right letters."""
        return tuple(dict.fromkeys(each for each in _WORD.findall(self.text) if not each.isascii()))


def decodings(content: bytes) -> tuple[tuple[Decoding, ...], bool]:
    """The ways to read a file, best first, and whether the first is sure; none if it is no list."""
    if _MARKUP.match(content):
        return (), False
    try:
        return (_decoding(_unicode(content), content),), True
    except UnicodeError:
        readings = sorted(_readings(content), key=itemgetter(0))
    costs: dict[str, float] = {}
    for cost, read in readings:
        costs.setdefault(read.text, cost)
    first = {read.text: read for _, read in reversed(readings)}
    return tuple(first[text] for text in costs)[:_MOST_SHOWN], _is_clear(costs)


def _is_clear(costs: Mapping[str, float]) -> bool:
    """Whether nothing comes near the best reading; few signs of East Asia may be chance."""
    best, second = [*costs.values(), inf, inf][:2]
    signs = sum(not sign.isascii() for text in [*costs][:1] for sign in text)
    if best < 1:
        return signs >= _ENOUGH and second - best >= _CLEAR
    return best == 1 and second == inf


def _readings(content: bytes) -> Iterator[tuple[float, Decoding]]:
    for encoding in (*_FREQUENT, *_SCRIPTS, *_LANGUAGES):
        with suppress(UnicodeError):
            read = _decoding(encoding, content)
            yield _cost(encoding, read.text), read


def _decoding(encoding: str, content: bytes) -> Decoding:
    """Read a file in that encoding. Raises UnicodeError for signs that show another, too."""
    text = content.decode(encoding).removeprefix("\ufeff")
    if "\0" in text or (encoding != "utf-8-sig" and _CONTROLS.search(text)):
        raise UnicodeError
    return Decoding(_NAMES.get(encoding, encoding.replace("cp", "Windows-")), text)


def _unicode(content: bytes) -> str:
    """The encoding that a mark names, an escape or, of UTF-16, the zeros of line ends."""
    marked = marked_encoding(content)
    if b"\x1b$" in content and marked == "utf-8-sig":
        return "iso2022_jp"
    for encoding, ends in (("utf-16-le", (b"\n\0", b"\r\0")), ("utf-16-be", (b"\0\n", b"\0\r"))):
        if marked == "utf-8-sig" and any(content.find(end) % 2 == 0 for end in ends):
            return encoding
    return marked


def _cost(encoding: str, text: str) -> float:
    """How implausible letters are: the share of rare signs, 1 or 2 for letters, inf for none."""
    words = {each for each in _WORD.findall(text) if not each.isascii()}
    others = {each for each in text if not each.isascii() and not each.isalpha()}
    if encoding == "cp932" and any(map(_NARROW_KANA.fullmatch, words)):
        return 2 if all(map(_NARROW_KANA.fullmatch, words)) else inf
    if encoding in _FREQUENT:
        frequent, kana = _FREQUENT[encoding], encoding in {"cp932", "euc_jp"}
        signs = [each for word in words for each in word if not each.isascii()]
        known = sum(each in frequent or (kana and "\u3041" <= each <= "\u30ff") for each in signs)
        rare = 1 - known / max(len(signs), 1)
        return rare if rare <= _MOST_RARE and others <= _WIDE_MARKS else inf
    pairs = (pair for word in words for pair in pairwise(word))
    mixed = any(a.islower() and b.isupper() and not (a + b).isascii() for a, b in pairs)
    broken = _BROKEN.search(text) or _UNLIKELY.search(text.lower())
    if mixed or broken or not others <= _MARKS:
        return inf
    if script := _SCRIPTS.get(encoding):
        fits = _is_greek if script == "GREEK" else _is_cyrillic
        named = not words or any(word[0].isupper() for word in words)  # unlike Hebrew
        return 1 if named and all(map(fits, words)) else inf
    languages = [*map(frozenset, _LANGUAGES[encoding].split())]
    needed = {frozenset(each for each in word.lower() if not each.isascii()) for word in words}
    fit = all(any(letters <= each for each in languages) for letters in needed)
    return (2 if encoding.startswith("mac") else 1) if fit else inf  # DOS text often reads as Mac's


def _is_cyrillic(word: str) -> bool:
    return all(unicodedata.name(each).startswith("CYRILLIC") for each in word)


def _is_greek(word: str) -> bool:
    """Whether its letters are, with sigmas in place and one accent, which capitals lack."""
    accents = unicodedata.normalize("NFD", word).count("\u0301")
    return all(unicodedata.name(each).startswith("GREEK") for each in word) and (
        word.isupper()
        or len(word) == 1
        or (accents == 1 and not re.search("ς\\B|\\B\u03c3\\b", word))
    )

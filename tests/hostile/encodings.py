"""Encodings: declared rightly, wrongly, twice or not at all; the text comes out as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from tests.hostile.case import ARTICLE, SENTENCES, Case, article, page

__all__ = ["cases"]

# Prose in each script, long enough for a detector, and the encodings it can be written in: label, Python's codec.
TEXTS = {
    "Chinese": (
        "脱粒是把谷粒和稻草分开的工作。在有机器之前，这项工作要花去大半个冬天的时间，农民们在谷仓里用连枷打谷子。"
        "第一台脱粒机是在苏格兰制造的，它给村庄带来的变化比任何法律都要大。",
        [("gb18030", "gb18030"), ("gbk", "gbk"), ("gb2312", "gbk")],
    ),
    "traditional Chinese": (
        "脫粒是把穀粒和稻草分開的工作。在有機器之前，這項工作要花去大半個冬天的時間，農民們在穀倉裡用連枷打穀子。"
        "第一台脫粒機是在蘇格蘭製造的，它給村莊帶來的變化比任何法律都要大。",
        [("big5", "big5")],
    ),
    "Japanese": (
        "脱穀とは、穀粒を藁から離す仕事である。機械ができる前には、冬の大半をこの仕事に費やした。"
        "最初の脱穀機はスコットランドで作られ、どんな法律よりも村を変えた。農民は納屋で殻竿を使った。",
        [("shift_jis", "cp932"), ("euc-jp", "euc_jp"), ("iso-2022-jp", "iso2022_jp")],
    ),
    "Korean": (
        "탈곡은 낟알을 짚에서 떼어 내는 일이다. 기계가 나오기 전에는 겨울의 "
        "대부분을 이 일에 썼다. 농부들은 헛간에서 도리깨로 "
        "곡식을 두드렸다. 첫 탈곡기는 스코틀랜드에서 만들어졌고 어떤 법보다도 마을을 더 바꾸었다.",
        [("euc-kr", "euc_kr"), ("ks_c_5601-1987", "cp949")],
    ),
    "Russian": (
        "Молотьба отделяет зерно от соломы. Пока не было машин, на это "
        "уходила большая часть зимы. Крестьяне били снопы цепами "
        "на полу амбара. Первые молотилки построили в Шотландии, и они изменили деревню сильнее любого закона.",
        [("windows-1251", "cp1251"), ("koi8-r", "koi8_r"), ("iso-8859-5", "iso8859_5"), ("ibm866", "cp866")],
    ),
    "Ukrainian": (
        "Молотьба відокремлює зерно від соломи. Селяни били снопи ціпами, і їхній хліб пахнув літом.",
        [("koi8-u", "koi8_u")],
    ),
    "Greek": (
        "Το αλώνισμα χωρίζει τον καρπό από το άχυρο. Πριν από τις μηχανές έπαιρνε τον περισσότερο χειμώνα. Οι πρώτες "
        "αλωνιστικές μηχανές κατασκευάστηκαν στη Σκωτία και άλλαξαν τα χωριά περισσότερο από κάθε νόμο.",
        [("windows-1253", "cp1253"), ("iso-8859-7", "iso8859_7")],
    ),
    "Polish": (
        "Młócenie oddziela ziarno od słomy. Zanim pojawiły się maszyny, "
        "zajmowało większą część zimy. Pierwsze młocarnie "
        "zbudowano w Szkocji i zmieniły one wieś bardziej niż jakiekolwiek prawo. Chłopi bili snopy cepami.",
        [("windows-1250", "cp1250"), ("iso-8859-2", "iso8859_2")],
    ),
    "Turkish": (
        "Harman dövmek, taneyi samandan ayırır. Makineler çıkmadan önce kışın "
        "çoğu bu işe giderdi. İlk makineler İskoçya’da yapıldı.",
        [("windows-1254", "cp1254")],
    ),
    "Hebrew": (
        "דיש מפריד את הגרעין מן הקש. לפני שהיו מכונות לקח הדבר את רוב החורף, והאיכרים היכו את האלומות במחבטים.",
        [("windows-1255", "cp1255"), ("iso-8859-8", "iso8859_8")],
    ),
    "Arabic": (
        "الدراس يفصل الحب عن التبن. قبل الآلات كان يستغرق معظم الشتاء، وكان الفلاحون يضربون الحزم بالعصي في المخزن.",
        [("windows-1256", "cp1256"), ("iso-8859-6", "iso8859_6")],
    ),
    "Lithuanian": (
        "Kūlimas atskiria grūdus nuo šiaudų. Prieš mašinas tam prireikdavo "
        "didžiosios žiemos dalies, žmonės daužė pėdus.",
        [("windows-1257", "cp1257"), ("iso-8859-13", "iso8859_13")],
    ),
    "Vietnamese": ("Đập lúa là tách hạt ra khỏi rơm.", [("utf-8", "utf-8")]),
    "Thai": (
        "การนวดข้าวคือการแยกเมล็ดออกจากฟาง ก่อนที่จะมีเครื่องจักร งานนี้ใช้เวลาเกือบตลอดฤดูหนาว",
        [("windows-874", "cp874"), ("tis-620", "cp874")],
    ),
    "French": (
        "Le battage sépare le grain de la paille. « Avant les machines, il "
        "prenait l’hiver », dit l’élève naïf, là-bas, où ça gênait.",
        [("windows-1252", "cp1252"), ("iso-8859-1", "cp1252"), ("iso-8859-15", "cp1252")],
    ),
    "mixed": (
        "Grain ☃ зерно 谷 κόκκος حبوب 😀",
        [("utf-8", "utf-8"), ("utf-16le", "utf-16-le"), ("utf-16be", "utf-16-be")],
    ),
}
BOMS = {
    "utf-8": b"\xef\xbb\xbf",
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
    "utf-32-le": b"\xff\xfe\0\0",
    "utf-32-be": b"\0\0\xfe\xff",
}


def _body(text: str) -> str:
    return f"<article><h1>{text.split('.')[0][:40]}</h1>" + f"<p>{text}</p>" * 3 + "</article>"


def _page(text: str, declared: str = "") -> str:
    return page(_body(text), f"<meta charset={declared}>" if declared else "")


def cases() -> Iterator[Case]:
    for case in chain(_declared(), _lying(), _marks(), _odd(), _intact()):
        yield replace(case, about="reading")


def _declared() -> Iterator[Case]:
    for language, (text, encodings) in TEXTS.items():
        wanted = (text.split(" ")[0], text[-20:])
        for label, codec in encodings:
            bare = _page(text).encode(codec)
            yield Case(f"{language} in {label}, by its header", bare, shows=wanted, options={"encoding": label})
            if label.startswith("utf-16"):
                continue
            yield Case(f"{language} in {label}, by its meta", _page(text, label).encode(codec), shows=wanted)
            old = page(_body(text), f"<meta http-equiv=Content-Type content='text/html; charset={label.upper()}'>")
            yield Case(f"{language} in {label}, by an old meta", old.encode(codec), shows=wanted)


def _lying() -> Iterator[Case]:
    for language in ("Chinese", "Japanese", "Korean", "Russian", "Greek"):
        text, encodings = TEXTS[language]
        label, codec = encodings[0]
        wanted = (text[-20:],)
        sources = {
            f"{label}, not declared": (_page(text).encode(codec), None),
            f"{label}, declared as utf-8": (_page(text, "utf-8").encode(codec), None),
            f"{label}, declared as utf-16": (_page(text, "utf-16").encode(codec), None),
            f"{label}, header says iso-8859-1": (_page(text, label).encode(codec), "ISO-8859-1"),
            f"{label}, header says utf-8": (_page(text, label).encode(codec), "utf-8"),
            f"{label}, header says nonsense": (_page(text, label).encode(codec), "x-nonsense"),
            f"utf-8, declared as {label}": (_page(text, label).encode(), None),
            "utf-8, declared as utf-16": (_page(text, "utf-16").encode(), None),
            "utf-8, header says iso-8859-1": (_page(text, label).encode(), "iso-8859-1"),
        }
        for name, (data, header) in sources.items():
            yield Case(f"{language} in {name}", data, shows=wanted, options={"encoding": header})


def _marks() -> Iterator[Case]:
    text = TEXTS["mixed"][0]
    for codec, bom in BOMS.items():
        marked = bom + _page(text, "koi8-r").encode(codec)
        name = f"a byte order mark of {codec} against"
        yield Case(f"{name} a lying meta", marked, shows=(text,), hides=("\ufeff",))
        yield Case(f"{name} a lying header", marked, shows=(text,), hides=("\ufeff",), options={"encoding": "big5"})
        yield Case(f"{codec} without a mark", _page(text + " and some ASCII words").encode(codec), shows=(text,))
        cut = marked + "<p>\u0416".encode(codec)[:-1]
        yield Case(f"{codec} cut in its last character", cut, shows=(text,))


def _odd() -> Iterator[Case]:
    text = TEXTS["mixed"][0]
    words = f"<p>{text} {SENTENCES[0]}</p>" * 3
    odd = {
        "an unknown charset": _page(text, "x-nonsense"),
        "a charset of controls": _page(text, "\x1b[31mutf-8"),
        "a charset of a megabyte": _page(text, "x" * 1_000_000),
        "two metas that differ": page(ARTICLE + words, "<meta charset=utf-8><meta charset=koi8-r>"),
        "a meta in a comment": page(f"<!-- <meta charset=koi8-r> -->{words}"),
        "a meta in a script": page(f"<script>'<meta charset=koi8-r>'</script>{words}"),
        "a meta far down": page("<!--" + "x" * 5_000 + "-->" + f"<meta charset=utf-8>{words}"),
        "an xml declaration": "<?xml version='1.0' encoding='utf-8'?>" + page(words),
        "a lying xml declaration": "<?xml version='1.0' encoding='utf-16'?>" + page(words),
        "utf-7": page(f"{words}<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p>", "<meta charset=utf-7>"),
    }
    for name, html in odd.items():
        yield Case(name, html.encode(), shows=("\U0001f600",), hides=("<script>alert",))
    bad = {
        "cp037, which is no encoding of the web": page(ARTICLE).encode("cp037"),
        "hz": page(ARTICLE, "<meta charset=hz-gb-2312>").encode(),
        "iso-2022-kr": page(ARTICLE, "<meta charset=iso-2022-kr>").encode(),
        "overlong slashes": page(ARTICLE).encode() + b"<p>\xc0\xaf\xe0\x80\xaf</p>",
        "surrogates in utf-8": page(ARTICLE).encode() + b"<p>\xed\xa0\x80\xed\xbf\xbf</p>",
        "beyond Unicode": page(ARTICLE).encode() + b"<p>\xf4\x90\x80\x80\xf8\x88\x80\x80\x80</p>",
        "escapes of iso-2022-jp that never end": page(ARTICLE, "<meta charset=iso-2022-jp>").encode() + b"\x1b$B" * 500,
        "lone surrogates in utf-16": b"\xff\xfe" + page(ARTICLE).encode("utf-16-le") + b"\x00\xd8\x00\xd8\x41\x00",
        "beyond Unicode in utf-32": b"\xff\xfe\0\0" + page(ARTICLE).encode("utf-32-le") + b"\xff\xff\xff\x7f",
    }
    for name, data in bad.items():
        yield Case(f"bad bytes: {name}", data)
    russian = TEXTS["Russian"][0]
    yield Case(
        "utf-8 with one bad byte",
        _page(russian).encode().replace(b"<p>", b"<p>\xff ", 1),
        shows=(russian[-20:],),
        warns=("decode_error",),
    )
    yield Case("utf-8 cut in a character", _page(russian).encode() + "<p>Я".encode()[:-1], shows=("Молотьба",))
    yield Case("utf-8 encoded twice", _page(russian, "utf-8").encode().decode("latin-1").encode())
    yield Case(
        "utf-8 in which one word is latin-1",
        _page(russian).encode() + "<p>déjà vu, naïf élève</p>".encode("latin-1"),
        shows=(russian[-20:],),
        warns=("decode_error",),
    )


def _intact() -> Iterator[Case]:
    kept = {
        "zero-width non-joiner in Persian": "می\u200cخواهم این متن را بخوانم",
        "zero-width joiner in Hindi": "क्\u200dष और श्र",
        "emoji family": "👩\u200d👩\u200d👧\u200d👦 and ❤\ufe0f\u200d🔥 and 1\ufe0f\u20e3",
        "Hebrew with marks": "שלום \u200fabc\u200e (עולם)",
        "isolates": "a \u2068שלום\u2069 b",
        "an override that ends": "a \u202eabc\u202c b",
        "combining marks": "e\u0301 n\u0303 ạ̈",
        "Thai with word breaks": "ภาษา\u200bไทย",
        "ideographic variation": "葛\U000e0100城市",
        "Mongolian": "ᠮᠣᠩᠭᠣᠯ",
        "letters beyond the basic plane": "𠮷野家 𝒜𝓁𝑔 𐍈",
        "private use": "a \ue000 b \U000f0000 c",
    }
    for name, text in kept.items():
        words = f"<p>{SENTENCES[0].lower()} {text} {SENTENCES[1].lower()}</p>"
        yield Case(f"intact: {name}", page(article(words)), shows=(text,))
    costs = {"an escape": "&#27;", "a bell": "&#7;", "a nul": "&#0;", "a delete": "&#127;", "a C1": "&#155;"}
    for name, entity in costs.items():
        words = f"<p>The word be{entity}fore and the words after it are all kept, as they should be.</p>"
        yield Case(f"{name} costs a character", page(article(words)), shows=("fore and the words after it",))
